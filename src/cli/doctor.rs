//! `droidmux doctor`: whether everything that a night's run needs is in place, and how to fix what is not.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use futures_util::future::join_all;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::Usage;
use super::bring_up::store_path;
use super::config::Config;
use super::framework_checks::examine_framework;
use super::hosts::way::{NatsArgs, way};
use super::output::{json_line, print};
use super::runtime::runtime;
use super::servers::ServersOption;
use super::source::source;
use super::{bring_up, cockpit, exit, read_session};
use droidmux_device::DeviceError;
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_device_remote::Choice;
use droidmux_lab::doctor::{
    HostsPlan, examine_hosts, examine_model, examine_servers, examine_store, programs, take_and_examine,
};
use droidmux_proto::{CheckVerdict, CheckView, DoctorView, Subject};
use droidmux_record::{HostsChoice, LabKind, LlmSettings, SessionDefinition, SimTerms, Technique, is_called};
use droidmux_technique::uses;
use droidmux_tui::examine_terminal;
use droidmux_words::printable;

/// The maximum width of a remark before it is wrapped.
const WIDTH: usize = 100;

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The session file of the run to come: its devices, its limits, its agent, its language model
    #[arg(value_name = "SESSION.toml")]
    session: Option<PathBuf>,
    /// The resident agent to try: its jar, or a Python installation with uiautomator2
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,
    /// The store to look at [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
    /// Only these devices, by serial
    #[arg(long, value_name = "SERIAL")]
    device: Vec<String>,
    #[command(flatten)]
    servers: ServersOption,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The phones of all hosts of this NATS server instead: nats://HOST:4222 or tls://HOST:4222
    #[arg(long, value_name = "URL", conflicts_with = "servers")]
    nats: Option<String>,
    #[command(flatten)]
    way: NatsArgs,
}

/// What is examined.
struct Patient {
    /// From the session file; the usual settings without one.
    definition: SessionDefinition,
    has_session: bool,
    llm: LlmSettings,
    serials: Vec<String>,
    store: PathBuf,
}

/// # Errors
///
/// `Usage` for a session file or a configuration that cannot be read; any other failure is reported as a failed check.
pub fn run(args: DoctorArgs) -> color_eyre::Result<ExitCode> {
    let json = args.json;
    let patient = Patient::of(args)?;
    let view = runtime()?.block_on(examine(&patient))?;
    print(&if json { json_line(&DoctorJson::of(&view)) } else { to_text(&view) })?;
    Ok(ExitCode::from(if view.worst() == CheckVerdict::Bad { exit::FOUND } else { exit::OK }))
}

impl Patient {
    fn of(args: DoctorArgs) -> color_eyre::Result<Self> {
        let config = Config::read()?;
        let has_session = args.session.is_some();
        let mut definition = match &args.session {
            Some(path) => read_session(path, &config.llm)?,
            None => SessionDefinition::new(Technique::Monkey, ""),
        };
        let llm = match has_session {
            true => definition.llm.clone(),
            false => config.llm.settings(),
        };
        definition.lab.agent = args.agent.or(definition.lab.agent);
        if let servers @ [_, ..] = args.servers.names() {
            (definition.lab.kind, definition.lab.servers) = (LabKind::Adb, servers.to_vec());
        }
        if let Some(url) = &args.nats {
            let HostsChoice { pool, hosts, .. } = std::mem::take(&mut definition.lab.hosts);
            let at = args.way.choice(url);
            (definition.lab.kind, definition.lab.hosts) = (LabKind::Hosts, HostsChoice { pool, hosts, ..at });
        }
        let serials = if args.device.is_empty() { definition.lab.serials.clone() } else { args.device };
        Ok(Self { definition, has_session, llm, serials, store: store_path(args.store)? })
    }

