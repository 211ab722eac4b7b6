//! The widgets apps are put together from, with the classes of the Android widgets they stand for.

use std::borrow::Cow;

use super::style::{Color, Control, Icon, TextSize};
use super::tree::Handler;
use super::untyped::{Act, Untyped};
use super::view::{Arrange, Extent, Gravity, View};

impl<A> View<A> {
    /// A `LinearLayout`, its children below each other.
    pub fn column() -> Self {
        Self::new("android.widget.LinearLayout", Arrange::Column)
    }

    /// A `LinearLayout`, its children side by side.
    pub fn row() -> Self {
        Self::new("android.widget.LinearLayout", Arrange::Row)
    }

    /// A `FrameLayout`, its children on top of each other.
    pub fn frame() -> Self {
        Self::new("android.widget.FrameLayout", Arrange::Frame)
    }

    /// A `TextView`.
    pub fn text(text: impl Into<String>) -> Self {
        label(Cow::Borrowed(""), text.into()).typed()
    }

    /// A `TextView` with an id.
    pub fn label(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        label(id.into(), text.into()).typed()
    }

    /// An `ImageView` showing a made-up photograph drawn from `seed`.
    pub fn picture(id: impl Into<Cow<'static, str>>, seed: u64, description: impl Into<String>) -> Self {
        picture(id.into(), seed, description.into()).typed()
    }

    /// An `ImageView` showing an icon.
    pub fn image(id: impl Into<Cow<'static, str>>, icon: Icon) -> Self {
        image(id.into(), icon).typed()
    }

    /// An `EditText`. Its text is kept by the page under this id.
    pub fn field(id: impl Into<Cow<'static, str>>, hint: impl Into<String>) -> Self {
        field(id.into(), hint.into()).typed()
    }

    /// A `RecyclerView`: a scrolling column.
    pub fn recycler(id: impl Into<Cow<'static, str>>) -> Self {
        Self::new("androidx.recyclerview.widget.RecyclerView", Arrange::Scroll).id(id).fill()
    }

    /// A `RecyclerView` that fills lines from left to right.
    pub fn flow(id: impl Into<Cow<'static, str>>) -> Self {
        Self::new("androidx.recyclerview.widget.RecyclerView", Arrange::Flow).id(id).fill()
    }

    /// A `ListView`: a scrolling column.
    pub fn list(id: impl Into<Cow<'static, str>>) -> Self {
        Self::new("android.widget.ListView", Arrange::Scroll).id(id).fill()
    }

    /// A `ScrollView` around a page that may be longer than the screen.
    pub fn scroll(id: impl Into<Cow<'static, str>>) -> Self {
        Self::new("android.widget.ScrollView", Arrange::Scroll).id(id).fill()
    }

    /// A thin line.
    pub fn divider() -> Self {
        Self::new("android.view.View", Arrange::Leaf).high(1).control(Control::Divider)
    }

    /// A launcher icon.
    pub fn shortcut(label: &str, color: Color) -> Self {
        Self::text(label)
            .describe(label)
            .ink(Color::WHITE)
            .text_size(TextSize::Small)
            .control(Control::Shortcut(color))
    }
}

impl<A: Clone + Send + 'static> View<A> {
    /// A `Button`.
    pub fn button(id: impl Into<Cow<'static, str>>, text: impl Into<String>, action: A) -> Self {
        plain_button(id.into(), text.into()).control(Control::Button).typed().on_click(action)
    }

    /// An `ImageButton` of 48 dp.
    pub fn icon_button(
        id: impl Into<Cow<'static, str>>,
        icon: Icon,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        plain_icon(id.into(), icon, description.into()).typed().on_click(action)
    }

    /// A floating action button: an `ImageButton` on a coloured disc.
    pub fn fab(
        id: impl Into<Cow<'static, str>>,
        icon: Icon,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        fab(id.into(), icon, description.into()).typed().on_click(action)
    }

    /// A `CheckBox`; the action is what a tap does.
    pub fn check_box(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        checkable("android.widget.CheckBox", Control::CheckBox, id.into(), text.into(), checked)
            .typed()
            .on_click(action)
    }

    /// A `Switch` without a label.
    pub fn switch(id: impl Into<Cow<'static, str>>, checked: bool, action: A) -> Self {
        switch(id.into(), checked).typed().on_click(action)
    }

    /// A `RadioButton`; choosing one does not unchoose others by itself.
    pub fn radio(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        checkable("android.widget.RadioButton", Control::Radio, id.into(), text.into(), checked)
            .typed()
            .on_click(action)
    }

    /// A `ToggleButton` that shows its text whether on or off.
    pub fn toggle(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        checkable("android.widget.ToggleButton", Control::CheckBox, id.into(), text.into(), checked)
            .typed()
            .on_click(action)
    }

    /// A row of tabs, as a `TabLayout` dumps it.
    pub fn tabs(
        id: impl Into<Cow<'static, str>>,
        chosen: usize,
        tabs: impl IntoIterator<Item = (&'static str, A)>,
    ) -> Self {
        let tabs = tabs.into_iter().enumerate();
        let row = View::row()
            .fill()
            .children(tabs.map(|(n, (name, action))| tab(name, n == chosen).typed().on_click(action)));
        Self::new("android.widget.HorizontalScrollView", Arrange::Frame).id(id).high(40).child(row)
    }

    /// A row of a settings page: title, what it means, and a switch.
    pub fn setting(title: &str, summary: &str, on: bool, action: A) -> Self {
        setting(title, summary, on, Act::new(action)).typed()
    }
}

