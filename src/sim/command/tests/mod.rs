//! Commands as their callers meet them, on a device with apps.

use std::sync::Arc;

use crate::tests::{device, device_with, shell, talk};
use crate::{Condition, SimDevice};
use droidmux_sim_apps as apps;

mod install;
mod surroundings;

/// Runs scripts one after the other on one device: each with its output, errors included, and exit code.
async fn check(device: &Arc<SimDevice>, scripts: &[(&str, &str, u8)]) {
    for (script, expected, code) in scripts {
        let ran = shell(device, &format!("{{ {script}; }} 2>&1"), "").await;
        assert_eq!((ran.out.as_str(), ran.code), (*expected, Some(*code)), "{script}");
    }
}

#[tokio::test]
async fn what_clients_ask_of_a_phone_is_told() {
    let device = device();
    for key in
        ["ro.secure", "ro.debuggable", "ro.build.version.codename", "ro.hardware", "ro.product.cpu.abilist"]
    {
        let told = shell(&device, &format!("getprop {key}"), "").await.out;
        assert!(!told.trim().is_empty(), "{key}");
    }
    let secure = [("getprop ro.secure", "1\n", 0), ("getprop ro.debuggable", "0\n", 0)];
    check(&device, &secure).await;
    check(
        &device,
        &[(
            "dumpsys window policy | grep -o 'interactiveState.*'",
            "interactiveState=INTERACTIVE_STATE_AWAKE\n",
            0,
        )],
    )
    .await;
    device.phone().suffer(&Condition::Asleep);
    check(
        &device,
        &[(
            "dumpsys window policy | grep -o 'interactiveState.*'",
            "interactiveState=INTERACTIVE_STATE_SLEEP\n",
            0,
        )],
    )
    .await;
}

#[tokio::test]
async fn the_null_device_is_copied() {
    let scripts = [
        (
            "echo one > /sdcard/x; cp /dev/null /sdcard/x; cat /sdcard/x; ls -l /sdcard/x | grep -c ' 0 2023'",
            "1\n",
            0,
        ),
        ("echo one > /sdcard/x; cp /sdcard/x /dev/null && cat /dev/null /sdcard/x", "one\n", 0),
    ];
    check(&device(), &scripts).await;
}

#[tokio::test]
async fn both_ways_to_a_raw_screen_tell_one_colour_space() {
    let device = device();
    let word = |bytes: &[u8], at: usize| bytes.get(at * 4..at * 4 + 4).map(<[u8]>::to_vec);
    let raw = talk(&device, "exec:screencap", b"").await;
    let frame = talk(&device, "framebuffer:", b"").await;
    assert_eq!(word(&raw, 3), Some(1_u32.to_le_bytes().to_vec()));
    assert_eq!(word(&frame, 2), word(&raw, 3));
    assert_eq!(frame.get(14 * 4..), raw.get(4 * 4..), "the same pixels");
}

#[tokio::test]
async fn night_is_set_told_and_seen() {
    let app = apps::all().into_iter().next().expect("an app");
    let device = device_with(std::slice::from_ref(&app));
    let launcher = device.phone().launcher_of(app.package()).expect("a launcher");
    device.phone().launch(&launcher).expect("started");
    let day = device.phone().screenshot();
    check(
        &device,
        &[
            ("cmd uimode night", "Night mode: no\n", 0),
            ("cmd uimode night yes", "Night mode: yes\n", 0),
            ("cmd uimode night; settings get secure ui_night_mode", "Night mode: yes\n2\n", 0),
        ],
    )
    .await;
    assert_ne!(device.phone().screenshot(), day);
    check(
        &device,
        &[
            ("cmd uimode night perhaps", "Error: mode must be 'yes', 'no', or 'auto'\n", 255),
            ("cmd uimode night no", "Night mode: no\n", 0),
        ],
    )
    .await;
    assert_eq!(device.phone().screenshot(), day);
}

#[tokio::test]
async fn monkey_sends_as_many_events_as_it_is_told() {
    let app = apps::all().into_iter().next().expect("an app");
    let device = device_with(std::slice::from_ref(&app));
    let package = app.package();
    let one = shell(&device, &format!("monkey -p {package} -c android.intent.category.LAUNCHER 1"), "").await;
    assert!(one.out.starts_with("Events injected: 1\n") && one.code == Some(0), "{one:?}");
    assert_eq!(device.phone().focus().package, package);
    let before = device.phone().now_ms();
    let many =
        shell(&device, &format!("monkey -p {package} -s 7 --throttle 10 --pct-touch 50 -v 200"), "").await;
    assert!(
        many.out.contains(":Monkey: seed=7 count=200\n") && many.out.contains("Events injected: 200\n"),
        "{many:?}"
    );
    assert_eq!(many.code, Some(0), "the app is sound");
    assert!(device.phone().now_ms() > before, "something was touched");
    // The same seed on another phone does the same.
    let other = device_with(std::slice::from_ref(&app));
    shell(&other, &format!("monkey -p {package} -c android.intent.category.LAUNCHER 1"), "").await;
    shell(&other, &format!("monkey -p {package} -s 7 200"), "").await;
    assert_eq!(other.phone().dump().ok(), device.phone().dump().ok());
    for (script, expected, code) in [
        ("monkey -p com.none 50", "** No activities found to run, monkey aborted.\n", 252),
        ("monkey -p com.none", "** Error: Count not specified\n", 251),
        ("monkey -p com.none 99999999", "** Error: a simulated phone takes 10000 events at once\n", 251),
        ("monkey --nosuch 5", "** Error: Unknown option: --nosuch\n", 251),
    ] {
        check(&device, &[(script, expected, code)]).await;
    }
}

#[tokio::test]
async fn monkey_stops_where_an_app_crashes() {
    let all = apps::all();
    let app = all.iter().find(|app| app.package().ends_with(".calc")).expect("the calculator");
    let device = device_with(std::slice::from_ref(app));
    let package = app.package();
    shell(&device, &format!("monkey -p {package} 1"), "").await;
    // Killed behind the monkey's back at its first touch: the app in front is gone.
    device.phone().suffer(&Condition::Frozen { anr_after: Some(1), idle: true });
    let hung = shell(&device, &format!("monkey -p {package} -s 3 300"), "").await;
    assert!(hung.err.contains(&format!("// NOT RESPONDING: {package}\n")), "{hung:?}");
    assert!(hung.out.contains("** Monkey aborted due to error.\n"), "{hung:?}");
    assert_ne!(hung.code, Some(0));
}
