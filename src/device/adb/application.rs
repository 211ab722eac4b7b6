//! The app under test: installed version, start.

use std::time::Duration;

use super::device::AdbDevice;
use super::place::CURRENT_USER;
use super::shell::quoted;
use crate::DeviceErrorKind;
use crate::output::{
    Component, Package, Started, Told, is_package_name, read_launcher, read_package, read_start, read_told,
};

/// How often the focus is checked after a start, and the pause between checks.
const LOOKS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(300);

/// The check after which the app is started again. After `pm clear` the system goes on killing the app's processes for
/// up to two seconds, the new one included.
const START_AGAIN: u32 = 3;

/// No dump of a package is shorter than this, but refusals are.
const SHORT: usize = 500;

/// The intent as launchers send it. With any other one the system would put a second instance of
/// the activity on top instead of bringing the app to the front as it was.
const AS_LAUNCHER: &str = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000";

impl AdbDevice {
    /// Asks for the installed app, and remembers its permissions.
    pub(super) async fn package_now(&self, name: &str) -> Result<Package, DeviceErrorKind> {
        check(name)?;
        let line = format!("dumpsys package {name}");
        let mut script = self.marks().script();
        script.section("user", CURRENT_USER);
        script.section("package", &line);
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let said = sections.text("package");
        let Some(package) = read_package(&said, name) else {
            // A dump that is refused says nothing of the app.
            return Err(match said.len() < SHORT && read_told(&said) == Told::Refused {
                true => self.failed(&line, output.exit, &said).await,
                false => DeviceErrorKind::NotInstalled(name.to_owned()),
            });
        };
        self.find_user(name, &package, &sections.text("user")).await?;
        self.known().packages.insert(name.to_owned(), package.clone());
        Ok(package)
    }

    /// Ends the app and starts it as [`AdbDevice::start_now`] does.
    pub(super) async fn restart_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        check(name)?;
        self.life().ended_by_us(name);
        self.must(&format!("am force-stop{} {name}", self.as_user(name))).await?;
        self.start_now(name).await
    }

    /// Starts the app and waits until it, or a system dialog about it, has the focus. An app that does not appear,
    /// because it crashed at once, is not an error: the next observation shows it.
    pub(super) async fn start_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        self.launch_now(name).await?;
        self.life().started(name);
        self.has_moved();
        for look in 1..=LOOKS {
            let page = self.foreground_now().await?;
            if page.package == name || is_system(&page.package) {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
            if look == START_AGAIN {
                self.launch_now(name).await?;
            }
        }
        Ok(())
    }

    /// Brings the app to the front as its launcher icon does.
    pub(super) async fn launch_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        check(name)?;
        self.place().starts(name);
        let chosen = self.place().activity(name);
        if let Some(class) = chosen {
            return self.launch_chosen(name, &class).await;
        }
        // A remembered launcher may be gone after an update: then it is looked up again.
        let remembered = self.known().launchers.get(name).cloned();
        if let Some(launcher) = remembered {
            if self.launch_by(&launcher).await? {
                return Ok(());
            }
            self.known().launchers.remove(name);
        }
        let resolve = format!("cmd package resolve-activity --brief{} {name} 2>&1", self.as_user(name));
        let resolved = read_launcher(&self.run(&resolve).await?.text(), name);
        if let Some(launcher) = &resolved
            && self.launch_by(launcher).await?
        {
            return Ok(());
        }
        self.launch_any(name, resolved).await
    }

    /// Starts the app by this activity, as its launcher icon does.
    pub(super) fn start_command(&self, launcher: &Component) -> String {
        let name = &launcher.package;
        let (user, display) = (self.as_user(name), self.on_display(name));
        format!("am start -W{user}{display} {AS_LAUNCHER} -n {} 2>&1", quoted(&launcher.to_string()))
    }

    /// By the activity that the session chose.
    async fn launch_chosen(&self, name: &str, class: &str) -> Result<(), DeviceErrorKind> {
        let whole = if class.starts_with('.') { format!("{name}{class}") } else { class.to_owned() };
        let component = Component { package: name.to_owned(), class: whole };
        if self.launch_by(&component).await? {
            return Ok(());
        }
        let launchers = in_words(&self.package_now(name).await?.launchers);
        Err(DeviceErrorKind::Misplaced(format!(
            "{name} has no activity {class} that can be started; with an icon there are: {launchers}; see `[app] activity`"
        )))
    }

    /// Where the system names no launcher of the app (one that lets the user choose, or none), or one that cannot be
    /// started: one of those that the package has.
    async fn launch_any(&self, name: &str, failed: Option<Component>) -> Result<(), DeviceErrorKind> {
        let launchers = self.package_now(name).await?.launchers;
        for launcher in launchers.iter().filter(|launcher| Some(*launcher) != failed.as_ref()) {
            if !self.launch_by(launcher).await? {
                continue;
            }
            let others: Vec<Component> =
                launchers.iter().filter(|other| *other != launcher).cloned().collect();
            if !others.is_empty() {
                self.remark(&format!(
                    "{name} has several icons: it is started by {}, and not by {}; `[app] activity` chooses another",
                    launcher.class,
                    in_words(&others)
                ));
            }
            return Ok(());
        }
        let what = match launchers.is_empty() && failed.is_none() {
            true => format!("{name} is installed but has no launcher activity"),
            false => format!("the launcher activity of {name} cannot be started"),
        };
        Err(DeviceErrorKind::Answer(what))
    }

    /// False when there is no such activity (any more). One that was started is remembered.
    async fn launch_by(&self, launcher: &Component) -> Result<bool, DeviceErrorKind> {
        let name = &launcher.package;
        let output = self.run(&self.start_command(launcher)).await?;
        match read_start(&output.text()) {
            Started::Yes => {
                self.known().launchers.insert(name.clone(), launcher.clone());
                Ok(true)
            }
            Started::NoSuchActivity => Ok(false),
            Started::Failed(said) => Err(self.failed("am start", output.exit, &said).await),
        }
    }

    /// What to do about an app whose data could not be cleared, where only its user can be wrong.
    pub(super) fn clear_advice(&self, name: &str, said: &str) -> String {
        let others: Vec<u32> =
            self.known().packages.get(name).map(|package| package.users.clone()).unwrap_or_default();
        if said.trim() != "Failed" {
            return String::new();
        }
        let users = match others.as_slice() {
            [] => String::new(),
            users => {
                let users: Vec<String> = users.iter().map(ToString::to_string).collect();
                format!(" (it is installed for user {})", users.join(", "))
            }
        };
        format!("; choose the user who has it with `[app] user`{users}, or see whether a policy protects it")
    }
}

/// Their classes, with commas between.
fn in_words(launchers: &[Component]) -> String {
    let classes: Vec<&str> = launchers.iter().map(|launcher| launcher.class.as_str()).collect();
    if classes.is_empty() { "none".to_owned() } else { classes.join(", ") }
}

/// Only names of packages ever reach the shell.
pub(super) fn check(name: &str) -> Result<(), DeviceErrorKind> {
    if is_package_name(name) { Ok(()) } else { Err(DeviceErrorKind::NotInstalled(name.to_owned())) }
}

/// Packages whose windows appear over an app that has just started.
pub(super) fn is_system(package: &str) -> bool {
    package == "android"
        || package == "com.android.systemui"
        || package.ends_with("permissioncontroller")
        || package.ends_with("packageinstaller")
}
