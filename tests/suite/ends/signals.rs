//! SIGINT, SIGTERM and SIGHUP to the real program: its devices are put back.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use droidmux::device::Patience;
use droidmux::device::adb::{AdbDevice, Server};
use droidmux::sim::{SimLab, SimOptions, apps};
use rustix::process::{Pid, Signal, kill_process};

/// Ends with the test, whichever way that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a session changes on a device: settings, and droidmux's own notes.
const SHOW: &str = "settings get global animator_duration_scale; settings get system accelerometer_rotation; \
                    ls /data/local/tmp | grep -E 'lease|settings'";

async fn shown(device: &AdbDevice) -> String {
    let output = device.shell(SHOW, &Patience::of(Duration::from_secs(20))).await.unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn program(home: &Path, sim: &SimLab, view: &str) -> Running {
    let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/notes-monkey.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["run", &session.display().to_string(), view, "--lab", "adb", "--seed", "1"]);
    command.args(["--max-events", "1000000"]);
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    command.env("ANDROID_ADB_SERVER_PORT", sim.server_addr().port().to_string());
    command.env_remove("ANDROID_ADB_SERVER_ADDRESS").env_remove("ADB_SERVER_SOCKET");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Running(command.spawn().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_gets_a_signal_puts_its_devices_back() {
    for (signal, view) in [
        (Signal::TERM, "--headless"),
        (Signal::HUP, "--headless"),
        (Signal::INT, "--headless"),
        (Signal::TERM, "--json"),
        (Signal::HUP, "--json"),
    ] {
        let case = format!("{signal:?} {view}");
        let home = tempfile::tempdir().unwrap();
        let sim =
            SimLab::start(SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) }).await.unwrap();
        let device = AdbDevice::new(Server::at(sim.server_addr()), "sim-1");
        let before = shown(&device).await;
        let mut running = program(home.path(), &sim, view);
        if view == "--json" {
            // The first job is absorbed: there is no need to look at the phone to know that it works.
            let mut out = BufReader::new(running.0.stdout.take().unwrap());
            let (told, listener) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || {
                let mut line = String::new();
                while out.read_line(&mut line).is_ok_and(|read| read > 0) && !line.contains("\"step\"") {
                    line.clear();
                }
                let _ = told.send(());
                let _ = std::io::copy(&mut out, &mut std::io::sink());
            });
            listener.await.unwrap();
        }
        let mut during = shown(&device).await;
        let prepared = |shown: &str| {
            let files = ["droidmux-settings", "droidmux.lease"].iter().all(|name| shown.contains(name));
            files && (shown.starts_with("0\n") || shown.starts_with("0.0\n"))
        };
        while !prepared(&during) {
            assert_eq!(running.0.try_wait().unwrap(), None, "{case}: {during}");
            tokio::time::sleep(Duration::from_millis(20)).await;
            during = shown(&device).await;
        }
        kill_process(Pid::from_child(&running.0), signal).unwrap();
        let (status, said) = tokio::task::spawn_blocking(move || {
            let mut said = String::new();
            running.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            (running.0.wait().unwrap(), said)
        })
        .await
        .unwrap();
        assert_eq!(status.code(), Some(130), "{case}: {said}");
        assert!(said.contains("stopping; devices are put back"), "{case}: {said}");
        assert!(said.contains("`droidmux run --resume s1` goes on with it"), "{case}: {said}");
        assert_eq!(shown(&device).await, before, "{case}");
    }
}
