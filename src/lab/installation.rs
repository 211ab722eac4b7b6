//! Installing a build of an app on the devices of a lab.
//!
//! In: the packages of one app, as files. Out: which devices have that build now, and why the others do not.
//!
//! Invariants: nothing is sent to a device before all packages are known to be one signed app; a device is leased
//! during the installation, so it is never in a session's hands; what counts is what a device says it has afterwards,
//! not that the installation succeeded.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::Lab;
use super::roster::{Lease, Tenant};
use droidmux_apk::{self as apk, Apk, ApkFault};
use droidmux_device::{DeviceError, DeviceErrorKind, PackageFile, Patience};
use droidmux_record::{AppBuild, SessionId};
use droidmux_store::StoreError;

/// The largest package taken.
const MAX_PACKAGE: u64 = 2 << 30;
/// The most packages of one app.
const MAX_PARTS: usize = 200;
/// How long a device may take to install anything, and for each MiB more.
const LEAST_TIME: Duration = Duration::from_secs(180);
const TIME_FOR_A_MIB: Duration = Duration::from_secs(2);

/// One build of an app: its packages, read and found to belong together.
#[derive(Clone, Debug)]
pub struct AppPackages {
    /// What the build says of itself.
    pub build: AppBuild,
    files: Vec<PackageFile>,
}

/// Why packages are not a build, or cannot be installed anywhere.
#[derive(Debug, Error)]
pub enum InstallError {
    /// A file cannot be read.
    #[error("{file}: {why}")]
    File {
        /// Its path.
        file: String,
        /// The system's reason.
        why: std::io::Error,
    },
    /// A file is not a package.
    #[error("{file} is no APK that a phone would take: {fault}")]
    NoApk {
        /// Its path.
        file: String,
        /// What is wrong with it.
        fault: ApkFault,
    },
    /// A package has no signature.
    #[error("{0} is not signed: phones take no such APK; sign it with `apksigner`, or take a debug build")]
    Unsigned(String),
    /// The packages are not a single app.
    #[error("{0}")]
    Apart(String),
    /// A session of this lab is running on the app.
    #[error(
        "{session} is running on {app}, and would go on with another build; stop it first (`droidmux session stop {session}`)"
    )]
    InUse {
        /// The session.
        session: SessionId,
        /// The package.
        app: String,
    },
    /// No device has the build now; the serials with the reasons.
    #[error("{build} could not be installed on any device: {}", told(devices))]
    Nowhere {
        /// The package with its version.
        build: String,
        /// Each device, and why it does not have the build.
        devices: Vec<(String, String)>,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where a build is now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    /// The devices that have it, sorted.
    pub serials: Vec<String>,
    /// The devices that could not get the build, with the reasons.
    pub left_out: Vec<(String, String)>,
}

impl AppPackages {
    /// Reads the packages of one app: the app itself and its parts, if it has any.
    ///
    /// # Errors
    /// When a file cannot be read or is not a signed APK, or when they are not one app of one version.
    pub fn read(paths: &[PathBuf]) -> Result<Self, InstallError> {
        if paths.len() > MAX_PARTS {
            return Err(InstallError::Apart(format!("more than {MAX_PARTS} packages are no app")));
        }
        let mut parts = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        // The app itself comes first, as `adb install-multiple` is usually given it.
        parts.sort_by_key(|(apk, _)| !apk.split.is_empty());
        let whole: Vec<&(Apk, PackageFile)> = parts.iter().filter(|(apk, _)| apk.split.is_empty()).collect();
        let base = match whole.as_slice() {
            [(base, _)] => base.clone(),
            [] => {
                let names: Vec<&str> = parts.iter().map(|(_, file)| file.name.as_str()).collect();
                let names = names.join(", ");
                return Err(InstallError::Apart(format!(
                    "{names}: only parts; the app's own APK is missing"
                )));
            }
            [(_, one), (_, other), ..] => {
                let (one, other) = (&one.name, &other.name);
                return Err(InstallError::Apart(format!("{one} and {other} are both whole apps; give one")));
            }
        };
        if let Some((apk, file)) = parts.iter().find(|(apk, _)| apk.package != base.package) {
            let (name, package) = (&file.name, &apk.package);
            let words = format!("{name} is a part of {package}, not of {}", base.package);
            return Err(InstallError::Apart(words));
        }
        if let Some((apk, file)) = parts.iter().find(|(apk, _)| apk.version_code != base.version_code) {
            let (name, version) = (&file.name, apk.version_code);
            let words = format!("{name} is of version {version}, the app of {}", base.version_code);
            return Err(InstallError::Apart(words));
        }
        let build = AppBuild {
            package: base.package,
            version_name: base.version_name,
            version_code: base.version_code.into(),
        };
        Ok(Self { build, files: parts.into_iter().map(|(_, file)| file).collect() })
    }

