//! The two lists, the forms, a reading, settings, about.

use super::diary::{self, Reading, Weight};
use super::{Action, Health, MANIFEST};
use crate::form::{error, sentence};
use droidmux_sim_toolkit::{ActivityState, Color, Gravity, Icon, Keys, Screen, TextSize, View};

const COLOR: Color = Color::RED;

pub(super) fn main(app: &Health) -> Screen<Action> {
    let (name, rows): (_, Vec<View<Action>>) = if app.weighs {
        ("New weight", app.weights.iter().map(weight).collect())
    } else {
        ("New reading", app.readings.iter().map(|reading| row(app, reading)).collect())
    };
    let list = if rows.is_empty() {
        View::empty("empty_view", "Nothing entered yet")
    } else {
        View::recycler("entries").children(rows)
    };
    let bar = View::bottom_bar(
        usize::from(app.weighs),
        [
            ("nav_pressure", "Pressure", Icon::Star, Action::Pressures),
            ("nav_weight", "Weight", Icon::Sort, Action::Weights),
        ],
    );
    let add = View::fab("add_entry", Icon::Add, name, Action::New);
    let title = if app.weighs { "Weight" } else { "Blood pressure" };
    let screen = Screen::new(title, View::column().fill().child(list.share_height()).child(bar))
        .color(COLOR)
        .over(add.at(Gravity::BottomEnd).margin(0, 0, 16, 72))
        .menu("Settings", Action::Settings)
        .menu("About", Action::About);
    match app.undo.item() {
        Some(reading) => screen.snackbar(format!("{} deleted", pressure(reading)), "Undo", Action::Undo),
        None => screen,
    }
}

/// `120/80`
fn pressure(reading: &Reading) -> String {
    format!("{}/{}", reading.systolic, reading.diastolic)
}

fn row(app: &Health, reading: &Reading) -> View<Action> {
    let mut texts = View::column()
        .id("reading")
        .wide()
        .pad_sides(16, 6)
        .on_click(Action::Open(reading.id))
        .on_long_click(Action::Delete(reading.id))
        .child(View::label("reading_pressure", pressure(reading)));
    if app.shows_pulse {
        let pulse = format!("Pulse {}", reading.pulse);
        texts = texts.child(View::label("reading_pulse", pulse).text_size(TextSize::Small));
    }
    texts.child(View::label("reading_note", &reading.note).text_size(TextSize::Small).ink(Color::FAINT))
}

fn weight(weight: &Weight) -> View<Action> {
    View::column()
        .id("weight_entry")
        .wide()
        .pad_sides(16, 6)
        .child(View::label("weight_value", format!("{:.1} kg", weight.kilograms)))
        .child(View::label("weight_comment", &weight.comment).text_size(TextSize::Small).ink(Color::FAINT))
}

/// A form with what is wrong above its fields.
fn form(page: &ActivityState, title: &str, fields: Vec<View<Action>>) -> Screen<Action> {
    let mut column = View::column().wide();
    if !sentence(page).is_empty() {
        column = column.child(error("form_message", sentence(page)));
    }
    Screen::new(title, View::scroll("form").pad(12).child(column.children(fields))).color(COLOR).up()
}

pub(super) fn new_reading(page: &ActivityState) -> Screen<Action> {
    let number = |id: &'static str, hint: &str| View::field(id, hint).keys(Keys::Digits).share_width();
    let pressures = View::row()
        .wide()
        .child(number(diary::SYSTOLIC, "Systolic (mmHg)"))
        .child(number(diary::DIASTOLIC, "Diastolic (mmHg)"));
    let fields = vec![
        pressures,
        View::field(diary::PULSE_FIELD, "Pulse (per minute)").keys(Keys::Digits),
        View::field(diary::NOTE, "Note (optional)").multiline().high(64),
        View::button("save_reading", "Save reading", Action::SaveReading).wide(),
    ];
    form(page, "New reading", fields)
}

pub(super) fn new_weight(page: &ActivityState) -> Screen<Action> {
    let fields = vec![
        View::field(diary::WEIGHT, "Weight (kg)"),
        View::field(diary::COMMENT, "Comment (optional)"),
        View::button("save_weight", "Save weight", Action::SaveWeight).wide(),
    ];
    form(page, "New weight", fields)
}

pub(super) fn reading(app: &Health, page: &ActivityState) -> Screen<Action> {
    let id = page.argument_number().unwrap_or(0);
    let Some(reading) = app.readings.iter().find(|reading| reading.id == id) else {
        return Screen::new("Reading", View::empty("empty_view", "Deleted")).color(COLOR).up();
    };
    let body = View::column()
        .fill()
        .pad(16)
        .child(View::label("detail_pressure", pressure(reading)).text_size(TextSize::Large))
        .child(View::label("detail_pulse", format!("Pulse {}", reading.pulse)))
        .child(View::label("detail_note", &reading.note).wide().multiline());
    let screen = Screen::new("Reading", body).color(COLOR).up();
    screen.action("delete_reading", Icon::Delete, "Delete reading", Action::Delete(reading.id))
}

pub(super) fn settings(app: &Health) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting("Show pulse", "In the list of readings", app.shows_pulse, Action::TogglePulse))
        .child(View::preference("Delete all entries", "Readings and weights", Action::DeleteAll));
    Screen::new("Settings", list).color(COLOR).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Health {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(COLOR).up()
}
