//! The part of XPath that specifications use: paths of classes with positions and attributes.

use std::fmt;

use droidmux_gui::{Layout, Widget};

/// A path such as `//*[@resource-id="a.b:id/list"]/android.widget.TextView[2]`.
///
/// Steps of child (`/`) and descendant (`//`); a class or `*`; predicates `[n]`, counted from 1
/// among the siblings that fit the step so far, and `[@attribute="value"]`, also joined by `and`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    anywhere_below: bool,
    /// `None` is `*`.
    class: Option<String>,
    predicates: Vec<Predicate>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Predicate {
    Position(usize),
    Equals(Attribute, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attribute {
    Text,
    ResourceId,
    Class,
    Description,
    Package,
}

/// What in a path cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError(String);

/// Longer paths are refused.
const MOST_CHARS: usize = 4_096;

impl Path {
    /// # Errors
    /// When the text is not a path, or uses what is not supported here.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.len() > MOST_CHARS {
            return Err(PathError(format!("longer than {MOST_CHARS} characters")));
        }
        let mut rest = text.trim();
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let step;
            (step, rest) = step_of(rest)?;
            steps.push(step);
        }
        if steps.is_empty() { Err(PathError("empty".into())) } else { Ok(Self { steps }) }
    }

    /// The widgets at the end of the path, in document order.
    pub fn find<'a>(&self, layout: &'a Layout) -> Vec<Widget<'a>> {
        let mut here: Vec<Option<Widget<'a>>> = vec![None];
        for step in &self.steps {
            let mut next: Vec<Widget<'a>> = here.iter().flat_map(|from| step.from(layout, *from)).collect();
            next.sort_by_key(|widget| widget.id());
            next.dedup_by_key(|widget| widget.id());
            here = next.into_iter().map(Some).collect();
        }
        here.into_iter().flatten().collect()
    }
}

impl Step {
    /// Where the step leads to from a widget, or from above all roots.
    fn from<'a>(&self, layout: &'a Layout, from: Option<Widget<'a>>) -> Vec<Widget<'a>> {
        if !self.anywhere_below {
            return self.among(children(layout, from));
        }
        // Positions count among siblings, below each parent anew.
        let below: Vec<Option<Widget<'a>>> = match from {
            Some(widget) => widget.subtree().map(Some).collect(),
            None => std::iter::once(None).chain(layout.widgets().map(Some)).collect(),
        };
        below.into_iter().flat_map(|parent| self.among(children(layout, parent))).collect()
    }

    fn among<'a>(&self, siblings: Vec<Widget<'a>>) -> Vec<Widget<'a>> {
        let is_class =
            |widget: &Widget<'_>| self.class.as_ref().is_none_or(|class| is_named(widget.class(), class));
        let mut found: Vec<Widget<'a>> = siblings.into_iter().filter(is_class).collect();
        for predicate in &self.predicates {
            found = match predicate {
                Predicate::Position(n) => found.into_iter().skip(n - 1).take(1).collect(),
                Predicate::Equals(attribute, value) => {
                    found.into_iter().filter(|widget| attribute.of(*widget) == value).collect()
                }
            };
        }
        found
    }
}

impl Attribute {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "text" => Self::Text,
            "resource-id" => Self::ResourceId,
            "class" => Self::Class,
            "content-desc" => Self::Description,
            "package" => Self::Package,
            _ => return None,
        })
    }

    fn of(self, widget: Widget<'_>) -> &str {
        match self {
            Self::Text => widget.text(),
            Self::ResourceId => widget.resource_id(),
            Self::Class => widget.class(),
            Self::Description => widget.description(),
            Self::Package => widget.package(),
        }
    }
}

/// In paths, the `$` in the name of an inner class is often written as `-`: tags of XML have no `$`.
fn is_named(class: &str, wanted: &str) -> bool {
    class == wanted || (class.contains('$') && class.replace('$', "-") == wanted)
}

fn children<'a>(layout: &'a Layout, parent: Option<Widget<'a>>) -> Vec<Widget<'a>> {
    match parent {
        Some(widget) => widget.children().collect(),
        None => layout.roots().collect(),
    }
}

/// The first step of a path, and the rest of the path.
fn step_of(text: &str) -> Result<(Step, &str), PathError> {
    let (anywhere_below, rest) = match (text.strip_prefix("//"), text.strip_prefix('/')) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Err(PathError(format!("a step begins with `/`: {}", start(text)))),
    };
    let end = rest.find(['/', '[']).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(end);
    let class = match name {
        "" => return Err(PathError(format!("a class or `*` is missing: {}", start(text)))),
        "*" => None,
        name if name.chars().all(|c| c.is_alphanumeric() || "._-$".contains(c)) => Some(name.to_owned()),
        name => return Err(PathError(format!("`{name}` is no class"))),
    };
    let mut predicates = Vec::new();
    while let Some(inside) = rest.strip_prefix('[') {
        let end = closing(inside).ok_or_else(|| PathError(format!("`]` is missing: {}", start(rest))))?;
        let (predicate, after) = inside.split_at(end);
        predicates.extend(predicates_of(predicate)?);
        rest = after.get(1..).unwrap_or_default();
    }
    Ok((Step { anywhere_below, class, predicates }, rest))
}

