//! Views: the declarative description of a screen.

use std::borrow::Cow;
use std::marker::PhantomData;

use super::Keys;
use super::style::{Color, Control, Icon, TextSize};
use super::tree::{Edges, Handler, Tree};
use super::untyped::{Act, Untyped};

/// A piece of screen: a widget with its look, what touching it means, and the views inside it.
///
/// `A` is the app's own type of actions. Sizes are in dp (density-independent pixels). A view is
/// made anew for every frame, so it holds no state of its own: the texts of fields and the scroll
/// positions live in the [`ActivityState`](super::ActivityState) under the view's id.
#[derive(Clone, Debug)]
pub struct View<A> {
    pub(super) tree: Box<Tree>,
    actions: PhantomData<A>,
}

/// How a view places its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrange {
    /// It has none: text, icon, field.
    Leaf,
    /// Below each other.
    Column,
    /// Side by side, each in the middle of the row's height.
    Row,
    /// On top of each other, each by its gravity.
    Frame,
    /// A column that scrolls; what is off the screen is in no dump.
    Scroll,
    /// Left to right into lines, scrolling.
    Flow,
}

/// A width or a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As large as there is room.
    Fill,
    /// As large as the content.
    Wrap,
    /// Fixed, in dp.
    Dp(i32),
    /// An equal share of what the others in the row or column leave.
    Share,
}

/// Where a child of a frame is put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gravity {
    /// At the top left.
    #[default]
    TopStart,
    /// At the top right.
    TopEnd,
    /// At the bottom left.
    BottomStart,
    /// At the bottom right.
    BottomEnd,
    /// Centred both ways.
    Center,
    /// At the left, halfway down.
    CenterStart,
    /// At the right, halfway down.
    CenterEnd,
}

impl<A> View<A> {
    /// A view of this class without children, as large as its content.
    pub fn new(class: &'static str, arrange: Arrange) -> Self {
        Self { tree: Tree::new(class, arrange), actions: PhantomData }
    }

    /// Sets the resource-id: `name` becomes `package:id/name`; one with a colon is kept.
    #[must_use]
    pub fn id(mut self, id: impl Into<Cow<'static, str>>) -> Self {
        self.tree.set_id(id.into());
        self
    }

