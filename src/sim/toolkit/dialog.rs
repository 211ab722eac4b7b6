//! Dialogs and popup menus as apps describe them.

use std::marker::PhantomData;

use super::alert::Alert;
use super::pickers::Picker;
use super::untyped::Act;

/// An alert dialog. It closes by any of its buttons, by BACK and by a touch beside it; only then is
/// the action of the button done, with the texts of its fields still there to
/// [read](super::Ctx::field).
#[derive(Clone, Debug)]
pub struct Dialog<A> {
    pub(super) alert: Box<Alert>,
    actions: PhantomData<A>,
}

/// An item of a menu: its text and what it does.
pub type MenuItem<A> = (String, A);

impl<A> Dialog<A> {
    /// With this title, and neither text nor fields nor buttons.
    pub fn new(title: impl Into<String>) -> Self {
        Self { alert: Alert::new(title.into()), actions: PhantomData }
    }

    /// The app shows it by itself, not through a fragment, and nothing brings it back when the activity is
    /// created again.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.alert.alone = true;
        self
    }

    /// The text under the title; without one there is none.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.alert.set_message(message.into());
        self
    }

    /// Adds a text field.
    #[must_use]
    pub fn field(mut self, id: &'static str, hint: impl Into<String>, text: impl Into<String>) -> Self {
        self.alert.add_field(id, hint.into(), text.into());
        self
    }

    /// Adds an item of which several can be chosen. Choosing leaves the dialog open; whether the item
    /// is chosen can be [asked](super::Ctx::is_checked) under its id when a button closes the dialog.
    #[must_use]
    pub fn check(mut self, id: &'static str, text: impl Into<String>, checked: bool) -> Self {
        self.alert.add_check(id, text.into(), checked);
        self
    }

    /// A button that only closes.
    #[must_use]
    pub fn negative(self, text: impl Into<String>) -> Self {
        self.button("android:id/button2", text.into(), String::new(), None)
    }

    pub(super) fn picker(mut self, id: &'static str, picker: Picker, first: String) -> Self {
        self.alert.add_picker(id, picker, first);
        self
    }

    fn button(mut self, id: &'static str, text: String, description: String, action: Option<Act>) -> Self {
        self.alert.add_button(id, text, description, action);
        self
    }
}

impl<A: Clone + Send + 'static> Dialog<A> {
    /// Adds an item to choose; choosing closes the dialog.
    #[must_use]
    pub fn choice(mut self, text: impl Into<String>, action: A) -> Self {
        self.alert.add_choice(text.into(), Act::new(action));
        self
    }

    /// The button on the right.
    #[must_use]
    pub fn positive(self, text: impl Into<String>, action: A) -> Self {
        self.button("android:id/button1", text.into(), String::new(), Some(Act::new(action)))
    }

    /// The button on the right, read out by screen readers as `description`.
    #[must_use]
    pub fn positive_described(
        self,
        text: impl Into<String>,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        self.button("android:id/button1", text.into(), description.into(), Some(Act::new(action)))
    }

    /// The button on the left.
    #[must_use]
    pub fn neutral(self, text: impl Into<String>, action: A) -> Self {
        self.button("android:id/button3", text.into(), String::new(), Some(Act::new(action)))
    }
}
