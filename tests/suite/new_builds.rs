//! `droidmux replay --all`: findings on builds that are installed first, through the program.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, Patience};
use droidmux::record::{LabChoice, LabKind};
use droidmux::sim::{DefectSwitches, SimBuild, SimLab, SimOptions, apps};
use serde_json::Value;

use crate::program::{droidmux, keep_to_schema};
use crate::shrink::{padded, padded_on};
use droidmux_testutils::apk_writer::{apk, element, manifest, unsigned};

const DIARY: &str = "org.droidmux.diary";

/// Phones whose diary can be replaced by correct builds (even version codes) and faulty ones (odd ones).
async fn phones(devices: u16) -> SimLab {
    let build = |version_code: u32| SimBuild {
        package: DIARY.into(),
        version_code,
        defects: if version_code.is_multiple_of(2) { DefectSwitches::none() } else { DefectSwitches::all() },
    };
    let builds = (200..=205).map(build).collect();
    let options =
        SimOptions { devices, steady: true, builds, strict: true, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.expect("a lab")
}

/// Writes packages into a folder.
struct Packages<'a>(&'a Path);

impl Packages<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("written");
        path.display().to_string()
    }

    fn whole(&self, package: &str, version: u32) -> String {
        let bytes = apk(&manifest(package, version, element("application")), None);
        self.write(&format!("{package}-{version}.apk"), &bytes)
    }

    fn part(&self, version: u32) -> String {
        let part = manifest(DIARY, version, element("application")).text("split", "config.de");
        self.write(&format!("part-{version}.apk"), &apk(&part, None))
    }
}

/// Replays all on the phones behind this door: returns the exit code, standard output and standard error.
fn replay(folder: &Path, door: SocketAddr, arguments: &[&str]) -> (i32, String, String) {
    replayed(folder, door, &[&["--all"], arguments].concat())
}

fn replayed(folder: &Path, door: SocketAddr, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["replay", "--lab", "adb", "--times", "2"]).args(arguments);
    command.arg("--store").arg(folder.join("store"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    command.env_remove("ADB_SERVER_SOCKET").env_remove("ANDROID_ADB_SERVER_ADDRESS");
    let output = command.env("ANDROID_ADB_SERVER_PORT", door.port().to_string()).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn told(folder: &Path, door: SocketAddr, arguments: &[&str]) -> (i32, Value) {
    let (code, said, beside) = replay(folder, door, &[arguments, &["--json"]].concat());
    let value: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}{beside}"));
    keep_to_schema("commands.schema.json#/$defs/replay-all", std::slice::from_ref(&value));
    (code, value)
}

fn client(lab: &SimLab, serial: &str) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), serial)
}

