//! Packages that clients install on simulated phones, through both doors.
//!
//! Small ones are written here. The helper app of the Python package `uiautomator2` is real; if no Python has that
//! package, this part is reported as skipped.

use std::path::PathBuf;
use std::process::Command;

use droidmux::sim::{SimLab, SimOptions};

use crate::adb_genuine::{Adb, is_installed};
use crate::ports::free_port;
use crate::python_clients;
use droidmux_testutils::apk_writer::{LABEL, Value, apk, element, launcher, manifest};

const PACKAGE: &str = "org.example.shop";

/// An app with a launcher icon, as a build tool packs it.
fn shop(version: u32) -> Vec<u8> {
    let application = element("application")
        .with("label", Value::Resource(LABEL))
        .child(launcher(".ShopActivity"))
        .child(element("activity").text("name", "org.example.cart.CartActivity"));
    apk(&manifest(PACKAGE, version, application), Some("Small Shop"))
}

async fn lab(adbd: bool) -> SimLab {
    let options = SimOptions { adbd, apps: Vec::new(), strict: true, ..SimOptions::default() };
    SimLab::start(options).await.expect("a lab")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_the_server_door() {
    if !is_installed() {
        return;
    }
    let lab = lab(false).await;
    let mut adb = Adb::new(lab.server_addr().port(), false);
    adb.serial = Some("sim-1".into());
    tokio::task::spawn_blocking(move || use_packages(&adb)).await.expect("the client's checks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_a_genuine_adb_server() {
    if !is_installed() {
        return;
    }
    let lab = lab(true).await;
    let address = lab.adbd_addrs().first().expect("a door").to_string();
    let mut adb = Adb::new(free_port(), true);
    let check = move || {
        adb.connect(&address);
        adb.serial = Some(address);
        use_packages(&adb);
    };
    tokio::task::spawn_blocking(check).await.expect("the client's checks");
}

/// Installs, starts, replaces and removes apps as a person at a terminal does.
fn use_packages(adb: &Adb) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let (first, second) = (file("first.apk", &shop(1)), file("second.apk", &shop(2)));
    assert!(adb.text(&["install", &second]).contains("Success"));
    starts(adb, PACKAGE, &format!("{PACKAGE}/.ShopActivity"), "Small Shop");
    starts(
        adb,
        PACKAGE,
        &format!("{PACKAGE}/org.example.cart.CartActivity"),
        "org.example.cart.CartActivity",
    );
    let refused = adb.output(&["install", "-r", &first]);
    let said = String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).into_owned();
    assert!(!refused.status.success() && said.contains("INSTALL_FAILED_VERSION_DOWNGRADE"), "{said}");
    assert!(adb.text(&["install", "--no-streaming", "-r", "-d", &first]).contains("Success"));
    assert!(adb.text(&["shell", "dumpsys", "package", PACKAGE]).contains("versionCode=1 "));
    assert!(adb.text(&["uninstall", PACKAGE]).contains("Success"));
    assert!(!adb.text(&["shell", "pm", "list", "packages"]).contains(PACKAGE));
    let split = element("manifest").text("package", PACKAGE).text("split", "config.xhdpi");
    let split = file("split.apk", &apk(&split.child(element("application")), None));
    assert!(adb.text(&["install-multiple", &second, &split]).contains("Success"));
    assert!(adb.text(&["shell", "pm", "list", "packages", "-3"]).contains(PACKAGE));
    assert!(adb.text(&["uninstall", PACKAGE]).contains("Success"));
    let application = element("application").with("testOnly", Value::Bool(true));
    let for_tests = file("test.apk", &apk(&manifest(PACKAGE, 1, application), None));
    assert!(!adb.output(&["install", &for_tests]).status.success());
    assert!(adb.text(&["install", "-t", &for_tests]).contains("Success"));
    assert!(adb.text(&["uninstall", PACKAGE]).contains("Success"));
    let broken = adb.output(&["install", &file("broken.apk", b"PK\x03\x04xxxx")]);
    assert!(!broken.status.success());
    real_helper(adb);
}

/// Starts a component and looks for a text on its screen.
fn starts(adb: &Adb, package: &str, component: &str, text: &str) {
    assert!(adb.text(&["shell", "am", "start", "-W", "-n", component]).contains("Status: ok"), "{component}");
    let focus = adb.text(&["shell", "dumpsys window displays | grep mCurrentFocus"]);
    assert!(focus.contains(&format!("u0 {package}/")), "{focus}");
    adb.ok(&["shell", "uiautomator", "dump", "/sdcard/dump.xml"]);
    let dump = adb.text(&["shell", "cat", "/sdcard/dump.xml"]);
    assert!(dump.contains(&format!("text=\"{text}\"")), "{text}: {dump}");
}

/// The helper app of uiautomator2: has an icon, a label of its own and a keyboard.
fn real_helper(adb: &Adb) {
    const HELPER: &str = "com.github.uiautomator";
    let Some(path) = helper() else { return };
    assert!(adb.text(&["install", "-r", &path.to_string_lossy()]).contains("Success"));
    let resolved = adb.text(&["shell", "cmd", "package", "resolve-activity", "--brief", HELPER]);
    assert!(resolved.ends_with("com.github.uiautomator/.MainActivity\n"), "{resolved}");
    starts(adb, HELPER, "com.github.uiautomator/.MainActivity", "ATX");
    let keyboard = "com.github.uiautomator/.AdbKeyboard";
    assert!(adb.text(&["shell", "ime", "list", "-s", "-a"]).contains(keyboard));
    assert!(adb.text(&["shell", "ime", "enable", keyboard]).contains("now enabled"));
    assert!(adb.text(&["shell", "ime", "set", keyboard]).contains("selected"));
    assert!(adb.text(&["uninstall", HELPER]).contains("Success"));
}

/// Its path in the installed Python package.
fn helper() -> Option<PathBuf> {
    let python = python_clients::python_with(&["uiautomator2"])?;
    let script = "import os, uiautomator2; print(os.path.join(os.path.dirname(uiautomator2.__file__), 'assets', 'app-uiautomator.apk'))";
    let output = Command::new(python).args(["-c", script]).output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if path.is_file() {
        return Some(path);
    }
    println!("skipped: this uiautomator2 has no {}", path.display());
    None
}
