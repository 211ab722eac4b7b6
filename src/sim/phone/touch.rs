//! Input: what a finger and keys do.

use super::keycode::{Key, key};
use super::system::{Choice, SystemWindow};
use super::{Front, Phone, UnknownKey, Untypable};
use droidmux_gui::Point;
use droidmux_sim_toolkit::platform::{AppKey, Edit, News, Touch};

/// From this many milliseconds on a touch that does not move is a long press.
const LONG_PRESS_MS: u32 = 500;

impl Phone {
    /// A short touch.
    pub fn tap(&mut self, at: Point) {
        self.touch(at, Touch::Tap);
    }

    /// A touch longer than the long-press time-out.
    pub fn long_press(&mut self, at: Point) {
        self.touch(at, Touch::Long);
    }

    /// A drag lasting this many milliseconds. Without movement it is a tap, or a long press from
    /// 500 ms on.
    pub fn swipe(&mut self, from: Point, to: Point, ms: u32) {
        match (from == to, ms >= LONG_PRESS_MS) {
            (true, false) => self.tap(from),
            (true, true) => self.long_press(from),
            (false, _) => self.touch(from, Touch::Drag(to)),
        }
    }

    /// Presses a key: its name with or without `KEYCODE_`, or its number.
    ///
    /// # Errors
    /// When there is no such key.
    pub fn key(&mut self, name: &str) -> Result<(), UnknownKey> {
        let key = key(name).ok_or_else(|| UnknownKey(name.to_owned()))?;
        self.clock.input();
        self.touched = None;
        self.toast = None;
        self.press_down(key);
        self.attend();
        Ok(())
    }

    /// Presses a key several times without a pause.
    ///
    /// # Errors
    /// When there is no such key.
    pub fn keys(&mut self, name: &str, times: usize) -> Result<(), UnknownKey> {
        if times > 1
            && self.screen_on
            && self.keyguard.is_none()
            && let Some(Key::Edit(edit)) = key(name)
        {
            self.touched = None;
            self.toast = None;
            if self.edit_at_once(edit, times) {
                (0..times).for_each(|_| self.clock.input());
                self.attend();
                return Ok(());
            }
        }
        (0..times).try_for_each(|_| self.key(name))
    }

    fn press_down(&mut self, key: Key) {
        if !self.screen_on {
            self.screen_on = matches!(key, Key::Power | Key::Wake);
            if self.screen_on {
                self.tell(News::Screen(true));
            }
            return;
        }
        if self.keyguard.is_some() {
            match key {
                Key::Menu => self.dismiss_keyguard(),
                Key::Power | Key::Sleep => self.fall_asleep(),
                _ => {}
            }
            return;
        }
        match key {
            Key::Home => self.show_home(),
            Key::AppSwitch => self.show_recents(),
            Key::Back => self.back(),
            Key::Menu => self.press(AppKey::Menu),
            Key::Enter => self.press(AppKey::Enter),
            Key::Tab => self.press(AppKey::Tab),
            Key::Edit(edit) => self.edit(edit),
            Key::Char(char) => self.edit(Edit::Insert(char.encode_utf8(&mut [0; 4]))),
            Key::Power | Key::Sleep => self.fall_asleep(),
            Key::Notification => self.open_shade(),
            Key::Wake | Key::Idle => {}
        }
    }

    /// Types on a hardware keyboard, as `input text` does: ASCII only.
    ///
    /// # Errors
    /// When a character has no key; nothing is typed then.
    pub fn text(&mut self, text: &str) -> Result<(), Untypable> {
        match text.chars().find(|char| !matches!(char, ' '..='~')) {
            Some(char) => Err(Untypable(char)),
            None => {
                self.commit_text(text);
                Ok(())
            }
        }
    }

    /// Commits text as an input method does, any Unicode.
    pub fn commit_text(&mut self, text: &str) {
        self.clock.input();
        self.touched = None;
        if self.screen_on {
            self.edit(Edit::Insert(text));
        }
    }

    /// Selects the whole text of the focused field, as Ctrl+A does.
    pub fn select_all(&mut self) {
        self.clock.input();
        self.edit(Edit::SelectAll);
    }

    /// Replaces the text of the focused field; false when no field has the focus.
    pub fn set_field_text(&mut self, text: &str) -> bool {
        self.clock.input();
        let focused = self.above().is_none() && self.front_program().is_some_and(|p| p.has_focused_field());
        if focused {
            self.edit(Edit::Replace(text));
        }
        focused
    }

    fn touch(&mut self, at: Point, touch: Touch) {
        self.clock.input();
        self.touched = Some(at);
        self.touch_screen(at, touch);
        self.attend();
    }

