//! The tab with the statistics.

use droidmux::sim::toolkit::{ActivityState, Color, Env, Screen, TextSize, View};

use super::action::{Range, Tab};
use super::book::{CategoryId, Habit};
use super::declared::CATEGORY_FIRST;
use super::{Action, Tracker};

fn range(page: &ActivityState) -> Range {
    match page.variable("range") {
        "month" => Range::Month,
        "all" => Range::All,
        _ => Range::Week,
    }
}

pub(super) fn range_text(range: Range) -> &'static str {
    match range {
        Range::Week => "",
        Range::Month => "month",
        Range::All => "all",
    }
}

pub(super) fn view(tracker: &Tracker, page: &ActivityState, env: &Env) -> Screen<Action> {
    let now = env.now();
    let today = now.day();
    let range = range(page);
    let first = match range {
        Range::Week => today.saturating_sub(6),
        Range::Month => today.saturating_sub(29),
        Range::All => 0,
    };
    let all = [(Range::Week, "7 days"), (Range::Month, "30 days"), (Range::All, "All")];
    let radios = all.map(|(one, name)| View::radio("range", name, one == range, Action::Range(one)));
    let done = |habit: &Habit| habit.done.range(first..=today).count();
    let habits = &tracker.book.habits;
    let total: usize = habits.iter().map(done).sum();
    let sessions = tracker.book.sessions.iter().filter(|session| session.day >= first);
    let minutes: u64 = sessions.map(|session| session.minutes).sum();
    let categories = tracker.book.categories.iter().map(|category| Some(category.id)).chain([None]);
    let by_category = categories.map(|category| {
        let count = |of: fn(&Habit) -> Option<CategoryId>| -> usize {
            habits.iter().filter(|habit| of(habit) == category).map(done).sum()
        };
        // The wrong figures are kept with the category that a habit was made in.
        let right = count(|habit| habit.text.category);
        let count = tracker.defects.either(&CATEGORY_FIRST, right, || count(|habit| habit.first_category));
        figure("category_count", tracker.book.category_name(category), count.to_string())
    });
    let best = habits
        .iter()
        .filter(|habit| !habit.archived)
        .map(|habit| figure("habit_best", &habit.text.name, habit.text.frequency.told(habit.best(today))));
    let days = (0..7).map(|n| {
        let day = today.saturating_sub(n);
        let count = habits.iter().filter(|habit| habit.done.contains(&day)).count();
        let name = droidmux::sim::toolkit::Moment(0).plus_days(day).day_text();
        figure("day_count", &name, count.to_string())
    });
    let list = View::scroll("statistics")
        .child(View::row().wide().pad_sides(8, 0).children(radios))
        .child(figure("total_count", "Check-offs", total.to_string()))
        .child(figure("focus_minutes", "Minutes of focus", minutes.to_string()))
        .child(View::heading("heading", "By category"))
        .children(by_category)
        .child(View::heading("heading", "Best streaks"))
        .children(best)
        .child(View::heading("heading", "Last days"))
        .children(days);
    let body = View::column().fill().child(list.share_height()).child(tracker.bar(Tab::Statistics));
    tracker
        .offer(Screen::new("Statistics", body).color(tracker.color(env)).menu("Settings", Action::Settings))
}

/// A line with a number at its end.
fn figure(id: &'static str, name: &str, value: String) -> View<Action> {
    View::row()
        .wide()
        .pad_sides(16, 4)
        .child(View::text(name).share_width().text_size(TextSize::Small))
        .child(View::label(id, value).describe(format!("{name} count")).ink(Color::INDIGO))
}
