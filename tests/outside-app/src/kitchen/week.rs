//! The tabs with the plan of the week and the shopping list.

use droidmux::sim::toolkit::{Arrange, Color, Ctx, Env, Extent, Icon, Screen, TextSize, View};

use super::plan::{Item, ItemId, Meal, MealId, Plan};
use super::recipe::day_name;
use super::recipes::{bar, offer};
use super::{Action, Kitchen, Tab};

/// The field for what is to be bought besides.
pub(super) const ITEM: &str = "item_field";

/// The meals of the days that are shown.
pub(super) fn planned<'a>(kitchen: &'a Kitchen, env: &Env) -> Vec<&'a Meal> {
    let today = env.now().day();
    let days = today..today + Plan::DAYS;
    kitchen.plan.meals.iter().filter(|meal| days.contains(&meal.day)).collect()
}

pub(super) fn week(kitchen: &Kitchen, env: &Env) -> Screen<Action> {
    let meals = planned(kitchen, env);
    let now = env.now();
    let rows = (0..Plan::DAYS).flat_map(|n| {
        let heading = View::heading("day", day_name(n, &now.plus_days(n).day_text()));
        let of_day = meals.iter().filter(move |meal| meal.day == now.day() + n);
        std::iter::once(heading).chain(of_day.map(|meal| meal_row(kitchen, meal)))
    });
    let count = match meals.len() {
        0 => "Nothing is planned".to_owned(),
        1 => "1 meal planned".to_owned(),
        count => format!("{count} meals planned"),
    };
    let body = View::column()
        .fill()
        .child(View::label("meal_count", count).wide().pad_sides(16, 8))
        .child(View::recycler("week").children(rows).share_height())
        .child(bar(Tab::Week));
    let mut screen = Screen::new("Plan", body).color(Color::GREEN);
    if !meals.is_empty() {
        screen = screen.menu("Add all to shopping list", Action::ShopAll);
    }
    offer(kitchen, screen.menu("History", Action::History).menu("Settings", Action::Settings))
}

fn meal_row(kitchen: &Kitchen, meal: &Meal) -> View<Action> {
    let name = kitchen.book.get(meal.recipe).map_or("", |recipe| recipe.text.name.as_str());
    let servings = format!("for {}", meal.servings);
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("meal_row")
        .high(48)
        .pad_sides(24, 4)
        .on_click(Action::OpenMeal(meal.id))
        .on_long_click(Action::MealMenu(meal.id))
        .child(View::label("meal_name", name).share_width())
        .child(View::label("meal_servings", servings).text_size(TextSize::Small).ink(Color::FAINT))
}

pub(super) fn meal_menu(id: MealId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Move to another day".into(), Action::AskMove(id)),
        ("Remove".into(), Action::RemoveMeal(id)),
    ]);
}

pub(super) fn shopping(kitchen: &Kitchen) -> Screen<Action> {
    let (done, open): (Vec<&Item>, Vec<&Item>) = kitchen.plan.items.iter().partition(|item| item.done);
    let add = View::row()
        .high(56)
        .pad_sides(12, 4)
        .child(
            View::field(ITEM, "Add an item").size(Extent::Share, Extent::Dp(48)).on_submit(Action::AddItem),
        )
        .child(View::icon_button("add_item", Icon::Add, "Add", Action::AddItem));
    let group = |name: &str, items: &[&Item]| {
        let heading = (!items.is_empty()).then(|| View::heading("heading", name));
        let rows: Vec<View<Action>> = items.iter().map(|item| item_row(kitchen, item)).collect();
        heading.into_iter().chain(rows)
    };
    let list = if kitchen.plan.items.is_empty() {
        View::empty("nothing_to_buy", "Nothing to buy")
    } else {
        View::recycler("items").children(group("To buy", &open)).children(group("In the basket", &done))
    };
    let counts = format!("{} to buy, {} in the basket", open.len(), done.len());
    let body = View::column()
        .fill()
        .child(add)
        .child(View::label("item_counts", counts).wide().pad_sides(16, 4).text_size(TextSize::Small))
        .child(list.share_height())
        .child(bar(Tab::Shopping));
    let mut screen = Screen::new("Shopping", body).color(Color::GREEN);
    if !done.is_empty() {
        screen = screen.menu("Clear basket", Action::ClearBasket);
    }
    offer(kitchen, screen.menu("History", Action::History).menu("Settings", Action::Settings))
}

fn item_row(kitchen: &Kitchen, item: &Item) -> View<Action> {
    View::check_box("item", item.what.text(kitchen.ounces), item.done, Action::Toggle(item.id))
        .wide()
        .on_long_click(Action::ItemMenu(item.id))
}

pub(super) fn item_menu(id: ItemId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![("Remove".into(), Action::RemoveItem(id))]);
}
