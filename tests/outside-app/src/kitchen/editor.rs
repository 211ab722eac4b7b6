//! The page on which a recipe is written, the history, and the settings.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Keys, Screen, TextSize, View};

use super::amount::Ingredient;
use super::cookbook::{CATEGORIES, RecipeId, RecipeText};
use super::recipes::offer;
use super::{Action, Cooked, Kitchen, Tab};

const NAME: &str = "name";
const MINUTES: &str = "minutes";
const SERVES: &str = "serves";
const INGREDIENTS: &str = "ingredients";

pub(super) fn view(page: &ActivityState) -> Screen<Action> {
    let chosen = chosen(page);
    let radios = CATEGORIES
        .iter()
        .enumerate()
        .map(|(n, name)| View::radio("category", *name, n == chosen, Action::ChooseCategory(n)));
    let body = View::scroll("form")
        .pad(8)
        .child(View::field(NAME, "Name"))
        .child(View::row().wide().children(radios))
        .child(View::field(MINUTES, "Minutes").keys(Keys::Digits))
        .child(View::field(SERVES, "Servings").keys(Keys::Digits))
        .child(View::field(INGREDIENTS, "Ingredients, a line each, in g and ml").multiline().high(160));
    let title = if page.argument().is_empty() { "New recipe" } else { "Edit recipe" };
    Screen::new(title, body).color(Color::GREEN).up().action("save", Icon::Check, "Save", Action::Save)
}

fn chosen(page: &ActivityState) -> usize {
    usize::try_from(page.number("category")).unwrap_or(0)
}

/// The most servings that a recipe is for.
const MOST_SERVES: u64 = 24;
/// The most minutes that it takes: a week.
const MOST_MINUTES: u64 = 10_080;

/// What is wrong with the form; `None` when it can be saved.
pub(super) fn complaint(page: &ActivityState) -> Option<&'static str> {
    let above = |id, most| {
        let text = page.field(id).trim();
        !text.is_empty() && text.parse::<u64>().map_or(true, |number| number > most)
    };
    if page.field(NAME).trim().is_empty() {
        Some("A recipe needs a name")
    } else if above(SERVES, MOST_SERVES) {
        Some("At most 24 servings")
    } else if above(MINUTES, MOST_MINUTES) {
        Some("At most a week")
    } else {
        None
    }
}

/// What the form holds.
pub(super) fn written(page: &ActivityState) -> RecipeText {
    let number = |id| page.field(id).trim().parse::<u64>().unwrap_or(0);
    RecipeText {
        name: page.field(NAME).trim().to_owned(),
        category: chosen(page),
        minutes: number(MINUTES),
        serves: number(SERVES).max(1),
        ingredients: Ingredient::list(page.field(INGREDIENTS)),
    }
}

/// What the form begins with.
fn first(kitchen: &Kitchen, page: &ActivityState) -> RecipeText {
    let known = page.argument_number().and_then(|id| kitchen.book.get(RecipeId(id)));
    let none =
        || RecipeText { name: String::new(), category: 0, minutes: 0, serves: 1, ingredients: Vec::new() };
    known.map_or_else(none, |recipe| recipe.text.clone())
}

pub(super) fn fill(kitchen: &Kitchen, ctx: &mut Ctx<'_, Action>) {
    let text = first(kitchen, ctx.page());
    let lines: Vec<String> = text.ingredients.iter().map(Ingredient::line).collect();
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    ctx.set_field(NAME, &text.name);
    ctx.set_field(MINUTES, number(text.minutes));
    ctx.set_field(SERVES, number(text.serves));
    ctx.set_field(INGREDIENTS, lines.join("\n"));
    ctx.save("category", text.category);
}

/// Asks before what was changed is lost; false when nothing was.
pub(super) fn ask_discard(kitchen: &Kitchen, ctx: &mut Ctx<'_, Action>) -> bool {
    if written(ctx.page()) == first(kitchen, ctx.page()) {
        return false;
    }
    let dialog = Dialog::new("Discard changes?")
        .message("The recipe was not saved.")
        .negative("Keep editing")
        .positive("Discard", Action::Discard);
    ctx.show(dialog);
    true
}

pub(super) fn history(kitchen: &Kitchen) -> Screen<Action> {
    let row = |(n, cooked): (usize, &Cooked)| {
        View::column()
            .id("history_row")
            .high(56)
            .pad_sides(16, 8)
            .on_click(Action::OpenCooked(n))
            .child(View::label("history_name", &cooked.name))
            .child(View::label("history_when", &cooked.when).text_size(TextSize::Small).ink(Color::FAINT))
    };
    let list = if kitchen.history.is_empty() {
        View::empty("no_history", "Nothing was cooked yet")
    } else {
        View::recycler("history").children(kitchen.history.iter().enumerate().map(row))
    };
    let mut screen = Screen::new("History", list).color(Color::GREEN).up();
    if !kitchen.history.is_empty() {
        screen = screen.menu("Clear history", Action::ClearHistory);
    }
    offer(kitchen, screen)
}

pub(super) fn settings(kitchen: &Kitchen) -> Screen<Action> {
    let list = View::recycler("settings")
        .child(View::setting("Ounces", "Instead of grams", kitchen.ounces, Action::ToggleOunces))
        .child(View::setting("Cooking time", "In the list of recipes", kitchen.times, Action::ToggleTimes))
        .child(View::preference("First tab", kitchen.start.name(), Action::AskStart));
    Screen::new("Settings", list).color(Color::GREEN).up()
}

pub(super) fn ask_start(ctx: &mut Ctx<'_, Action>) {
    let dialog = Tab::ALL
        .into_iter()
        .fold(Dialog::new("First tab"), |dialog, tab| dialog.choice(tab.name(), Action::Start(tab)));
    ctx.show(dialog);
}
