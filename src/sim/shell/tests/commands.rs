//! Commands of Android's own.

use crate::tests::{device, shell};
use crate::{SimLab, SimOptions};
use droidmux_sim_apps as apps;

#[tokio::test]
async fn the_log_takes_lines() {
    let device = device();
    let mut wrong = Vec::new();
    for (script, out, err, code) in [
        (
            "log -p w -t probe hello world; logcat -d -v brief -s probe",
            "W/probe   ( 4712): hello world\n",
            "",
            0,
        ),
        ("log plain; logcat -d -v tag -s log", "I/log     : plain\n", "", 0),
        ("log -p X hi", "", "log: bad -p 'X'\n", 1),
        ("log -z hi", "", "log: Unknown option 'z' (see \"log --help\")\n", 1),
    ] {
        let ran = shell(&device, script, "").await;
        let printed: String =
            ran.out.lines().filter(|l| !l.starts_with("-----")).map(|l| format!("{l}\n")).collect();
        if (printed.as_str(), ran.err.as_str(), ran.code) != (out, err, Some(code)) {
            wrong.push((script, ran));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn settings_are_content() {
    let device = device();
    let mut wrong = Vec::new();
    let put = "content insert --uri content://settings/system --bind name:s:";
    for (script, out, code) in [
        (format!("{put}accelerometer_rotation --bind value:i:0"), "", 0),
        ("settings get system accelerometer_rotation".to_owned(), "0\n", 0),
        (format!("{put}user_rotation --bind value:i:1; dumpsys input | grep -o 'SurfaceOrientation: 1'; settings get system user_rotation"), "SurfaceOrientation: 1\n1\n", 0),
        (
            "content query --uri content://settings/system --where \"name='user_rotation'\" --projection name:value"
                .to_owned(),
            "Row: 0 name=user_rotation, value=1\n",
            0,
        ),
        ("content query --uri content://settings/system/user_rotation --projection value".to_owned(), "Row: 0 value=1\n", 0),
        ("content query --uri content://settings/global --where \"name='none'\"".to_owned(), "No result found.\n", 0),
        ("content update --uri content://settings/global --where \"name='zen_mode'\" --bind value:i:1; settings get global zen_mode".to_owned(), "1\n", 0),
        ("content delete --uri content://settings/global --where \"name='zen_mode'\"; settings get global zen_mode".to_owned(), "null\n", 0),
        ("content delete --uri content://settings/global".to_owned(), "", 1),
        ("content query --uri content://contacts/people".to_owned(), "", 1),
        ("content call --uri content://settings/system".to_owned(), "", 1),
    ] {
        let ran = shell(&device, &script, "").await;
        if (ran.out.as_str(), ran.code) != (out, Some(code)) {
            wrong.push((script, ran));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(device.with_phone(|phone| phone.rotation()), 1);
}

#[tokio::test]
async fn hardware_and_network_are_told() {
    let device = device();
    for (script, lines, code) in [
        (
            "getevent -p",
            &["add device 2: /dev/input/event1", "0035  : value 0, min 0, max 1079, fuzz 0"][..],
            0,
        ),
        (
            "getevent -lp /dev/input/event1",
            &["ABS_MT_POSITION_Y     : value 0, min 0, max 1919,", "INPUT_PROP_DIRECT"],
            0,
        ),
        ("ip addr show wlan0", &["2: wlan0: <BROADCAST,MULTICAST,UP,LOWER_UP>", "inet 10.0.2."], 0),
        ("ip -f inet addr", &["inet 127.0.0.1/8 scope host lo", "inet 10.0.2."], 0),
        ("ip route", &["10.0.2.0/24 dev wlan0"], 0),
        ("ip addr show eth7", &[], 1),
        ("ifconfig wlan0", &["inet addr:10.0.2."], 0),
        ("ifconfig eth0", &[], 1),
    ] {
        let ran = shell(&device, script, "").await;
        assert_eq!(ran.code, Some(code), "{script}: {ran:?}");
        for line in lines {
            assert!(ran.out.contains(line), "{script}: {line}: {}", ran.out);
        }
    }
}

#[tokio::test]
async fn apps_are_made_to_crash_and_have_no_services() {
    let lab = SimLab::start(SimOptions::with_apps(apps::all())).await.expect("a lab");
    let device = lab.device("sim-1").expect("a device").clone();
    let ran = shell(&device, "am crash org.droidmux.notes", "").await;
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(0)), "one that does not run is left alone");
    shell(&device, "monkey -p org.droidmux.notes 1; logcat -c", "").await;
    let ran = shell(
        &device,
        "am crash org.droidmux.notes; pidof org.droidmux.notes; logcat -d -b crash -v raw",
        "",
    )
    .await;
    for line in ["Process: org.droidmux.notes, PID: ", "CrashedByAdbException: shell-induced crash"] {
        assert!(ran.out.contains(line), "{ran:?}");
    }
    let ran = shell(&device, "monkey -p org.droidmux.notes 1 >/dev/null; am crash $(pidof org.droidmux.notes); pidof org.droidmux.notes", "").await;
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(1)), "by its number");
    for (script, out, err) in [
        (
            "am startservice -n a.b/.C",
            "Starting service: Intent { cmp=a.b/.C }\n",
            "Error: Not found; no service started.\n",
        ),
        (
            "am stopservice a.b/.C",
            "Stopping service: Intent { cmp=a.b/.C }\n",
            "Service not stopped: was not running.\n",
        ),
    ] {
        let ran = shell(&device, script, "").await;
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (out, err, Some(255)), "{script}");
    }
}

