//! `droidmux store`: figures, checks, removal of sessions.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use super::caller::Caller;
use super::{Usage, exit};
use crate::gui::printable;
use crate::lab::{RederiveReport, rederive};
use crate::record::SessionId;
use crate::store::{Problem, Removed, Store, StoreError, StoreStats, VerifyReport};
use crate::technique;

#[derive(Debug, Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
    /// One JSON object
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Say what the store holds and how much room it takes
    Stats,
    /// Check that everything can be read and every reference resolves; exits 1 if not
    Verify {
        /// Plan and drive every stored session again and compare jobs and acts
        #[arg(long)]
        rederive: bool,
    },
    /// Remove sessions with everything only they refer to
    Remove {
        #[arg(required = true, value_name = "SESSION")]
        sessions: Vec<SessionId>,
    },
}

pub(super) fn run(args: StoreArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let (text, clean) = match args.command {
        StoreCommand::Stats => {
            let stats = store.stats()?;
            (if args.json { line(&json!(stats)) } else { stats_in_words(&stats) }, true)
        }
        StoreCommand::Verify { rederive } => verify(&store, rederive, args.json)?,
        StoreCommand::Remove { sessions } => (remove(&store, &sessions, args.json)?, true),
    };
    caller.print(&text)?;
    Ok(if clean { exit::OK } else { exit::FOUND })
}

fn verify(store: &Store, again: bool, json: bool) -> color_eyre::Result<(String, bool)> {
    let checked = store.verify()?;
    let make =
        |record: &crate::record::SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let derived = if again { Some(rederive(store, &make)?) } else { None };
    let clean = checked.is_clean() && derived.as_ref().is_none_or(RederiveReport::is_clean);
    let text = match json {
        true => line(&json!({ "clean": clean, "verify": checked, "rederive": derived })),
        false => verify_in_words(&checked, derived.as_ref()),
    };
    Ok((text, clean))
}

fn remove(store: &Store, sessions: &[SessionId], json: bool) -> color_eyre::Result<String> {
    let mut text = String::new();
    for id in sessions {
        let removed = store.remove_session(*id).map_err(|error| match error {
            StoreError::NoSession(_) | StoreError::Needed { .. } => {
                color_eyre::Report::new(Usage(error.to_string()))
            }
            error => error.into(),
        })?;
        text += &match json {
            true => line(&json!({ "session": id.to_string(), "removed": removed })),
            false => removed_in_words(*id, &removed),
        };
    }
    Ok(text)
}

fn line(value: &serde_json::Value) -> String {
    format!("{value}\n")
}

fn stats_in_words(stats: &StoreStats) -> String {
    let mut text = format!(
        "{} (format {})\n  database     {}\n  layouts      {} in {}\n  screenshots  {} in {}\n  ballast      {}\n  disk         {} free\n",
        stats.folder.display(),
        stats.format,
        bytes(stats.database),
        stats.layouts.count,
        bytes(stats.layouts.bytes),
        stats.screenshots.count,
        bytes(stats.screenshots.bytes),
        bytes(stats.ballast),
        bytes(stats.free),
    );
    for session in &stats.sessions {
        let ending = session.ending.as_deref().unwrap_or("not ended");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:<5} {} {}: {} jobs, {} finished, {} turns, {} judgements, {} findings; {}",
            session.id,
            session.technique,
            printable(&session.app),
            session.jobs,
            session.runs,
            session.turns,
            session.judgements,
            session.findings,
            printable(ending),
        );
    }
    text
}

fn verify_in_words(checked: &VerifyReport, derived: Option<&RederiveReport>) -> String {
    let mut text = format!(
        "checked {} sessions, {} jobs, {} finished runs, {} turns, {} judgements, {} findings, {} layouts, {} screenshots: {}\n",
        checked.sessions,
        checked.jobs,
        checked.runs,
        checked.turns,
        checked.judgements,
        checked.findings,
        checked.layouts,
        checked.screenshots,
        result(&checked.problems, checked.more),
    );
    text += &listed(&checked.problems);
    if let Some(derived) = derived {
        let _ = writeln!(
            text,
            "derived {} jobs and {} turns of {} attempts again: {}",
            derived.jobs,
            derived.turns,
            derived.attempts,
            result(&derived.problems, derived.more),
        );
        text += &listed(&derived.problems);
        for Problem { at, what } in &derived.skipped {
            let _ = writeln!(text, "  skipped {}: {}", printable(at), printable(what));
        }
    }
    text
}

fn result(problems: &[Problem], more: u64) -> String {
    match problems.len() as u64 + more {
        0 => "clean".to_owned(),
        1 => "1 problem".to_owned(),
        count => format!("{count} problems"),
    }
}

fn listed(problems: &[Problem]) -> String {
    let lines =
        problems.iter().map(|Problem { at, what }| format!("  {}: {}\n", printable(at), printable(what)));
    lines.collect()
}

fn removed_in_words(id: SessionId, removed: &Removed) -> String {
    let given_back = match removed.compacted {
        true => "",
        false => {
            "; there was no room to give the space back to the disk, it is used for what is recorded next"
        }
    };
    format!(
        "{id}: removed {} values, {} layouts, {} screenshots{given_back}\n",
        removed.values, removed.layouts, removed.screenshots
    )
}

/// `3.2 MiB`
fn bytes(count: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = count as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{size:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_easily() {
        let cases =
            [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (5 << 20, "5.0 MiB"), (3 << 29, "1.5 GiB")];
        for (count, expected) in cases {
            assert_eq!(bytes(count), expected);
        }
    }
}
