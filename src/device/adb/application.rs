//! The app under test: installed version, reset, start.

use std::time::Duration;

use super::device::AdbDevice;
use super::place::CURRENT_USER;
use super::shell::quoted;
use crate::DeviceErrorKind;
use crate::output::{Component, Package, Started, is_package_name, read_launcher, read_package, read_start};

/// How often the focus is checked after a start, and the pause between checks.
const LOOKS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(300);

/// The check after which the app is started again. After `pm clear` the system goes on killing the app's processes for
/// up to two seconds, the new one included.
const START_AGAIN: u32 = 3;

/// The intent as launchers send it. With any other one the system would put a second instance of
/// the activity on top instead of bringing the app to the front as it was.
const AS_LAUNCHER: &str = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000";

impl AdbDevice {
    /// Asks for the installed app, and remembers its permissions.
    pub(super) async fn package_now(&self, name: &str) -> Result<Package, DeviceErrorKind> {
        check(name)?;
        let mut script = self.marks().script();
        script.section("user", CURRENT_USER);
        script.section("package", &format!("dumpsys package {name}"));
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let package = read_package(&sections.text("package"), name)
            .ok_or_else(|| DeviceErrorKind::NotInstalled(name.to_owned()))?;
        self.find_user(name, &package, &sections.text("user")).await?;
        self.known().packages.insert(name.to_owned(), package.clone());
        Ok(package)
    }

    /// Puts back what events changed around the app, clears its data, grants the permissions it asks the user for if
    /// `grant` is set, turns the screen upright.
    pub(super) async fn reset_now(&self, name: &str, grant: bool) -> Result<(), DeviceErrorKind> {
        check(name)?;
        self.put_surroundings_back().await?;
        let known = self.known().packages.get(name).cloned();
        let package = match known {
            Some(package) => package,
            None => self.package_now(name).await?,
        };
        let mut script = self.marks().script();
        let user = self.as_user(name);
        script.section("clear", &format!("pm clear{user} {name} 2>&1"));
        for permission in package.grants.iter().filter(|_| grant) {
            // Fails for permissions that this system does not let anyone change: the app then
            // asks, as it would a person.
            script.section("grant", &format!("pm grant{user} {name} {} 2>&1", quoted(permission)));
        }
        script.section("upright", &format!("{} 2>&1", self.turn_command(0)));
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let cleared = sections.text("clear");
        if cleared.lines().any(|line| line.trim() == "Success") {
            return Ok(());
        }
        // Gone since it was looked up, or refused.
        self.known().packages.remove(name);
        self.package_now(name).await?;
        let said: String = cleared.trim().chars().take(300).collect();
        let advice = self.clear_advice(name, &said);
        Err(DeviceErrorKind::Answer(format!(
            "pm clear{user} {name} said `{said}`, so its data is still there{advice}"
        )))
    }

    /// Ends the app and starts it as [`AdbDevice::start_now`] does.
    pub(super) async fn restart_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        check(name)?;
        self.run(&format!("am force-stop{} {name}", self.as_user(name))).await?.checked()?;
        self.start_now(name).await
    }

    /// Starts the app and waits until it, or a system dialog about it, has the focus. An app that does not appear,
    /// because it crashed at once, is not an error: the next observation shows it.
    pub(super) async fn start_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        self.launch_now(name).await?;
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
        let (user, display) = (self.as_user(name), self.on_display(name));
        let component = quoted(&launcher.to_string());
        let output =
            self.run(&format!("am start -W{user}{display} {AS_LAUNCHER} -n {component} 2>&1")).await?;
        match read_start(&output.text()) {
            Started::Yes => {
                self.known().launchers.insert(name.clone(), launcher.clone());
                Ok(true)
            }
            Started::NoSuchActivity => Ok(false),
            Started::Failed(output) => Err(DeviceErrorKind::Command { code: 1, output }),
        }
    }

    /// What to do about an app whose data could not be cleared, where only its user can be wrong.
    fn clear_advice(&self, name: &str, said: &str) -> String {
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

fn check(name: &str) -> Result<(), DeviceErrorKind> {
    if is_package_name(name) { Ok(()) } else { Err(DeviceErrorKind::NotInstalled(name.to_owned())) }
}

/// Packages whose windows appear over an app that has just started.
fn is_system(package: &str) -> bool {
    package == "android"
        || package == "com.android.systemui"
        || package.ends_with("permissioncontroller")
        || package.ends_with("packageinstaller")
}
