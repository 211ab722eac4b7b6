//! The meals of the coming days, and what is to be bought.

use super::amount::Ingredient;
use super::cookbook::RecipeId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MealId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Meal {
    pub id: MealId,
    /// Since 1970.
    pub day: u64,
    pub recipe: RecipeId,
    pub servings: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ItemId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub id: ItemId,
    pub what: Ingredient,
    /// In the basket.
    pub done: bool,
}

/// The plan and the shopping list, each in the order in which things were put there.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub meals: Vec<Meal>,
    pub items: Vec<Item>,
    next: u64,
}

impl Plan {
    /// How many days it shows, from today on.
    pub(super) const DAYS: u64 = 7;

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn add_meal(&mut self, day: u64, recipe: RecipeId, servings: u64) {
        let id = MealId(self.new_id());
        self.meals.push(Meal { id, day, recipe, servings });
    }

    pub(super) fn meal(&self, id: MealId) -> Option<&Meal> {
        self.meals.iter().find(|meal| meal.id == id)
    }

    pub(super) fn move_meal(&mut self, id: MealId, day: u64) {
        if let Some(meal) = self.meals.iter_mut().find(|meal| meal.id == id) {
            meal.day = day;
        }
    }

    /// Takes meals out and gives them.
    pub(super) fn take_meals(&mut self, is_it: impl Fn(&Meal) -> bool) -> Vec<Meal> {
        let (taken, left) = std::mem::take(&mut self.meals).into_iter().partition(is_it);
        self.meals = left;
        taken
    }

    /// Brings meals back to their places.
    pub(super) fn restore_meals(&mut self, meals: Vec<Meal>) {
        self.meals.extend(meals);
        self.meals.sort_by_key(|meal| meal.id.0);
    }

    /// Puts an item at the end of the list.
    pub(super) fn add_item(&mut self, what: Ingredient) {
        let id = ItemId(self.new_id());
        self.items.push(Item { id, what, done: false });
    }

    /// An item that is in the basket, or is not, and can stand for this one as well.
    pub(super) fn like(&mut self, what: &Ingredient, done: bool) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.done == done && item.what.is_alike(what))
    }

    pub(super) fn toggle_item(&mut self, id: ItemId) {
        if let Some(item) = self.items.iter_mut().find(|item| item.id == id) {
            item.done = !item.done;
        }
    }

    /// Takes items out and gives them.
    pub(super) fn take_items(&mut self, is_it: impl Fn(&Item) -> bool) -> Vec<Item> {
        let (taken, left) = std::mem::take(&mut self.items).into_iter().partition(is_it);
        self.items = left;
        taken
    }

    /// Brings items back to their places.
    pub(super) fn restore_items(&mut self, items: Vec<Item>) {
        self.items.extend(items);
        self.items.sort_by_key(|item| item.id.0);
    }
}
