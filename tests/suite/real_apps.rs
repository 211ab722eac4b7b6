//! A real app's APK in the framework lab, used by the clients that people use: genuine adb, and uiautomator2.
//!
//! Runs if the APK is there (`benches/apks/README.md` says where it is from; `DROIDMUX_APKS` names its folder, and the
//! corpus may have it), the host has been built and the client is installed, and reports otherwise that it was skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::adb_genuine::is_installed;
use crate::corpus::corpus;
use crate::framework::host;
use crate::python_clients::python_with;
use crate::serving::Serving;

const APK: &str = "activitydiary.apk";
const PACKAGE: &str = "de.rampro.activitydiary.debug";
const MAIN: &str = "de.rampro.activitydiary.ui.main.MainActivity";

/// The APK, if it is at hand.
fn apk() -> Option<PathBuf> {
    let folder = match std::env::var_os("DROIDMUX_APKS") {
        Some(folder) => PathBuf::from(folder),
        None => corpus("apks")?,
    };
    let apk = folder.join(APK);
    if !apk.is_file() {
        println!("skipped: no {}; benches/apks/README.md says where it is from", apk.display());
        return None;
    }
    Some(apk)
}

#[test]
fn clients_use_a_real_app_as_on_a_phone() {
    let Some(apk) = apk() else { return };
    let Some(host) = host() else { return };
    let home = tempfile::tempdir().expect("a folder");
    let phone = Serving::start(&apk, &host, home.path());
    if is_installed() {
        by_adb(&phone, &apk, home.path());
    }
    if let Some(python) = python_with(&["adbutils", "uiautomator2"]) {
        by_uiautomator2(&phone, &python, home.path());
    }
}

fn focus(phone: &Serving) -> String {
    phone.shell("dumpsys window displays | grep mCurrentFocus")
}

fn by_adb(phone: &Serving, apk: &Path, folder: &Path) {
    let start = format!("am start -W -n {PACKAGE}/{MAIN}");
    assert!(phone.shell(&start).contains("Status: ok"));
    assert!(focus(phone).contains(&format!("u0 {PACKAGE}/{MAIN}")), "{}", focus(phone));
    phone.tap("Cinema");
    phone.shell("input swipe 540 1500 540 900 300; input swipe 540 900 540 1500 300");
    phone.tap("Open Navigation");
    phone.tap("Settings");
    assert!(focus(phone).contains("SettingsActivity"), "{}", focus(phone));
    phone.shell("input keyevent KEYCODE_BACK");
    phone.tap("Add Activity");
    phone.shell("input text Reading");
    assert!(phone.find("Reading").is_some());
    phone.shell("input keyevent 4; input keyevent 4; input keyevent 4");
    phone.shell(&start);

    // What is not there, or is not for everybody, is told in the tool's words.
    assert!(phone.shell(&format!("am start -n {PACKAGE}/.None 2>&1; true")).contains("does not exist"));
    let closed = phone.shell(&format!(
        "am start -n {PACKAGE}/{} --es a b 2>&1; true",
        MAIN.replace("main.Main", "history.History")
    ));
    assert!(closed.contains("Permission Denial"), "{closed}");
    let asked = phone.shell(&format!("pm grant {PACKAGE} android.permission.CAMERA 2>&1; true"));
    assert!(asked.contains("has not requested permission"), "{asked}");
    const WRITE: &str = "android.permission.WRITE_EXTERNAL_STORAGE";
    for (verb, granted) in [("grant", true), ("revoke", false)] {
        phone.shell(&format!("pm {verb} {PACKAGE} {WRITE}"));
        let dumped = phone.shell(&format!("dumpsys package {PACKAGE}"));
        assert!(dumped.contains(&format!("{WRITE}: granted={granted}")), "{verb}: {dumped}");
    }
    // A deep link of another app's, and what the system tells all.
    assert!(
        !phone.shell("am start -a android.intent.action.VIEW -d https://example.org/x").contains("Error")
    );
    assert!(!focus(phone).contains(PACKAGE), "{}", focus(phone));
    phone.shell("input keyevent 4");
    assert!(
        phone
            .shell("am broadcast -a android.intent.action.TIME_SET")
            .contains("Broadcast completed: result=0")
    );

    by_other_windows(phone, folder);
    let picture = phone.adb.ok(&["exec-out", "screencap", "-p"]);
    assert_eq!(image::load_from_memory(&picture).expect("a picture").into_rgba8().dimensions(), (1080, 1920));
    let (sent, back) = (folder.join("sent.txt"), folder.join("back.txt"));
    std::fs::write(&sent, "some text").expect("a file");
    phone.adb.ok(&["push", &sent.to_string_lossy(), "/sdcard/Download/sent.txt"]);
    phone.adb.ok(&["pull", "/sdcard/Download/sent.txt", &back.to_string_lossy()]);
    assert_eq!(std::fs::read_to_string(&back).expect("a file"), "some text");
    assert!(
        phone.shell("logcat -d").contains("ActivityManager")
            && phone.shell("logcat -d -b crash").trim().is_empty()
    );

    // Replaced by itself it keeps its data; removed it has none.
    phone.shell(&start);
    phone.tap("Swimming");
    let apk = apk.to_string_lossy();
    assert!(phone.adb.text(&["install", "-r", &apk]).contains("Success"));
    phone.shell(&start);
    assert!(phone.find("Swimming").is_some() && phone.find("<No Activity>").is_none());
    assert!(phone.adb.text(&["uninstall", PACKAGE]).contains("Success"));
    assert!(!phone.shell("pm list packages").contains(PACKAGE));
    assert!(phone.adb.text(&["install", &apk]).contains("Success"));
    assert!(phone.shell(&start).contains("Status: ok"));
    assert!(phone.find("<No Activity>").is_some());
}

/// Files that are brought, the sheet that shares, and the shade.
fn by_other_windows(phone: &Serving, folder: &Path) {
    let brought = folder.join("brought.png");
    std::fs::write(&brought, "a picture, by its name").expect("a file");
    phone.adb.ok(&["push", &brought.to_string_lossy(), "/sdcard/Pictures/brought.png"]);
    let media =
        phone.shell("content query --uri content://media/external/images/media --projection _display_name");
    assert!(media.contains("_display_name=brought.png") && media.contains("IMG_"), "{media}");
    phone.shell(
        "am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT words-shared",
    );
    assert!(!focus(phone).contains(PACKAGE), "{}", focus(phone));
    assert!(phone.find("words-shared").is_some());
    phone.tap("Mail");
    assert!(phone.find("words-shared").is_some());
    phone.shell("input keyevent 4; input keyevent 4");
    phone.shell(&format!("am start -W -n {PACKAGE}/{MAIN}"));
    phone.shell("cmd statusbar expand-notifications");
    assert!(focus(phone).contains("NotificationShade"), "{}", focus(phone));
    assert!(phone.find("No notifications").is_some());
    phone.shell("cmd statusbar collapse");
    assert!(focus(phone).contains(MAIN), "{}", focus(phone));
}

fn by_uiautomator2(phone: &Serving, python: &str, home: &Path) {
    let script = format!("{}/tests/python/real_app.py", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(python)
        .args([&script, &phone.port.to_string(), "sim-1"])
        .envs([("HOME", home), ("TMPDIR", home)])
        .env("ANDROID_ADB_SERVER_PORT", phone.port.to_string())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_SERIAL")
        .stdin(Stdio::null())
        .output()
        .expect("Python runs");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}
