//! `droidmux replay`: a finding's tests again, on whatever device is there.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Args;

use super::bring_up::store_path;
use super::run::{RunOptions, View, run_definition};
use super::{Usage, findings};
use crate::record::{FindingId, ReplaySettings};
use crate::store::{Store, StoreOptions};
use crate::technique::recipe;

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The finding, e.g. s7-1a2b3c4d
    finding: FindingId,
    /// How often
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    times: u32,
    /// JSON Lines
    #[arg(long)]
    json: bool,
    /// Watch it in the cockpit
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    #[command(flatten)]
    options: RunOptions,
}

pub fn run(args: ReplayArgs) -> color_eyre::Result<ExitCode> {
    let definition = {
        let store = Store::open(&store_path(args.options.store())?, StoreOptions::default())?;
        let finding = findings::find(&store, &args.finding)?;
        let session = store.session(finding.id.session)?;
        let run = store.run(finding.id.session, finding.verdict.slot)?;
        let (Some(session), Some(run)) = (session, run) else {
            return Err(Usage(format!("the trace of {} is no longer in the store", args.finding)).into());
        };
        let mut definition = session.definition;
        let tests = recipe(&run, &finding.verdict);
        let key = finding.verdict.key;
        definition.replay = Some(ReplaySettings { finding: args.finding, key, times: args.times, tests });
        definition
    };
    let view = match (args.json, args.watch && io::stdout().is_terminal()) {
        (true, _) => View::Json,
        (false, true) => View::Cockpit,
        (false, false) => View::Headless,
    };
    run_definition(definition, &args.options, view)
}
