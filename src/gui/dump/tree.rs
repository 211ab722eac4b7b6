//! From a tree in JSON to layout.
//!
//! Two tools write a screen as nested `{ "attributes": {…}, "children": […] }`: `maestro hierarchy` (`TreeNode` of
//! maestro-client; the document and its `hierarchy` element are nodes too, and so is the white space between elements),
//! with whatever it says before it; and HarmonyOS' `uitest dumpLayout`. The nodes are read in their order (`Tree`), those
//! that are no widgets give way to their children, and each tree that is left is a window: see `windows`.

use super::json::{Stop, Token, Tokens};
use super::windows::{self, Window};
use super::{Document, DumpError, Fault, MAX_DEPTH, MAX_WIDGETS, Note};
use crate::{Bounds, Flags, Layout, LayoutBuilder, NewWidget};

/// What a widget without a class is called, as in XML.
const NODE: &str = "node";
/// The most nodes. Half of those of Maestro are white space.
const MAX_NODES: usize = 2 * MAX_WIDGETS;
/// The deepest nesting of objects and lists: two for each widget.
const MAX_NESTING: usize = 2 * MAX_DEPTH + 8;

/// Where the first object begins, at `from` or later: at the head of a line, since a tool may say something before.
pub(super) fn find(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    for line in text.get(from..)?.split_inclusive('\n') {
        let begun = line.trim_start();
        if begun.starts_with('{') {
            return Some(at + line.len() - begun.len());
        }
        at += line.len();
    }
    None
}

/// Reads the tree that begins there. `app` is the package whose window is wanted, empty when it is not known.
pub(super) fn read(
    text: &str,
    start: usize,
    app: &str,
    notes: &mut Vec<Note>,
) -> Result<Document, DumpError> {
    let (tree, end) = Tree::read(text, start)?;
    if !tree.known {
        return Err(DumpError::no_dump(text));
    }
    Ok(Document { layout: tree.layout(app, notes), end })
}

/// A node: an object with attributes and children.
#[derive(Default)]
struct Node {
    /// The nodes around it.
    depth: usize,
    /// In the order of the file; a later one with the same name counts.
    attributes: Vec<(String, String)>,
}

/// The nodes in the order of the file.
struct Tree {
    nodes: Vec<Node>,
    /// An object had a member that only trees of widgets have.
    known: bool,
}

/// What is open while reading.
enum Open {
    Node(usize),
    /// The attributes of a node.
    Attributes(usize),
    /// The list of a node's children.
    Children,
    /// Something that no widget has.
    Other,
}

impl Tree {
    /// Reads the object that begins there; and the first byte after it.
    fn read(text: &str, start: usize) -> Result<(Self, usize), DumpError> {
        let mut tree = Self { nodes: Vec::new(), known: false };
        let mut tokens = Tokens::new(text, start);
        let mut open: Vec<Open> = Vec::new();
        // The name of the member whose value comes next.
        let mut name: Option<String> = None;
        loop {
            let (at, token) = tokens.next().map_err(|stop| fault(text, stop))?;
            match token {
                Token::Between => continue,
                Token::OpenObject | Token::OpenArray => {
                    if open.len() >= MAX_NESTING {
                        return Err(DumpError::new(text, at, Fault::TooDeep));
                    }
                    let inside = tree.enter(open.last(), name.take(), token == Token::OpenObject, &open);
                    open.push(inside.ok_or_else(|| DumpError::new(text, at, Fault::TooMany))?);
                }
                Token::CloseObject | Token::CloseArray => {
                    name = None;
                    open.pop();
                    if open.is_empty() {
                        return Ok((tree, tokens.position()));
                    }
                }
                Token::Text(text) if name.is_none() && in_object(open.last()) => name = Some(text),
                Token::Text(value) => tree.set(open.last(), name.take(), value),
                Token::Bare(value) => tree.set(open.last(), name.take(), value.to_owned()),
            }
        }
    }

    /// What an object or list is, by what is around it and by its name; `None` when there are too many nodes.
    fn enter(
        &mut self,
        around: Option<&Open>,
        name: Option<String>,
        object: bool,
        open: &[Open],
    ) -> Option<Open> {
        Some(match (around, name.as_deref(), object) {
            (None | Some(Open::Children), _, true) => {
                if self.nodes.len() >= MAX_NODES {
                    return None;
                }
                let depth = open.iter().filter(|open| matches!(open, Open::Node(_))).count();
                self.nodes.push(Node { depth, ..Node::default() });
                Open::Node(self.nodes.len() - 1)
            }
            (Some(&Open::Node(node)), Some("attributes"), true) => {
                self.known = true;
                Open::Attributes(node)
            }
            (Some(Open::Node(_)), Some("children"), false) => {
                self.known = true;
                Open::Children
            }
            _ => Open::Other,
        })
    }

    /// A member of a node's attributes, or of the node itself, which has some of them again.
    fn set(&mut self, around: Option<&Open>, name: Option<String>, value: String) {
        let (Some(&(Open::Node(node) | Open::Attributes(node))), Some(name)) = (around, name) else { return };
        if let Some(node) = self.nodes.get_mut(node).filter(|_| value != "null") {
            node.attributes.push((name, value));
        }
    }

