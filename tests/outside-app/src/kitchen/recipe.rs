//! The page of one recipe.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::cookbook::RecipeId;
use super::plan::Plan;
use super::{Action, Kitchen};

const MOST_SERVINGS: u64 = 24;

pub(super) fn view(kitchen: &Kitchen, page: &ActivityState) -> Screen<Action> {
    let Some(recipe) = id(page).and_then(|id| kitchen.book.get(id)) else {
        return Screen::new("Recipe", View::empty("gone", "This recipe was deleted"))
            .color(Color::GREEN)
            .up();
    };
    let (id, servings) = (recipe.id, servings(kitchen, page));
    let told = if servings == 1 { "1 serving".to_owned() } else { format!("{servings} servings") };
    let fewer = Action::Servings(servings.saturating_sub(1).max(1));
    let more = Action::Servings((servings + 1).min(MOST_SERVINGS.max(servings)));
    let stepper = View::row()
        .high(56)
        .child(View::button("fewer", "-", fewer).describe("Fewer servings").enabled(servings > 1))
        .child(View::label("servings", told).share_width().centered())
        .child(View::button("more", "+", more).describe("More servings").enabled(servings < MOST_SERVINGS));
    let ingredients = recipe.text.ingredients.iter().map(|ingredient| {
        let text = ingredient.scaled(servings, recipe.text.serves).text(kitchen.ounces);
        View::label("ingredient", text).wide().pad_sides(4, 4)
    });
    let cooked = match recipe.cooked {
        0 => "Not cooked yet".to_owned(),
        1 => "Cooked once".to_owned(),
        times => format!("Cooked {times} times"),
    };
    let body = View::scroll("recipe")
        .pad(12)
        .child(stepper)
        .children(ingredients)
        .child(View::button("shop", "Add to shopping list", Action::Shop(id)))
        .child(View::button("plan", "Plan this", Action::AskPlan(id)))
        .child(View::button("cook", "I cooked this", Action::Cook(id)))
        .child(View::label("cooked", cooked).text_size(TextSize::Small).ink(Color::FAINT));
    let star = if recipe.favourite { Icon::Star } else { Icon::NoStar };
    Screen::new(&recipe.text.name, body)
        .color(Color::GREEN)
        .up()
        .action("favourite", star, "Favourite", Action::Favourite(id))
        .menu("Edit", Action::Edit(id))
        .menu("Duplicate", Action::Copy(id))
        .menu("Delete", Action::AskDelete(id))
}

/// The recipe of the page.
pub(super) fn id(page: &ActivityState) -> Option<RecipeId> {
    page.argument().split(' ').next()?.parse().ok().map(RecipeId)
}

/// The servings the page is at: those chosen, else those of the meal it was opened from, else the recipe's own.
pub(super) fn servings(kitchen: &Kitchen, page: &ActivityState) -> u64 {
    let chosen = page.number("servings");
    let planned = page.argument().split(' ').nth(1).and_then(|servings| servings.parse().ok());
    let own = || id(page).and_then(|id| kitchen.book.get(id)).map_or(1, |recipe| recipe.text.serves);
    if chosen > 0 { chosen } else { planned.unwrap_or_else(own) }
}

/// Asks for one of the coming days.
pub(super) fn ask_day(action: impl Fn(u64) -> Action, ctx: &mut Ctx<'_, Action>) {
    let now = ctx.env().now();
    let dialog = (0..Plan::DAYS).fold(Dialog::new("Which day?"), |dialog, n| {
        dialog.choice(day_name(n, &now.plus_days(n).day_text()), action(now.day() + n))
    });
    ctx.show(dialog);
}

/// What the n-th day from today is called.
pub(super) fn day_name(n: u64, date: &str) -> String {
    match n {
        0 => "Today".to_owned(),
        1 => "Tomorrow".to_owned(),
        _ => date.to_owned(),
    }
}

pub(super) fn ask_delete(kitchen: &Kitchen, id: RecipeId, ctx: &mut Ctx<'_, Action>) {
    let name = kitchen.book.get(id).map_or("", |recipe| recipe.text.name.as_str());
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message("Its planned meals go with it.")
        .negative("Cancel")
        .positive("Delete", Action::Delete(id));
    ctx.show(dialog);
}
