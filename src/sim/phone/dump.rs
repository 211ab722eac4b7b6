//! The dump of a window, as `uiautomator dump` or the resident agent writes it.
//!
//! After AOSP's `AccessibilityNodeInfoDumper`: its attributes in its order, its `NAF` mark for
//! widgets that are touchable but say nothing, its treatment of characters XML cannot hold. The
//! agent's own copy of that class (u2.jar 0.4.1) writes more attributes, and indents.

use std::fmt::Write;

use droidmux_gui::units_of_text;
use droidmux_sim_toolkit::platform::{Node, Scene};

/// API level from which `uiautomator` writes `drawing-order` and `hint`.
const WITH_HINT: u32 = 34;
/// API levels from which the agent writes its attributes.
const AGENT_DRAWING_ORDER: u32 = 24;
const AGENT_HINT: u32 = 26;
const AGENT_DISPLAY_ID: u32 = 30;

/// Whose dump it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Uiautomator,
    /// Widgets deeper than `depth` below the root are left out; `status_bar` adds another window,
    /// which `uiautomator` never dumps.
    Agent {
        depth: usize,
        status_bar: bool,
    },
}

/// The root of the status bar's window.
const STATUS_BAR: &str = "<node index=\"0\" text=\"\" resource-id=\"com.android.systemui:id/status_bar\" \
    class=\"android.widget.FrameLayout\" package=\"com.android.systemui\" content-desc=\"\" checkable=\"false\" \
    checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" \
    scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
    visible-to-user=\"true\" bounds=\"[0,0][1080,72]\" drawing-order=\"0\" hint=\"\" display-id=\"0\" />";
/// Classes `NAF` is never put on.
const NAF_EXCLUDED: [&str; 4] = [
    "android.widget.GridView",
    "android.widget.GridLayout",
    "android.widget.ListView",
    "android.widget.TableLayout",
];

/// The XML of windows, the active one first; without any there is a document without widgets.
pub(super) fn xml(scenes: &[Scene], rotation: u8, sdk: u32, form: Form) -> String {
    let widgets: usize = scenes.iter().map(|scene| scene.nodes.len()).sum();
    let mut xml = String::with_capacity(widgets * 420 + 128);
    xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    new_line(&mut xml, form, 0);
    // Writing to a string cannot fail.
    let _ = write!(xml, "<hierarchy rotation=\"{rotation}\"");
    let other = if matches!(form, Form::Agent { status_bar: true, .. }) { STATUS_BAR } else { "" };
    if scenes.is_empty() && other.is_empty() {
        xml.push_str(" />");
        return xml;
    }
    xml.push('>');
    for scene in scenes {
        write_window(&mut xml, scene, sdk, form);
    }
    if !other.is_empty() {
        new_line(&mut xml, form, 1);
        xml.push_str(other);
    }
    new_line(&mut xml, form, 0);
    xml.push_str("</hierarchy>");
    xml
}

fn write_window(xml: &mut String, scene: &Scene, sdk: u32, form: Form) {
    let deepest = match form {
        Form::Uiautomator => usize::MAX,
        Form::Agent { depth, .. } => depth,
    };
    let parents = parents(scene);
    // What is open, with its place in the scene.
    let mut open: Vec<usize> = Vec::new();
    // A node below one that was left out is left out.
    let mut depths: Vec<usize> = Vec::with_capacity(scene.nodes.len());
    for (number, node) in scene.nodes.iter().enumerate() {
        let above = node.parent.and_then(|parent| depths.get(parent));
        let depth = above.map_or(0, |depth| depth + 1);
        depths.push(depth);
        if depth > deepest {
            continue;
        }
        while open.last().copied() != node.parent && open.pop().is_some() {
            new_line(xml, form, open.len() + 1);
            xml.push_str("</node>");
        }
        new_line(xml, form, open.len() + 1);
        write_node(xml, scene, number, node, sdk, form);
        let has_children = depth < deepest && parents.get(number).copied().unwrap_or(false);
        if has_children {
            xml.push('>');
            open.push(number);
        } else {
            xml.push_str(" />");
        }
    }
    while open.pop().is_some() {
        new_line(xml, form, open.len() + 1);
        xml.push_str("</node>");
    }
}

