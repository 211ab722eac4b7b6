//! Installing a build of an app, as `adb install` and `adb install-multiple` do.
//!
//! In: the packages of one app. Out: the device has that build, or the package manager's reason why not.
//!
//! Invariant: nothing is left behind. A session of the package manager that fails is abandoned, and packages that
//! had to be put on the device first are removed.

use super::connection::Connection;
use super::device::AdbDevice;
use super::shell::quoted;
use crate::{DeviceErrorKind, PackageFile};

/// The most bytes kept of the package manager's output.
const MAX_ANSWER: usize = 64 * 1024;
/// Bytes written at once.
const CHUNK: usize = 1 << 20;
/// Replaces what is there, even with a package that is for tests only.
const OPTIONS: &str = "-r -t";
/// Where packages are put on systems that accept none from a stream (before Android 7).
const FOLDER: &str = "/data/local/tmp";

impl AdbDevice {
    /// Installs these packages as one app, replacing what is there.
    pub(super) async fn install_now(&self, packages: &[PackageFile]) -> Result<(), DeviceErrorKind> {
        let streams = self.has_feature("cmd").await?;
        let done = match packages {
            [package] if streams => self.stream(&format!("install {OPTIONS}"), "", package).await.map(drop),
            [package] => self.install_file(package).await,
            packages => self.install_parts(packages, streams).await,
        };
        // Its permissions and its launcher may have changed, and its process was ended.
        self.forget_apps();
        let app = self.life().app().map(str::to_owned);
        app.iter().for_each(|app| self.life().ended_by_us(app));
        done
    }

    async fn install_file(&self, package: &PackageFile) -> Result<(), DeviceErrorKind> {
        let path = self.put(0, package).await?;
        let said = self.manage(&format!("pm install {OPTIONS} {}", quoted(&path))).await;
        self.run(&format!("rm -f {}", quoted(&path))).await?;
        said.map(drop)
    }

    /// In one session of the package manager: all packages or none.
    async fn install_parts(&self, packages: &[PackageFile], streams: bool) -> Result<(), DeviceErrorKind> {
        let total: usize = packages.iter().map(|package| package.bytes.len()).sum();
        let manager = if streams { "cmd package" } else { "pm" };
        let opened = self.manage(&format!("{manager} install-create {OPTIONS} -S {total}")).await?;
        let session = session_number(&opened).ok_or_else(|| DeviceErrorKind::Answer(opened.clone()))?;
        let written = self.write_parts(packages, session, streams).await;
        let done = match written {
            Ok(()) => self.manage(&format!("{manager} install-commit {session}")).await.map(drop),
            Err(kind) => Err(kind),
        };
        if done.is_err() {
            // The session no longer exists if the commit failed, and the first error has the reason.
            let _ = self.run(&format!("{manager} install-abandon {session} 2>&1")).await;
        }
        done
    }

    async fn write_parts(
        &self,
        packages: &[PackageFile],
        session: u32,
        streams: bool,
    ) -> Result<(), DeviceErrorKind> {
        for (number, package) in packages.iter().enumerate() {
            let name = format!("{number}.apk");
            if streams {
                self.stream("install-write", &format!(" {session} {name} -"), package).await?;
                continue;
            }
            let (path, size) = (self.put(number, package).await?, package.bytes.len());
            let path = quoted(&path);
            let said = self.manage(&format!("pm install-write -S {size} {session} {name} {path}")).await;
            self.run(&format!("rm -f {path}")).await?;
            said?;
        }
        Ok(())
    }

    /// A command of the package manager that is followed by the package.
    async fn stream(
        &self,
        command: &str,
        operands: &str,
        package: &PackageFile,
    ) -> Result<String, DeviceErrorKind> {
        let size = package.bytes.len();
        let mut connection: Connection = self.transport().await?;
        connection.request(&format!("exec:cmd package {command} -S {size}{operands}")).await?;
        let mut written = Ok(());
        for chunk in package.bytes.chunks(CHUNK) {
            written = connection.write(chunk).await;
            // Refused before all was read: its output decides.
            if written.is_err() {
                break;
            }
        }
        let said = connection.read_to_end(MAX_ANSWER).await;
        match (said, written) {
            (Ok(said), Err(lost)) if said.is_empty() => Err(lost),
            (Ok(said), _) => judged(&String::from_utf8_lossy(&said)),
            (Err(kind), _) => Err(kind),
        }
    }

    /// A command of the package manager that succeeds or says why not.
    async fn manage(&self, command: &str) -> Result<String, DeviceErrorKind> {
        let output = self.run(&format!("{command} 2>&1")).await?;
        judged(&output.text())
    }

    /// Puts a package on the device and returns its path.
    async fn put(&self, number: usize, package: &PackageFile) -> Result<String, DeviceErrorKind> {
        let path = format!("{FOLDER}/droidmux-{number}.apk");
        self.sync().await?.store(&path, 0o644, 0, &package.bytes).await?;
        Ok(path)
    }
}

/// What the package manager said, when it succeeded.
fn judged(said: &str) -> Result<String, DeviceErrorKind> {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    if let Some(line) = lines().find(|line| line.starts_with("Success")) {
        return Ok(line.to_owned());
    }
    let failure = lines().find_map(|line| line.strip_prefix("Failure"));
    let why = match failure {
        Some(why) => why.trim().trim_start_matches('[').trim_end_matches(']'),
        None => said.trim(),
    };
    Err(DeviceErrorKind::Uninstallable(why.chars().take(500).collect()))
}

/// `Success: created install session [12]`.
fn session_number(said: &str) -> Option<u32> {
    let (_, rest) = said.split_once('[')?;
    rest.split(']').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_package_manager_says_is_understood() {
        let refused = |why: &str| Err(DeviceErrorKind::Uninstallable(why.to_owned()));
        let cases = [
            ("Success\n", Ok("Success".to_owned())),
            ("Performing Streamed Install\nSuccess\n", Ok("Success".to_owned())),
            (
                "Success: created install session [12]\n",
                Ok("Success: created install session [12]".to_owned()),
            ),
            ("Failure [INSTALL_FAILED_TEST_ONLY]\n", refused("INSTALL_FAILED_TEST_ONLY")),
            ("\tpkg: /data/local/tmp/a.apk\nFailure [INSTALL_X: why]", refused("INSTALL_X: why")),
            (
                "Failure calling service package: Broken pipe (32)",
                refused("calling service package: Broken pipe (32)"),
            ),
            ("cmd: Can't find service: package", refused("cmd: Can't find service: package")),
            ("", refused("")),
        ];
        for (said, expected) in cases {
            assert_eq!(judged(said), expected, "{said}");
        }
        assert_eq!(session_number("Success: created install session [12]"), Some(12));
        assert_eq!(session_number("Success"), None);
    }
}
