//! Specifications of data manipulation functions, as data (PBFDroid, sections 3 and 4.5).
//!
//! The names follow the published JSON, which `technique::pbfdroid` reads and writes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::gui::{Direction, LayoutHash};

/// All that a session knows of an app's data: its functions, and the widgets never touched at
/// random.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specification {
    pub dmfs: Vec<Dmf>,
    pub key_views: Vec<KeyView>,
}

/// A data manipulation function: the property ⟨pre, E, R, post⟩ of one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dmf {
    /// The type of its objects: each has a data model of its own.
    pub datatype: String,
    pub name: String,
    pub operation: Operation,
    /// Its weight where a test chooses among the functions that are enabled.
    pub proportion: u32,
    pub widgets: Vec<DmfWidget>,
    /// pre: read on l₀.
    pub preconditions: Vec<Condition>,
    /// E
    pub events: Vec<DmfEvent>,
    /// R
    pub impacts: Vec<Impact>,
    /// post: read on lₙ.
    pub postconditions: Vec<Condition>,
    /// Why it cannot be used, e.g. a widget that is not defined; the others of its file can.
    pub fault: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    Add,
    View,
    Edit,
    Delete,
    Search,
}

/// How a function finds a widget. An empty attribute fits every widget.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DmfWidget {
    pub name: String,
    /// The number of the layout it is on; see `technique::pbfdroid::execution`.
    pub layout: Option<u32>,
    pub class: String,
    pub description: String,
    /// Which of the widgets that fit, from 0.
    pub instance: Option<u32>,
    pub resource_id: String,
    /// The text itself, or `X.text`: the text of the function's widget X.
    pub text: String,
    /// A path of classes with positions: `//android.widget.ListView/android.widget.TextView[2]`.
    pub xpath: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfEvent {
    pub action: DmfAction,
    /// The name of its widget; empty for what acts on none.
    pub widget: String,
    /// What is typed: the text itself, `random`, `TYPE::random` or `X.text`; for `sleep`, seconds.
    pub text: String,
    /// False makes it optional: left out where its widget is not there.
    pub force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DmfAction {
    Click,
    LongClick,
    Edit,
    Back,
    Home,
    Enter,
    /// Scroll until the widget is there.
    ScrollTo,
    Scroll(Direction),
    Sleep,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The name of its widget; empty for what is asked of the data model alone.
    pub widget: String,
    pub relation: Relation,
    /// Empty: the widget is looked for on the layout. Else its text in the data model of this
    /// type.
    pub datatype: String,
    /// As written in the file; which layout is read does not depend on it.
    pub layout: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    In,
    NotIn,
    IsEmpty,
    IsNotEmpty,
    /// At most five objects.
    Smaller,
}

/// What a function does to the data model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impact {
    /// `X.text`: the text of the function's widget X; or the object itself. Unused by `clear`.
    pub object: String,
    pub operator: Operator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    Add,
    /// Adds, and random text may be equal to an object that is there.
    AddConflict,
    /// Adds what is not there yet.
    AddNoDuplicate,
    Delete,
    Clear,
}

/// A widget that is never touched at random. `None` fits everything (`#any#` in the file).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    pub text: Option<String>,
    pub resource_id: Option<String>,
    pub class: Option<String>,
    pub package: Option<String>,
    pub description: Option<String>,
    /// The flags that are named, by the dump's attribute, with the value they must have.
    pub flags: Vec<(String, bool)>,
    /// What the file says of other attributes, where it is not what is usual: `bounds`, which are
    /// compared, and `NAF`, `index` and the like, which are not.
    pub others: Vec<(String, String)>,
}

/// One execution of a function in a test.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The function's number in its specification.
    pub dmf: u16,
    /// The test's events that carried it out, in order: never empty.
    pub steps: Vec<CallStep>,
}

/// An event of a test as part of a [`Call`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallStep {
    /// Its number in the test, from 0.
    pub at: u16,
    /// Which event of the function it is, from 0. Several are the same while it scrolls.
    pub event: u16,
}

