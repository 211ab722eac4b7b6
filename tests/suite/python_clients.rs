//! The genuine Python clients `uiautomator2` and `adbutils` against the simulated lab.
//!
//! Run where a Python with both packages is found (`DROIDMUX_PYTHON`, else `python3`), and said to be
//! skipped otherwise. The script is `tests/python/clients.py`; its packages bring the real `u2.jar`.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use droidmux::device::adb::Server;
use droidmux::sim::{SimLab, SimOptions};

use crate::device::{GenuineAdb, patience};
use crate::trial_app::app;

/// A Python that has both packages.
fn python() -> Option<String> {
    let python = std::env::var("DROIDMUX_PYTHON").unwrap_or_else(|_| "python3".into());
    let tried = Command::new(&python).args(["-c", "import adbutils, uiautomator2"]).output();
    match tried {
        Ok(output) if output.status.success() => Some(python),
        Ok(_) => {
            println!(
                "skipped: {python} has no adbutils and uiautomator2; \
                 `pip install uiautomator2` into a virtual environment and set DROIDMUX_PYTHON to its python"
            );
            None
        }
        Err(error) => {
            println!("skipped: no {python} ({error}); set DROIDMUX_PYTHON");
            None
        }
    }
}

async fn lab() -> SimLab {
    let options = SimOptions { adbd: true, apps: vec![app()], ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

/// Runs the script; the lab serves it meanwhile.
async fn run(python: String, server: SocketAddr, serial: String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/clients.py");
    let home = tempfile::tempdir().expect("a folder");
    let output = tokio::task::spawn_blocking(move || {
        Command::new(python)
            .arg(script)
            .args([server.port().to_string(), serial])
            .env("HOME", home.path())
            // Some calls go to the server of the environment.
            .env("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
            .env("ANDROID_ADB_SERVER_PORT", server.port().to_string())
            .env_remove("ADB_SERVER_SOCKET")
            .env_remove("ANDROID_SERIAL")
            .stdin(Stdio::null())
            .output()
            .expect("Python runs")
    });
    let output = output.await.expect("it ends");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{said}{errors}");
    assert!(output.status.success(), "{said}{errors}");
}

#[tokio::test(flavor = "multi_thread")]
async fn through_the_server_door() {
    let Some(python) = python() else { return };
    let lab = lab().await;
    run(python, lab.server_addr(), "sim-1".into()).await;
    assert_eq!(lab.unknown_commands(), [] as [&str; 0], "what the clients ask is known");
}

#[tokio::test(flavor = "multi_thread")]
async fn through_a_genuine_adb_server() {
    let Some(python) = python() else { return };
    let lab = lab().await;
    let Some(adb) = GenuineAdb::start() else { return };
    let server = Server::at(adb.address);
    adb.wait_for(&server).await;
    let serial = lab.adbd_addrs().first().expect("a door").to_string();
    server.connect(&serial, &patience()).await.expect("connected");
    run(python, adb.address, serial).await;
}
