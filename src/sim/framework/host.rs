//! A host for one device: started, asked, started again after it ended.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use tokio::sync::Notify;

use super::hello::Hello;
use super::program::FrameworkProgram;
use super::wire::Wire;
use crate::device::lock;
use crate::hold::apart;
use crate::{SimApp, SimError};

/// What the framework lab serves.
#[derive(Clone, Debug)]
pub struct FrameworkOptions {
    /// The host's program, `framework/run`.
    pub program: PathBuf,
    /// The app, as the host takes it.
    pub app: PathBuf,
}

/// A host and what it runs. Dropping it ends the process.
pub(crate) struct Host {
    options: FrameworkOptions,
    size: (u32, u32),
    density: u32,
    wire: Mutex<Option<Wire>>,
    ended: Arc<Notify>,
    /// Set when the lab stops: no further host is started then.
    stopped: AtomicBool,
}

impl Host {
    /// Starts a host without asking it for anything yet. Takes seconds.
    pub(crate) fn start(
        options: FrameworkOptions,
        size: (u32, u32),
        density: u32,
    ) -> Result<(Arc<Host>, SimApp, u32), SimError> {
        let ended = Arc::new(Notify::new());
        let host = Host { options, size, density, wire: Mutex::default(), ended, stopped: false.into() };
        let hello = host.begin().map_err(SimError::Framework)?;
        let host = Arc::new(host);
        let (shared, package) = (Arc::clone(&host), hello.declaration.package.clone());
        let app = SimApp::made(hello.declaration, move |_| {
            Box::new(FrameworkProgram::new(Arc::clone(&shared), package.clone()))
        });
        Ok((host, app, hello.sdk))
    }

    /// Starts another process after one ended.
    pub(crate) fn restart(&self) -> Result<(), SimError> {
        self.begin().map(|_| ()).map_err(SimError::Framework)
    }

    fn begin(&self) -> Result<Hello, String> {
        let ended = Arc::clone(&self.ended);
        let (wire, line) =
            Wire::start(&self.options.program, &self.options.app, self.size, self.density, move || {
                ended.notify_one()
            })?;
        let hello = Hello::read(&line)?;
        if !self.stopped.load(Ordering::Acquire) {
            *lock(&self.wire) = Some(wire);
        }
        Ok(hello)
    }

    /// Its answer; `None` when it gives none or refuses.
    pub(super) fn ask(&self, what: &str, members: Map<String, Value>) -> Option<Value> {
        let mut wire = lock(&self.wire);
        let asked = wire.as_mut()?;
        let Some(answer) = apart(|| asked.ask(what, members)) else {
            *wire = None;
            return None;
        };
        match answer["ok"].as_bool() {
            Some(true) => Some(answer),
            _ => {
                tracing::debug!(what, error = answer["error"].as_str(), "the framework's host refused");
                None
            }
        }
    }

    /// Waits until one of its processes has ended.
    pub(crate) async fn ended(&self) {
        self.ended.notified().await;
    }

    /// Ends it for good.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        *lock(&self.wire) = None;
    }
}
