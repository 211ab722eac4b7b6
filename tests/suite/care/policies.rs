//! What happens to a device in the middle of a session, and what the lab does about it.

use std::sync::Arc;
use std::time::Duration;

use droidmux::device::{Device, Patience};
use droidmux::lab::SessionEnd;
use droidmux::proto::DeviceHealth;
use droidmux::record::SessionId;
use droidmux::sim::{Condition, Fault, LinkState, SimDevice, SimLab, SimOptions, apps};
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::ward::{Ward, client, small};

/// What happens to a session's only device, and what should be reported about it.
struct Case {
    name: &'static str,
    fault: Fault,
    /// In the log, at once and at the end.
    log: &'static str,
    then: &'static str,
    /// In an observation; nothing if the action is taken between jobs.
    noted: &'static str,
    /// What ends it, once the log says `log`.
    cure: fn(&Arc<SimDevice>),
    /// The session's length.
    events: u64,
}

impl Case {
    fn new(name: &'static str, fault: Fault, log: &'static str) -> Self {
        Self { name, fault, log, then: "", noted: "", cure: |_| {}, events: 120 }
    }

    fn phone(name: &'static str, condition: Condition, log: &'static str) -> Self {
        Self::new(name, Fault::Phone(condition), log)
    }

    fn then(self, then: &'static str) -> Self {
        Self { then, ..self }
    }

    fn noted(self, noted: &'static str) -> Self {
        Self { noted, ..self }
    }

    fn events(self, events: u64) -> Self {
        Self { events, ..self }
    }

    fn cured(self, cure: fn(&Arc<SimDevice>)) -> Self {
        Self { cure, ..self }
    }
}

