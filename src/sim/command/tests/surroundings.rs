//! The commands that change what surrounds an app, in the words of a phone.

use super::check;
use crate::tests::{device_with, shell};
use droidmux_sim_apps as apps;

#[tokio::test]
async fn what_surrounds_an_app_is_set_and_told() {
    let app = apps::all().into_iter().next().expect("an app");
    let (device, package) = (device_with(std::slice::from_ref(&app)), app.package());
    let locale = |words: &str| format!("cmd locale {words}");
    let told = |tags: &str| format!("Locales for {package} for user 0 are [{tags}]\n");
    let (get, set) = (format!("get-app-locales {package}"), format!("set-app-locales {package}"));
    for (script, expected, code) in [
        (locale(&get), told(""), 0),
        (locale(&format!("{set} --locales de-DE,en")), String::new(), 0),
        (locale(&get), told("de-DE,en"), 0),
        (locale(&set), String::new(), 0),
        (locale(&get), told(""), 0),
        (locale("get-app-locales com.none"), "Unknown package com.none for userId 0\n".into(), 0),
        (locale("set-app-locales"), "Error: no package specified\n".into(), 255),
    ] {
        check(&device, &[(&script, &expected, code)]).await;
    }
    check(
        &device,
        &[
            ("cmd connectivity airplane-mode", "disabled\n", 0),
            ("settings get global wifi_on; settings get global mobile_data", "1\n1\n", 0),
            ("dumpsys connectivity | grep Active", "Active default network: 100\n", 0),
            ("cmd connectivity airplane-mode enable; cmd connectivity airplane-mode", "enabled\n", 0),
            ("settings get global airplane_mode_on; settings get global wifi_on", "1\n3\n", 0),
            ("dumpsys connectivity | grep Active", "Active default network: none\n", 0),
            ("svc wifi enable; settings get global wifi_on", "2\n", 0),
            ("cmd connectivity airplane-mode disable; settings get global wifi_on", "1\n", 0),
            ("svc wifi disable; svc data disable; dumpsys connectivity | grep -c none", "1\n", 0),
            ("svc wifi enable; svc data enable; settings get global wifi_on", "1\n", 0),
            ("locksettings get-disabled", "false\n", 0),
            ("input keyevent 223; dumpsys power | grep -o 'mWakefulness=A.*'", "mWakefulness=Asleep\n", 0),
            ("input keyevent 224; dumpsys window policy | grep -o 'mIsShowing=.*'", "mIsShowing=true\n", 0),
            ("wm dismiss-keyguard; dumpsys window policy | grep -o 'mIsShowing=.*'", "mIsShowing=false\n", 0),
            ("locksettings set-disabled true", "Lock screen disabled set to true\n", 0),
            (
                "input keyevent POWER; input keyevent 26; dumpsys window displays | grep -o 'Showing=.*'",
                "Showing=false\n",
                0,
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn only_what_is_in_the_background_is_killed() {
    let all = apps::all();
    let radio = all.iter().find(|app| app.package().ends_with(".radio")).expect("the radio");
    let device = device_with(std::slice::from_ref(radio));
    let package = radio.package();
    let start = format!("am start -n {} >/dev/null", radio.declaration().launcher().expect("a launcher"));
    let pid = |device: std::sync::Arc<crate::SimDevice>| device.phone().pid_of(package);
    shell(&device, &start, "").await;
    let first = pid(device.clone());
    shell(&device, &format!("am kill {package}"), "").await;
    assert!(first.is_some() && pid(device.clone()) == first, "in front");
    shell(&device, &format!("input keyevent HOME; am kill {package}"), "").await;
    assert_eq!(pid(device.clone()), None);
    let log = shell(&device, "logcat -d -b all", "").await.out;
    assert!(log.contains("kill background"), "{log}");
    shell(&device, &start, "").await;
    assert!(pid(device.clone()).is_some_and(|pid| Some(pid) != first));
    let xml = device.phone().dump().expect("a dump");
    let layout = droidmux_gui::read_dump(xml.as_bytes()).expect("readable").layout;
    let station = layout.widgets().find(|widget| widget.text() == "Hill Radio").expect("a station");
    device.phone().tap(station.bounds().center());
    let second = pid(device.clone());
    shell(&device, &format!("input keyevent HOME; am kill {package}; am kill-all"), "").await;
    assert_eq!(pid(device.clone()), second, "its service plays");
    let services = shell(&device, &format!("dumpsys activity services {package}"), "").await.out;
    assert!(services.contains("isForeground=true"), "{services}");
}