    fn touch_screen(&mut self, at: Point, touch: Touch) {
        if !self.screen_on {
            return;
        }
        self.toast = None;
        let frame = self.frame();
        if self.keyguard.is_some() {
            // Pulled up, as a person does.
            if matches!(touch, Touch::Drag(to) if at.y - to.y > frame.height / 4) {
                self.dismiss_keyguard();
            }
            return;
        }
        if let Some(package) = self.shade_keeper() {
            let env = self.env_of(Some(&package));
            return self.with_drawer(|program| program.touch(at, touch, &env));
        }
        let bars =
            self.system.is_some() || !self.front_program().is_some_and(|program| program.fills_screen());
        let bar = frame.navigation_bar();
        if bars && bar.contains(at) {
            return self.touch_bar(at);
        }
        if bars && at.y < frame.status_bar() && matches!(touch, Touch::Drag(to) if to.y > at.y) {
            return self.open_shade();
        }
        if let Some(window) = self.system.clone() {
            return self.touch_system(&window, at);
        }
        if self.hits_raised_keyboard(at) || self.ignores_input() {
            return;
        }
        let env = self.front_env();
        let effects = self.front_program_mut().map(|program| program.touch(at, touch, &env));
        self.carry_out(effects.unwrap_or_default());
    }

    /// The buttons of the navigation bar: back, home, recent apps.
    fn touch_bar(&mut self, at: Point) {
        let bar = self.frame().navigation_bar();
        let third = if bar.width() > bar.height() {
            (at.x - bar.left) * 3 / bar.width().max(1)
        } else {
            // A bar at the side has its back button at the bottom.
            2 - (at.y - bar.top) * 3 / bar.height().max(1)
        };
        match third {
            0 => self.back(),
            1 => self.show_home(),
            _ => self.show_recents(),
        }
    }

    fn touch_system(&mut self, window: &SystemWindow, at: Point) {
        let env = self.front_env();
        let floating = window.floating(&env);
        let Some(number) = floating.scene.touched(at).and_then(|node| node.click) else { return };
        if let Some(choice) = floating.click(number) {
            self.choose(choice);
        }
    }

    fn back(&mut self) {
        if let Some(package) = self.shade_keeper() {
            let env = self.env_of(Some(&package));
            return self.with_drawer(|program| program.press(AppKey::Back, &env));
        }
        match &self.system {
            Some(window) => {
                if let Some(choice) = window.on_back() {
                    self.choose(choice);
                }
            }
            None if self.keyboard_up => self.keyboard_up = false,
            None => self.press(AppKey::Back),
        }
    }

    fn press(&mut self, key: AppKey) {
        if self.above().is_some() || self.ignores_input() {
            return;
        }
        let env = self.front_env();
        let effects = self.front_program_mut().map(|program| program.press(key, &env));
        self.carry_out(effects.unwrap_or_default());
    }

    pub(super) fn edit(&mut self, edit: Edit<'_>) {
        if self.above().is_some() || self.front_hangs() || self.front_freeze().is_some() {
            return;
        }
        let env = self.front_env();
        let effects = self.front_program_mut().map(|program| program.edit(edit, &env));
        self.carry_out(effects.unwrap_or_default());
    }

    /// Changes the focused field several times in the same way; false where the app's program takes one change at a time.
    fn edit_at_once(&mut self, edit: Edit<'_>, times: usize) -> bool {
        if self.above().is_some() || self.front_hangs() || self.front_freeze().is_some() {
            return false;
        }
        let env = self.front_env();
        let effects = self.front_program_mut().and_then(|program| program.edit_at_once(edit, times, &env));
        let done = effects.is_some();
        self.carry_out(effects.unwrap_or_default());
        done
    }

    /// Does what a button of a system window means.
    fn choose(&mut self, choice: Choice) {
        let Some(window) = self.system.take() else { return };
        match (window, choice) {
            (
                SystemWindow::Permission { package, permission, asked: true, .. },
                Choice::Allow | Choice::Deny,
            ) => {
                self.answer(&package, &permission, choice == Choice::Allow);
            }
            (SystemWindow::NotResponding { package, .. }, Choice::CloseApp) => {
                self.end_process(&package, "user request after error");
                self.front = Front::Home;
            }
            (SystemWindow::Stopped { package, .. }, Choice::Restart) => {
                if let Some(component) = self.launcher_of(&package) {
                    // Removed meanwhile, it cannot be opened again.
                    let _ = self.launch(&component);
                }
            }
            _ => {}
        }
    }
}