async fn version(lab: &SimLab, serial: &str) -> u64 {
    let build = client(lab, serial).app(DIARY, &Patience::default()).await;
    build.expect("installed").version_code
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_finding_is_fixed_still_there_or_undecided_on_the_build_that_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;
    let lab = phones(2).await;
    let door = lab.server_addr();
    let packages = Packages(folder);

    let (code, said, _) = replay(folder, door, &[]);
    assert_eq!(code, 4, "nothing is reported, so nothing was looked for: {said}");
    assert!(said.contains("nothing to replay"), "{said}");
    droidmux(folder, &["findings", &finding, "--mark", "true"]);

    let (code, value) = told(folder, door, &[]);
    let standing = |value: &Value| value["findings"][0]["standing"].as_str().unwrap_or_default().to_owned();
    assert_eq!((code, standing(&value).as_str()), (1, "still there"), "{value}");
    assert_eq!(value["findings"][0]["finding"], finding.as_str());

    let (code, value) = told(folder, door, &["--apk", &packages.whole(DIARY, 200)]);
    assert_eq!((code, standing(&value).as_str()), (0, "fixed"), "{value}");
    assert_eq!(value["findings"][0]["replays"]["absent"], 2);
    assert_eq!(value["device"]["installed_on"], Value::from(vec!["sim-1", "sim-2"]));
    assert_eq!((version(&lab, "sim-1").await, version(&lab, "sim-2").await), (200, 200));

    let (code, said, _) = replay(folder, door, &["--apk", &packages.whole(DIARY, 201), "--app", DIARY]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("still there") && said.contains("0 fixed, 1 still there, 0 undecided on"),
        "{said}"
    );

    // Both parts are installed, or neither is.
    let (base, part) = (packages.whole(DIARY, 202), packages.part(202));
    let (code, value) = told(folder, door, &["--apk", &part, "--apk", &base]);
    assert_eq!((code, standing(&value).as_str()), (0, "fixed"), "{value}");
    let (code, _, why) = replay(folder, door, &["--apk", &packages.part(204)]);
    assert!(code == 2 && why.contains("only parts"), "{why}");

    for serial in ["sim-1", "sim-2"] {
        let gone = client(&lab, serial).shell(&format!("pm uninstall {DIARY}"), &Patience::default()).await;
        assert_eq!(gone.expect("uninstalled").text(), "Success\n");
    }
    let (code, value) = told(folder, door, &["--app", DIARY]);
    assert_eq!((code, standing(&value).as_str()), (4, "undecided"), "{value}");
    assert!(value["findings"][0]["why"].as_str().unwrap().contains("is not installed"), "{value}");
    // It was removed, and its next build is still a build of it.
    let (code, value) = told(folder, door, &["--apk", &packages.whole(DIARY, 203)]);
    assert_eq!((code, standing(&value).as_str()), (1, "still there"), "{value}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finding_of_the_framework_lab_is_replayed_on_a_phone_with_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let packages = Packages(folder);
    let faulty = packages.whole(DIARY, 201);
    let of_apk = LabChoice { kind: LabKind::Apk, apk: vec![faulty.into()], ..LabChoice::default() };
    let (_, finding) = padded_on(folder, of_apk).await;
    let lab = phones(1).await;
    let (code, said, beside) = replayed(folder, lab.server_addr(), &[&finding]);
    assert_eq!(code, 1, "{said}{beside}");
    assert!(beside.contains("org.droidmux.diary 201.0 (201) is installed on sim-1"), "{beside}");
    assert_eq!(version(&lab, "sim-1").await, 201);
    drop(lab);
    let nobody = SimLab::start(SimOptions::default()).await.expect("a lab");
    nobody.device("sim-1").expect("a device").unplug();
    let (code, said, beside) = replayed(folder, nobody.server_addr(), &[&finding]);
    assert_eq!((code, beside.lines().count()), (3, 1), "{said}{beside}");
    assert!(beside.contains("the ADB server knows no device; connect one"), "{beside}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_that_cannot_be_installed_says_why_and_is_never_green() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;
    droidmux(folder, &["findings", &finding, "--mark", "true"]);
    let lab = phones(1).await;
    let door = lab.server_addr();
    let packages = Packages(folder);
    let unsigned = packages.write("bare.apk", &unsigned(&manifest(DIARY, 200, element("application")), None));
    let broken = packages.write("broken.apk", b"PK\x03\x04xxxx");
    let before = version(&lab, "sim-1").await;
    for (arguments, code, words) in [
        (vec!["--apk", &unsigned], 2, vec!["bare.apk is not signed", "apksigner"]),
        (vec!["--apk", &broken], 2, vec!["broken.apk is no APK"]),
        (vec!["--apk", "/none.apk"], 2, vec!["/none.apk"]),
        (
            vec!["--apk", &packages.whole(DIARY, 200), "--app", "org.other"],
            2,
            vec!["the APK is of org.droidmux.diary, and --app says org.other"],
        ),
        (
            vec!["--apk", &packages.whole(DIARY, 7)],
            3,
            vec!["sim-1", "INSTALL_FAILED_UPDATE_INCOMPATIBLE", "adb -s sim-1 uninstall org.droidmux.diary"],
        ),
    ] {
        let (ended, said, why) = replay(folder, door, &arguments);
        assert_eq!(ended, code, "{arguments:?}: {said}{why}");
        words.iter().for_each(|words| assert!(why.contains(words), "{words}: {why}"));
        assert_eq!(version(&lab, "sim-1").await, before);
    }
    // Nothing is known about another app, so nothing is decided.
    let (code, said, _) = replay(folder, door, &["--apk", &packages.whole("org.other", 1)]);
    assert!(code == 4 && said.contains("nothing to replay"), "{code}: {said}");

    let (code, value) = told(folder, door, &["--apk", &packages.whole(DIARY, 204)]);
    assert_eq!(code, 0, "{value}");
    let (code, _, why) = replay(folder, door, &["--apk", &packages.whole(DIARY, 202)]);
    assert!(code == 3 && why.contains("VERSION_DOWNGRADE") && why.contains("it has a newer build"), "{why}");
}
