//! The state of one activity on the screen: its arguments, variables, fields and scroll positions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::fields::Fields;

/// One activity of a back stack.
///
/// What an app keeps in its own struct belongs to the process or the disk; what belongs to one
/// screen is kept here. When the system creates the activity again, because its configuration changed or
/// its process was killed in the background, the texts and the focus of fields, scroll positions, an open
/// drawer and [saved](super::Ctx::save) variables survive; others are gone.
#[derive(Clone, Debug, Default)]
pub struct ActivityState {
    pub(super) activity: Cow<'static, str>,
    pub(super) argument: String,
    variables: BTreeMap<&'static str, Variable>,
    pub(super) fields: Fields,
    pub(super) scrolls: BTreeMap<String, i32>,
    pub(super) drawer_open: bool,
    /// Whether the toolbar's search is open.
    pub(super) searching: bool,
}

#[derive(Clone, Debug)]
struct Variable {
    value: String,
    /// True when it is part of the saved instance state.
    saved: bool,
}

impl ActivityState {
    pub(super) fn new(activity: impl Into<Cow<'static, str>>, argument: String) -> Self {
        Self { activity: activity.into(), argument, ..Self::default() }
    }

    /// The short name of the activity, as the manifest lists it.
    pub fn activity(&self) -> &str {
        &self.activity
    }

    /// What the starter of the activity passed along; empty when nothing.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// The argument as a number.
    pub fn argument_number(&self) -> Option<u64> {
        self.argument.parse().ok()
    }

    /// A variable of this activity; empty when unset.
    pub fn variable(&self, name: &str) -> &str {
        self.variables.get(name).map_or("", |v| &v.value)
    }

    /// A variable as a number, 0 when unset.
    pub fn number(&self, name: &str) -> u64 {
        self.variable(name).parse().unwrap_or(0)
    }

    /// The text in a field of this activity; empty when nothing was typed.
    pub fn field(&self, id: &str) -> &str {
        self.fields.text(id)
    }

    /// What is searched for in the toolbar, by the id of the [search](super::Screen::search): without spaces around
    /// it, empty when nothing was typed yet; `None` while the search is closed.
    pub fn query(&self, id: &str) -> Option<&str> {
        self.searching.then(|| self.field(id).trim())
    }

    /// Sets a variable, which is part of the saved instance state or not.
    pub(super) fn set_variable(&mut self, name: &'static str, value: String, saved: bool) {
        self.variables.insert(name, Variable { value, saved });
    }

    /// Scrolls a list back to its start.
    pub(super) fn scroll_to_top(&mut self, id: &str) {
        self.scrolls.remove(id);
    }

    /// What is left of the activity when the system creates it again.
    pub(super) fn recreate(&mut self) {
        self.variables.retain(|_, variable| variable.saved);
    }
}
