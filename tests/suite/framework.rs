//! The framework lab with its real host: an app's own code on Android's own classes, behind the doors.
//!
//! Runs if the host has been built (`mvn -f framework/pom.xml package`) and its tools are installed, and reports
//! otherwise that it was skipped. The app is the one from the host's own tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use droidmux::gui::read_dump;
use droidmux::sim::{Confinement, FrameworkOptions, SimError, SimLab, SimOptions};

use crate::adb_genuine::{Adb, is_installed};

/// The folder of the host, if it has been built.
pub fn host() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("framework");
    if !folder.join("target/droidmux-framework-1.jar").is_file() {
        println!("skipped: no host in {}/target; mvn -f framework/pom.xml package", folder.display());
        return None;
    }
    Some(folder)
}

/// This app on the host, confined.
pub fn framework(host: &Path, app: &Path) -> FrameworkOptions {
    FrameworkOptions {
        program: host.join("run"),
        app: app.to_owned(),
        in_use: None,
        confinement: Confinement::by(env!("CARGO_BIN_EXE_droidmux").into(), false),
        faults: app.with_file_name("faults.jsonl"),
        mutants: BTreeMap::new(),
    }
}

/// An app built from its sources, e.g. that for the tests.
pub fn built(host: &Path, sources: &Path, out: &Path) -> Option<FrameworkOptions> {
    let built = Command::new(host.join("build-app")).arg(sources).arg(out).output();
    let built = built.expect("the script can be run");
    if !built.status.success() {
        println!("skipped: {}", String::from_utf8_lossy(&built.stderr).trim());
        return None;
    }
    Some(framework(host, out))
}

#[tokio::test(flavor = "multi_thread")]
async fn genuine_adb_sees_a_real_app() {
    let Some(host) = host().filter(|_| is_installed()) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Some(framework) = built(&host, &host.join("src/test/app"), &folder.path().join("app")) else {
        return;
    };
    let options = SimOptions { framework: Some(framework), strict: true, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let port = lab.server_addr().port();
    tokio::task::spawn_blocking(move || {
        let mut adb = Adb::new(port, false);
        adb.serial = Some("sim-1".into());
        let shell = |command: &str| String::from_utf8_lossy(&adb.ok(&["shell", command])).into_owned();
        assert!(shell("pm list packages").contains("package:org.droidmux.trial"));
        shell("am start -n org.droidmux.trial/.MainActivity");
        assert!(shell("dumpsys window").contains("org.droidmux.trial/org.droidmux.trial.MainActivity"));
        let dump = |name: &str| {
            shell("uiautomator dump /sdcard/w.xml");
            let dump = read_dump(shell("cat /sdcard/w.xml").as_bytes()).expect("a dump");
            let text = dump.layout.widgets().find(|w| w.text() == name).map(|w| w.bounds().center());
            text.unwrap_or_else(|| panic!("no {name}"))
        };
        dump("fresh");
        let count = dump("Count");
        shell(&format!("input tap {} {}", count.x, count.y));
        dump("touches 1");
        shell("input keyevent KEYCODE_HOME; am kill org.droidmux.trial; am start -n org.droidmux.trial/.MainActivity");
        dump("restored touches 1");
        let picture = adb.ok(&["exec-out", "screencap -p"]);
        let picture = image::load_from_memory(&picture).expect("a picture").into_rgba8();
        assert_eq!(picture.dimensions(), (1080, 1920));
        assert!(picture.pixels().any(|pixel| *pixel != *picture.get_pixel(0, 0)), "something is drawn");
        let crash = dump("Crash");
        shell(&format!("input tap {} {}", crash.x, crash.y));
        let log = shell("logcat -d -b crash");
        assert!(log.contains("java.lang.IllegalStateException: on purpose"), "{log}");
        shell("pm clear org.droidmux.trial; am start -n org.droidmux.trial/.MainActivity");
        dump("fresh");
    })
    .await
    .expect("the client's thread");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_cannot_be_loaded_is_told_with_its_file() {
    let Some(host) = host() else { return };
    let framework = framework(&host, Path::new("/nowhere/app"));
    let options = SimOptions { framework: Some(framework), ..SimOptions::default() };
    match SimLab::start(options).await {
        Err(SimError::Framework(words)) => assert_eq!(words, "/nowhere/app: no such app"),
        other => panic!("{other:?}"),
    }
}
