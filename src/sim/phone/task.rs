//! Which app is in front: launches, home, recent apps, crashes, hangs.

use super::drop_box::Hanging;
use super::home::{self, Shortcut};
use super::system::SystemWindow;
use super::{Buffer, Front, Installed, LaunchFault, Launched, Phone};
use droidmux_sim_toolkit::Throwable;
use droidmux_sim_toolkit::platform::{AppData, Effect, Program};

/// The property that tells that a phone has started.
const BOOT_COMPLETED: &str = "sys.boot_completed";

impl Phone {
    /// Starts `package/.Activity` or `package/full.Activity`.
    ///
    /// # Errors
    /// When it does not name an installed activity.
    pub fn launch(&mut self, component: &str) -> Result<Launched, LaunchFault> {
        let (package, class) =
            component.split_once('/').ok_or_else(|| LaunchFault::BadComponent(component.to_owned()))?;
        let full = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
        let component = format!("{package}/{full}");
        if package == home::MANIFEST.package {
            self.show_home();
            self.attend();
            return Ok(Launched { component, cold: false });
        }
        let activity = self.installed.get(package).and_then(|installed| installed.activity(&full));
        let Some(activity) = activity.map(str::to_owned) else {
            return Err(LaunchFault::NoActivity(component));
        };
        let cold = self.bring_to_front(package, &activity, &component);
        self.attend();
        Ok(Launched { component, cold })
    }

    /// The launcher activity of a package as `package/full.Activity`.
    pub fn launcher_of(&self, package: &str) -> Option<String> {
        self.installed.get(package)?.app.declaration().launcher()
    }

    /// Shows the home screen.
    pub fn home(&mut self) {
        self.clock.input();
        self.toast = None;
        self.show_home();
        self.attend();
    }

    /// Ends an app's process and its activities; its data stays.
    pub fn force_stop(&mut self, package: &str) {
        let front = self.front_package() == package;
        self.end_process(package, "stop com.android.shell");
        if front {
            self.front = Front::Home;
        }
        self.attend();
    }

    /// Ends the process of an app in the background as the system does when memory runs short: its task
    /// stays, with what its activities saved. An app in front, or with a service in the foreground, is left
    /// alone.
    pub fn kill_in_background(&mut self, package: &str) {
        let time = self.clock.now_ms();
        if self.front_package() == package {
            return;
        }
        let Some(installed) = self.installed.get_mut(package) else { return };
        if installed.program.keeps_running() {
            return;
        }
        let Some(pid) = installed.pid.take() else { return };
        installed.program.reclaim();
        (installed.hang, installed.frozen) = (None, None);
        self.log.killed(time, package, pid, "kill background");
        self.processes.retain(|known| known != package);
    }

    /// [`Phone::kill_in_background`] of every app.
    pub fn kill_all_in_background(&mut self) {
        for package in self.processes.clone() {
            self.kill_in_background(&package);
        }
    }

    /// Clears an app's data and ends it; false when it is not installed. Takes back its granted
    /// permissions, as `pm clear` does.
    pub fn clear(&mut self, package: &str) -> bool {
        if !self.installed.contains_key(package) {
            return false;
        }
        self.clock.clear();
        self.force_stop(package);
        if let Some(installed) = self.installed.get_mut(package) {
            installed.program.wipe();
            installed.granted.clear();
            installed.denied = 0;
            installed.locales.clear();
        }
        true
    }

    /// The data of all apps that keep it on this phone, by package.
    pub fn data(&self) -> Vec<(String, AppData)> {
        let data =
            |(package, installed): (&String, &Installed)| Some((package.clone(), installed.program.data()?));
        self.installed.iter().filter_map(data).collect()
    }

    /// Gives an app this data, or none at all; its process ends.
    pub fn put_data(&mut self, package: &str, data: Option<AppData>) {
        self.force_stop(package);
        if let Some(installed) = self.installed.get_mut(package) {
            match data {
                Some(data) => installed.program.put_data(&data),
                None => installed.program.wipe(),
            }
        }
    }

    /// True when it had to be started.
    fn bring_to_front(&mut self, package: &str, activity: &str, component: &str) -> bool {
        self.clock.launch();
        self.toast = None;
        self.drop_shade();
        if self.system.as_ref().is_some_and(|window| !window.stays() && window.about() != Some(package)) {
            self.system = None;
        }
        let cold = self.put_in_front(package, component);
        let env = self.front_env();
        let effects = self.front_program_mut().map(|program| program.launch(activity, &env));
        self.carry_out(effects.unwrap_or_default());
        cold
    }

    /// An app that is in front by itself is taken for it.
    fn came(&mut self, package: &str) {
        if self.front_package() != package {
            let activity = self.installed.get(package).and_then(|installed| installed.program.activity());
            let component = format!("{package}/{}", activity.unwrap_or_default());
            self.put_in_front(package, &component);
        }
    }

