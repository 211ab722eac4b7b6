//! Calculator, result, bill, share, history, settings, about.

use super::ledger::{self, Sum};
use super::{ABOUT, Action, BILL, Calc, HISTORY, MANIFEST, SETTINGS};
use crate::form::{blank, error, money, sentence};
use droidmux_sim_toolkit::{ActivityState, Color, Icon, Keys, Screen, TextSize, View};

const COLOR: Color = Color::GREEN;

fn framed(title: &str, chosen: &str, body: View<Action>) -> Screen<Action> {
    let screen = Screen::new(title, body).color(COLOR);
    screen
        .drawer("Calculator", chosen == "Calculator", Action::Stay)
        .drawer("Share a bill", chosen == "Share a bill", Action::GoTo(BILL))
        .drawer("History", chosen == "History", Action::GoTo(HISTORY))
        .drawer("Settings", false, Action::GoTo(SETTINGS))
        .drawer("About", false, Action::GoTo(ABOUT))
}

pub(super) fn calculator(page: &ActivityState) -> Screen<Action> {
    let mut column = View::column()
        .wide()
        .child(View::field(ledger::EXPRESSION, "Sum, such as 2*(3+4)").text_size(TextSize::Title))
        .child(View::field(ledger::LABEL, "Name of the sum (optional)"));
    if !sentence(page).is_empty() {
        column = column.child(error("status", sentence(page)));
    }
    let column = column.child(View::button("calculate", "Calculate", Action::Calculate).wide());
    framed("Sums", "Calculator", View::scroll("calculator").pad(12).child(column))
}

pub(super) fn result(app: &Calc) -> Screen<Action> {
    let body = match app.history.first() {
        Some(sum) => View::column()
            .fill()
            .pad(16)
            .child(View::label("result_label", &sum.label).ink(Color::FAINT))
            .child(View::label("result_expression", &sum.expression).wide().multiline())
            .child(View::label("result_value", format!("= {}", sum.result)).text_size(TextSize::Large)),
        None => View::empty("empty_view", "Nothing was calculated"),
    };
    let screen = Screen::new("Result", body).color(COLOR).up();
    screen.action("show_history", Icon::Sort, "Show history", Action::GoTo(HISTORY))
}

pub(super) fn bill(page: &ActivityState) -> Screen<Action> {
    let field = |id: &'static str, hint: &str, keys| blank(page, id, View::field(id, hint).keys(keys));
    let form = View::scroll("bill").pad(12).child(
        View::column()
            .wide()
            .child(field(ledger::AMOUNT, "Amount of the bill", Keys::Decimal))
            .child(field(ledger::PERCENT, "Tip in percent", Keys::Decimal))
            .child(field(ledger::PEOPLE, "How many people", Keys::Digits))
            .child(View::button("split", "Split", Action::Split).wide()),
    );
    Screen::new("Share a bill", form).color(COLOR).up()
}

pub(super) fn share(app: &Calc) -> Screen<Action> {
    let body = match &app.share {
        Some(share) => View::column()
            .fill()
            .pad(16)
            .child(View::label("share_total", format!("Altogether {}", money(share.total))))
            .child(View::label("share_people", format!("Shared by {}", share.people)))
            .child(
                View::label("share_each", format!("Each pays {}", money(share.each)))
                    .text_size(TextSize::Large),
            ),
        None => View::empty("empty_view", "No bill"),
    };
    Screen::new("Shares", body).color(COLOR).up()
}

pub(super) fn history(app: &Calc) -> Screen<Action> {
    let row = |sum: &Sum| {
        View::column()
            .id("history_entry")
            .wide()
            .pad_sides(16, 6)
            .child(View::label("history_label", &sum.label).text_size(TextSize::Small).ink(Color::FAINT))
            .child(View::label("history_sum", format!("{} = {}", sum.expression, sum.result)))
    };
    let body = if app.history.is_empty() {
        View::empty("empty_view", "No sums yet")
    } else {
        View::recycler("history").children(app.history.iter().map(row))
    };
    let screen = Screen::new("History", body).color(COLOR).up();
    let screen = screen.action("clear_history", Icon::Delete, "Clear history", Action::Clear);
    if app.undo.is_empty() {
        screen
    } else {
        screen.snackbar(format!("{} sums cleared", app.undo.len()), "Undo", Action::Undo)
    }
}

pub(super) fn settings(app: &Calc) -> Screen<Action> {
    let list = View::recycler("recycler_view").child(View::setting(
        "Keep a history",
        "Else only the last sum is kept",
        app.keeps_history,
        Action::ToggleHistory,
    ));
    Screen::new("Settings", list).color(COLOR).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Sums {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(COLOR).up()
}
