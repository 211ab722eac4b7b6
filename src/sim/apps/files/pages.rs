//! Reading a file, settings, about.

use super::tree::{EntryId, Tree};
use super::{Action, MANIFEST};
use droidmux_sim_toolkit::{ActivityState, Color, Screen, View};

/// A text file.
pub(super) fn reader(tree: &Tree, page: &ActivityState) -> Screen<Action> {
    let number = page.argument().parse().unwrap_or(usize::MAX);
    let name = tree.get(EntryId(number)).map_or("", |entry| &entry.name);
    let text = View::label("fname", format!("This is the text of {name}.")).wide().multiline();
    Screen::new(name, View::scroll("editscroll").pad(16).child(text)).color(Color::INDIGO).up()
}

pub(super) fn settings(show_hidden: bool, confirm: bool) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Show hidden files",
            "Those whose names begin with a dot",
            show_hidden,
            Action::ToggleHidden,
        ))
        .child(View::setting("Confirm deleting", "Ask first", confirm, Action::ToggleConfirm));
    Screen::new("Settings", list).color(Color::INDIGO).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Files {}", MANIFEST.version_name));
    let licence = View::label("licence", "Free software").ink(Color::FAINT);
    let body = View::column().fill().pad(16).child(version).child(licence);
    Screen::new("About", body).color(Color::INDIGO).up()
}
