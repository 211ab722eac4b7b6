//! The widgets apps are put together from, with the classes of the Android widgets they stand for.

use std::borrow::Cow;

use super::style::{Color, Control, Icon, TextSize};
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
        Self::new("android.widget.TextView", Arrange::Leaf).with_text(text)
    }

    /// A `TextView` with an id.
    pub fn label(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self::text(text).id(id)
    }

    /// A `Button`.
    pub fn button(id: impl Into<Cow<'static, str>>, text: impl Into<String>, action: A) -> Self {
        Self::plain_button(id, text).control(Control::Button).on_click(action)
    }

    /// An `ImageButton` of 48 dp.
    pub fn icon_button(
        id: impl Into<Cow<'static, str>>,
        icon: Icon,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        Self::plain_icon(id, icon, description).on_click(action)
    }

    /// A floating action button: an `ImageButton` on a coloured disc.
    pub fn fab(
        id: impl Into<Cow<'static, str>>,
        icon: Icon,
        description: impl Into<String>,
        action: A,
    ) -> Self {
        Self::icon_button(id, icon, description, action)
            .size(Extent::Dp(56), Extent::Dp(56))
            .background(Color::AMBER)
            .rounded(28)
    }

    /// An `ImageView` showing a made-up photograph drawn from `seed`.
    pub fn picture(id: impl Into<Cow<'static, str>>, seed: u64, description: impl Into<String>) -> Self {
        Self::new("android.widget.ImageView", Arrange::Leaf)
            .id(id)
            .describe(description)
            .size(Extent::Dp(72), Extent::Dp(72))
            .control(Control::Picture(seed))
    }

    /// An `ImageView` showing an icon.
    pub fn image(id: impl Into<Cow<'static, str>>, icon: Icon) -> Self {
        Self::new("android.widget.ImageView", Arrange::Leaf)
            .id(id)
            .icon(icon)
            .size(Extent::Dp(40), Extent::Dp(40))
    }

    /// An `EditText`. Its text is kept by the page under this id.
    pub fn field(id: impl Into<Cow<'static, str>>, hint: impl Into<String>) -> Self {
        let mut view = Self::new("android.widget.EditText", Arrange::Leaf)
            .id(id)
            .size(Extent::Fill, Extent::Dp(48))
            .pad_sides(4, 8)
            .control(Control::Field);
        view.hint = hint.into();
        view.state.editable = true;
        view
    }

    /// A `CheckBox`; the action is what a tap does.
    pub fn check_box(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        Self::checkable("android.widget.CheckBox", Control::CheckBox, id, text, checked).on_click(action)
    }

    /// A `Switch` without a label.
    pub fn switch(id: impl Into<Cow<'static, str>>, checked: bool, action: A) -> Self {
        Self::checkable("android.widget.Switch", Control::Switch, id, "", checked)
            .size(Extent::Dp(56), Extent::Dp(40))
            .on_click(action)
    }

    /// A `RadioButton`; choosing one does not unchoose others by itself.
    pub fn radio(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        Self::checkable("android.widget.RadioButton", Control::Radio, id, text, checked).on_click(action)
    }

    /// A `ToggleButton` that shows its text whether on or off.
    pub fn toggle(
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
        action: A,
    ) -> Self {
        Self::checkable("android.widget.ToggleButton", Control::CheckBox, id, text, checked).on_click(action)
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

    /// A row of tabs, as a `TabLayout` dumps it.
    pub fn tabs(
        id: impl Into<Cow<'static, str>>,
        chosen: usize,
        tabs: impl IntoIterator<Item = (&'static str, A)>,
    ) -> Self {
        let tab = |(n, (name, action)): (usize, (&'static str, A))| {
            View::new("androidx.appcompat.app.ActionBar$Tab", Arrange::Frame)
                .describe(name)
                .size(Extent::Share, Extent::Fill)
                .selected(n == chosen)
                .on_click(action)
                .control(Control::Tab)
                .child(
                    View::text(name)
                        .at(Gravity::Center)
                        .text_size(TextSize::Small)
                        .selected(n == chosen)
                        .ink(if n == chosen { Color::INK } else { Color::FAINT }),
                )
        };
        let row = View::row().fill().children(tabs.into_iter().enumerate().map(tab));
        Self::new("android.widget.HorizontalScrollView", Arrange::Frame).id(id).high(40).child(row)
    }

    /// A row of a settings page: title, what it means, and a switch.
    pub fn setting(title: &str, summary: &str, on: bool, action: A) -> Self
    where
        A: Clone,
    {
        let texts = View::column()
            .share_width()
            .child(View::label("android:id/title", title))
            .child(View::label("android:id/summary", summary).text_size(TextSize::Small).ink(Color::FAINT));
        let widget = View::frame().id("android:id/widget_frame").child(View::switch(
            "android:id/switch_widget",
            on,
            action.clone(),
        ));
        View::row().wide().pad(16).on_click(action).child(texts).child(widget)
    }

    /// A launcher icon.
    pub fn shortcut(label: &str, color: Color) -> Self {
        Self::text(label)
            .describe(label)
            .ink(Color::WHITE)
            .text_size(TextSize::Small)
            .control(Control::Shortcut(color))
    }

    pub(super) fn plain_button(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self::new("android.widget.Button", Arrange::Leaf)
            .id(id)
            .with_text(text)
            .size(Extent::Wrap, Extent::Dp(48))
            .pad_sides(12, 0)
            .ink(Color::BLUE)
            .centered()
    }

    pub(super) fn plain_icon(
        id: impl Into<Cow<'static, str>>,
        icon: Icon,
        description: impl Into<String>,
    ) -> Self {
        Self::new("android.widget.ImageButton", Arrange::Leaf)
            .id(id)
            .icon(icon)
            .describe(description)
            .size(Extent::Dp(48), Extent::Dp(48))
    }

    fn checkable(
        class: &'static str,
        control: Control,
        id: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        checked: bool,
    ) -> Self {
        let mut view = Self::new(class, Arrange::Leaf)
            .id(id)
            .with_text(text)
            .size(Extent::Wrap, Extent::Dp(48))
            .pad_sides(8, 0)
            .control(control);
        view.state.checkable = true;
        view.state.checked = checked;
        view
    }
}