/// What a violated property rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breach {
    /// The function whose postcondition does not hold.
    pub dmf: String,
    pub operation: Operation,
    pub datatype: String,
    /// The postcondition in words.
    pub condition: String,
    /// What was found instead, in words.
    pub found: String,
    /// The object that the condition is about.
    pub object: Option<String>,
    /// The data model before and after the function.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// The functions carried out, the violated one last.
    pub calls: Vec<CallNote>,
    /// The same as data, by the numbers of the performed events of the test.
    pub trace: Vec<Call>,
    /// l₀ and lₙ of the violated function, and the turn in the job that led to lₙ.
    pub layouts: (LayoutHash, LayoutHash),
    pub turn: u32,
    /// Widgets on lₙ to look at: those that should not be there, or what is where the wanted one
    /// should be.
    pub widgets: Vec<super::WidgetNote>,
}

/// A [`Call`] for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallNote {
    pub dmf: String,
    /// The number of its first event in the test, from 1.
    pub at: u32,
    /// What it did to the data model: `+ tea`, `− coffee`; empty when nothing.
    pub impacts: Vec<String>,
}

impl KeyView {
    /// True when it fits every widget.
    pub fn is_any(&self) -> bool {
        let named = [&self.text, &self.resource_id, &self.class, &self.package, &self.description];
        named.iter().all(|attribute| attribute.is_none()) && self.flags.is_empty() && self.bounds().is_none()
    }

    /// The bounds that it names, as the file writes them.
    pub fn bounds(&self) -> Option<&str> {
        let named = self.others.iter().find(|(name, _)| name == "bounds");
        named.map(|(_, value)| value.as_str()).filter(|value| !matches!(*value, "" | "#any#"))
    }
}

impl Operation {
    pub const ALL: [Self; 5] = [Self::Add, Self::View, Self::Edit, Self::Delete, Self::Search];

    /// As written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::View => "view",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Search => "search",
        }
    }
}

impl Relation {
    pub const ALL: [Self; 5] = [Self::In, Self::NotIn, Self::IsEmpty, Self::IsNotEmpty, Self::Smaller];

    /// As written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::NotIn => "not in",
            Self::IsEmpty => "is empty",
            Self::IsNotEmpty => "is not empty",
            Self::Smaller => "smaller",
        }
    }
}

impl Operator {
    pub const ALL: [Self; 5] =
        [Self::Add, Self::AddConflict, Self::AddNoDuplicate, Self::Delete, Self::Clear];

    /// As written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::AddConflict => "add conflict",
            Self::AddNoDuplicate => "add noduplicate",
            Self::Delete => "delete",
            Self::Clear => "clear",
        }
    }
}

impl DmfAction {
    pub const ALL: [Self; 12] = [
        Self::Click,
        Self::LongClick,
        Self::Edit,
        Self::Back,
        Self::Home,
        Self::Enter,
        Self::ScrollTo,
        Self::Scroll(Direction::Up),
        Self::Scroll(Direction::Down),
        Self::Scroll(Direction::Left),
        Self::Scroll(Direction::Right),
        Self::Sleep,
    ];

    /// As written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::LongClick => "longclick",
            Self::Edit => "edit",
            Self::Back => "back",
            Self::Home => "home",
            Self::Enter => "enter",
            Self::ScrollTo => "scrollto",
            Self::Scroll(Direction::Up) => "scroll_up",
            Self::Scroll(Direction::Down) => "scroll_down",
            Self::Scroll(Direction::Left) => "scroll_left",
            Self::Scroll(Direction::Right) => "scroll_right",
            Self::Sleep => "sleep",
        }
    }
}

impl Dmf {
    /// The widget of this name.
    pub fn widget(&self, name: &str) -> Option<&DmfWidget> {
        self.widgets.iter().find(|widget| widget.name == name)
    }

    /// The widget that an event acts on; `None` for what acts on none.
    pub fn receiver(&self, event: &DmfEvent) -> Option<&DmfWidget> {
        self.widget(&event.widget)
    }
}

impl DmfWidget {
    /// The widget whose text this one's text refers to: `add_name` of `add_name.text`.
    pub fn text_source(&self) -> Option<&str> {
        text_source(&self.text)
    }
}

/// The widget that `X.text` refers to.
pub fn text_source(text: &str) -> Option<&str> {
    text.strip_suffix(".text").filter(|name| !name.is_empty())
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
