//! Installing packages: by a stream, from a file, in sessions.

use std::sync::Arc;

use crate::service::Service;
use crate::tests::{device, device_with, shell, talk};
use crate::{Fault, SimDevice};
use droidmux_sim_apps as apps;
use droidmux_testutils::apk_writer::{Element, LABEL, Value, apk, element, launcher, manifest};

const PACKAGE: &str = "org.example.shop";

fn shop(version: u32) -> Vec<u8> {
    let application =
        element("application").with("label", Value::Resource(LABEL)).child(launcher(".ShopActivity"));
    apk(&manifest(PACKAGE, version, application), Some("Small Shop"))
}

fn app(application: Element) -> Vec<u8> {
    apk(&manifest(PACKAGE, 1, application), None)
}

/// As `adb install` does: the bytes follow the command.
async fn install(device: &Arc<SimDevice>, options: &[&str], bytes: &[u8]) -> String {
    let size = bytes.len().to_string();
    let words = [&["package", "install"], options, &["-S", &size]].concat().join("\0");
    String::from_utf8_lossy(&talk(device, &format!("abb_exec:{words}"), bytes).await).into_owned()
}

/// A command's output and errors.
async fn said(device: &Arc<SimDevice>, script: &str) -> String {
    shell(device, &format!("{{ {script}; }} 2>&1"), "").await.out
}

#[tokio::test]
async fn an_installed_app_starts_shows_its_label_and_goes() {
    let device = device();
    assert_eq!(install(&device, &["-r", "-t"], &shop(3)).await, "Success\n");
    assert_eq!(said(&device, "pm list packages -3").await, format!("package:{PACKAGE}\n"));
    let listed = said(&device, "pm list packages --show-versioncode shop").await;
    assert_eq!(listed, format!("package:{PACKAGE} versionCode:3\n"));
    let dumped = said(&device, &format!("dumpsys package {PACKAGE}")).await;
    for part in [
        "versionCode=3 minSdk=21 targetSdk=33",
        "versionName=3.0",
        "android.permission.CAMERA: granted=false",
    ] {
        assert!(dumped.contains(part), "{part}: {dumped}");
    }
    let component = format!("{PACKAGE}/.ShopActivity");
    let resolved =
        said(&device, &format!("cmd package resolve-activity --brief {PACKAGE} | tail -n 1")).await;
    assert_eq!(resolved, format!("{component}\n"));
    let started = said(&device, &format!("am start -W -n {component}")).await;
    assert!(
        started.contains("LaunchState: COLD") && started.contains(&format!("Activity: {component}\n")),
        "{started}"
    );
    assert_eq!(device.phone().focus().activity, format!("{PACKAGE}.ShopActivity"));
    assert!(device.phone().dump().expect("a dump").contains("text=\"Small Shop\""));
    assert_eq!(said(&device, &format!("pm grant {PACKAGE} android.permission.CAMERA")).await, "");
    assert_eq!(said(&device, &format!("pm clear {PACKAGE}")).await, "Success\n");
    assert_eq!(device.phone().pid_of(PACKAGE), None);
    assert_eq!(said(&device, &format!("pm uninstall {PACKAGE}")).await, "Success\n");
    assert_eq!(said(&device, "pm list packages -3").await, "");
    assert!(said(&device, &format!("am start -n {component}")).await.contains("does not exist"));
    assert!(said(&device, &format!("pm uninstall {PACKAGE}")).await.starts_with("Failure ["));
}

#[tokio::test]
async fn an_app_of_the_phones_own_comes_back_as_itself() {
    let own = apps::all().into_iter().next().expect("an app");
    let device = device_with(std::slice::from_ref(&own));
    let (package, version) = (own.package(), own.declaration().version_code);
    let itself = apk(&manifest(package, version, element("application")), None);
    let launcher = own.declaration().launcher.clone().expect("a launcher");
    let start = format!("am start -W -n {package}/{launcher}");
    assert!(said(&device, &start).await.contains("Status: ok"));
    let shown = device.phone().dump().expect("a dump");
    assert_eq!(said(&device, &format!("pm uninstall {package}")).await, "Success\n");
    assert!(said(&device, &start).await.contains("does not exist"));
    // The first time it was removed, the second time it is replaced.
    for _ in 0..2 {
        assert_eq!(install(&device, &["-r"], &itself).await, "Success\n");
        assert!(said(&device, &start).await.contains("Status: ok"));
        assert_eq!(device.phone().dump().expect("a dump"), shown);
    }
    // Who removes it can have something else of its name, too.
    let other = apk(&manifest(package, version + 1, element("application")), None);
    assert!(install(&device, &["-r"], &other).await.contains("INSTALL_FAILED_UPDATE_INCOMPATIBLE"));
    assert_eq!(said(&device, &format!("pm uninstall {package}")).await, "Success\n");
    assert_eq!(install(&device, &[], &other).await, "Success\n");
    assert!(said(&device, &start).await.contains("does not exist"));
}

