//! What an app's code can reach: its host's folder, and what Java itself has to read.
//!
//! In: the program of a host or a translator, and what it has to read. Out: a command that starts it, and what this
//! computer cannot keep it from.
//!
//! The scripts of the framework lab (`run`, `translate`) start Java through this program (`DROIDMUX_CONFINE`), which first
//! gives up what the app must not have (`child`): files by Landlock, the computer's network by one of its own (`loopback`),
//! processes and other people's processes by a filter of system calls, memory by a limit, the environment. Where it can have
//! no network of its own, it has no sockets. Where bubblewrap is there and works, all that happens
//! within its namespaces.
//!
//! Invariants: an app's code never runs before this is done; a confinement that fails half-way starts nothing; what a
//! computer does not have is said and not made up for in silence.

mod child;
mod loopback;
mod policy;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::{env, fs, io};

use serde::{Deserialize, Serialize};

use droidmux_file::Temporary;

pub use child::enter;
use policy::{Network, Policy, heap, system};

/// The first argument of a program that confines itself and starts another.
const ARGUMENT: &str = "__confine";
/// The argument after it when nothing is to be started: it tries to escape, and says how that went.
const PROBE: &str = "--probe";
/// Names the program that confines, for the lab's scripts.
const PROGRAM: &str = "DROIDMUX_CONFINE";
/// Holds the policy.
const POLICY: &str = "DROIDMUX_CONFINEMENT";
/// What the scripts and Java are given of the user's environment.
const KEPT: [&str; 6] = [
    "PATH",
    "JAVA_HOME",
    "MALLOC_ARENA_MAX",
    "DROIDMUX_FRAMEWORK_HEAP",
    "DROIDMUX_FRAMEWORK_TARGET",
    "DROIDMUX_TRANSLATE_HEAP",
];
/// The folder of a host within its temporary folder, whose other files are ours.
const OWN: &str = "own";
const BUBBLEWRAP: &str = "bwrap";

/// How hosts and translators are started.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// This program, which calls [`enter`] first.
    program: PathBuf,
    network: bool,
    means: Arc<OnceLock<Means>>,
}

/// What this computer keeps an app from. All of it is tried, not looked up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Means {
    /// It reads and writes no files but those that it has to.
    pub files: bool,
    /// It reaches nobody by sockets.
    pub network: bool,
    /// It reaches itself, in a network of its own; else it opens no sockets at all.
    #[serde(default)]
    pub loopback: bool,
    /// It starts no programs.
    pub processes: bool,
    /// It runs in namespaces of its own, too.
    #[serde(default)]
    pub namespaces: bool,
}

/// A process that was started in a folder of its own, and that folder.
pub(super) struct Confined {
    pub(super) command: Command,
    /// Removed when this is dropped.
    pub(super) folder: Temporary,
}

impl Confinement {
    /// Hosts start Java through this program, which calls [`enter`] before anything else; `network`: their apps may use it.
    pub fn by(program: PathBuf, network: bool) -> Self {
        Self { program, network, means: Arc::default() }
    }

    /// Through the running program, even when another has replaced its file.
    pub fn by_itself(network: bool) -> Self {
        Self::by(format!("/proc/{}/exe", std::process::id()).into(), network)
    }

    /// Whether apps may use the network.
    pub fn has_network(&self) -> bool {
        self.network
    }

    /// What this computer keeps apps from; tried once. Blocks for a moment.
    pub fn means(&self) -> &Means {
        self.means.get_or_init(|| {
            let networks: &[Network] =
                if self.network { &[Network::Open] } else { &[Network::Own, Network::Closed] };
            let within = |bubblewrap: Option<&PathBuf>| {
                let mut tried =
                    networks.iter().filter_map(|&network| self.probe(bubblewrap.cloned(), network).ok());
                tried.find(|means| self.network || means.network)
            };
            let namespaces = found(BUBBLEWRAP).and_then(|program| within(Some(&program)));
            let namespaces = namespaces.map(|means| Means { namespaces: true, ..means });
            namespaces.or_else(|| within(None)).unwrap_or(Means::NOTHING)
        })
    }

