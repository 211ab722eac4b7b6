//! What an app can do when something happens.

use std::marker::PhantomData;

use super::alert::{Content, Item};
use super::untyped::{Act, Untyped};
use super::{ActivityState, Dialog, Env, Gravity, MenuItem, Throwable};

/// The activity on top and what its app wants done. Requests are carried out when the app returns,
/// in the order they were made.
pub struct Ctx<'a, A> {
    page: &'a mut ActivityState,
    env: &'a Env,
    /// Texts of the fields of the dialog that was just closed.
    entered: &'a [(String, String)],
    wishes: &'a mut Wishes,
    actions: PhantomData<A>,
}

/// What an app asked for.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    Start { activity: &'static str, argument: String },
    Finish,
    Show(Content),
    Dismiss,
    HideKeyboard,
    Focus(String),
    Toast(String),
    Ask(String),
    Crash(Throwable),
    Hang(String),
    Open(String),
}

/// The requests so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Wishes(pub Vec<Wish>);

impl Wishes {
    fn add(&mut self, wish: Wish) {
        self.0.push(wish);
    }
}

/// What was entered in the field, or kept under the id, of a dialog.
fn entered<'a>(entered: &'a [(String, String)], id: &str) -> Option<&'a str> {
    entered.iter().find(|(field, _)| field == id).map(|(_, text)| text.as_str())
}

impl<'a> Ctx<'a, Untyped> {
    /// For an app whose wishes are added to these.
    pub(super) fn new(
        page: &'a mut ActivityState,
        env: &'a Env,
        entered: &'a [(String, String)],
        wishes: &'a mut Wishes,
    ) -> Self {
        Self { page, env, entered, wishes, actions: PhantomData }
    }

    /// The same for an app with this type of actions.
    pub(super) fn typed<A>(self) -> Ctx<'a, A> {
        let Self { page, env, entered, wishes, .. } = self;
        Ctx { page, env, entered, wishes, actions: PhantomData }
    }
}

impl<A> Ctx<'_, A> {
    /// The activity on top.
    pub fn page(&self) -> &ActivityState {
        self.page
    }

    /// The phone as the app sees it: the time, chance, permissions.
    pub fn env(&self) -> &Env {
        self.env
    }

    /// The text of a field: of the dialog that was just closed, else of the activity.
    pub fn field(&self, id: &str) -> String {
        entered(self.entered, id).unwrap_or_else(|| self.page.field(id)).to_owned()
    }

    /// Whether this was chosen in the dialog that was just closed, see [`Dialog::check`].
    pub fn is_checked(&self, id: &str) -> bool {
        entered(self.entered, id).is_some_and(|text| !text.is_empty())
    }

    /// Changes the text of a field of the activity.
    pub fn set_field(&mut self, id: &str, text: impl Into<String>) {
        self.page.fields.set(id, text.into());
    }

    /// Sets a variable of the activity, which is lost when the system creates it again.
    pub fn set(&mut self, name: &'static str, value: impl ToString) {
        self.page.set_variable(name, value.to_string(), false);
    }

    /// Sets a variable of the activity that is part of its saved instance state.
    pub fn save(&mut self, name: &'static str, value: impl ToString) {
        self.page.set_variable(name, value.to_string(), true);
    }

    /// Scrolls a list back to its start.
    pub fn scroll_to_top(&mut self, id: &str) {
        self.page.scroll_to_top(id);
    }

    /// Starts an activity of this app above the present one.
    pub fn start(&mut self, activity: &'static str, argument: impl ToString) {
        self.wishes.add(Wish::Start { activity, argument: argument.to_string() });
    }

    /// Ends the activity.
    pub fn finish(&mut self) {
        self.wishes.add(Wish::Finish);
    }

    /// Opens a dialog above the activity and what is open on it; the keyboard goes away.
    pub fn show(&mut self, dialog: Dialog<A>) {
        self.wishes.add(Wish::Show(Content::Dialog(dialog.alert)));
    }

    /// Closes the dialogs and popups above the activity; none of their buttons' actions are done.
    pub fn dismiss(&mut self) {
        self.wishes.add(Wish::Dismiss);
    }

    /// Shows a passing message; it is on screenshots but in no dump.
    pub fn toast(&mut self, text: impl Into<String>) {
        self.wishes.add(Wish::Toast(text.into()));
    }

    /// Takes the keyboard off the screen; the focus stays where it is.
    pub fn hide_keyboard(&mut self) {
        self.wishes.add(Wish::HideKeyboard);
    }

    /// Gives a field of the activity the focus and shows the keyboard.
    pub fn focus(&mut self, id: impl Into<String>) {
        self.wishes.add(Wish::Focus(id.into()));
    }

    /// Asks the user for a permission of the manifest; the answer comes as
    /// [`Input::Answered`](super::Input::Answered).
    pub fn ask(&mut self, permission: &str) {
        self.wishes.add(Wish::Ask(permission.to_owned()));
    }

    /// Ends the process with an uncaught exception.
    pub fn crash(&mut self, throwable: Throwable) {
        self.wishes.add(Wish::Crash(throwable));
    }

    /// Blocks the main thread for good: the system reports that the app is not responding.
    pub fn hang(&mut self, reason: impl Into<String>) {
        self.wishes.add(Wish::Hang(reason.into()));
    }

    /// Brings another app to the front.
    pub fn open_app(&mut self, package: &str) {
        self.wishes.add(Wish::Open(package.to_owned()));
    }
}

impl<A: Clone + Send + 'static> Ctx<'_, A> {
    /// Opens a context menu.
    pub fn popup(&mut self, items: Vec<MenuItem<A>>) {
        let item = |(text, action)| Item { text, checked: None, action: Act::new(action) };
        let items = items.into_iter().map(item).collect();
        self.wishes.add(Wish::Show(Content::Menu { items, at: Gravity::Center }));
    }
}
