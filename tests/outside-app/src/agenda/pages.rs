//! The page of the calendars, and the settings.

use droidmux::sim::toolkit::{Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::Agenda;
use super::action::{Action, Tab};
use super::events::{Calendar, CalendarId, HOLIDAYS};
use super::when::reminder_text;

/// The field of the dialog that names a calendar.
pub(super) const NAME: &str = "name_field";

pub(super) fn calendars(agenda: &Agenda) -> Screen<Action> {
    let rows = agenda.book.calendars.iter().map(|calendar| row(agenda, calendar));
    let list = View::recycler("calendars").children(rows);
    Screen::new("Calendars", list).color(Color::TEAL).up().action(
        "add_calendar",
        Icon::Add,
        "Add calendar",
        Action::AskCalendarName(None),
    )
}

fn row(agenda: &Agenda, calendar: &Calendar) -> View<Action> {
    let count = match agenda.book.size(calendar.id) {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    let toggle = Action::ToggleCalendar(calendar.id);
    let box_ = View::check_box("calendar", &calendar.name, calendar.shown, toggle).share_width();
    let row = View::row()
        .id("calendar_row")
        .high(56)
        .pad_sides(12, 4)
        .child(box_)
        .child(View::label("calendar_size", count).text_size(TextSize::Small).ink(Color::FAINT));
    if calendar.id == HOLIDAYS {
        return row;
    }
    let name = format!("Options of {}", calendar.name);
    row.child(View::icon_button("calendar_menu", Icon::More, name, Action::CalendarMenu(calendar.id)))
}

pub(super) fn calendar_menu(id: CalendarId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Rename".into(), Action::AskCalendarName(Some(id))),
        ("Delete".into(), Action::AskDeleteCalendar(id)),
    ]);
}

pub(super) fn ask_calendar_name(agenda: &Agenda, id: Option<CalendarId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.and_then(|id| agenda.book.calendar(id)).map_or("", |calendar| calendar.name.as_str());
    let dialog = Dialog::new(if id.is_some() { "Rename calendar" } else { "New calendar" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::CalendarName(id));
    ctx.show(dialog);
}

pub(super) fn ask_delete_calendar(agenda: &Agenda, id: CalendarId, ctx: &mut Ctx<'_, Action>) {
    if agenda.book.own().count() < 2 {
        return ctx.toast("One calendar has to stay");
    }
    let name = agenda.book.calendar(id).map_or("", |calendar| calendar.name.as_str());
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message("Its events are deleted as well.")
        .negative("Cancel")
        .positive("Delete", Action::DeleteCalendar(id));
    ctx.show(dialog);
}

pub(super) fn settings(agenda: &Agenda) -> Screen<Action> {
    let days = range_text(agenda.range);
    let list = View::recycler("settings")
        .child(View::preference("First view", agenda.start.name(), Action::AskStart))
        .child(View::setting("12-hour clock", "Such as 4:30 PM", agenda.twelve, Action::ToggleTwelve))
        .child(View::setting("Past events", "Of today, on the agenda", agenda.past, Action::TogglePast))
        .child(View::preference("Length of the agenda", &days, Action::AskRange))
        .child(View::setting(
            "Confirm deletion",
            "Ask before an event is deleted",
            agenda.confirms,
            Action::ToggleConfirm,
        ))
        .child(View::preference(
            "Usual reminder",
            &reminder_text(agenda.reminder),
            Action::AskDefaultReminder,
        ));
    Screen::new("Settings", list).color(Color::TEAL).up()
}

fn range_text(days: u64) -> String {
    format!("{days} days")
}

pub(super) fn ask_range(ctx: &mut Ctx<'_, Action>) {
    let dialog = [7, 14, 30].into_iter().fold(Dialog::new("Length of the agenda"), |dialog, days| {
        dialog.choice(range_text(days), Action::Range(days))
    });
    ctx.show(dialog);
}

pub(super) fn ask_start(ctx: &mut Ctx<'_, Action>) {
    let dialog = Tab::ALL
        .into_iter()
        .fold(Dialog::new("First view"), |dialog, tab| dialog.choice(tab.name(), Action::Start(tab)));
    ctx.show(dialog);
}
