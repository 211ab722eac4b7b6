//! Search, results, traveller, bookings, settings, about.

use super::trip::{self, Booking, CONNECTIONS, Trip};
use super::{ABOUT, Action, BOOKINGS, DIRECTION, MANIFEST, SETTINGS, Travel};
use crate::form::{blank, blanks, is_reordering};
use droidmux_sim_toolkit::{ActivityState, Color, Icon, Keys, Screen, TextSize, View};

const COLOR: Color = Color::INDIGO;

pub(super) fn search(page: &ActivityState) -> Screen<Action> {
    let field = |id: &'static str, hint: &str| (id, View::field(id, hint));
    let places = blanks(page, [field(trip::FROM, "From"), field(trip::TO, "To")]);
    let days = [field(trip::LEAVE, "Departure (YYYY-MM-DD)"), field(trip::RETURN, "Return (YYYY-MM-DD)")];
    let days = blanks(page, days);
    let count = View::field(trip::PASSENGER_COUNT, "Passengers").keys(Keys::Digits);
    let form = View::scroll("search_form").pad(12).child(
        View::column()
            .wide()
            .child(places)
            .child(days)
            .child(blank(page, trip::PASSENGER_COUNT, count))
            .child(View::button("search_button", "Search trips", Action::Search).wide()),
    );
    Screen::new("Trips", form)
        .color(COLOR)
        .drawer("Search", true, Action::Stay)
        .drawer("Bookings", false, Action::GoTo(BOOKINGS))
        .drawer("Settings", false, Action::GoTo(SETTINGS))
        .drawer("About", false, Action::GoTo(ABOUT))
        .action("swap", Icon::Swap, "Swap places", Action::Swap)
}

/// `Bern to Genoa`
fn way(trip: &Trip) -> String {
    format!("{} to {}", trip.from, trip.to)
}

/// `2026-03-31 to 2026-04-02`
fn days(trip: &Trip) -> String {
    format!("{} to {}", trip.leave, trip.back)
}

pub(super) fn results(app: &Travel) -> Screen<Action> {
    let Some(trip) = &app.trip else {
        return Screen::new("Results", View::empty("no_results", "Nothing was searched")).color(COLOR).up();
    };
    let body = if trip::loads_for_ever(trip) {
        View::loading("Loading prices")
    } else {
        let shown =
            CONNECTIONS.iter().enumerate().filter(|(_, (_, changes, _))| !app.direct_only || *changes == 0);
        let rows = shown.map(|(n, (hours, changes, price))| {
            let changes = if *changes == 0 { "direct".to_owned() } else { format!("{changes} changes") };
            let texts = View::column().share_width().child(View::label("connection_hours", *hours)).child(
                View::label("connection_changes", changes).text_size(TextSize::Small).ink(Color::FAINT),
            );
            View::row()
                .id("connection")
                .high(60)
                .pad_sides(16, 4)
                .on_click(Action::Choose(n))
                .child(texts)
                .child(View::label("connection_price", format!("{} EUR", price * trip.passengers)))
        });
        let head = View::column()
            .wide()
            .pad(12)
            .background(Color::LINE)
            .child(View::label("result_from", &trip.from))
            .child(View::label("result_to", &trip.to))
            .child(View::label("result_days", days(trip)))
            .child(View::label("result_passengers", format!("{} passengers", trip.passengers)));
        View::column().fill().child(head).child(View::recycler("connections").share_height().children(rows))
    };
    Screen::new("Results", body).color(COLOR).up()
}

pub(super) fn traveller(page: &ActivityState) -> Screen<Action> {
    let remark = View::field(trip::REMARK, "Remark for the crew (optional)").multiline().high(72);
    let form = View::scroll("traveller_form").pad(12).child(
        View::column()
            .wide()
            .child(blank(page, trip::NAME, View::field(trip::NAME, "Name of the traveller")))
            .child(blank(page, trip::REMARK, remark))
            .child(View::button("book_button", "Book", Action::Book).wide()),
    );
    Screen::new("Traveller", form).color(COLOR).up()
}

pub(super) fn bookings(app: &Travel) -> Screen<Action> {
    // The wrong list leaves out names that it takes for forged ones.
    let hidden = |booking: &Booking| app.errs(&DIRECTION, booking.name.chars().any(is_reordering));
    let rows: Vec<View<Action>> = app.bookings.iter().filter(|b| !hidden(b)).map(row).collect();
    let body = if rows.is_empty() {
        View::empty("no_bookings", "No bookings")
    } else {
        View::recycler("bookings").children(rows)
    };
    let screen = Screen::new("Bookings", body).color(COLOR).up();
    match app.undo.item() {
        Some(booking) => screen.snackbar(format!("{} cancelled", way(&booking.trip)), "Undo", Action::Undo),
        None => screen,
    }
}

fn row(booking: &Booking) -> View<Action> {
    View::column()
        .id("booking")
        .wide()
        .pad_sides(16, 6)
        .on_click(Action::Open(booking.id))
        .child(View::label("booking_name", &booking.name))
        .child(View::label("booking_way", way(&booking.trip)).text_size(TextSize::Small))
        .child(View::label("booking_days", days(&booking.trip)).text_size(TextSize::Small).ink(Color::FAINT))
}

pub(super) fn details(app: &Travel, page: &ActivityState) -> Screen<Action> {
    let id = page.argument_number().unwrap_or(0);
    let Some(booking) = app.bookings.iter().find(|booking| booking.id == id) else {
        return Screen::new("Booking", View::empty("no_booking", "Cancelled")).color(COLOR).up();
    };
    let (hours, ..) = CONNECTIONS.get(booking.connection).copied().unwrap_or_default();
    let body = View::column()
        .fill()
        .pad(16)
        .child(View::label("detail_name", &booking.name).text_size(TextSize::Title))
        .child(View::label("detail_way", way(&booking.trip)))
        .child(View::label("detail_days", days(&booking.trip)))
        .child(View::label("detail_hours", hours))
        .child(View::label("detail_remark", &booking.remark).wide().multiline())
        .child(View::button("cancel_booking", "Cancel booking", Action::Cancel(booking.id)));
    Screen::new("Booking", body).color(COLOR).up()
}

pub(super) fn settings(app: &Travel) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting("Direct only", "Without changes", app.direct_only, Action::ToggleDirect))
        .child(View::preference("Forget all bookings", "They stay booked", Action::Forget));
    Screen::new("Settings", list).color(COLOR).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Trips {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(COLOR).up()
}