#[tokio::test]
async fn what_cannot_be_installed_says_why() {
    let own = apps::all().into_iter().next().expect("an app");
    let device = device_with(std::slice::from_ref(&own));
    let newer = {
        let sdk = element("uses-sdk").with("minSdkVersion", Value::Number(40));
        apk(&element("manifest").text("package", PACKAGE).child(sdk), None)
    };
    let for_tests = app(element("application").with("testOnly", Value::Bool(true)));
    let watcher = app(element("application").child(
        element("service")
            .text("name", ".Watcher")
            .text("permission", "android.permission.BIND_ACCESSIBILITY_SERVICE")
            .hearing("android.accessibilityservice.AccessibilityService", ""),
    ));
    let taken = apk(&manifest(own.package(), 1, element("application")), None);
    let keyboard = apk(&manifest("com.android.launcher3", 1, element("application")), None);
    for (bytes, options, expected) in [
        (shop(3), vec![], "Success"),
        (shop(3), vec!["-R"], "INSTALL_FAILED_ALREADY_EXISTS"),
        (shop(2), vec!["-r"], "INSTALL_FAILED_VERSION_DOWNGRADE"),
        (shop(2), vec!["-r", "-d"], "Success"),
        (b"PK\x03\x04xxxx".to_vec(), vec![], "INSTALL_PARSE_FAILED_NOT_APK"),
        (newer, vec![], "INSTALL_FAILED_OLDER_SDK"),
        (for_tests.clone(), vec!["-d"], "INSTALL_FAILED_TEST_ONLY"),
        (for_tests, vec!["-d", "-t"], "Success"),
        (watcher, vec![], "org.example.shop/org.example.shop.Watcher is an accessibility service"),
        (taken, vec![], "INSTALL_FAILED_UPDATE_INCOMPATIBLE"),
        (keyboard, vec![], "INSTALL_FAILED_UPDATE_INCOMPATIBLE"),
    ] {
        let said = install(&device, &options, &bytes).await;
        let failed = said.starts_with("Failure [");
        assert!(said.contains(expected) && failed == (expected != "Success"), "{expected}: {said}");
    }
    let cut = "abb_exec:package\0install\0-S\0900000";
    let said = String::from_utf8_lossy(&talk(&device, cut, &shop(1)).await).into_owned();
    assert!(said.starts_with("Failure [INSTALL_PARSE_FAILED_NOT_APK"), "{said}");
    device.inject(Fault::DiskFull, None);
    assert!(install(&device, &[], &shop(9)).await.contains("INSTALL_FAILED_INSUFFICIENT_STORAGE"));
}

#[tokio::test]
async fn packages_are_files_and_sessions_too() {
    let device = device();
    let base = shop(1);
    let split = {
        let manifest = element("manifest").text("package", PACKAGE).text("split", "config.de");
        apk(&manifest.child(element("application")), None)
    };
    let write = |bytes: Vec<u8>| device.files().write("/data/local/tmp/a.apk", bytes.into(), 0o644, false);
    assert_eq!(write(base.clone()), Ok(()));
    assert_eq!(said(&device, "pm install -r -g /data/local/tmp/a.apk").await, "Success\n");
    let granted = device.phone().package(PACKAGE).expect("installed").permissions;
    assert_eq!(granted, [("android.permission.CAMERA".to_owned(), true)]);
    assert!(
        said(&device, "pm install /data/local/tmp/none.apk").await.contains("INSTALL_FAILED_INVALID_URI")
    );
    assert_eq!(said(&device, &format!("pm uninstall {PACKAGE}")).await, "Success\n");

    assert_eq!(said(&device, "pm install-create -r -S 9999").await, "Success: created install session [1]\n");
    for (name, bytes) in [("base.apk", &base), ("config.de.apk", &split)] {
        let size = bytes.len();
        let service = format!("abb_exec:package\0install-write\0-S\0{size}\01\0{name}\0-");
        let said = String::from_utf8_lossy(&talk(&device, &service, bytes).await).into_owned();
        assert_eq!(said, format!("Success: streamed {size} bytes\n"));
    }
    assert_eq!(device.phone().package(PACKAGE), None, "nothing is installed before the commit");
    assert_eq!(said(&device, "pm install-commit 1").await, "Success\n");
    assert_eq!(device.phone().package(PACKAGE).map(|package| package.label).as_deref(), Some("Small Shop"));
    assert!(said(&device, "pm install-commit 1").await.contains("INSTALL_FAILED_SESSION_INVALID"));
    // A part alone is no app.
    let said = install(&device, &[], &split).await;
    assert!(said.contains("INSTALL_FAILED_INVALID_APK"), "{said}");
}

