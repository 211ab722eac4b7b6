//! The ADB server and the programs of that name.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use thiserror::Error;
use tokio::process::Command;

use super::ms;
use droidmux_device::adb::{DeviceEntry, Server};
use droidmux_device::{DeviceError, DeviceErrorKind, Patience};
use droidmux_proto::{CheckView, Subject};

/// How long the server may take for an answer, and a program to tell its version.
const WITHIN: Duration = Duration::from_secs(5);
/// The check of the programs on this host.
const PROGRAM: &str = "program";
/// Answers slower than this cost time at every step.
const SLOW: Duration = Duration::from_millis(250);

/// Why a program does not say its version.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum NoVersion {
    #[error("says no version within {WITHIN:?}")]
    TooSlow,
    #[error("does not run: {0}")]
    System(String),
    #[error("says no version, {0}")]
    Unsaid(ExitStatus),
}

/// An `adb` program on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    path: PathBuf,
    /// What it calls itself, e.g. `1.0.41`; or why it does not say.
    version: Result<String, NoVersion>,
}

/// The `adb` programs that a person may run, the one that its bare name runs first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs(Vec<Program>);

/// Looks for the programs on the `PATH` and in the Android SDK, and asks each for its version. None of them contacts a
/// server for that.
pub async fn programs() -> Programs {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let path = variable("PATH").unwrap_or_default();
    let sdks = ["ANDROID_HOME", "ANDROID_SDK_ROOT"].into_iter().filter_map(variable);
    let sdks = sdks.map(|sdk| PathBuf::from(sdk).join("platform-tools"));
    let mut found: Vec<(PathBuf, Program)> = Vec::new();
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()).chain(sdks) {
        let path = folder.join("adb");
        let Ok(whole) = path.canonicalize() else { continue };
        if whole.is_file() && !found.iter().any(|(known, _)| *known == whole) {
            let version = version(&path).await;
            found.push((whole, Program { path, version }));
        }
    }
    Programs(found.into_iter().map(|(_, program)| program).collect())
}

/// The server: whether it answers, how fast, and whether a program here would restart it; and the devices that it
/// lists, if it does.
async fn examine_server(
    server: &Result<Server, DeviceError>,
    programs: &Programs,
) -> (Vec<CheckView>, Vec<DeviceEntry>) {
    let adb = Subject::Adb;
    let server = match server {
        Ok(server) => server,
        Err(error) => {
            let why = match &error.kind {
                DeviceErrorKind::Answer(why) => why.clone(),
                kind => kind.to_string(),
            };
            let words = format!("{}: {why}", error.what);
            let remedy = "set the variable right, or unset it for port 5037 of this host";
            return (vec![CheckView::bad(&adb, "server", words, remedy), programs.check(None)], Vec::new());
        }
    };
    // One of several is told apart by its host.
    let named = |what: &str| match server.host() {
        Some(host) => format!("{what} {host}"),
        None => what.to_owned(),
    };
    let began = Instant::now();
    let version = server.version(&Patience::of(WITHIN)).await;
    let took = began.elapsed();
    let mut checks = vec![programs.check(version.as_ref().ok().copied())];
    let answers = match &version {
        Ok(version) => {
            let words = format!("{} answers, protocol version {version}", server.address());
            let check = match took < SLOW {
                true => CheckView::good(&adb, &named("server"), words),
                false => {
                    let remedy =
                        "every step waits for it: run droidmux on the host that the devices are plugged into";
                    CheckView::doubtful(&adb, &named("server"), words, remedy)
                }
            };
            check.took(ms(took))
        }
        Err(error) => {
            CheckView::bad(&adb, &named("server"), error.kind.to_string(), programs.to_start(&error.kind))
        }
    };
    checks.insert(0, answers);
    let Ok(version) = version else { return (checks, Vec::new()) };
    // A program here does not restart a server elsewhere.
    checks.extend(programs.clash(version).filter(|_| server.host().is_none_or(|host| host == "local")));
    match server.devices(&Patience::of(WITHIN)).await {
        Ok(entries) => {
            checks.push(listed(&adb, &named("devices"), &entries));
            (checks, entries)
        }
        Err(error) => {
            let remedy = "`adb kill-server && adb start-server`, while no session runs";
            checks.push(CheckView::bad(&adb, &named("devices"), error.kind.to_string(), remedy));
            (checks, Vec::new())
        }
    }
}