    /// What is examined at a NATS server.
    fn plan(&self, choice: HostsChoice) -> color_eyre::Result<HostsPlan> {
        let way = way(&choice)?;
        way.check().map_err(|error| Usage::new(error.to_string()))?;
        let HostsChoice { pool, hosts, .. } = choice;
        Ok(HostsPlan {
            way,
            choice: Choice { pool, hosts },
            app: self.definition.app.clone(),
            serials: self.serials.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    fn is_meant(&self, serial: &str) -> bool {
        self.serials.is_empty() || self.serials.iter().any(|named| is_called(serial, named))
    }
}

async fn examine(patient: &Patient) -> color_eyre::Result<DoctorView> {
    let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    // First, before anything is written to the terminal.
    let terminal = examine_terminal(&cockpit::options()?).await;
    let terms = SimTerms { steady: false, defects: "none".into() };
    let mut checks = match source(&patient.definition, &terms)? {
        bring_up::Devices::Adb => examine_devices(&[Server::from_env()], patient).await,
        bring_up::Devices::Hosts(choice) => {
            examine_hosts(&patient.plan(*choice)?, &patient.definition.lab).await
        }
        devices => {
            let (servers, _sim) = bring_up::make(devices).await?;
            let servers: Vec<_> = servers.into_iter().map(Ok).collect();
            examine_devices(&servers, patient).await
        }
    };
    let store = patient.store.clone();
    checks.extend(tokio::task::spawn_blocking(move || examine_store(&store)).await?);
    checks.extend(terminal);
    checks.push(examine_the_model(patient).await);
    let of_apk = patient.definition.lab.kind == LabKind::Apk;
    let network = patient.definition.lab.network;
    checks.extend(tokio::task::spawn_blocking(move || examine_framework(of_apk, network)).await?);
    Ok(DoctorView { at_ms: u64::try_from(at_ms).unwrap_or(u64::MAX), running: false, checks })
}

/// The servers and their devices; all devices at once, since that is how sessions use them.
async fn examine_devices(servers: &[Result<Server, DeviceError>], patient: &Patient) -> Vec<CheckView> {
    let (mut checks, listed) = examine_servers(servers, &programs().await).await;
    if !servers.iter().any(Result::is_ok) {
        return checks;
    }
    for serial in &patient.serials {
        if !listed.iter().any(|(_, entry)| is_called(&entry.name, serial)) {
            let subject = Subject::Device(serial.clone());
            let remedy = "connect it, or name another; `droidmux devices` lists those that are there";
            checks.push(CheckView::bad(&subject, "authorised", "the ADB server does not list it", remedy));
        }
    }
    let lab = &patient.definition.lab;
    let meant = listed.iter().filter(|(_, entry)| patient.is_meant(&entry.name));
    let examined = join_all(meant.map(|(server, entry)| async move {
        let device = AdbDevice::new(server.clone(), entry.name.as_str());
        take_and_examine(&device, &entry.state, lab).await
    }))
    .await;
    checks.extend(examined.into_iter().flatten());
    checks
}

async fn examine_the_model(patient: &Patient) -> CheckView {
    if patient.has_session && !uses(&patient.definition).models {
        let words = format!("a session of {} asks none", patient.definition.technique.name());
        return CheckView::skipped(&Subject::Model, "endpoint", words);
    }
    examine_model(&patient.llm, patient.has_session.then_some(&patient.definition)).await
}

/// The object that `droidmux doctor --json` prints
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct DoctorJson<'a> {
    /// When the examination began, in milliseconds since the Unix epoch.
    at_ms: u64,
    /// The worst of all checks; with `bad` the exit code is 1.
    verdict: VerdictJson,
    /// Subject by subject.
    checks: Vec<CheckJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "check", transform = remedied))]
struct CheckJson<'a> {
    #[cfg_attr(test, schemars(extend("enum" = ["adb", "device", "store", "terminal", "model", "framework", "nats", "host"])))]
    subject: &'static str,
    /// The serial, where the subject is a device.
    device: Option<&'a str>,
    /// The name, where the subject is a host.
    host: Option<&'a str>,
    #[cfg_attr(test, schemars(extend("enum" = CHECKS)))]
    check: &'a str,
    verdict: VerdictJson,
    /// What was seen.
    said: &'a str,
    /// What to do; empty when nothing need be done.
    remedy: &'a str,
    /// What was measured, in milliseconds.
    ms: Option<u64>,
}

/// good: as it should be. skipped: not looked at, `said` has why. doubtful: sessions run, but worse than they could. bad:
/// sessions fail.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "verdict"))]
enum VerdictJson {
    Good,
    Skipped,
    Doubtful,
    Bad,
}

/// What checks are called.
#[cfg(test)]
const CHECKS: &[&str] = &[
    "server",
    "program",
    "versions",
    "devices",
    "authorised",
    "API level",
    "display",
    "animations",
    "keyboard",
    "settings put",
    "input",
    "input tap",
    "pm clear",
    "am",
    "wm",
    "cmd",
    "screencap",
    "tools",
    "log",
    "agent",
    "dumps by uiautomator",
    "dumps by the agent",
    "text entry",
    "storage",
    "battery",
    "database",
    "room",
    "swift looks",
    "size",
    "colours",
    "signs",
    "pictures",
    "answers",
    "endpoint",
    "host",
    "confinement",
    "faults",
    "jetstream",
    "permissions",
    "hosts",
    "choice",
    "version",
    "sign of life",
    "requests",
    "policy",
];

/// Where something is wrong, there is a remedy.
#[cfg(test)]
fn remedied(schema: &mut schemars::Schema) {
    let wrong = serde_json::json!([{
        "if": { "properties": { "verdict": { "enum": ["doubtful", "bad"] } } },
        "then": { "properties": { "remedy": { "minLength": 1 } } },
    }]);
    schema.insert("allOf".into(), wrong);
}