#[tokio::test]
async fn a_keyboard_is_listed_chosen_and_goes_with_its_app() {
    let device = device();
    let keyboard = |package: &str, class: &str| {
        let service = element("service")
            .text("name", class)
            .text("permission", "android.permission.BIND_INPUT_METHOD")
            .hearing("android.view.InputMethod", "");
        apk(&manifest(package, 1, element("application").child(service)), None)
    };
    let other = "org.example.keys/.Keys";
    assert_eq!(install(&device, &[], &keyboard("org.example.keys", ".Keys")).await, "Success\n");
    let latin = "com.android.inputmethod.latin/.LatinIME";
    for (script, expected) in [
        ("ime list -s".to_owned(), format!("{latin}\n")),
        ("ime list -s -a".to_owned(), format!("{latin}\n{other}\n")),
        (
            format!("ime set {other}"),
            format!("Unknown input method {other} cannot be selected for user #0\n"),
        ),
        (format!("ime enable {other}"), format!("Input method {other}: now enabled for user #0\n")),
        (format!("ime set {other}"), format!("Input method {other} selected for user #0\n")),
        ("settings get secure default_input_method".to_owned(), format!("{other}\n")),
        ("pm uninstall org.example.keys".to_owned(), "Success\n".to_owned()),
        (
            "settings get secure default_input_method; ime list -s -a".to_owned(),
            format!("{latin}\n{latin}\n"),
        ),
    ] {
        assert_eq!(said(&device, &script).await, expected, "{script}");
    }
    // One whose broadcasts are known answers them.
    let atx = "com.github.uiautomator/.AdbKeyboard";
    assert_eq!(install(&device, &[], &keyboard("com.github.uiautomator", ".AdbKeyboard")).await, "Success\n");
    let hide = "am broadcast -a ADB_KEYBOARD_HIDE | tail -n 1";
    assert_eq!(said(&device, hide).await, "Broadcast completed: result=0\n");
    said(&device, &format!("ime enable {atx}; ime set {atx}")).await;
    assert_eq!(said(&device, hide).await, "Broadcast completed: result=-1, data=\"success\"\n");
}

#[tokio::test]
async fn an_accessibility_service_that_is_known_tells_the_screen() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let device = device();
    let package = "io.github.ylimit.droidbotapp";
    let service = format!("{package}/io.github.privacystreams.accessibility.PSAccessibilityService");
    let application = element("application").child(
        element("service")
            .text("name", "io.github.privacystreams.accessibility.PSAccessibilityService")
            .text("permission", "android.permission.BIND_ACCESSIBILITY_SERVICE"),
    );
    assert_eq!(install(&device, &["-r"], &apk(&manifest(package, 1, application), None)).await, "Success\n");
    assert!(!said(&device, "dumpsys activity services").await.contains(&service));
    let tcp = Service::Tcp(7_336);
    assert!(!tcp.opens_on(&device), "it is not on");
    // As DroidBot writes it.
    said(&device, &format!("settings put secure enabled_accessibility_services null:{service}")).await;
    said(&device, "settings put secure accessibility_enabled 1").await;
    assert!(said(&device, "dumpsys activity services").await.contains(&format!(" u0 {service}}}")));
    assert!(tcp.opens_on(&device));

    let (mut near, far) = tokio::io::duplex(1 << 20);
    let serving = tokio::spawn(tcp.run(Arc::clone(&device), Box::new(far)));
    assert_eq!(install(&device, &[], &shop(1)).await, "Success\n");
    device.phone().launch(&format!("{PACKAGE}/.ShopActivity")).expect("started");
    let told = async {
        loop {
            let mut head = [0; 6];
            near.read_exact(&mut head).await.expect("a head");
            let length = u32::from_be_bytes([head[2], head[3], head[4], head[5]]);
            let mut body = vec![0; length as usize];
            near.read_exact(&mut body).await.expect("a body");
            let text = String::from_utf8(body).expect("text");
            let json = text.strip_prefix("AccEvent >>> ").expect("an event");
            let event: serde_json::Value = serde_json::from_str(json).expect("JSON");
            let root = &event["root_node"];
            assert_eq!(root["bounds"], serde_json::json!([0, 0, 1080, 1920]));
            if json.contains("\"text\":\"Small Shop\"") && root["package"] == PACKAGE {
                return root["children"].as_array().expect("children").len();
            }
        }
    };
    let children = tokio::time::timeout(std::time::Duration::from_secs(30), told).await;
    assert!(children.expect("told in time") > 0);
    near.shutdown().await.expect("closed");
    serving.await.expect("it ends with its client");
}