    /// Sets the class a dump names.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.tree.class = class;
        self
    }

    /// Sets the text it shows; fields show what was typed instead.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.tree.set_text(text.into());
        self
    }

    /// Sets the content description, which screen readers read out.
    #[must_use]
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.tree.set_description(description.into());
        self
    }

    /// Sets width and height at once.
    #[must_use]
    pub fn size(mut self, width: Extent, height: Extent) -> Self {
        (self.tree.width, self.tree.height) = (width, height);
        self
    }

    /// As wide as there is room.
    #[must_use]
    pub fn wide(mut self) -> Self {
        self.tree.width = Extent::Fill;
        self
    }

    /// As wide and high as there is room.
    #[must_use]
    pub fn fill(self) -> Self {
        self.size(Extent::Fill, Extent::Fill)
    }

    /// As wide as there is room, and this high.
    #[must_use]
    pub fn high(self, dp: i32) -> Self {
        self.size(Extent::Fill, Extent::Dp(dp))
    }

    /// Takes an equal share of the width its row leaves.
    #[must_use]
    pub fn share_width(mut self) -> Self {
        self.tree.width = Extent::Share;
        self
    }

    /// Takes an equal share of the height its column leaves, and the whole width.
    #[must_use]
    pub fn share_height(self) -> Self {
        self.size(Extent::Fill, Extent::Share)
    }

    /// Sets where its frame puts it; without effect outside a frame.
    #[must_use]
    pub fn at(mut self, gravity: Gravity) -> Self {
        self.tree.gravity = gravity;
        self
    }

    /// Room between the edge and the content, in dp, on all sides.
    #[must_use]
    pub fn pad(mut self, dp: i32) -> Self {
        self.tree.padding = Edges::all(dp);
        self
    }

    /// Room between the edge and the content, in dp: left and right, above and below.
    #[must_use]
    pub fn pad_sides(mut self, horizontal: i32, vertical: i32) -> Self {
        self.tree.padding = Edges { left: horizontal, top: vertical, right: horizontal, bottom: vertical };
        self
    }

    /// Room around the view, in dp.
    #[must_use]
    pub fn margin(mut self, left: i32, top: i32, right: i32, bottom: i32) -> Self {
        self.tree.margin = Edges { left, top, right, bottom };
        self
    }

    /// A disabled view is drawn pale and takes no touch; views are enabled unless told otherwise.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.tree.state.enabled = enabled;
        self
    }

    /// Marks the view as selected, in dumps and on tabs; views are not unless told otherwise.
    #[must_use]
    pub fn selected(mut self, selected: bool) -> Self {
        self.tree.state.selected = selected;
        self
    }

    /// Hides what is typed, on the screen and in dumps.
    #[must_use]
    pub fn password(mut self) -> Self {
        self.tree.state.password = true;
        self
    }

    /// Lets a field take several lines, or a text wrap.
    #[must_use]
    pub fn multiline(mut self) -> Self {
        self.tree.state.multiline = true;
        self
    }

    /// Lets a field take these characters only, as `android:inputType` does; others are dropped,
    /// however they are entered.
    #[must_use]
    pub fn keys(mut self, keys: Keys) -> Self {
        self.tree.state.keys = keys;
        self
    }

    /// Fills the view's rectangle with this colour; at night a light one becomes dark.
    #[must_use]
    pub fn background(mut self, color: Color) -> Self {
        self.tree.style.background = Some(color);
        self
    }

    /// Rounds the corners of the background, in dp.
    #[must_use]
    pub fn rounded(mut self, dp: i32) -> Self {
        self.tree.style.corner = dp;
        self
    }

    /// Colour of text and icon.
    #[must_use]
    pub fn ink(mut self, color: Color) -> Self {
        self.tree.style.ink = color;
        self
    }

    /// Size of the text and so of a view that wraps it; [`TextSize::Body`] unless told otherwise.
    #[must_use]
    pub fn text_size(mut self, size: TextSize) -> Self {
        self.tree.style.size = size;
        self
    }

    /// Puts each line of the text in the middle of the view.
    #[must_use]
    pub fn centered(mut self) -> Self {
        self.tree.style.centered = true;
        self
    }

    /// Draws this icon in the middle of the view, up to 24 dp wide.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.tree.style.icon = Some(icon);
        self
    }

    /// Adds a view after those already inside.
    #[must_use]
    pub fn child(mut self, child: View<A>) -> Self {
        self.tree.push(child.untyped());
        self
    }

    /// Adds views after those already inside, in this order.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = View<A>>) -> Self {
        for child in children {
            self.tree.push(child.untyped());
        }
        self
    }

    /// What a tap does, where it is not only an action.
    #[must_use]
    pub(super) fn handle(mut self, handler: Handler) -> Self {
        self.tree.set_click(handler);
        self
    }

    #[must_use]
    pub(super) fn control(mut self, control: Control) -> Self {
        self.tree.style.control = control;
        self
    }

    /// The same without the type of its actions.
    pub(super) fn untyped(self) -> View<Untyped> {
        View { tree: self.tree, actions: PhantomData }
    }
}

impl<A: Clone + Send + 'static> View<A> {
    /// What a tap does.
    #[must_use]
    pub fn on_click(self, action: A) -> Self {
        self.handle(Handler::Act(Act::new(action)))
    }

    /// What a long press does; without it a long press is a tap.
    #[must_use]
    pub fn on_long_click(mut self, action: A) -> Self {
        self.tree.set_long_click(Handler::Act(Act::new(action)));
        self
    }

    /// What a horizontal swipe does: content from the right coming in, content from the left.
    #[must_use]
    pub fn on_swipe(mut self, forward: A, backward: A) -> Self {
        self.tree.set_swipe(Act::new(forward), Act::new(backward));
        self
    }

    /// Makes it a handle to drag up and down in a list of such handles, at this place in the list, from 0.
    /// Dropped nearest to the handle at place n, it does the action n.
    #[must_use]
    pub fn on_drop(mut self, place: usize, actions: impl IntoIterator<Item = A>) -> Self {
        self.tree.set_drops(place, actions.into_iter().map(Act::new).collect());
        self
    }

    /// What the keyboard's action key does in this field.
    #[must_use]
    pub fn on_submit(mut self, action: A) -> Self {
        self.tree.set_submit(Act::new(action));
        self
    }
}

impl View<Untyped> {
    /// The same with a type of actions; the caller knows that it has no others.
    pub(super) fn typed<A>(self) -> View<A> {
        View { tree: self.tree, actions: PhantomData }
    }
}
