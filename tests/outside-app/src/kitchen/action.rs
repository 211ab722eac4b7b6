//! The tabs of the cookbook, and what touching its widgets can mean.

use droidmux::sim::toolkit::ActivityState;

use super::cookbook::{Order, RecipeId};
use super::plan::{ItemId, MealId};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    #[default]
    Recipes,
    Week,
    Shopping,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Tab(Tab),
    /// A place among the categories, `None` for all.
    Category(Option<usize>),
    AskOrder,
    Order(Order),
    /// A recipe, and its place in the list.
    Open(RecipeId, usize),
    OpenRecent(RecipeId),
    OpenMeal(MealId),
    OpenCooked(usize),
    Favourite(RecipeId),
    Servings(u64),
    Shop(RecipeId),
    AskPlan(RecipeId),
    Plan(RecipeId, u64),
    Cook(RecipeId),
    New,
    Edit(RecipeId),
    Copy(RecipeId),
    AskDelete(RecipeId),
    Delete(RecipeId),
    Undo,
    ChooseCategory(usize),
    Save,
    Discard,
    MealMenu(MealId),
    AskMove(MealId),
    Move(MealId, u64),
    RemoveMeal(MealId),
    ShopAll,
    AddItem,
    Toggle(ItemId),
    ItemMenu(ItemId),
    RemoveItem(ItemId),
    ClearBasket,
    History,
    ClearHistory,
    Settings,
    ToggleOunces,
    ToggleTimes,
    AskStart,
    Start(Tab),
}

impl Tab {
    pub(super) const ALL: [Tab; 3] = [Tab::Recipes, Tab::Week, Tab::Shopping];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Recipes => "Recipes",
            Self::Week => "Plan",
            Self::Shopping => "Shopping",
        }
    }

    /// The tab that the main page shows.
    pub(super) fn of(page: &ActivityState) -> Self {
        let name = page.variable("tab");
        Self::ALL.into_iter().find(|tab| tab.name() == name).unwrap_or_default()
    }
}
