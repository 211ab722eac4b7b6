//! The form of an event.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Env, Icon, Moment, Screen, View};

use super::action::{Action, Occurrence, Scope};
use super::declared::ALL_DAY_TIME;
use super::events::{CalendarId, Draft, EventId, PERSONAL, Repeat, Timing};
use super::when::{LENGTHS, NINE, REMINDERS, clock, day_text, length_text, reminder_text};
use super::{Agenda, minute};

const TITLE: &str = "title_field";
const PLACE: &str = "place_field";
const NOTES: &str = "notes_field";
pub(super) const DATE: &str = "date_picker";
pub(super) const TIME: &str = "time_picker";

/// What the form is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// On this day.
    New(u64),
    Edit(Occurrence),
    Copy(Occurrence),
}

impl Target {
    pub(super) fn argument(self) -> String {
        match self {
            Self::New(day) => format!("new 0 {day}"),
            Self::Edit((id, day)) => format!("edit {} {day}", id.0),
            Self::Copy((id, day)) => format!("copy {} {day}", id.0),
        }
    }

    pub(super) fn of(page: &ActivityState) -> Self {
        let mut parts = page.argument().split(' ');
        let what = parts.next().unwrap_or_default();
        let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
        let at = (EventId(number()), number());
        match what {
            "edit" => Self::Edit(at),
            "copy" => Self::Copy(at),
            _ => Self::New(at.1),
        }
    }
}

pub(super) fn view(agenda: &Agenda, page: &ActivityState) -> Screen<Action> {
    let Draft { calendar, timing, .. } = written(page);
    let name = agenda.book.calendar(calendar).map_or("", |calendar| calendar.name.as_str());
    let mut form = View::scroll("form")
        .pad(8)
        .child(View::field(TITLE, "Title"))
        .child(View::spinner("calendar_spinner", name, Action::AskCalendar))
        .child(View::check_box("all_day", "All day", timing.all_day, Action::ToggleAllDay).wide())
        .child(View::preference("Date", &day_text(timing.day), Action::AskDate));
    if !timing.all_day {
        form = form
            .child(View::preference("Starts", &clock(timing.start, agenda.twelve), Action::AskTime))
            .child(View::preference("Lasts", &length_text(timing.length), Action::AskLength));
    }
    form = form
        .child(View::preference("Repeats", timing.repeat.name(), Action::AskRepeat))
        .child(View::preference("Reminder", &reminder_text(timing.reminder), Action::AskReminder))
        .child(View::field(PLACE, "Place"))
        .child(View::field(NOTES, "Notes").multiline().high(96));
    let title = if matches!(Target::of(page), Target::Edit(_)) { "Edit event" } else { "New event" };
    Screen::new(title, form).color(Color::TEAL).up().action("save", Icon::Check, "Save", Action::Save(None))
}

/// What the form holds.
pub(super) fn written(page: &ActivityState) -> Draft {
    let text = |id| page.field(id).trim().to_owned();
    Draft {
        title: text(TITLE),
        place: text(PLACE),
        notes: text(NOTES),
        calendar: CalendarId(page.number("calendar")),
        timing: Timing {
            day: page.number("date"),
            start: page.number("start"),
            length: page.number("length"),
            all_day: page.number("all_day") > 0,
            repeat: Repeat::of_number(page.number("repeat")),
            reminder: page.variable("reminder").parse().ok(),
        },
    }
}

/// What the form begins with.
fn first(agenda: &Agenda, page: &ActivityState, env: &Env) -> Draft {
    let known = |(id, day): Occurrence| {
        let mut draft = agenda.book.get(id)?.text.clone();
        draft.timing.day = day;
        Some(draft)
    };
    let (known, day) = match Target::of(page) {
        Target::Edit(at) | Target::Copy(at) => (known(at), at.1),
        Target::New(day) => (None, day),
    };
    known.unwrap_or_else(|| {
        // The next full hour, or nine on another day.
        let next = (minute(env) / 60 + 1) % 24 * 60;
        let start = if day == env.now().day() { next } else { NINE };
        let reminder = agenda.reminder;
        let timing = Timing { day, start, length: 60, all_day: false, repeat: Repeat::Never, reminder };
        let (title, place, notes) = Default::default();
        Draft { title, place, notes, calendar: usual_calendar(agenda), timing }
    })
}

/// The calendar that was written into last, or another one.
fn usual_calendar(agenda: &Agenda) -> CalendarId {
    let is_shown = |id| agenda.book.calendar(id).is_some_and(|calendar| calendar.shown);
    if is_shown(agenda.last) {
        return agenda.last;
    }
    let own = || agenda.book.own();
    own().find(|calendar| calendar.shown).or_else(|| own().next()).map_or(PERSONAL, |calendar| calendar.id)
}

