//! Phones that keep the shell from what sessions need, and phones without a log, a battery, or a keyboard that says when it
//! is down: told at once with what to do, or gone on without.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use droidmux::lab::{LabError, SessionEnd, SessionOptions};
use droidmux::sim::{Condition, Fault, Refusal, SimDevice, SimLab, SimOptions, apps};
use futures_util::future::join_all;

use super::ward::{Ward, small};

/// Within this time a person knows why nothing works.
const AT_ONCE: Duration = Duration::from_secs(90);

async fn sim() -> SimLab {
    let options = SimOptions { devices: 1, steady: true, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.unwrap()
}

fn refuses(command: &str) -> Refusal {
    Refusal::of(command)
}

/// In a vendor's words, with this code, on standard output.
fn says(command: &str, says: &str, code: u8) -> Refusal {
    Refusal { says: says.to_owned(), code, on_stdout: true, ..refuses(command) }
}

fn made_by(device: &SimDevice, manufacturer: &str, brand: &str) {
    device.with_phone(|phone| {
        phone.set_property("ro.product.manufacturer", manufacturer);
        phone.set_property("ro.product.brand", brand);
    });
}

/// What a session changes on a phone.
fn settings(device: &SimDevice) -> Vec<Vec<(String, String)>> {
    device.with_phone(|phone| ["global", "system", "secure"].map(|space| phone.settings(space)).to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_refuses_ends_the_session_at_once_with_the_switch_to_move() {
    let short = "java.lang.SecurityException: not by adb";
    // Who made it; what it refuses; the words for that; the switch.
    let cases = [
        (
            "Xiaomi",
            "Redmi",
            vec![refuses("settings put"), refuses("settings delete")],
            "settings put",
            "Security settings",
        ),
        ("Xiaomi", "POCO", vec![refuses("input")], "input ", "Mi account"),
        ("realme", "realme", vec![refuses("pm clear")], "pm clear", "Disable permission monitoring"),
        (
            "vivo",
            "iQOO",
            vec![says("input tap", short, 0), says("input swipe", short, 0)],
            "input ",
            "simulated click",
        ),
        ("samsung", "samsung", vec![says("settings put system", short, 0)], "settings put", "Auto Blocker"),
        (
            "Acme",
            "acme",
            vec![says("pm clear", "Error: clearing is not allowed", 1)],
            "pm clear",
            "Developer options",
        ),
        (
            "HONOR",
            "HONOR",
            vec![refuses("settings put"), refuses("input"), refuses("pm clear")],
            "settings put",
            "Honor",
        ),
    ];
    let tried = cases.map(|(manufacturer, brand, refusals, command, switch)| async move {
        let sim = sim().await;
        let device = &sim.devices()[0];
        made_by(device, manufacturer, brand);
        for refusal in refusals {
            device.inject(Fault::Refuses(refusal), None);
        }
        let before = settings(device);
        let ward = Ward::new(&sim).await;
        let began = Instant::now();
        let ended = ward.lab.run(small(500), SessionOptions::default()).await;
        let log = ward.log().join("\n");
        assert!(began.elapsed() < AT_ONCE, "{manufacturer} {command}: {:?}\n{log}", began.elapsed());
        let Err(LabError::NoneFits(why)) = ended else {
            panic!("{manufacturer} {command}: {ended:?}\n{log}")
        };
        assert!(why.contains("sim-1: ") && why.contains("is refused"), "{why}");
        assert!(why.contains(command) && why.contains(switch), "{why}");
        assert_eq!(settings(device), before, "{command}: all is as it was");
        assert_eq!(
            device.file("/data/local/tmp/droidmux-settings"),
            None,
            "{command}: and nothing is left to put back"
        );
        ward.lab.close();
    });
    join_all(tried).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_that_passes_costs_a_try() {
    let sim = sim().await;
    sim.devices()[0].inject(Fault::Refuses(refuses("pm clear")), Some(1));
    let ward = Ward::new(&sim).await;
    let outcome = ward.run(&small(60), async {}).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(ward.says("pm clear is refused"), "{}", ward.log().join("\n"));
}

/// A command that fails each time without a word of permission.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_cannot_be_made_ready_ends_the_session_soon() {
    let sim = sim().await;
    sim.devices()[0].inject(
        Fault::Refuses(says("settings", "cmd: Failure calling service settings: Broken pipe (32)", 224)),
        None,
    );
    let ward = Ward::new(&sim).await;
    let began = Instant::now();
    let ended = ward.lab.run(small(500), SessionOptions::default()).await;
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let Err(LabError::NoneFits(why)) = ended else { panic!("{ended:?}") };
    assert!(why.contains("settings put failed with exit code 224: cmd: Failure calling service"), "{why}");
}

/// What some makers do instead of an error: `input` says nothing, and nothing happens.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_ignores_touches_without_a_word_is_noticed() {
    let sim = sim().await;
    for command in ["input tap", "input swipe", "input text"] {
        sim.devices()[0].inject(Fault::Refuses(says(command, " ", 0)), None);
    }
    let ward = Ward::new(&sim).await;
    let began = Instant::now();
    let outcome = ward.run(&small(5_000), async {}).await;
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let vain = outcome.vain.unwrap_or_default();
    assert!(vain.contains("touches changed anything") && vain.contains("developer options"), "{vain}");
    ward.rederives();
}

/// Whatever is tried, the phone says that something else has the focus.
#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_never_comes_in_front_ends_the_session_soon() {
    let sim = sim().await;
    let elsewhere = "mCurrentFocus=Window{1 u0 org.dash/org.dash.Dials}\nmFocusedApp=ActivityRecord{2 u0 org.dash/.Dials t8}\n";
    sim.devices()[0].inject(Fault::Refuses(says("dumpsys window", elsewhere, 0)), None);
    let ward = Ward::new(&sim).await;
    let began = Instant::now();
    let outcome = ward.run(&small(5_000), async {}).await;
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let vain = outcome.vain.unwrap_or_default();
    assert!(vain.contains("was never touched") && vain.contains("org.dash.Dials"), "{vain}");
    ward.rederives();
}

/// The size of the screen is told by the window manager, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_without_wm_works() {
    let sim = sim().await;
    sim.devices()[0]
        .inject(Fault::Refuses(says("wm", "/system/bin/sh: wm: inaccessible or not found", 127)), None);
    let ward = Ward::new(&sim).await;
    let outcome = ward.run(&small(300), async {}).await;
    assert_eq!((outcome.end, outcome.vain), (SessionEnd::Complete, None));
}

