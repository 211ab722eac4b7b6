//! `droidmux bench soak`: many slow devices for a long time.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::Usage;
use crate::output::{json_line, print};
use crate::ready::ReadySession;
use crate::runtime::runtime;
use crate::signals::stop_on_signals;
use droidmux_bench::soak::{self, SoakOptions};
use droidmux_file::Temporary;

/// What the sessions do: each technique that needs nothing but the app.
const SESSIONS: [&str; 4] = ["diary-genie", "notes-monkey", "notes-genie", "notes-odin"];

#[derive(Debug, Args)]
pub(super) struct SoakArgs {
    /// Simulated devices
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=64))]
    devices: u16,
    /// How long to measure, after ten seconds of warming up
    #[arg(long, value_name = "N", default_value_t = 5.0)]
    minutes: f64,
    /// How slow the devices are, as `droidmux sim --latency` takes it
    #[arg(long, value_name = "HOW", default_value = "input=50,dump=200,launch=200,clear=100,png=200,raw=50")]
    latency: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SoakArgs) -> color_eyre::Result<ExitCode> {
    let duration = Duration::try_from_secs_f64(args.minutes * 60.0)
        .map_err(|error| Usage::new(format!("--minutes: {error}")))?;
    let mut sessions = Vec::new();
    for name in SESSIONS {
        sessions.push(ReadySession::find(name)?.definition()?);
    }
    let folder = Temporary::new("soak")?;
    let soaked = runtime()?.block_on(async {
        soak::soak(SoakOptions {
            devices: args.devices,
            duration,
            latency: args.latency.clone(),
            sessions,
            program: std::env::current_exe().unwrap_or_else(|_| "droidmux".into()),
            folder: folder.path().to_owned(),
            stop: stop_on_signals(),
        })
        .await
    });
    let soaked = soaked?;
    print(&if args.json { json_line(&serde_json::to_value(&soaked)?) } else { soak::words(&soaked) })?;
    Ok(ExitCode::SUCCESS)
}
