//! A host for one device: started, asked, started again after it ended.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::cache::InUse;
use super::confine::Confinement;
use super::faults::{self, Fault};
use super::hello::Hello;
use super::program::FrameworkProgram;
use super::set_up::SetUp;
use super::wire::{Happened, Wire};
use crate::device::lock;
use crate::hold::apart;
use crate::{SimApp, SimError};
use droidmux_sim_toolkit::platform::Declaration;

/// Most requests that are kept to be made again.
const MOST_GIVEN: usize = 10_000;

/// Memory of a process that is not replaced, in bytes.
const MODEST: u64 = 600 << 20;
/// Replaced is what has grown by so many bytes: an app may need more than others from the beginning.
const GROWN: u64 = 150 << 20;

/// What the framework lab serves.
#[derive(Clone, Debug)]
pub struct FrameworkOptions {
    /// The host's program, `framework/run`.
    pub program: PathBuf,
    /// The app, as the host takes it.
    pub app: PathBuf,
    /// Keeps the app's folder from being removed, where it lies among translated ones.
    pub in_use: Option<InUse>,
    /// How the host is started.
    pub confinement: Confinement,
    /// The list of the lab's own faults, which the host itself cannot write to.
    pub faults: PathBuf,
    /// The mutants that were woven into it, each with its number in the host; all are off until some are chosen.
    pub mutants: BTreeMap<String, u32>,
}

/// A host and what it runs. Dropping it ends the process.
pub(crate) struct Host {
    options: FrameworkOptions,
    size: (u32, u32),
    density: u32,
    wire: Mutex<Option<Wire>>,
    ended: Arc<Notify>,
    /// What was brought to it from outside, which another process has to be given again.
    given: Mutex<Vec<(&'static str, Map<String, Value>)>>,
    /// The least memory that its present process had when the app's data was cleared.
    least: Mutex<Option<u64>>,
    /// How its phone is set, as far as its present process knows.
    pub(super) told: Mutex<SetUp>,
    /// The names of the mutants that are on.
    pub(super) on: Mutex<BTreeSet<String>>,
    /// Cancelled when the lab stops: no further host is started then.
    stop: CancellationToken,
    /// What runs there, with its version.
    runs: Arc<OnceLock<String>>,
}

impl Host {
    /// Starts a host without asking it for anything yet. Takes seconds.
    pub(crate) fn start(
        options: FrameworkOptions,
        size: (u32, u32),
        density: u32,
        stop: CancellationToken,
    ) -> Result<(Arc<Host>, SimApp, u32), SimError> {
        let ended = Arc::new(Notify::new());
        let (wire, given, told) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (on, runs, least) = (Mutex::default(), Arc::default(), Mutex::default());
        let host = Host { options, size, density, wire, ended, given, least, told, on, stop, runs };
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
        self.begin().map_err(SimError::Framework)?;
        let given = lock(&self.given).clone();
        for (what, members) in given {
            self.ask(what, members);
        }
        Ok(())
    }

    /// Removes the app's data. Where the process has grown too large, another one takes its place, in which there is
    /// nothing of the app's either: processes of the app that have ended may leave something of theirs in memory. True
    /// when it is another one.
    pub(super) fn clear(&self) -> bool {
        let memory = self.ask("clear", Map::new()).and_then(|answer| answer["memory"].as_u64());
        if !memory.is_some_and(|memory| self.has_outgrown(memory)) {
            return false;
        }
        let Some(large) = lock(&self.wire).take() else { return false };
        apart(|| large.dismiss());
        if let Err(error) = self.restart() {
            tracing::warn!(%error, "no host in place of one that had grown too large");
            self.ended.notify_one();
        }
        true
    }

    /// Whether its process, which has so much memory with no data of the app's, has grown too large.
    fn has_outgrown(&self, memory: u64) -> bool {
        let mut kept = lock(&self.least);
        let least = kept.map_or(memory, |least| least.min(memory));
        *kept = Some(least);
        memory > MODEST && memory - least > GROWN
    }

