//! The first page: a day, the coming days, and what a search finds.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Gravity, Icon, Moment, Screen, TextSize, View,
};

use super::action::{Action, Occurrence, Tab};
use super::declared::{HIDDEN_COUNT, SEARCH_SERIES};
use super::events::{Event, EventId, HOLIDAYS};
use super::when::{day_name, day_text, span};
use super::{Agenda, minute, reminders};

/// The search of the toolbar.
const QUERY: &str = "event_search";
/// The picker of the dialog that asks for a day.
pub(super) const PICKED: &str = "day_picker";

pub(super) fn view(agenda: &Agenda, page: &ActivityState, env: &Env) -> Screen<Action> {
    let (tab, today) = (Tab::of(page), env.now().day());
    let day = shown_day(page, env);
    let mut body = View::column().fill();
    let list = match (page.query(QUERY), tab) {
        (Some(""), _) => View::empty("search_hint", "Search by title, place or notes"),
        (Some(query), _) => results(agenda, query, today),
        (None, Tab::Day) => {
            body = body.child(tabs(tab)).child(day_bar(agenda, day, today));
            of_day(agenda, day)
        }
        (None, Tab::Agenda) => {
            body = body.child(tabs(tab));
            coming(agenda, env)
        }
    };
    let due = reminders::pending(agenda, env).iter().filter(|reminder| reminder.snoozed.is_none()).count();
    if due > 0 && page.query(QUERY).is_none() {
        let text = if due == 1 { "1 reminder".to_owned() } else { format!("{due} reminders") };
        let bar = View::label("reminder_bar", text).high(40).pad_sides(16, 8).background(Color::AMBER);
        body = body.child(bar.on_click(Action::Reminders));
    }
    body = body.child(list.share_height());
    let new =
        View::fab("fab", Icon::Add, "New event", Action::New).at(Gravity::BottomEnd).margin(0, 0, 16, 16);
    let mut screen =
        Screen::new("Calendar", body).color(Color::TEAL).over(new).search(QUERY, "Search events");
    if tab == Tab::Day {
        if day != today {
            screen = screen.action("today", Icon::Home, "Today", Action::Today);
        }
        screen = screen.menu("Go to date", Action::AskDay);
    }
    screen = Tab::ALL
        .into_iter()
        .fold(screen, |screen, other| screen.drawer(other.name(), other == tab, Action::Tab(other)));
    screen = screen
        .drawer("Reminders", false, Action::Reminders)
        .drawer("Calendars", false, Action::Calendars)
        .drawer("Settings", false, Action::Settings);
    if agenda.undo.is_some() { screen.snackbar("Event deleted", "Undo", Action::Undo) } else { screen }
}

fn tabs(chosen: Tab) -> View<Action> {
    let at = Tab::ALL.iter().position(|tab| *tab == chosen).unwrap_or(0);
    View::tabs("views", at, Tab::ALL.map(|tab| (tab.name(), Action::Tab(tab))))
}

/// The day that the first page shows.
pub(super) fn shown_day(page: &ActivityState, env: &Env) -> u64 {
    page.variable("day").parse().unwrap_or_else(|_| env.now().day())
}

/// Leads to another day.
pub(super) fn go(day: u64, ctx: &mut Ctx<'_, Action>) {
    let today = ctx.env().now().day();
    ctx.save("day", if day == today { String::new() } else { day.to_string() });
    ctx.scroll_to_top("day_events");
}

fn day_bar(agenda: &Agenda, day: u64, today: u64) -> View<Action> {
    let right = agenda.book.on_day(day, false).len();
    // The wrong count does not care which calendars are shown.
    let count = agenda.defects.either(&HIDDEN_COUNT, right, || agenda.book.on_day(day, true).len());
    let count = match count {
        0 => "No events".to_owned(),
        1 => "1 event".to_owned(),
        count => format!("{count} events"),
    };
    let texts = View::column()
        .share_width()
        .child(View::label("day_name", day_name(day, today)))
        .child(View::label("day_count", count).text_size(TextSize::Small).ink(Color::FAINT));
    View::row()
        .high(52)
        .child(View::icon_button("previous", Icon::Back, "Previous day", Action::PreviousDay))
        .child(texts)
        .child(View::icon_button("next", Icon::Next, "Next day", Action::NextDay))
}

fn of_day(agenda: &Agenda, day: u64) -> View<Action> {
    let events = agenda.book.on_day(day, false);
    let list = if events.is_empty() {
        View::empty("no_events", "Nothing on this day")
    } else {
        View::recycler("day_events").children(events.into_iter().map(|event| row(agenda, event, day)))
    };
    list.on_swipe(Action::NextDay, Action::PreviousDay)
}

