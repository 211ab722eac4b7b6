//! `droidmux dump FILE`: a UI dump as droidmux reads it, with anything odd about it.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::Usage;
use super::output::{json_block, print};
use droidmux_file as file;
use droidmux_gui::dump::MAX_BYTES;
use droidmux_gui::{Dump, EventKind, Flags, Layout, Widget, WidgetId, read_dump};
use droidmux_words::{printable, shortened};

/// The longest text shown in the tree, in characters.
const SHOWN: usize = 60;

#[derive(Debug, clap::Args)]
pub struct DumpArgs {
    /// The dump, as written by `uiautomator dump` or Appium; `-` reads standard input
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the tree and the notes, or one JSON object. Texts of password fields are left out.
///
/// # Errors
///
/// `Usage` for a file that cannot be read or is not a dump; another error when standard output cannot be written.
pub fn run(args: DumpArgs) -> color_eyre::Result<ExitCode> {
    let name = printable(&args.file.to_string_lossy()).into_owned();
    let bytes = read(&args.file).map_err(|error| Usage::new(format!("{name}: {error}")))?;
    let dump = read_dump(&bytes).map_err(|error| Usage::new(format!("{name}: {error}")))?;
    let text = if args.json { json_block(&to_json(&dump)) } else { to_text(&dump) };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads at most one byte more from standard input than a dump may have: the reader then reports it.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let limit = MAX_BYTES as u64;
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    file::read(path, limit)
}

fn to_text(dump: &Dump) -> String {
    let layout = &dump.layout;
    let mut out = String::new();
    let mut bars = Vec::new();
    for root in layout.roots() {
        bars.clear();
        for widget in root.subtree() {
            bars.truncate(widget.depth().saturating_sub(root.depth()));
            push_branch(widget, &mut bars, &mut out);
            push_widget(widget, &mut out);
        }
    }
    let events = layout.events().len();
    let degrees = u32::from(layout.rotation()) * 90;
    let _ = writeln!(out, "\n{} widgets, {events} events, rotation {degrees}°", layout.len());
    let _ = writeln!(out, "layout {}", layout.hash());
    for note in &dump.notes {
        let mark = if note.is_degrading() { "degraded" } else { "note" };
        let _ = writeln!(out, "{mark}: {}", printable(&note.to_string()));
    }
    out
}

/// The lines that lead to a widget. For every level above, `bars` tells whether more siblings follow.
fn push_branch(widget: Widget<'_>, bars: &mut Vec<bool>, out: &mut String) {
    let Some(parent) = widget.parent() else { return };
    let end = |w: Widget<'_>| w.id().0 as usize + w.subtree().len();
    let more = end(widget) < end(parent);
    for &bar in bars.iter().skip(1) {
        out.push_str(if bar { "│ " } else { "  " });
    }
    out.push_str(if more { "├─" } else { "└─" });
    if bars.is_empty() {
        bars.push(false);
    }
    bars.push(more);
}

fn push_widget(widget: Widget<'_>, out: &mut String) {
    out.push_str(&printable(widget.short_class()));
    if !widget.resource_id().is_empty() {
        let _ = write!(out, " #{}", printable(widget.short_id()));
    }
    for (mark, text) in [("", text_of(widget)), ("desc ", widget.description()), ("hint ", widget.hint())] {
        if !text.is_empty() {
            let _ = write!(out, " {mark}\"{}\"", printable(&shortened(text, SHOWN)));
        }
    }
    for word in words(widget) {
        let _ = write!(out, " {word}");
    }
    let _ = writeln!(out, " {}", widget.bounds());
}

fn text_of(widget: Widget<'_>) -> &str {
    if widget.has(Flags::PASSWORD) { "" } else { widget.text() }
}

/// The flags worth mentioning: those that are set, and `disabled` when `enabled` is not.
fn words(widget: Widget<'_>) -> Vec<&'static str> {
    let flags = [
        (Flags::CLICKABLE, "clickable"),
        (Flags::LONG_CLICKABLE, "long-clickable"),
        (Flags::CHECKABLE, "checkable"),
        (Flags::CHECKED, "checked"),
        (Flags::SCROLLABLE, "scrollable"),
        (Flags::FOCUSED, "focused"),
        (Flags::SELECTED, "selected"),
        (Flags::PASSWORD, "password"),
        (Flags::INVISIBLE, "invisible"),
    ];
    let set = flags.into_iter().filter(|(flag, _)| widget.has(*flag)).map(|(_, word)| word);
    let disabled = (!widget.has(Flags::ENABLED)).then_some("disabled");
    set.chain(disabled).collect()
}

fn to_json(dump: &Dump) -> Value {
    let layout = &dump.layout;
    let events: Vec<Value> = layout.events().into_iter().map(event_json).collect();
    let notes: Vec<Value> = dump
        .notes
        .iter()
        .map(|note| json!({ "note": note, "message": note.to_string(), "degrading": note.is_degrading() }))
        .collect();
    json!({
        "layout": layout.hash(),
        "rotation": layout.rotation(),
        "degraded": dump.is_degraded(),
        "notes": notes,
        "events": events,
        "widgets": widgets_json(layout),
    })
}

fn event_json((kind, widget): (EventKind, WidgetId)) -> Value {
    json!({ "event": kind.name(), "widget": widget.0 })
}

fn widgets_json(layout: &Layout) -> Vec<Value> {
    let widget = |widget: Widget<'_>| {
        let bounds = widget.bounds();
        json!({
            "widget": widget.id().0,
            "parent": widget.parent().map(|p| p.id().0),
            "class": widget.class(),
            "resource-id": widget.resource_id(),
            "text": text_of(widget),
            "content-desc": widget.description(),
            "hint": widget.hint(),
            "package": widget.package(),
            "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom],
            "flags": words(widget),
        })
    };
    layout.widgets().map(widget).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = r#"<hierarchy rotation="1">
        <node class="a.Frame" bounds="[0,0][9,9]">
          <node class="a.Row" bounds="[0,0][9,4]" clickable="true"><node class="a.Label" text="Te&#27;a" bounds="[0,0][4,4]"/></node>
          <node class="a.EditText" resource-id="p:id/pin" text="1234" password="true" bounds="[0,4][9,9]"/>
        </node>
        <node class="a.Bar" enabled="false" bounds="[0,0][0,0]"/>
      </hierarchy>"#;

    #[test]
    fn the_tree_as_text() {
        let dump = read_dump(DUMP.as_bytes()).expect("dump");
        let expected = "\
Frame [0,0][9,9]
├─Row clickable [0,0][9,4]
│ └─Label \"Te␛a\" [0,0][4,4]
└─EditText #pin password [0,4][9,9]
Bar disabled [0,0][0,0]

5 widgets, 2 events, rotation 90°
";
        let text = to_text(&dump);
        assert!(text.starts_with(expected), "{text}");
        let notes: Vec<&str> = text.lines().skip(8).collect();
        let expected = [
            "note: 2 roots: several windows in one dump",
            "note: 1 widgets have no area",
            "note: the texts of 1 widgets hold control characters",
        ];
        assert_eq!(notes, expected);
    }

    #[test]
    fn json_holds_all_but_passwords() {
        let dump = read_dump(DUMP.as_bytes()).expect("dump");
        let json = to_json(&dump);
        assert_eq!(json["widgets"][2]["text"], "Te\u{1b}a");
        assert_eq!(json["widgets"][2]["parent"], 1);
        assert_eq!(json["widgets"][3]["text"], "");
        assert_eq!(json["events"][0], json!({ "event": "click", "widget": 1 }));
        assert_eq!(json["notes"][0]["note"], json!({ "kind": "several-roots", "roots": 2 }));
        assert!(!json.to_string().contains("1234"));
    }
}
