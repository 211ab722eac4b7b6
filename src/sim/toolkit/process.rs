//! A running app: its back stack, the windows above it, and how input reaches the app.

use std::borrow::Cow;
use std::sync::Arc;

use super::app::Input;
use super::context::{Ctx, Wish, Wishes};
use super::declaration::Declaration;
use super::env::{Configuration, Env};
use super::fields::{Edit, Fields};
use super::program::{Effect, Program};
use super::scene::{Node, Scene};
use super::tree::Handler;
use super::untyped::{Act, Hosted};
use super::window::{Activity, Window};
use super::{ActivityState, DefectSwitches, Gravity, Keys};
use droidmux_gui::Point;

mod program;

/// An installed app.
pub(super) struct Process {
    declaration: Arc<Declaration>,
    make: Make,
    defects: DefectSwitches,
    app: Box<dyn Hosted>,
    stack: Vec<Activity>,
    keyboard: bool,
    /// What the activities were created for.
    configuration: Option<Configuration>,
    /// Left the screen and has not come back.
    hidden: bool,
    /// Killed in the background: the stack is what its activities saved.
    reclaimed: bool,
}

/// What makes the app when it is installed and when its data is cleared.
pub(super) type Make = Arc<dyn Fn(&DefectSwitches) -> Box<dyn Hosted> + Send + Sync>;

/// Deepest back stack: an app that starts itself without end stops there.
const DEEPEST: usize = 64;

impl Process {
    /// A fresh app; these switches, with their counters, are its own.
    pub(super) fn new(declaration: Arc<Declaration>, defects: DefectSwitches, make: Make) -> Self {
        let app = make(&defects);
        Self {
            declaration,
            make,
            defects,
            app,
            stack: Vec::new(),
            keyboard: false,
            configuration: None,
            hidden: false,
            reclaimed: false,
        }
    }

    /// Something happens to the app: gives the activity on top an input, like [`Process::deliver`].
    fn react(&mut self, input: Input<Act>, entered: Vec<(String, String)>, env: &Env) -> Vec<Effect> {
        self.defects.next_input();
        self.deliver(input, entered, env)
    }

    /// Gives the activity on top an input and does what the app asks for.
    fn deliver(&mut self, input: Input<Act>, entered: Vec<(String, String)>, env: &Env) -> Vec<Effect> {
        let Some(top) = self.stack.last_mut() else { return Vec::new() };
        let mut wishes = Wishes::default();
        self.app.happened(input, Ctx::new(&mut top.page, env, &entered, &mut wishes));
        self.fulfil(wishes, env)
    }

    fn fulfil(&mut self, wishes: Wishes, env: &Env) -> Vec<Effect> {
        let mut effects = Vec::new();
        for wish in wishes.0 {
            match wish {
                Wish::Start { activity, argument } if self.stack.len() < DEEPEST => {
                    effects.extend(self.open(activity, argument, env));
                }
                Wish::Start { .. } => {}
                Wish::Finish => effects.extend(self.finish(env)),
                Wish::Show(content) => self.show(Window::new(content), env),
                Wish::Dismiss => self.dismiss(),
                Wish::HideKeyboard => self.keyboard = false,
                Wish::Focus(field) => {
                    if let Some(fields) = self.fields() {
                        fields.focus(&field);
                        self.keyboard = true;
                    }
                }
                Wish::Toast(text) => effects.push(Effect::Toast(text)),
                Wish::Ask(permission) => effects.push(Effect::Ask(permission)),
                Wish::Open(package) => effects.push(Effect::Open(package)),
                Wish::Hang(reason) => effects.push(Effect::Hang(reason)),
                Wish::Crash(throwable) => {
                    effects.push(Effect::Crash(throwable));
                    break;
                }
            }
        }
        effects
    }

    fn open(&mut self, activity: impl Into<Cow<'static, str>>, argument: String, env: &Env) -> Vec<Effect> {
        self.keyboard = false;
        if self.stack.is_empty() {
            (self.configuration, self.hidden) = (Some(env.configuration()), false);
        }
        self.stack.push(Activity::new(ActivityState::new(activity, argument)));
        let effects = self.deliver(Input::Opened { again: false }, Vec::new(), env);
        self.focus_first(env);
        effects
    }

    fn finish(&mut self, env: &Env) -> Vec<Effect> {
        self.keyboard = false;
        self.stack.pop();
        if self.stack.is_empty() {
            return vec![Effect::Left];
        }
        let mut effects = self.created_again(env);
        effects.extend(self.deliver(Input::Returned, Vec::new(), env));
        effects
    }