    /// Brings something to it from outside; it stays there whatever happens to the process.
    pub(super) fn give(&self, what: &'static str, members: Value) {
        let Value::Object(members) = members else { return };
        if self.ask(what, members.clone()).is_some() {
            self.remember(what, members);
        }
    }

    /// The mutants of its app, with their numbers.
    pub(super) fn mutants(&self) -> &BTreeMap<String, u32> {
        &self.options.mutants
    }

    /// The number of a mutant.
    pub(super) fn mutant(&self, name: &str) -> Option<u32> {
        self.options.mutants.get(name).copied()
    }

    /// Keeps what the host was given. What is written anew, or taken away, need not be written before.
    pub(super) fn remember(&self, what: &'static str, members: Map<String, Value>) {
        let mut given = lock(&self.given);
        if members.get("append").is_none_or(|append| append == false)
            && let Some(path) = members.get("path")
        {
            given.retain(|(_, before)| before.get("path") != Some(path));
        }
        if members.contains_key("on") {
            given.retain(|(before, _)| *before != what);
        }
        if given.len() < MOST_GIVEN {
            given.push((what, members));
        }
    }

    fn begin(&self) -> Result<Hello, String> {
        let ended = Arc::clone(&self.ended);
        let (runs, list) = (Arc::clone(&self.runs), self.options.faults.clone());
        let happened = move |event: Happened| {
            let app = runs.get().map_or("", String::as_str);
            let fault = match event {
                Happened::Ended(how) => {
                    tracing::warn!(app, how, "a host of the framework lab ended");
                    return ended.notify_one();
                }
                Happened::Full(excess) => Some(Fault::full(app, &excess)),
                Happened::Hung(line) => Fault::hung(app, &line),
            };
            let Some(fault) = fault else { return };
            tracing::warn!(
                app,
                kind = fault.kind,
                words = fault.words,
                "a host of the framework lab is in trouble"
            );
            if let Err(error) = faults::note(&list, &fault) {
                tracing::warn!(%error, list = %list.display(), "a fault of the framework lab is not noted");
            }
        };
        let (wire, line) = Wire::start(&self.options, self.size, self.density, &self.stop, happened)?;
        let hello = Hello::read(&line).map_err(|error| self.explained(error))?;
        let Declaration { package, version_name, .. } = &hello.declaration;
        self.runs.get_or_init(|| format!("{package} {version_name}"));
        *lock(&self.told) = SetUp::default();
        *lock(&self.least) = None;
        if !self.stop.is_cancelled() {
            *lock(&self.wire) = Some(wire);
        }
        Ok(hello)
    }

    /// An app that serves itself, on a computer where apps can have no sockets, is not told why.
    fn explained(&self, error: String) -> String {
        let confinement = &self.options.confinement;
        if confinement.has_network() || confinement.means().loopback || !error.contains("java.net.") {
            return error;
        }
        format!(
            "{error}; this computer can give apps no network of their own (user namespaces are switched off): \
             --network, or network = true in the session file, opens this computer's"
        )
    }

    /// Its answer, whatever it says; `None` when it gives none.
    pub(super) fn answer(&self, what: &str, members: Map<String, Value>) -> Option<Value> {
        let mut wire = lock(&self.wire);
        let asked = wire.as_mut()?;
        let answer = apart(|| asked.ask(what, members));
        if answer.is_none() {
            *wire = None;
        }
        let answer = answer?;
        if let Some(fault) = Fault::of(self.runs.get().map_or("", String::as_str), &answer)
            && let Err(error) = apart(|| faults::note(&self.options.faults, &fault))
        {
            tracing::warn!(%error, list = %self.options.faults.display(), "a fault of the framework lab is not noted");
        }
        Some(answer)
    }

    /// Its answer; `None` when it gives none or refuses.
    pub(super) fn ask(&self, what: &str, members: Map<String, Value>) -> Option<Value> {
        let answer = self.answer(what, members)?;
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
        self.stop.cancel();
        *lock(&self.wire) = None;
    }
}
