//! Genuine Python clients against the simulated lab: adbutils, uiautomator2, adb-shell, pure-python-adb and
//! mobly, and what Kea, Kea2, DroidBot and PBFDroid do with them when they connect.
//!
//! Run if a Python has the packages (`DROIDMUX_PYTHON`, else `python3`), and reported as skipped otherwise. The scripts
//! are in `tests/python/`, with the versions they were made for in `requirements.txt`; uiautomator2 brings the real
//! `u2.jar` and a real APK.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use droidmux::device::adb::Server;
use droidmux::sim::{SimLab, SimOptions};

use crate::adb_genuine::is_installed;
use crate::device::{GenuineAdb, patience};
use crate::trial_app::app;
use droidmux_testutils::apk_writer::{LABEL, Value, apk, element, launcher, manifest};

/// A script, the packages it needs, and whether it calls the program `adb`.
struct Script {
    file: &'static str,
    packages: &'static [&'static str],
    adb: bool,
}

const CLIENTS: Script = Script { file: "clients.py", packages: &["adbutils", "uiautomator2"], adb: false };
const ADB_SHELL: Script = Script { file: "adb_shell_client.py", packages: &["adb_shell"], adb: false };
const PURE_PYTHON: Script = Script { file: "pure_python_adb.py", packages: &["ppadb"], adb: false };
const MOBLY: Script = Script { file: "mobly_client.py", packages: &["mobly"], adb: true };
const KEA: Script = Script { file: "kea.py", packages: &["uiautomator2"], adb: true };
const KEA2: Script = Script { file: "kea2_connect.py", packages: &["adbutils", "uiautomator2"], adb: false };
const DROIDBOT: Script = Script { file: "droidbot_connect.py", packages: &[], adb: true };
const PBFDROID: Script = Script { file: "pbfdroid.py", packages: &["uiautomator2"], adb: true };

/// A Python that has these packages.
pub fn python_with(packages: &[&str]) -> Option<String> {
    let python = std::env::var("DROIDMUX_PYTHON").unwrap_or_else(|_| "python3".into());
    let imports = packages.iter().map(|package| format!("import {package}\n")).collect::<String>();
    let tried = Command::new(&python).args(["-c", &imports]).output();
    match tried {
        Ok(output) if output.status.success() => Some(python),
        Ok(_) => {
            println!(
                "skipped: {python} has not all of {packages:?}; `pip install -r tests/python/requirements.txt` into a \
                 virtual environment and set DROIDMUX_PYTHON to its python"
            );
            None
        }
        Err(error) => {
            println!("skipped: no {python} ({error}); set DROIDMUX_PYTHON");
            None
        }
    }
}

impl Script {
    /// The Python that can run it, if everything it needs is available.
    fn python(&self) -> Option<String> {
        if self.adb && !is_installed() {
            return None;
        }
        python_with(self.packages)
    }

