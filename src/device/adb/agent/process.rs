//! The agent's process on the device: pushed, started, stopped.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::http::Line;
use super::jar::AgentJar;
use super::{Breakdown, Fault, PORT};
use crate::DeviceErrorKind;
use crate::adb::device::AdbDevice;
use crate::adb::shell::{EXIT, next_packet};

/// The Python client keeps it there, too.
const ON_DEVICE: &str = "/data/local/tmp/u2.jar";
const MODE: u32 = 0o644;
/// From the start until it answers: a virtual machine has to start, on a slow phone.
const START_WITHIN: Duration = Duration::from_secs(12);
const STOP_WITHIN: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How much of its output is kept, to explain why it ended.
const MAX_SAID: usize = 4 << 10;
const MAX_PACKET: usize = 1 << 20;

/// A running agent of ours. It ends when this is dropped: the device's shell then hangs up on it.
#[derive(Debug)]
pub(super) struct Process {
    said: Arc<Mutex<Vec<u8>>>,
    ended: CancellationToken,
    _shell: DropGuard,
}

/// The line of its output that says why it ended.
#[derive(Debug)]
pub(super) struct LastWords(String);

impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)?;
        if self.0.contains("already registered") {
            f.write_str("; another program holds the device's UiAutomation connection: end it")?;
        }
        Ok(())
    }
}

impl Process {
    /// Starts the agent and waits until it answers.
    pub(super) async fn start(device: &AdbDevice, jar: &AgentJar, line: &mut Line) -> Result<Self, Fault> {
        if !device.has_shell_v2().await.map_err(Fault::Device)? {
            return Err(Breakdown::OldShell.into());
        }
        push(device, jar).await?;
        let process = Self::spawn(device).await.map_err(Fault::Device)?;
        let deadline = Instant::now() + START_WITHIN;
        loop {
            if process.ended.is_cancelled() {
                return Err(Breakdown::Ended(process.last_words()).into());
            }
            if line.ping(device).await.map_err(Fault::Device)? {
                return Ok(process);
            }
            if Instant::now() >= deadline {
                let words = process.last_words();
                process.stop(device, line).await.map_err(Fault::Device)?;
                return Err(Breakdown::NotReady { within: START_WITHIN, words }.into());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_cancelled()
    }

    /// Ends it and waits until its port is free, and with it the UiAutomation connection.
    pub(super) async fn stop(self, device: &AdbDevice, line: &mut Line) -> Result<(), DeviceErrorKind> {
        let pid = self.pid();
        drop(self);
        if let Some(pid) = pid {
            // Not every system tells it that its shell is gone. A failure here means that it has ended.
            device.run(&format!("kill {pid} 2>/dev/null")).await?;
        }
        let deadline = Instant::now() + STOP_WITHIN;
        while line.ping(device).await? && Instant::now() < deadline {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    async fn spawn(device: &AdbDevice) -> Result<Self, DeviceErrorKind> {
        let mut connection = device.transport().await?;
        // With `exec` the printed number is the agent's own. The input stays open: closing it would tell the device
        // nothing; closing the connection does.
        let command = format!(
            "export CLASSPATH={ON_DEVICE}; echo pid:$$; exec app_process / com.wetest.uia2.Main -p {PORT}"
        );
        connection.request(&format!("shell,v2,TERM=xterm,raw:{command}")).await?;
        let (said, ended, hang_up) =
            (Arc::<Mutex<Vec<u8>>>::default(), CancellationToken::new(), CancellationToken::new());
        let (heard, over, dropped) = (said.clone(), ended.clone().drop_guard(), hang_up.clone());
        tokio::spawn(async move {
            let listening = async {
                while let Ok((id, text)) = next_packet(&mut connection, MAX_PACKET).await {
                    if id == EXIT {
                        return;
                    }
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = MAX_SAID.saturating_sub(heard.len());
                    heard.extend(text.into_iter().take(room));
                }
            };
            tokio::select! {
                () = dropped.cancelled() => {}
                () = listening => {}
            }
            drop(over);
        });
        Ok(Self { said, ended, _shell: hang_up.drop_guard() })
    }

    fn pid(&self) -> Option<u32> {
        let said = self.text();
        said.lines().find_map(|line| line.strip_prefix("pid:")?.trim().parse().ok())
    }

    /// The line that says why it ended.
    fn last_words(&self) -> LastWords {
        let said = self.text();
        let telling =
            |line: &&str| line.contains("Exception") || line.contains("Error") || line.contains("rror:");
        let line = said.lines().find(telling).or_else(|| said.lines().last()).unwrap_or("it said nothing");
        LastWords(line.chars().take(300).collect())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.said.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

/// Puts the jar on the device unless an identical copy is already there.
async fn push(device: &AdbDevice, jar: &AgentJar) -> Result<(), Fault> {
    let jar = jar.clone();
    let read = tokio::task::spawn_blocking(move || jar.read()).await.map_err(Breakdown::from)?;
    let bytes = read.map_err(Breakdown::from)?;
    put(device, &bytes).await.map_err(Fault::Device)
}

async fn put(device: &AdbDevice, bytes: &[u8]) -> Result<(), DeviceErrorKind> {
    let known = device.sync().await?.stat(ON_DEVICE).await?;
    if known.is_some_and(|file| usize::try_from(file.size).is_ok_and(|size| size == bytes.len())) {
        // Reading is as quick as writing, and spares the device's memory.
        let there = device.sync().await?.receive(ON_DEVICE, bytes.len()).await?;
        if there == bytes {
            return Ok(());
        }
    }
    // Nobody looks at the time.
    device.sync().await?.store(ON_DEVICE, MODE, 0, bytes).await
}
