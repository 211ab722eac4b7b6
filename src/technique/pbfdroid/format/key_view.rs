//! Key views: the `<node … />` of a dump, with `#any#` for what may be anything.

use quick_xml::escape::{EscapeError, unescape};
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::fields::quoted;
use droidmux_gui::nearest;
use droidmux_record::KeyView;

const ANY: &str = "#any#";
/// Longer texts are not nodes of a dump; attributes are compared with each other.
const LONGEST: usize = 16 << 10;
const FLAGS: [&str; 11] = [
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long-clickable",
    "password",
    "selected",
    "visible-to-user",
];
/// All attributes in the order they are written.
const ATTRIBUTES: [&str; 19] = [
    "NAF",
    "index",
    "text",
    "resource-id",
    "class",
    "package",
    "content-desc",
    FLAGS[0],
    FLAGS[1],
    FLAGS[2],
    FLAGS[3],
    FLAGS[4],
    FLAGS[5],
    FLAGS[6],
    FLAGS[7],
    FLAGS[8],
    FLAGS[9],
    FLAGS[10],
    "bounds",
];

/// What is wrong with a node.
#[derive(Debug, thiserror::Error)]
pub(super) enum NodeFault {
    #[error("has {0} bytes; a node has at most {most}", most = LONGEST)]
    TooLong(usize),
    #[error("is {}, not a `<node … />` of a dump", quoted(.0))]
    NoNode(String),
    #[error("is no XML: {0}")]
    NoXml(AttrError),
    #[error("is no XML in `{name}`: {source}")]
    NoText { name: String, source: EscapeError },
    #[error("has {name}={}, not true, false or {any}", quoted(.value), any = ANY)]
    NoFlag { name: String, value: String },
    #[error("has an unknown attribute {} (did you mean `{near}`?)", quoted(.name))]
    UnknownAttribute { name: String, near: &'static str },
}

/// Reads a node.
pub(super) fn read(text: &str) -> Result<KeyView, NodeFault> {
    if text.len() > LONGEST {
        return Err(NodeFault::TooLong(text.len()));
    }
    let mut reader = Reader::from_str(text.trim());
    let node = |event: &BytesStart<'_>| event.name().0 == "node";
    let element = match reader.read_event() {
        Ok(Event::Empty(element) | Event::Start(element)) if node(&element) => element,
        _ => return Err(NodeFault::NoNode(text.to_owned())),
    };
    let mut view = KeyView::default();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(NodeFault::NoXml)?;
        let name = attribute.key.0;
        let value = unescape(&attribute.value)
            .map_err(|source| NodeFault::NoText { name: name.to_owned(), source })?;
        take(&mut view, name, &value)?;
    }
    Ok(view)
}

fn take(view: &mut KeyView, name: &str, value: &str) -> Result<(), NodeFault> {
    let wanted = (value != ANY).then(|| value.to_owned());
    match name {
        "text" => view.text = wanted,
        "resource-id" => view.resource_id = wanted,
        "class" => view.class = wanted,
        "package" => view.package = wanted,
        "content-desc" => view.description = wanted,
        _ if FLAGS.contains(&name) => match value {
            ANY => {}
            "true" | "false" => view.flags.push((name.to_owned(), value == "true")),
            _ => return Err(NodeFault::NoFlag { name: name.to_owned(), value: value.to_owned() }),
        },
        _ if ATTRIBUTES.contains(&name) => {
            if value != usual(name) {
                view.others.push((name.to_owned(), value.to_owned()));
            }
        }
        _ => match nearest(name, ATTRIBUTES) {
            Some(near) => {
                return Err(NodeFault::UnknownAttribute { name: name.to_owned(), near });
            }
            // As `drawing-order` and `display-id`, which newer dumps have: they do not say which
            // widget it is.
            None => view.others.push((name.to_owned(), value.to_owned())),
        },
    }
    Ok(())
}

/// What the published files say of an attribute that says nothing.
fn usual(name: &str) -> &'static str {
    if name == "bounds" { "" } else { ANY }
}

/// The node of a key view, with every attribute of the published files.
pub(super) fn write(view: &KeyView) -> String {
    let mut text = "<node".to_owned();
    let others = view.others.iter().map(|(name, _)| name.as_str()).filter(|name| !ATTRIBUTES.contains(name));
    for name in ATTRIBUTES.into_iter().chain(others) {
        text.push_str(&format!(" {name}=\"{}\"", escape(&value(view, name))));
    }
    text.push_str(" />");
    text
}

fn value(view: &KeyView, name: &str) -> String {
    let named = match name {
        "text" => view.text.clone(),
        "resource-id" => view.resource_id.clone(),
        "class" => view.class.clone(),
        "package" => view.package.clone(),
        "content-desc" => view.description.clone(),
        _ if FLAGS.contains(&name) => {
            view.flags.iter().find(|(flag, _)| flag == name).map(|(_, on)| on.to_string())
        }
        _ => {
            let given = view.others.iter().find(|(key, _)| key == name);
            return given.map_or_else(|| usual(name).to_owned(), |(_, value)| value.clone());
        }
    };
    named.unwrap_or_else(|| ANY.to_owned())
}

/// Only what must be: most values are then as in the published files.
fn escape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for char in value.chars() {
        match char {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => text.push_str(&format!("&#{};", u32::from(char))),
            _ => text.push(char),
        }
    }
    text
}
