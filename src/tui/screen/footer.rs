//! The last line: what the keys do here, and the latest message.

use ratatui::layout::Rect;

use crate::app::{App, Dialog};
use crate::command::{self, Scope};
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;

pub fn draw(app: &App, painter: &mut Painter<'_>, line: Rect) {
    painter.fill(line, Role::Bar);
    let message = app
        .status
        .as_ref()
        .map(|(text, role)| (text::fit(text, usize::from(line.width) * 2 / 3, app.glyphs.ellipsis), *role));
    let mut room = line.width.saturating_sub(2);
    if let Some((text, role)) = &message {
        let used = painter.right(Rect { width: line.width - 1, ..line }, text, *role);
        room = room.saturating_sub(used + 2);
    }
    let mut x = line.x + 1;
    for (key, word) in hints(app) {
        let width = u16::try_from(text::width(&key) + 1 + text::width(word)).unwrap_or(u16::MAX);
        if width > room {
            break;
        }
        let pieces = [(key.as_str(), Role::Key), (" ", Role::Dim), (word, Role::Dim)];
        x += painter.pieces(x, line.y, room, &pieces) + 2;
        room = room.saturating_sub(width + 2);
    }
}

/// The commands worth a hint here, each with its first key.
fn hints(app: &App) -> Vec<(String, &'static str)> {
    let in_dialog = app.dialog.is_some();
    let applies = |place: Scope| match &app.dialog {
        Some(Dialog::Help(_)) => place == Scope::DIALOG,
        Some(_) => place == Scope::DIALOG,
        None => place.is_on(app.screen),
    };
    let here = command::offered(app).filter(|command| applies(command.scope));
    let hinted =
        here.map(|command| (command, command::hint(command, app))).filter(|(_, hint)| !hint.is_empty());
    let with_keys =
        hinted.filter_map(|(command, hint)| Some((app.keymap.keys(command).first()?.to_string(), hint)));
    let mut hints: Vec<_> = with_keys.collect();
    if !in_dialog {
        // The way out and the way to everything else are never pushed off the line.
        let everywhere = hints.iter().position(|(_, word)| *word == "commands").unwrap_or(0);
        hints.rotate_left(everywhere);
        if app.focus().is_text() {
            // What helps in reading a finding comes before what judges it.
            hints.sort_by_key(|(_, word)| match *word {
                "commands" | "help" | "quit" => 0,
                "compare" | "next effect" => 1,
                _ => 2,
            });
        }
    }
    hints
}
