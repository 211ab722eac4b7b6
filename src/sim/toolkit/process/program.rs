//! What the phone asks of a running app.

use std::collections::BTreeMap;

use super::super::app::Input;
use super::super::env::Env;
use super::super::fields::Edit;
use super::super::program::{AppData, AppKey, Effect, Program, Touch};
use super::super::scene::Scene;
use super::Process;
use droidmux_gui::Point;

/// Movement below this many dp is a touch, not a drag.
const SLOP: i32 = 8;

impl Program for Process {
    fn activity(&self) -> Option<String> {
        self.stack.last().map(|top| self.declaration.full_name(top.page.activity()))
    }

    fn launch(&mut self, activity: &str, env: &Env) -> Vec<Effect> {
        let known = self.declaration.activities.iter().find(|known| known.short == activity);
        let Some(activity) = known.map(|known| known.short.clone()) else { return Vec::new() };
        if std::mem::take(&mut self.reclaimed) {
            self.configuration = Some(env.configuration());
        }
        if self.stack.first().is_some_and(|first| first.page.activity() == activity) {
            return self.created_again(env);
        }
        self.defects.next_input();
        self.open(activity, String::new(), env)
    }

    fn scenes(&self, env: &Env) -> Vec<Scene> {
        let Some(top) = self.stack.last() else { return Vec::new() };
        top.scenes(&*self.app, &self.declaration.package, self.keyboard, env)
    }

    fn active(&self, env: &Env) -> Option<Scene> {
        let top = self.stack.last()?;
        Some(top.arrange(&*self.app, &self.declaration.package, self.keyboard, env).scene)
    }

    fn is_restless(&self, env: &Env) -> bool {
        self.stack.last().is_some_and(|top| self.app.shown(&top.page, env).restless)
    }

    fn touch(&mut self, at: Point, touch: Touch, env: &Env) -> Vec<Effect> {
        let Some(scene) = self.active(env) else { return Vec::new() };
        if self.keyboard && env.frame.keyboard().contains(at) {
            return Vec::new();
        }
        let has_windows = self.stack.last().is_some_and(|top| !top.windows.is_empty());
        if has_windows && !scene.window.contains(at) {
            self.keyboard = false;
            if let Some(top) = self.stack.last_mut() {
                top.windows.pop();
            }
            return Vec::new();
        }
        let slop = env.frame.px(SLOP);
        let effects = match touch {
            Touch::Drag(to) if (to.x - at.x).abs() > slop || (to.y - at.y).abs() > slop => {
                self.drag(&scene, at, to, env)
            }
            Touch::Tap | Touch::Long | Touch::Drag(_) => match scene.touched(at) {
                Some(node) => self.tap(node, touch == Touch::Long, env),
                None => Vec::new(),
            },
        };
        self.settle(env);
        effects
    }

    fn press(&mut self, key: AppKey, env: &Env) -> Vec<Effect> {
        let effects = match key {
            AppKey::Back => self.back_key(env),
            AppKey::Enter => self.enter_key(env),
            AppKey::Menu => {
                self.open_menu(env);
                Vec::new()
            }
            AppKey::Tab => {
                self.tab_key(env);
                Vec::new()
            }
        };
        self.settle(env);
        effects
    }

    fn edit(&mut self, edit: Edit<'_>, env: &Env) -> Vec<Effect> {
        let Some(fields) = self.fields() else { return Vec::new() };
        let Some(field) = fields.focused().map(str::to_owned) else { return Vec::new() };
        let taken;
        let edit = match edit {
            Edit::Insert(text) => {
                taken = self.focused_keys(env).taken(text);
                Edit::Insert(&taken)
            }
            Edit::Replace(text) => {
                taken = self.focused_keys(env).taken(text);
                Edit::Replace(&taken)
            }
            other => other,
        };
        let in_page = self.stack.last().is_some_and(|top| top.windows.is_empty());
        let changed = self.fields().is_some_and(|fields| fields.edit(edit));
        let effects =
            if changed && in_page { self.react(Input::Typed(field), Vec::new(), env) } else { Vec::new() };
        self.settle(env);
        effects
    }

    fn answer(&mut self, permission: &str, granted: bool, env: &Env) -> Vec<Effect> {
        let effects =
            self.react(Input::Answered { permission: permission.to_owned(), granted }, Vec::new(), env);
        self.settle(env);
        effects
    }

    fn show(&mut self, env: &Env) -> Vec<Effect> {
        if self.stack.is_empty() {
            return Vec::new();
        }
        let now = env.configuration();
        let before = self.configuration.replace(now.clone());
        let mut effects =
            if before.is_some_and(|before| before != now) { self.recreate(env) } else { Vec::new() };
        let crashed = effects.iter().any(|effect| matches!(effect, Effect::Crash(_)));
        if std::mem::take(&mut self.hidden) && !crashed {
            effects.extend(self.react(Input::Shown, Vec::new(), env));
        }
        self.settle(env);
        effects
    }

    fn hide(&mut self, env: &Env) {
        self.keyboard = false;
        if !self.stack.is_empty() && !std::mem::replace(&mut self.hidden, true) {
            // Nobody sees what it shows now.
            let _ = self.react(Input::Hidden, Vec::new(), env);
        }
    }

    fn network(&mut self, env: &Env) -> Vec<Effect> {
        let effects = self.react(Input::Network, Vec::new(), env);
        self.settle(env);
        effects
    }

    fn keyboard(&self) -> bool {
        self.keyboard
    }

    fn has_focused_field(&self) -> bool {
        let Some(top) = self.stack.last() else { return false };
        let fields = top.windows.last().map_or(&top.page.fields, |window| &window.fields);
        fields.focused().is_some()
    }

    fn cover(&mut self) {
        self.keyboard = false;
    }

    fn kill(&mut self) {
        self.stack.clear();
        self.keyboard = false;
        (self.configuration, self.hidden, self.reclaimed) = (None, false, false);
        self.app.died();
    }

    fn reclaim(&mut self) {
        for activity in &mut self.stack {
            activity.recreate();
        }
        self.keyboard = false;
        (self.configuration, self.hidden, self.reclaimed) = (None, false, !self.stack.is_empty());
        self.app.died();
    }

    fn keeps_running(&self) -> bool {
        self.app.stays()
    }

    fn wipe(&mut self) {
        self.kill();
        self.app = (self.make)(&self.defects);
    }

    fn data(&self) -> Option<AppData> {
        Some(AppData::of(&*self.app))
    }

    fn put_data(&mut self, data: &AppData) {
        self.kill();
        self.app = data.app();
    }

    fn set_off(&self) -> BTreeMap<String, u64> {
        self.defects.set_off()
    }
}
