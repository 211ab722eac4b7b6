//! Apps that clients install.

use thiserror::Error;

use super::{Installed, Phone, SimBuild};
use droidmux_sim_toolkit::platform::Declaration;
use droidmux_sim_toolkit::{DefectSwitches, SimApp};

/// Apps that clients installed, on one phone at once.
const MAX_INSTALLED: usize = 500;

/// What a client allows beyond the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InstallOptions {
    /// All permissions that the user would be asked for.
    pub grant: bool,
    /// An older version may take the place of a newer one.
    pub downgrade: bool,
    /// Nothing may be replaced.
    pub only_new: bool,
}

/// Why an app was not installed, in the words of the package manager.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum InstallFault {
    #[error("INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install {0} without first uninstalling.")]
    Exists(String),
    #[error(
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package {0} signatures do not match newer version; ignoring!"
    )]
    OtherSigner(String),
    #[error(
        "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code {new} is older than current {old}"
    )]
    Downgrade { old: u32, new: u32 },
    #[error("INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #{wanted} (current version is #{ours})")]
    OlderSdk { wanted: u32, ours: u32 },
    #[error("INSTALL_FAILED_INSUFFICIENT_STORAGE: a simulated phone keeps {MAX_INSTALLED} installed apps")]
    TooMany,
}

impl Phone {
    /// Installs an app that came from outside, replacing one of the same name, whose permissions stay as they are.
    /// A build of one of the phone's own apps is that app with its defects; their data do not outlive it.
    ///
    /// # Errors
    /// Something else of this name is on the phone, or the phone is too old for it.
    pub(crate) fn install(&mut self, app: SimApp, options: InstallOptions) -> Result<(), InstallFault> {
        let declared = app.declaration().clone();
        let package = declared.package.clone();
        let (wanted, ours) = (declared.min_sdk, self.options.sdk);
        if wanted > ours {
            return Err(InstallFault::OlderSdk { wanted, ours });
        }
        let of_system = self.package(&package).is_some() && !self.installed.contains_key(&package);
        let before = self.installed.get(&package);
        let own = match before {
            Some(installed) if installed.from_outside => None,
            _ => self.own_build(&declared),
        };
        if of_system || (before.is_some_and(|installed| !installed.from_outside) && own.is_none()) {
            return Err(InstallFault::OtherSigner(package));
        }
        if let Some(before) = before {
            let (old, new) = (before.app.declaration().version_code, declared.version_code);
            if options.only_new {
                return Err(InstallFault::Exists(package));
            }
            if new < old && !options.downgrade {
                return Err(InstallFault::Downgrade { old, new });
            }
        } else if self.installed.values().filter(|installed| installed.from_outside).count() >= MAX_INSTALLED
        {
            return Err(InstallFault::TooMany);
        }
        self.force_stop(&package);
        let from_outside = own.is_none();
        let (app, defects) = own.unwrap_or_else(|| (app, DefectSwitches::none()));
        let program = app.install(&defects);
        let mut installed = Installed::new(app, program, self.next_number);
        installed.from_outside = from_outside;
        if let Some(before) = self.installed.remove(&package) {
            (installed.uid, installed.task) = (before.uid, before.task);
            (installed.granted, installed.denied) = (before.granted, before.denied);
        } else {
            self.next_number = self.next_number.saturating_add(1);
            self.order.push(package.clone());
        }
        let declared = installed.app.declaration();
        installed.granted.retain(|permission| declared.permissions.contains(permission));
        if options.grant {
            installed.granted.extend(declared.permissions.iter().cloned());
        }
        self.installed.insert(package, installed);
        self.settle_input_methods();
        self.launcher = self.new_launcher();
        Ok(())
    }

    /// One of the phone's own apps in this version, on the phone or not: an announced build, or as it came.
    fn own_build(&self, declared: &Declaration) -> Option<(SimApp, DefectSwitches)> {
        let Declaration { package, version_code, version_name, .. } = declared;
        let own = self.own.iter().find(|app| app.package() == package)?;
        let is_build = |build: &&SimBuild| (&build.package, build.version_code) == (package, *version_code);
        match self.options.builds.iter().find(is_build) {
            Some(build) => Some((own.built_as(*version_code, version_name), build.defects.clone())),
            None if own.declaration().version_code == *version_code => {
                Some((own.clone(), self.own_defects.clone()))
            }
            None => None,
        }
    }

    /// Removes an app with its data; false when it was not installed.
    pub fn uninstall(&mut self, package: &str) -> bool {
        self.force_stop(package);
        let removed = self.installed.remove(package);
        let was_there = removed.is_some();
        if let Some(mut removed) = removed {
            removed.program.wipe();
        }
        self.recent.retain(|known| known != package);
        self.order.retain(|known| known != package);
        self.settle_input_methods();
        self.launcher = self.new_launcher();
        was_there
    }
}
