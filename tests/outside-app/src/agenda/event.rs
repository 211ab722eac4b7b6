//! The page of one event, and what is asked before it is deleted.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::Agenda;
use super::action::{Action, Occurrence, Scope};
use super::declared::SERIES_DATE;
use super::events::{Event, EventId, HOLIDAYS};
use super::list::chip;
use super::when::{day_text, reminder_text, span};

/// The event that the page is about, on the day that it was opened on.
pub(super) fn target(page: &ActivityState) -> Option<Occurrence> {
    let (id, day) = page.argument().split_once(' ')?;
    Some((EventId(id.parse().ok()?), day.parse().ok()?))
}

/// The day that the page shows: an event that is there only once may have been moved meanwhile.
fn day_of(event: &Event, opened: u64) -> u64 {
    if event.timing().repeats() { opened } else { event.timing().day }
}

/// Whether what the page was opened for is no longer there, such as one of a series that was moved.
pub(super) fn is_gone(agenda: &Agenda, page: &ActivityState) -> bool {
    let found = target(page).and_then(|(id, day)| Some((agenda.book.get(id)?, day)));
    found.is_none_or(|(event, day)| event.timing().repeats() && !event.is_on(day))
}

pub(super) fn view(agenda: &Agenda, page: &ActivityState) -> Screen<Action> {
    let found = target(page).and_then(|(id, day)| Some((agenda.book.get(id)?, day)));
    let Some((event, opened)) = found else {
        return Screen::new("Event", View::empty("gone", "This event was deleted")).color(Color::TEAL).up();
    };
    let day = day_of(event, opened);
    // The wrong page shows the day that the series began on.
    let told = agenda.defects.either(&SERIES_DATE, day, || event.timing().day);
    let when = format!("{}, {}", day_text(told), span(&event.timing(), agenda.twelve));
    let mut body = View::scroll("event")
        .pad(16)
        .child(View::label("title", &event.text.title).text_size(TextSize::Large).multiline().wide())
        .child(View::label("when", when).margin(0, 8, 0, 8))
        .child(chip(agenda, event));
    if !event.text.place.is_empty() {
        body = body.child(View::label("place", format!("At {}", event.text.place)).margin(0, 8, 0, 0));
    }
    if event.timing().repeats() {
        body = body.child(View::label("repeat", event.timing().repeat.name()).ink(Color::FAINT));
    }
    body = body.child(View::label("reminder", reminder_text(event.timing().reminder)).ink(Color::FAINT));
    if !event.text.notes.is_empty() {
        body = body.child(View::label("notes", &event.text.notes).multiline().wide().margin(0, 12, 0, 0));
    }
    let screen = Screen::new("Event", body).color(Color::TEAL).up();
    if event.text.calendar == HOLIDAYS {
        return screen;
    }
    let at = (event.id, day);
    screen
        .action("edit", Icon::Pencil, "Edit", Action::Edit(at))
        .action("delete", Icon::Delete, "Delete", Action::AskDelete(at))
        .menu("Duplicate", Action::Duplicate(at))
}

/// Asks how much of a series is to be deleted, and where the settings say so, whether an event is. False when
/// there is nothing to ask.
pub(super) fn ask_delete(agenda: &Agenda, at: Occurrence, ctx: &mut Ctx<'_, Action>) -> bool {
    let Some(event) = agenda.book.get(at.0) else { return true };
    let title = format!("Delete {}?", event.text.title);
    if event.timing().repeats() {
        let dialog = Dialog::new(title)
            .choice("Only this event", Action::Delete(at, Scope::One))
            .choice("This and all following", Action::Delete(at, Scope::Following))
            .choice("All events", Action::Delete(at, Scope::All))
            .negative("Cancel");
        ctx.show(dialog);
    } else if agenda.confirms {
        ctx.show(Dialog::new(title).negative("Cancel").positive("Delete", Action::Delete(at, Scope::All)));
    } else {
        return false;
    }
    true
}
