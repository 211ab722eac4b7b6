//! Screens: a whole activity, with toolbar, menu and drawer around its own views.

use super::dialog::Item;
use super::style::{Color, Icon, TextSize};
use super::view::{Arrange, Extent, Gravity, Handler, View};
use super::{ActivityState, MenuItem};

/// What an activity shows: its own views, and what every Android app has around them.
#[derive(Clone, Debug)]
pub struct Screen<A> {
    title: String,
    subtitle: String,
    color: Color,
    navigation: Navigation<A>,
    actions: Vec<View<A>>,
    /// The id of the search field and its hint.
    search: Option<(&'static str, String)>,
    pub(super) menu: Vec<Item<A>>,
    body: View<A>,
    over: Vec<View<A>>,
    snackbar: Option<(String, MenuItem<A>)>,
    pub(super) restless: bool,
    /// False for screens that draw everything themselves.
    framed: bool,
}

#[derive(Clone, Debug)]
enum Navigation<A> {
    None,
    /// The arrow that ends the activity.
    Up,
    Drawer(Vec<DrawerItem<A>>),
}

#[derive(Clone, Debug)]
struct DrawerItem<A> {
    text: String,
    chosen: bool,
    action: A,
}

impl<A: Clone> Screen<A> {
    /// A screen with a toolbar of this title above `body`.
    pub fn new(title: impl Into<String>, body: View<A>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            color: Color::ORANGE,
            navigation: Navigation::None,
            actions: Vec::new(),
            search: None,
            menu: Vec::new(),
            body,
            over: Vec::new(),
            snackbar: None,
            restless: false,
            framed: true,
        }
    }

    /// A screen that is nothing but this view.
    pub fn bare(body: View<A>) -> Self {
        Self { framed: false, ..Self::new("", body) }
    }

    /// A line in small text below the toolbar's title; none when it is empty.
    #[must_use]
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// Colour of the toolbar.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// Shows the arrow that ends the activity.
    #[must_use]
    pub fn up(mut self) -> Self {
        self.navigation = Navigation::Up;
        self
    }

    /// Adds an item to the drawer, which the button at the left of the toolbar opens.
    #[must_use]
    pub fn drawer(mut self, text: impl Into<String>, chosen: bool, action: A) -> Self {
        let item = DrawerItem { text: text.into(), chosen, action };
        match &mut self.navigation {
            Navigation::Drawer(items) => items.push(item),
            other => *other = Navigation::Drawer(vec![item]),
        }
        self
    }

    /// Adds a button to the toolbar.
    #[must_use]
    pub fn action(self, id: &'static str, icon: Icon, description: &str, action: A) -> Self {
        let button = View::text("")
            .id(id)
            .icon(icon)
            .ink(Color::WHITE)
            .describe(description)
            .size(Extent::Dp(48), Extent::Dp(48))
            .on_click(action);
        self.tool(button)
    }

    /// Adds any view to the toolbar, such as a search field.
    #[must_use]
    pub fn tool(mut self, view: View<A>) -> Self {
        self.actions.push(view);
        self
    }

    /// Adds an item to the overflow menu.
    #[must_use]
    pub fn menu(mut self, text: impl Into<String>, action: A) -> Self {
        self.menu.push(Item { text: text.into(), checked: None, action });
        self
    }

    /// Adds an item to the overflow menu that is switched on and off, with a box that shows which.
    #[must_use]
    pub fn menu_check(mut self, text: impl Into<String>, checked: bool, action: A) -> Self {
        self.menu.push(Item { text: text.into(), checked: Some(checked), action });
        self
    }

    /// Adds a search to the toolbar: a button that opens a field of this id. [`ActivityState::query`] gives what is
    /// searched for; BACK closes the search before it leaves the page, and turning the screen keeps it.
    #[must_use]
    pub fn search(mut self, id: &'static str, hint: impl Into<String>) -> Self {
        self.search = Some((id, hint.into()));
        self
    }

