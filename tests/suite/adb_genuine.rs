//! The genuine adb against both doors of the simulated lab.
//!
//! Runs when `adb` is installed, and reports otherwise that it was skipped. The genuine server runs on a port of its
//! own, so that a user's server is left alone.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use droidmux::sim::{Fault, SimLab, SimOptions, apps};

use droidmux_testutils::apk_writer;

use crate::ports::free_port;

/// A genuine client, and where its server is.
pub struct Adb {
    port: u16,
    pub serial: Option<String>,
    /// Whether the server was started here and must be ended.
    own: bool,
    home: tempfile::TempDir,
}

impl Adb {
    pub fn new(port: u16, own: bool) -> Adb {
        Adb { port, serial: None, own, home: tempfile::tempdir().expect("a temporary folder") }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("adb");
        // Its keys and its log go where nobody else will look.
        command.env("HOME", self.home.path()).env("TMPDIR", self.home.path());
        command
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_SERIAL")
            .env_remove("ANDROID_ADB_SERVER_PORT");
        command.arg("-P").arg(self.port.to_string());
        if let Some(serial) = &self.serial {
            command.args(["-s", serial]);
        }
        command.args(args);
        command
    }

    pub fn output(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("adb runs")
    }

    /// Standard output of a command that must succeed.
    pub fn ok(&self, args: &[&str]) -> Vec<u8> {
        let output = self.output(args);
        assert!(output.status.success(), "adb {args:?}: {output:?}");
        output.stdout
    }

    /// Starts its server. A previous one that is still shutting down may answer first, and hang up.
    pub fn start_server(&self) {
        let begun = std::time::Instant::now();
        loop {
            let output = self.output(&["start-server"]);
            if output.status.success() {
                return;
            }
            assert!(begun.elapsed() < std::time::Duration::from_secs(30), "adb start-server: {output:?}");
        }
    }

    /// Connects to an adbd door. A client that could not says so, and ends as if it could.
    pub fn connect(&self, address: &str) {
        assert_eq!(self.text(&["connect", address]), format!("connected to {address}\n"));
    }

    pub fn text(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.ok(args)).replace('\r', "")
    }

    /// Runs a command with this input on its standard input.
    fn fed(&self, args: &[&str], input: &str) -> String {
        use std::io::Write;
        let mut child =
            self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("adb runs");
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).expect("adb reads");
        }
        let output = child.wait_with_output().expect("adb ends");
        String::from_utf8_lossy(&output.stdout).replace('\r', "")
    }
}

impl Drop for Adb {
    fn drop(&mut self) {
        if self.own {
            let _ = self.command(&["kill-server"]).output();
        }
    }
}

pub fn is_installed() -> bool {
    let found = Command::new("adb").arg("version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no adb is installed");
    }
    found
}

