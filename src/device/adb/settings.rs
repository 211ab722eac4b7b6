//! System settings that are changed for a session, or by events of its tests (`alteration`), and put back
//! after it, the keyboard among them.
//!
//! The previous values are written to a file on the device before anything is changed, and the file is removed only
//! after everything has been put back: the next session to prepare or restore finds it there, even when this session
//! died.

use super::keyboard::ADB_KEYBOARD;
use super::shell::quoted;
use super::surroundings::Surroundings;

/// Where the values are kept.
const FILE: &str = "/data/local/tmp/droidmux-settings";

/// First word of the file's only line; the last one shows that the line is complete.
const HEAD: &str = "droidmux-settings-1";
const TAIL: &str = "end";

/// A setting and its value during a session.
struct Setting {
    space: &'static str,
    key: &'static str,
    session: &'static str,
}

/// The scales of animations, in the namespace `global`.
pub(super) const ANIMATIONS: [&str; 3] =
    ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"];

/// Animations off, the screen kept on while plugged in, rotation by us alone and upright.
const SETTINGS: [Setting; 6] = [
    Setting { space: "global", key: ANIMATIONS[0], session: "0" },
    Setting { space: "global", key: ANIMATIONS[1], session: "0" },
    Setting { space: "global", key: ANIMATIONS[2], session: "0" },
    Setting { space: "global", key: "stay_on_while_plugged_in", session: "7" },
    Setting { space: "system", key: "accelerometer_rotation", session: "0" },
    Setting { space: "system", key: "user_rotation", session: "0" },
];

/// Names in the file of the user's keyboard, and of whether ADBKeyBoard was allowed before.
const KEYBOARD: &str = "keyboard";
const ALLOWED: &str = "adb-keyboard";

/// What was set before the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedSettings {
    /// In the order of [`SETTINGS`]; `None` means not set.
    values: Vec<Option<String>>,
    /// The input method texts were typed with; `None` when it is not known.
    keyboard: Option<String>,
    /// Whether ADBKeyBoard was among the input methods that may be chosen.
    allowed: bool,
    /// The settings that events change.
    pub(super) surroundings: Surroundings,
}

/// Prints the saved line, if there is one.
pub(super) fn saved_command() -> String {
    format!("cat {FILE} 2>/dev/null")
}

/// Prints the current values, one a line, as far as this API level has them.
pub(super) fn current_command(api: u32) -> String {
    let get = |s: &Setting| format!("settings get {} {}", s.space, s.key);
    let keyboards =
        ["default_input_method", "enabled_input_methods"].map(|key| format!("settings get secure {key}"));
    let surroundings = [Surroundings::current_command(api)];
    SETTINGS.iter().map(get).chain(keyboards).chain(surroundings).collect::<Vec<_>>().join("; ")
}

/// Sets everything to what a session needs.
pub(super) fn session_command() -> String {
    let put = |s: &Setting| format!("settings put {} {} {}", s.space, s.key, s.session);
    SETTINGS.iter().map(put).collect::<Vec<_>>().join(" && ")
}

/// Turns the screen by hand, whatever the sensor says.
pub(super) fn rotation_command(quarter_turns: u8) -> String {
    format!(
        "settings put system accelerometer_rotation 0 && settings put system user_rotation {quarter_turns}"
    )
}

