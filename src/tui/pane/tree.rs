//! The layout as a tree, and the selected widget in full.

use ratatui::layout::Rect;

use super::{Pane, inner, position, row};
use crate::app::App;
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_gui::{Flags, Layout, Widget, WidgetId};
use droidmux_words::figure::thousands;

/// Lines of the selected widget's detail, with the rule above them.
const DETAIL: u16 = 5;

/// How many lines at the bottom show the selected widget's attributes.
pub fn detail_height(inner: Rect) -> u16 {
    if inner.height >= 14 { DETAIL } else { 0 }
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Tree;
    let (title, note) = titles(app);
    let inside = painter.pane(frame, &title, &note, focused);
    let Some(layout) = app.shown_layout() else {
        return painter.notice(inside, missing(app));
    };
    let rows = Pane::Tree.rows(frame);
    let list = app.session.tree;
    let visible = list.visible(layout.len() as u64, rows.height);
    let indent = indent(layout, rows.width);
    for (n, index) in visible.enumerate() {
        let Some(widget) = u32::try_from(index).ok().and_then(|n| layout.get(WidgetId(n))) else { continue };
        let line = row(rows, n as u64);
        let branch = branch(widget, indent, painter.glyphs);
        let used = painter.text(line.x + 1, line.y, line.width.saturating_sub(1), &branch, Role::Border);
        widget_line(
            painter,
            Rect { x: line.x + 1 + used, width: line.width.saturating_sub(1 + used), ..line },
            widget,
        );
        if index == list.cursor {
            painter.select(line, focused);
        }
    }
    let detail = detail_height(inner(frame));
    if let Some(widget) = app.selected_widget().and_then(|id| layout.get(id)).filter(|_| detail > 0) {
        draw_detail(painter, Rect { y: inside.bottom() - detail, height: detail, ..inside }, widget);
    }
}

fn titles(app: &App) -> (String, String) {
    let Some(step) = &app.session.pictured else { return ("Layout".into(), String::new()) };
    let moment = if app.session.before { "before" } else { "after" };
    let title = format!("Layout {moment} step {}", thousands(step.seq));
    let note = match app.session.before {
        true => position(app.session.tree.cursor, app.len(Pane::Tree)),
        false => text::last_part(&step.activity).to_string(),
    };
    (title, note)
}

fn missing(app: &App) -> &'static str {
    match app.session.layout_hash() {
        _ if app.session.id.is_none() => "No session is open. Choose one on the Lab screen (1).",
        _ if app.session.steps.len() == 0 => "The session has no step yet.",
        None if app.session.pictured.is_some() => "This step has no layout: it failed.",
        Some(hash) if app.cache.layouts.peek(&hash).is_some() => "The lab does not have this layout.",
        _ => "Fetching the layout.",
    }
}

/// Cells a level is indented by: two while the deepest widgets keep room for their text.
fn indent(layout: &Layout, width: u16) -> usize {
    let deepest = layout.widgets().map(|widget| widget.depth()).max().unwrap_or(0);
    if deepest * 2 + 36 <= usize::from(width) { 2 } else { 1 }
}

/// The lines that lead from the ancestors to a widget.
fn branch(widget: Widget<'_>, indent: usize, glyphs: &Glyphs) -> String {
    if widget.parent().is_none() {
        return String::new();
    }
    let gap = " ".repeat(indent - 1);
    let own = if is_last(widget) { glyphs.tree_last } else { glyphs.tree_fork };
    let mut pieces = vec![format!("{own}{gap}")];
    for ancestor in widget.ancestors().filter(|ancestor| ancestor.parent().is_some()) {
        let line = if is_last(ancestor) { " " } else { glyphs.tree_line };
        pieces.push(format!("{line}{gap}"));
    }
    pieces.reverse();
    pieces.concat()
}

/// No sibling follows.
fn is_last(widget: Widget<'_>) -> bool {
    let end = |widget: Widget<'_>| widget.id().0 as usize + widget.subtree().len();
    widget.parent().is_none_or(|parent| end(parent) == end(widget))
}

/// `Button “Save” #save click`
pub fn widget_line(painter: &mut Painter<'_>, line: Rect, widget: Widget<'_>) {
    let id = match widget.short_id() {
        "" => String::new(),
        id => format!(" #{id}"),
    };
    let label = match (widget.text(), widget.description(), widget.hint()) {
        ("", "", "") => String::new(),
        ("", "", hint) => format!(" hint “{}”", text::fit(hint, 200, "…")),
        ("", description, _) => format!(" ({})", text::fit(description, 200, "…")),
        (text, ..) => format!(" “{}”", text::fit(text, 200, "…")),
    };
    let takes = takes(widget);
    let invisible = if widget.has(Flags::INVISIBLE) { " invisible" } else { "" };
    let pieces = [
        (widget.short_class(), Role::WidgetClass),
        (label.as_str(), Role::Text),
        (id.as_str(), Role::WidgetId),
        (takes.as_str(), Role::Dim),
        (invisible, Role::Warn),
    ];
    painter.pieces(line.x, line.y, line.width, &pieces);
}

/// What a widget takes, in a few letters.
fn takes(widget: Widget<'_>) -> String {
    let flags = [
        (Flags::CLICKABLE, "click"),
        (Flags::LONG_CLICKABLE, "long"),
        (Flags::SCROLLABLE, "scroll"),
        (Flags::CHECKED, "checked"),
        (Flags::FOCUSED, "focused"),
        (Flags::SELECTED, "selected"),
        (Flags::PASSWORD, "password"),
    ];
    let words: Vec<_> = flags.iter().filter(|(flag, _)| widget.has(*flag)).map(|(_, word)| *word).collect();
    let disabled = if widget.has(Flags::ENABLED) { "" } else { " disabled" };
    match words.is_empty() {
        true => disabled.into(),
        false => format!(" {}{disabled}", words.join(" ")),
    }
}

pub fn draw_detail(painter: &mut Painter<'_>, area: Rect, widget: Widget<'_>) {
    let rule = painter.glyphs.border.horizontal_top.repeat(usize::from(area.width));
    painter.text(area.x, area.y, area.width, &rule, Role::Border);
    let bounds = widget.bounds();
    let size = match bounds.is_empty() {
        true => format!("{bounds}, no area to touch"),
        false => format!("{bounds}, {}×{}", bounds.width(), bounds.height()),
    };
    let words = match (widget.text(), widget.description(), widget.hint()) {
        ("", "", "") => ("text", ""),
        ("", "", hint) => ("hint", hint),
        ("", description, _) => ("description", description),
        (text, ..) => ("text", text),
    };
    let lines = [("class", widget.class()), ("id", widget.resource_id()), words, ("bounds", size.as_str())];
    for (y, (name, value)) in (area.y + 1..area.bottom()).zip(lines) {
        let used = painter.text(area.x + 1, y, 12, name, Role::Dim).max(6) + 2;
        let value = if value.is_empty() { "-" } else { value };
        painter.text(area.x + 1 + used, y, area.width.saturating_sub(used + 1), value, Role::Text);
    }
}
