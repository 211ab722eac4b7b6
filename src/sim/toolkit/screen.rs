//! Screens as apps describe them: a whole activity, with toolbar, menu and drawer around its own views.

use std::marker::PhantomData;

use super::scaffold::Scaffold;
use super::style::{Color, Icon};
use super::untyped::Act;
use super::view::View;

/// What an activity shows: its own views, and what every Android app has around them.
#[derive(Clone, Debug)]
pub struct Screen<A> {
    pub(super) scaffold: Box<Scaffold>,
    actions: PhantomData<A>,
}

impl<A> Screen<A> {
    /// A screen with a toolbar of this title above `body`.
    pub fn new(title: impl Into<String>, body: View<A>) -> Self {
        Self { scaffold: Scaffold::new(title.into(), body.untyped()), actions: PhantomData }
    }

    /// A screen that is nothing but this view.
    pub fn bare(body: View<A>) -> Self {
        let mut screen = Self::new("", body);
        screen.scaffold.framed = false;
        screen
    }

    /// A line in small text below the toolbar's title; none when it is empty.
    #[must_use]
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.scaffold.set_subtitle(subtitle.into());
        self
    }

    /// Colour of the toolbar.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.scaffold.color = color;
        self
    }

    /// Shows the arrow that ends the activity.
    #[must_use]
    pub fn up(mut self) -> Self {
        self.scaffold.set_up();
        self
    }

    /// Adds any view to the toolbar, such as a search field.
    #[must_use]
    pub fn tool(mut self, view: View<A>) -> Self {
        self.scaffold.add_tool(view.untyped());
        self
    }

    /// Adds a search to the toolbar: a button that opens a field of this id.
    /// [`ActivityState::query`](super::ActivityState::query) gives what is searched for; BACK closes the search before it
    /// leaves the page, and turning the screen keeps it.
    #[must_use]
    pub fn search(mut self, id: &'static str, hint: impl Into<String>) -> Self {
        self.scaffold.set_search(id, hint.into());
        self
    }

    /// Adds a view above the body, such as a floating action button; its gravity says where.
    #[must_use]
    pub fn over(mut self, view: View<A>) -> Self {
        self.scaffold.add_over(view.untyped());
        self
    }

    /// The screen never comes to rest (an endless animation): there are no dumps of it.
    #[must_use]
    pub fn restless(mut self) -> Self {
        self.scaffold.restless = true;
        self
    }
}

impl<A: Clone + Send + 'static> Screen<A> {
    /// Adds an item to the drawer, which the button at the left of the toolbar opens.
    #[must_use]
    pub fn drawer(mut self, text: impl Into<String>, chosen: bool, action: A) -> Self {
        self.scaffold.add_to_drawer(text.into(), chosen, Act::new(action));
        self
    }

    /// Adds a button to the toolbar.
    #[must_use]
    pub fn action(mut self, id: &'static str, icon: Icon, description: &str, action: A) -> Self {
        self.scaffold.add_button(id, icon, description, Act::new(action));
        self
    }

    /// Adds an item to the overflow menu.
    #[must_use]
    pub fn menu(mut self, text: impl Into<String>, action: A) -> Self {
        self.scaffold.add_to_menu(text.into(), None, Act::new(action));
        self
    }

    /// Adds an item to the overflow menu that is switched on and off, with a box that shows which.
    #[must_use]
    pub fn menu_check(mut self, text: impl Into<String>, checked: bool, action: A) -> Self {
        self.scaffold.add_to_menu(text.into(), Some(checked), Act::new(action));
        self
    }

    /// Shows a message at the foot of the screen with one button, such as Undo; what stands over the
    /// body moves up. It stays as long as the app shows it.
    #[must_use]
    pub fn snackbar(mut self, text: impl Into<String>, button: impl Into<String>, action: A) -> Self {
        self.scaffold.set_snackbar(text.into(), button.into(), Act::new(action));
        self
    }
}
