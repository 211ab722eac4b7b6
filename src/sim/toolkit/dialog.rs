//! Dialogs and popup menus: windows above an activity.

use super::fields::Fields;
use super::pickers::Picker;
use super::style::{Color, Control, TextSize};
use super::view::{Arrange, Extent, Gravity, Handler, View};

/// An alert dialog. It closes by any of its buttons, by BACK and by a touch beside it; only then is
/// the action of the button done, with the texts of its fields still there to
/// [read](super::Ctx::field).
#[derive(Clone, Debug)]
pub struct Dialog<A> {
    title: String,
    message: String,
    /// Id, hint and first text.
    pub(super) fields: Vec<(&'static str, String, String)>,
    /// Id, text and whether it is chosen at first, for items of which several can be chosen.
    checks: Vec<(&'static str, String, bool)>,
    /// Id, kind and what is picked at first.
    pickers: Vec<(&'static str, Picker, String)>,
    choices: Vec<(String, A)>,
    buttons: Vec<Button<A>>,
    /// Shown without a fragment.
    alone: bool,
}

/// An item of a menu: its text and what it does.
pub type MenuItem<A> = (String, A);

#[derive(Clone, Debug)]
struct Button<A> {
    id: &'static str,
    text: String,
    description: String,
    action: Option<A>,
}

/// What a window above the activity shows.
#[derive(Clone, Debug)]
pub(super) enum Content<A> {
    Dialog(Dialog<A>),
    Menu { items: Vec<Item<A>>, at: Gravity },
}

/// An item of a menu as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Item<A> {
    pub text: String,
    /// For an item that is switched on and off.
    pub checked: Option<bool>,
    pub action: A,
}

impl<A> From<MenuItem<A>> for Item<A> {
    fn from((text, action): MenuItem<A>) -> Self {
        Self { text, checked: None, action }
    }
}

/// How the window records whether something is chosen.
fn checked_text(checked: bool) -> &'static str {
    if checked { "1" } else { "" }
}

impl<A: Clone> Dialog<A> {
    /// With this title, and neither text nor fields nor buttons.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            message: String::new(),
            fields: Vec::new(),
            checks: Vec::new(),
            pickers: Vec::new(),
            choices: Vec::new(),
            buttons: Vec::new(),
            alone: false,
        }
    }

    /// The app shows it by itself, not through a fragment, and nothing brings it back when the activity is
    /// created again.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    pub(super) fn comes_back(&self) -> bool {
        !self.alone
    }

    /// The text under the title; without one there is none.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Adds a text field.
    #[must_use]
    pub fn field(mut self, id: &'static str, hint: impl Into<String>, text: impl Into<String>) -> Self {
        self.fields.push((id, hint.into(), text.into()));
        self
    }

    /// Adds an item of which several can be chosen. Choosing leaves the dialog open; whether the item
    /// is chosen can be [asked](super::Ctx::is_checked) under its id when a button closes the dialog.
    #[must_use]
    pub fn check(mut self, id: &'static str, text: impl Into<String>, checked: bool) -> Self {
        self.checks.push((id, text.into(), checked));
        self
    }

    pub(super) fn picker(mut self, id: &'static str, picker: Picker, first: String) -> Self {
        self.pickers.push((id, picker, first));
        self
    }

    /// The values that its window keeps, as they are at first: id and text.
    pub(super) fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = self.fields.iter().map(|(id, _, text)| (*id, text.as_str()));
        let checks = self.checks.iter().map(|(id, _, checked)| (*id, checked_text(*checked)));
        fields.chain(checks).chain(self.pickers.iter().map(|(id, _, first)| (*id, first.as_str())))
    }

    /// Adds an item to choose; choosing closes the dialog.
    #[must_use]
    pub fn choice(mut self, text: impl Into<String>, action: A) -> Self {
        self.choices.push((text.into(), action));
        self
    }

    /// The button on the right.
    #[must_use]
    pub fn positive(self, text: impl Into<String>, action: A) -> Self {
        self.button("android:id/button1", text, "", Some(action))
    }

    /// The button on the right, read out by screen readers as `description`.
    #[must_use]
    pub fn positive_described(
        self,
        text: impl Into<String>,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        self.button("android:id/button1", text, description, Some(action))
    }

    /// A button that only closes.
    #[must_use]
    pub fn negative(self, text: impl Into<String>) -> Self {
        self.button("android:id/button2", text, "", None)
    }

    /// The button on the left.
    #[must_use]
    pub fn neutral(self, text: impl Into<String>, action: A) -> Self {
        self.button("android:id/button3", text, "", Some(action))
    }

    fn button(
        mut self,
        id: &'static str,
        text: impl Into<String>,
        description: impl Into<String>,
        action: Option<A>,
    ) -> Self {
        self.buttons.push(Button { id, text: text.into(), description: description.into(), action });
        self
    }

    fn panel(&self, kept: &Fields) -> View<A> {
        let mut panel = View::column().id("android:id/parentPanel").wide();
        if !self.title.is_empty() {
            let title = View::label("android:id/alertTitle", &self.title).text_size(TextSize::Title).wide();
            let template = View::row().id("android:id/title_template").wide().pad_sides(24, 16).child(title);
            panel = panel.child(View::column().id("android:id/topPanel").wide().child(template));
        }
        if !self.message.is_empty() {
            let message = View::label("android:id/message", &self.message)
                .wide()
                .multiline()
                .pad_sides(24, 8)
                .ink(Color::FAINT);
            panel = panel.child(View::frame().id("android:id/contentPanel").wide().child(message));
        }
        if !self.fields.is_empty() {
            let field =
                |(id, hint, _): &(&'static str, String, String)| View::field(*id, hint).margin(20, 4, 20, 4);
            let custom =
                View::column().id("android:id/custom").wide().children(self.fields.iter().map(field));
            panel = panel.child(View::frame().id("android:id/customPanel").wide().child(custom));
        }
        for (id, picker, _) in &self.pickers {
            panel = panel.child(picker.view(id, kept));
        }
        if !self.checks.is_empty() {
            let check = |(id, text, _): &(&'static str, String, bool)| {
                let checked = !kept.text(id).is_empty();
                let mut row = View::new("android.widget.CheckedTextView", Arrange::Leaf)
                    .id("android:id/text1")
                    .with_text(text)
                    .high(48)
                    .pad_sides(24, 8)
                    .control(Control::CheckBox)
                    .handle(Handler::Put(id, checked_text(!checked).to_owned()));
                row.state.checkable = true;
                row.state.checked = checked;
                row
            };
            let list = View::list("android:id/select_dialog_listview")
                .size(Extent::Fill, Extent::Wrap)
                .children(self.checks.iter().map(check));
            panel = panel.child(View::frame().id("android:id/contentPanel").wide().child(list));
        }
        if !self.choices.is_empty() {
            let choice = |(text, action): &(String, A)| {
                View::label("android:id/text1", text)
                    .high(48)
                    .pad_sides(24, 8)
                    .handle(Handler::Close(Some(action.clone())))
            };
            let list = View::list("android:id/select_dialog_listview")
                .size(Extent::Fill, Extent::Wrap)
                .children(self.choices.iter().map(choice));
            panel = panel.child(View::frame().id("android:id/contentPanel").wide().child(list));
        }
        if !self.buttons.is_empty() {
            panel = panel.child(self.button_bar());
        }
        panel
    }

    fn button_bar(&self) -> View<A> {
        // Android's order: neutral, negative, positive.
        let ids = ["android:id/button3", "android:id/button2", "android:id/button1"];
        let ordered = ids.iter().flat_map(|id| self.buttons.iter().filter(move |b| b.id == *id));
        let button = |b: &Button<A>| {
            View::plain_button(b.id, &b.text)
                .describe(&b.description)
                .handle(Handler::Close(b.action.clone()))
        };
        let bar = View::row().at(Gravity::CenterEnd).children(ordered.map(button));
        View::frame().id("android:id/buttonPanel").wide().pad_sides(12, 8).child(bar)
    }
}

