//! Specifications of data manipulation functions, as data (PBFDroid, sections 3 and 4.5).
//!
//! The names follow the published JSON, which `technique::pbfdroid` reads and writes.

use std::fmt;

use serde::{Deserialize, Serialize};

use droidmux_gui::{Direction, LayoutHash};

/// Everything a session knows about an app's data: its functions, and the widgets never touched at random.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specification {
    /// In the order of the file; [`Call::dmf`] is an index into it.
    pub dmfs: Vec<Dmf>,
    /// Widgets that no random event touches.
    pub key_views: Vec<KeyView>,
}

/// A data manipulation function: the property ⟨pre, E, R, post⟩ of one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dmf {
    /// The type of its objects: each has a data model of its own.
    pub datatype: String,
    /// Its name in findings and in `functions` of the session file: `add note`.
    pub name: String,
    /// `type` in the file.
    pub operation: Operation,
    /// Its weight when a test chooses among the enabled functions.
    pub proportion: u32,
    /// The widgets that its events and conditions name, with how they are found.
    pub widgets: Vec<DmfWidget>,
    /// pre: read on l₀.
    pub preconditions: Vec<Condition>,
    /// E
    pub events: Vec<DmfEvent>,
    /// R
    pub impacts: Vec<Impact>,
    /// post: read on lₙ.
    pub postconditions: Vec<Condition>,
    /// Why it cannot be used, e.g. because of an undefined widget; the others in its file still can.
    pub fault: Option<String>,
}

/// What a function does to the data, in one word; linting and recording depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Makes an object.
    Add,
    /// Shows an existing object.
    View,
    /// Replaces an object by another one.
    Edit,
    /// Removes an object.
    Delete,
    /// Looks for an object by its text.
    Search,
}

/// How a function finds a widget. An empty attribute fits every widget.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DmfWidget {
    /// Its name in events, conditions and `X.text`, valid within the function only.
    pub name: String,
    /// The number of the layout it is on; see `technique::pbfdroid::execution`.
    pub layout: Option<u32>,
    /// Full class name.
    pub class: String,
    /// The content description, whole.
    pub description: String,
    /// Which of the matching widgets, from 0.
    pub instance: Option<u32>,
    /// With its package: `org.example:id/title`.
    pub resource_id: String,
    /// The text itself, or `X.text`: the text of the function's widget X.
    pub text: String,
    /// A path of classes with positions: `//android.widget.ListView/android.widget.TextView[2]`.
    pub xpath: String,
}

/// One event of a function: the eᵢ of E.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfEvent {
    /// What is done; for all but keys and `sleep`, to `widget`.
    pub action: DmfAction,
    /// The name of its widget; empty for an action on none.
    pub widget: String,
    /// What is typed: the text itself, `random`, `TYPE::random` or `X.text`; for `sleep`, seconds.
    pub text: String,
    /// False makes it optional: left out if its widget is not there.
    pub force: bool,
}

/// What an event of a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DmfAction {
    /// One tap on the middle of the widget.
    Click,
    /// A tap that is held on the middle of the widget.
    LongClick,
    /// Replaces the text of the widget.
    Edit,
    /// The back key.
    Back,
    /// The home key.
    Home,
    /// The enter key.
    Enter,
    /// Scrolls until the widget is there.
    ScrollTo,
    /// Once, on the widget.
    Scroll(Direction),
    /// Waits for the seconds in `text`, at least 1.
    Sleep,
}

/// One condition of pre or post: on the layout or on the data model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The name of its widget; empty for conditions on the data model alone.
    pub widget: String,
    /// What must hold between the widget and the layout or data model.
    pub relation: Relation,
    /// Empty: the widget is looked for on the layout. Otherwise its text is looked for in the data model of this type.
    pub datatype: String,
    /// As written in the file; which layout is read does not depend on it.
    pub layout: Option<u32>,
}

/// How a condition relates its widget to the layout (without a type) or to the data model (with one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The widget is on the layout; its text is an object of the data model.
    In,
    /// The widget is nowhere on the layout; its text is not an object of the data model.
    NotIn,
    /// The data model has no object of the type.
    IsEmpty,
    /// The data model has at least one object of the type.
    IsNotEmpty,
    /// At most five objects.
    Smaller,
}

/// What a function does to the data model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impact {
    /// `X.text`: the text of the function's widget X; or the object itself. Unused by `clear`.
    pub object: String,
    /// How the data model of the function's type changes once the function has been carried out to its end.
    pub operator: Operator,
}

/// A change to the data model, a multiset of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// Adds the object once more.
    Add,
    /// Adds; random text may happen to equal an existing object.
    AddConflict,
    /// Adds an object that does not exist yet.
    AddNoDuplicate,
    /// Removes the object once.
    Delete,
    /// Removes all objects of the type.
    Clear,
}

/// A widget that is never touched at random. `None` fits everything (`#any#` in the file).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// Whole, as shown.
    pub text: Option<String>,
    /// With its package: `org.example:id/delete`.
    pub resource_id: Option<String>,
    /// Full class name.
    pub class: Option<String>,
    /// The package that the widget belongs to.
    pub package: Option<String>,
    /// The content description, whole.
    pub description: Option<String>,
    /// The flags that are named, by the dump's attribute, with the value they must have.
    pub flags: Vec<(String, bool)>,
    /// Other attributes in the file with unusual values: `bounds`, which are compared, and `NAF`, `index` and the like,
    /// which are not.
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
    /// Which event of the function it is, from 0. While scrolling, several have the same number.
    pub event: u16,
}

/// What a violated property rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breach {
    /// The function whose postcondition does not hold.
    pub dmf: String,
    /// What kind of function that is.
    pub operation: Operation,
    /// The type of its objects.
    pub datatype: String,
    /// The postcondition in words.
    pub condition: String,
    /// What was found instead, in words.
    pub found: String,
    /// The object that the condition is about.
    pub object: Option<String>,
    /// The data model before and after the function.
    pub before: Vec<String>,
    /// The same after it, its impacts included.
    pub after: Vec<String>,
    /// The functions carried out, the violated one last.
    pub calls: Vec<CallNote>,
    /// The same as data, by the numbers of the performed events of the test.
    pub trace: Vec<Call>,
    /// l₀ and lₙ of the violated function.
    pub layouts: (LayoutHash, LayoutHash),
    /// The turn in the job that led to lₙ.
    pub turn: u32,
    /// Widgets on lₙ to look at: those that should not be there, or what is in the place of the wanted one.
    pub widgets: Vec<super::WidgetNote>,
}

/// A [`Call`] for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallNote {
    /// The function's name.
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
    /// In the order they are usually listed: types that make objects first.
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
    /// In the order of the table in `docs/properties.md`.
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
    /// In the order of the file format: adding comes first.
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
    /// Every action the file format knows, scrolling once for each direction.
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

    /// The widget that an event acts on; `None` for events that act on none.
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
