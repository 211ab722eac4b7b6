//! What can be the matter with a phone: battery, heat, lock screen, an app that no longer reacts,
//! windows in the way.

use super::system::SystemWindow;
use super::{End, Front, Phone};
use droidmux_gui::Point;
use droidmux_sim_toolkit::Throwable;
use droidmux_sim_toolkit::platform::News;

/// A condition a phone gets into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// What `dumpsys battery` reports.
    Battery {
        /// Percent, 0 to 100.
        level: u8,
        /// A charger feeds it.
        charging: bool,
    },
    /// What `dumpsys thermalservice` and `dumpsys battery` report.
    Heat {
        /// Android's thermal status, 0 (none) to 6 (shutdown).
        status: u8,
        /// Degrees Celsius of battery and skin.
        celsius: i16,
    },
    /// The screen goes off.
    Asleep,
    /// The lock screen shows; a secure one cannot be dismissed.
    Locked {
        /// Wants a secret that nobody has.
        secure: bool,
    },
    /// The app in front takes no input any more and shows what it showed, until its process ends;
    /// a frozen one stays as it is.
    Frozen {
        /// The system reports it at this many inputs; `None` for never: a page one is stuck on.
        anr_after: Option<u32>,
        /// Whether the screen still rests; else `could not get idle state`.
        idle: bool,
    },
    /// The system asks for a permission that the app in front did not ask for.
    PermissionDialog {
        /// Its full name: `android.permission.CAMERA`.
        permission: String,
    },
    /// This package has stopped, by itself in the background when it is not in front.
    CrashDialog {
        /// Package of the app that stopped.
        package: String,
    },
    /// The keyboard is up and covers the lower part of the screen, until BACK.
    Keyboard,
    /// The system always says that the keyboard is up; for good.
    KeyboardStuck,
    /// There is no battery, as in a box or a car.
    NoBattery,
    /// Nothing is written to the log any more, as with the buffers switched off in the developer options.
    LogOff,
    /// The process of the app in front ends.
    AppEnds(End),
    /// The clock is set forward by this many milliseconds, or back.
    ClockJump(i64),
}

impl Condition {
    /// Its name in fault files and lists.
    pub fn name(&self) -> &'static str {
        match self {
            Condition::Battery { .. } => "battery",
            Condition::Heat { .. } => "heat",
            Condition::Asleep => "asleep",
            Condition::Locked { .. } => "locked",
            Condition::Frozen { anr_after: None, .. } => "stuck",
            Condition::Frozen { .. } => "frozen",
            Condition::PermissionDialog { .. } => "permission-dialog",
            Condition::CrashDialog { .. } => "crash-dialog",
            Condition::Keyboard => "keyboard",
            Condition::KeyboardStuck => "keyboard-stuck",
            Condition::NoBattery => "no-battery",
            Condition::LogOff => "log-off",
            Condition::AppEnds(_) => "kill-app",
            Condition::ClockJump(_) => "clock-jump",
        }
    }
}

/// What the phone's sensors report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Health {
    /// Charge in percent.
    pub level: u8,
    /// A charger feeds the battery.
    pub charging: bool,
    /// Android's thermal status, 0 to 6.
    pub thermal: u8,
    /// Of the battery, in degrees Celsius.
    pub celsius: i16,
    /// There is a battery.
    pub present: bool,
}

impl Default for Health {
    fn default() -> Self {
        Self { level: 100, charging: true, thermal: 0, celsius: 25, present: true }
    }
}

/// An app that no longer reacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Freeze {
    /// Inputs until the system says so.
    left: Option<u32>,
    pub(super) idle: bool,
    /// What its clocks show.
    pub(super) since_ms: u64,
}

impl Phone {
    /// Gets into this condition. What needs an app in front does nothing on the home screen.
    pub fn suffer(&mut self, condition: &Condition) {
        self.get_into(condition);
        self.attend();
    }

    fn get_into(&mut self, condition: &Condition) {
        match condition {
            Condition::Battery { level, charging } => {
                self.health = Health { level: *level.min(&100), charging: *charging, ..self.health };
                self.tell(News::Battery { level: self.health.level, charging: self.health.charging });
            }
            Condition::Heat { status, celsius } => {
                self.health = Health { thermal: *status.min(&6), celsius: *celsius, ..self.health };
            }
            Condition::Asleep => {
                self.screen_on = false;
                self.tell(News::Screen(false));
            }
            Condition::Locked { secure } => {
                self.cover_front();
                self.keyguard = Some(SystemWindow::Keyguard { secure: *secure });
            }
            Condition::Frozen { anr_after, idle } => {
                let freeze = Freeze { left: *anr_after, idle: *idle, since_ms: self.clock.now_ms() };
                if let Some(installed) = self.installed.get_mut(self.front.package()) {
                    installed.frozen.get_or_insert(freeze);
                }
            }
            Condition::PermissionDialog { permission } => self.ask_unasked(permission),
            Condition::CrashDialog { package } => self.stop_working(package),
            Condition::Keyboard => self.keyboard_up = matches!(self.front, Front::App(_)),
            Condition::KeyboardStuck => self.says_keyboard_up = true,
            Condition::NoBattery => {
                self.health = Health { level: 0, charging: true, celsius: 0, present: false, ..self.health };
            }
            Condition::LogOff => self.switch_log(false),
            Condition::AppEnds(end) => self.end_front(*end),
            Condition::ClockJump(ms) => {
                self.clock.jump(*ms);
                self.tell(News::ClockSet(*ms));
            }
        }
    }

