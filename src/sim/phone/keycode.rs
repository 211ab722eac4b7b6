//! Key codes, by name and number.

use droidmux_sim_toolkit::keycode;
use droidmux_sim_toolkit::platform::{Edit, Motion};

/// What a key does on a simulated phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Home,
    Back,
    Menu,
    Enter,
    Tab,
    AppSwitch,
    /// Changes the focused field.
    Edit(Edit<'static>),
    Power,
    Wake,
    Sleep,
    Notification,
    Char(char),
    /// A key that is known but does nothing here, such as volume.
    Idle,
}

/// Names without `KEYCODE_`, numbers and meanings, after AOSP's `KeyEvent.java`.
const NAMED: [(&str, u32, Key); 42] = [
    ("UNKNOWN", 0, Key::Idle),
    ("HOME", keycode::HOME, Key::Home),
    ("BACK", keycode::BACK, Key::Back),
    ("CALL", 5, Key::Idle),
    ("ENDCALL", 6, Key::Idle),
    ("STAR", 17, Key::Char('*')),
    ("POUND", 18, Key::Char('#')),
    ("DPAD_UP", 19, Key::Idle),
    ("DPAD_DOWN", 20, Key::Idle),
    ("DPAD_LEFT", keycode::DPAD_LEFT, Key::Edit(Edit::Move(Motion::Left))),
    ("DPAD_RIGHT", keycode::DPAD_RIGHT, Key::Edit(Edit::Move(Motion::Right))),
    ("DPAD_CENTER", 23, Key::Enter),
    ("VOLUME_UP", 24, Key::Idle),
    ("VOLUME_DOWN", 25, Key::Idle),
    ("POWER", 26, Key::Power),
    ("CAMERA", 27, Key::Idle),
    ("COMMA", 55, Key::Char(',')),
    ("PERIOD", 56, Key::Char('.')),
    ("TAB", keycode::TAB, Key::Tab),
    ("SPACE", 62, Key::Char(' ')),
    ("ENTER", keycode::ENTER, Key::Enter),
    ("DEL", keycode::DEL, Key::Edit(Edit::DeleteBefore)),
    ("GRAVE", 68, Key::Char('`')),
    ("MINUS", 69, Key::Char('-')),
    ("EQUALS", 70, Key::Char('=')),
    ("LEFT_BRACKET", 71, Key::Char('[')),
    ("RIGHT_BRACKET", 72, Key::Char(']')),
    ("BACKSLASH", 73, Key::Char('\\')),
    ("SEMICOLON", 74, Key::Char(';')),
    ("APOSTROPHE", 75, Key::Char('\'')),
    ("SLASH", 76, Key::Char('/')),
    ("AT", 77, Key::Char('@')),
    ("MENU", keycode::MENU, Key::Menu),
    ("NOTIFICATION", 83, Key::Notification),
    ("ESCAPE", 111, Key::Back),
    ("FORWARD_DEL", keycode::FORWARD_DEL, Key::Edit(Edit::DeleteAfter)),
    ("MOVE_HOME", keycode::MOVE_HOME, Key::Edit(Edit::Move(Motion::Home))),
    ("MOVE_END", keycode::MOVE_END, Key::Edit(Edit::Move(Motion::End))),
    ("NUMPAD_ENTER", 160, Key::Enter),
    ("APP_SWITCH", 187, Key::AppSwitch),
    ("SLEEP", 223, Key::Sleep),
    ("WAKEUP", 224, Key::Wake),
];
/// The largest key code Android 13 knows.
const LAST: u32 = 316;

/// The key of this name or number; `None` when Android has no such key.
pub(super) fn key(name: &str) -> Option<Key> {
    let name = name.trim().to_ascii_uppercase();
    let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
    if let Some((.., key)) = NAMED.iter().find(|(known, ..)| *known == name) {
        return Some(*key);
    }
    // A single digit is the number of a key, as `input keyevent` reads it.
    if let Ok(number) = name.parse::<u32>() {
        return numbered(number);
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(letter @ 'A'..='Z'), None) => Some(Key::Char(letter.to_ascii_lowercase())),
        _ => None,
    }
}

fn numbered(number: u32) -> Option<Key> {
    let nth = |first: char, n: u32| char::from_u32(u32::from(first) + n).map(Key::Char);
    match number {
        7..=16 => nth('0', number - 7),
        29..=54 => nth('a', number - 29),
        _ if number > LAST => None,
        _ => Some(NAMED.iter().find(|(_, code, _)| *code == number).map_or(Key::Idle, |(.., key)| *key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_keys() {
        let cases = [
            ("KEYCODE_BACK", Some(Key::Back)),
            ("back", Some(Key::Back)),
            ("4", Some(Key::Back)),
            ("187", Some(Key::AppSwitch)),
            ("29", Some(Key::Char('a'))),
            ("KEYCODE_Z", Some(Key::Char('z'))),
            ("7", Some(Key::Char('0'))),
            ("164", Some(Key::Idle)),
            ("9999", None),
            ("KEYCODE_NONSENSE", None),
            ("", None),
        ];
        for (name, key) in cases {
            assert_eq!(super::key(name), key, "{name}");
        }
    }
}