#[tokio::test]
async fn the_shade_opens_and_closes() {
    let device = device();
    for (script, window) in [
        ("cmd statusbar expand-settings", "NotificationShade"),
        ("cmd statusbar collapse", "com.google.android.apps.nexuslauncher"),
        ("cmd statusbar expand-notifications", "NotificationShade"),
    ] {
        assert_eq!(shell(&device, script, "").await.code, Some(0), "{script}");
        let focused = device.with_phone(|phone| phone.focus().window);
        let shade = focused == "NotificationShade";
        assert_eq!(shade, window == "NotificationShade", "{script}: {focused}");
    }
}

#[tokio::test]
async fn shells_read_their_script_from_where_it_comes() {
    let device = device();
    for (script, input, out, code) in [
        (
            "sh",
            "echo a\nfor i in 1 2\ndo echo $i\ndone\nread x\nheard\necho $x; exit 4\n",
            "a\n1\n2\nheard\n",
            4,
        ),
        ("sh -", "echo b", "b\n", 0),
        ("while read l; do echo \"<$l>\"; done; cat", "x\ny", "<x>\n", 0),
    ] {
        let ran = shell(&device, script, input).await;
        assert_eq!((ran.out.as_str(), ran.code), (out, Some(code)), "{script}: {ran:?}");
    }
}

#[tokio::test]
async fn events_of_the_hardware_are_waited_for() {
    let device = device();
    // A raw stream ends the wait when its peer closes its side.
    let answer = crate::tests::talk(&device, "shell:getevent -lt", b"").await;
    let text = String::from_utf8_lossy(&answer).into_owned();
    assert!(text.starts_with("add device 1: /dev/input/event0"), "{text}");
    assert!(text.ends_with("\"sim_touchscreen\"\n") || text.ends_with("\"sim_touchscreen\"\r\n"), "{text:?}");
}

#[tokio::test]
async fn traps_see_the_peer_go_away() {
    use tokio::io::AsyncWriteExt;
    for (script, path) in [
        ("trap 'echo x > /sdcard/left' EXIT; sleep 1000", "/sdcard/left"),
        ("trap 'echo x > /sdcard/hung' HUP; while :; do sleep 0.01; done", "/sdcard/hung"),
    ] {
        let device = device();
        let service = crate::service::Service::parse(&format!("shell,v2,raw:{script}")).expect("a service");
        let (mut near, far) = tokio::io::duplex(1 << 16);
        let serving = tokio::spawn(service.run(device.clone(), Box::new(far)));
        near.write_all(&[0, 0, 0, 0, 0]).await.expect("it listens");
        // The trap is set before the first wait, where the shell learns of it.
        drop(near);
        serving.await.expect("no panic");
        assert_eq!(device.file(path).as_deref(), Some(&b"x\n"[..]), "{script}");
    }
}