impl<'a> DoctorJson<'a> {
    fn of(view: &'a DoctorView) -> Self {
        let check = |check: &'a CheckView| CheckJson {
            subject: check.subject.kind(),
            device: match &check.subject {
                Subject::Device(serial) => Some(serial),
                _ => None,
            },
            host: match &check.subject {
                Subject::Host(name) => Some(name),
                _ => None,
            },
            check: &check.name,
            verdict: VerdictJson::of(check.verdict),
            said: &check.said,
            remedy: &check.remedy,
            ms: check.ms,
        };
        Self {
            at_ms: view.at_ms,
            verdict: VerdictJson::of(view.worst()),
            checks: view.checks.iter().map(check).collect(),
        }
    }
}

impl VerdictJson {
    fn of(verdict: CheckVerdict) -> Self {
        match verdict {
            CheckVerdict::Good => Self::Good,
            CheckVerdict::Skipped => Self::Skipped,
            CheckVerdict::Doubtful => Self::Doubtful,
            CheckVerdict::Bad => Self::Bad,
        }
    }
}

/// A paragraph for each subject, with each remedy below the problem it fixes.
fn to_text(view: &DoctorView) -> String {
    let mut text = String::new();
    let width = view.checks.iter().map(|check| check.name.width()).max().unwrap_or(0);
    let indent = " ".repeat(2 + 8 + 2 + width + 2);
    let mut subject = None;
    for check in &view.checks {
        if subject != Some(&check.subject) {
            let gap = if subject.is_some() { "\n" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}{}", printable(&check.subject.heading()));
            subject = Some(&check.subject);
        }
        let took = match check.ms {
            Some(ms) if !check.said.contains(" ms") => format!(" ({ms} ms)"),
            _ => String::new(),
        };
        let said = format!("{}{took}", printable(&check.said));
        let (verdict, name) = (check.verdict.name(), &check.name);
        let pad = " ".repeat(width.saturating_sub(name.width()));
        let _ = writeln!(text, "  {verdict:<8}  {name}{pad}  {}", folded(&said, &indent));
        if !check.remedy.is_empty() {
            let _ = writeln!(text, "{indent}→ {}", folded(&printable(&check.remedy), &format!("{indent}  ")));
        }
    }
    let count = |verdict| view.count(verdict);
    let _ = writeln!(
        text,
        "\n{} good, {} doubtful, {} bad, {} skipped",
        count(CheckVerdict::Good),
        count(CheckVerdict::Doubtful),
        count(CheckVerdict::Bad),
        count(CheckVerdict::Skipped)
    );
    text
}

/// A text over several lines, with all but the first one indented.
fn folded(text: &str, indent: &str) -> String {
    let room = WIDTH.saturating_sub(indent.width()).max(30);
    let (mut folded, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        if used > 0 && used + 1 + word.width() > room {
            folded.push('\n');
            folded.push_str(indent);
            used = 0;
        } else if used > 0 {
            folded.push(' ');
            used += 1;
        }
        folded.push_str(word);
        used += word.width();
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> DoctorView {
        let device = Subject::Device("sim\u{1b}-1".into());
        let checks = vec![
            CheckView::good(&Subject::Adb, "server", "127.0.0.1:5037 answers").took(3),
            CheckView::skipped(&Subject::Adb, "program", "no adb on the PATH"),
            CheckView::good(&device, "dumps by uiautomator", "812 ms, the median of three").took(812),
            CheckView::bad(
                &device,
                "storage",
                "12 MiB free on /data; sessions want 100 MiB",
                "uninstall something, or lower `[lab] min-space` in the session file, or take another device for it",
            ),
        ];
        DoctorView { at_ms: 7, running: false, checks }
    }

    #[test]
    fn the_text_says_what_to_do() {
        let expected = "\
ADB
  good      server                127.0.0.1:5037 answers (3 ms)
  skipped   program               no adb on the PATH

device sim␛-1
  good      dumps by uiautomator  812 ms, the median of three
  bad       storage               12 MiB free on /data; sessions want 100 MiB
                                  → uninstall something, or lower `[lab] min-space` in the session
                                    file, or take another device for it

2 good, 0 doubtful, 1 bad, 1 skipped
";
        assert_eq!(to_text(&view()), expected);
    }

    #[test]
    fn the_object_names_the_worst() {
        let view = view();
        let object = serde_json::json!(DoctorJson::of(&view));
        assert_eq!(object["verdict"], "bad");
        assert_eq!(object["checks"][2]["device"], "sim\u{1b}-1");
        assert_eq!(object["checks"][2]["ms"], 812);
        assert_eq!(object["checks"][0]["device"], serde_json::Value::Null);
    }
}