/// The same for several servers, asked at once; the devices with their servers.
pub async fn examine_servers(
    servers: &[Result<Server, DeviceError>],
    programs: &Programs,
) -> (Vec<CheckView>, Vec<(Server, DeviceEntry)>) {
    let rounds = servers.iter().map(|server| async move {
        let (checks, entries) = examine_server(server, programs).await;
        let server = server.as_ref().ok();
        let listed: Vec<_> = entries.into_iter().filter_map(|entry| Some((server?.clone(), entry))).collect();
        (checks, listed)
    });
    let (mut checks, mut devices) = (Vec::new(), Vec::new());
    for (n, (mut found, listed)) in join_all(rounds).await.into_iter().enumerate() {
        // The programs are those of this host, whatever the server.
        found.retain(|check| n == 0 || check.name != PROGRAM);
        checks.extend(found);
        devices.extend(listed);
    }
    (checks, devices)
}

fn listed(adb: &Subject, name: &str, entries: &[DeviceEntry]) -> CheckView {
    let ready = entries.iter().filter(|entry| entry.is_ready()).count();
    let words = match entries.len() {
        0 => "the server lists none".to_owned(),
        1 => format!("the server lists 1, {ready} of them ready"),
        many => format!("the server lists {many}, {ready} of them ready"),
    };
    match ready {
        0 if entries.is_empty() => {
            let remedy = "connect one and allow USB debugging on it; `droidmux sim` serves simulated ones";
            CheckView::doubtful(adb, name, words, remedy)
        }
        _ => CheckView::good(adb, name, words),
    }
}

impl Programs {
    /// Which programs there are. A server that answers needs none: droidmux speaks to it itself.
    fn check(&self, server: Option<u32>) -> CheckView {
        let adb = Subject::Adb;
        match (self.0.as_slice(), server) {
            ([], Some(_)) => {
                CheckView::skipped(&adb, PROGRAM, "no adb on the PATH; none is needed while a server answers")
            }
            ([], None) => CheckView::bad(
                &adb,
                PROGRAM,
                "no adb on the PATH nor in the Android SDK",
                "install Android's platform-tools, and put their folder on the PATH",
            ),
            (found, _) => match found.iter().find_map(|program| program.version.as_ref().err()) {
                Some(_) => CheckView::doubtful(
                    &adb,
                    PROGRAM,
                    self.in_words(),
                    "take the folder of the broken one off the PATH, or install platform-tools anew",
                ),
                None => CheckView::good(&adb, PROGRAM, self.in_words()),
            },
        }
    }

    /// Whether running a program here would end the server: a client of another version restarts it.
    fn clash(&self, server: u32) -> Option<CheckView> {
        let adb = Subject::Adb;
        let versions: Vec<(&Program, u32)> = self
            .0
            .iter()
            .filter_map(|program| Some((program, protocol(program.version.as_ref().ok()?)?)))
            .collect();
        let other = versions.iter().find(|(_, version)| *version != server);
        let check = match (other, versions.is_empty()) {
            (_, true) => return None,
            (None, false) => {
                CheckView::good(&adb, "versions", format!("program and server agree on {server}"))
            }
            (Some((program, version)), false) => CheckView::bad(
                &adb,
                "versions",
                format!(
                    "the server has {server}, {} has {version}: whoever runs it restarts the server, and every \
                     session loses its devices",
                    program.path.display()
                ),
                "leave one version of adb on this host, and restart the server with it while no session runs",
            ),
        };
        Some(check)
    }

