//! The list of stations, the page to edit one, the history, settings and about.

use super::stations::{Station, StationId};
use super::{Action, MANIFEST, Radio};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Extent, Gravity, Icon, Screen, TextSize, View,
};

pub(super) const NAME: &str = "edit_station_name";
pub(super) const URL: &str = "edit_stream_uri";

pub(super) fn list(radio: &Radio) -> Screen<Action> {
    let shown = radio.stations.list().iter().filter(|station| station.favourite || !radio.only_favourites);
    let rows: Vec<View<Action>> = shown.map(|station| row(radio, station)).collect();
    let body = if rows.is_empty() {
        View::empty("onboarding_text", "No stations here")
    } else {
        View::recycler("station_list").children(rows)
    };
    let mut column = View::column().fill().child(body.share_height());
    if radio.player.station.is_some() {
        column = column.child(bar(radio));
    }
    let screen = Screen::new(if radio.only_favourites { "Favourites" } else { "Stations" }, column)
        .color(Color::TEAL)
        .drawer("Stations", !radio.only_favourites, Action::Favourites(false))
        .drawer("Favourites", radio.only_favourites, Action::Favourites(true))
        .drawer("History", false, Action::History)
        .drawer("Settings", false, Action::Settings)
        .drawer("About", false, Action::About)
        .action("menu_add", Icon::Add, "Add station", Action::New);
    match &radio.undo {
        Some((_, station)) => screen.snackbar(format!("{} deleted", station.name), "Undo", Action::Undo),
        None => screen,
    }
}

fn row(radio: &Radio, station: &Station) -> View<Action> {
    let mut row = View::new("android.view.ViewGroup", Arrange::Row)
        .id("station_card")
        .high(60)
        .pad_sides(12, 4)
        .on_click(Action::Play(station.id))
        .on_long_click(Action::Menu(station.id))
        .child(View::label("station_name", &station.name).share_width());
    if radio.player.marked == Some(station.id) {
        let mark = View::image("playback_indicator", Icon::Play)
            .describe(format!("{} is playing", station.name))
            .size(Extent::Dp(24), Extent::Dp(24))
            .ink(Color::GREEN);
        row = row.child(mark);
    }
    let star = if station.favourite { Icon::Star } else { Icon::NoStar };
    let name = format!("Favourite {}", station.name);
    row.child(
        View::icon_button("favorite_button", star, name, Action::Star(station.id))
            .selected(station.favourite),
    )
}

/// The player at the foot of the list.
fn bar(radio: &Radio) -> View<Action> {
    let player = &radio.player;
    let (icon, name) = if player.on { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    let mut texts = View::column().share_width().child(View::label("player_station_name", &player.name));
    if let (true, true, Some(song)) = (player.on, radio.show_tracks, player.song) {
        let track = View::label("player_station_metadata", song).text_size(TextSize::Small);
        texts = texts.child(track.ink(Color::FAINT));
    }
    View::row()
        .id("bottom_sheet")
        .high(64)
        .pad_sides(12, 4)
        .background(Color::LINE)
        .child(texts)
        .child(View::icon_button("player_play_button", icon, name, Action::PlayPause))
}

pub(super) fn menu(station: StationId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![("Rename".into(), Action::Edit(station)), ("Delete".into(), Action::Delete(station))]);
}

pub(super) fn edit(page: &ActivityState) -> Screen<Action> {
    let body = View::column()
        .fill()
        .pad(8)
        .child(View::field(NAME, "Name").on_submit(Action::NextField))
        .child(View::field(URL, "Address of the stream").on_submit(Action::Save));
    let title = if page.argument().is_empty() { "Add station" } else { "Edit station" };
    Screen::new(title, body).color(Color::TEAL).up().action("save", Icon::Check, "Save", Action::Save)
}

/// Two lists: the stations that were played, and what they played.
pub(super) fn history(radio: &Radio, page: &ActivityState) -> Screen<Action> {
    let chosen = usize::from(page.variable("tab") == "tracks");
    let tabs = [("Stations", Action::Tab("stations")), ("Tracks", Action::Tab("tracks"))];
    let rows: Vec<View<Action>> = if chosen == 0 {
        let stations = radio.history.stations.iter().enumerate();
        stations.map(|(n, name)| history_row(name, "", Action::HistoryMenu(n))).collect()
    } else {
        let tracks = radio.history.tracks.iter().enumerate();
        tracks.map(|(n, (song, station))| history_row(song, station, Action::TrackMenu(n))).collect()
    };
    let list = if rows.is_empty() {
        View::empty("text_no_history", "Nothing was played yet")
    } else {
        View::recycler("recyclerViewStations").children(rows)
    };
    let body = View::column().fill().child(View::tabs("tabs", chosen, tabs)).child(list.share_height());
    Screen::new("History", body).color(Color::TEAL).up().menu("Clear history", Action::ClearHistory)
}

fn history_row(name: &str, station: &str, menu: Action) -> View<Action> {
    let mut row = View::column()
        .id("history_row")
        .high(56)
        .pad_sides(16, 8)
        .on_long_click(menu)
        .child(View::label("textViewTitle", name));
    if !station.is_empty() {
        row = row.child(View::label("textViewStation", station).text_size(TextSize::Small).ink(Color::FAINT));
    }
    row
}

pub(super) fn settings(radio: &Radio) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Show tracks",
            "What the station plays",
            radio.show_tracks,
            Action::ToggleTracks,
        ))
        .child(View::preference("Clear history", "Stations and tracks", Action::ClearHistory));
    Screen::new("Settings", list).color(Color::TEAL).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Radio {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().pad(16).child(version)).color(Color::TEAL).up()
}
