//! What came of something that a host has done, as effects on the phone.
//!
//! In: the host's answer, its log, and what has the focus. Out: effects. The lines of the system's own process are left
//! out: the phone writes these itself.

use serde_json::Value;

use droidmux_sim_toolkit::platform::Effect;

/// Most lines of an app's log that one request brings.
pub(super) const MOST_LINES: usize = 2_000;
/// What the log says of a crash that is not the app's fault, where clients look for it.
const LAB_FAULT: &str = "The fault is the framework lab's, not the app's.";
/// Process id of the system in the host's log, whose lines the phone writes itself.
const SYSTEM: &str = "512";

/// The end of the process or of the app's patience, if this answer tells of one.
pub(super) fn end(answer: &Value) -> Option<Effect> {
    if let Some(crash) = answer["crash"].as_str() {
        let mut words: Vec<String> = crash.lines().take(MOST_LINES).map(str::to_owned).collect();
        if answer["of"] == "lab" {
            // After the exception: whoever reads the log reads the first lines of the stack.
            let stack = words.iter().position(|line| line.trim_start().starts_with("at "));
            words.insert(stack.unwrap_or(words.len()), LAB_FAULT.to_owned());
        }
        return Some(Effect::Died(words));
    }
    let hangs = answer["not-responding"].is_string();
    hangs.then(|| Effect::Hang("Input dispatching timed out".into()))
}

/// The text lines of an answer, as many as are taken.
pub(super) fn lines(answer: &Value) -> impl Iterator<Item = &str> {
    answer["lines"].as_array().into_iter().flatten().filter_map(Value::as_str).take(MOST_LINES)
}

/// A line of the host's log, in the form of `logcat -v threadtime`, unless the phone writes it itself.
pub(super) fn logged(line: &str) -> Option<Effect> {
    let mut rest = line;
    let mut next = || {
        let (word, after) = rest.trim_start().split_once(' ')?;
        rest = after;
        Some(word)
    };
    let (_date, _time, pid, _thread) = (next()?, next()?, next()?, next()?);
    let level = next()?.chars().next()?;
    let (tag, message) = rest.split_once(": ")?;
    let tag = tag.trim();
    if pid == SYSTEM || tag == "AndroidRuntime" {
        return None;
    }
    Some(Effect::Log { level, tag: tag.to_owned(), message: message.to_owned() })
}

/// What the host shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Focus {
    pub(super) package: String,
    pub(super) activity: String,
    pub(super) runs: bool,
    pub(super) outside: bool,
    pub(super) keyboard: bool,
    pub(super) editor: bool,
    pub(super) shade: bool,
    /// A notification stands over the app.
    pub(super) heads_up: bool,
}

impl Focus {
    pub(super) fn read(seen: &Value) -> Self {
        let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();
        let is = |name: &str| seen[name].as_bool().unwrap_or_default();
        Focus {
            package: text("package"),
            activity: text("activity"),
            runs: !is("home"),
            outside: is("outside"),
            keyboard: is("keyboard"),
            editor: is("editor"),
            shade: is("shade"),
            heads_up: is("heads-up"),
        }
    }

    /// What has happened between this and what is shown now: an app that went home has left, and one that is there by
    /// itself has come.
    pub(super) fn until(&self, now: &Focus) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.shade != now.shade {
            effects.push(Effect::Shade(now.shade));
        }
        match (self.runs, now.runs) {
            (true, false) => effects.push(Effect::Left),
            (false, true) => effects.push(Effect::Came),
            _ => {}
        }
        effects
    }
}
