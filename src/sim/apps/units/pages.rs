//! The converter, the cards, and about.

use super::measure::{CARDS, UNITS};
use super::{Action, MANIFEST, Units};
use droidmux_sim_toolkit::{Arrange, Color, Env, Extent, Icon, Screen, TextSize, View};

pub(super) fn convert(units: &Units, env: &Env) -> Screen<Action> {
    let lists = View::row().wide().child(column("From", "from", units.from, Action::From)).child(column(
        "To",
        "to",
        units.to,
        Action::To,
    ));
    let entry = View::row()
        .wide()
        .pad_sides(8, 8)
        .child(View::field("value", "Value").size(Extent::Share, Extent::Dp(48)).on_submit(Action::Convert))
        .child(View::button("convert", "Convert", Action::Convert));
    let rates = format!("Checked at {}", env.now().clock_text());
    let body = View::column()
        .fill()
        .child(lists)
        .child(entry)
        .child(View::label("result", &units.result).text_size(TextSize::Title).margin(16, 8, 16, 8))
        .child(
            View::label("checked", rates).text_size(TextSize::Small).ink(Color::FAINT).margin(16, 0, 0, 0),
        );
    Screen::new("Units", body)
        .color(Color::TEAL)
        .action("action_refresh", Icon::Refresh, "Refresh", Action::Refresh)
        .menu("Practise", Action::Practise)
        .menu("About", Action::About)
}

/// The units to choose from on one side, and which is chosen.
fn column(title: &str, id: &str, chosen: usize, action: fn(usize) -> Action) -> View<Action> {
    let (name, ..) = UNITS.get(chosen).copied().unwrap_or_default();
    let radio = |(n, (name, ..)): (usize, &(&str, &str, f64))| {
        View::radio(format!("{id}_unit"), *name, n == chosen, action(n))
    };
    let group = View::new("android.widget.RadioGroup", Arrange::Column)
        .id(format!("{id}_units"))
        .children(UNITS.iter().enumerate().map(radio));
    View::column()
        .size(Extent::Share, Extent::Wrap)
        .pad(8)
        .child(View::label(format!("{id}_chosen"), format!("{title}: {name}")))
        .child(group)
}

pub(super) fn practise(units: &Units) -> Screen<Action> {
    let (question, answer) = CARDS.get(units.card).copied().unwrap_or_default();
    let order = match (units.random, units.repeat) {
        (false, false) => "In order",
        (true, false) => "Random order",
        (false, true) => "Repeating one card",
        (true, true) => "Repeating two cards",
    };
    let modes = View::row()
        .wide()
        .pad(8)
        .child(View::toggle("random", "Random", units.random, Action::Random))
        .child(View::toggle("repeat", "Repeat", units.repeat, Action::Repeat));
    let mut card = View::column()
        .id("card")
        .high(120)
        .pad(16)
        .margin(12, 8, 12, 8)
        .background(Color::LINE)
        .rounded(8)
        .child(View::label("question", question).wide().multiline().text_size(TextSize::Title));
    if units.answer_shown {
        card = card.child(View::label("answer", answer).margin(0, 12, 0, 0));
    }
    let buttons = View::row()
        .wide()
        .pad(8)
        .child(View::button("show", "Show answer", Action::Show))
        .child(View::button("next", "Next", Action::Next));
    let body = View::column()
        .fill()
        .child(modes)
        .child(View::label("order", order).margin(16, 0, 16, 0).ink(Color::FAINT))
        .child(card)
        .child(buttons);
    Screen::new("Practise", body).color(Color::TEAL).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Units {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(Color::TEAL).up()
}
