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

/// The most keys in one sequence.
const MOST_KEYS: usize = 4;

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

/// Keys pressed one after the other: mostly one, more after a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence(Vec<Key>);

impl Sequence {
    /// Reads keys as the configuration writes them, separated by spaces.
    pub fn parse(text: &str) -> Option<Self> {
        let keys: Option<Vec<Key>> = text.split(' ').filter(|key| !key.is_empty()).map(Key::parse).collect();
        keys.filter(|keys| (1..=MOST_KEYS).contains(&keys.len())).map(Self)
    }

    /// What is left to press after these keys; `None` if it does not begin with them, or if they are all of it.
    fn after(&self, pressed: &[Key]) -> Option<Sequence> {
        let rest = self.0.strip_prefix(pressed)?;
        (!rest.is_empty()).then(|| Sequence(rest.to_vec()))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(&self.0))
    }
}

/// Keys as the configuration writes them.
pub fn written(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

/// What keys mean on a screen.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Command(&'static Command),
    /// Commands begin with them.
    Prefix,
    Nothing,
}

/// Which command keys run where.
#[derive(Clone, Debug)]
pub struct Keymap {
    bound: Vec<(Sequence, &'static Command)>,
}

impl Keymap {
    /// The default keys, replaced by those of `rebound` (command name to keys). Whatever is wrong in `rebound` is
    /// reported, with its place in the configuration if that is known, and left out: unknown commands and keys, and
    /// keys of two commands that apply in the same place, or one of which begins the other (the first in the table
    /// keeps it).
    pub fn new(
        rebound: &BTreeMap<String, Vec<String>>,
        places: &BTreeMap<String, String>,
    ) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let told = |name: &str, text: String| match places.get(&format!("keys.{name}")) {
            Some(place) => format!("{place}: {text}"),
            None => format!("[keys] {text}"),
        };
        for name in rebound.keys().filter(|name| command::all().all(|command| command.name != *name)) {
            problems.push(told(name, format!("there is no command `{name}`")));
        }
        let mut map = Self { bound: Vec::new() };
        // What a person chose comes before what is default.
        let (chosen, default): (Vec<_>, Vec<_>) =
            command::all().partition(|command| rebound.contains_key(command.name));
        for command in chosen.into_iter().chain(default) {
            let own: Vec<&str> = match rebound.get(command.name) {
                Some(keys) => keys.iter().map(String::as_str).collect(),
                None => command.keys.to_vec(),
            };
            for text in own {
                let Some(keys) = Sequence::parse(text) else {
                    problems.push(told(command.name, format!("{}: `{text}` is no key", command.name)));
                    continue;
                };
                match map.rival(&keys, command) {
                    None => map.bound.push((keys, command)),
                    Some((other_keys, other)) => {
                        let (name, rival) = (command.name, other.name);
                        let why = match *other_keys == keys {
                            true => format!("`{keys}` already runs `{rival}`, so it does not run `{name}`"),
                            false => format!(
                                "`{keys}` and `{other_keys}`, which runs `{rival}`, begin alike, so it does not run `{name}`"
                            ),
                        };
                        // The place to fix is where a person chose one of the two.
                        let chosen = if rebound.contains_key(name) { name } else { rival };
                        problems.push(told(chosen, why));
                    }
                }
            }
        }
        (map, problems)
    }

    /// A command that already has these keys, or keys that begin like them, in a place where this command applies.
    fn rival(&self, keys: &Sequence, command: &Command) -> Option<&(Sequence, &'static Command)> {
        let alike = |other: &Sequence| other.0.starts_with(&keys.0) || keys.0.starts_with(&other.0);
        self.bound.iter().find(|(other, of)| of.scope.intersects(command.scope) && alike(other))
    }

    /// What the keys pressed so far mean on a screen.
    pub fn on_screen(&self, pressed: &[Key], screen: Screen) -> Meaning {
        let mut here = self.bound.iter().filter(|(_, command)| command.scope.is_on(screen));
        let begun = |keys: &Sequence| keys.0.starts_with(pressed);
        match here.find(|(keys, _)| begun(keys)) {
            Some((keys, command)) if keys.0.len() == pressed.len() => Meaning::Command(command),
            Some(_) => Meaning::Prefix,
            None => Meaning::Nothing,
        }
    }

