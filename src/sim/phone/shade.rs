//! The shade: the phone's own, or that of an app which draws it with its notifications in it.
//!
//! Invariant: while [`SystemWindow::Shade`] is above everything and an app draws shades, that app has its shade open,
//! and gets whatever is touched.

use super::system::SystemWindow;
use super::{Installed, Phone};
use droidmux_sim_toolkit::platform::{Effect, Program};

impl Phone {
    /// The app that draws the shade, while the shade is what has the focus.
    pub(super) fn shade_keeper(&self) -> Option<String> {
        match self.above() {
            Some(SystemWindow::Shade) => self.drawer(),
            _ => None,
        }
    }

    /// [`Phone::shade_keeper`] itself.
    pub(super) fn keeper_program(&self) -> Option<&dyn Program> {
        Some(&*self.installed.get(&self.shade_keeper()?)?.program)
    }

    /// An app that draws shades.
    pub(super) fn drawer(&self) -> Option<String> {
        let draws = |installed: &&Installed| installed.program.draws_shade();
        self.installed.values().find(draws).map(|installed| installed.app.package().to_owned())
    }

    /// Has the app that draws the shade do something with it.
    pub(super) fn with_drawer(&mut self, act: impl FnOnce(&mut dyn Program) -> Vec<Effect>) {
        let Some(package) = self.drawer() else { return };
        let Some(installed) = self.installed.get_mut(&package) else { return };
        let effects = act(&mut *installed.program);
        self.carry_out_of(&package, effects);
    }

    pub(super) fn open_shade(&mut self) {
        if self.system.is_none() {
            self.cover_front();
            self.system = Some(SystemWindow::Shade);
            self.with_drawer(|program| program.shade(true));
        }
    }

    /// Takes the shade away, if it is there.
    pub(super) fn drop_shade(&mut self) {
        if matches!(self.system, Some(SystemWindow::Shade | SystemWindow::QuickSettings)) {
            self.system = None;
            self.with_drawer(|program| program.shade(false));
        }
    }

    /// Pulls the shade down as far as it goes, as `cmd statusbar expand-settings` does. A shade that an app draws has
    /// one height.
    pub fn open_quick_settings(&mut self) {
        self.open_notifications();
        if self.system == Some(SystemWindow::Shade) && self.drawer().is_none() {
            self.system = Some(SystemWindow::QuickSettings);
        }
    }

    /// Pulls the shade down, as `cmd statusbar expand-notifications` does.
    pub fn open_notifications(&mut self) {
        self.clock.input();
        self.toast = None;
        if self.screen_on && self.keyguard.is_none() {
            self.open_shade();
        }
    }

    /// Closes the shade, as `cmd statusbar collapse` does.
    pub fn close_shade(&mut self) {
        self.drop_shade();
    }

    /// The notifications of all apps, in the lines of `dumpsys notification`.
    pub fn notifications(&self) -> Vec<String> {
        self.installed.values().flat_map(|installed| installed.program.notifications()).collect()
    }
}
