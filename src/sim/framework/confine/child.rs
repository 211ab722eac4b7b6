//! The child's side: from its start as `droidmux __confine java …` to its becoming Java.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, make_bitflags, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use seccompiler::{TargetArch, apply_filter, compile_from_json};
use serde_json::json;
use thiserror::Error;

use super::policy::{Network, Policy};
use super::{ARGUMENT, Means, POLICY, PROBE, found, loopback};

/// System calls that are refused.
const CALLS: &str = include_str!("calls.json");
/// The newest rules of Landlock that are known here; a kernel that knows fewer enforces those.
const RULES: ABI = ABI::V6;
/// The largest file that an app may write.
const LARGEST_FILE: u64 = 1 << 30;
/// Files that it may have open.
const MOST_FILES: u64 = 4096;
/// Where this program lies within bubblewrap's namespaces.
const INSIDE: &str = "/droidmux";

/// Why nothing was started.
#[derive(Debug, Error)]
enum Unconfined {
    #[error("{POLICY} is missing or broken")]
    NoPolicy,
    #[error("{ARGUMENT} names no program")]
    NoProgram,
    #[error("java is not installed; the framework lab needs a JDK 17")]
    NoJava,
    #[error("its memory cannot be limited: {0}")]
    Limit(#[from] rustix::io::Errno),
    #[error("its files cannot be confined: {0}")]
    Files(#[from] RulesetError),
    #[error("it cannot be given a network of its own: {0}")]
    Network(io::Error),
    #[error("its system calls cannot be confined: {0}")]
    Calls(String),
    #[error("{}: cannot be started: {error}", program.display())]
    Start { program: PathBuf, error: io::Error },
}

/// Runs this process as a confined one, to its end, if it was started as one; `None` if it was not. Must be called before
/// anything else is done.
pub fn enter() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != ARGUMENT {
        return None;
    }
    let Err(error) = begin(arguments.collect());
    // Each of the lab's scripts tells in its own way what keeps it from starting.
    println!("{}", json!({ "droidmux-framework": 1, "error": error.to_string() }));
    eprintln!("{error}");
    Some(ExitCode::from(2))
}

fn begin(arguments: Vec<OsString>) -> Result<Infallible, Unconfined> {
    let policy: Option<Policy> = env::var(POLICY).ok().and_then(|text| serde_json::from_str(&text).ok());
    let policy = policy.ok_or(Unconfined::NoPolicy)?;
    let (program, rest) = arguments.split_first().ok_or(Unconfined::NoProgram)?;
    // Looked for before the search path's folders are out of reach.
    let java = if program == "java" { java()? } else { program.into() };
    if let Some(bubblewrap) = &policy.bubblewrap {
        return Err(wrap(bubblewrap, &policy, &java, rest));
    }
    if program == PROBE {
        return probe(&policy, rest.first());
    }
    confine(&policy, home(&java).as_deref())?;
    let error = start(&java, rest, &policy).exec();
    Err(Unconfined::Start { program: java, error })
}

/// A program with nothing of the user's environment.
fn start(program: &Path, arguments: &[OsString], policy: &Policy) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().current_dir(&policy.folder);
    command.env("HOME", &policy.folder).env("TMPDIR", &policy.folder).env("LANG", "C.UTF-8");
    for name in ["PATH", "MALLOC_ARENA_MAX"] {
        if let Some(value) = env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// Starts this program once more, within namespaces in which only the files of the policy are there.
fn wrap(bubblewrap: &Path, policy: &Policy, program: &Path, arguments: &[OsString]) -> Unconfined {
    let failed = |error| Unconfined::Start { program: bubblewrap.to_owned(), error };
    let network = if policy.network == Network::Own { Network::Given } else { policy.network };
    let inside = Policy { bubblewrap: None, network, ..policy.clone() };
    let inside = match serde_json::to_string(&inside) {
        Ok(inside) => inside,
        Err(error) => return failed(error.into()),
    };
    let own = match fs::canonicalize("/proc/self/exe") {
        // Replaced while it runs: only the process itself still has it.
        Ok(own) if own.is_file() => own,
        _ => "/proc/self/exe".into(),
    };
    let mut command = start(bubblewrap, &[], policy);
    command.args(["--unshare-all", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]);
    if policy.network == Network::Open {
        command.arg("--share-net");
    }
    let java = home(program);
    for path in policy.readable.iter().chain(&java).filter(|path| !path.starts_with("/proc")) {
        command.arg("--ro-bind-try").args([path, path]);
    }
    for path in &policy.writable {
        command.arg("--bind").args([path, path]);
    }
    command.arg("--ro-bind").args([&own, Path::new(INSIDE)]);
    command.arg("--setenv").args([POLICY, &inside]).arg("--chdir").arg(&policy.folder);
    failed(command.arg("--").args([INSIDE, ARGUMENT]).arg(program).args(arguments).exec())
}

/// Gives up, for good and for all that this process becomes, what the policy does not allow.
fn confine(policy: &Policy, java: Option<&Path>) -> Result<Means, Unconfined> {
    let limits = [
        (Resource::Data, policy.memory),
        (Resource::Core, 0),
        (Resource::Fsize, LARGEST_FILE),
        (Resource::Nofile, MOST_FILES),
    ];
    for (resource, most) in limits {
        // Nobody may raise what is lower already.
        let most = Some(most.min(getrlimit(resource).maximum.unwrap_or(u64::MAX)));
        let most = Rlimit { current: most, maximum: most };
        setrlimit(resource, most)?;
    }
    if policy.network == Network::Own {
        // Before its files are out of reach, and the calls that it takes.
        loopback::enter().map_err(Unconfined::Network)?;
    }
    let (files, processes) = (confine_files(policy, java)?, confine_calls(policy)?);
    let own = matches!(policy.network, Network::Own | Network::Given);
    Ok(Means { files, network: processes, loopback: own && processes, processes, namespaces: false })
}

/// Whether the kernel does it.
fn confine_files(policy: &Policy, java: Option<&Path>) -> Result<bool, Unconfined> {
    let whole = AccessFs::from_all(RULES);
    let reading = AccessFs::from_read(RULES);
    let mut rules = Ruleset::default().handle_access(whole)?;
    if policy.network == Network::Closed {
        rules = rules.handle_access(AccessNet::from_all(RULES))?;
    }
    let readable = policy.readable.iter().map(PathBuf::as_path).chain(java);
    let rules = rules
        .scope(Scope::from_all(RULES))?
        .create()?
        .add_rules(path_beneath_rules(readable, reading))?
        .add_rules(path_beneath_rules(&policy.writable, whole & !AccessFs::Execute))?
        .add_rules(path_beneath_rules(
            ["/dev/null", "/dev/zero"],
            make_bitflags!(AccessFs::{ReadFile | WriteFile}),
        ))?;
    Ok(rules.restrict_self()?.ruleset != RulesetStatus::NotEnforced)
}

/// Whether the processor is one for which filters can be made.
fn confine_calls(policy: &Policy) -> Result<bool, Unconfined> {
    let failed = |error: &dyn std::fmt::Display| Unconfined::Calls(error.to_string());
    let Ok(arch) = TargetArch::try_from(env::consts::ARCH) else { return Ok(false) };
    let mut wanted = vec![
        "processes",
        "new-clone",
        if policy.network == Network::Closed { "no-network" } else { "network" },
    ];
    if env::consts::ARCH == "x86_64" {
        wanted.push("old-processes");
    }
    let all: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(CALLS).map_err(|error| failed(&error))?;
    for name in wanted {
        // One by one: the others may name calls that this processor does not have.
        let filter = json!({ name: all.get(name) }).to_string();
        let filters = compile_from_json(filter.as_bytes(), arch).map_err(|error| failed(&error))?;
        let filter = filters.get(name).ok_or_else(|| failed(&name))?;
        apply_filter(filter).map_err(|error| failed(&error))?;
    }
    Ok(true)
}

/// Java's program itself: what the search path has may be a link, or a script that starts it.
fn java() -> Result<PathBuf, Unconfined> {
    let named = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let on_path = found("java").and_then(|java| fs::canonicalize(java).ok());
    let candidates = on_path.into_iter().chain(named.and_then(|java| fs::canonicalize(java).ok()));
    candidates.into_iter().find(|java| home(java).is_some()).or_else(told_home).ok_or(Unconfined::NoJava)
}

/// The folder of a Java.
fn home(java: &Path) -> Option<PathBuf> {
    java.parent()?.parent().filter(|home| home.join("lib/modules").is_file()).map(Path::to_owned)
}

/// Asks Java where it is.
fn told_home() -> Option<PathBuf> {
    let said = Command::new("java").args(["-XshowSettings:properties", "-version"]).output().ok()?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    let home = said.lines().find_map(|line| line.trim().strip_prefix("java.home = "))?;
    Some(Path::new(home).join("bin/java")).filter(|java| java.is_file())
}

/// Tries what an app could try, prints what was not possible, and ends. Somebody outside listens at `door`.
fn probe(policy: &Policy, door: Option<&OsString>) -> Result<Infallible, Unconfined> {
    let means = confine(policy, None)?;
    let beside = policy.folder.with_file_name("other");
    let escaped = fs::read(&beside).is_ok() || fs::write(beside.with_file_name("new"), "").is_ok();
    let door: Option<u16> = door.and_then(|door| door.to_str()?.parse().ok());
    let called = door.is_none_or(|door| TcpStream::connect((Ipv4Addr::LOCALHOST, door)).is_ok());
    let started = Command::new("/proc/self/exe").arg("--version").output().is_ok();
    let means = Means {
        files: means.files && !escaped,
        network: means.network && !called,
        loopback: means.loopback && reaches_itself().is_ok(),
        processes: means.processes && !started,
        namespaces: false,
    };
    println!("{}", json!(means));
    std::process::exit(0)
}

fn reaches_itself() -> io::Result<()> {
    let own = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    TcpStream::connect(own.local_addr()?).map(drop)
}
