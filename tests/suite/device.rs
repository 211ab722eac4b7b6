//! The ADB client against the simulated lab, through its server door and through a genuine ADB
//! server on its adbd doors.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{
    Beginning, Device, DeviceError, DeviceErrorKind, DialogKind, Gesture, Key, Manner, Observed, Patience,
    TestData, system_dialog,
};
use droidmux::gui::{Direction, Flags, Layout, Widget};
use droidmux::record::SignalKind;
use droidmux::sim::{Fault, LinkState, SimLab, SimOptions};

use crate::ports::free_address;
use crate::trial_app::{PACKAGE, app};

/// A test that begins with no data and all permissions.
pub const GRANTED: Beginning = Beginning { data: TestData::Cleared, grant: true };

pub fn patience() -> Patience {
    Patience::of(Duration::from_secs(30))
}

async fn lab(devices: u16, adbd: bool) -> SimLab {
    let options = SimOptions { devices, adbd, apps: vec![app()], strict: true, ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

fn device(lab: &SimLab) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), "sim-1")
}

fn kind<T: std::fmt::Debug>(result: Result<T, DeviceError>) -> DeviceErrorKind {
    result.expect_err("an error").kind
}

pub fn widget<'a>(layout: &'a Layout, id: &str) -> Widget<'a> {
    let found = layout.widgets().find(|w| w.short_id() == id);
    found.unwrap_or_else(|| {
        panic!("no {id} among {:?}", layout.widgets().map(|w| w.short_id()).collect::<Vec<_>>())
    })
}

/// Performs an event and observes.
pub async fn step(device: &AdbDevice, gesture: Gesture) -> Observed {
    device.perform(&gesture, &patience()).await.expect("performed");
    device.observe(&Manner::Strict, 10, &patience()).await.expect("observed")
}

async fn tap(device: &AdbDevice, layout: &Layout, id: &str) -> Observed {
    step(device, Gesture::Tap(widget(layout, id).bounds().center())).await
}

/// Resets and starts the app, and returns its first screen.
pub async fn fresh(device: &AdbDevice) -> Arc<Layout> {
    device.begin(PACKAGE, GRANTED, &patience()).await.expect("begun");
    let observed = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
    assert_eq!(observed.foreground.package, PACKAGE);
    assert!(observed.settled.settling.is_settled());
    observed.settled.layout
}

