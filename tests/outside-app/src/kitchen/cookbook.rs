//! The recipes.

use super::amount::Ingredient;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecipeId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub id: RecipeId,
    pub text: RecipeText,
    pub favourite: bool,
    pub cooked: u64,
    /// Greater than of those that were opened before; 0 when it never was.
    pub opened: u64,
}

/// What a person writes of a recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecipeText {
    pub name: String,
    /// A place in [`CATEGORIES`].
    pub category: usize,
    pub minutes: u64,
    pub serves: u64,
    pub ingredients: Vec<Ingredient>,
}

pub(super) const CATEGORIES: [&str; 3] = ["Breakfast", "Main", "Dessert"];

/// How recipes are ordered, favourites first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Name,
    Quickest,
    MostCooked,
}

#[derive(Clone, Debug)]
pub(super) struct Cookbook {
    recipes: Vec<Recipe>,
    next: u64,
    openings: u64,
}

const FIRST: [(&str, usize, u64, u64, &str); 5] = [
    ("Pancakes", 0, 20, 2, "200 g Flour\n300 ml Milk\n2 Egg"),
    ("Porridge", 0, 10, 1, "60 g Oats\n250 ml Milk"),
    ("Lentil soup", 1, 40, 4, "250 g Lentils\n3 Carrot\n1 Onion"),
    ("Fried rice", 1, 25, 2, "180 g Rice\n2 Egg\n1 Onion"),
    ("Plum cake", 2, 70, 8, "300 g Flour\n12 Plum\n100 g Sugar"),
];

impl Cookbook {
    /// How many recipes stand as opened last.
    pub(super) const RECENT: usize = 3;

    pub(super) fn new() -> Self {
        let mut book = Self { recipes: Vec::new(), next: 1, openings: 0 };
        for (name, category, minutes, serves, ingredients) in FIRST {
            let ingredients = Ingredient::list(ingredients);
            book.add(RecipeText { name: name.to_owned(), category, minutes, serves, ingredients });
        }
        book
    }

    pub(super) fn add(&mut self, text: RecipeText) -> RecipeId {
        let id = RecipeId(self.next);
        self.next += 1;
        self.recipes.push(Recipe { id, text, favourite: false, cooked: 0, opened: 0 });
        id
    }

    pub(super) fn get(&self, id: RecipeId) -> Option<&Recipe> {
        self.recipes.iter().find(|recipe| recipe.id == id)
    }

    pub(super) fn change(&mut self, id: RecipeId, change: impl FnOnce(&mut Recipe)) {
        if let Some(recipe) = self.recipes.iter_mut().find(|recipe| recipe.id == id) {
            change(recipe);
        }
    }

    /// Notes that a recipe is opened.
    pub(super) fn open(&mut self, id: RecipeId) {
        self.openings += 1;
        let opened = self.openings;
        self.change(id, |recipe| recipe.opened = opened);
    }

    pub(super) fn remove(&mut self, id: RecipeId) -> Option<Recipe> {
        let at = self.recipes.iter().position(|recipe| recipe.id == id)?;
        Some(self.recipes.remove(at))
    }

    /// Brings back what was removed.
    pub(super) fn restore(&mut self, recipe: Recipe) {
        let at = self.recipes.iter().position(|known| known.id.0 > recipe.id.0);
        self.recipes.insert(at.unwrap_or(self.recipes.len()), recipe);
    }

    /// Those that were opened last, the latest first.
    pub(super) fn recent(&self) -> Vec<&Recipe> {
        let mut recent: Vec<&Recipe> = self.recipes.iter().filter(|recipe| recipe.opened > 0).collect();
        recent.sort_by_key(|recipe| std::cmp::Reverse(recipe.opened));
        recent.truncate(Self::RECENT);
        recent
    }

    /// Those that pass, in this order, favourites first.
    pub(super) fn sorted(&self, order: Order, passes: impl Fn(&Recipe) -> bool) -> Vec<&Recipe> {
        let mut list: Vec<&Recipe> = self.recipes.iter().filter(|recipe| passes(recipe)).collect();
        list.sort_by_key(|recipe| recipe.text.name.to_lowercase());
        match order {
            Order::Name => {}
            Order::Quickest => list.sort_by_key(|recipe| recipe.text.minutes),
            Order::MostCooked => list.sort_by_key(|recipe| std::cmp::Reverse(recipe.cooked)),
        }
        list.sort_by_key(|recipe| !recipe.favourite);
        list
    }
}

impl Recipe {
    /// Whether a search finds it, by its name or an ingredient.
    pub(super) fn matches(&self, query: &str) -> bool {
        let query = query.to_lowercase();
        let names = self.text.ingredients.iter().map(|ingredient| &ingredient.name);
        std::iter::once(&self.text.name).chain(names).any(|name| name.to_lowercase().contains(&query))
    }
}