    /// Tells the activity on top that it was created again, unless it knows.
    fn created_again(&mut self, env: &Env) -> Vec<Effect> {
        let stale = self.stack.last_mut().is_some_and(|top| std::mem::take(&mut top.stale));
        if !stale {
            return Vec::new();
        }
        // Which field had the focus, or that none had it, is part of the saved state.
        self.deliver(Input::Opened { again: true }, Vec::new(), env)
    }

    /// Creates the activities again from what they saved.
    fn recreate(&mut self, env: &Env) -> Vec<Effect> {
        self.keyboard = false;
        for activity in &mut self.stack {
            activity.recreate();
        }
        self.created_again(env)
    }

    fn show(&mut self, window: Window, env: &Env) {
        self.keyboard = false;
        if let Some(top) = self.stack.last_mut() {
            top.windows.push(window);
            self.focus_first(env);
        }
    }

    /// Closes what is open above the activity.
    fn dismiss(&mut self) {
        if let Some(top) = self.stack.last_mut()
            && !top.windows.is_empty()
        {
            top.windows.clear();
            self.keyboard = false;
        }
    }

    /// A window that opens gives its first field the focus, without the keyboard.
    fn focus_first(&mut self, env: &Env) {
        let Some(scene) = self.active(env) else { return };
        let first = scene.nodes.iter().find_map(|node| node.field.clone());
        if let (Some(fields), Some(first)) = (self.fields(), first)
            && fields.focused().is_none()
        {
            fields.focus(&first);
        }
    }

    /// The fields of the active window.
    fn fields(&mut self) -> Option<&mut Fields> {
        let top = self.stack.last_mut()?;
        Some(top.windows.last_mut().map_or(&mut top.page.fields, |window| &mut window.fields))
    }

    fn handle(&mut self, handler: Handler, env: &Env) -> Vec<Effect> {
        let Some(top) = self.stack.last_mut() else { return Vec::new() };
        match handler {
            Handler::Act(action) => self.react(Input::Act(action), Vec::new(), env),
            Handler::Close(action) => {
                let entered = top.windows.pop().map(|window| window.texts()).unwrap_or_default();
                self.keyboard = false;
                action.map_or_else(Vec::new, |action| self.react(Input::Act(action), entered, env))
            }
            Handler::Leave(action) => {
                top.page.drawer_open = false;
                action.map_or_else(Vec::new, |action| self.react(Input::Act(action), Vec::new(), env))
            }
            Handler::OpenDrawer => {
                top.page.drawer_open = true;
                self.keyboard = false;
                Vec::new()
            }
            Handler::OpenMenu => {
                self.open_menu(env);
                Vec::new()
            }
            Handler::Put(id, value) => {
                if let Some(window) = top.windows.last_mut() {
                    window.fields.set(id, value);
                }
                Vec::new()
            }
            Handler::OpenSearch(id) => {
                top.page.searching = true;
                top.page.fields.focus(id);
                self.keyboard = true;
                Vec::new()
            }
            Handler::ClearSearch(id) if top.page.field(id).is_empty() => {
                self.close_search(env);
                Vec::new()
            }
            Handler::ClearSearch(id) => {
                top.page.fields.set(id, String::new());
                self.react(Input::Typed(id.to_owned()), Vec::new(), env)
            }
            Handler::Up => self.back(env),
        }
    }

    fn open_menu(&mut self, env: &Env) {
        let Some(top) = self.stack.last() else { return };
        let items = self.app.shown(&top.page, env).menu;
        if !items.is_empty() && top.windows.is_empty() {
            self.show(Window::menu(items, Gravity::TopEnd), env);
        }
    }

    /// Closes the search of the toolbar and forgets what was searched for; false when none is open.
    fn close_search(&mut self, env: &Env) -> bool {
        let Some(top) = self.stack.last_mut() else { return false };
        let field = self.app.shown(&top.page, env).search_field().filter(|_| top.page.searching);
        let Some(field) = field else { return false };
        top.page.searching = false;
        top.page.fields.set(field, String::new());
        top.page.fields.release();
        self.keyboard = false;
        true
    }

    /// BACK as far as the activity is concerned.
    fn back(&mut self, env: &Env) -> Vec<Effect> {
        self.defects.next_input();
        let Some(top) = self.stack.last_mut() else { return Vec::new() };
        let mut wishes = Wishes::default();
        let stays = self.app.back(Ctx::new(&mut top.page, env, &[], &mut wishes));
        let mut effects = self.fulfil(wishes, env);
        if !stays {
            effects.extend(self.finish(env));
        }
        effects
    }