    fn patience(&self, cancel: &CancellationToken) -> Patience {
        let bytes: usize = self.files.iter().map(|file| file.bytes.len()).sum();
        let more = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        Patience { within: LEAST_TIME + TIME_FOR_A_MIB.saturating_mul(more), cancel: cancel.clone() }
    }
}

impl Lab {
    /// Installs a build on each device that fits and is usable, all at once; a device that does not become free
    /// `within` this time is left out.
    ///
    /// # Errors
    /// When a session runs on the app, or no device has the build afterwards.
    pub async fn install(
        &self,
        app: &AppPackages,
        fits: impl Fn(&str) -> bool,
        within: Duration,
        cancel: &CancellationToken,
    ) -> Result<Installed, InstallError> {
        let package = &app.build.package;
        let on_app = self
            .store
            .sessions()?
            .into_iter()
            .find(|(id, record)| record.definition.app == *package && self.is_running(*id));
        if let Some((session, _)) = on_app {
            return Err(InstallError::InUse { session, app: package.clone() });
        }
        let listed = self.roster.states().into_iter();
        let mut waiting: BTreeSet<String> = listed
            .filter(|(serial, state)| state == "device" && fits(serial))
            .map(|(serial, _)| serial)
            .collect();
        let mut installed = Installed::default();
        let mut under_way = FuturesUnordered::new();
        let deadline = tokio::time::sleep(within);
        tokio::pin!(deadline);
        // One wish for all of them: whichever is free first is taken first.
        while !waiting.is_empty() {
            tokio::select! {
                lease = self.roster.lend_by_hand(Tenant::Installer, |serial| waiting.contains(serial)) => {
                    waiting.remove(lease.serial());
                    under_way.push(self.install_on(lease, app, cancel));
                }
                Some((serial, done)) = under_way.next() => installed.note(serial, done),
                () = cancel.cancelled() => break,
                () = &mut deadline => break,
            }
        }
        for (serial, state) in self.roster.holders() {
            if waiting.contains(&serial) {
                installed.note(serial, Err(LeftOut::Busy { within, state }));
            }
        }
        while let Some((serial, done)) = under_way.next().await {
            installed.note(serial, done);
        }
        installed.serials.sort();
        if installed.serials.is_empty() {
            return Err(InstallError::Nowhere { build: named(&app.build), devices: installed.left_out });
        }
        Ok(installed)
    }

    /// Installs on this device and gives it back; otherwise says why it does not have the build.
    async fn install_on(
        &self,
        lease: Lease,
        app: &AppPackages,
        cancel: &CancellationToken,
    ) -> (String, Result<(), LeftOut>) {
        let serial = lease.serial().to_owned();
        let done = async {
            lease.sign(cancel).await?;
            lease.device.install(&app.files, &app.patience(cancel)).await?;
            lease.device.app(&app.build.package, &Patience::default()).await
        };
        let done = done.await;
        lease.give_back().await;
        let done = match done {
            Ok(now) if is_of(&now, &app.build) => {
                self.hub.info(&serial, &format!("{} installed", named(&app.build)));
                Ok(())
            }
            Ok(now) => Err(LeftOut::Other(now)),
            Err(error) => Err(LeftOut::Refused { error, app: app.build.package.clone() }),
        };
        (serial, done)
    }
}

/// Why a device does not have the build.
#[derive(Debug, Error)]
enum LeftOut {
    #[error("not free within {} s: {state}", .within.as_secs())]
    Busy { within: Duration, state: String },
    /// The app that it has now.
    #[error("it says that it was installed, and has {}", named(.0))]
    Other(AppBuild),
    #[error("{}", explained(.error, .app))]
    Refused { error: DeviceError, app: String },
}

impl Installed {
    fn note(&mut self, serial: String, done: Result<(), LeftOut>) {
        match done {
            Ok(()) => self.serials.push(serial),
            Err(why) => self.left_out.push((serial, why.to_string())),
        }
    }
}

/// `org.example.app 1.2 (12)`.
pub fn named(build: &AppBuild) -> String {
    format!("{} {} ({})", build.package, build.version_name, build.version_code)
}

/// A device may count a version's major part, which packages keep separate from it.
fn is_of(now: &AppBuild, wanted: &AppBuild) -> bool {
    now.version_code & u64::from(u32::MAX) == wanted.version_code
}