async fn sim(devices: u16) -> SimLab {
    let options = SimOptions { devices, steady: true, strict: true, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.unwrap()
}

/// Makes it happen until the lab reports it. Conditions that need an app in front do nothing on the home screen and
/// disappear with the app's process, so a phone's condition is renewed long before the session ends. An app whose
/// screen cannot be read is frozen only once, though: if that happened again while it is being restarted, its job would
/// be given up.
async fn happen(ward: &Ward, device: &Arc<SimDevice>, case: &Case) {
    let phone = matches!(case.fault, Fault::Phone(_));
    let unreadable = matches!(case.fault, Fault::Phone(Condition::Frozen { idle: false, .. }));
    let times = if phone { 3_000 } else { 12 };
    ward.steps(15).await;
    for _ in 0..times {
        device.befall(&case.fault);
        let waits = !phone || unreadable && device.with_phone(|phone| phone.is_frozen());
        let apart = if waits { 4_000 } else { 20 };
        if ward.hears(case.log, Duration::from_millis(apart)).await {
            return (case.cure)(device);
        }
    }
    panic!("{}: `{}` is not in\n{}", case.name, case.log, ward.log().join("\n"));
}

async fn survives(case: Case) {
    let sim = sim(1).await;
    let ward = Ward::new(&sim).await;
    let outcome = ward.run(&small(case.events), happen(&ward, &sim.devices()[0], &case)).await;
    assert_eq!(outcome.end, SessionEnd::Complete, "{}", case.name);
    assert!(ward.says(case.then), "{}: `{}` is not in\n{}", case.name, case.then, ward.log().join("\n"));
    let noted = ward.noted();
    assert!(
        case.noted.is_empty() || noted.iter().any(|words| words.contains(case.noted)),
        "{}: `{}` is not in {noted:?}\n{}",
        case.name,
        case.noted,
        ward.log().join("\n")
    );
    ward.rederives();
    ward.lab.close();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_the_screen_is_put_right_and_noted() {
    let frozen = |anr_after, idle| Condition::Frozen { anr_after, idle };
    let cases = [
        Case::phone("asleep", Condition::Asleep, "screen woken"),
        Case::phone("keyguard", Condition::Locked { secure: false }, "keyguard dismissed"),
        Case::phone("no responses", frozen(Some(1), true), "frozen (uiautomator").noted("not-responding: "),
        Case::phone("no dumps", frozen(None, false), "frozen (uiautomator").noted("killed and started again"),
        // Reported where exploring begins again; replayed traces are too short for it.
        Case::phone("stuck", frozen(None, true), "events in a row changed nothing")
            .then("starting afresh")
            .events(250),
    ];
    join_all(cases.map(survives)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_rests_until_it_is_fit_again() {
    let battery = |level| Condition::Battery { level, charging: true };
    let heat = |celsius| Condition::Heat { status: 0, celsius };
    let cases = [
        Case::phone("battery", battery(9), "resting: battery 9 %, charging to 20 %")
            .then("rested")
            .cured(|device| device.suffer(&Condition::Battery { level: 25, charging: true })),
        Case::phone("heat", heat(47), "resting: 47.0 °C, cooling to 42 °C")
            .then("rested")
            .cured(|device| device.suffer(&Condition::Heat { status: 0, celsius: 30 })),
        Case::new("full", Fault::DiskFull, "0 MiB free on /data")
            .then("rested")
            .cured(|device| device.heal()),
        Case::phone("locked", Condition::Locked { secure: true }, "locked; unlock it by hand")
            .then("well again")
            .cured(|device| device.heal()),
    ];
    join_all(cases.map(survives)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_goes_is_taken_in_again_when_it_comes_back() {
    let ms = Duration::from_millis;
    let link = |state| Fault::Link { state, back_after: Some(ms(800)) };
    let cases = [
        Case::new("reboot", Fault::Reboot { away: ms(600), boot: ms(1_500) }, "its system is still starting")
            .then("it was restarted"),
        Case::new("cable", link(LinkState::Absent), "now gone, was device").then("sim-1: back"),
        Case::new("key", link(LinkState::Unauthorized), "accept this computer's key").then("sim-1: back"),
        Case::new("adbd", Fault::KillAdbd, "now gone, was device").then("sim-1: back"),
    ];
    join_all(cases.map(survives)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_and_keyboards_are_out_of_the_way_of_the_next_event() {
    let permission = Condition::PermissionDialog { permission: "android.permission.CAMERA".into() };
    let crash = Condition::CrashDialog { package: "com.google.android.gms".into() };
    // Not every event is below a keyboard.
    for (condition, noted, events) in [
        (permission, "permission: ", 120),
        (crash, "stopped: ", 120),
        (Condition::Keyboard, "keyboard closed", 400),
    ] {
        let sim = sim(1).await;
        let ward = Ward::new(&sim).await;
        let suffering = async {
            for steps in (15..events * 3 / 5).step_by(4) {
                ward.steps(steps).await;
                sim.devices()[0].suffer(&condition);
            }
        };
        ward.run(&small(events), suffering).await;
        let told = ward.noted();
        assert!(told.iter().any(|words| words.contains(noted)), "`{noted}` is not in {told:?}");
        ward.rederives();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cable_pulled_in_the_middle_of_a_dump() {
    let sim = sim(1).await;
    let ward = Ward::new(&sim).await;
    let pulled = async {
        ward.steps(15).await;
        // Less than a dump has.
        sim.devices()[0].inject(Fault::LoseAfter(2_000), None);
        ward.waits_for("now gone, was device").await;
        sim.devices()[0].replug();
    };
    let outcome = ward.run(&small(120), pulled).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let log = ward.log().join("\n");
    assert!(log.contains("the device was lost") && log.contains("sim-1: back"), "{log}");
    ward.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_run_again_when_the_adb_server_was_restarted() {
    let sim = sim(2).await;
    let ward = Ward::new(&sim).await;
    let restarted = async {
        ward.steps(15).await;
        sim.restart_server(Duration::from_millis(400));
    };
    let outcome = ward.run(&small(120), restarted).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let log = ward.log().join("\n");
    assert!(
        log.contains("the ADB server does not answer") && log.contains("the ADB server answers again"),
        "{log}"
    );
    assert!(log.contains("sim-1: back") && !log.contains("quarantined"), "{log}");
    let attempts: usize = ward
        .lab
        .store()
        .jobs(SessionId(1))
        .map(|job| ward.lab.store().attempts(SessionId(1), job.unwrap().slot).unwrap().len())
        .max()
        .unwrap_or_default();
    assert!(attempts >= 2, "no job was under way");
    ward.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_answers_but_does_not_dump_is_sick_and_comes_back() {
    let sim = sim(2).await;
    sim.devices()[0].inject(Fault::DumpNullRoot, None);
    let ward = Ward::new(&sim).await;
    let quarantined = |health: &DeviceHealth| matches!(health, DeviceHealth::Quarantined { why, .. } if why.contains("null root node"));
    ward.becomes("sim-1", quarantined).await;
    ward.becomes("sim-2", |health| *health == DeviceHealth::Idle).await;
    let healed = async {
        ward.steps(30).await;
        sim.devices()[0].heal();
        ward.waits_for("sim-1: out of quarantine").await;
    };
    let mut definition = small(250);
    definition.run.window = 8;
    let outcome = ward.run(&definition, healed).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let store = ward.lab.store();
    let serials: Vec<String> = store.runs(SessionId(1)).map(|run| run.unwrap().device.serial).collect();
    assert_eq!(serials.first().map(String::as_str), Some("sim-2"));
    assert!(serials.iter().any(|serial| serial == "sim-1"), "the device that came back got no job");
    // Each quarantine was longer than the one before.
    assert!(ward.says("quarantined for 200 ms"), "{}", ward.log().join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_never_rests_does_not_keep_its_device_out() {
    let sim = sim(1).await;
    let app = small(1).app;
    let within = Patience { within: Duration::from_secs(20), cancel: CancellationToken::new() };
    let device = client(&sim, "sim-1");
    device.start(&app, &within).await.unwrap();
    sim.devices()[0].suffer(&Condition::Frozen { anr_after: None, idle: false });
    assert!(device.layout(3, &within).await.is_err(), "it is dumped");
    let ward = Ward::new(&sim).await;
    ward.becomes("sim-1", |health| *health == DeviceHealth::Idle).await;
    let told = ward.says("left for the home screen") && !ward.says("sick");
    assert!(told, "{}", ward.log().join("\n"));
    assert_ne!(device.foreground(&within).await.unwrap().package, app);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_comes_late_is_taken_in() {
    let sim = sim(2).await;
    sim.devices()[1].unplug();
    let ward = Ward::new(&sim).await;
    let comes = async {
        ward.steps(15).await;
        sim.devices()[1].replug();
    };
    ward.run(&small(250), comes).await;
    let store = ward.lab.store();
    let late = store.runs(SessionId(1)).filter(|run| run.as_ref().unwrap().device.serial == "sim-2").count();
    assert!(late > 0, "{}", ward.log().join("\n"));
}