impl SavedSettings {
    /// Reads the file's line; `None` when there is none or it was cut short, which means that nothing had been changed
    /// yet.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        (words.next()? == HEAD).then_some(())?;
        let mut saved = Self {
            values: vec![None; SETTINGS.len()],
            keyboard: None,
            allowed: false,
            surroundings: Surroundings::default(),
        };
        for word in words {
            if word == TAIL {
                return Some(saved);
            }
            let (name, value) = word.split_once('=')?;
            match name {
                KEYBOARD => saved.keyboard = input_method(value),
                ALLOWED => saved.allowed = true,
                _ => saved.surroundings.take(name, value),
            }
            let position = SETTINGS.iter().position(|s| name == format!("{}/{}", s.space, s.key));
            if let Some(slot) = position.and_then(|n| saved.values.get_mut(n)) {
                *slot = usable(value);
            }
        }
        None
    }

    /// Reads what [`current_command`] printed: `null` is a setting that was never set.
    pub(super) fn current(text: &str) -> Self {
        let mut lines = text.lines();
        let values = SETTINGS.iter().map(|_| lines.next().and_then(usable)).collect();
        let keyboard = lines.next().and_then(input_method);
        // Each may be followed by the numbers of its subtypes: `a.b/.Ime;1;2:c.d/.Other`.
        let mut enabled = lines.next().unwrap_or_default().split(':').filter_map(|one| one.split(';').next());
        let allowed = enabled.any(|one| one.trim() == ADB_KEYBOARD);
        Self { values, keyboard, allowed, surroundings: Surroundings::current(lines) }
    }

    /// What must be written to the file before the keyboard is changed: everything when nothing has been changed yet,
    /// the keyboard when it is missing there; `None` when it is all there.
    pub(super) fn with_keyboard(saved: Option<Self>, current: Self) -> Option<Self> {
        match saved {
            None => Some(current),
            Some(Self { keyboard: None, values, surroundings, .. }) if current.keyboard.is_some() => {
                Some(Self { values, surroundings, ..current })
            }
            Some(_) => None,
        }
    }

    /// Puts the keyboard back as it was, where it is another one `now`.
    pub(super) fn keyboard_command(&self, now: &Self) -> Option<String> {
        let ours = now.allowed && !self.allowed;
        let forbid = ours.then(|| format!("ime disable {ADB_KEYBOARD}"));
        let back = self.keyboard.as_ref().filter(|before| now.keyboard.as_ref() != Some(*before));
        let back = back.map(|before| format!("ime enable {0} && ime set {0}", quoted(before)));
        let commands: Vec<String> = back.into_iter().chain(forbid).collect();
        (!commands.is_empty()).then(|| commands.join(" && "))
    }

    /// Writes the file.
    pub(super) fn save_command(&self) -> String {
        let pairs = self.pairs().filter_map(|(s, value)| Some(format!("{}/{}={}", s.space, s.key, value?)));
        let keyboard = self.keyboard.iter().map(|id| format!("{KEYBOARD}={id}"));
        let allowed = self.allowed.then(|| format!("{ALLOWED}=1"));
        let line = [HEAD.to_owned()].into_iter().chain(pairs).chain(keyboard).chain(allowed);
        let line = line.chain(self.surroundings.words()).chain([TAIL.to_owned()]);
        format!("echo {} > {FILE}", quoted(&line.collect::<Vec<_>>().join(" ")))
    }

    /// Puts everything back, as far as it is another one `now`, then forgets it; `as_user` as in
    /// [`Surroundings::commands`].
    pub(super) fn restore_command(&self, now: &Self, as_user: &dyn Fn(&str) -> String) -> String {
        let put = |(s, value): (&Setting, Option<&str>)| match value {
            Some(value) => format!("settings put {} {} {}", s.space, s.key, quoted(value)),
            None => format!("settings delete {} {}", s.space, s.key),
        };
        // A phone that lets nobody change settings has nothing to put back, and would not let anybody do it.
        let changed = self.pairs().zip(&now.values).filter(|((_, before), now)| *before != now.as_deref());
        let changed = changed.map(|(pair, _)| put(pair));
        let surroundings = self.surroundings.commands(&now.surroundings, as_user);
        let forget = [format!("rm -f {FILE}")];
        let commands: Vec<String> = changed.chain(surroundings).chain(forget).collect();
        commands.join(" && ")
    }

    fn pairs(&self) -> impl Iterator<Item = (&'static Setting, Option<&str>)> {
        SETTINGS.iter().zip(self.values.iter().map(Option::as_deref))
    }
}

/// A value as these settings have them: a short number. Anything else counts as not set.
pub(super) fn usable(value: &str) -> Option<String> {
    let value = value.trim();
    let number = !value.is_empty() && value.len() <= 16 && value.parse::<f64>().is_ok_and(f64::is_finite);
    number.then(|| value.to_owned())
}

