//! Input methods: which ones the phone has, which may be chosen, and which one is.
//!
//! As on Android all but the first are settings: `enabled_input_methods` and `default_input_method`. An
//! installed app brings those it declares. What a keyboard's own code does is known only for the few in
//! [`TOLD`], which type what broadcasts say; any other shows and types nothing by itself.

use super::{FIRST_UID, Package, Phone};
use crate::render::Keyboard;
use droidmux_sim_toolkit::platform::Edit;

/// The keyboard every phone has, and the one that types what broadcasts say.
pub const LATIN_KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";
/// ADBKeyBoard, on phones built with it: must show on the screen to type what broadcasts say.
pub const ADB_KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";

/// That of uiautomator2's helper app.
pub const ATX_KEYBOARD: &str = "com.github.uiautomator/.AdbKeyboard";
/// That of DroidBot's.
pub const DROIDBOT_KEYBOARD: &str = "io.github.ylimit.droidbotapp/.DroidBotIME";
/// The keyboards that hear broadcasts.
const TOLD: [&str; 3] = [ADB_KEYBOARD, ATX_KEYBOARD, DROIDBOT_KEYBOARD];

const ENABLED: &str = "enabled_input_methods";
const DEFAULT: &str = "default_input_method";

impl Phone {
    /// The input methods that are installed.
    pub fn input_methods(&self) -> Vec<String> {
        let own = [Some(LATIN_KEYBOARD), self.options.adb_keyboard.then_some(ADB_KEYBOARD)];
        let brought = self.installed.values().flat_map(|installed| installed.app.declaration().keyboards());
        own.into_iter().flatten().map(str::to_owned).chain(brought).collect()
    }

    /// The installed ones that may be chosen.
    pub fn enabled_input_methods(&self) -> Vec<String> {
        let enabled = self.setting("secure", ENABLED).unwrap_or_default();
        let is_enabled = |id: &String| enabled.split(':').any(|one| one.split(';').next() == Some(id));
        self.input_methods().into_iter().filter(is_enabled).collect()
    }

    /// Allows an installed one to be chosen, or forbids it; another takes the place of a chosen one
    /// that is forbidden. False when there was nothing to change.
    pub fn enable_input_method(&mut self, id: &str, on: bool) -> bool {
        let mut enabled = self.enabled_input_methods();
        let Some(known) = self.input_methods().into_iter().find(|known| known == id) else { return false };
        let was_on = enabled.contains(&known);
        match on {
            true if !was_on => enabled.push(known),
            false => enabled.retain(|other| *other != known),
            true => {}
        }
        self.set_setting("secure", ENABLED, Some(&enabled.join(":")));
        if !on && self.setting("secure", DEFAULT) == Some(id) {
            self.set_setting("secure", DEFAULT, enabled.first().map(String::as_str));
        }
        was_on != on
    }

    /// Chooses an enabled one; false when it is not enabled.
    pub fn choose_input_method(&mut self, id: &str) -> bool {
        let known = self.enabled_input_methods().iter().any(|known| known == id);
        if known {
            self.set_setting("secure", DEFAULT, Some(id));
        }
        known
    }

    /// What a keyboard that hears broadcasts does on one, while it is the chosen one. `None` when it is
    /// not, else whether it had a field to act on: for that ADBKeyBoard must show, the others need not.
    pub fn tell_keyboard(&mut self, keyboard: &str, order: KeyboardOrder<'_>) -> Option<bool> {
        if self.setting("secure", DEFAULT) != Some(keyboard) || !TOLD.contains(&keyboard) {
            return None;
        }
        let focused = self.above().is_none() && self.front_program().is_some_and(|p| p.has_focused_field());
        let able = if keyboard == ADB_KEYBOARD { self.focus().keyboard } else { focused };
        match order {
            KeyboardOrder::Hide => {
                self.cover_front();
                return Some(true);
            }
            _ if !able => return Some(false),
            KeyboardOrder::Type(text) => self.commit_text(text),
            KeyboardOrder::Replace(text) => {
                self.set_field_text(text);
            }
            KeyboardOrder::Clear => {
                self.select_all();
                self.edit(Edit::DeleteBefore);
            }
            KeyboardOrder::Enter => return Some(self.key("ENTER").is_ok()),
        }
        Some(true)
    }

    /// Drops settings that name an input method which is gone.
    pub(super) fn settle_input_methods(&mut self) {
        let enabled = self.enabled_input_methods();
        let chosen = self.setting("secure", DEFAULT).unwrap_or_default();
        if !enabled.iter().any(|id| id == chosen) {
            self.set_setting("secure", DEFAULT, enabled.first().map(String::as_str));
        }
        if self.setting("secure", ENABLED).is_some_and(|ids| ids.split(':').count() != enabled.len()) {
            self.set_setting("secure", ENABLED, Some(&enabled.join(":")));
        }
    }

    /// How the chosen keyboard looks.
    pub(super) fn keyboard_kind(&self) -> Keyboard {
        let chosen = self.setting("secure", DEFAULT).unwrap_or_default();
        if TOLD.contains(&chosen) { Keyboard::Adb } else { Keyboard::Latin }
    }

    /// The package of ADBKeyBoard, where it is installed.
    pub(super) fn keyboard_package(&self) -> Option<Package> {
        let (name, _) = ADB_KEYBOARD.split_once('/')?;
        self.options.adb_keyboard.then(|| Package {
            name: name.into(),
            label: "ADB Keyboard".into(),
            version_name: "2.0".into(),
            version_code: 2,
            uid: FIRST_UID - 2,
            ..Package::default()
        })
    }
}

/// What a broadcast tells a keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyboardOrder<'a> {
    /// Inserts this at the cursor.
    Type(&'a str),
    /// Replaces everything in the field with this.
    Replace(&'a str),
    /// Empties the field.
    Clear,
    /// The key at the lower right.
    Enter,
    /// Takes the keyboard off the screen; needs no field.
    Hide,
}