    /// Runs it with the server's port, the device's serial, the address of its adbd door, an app and an app
    /// that declares what DroidBot's helper does.
    async fn run(&self, python: String, server: SocketAddr, serial: String, adbd: Option<SocketAddr>) {
        let script = format!("{}/tests/python/{}", env!("CARGO_MANIFEST_DIR"), self.file);
        let home = tempfile::tempdir().expect("a folder");
        let package = home.path().join("shop.apk");
        std::fs::write(&package, shop()).expect("a file");
        let helper = home.path().join("helper.apk");
        std::fs::write(&helper, droidbot_helper()).expect("a file");
        let output = tokio::task::spawn_blocking(move || {
            Command::new(python)
                .arg(script)
                .args([server.port().to_string(), serial, adbd.map(|at| at.to_string()).unwrap_or_default()])
                .args([package, helper])
                .env("HOME", home.path())
                .env("TMPDIR", home.path())
                // Some calls go to the server given by the environment.
                .env("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
                .env("ANDROID_ADB_SERVER_PORT", server.port().to_string())
                .env("PYTHONWARNINGS", "ignore")
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env_remove("ADB_SERVER_SOCKET")
                .env_remove("ANDROID_SERIAL")
                .stdin(Stdio::null())
                .output()
                .expect("Python runs")
        });
        let output = output.await.expect("it ends");
        let (said, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        println!("{said}{errors}");
        assert!(output.status.success(), "{}: {said}{errors}", self.file);
    }

    /// Runs it on a fresh lab, through the door where the lab looks like an ADB server.
    async fn at_the_server_door(&self) {
        let Some(python) = self.python() else { return };
        let lab = lab().await;
        let adbd = lab.adbd_addrs().first().copied();
        self.run(python, lab.server_addr(), "sim-1".into(), adbd).await;
        assert_eq!(lab.unknown_commands(), [] as [&str; 0], "what {} asks is known", self.file);
    }

    /// Runs it on a fresh lab, with a genuine ADB server in between.
    async fn behind_a_genuine_server(&self) {
        let Some(python) = self.python() else { return };
        let lab = lab().await;
        let Some(adb) = GenuineAdb::start() else { return };
        let server = Server::at(adb.address);
        adb.wait_for(&server).await;
        let adbd = *lab.adbd_addrs().first().expect("a door");
        server.connect(&adbd.to_string(), &patience()).await.expect("connected");
        self.run(python, adb.address, adbd.to_string(), Some(adbd)).await;
        assert_eq!(lab.unknown_commands(), [] as [&str; 0], "what {} asks is known", self.file);
    }
}

/// An app with a launcher icon.
fn shop() -> Vec<u8> {
    let application =
        element("application").with("label", Value::Resource(LABEL)).child(launcher(".ShopActivity"));
    apk(&manifest("org.example.shop", 1, application), Some("Small Shop"))
}

/// What DroidBot's helper app declares.
fn droidbot_helper() -> Vec<u8> {
    let service =
        |name: &str, permission: &str| element("service").text("name", name).text("permission", permission);
    let watcher = service(
        "io.github.privacystreams.accessibility.PSAccessibilityService",
        "android.permission.BIND_ACCESSIBILITY_SERVICE",
    );
    let keyboard = service(".DroidBotIME", "android.permission.BIND_INPUT_METHOD");
    let application = element("application")
        .text("label", "DroidBotApp")
        .child(launcher(".MainActivity"))
        .child(watcher.hearing("android.accessibilityservice.AccessibilityService", ""))
        .child(keyboard.hearing("android.view.InputMethod", ""));
    apk(&manifest("io.github.ylimit.droidbotapp", 1, application), None)
}

async fn lab() -> SimLab {
    let options = SimOptions { adbd: true, apps: vec![app()], ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

#[tokio::test(flavor = "multi_thread")]
async fn through_the_server_door() {
    CLIENTS.at_the_server_door().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn through_a_genuine_adb_server() {
    CLIENTS.behind_a_genuine_server().await;
}

/// It speaks to the adbd door itself.
#[tokio::test(flavor = "multi_thread")]
async fn adb_shell_at_the_adbd_door() {
    ADB_SHELL.at_the_server_door().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pure_python_adb_through_the_server_door() {
    PURE_PYTHON.at_the_server_door().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pure_python_adb_through_a_genuine_adb_server() {
    PURE_PYTHON.behind_a_genuine_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mobly_through_the_server_door() {
    MOBLY.at_the_server_door().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mobly_through_a_genuine_adb_server() {
    MOBLY.behind_a_genuine_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kea_connects_and_sets_up() {
    KEA.behind_a_genuine_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kea2_connects_and_sets_up() {
    KEA2.behind_a_genuine_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn droidbot_connects_and_sets_up() {
    DROIDBOT.behind_a_genuine_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pbfdroid_connects_and_sets_up() {
    PBFDROID.behind_a_genuine_server().await;
}