pub(super) fn fill(agenda: &Agenda, ctx: &mut Ctx<'_, Action>) {
    let draft = first(agenda, ctx.page(), ctx.env());
    ctx.set_field(TITLE, &draft.title);
    ctx.set_field(PLACE, &draft.place);
    ctx.set_field(NOTES, &draft.notes);
    ctx.save("calendar", draft.calendar.0);
    ctx.save("date", draft.timing.day);
    ctx.save("start", draft.timing.start);
    ctx.save("length", draft.timing.length);
    ctx.save("all_day", u64::from(draft.timing.all_day));
    ctx.save("repeat", draft.timing.repeat.number());
    put_reminder(draft.timing.reminder, ctx);
    let first = digest(&written(ctx.page()));
    ctx.save("first", first);
}

/// Tells one state of the form from another.
fn digest(draft: &Draft) -> String {
    format!("{draft:?}")
}

pub(super) fn put_reminder(reminder: Option<u64>, ctx: &mut Ctx<'_, Action>) {
    ctx.save("reminder", reminder.map_or_else(String::new, |minutes| minutes.to_string()));
}

pub(super) fn toggle_all_day(agenda: &Agenda, ctx: &mut Ctx<'_, Action>) {
    let Timing { all_day, start, .. } = written(ctx.page()).timing;
    ctx.save("all_day", u64::from(!all_day));
    // The wrong form takes the time from the beginning of the day.
    if agenda.defects.strikes(&ALL_DAY_TIME, all_day && start > 0) {
        ctx.save("start", 0);
    }
}

/// Asks before what was changed is lost; false when nothing was.
pub(super) fn ask_discard(ctx: &mut Ctx<'_, Action>) -> bool {
    if digest(&written(ctx.page())) == ctx.page().variable("first") {
        return false;
    }
    let dialog = Dialog::new("Discard changes?")
        .message("The event was not saved.")
        .negative("Keep editing")
        .positive("Discard", Action::Discard);
    ctx.show(dialog);
    true
}

/// Asks how much of a series is to change; one event alone cannot repeat in another way.
pub(super) fn ask_scope(agenda: &Agenda, id: EventId, ctx: &mut Ctx<'_, Action>) {
    let repeat = written(ctx.page()).timing.repeat;
    let same = agenda.book.get(id).is_some_and(|event| event.timing().repeat == repeat);
    let mut dialog = Dialog::new("Save");
    if same {
        dialog = dialog.choice("Only this event", Action::Save(Some(Scope::One)));
    }
    ctx.show(dialog.choice("All events", Action::Save(Some(Scope::All))).negative("Cancel"));
}

pub(super) fn ask_calendar(agenda: &Agenda, ctx: &mut Ctx<'_, Action>) {
    let chosen = written(ctx.page()).calendar;
    let calendars = agenda.book.own().filter(|calendar| calendar.shown || calendar.id == chosen);
    let items = calendars.map(|calendar| (calendar.name.clone(), Action::ChooseCalendar(calendar.id)));
    ctx.popup(items.collect());
}

pub(super) fn ask_date(ctx: &mut Ctx<'_, Action>) {
    let first = Moment(0).plus_days(written(ctx.page()).timing.day);
    ctx.show(Dialog::new("Date").date(DATE, first).negative("Cancel").positive("OK", Action::Date));
}

pub(super) fn ask_time(ctx: &mut Ctx<'_, Action>) {
    let first = Moment(written(ctx.page()).timing.start * 60_000);
    ctx.show(Dialog::new("Starts").time(TIME, first).negative("Cancel").positive("OK", Action::Time));
}

/// The minutes after midnight that a picker tells.
pub(super) fn picked_time(text: &str) -> Option<u64> {
    let (hours, minutes) = text.split_once(':')?;
    Some(hours.parse::<u64>().ok()? * 60 + minutes.parse::<u64>().ok()?)
}

pub(super) fn ask_length(ctx: &mut Ctx<'_, Action>) {
    let dialog = LENGTHS.into_iter().fold(Dialog::new("Lasts"), |dialog, minutes| {
        dialog.choice(length_text(minutes), Action::Length(minutes))
    });
    ctx.show(dialog);
}

pub(super) fn ask_repeat(ctx: &mut Ctx<'_, Action>) {
    let dialog = Repeat::ALL
        .into_iter()
        .zip(0..)
        .fold(Dialog::new("Repeats"), |dialog, (repeat, n)| dialog.choice(repeat.name(), Action::Repeat(n)));
    ctx.show(dialog);
}

/// Asks for a reminder, of this event or of new ones.
pub(super) fn ask_reminder(action: fn(Option<u64>) -> Action, ctx: &mut Ctx<'_, Action>) {
    let dialog = REMINDERS.into_iter().fold(Dialog::new("Reminder"), |dialog, reminder| {
        dialog.choice(reminder_text(reminder), action(reminder))
    });
    ctx.show(dialog);
}
