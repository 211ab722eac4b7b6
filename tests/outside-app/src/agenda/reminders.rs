//! Reminders that are due, and what was done with them.

use droidmux::sim::toolkit::{Color, Ctx, Dialog, Env, Screen, TextSize, View};

use super::action::{Action, Occurrence};
use super::declared::ALARM_STALE;
use super::events::{Event, EventId, Timing};
use super::when::{DAY, clock, day_name, length_text, span};
use super::{Agenda, minute};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handled {
    Dismissed,
    /// Until then, in minutes since 1970.
    Snoozed(u64),
}

/// What was done with the reminders of events on their days.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarms(Vec<(Occurrence, Handled)>);

impl Alarms {
    fn of(&self, at: Occurrence) -> Option<Handled> {
        self.0.iter().find(|(known, _)| *known == at).map(|(_, handled)| *handled)
    }

    fn put(&mut self, at: Occurrence, handled: Handled) {
        self.0.retain(|(known, _)| *known != at);
        self.0.push((at, handled));
    }

    pub(super) fn dismiss(&mut self, at: Occurrence) {
        self.put(at, Handled::Dismissed);
    }

    pub(super) fn snooze(&mut self, at: Occurrence, until: u64) {
        self.put(at, Handled::Snoozed(until));
    }

    /// An event has another time: it is reminded of anew.
    pub(super) fn forget(&mut self, id: EventId) {
        self.0.retain(|((known, _), _)| *known != id);
    }
}

/// A reminder that is due, or will be again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reminder {
    pub at: Occurrence,
    /// When it was due first, in minutes since 1970.
    due: u64,
    /// Of the event.
    when: String,
    pub snoozed: Option<u64>,
}

/// The reminders that are due or snoozed, in the order in which they came due.
pub(super) fn pending(agenda: &Agenda, env: &Env) -> Vec<Reminder> {
    let right = collected(agenda, env, Event::timing);
    // The wrong app sets the alarm when an event is made, and leaves it there.
    agenda.defects.either(&ALARM_STALE, right, || collected(agenda, env, |event| event.scheduled))
}

fn collected(agenda: &Agenda, env: &Env, timing_of: fn(&Event) -> Timing) -> Vec<Reminder> {
    let (today, now) = (env.now().day(), minute(env));
    let mut list = Vec::new();
    for event in agenda.book.shown() {
        let timing = timing_of(event);
        for day in [today, today + 1] {
            let Some(due) = timing.reminds_at(day).filter(|_| event.would_be_on(&timing, day)) else {
                continue;
            };
            let at = (event.id, day);
            let snoozed = match agenda.alarms.of(at) {
                Some(Handled::Dismissed) => continue,
                Some(Handled::Snoozed(until)) => Some(until).filter(|until| *until > now),
                None if due > now || timing.end(day) <= now => continue,
                None => None,
            };
            let when = format!("{}, {}", day_name(day, today), span(&timing, agenda.twelve));
            list.push(Reminder { at, due, when, snoozed });
        }
    }
    list.sort_by_key(|reminder| reminder.due);
    list
}

/// The events whose reminders are due.
pub(super) fn due(agenda: &Agenda, env: &Env) -> Vec<Occurrence> {
    let due = pending(agenda, env).into_iter().filter(|reminder| reminder.snoozed.is_none());
    due.map(|reminder| reminder.at).collect()
}

pub(super) fn view(agenda: &Agenda, env: &Env) -> Screen<Action> {
    let (snoozed, due): (Vec<Reminder>, Vec<Reminder>) =
        pending(agenda, env).into_iter().partition(|reminder| reminder.snoozed.is_some());
    let some_due = !due.is_empty();
    let list = if snoozed.is_empty() && !some_due {
        View::empty("no_reminders", "No reminders")
    } else {
        let group = |name: &str, list: &[Reminder]| -> Vec<View<Action>> {
            let heading = (!list.is_empty()).then(|| View::heading("heading", name));
            heading.into_iter().chain(list.iter().filter_map(|reminder| row(agenda, reminder))).collect()
        };
        View::recycler("reminders").children(group("Now", &due)).children(group("Snoozed", &snoozed))
    };
    let screen = Screen::new("Reminders", list).color(Color::TEAL).up();
    if some_due { screen.menu("Dismiss all", Action::DismissAll) } else { screen }
}

fn row(agenda: &Agenda, reminder: &Reminder) -> Option<View<Action>> {
    let title = agenda.book.get(reminder.at.0)?.text.title.as_str();
    let mut texts = View::column()
        .wide()
        .child(View::label("reminder_title", title))
        .child(View::label("reminder_when", &reminder.when).text_size(TextSize::Small).ink(Color::FAINT));
    let mut buttons = View::row().wide();
    match reminder.snoozed {
        Some(until) => {
            let again = format!("Again at {}", clock(until % DAY, agenda.twelve));
            texts = texts.child(View::label("reminder_again", again).text_size(TextSize::Small));
        }
        None => {
            let snooze = View::button("snooze", "Snooze", Action::AskSnooze(reminder.at));
            buttons = buttons.child(snooze.describe(format!("Snooze {title}")));
        }
    }
    let dismiss = View::button("dismiss", "Dismiss", Action::Dismiss(reminder.at));
    buttons = buttons.child(dismiss.describe(format!("Dismiss {title}")));
    let row = View::column().id("reminder_row").wide().pad_sides(16, 8).on_click(Action::Open(reminder.at));
    Some(row.child(texts).child(buttons))
}

pub(super) fn ask_snooze(at: Occurrence, ctx: &mut Ctx<'_, Action>) {
    let dialog = [5, 15, 60].into_iter().fold(Dialog::new("Remind again in"), |dialog, minutes| {
        dialog.choice(length_text(minutes), Action::Snooze(at, minutes))
    });
    ctx.show(dialog);
}
