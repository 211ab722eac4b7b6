//! Dialogs that ask before something is lost: enter does it, esc does not.

use super::{open, padded};
use crate::app::App;
use crate::paint::Painter;
use crate::screen::{body, centred};
use crate::text;
use crate::theme::Role;
use droidmux_record::SessionId;
use ratatui::layout::Rect;

/// Says what would happen, and which keys decide.
pub(super) fn ask(app: &App, painter: &mut Painter<'_>, title: &str, what: &str, keys: &str) {
    let inside = open(painter, centred(body(app), 60, 4), title);
    painter.text(inside.x + 1, inside.y, inside.width, what, Role::Text);
    painter.text(inside.x + 1, inside.y + 1, inside.width, keys, Role::Dim);
}

/// Asks before sessions end with the cockpit, and says how to go on with them.
pub(super) fn quit(app: &App, painter: &mut Painter<'_>, title: &str, sessions: &[SessionId]) {
    let area = centred(body(app), 76, 8);
    let width = usize::from(area.width.saturating_sub(4));
    let names: Vec<_> = sessions.iter().map(ToString::to_string).collect();
    let (them, verb) = if let [_] = sessions { ("it", "lives") } else { ("each", "live") };
    let text = format!("{} {verb} in this process: leaving the cockpit stops {them}.", names.join(", "));
    let mut lines: Vec<_> = text::wrap(&text, width).into_iter().map(|line| (line, Role::Text)).collect();
    let first = sessions.first().map_or(String::new(), ToString::to_string);
    if let Some(command) = app.options.home.command(&format!("run --resume {first}")) {
        lines.push((format!("To go on with {them} later:"), Role::Text));
        lines.push((format!("  {command}"), Role::Key));
    }
    lines.push(("enter stops and leaves, esc stays".into(), Role::Dim));
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let inside = padded(open(painter, Rect { height: height.min(area.height), ..area }, title));
    let lines: Vec<_> = lines.into_iter().map(|line| [line]).collect();
    painter.lines(inside, lines.iter().map(<[_; 1]>::as_slice));
}
