//! `droidmux recheck`: today's rules, and other oracles, applied to what a session recorded, without a device.

mod moved;
mod report;
mod report_json;

#[cfg(test)]
pub(crate) use report_json::ReportJson;

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};

use super::caller::Caller;
use super::output::json_block;
use super::relations::{Relations, relations};
use super::{Usage, exit};
use droidmux_lab::StoredSession;
use droidmux_record::{RecheckOracle, SessionId};
use moved::Moved;
use report::Report;

#[derive(Debug, Args)]
pub struct RecheckArgs {
    /// The session whose traces are judged, e.g. s3
    session: SessionId,
    /// Have this oracle judge them, too; may be repeated
    #[arg(long, value_enum)]
    oracle: Vec<OracleName>,
    /// Relations that the oracle `relations` judges by: names with commas between them, or all
    #[arg(long, value_name = "NAMES", value_parser = relations, default_value = "all")]
    relations: Relations,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum OracleName {
    /// Mutants, and traces that can be read as such, against their seeds
    Genie,
    /// What hardly any input shows in a state on an event
    Odin,
    /// Crashes and ANRs
    Crash,
    /// Runs of the same events against each other
    Effects,
    /// Screens of one trace against each other
    Relations,
}

impl From<OracleName> for RecheckOracle {
    fn from(name: OracleName) -> Self {
        match name {
            OracleName::Genie => Self::Genie,
            OracleName::Odin => Self::Odin,
            OracleName::Crash => Self::Crash,
            OracleName::Effects => Self::Effects,
            OracleName::Relations => Self::Relations,
        }
    }
}

/// Puts the session's findings into the tiers of today's rules, has the oracles judge, stores both with the session,
/// and prints the results. Exit code 1 when a requested oracle objects to something worth a report; without an oracle,
/// when a finding is reported.
///
/// # Errors
///
/// `Usage` for a session that is not in the store.
pub(super) fn run(args: RecheckArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let id = args.session;
    let unknown = || Usage::no_session(id);
    let session = StoredSession::read(&store, id, |definition| args.relations.choose(definition))?;
    let session = session.ok_or_else(unknown)?;
    let (before, now) = session.retiered()?;
    let moved = Moved::between(&before, &now);
    store.put_findings(&now)?;
    let mut oracles = args.oracle;
    oracles.sort_unstable();
    oracles.dedup();
    for oracle in oracles.iter().copied() {
        let mut recheck = session.recheck(oracle.into())?;
        recheck.at_ms = now_ms();
        store.put_recheck(args.session, &recheck)?;
    }
    let oracles: Vec<RecheckOracle> = oracles.into_iter().map(RecheckOracle::from).collect();
    let report = Report::read(&store, args.session, &oracles)?;
    let found = if oracles.is_empty() { moved.has_reported() } else { report.has_reported() };
    caller.print(&match args.json {
        true => json_block(&report.json(&moved)),
        false => report.words() + &moved.words(args.session),
    })?;
    Ok(if found { exit::FOUND } else { exit::OK })
}

/// Milliseconds since the Unix epoch; 0 when the clock is set before it.
fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