fn label(id: Cow<'static, str>, text: String) -> View<Untyped> {
    View::new("android.widget.TextView", Arrange::Leaf).with_text(text).id(id)
}

fn picture(id: Cow<'static, str>, seed: u64, description: String) -> View<Untyped> {
    View::new("android.widget.ImageView", Arrange::Leaf)
        .id(id)
        .describe(description)
        .size(Extent::Dp(72), Extent::Dp(72))
        .control(Control::Picture(seed))
}

fn image(id: Cow<'static, str>, icon: Icon) -> View<Untyped> {
    View::new("android.widget.ImageView", Arrange::Leaf)
        .id(id)
        .icon(icon)
        .size(Extent::Dp(40), Extent::Dp(40))
}

fn field(id: Cow<'static, str>, hint: String) -> View<Untyped> {
    let mut view = View::new("android.widget.EditText", Arrange::Leaf)
        .id(id)
        .size(Extent::Fill, Extent::Dp(48))
        .pad_sides(4, 8)
        .control(Control::Field);
    view.tree.hint = hint;
    view.tree.state.editable = true;
    view
}

/// A button whose touch does nothing yet.
pub(super) fn plain_button(id: Cow<'static, str>, text: String) -> View<Untyped> {
    View::new("android.widget.Button", Arrange::Leaf)
        .id(id)
        .with_text(text)
        .size(Extent::Wrap, Extent::Dp(48))
        .pad_sides(12, 0)
        .ink(Color::BLUE)
        .centered()
}

/// A button with an icon whose touch does nothing yet.
pub(super) fn plain_icon(id: Cow<'static, str>, icon: Icon, description: String) -> View<Untyped> {
    View::new("android.widget.ImageButton", Arrange::Leaf)
        .id(id)
        .icon(icon)
        .describe(description)
        .size(Extent::Dp(48), Extent::Dp(48))
}

fn fab(id: Cow<'static, str>, icon: Icon, description: String) -> View<Untyped> {
    plain_icon(id, icon, description)
        .size(Extent::Dp(56), Extent::Dp(56))
        .background(Color::AMBER)
        .rounded(28)
}

fn checkable(
    class: &'static str,
    control: Control,
    id: Cow<'static, str>,
    text: String,
    checked: bool,
) -> View<Untyped> {
    let mut view = View::new(class, Arrange::Leaf)
        .id(id)
        .with_text(text)
        .size(Extent::Wrap, Extent::Dp(48))
        .pad_sides(8, 0)
        .control(control);
    view.tree.state.checkable = true;
    view.tree.state.checked = checked;
    view
}

fn switch(id: Cow<'static, str>, checked: bool) -> View<Untyped> {
    checkable("android.widget.Switch", Control::Switch, id, String::new(), checked)
        .size(Extent::Dp(56), Extent::Dp(40))
}

fn tab(name: &'static str, chosen: bool) -> View<Untyped> {
    View::new("androidx.appcompat.app.ActionBar$Tab", Arrange::Frame)
        .describe(name)
        .size(Extent::Share, Extent::Fill)
        .selected(chosen)
        .control(Control::Tab)
        .child(
            View::text(name).at(Gravity::Center).text_size(TextSize::Small).selected(chosen).ink(if chosen {
                Color::INK
            } else {
                Color::FAINT
            }),
        )
}

fn setting(title: &str, summary: &str, on: bool, action: Act) -> View<Untyped> {
    let texts = View::column()
        .share_width()
        .child(View::label("android:id/title", title))
        .child(View::label("android:id/summary", summary).text_size(TextSize::Small).ink(Color::FAINT));
    let switch = switch("android:id/switch_widget".into(), on).handle(Handler::Act(action.clone()));
    let widget = View::frame().id("android:id/widget_frame").child(switch);
    View::row().wide().pad(16).handle(Handler::Act(action)).child(texts).child(widget)
}
