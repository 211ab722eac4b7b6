//! `droidmux lab status`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use color_eyre::eyre::eyre;
use serde_json::json;

use super::way::{LabAddress, endpoint, hello, is_absent};
use crate::exit;
use crate::output::{json_line, print};
use crate::runtime::runtime;
use droidmux_proto::greeting::{Purpose, Welcome, greet};
use droidmux_proto::{DeviceHealth, LabView, SessionState};
use droidmux_words::printable;

const WITHIN: Duration = Duration::from_secs(10);

/// Reports what the server does; exit code 3 when none is running.
pub(super) fn run(store: Option<PathBuf>, json: bool) -> color_eyre::Result<ExitCode> {
    let known = runtime()?.block_on(async { tokio::time::timeout(WITHIN, ask(store)).await });
    let known = known.map_err(|_| eyre!("the lab server does not answer; its log says why"))??;
    let Some((welcome, view)) = known else {
        print(if json { "{\"runs\":false}\n" } else { "no lab server runs here\n" })?;
        return Ok(ExitCode::from(exit::ENVIRONMENT));
    };
    print(&if json { in_json(&welcome, &view) } else { in_words(&welcome, &view) })?;
    Ok(ExitCode::SUCCESS)
}

async fn ask(store: Option<PathBuf>) -> color_eyre::Result<Option<(Welcome, LabView)>> {
    let mut stream = match endpoint(store.clone())?.connect().await {
        Ok(stream) => stream,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let welcome = greet(&mut stream, &hello(Purpose::Ask)).await?;
    drop(stream);
    let view = super::listing::first_view(&LabAddress::Here, store).await?;
    Ok(Some((welcome, view)))
}

fn in_json(welcome: &Welcome, view: &LabView) -> String {
    let running = running(view);
    let usable = usable(view);
    let line = json!({
        "runs": true,
        "process": welcome.process,
        "droidmux": welcome.droidmux,
        "lab": welcome.lab,
        "store": welcome.store,
        "since_ms": welcome.since_ms,
        "viewers": welcome.viewers,
        "devices": view.devices.len(),
        "usable": usable,
        "sessions": view.sessions.len(),
        "running": running,
        "findings": view.findings,
        "alarms": view.log_alarms,
    });
    json_line(&line)
}

fn in_words(welcome: &Welcome, view: &LabView) -> String {
    let since = jiff::Timestamp::from_millisecond(i64::try_from(welcome.since_ms).unwrap_or(i64::MAX))
        .map(|at| at.to_zoned(jiff::tz::TimeZone::system()).strftime("%F %T").to_string())
        .unwrap_or_default();
    format!(
        "lab server of {}: process {}, droidmux {}, since {since}\n  store     {}\n  devices   {} of {} usable\n  \
         sessions  {} running of {}\n  findings  {}\n  alarms    {} warnings and errors since it began\n",
        printable(&welcome.lab),
        welcome.process,
        welcome.droidmux,
        welcome.store,
        usable(view),
        view.devices.len(),
        running(view),
        view.sessions.len(),
        view.findings.words(),
        view.log_alarms,
    )
}

fn running(view: &LabView) -> usize {
    view.sessions.iter().filter(|session| session.state == SessionState::Running).count()
}

fn usable(view: &LabView) -> usize {
    let usable = |health: &DeviceHealth| matches!(health, DeviceHealth::Idle | DeviceHealth::Busy);
    view.devices.iter().filter(|device| usable(&device.health)).count()
}
