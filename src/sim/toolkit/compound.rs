//! Widgets that are several views put together, as libraries of widgets bring them.

use std::borrow::Cow;

use super::MenuItem;
use super::style::{Color, Control, Icon, TextSize};
use super::view::{Arrange, Extent, Gravity, View};

impl<A> View<A> {
    /// A `Spinner` showing what is chosen; the action is what opening it does, such as a
    /// [popup](super::Ctx::popup) of what there is to choose.
    pub fn spinner(id: impl Into<Cow<'static, str>>, chosen: impl Into<String>, action: A) -> Self {
        Self::new("android.widget.Spinner", Arrange::Frame)
            .id(id)
            .high(48)
            .pad_sides(8, 0)
            .background(Color::LINE)
            .rounded(4)
            .control(Control::Spinner)
            .on_click(action)
            .child(View::label("android:id/text1", chosen).at(Gravity::CenterStart))
    }

    /// A `ProgressBar` spinning above a text: something is being loaded.
    pub fn loading(text: impl Into<String>) -> Self {
        let bar = Self::new("android.widget.ProgressBar", Arrange::Leaf)
            .id("progress_bar")
            .icon(Icon::Refresh)
            .size(Extent::Dp(48), Extent::Dp(48))
            .at(Gravity::Center);
        let text = View::label("loading_text", text).at(Gravity::Center).margin(0, 96, 0, 0);
        View::frame().id("loading_view").fill().child(bar).child(text)
    }

    /// What a list shows in place of its rows when it has none.
    pub fn empty(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        View::frame().fill().child(View::label(id, text).at(Gravity::Center).ink(Color::FAINT))
    }

    /// A row of a settings page that can only be tapped: title and what it is or does.
    pub fn preference(title: &str, summary: &str, action: A) -> Self {
        let summary = View::label("android:id/summary", summary).text_size(TextSize::Small).ink(Color::FAINT);
        View::column()
            .wide()
            .pad(16)
            .on_click(action)
            .child(View::label("android:id/title", title))
            .child(summary)
    }

    /// A line above a part of a list.
    pub fn heading(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        View::label(id, text).high(32).pad_sides(16, 6).text_size(TextSize::Small).ink(Color::FAINT)
    }

    /// A small rounded label, such as a tag.
    pub fn chip(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        View::label(id, text)
            .text_size(TextSize::Small)
            .pad_sides(6, 2)
            .margin(0, 2, 4, 0)
            .background(Color::LINE)
            .rounded(8)
    }

    /// The bar of destinations at the foot of a screen, as a `BottomNavigationView` dumps it: id,
    /// name, icon and action of each.
    pub fn bottom_bar(
        chosen: usize,
        items: impl IntoIterator<Item = (&'static str, &'static str, Icon, A)>,
    ) -> Self {
        let item = |(n, (id, name, icon, action)): (usize, (&'static str, &'static str, Icon, A))| {
            let ink = if n == chosen { Color::BLUE } else { Color::FAINT };
            View::new("android.widget.FrameLayout", Arrange::Column)
                .id(id)
                .describe(name)
                .size(Extent::Share, Extent::Fill)
                .selected(n == chosen)
                .on_click(action)
                .child(View::image("icon", icon).size(Extent::Fill, Extent::Dp(32)).ink(ink))
                .child(View::label("smallLabel", name).wide().centered().text_size(TextSize::Small).ink(ink))
        };
        View::row()
            .class("android.view.ViewGroup")
            .id("bottom_navigation")
            .high(56)
            .background(Color::WHITE)
            .children(items.into_iter().enumerate().map(item))
    }

    /// A message at the foot of the screen with a button.
    pub(super) fn snackbar(text: String, (button, action): MenuItem<A>) -> Self {
        let text = View::label("snackbar_text", text).share_width().ink(Color::WHITE);
        let button = View::plain_button("snackbar_action", button).on_click(action).ink(Color::AMBER);
        View::row().id("snackbar").high(56).pad_sides(12, 4).background(Color::INK).child(text).child(button)
    }
}
