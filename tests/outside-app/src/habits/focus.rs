//! The tab with the focus timer and its sessions.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Env, Moment, Screen, TextSize, View};

use super::action::Tab;
use super::book::{HabitId, Session};
use super::{Action, Tracker};

/// A timer that was started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    pub habit: Option<HabitId>,
    pub minutes: u64,
    /// When it went on last; `None` while it is paused.
    pub since: Option<Moment>,
    /// How long it ran before.
    pub ran_ms: u64,
}

impl Timer {
    fn ran(self, now: Moment) -> u64 {
        self.ran_ms + self.since.map_or(0, |since| now.0.saturating_sub(since.0))
    }

    pub(super) fn left_ms(self, now: Moment) -> u64 {
        (self.minutes * 60_000).saturating_sub(self.ran(now))
    }

    /// Stops it for a while, or lets it go on.
    pub(super) fn pause(&mut self, now: Moment) {
        self.ran_ms = self.ran(now);
        self.since = if self.since.is_some() { None } else { Some(now) };
    }
}

const LENGTHS: [u64; 3] = [15, 25, 50];

/// The length that is chosen, in minutes.
pub(super) fn minutes(page: &ActivityState) -> u64 {
    let chosen = page.number("minutes");
    if LENGTHS.contains(&chosen) { chosen } else { 25 }
}

/// The habit that is chosen.
pub(super) fn habit(tracker: &Tracker, page: &ActivityState) -> Option<HabitId> {
    let id = page.variable("focus").parse().ok().map(HabitId)?;
    tracker.book.get(id).filter(|habit| !habit.archived).map(|habit| habit.id)
}

/// What a session is called.
pub(super) fn name(tracker: &Tracker, habit: Option<HabitId>) -> String {
    let known = habit.and_then(|id| tracker.book.get(id));
    known.map_or_else(|| "Focus".to_owned(), |habit| habit.text.name.clone())
}

pub(super) fn view(tracker: &Tracker, page: &ActivityState, env: &Env) -> Screen<Action> {
    let timer = tracker.timer;
    let length = timer.map_or(minutes(page), |timer| timer.minutes);
    let on = timer.map_or(habit(tracker, page), |timer| timer.habit);
    let radio = |minutes: u64| {
        let text = format!("{minutes} min");
        View::radio("length", text, minutes == length, Action::Minutes(minutes)).enabled(timer.is_none())
    };
    let left = timer.map_or(length * 60, |timer| timer.left_ms(env.now()) / 1000);
    let mut buttons = View::row().wide();
    buttons = match timer {
        None => buttons.child(View::button("start", "Start", Action::Start)),
        Some(timer) => {
            let pause = if timer.since.is_some() { "Pause" } else { "Resume" };
            buttons
                .child(View::button("pause", pause, Action::Pause))
                .child(View::button("finish", "Finish", Action::Finish).margin(8, 0, 8, 0))
                .child(View::button("stop", "Give up", Action::Stop))
        }
    };
    let what = View::spinner("focus_on", name(tracker, on), Action::AskFocus).enabled(timer.is_none());
    let content = View::column()
        .wide()
        .pad(12)
        .child(what)
        .child(View::row().wide().children(LENGTHS.map(radio)))
        .child(
            View::label("time_left", format!("{:02}:{:02}", left / 60, left % 60))
                .wide()
                .centered()
                .text_size(TextSize::Large),
        )
        .child(buttons);
    let body = View::column()
        .fill()
        .child(content)
        .child(sessions(tracker, env).share_height())
        .child(tracker.bar(Tab::Focus));
    tracker.offer(Screen::new("Focus", body).color(tracker.color(env)).menu("Settings", Action::Settings))
}

fn sessions(tracker: &Tracker, env: &Env) -> View<Action> {
    let today = env.now().day();
    let list: Vec<&Session> =
        tracker.book.sessions.iter().rev().filter(|session| session.day == today).collect();
    let minutes: u64 = list.iter().map(|session| session.minutes).sum();
    let sum = match list.len() {
        0 => "No sessions today".to_owned(),
        1 => format!("1 session today, {minutes} min"),
        count => format!("{count} sessions today, {minutes} min"),
    };
    let row = |session: &&Session| {
        View::row()
            .id("session_row")
            .high(40)
            .pad_sides(16, 4)
            .child(View::label("session_name", &session.name).share_width())
            .child(View::label("session_length", format!("{} min", session.minutes)).ink(Color::FAINT))
    };
    View::recycler("sessions").child(View::heading("session_sum", sum)).children(list.iter().map(row))
}

/// Asks what the session is for.
pub(super) fn ask_habit(tracker: &Tracker, ctx: &mut Ctx<'_, Action>) {
    let active = tracker.book.habits.iter().filter(|habit| !habit.archived);
    let item = |id: Option<HabitId>| (name(tracker, id), Action::FocusOn(id));
    ctx.popup(std::iter::once(None).chain(active.map(|habit| Some(habit.id))).map(item).collect());
}
