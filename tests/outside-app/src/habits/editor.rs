//! The form of a habit.

use droidmux::sim::toolkit::{ActivityState, Ctx, Dialog, Env, Icon, Moment, Screen, TextSize, View};

use super::book::{CategoryId, HabitId, HabitText};
use super::days::Frequency;
use super::declared::NEW_REMINDER;
use super::{Action, Tracker};

const NAME: &str = "habit_name_field";
const NOTE: &str = "note_field";
/// What the dialog for the reminder picks.
const TIME: &str = "reminder_time";

pub(super) fn view(tracker: &Tracker, page: &ActivityState, env: &Env) -> Screen<Action> {
    let text = written(page);
    let radio = |frequency: Frequency| {
        let is_chosen = frequency == text.frequency;
        View::radio("frequency", frequency.name(), is_chosen, Action::Frequency(frequency)).wide()
    };
    let reminder = text.reminder.as_deref().unwrap_or("None");
    let category = tracker.book.category_name(text.category);
    let body = View::scroll("form")
        .pad(8)
        .child(View::field(NAME, "Name"))
        .child(View::text("Category").text_size(TextSize::Small).margin(4, 8, 0, 4))
        .child(View::spinner("category_field", category, Action::AskCategory))
        .children(Frequency::ALL.map(radio))
        .child(View::preference("Reminder", reminder, Action::AskReminder))
        .child(View::field(NOTE, "Note").multiline().high(96));
    let title = if edited(page).is_some() { "Edit habit" } else { "New habit" };
    Screen::new(title, body).color(tracker.color(env)).up().action("save", Icon::Check, "Save", Action::Save)
}

/// The habit that is edited; `None` for a new one.
pub(super) fn edited(page: &ActivityState) -> Option<HabitId> {
    page.argument_number().map(HabitId)
}

/// What the form holds.
pub(super) fn written(page: &ActivityState) -> HabitText {
    let text = |id| page.field(id).trim().to_owned();
    let reminder = page.variable("reminder");
    HabitText {
        name: text(NAME),
        category: page.variable("category").parse().ok().map(CategoryId),
        frequency: Frequency::of(page.number("frequency")),
        reminder: (!reminder.is_empty()).then(|| reminder.to_owned()),
        note: text(NOTE),
    }
}

/// What the form begins with: a new habit belongs to the category that the list shows.
fn first(tracker: &Tracker, page: &ActivityState) -> HabitText {
    match edited(page) {
        Some(id) => tracker.book.get(id).map(|habit| habit.text.clone()).unwrap_or_default(),
        None => {
            let category = page.argument().strip_prefix("in ").and_then(|id| id.parse().ok());
            HabitText { category: category.map(CategoryId), ..HabitText::default() }
        }
    }
}

pub(super) fn fill(tracker: &mut Tracker, ctx: &mut Ctx<'_, Action>) {
    let mut text = first(tracker, ctx.page());
    if edited(ctx.page()).is_some() {
        tracker.last_reminder.clone_from(&text.reminder);
    } else if tracker.defects.strikes(&NEW_REMINDER, tracker.last_reminder.is_some()) {
        // The wrong form is not emptied.
        text.reminder.clone_from(&tracker.last_reminder);
    }
    ctx.set_field(NAME, text.name);
    ctx.set_field(NOTE, text.note);
    save_category(text.category, ctx);
    ctx.save("frequency", text.frequency.number());
    ctx.save("reminder", text.reminder.unwrap_or_default());
}

pub(super) fn save_category(category: Option<CategoryId>, ctx: &mut Ctx<'_, Action>) {
    ctx.save("category", category.map_or_else(String::new, |id| id.0.to_string()));
}

pub(super) fn ask_category(tracker: &Tracker, ctx: &mut Ctx<'_, Action>) {
    let known = tracker.book.categories.iter().map(|category| Some(category.id));
    let item = |category: Option<CategoryId>| {
        (tracker.book.category_name(category).to_owned(), Action::ChooseCategory(category))
    };
    ctx.popup(std::iter::once(None).chain(known).map(item).collect());
}

pub(super) fn ask_reminder(ctx: &mut Ctx<'_, Action>) {
    let known = written(ctx.page()).reminder.unwrap_or_else(|| "08:00".to_owned());
    let mut parts = known.split(':').map(|part| part.parse::<u64>().unwrap_or(0));
    let minutes = parts.next().unwrap_or(0) * 60 + parts.next().unwrap_or(0);
    let dialog = Dialog::new("Reminder")
        .time(TIME, Moment(minutes * 60_000))
        .neutral("None", Action::Reminder(false))
        .negative("Cancel")
        .positive("Set", Action::Reminder(true));
    ctx.show(dialog);
}

pub(super) fn set_reminder(on: bool, ctx: &mut Ctx<'_, Action>) {
    let time = if on { ctx.field(TIME) } else { String::new() };
    ctx.save("reminder", time);
}

/// Asks before what was changed is lost; false when nothing was.
pub(super) fn ask_discard(tracker: &Tracker, ctx: &mut Ctx<'_, Action>) -> bool {
    if written(ctx.page()) == first(tracker, ctx.page()) {
        return false;
    }
    let dialog = Dialog::new("Discard changes?")
        .message("The habit was not saved.")
        .negative("Keep editing")
        .positive("Discard", Action::Discard);
    ctx.show(dialog);
    true
}