impl<A: Clone> Content<A> {
    /// The window's tree.
    pub(super) fn view(&self, kept: &Fields) -> View<A> {
        match self {
            Self::Dialog(dialog) => {
                let content = View::frame().id("android:id/content").wide().child(dialog.panel(kept));
                let inner = View::frame()
                    .wide()
                    .background(Color::WHITE)
                    .rounded(4)
                    .margin(8, 8, 8, 8)
                    .child(content);
                View::frame().size(Extent::Dp(312), Extent::Wrap).child(inner)
            }
            Self::Menu { items, .. } => {
                let item = |Item { text, checked, action }: &Item<A>| {
                    let title = View::label("title", text).at(Gravity::CenterStart);
                    let mut texts =
                        View::new("android.widget.RelativeLayout", Arrange::Frame).fill().child(title);
                    if let Some(checked) = checked {
                        let mut mark = View::new("android.widget.CheckBox", Arrange::Leaf)
                            .id("checkbox")
                            .size(Extent::Dp(40), Extent::Dp(40))
                            .at(Gravity::CenterEnd)
                            .control(Control::CheckBox);
                        (mark.state.checkable, mark.state.checked) = (true, *checked);
                        texts = texts.child(mark);
                    }
                    View::column()
                        .id("content")
                        .high(48)
                        .pad_sides(16, 0)
                        .handle(Handler::Close(Some(action.clone())))
                        .child(texts)
                };
                let list = View::new("android.widget.ListView", Arrange::Scroll)
                    .size(Extent::Dp(196), Extent::Wrap)
                    .background(Color::WHITE)
                    .children(items.iter().map(item));
                View::frame().child(list)
            }
        }
    }

    /// Where on the screen the window goes.
    pub(super) fn gravity(&self) -> Gravity {
        match self {
            Self::Dialog(_) => Gravity::Center,
            Self::Menu { at, .. } => *at,
        }
    }
}
