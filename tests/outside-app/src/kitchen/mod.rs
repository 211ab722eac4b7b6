//! A cookbook: recipes for any number of servings, a plan of meals, a shopping list.
//!
//! Modelled on Mealie, Tandoor and Grocy, and the apps for them.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use action::{Action, Tab};
use amount::Ingredient;
use cookbook::{Cookbook, Order, Recipe, RecipeId};
use declared::{DEFECTS, KILLED_BASKET, MERGED_BOUGHT, SERVINGS_IGNORED, SORTED_OPENS, TRAPS, UNDO_MEALS};
use plan::{Item, Meal, Plan};

mod action;
mod amount;
#[cfg(test)]
pub(crate) mod cases;
mod cookbook;
mod declared;
mod editor;
mod plan;
mod recipe;
mod recipes;
mod week;

const MANIFEST: Manifest = Manifest {
    package: "com.example.kitchen",
    label: "Kitchen",
    version_name: "2.4.1",
    version_code: 241,
    activities: &[MAIN, RECIPE, EDIT, HISTORY, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const RECIPE: &str = "RecipeActivity";
const EDIT: &str = "EditRecipeActivity";
const HISTORY: &str = "HistoryActivity";
const SETTINGS: &str = "SettingsActivity";

/// The cookbook, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Kitchen::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Kitchen {
    book: Cookbook,
    plan: Plan,
    order: Order,
    ounces: bool,
    times: bool,
    start: Tab,
    /// What was cooked, the latest first.
    history: Vec<Cooked>,
    /// The first meals were planned.
    planned: bool,
    /// A recipe was edited since a category was chosen.
    edited: bool,
    undo: Option<Undo>,
    defects: DefectSwitches,
}

/// An entry of the history; the name is the one of then.
#[derive(Clone)]
struct Cooked {
    recipe: RecipeId,
    name: String,
    when: String,
}

/// What was deleted last, while it can be brought back.
#[derive(Clone)]
enum Undo {
    Recipe(Recipe, Vec<Meal>),
    Meals(Vec<Meal>),
    Items(Vec<Item>),
}

impl Kitchen {
    /// How much the history keeps.
    const HISTORY: usize = 10;

    fn new(defects: &DefectSwitches) -> Self {
        Self {
            book: Cookbook::new(),
            plan: Plan::default(),
            order: Order::default(),
            ounces: false,
            times: true,
            start: Tab::default(),
            history: Vec::new(),
            planned: false,
            edited: false,
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Tab(tab) => ctx.save("tab", tab.name()),
            Action::Category(category) => {
                ctx.save("category", category.map_or_else(String::new, |category| category.to_string()));
                ctx.scroll_to_top("recipes");
                self.edited = false;
            }
            Action::AskOrder => recipes::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::Open(id, place) => {
                // The wrong list looks up what was touched in the order by name.
                let id = self.defects.either(&SORTED_OPENS, id, || {
                    let by_name = recipes::shown(self, ctx.page(), Order::Name);
                    by_name.get(place).map_or(id, |recipe| recipe.id)
                });
                ctx.start(RECIPE, id.0);
            }
            Action::OpenRecent(id) => ctx.start(RECIPE, id.0),
            Action::OpenMeal(id) => {
                if let Some(meal) = self.plan.meal(id) {
                    ctx.start(RECIPE, format!("{} {}", meal.recipe.0, meal.servings));
                }
            }
            Action::OpenCooked(at) => match self.history.get(at) {
                Some(cooked) if self.book.get(cooked.recipe).is_some() => {
                    ctx.start(RECIPE, cooked.recipe.0);
                }
                _ => ctx.toast("This recipe was deleted"),
            },
            Action::Favourite(id) => self.book.change(id, |recipe| recipe.favourite = !recipe.favourite),
            Action::Servings(servings) => ctx.save("servings", servings),
            Action::Shop(id) => self.shop(id, recipe::servings(self, ctx.page())),
            Action::AskPlan(id) => recipe::ask_day(|day| Action::Plan(id, day), ctx),
            Action::Plan(id, day) => {
                let servings = recipe::servings(self, ctx.page());
                self.plan.add_meal(day, id, servings);
            }
            Action::Cook(id) => self.cook(id, ctx.env()),
            Action::New => ctx.start(EDIT, ""),
            Action::Edit(id) => ctx.start(EDIT, id.0),
            Action::Copy(id) => {
                if let Some(mut text) = self.book.get(id).map(|recipe| recipe.text.clone()) {
                    text.name = format!("{} (copy)", text.name);
                    self.book.add(text);
                    ctx.toast("Copied");
                }
            }
            Action::AskDelete(id) => recipe::ask_delete(self, id, ctx),
            Action::Delete(id) => {
                if let Some(recipe) = self.book.remove(id) {
                    self.undo = Some(Undo::Recipe(recipe, self.plan.take_meals(|meal| meal.recipe == id)));
                }
                ctx.finish();
            }
            Action::Undo => self.bring_back(undo),
            Action::ChooseCategory(category) => ctx.save("category", category),
            Action::Save => self.save(ctx),
            Action::Discard => ctx.finish(),
            Action::MealMenu(id) => week::meal_menu(id, ctx),
            Action::AskMove(id) => recipe::ask_day(|day| Action::Move(id, day), ctx),
            Action::Move(id, day) => self.plan.move_meal(id, day),
            Action::RemoveMeal(id) => {
                self.undo = Some(Undo::Meals(self.plan.take_meals(|meal| meal.id == id)));
            }
            Action::ShopAll => {
                let meals = week::planned(self, ctx.env()).into_iter();
                let meals: Vec<(RecipeId, u64)> = meals.map(|meal| (meal.recipe, meal.servings)).collect();
                for (recipe, servings) in meals {
                    self.shop(recipe, servings);
                }
            }
            Action::AddItem => {
                if let Some(what) = Ingredient::read(&ctx.field(week::ITEM)) {
                    self.plan.add_item(what);
                    ctx.set_field(week::ITEM, "");
                }
            }
            Action::Toggle(id) => self.plan.toggle_item(id),
            Action::ItemMenu(id) => week::item_menu(id, ctx),
            Action::RemoveItem(id) => {
                self.undo = Some(Undo::Items(self.plan.take_items(|item| item.id == id)));
            }
            Action::ClearBasket => self.undo = Some(Undo::Items(self.plan.take_items(|item| item.done))),
            Action::History => ctx.start(HISTORY, ""),
            Action::ClearHistory => self.history.clear(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::ToggleOunces => self.ounces = !self.ounces,
            Action::ToggleTimes => self.times = !self.times,
            Action::AskStart => editor::ask_start(ctx),
            Action::Start(tab) => self.start = tab,
        }
    }

    /// Puts the ingredients on the shopping list; amounts of what is to be bought anyhow add up.
    fn shop(&mut self, id: RecipeId, servings: u64) {
        let Some(text) = self.book.get(id).map(|recipe| recipe.text.clone()) else { return };
        for ingredient in &text.ingredients {
            let right = ingredient.scaled(servings, text.serves);
            let what = self.defects.either(&SERVINGS_IGNORED, right, || ingredient.clone());
            if let Some(item) = self.plan.like(&what, false) {
                item.what.amount = item.what.amount.saturating_add(what.amount);
                continue;
            }
            // The wrong list does not care whether the item is in the basket.
            let bought = self.plan.like(&what, true);
            match bought {
                Some(item) if self.defects.strikes(&MERGED_BOUGHT, true) => {
                    item.what.amount = item.what.amount.saturating_add(what.amount);
                }
                _ => self.plan.add_item(what),
            }
        }
    }

    fn cook(&mut self, id: RecipeId, env: &Env) {
        let Some(name) = self.book.get(id).map(|recipe| recipe.text.name.clone()) else { return };
        self.book.change(id, |recipe| recipe.cooked += 1);
        let when = format!("{} {}", env.now().day_text(), env.now().clock_text());
        self.history.insert(0, Cooked { recipe: id, name, when });
        self.history.truncate(Self::HISTORY);
    }

    fn bring_back(&mut self, undo: Option<Undo>) {
        match undo {
            Some(Undo::Recipe(recipe, meals)) => {
                self.book.restore(recipe);
                // The wrong undo knows nothing of what was deleted with the recipe.
                if !self.defects.strikes(&UNDO_MEALS, !meals.is_empty()) {
                    self.plan.restore_meals(meals);
                }
            }
            Some(Undo::Meals(meals)) => self.plan.restore_meals(meals),
            Some(Undo::Items(items)) => self.plan.restore_items(items),
            None => {}
        }
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        if let Some(complaint) = editor::complaint(ctx.page()) {
            return ctx.toast(complaint);
        }
        let text = editor::written(ctx.page());
        match ctx.page().argument_number().map(RecipeId) {
            Some(id) => {
                self.book.change(id, |recipe| recipe.text = text);
                self.edited = true;
            }
            None => {
                self.book.add(text);
            }
        }
        ctx.finish();
    }

    /// Plans the first meals, once the day is known.
    fn plan_first(&mut self, env: &Env) {
        if !std::mem::replace(&mut self.planned, true) {
            let today = env.now().day();
            self.plan.add_meal(today, RecipeId(3), 4);
            self.plan.add_meal(today + 1, RecipeId(1), 2);
        }
    }
}

impl App for Kitchen {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            RECIPE => recipe::view(self, page),
            EDIT => editor::view(page),
            HISTORY => editor::history(self),
            SETTINGS => editor::settings(self),
            _ => match Tab::of(page) {
                Tab::Recipes => recipes::view(self, page),
                Tab::Week => week::week(self, env),
                Tab::Shopping => week::shopping(self),
            },
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        self.plan_first(ctx.env());
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => match ctx.page().activity() {
                MAIN => ctx.save("tab", self.start.name()),
                RECIPE => {
                    if let Some(id) = recipe::id(ctx.page()) {
                        self.book.open(id);
                    }
                }
                EDIT => editor::fill(self, ctx),
                _ => {}
            },
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        match ctx.page().activity() {
            MAIN if Tab::of(ctx.page()) != self.start => {
                ctx.save("tab", self.start.name());
                true
            }
            EDIT => editor::ask_discard(self, ctx),
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.edited = false;
        if self.defects.strikes(&KILLED_BASKET, self.plan.items.iter().any(|item| item.done)) {
            self.plan.items.iter_mut().for_each(|item| item.done = false);
        }
    }
}