/// Where the predicate ends, brackets in quotes apart.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ']' => return Some(at),
            None => {}
        }
        None
    })
}

fn predicates_of(text: &str) -> Result<Vec<Predicate>, PathError> {
    if let Ok(position) = text.trim().parse::<usize>() {
        return match position {
            0 => Err(PathError("positions are counted from 1".into())),
            position => Ok(vec![Predicate::Position(position)]),
        };
    }
    text.split(" and ").map(|part| equality(part.trim())).collect()
}

fn equality(text: &str) -> Result<Predicate, PathError> {
    let unsupported = || PathError(format!("`[{}]` is not supported", start(text)));
    let (name, value) = text.strip_prefix('@').and_then(|t| t.split_once('=')).ok_or_else(unsupported)?;
    let attribute = Attribute::named(name.trim()).ok_or_else(unsupported)?;
    let value = value.trim();
    let unquoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote)));
    Ok(Predicate::Equals(attribute, unquoted.ok_or_else(unsupported)?.to_owned()))
}

fn start(text: &str) -> String {
    text.chars().take(40).collect()
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no path that droidmux can follow: {}", self.0)
    }
}

impl std::error::Error for PathError {}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

    /// `List(Row(Text a, Button +), Row(Text b, Row(Text c)))` in a frame.
    fn layout() -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "Frame", ..NewWidget::default() });
        builder.open(NewWidget { class: "List", resource_id: "a.b:id/list", ..NewWidget::default() });
        for (text, last) in [("a", false), ("b", true)] {
            builder.open(NewWidget { class: "Row", ..NewWidget::default() });
            builder.open(NewWidget { class: "Text", text, ..NewWidget::default() });
            builder.close();
            if last {
                builder.open(NewWidget { class: "Row", ..NewWidget::default() });
                builder.open(NewWidget { class: "Text", text: "c", ..NewWidget::default() });
                builder.close();
                builder.close();
            } else {
                builder.open(NewWidget { class: "Button", text: "x]", ..NewWidget::default() });
                builder.close();
            }
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn paths_lead_where_xpath_says() {
        let layout = layout();
        for (path, texts) in [
            ("//Text", "a b c"),
            ("//List/Row/Text", "a b"),
            ("//List/Row[2]/Text", "b"),
            ("//List//Text[1]", "a b c"),
            ("//Row[1]/Text[1]", "a c"),
            ("/Frame/List/Row[1]/*[2]", "x]"),
            ("//*[@resource-id=\"a.b:id/list\"]/Row[2]/Row[1]/Text", "c"),
            ("//*[@class='Text' and @text='b']", "b"),
            ("//Button[@text='x]']", "x]"),
            ("//List/Text", ""),
            ("//Row[3]", ""),
        ] {
            let found: Vec<&str> =
                Path::parse(path).expect(path).find(&layout).iter().map(|w| w.text()).collect();
            assert_eq!(found.join(" "), texts, "{path}");
        }
    }

    #[test]
    fn inner_classes_are_named_either_way() {
        let mut builder = LayoutBuilder::new();
        for class in ["app.Bar$Tab", "app.Bar-Tab", "app.BarTab"] {
            builder.open(NewWidget { class, ..NewWidget::default() });
            builder.close();
        }
        let layout = builder.finish();
        for (path, found) in [("//app.Bar$Tab", 1), ("//app.Bar-Tab", 2), ("//app.BarTab", 1)] {
            assert_eq!(Path::parse(path).expect(path).find(&layout).len(), found, "{path}");
        }
    }

    #[test]
    fn what_is_no_path_is_told() {
        for (path, said) in [
            ("", "empty"),
            ("Text", "a step begins with `/`"),
            ("//", "a class or `*` is missing"),
            ("//Text[0]", "counted from 1"),
            ("//Text[last()]", "is not supported"),
            ("//Text[@colour='red']", "is not supported"),
            ("//Text[@text=red]", "is not supported"),
            ("//Text[1", "`]` is missing"),
            ("//Text | //Row", "is no class"),
        ] {
            let error = Path::parse(path).expect_err(path).to_string();
            assert!(error.contains(said), "{path}: {error}");
        }
        assert!(Path::parse(&"/a".repeat(3_000)).is_err());
    }
}
