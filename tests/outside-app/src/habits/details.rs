//! The page of one habit with a month of days.

use droidmux::sim::toolkit::{ActivityState, Color, Env, Extent, Icon, Moment, Screen, TextSize, View};

use super::book::{Habit, HabitId};
use super::days::{column, month, month_text};
use super::{Action, Tracker};

/// How many months back it goes.
const MONTHS: u64 = 24;

pub(super) fn id(page: &ActivityState) -> Option<HabitId> {
    page.argument_number().map(HabitId)
}

pub(super) fn view(tracker: &Tracker, page: &ActivityState, env: &Env) -> Screen<Action> {
    let Some(habit) = id(page).and_then(|id| tracker.book.get(id)) else {
        let gone = View::empty("gone", "This habit was deleted");
        return Screen::new("Habit", gone).color(tracker.color(env)).up();
    };
    let today = env.now().day();
    let (id, text) = (habit.id, &habit.text);
    let faint =
        |id: &'static str, text: String| View::label(id, text).text_size(TextSize::Small).ink(Color::FAINT);
    let about = format!("{} · {}", tracker.book.category_name(text.category), text.frequency.name());
    let reminder =
        text.reminder.as_ref().map_or("No reminder".to_owned(), |time| format!("Reminder at {time}"));
    let figures = View::row()
        .wide()
        .margin(0, 8, 0, 8)
        .child(figure("streak_now", "Streak", text.frequency.told(habit.streak(today))))
        .child(figure("streak_best", "Best", text.frequency.told(habit.best(today))))
        .child(figure("total", "Total", habit.done.len().to_string()));
    let mut body = View::scroll("habit")
        .pad(12)
        .child(faint("habit_about", about))
        .child(faint("habit_reminder", reminder));
    if !text.note.is_empty() {
        body = body.child(View::label("habit_note", &text.note).multiline().wide());
    }
    body = body.child(figures).child(head(page, env)).child(calendar(tracker, habit, page, env));
    let screen = Screen::new(&text.name, body).color(tracker.color(env)).up().action(
        "edit",
        Icon::Pencil,
        "Edit",
        Action::Edit(id),
    );
    if habit.archived {
        return screen.menu("Restore", Action::Restore(id)).menu("Delete", Action::AskDelete(id));
    }
    screen.menu("Archive", Action::PutAway(id)).menu("Delete", Action::AskDelete(id))
}

fn figure(id: &'static str, name: &str, value: String) -> View<Action> {
    View::column()
        .share_width()
        .child(View::text(name).text_size(TextSize::Small).ink(Color::FAINT))
        .child(View::label(id, value).text_size(TextSize::Title))
}

/// How many months back the page is.
pub(super) fn back(page: &ActivityState) -> u64 {
    page.number("month").min(MONTHS)
}

fn head(page: &ActivityState, env: &Env) -> View<Action> {
    let back = back(page);
    let (first, _) = month(env.now(), back);
    let earlier = Action::Month((back + 1).min(MONTHS));
    let later = Action::Month(back.saturating_sub(1));
    View::row()
        .wide()
        .child(View::icon_button("earlier", Icon::Back, "Previous month", earlier).enabled(back < MONTHS))
        .child(View::label("month", month_text(first)).share_width().centered())
        .child(View::icon_button("later", Icon::Next, "Next month", later).enabled(back > 0))
}

fn calendar(tracker: &Tracker, habit: &Habit, page: &ActivityState, env: &Env) -> View<Action> {
    let (first, length) = month(env.now(), back(page));
    let names = if tracker.from_sunday {
        ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"]
    } else {
        ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    };
    let size = |view: View<Action>, high: i32| view.size(Extent::Dp(44), Extent::Dp(high));
    let name = |name: &str| {
        size(View::label("weekday", name).centered().text_size(TextSize::Small).ink(Color::FAINT), 20)
    };
    let mut days = View::column().id("days").wide().child(View::row().children(names.map(name)));
    let blanks = column(first.day(), tracker.from_sunday);
    let mut week = View::row().children((0..blanks).map(|_| size(View::text(""), 38)));
    for n in 0..length {
        let day = first.plus_days(n);
        if n > 0 && column(day.day(), tracker.from_sunday) == 0 {
            days = days.child(std::mem::replace(&mut week, View::row()));
        }
        week = week.child(size(cell(habit, day, n + 1, env.now()), 38));
    }
    days.child(week)
}

fn cell(habit: &Habit, day: Moment, number: u64, now: Moment) -> View<Action> {
    let done = habit.done.contains(&day.day());
    let cell = View::toggle("day", number.to_string(), done, Action::Day(habit.id, day.day()))
        .describe(day.day_text())
        .centered()
        .enabled(day.day() <= now.day());
    if done {
        cell.background(Color::GREEN).rounded(19)
    } else if habit.skipped.contains(&day.day()) {
        cell.background(Color::LINE).rounded(19)
    } else {
        cell
    }
}