    /// What may be pressed after these keys on a screen, with what it runs.
    pub fn after(&self, pressed: &[Key], screen: Screen) -> Vec<(Sequence, &'static Command)> {
        let here = self.bound.iter().filter(|(_, command)| command.scope.is_on(screen));
        here.filter_map(|(keys, command)| Some((keys.after(pressed)?, *command))).collect()
    }

    /// The command of a key in a dialog.
    pub fn in_dialog(&self, key: Key) -> Option<&'static Command> {
        let in_dialogs = |command: &Command| command.scope.intersects(Scope::DIALOG);
        self.bound.iter().find(|(keys, of)| keys.0 == [key] && in_dialogs(of)).map(|(_, command)| *command)
    }

    /// The keys of a command, the ones to show first at the beginning.
    pub fn keys(&self, command: &Command) -> Vec<&Sequence> {
        self.keys_of(command.name)
    }

    /// The keys of the command with this name.
    pub fn keys_of(&self, name: &str) -> Vec<&Sequence> {
        self.bound.iter().filter(|(_, bound)| bound.name == name).map(|(keys, _)| keys).collect()
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
        let (map, problems) = Keymap::new(&BTreeMap::new(), &BTreeMap::new());
        assert_eq!(problems, Vec::<String>::new());
        for command in command::all() {
            assert_eq!(map.keys(command).len(), command.keys.len(), "{}", command.name);
        }
    }

    #[test]
    fn rebinding_reports_what_is_wrong() {
        let places = BTreeMap::from([("keys.lower".to_owned(), "config.toml:7".to_owned())]);
        let cases: [(&[(&str, &[&str])], &[&str]); 9] = [
            (&[("quit", &["ctrl-q"])], &[]),
            (&[("help", &[])], &[]),
            (&[("fly", &["w"])], &["there is no command `fly`"]),
            (&[("quit", &["hyper-q"])], &["quit: `hyper-q` is no key"]),
            (&[("quit", &["p"])], &["[keys] `p` already runs `quit`, so it does not run `pause`"]),
            (
                &[("quit", &["t y"])],
                &[
                    "`t` and `t y`, which runs `quit`, begin alike, so it does not run `toggle-tree",
                    "`t` and `t y`, which runs `quit`, begin alike, so it does not run `mark-true",
                    "`t` and `t y`, which runs `quit`, begin alike, so it does not run `record-tap",
                ],
            ),
            (&[("quit", &["ctrl-x ctrl-c"])], &[]),
            (&[("quit", &["a b c d e"])], &["`a b c d e` is no key"]),
            (&[("lower", &["p"])], &["config.toml:7: `p` already runs `lower`, so it does not run `pause`"]),
        ];
        for (pairs, expected) in cases {
            let (_, problems) = Keymap::new(&rebound(pairs), &places);
            assert_eq!(problems.len(), expected.len(), "{pairs:?}: {problems:?}");
            assert!(
                problems.iter().zip(expected).all(|(problem, part)| problem.contains(part)),
                "{problems:?}"
            );
        }
    }

    #[test]
    fn keys_mean_a_command_the_beginning_of_one_or_nothing() {
        let (map, _) = Keymap::new(&rebound(&[("quit", &["ctrl-x q", "ctrl-x ctrl-c"])]), &BTreeMap::new());
        let cases = [
            ("ctrl-x q", "quit"),
            ("ctrl-x ctrl-c", "quit"),
            ("ctrl-x", "prefix"),
            ("ctrl-x x", "nothing"),
            ("q", "nothing"),
            ("?", "help"),
        ];
        for (keys, expected) in cases {
            let pressed = Sequence::parse(keys).expect("keys").0;
            let meaning = match map.on_screen(&pressed, Screen::Lab) {
                Meaning::Command(command) => command.name,
                Meaning::Prefix => "prefix",
                Meaning::Nothing => "nothing",
            };
            assert_eq!(meaning, expected, "{keys}");
        }
        let pressed = Sequence::parse("ctrl-x").expect("a key").0;
        let after = map.after(&pressed, Screen::Lab);
        let after: Vec<_> = after.iter().map(|(keys, command)| format!("{keys} {}", command.name)).collect();
        assert_eq!(after, ["q quit", "ctrl-c quit"]);
    }
}
