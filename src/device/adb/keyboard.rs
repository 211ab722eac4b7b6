//! Texts by ADBKeyBoard: a keyboard without keys that types what it receives in broadcasts, all of Unicode except
//! halves of surrogate pairs.
//!
//! The user installs it; here it is only selected, when a text needs it, and stays selected until the session ends. The
//! user's own keyboard is remembered on the device with the other settings (`settings`), so it comes back even when
//! this session dies.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::device::AdbDevice;
use super::gesture;
use super::settings::{SavedSettings, current_command, saved_command};
use super::shell::quoted;
use crate::DeviceErrorKind;
use droidmux_gui::{Point, units_of_text};

/// Its input method.
pub(super) const ADB_KEYBOARD: &str = "com.android.adbkeyboard/.AdbIME";

/// Characters in one broadcast: far below the limit on a command line.
const CHUNK: usize = 1_000;

/// How often, and after what delay each time, the keyboard is checked for: it receives nothing until it shows.
const LOOKS: u32 = 20;
const LOOK_AFTER: Duration = Duration::from_millis(100);

/// Whether ADBKeyBoard is the keyboard of this session; unknown until a text needs it.
#[derive(Debug, Default)]
pub(super) struct Keyboard(Mutex<Option<bool>>);

impl Keyboard {
    fn chosen(&self) -> Option<bool> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, chosen: Option<bool>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = chosen;
    }
}

/// What prevents typing this text by ADBKeyBoard: halves of surrogate pairs, which its messages in UTF-8 cannot hold.
fn lone_surrogates(text: &str) -> String {
    let is_lone =
        |char: &char| matches!(units_of_text(char.encode_utf8(&mut [0; 4])).as_slice(), [0xd800..=0xdfff]);
    text.chars().filter(is_lone).collect()
}

/// The commands that replace the text of the focused field, each short enough to be safe.
fn typing_commands(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let typed = chars.chunks(CHUNK).map(|chunk| {
        let message = STANDARD.encode(chunk.iter().collect::<String>());
        format!("am broadcast -a ADB_INPUT_B64 --es msg {}", quoted(&message))
    });
    ["am broadcast -a ADB_CLEAR_TEXT".to_owned()].into_iter().chain(typed).collect()
}

impl AdbDevice {
    /// Replaces the text of the field around this point by ADBKeyBoard. False when it is not installed, or has no way
    /// to type this text: nothing was typed in that case.
    pub(super) async fn type_by_keyboard(&self, at: Point, text: &str) -> Result<bool, DeviceErrorKind> {
        if !lone_surrogates(text).is_empty() || !self.choose_keyboard().await? {
            return Ok(false);
        }
        self.must(&gesture::tap(self.input().await?, at)).await?;
        for _ in 0..LOOKS {
            if self.foreground_now().await?.keyboard || self.raised().is_stuck() {
                break;
            }
            tokio::time::sleep(LOOK_AFTER).await;
        }
        for command in typing_commands(text) {
            self.must(&command).await?;
        }
        Ok(true)
    }

    /// Makes ADBKeyBoard the keyboard, unless it is already. False when it is not installed.
    async fn choose_keyboard(&self) -> Result<bool, DeviceErrorKind> {
        if let Some(chosen) = self.keyboard().chosen() {
            return Ok(chosen);
        }
        let mut script = self.marks().script();
        script.section("known", "ime list -a -s");
        script.section("saved", &saved_command());
        script.section("current", &current_command(self.profile().await?.api));
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let installed = sections.text("known").lines().any(|line| line.trim() == ADB_KEYBOARD);
        if installed {
            // What was recorded before the session is authoritative; only what is missing there is added.
            let current = SavedSettings::current(&sections.text("current"));
            let saved = SavedSettings::read(&sections.text("saved"));
            if let Some(kept) = SavedSettings::with_keyboard(saved, current) {
                self.must(&kept.save_command()).await?;
            }
            self.must(&format!("ime enable {ADB_KEYBOARD} && ime set {ADB_KEYBOARD}")).await?;
            self.remark("texts that `input` has no keys for are typed by ADBKeyBoard");
        }
        self.keyboard().set(Some(installed));
        Ok(installed)
    }

    /// Gives the user's keyboard back. If it has been removed in the meantime, this is reported but is not an error.
    pub(super) async fn give_keyboard_back(
        &self,
        saved: &SavedSettings,
        now: &SavedSettings,
    ) -> Result<(), DeviceErrorKind> {
        self.keyboard().set(None);
        let Some(command) = saved.keyboard_command(now) else { return Ok(()) };
        let output = self.run(&command).await?;
        if output.exit != 0 {
            let said: String = output.text().trim().chars().take(200).collect();
            self.remark(&format!("the keyboard from before the session did not come back: {said}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_broadcasts() {
        let [clear, hello] = typing_commands("héllo 😀").try_into().expect("two");
        assert_eq!(clear, "am broadcast -a ADB_CLEAR_TEXT");
        assert_eq!(hello, "am broadcast -a ADB_INPUT_B64 --es msg 'aMOpbGxvIPCfmIA='");
        let long = "😀".repeat(2_000);
        let commands = typing_commands(&long);
        let typed = commands.iter().skip(1).map(|command| {
            assert!(command.len() < 6 * CHUNK);
            let encoded = command.split('\'').nth(1).expect("a message");
            String::from_utf8(STANDARD.decode(encoded).expect("base64")).expect("whole characters")
        });
        assert_eq!(typed.collect::<String>(), long);
    }

    #[test]
    fn halves_of_pairs_are_beyond_it() {
        let cases = [("aé😀", ""), ("a\u{10d83d}b\u{10de00}", "\u{10d83d}\u{10de00}"), ("\u{10ffff}", "")];
        for (text, expected) in cases {
            assert_eq!(lone_surrogates(text), expected, "{text:?}");
        }
    }
}