/// An input method's name, `package/class`. Anything else counts as none.
pub(super) fn input_method(text: &str) -> Option<String> {
    let text = text.trim();
    let plain = |char: char| char.is_ascii_alphanumeric() || "._$/-".contains(char);
    let sound = text.len() <= 250 && text.matches('/').count() == 1 && text.chars().all(plain);
    sound.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_dead_session() {
        let before = SavedSettings::current("1.0\n0.5\nnull\n3\n1\n0\na.b/.Ime\na.b/.Ime;1;2\n");
        let command = before.save_command();
        let line = command.split('\'').nth(1).expect("a quoted line");
        assert_eq!(SavedSettings::read(&format!("{line}\n")), Some(before.clone()));
        let expected = "settings put global window_animation_scale '1.0' && \
            settings put global transition_animation_scale '0.5' && \
            settings delete global animator_duration_scale && \
            settings put global stay_on_while_plugged_in '3' && \
            settings put system accelerometer_rotation '1' && \
            settings put system user_rotation '0' && \
            rm -f /data/local/tmp/droidmux-settings";
        let now = SavedSettings::current("0\n0\n0\n7\n0\n1\na.b/.Ime\na.b/.Ime;1;2\n");
        assert_eq!(before.restore_command(&now, &|_| String::new()), expected);
        let refused = SavedSettings::current("1.0\n0\nnull\n3\n1\n0\na.b/.Ime\na.b/.Ime;1;2\n");
        let expected =
            "settings put global transition_animation_scale '0.5' && rm -f /data/local/tmp/droidmux-settings";
        assert_eq!(before.restore_command(&refused, &|_| String::new()), expected, "only what changed");
    }

    #[test]
    fn files_that_are_none() {
        let cases = [
            "",
            "end",
            "droidmux-settings-1",
            "droidmux-settings-1 global/window_animation_scale=1.0",
            "other-1 end",
        ];
        for text in cases {
            assert_eq!(SavedSettings::read(text), None, "{text}");
        }
        let foreign =
            SavedSettings::read("droidmux-settings-1 system/x=1 system/user_rotation=$(reboot) end");
        let nothing = SavedSettings {
            values: vec![None; SETTINGS.len()],
            keyboard: None,
            allowed: false,
            surroundings: Surroundings::default(),
        };
        assert_eq!(foreign, Some(nothing.clone()));
        let hostile = SavedSettings::read("droidmux-settings-1 keyboard=a.b/.I;reboot end");
        assert_eq!(hostile, Some(nothing));
    }

    #[test]
    fn the_keyboard_is_put_back_only_where_it_changed() {
        let at = |keyboard: &str, enabled: &str| {
            SavedSettings::current(&format!("1\n1\n1\n3\n1\n0\n{keyboard}\n{enabled}\n"))
        };
        let (user, all) = ("a.b/.Ime", "a.b/.Ime:com.android.adbkeyboard/.AdbIME");
        let back = "ime enable 'a.b/.Ime' && ime set 'a.b/.Ime'";
        let forbid = "ime disable com.android.adbkeyboard/.AdbIME";
        let cases = [
            (at(user, user), at(user, user), None),
            (at(user, user), at(ADB_KEYBOARD, all), Some(format!("{back} && {forbid}"))),
            (at(user, all), at(ADB_KEYBOARD, all), Some(back.to_owned())),
            (at(user, user), at(user, all), Some(forbid.to_owned())),
            (at("null", "null"), at(user, user), None),
        ];
        for (before, now, expected) in cases {
            assert_eq!(before.keyboard_command(&now), expected, "{before:?} {now:?}");
        }
        let (old, new) = (at("null", user), at(user, user));
        assert_eq!(SavedSettings::with_keyboard(None, new.clone()), Some(new.clone()));
        assert_eq!(SavedSettings::with_keyboard(Some(old), new.clone()), Some(new.clone()));
        assert_eq!(SavedSettings::with_keyboard(Some(new.clone()), at(ADB_KEYBOARD, all)), None);
    }
}