/// The agent writes every tag on a line of its own.
fn new_line(xml: &mut String, form: Form, level: usize) {
    if form != Form::Uiautomator {
        xml.push_str("\r\n");
        xml.extend(std::iter::repeat_n("  ", level));
    }
}

/// Which nodes have children.
fn parents(scene: &Scene) -> Vec<bool> {
    let mut parents = vec![false; scene.nodes.len()];
    for parent in scene.nodes.iter().filter_map(|node| node.parent) {
        if let Some(slot) = parents.get_mut(parent) {
            *slot = true;
        }
    }
    parents
}

fn write_node(xml: &mut String, scene: &Scene, number: usize, node: &Node, sdk: u32, form: Form) {
    xml.push_str("<node");
    if is_naf(scene, number, node) {
        xml.push_str(" NAF=\"true\"");
    }
    let flags = node.flags;
    let _ = write!(xml, " index=\"{}\"", node.index);
    attribute(xml, "text", &node.text);
    attribute(xml, "resource-id", &node.id);
    attribute(xml, "class", &node.class);
    attribute(xml, "package", &scene.package);
    attribute(xml, "content-desc", &node.description);
    let booleans = [
        ("checkable", flags.checkable),
        ("checked", flags.checked),
        ("clickable", node.is_clickable()),
        ("enabled", flags.enabled),
        ("focusable", node.is_focusable()),
        ("focused", flags.focused),
        ("scrollable", node.is_scrollable()),
        ("long-clickable", node.is_long_clickable()),
        ("password", flags.password),
        ("selected", flags.selected),
    ];
    for (name, value) in booleans {
        let _ = write!(xml, " {name}=\"{value}\"");
    }
    let agent = form != Form::Uiautomator;
    if agent {
        xml.push_str(" visible-to-user=\"true\"");
    }
    let _ = write!(xml, " bounds=\"{}\"", node.bounds);
    if sdk >= if agent { AGENT_DRAWING_ORDER } else { WITH_HINT } {
        let _ = write!(xml, " drawing-order=\"{}\"", node.drawing_order());
    }
    if sdk >= if agent { AGENT_HINT } else { WITH_HINT } {
        attribute(xml, "hint", &node.hint);
    }
    if agent && sdk >= AGENT_DISPLAY_ID {
        xml.push_str(" display-id=\"0\"");
    }
}

/// Touchable, but neither it nor a child says what it is ("not accessibility friendly").
fn is_naf(scene: &Scene, number: usize, node: &Node) -> bool {
    let says_nothing = |node: &Node| node.text.is_empty() && node.description.is_empty();
    if !node.is_clickable()
        || !node.flags.enabled
        || !says_nothing(node)
        || NAF_EXCLUDED.contains(&&*node.class)
    {
        return false;
    }
    let below = scene.nodes.iter().skip(number + 1);
    let mut subtree = below.take_while(|child| child.parent.is_some_and(|parent| parent >= number));
    subtree.all(says_nothing)
}

fn attribute(xml: &mut String, name: &str, value: &str) {
    let _ = write!(xml, " {name}=\"");
    for char in value.chars() {
        match char {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push_str("&#9;"),
            // Half of such a character, which this range stands for (`gui::text_of_units`).
            '\u{10d800}'..='\u{10dfff}' => xml.push('.'),
            // What XML cannot hold becomes a dot; the two halves of a character beyond the basic
            // plane are each taken for such, and so is one half alone.
            char if char.len_utf16() == 2 => {
                let units = units_of_text(char.encode_utf8(&mut [0; 4])).len();
                xml.extend(std::iter::repeat_n('.', units));
            }
            char if char.is_control() || matches!(char, '\u{fdd0}'..='\u{fddf}') => xml.push('.'),
            char => xml.push(char),
        }
    }
    xml.push('"');
}
