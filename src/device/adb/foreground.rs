//! What is in front of a device: the activity with the focus, which way the screen is turned, whether the keyboard is up.
//!
//! In: what the window manager and the activity manager print. Out: the foreground of the app's display. Invariant: what
//! another display shows is none of this one.

use super::device::AdbDevice;
use crate::output::{DisplayFocus, read_displays, read_focus, read_focuses, read_keyboard, read_rotation};
use crate::{DeviceErrorKind, Foreground, Shortcoming};

/// Android 10: the focus moved from `dumpsys window windows` to `displays`.
pub(super) const FIRST_WITH_FOCUS_IN_DISPLAYS: u32 = 29;

/// Prints whether the keyboard is up.
pub(super) const KEYBOARD: &str = "dumpsys input_method | grep -E 'mInputShown|mIsInputViewShown'";

impl AdbDevice {
    /// Prints what has the focus of each display.
    pub(super) async fn focus_command(&self) -> Result<String, DeviceErrorKind> {
        let api = self.profile().await?.api;
        let part = if api >= FIRST_WITH_FOCUS_IN_DISPLAYS { "displays" } else { "windows" };
        Ok(format!(
            "dumpsys window {part} | grep -E 'Display: mDisplayId=|mCurrentFocus|mFocusedApp|mRotation='"
        ))
    }

    /// The foreground of the app's display according to the window manager. While activities change it may name nothing;
    /// then the activity manager is asked.
    pub(super) async fn page(&self, windows: &str, keyboard: &str) -> Result<Foreground, DeviceErrorKind> {
        let displays = read_displays(windows);
        let several = displays.len() > 1;
        let (picked, id) = {
            let mut place = self.place();
            (place.pick(displays), place.display())
        };
        let (mut focus, rotation) = match picked.filter(|_| several) {
            Some(DisplayFocus { focus, rotation, .. }) => (focus, rotation),
            // The chosen one is gone.
            None if several => Default::default(),
            None => {
                let own = self.place().pick_part(read_focuses(windows));
                let focus = own.unwrap_or_else(|| read_focus(windows));
                (focus, read_rotation(windows).unwrap_or_default())
            }
        };
        if focus.page().is_none() {
            let output = self
                .run("dumpsys activity activities | grep -E 'Display #|ResumedActivity|mFocusedActivity'")
                .await?;
            let said = output.text();
            let displays = read_displays(&said);
            focus = match several && !displays.is_empty() {
                // Another display's activity is none of this one.
                true => displays.into_iter().find(|display| display.id == id).unwrap_or_default().focus,
                false => read_focus(&said),
            };
        }
        let page = focus.foreground(read_keyboard(keyboard), rotation);
        let mut raised = self.raised();
        let keyboard = raised.saw(page.keyboard, &page.activity);
        let stuck = raised.is_stuck().then_some(Shortcoming::Keyboard);
        drop(raised);
        self.falls_short(|known| *known == Shortcoming::Keyboard, stuck);
        Ok(Foreground { keyboard, ..page })
    }
}
