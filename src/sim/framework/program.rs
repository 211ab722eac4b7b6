//! The app of a host, as a phone sees an installed app.
//!
//! In: launches, touches, keys, text, what the phone is set to. Out: windows, pictures, effects. What the host shows comes
//! with its answer to each change: its time moves only with what it is asked to do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::RgbaImage;
use serde_json::{Map, Value, json};

use super::frame;
use super::host::Host;
use super::mutants;
use super::outcome::{self, Focus};
use super::scene;
use super::set_up::SetUp;
use crate::device::lock;
use droidmux_gui::Point;
use droidmux_sim_toolkit::Env;
use droidmux_sim_toolkit::keycode;
use droidmux_sim_toolkit::platform::{
    Answered, AppKey, Edit, Effect, Meanwhile, Motion, News, Program, Scene, Touch,
};

/// How long a long press takes: longer than any app's time-out.
const LONG_PRESS_MS: u32 = 800;
const DRAG_MS: u32 = 300;
/// The longest time that the host lets pass in one request, in milliseconds.
const LONGEST_IDLE: u64 = 60_000;
/// How many times the host presses a key for one request, at most.
const MOST_KEYS: usize = 1_000;
/// Most windows over the active one that are taken from a host.
const MOST_FLOATING: usize = 4;

/// An app that a host runs.
pub(super) struct FrameworkProgram {
    host: Arc<Host>,
    package: String,
    focus: Focus,
    /// The window in front, until something changes.
    window: Mutex<Option<Scene>>,
    logged: u64,
    /// What it heard of the phone's battery and screen, which another host has to be told again.
    heard: Map<String, Value>,
}

impl FrameworkProgram {
    pub(super) fn new(host: Arc<Host>, package: String) -> Self {
        FrameworkProgram {
            host,
            package,
            focus: Focus::default(),
            window: Mutex::default(),
            logged: 0,
            heard: Map::new(),
        }
    }

    /// Has the host do something and sees what came of it.
    fn act(&mut self, what: &str, members: Value) -> Vec<Effect> {
        *lock(&self.window) = None;
        let Value::Object(mut members) = members else { return Vec::new() };
        members.insert("look".into(), self.logged.into());
        match self.host.ask(what, members) {
            Some(answer) => self.outcome(&answer),
            None => self.look(),
        }
    }

    /// Hears of the phone's battery or screen.
    fn hear_of(&mut self, members: Value) -> Vec<Effect> {
        if let Value::Object(members) = &members {
            self.heard.extend(members.clone());
        }
        self.act("device", members)
    }

    /// What came of something that the host has done.
    fn outcome(&mut self, answer: &Value) -> Vec<Effect> {
        *lock(&self.window) = None;
        let seen = &answer["seen"];
        let mut effects = if seen.is_object() { self.logged(seen) } else { self.log() };
        if let Some(toast) = answer["toast"].as_str() {
            effects.push(Effect::Toast(toast.to_owned()));
        }
        if let Some(end) = outcome::end(answer) {
            if matches!(end, Effect::Died(_)) {
                self.focus = Focus::default();
            }
            effects.push(end);
            return effects;
        }
        if seen.is_object() {
            *lock(&self.window) = seen["xml"].as_str().and_then(scene::read);
            effects.extend(self.saw(seen));
        } else {
            effects.extend(self.look());
        }
        effects
    }

    /// Sees what is in front.
    fn look(&mut self) -> Vec<Effect> {
        let Some(seen) = self.host.ask("focus", Map::new()) else { return Vec::new() };
        self.saw(&seen)
    }

    fn saw(&mut self, seen: &Value) -> Vec<Effect> {
        let before = std::mem::replace(&mut self.focus, Focus::read(seen));
        before.until(&self.focus)
    }

    /// What the app wrote since last time.
    fn log(&mut self) -> Vec<Effect> {
        let members = members(json!({ "since": self.logged }));
        let Some(answer) = self.host.ask("log", members) else { return Vec::new() };
        self.logged(&answer)
    }

    fn logged(&mut self, answer: &Value) -> Vec<Effect> {
        self.logged = answer["next"].as_u64().unwrap_or(self.logged);
        outcome::lines(answer).filter_map(outcome::logged).collect()
    }

    /// Tells the host how the phone is set, where that changed.
    fn tell(&mut self, env: &Env) -> Vec<Effect> {
        let changes = lock(&self.host.told).change(SetUp::of(env));
        changes.into_iter().flat_map(|(what, members)| self.act(what, members)).collect()
    }
}