    /// The trees of widgets as windows.
    fn layout(&self, app: &str, notes: &mut Vec<Note>) -> Layout {
        let mut windows: Vec<Window> = Vec::new();
        let (mut widgets, mut classes, mut bounds) = (0_u32, 0_u32, 0_u32);
        // The depths of the widgets that are open in the last window, with their packages.
        let mut open: Vec<(usize, String)> = Vec::new();
        for node in &self.nodes {
            while open.last().is_some_and(|(depth, _)| *depth >= node.depth) {
                open.pop();
                windows.last_mut().into_iter().for_each(|window| window.builder.close());
            }
            if !node.is_widget(open.is_empty()) {
                continue;
            }
            widgets = widgets.saturating_add(1);
            classes += u32::from(node.class().is_empty());
            bounds += u32::from(node.bounds().is_none());
            let above = open.last().map_or("", |(_, package)| package.as_str());
            let package = node.package().unwrap_or(above).to_owned();
            if open.is_empty() {
                let bounds = node.bounds().unwrap_or_default();
                windows.push(Window { bounds, builder: LayoutBuilder::new(), ..Window::default() });
            }
            if let Some(window) = windows.last_mut() {
                window.builder.open(node.widget(&package));
            }
            open.push((node.depth, package));
        }
        if bounds > 0 {
            notes.push(Note::BadBounds { widgets: bounds });
        }
        if classes > 0 {
            notes.push(Note::NoClasses { widgets: classes, of: widgets });
        }
        match windows.len() {
            0 | 1 => windows.pop().map_or_else(|| LayoutBuilder::new().finish(), |w| w.builder.finish()),
            _ => windows::choose(windows, app, notes),
        }
    }
}

fn in_object(open: Option<&Open>) -> bool {
    matches!(open, Some(Open::Node(_) | Open::Attributes(_)))
}

fn fault(text: &str, stop: Stop) -> DumpError {
    match stop {
        Stop::End => DumpError::new(text, text.len(), Fault::Truncated { element: "a node".to_owned() }),
        Stop::Nonsense(at) => DumpError::new(text, at, Fault::Json),
    }
}

impl Node {
    /// The value of the first of these names that says something.
    fn get(&self, names: &[&str]) -> &str {
        let value = |name: &&str| {
            let found = self.attributes.iter().rev().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
        };
        names.iter().find_map(value).unwrap_or("")
    }

    fn class(&self) -> &str {
        self.get(&["class", "type"])
    }

    fn bounds(&self) -> Option<Bounds> {
        Bounds::parse(self.get(&["bounds"]))
    }

    fn resource_id(&self) -> &str {
        self.get(&["resource-id", "id", "key"])
    }

    /// The app's: as it says, or as its resource-id does; `None` when neither tells.
    fn package(&self) -> Option<&str> {
        let said = self.get(&["package", "bundleName"]);
        let of_id = || self.resource_id().split_once(":id/").map(|(package, _)| package);
        (!said.is_empty()).then_some(said).or_else(|| of_id().filter(|package| *package != "android"))
    }

    /// False for the document, for the element around all widgets, and for the white space between them.
    fn is_widget(&self, outermost: bool) -> bool {
        let says = |names: &[&str]| !self.get(names).is_empty();
        let told = says(&["class", "type"])
            || !self.resource_id().is_empty()
            || says(&["text"])
            || says(&["accessibilityText", "content-desc", "description"])
            || self.flags().intersects(Flags::CLICKABLE | Flags::SCROLLABLE | Flags::LONG_CLICKABLE);
        told || (self.bounds().is_some() && !outermost)
    }

    fn flags(&self) -> Flags {
        let names: [(&[&str], Flags); 9] = [
            (&["checkable"], Flags::CHECKABLE),
            (&["checked"], Flags::CHECKED),
            (&["clickable"], Flags::CLICKABLE),
            (&["focusable"], Flags::FOCUSABLE),
            (&["focused"], Flags::FOCUSED),
            (&["scrollable"], Flags::SCROLLABLE),
            (&["long-clickable", "longClickable"], Flags::LONG_CLICKABLE),
            (&["password"], Flags::PASSWORD),
            (&["selected"], Flags::SELECTED),
        ];
        let flags = names
            .into_iter()
            .fold(Flags::default(), |all, (names, flag)| all.with(flag, self.get(names) == "true"));
        flags.with(Flags::ENABLED, self.get(&["enabled"]) != "false")
    }

    fn widget<'a>(&'a self, package: &'a str) -> NewWidget<'a> {
        NewWidget {
            class: if self.class().is_empty() { NODE } else { self.class() },
            resource_id: self.resource_id(),
            text: self.get(&["text"]),
            description: self.get(&["accessibilityText", "content-desc", "description"]),
            hint: self.get(&["hintText", "hint"]),
            package,
            bounds: self.bounds().unwrap_or_default(),
            flags: self.flags(),
            index: self.get(&["index"]).parse().unwrap_or(0),
        }
    }
}
