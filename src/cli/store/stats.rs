//! `store stats`.

use std::fmt::Write;

use serde::Serialize;

use crate::output::json_line;
use crate::sizes::bytes;
use droidmux_store::{SizeAlarm, Store, StoreStats};
use droidmux_words::printable;

/// `droidmux store stats --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-stats"))]
pub(crate) struct StatsJson {
    #[serde(flatten)]
    stats: StoreStats,
    /// The store is larger than `store-alarm` allows.
    alarm: Option<SizeAlarm>,
}

/// The figures, and a warning when the store is larger than `limit` bytes.
pub(super) fn stats(store: &Store, limit: Option<u64>, json: bool) -> color_eyre::Result<String> {
    let stats = store.stats()?;
    let alarm = match limit {
        Some(limit) => store.size_alarm(limit)?,
        None => None,
    };
    if !json {
        let warning = alarm.map(|alarm| format!("warning: {alarm}\n")).unwrap_or_default();
        return Ok(stats_in_words(&stats) + &warning);
    }
    Ok(json_line(&StatsJson { stats, alarm }))
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
