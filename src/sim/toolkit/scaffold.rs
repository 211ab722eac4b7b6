//! Scaffolds: a whole activity, with toolbar, menu and drawer around its own views, once the type of its actions is put
//! aside.

use super::ActivityState;
use super::alert::Item;
use super::compound::snackbar;
use super::style::{Color, Icon, TextSize};
use super::tree::Handler;
use super::untyped::{Act, Untyped};
use super::view::{Arrange, Extent, Gravity, View};
use super::widgets::plain_icon;

/// What an activity shows: its own views, and what every Android app has around them.
#[derive(Clone, Debug)]
pub(super) struct Scaffold {
    title: String,
    subtitle: String,
    pub color: Color,
    navigation: Navigation,
    /// What the toolbar has at its end.
    tools: Vec<View<Untyped>>,
    /// The id of the search field and its hint.
    search: Option<(&'static str, String)>,
    pub menu: Vec<Item>,
    body: View<Untyped>,
    over: Vec<View<Untyped>>,
    /// Text, button and what the button does.
    snackbar: Option<(String, String, Act)>,
    pub restless: bool,
    /// False for screens that draw everything themselves.
    pub framed: bool,
}

/// What is at the beginning of the toolbar.
#[derive(Clone, Debug)]
enum Navigation {
    None,
    /// The arrow that ends the activity.
    Up,
    Drawer(Vec<DrawerItem>),
}

#[derive(Clone, Debug)]
struct DrawerItem {
    text: String,
    chosen: bool,
    action: Act,
}

impl Scaffold {
    /// A toolbar with this title above a body.
    pub(super) fn new(title: String, body: View<Untyped>) -> Box<Self> {
        Box::new(Self {
            title,
            subtitle: String::new(),
            color: Color::ORANGE,
            navigation: Navigation::None,
            tools: Vec::new(),
            search: None,
            menu: Vec::new(),
            body,
            over: Vec::new(),
            snackbar: None,
            restless: false,
            framed: true,
        })
    }

    pub(super) fn set_subtitle(&mut self, subtitle: String) {
        self.subtitle = subtitle;
    }

    pub(super) fn set_up(&mut self) {
        self.navigation = Navigation::Up;
    }

    pub(super) fn set_search(&mut self, id: &'static str, hint: String) {
        self.search = Some((id, hint));
    }

    pub(super) fn set_snackbar(&mut self, text: String, button: String, action: Act) {
        self.snackbar = Some((text, button, action));
    }

    pub(super) fn add_to_drawer(&mut self, text: String, chosen: bool, action: Act) {
        let item = DrawerItem { text, chosen, action };
        match &mut self.navigation {
            Navigation::Drawer(items) => items.push(item),
            other => *other = Navigation::Drawer(vec![item]),
        }
    }

    pub(super) fn add_tool(&mut self, view: View<Untyped>) {
        self.tools.push(view);
    }

    pub(super) fn add_button(&mut self, id: &'static str, icon: Icon, description: &str, action: Act) {
        let button = View::text("")
            .id(id)
            .icon(icon)
            .ink(Color::WHITE)
            .describe(description)
            .size(Extent::Dp(48), Extent::Dp(48))
            .handle(Handler::Act(action));
        self.add_tool(button);
    }

    pub(super) fn add_to_menu(&mut self, text: String, checked: Option<bool>, action: Act) {
        self.menu.push(Item { text, checked, action });
    }

    pub(super) fn add_over(&mut self, view: View<Untyped>) {
        self.over.push(view);
    }

    /// The id of its search field.
    pub(super) fn search_field(&self) -> Option<&'static str> {
        self.search.as_ref().map(|(id, _)| *id)
    }

    pub(super) fn has_drawer(&self) -> bool {
        matches!(self.navigation, Navigation::Drawer(_))
    }

    /// The tree below `android:id/content`.
    pub(super) fn view(mut self, page: &ActivityState) -> View<Untyped> {
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
            if let Some((text, button, action)) = self.snackbar {
                let bar = snackbar(text, button, action);
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

    fn toolbar(&mut self, drawer_open: bool, page: &ActivityState) -> View<Untyped> {
        let mut bar = View::new("android.view.ViewGroup", Arrange::Row)
            .id("main_toolbar")
            .high(56)
            .pad_sides(4, 0)
            .background(self.color);
        let button = |icon, description: &str, handler| {
            plain_icon("".into(), icon, description.to_owned()).ink(Color::WHITE).handle(handler)
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
        let mut actions = std::mem::take(&mut self.tools);
        if let Some((id, hint)) = &self.search {
            if page.query(id).is_some() {
                let clear = plain_icon("search_close_btn".into(), Icon::Close, "Clear query".into());
                titles = View::row()
                    .id("search_plate")
                    .share_width()
                    .child(
                        View::field(*id, hint).size(Extent::Share, Extent::Dp(48)).background(Color::WHITE),
                    )
                    .child(clear.ink(Color::WHITE).handle(Handler::ClearSearch(id)));
            } else {
                let open =
                    plain_icon("search_button".into(), Icon::Search, "Search".into()).ink(Color::WHITE);
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

    fn panel(items: &[DrawerItem]) -> View<Untyped> {
        let row = |item: &DrawerItem| {
            let mut text = View::new("android.widget.CheckedTextView", Arrange::Leaf)
                .id("design_menu_item_text")
                .with_text(&item.text)
                .at(Gravity::CenterStart);
            text.tree.state.checkable = true;
            text.tree.state.checked = item.chosen;
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