    /// True when it had no process.
    fn put_in_front(&mut self, package: &str, component: &str) -> bool {
        if self.front_package() != package {
            self.cover_front();
        }
        let (next, time) = (self.next_pid, self.clock.now_ms());
        let Some(installed) = self.installed.get_mut(package) else { return false };
        let cold = installed.pid.is_none();
        let pid = *installed.pid.get_or_insert(next);
        if cold {
            self.next_pid += 41;
        }
        let Some((name, _)) = self.installed.get_key_value(package) else { return false };
        self.front = Front::App(name.clone());
        self.log.started(time, component, pid, cold);
        self.recent.retain(|known| known != package);
        self.recent.insert(0, package.to_owned());
        if cold {
            self.processes.push(package.to_owned());
        }
        cold
    }

    pub(super) fn show_home(&mut self) {
        self.cover_front();
        self.drop_passing_windows();
        self.front = Front::Home;
        self.launcher = self.new_launcher();
    }

    pub(super) fn show_recents(&mut self) {
        self.cover_front();
        self.drop_passing_windows();
        self.front = Front::Home;
        self.launcher = self.new_launcher();
        let env = self.front_env();
        let effects = self.launcher.launch(home::MANIFEST.activities[1], &env);
        self.carry_out(effects);
    }

    /// A launcher that shows the present apps and tasks on its home screen.
    pub(super) fn new_launcher(&self) -> Box<dyn Program> {
        let shortcut = |installed: &Installed| Shortcut {
            package: installed.app.package().to_owned(),
            label: installed.app.label().to_owned(),
        };
        let ordered = self.order.iter().filter_map(|package| self.installed.get(package));
        let recent = self.recent.iter().filter_map(|package| self.installed.get(package));
        let recent = recent.map(|installed| installed.app.package().to_owned()).collect();
        let mut launcher = home::launcher(ordered.map(shortcut).collect(), recent);
        // Its first activity asks for nothing.
        let _ = launcher.launch(home::MANIFEST.activities[0], &self.env_of(None));
        launcher
    }

    /// Home and launches close the shade; questions of the system stay until they are answered.
    fn drop_passing_windows(&mut self) {
        self.drop_shade();
        let asks =
            |window: &SystemWindow| window.stays() || matches!(window, SystemWindow::NotResponding { .. });
        if !self.system.as_ref().is_some_and(asks) {
            self.system = None;
        }
    }

    pub(super) fn cover_front(&mut self) {
        self.keyboard_up = false;
        if let Some(program) = self.front_program_mut() {
            program.cover();
        }
    }