async fn lab(adbd: bool) -> SimLab {
    SimLab::start(SimOptions { devices: 2, adbd, strict: true, ..SimOptions::with_apps(apps::all()) })
        .await
        .expect("a lab")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_the_server_door() {
    if !is_installed() {
        return;
    }
    let lab = lab(false).await;
    let mut adb = Adb::new(lab.server_addr().port(), false);
    let package = lab.devices()[0].with_phone(|phone| phone.packages());
    let package = package.into_iter().find(|package| !package.system).expect("an app").name;
    tokio::task::spawn_blocking(move || {
        assert!(adb.text(&["devices"]).contains("sim-2\tdevice\n"));
        assert!(adb.text(&["devices", "-l"]).contains("transport_id:2\n"));
        let refused = adb.output(&["shell", "true"]);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("more than one device/emulator"));
        adb.serial = Some("sim-1".into());
        use_device(&adb, &package);
        // It was answered, and the server is still alive.
        adb.output(&["kill-server"]);
        assert_eq!(adb.text(&["get-state"]), "device\n");
    })
    .await
    .expect("the client's checks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_a_genuine_server_and_the_adbd_door() {
    if !is_installed() {
        return;
    }
    let lab = lab(true).await;
    let mut adb = Adb::new(free_port(), true);
    let addresses: Vec<String> = lab.adbd_addrs().iter().map(ToString::to_string).collect();
    let package = lab.devices()[0].with_phone(|phone| phone.packages());
    let package = package.into_iter().find(|package| !package.system).expect("an app").name;
    tokio::task::spawn_blocking(move || {
        for address in &addresses {
            adb.connect(address);
        }
        let listed = adb.text(&["devices", "-l"]);
        for address in &addresses {
            assert!(
                listed
                    .lines()
                    .any(|line| line.starts_with(address.as_str()) && line.contains(" device product:")),
                "{listed}"
            );
        }
        adb.serial = addresses.first().cloned();
        use_device(&adb, &package);
        assert_eq!(adb.text(&["reverse", "tcp:7000", "tcp:7001"]), "");
        assert!(adb.text(&["reverse", "--list"]).contains("tcp:7000 tcp:7001"));
        assert_eq!(adb.text(&["disconnect", &addresses[1]]), format!("disconnected {}\n", addresses[1]));
    })
    .await
    .expect("the client's checks");
}

/// What a person and other tools do with a device, the same through both doors.
fn use_device(adb: &Adb, package: &str) {
    shell(adb);
    screen(adb);
    files(adb);
    apps(adb, package);
    surroundings(adb, package);
    let port = adb.text(&["forward", "tcp:0", "tcp:9008"]);
    assert!(port.trim().parse::<u16>().is_ok_and(|port| port > 0), "{port:?}");
    assert!(adb.text(&["forward", "--list"]).contains("tcp:9008"));
    adb.ok(&["forward", "--remove-all"]);
}

fn shell(adb: &Adb) {
    assert_eq!(adb.text(&["shell", "echo", "hi"]), "hi\n");
    for (script, code) in [("exit 42", 42), ("true", 0), ("false", 1), ("cat /none", 1)] {
        assert_eq!(adb.output(&["shell", script]).status.code(), Some(code), "{script}");
    }
    let failed = adb.output(&["shell", "cat /none"]);
    assert_eq!(String::from_utf8_lossy(&failed.stderr), "cat: /none: No such file or directory\n");
    assert_eq!(adb.fed(&["shell"], "echo one\nexit\n"), "one\n");
    assert_eq!(adb.fed(&["shell", "cat"], "abc\ndef"), "abc\ndef");
    assert!(adb.fed(&["shell", "-tt"], "echo $USER\nexit 0\n").contains("$ "), "a prompt at a terminal");
    assert_eq!(adb.text(&["exec-out", "echo raw"]), "raw\n");
    assert_eq!(adb.text(&["get-state"]), "device\n");
}

fn screen(adb: &Adb) {
    let said = adb.text(&["shell", "uiautomator", "dump"]);
    assert_eq!(said, "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    let xml = adb.text(&["exec-out", "cat", "/sdcard/window_dump.xml"]);
    assert!(xml.starts_with("<?xml") && xml.trim_end().ends_with("</hierarchy>"), "{xml}");
    let png = adb.ok(&["exec-out", "screencap", "-p"]);
    let image = image::load_from_memory(&png).expect("a PNG");
    assert_eq!((image.width(), image.height()), (1080, 1920));
    let raw = adb.ok(&["exec-out", "screencap"]);
    assert_eq!(raw.len(), 16 + 1080 * 1920 * 4);
}

fn surroundings(adb: &Adb, package: &str) {
    let shell = |line: &str| adb.text(&["shell", line]);
    assert_eq!(shell("cmd uimode night yes"), "Night mode: yes\n");
    assert_eq!(shell("cmd uimode night no"), "Night mode: no\n");
    assert_eq!(shell(&format!("cmd locale set-app-locales {package} --locales de-DE")), "");
    let told = shell(&format!("cmd locale get-app-locales {package}"));
    assert_eq!(told, format!("Locales for {package} for user 0 are [de-DE]\n"));
    assert_eq!(shell(&format!("cmd locale set-app-locales {package}")), "");
    assert_eq!(shell("svc wifi disable; svc data disable; settings get global wifi_on"), "0\n");
    assert_eq!(shell("svc wifi enable; svc data enable; settings get global wifi_on"), "1\n");
    shell("input keyevent KEYCODE_SLEEP");
    assert!(shell("dumpsys power").contains("mWakefulness=Asleep"));
    shell("input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard");
    assert!(shell("dumpsys window policy").contains("mIsShowing=false"));
}

fn files(adb: &Adb) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let bytes: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    std::fs::write(folder.path().join("r.bin"), &bytes).expect("a file");
    adb.ok(&["push", &path("r.bin"), "/sdcard/r.bin"]);
    adb.ok(&["push", &path("r.bin"), "/sdcard/"]);
    adb.ok(&["pull", "/sdcard/r.bin", &path("back.bin")]);
    assert_eq!(read(folder.path(), "back.bin"), bytes);
    adb.ok(&["pull", "/sdcard/Download", &path("folder")]);
    assert!(!adb.output(&["pull", "/sdcard/none", &path("x")]).status.success());
    assert!(!adb.output(&["push", &path("r.bin"), "/system/r.bin"]).status.success());
    assert!(adb.text(&["shell", "ls", "-l", "/sdcard/r.bin"]).contains(" 300000 "));
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).expect("the pulled file")
}