impl Program for FrameworkProgram {
    fn activity(&self) -> Option<String> {
        self.focus.runs.then(|| self.focus.activity.clone())
    }

    fn launch(&mut self, activity: &str, env: &Env) -> Vec<Effect> {
        let mut effects = self.tell(env);
        let full =
            if activity.contains('.') { activity.to_owned() } else { format!("{}.{activity}", self.package) };
        let home = self.host.ask("hello", Map::new());
        let launcher = home.is_some_and(|about| about["activity"] == full.as_str());
        effects.extend(match launcher {
            true => self.act("start", json!({})),
            false => self.act("start", json!({ "activity": full })),
        });
        effects
    }

    fn scenes(&self, env: &Env) -> Vec<Scene> {
        self.active(env).into_iter().collect()
    }

    fn active(&self, _env: &Env) -> Option<Scene> {
        if !self.focus.runs && !self.focus.shade {
            return None;
        }
        let mut window = lock(&self.window);
        if window.is_none() {
            let answer = self.host.ask("dump", Map::new())?;
            *window = scene::read(answer["xml"].as_str()?);
        }
        window.clone()
    }

    fn floating(&self) -> Vec<Scene> {
        if !self.focus.heads_up {
            return Vec::new();
        }
        let Some(answer) = self.host.ask("floating", Map::new()) else { return Vec::new() };
        let windows = answer["windows"].as_array().into_iter().flatten().filter_map(Value::as_str);
        windows.take(MOST_FLOATING).filter_map(scene::read).collect()
    }

    fn picture(&self) -> Option<RgbaImage> {
        let answer = self.host.ask("frame", Map::new())?;
        frame::read(&STANDARD.decode(answer["qoi"].as_str()?).ok()?)
    }

    fn fills_screen(&self) -> bool {
        true
    }

    fn stranger(&self) -> Option<&str> {
        self.focus.outside.then_some(self.focus.package.as_str())
    }

    fn draws_shade(&self) -> bool {
        true
    }

    fn shade(&mut self, open: bool) -> Vec<Effect> {
        if open == self.focus.shade { Vec::new() } else { self.act("shade", json!({ "open": open })) }
    }

    fn notifications(&self) -> Vec<String> {
        let Some(answer) = self.host.ask("notifications", Map::new()) else { return Vec::new() };
        outcome::lines(&answer).map(str::to_owned).collect()
    }

