//! What windows above an activity show: the dialogs and menus that apps asked for, once the type of their actions is put
//! aside.

use super::fields::Fields;
use super::pickers::Picker;
use super::style::{Color, Control, TextSize};
use super::tree::Handler;
use super::untyped::{Act, Untyped};
use super::view::{Arrange, Extent, Gravity, View};
use super::widgets::plain_button;

/// An alert dialog as its app described it.
#[derive(Clone, Debug, Default)]
pub(super) struct Alert {
    title: String,
    message: String,
    /// Id, hint and first text.
    pub fields: Vec<(&'static str, String, String)>,
    /// Id, text and whether it is chosen at first, for items of which several can be chosen.
    checks: Vec<(&'static str, String, bool)>,
    /// Id, kind and what is picked at first.
    pickers: Vec<(&'static str, Picker, String)>,
    choices: Vec<(String, Act)>,
    buttons: Vec<Button>,
    /// Shown without a fragment.
    pub alone: bool,
}

#[derive(Clone, Debug)]
struct Button {
    id: &'static str,
    text: String,
    description: String,
    action: Option<Act>,
}

/// What a window above the activity shows.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Dialog(Box<Alert>),
    Menu { items: Vec<Item>, at: Gravity },
}

/// An item of a menu as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub text: String,
    /// For an item that is switched on and off.
    pub checked: Option<bool>,
    pub action: Act,
}

/// How the window records whether something is chosen.
fn checked_text(checked: bool) -> &'static str {
    if checked { "1" } else { "" }
}

impl Alert {
    pub(super) fn new(title: String) -> Box<Self> {
        Box::new(Self { title, ..Self::default() })
    }

    pub(super) fn set_message(&mut self, message: String) {
        self.message = message;
    }

    pub(super) fn add_field(&mut self, id: &'static str, hint: String, text: String) {
        self.fields.push((id, hint, text));
    }

    pub(super) fn add_check(&mut self, id: &'static str, text: String, checked: bool) {
        self.checks.push((id, text, checked));
    }

    pub(super) fn add_picker(&mut self, id: &'static str, picker: Picker, first: String) {
        self.pickers.push((id, picker, first));
    }

    pub(super) fn add_choice(&mut self, text: String, action: Act) {
        self.choices.push((text, action));
    }

    /// An empty description is none.
    pub(super) fn add_button(
        &mut self,
        id: &'static str,
        text: String,
        description: String,
        action: Option<Act>,
    ) {
        self.buttons.push(Button { id, text, description, action });
    }

    pub(super) fn comes_back(&self) -> bool {
        !self.alone
    }

    /// The values that its window keeps, as they are at first: id and text.
    pub(super) fn values(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = self.fields.iter().map(|(id, _, text)| (*id, text.as_str()));
        let checks = self.checks.iter().map(|(id, _, checked)| (*id, checked_text(*checked)));
        fields.chain(checks).chain(self.pickers.iter().map(|(id, _, first)| (*id, first.as_str())))
    }

    fn panel(&self, kept: &Fields) -> View<Untyped> {
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
                row.tree.state.checkable = true;
                row.tree.state.checked = checked;
                row
            };
            let list = View::list("android:id/select_dialog_listview")
                .size(Extent::Fill, Extent::Wrap)
                .children(self.checks.iter().map(check));
            panel = panel.child(View::frame().id("android:id/contentPanel").wide().child(list));
        }
        if !self.choices.is_empty() {
            let choice = |(text, action): &(String, Act)| {
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

    fn button_bar(&self) -> View<Untyped> {
        // Android's order: neutral, negative, positive.
        let ids = ["android:id/button3", "android:id/button2", "android:id/button1"];
        let ordered = ids.iter().flat_map(|id| self.buttons.iter().filter(move |b| b.id == *id));
        let button = |b: &Button| {
            plain_button(b.id.into(), b.text.clone())
                .describe(&b.description)
                .handle(Handler::Close(b.action.clone()))
        };
        let bar = View::row().at(Gravity::CenterEnd).children(ordered.map(button));
        View::frame().id("android:id/buttonPanel").wide().pad_sides(12, 8).child(bar)
    }
}

impl Content {
    /// The window's tree.
    pub(super) fn view(&self, kept: &Fields) -> View<Untyped> {
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
                let item = |Item { text, checked, action }: &Item| {
                    let title = View::label("title", text).at(Gravity::CenterStart);
                    let mut texts =
                        View::new("android.widget.RelativeLayout", Arrange::Frame).fill().child(title);
                    if let Some(checked) = checked {
                        let mut mark = View::new("android.widget.CheckBox", Arrange::Leaf)
                            .id("checkbox")
                            .size(Extent::Dp(40), Extent::Dp(40))
                            .at(Gravity::CenterEnd)
                            .control(Control::CheckBox);
                        (mark.tree.state.checkable, mark.tree.state.checked) = (true, *checked);
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