/// What must work through either door. Returns the hashes of the layouts along the way.
pub async fn tour(device: &AdbDevice) -> Vec<String> {
    let mut seen = Vec::new();
    let mut note = |layout: &Layout| seen.push(layout.hash().to_string());
    device.prepare(&patience()).await.expect("prepared");
    let info = device.info(&patience()).await.expect("properties");
    assert!(info.api >= 21 && info.width > 0 && info.width < info.height, "{info:?}");
    let build = device.app(PACKAGE, &patience()).await.expect("installed");
    assert_eq!((build.version_name.as_str(), build.version_code), ("3.1-rc", 31));

    let main = fresh(device).await;
    note(&main);
    let at = widget(&main, "name").bounds().center();
    for text in ["it's 100% \"%s\" <ok> $HOME `x` \\ ;|&*()~^", "short", ""] {
        let observed = step(device, Gesture::Type(at, text.into())).await;
        assert_eq!(widget(&observed.settled.layout, "echo").text(), format!("[{text}]"));
        assert!(observed.foreground.keyboard, "{text}");
        note(&observed.settled.layout);
    }
    let closed = step(device, Gesture::Key(Key::Back)).await;
    assert!(!closed.foreground.keyboard);
    let held = step(device, Gesture::LongPress(widget(&main, "held").bounds().center())).await;
    assert_eq!(widget(&held.settled.layout, "held").text(), "Held 1");

    let turned = step(device, Gesture::Rotate).await;
    assert_eq!((turned.foreground.rotation, turned.settled.layout.rotation()), (1, 1));
    note(&turned.settled.layout);
    let upright = step(device, Gesture::Rotate).await;
    assert_eq!(upright.foreground.rotation, 0);

    let rows = tap(device, &upright.settled.layout, "rows").await;
    assert!(rows.foreground.activity.ends_with(".ListActivity"));
    let list = widget(&rows.settled.layout, "rows").bounds();
    let scrolled = step(device, Gesture::Swipe(list, Direction::Down)).await;
    let first = |layout: &Layout| widget(layout, "rows").children().next().map(|w| w.text().to_owned());
    assert_ne!(first(&scrolled.settled.layout), first(&rows.settled.layout));
    note(&scrolled.settled.layout);
    let back = step(device, Gesture::Swipe(list, Direction::Up)).await;
    assert_eq!(first(&back.settled.layout), Some("Row 1".into()));

    let home = step(device, Gesture::Key(Key::Home)).await;
    assert_ne!(home.foreground.package, PACKAGE);
    let again = step(device, Gesture::Launch(PACKAGE.into())).await;
    assert!(again.foreground.activity.ends_with(".ListActivity"), "as it was: {:?}", again.foreground);

    let png = device.screenshot(&patience()).await.expect("a picture").into_png().expect("a PNG");
    assert!(png.starts_with(b"\x89PNG"));
    device.restore(&patience()).await.expect("restored");
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn through_the_server_door() {
    let lab = lab(1, false).await;
    tour(&device(&lab)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn through_a_genuine_adb_server() {
    let lab = lab(1, true).await;
    let Some(adb) = GenuineAdb::start() else { return };
    let server = Server::at(adb.address);
    adb.wait_for(&server).await;
    let serial = lab.adbd_addrs().first().expect("a door").to_string();
    server.connect(&serial, &patience()).await.expect("connected");
    let mut tracker = server.track(&patience()).await.expect("a list");
    while !tracker.next(&patience()).await.expect("a list").iter().any(|d| d.serial == serial && d.is_ready())
    {
    }
    let genuine = tour(&AdbDevice::new(server.clone(), serial.as_str())).await;
    assert_eq!(genuine, tour(&device(&lab)).await, "both doors lead to the same phone");

    let elsewhere = server.connect("127.0.0.1:1", &patience()).await;
    assert!(matches!(kind(elsewhere), DeviceErrorKind::Answer(_)));
    lab.device("sim-1").expect("a device").unplug();
    while tracker.next(&patience()).await.expect("a list").iter().any(|d| d.serial == serial && d.is_ready())
    {
    }
    let gone = AdbDevice::new(server, serial).info(&patience()).await;
    assert!(kind(gone).is_gone());
}

#[tokio::test(flavor = "multi_thread")]
async fn crashes_and_hangs_are_told_once() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let main = fresh(&device).await;
    let crashed = tap(&device, &main, "crash").await;
    let [signal] = crashed.signals.as_slice() else { panic!("{:?}", crashed.signals) };
    assert_eq!((signal.kind, signal.process.as_str()), (SignalKind::Crash, PACKAGE));
    assert_eq!(signal.headline, "java.lang.IllegalStateException: pressed");
    assert!(signal.stack.iter().any(|line| line.contains("MainActivity.onClick")), "{:?}", signal.stack);
    assert_eq!(device.signals(&patience()).await.expect("a log"), []);

    let main = fresh(&device).await;
    let hung = tap(&device, &main, "hang").await;
    let [signal] = hung.signals.as_slice() else { panic!("{:?}", hung.signals) };
    assert_eq!((signal.kind, signal.process.as_str()), (SignalKind::Anr, PACKAGE));
    assert!(signal.headline.contains("Input dispatching timed out"), "{}", signal.headline);
    // What the main thread was doing is in the drop box.
    assert!(
        signal.stack.iter().any(|line| line.contains("at com.example.trial.MainActivity")),
        "{:?}",
        signal.stack
    );
    assert_eq!(hung.foreground.package, "android");
    let dialog = system_dialog(&hung.settled.layout).expect("a dialog");
    assert_eq!(dialog.kind, DialogKind::NotResponding);
    let close = dialog.decline.and_then(|id| hung.settled.layout.get(id)).expect("a button");
    let closed = step(&device, Gesture::Tap(close.bounds().center())).await;
    assert_eq!(system_dialog(&closed.settled.layout), None);

    // The same crash in another run is another signal.
    let main = fresh(&device).await;
    assert_eq!(tap(&device, &main, "crash").await.signals.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_granted_or_asked_for() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let main = fresh(&device).await;
    let granted = tap(&device, &main, "ask").await;
    assert_eq!(widget(&granted.settled.layout, "ask").text(), "Granted", "a reset grants");

    device.shell(&format!("pm clear {PACKAGE}"), &patience()).await.expect("cleared");
    device.start(PACKAGE, &patience()).await.expect("started");
    let asked = tap(&device, &main, "ask").await;
    let dialog = system_dialog(&asked.settled.layout).expect("a dialog");
    assert_eq!(dialog.kind, DialogKind::Permission);
    assert_ne!(asked.foreground.package, PACKAGE);
    let allow = asked.settled.layout.get(dialog.go_on).expect("a button");
    assert!(allow.has(Flags::CLICKABLE));
    let allowed = step(&device, Gesture::Tap(allow.bounds().center())).await;
    assert_eq!(widget(&allowed.settled.layout, "ask").text(), "Granted");
}

#[tokio::test(flavor = "multi_thread")]
async fn dumps_that_go_wrong() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let main = fresh(&device).await;
    let phone = lab.device("sim-1").expect("a device");
    // Two failures are survived; endless failures are an error that says why, and never an old screen.
    let faults = [
        (Fault::DumpWithoutFile, "wrote no file"),
        (Fault::DumpNullRoot, "null root node"),
        (Fault::DumpNoIdle, "could not get idle state"),
        (Fault::DumpKilled, "Killed"),
        (Fault::DumpCut(200), "cannot be read"),
    ];
    for (fault, said) in faults {
        phone.inject(fault.clone(), Some(2));
        let settled = device.layout(10, &patience()).await.expect("a layout");
        assert!(settled.settling.is_settled(), "{fault:?}");
        assert_eq!(settled.layout.hash(), main.hash(), "{fault:?}");
        phone.inject(fault.clone(), None);
        let error = kind(device.layout(3, &patience()).await);
        assert!(matches!(&error, DeviceErrorKind::Answer(text) if text.contains(said)), "{fault:?}: {error}");
        phone.heal();
    }
    phone.inject(Fault::DiskFull, None);
    assert!(matches!(kind(device.layout(2, &patience()).await), DeviceErrorKind::Answer(_)), "no old screen");
    let unsaved = kind(device.prepare(&patience()).await);
    assert!(
        matches!(&unsaved, DeviceErrorKind::Command { output, .. } if output.contains("No space left")),
        "{unsaved}"
    );
    phone.heal();
    phone.inject(Fault::DumpNeverSettles, None);
    let unsettled = device.observe(&Manner::Strict, 4, &patience()).await.expect("the last dump");
    assert!(!unsettled.settled.settling.is_settled());
    phone.heal();

    let restless =
        device.perform(&Gesture::Tap(widget(&main, "restless").bounds().center()), &patience()).await;
    restless.expect("performed");
    assert!(matches!(
        kind(device.observe(&Manner::Strict, 2, &patience()).await),
        DeviceErrorKind::Answer(_)
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_rests_is_dumped_less_often_once_that_is_known() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let main = fresh(&device).await;
    let phone = lab.device("sim-1").expect("a device");
    let look = async || {
        let observed = device.observe(&Manner::Strict, 10, &patience()).await.expect("a look").settled;
        (observed.dumps, observed.settling.is_settled())
    };
    assert_eq!(look().await, (2, true));
    phone.inject(Fault::DumpNeverSettles, None);
    let moving = [look().await, look().await, look().await];
    assert_eq!(moving, [(10, false), (10, false), (3, false)]);
    phone.heal();
    assert_eq!(look().await, (2, true));
    phone.inject(Fault::DumpNeverSettles, None);
    assert_eq!(look().await, (10, false), "it has rested since");
    phone.heal();

    let load = device.perform(&Gesture::Tap(widget(&main, "load").bounds().center()), &patience()).await;
    load.expect("performed");
    let (first, settled) = look().await;
    assert!(first > 10 && settled, "{first} dumps while it was waited for");
    assert_eq!(look().await, (2, true), "in vain, and that is known");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_device_is_a_lost_device() {
    let lab = lab(2, false).await;
    let device = device(&lab);
    fresh(&device).await;
    let phone = lab.device("sim-1").expect("a device");
    for bytes in [0, 1, 300, 2_000] {
        phone.inject(Fault::LoseAfter(bytes), None);
        assert!(
            matches!(kind(device.observe(&Manner::Strict, 10, &patience()).await), DeviceErrorKind::Lost(_)),
            "{bytes}"
        );
        assert!(kind(device.perform(&Gesture::Key(Key::Back), &patience()).await).is_gone());
        phone.replug();
        device.observe(&Manner::Strict, 10, &patience()).await.expect("back again");
    }
    phone.set_state(LinkState::Unauthorized);
    let error = kind(device.foreground(&patience()).await);
    assert!(matches!(&error, DeviceErrorKind::NotReady(state) if state.contains("unauthorized")), "{error}");

    let entries = Server::at(lab.server_addr()).devices(&patience()).await.expect("a list");
    let states: Vec<_> = entries.iter().map(|d| (d.serial.as_str(), d.state.as_str())).collect();
    assert_eq!(states, [("sim-1", "unauthorized"), ("sim-2", "device")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_device_runs_out_of_patience() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    device.info(&patience()).await.expect("properties");
    lab.device("sim-1").expect("a device").inject(Fault::Slow(Duration::from_secs(60)), None);
    let within = Duration::from_millis(100);
    assert_eq!(kind(device.layout(10, &Patience::of(within)).await), DeviceErrorKind::TimedOut(within));
    let cancelled = patience();
    cancelled.cancel.cancel();
    assert_eq!(kind(device.layout(10, &cancelled).await), DeviceErrorKind::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_app_is_not_installed() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let missing = DeviceErrorKind::NotInstalled("com.example.none".into());
    assert_eq!(kind(device.app("com.example.none", &patience()).await), missing);
    assert_eq!(kind(device.begin("com.example.none", GRANTED, &patience()).await), missing);
    assert_eq!(kind(device.start("com.example.none", &patience()).await), missing);
    // Uninstalled while being tested.
    fresh(&device).await;
    lab.device("sim-1").expect("a device").inject(Fault::AppMissing(PACKAGE.into()), None);
    let gone = DeviceErrorKind::NotInstalled(PACKAGE.into());
    assert_eq!(kind(device.begin(PACKAGE, GRANTED, &patience()).await), gone);
    assert_eq!(kind(device.start(PACKAGE, &patience()).await), gone);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_survive_a_dead_session() {
    let lab = lab(1, false).await;
    let phone = lab.device("sim-1").expect("a device");
    let keys = [
        ("global", "animator_duration_scale"),
        ("system", "user_rotation"),
        ("system", "accelerometer_rotation"),
    ];
    phone.with_phone(|phone| {
        phone.set_setting("global", "animator_duration_scale", Some("1.5"));
        phone.set_setting("system", "accelerometer_rotation", Some("1"));
        phone.set_setting("system", "user_rotation", None);
    });
    let values =
        || keys.map(|(space, key)| phone.with_phone(|phone| phone.setting(space, key).map(str::to_owned)));
    let before = values();
    // A session that dies, followed by one that ends well.
    device(&lab).prepare(&patience()).await.expect("prepared");
    assert_eq!(values().first(), Some(&Some("0".into())));
    let next = device(&lab);
    next.prepare(&patience()).await.expect("prepared");
    next.restore(&patience()).await.expect("restored");
    assert_eq!(values(), before);
    // Restoring again changes nothing.
    phone.with_phone(|phone| phone.set_setting("global", "animator_duration_scale", Some("2.0")));
    next.restore(&patience()).await.expect("nothing to do");
    assert_eq!(values().first(), Some(&Some("2.0".into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_go_there_and_back() {
    let lab = lab(1, false).await;
    let device = device(&lab);
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
    let path = "/data/local/tmp/some file";
    assert_eq!(device.stat(path, &patience()).await.expect("an answer"), None);
    device.push(path, 0o644, 1_700_000_000, &bytes, &patience()).await.expect("pushed");
    let stat = device.stat(path, &patience()).await.expect("an answer").expect("a file");
    assert_eq!((stat.size as usize, stat.mode & 0o777), (bytes.len(), 0o644));
    assert_eq!(device.pull(path, 1 << 20, &patience()).await.expect("pulled"), bytes);
    assert!(matches!(kind(device.pull(path, 1_000, &patience()).await), DeviceErrorKind::Answer(_)));
    assert!(matches!(kind(device.pull("/none", 1_000, &patience()).await), DeviceErrorKind::Answer(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_are_followed() {
    let lab = lab(2, false).await;
    let mut tracker = Server::at(lab.server_addr()).track(&patience()).await.expect("a list");
    let mut next = async || {
        let list = tracker.next(&patience()).await.expect("a list");
        list.into_iter().filter(|d| d.is_ready()).map(|d| d.serial).collect::<Vec<_>>()
    };
    assert_eq!(next().await, ["sim-1", "sim-2"]);
    let phone = lab.device("sim-1").expect("a device");
    phone.unplug();
    assert_eq!(next().await, ["sim-2"]);
    phone.replug();
    assert_eq!(next().await, ["sim-1", "sim-2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_lists_devices() {
    let lab = lab(2, false).await;
    lab.device("sim-2").expect("a device").set_state(LinkState::Unauthorized);
    let run = |port: u16, arguments: &'static [&'static str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.arg("devices").args(arguments).env("ANDROID_ADB_SERVER_PORT", port.to_string());
        command.env_remove("ADB_SERVER_SOCKET").env_remove("ANDROID_ADB_SERVER_ADDRESS");
        tokio::task::spawn_blocking(move || command.output().expect("it runs"))
    };
    let output = run(lab.server_addr().port(), &["--json"]).await.expect("no panic");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON Lines"))
        .collect();
    let field = |line: usize, name: &str| lines.get(line).and_then(|line| line.get(name)).cloned();
    assert_eq!(lines.len(), 2);
    assert_eq!(field(0, "state"), Some("device".into()));
    assert!(field(0, "api").and_then(|api| api.as_u64()).is_some_and(|api| api > 20));
    assert_eq!(field(1, "state"), Some("unauthorized".into()));

    let output = run(free_address().port(), &[]).await.expect("no panic");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("no ADB server answers at 127.0.0.1:") && said.contains("adb start-server"),
        "{said}"
    );
}

#[tokio::test]
async fn toasts_are_told_without_an_agent_and_each_of_them_once() {
    // Before Android 11 the system does not say what they say.
    for (sdk, said) in [(33, ["Held 1", "Held 2"]), (29, ["…", "…"])] {
        let options = SimOptions { apps: vec![app()], strict: true, sdk, ..SimOptions::default() };
        let lab = SimLab::start(options).await.expect("a simulated lab");
        let device = device(&lab);
        device.prepare(&patience()).await.expect("prepared");
        let main = fresh(&device).await;
        for said in said {
            let held = tap(&device, &main, "held").await;
            assert_eq!((held.toast.as_deref(), held.hears_toasts), (Some(said), true), "API level {sdk}");
            // It still shows.
            let again = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
            assert_eq!((again.toast, again.hears_toasts), (None, true), "API level {sdk}");
        }
    }
}

/// A genuine ADB server of our own, on a port of its own.
pub struct GenuineAdb {
    pub address: SocketAddr,
    server: Child,
    _home: tempfile::TempDir,
}

impl GenuineAdb {
    /// `None` (with a message on the test's output) if there is no `adb`.
    pub fn start() -> Option<Self> {
        let home = tempfile::tempdir().expect("a folder");
        let address = free_address();
        let started = Command::new("adb")
            .args(["-P", &address.port().to_string(), "server", "nodaemon"])
            .env("HOME", home.path())
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_ADB_SERVER_PORT")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(server) => Some(Self { address, server, _home: home }),
            Err(error) => {
                println!("skipped: no genuine adb ({error})");
                None
            }
        }
    }

    pub async fn wait_for(&self, server: &Server) {
        for _ in 0..200 {
            if server.version(&patience()).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the ADB server at {} does not answer", self.address);
    }
}

impl Drop for GenuineAdb {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
