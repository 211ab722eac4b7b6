//! Apps that mean harm, in the framework lab: each deed comes to nothing, in words, and the lab goes on.
//!
//! Runs if the host has been built (`mvn -f framework/pom.xml package`) and its tools are installed, and reports
//! otherwise that it was skipped. What cannot even be translated is tried by the host's own tests (`TranslateIT`).

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::gui::{Point, read_dump};
use droidmux::sim::{Confinement, LinkState, SimDevice, SimLab, SimOptions};

use crate::framework::{built, host};

const PACKAGE: &str = "org.droidmux.hostile";
const ACTIVITY: &str = "org.droidmux.hostile/.HostileActivity";
const SECRET: &str = "the user's secret";

/// What an app tries, and what it is told.
const DEEDS: [(&str, &str); 12] = [
    ("read", "AccessDeniedException"),
    ("list", "no list"),
    ("link", "AccessDeniedException"),
    ("write", "(Permission denied)"),
    ("remove", "AccessDeniedException"),
    ("exec", "Permission denied"),
    ("fork", "Operation not permitted"),
    ("library", "UnsatisfiedLinkError"),
    ("environment", "environment: "),
    ("home", "own home"),
    ("own files", "gone"),
    ("list", "no list"),
];

/// The same of the network: where an app has one of its own it reaches itself, else nobody.
const CALLS: [(&str, &str, &str); 3] = [
    ("socket", "Connection refused", "Permission denied"),
    ("listen", "listening", "Permission denied"),
    ("datagram", "open", "Permission denied"),
];

/// What ends the app, and the most seconds until it can be started again.
const ENDS: [(&str, u64); 3] = [("exit", 10), ("memory", 60), ("hang", 90)];

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hostile_app_does_stays_in_its_folder() {
    let Some(host) = host() else { return };
    let confinement = Confinement::by(env!("CARGO_BIN_EXE_droidmux").into(), false);
    let means = confinement.means().clone();
    if !(means.files && means.network && means.processes) {
        println!("skipped: {}", confinement.gaps().unwrap_or_default());
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    // In the person's own home, as their secrets are.
    let home = std::env::home_dir().filter(|home| home.is_dir()).expect("a home");
    let around = tempfile::Builder::new().prefix(".droidmux-canary-").tempdir_in(home).expect("a folder");
    let canary = around.path().join("secret");
    fs::write(&canary, SECRET).expect("written");
    let door = TcpListener::bind("127.0.0.1:0").expect("a door");
    door.set_nonblocking(true).expect("a door that does not wait");
    let port = door.local_addr().expect("its address").port();
    let sources = sources(
        &host,
        folder.path(),
        &format!("{}\n{}\n{port}\n", canary.display(), around.path().display()),
    );
    let Some(framework) = built(&host, &sources, &folder.path().join("app")) else { return };
    let options = SimOptions { framework: Some(framework), apps: Vec::new(), ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = Arc::clone(lab.device("sim-1").expect("a device"));
    start(&device);
    let calls = CALLS.map(|(deed, own, none)| (deed, if means.loopback { own } else { none }));
    for (deed, expected) in DEEDS.into_iter().chain(calls) {
        tap(&device, deed);
        let told = told(&device);
        assert!(told.starts_with(deed) && told.contains(expected), "{deed}: {told}");
        if deed == "environment" {
            assert!(!told.contains("CARGO") && !told.contains("USER"), "{told}");
        }
    }
    device.with_phone(|phone| phone.clear(PACKAGE));
    for (deed, seconds) in ENDS {
        let began = Instant::now();
        start(&device);
        tap(&device, deed);
        device.with_phone(|phone| phone.clear(PACKAGE));
        start(&device);
        assert!(began.elapsed() < Duration::from_secs(seconds), "{deed}: {:?}", began.elapsed());
    }
    // Past what ends a process of the app: the host itself goes, and another one comes.
    for deed in ["halt", "hold"] {
        let mut changes = device.changes();
        let before = *changes.borrow();
        tap(&device, deed);
        let back = changes.wait_for(|version| *version >= before + 2 && device.state() == LinkState::Device);
        tokio::time::timeout(Duration::from_secs(180), back).await.expect("in time").expect("the lab lives");
        start(&device);
    }
    assert_eq!(fs::read_to_string(&canary).expect("still there"), SECRET);
    assert_eq!(fs::read_dir(around.path()).expect("a folder").count(), 1, "nothing was written");
    assert!(door.accept().is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "nobody came");
}

/// The app's sources, with what it is to try.
fn sources(host: &Path, folder: &Path, targets: &str) -> PathBuf {
    let copy = folder.join("sources");
    let copied = Command::new("cp").arg("-r").arg(host.join("src/test/hostile")).arg(&copy).status();
    assert!(copied.expect("cp runs").success());
    fs::create_dir(copy.join("assets")).expect("a folder");
    fs::write(copy.join("assets/targets.txt"), targets).expect("a file");
    copy
}

fn start(device: &SimDevice) {
    device.with_phone(|phone| phone.launch(ACTIVITY).expect("it is there"));
    assert_eq!(told(device), "fresh");
}

fn tap(device: &SimDevice, deed: &str) {
    let at = with_widgets(device, |text, at| (text == deed).then_some(at));
    device.with_phone(|phone| phone.tap(at.unwrap_or_else(|| panic!("no {deed}"))));
}

/// What the app says of its last deed: the first text that is no button.
fn told(device: &SimDevice) -> String {
    let said = |text: &str, _| (text == "fresh" || text.contains(": ")).then(|| text.to_owned());
    with_widgets(device, said).unwrap_or_default()
}

fn with_widgets<T>(device: &SimDevice, mut find: impl FnMut(&str, Point) -> Option<T>) -> Option<T> {
    let dump = device.with_phone(|phone| phone.dump()).expect("a dump");
    let layout = read_dump(dump.as_bytes()).expect("a layout").layout;
    layout.widgets().find_map(|widget| find(widget.text(), widget.bounds().center()))
}