    /// The id of its search field.
    pub(super) fn search_field(&self) -> Option<&'static str> {
        self.search.as_ref().map(|(id, _)| *id)
    }

    /// Adds a view above the body, such as a floating action button; its gravity says where.
    #[must_use]
    pub fn over(mut self, view: View<A>) -> Self {
        self.over.push(view);
        self
    }

    /// Shows a message at the foot of the screen with one button, such as Undo; what stands over the
    /// body moves up. It stays as long as the app shows it.
    #[must_use]
    pub fn snackbar(mut self, text: impl Into<String>, button: impl Into<String>, action: A) -> Self {
        self.snackbar = Some((text.into(), (button.into(), action)));
        self
    }

    /// The screen never comes to rest (an endless animation): there are no dumps of it.
    #[must_use]
    pub fn restless(mut self) -> Self {
        self.restless = true;
        self
    }

    pub(super) fn has_drawer(&self) -> bool {
        matches!(self.navigation, Navigation::Drawer(_))
    }

    /// The tree below `android:id/content`.
    pub(super) fn view(self, page: &ActivityState) -> View<A> {
        if !self.framed {
            return self.body;
        }
        let open = page.drawer_open && self.has_drawer();
        let toolbar = self.toolbar(open, page);
        let mut drawer = View::new("androidx.drawerlayout.widget.DrawerLayout", Arrange::Frame)
            .id("drawer_layout")
            .share_height()
            .background(Color::PAPER);
        if let (true, Navigation::Drawer(items)) = (open, &self.navigation) {
            // An open drawer hides what is behind it from accessibility, so from dumps.
            drawer = drawer.background(Color::FAINT).handle(Handler::Leave(None)).child(Self::panel(items));
        } else {
            let mut content =
                View::frame().id("content_fragment").fill().child(self.body).children(self.over);
            if let Some((text, button)) = self.snackbar {
                let bar = View::snackbar(text, button);
                content = View::column().fill().child(content.share_height()).child(bar);
            }
            drawer = drawer.child(content);
        }
        View::new("android.widget.RelativeLayout", Arrange::Column)
            .id("content_frame")
            .fill()
            .child(toolbar)
            .child(drawer)
    }

    fn toolbar(&self, drawer_open: bool, page: &ActivityState) -> View<A> {
        let mut bar = View::new("android.view.ViewGroup", Arrange::Row)
            .id("main_toolbar")
            .high(56)
            .pad_sides(4, 0)
            .background(self.color);
        let button = |icon, description, handler| {
            View::plain_icon("", icon, description).ink(Color::WHITE).handle(handler)
        };
        match &self.navigation {
            Navigation::None => {}
            Navigation::Up => bar = bar.child(button(Icon::Back, "Navigate up", Handler::Up)),
            Navigation::Drawer(_) if drawer_open => {
                bar = bar.child(button(Icon::Menu, "Close navigation", Handler::Leave(None)));
            }
            Navigation::Drawer(_) => {
                bar = bar.child(button(Icon::Menu, "Open navigation", Handler::OpenDrawer));
            }
        }
        let title = View::text(&self.title).text_size(TextSize::Title).ink(Color::WHITE);
        let mut titles = View::new("android.view.ViewGroup", Arrange::Column)
            .share_width()
            .margin(12, 0, 4, 0)
            .child(title);
        if !self.subtitle.is_empty() {
            let subtitle = View::text(&self.subtitle).text_size(TextSize::Small).ink(Color::WHITE);
            titles = titles.child(subtitle);
        }
        let mut actions = self.actions.clone();
        if let Some((id, hint)) = &self.search {
            if page.query(id).is_some() {
                let clear = View::plain_icon("search_close_btn", Icon::Close, "Clear query");
                titles = View::row()
                    .id("search_plate")
                    .share_width()
                    .child(
                        View::field(*id, hint).size(Extent::Share, Extent::Dp(48)).background(Color::WHITE),
                    )
                    .child(clear.ink(Color::WHITE).handle(Handler::ClearSearch(id)));
            } else {
                let open = View::plain_icon("search_button", Icon::Search, "Search").ink(Color::WHITE);
                actions.push(open.handle(Handler::OpenSearch(id)));
            }
        }
        if !self.menu.is_empty() {
            let more = View::new("android.widget.ImageView", Arrange::Leaf)
                .icon(Icon::More)
                .ink(Color::WHITE)
                .describe("More options")
                .size(Extent::Dp(40), Extent::Dp(48))
                .handle(Handler::OpenMenu);
            actions.push(more);
        }
        bar = bar.child(titles);
        if !actions.is_empty() {
            let list = View::new("androidx.appcompat.widget.LinearLayoutCompat", Arrange::Row);
            bar = bar.child(list.children(actions));
        }
        bar
    }

    fn panel(items: &[DrawerItem<A>]) -> View<A> {
        let row = |item: &DrawerItem<A>| {
            let mut text = View::new("android.widget.CheckedTextView", Arrange::Leaf)
                .id("design_menu_item_text")
                .with_text(&item.text)
                .at(Gravity::CenterStart);
            text.state.checkable = true;
            text.state.checked = item.chosen;
            View::new("androidx.appcompat.widget.LinearLayoutCompat", Arrange::Frame)
                .high(48)
                .pad_sides(16, 0)
                .handle(Handler::Leave(Some(item.action.clone())))
                .child(text)
        };
        let list = View::recycler("design_navigation_view").children(items.iter().map(row));
        View::frame()
            .id("navigation_view")
            .size(Extent::Dp(260), Extent::Fill)
            .background(Color::WHITE)
            .child(list)
    }
}
