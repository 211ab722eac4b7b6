//! The dump of a window, as `uiautomator dump` writes it.
//!
//! After AOSP's `AccessibilityNodeInfoDumper`: its attributes in its order, its `NAF` mark for
//! widgets that are touchable but say nothing, its treatment of characters XML cannot hold.

use std::fmt::Write;

use crate::sim::toolkit::{Node, Scene};

/// API level from which `drawing-order` and `hint` are written.
const WITH_HINT: u32 = 34;
/// Classes `NAF` is never put on.
const NAF_EXCLUDED: [&str; 4] = [
    "android.widget.GridView",
    "android.widget.GridLayout",
    "android.widget.ListView",
    "android.widget.TableLayout",
];

/// The XML of a window.
pub(super) fn xml(scene: &Scene, rotation: u8, sdk: u32) -> String {
    let mut xml = String::with_capacity(scene.nodes.len() * 420 + 128);
    xml.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    // Writing to a string cannot fail.
    let _ = write!(xml, "<hierarchy rotation=\"{rotation}\">");
    let parents: Vec<bool> = parents(scene);
    let mut open: Vec<usize> = Vec::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        while open.last().copied() != node.parent && open.pop().is_some() {
            xml.push_str("</node>");
        }
        let has_children = parents.get(number).copied().unwrap_or(false);
        write_node(&mut xml, scene, number, node, sdk);
        if has_children {
            xml.push('>');
            open.push(number);
        } else {
            xml.push_str(" />");
        }
    }
    for _ in open {
        xml.push_str("</node>");
    }
    xml.push_str("</hierarchy>");
    xml
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

fn write_node(xml: &mut String, scene: &Scene, number: usize, node: &Node, sdk: u32) {
    xml.push_str("<node");
    if is_naf(scene, number, node) {
        xml.push_str(" NAF=\"true\"");
    }
    let flags = node.flags;
    let focusable = node.is_clickable() || node.is_long_clickable() || node.scroll.is_some();
    let _ = write!(xml, " index=\"{}\"", node.index);
    attribute(xml, "text", &node.text);
    attribute(xml, "resource-id", &node.id);
    attribute(xml, "class", node.class);
    attribute(xml, "package", &scene.package);
    attribute(xml, "content-desc", &node.description);
    let booleans = [
        ("checkable", flags.checkable),
        ("checked", flags.checked),
        ("clickable", node.is_clickable()),
        ("enabled", flags.enabled),
        ("focusable", focusable),
        ("focused", flags.focused),
        ("scrollable", node.is_scrollable()),
        ("long-clickable", node.is_long_clickable()),
        ("password", flags.password),
        ("selected", flags.selected),
    ];
    for (name, value) in booleans {
        let _ = write!(xml, " {name}=\"{value}\"");
    }
    let _ = write!(xml, " bounds=\"{}\"", node.bounds);
    if sdk >= WITH_HINT {
        let _ = write!(xml, " drawing-order=\"{}\"", node.index + 1);
        attribute(xml, "hint", &node.hint);
    }
}

/// Touchable, but neither it nor a child says what it is ("not accessibility friendly").
fn is_naf(scene: &Scene, number: usize, node: &Node) -> bool {
    let says_nothing = |node: &Node| node.text.is_empty() && node.description.is_empty();
    if !node.is_clickable()
        || !node.flags.enabled
        || !says_nothing(node)
        || NAF_EXCLUDED.contains(&node.class)
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
            // What XML cannot hold becomes a dot; the two halves of a character beyond the basic
            // plane are each taken for such.
            char if char.len_utf16() == 2 => xml.push_str(".."),
            char if char.is_control() || matches!(char, '\u{fdd0}'..='\u{fddf}') => xml.push('.'),
            char => xml.push(char),
        }
    }
    xml.push('"');
}