    /// Ends every condition except what has already happened: a killed app stays killed.
    pub fn recover(&mut self) {
        if self.health != Health::default() {
            self.health = Health::default();
            self.tell(News::Battery { level: self.health.level, charging: self.health.charging });
        }
        if !self.screen_on {
            self.tell(News::Screen(true));
        }
        (self.screen_on, self.keyguard, self.keyboard_up) = (true, None, false);
        self.says_keyboard_up = false;
        self.switch_log(true);
        for installed in self.installed.values_mut() {
            installed.frozen = None;
        }
        self.attend();
    }

    /// Whether `dumpsys input_method` says that the keyboard is up.
    pub fn says_keyboard_up(&self) -> bool {
        self.says_keyboard_up || self.focus().keyboard
    }

    fn switch_log(&mut self, on: bool) {
        // AOSP `AbstractLogdSizePreferenceController`: only the first letter counts, and S is for silence.
        match on {
            true => self.properties.remove("persist.log.tag"),
            false => self.properties.insert("persist.log.tag".to_owned(), "Settings".to_owned()),
        };
        self.log.switch(on);
    }

    /// As `dumpsys battery` and `dumpsys thermalservice` report it.
    pub fn health(&self) -> Health {
        self.health
    }

    /// Whether the app in front is frozen; see [`Condition::Frozen`].
    pub fn is_frozen(&self) -> bool {
        self.front_freeze().is_some()
    }

    /// Whether the lock screen shows, and whether it is a secure one.
    pub fn keyguard(&self) -> Option<bool> {
        match self.keyguard {
            Some(SystemWindow::Keyguard { secure }) => Some(secure),
            _ => None,
        }
    }

    /// Takes the lock screen away unless it is a secure one.
    pub fn dismiss_keyguard(&mut self) {
        if self.keyguard() == Some(false) {
            self.keyguard = None;
            self.attend();
        }
    }

    /// The window of the system that has the focus.
    pub(super) fn above(&self) -> Option<&SystemWindow> {
        self.keyguard.as_ref().or(self.system.as_ref())
    }

    pub(super) fn front_freeze(&self) -> Option<Freeze> {
        self.installed.get(self.front.package())?.frozen
    }

    /// Whether the app in front does not take an input; counts it when it is frozen.
    pub(super) fn ignores_input(&mut self) -> bool {
        let Some(installed) = self.installed.get_mut(self.front.package()) else { return false };
        if let Some(Freeze { left: Some(left), .. }) = &mut installed.frozen {
            *left = left.saturating_sub(1);
            if *left == 0 {
                installed.frozen = None;
                let reason = "Input dispatching timed out (the application is not responding. Waited 5001ms for MotionEvent)";
                installed.hang = Some(reason.to_owned());
            }
        }
        if installed.hang.is_some() {
            self.report_hang();
            return true;
        }
        installed.frozen.is_some()
    }

    /// Whether the keyboard that is in the way takes this touch.
    pub(super) fn hits_raised_keyboard(&self, at: Point) -> bool {
        self.keyboard_up && self.above().is_none() && self.frame().keyboard().contains(at)
    }

    fn ask_unasked(&mut self, permission: &str) {
        let Some(installed) = self.installed.get(self.front.package()) else { return };
        let (package, label) = (installed.app.package().to_owned(), installed.app.label().to_owned());
        self.cover_front();
        let permission = permission.to_owned();
        self.system = Some(SystemWindow::Permission { package, label, permission, asked: false });
    }

    fn stop_working(&mut self, package: &str) {
        let throwable = Throwable {
            class: "java.lang.NullPointerException",
            message:
                "Attempt to invoke virtual method 'int java.lang.String.length()' on a null object reference"
                    .into(),
            frames: Vec::new(),
        };
        let label =
            self.installed.get(package).map_or("Google Play services", |installed| installed.app.label());
        let label = label.to_owned();
        if self.front.package() == package {
            self.crash(package, &throwable);
        } else {
            self.log.crashed_behind(self.clock.now_ms(), package, self.next_pid, &throwable);
        }
        if self.setting("global", "hide_error_dialogs") != Some("1") {
            self.cover_front();
            self.system = Some(SystemWindow::Stopped { package: package.to_owned(), label });
        }
    }
}
