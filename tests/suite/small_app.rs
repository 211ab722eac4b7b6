//! An APK as a build tool makes it, through the whole lab: translated by `droidmux sim --apk`, used by genuine adb.
//!
//! Runs if `tests/small-app/build` has made the app (AppCompat, Material, fragments, a service, pickers, Kotlin, all
//! shrunk by R8) and the framework lab is built, and reports otherwise that it was skipped.

use std::path::Path;

use crate::adb_genuine::is_installed;
use crate::framework::host;
use crate::serving::Serving;

const PACKAGE: &str = "org.droidmux.ledger";

fn type_into(phone: &Serving, label: &str, text: &str) {
    phone.tap(label);
    phone.shell(&format!("input text {text}"));
}

fn shows(phone: &Serving, label: &str) -> bool {
    phone.find(label).is_some()
}

#[test]
fn an_app_of_todays_libraries_is_used_by_genuine_adb() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let apk = folder.join("target/small-app/ledger.apk");
    if !apk.is_file() {
        println!("skipped: no {}; tests/small-app/build", apk.display());
        return;
    }
    let Some(host) = host().filter(|_| is_installed()) else { return };
    let home = tempfile::tempdir().expect("a folder");
    let phone = Serving::start(&apk, &host, home.path());
    phone.shell(&format!("am start -n {PACKAGE}/.MainActivity"));
    assert!(shows(&phone, "Nothing is written down yet"));

    phone.tap("Add entry");
    phone.tap("SAVE");
    assert!(shows(&phone, "A title is needed"));
    type_into(&phone, "Title", "Bread");
    type_into(&phone, "Amount", "42");
    // The day is chosen in a dialog of Material's own, the file in the system's picker.
    phone.tap("DAY");
    phone.tap("Fri, Mar 15");
    phone.tap("OK");
    phone.tap("ATTACH");
    phone.tap("Notes.txt");
    phone.tap("SAVE");
    assert!(shows(&phone, "Bread + Notes.txt"));

    // A service adds up on a thread of its own.
    phone.tap("More options");
    phone.tap("Total");
    assert!(shows(&phone, "42") && shows(&phone, "Total"));
    phone.tap("OK");

    let at = phone.find("Bread + Notes.txt").expect("the entry");
    phone.shell(&format!("input swipe {0} {1} {0} {1} 900", at.x, at.y));
    assert!(shows(&phone, "Nothing is written down yet"));
    phone.tap("UNDO");
    assert!(shows(&phone, "Bread + Notes.txt"));

    // What was saved outlives its process.
    phone.shell(&format!("am force-stop {PACKAGE}; am start -n {PACKAGE}/.MainActivity"));
    assert!(shows(&phone, "Bread + Notes.txt"));
    assert_eq!(phone.shell("logcat -d -b crash").trim(), "");
}