fn read(path: &Path) -> Result<(Apk, PackageFile), InstallError> {
    let name = path.display().to_string();
    let bytes = droidmux_file::read(path, MAX_PACKAGE)
        .map_err(|why| InstallError::File { file: name.clone(), why })?;
    let apk = apk::read(&bytes).map_err(|fault| InstallError::NoApk { file: name.clone(), fault })?;
    if !apk.signed {
        return Err(InstallError::Unsigned(name));
    }
    Ok((apk, PackageFile { name, bytes }))
}

fn told(devices: &[(String, String)]) -> String {
    let words: Vec<String> = devices.iter().map(|(serial, why)| format!("{serial}: {why}")).collect();
    if words.is_empty() { "none is there that a session could use".into() } else { words.join("; ") }
}

/// Reasons of the package manager, with what to do about them.
const REMEDIES: [(&str, &str); 9] = [
    (
        "INSTALL_FAILED_VERSION_DOWNGRADE",
        "it has a newer build; `adb -s SERIAL uninstall APP` removes that, with its data",
    ),
    (
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
        "what it has was signed by somebody else; `adb -s SERIAL uninstall APP` removes that, with its data",
    ),
    (
        "INSTALL_PARSE_FAILED_NO_CERTIFICATES",
        "it is not signed as this device wants it; sign it with `apksigner`",
    ),
    ("INSTALL_FAILED_INSUFFICIENT_STORAGE", "its disk is full; uninstall something"),
    ("INSTALL_FAILED_OLDER_SDK", "its Android is too old for this build; leave it out with `[lab] serials`"),
    ("INSTALL_FAILED_NO_MATCHING_ABIS", "this build has no code for its processor"),
    ("INSTALL_FAILED_MISSING_SPLIT", "parts of the app are missing; name each with `--apk`"),
    ("INSTALL_FAILED_USER_RESTRICTED", "allow installing over USB in its developer options"),
    ("INSTALL_FAILED_VERIFICATION_FAILURE", "switch off verifying apps over USB in its developer options"),
];

fn explained(error: &DeviceError, app: &str) -> String {
    let DeviceErrorKind::Uninstallable(why) = &error.kind else { return error.kind.to_string() };
    let remedy = REMEDIES.iter().find(|(reason, _)| why.starts_with(reason));
    let remedy = remedy.map(|(_, words)| words.replace("SERIAL", &error.serial).replace("APP", app));
    match remedy {
        Some(remedy) => format!("{} ({remedy})", error.kind),
        None => error.kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::apk_writer::{apk, element, manifest, unsigned};

    #[test]
    fn packages_that_are_no_app_of_one_build_are_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let part = |package: &str, version: u32, name: &str| {
            apk(&manifest(package, version, element("application")).text("split", name), None)
        };
        let whole =
            |package: &str, version: u32| apk(&manifest(package, version, element("application")), None);
        for (name, bytes) in [
            ("a.apk", whole("org.a", 7)),
            ("b.apk", whole("org.b", 7)),
            ("de.apk", part("org.a", 7, "config.de")),
            ("old.apk", part("org.a", 6, "config.fr")),
            ("other.apk", part("org.b", 7, "config.de")),
            ("bare.apk", unsigned(&manifest("org.a", 7, element("application")), None)),
            ("text.apk", b"no package".to_vec()),
        ] {
            std::fs::write(path(name), bytes).expect("written");
        }
        let read = |names: &[&str]| {
            let paths: Vec<PathBuf> = names.iter().map(|name| path(name)).collect();
            AppPackages::read(&paths).map_err(|error| error.to_string())
        };
        let cases: [(&[&str], &str); 7] = [
            (&["bare.apk"], "bare.apk is not signed"),
            (&["text.apk"], "text.apk is no APK"),
            (&["none.apk"], "none.apk: No such file"),
            (&["de.apk"], "only parts"),
            (&["a.apk", "b.apk"], "are both whole apps"),
            (&["a.apk", "other.apk"], "is a part of org.b, not of org.a"),
            (&["a.apk", "old.apk"], "is of version 6, the app of 7"),
        ];
        for (names, expected) in cases {
            let why = read(names).expect_err("refused");
            assert!(why.contains(expected), "{names:?}: {why}");
        }
        let app = read(&["de.apk", "a.apk"]).expect("an app");
        assert_eq!(named(&app.build), "org.a 7.0 (7)");
        assert!(app.files[0].name.ends_with("a.apk"), "the app comes before its parts");
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let kind =
            DeviceErrorKind::Uninstallable("INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected".into());
        let error = DeviceError { serial: "sim-1".into(), what: "installing".into(), kind };
        let said = explained(&error, "org.a");
        assert!(
            said.contains("Downgrade detected") && said.contains("adb -s sim-1 uninstall org.a"),
            "{said}"
        );
    }
}