    fn activity_command(&mut self, words: &[String], env: &Env) -> Option<(Answered, Vec<Effect>)> {
        let mut effects = self.tell(env);
        let answer = self.host.ask("am", members(json!({ "words": words, "look": self.logged })))?;
        let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
        let code = answer["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or(255);
        effects.extend(self.outcome(&answer));
        Some((Answered { output: text("output"), errors: text("errors"), code }, effects))
    }

    fn hear(&mut self, news: News, env: &Env) -> Vec<Effect> {
        match news {
            News::Battery { level, charging } => {
                self.hear_of(json!({ "battery": level, "charging": charging }))
            }
            News::Screen(on) => self.hear_of(json!({ "screen": on })),
            News::ClockSet(by) => {
                let Some(seen) = self.host.ask("focus", Map::new()) else { return Vec::new() };
                let now = seen["time"].as_i64().unwrap_or_default();
                let mut effects = self.tell(env);
                effects.extend(self.act("time", json!({ "to": now.saturating_add(by).max(0) })));
                effects
            }
            News::ClockAt(to) => {
                let mut effects = self.tell(env);
                effects.extend(self.act("time", json!({ "to": to })));
                effects
            }
        }
    }

    fn pass_time(&mut self, millis: u64, meanwhile: Meanwhile, env: &Env) -> Option<Vec<Effect>> {
        let mut effects = self.tell(env);
        match meanwhile {
            Meanwhile::Asleep => effects.extend(self.act("pass", json!({ "ms": millis }))),
            Meanwhile::Awake => {
                let mut left = millis;
                while left > 0 {
                    let idle = left.min(LONGEST_IDLE);
                    effects.extend(self.act("idle", json!({ "ms": idle })));
                    left -= idle;
                }
            }
        }
        Some(effects)
    }

    fn is_restless(&self, _env: &Env) -> bool {
        false
    }

    fn touch(&mut self, at: Point, touch: Touch, env: &Env) -> Vec<Effect> {
        let inside = |point: Point| Point {
            x: point.x.clamp(0, env.frame.width - 1),
            y: point.y.clamp(0, env.frame.height - 1),
        };
        if at != inside(at) {
            return Vec::new();
        }
        match touch {
            Touch::Tap => self.act("tap", json!({ "x": at.x, "y": at.y })),
            Touch::Long => self.act("tap", json!({ "x": at.x, "y": at.y, "ms": LONG_PRESS_MS })),
            Touch::Drag(to) => {
                let to = inside(to);
                self.act("swipe", json!({ "x": at.x, "y": at.y, "to-x": to.x, "to-y": to.y, "ms": DRAG_MS }))
            }
        }
    }

    fn press(&mut self, key: AppKey, _env: &Env) -> Vec<Effect> {
        let code = match key {
            AppKey::Back => keycode::BACK,
            AppKey::Tab => keycode::TAB,
            AppKey::Enter => keycode::ENTER,
            AppKey::Menu => keycode::MENU,
        };
        self.act("key", json!({ "code": code }))
    }

    fn edit(&mut self, edit: Edit<'_>, _env: &Env) -> Vec<Effect> {
        match edit {
            Edit::Insert(text) if text.chars().all(|char| matches!(char, ' '..='~')) => {
                self.act("text", json!({ "text": text }))
            }
            Edit::Insert(text) => self.act("commit", json!({ "text": text })),
            Edit::Replace(text) => self.act("commit", json!({ "text": text, "instead": true })),
            Edit::SelectAll => self.act("select-all", json!({})),
            Edit::DeleteBefore | Edit::DeleteAfter | Edit::Move(_) => {
                self.act("key", json!({ "code": key_of(edit) }))
            }
        }
    }

    fn edit_at_once(&mut self, edit: Edit<'_>, times: usize, _env: &Env) -> Option<Vec<Effect>> {
        let code = key_of(edit)?;
        let mut effects = Vec::new();
        let mut left = times;
        while left > 0 {
            let now = left.min(MOST_KEYS);
            effects.extend(self.act("key", json!({ "code": code, "times": now })));
            left -= now;
        }
        Some(effects)
    }

    fn answer(&mut self, _permission: &str, _granted: bool, env: &Env) -> Vec<Effect> {
        self.tell(env)
    }

    fn show(&mut self, env: &Env) -> Vec<Effect> {
        let mut effects = self.tell(env);
        if !self.focus.runs {
            effects.extend(self.act("start", json!({})));
        }
        effects
    }

    fn hide(&mut self, _env: &Env) {
        // Going home is leaving on purpose: nobody has to be told.
        let _ = self.act("key", json!({ "code": keycode::HOME }));
    }

    fn network(&mut self, env: &Env) -> Vec<Effect> {
        self.tell(env)
    }

    fn keyboard(&self) -> bool {
        self.focus.keyboard
    }

    fn has_focused_field(&self) -> bool {
        self.focus.editor
    }

    fn cover(&mut self) {}

    fn kill(&mut self) {
        let _ = self.act("stop", json!({}));
        self.focus = Focus::default();
    }

    fn reclaim(&mut self) {
        let _ = self.act("key", json!({ "code": keycode::HOME }));
        let _ = self.act("kill", json!({}));
        self.focus = Focus::default();
    }

    fn keeps_running(&self) -> bool {
        false
    }

    fn wipe(&mut self) {
        *lock(&self.window) = None;
        self.focus = Focus::default();
        if self.host.clear() {
            self.logged = 0;
            if !self.heard.is_empty() {
                let _ = self.host.ask("device", self.heard.clone());
            }
        } else {
            let _ = self.log();
            lock(&self.host.told).wiped();
        }
    }

    fn set_off(&self) -> BTreeMap<String, u64> {
        mutants::set_off(&self.host)
    }
}

/// The code of the key that changes a field so; `None` where it takes more than a key.
fn key_of(edit: Edit<'_>) -> Option<u32> {
    match edit {
        Edit::DeleteBefore => Some(keycode::DEL),
        Edit::DeleteAfter => Some(keycode::FORWARD_DEL),
        Edit::Move(Motion::Home) => Some(keycode::MOVE_HOME),
        Edit::Move(Motion::End) => Some(keycode::MOVE_END),
        Edit::Move(Motion::Left) => Some(keycode::DPAD_LEFT),
        Edit::Move(Motion::Right) => Some(keycode::DPAD_RIGHT),
        Edit::Insert(_) | Edit::Replace(_) | Edit::SelectAll => None,
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
