//! `store gc`: removes old sessions.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use serde::Serialize;

use super::refusal::usage;
use super::remove;
use crate::Usage;
use crate::caller::Caller;
use crate::output::json_line;
use crate::sizes::{bytes, parse_age, parse_bytes};
use droidmux_record::SessionId;
use droidmux_store::{GcPlan, GcRules, GcSession, Removed, Store};
use droidmux_words::printable;

#[derive(Debug, Args)]
pub(super) struct GcArgs {
    /// Sessions that are to go whatever their age
    #[arg(value_name = "SESSION")]
    sessions: Vec<SessionId>,
    /// Sessions that ended longer ago than this, such as 30d or 12h
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older_than: Option<Duration>,
    /// The oldest sessions, until the store is no larger than this, such as 20GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    keep_below: Option<u64>,
    /// Also sessions that have not ended
    #[arg(long)]
    unended: bool,
    /// Also sessions with findings marked true
    #[arg(long)]
    marked: bool,
    /// With a session those that build on it
    #[arg(long)]
    dependents: bool,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
}

/// `droidmux store gc --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-gc"))]
pub(crate) struct GcJson {
    dry_run: bool,
    plan: GcPlan,
    /// Null when nothing went.
    removed: Option<Removed>,
    /// Bytes of the store now; null when nothing went.
    size: Option<u64>,
}

pub(super) fn gc(store: &Store, args: &GcArgs, caller: &Caller, json: bool) -> color_eyre::Result<String> {
    if args.sessions.is_empty() && args.older_than.is_none() && args.keep_below.is_none() {
        let what = "say what is to go: sessions, --older-than AGE or --keep-below SIZE";
        return Err(Usage::new(what).into());
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let before = |age: Duration| u64::try_from(now.saturating_sub(age).as_millis()).unwrap_or(u64::MAX);
    let running = store.sessions()?.into_iter().map(|(id, _)| id).filter(|id| caller.is_running(*id));
    let rules = GcRules {
        running: running.collect(),
        sessions: args.sessions.iter().copied().collect(),
        ended_before_ms: args.older_than.map(before),
        keep_below: args.keep_below,
        unended: args.unended,
        marked: args.marked,
        dependents: args.dependents,
    };
    let plan = store.plan_gc(&rules).map_err(usage)?;
    let removed = match plan.go.is_empty() || args.dry_run {
        true => None,
        false => {
            let removed = store.remove_sessions(&plan.ids()).map_err(usage)?;
            caller.removed(&plan.ids());
            Some(removed)
        }
    };
    let size = if removed.is_some() { Some(store.size()?.total()) } else { None };
    if json {
        return Ok(json_line(&GcJson { dry_run: args.dry_run, plan, removed, size }));
    }
    let mut text = in_words(&plan, args.dry_run);
    // Writing to a string cannot fail.
    if let Some(removed) = &removed {
        let _ = write!(text, "{}", remove::amounts(removed));
    }
    if let Some(size) = size {
        let _ = writeln!(text, "the store has {} now", bytes(size));
        if let Some(limit) = args.keep_below.filter(|limit| size > *limit) {
            let _ = writeln!(text, "warning: that is more than {}", bytes(limit));
        }
    }
    Ok(text)
}

fn in_words(plan: &GcPlan, dry_run: bool) -> String {
    let goes = if dry_run { "would go" } else { "goes" };
    let mut text = String::new();
    for GcSession { id, technique, app, findings, bytes: size, ended_ms, .. } in &plan.go {
        let note = if ended_ms.is_none() { ", not ended" } else { "" };
        let _ = writeln!(
            text,
            "{id} {goes}: {technique} {}, {findings} findings, about {}{note}",
            printable(app),
            bytes(*size)
        );
    }
    for (id, why) in &plan.stay {
        let _ = writeln!(text, "{id} stays: {}", printable(why));
    }
    if plan.go.is_empty() {
        text += "nothing goes\n";
    } else if dry_run {
        let _ = writeln!(text, "{} now, about {} afterwards", bytes(plan.size), bytes(plan.size_after));
    }
    text
}