fn coming(agenda: &Agenda, env: &Env) -> View<Action> {
    let (today, now) = (env.now().day(), minute(env));
    let rows: Vec<View<Action>> = (today..today + agenda.range)
        .flat_map(|day| {
            let mut events = agenda.book.on_day(day, false);
            events.retain(|event| agenda.past || event.timing().end(day) > now);
            let heading = (!events.is_empty()).then(|| View::heading("day_heading", day_name(day, today)));
            let rows: Vec<View<Action>> = events.into_iter().map(|event| row(agenda, event, day)).collect();
            heading.into_iter().chain(rows)
        })
        .collect();
    if rows.is_empty() {
        return View::empty("no_events", format!("Nothing in the next {} days", agenda.range));
    }
    View::recycler("agenda_events").children(rows)
}

/// What a search finds, each series once, where it is next.
fn results(agenda: &Agenda, query: &str, today: u64) -> View<Action> {
    let found = |misses: fn(&Event, u64) -> bool| -> Vec<(u64, EventId)> {
        let matching = agenda.book.shown().filter(|event| event.matches(query) && !misses(event, today));
        let mut found: Vec<(u64, EventId)> =
            matching.filter_map(|event| Some((event.nearest(today)?, event.id))).collect();
        found.sort_by_key(|(day, _)| *day);
        found
    };
    // The wrong search knows but the first day of a series, and takes one that has begun for over.
    let ids = agenda.defects.either(&SEARCH_SERIES, found(|_, _| false), || {
        found(|event, today| event.timing().repeats() && event.timing().day < today)
    });
    if ids.is_empty() {
        return View::empty("nothing_found", "No events found");
    }
    let (past, next): (Vec<_>, Vec<_>) = ids.into_iter().partition(|(day, _)| *day < today);
    let group = |name: &str, list: Vec<(u64, EventId)>| -> Vec<View<Action>> {
        let heading = (!list.is_empty()).then(|| View::heading("heading", name));
        let rows =
            list.into_iter().filter_map(|(day, id)| Some(found_row(agenda, agenda.book.get(id)?, day)));
        heading.into_iter().chain(rows).collect()
    };
    View::recycler("results").children(group("Coming up", next)).children(group("Past", past))
}

fn row(agenda: &Agenda, event: &Event, day: u64) -> View<Action> {
    line(agenda, event, day, span(&event.timing(), agenda.twelve))
}

fn found_row(agenda: &Agenda, event: &Event, day: u64) -> View<Action> {
    line(agenda, event, day, format!("{}, {}", day_text(day), span(&event.timing(), agenda.twelve)))
}

fn line(agenda: &Agenda, event: &Event, day: u64, when: String) -> View<Action> {
    let when = if event.text.place.is_empty() { when } else { format!("{when}, {}", event.text.place) };
    let texts = View::column()
        .share_width()
        .child(View::label("event_title", &event.text.title))
        .child(View::label("event_time", when).text_size(TextSize::Small).ink(Color::FAINT));
    let at = (event.id, day);
    let mut row = View::new("android.view.ViewGroup", Arrange::Row)
        .id("event_row")
        .high(56)
        .pad_sides(12, 4)
        .on_click(Action::Open(at))
        .child(texts);
    if event.timing().repeats() {
        row = row.child(View::image("repeat_mark", Icon::Repeat).describe("Repeats"));
    }
    if event.text.calendar != HOLIDAYS {
        row = row.on_long_click(Action::Menu(at));
    }
    row.child(chip(agenda, event))
}

/// The calendar of an event.
pub(super) fn chip(agenda: &Agenda, event: &Event) -> View<Action> {
    let calendar = agenda.book.calendar(event.text.calendar);
    let (name, color) =
        calendar.map_or(("", Color::LINE), |calendar| (calendar.name.as_str(), calendar.color));
    View::chip("event_calendar", name).background(color).ink(Color::WHITE)
}

pub(super) fn menu(at: Occurrence, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Edit".into(), Action::Edit(at)),
        ("Duplicate".into(), Action::Duplicate(at)),
        ("Delete".into(), Action::AskDelete(at)),
    ]);
}

pub(super) fn ask_day(ctx: &mut Ctx<'_, Action>) {
    let day = shown_day(ctx.page(), ctx.env());
    let dialog = Dialog::new("Go to date")
        .date(PICKED, Moment(0).plus_days(day))
        .negative("Cancel")
        .positive("OK", Action::Day);
    ctx.show(dialog);
}
