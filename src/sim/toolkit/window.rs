//! The windows of one activity: itself, and dialogs and popups above it.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use super::ActivityState;
use super::alert::{Content, Item};
use super::env::Env;
use super::fields::Fields;
use super::layout::{Arranged, Surroundings, arrange, wanted};
use super::scene::Scene;
use super::tree::{Handler, Tree};
use super::untyped::{Hosted, Untyped};
use super::view::{Arrange, Extent, Gravity, View};
use droidmux_gui::Bounds;

/// An activity and the windows above it.
pub(super) struct Activity {
    pub page: ActivityState,
    pub windows: Vec<Window>,
    /// Created again while it was below others: it is told when it comes to the top.
    pub stale: bool,
}

/// A dialog or popup.
pub(super) struct Window {
    pub content: Content,
    pub fields: Fields,
    pub scrolls: BTreeMap<String, i32>,
}

impl Window {
    pub(super) fn new(content: Content) -> Self {
        let mut fields = Fields::default();
        if let Content::Dialog(dialog) = &content {
            for (id, text) in dialog.values() {
                fields.set(id, text.to_owned());
            }
        }
        Self { content, fields, scrolls: BTreeMap::new() }
    }

    pub(super) fn menu(items: Vec<Item>, at: Gravity) -> Self {
        Self::new(Content::Menu { items, at })
    }

    /// The texts of its fields, and whatever else it keeps.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let Content::Dialog(dialog) = &self.content else { return Vec::new() };
        dialog.values().map(|(id, _)| (id.to_owned(), self.fields.text(id).to_owned())).collect()
    }

    fn arrange(&self, package: &str, keyboard: bool, env: &Env) -> Arranged {
        let around = Surroundings {
            package,
            density: env.frame.density,
            text_density: env.frame.text_density(),
            fields: &self.fields,
            scrolls: &self.scrolls,
        };
        float(self.content.view(&self.fields), self.content.gravity(), keyboard, env, around)
    }
}

impl Activity {
    pub(super) fn new(page: ActivityState) -> Self {
        Self { page, windows: Vec::new(), stale: false }
    }

    /// What is left when the system creates it again: dialogs come back, but for those that the app shows
    /// by itself; popups do not.
    pub(super) fn recreate(&mut self) {
        self.page.recreate();
        self.windows
            .retain(|window| matches!(&window.content, Content::Dialog(dialog) if dialog.comes_back()));
        self.stale = true;
    }

    /// The active window, laid out.
    pub(super) fn arrange(&self, app: &dyn Hosted, package: &str, keyboard: bool, env: &Env) -> Arranged {
        match self.windows.last() {
            Some(window) => window.arrange(package, keyboard, env),
            None => self.arrange_page(app, package, keyboard, env),
        }
    }

    /// All windows, the active one last.
    pub(super) fn scenes(&self, app: &dyn Hosted, package: &str, keyboard: bool, env: &Env) -> Vec<Scene> {
        let page = self.arrange_page(app, package, keyboard && self.windows.is_empty(), env).scene;
        let above = self.windows.iter().map(|window| window.arrange(package, keyboard, env).scene);
        std::iter::once(page).chain(above).collect()
    }

    /// Whether the active window has a field with this id.
    pub(super) fn has_field(&self, app: &dyn Hosted, id: &str, env: &Env) -> bool {
        match self.windows.last().map(|window| &window.content) {
            Some(Content::Dialog(dialog)) => dialog.fields.iter().any(|(field, ..)| *field == id),
            Some(Content::Menu { .. }) => false,
            None => has_field(&app.shown(&self.page, env).view(&self.page).tree, id),
        }
    }

    fn arrange_page(&self, app: &dyn Hosted, package: &str, keyboard: bool, env: &Env) -> Arranged {
        let content = app.shown(&self.page, env).view(&self.page);
        let around = Surroundings {
            package,
            density: env.frame.density,
            text_density: env.frame.text_density(),
            fields: &self.page.fields,
            scrolls: &self.page.scrolls,
        };
        arrange(decorated(content, keyboard, env), env.frame.screen(), around)
    }
}

fn has_field(view: &Tree, id: &str) -> bool {
    (view.state.editable && view.id == id) || view.children.iter().any(|child| has_field(&child.tree, id))
}

/// Lays out a window that is as large as its content and placed by its gravity.
fn float(
    view: View<Untyped>,
    gravity: Gravity,
    keyboard: bool,
    env: &Env,
    around: Surroundings<'_>,
) -> Arranged {
    let room = env.frame.free_above(keyboard);
    let (w, h) = wanted(&view, room.width(), room.height(), around);
    let window = super::layout::gravitate(gravity, room, w, h);
    arrange(view, window, around)
}

/// The views every activity has around its content.
fn decorated(content: View<Untyped>, keyboard: bool, env: &Env) -> View<Untyped> {
    let free = env.frame.free_above(keyboard);
    let above = |top: i32| Bounds::new(0, top, free.right, free.bottom);
    let fixed = |mut view: View<Untyped>, bounds: Bounds| {
        view.tree.rect = Some(bounds);
        view
    };
    let content = View::frame().id("android:id/content").fill().child(content);
    let root = View::new("android.widget.LinearLayout", Arrange::Frame).id("action_bar_root").fill();
    let inner = fixed(View::frame(), free).child(root.child(content));
    let outer = View::new("android.widget.LinearLayout", Arrange::Frame);
    View::frame().size(Extent::Fill, Extent::Fill).child(fixed(outer, above(0)).child(inner))
}

/// A window of the system: its scene and the actions its widgets carry.
pub struct Floating<A> {
    /// Its widgets.
    pub scene: Scene,
    handlers: Vec<Handler>,
    actions: PhantomData<A>,
}

impl<A: 'static> Floating<A> {
    /// The action of this widget's click.
    pub fn click(self, number: usize) -> Option<A> {
        match self.handlers.into_iter().nth(number)? {
            Handler::Act(action) | Handler::Close(Some(action)) => action.typed(),
            _ => None,
        }
    }
}

/// Lays out a window of the system that belongs to this package.
pub fn floating<A>(view: View<A>, package: &str, gravity: Gravity, env: &Env) -> Floating<A> {
    let (fields, scrolls) = (Fields::default(), BTreeMap::new());
    let around = Surroundings {
        package,
        density: env.frame.density,
        text_density: env.frame.text_density(),
        fields: &fields,
        scrolls: &scrolls,
    };
    let arranged = float(view.untyped(), gravity, false, env, around);
    Floating { scene: arranged.scene, handlers: arranged.handlers, actions: PhantomData }
}