    /// One sentence on what an app could do on this computer that it should not; `None` if there is nothing.
    pub fn gaps(&self) -> Option<String> {
        let means = self.means();
        let mut gaps = Vec::new();
        if !means.files {
            gaps.push("read and write your files");
        }
        if !means.network && !self.network {
            gaps.push("use the network");
        }
        if !means.processes {
            gaps.push("start programs");
        }
        (!gaps.is_empty()).then(|| format!("apps could {} on this computer", gaps.join(", ")))
    }

    /// A command for a script of the lab, that reads `readable` besides the lab and writes to `writable` besides its own
    /// folder.
    pub(super) fn command(
        &self,
        script: &Path,
        readable: &[PathBuf],
        writable: &[PathBuf],
    ) -> io::Result<Confined> {
        let script = absolute(script)?;
        let means = self.means();
        let folder = Temporary::new("host")?;
        let own = folder.path().join(OWN);
        fs::create_dir(&own)?;
        let network = match (self.network, means.loopback) {
            (true, _) => Network::Open,
            (false, true) => Network::Own,
            (false, false) => Network::Closed,
        };
        let mut policy = self.policy(&own, network)?;
        policy.bubblewrap = found(BUBBLEWRAP).filter(|_| means.namespaces);
        policy.readable.extend(script.parent().map(target));
        for path in readable {
            policy.readable.push(absolute(path)?);
        }
        for path in writable {
            policy.writable.push(absolute(path)?);
        }
        let mut command = Command::new(script);
        self.equip(&mut command, &policy)?;
        command.env(PROGRAM, &self.program);
        command.env("DROIDMUX_FRAMEWORK_FAULTS", own.join("faults.jsonl"));
        Ok(Confined { command, folder })
    }

    fn policy(&self, own: &Path, network: Network) -> io::Result<Policy> {
        Ok(Policy {
            folder: own.to_owned(),
            readable: system(self.network),
            writable: vec![own.to_owned()],
            network,
            memory: heap(
                KEPT.iter().filter_map(|name| env::var(name).ok().filter(|_| name.ends_with("HEAP"))),
            ),
            bubblewrap: None,
        })
    }

    /// The environment, and the folder that it runs in.
    fn equip(&self, command: &mut Command, policy: &Policy) -> io::Result<()> {
        command.env_clear();
        for name in KEPT {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", &policy.folder).env("TMPDIR", &policy.folder).env("LANG", "C.UTF-8");
        command.env(POLICY, serde_json::to_string(policy)?).current_dir(&policy.folder);
        Ok(())
    }

    fn probe(&self, bubblewrap: Option<PathBuf>, network: Network) -> io::Result<Means> {
        let folder = Temporary::new("probe")?;
        let own = folder.path().join(OWN);
        fs::create_dir(&own)?;
        // It tries to read this.
        fs::write(folder.path().join("other"), "other")?;
        // It tries to call here.
        let door = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mut policy = self.policy(&own, network)?;
        policy.bubblewrap = bubblewrap;
        let mut command = Command::new(&self.program);
        self.equip(&mut command, &policy)?;
        command.args([ARGUMENT, PROBE, &door.local_addr()?.port().to_string()]);
        let said = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
        Ok(serde_json::from_slice(&said.stdout)?)
    }
}

impl Means {
    const NOTHING: Self =
        Self { files: false, network: false, loopback: false, processes: false, namespaces: false };
}

/// What was built of the lab.
fn target(lab: &Path) -> PathBuf {
    env::var_os("DROIDMUX_FRAMEWORK_TARGET").map_or_else(|| lab.join("target"), PathBuf::from)
}

/// A program of the search path.
fn found(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name.as_ref())).find(|program| program.is_file())
}
