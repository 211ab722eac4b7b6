//! A host's dump as one of the phone's windows.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use droidmux_gui::Bounds;
use droidmux_sim_toolkit::platform::{Node, Scene};

/// Most widgets that are taken of a window.
const MOST: usize = 20_000;

/// Reads a dump. `None` when it is not one.
pub(super) fn read(xml: &str) -> Option<Scene> {
    let mut reader = Reader::from_str(xml);
    let mut scene = Scene { package: String::new(), nodes: Vec::new(), window: Bounds::new(0, 0, 0, 0) };
    let mut open: Vec<usize> = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if start.name().as_ref() == "node" => {
                push(&mut scene, &start, open.last().copied())?;
                open.push(scene.nodes.len() - 1);
            }
            Event::Empty(start) if start.name().as_ref() == "node" => {
                push(&mut scene, &start, open.last().copied())?;
            }
            Event::End(end) if end.name().as_ref() == "node" => {
                open.pop()?;
            }
            Event::Eof => break,
            _ => {}
        }
        if scene.nodes.len() > MOST {
            return None;
        }
    }
    scene.window = scene.nodes.first()?.bounds;
    Some(scene)
}

fn push(scene: &mut Scene, start: &BytesStart<'_>, parent: Option<usize>) -> Option<()> {
    let mut node = Node::of_a_stranger(parent);
    for attribute in start.attributes() {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).ok()?.into_owned();
        let is = value == "true";
        let said = node.said.get_or_insert_default();
        match attribute.key.as_ref() {
            "index" => node.index = value.parse().ok()?,
            "text" => node.text = value,
            "resource-id" => node.id = value,
            "class" => node.class = value.into(),
            "package" if scene.nodes.is_empty() => scene.package = value,
            "content-desc" => node.description = value,
            "checkable" => node.flags.checkable = is,
            "checked" => node.flags.checked = is,
            "clickable" => said.clickable = is,
            "enabled" => node.flags.enabled = is,
            "focusable" => said.focusable = is,
            "focused" => node.flags.focused = is,
            "scrollable" => said.scrollable = is,
            "long-clickable" => said.long_clickable = is,
            "password" => node.flags.password = is,
            "selected" => node.flags.selected = is,
            "bounds" => node.bounds = Bounds::parse(&value)?,
            "drawing-order" => said.drawing_order = value.parse().ok()?,
            "hint" => node.hint = value,
            _ => {}
        }
    }
    if node.class.ends_with("EditText") {
        node.field = Some(scene.nodes.len().to_string());
    }
    (node.rect, node.inner) = (node.bounds, node.bounds);
    scene.nodes.push(node);
    Some(())
}
