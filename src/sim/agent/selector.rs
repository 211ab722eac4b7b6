//! Which widgets a call means: the agent's selectors, matched on the active window.

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::params;
use droidmux_sim_toolkit::platform::{Node, Scene};

/// One field of a selector and what it wants.
#[derive(Clone, Debug)]
enum Wants {
    Text(TextOf, How, String),
    /// The whole text matches an expression.
    Matches(TextOf, Regex),
    Flag(FlagOf, bool),
    Index(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextOf {
    Text,
    Description,
    Class,
    Id,
    Package,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Equals,
    Contains,
    StartsWith,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlagOf {
    Checkable,
    Checked,
    Clickable,
    LongClickable,
    Scrollable,
    Enabled,
    Focusable,
    Focused,
    Selected,
}

/// The steps from a widget to the one that is meant: `child` or `sibling`, and its selector.
type Further = Vec<(bool, Selector)>;

/// A selector as the client sends it.
#[derive(Clone, Debug)]
pub(super) struct Selector {
    wants: Vec<Wants>,
    instance: usize,
    further: Further,
    /// As the client wrote it, for messages.
    pub(super) said: String,
}

/// The memory one expression may take.
const MAX_PATTERN: usize = 1 << 20;
/// The most steps of a chain.
const MAX_FURTHER: usize = 16;

impl Selector {
    /// `None` when it is not a selector, or asks for more than is supported here.
    pub(super) fn read(value: &Value) -> Option<Selector> {
        let fields = value.as_object()?;
        let mut wants = Vec::new();
        let (mut instance, mut kinds, mut selectors) = (0, Vec::new(), Vec::new());
        for (name, value) in fields {
            let number = || params::int(value).and_then(|number| usize::try_from(number).ok());
            if let Some((of, how)) = text_field(name) {
                wants.push(Wants::Text(of, how, params::text(value)?));
            } else if let Some(of) = pattern_field(name) {
                wants.push(Wants::Matches(of, pattern(&params::text(value)?)?));
            } else if let Some(of) = flag_field(name) {
                wants.push(Wants::Flag(of, params::truth(value)?));
            } else {
                match name.as_str() {
                    // Only repeats which fields there are.
                    "mask" => {}
                    "index" => wants.push(Wants::Index(number()?)),
                    "instance" => instance = number()?,
                    "childOrSibling" => kinds = value.as_array()?.clone(),
                    "childOrSiblingSelector" => selectors = value.as_array()?.clone(),
                    _ => return None,
                }
            }
        }
        if kinds.len() != selectors.len() || kinds.len() > MAX_FURTHER {
            return None;
        }
        let further = kinds.iter().zip(&selectors).map(|(kind, selector)| {
            let child = match kind.as_str()? {
                "child" => true,
                "sibling" => false,
                _ => return None,
            };
            Some((child, Selector::read(selector)?))
        });
        let further = further.collect::<Option<Further>>()?;
        Some(Selector { wants, instance, further, said: value.to_string() })
    }

    /// The widgets it selects, in document order; the first is the one a call acts on.
    pub(super) fn find(&self, scene: &Scene) -> Vec<usize> {
        let all: Vec<usize> = (0..scene.nodes.len()).collect();
        let mut found = self.among(scene, &all);
        for (child, selector) in &self.further {
            let Some(&from) = found.first() else { return Vec::new() };
            let from = if *child { Some(from) } else { scene.nodes.get(from).and_then(|node| node.parent) };
            let near: Vec<usize> = all.iter().copied().filter(|&n| is_below(scene, n, from)).collect();
            found = selector.among(scene, &near);
        }
        found
    }

    fn among(&self, scene: &Scene, places: &[usize]) -> Vec<usize> {
        let fits = |place: &usize| {
            scene
                .nodes
                .get(*place)
                .is_some_and(|node| self.wants.iter().all(|w| w.fits(node, &scene.package)))
        };
        places.iter().copied().filter(fits).skip(self.instance).collect()
    }
}

fn is_below(scene: &Scene, mut place: usize, ancestor: Option<usize>) -> bool {
    while let Some(parent) = scene.nodes.get(place).and_then(|node| node.parent) {
        if Some(parent) == ancestor {
            return true;
        }
        place = parent;
    }
    false
}

impl Wants {
    fn fits(&self, node: &Node, package: &str) -> bool {
        match self {
            Wants::Matches(of, regex) => regex.is_match(of.of(node, package)),
            Wants::Text(of, how, wanted) => {
                let text = of.of(node, package);
                match how {
                    How::Equals => text == wanted,
                    How::Contains => text.to_lowercase().contains(&wanted.to_lowercase()),
                    How::StartsWith => text.to_lowercase().starts_with(&wanted.to_lowercase()),
                }
            }
            Wants::Flag(of, wanted) => {
                let is = match of {
                    FlagOf::Checkable => node.flags.checkable,
                    FlagOf::Checked => node.flags.checked,
                    FlagOf::Clickable => node.is_clickable(),
                    FlagOf::LongClickable => node.is_long_clickable(),
                    FlagOf::Scrollable => node.is_scrollable(),
                    FlagOf::Enabled => node.flags.enabled,
                    FlagOf::Focusable => node.is_focusable(),
                    FlagOf::Focused => node.flags.focused,
                    FlagOf::Selected => node.flags.selected,
                };
                is == *wanted
            }
            Wants::Index(index) => node.index == *index,
        }
    }
}

impl TextOf {
    fn of<'n>(self, node: &'n Node, package: &'n str) -> &'n str {
        match self {
            TextOf::Text => node.text.as_str(),
            TextOf::Description => node.description.as_str(),
            TextOf::Class => &node.class,
            TextOf::Id => node.id.as_str(),
            TextOf::Package => package,
        }
    }
}

/// A Java expression, as far as the crate regex supports the same; the whole text must match.
fn pattern(text: &str) -> Option<Regex> {
    RegexBuilder::new(&format!(r"\A(?:{text})\z")).size_limit(MAX_PATTERN).build().ok()
}

fn pattern_field(name: &str) -> Option<TextOf> {
    Some(match name {
        "textMatches" => TextOf::Text,
        "descriptionMatches" => TextOf::Description,
        "classNameMatches" => TextOf::Class,
        "resourceIdMatches" => TextOf::Id,
        "packageNameMatches" => TextOf::Package,
        _ => return None,
    })
}

fn text_field(name: &str) -> Option<(TextOf, How)> {
    let field = match name {
        "text" => (TextOf::Text, How::Equals),
        "textContains" => (TextOf::Text, How::Contains),
        "textStartsWith" => (TextOf::Text, How::StartsWith),
        "description" => (TextOf::Description, How::Equals),
        "descriptionContains" => (TextOf::Description, How::Contains),
        "descriptionStartsWith" => (TextOf::Description, How::StartsWith),
        "className" => (TextOf::Class, How::Equals),
        "resourceId" => (TextOf::Id, How::Equals),
        "packageName" => (TextOf::Package, How::Equals),
        _ => return None,
    };
    Some(field)
}

fn flag_field(name: &str) -> Option<FlagOf> {
    let field = match name {
        "checkable" => FlagOf::Checkable,
        "checked" => FlagOf::Checked,
        "clickable" => FlagOf::Clickable,
        "longClickable" => FlagOf::LongClickable,
        "scrollable" => FlagOf::Scrollable,
        "enabled" => FlagOf::Enabled,
        "focusable" => FlagOf::Focusable,
        "focused" => FlagOf::Focused,
        "selected" => FlagOf::Selected,
        _ => return None,
    };
    Some(field)
}
