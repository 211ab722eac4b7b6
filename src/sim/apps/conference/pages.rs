//! The schedule by day, search, one event, bookmarks, what is on now, and the small pages.

use super::programme::{DAYS, EVENTS, search, time_text, title};
use super::{Action, Conference, MANIFEST};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Env, Extent, Gravity, Icon, Moment, Screen, TextSize, View,
};

pub(super) const QUERY: &str = "search_src_text";

const SPONSORS: [&str; 4] = ["Lumen Hosting", "Papermill", "Tin Can Networks", "Oak & Ash"];

/// The schedule, or what the search finds in it.
pub(super) fn schedule(app: &Conference, page: &ActivityState, env: &Env) -> Screen<Action> {
    let searching = !page.variable("searching").is_empty();
    let day = usize::from(page.variable("day") == "1");
    let tabs = DAYS.iter().enumerate().map(|(n, day)| (*day, Action::Day(n)));
    let query = page.field(QUERY).trim();
    let body = if searching && !query.is_empty() {
        let found = search(query);
        let rows =
            found.iter().enumerate().map(|(at, event)| row(app, *event, Action::Mark { event: *event, at }));
        list(rows.collect(), "No event found")
    } else {
        let events = (0..EVENTS.len()).filter(|n| EVENTS.get(*n).is_some_and(|event| event.3 == day));
        let rows = events.map(|event| row(app, event, Action::Mark { event, at: event }));
        View::column()
            .fill()
            .child(banner(env))
            .child(View::tabs("sliding_tabs", day, tabs))
            .child(list(rows.collect(), "Nothing today").share_height())
    };
    let mut screen = Screen::new("Schedule", body).color(Color::PURPLE);
    if page.variable("bare").is_empty() {
        screen = screen
            .drawer("Schedule", true, Action::Schedule)
            .drawer("Bookmarks", false, Action::Bookmarks)
            .drawer("Live", false, Action::Live)
            .drawer("Settings", false, Action::Settings)
            .drawer("About", false, Action::About);
    }
    if searching {
        screen =
            screen.tool(View::field(QUERY, "Title, speaker, room").size(Extent::Dp(150), Extent::Dp(44)));
    }
    screen
        .action("search", Icon::Search, "Search events", Action::Search)
        .menu("Bookmarks", Action::Bookmarks)
        .menu("Settings", Action::Settings)
}

/// A different sponsor after every launch.
fn banner(env: &Env) -> View<Action> {
    let drawn = env.volatile(3).and_then(|n| usize::try_from(n % 4).ok()).unwrap_or(0);
    let name = SPONSORS.get(drawn).unwrap_or(&"");
    View::label("sponsor", format!("Supported by {name}"))
        .high(32)
        .pad_sides(16, 4)
        .text_size(TextSize::Small)
        .background(Color::LINE)
}

fn list(rows: Vec<View<Action>>, empty: &str) -> View<Action> {
    if rows.is_empty() {
        return View::empty("android:id/empty", empty);
    }
    View::recycler("recycler_view").children(rows)
}

fn row(app: &Conference, event: usize, mark: Action) -> View<Action> {
    let (title, speaker, room, ..) = EVENTS.get(event).copied().unwrap_or_default();
    let marked = app.bookmarks.contains(&event);
    let time = format!("{} · {room}", time_text(event, app.local));
    let texts = View::column()
        .share_width()
        .child(View::label("title", title))
        .child(View::label("persons", speaker).text_size(TextSize::Small))
        .child(View::label("trackdetails", time).text_size(TextSize::Small).ink(Color::FAINT));
    let star = if marked { Icon::Star } else { Icon::NoStar };
    let button =
        View::icon_button("bookmark", star, if marked { "Remove bookmark" } else { "Add bookmark" }, mark);
    View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("event")
        .high(72)
        .pad_sides(16, 4)
        .on_click(Action::Open(event))
        .child(texts)
        .child(button)
}

pub(super) fn event(app: &Conference, page: &ActivityState) -> Screen<Action> {
    let event = page.argument().parse().unwrap_or(0);
    let (title, speaker, room, ..) = EVENTS.get(event).copied().unwrap_or_default();
    let marked = app.bookmarks.contains(&event);
    let body = View::column()
        .fill()
        .pad(16)
        .child(View::label("title", title).text_size(TextSize::Title))
        .child(View::label("persons", speaker))
        .child(View::label("time", app.details(event)).ink(Color::FAINT))
        .child(View::label("room", room).ink(Color::FAINT))
        .child(
            View::label("description", format!("{speaker} on {}.", title.to_lowercase()))
                .wide()
                .multiline()
                .margin(0, 16, 0, 0),
        );
    let star = if marked { Icon::Star } else { Icon::NoStar };
    let name = if marked { "Remove bookmark" } else { "Add bookmark" };
    Screen::new("Event", body).color(Color::PURPLE).up().action(
        "bookmark",
        star,
        name,
        Action::Mark { event, at: event },
    )
}

pub(super) fn bookmarks(app: &Conference) -> Screen<Action> {
    let rows = app.bookmarks.iter().map(|event| row(app, *event, Action::Mark { event: *event, at: *event }));
    let body = list(rows.collect(), "No bookmarks");
    let reminder = if app.notify { "You will be reminded" } else { "" };
    let screen = Screen::new("Bookmarks", body).subtitle(reminder).color(Color::PURPLE).up();
    match app.undo {
        Some((_, event)) => screen.snackbar(format!("{} removed", title(event)), "Undo", Action::Undo),
        None => screen.menu("Remove all", Action::RemoveAll),
    }
}

/// What is on and what comes next, counted from the phone's clock as if every day were the first.
pub(super) fn live(app: &Conference, now: Moment) -> Screen<Action> {
    let clock = u32::try_from(now.0 / 60_000 % 1440).unwrap_or(0);
    let today = (0..EVENTS.len()).filter(|n| EVENTS.get(*n).is_some_and(|event| event.3 == 0));
    let rows = today.filter_map(|n| {
        let (title, _, _, _, start, length) = EVENTS.get(n).copied()?;
        let state = match (start.checked_sub(clock), clock.checked_sub(start + length)) {
            (Some(minutes), _) => format!("in {minutes} min"),
            (None, None) => "now".into(),
            (None, Some(_)) => return None,
        };
        let name = View::label("title", title).share_width();
        let state = View::label("state", state).ink(Color::FAINT);
        let row = View::row().id("live_event").high(56).pad_sides(16, 4).on_click(Action::Open(n));
        Some(row.child(name).child(state))
    });
    let list = list(rows.collect(), "Nothing more today");
    let head = View::heading("clock", format!("At {}, {} bookmarked", now.clock_text(), app.bookmarks.len()));
    let body = View::column().fill().child(head).child(list.share_height());
    Screen::new("Live", body).color(Color::PURPLE).up()
}

pub(super) fn settings(app: &Conference) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting("Local time", "Show times of the phone's zone", app.local, Action::ToggleLocal))
        .child(View::setting("Notifications", "Before bookmarked events", app.notify, Action::ToggleNotify));
    Screen::new("Settings", list).color(Color::PURPLE).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Schedule {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::PURPLE).up()
}