fn apps(adb: &Adb, package: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let apk = folder.path().join("a.apk");
    let made = apk_writer::manifest("org.example.added", 1, apk_writer::element("application"));
    std::fs::write(&apk, apk_writer::apk(&made, None)).expect("a file");
    assert!(adb.text(&["install", "-r", &apk.to_string_lossy()]).contains("Success\n"));
    assert!(adb.text(&["shell", "pm", "list", "packages"]).contains(&format!("package:{package}\n")));
    let brief = adb.text(&["shell", "cmd", "package", "resolve-activity", "--brief", package]);
    let component = brief.lines().last().expect("a component").to_owned();
    let started = adb.text(&["shell", "am", "start", "-W", "-n", &component]);
    assert!(started.starts_with("Starting: Intent { cmp=") && started.ends_with("\nComplete\n"), "{started}");
    let focus = adb.text(&["shell", "dumpsys window displays | grep -E 'mCurrentFocus|mFocusedApp'"]);
    assert!(focus.contains(&format!("u0 {package}/")), "{focus}");
    assert_eq!(adb.text(&["shell", "pm", "clear", package]), "Success\n");
    adb.ok(&["logcat", "-d", "-b", "crash", "-v", "threadtime"]);
    assert!(!adb.text(&["shell", "getprop", "ro.build.version.sdk"]).trim().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_at_the_adbd_door() {
    if !is_installed() {
        return;
    }
    let lab = lab(true).await;
    let mut adb = Adb::new(free_port(), true);
    let addresses: Vec<String> = lab.adbd_addrs().iter().map(ToString::to_string).collect();
    let devices = lab.devices().to_vec();
    let run = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        let _inside = run.enter();
        for address in &addresses {
            adb.connect(address);
        }
        adb.serial = addresses.first().cloned();
        let (ok, device) = ("ok\n".to_owned(), &devices[0]);
        for (fault, script, expected) in [
            (Fault::DumpNoIdle, "uiautomator dump 2>&1", "ERROR: could not get idle state.\n"),
            (Fault::DumpKilled, "uiautomator dump 2>&1; echo $?", "Killed\n137\n"),
            (Fault::Slow(Duration::from_millis(50)), "echo ok", "ok\n"),
            // Cut inside the first packet of the shell protocol: nothing whole arrives.
            (Fault::Drop(3), "echo lost", ""),
        ] {
            device.inject(fault.clone(), Some(1));
            let output = adb.output(&["shell", script]);
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{fault:?}: {output:?}");
        }
        assert_eq!(adb.text(&["shell", "echo ok"]), ok);
        let away = Fault::Reboot { away: Duration::from_millis(300), boot: Duration::ZERO };
        for fault in [Fault::KillAdbd, away] {
            device.inject(fault.clone(), None);
            let cut = adb.output(&["shell", "sleep 20; echo never"]);
            assert!(cut.stdout.is_empty(), "{fault:?}: {cut:?}");
            // A genuine server reconnects by itself, or manually after it gave up.
            for _ in 0..50 {
                if adb.output(&["shell", "true"]).status.success() {
                    break;
                }
                adb.output(&["connect", &addresses[0]]);
                std::thread::sleep(Duration::from_millis(100));
            }
            assert_eq!(adb.text(&["shell", "echo ok"]), ok, "{fault:?}");
        }
    })
    .await
    .expect("the client's checks");
}