/// A look at the phone needs the screen on, and the phone lets nobody switch it on.
#[tokio::test(flavor = "multi_thread")]
async fn a_dark_phone_that_nobody_may_wake_is_no_hope() {
    let sim = sim().await;
    let device = &sim.devices()[0];
    made_by(device, "OnePlus", "OnePlus");
    device.inject(Fault::Refuses(refuses("input")), None);
    device.suffer(&Condition::Asleep);
    let ward = Ward::new(&sim).await;
    let began = Instant::now();
    let ended = ward.lab.run(small(500), SessionOptions::default()).await;
    assert!(began.elapsed() < AT_ONCE, "{:?}", began.elapsed());
    let Err(LabError::NoneFits(why)) = ended else { panic!("{ended:?}\n{}", ward.log().join("\n")) };
    assert!(why.contains("input keyevent is refused") && why.contains("OnePlus"), "{why}");
}

fn droidmux(home: &Path, port: u16, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(arguments).env("ADB_SERVER_SOCKET", format!("tcp:{port}"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    command.output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_time_given_the_reason_is_told_all_the_same_and_the_exit_code_is_3() {
    let sim = sim().await;
    sim.devices()[0].inject(Fault::Refuses(refuses("input")), None);
    let (folder, port) = (tempfile::tempdir().unwrap(), sim.server_addr().port());
    let file = folder.path().join("session.toml");
    std::fs::write(&file, "technique = \"monkey\"\napp = \"org.droidmux.diary\"\n[run]\nmax-events = 80\n")
        .unwrap();
    let run = move || {
        let file = file.to_str().unwrap();
        let began = Instant::now();
        let output = droidmux(folder.path(), port, &["run", file, "--headless", "--for", "10m"]);
        (output, began.elapsed(), folder)
    };
    let (output, took, _folder) = tokio::task::spawn_blocking(run).await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(took < AT_ONCE, "{took:?}");
    assert!(said.contains("is refused by the device") && said.contains("Developer options"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_without_a_battery_works_and_the_log_says_so_once() {
    let sim = sim().await;
    sim.devices()[0].suffer(&Condition::NoBattery);
    let ward = Ward::new(&sim).await;
    let outcome = ward.run(&small(150), async {}).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert_eq!(outcome.lacks, [] as [&str; 0], "no finding is missed for it");
    let log = ward.log();
    let told = log.iter().filter(|line| line.contains("its battery is not watched: there is none")).count();
    assert!(told == 1 && !log.iter().any(|line| line.contains("resting")), "{}", log.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_without_a_log_and_says_so_everywhere() {
    let head = "--------- beginning of main";
    // What is the matter, and the words for it.
    let cases = [
        (vec![Fault::Refuses(refuses("logcat"))], "Unexpected EOF!"),
        (
            vec![Fault::Refuses(says(
                "logcat",
                "Unable to open log device '/dev/log/main': Permission denied",
                0,
            ))],
            "Unable to open",
        ),
        (vec![Fault::Refuses(says("logcat", head, 0))], "does not appear in it"),
        (vec![Fault::Refuses(says("logcat", head, 0)), Fault::Refuses(refuses("log"))], "it is empty"),
        (vec![Fault::Phone(Condition::LogOff)], "`persist.log.tag` is `Settings`"),
    ];
    let tried = cases.map(|(faults, why)| async move {
        let sim = sim().await;
        let device = &sim.devices()[0];
        made_by(device, "HUAWEI", "HUAWEI");
        for fault in faults {
            match fault {
                Fault::Phone(condition) => device.suffer(&condition),
                fault => device.inject(fault, None),
            }
        }
        let ward = Ward::new(&sim).await;
        let mut seen_in_lab = false;
        let looks = async {
            ward.steps(5).await;
            let view = ward.lab.hub().snapshot();
            seen_in_lab = view.devices.iter().any(|device| device.lacks == ["no log"]);
        };
        let outcome = ward.run(&small(150), looks).await;
        assert_eq!(outcome.end, SessionEnd::Complete, "{why}");
        assert!(seen_in_lab, "{why}: the Lab screen says so");
        let [told] = outcome.lacks.as_slice() else { panic!("{why}: {:?}", outcome.lacks) };
        assert!(
            told.starts_with("sim-1: no log: ") && told.contains(why) && told.contains("*#*#2846579#*#*"),
            "{told}"
        );
        let log = ward.log();
        assert_eq!(log.iter().filter(|line| line.contains("no log: ")).count(), 1, "{}", log.join("\n"));
        ward.rederives();
        ward.lab.close();
    });
    join_all(tried).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_comes_back_is_read_again() {
    let sim = sim().await;
    let device = sim.devices()[0].clone();
    device.inject(Fault::Refuses(refuses("logcat")), None);
    let ward = Ward::new(&sim).await;
    let heals = async {
        ward.waits_for("no log: it cannot be read").await;
        ward.steps(20).await;
        device.heal();
        ward.waits_for("no longer so: no log").await;
    };
    assert_eq!(ward.run(&small(300), heals).await.end, SessionEnd::Complete);
}

/// Three backs at the most go to the app; from then on every event reaches its widget.
#[tokio::test(flavor = "multi_thread")]
async fn a_keyboard_that_is_always_said_to_be_up_is_not_closed_for_ever() {
    let sim = sim().await;
    let device = sim.devices()[0].clone();
    device.suffer(&Condition::KeyboardStuck);
    let ward = Ward::new(&sim).await;
    let outcome = ward.run(&small(400), ward.waits_for("it always says that the keyboard is up")).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let closed = ward.noted().iter().filter(|words| words.contains("keyboard closed")).count();
    assert!(closed <= 3, "{closed} backs before touches");
    assert!(outcome.lacks.iter().any(|lack| lack.contains("keyboard")), "{:?}", outcome.lacks);
    ward.rederives();
}