    /// Does what the app in front asked for.
    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let package = self.front_package().to_owned();
            if !self.carry_out_one(&package, effect) {
                return;
            }
        }
    }

    /// Does what an app asked for, in front or behind.
    pub(super) fn carry_out_of(&mut self, package: &str, effects: Vec<Effect>) {
        for effect in effects {
            if !self.carry_out_one(package, effect) {
                return;
            }
        }
    }

    /// False when the app has ended with it.
    fn carry_out_one(&mut self, package: &str, effect: Effect) -> bool {
        match effect {
            Effect::Toast(text) => {
                self.toasts += 1;
                self.last_toast = Some(text.clone());
                self.toast = Some(text);
            }
            Effect::Ask(permission) => self.ask(package, permission),
            Effect::Crash(throwable) => {
                self.crash(package, &throwable);
                return false;
            }
            Effect::Died(words) => {
                self.died(package, &words);
                return false;
            }
            Effect::Log { level, tag, message } => {
                let (time, pid) = (self.clock.now_ms(), self.pid_of(package).unwrap_or_default());
                self.log.push(Buffer::Main, time, pid, level, &tag, message);
            }
            Effect::Hang(reason) => {
                if let Some(installed) = self.installed.get_mut(package) {
                    installed.hang = Some(reason);
                }
                self.report_hang();
            }
            Effect::Open(other) => {
                if let Some(component) = self.launcher_of(&other) {
                    // An icon of an app that was removed meanwhile does nothing.
                    let _ = self.launch(&component);
                }
            }
            Effect::Left if matches!(self.front, Front::App(_)) => {
                self.front = Front::Home;
                self.launcher = self.new_launcher();
            }
            Effect::Left => self.launcher = self.new_launcher(),
            Effect::Came => self.came(package),
            Effect::Shade(true) => {
                self.cover_front();
                self.system.get_or_insert(SystemWindow::Shade);
            }
            Effect::Shade(false) if self.system == Some(SystemWindow::Shade) => self.system = None,
            Effect::Shade(false) => {}
        }
        true
    }

    fn ask(&mut self, package: &str, permission: String) {
        let Some(installed) = self.installed.get(package) else { return };
        let requested = installed.app.declaration().permissions.contains(&permission);
        let granted = installed.granted.contains(&permission);
        // A second refusal means never again, as on a phone.
        if granted || !requested || installed.denied >= 2 {
            return self.answer(package, &permission, granted);
        }
        let label = installed.app.label().to_owned();
        self.cover_front();
        self.system =
            Some(SystemWindow::Permission { package: package.to_owned(), label, permission, asked: true });
    }

    pub(super) fn answer(&mut self, package: &str, permission: &str, granted: bool) {
        let Some(installed) = self.installed.get_mut(package) else { return };
        if granted {
            installed.granted.insert(permission.to_owned());
        } else if !installed.granted.contains(permission) {
            installed.denied += 1;
        }
        let env = self.env_of(Some(package));
        let program = self.installed.get_mut(package).map(|installed| &mut installed.program);
        let effects = program.map(|program| program.answer(permission, granted, &env));
        self.carry_out(effects.unwrap_or_default());
    }

    pub(super) fn crash(&mut self, package: &str, throwable: &Throwable) {
        let time = self.clock.now_ms();
        if let Some(installed) = self.installed.get(package) {
            let activity = installed.program.activity().unwrap_or_default();
            let pid = installed.pid.unwrap_or_default();
            self.log.crashed(time, package, &activity, pid, throwable);
        }
        self.drop_process(package);
        self.front = Front::Home;
        self.launcher = self.new_launcher();
    }

    /// The app in front ended with an exception, which it reports in the log's words.
    fn died(&mut self, package: &str, words: &[String]) {
        let time = self.clock.now_ms();
        if let Some(installed) = self.installed.get(package) {
            let activity = installed.program.activity().unwrap_or_default();
            self.log.died(time, package, &activity, installed.pid.unwrap_or_default(), words);
        }
        self.drop_process(package);
        self.front = Front::Home;
        self.launcher = self.new_launcher();
    }

    /// The shell made an app crash, in front or behind.
    pub fn crash_by_shell(&mut self, package: &str) {
        let throwable = Throwable {
            class: "android.app.RemoteServiceException$CrashedByAdbException",
            message: "shell-induced crash".into(),
            frames: Vec::new(),
        };
        if self.front_package() == package {
            return self.crash(package, &throwable);
        }
        let time = self.clock.now_ms();
        if let Some(pid) = self.pid_of(package) {
            self.log.crashed_behind(time, package, pid, &throwable);
        }
        self.drop_process(package);
    }

    /// Tells the user and the log that the app in front does not respond.
    pub(super) fn report_hang(&mut self) {
        let (package, time) = (self.front_package().to_owned(), self.clock.now_ms());
        let Some(installed) = self.installed.get(&package) else { return };
        let Some(reason) = &installed.hang else { return };
        let activity = installed.program.activity().unwrap_or_default();
        let label = installed.app.label().to_owned();
        let pid = installed.pid.unwrap_or_default();
        self.log.hung(time, &package, &activity, pid, reason);
        self.drop_box.hung(time, &Hanging { package: &package, activity: &activity, pid, reason });
        if self.settings.get("global", "hide_error_dialogs") == Some("1") {
            self.end_process(&package, "bg anr");
            self.front = Front::Home;
        } else {
            self.cover_front();
            self.system = Some(SystemWindow::NotResponding { package, label });
        }
    }

    /// Ends every process and shows the home screen, with empty logs; data and settings stay. Nothing
    /// is drawn until [`Phone::booted`].
    pub fn boot(&mut self) {
        for package in self.processes.clone() {
            self.drop_process(&package);
        }
        (self.system, self.toast, self.keyboard_up) = (None, None, false);
        (self.screen_on, self.booted, self.boots) = (true, false, self.boots + 1);
        self.front = Front::Home;
        self.log.clear(&Buffer::ALL);
        self.properties.insert(BOOT_COMPLETED.into(), String::new());
        self.launcher = self.new_launcher();
    }

    /// The end of [`Phone::boot`].
    pub fn booted(&mut self) {
        self.booted = true;
        self.properties.insert(BOOT_COMPLETED.into(), "1".into());
    }

    /// How often it was started; the first time is 1.
    pub fn boots(&self) -> u32 {
        self.boots
    }

    pub(super) fn end_process(&mut self, package: &str, why: &str) {
        let time = self.clock.now_ms();
        if let Some(pid) = self.installed.get(package).and_then(|installed| installed.pid) {
            self.log.killed(time, package, pid, why);
        }
        self.drop_process(package);
    }

    pub(super) fn drop_process(&mut self, package: &str) {
        if let Some(installed) = self.installed.get_mut(package) {
            installed.program.kill();
            installed.pid = None;
            installed.hang = None;
            installed.frozen = None;
        }
        self.recent.retain(|known| known != package);
        self.processes.retain(|known| known != package);
        let drew = self.shade_keeper().is_some_and(|keeper| keeper == package);
        if drew || self.system.as_ref().is_some_and(|window| window.about() == Some(package)) {
            self.system = None;
        }
        self.launcher = self.new_launcher();
    }
}
