//! The app under test: installed version, start.

use std::time::Duration;

use super::device::AdbDevice;
use super::shell::quoted;
use crate::DeviceErrorKind;
use crate::output::{
    Component, Package, Started, Told, is_package_name, read_launcher, read_package, read_start,
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
        let output = self.run(&line).await?;
        let Some(package) = read_package(&output.text(), name) else {
            // A dump that is refused says nothing of the app.
            return Err(match output.stdout.len() < SHORT && output.told() == Told::Refused {
                true => self.failure(&line, &output).await,
                false => DeviceErrorKind::NotInstalled(name.to_owned()),
            });
        };
        self.known().packages.insert(name.to_owned(), package.clone());
        Ok(package)
    }

    /// Ends the app and starts it as [`AdbDevice::start_now`] does.
    pub(super) async fn restart_now(&self, name: &str) -> Result<(), DeviceErrorKind> {
        check(name)?;
        self.life().ended_by_us(name);
        self.must(&format!("am force-stop {name}")).await?;
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
        // A remembered launcher may be gone after an update: then it is looked up again.
        for _ in 0..2 {
            let remembered = self.known().launchers.get(name).cloned();
            let launcher = match remembered {
                Some(launcher) => launcher,
                None => self.launcher(name).await?,
            };
            let output = self.run(&Self::start_command(&launcher)).await?;
            match read_start(&output.text()) {
                Started::Yes => {
                    self.known().launchers.insert(name.to_owned(), launcher);
                    return Ok(());
                }
                Started::NoSuchActivity => drop(self.known().launchers.remove(name)),
                Started::Failed(said) => return Err(self.failed("am start", output.exit, &said).await),
            }
        }
        self.package_now(name).await?;
        Err(DeviceErrorKind::Answer(format!("the launcher activity of {name} cannot be started")))
    }

    /// Starts the app from its launcher icon.
    pub(super) fn start_command(launcher: &Component) -> String {
        format!("am start -W {AS_LAUNCHER} -n {} 2>&1", quoted(&launcher.to_string()))
    }

    async fn launcher(&self, name: &str) -> Result<Component, DeviceErrorKind> {
        let output = self.run(&format!("cmd package resolve-activity --brief {name} 2>&1")).await?;
        if let Some(launcher) = read_launcher(&output.text()) {
            return Ok(launcher);
        }
        let package = self.package_now(name).await?;
        let none = || DeviceErrorKind::Answer(format!("{name} is installed but has no launcher activity"));
        package.launcher.ok_or_else(none)
    }
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
