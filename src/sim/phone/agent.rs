//! What a resident agent sees of the phone.

use super::{DumpFault, Phone, dump};
use droidmux_gui::Point;
use droidmux_sim_toolkit::platform::Scene;

impl Phone {
    /// True when the screen never rests, which `uiautomator dump` gives up on.
    pub(crate) fn is_restless(&self) -> bool {
        if !self.screen_on || !self.booted || self.above().is_some() {
            return false;
        }
        let frozen = self.front_freeze().is_some_and(|freeze| !freeze.idle);
        let restless = |env| self.front_program().is_some_and(|program| program.is_restless(env));
        frozen || (!self.front_hangs() && restless(&self.front_env()))
    }

    /// The active window.
    ///
    /// # Errors
    /// When the screen is off or nothing is drawn.
    pub(crate) fn active_scene(&self) -> Result<Scene, DumpFault> {
        match self.drawn.as_ref().and_then(|drawn| drawn.first()) {
            Some(drawn) => Ok(drawn.clone()),
            None => self.present_scene(),
        }
    }

    /// The active window as it is once the screen has come to rest.
    fn present_scene(&self) -> Result<Scene, DumpFault> {
        if !self.screen_on || !self.booted {
            return Err(DumpFault::NoRoot);
        }
        let env = self.front_env();
        let scene = match self.above() {
            Some(_) if self.shade_keeper().is_some() => {
                self.keeper_program().and_then(|program| program.active(&env))
            }
            Some(window) => Some(window.scene(&env)),
            None if self.front_hangs() => None,
            None => self.front_program().and_then(|program| program.active(&env)),
        };
        scene.ok_or(DumpFault::NoRoot)
    }

    /// What the last toast said since [`Phone::forget_toast`].
    pub(crate) fn last_toast(&self) -> Option<&str> {
        self.last_toast.as_deref()
    }

    /// What the toast says that shows.
    pub(crate) fn shown_toast(&self) -> Option<&str> {
        self.toast.as_deref().filter(|_| self.drawn.is_none())
    }

    pub(crate) fn forget_toast(&mut self) {
        self.last_toast = None;
    }

    /// The active window, or all windows, byte for byte as the agent writes them: widgets deeper
    /// than `depth` below a root are left out, and a screen that never rests is dumped as it is.
    pub fn dump_by_agent(&self, depth: usize, only_active: bool) -> String {
        let form = dump::Form::Agent { depth, status_bar: !only_active && self.screen_on };
        let mut scenes = self.drawn.clone().unwrap_or_else(|| self.windows());
        if only_active {
            scenes.truncate(1);
        }
        dump::xml(&scenes, self.rotation, self.options.sdk, form)
    }

    /// The windows as they are once the screen has come to rest, the active one first; none while nothing is drawn.
    pub(crate) fn windows(&self) -> Vec<Scene> {
        let mut scenes: Vec<Scene> = self.present_scene().into_iter().collect();
        if !scenes.is_empty() && self.above().is_none() && !self.front_hangs() {
            scenes.extend(self.front_program().map(|program| program.floating()).unwrap_or_default());
        }
        scenes
    }

    /// These windows as a text: two that differ look different in a dump.
    pub(crate) fn written(&self, windows: &[Scene]) -> String {
        let form = dump::Form::Agent { depth: usize::MAX, status_bar: false };
        dump::xml(windows, self.rotation, self.options.sdk, form)
    }

    /// From now on these windows are drawn in place of the present ones.
    pub(crate) fn draw_instead(&mut self, windows: Option<Vec<Scene>>) {
        self.drawn = windows;
    }

    /// Where a finger touched the screen last, unless a key or a text came since.
    pub(crate) fn touched_at(&self) -> Option<Point> {
        self.touched
    }

    /// How many toasts there have been.
    pub(crate) fn toasts(&self) -> u64 {
        self.toasts
    }
}
