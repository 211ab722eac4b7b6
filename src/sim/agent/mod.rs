//! The resident UI agent of a simulated device: what `app_process` runs out of a pushed `u2.jar`.
//!
//! In: the command that starts it, then HTTP requests on the device's `tcp:PORT`. Out: what the
//! genuine agent (`com.wetest.uia2.Main` of the Python package `uiautomator2`, jar 0.4.1) answers:
//! `/ping`, and JSON-RPC on `/jsonrpc/0`, alone or in batches.
//!
//! Invariants: a device has one UiAutomation connection, so one agent at most, and no
//! `uiautomator dump` while it runs; the agent ends with the shell that started it, with `kill`, and
//! when the device is unplugged; heads and bodies are capped; what it does not know is answered as
//! the genuine agent does, and noted in the lab's journal.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::SimDevice;
use super::device::lock;
use droidmux_gui::Point;

mod configurator;
mod http;
mod methods;
mod objects;
mod params;
mod rest;
mod rpc;
mod selector;

use configurator::Configurator;
pub(super) use http::serve;

/// The class a genuine jar is started with.
const MAIN: &str = "com.wetest.uia2.Main";
const DEFAULT_PORT: u16 = 9_008;
/// What every jar begins with.
const MAGIC: &[u8] = b"PK\x03\x04";
/// The process id: that of the shell which started it (`$$`), as after an `exec`.
pub(super) const PID: u32 = 4_711;

/// A finger on the screen.
#[derive(Clone, Copy, Debug)]
struct Finger {
    /// Where and when it went down.
    from: Point,
    since: Instant,
    /// Where it is.
    at: Point,
    moved: bool,
}

/// An agent that runs on a device.
#[derive(Clone, Debug)]
pub(super) struct Running {
    port: u16,
    /// Cancelled when the process ends.
    pub(super) ended: CancellationToken,
    clipboard: Arc<Mutex<Option<String>>>,
    /// The finger that touches the screen by single events.
    finger: Arc<Mutex<Option<Finger>>>,
    configurator: Arc<Mutex<Configurator>>,
    connections: Arc<AtomicU32>,
}

/// Ends the process when the shell that holds it ends.
#[derive(Debug)]
pub(super) struct Process {
    device: Arc<SimDevice>,
    pub(super) ended: CancellationToken,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.ended.cancel();
        self.device.agent_slot().take_if(|running| running.ended.is_cancelled());
    }
}

/// `app_process [OPTIONS] / com.wetest.uia2.Main [-p PORT]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    classpath: String,
    class: String,
    port: Result<u16, String>,
}

impl Start {
    /// `None` for other commands.
    pub(super) fn read(words: &[String], variables: &BTreeMap<String, String>) -> Option<Start> {
        let (name, rest) = words.split_first()?;
        if !matches!(name.as_str(), "app_process" | "app_process64" | "/system/bin/app_process") {
            return None;
        }
        let mut operands = rest.iter().filter(|word| !word.starts_with('-'));
        operands.next();
        let class = operands.next().cloned().unwrap_or_default();
        let port = rest.iter().position(|word| word == "-p" || word == "--port");
        let port = port.map(|at| rest.get(at + 1).cloned().unwrap_or_default());
        let port = match port {
            None => Ok(DEFAULT_PORT),
            Some(port) => port.parse().ok().filter(|port| *port > 0).ok_or(port),
        };
        Some(Start { classpath: variables.get("CLASSPATH").cloned().unwrap_or_default(), class, port })
    }

    /// Starts the agent. The error is what the process prints before it ends.
    pub(super) fn run(self, device: &Arc<SimDevice>) -> Result<Process, String> {
        let jar = device.files().read(&self.classpath).unwrap_or_else(|_| Bytes::new());
        if self.class != MAIN || !jar.starts_with(MAGIC) {
            let class = &self.class;
            return Err(format!("Error: Could not find class '{class}'\nAborted\n"));
        }
        let port = self
            .port
            .map_err(|port| format!("Invalid port: {port}. Must be an integer between 1 and 65535.\n"))?;
        let mut slot = device.agent_slot();
        if slot.is_some() {
            return Err(format!("{STARTING}{REGISTERED}"));
        }
        let ended = CancellationToken::new();
        *slot = Some(Running {
            port,
            ended: ended.clone(),
            clipboard: Arc::default(),
            finger: Arc::default(),
            configurator: Arc::default(),
            connections: Arc::default(),
        });
        drop(slot);
        // It hears toasts from now on.
        device.phone().forget_toast();
        Ok(Process { device: Arc::clone(device), ended })
    }

    /// What the genuine agent prints once it listens.
    pub(super) fn greeting(device: &SimDevice) -> String {
        let port = device.agent_slot().as_ref().map_or(DEFAULT_PORT, |running| running.port);
        format!("{STARTING}[server] INFO: http server listening on *:{port}\n")
    }
}

const STARTING: &str = "[server] INFO: [UiAutomator2Server] Starting Server\n";

/// The message to the second process that asks for UiAutomation.
pub(super) const REGISTERED: &str = "java.lang.IllegalStateException: UiAutomationService \
    android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!\n\
    \tat android.os.Parcel.createExceptionOrNull(Parcel.java:3021)\n\
    \tat android.app.UiAutomation.connect(UiAutomation.java:254)\n";

impl SimDevice {
    /// The agent that listens on this port of the device.
    pub(super) fn agent_on(&self, port: u16) -> Option<Running> {
        self.agent_slot().clone().filter(|running| running.port == port && !running.ended.is_cancelled())
    }

    /// True while an agent holds the device's UiAutomation connection.
    pub fn has_agent(&self) -> bool {
        self.agent_slot().is_some()
    }

    /// How many connections the currently running agent was asked for.
    pub fn agent_connections(&self) -> u32 {
        self.agent_slot().as_ref().map_or(0, |running| running.connections.load(Ordering::Relaxed))
    }

    /// Kills the agent, as the system does when memory is short; false when none runs.
    pub fn kill_agent(&self) -> bool {
        let running = self.agent_slot().take();
        if let Some(running) = &running {
            running.ended.cancel();
        }
        running.is_some()
    }

    fn agent_slot(&self) -> MutexGuard<'_, Option<Running>> {
        lock(&self.agent)
    }
}

#[cfg(test)]
mod tests;
