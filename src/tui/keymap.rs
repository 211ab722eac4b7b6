//! Keys: how they are written, and which command each one runs.

use std::collections::BTreeMap;
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::app::Screen;
use super::command::{self, Command, Scope};

/// A key with its modifiers. Shift is part of the character for keys that make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

/// Keys with names.
const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("page-up", KeyCode::PageUp),
    ("page-down", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
];

impl Key {
    /// Reads a key as the configuration writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut rest, mut ctrl, mut alt, mut shift) = (text, false, false, false);
        loop {
            let (modifier, after) = match rest.split_once('-') {
                Some((modifier, after)) if !after.is_empty() => (modifier, after),
                _ => break,
            };
            match modifier {
                "ctrl" => ctrl = true,
                "alt" => alt = true,
                "shift" => shift = true,
                _ => break,
            }
            rest = after;
        }
        let named = NAMED.iter().find(|(name, _)| *name == rest).map(|(_, code)| *code);
        let mut characters = rest.chars();
        let code = match (named, characters.next(), characters.as_str()) {
            (Some(code), ..) => code,
            (None, Some(c), "") if !c.is_control() => KeyCode::Char(c),
            (None, Some('f'), digits) => KeyCode::F(digits.parse().ok().filter(|n| (1..=24).contains(n))?),
            _ => return None,
        };
        let is_letter = matches!(code, KeyCode::Char(_));
        Some(Self { code, ctrl, alt, shift: shift && !is_letter })
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let has = |modifier| event.modifiers.contains(modifier);
        let (code, back) = match event.code {
            KeyCode::BackTab => (KeyCode::Tab, true),
            code => (code, false),
        };
        let is_letter = matches!(code, KeyCode::Char(_));
        Self {
            code,
            ctrl: has(KeyModifiers::CONTROL),
            alt: has(KeyModifiers::ALT),
            shift: back || has(KeyModifiers::SHIFT) && !is_letter,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if on {
                f.write_str(name)?;
            }
        }
        if let Some((name, _)) = NAMED.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "f{n}"),
            other => write!(f, "{other}"),
        }
    }
}

/// Which command a key runs where.
#[derive(Clone, Debug)]
pub struct Keymap {
    bound: BTreeMap<String, Vec<&'static Command>>,
    keys: BTreeMap<&'static str, Vec<Key>>,
}

impl Keymap {
    /// The default keys with those of `rebound` (command name to keys) in their place. What is
    /// wrong in `rebound` is told and left out: unknown commands and keys, and keys of two
    /// commands that apply in the same place (the first in the table keeps it).
    pub fn new(rebound: &BTreeMap<String, Vec<String>>) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        for name in rebound.keys().filter(|name| command::all().all(|command| command.name != *name)) {
            problems.push(format!("[keys] there is no command `{name}`"));
        }
        let mut map = Self { bound: BTreeMap::new(), keys: BTreeMap::new() };
        // What a person chose comes before what is default.
        let (chosen, default): (Vec<_>, Vec<_>) =
            command::all().partition(|command| rebound.contains_key(command.name));
        for command in chosen.into_iter().chain(default) {
            let own: Vec<&str> = match rebound.get(command.name) {
                Some(keys) => keys.iter().map(String::as_str).collect(),
                None => command.keys.to_vec(),
            };
            for text in own {
                match Key::parse(text) {
                    Some(key) => map.bind(key, command, &mut problems),
                    None => problems.push(format!("[keys] {}: `{text}` is no key", command.name)),
                }
            }
        }
        (map, problems)
    }

    fn bind(&mut self, key: Key, command: &'static Command, problems: &mut Vec<String>) {
        let bound = self.bound.entry(key.to_string()).or_default();
        if let Some(other) = bound.iter().find(|other| other.scope.intersects(command.scope)) {
            let (name, other) = (command.name, other.name);
            problems.push(format!("[keys] `{key}` already runs `{other}`, so it does not run `{name}`"));
            return;
        }
        bound.push(command);
        self.keys.entry(command.name).or_default().push(key);
    }

    /// The command of a key on a screen.
    pub fn on_screen(&self, key: Key, screen: Screen) -> Option<&'static Command> {
        self.bound.get(&key.to_string())?.iter().find(|command| command.scope.is_on(screen)).copied()
    }

    /// The command of a key in a dialog.
    pub fn in_dialog(&self, key: Key) -> Option<&'static Command> {
        self.bound
            .get(&key.to_string())?
            .iter()
            .find(|command| command.scope.intersects(Scope::DIALOG))
            .copied()
    }

    /// The keys of a command, the one to show first.
    pub fn keys(&self, command: &Command) -> &[Key] {
        self.keys.get(command.name).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebound(pairs: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_string()).collect();
        pairs.iter().map(|(name, keys)| ((*name).to_string(), owned(keys))).collect()
    }

    #[test]
    fn keys_are_written_as_they_are_read() {
        for text in ["q", "G", "ctrl-c", "alt-x", "shift-tab", "page-down", "f5", "space", "-", "ctrl--", "é"]
        {
            let key = Key::parse(text).unwrap_or_else(|| panic!("{text} is a key"));
            assert_eq!(key.to_string(), text);
        }
        for text in ["", "ctrl-", "hyper-x", "f25", "f0", "enterr", "ab"] {
            assert_eq!(Key::parse(text), None, "{text}");
        }
    }

    #[test]
    fn terminal_events_are_those_keys() {
        let cases = [
            (KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT), "G"),
            (KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT), "shift-tab"),
            (KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), "ctrl-c"),
        ];
        for (event, text) in cases {
            assert_eq!(Key::from(event).to_string(), text);
        }
    }

    #[test]
    fn default_keys_do_not_conflict() {
        let (map, problems) = Keymap::new(&BTreeMap::new());
        assert_eq!(problems, Vec::<String>::new());
        for command in command::all() {
            assert_eq!(map.keys(command).len(), command.keys.len(), "{}", command.name);
        }
    }

    #[test]
    fn rebinding_reports_what_is_wrong() {
        let cases: [(&[(&str, &[&str])], &[&str]); 5] = [
            (&[("quit", &["ctrl-q"])], &[]),
            (&[("help", &[])], &[]),
            (&[("fly", &["w"])], &["there is no command `fly`"]),
            (&[("quit", &["hyper-q"])], &["quit: `hyper-q` is no key"]),
            (&[("quit", &["p"])], &["`p` already runs `quit`, so it does not run `pause`"]),
        ];
        for (pairs, expected) in cases {
            let (_, problems) = Keymap::new(&rebound(pairs));
            assert_eq!(problems.len(), expected.len(), "{pairs:?}: {problems:?}");
            assert!(
                problems.iter().zip(expected).all(|(problem, part)| problem.contains(part)),
                "{problems:?}"
            );
        }
        let (map, _) = Keymap::new(&rebound(&[("quit", &["ctrl-q"])]));
        let quit = |text: &str| map.on_screen(Key::parse(text).expect("a key"), Screen::Lab).map(|c| c.name);
        assert_eq!((quit("ctrl-q"), quit("q")), (Some("quit"), None));
    }
}
