//! What a view is made of, once its app's type of actions is put aside.
//!
//! In: what the methods of [`View`] are given. Out: what the layout engine reads.
//!
//! Setters are here for what is not copied bit by bit: code that frees what was there before is compiled with them, not
//! with every app.

use std::borrow::Cow;

use super::style::Style;
use super::untyped::{Act, Untyped};
use super::{Arrange, Extent, Gravity, Keys, View};
use droidmux_gui::Bounds;

/// A widget, how it looks and is placed, what touching it does, and the views inside it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub class: &'static str,
    pub id: Cow<'static, str>,
    pub text: String,
    pub description: String,
    pub hint: String,
    pub arrange: Arrange,
    pub width: Extent,
    pub height: Extent,
    pub gravity: Gravity,
    pub padding: Edges,
    pub margin: Edges,
    /// A place on the screen whatever the parent says, in pixels: for the window decoration.
    pub rect: Option<Bounds>,
    pub state: State,
    pub style: Style,
    pub click: Option<Handler>,
    pub long_click: Option<Handler>,
    /// What a swipe to the left does, and one to the right.
    pub swipe: Option<[Act; 2]>,
    /// Its place in the list of such handles, and what dropping it at each place does.
    pub drops: Option<(usize, Vec<Act>)>,
    pub submit: Option<Act>,
    pub children: Vec<View<Untyped>>,
}

/// Distances on the four sides, in dp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edges {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

/// The states a dump tells as flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub enabled: bool,
    pub checkable: bool,
    pub checked: bool,
    pub selected: bool,
    pub password: bool,
    pub editable: bool,
    /// A field of several lines, or a text that wraps.
    pub multiline: bool,
    /// What a field takes.
    pub keys: Keys,
}

/// What happens on a touch: the app's action, or something the toolkit does itself.
#[derive(Clone, Debug)]
pub(super) enum Handler {
    Act(Act),
    /// Closes the topmost dialog or popup, then acts.
    Close(Option<Act>),
    /// Closes the drawer, then acts.
    Leave(Option<Act>),
    /// Keeps a value under an id of the topmost dialog, which stays.
    Put(&'static str, String),
    OpenDrawer,
    OpenMenu,
    /// Opens the search of the toolbar, whose field has this id.
    OpenSearch(&'static str),
    /// Empties the field of the toolbar's search; closes the search where it is empty.
    ClearSearch(&'static str),
    Up,
}

impl Tree {
    /// A view of this class without children, as large as its content.
    pub(super) fn new(class: &'static str, arrange: Arrange) -> Box<Self> {
        Box::new(Self {
            class,
            id: Cow::Borrowed(""),
            text: String::new(),
            description: String::new(),
            hint: String::new(),
            arrange,
            width: Extent::Wrap,
            height: Extent::Wrap,
            gravity: Gravity::default(),
            padding: Edges::default(),
            margin: Edges::default(),
            rect: None,
            state: State {
                enabled: true,
                checkable: false,
                checked: false,
                selected: false,
                password: false,
                editable: false,
                multiline: false,
                keys: Keys::All,
            },
            style: Style::default(),
            click: None,
            long_click: None,
            swipe: None,
            drops: None,
            submit: None,
            children: Vec::new(),
        })
    }

    pub(super) fn set_id(&mut self, id: Cow<'static, str>) {
        self.id = id;
    }

    pub(super) fn set_text(&mut self, text: String) {
        self.text = text;
    }

    pub(super) fn set_description(&mut self, description: String) {
        self.description = description;
    }

    pub(super) fn set_click(&mut self, handler: Handler) {
        self.click = Some(handler);
    }

    pub(super) fn set_long_click(&mut self, handler: Handler) {
        self.long_click = Some(handler);
    }

    pub(super) fn set_swipe(&mut self, forward: Act, backward: Act) {
        self.swipe = Some([forward, backward]);
    }

    pub(super) fn set_drops(&mut self, place: usize, actions: Vec<Act>) {
        self.drops = Some((place, actions));
    }

    pub(super) fn set_submit(&mut self, action: Act) {
        self.submit = Some(action);
    }

    pub(super) fn push(&mut self, child: View<Untyped>) {
        self.children.push(child);
    }
}

impl Edges {
    pub fn all(dp: i32) -> Self {
        Self { left: dp, top: dp, right: dp, bottom: dp }
    }
}
