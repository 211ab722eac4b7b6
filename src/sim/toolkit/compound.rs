//! Widgets that are several views put together, as libraries of widgets bring them.

use std::borrow::Cow;

use super::style::{Color, Control, Icon, TextSize};
use super::tree::Handler;
use super::untyped::{Act, Untyped};
use super::view::{Arrange, Extent, Gravity, View};
use super::widgets::plain_button;

impl<A> View<A> {
    /// A `ProgressBar` spinning above a text: something is being loaded.
    pub fn loading(text: impl Into<String>) -> Self {
        loading(text.into()).typed()
    }

    /// What a list shows in place of its rows when it has none.
    pub fn empty(id: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        empty(id.into(), text.into()).typed()
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
}

impl<A: Clone + Send + 'static> View<A> {
    /// A `Spinner` showing what is chosen; the action is what opening it does, such as a
    /// [popup](super::Ctx::popup) of what there is to choose.
    pub fn spinner(id: impl Into<Cow<'static, str>>, chosen: impl Into<String>, action: A) -> Self {
        spinner(id.into(), chosen.into()).typed().on_click(action)
    }

    /// A row of a settings page that can only be tapped: title and what it is or does.
    pub fn preference(title: &str, summary: &str, action: A) -> Self {
        preference(title, summary).typed().on_click(action)
    }

    /// The bar of destinations at the foot of a screen, as a `BottomNavigationView` dumps it: id,
    /// name, icon and action of each.
    pub fn bottom_bar(
        chosen: usize,
        items: impl IntoIterator<Item = (&'static str, &'static str, Icon, A)>,
    ) -> Self {
        let items = items.into_iter().enumerate();
        View::row()
            .class("android.view.ViewGroup")
            .id("bottom_navigation")
            .high(56)
            .background(Color::WHITE)
            .children(items.map(|(n, (id, name, icon, action))| {
                destination(id, name, icon, n == chosen).typed().on_click(action)
            }))
    }
}

fn loading(text: String) -> View<Untyped> {
    let bar = View::new("android.widget.ProgressBar", Arrange::Leaf)
        .id("progress_bar")
        .icon(Icon::Refresh)
        .size(Extent::Dp(48), Extent::Dp(48))
        .at(Gravity::Center);
    let text = View::label("loading_text", text).at(Gravity::Center).margin(0, 96, 0, 0);
    View::frame().id("loading_view").fill().child(bar).child(text)
}

fn empty(id: Cow<'static, str>, text: String) -> View<Untyped> {
    View::frame().fill().child(View::label(id, text).at(Gravity::Center).ink(Color::FAINT))
}

fn spinner(id: Cow<'static, str>, chosen: String) -> View<Untyped> {
    View::new("android.widget.Spinner", Arrange::Frame)
        .id(id)
        .high(48)
        .pad_sides(8, 0)
        .background(Color::LINE)
        .rounded(4)
        .control(Control::Spinner)
        .child(View::label("android:id/text1", chosen).at(Gravity::CenterStart))
}

fn preference(title: &str, summary: &str) -> View<Untyped> {
    let summary = View::label("android:id/summary", summary).text_size(TextSize::Small).ink(Color::FAINT);
    View::column().wide().pad(16).child(View::label("android:id/title", title)).child(summary)
}

fn destination(id: &'static str, name: &'static str, icon: Icon, chosen: bool) -> View<Untyped> {
    let ink = if chosen { Color::BLUE } else { Color::FAINT };
    View::new("android.widget.FrameLayout", Arrange::Column)
        .id(id)
        .describe(name)
        .size(Extent::Share, Extent::Fill)
        .selected(chosen)
        .child(View::image("icon", icon).size(Extent::Fill, Extent::Dp(32)).ink(ink))
        .child(View::label("smallLabel", name).wide().centered().text_size(TextSize::Small).ink(ink))
}

/// A message at the foot of the screen with a button.
pub(super) fn snackbar(text: String, button: String, action: Act) -> View<Untyped> {
    let text = View::label("snackbar_text", text).share_width().ink(Color::WHITE);
    let button =
        plain_button("snackbar_action".into(), button).handle(Handler::Act(action)).ink(Color::AMBER);
    View::row().id("snackbar").high(56).pad_sides(12, 4).background(Color::INK).child(text).child(button)
}
