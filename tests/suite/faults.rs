//! Faults and conditions of the simulated lab, as our client sees them; in `adb_genuine.rs` a genuine adb sees some of
//! them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, DeviceErrorKind, DialogKind, Patience, system_dialog};
use droidmux::sim::{
    Condition, End, Fault, FaultPlan, FaultRule, Injected, LinkState, SimLab, SimOptions, apps,
};

use crate::device::GRANTED;
use crate::trial_app::{PACKAGE, app};

fn patience() -> Patience {
    Patience::of(Duration::from_secs(20))
}

async fn lab(devices: u16, faults: FaultPlan) -> SimLab {
    let options = SimOptions {
        devices,
        faults,
        steady: true,
        apps: vec![app()],
        strict: true,
        ..SimOptions::default()
    };
    SimLab::start(options).await.expect("a simulated lab")
}

fn client(lab: &SimLab, serial: &str) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), serial)
}

/// What a line of the device's shell prints, errors last.
async fn print(device: &AdbDevice, line: &str) -> String {
    let output = device.shell(line, &patience()).await.expect("a shell");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_goes_wrong_as_its_fault_says() {
    let lab = lab(1, FaultPlan::default()).await;
    let (sim, device) = (&lab.devices()[0], client(&lab, "sim-1"));
    print(&device, "true").await;
    let brief = Patience::of(Duration::from_millis(300));
    let cases: [(Fault, fn(&DeviceErrorKind) -> bool); 5] = [
        (Fault::HalfOpen, |kind| matches!(kind, DeviceErrorKind::TimedOut(_))),
        (Fault::Slow(Duration::from_secs(9)), |kind| matches!(kind, DeviceErrorKind::TimedOut(_))),
        (Fault::Drop(0), |kind| matches!(kind, DeviceErrorKind::Lost(_))),
        (Fault::Drop(7), |kind| matches!(kind, DeviceErrorKind::Lost(_))),
        (Fault::Garbage(4_000), |_| true),
    ];
    for (fault, expected) in cases {
        sim.inject(fault.clone(), Some(1));
        let kind = device.shell("echo hello", &brief).await.expect_err("a fault").kind;
        assert!(expected(&kind), "{fault:?}: {kind}");
        assert_eq!(print(&device, "echo hello").await, "hello\n", "after {fault:?}");
    }
    sim.inject(Fault::Jitter(Duration::from_millis(30)), Some(3));
    assert_eq!(print(&device, "echo late").await, "late\n");
    let struck: Vec<&str> = lab.struck(0).iter().map(|injected| injected.fault).collect();
    assert_eq!(struck, ["half-open", "slow", "drop", "drop", "garbage", "jitter"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dump_goes_wrong_as_its_fault_says() {
    let lab = lab(1, FaultPlan::default()).await;
    let (sim, device) = (&lab.devices()[0], client(&lab, "sim-1"));
    let dump = "uiautomator dump /sdcard/d.xml >/dev/null; cat /sdcard/d.xml";
    let home = print(&device, dump).await;
    device.start(PACKAGE, &patience()).await.expect("started");
    sim.inject(Fault::DumpWithoutFile, Some(1));
    assert_eq!(print(&device, dump).await, home, "the old file is still there");
    sim.inject(Fault::DumpStale, Some(1));
    print(&device, "input keyevent HOME").await;
    let stale = print(&device, dump).await;
    assert_ne!(stale, home);
    device.start(PACKAGE, &patience()).await.expect("started");
    assert_eq!(print(&device, dump).await, stale, "the screen of the dump before");
    // Whatever the bytes are, there is an answer.
    for bytes in [1, 30, 3_000] {
        sim.inject(Fault::DumpGarbled(bytes), Some(1));
        assert_ne!(print(&device, dump).await, stale, "{bytes}");
        sim.inject(Fault::DumpGarbled(bytes), Some(8));
        let _ = device.layout(4, &patience()).await;
        sim.heal();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_go_and_come_back() {
    let lab = lab(2, FaultPlan::default()).await;
    let (sim, device) = (&lab.devices()[0], client(&lab, "sim-1"));
    device.start(PACKAGE, &patience()).await.expect("started");
    print(&device, "echo kept > /sdcard/kept; logcat -c").await;
    let boot = print(&device, "cat /proc/sys/kernel/random/boot_id; pidof init").await;

    // adbd only: the app continues.
    sim.inject(Fault::KillAdbd, None);
    let kind = device.shell("sleep 5", &patience()).await.expect_err("killed").kind;
    assert!(kind.is_gone(), "{kind}");
    back(&device).await;
    assert!(!print(&device, &format!("pidof {PACKAGE}")).await.is_empty());

    let (away, starting) = (Duration::from_millis(500), Duration::from_millis(2_000));
    sim.inject(Fault::Reboot { away, boot: starting }, None);
    assert!(device.shell("sleep 5", &patience()).await.expect_err("gone").kind.is_gone());
    assert_eq!(sim.state(), LinkState::Absent);
    back(&device).await;
    // It is back on ADB before it has booted.
    let half = print(&device, "getprop sys.boot_completed; uiautomator dump; cat /sdcard/kept").await;
    assert!(half.contains("null root node") && half.contains("kept\n"), "{half}");
    tokio::time::sleep(starting + away).await;
    let up = print(&device, &format!("getprop sys.boot_completed; pidof {PACKAGE}")).await;
    assert_eq!(up, "1\n", "started, and no process of the app");
    assert_ne!(print(&device, "cat /proc/sys/kernel/random/boot_id; pidof init").await, boot);

    for (state, said) in [(LinkState::Offline, "offline"), (LinkState::Unauthorized, "unauthorized")] {
        sim.befall(&Fault::Link { state, back_after: Some(Duration::from_millis(500)) });
        let kind = device.shell("true", &patience()).await.expect_err("not ready").kind;
        assert!(kind.is_gone() && kind.to_string().contains(said), "{kind}");
        back(&device).await;
    }
}

/// Waits until the device answers again.
async fn back(device: &AdbDevice) {
    until(device, "true", "").await;
}

/// Waits until this line prints that.
async fn until(device: &AdbDevice, line: &str, printed: &str) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        let output = device.shell(line, &patience()).await;
        if output.is_ok_and(|output| output.stdout == printed.as_bytes()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("`{line}` did not come to print {printed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_shell_says_so_and_the_next_one_works() {
    let lab = lab(1, FaultPlan::default()).await;
    let device = Arc::new(client(&lab, "sim-1"));
    print(&device, "true").await;
    let other = Arc::clone(&device);
    let line = "echo on; echo yes > /sdcard/on; sleep 30";
    let running = tokio::spawn(async move { other.shell(line, &patience()).await });
    until(&device, "cat /sdcard/on", "yes\n").await;
    lab.devices()[0].inject(Fault::KillShell, None);
    assert_eq!(print(&device, "echo two").await, "two\n");
    let killed = running.await.expect("no panic").expect("an exit code");
    assert_eq!((killed.exit, &*killed.stdout), (137, &b"on\n"[..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_restarts_at_the_same_address() {
    let lab = lab(2, FaultPlan::default()).await;
    let device = client(&lab, "sim-2");
    print(&device, "true").await;
    let sleeping = client(&lab, "sim-1");
    let line = "echo yes > /sdcard/on; sleep 30";
    let cut = tokio::spawn(async move { sleeping.shell(line, &patience()).await });
    until(&client(&lab, "sim-1"), "cat /sdcard/on", "yes\n").await;
    lab.restart_server(Duration::from_secs(5));
    assert!(cut.await.expect("no panic").expect_err("cut").kind.is_gone());
    let kind = device.shell("true", &Patience::of(Duration::from_millis(100))).await.expect_err("away").kind;
    let away = matches!(kind, DeviceErrorKind::NoServer(_) | DeviceErrorKind::TimedOut(_));
    assert!(away || kind.is_gone(), "{kind}");
    back(&device).await;

    let plan = FaultPlan::new(1, vec![FaultRule::new(Fault::ServerHalfOpen).after(1).times(1)]);
    let lab = self::lab(1, plan).await;
    let server = Server::at(lab.server_addr());
    server.devices(&patience()).await.expect("a list");
    let mute = server.devices(&Patience::of(Duration::from_millis(200))).await;
    assert!(mute.is_err());
    server.devices(&patience()).await.expect("a list again");
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_look_as_on_phones() {
    let lab = lab(1, FaultPlan::default()).await;
    let (sim, device) = (&lab.devices()[0], client(&lab, "sim-1"));
    let frozen = |anr_after, idle| Condition::Frozen { anr_after, idle };
    let dump = "uiautomator dump /sdcard/d.xml && cat /sdcard/d.xml";
    let cases: [(Option<Condition>, &str, &[&str]); 15] = [
        (None, "dumpsys battery", &["level: 100", "temperature: 250", "USB powered: true"]),
        (
            Some(Condition::Battery { level: 9, charging: false }),
            "dumpsys battery; dumpsys power",
            &["level: 9\n", "USB powered: false", "status: 3", "mBatteryLevel=9"],
        ),
        (
            Some(Condition::Heat { status: 3, celsius: 47 }),
            "dumpsys thermalservice; dumpsys battery",
            &["Thermal Status: 3", "mValue=47.0, mType=3", "temperature: 470"],
        ),
        (
            Some(Condition::Asleep),
            "dumpsys power; uiautomator dump; input keyevent WAKEUP; dumpsys power | grep mWake",
            &["mWakefulness=Asleep", "state=OFF", "null root node", "mWakefulness=Awake"],
        ),
        (
            Some(Condition::Locked { secure: false }),
            "dumpsys window | grep -E 'mCurrentFocus|isKeyguardShowing|mDreaming'; wm dismiss-keyguard; dumpsys window displays",
            &[
                "u0 NotificationShade}",
                "isKeyguardShowing=true",
                "mDreamingLockscreen=true",
                "isKeyguardShowing=false",
            ],
        ),
        (
            Some(Condition::Locked { secure: true }),
            "wm dismiss-keyguard; dumpsys window displays; dumpsys activity activities; uiautomator dump /sdcard/d.xml; cat /sdcard/d.xml",
            &[
                "isKeyguardShowing=true",
                "mKeyguardShowing=true",
                "keyguard_root_view",
                "com.android.systemui",
            ],
        ),
        (Some(frozen(None, false)), "uiautomator dump", &["could not get idle state"]),
        (
            Some(frozen(Some(2), true)),
            "input tap 500 900; input tap 500 900; dumpsys window | grep mCurrentFocus; logcat -d -b system",
            &["Application Not Responding: ", "ANR in ", "Reason: Input dispatching timed out"],
        ),
        (
            Some(Condition::PermissionDialog { permission: "android.permission.CAMERA".into() }),
            dump,
            &["take pictures and record video", "permission_deny_button"],
        ),
        (
            Some(Condition::CrashDialog { package: "com.google.android.gms".into() }),
            "dumpsys window | grep mCurrentFocus; uiautomator dump /sdcard/d.xml; cat /sdcard/d.xml; logcat -d -b crash",
            &[
                "Application Error: com.google.android.gms",
                "Google Play services has stopped",
                "aerr_close",
                "FATAL EXCEPTION",
            ],
        ),
        (
            Some(Condition::CrashDialog { package: PACKAGE.into() }),
            "dumpsys window | grep mCurrentFocus; dumpsys activity activities | grep topResumed",
            &["Application Error: ", "com.android.launcher3"],
        ),
        (Some(Condition::Keyboard), "dumpsys input_method", &["mInputShown=true"]),
        (
            Some(Condition::AppEnds(End::LowMemory)),
            "dumpsys window displays; logcat -d -b system",
            &["launcher3", "low watermark", "has died"],
        ),
        (Some(Condition::ClockJump(86_400_000)), "date +%F", &["-"]),
        (None, "df /data", &["/dev/block/dm-5   33554432", " /data"]),
    ];
    for (condition, line, expected) in cases {
        sim.heal();
        device.begin(PACKAGE, GRANTED, &patience()).await.expect("begun");
        let date = print(&device, "date +%s").await.trim().parse::<u64>().expect("seconds");
        if let Some(condition) = &condition {
            sim.suffer(condition);
        }
        let said = print(&device, line).await;
        for part in expected {
            assert!(said.contains(part), "{condition:?} {line}\n no {part:?} in {said}");
        }
        let later = print(&device, "date +%s").await.trim().parse::<u64>().expect("seconds");
        let jumped = matches!(condition, Some(Condition::ClockJump(_)));
        assert_eq!(later >= date + 86_400, jumped, "{condition:?}");
        print(&device, "logcat -c; input keyevent BACK").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_can_be_got_rid_of() {
    let lab = lab(1, FaultPlan::default()).await;
    let (sim, device) = (&lab.devices()[0], client(&lab, "sim-1"));
    let focus = || async { device.foreground(&patience()).await.expect("a focus").package };
    // A stuck page reacts to nothing; HOME and a new start help.
    device.start(PACKAGE, &patience()).await.expect("started");
    let first = device.layout(10, &patience()).await.expect("a layout").layout;
    sim.suffer(&Condition::Frozen { anr_after: None, idle: true });
    for line in ["input tap 200 800", "input keyevent BACK", "input text abc", "input swipe 500 900 500 300"]
    {
        print(&device, line).await;
        let now = device.layout(10, &patience()).await.expect("a layout").layout;
        assert_eq!(now.hash(), first.hash(), "{line}");
    }
    print(&device, &format!("am force-stop {PACKAGE}")).await;
    device.start(PACKAGE, &patience()).await.expect("started");
    print(&device, "input keyevent BACK").await;
    assert_ne!(focus().await, PACKAGE, "it takes keys again");

    // Our reader recognises dialogs, and their button leads back.
    device.start(PACKAGE, &patience()).await.expect("started");
    for (condition, kind) in [
        (
            Condition::PermissionDialog { permission: "android.permission.CAMERA".into() },
            DialogKind::Permission,
        ),
        (Condition::CrashDialog { package: "com.google.android.gms".into() }, DialogKind::Stopped),
    ] {
        sim.suffer(&condition);
        let layout = device.layout(10, &patience()).await.expect("a layout").layout;
        let dialog = system_dialog(&layout).expect("a dialog");
        assert_eq!(dialog.kind, kind);
        let at = layout.get(dialog.go_on).expect("a button").bounds().center();
        print(&device, &format!("input tap {} {}", at.x, at.y)).await;
        let after = device.layout(10, &patience()).await.expect("a layout").layout;
        assert_eq!(after.hash(), first.hash(), "{condition:?}");
    }

    // The keyboard covers what is below it until BACK, which leaves the app where it is.
    sim.suffer(&Condition::Keyboard);
    print(&device, "input keyevent BACK").await;
    assert_eq!(focus().await, PACKAGE);
    assert!(print(&device, "dumpsys input_method").await.contains("mInputShown=false"));

    // A full disk takes no file and no package.
    sim.inject(Fault::DiskFull, None);
    let full = print(&device, "df /data; echo x > /sdcard/x; ls /sdcard/x").await;
    assert!(full.contains(" 0 100% /data"), "{full}");
    assert!(device.push("/data/local/tmp/x", 0o644, 0, b"x", &patience()).await.is_err());
    sim.heal();
    device.push("/data/local/tmp/x", 0o644, 0, b"x", &patience()).await.expect("room again");
}

/// The same commands on every device of a lab with this plan, and what struck each.
async fn night(seed: u64) -> Vec<Vec<Injected>> {
    let rule = |fault| FaultRule::new(fault).chance(0.05);
    let rules = vec![
        rule(Fault::Drop(3)),
        rule(Fault::Garbage(50)),
        rule(Fault::DumpKilled),
        rule(Fault::Phone(Condition::AppEnds(End::Silent))).on("sim-2"),
        FaultRule::new(Fault::DumpNoIdle).after(5).times(2),
    ];
    let lab = lab(2, FaultPlan::new(seed, rules)).await;
    for serial in ["sim-2", "sim-1"] {
        let device = client(&lab, serial);
        for _ in 0..60 {
            // Some fail: that is their purpose.
            let _ = device.shell("uiautomator dump /sdcard/d.xml", &patience()).await;
        }
    }
    let struck = lab.struck(0);
    let of = |serial: &str| struck.iter().filter(|one| one.device == serial).cloned().collect();
    vec![of("sim-1"), of("sim-2")]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_gives_the_same_faults() {
    let (first, again, other) = tokio::join!(night(7), night(7), night(8));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(first.iter().all(|struck| struck.len() > 5), "{first:?}");
    assert!(
        first[1].iter().any(|one| one.fault == "kill-app")
            && first[0].iter().all(|one| one.fault != "kill-app")
    );
}

#[tokio::test]
async fn a_plan_for_devices_that_are_not_there_is_refused() {
    let rule = FaultRule::new(Fault::HalfOpen).on("sim-3");
    let faults = FaultPlan::new(1, vec![rule]);
    let options = SimOptions { devices: 2, faults, ..SimOptions::with_apps(apps::all()) };
    let error = SimLab::start(options).await.expect_err("refused").to_string();
    assert_eq!(error, "fault 1 (half-open): there is no device \"sim-3\"; the lab has sim-1 to sim-2");
}
