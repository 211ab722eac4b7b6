//! Input methods: which the phone has, which may be chosen, which is.
//!
//! As on Android all but the first are settings: `enabled_input_methods` and `default_input_method`.

use super::{FIRST_UID, Package, Phone};
use crate::sim::render::Keyboard;
use crate::sim::toolkit::Edit;

/// The keyboard every phone has, and the one that types what broadcasts say.
pub const LATIN_KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";
pub const ADB_KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";

const ENABLED: &str = "enabled_input_methods";
const DEFAULT: &str = "default_input_method";

impl Phone {
    /// The input methods that are installed.
    pub fn input_methods(&self) -> Vec<&'static str> {
        let adb = self.options.adb_keyboard.then_some(ADB_KEYBOARD);
        [LATIN_KEYBOARD].into_iter().chain(adb).collect()
    }

    /// The installed ones that may be chosen.
    pub fn enabled_input_methods(&self) -> Vec<&'static str> {
        let enabled = self.setting("secure", ENABLED).unwrap_or_default();
        let is_enabled = |id: &&str| enabled.split(':').any(|one| one.split(';').next() == Some(*id));
        self.input_methods().into_iter().filter(is_enabled).collect()
    }

    /// Lets an installed one be chosen, or no longer; one that is forbidden gives way to another. False
    /// when there was nothing to change.
    pub fn enable_input_method(&mut self, id: &str, on: bool) -> bool {
        let mut enabled = self.enabled_input_methods();
        let Some(known) = self.input_methods().into_iter().find(|known| *known == id) else { return false };
        let was_on = enabled.contains(&known);
        match on {
            true if !was_on => enabled.push(known),
            false => enabled.retain(|other| *other != known),
            true => {}
        }
        self.set_setting("secure", ENABLED, Some(&enabled.join(":")));
        if !on && self.setting("secure", DEFAULT) == Some(id) {
            self.set_setting("secure", DEFAULT, enabled.first().copied());
        }
        was_on != on
    }

    /// Chooses an enabled one; false when it is none.
    pub fn choose_input_method(&mut self, id: &str) -> bool {
        let known = self.enabled_input_methods().contains(&id);
        if known {
            self.set_setting("secure", DEFAULT, Some(id));
        }
        known
    }

    /// What ADBKeyBoard does on a broadcast: it hears them only while it is the keyboard and shows.
    pub fn tell_keyboard(&mut self, edit: KeyboardOrder<'_>) {
        if self.setting("secure", DEFAULT) != Some(ADB_KEYBOARD) || !self.focus().keyboard {
            return;
        }
        match edit {
            KeyboardOrder::Type(text) => self.commit_text(text),
            KeyboardOrder::Clear => {
                self.select_all();
                self.edit(Edit::DeleteBefore);
            }
        }
    }

    /// How the chosen keyboard looks.
    pub(super) fn keyboard_kind(&self) -> Keyboard {
        if self.setting("secure", DEFAULT) == Some(ADB_KEYBOARD) { Keyboard::Adb } else { Keyboard::Latin }
    }

    /// The package of ADBKeyBoard, where it is installed.
    pub(super) fn keyboard_package(&self) -> Option<Package> {
        let (name, _) = ADB_KEYBOARD.split_once('/')?;
        self.options.adb_keyboard.then(|| Package {
            name: name.into(),
            label: "ADB Keyboard".into(),
            version_name: "2.0".into(),
            version_code: 2,
            launcher: None,
            activities: Vec::new(),
            permissions: Vec::new(),
            uid: FIRST_UID - 2,
            system: false,
        })
    }
}

/// What a broadcast tells ADBKeyBoard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyboardOrder<'a> {
    Type(&'a str),
    Clear,
}