    fn back_key(&mut self, env: &Env) -> Vec<Effect> {
        let Some(top) = self.stack.last_mut() else { return Vec::new() };
        if self.keyboard {
            self.keyboard = false;
        } else if top.windows.pop().is_some() {
        } else if top.page.drawer_open {
            top.page.drawer_open = false;
        } else if !self.close_search(env) {
            return self.back(env);
        }
        Vec::new()
    }

    fn enter_key(&mut self, env: &Env) -> Vec<Effect> {
        let Some(focused) = self.focused_node(env) else { return Vec::new() };
        if focused.flags.multiline {
            return self.edit(Edit::Insert("\n"), env);
        }
        self.keyboard = false;
        let handler = focused.submit.and_then(|n| self.handler(n, env));
        handler.map_or_else(Vec::new, |handler| self.handle(handler, env))
    }

    fn focused_node(&mut self, env: &Env) -> Option<Node> {
        let key = self.fields()?.focused()?.to_owned();
        self.active(env)?.field(&key).cloned()
    }

    fn focused_keys(&mut self, env: &Env) -> Keys {
        self.focused_node(env).map_or(Keys::All, |node| node.flags.keys)
    }

    /// TAB moves the focus to the next field.
    fn tab_key(&mut self, env: &Env) {
        let Some(scene) = self.active(env) else { return };
        let keys: Vec<String> = scene.nodes.iter().filter_map(|node| node.field.clone()).collect();
        let Some(fields) = self.fields() else { return };
        let at = keys.iter().position(|key| Some(key.as_str()) == fields.focused());
        let next = at.map_or(0, |at| (at + 1) % keys.len().max(1));
        if let Some(key) = keys.get(next) {
            fields.focus(key);
        }
    }

    fn handler(&self, number: usize, env: &Env) -> Option<Handler> {
        let top = self.stack.last()?;
        let arranged = top.arrange(&*self.app, &self.declaration.package, self.keyboard, env);
        arranged.handlers.into_iter().nth(number)
    }

    fn tap(&mut self, node: &Node, long: bool, env: &Env) -> Vec<Effect> {
        if let Some(key) = &node.field {
            if let Some(fields) = self.fields() {
                fields.focus(key);
            }
            self.keyboard = true;
            return Vec::new();
        }
        // A long touch on what takes none is a click once the finger is lifted.
        let number = if long { node.long_click.or(node.click) } else { node.click };
        let handler = number.and_then(|n| self.handler(n, env));
        handler.map_or_else(Vec::new, |handler| self.handle(handler, env))
    }

    fn drag(&mut self, scene: &Scene, from: Point, to: Point, env: &Env) -> Vec<Effect> {
        let (dx, dy) = (to.x.saturating_sub(from.x), to.y.saturating_sub(from.y));
        if let Some((_, drops)) =
            scene.innermost(from, |node| node.drops.is_some()).and_then(|handle| handle.drops.as_ref())
        {
            let number = scene.place_at(to).and_then(|place| drops.get(place).copied());
            let handler = number.and_then(|n| self.handler(n, env));
            return handler.map_or_else(Vec::new, |handler| self.handle(handler, env));
        }
        if dx.saturating_abs() > dy.saturating_abs() {
            let swipe = scene.innermost(from, |node| node.swipe.is_some()).and_then(|node| node.swipe);
            let number = swipe.map(|(forward, backward)| if dx < 0 { forward } else { backward });
            let handler = number.and_then(|n| self.handler(n, env));
            return handler.map_or_else(Vec::new, |handler| self.handle(handler, env));
        }
        let scrolling = |node: &Node| node.scroll.as_ref().is_some_and(|scroll| scroll.limit > 0);
        let scroll = scene.innermost(from, scrolling).and_then(|node| node.scroll.clone());
        if let (Some(scroll), Some(top)) = (scroll, self.stack.last_mut()) {
            let offset = scroll.offset.saturating_sub(dy).clamp(0, scroll.limit);
            let scrolls = top.windows.last_mut().map_or(&mut top.page.scrolls, |window| &mut window.scrolls);
            scrolls.insert(scroll.key, offset);
        }
        Vec::new()
    }

    /// Takes focus and keyboard away from a field that is no longer there.
    fn settle(&mut self, env: &Env) {
        let Some(top) = self.stack.last() else {
            self.keyboard = false;
            return;
        };
        let focused = top.windows.last().map_or(&top.page.fields, |window| &window.fields).focused();
        let gone = focused.is_some_and(|id| !top.has_field(&*self.app, id, env));
        if gone && let Some(fields) = self.fields() {
            fields.release();
        }
        self.keyboard &= self.fields().is_some_and(|fields| fields.focused().is_some());
    }
}