    /// What to do when no server answers.
    fn to_start(&self, why: &DeviceErrorKind) -> String {
        if let DeviceErrorKind::Unreachable { host, .. } = why {
            return format!("sessions go on without the devices of {host} until it can be reached");
        }
        match (self.0.first(), why) {
            (None, _) => {
                "install Android's platform-tools and run `adb start-server`; or have ADB_SERVER_SOCKET name \
                          a server elsewhere (`tcp:HOST:PORT`); `droidmux demo` needs neither"
                    .into()
            }
            (Some(program), DeviceErrorKind::NoServer(_)) => {
                format!("run `{} start-server`", program.path.display())
            }
            (Some(_), _) => {
                "something else listens there, or the server hangs: `adb kill-server && adb start-server`"
                    .into()
            }
        }
    }

    fn in_words(&self) -> String {
        let one = |program: &Program| match &program.version {
            Ok(version) => format!("{} ({version})", program.path.display()),
            Err(why) => format!("{} ({why})", program.path.display()),
        };
        self.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// What a program calls itself.
async fn version(path: &Path) -> Result<String, NoVersion> {
    let mut command = Command::new(path);
    command.arg("version").stdin(std::process::Stdio::null()).kill_on_drop(true);
    match tokio::time::timeout(WITHIN, command.output()).await {
        Err(_) => Err(NoVersion::TooSlow),
        Ok(Err(error)) => Err(NoVersion::System(error.to_string())),
        Ok(Ok(output)) => {
            read_version(&String::from_utf8_lossy(&output.stdout)).ok_or(NoVersion::Unsaid(output.status))
        }
    }
}

/// `1.0.41` from `Android Debug Bridge version 1.0.41`.
fn read_version(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("Android Debug Bridge version "))?;
    let sound = line.len() <= 20 && line.chars().all(|c| c.is_ascii_digit() || c == '.');
    sound.then(|| line.to_owned())
}

/// The version of the protocol, by which client and server must agree: the last number.
fn protocol(version: &str) -> Option<u32> {
    version.rsplit('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_proto::CheckVerdict;

    fn program(path: &str, version: Result<&str, NoVersion>) -> Program {
        Program { path: path.into(), version: version.map(str::to_owned) }
    }

    #[test]
    fn versions_are_read() {
        let genuine =
            "Android Debug Bridge version 1.0.41\nVersion 34.0.4-debian\nInstalled as /usr/bin/adb\n";
        let cases = [
            (genuine, Some("1.0.41"), Some(41)),
            ("Android Debug Bridge version 1.0.\u{1b}[31m", None, None),
            ("adb: command not found", None, None),
            ("Android Debug Bridge version 1.0.x9", None, None),
        ];
        for (text, version, number) in cases {
            let read = read_version(text);
            assert_eq!(read.as_deref(), version, "{text}");
            assert_eq!(read.as_deref().and_then(protocol), number, "{text}");
        }
    }

    #[test]
    fn programs_and_server_are_compared() {
        use CheckVerdict::{Bad, Doubtful, Good, Skipped};
        let (new, old) = (program("/a/adb", Ok("1.0.41")), program("/b/adb", Ok("1.0.39")));
        let broken = program("/c/adb", Err(NoVersion::TooSlow));
        // (programs, the server's version, what is said of the programs, of the versions)
        let cases = [
            (vec![], None, Bad, None),
            (vec![], Some(41), Skipped, None),
            (vec![new.clone()], None, Good, None),
            (vec![new.clone()], Some(41), Good, Some(Good)),
            (vec![old.clone()], Some(41), Good, Some(Bad)),
            (vec![new.clone(), old], Some(41), Good, Some(Bad)),
            (vec![broken.clone()], Some(41), Doubtful, None),
            (vec![broken, new], Some(41), Doubtful, Some(Good)),
        ];
        for (programs, server, there, versions) in cases {
            let programs = Programs(programs);
            assert_eq!(programs.check(server).verdict, there, "{programs:?}");
            let clash = server.and_then(|version| programs.clash(version));
            assert_eq!(clash.map(|check| check.verdict), versions, "{programs:?}");
        }
    }
}
