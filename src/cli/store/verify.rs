//! `store verify`.

use std::fmt::Write;

use serde::Serialize;

use crate::output::json_line;
use droidmux_lab::{RederiveReport, rederive};
use droidmux_store::{Problem, Store, VerifyReport};
use droidmux_technique as technique;
use droidmux_words::{figure::count, printable};

/// `droidmux store verify --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-verify"))]
pub(crate) struct VerifyJson {
    /// Nothing is wrong, nor came out differently.
    clean: bool,
    verify: VerifyReport,
    /// With `--rederive`.
    rederive: Option<RederiveReport>,
}

/// The report, and whether everything is in order.
pub(super) fn verify(store: &Store, again: bool, json: bool) -> color_eyre::Result<(String, bool)> {
    let checked = store.verify()?;
    let make =
        |record: &droidmux_record::SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let derived = if again { Some(rederive(store, &make)?) } else { None };
    let clean = checked.is_clean() && derived.as_ref().is_none_or(RederiveReport::is_clean);
    let text = match json {
        true => json_line(&VerifyJson { clean, verify: checked, rederive: derived }),
        false => verify_in_words(&checked, derived.as_ref()),
    };
    Ok((text, clean))
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
        result(checked),
    );
    text += &listed(&checked.problems);
    if !checked.untold.is_empty() {
        text += "what the store cannot tell:\n";
        text += &listed(&checked.untold);
    }
    if let Some(derived) = derived {
        let _ = writeln!(
            text,
            "derived {} jobs and {} turns of {} attempts again: {}",
            derived.jobs,
            derived.turns,
            derived.attempts,
            counted(&derived.problems, derived.more).unwrap_or_else(|| "clean".to_owned()),
        );
        text += &listed(&derived.problems);
        for Problem { at, what } in &derived.skipped {
            let _ = writeln!(text, "  skipped {}: {}", printable(at), printable(what));
        }
    }
    text
}

fn result(checked: &VerifyReport) -> String {
    counted(&checked.problems, checked.more).unwrap_or_else(|| match checked.untold.is_empty() {
        true => "clean".to_owned(),
        false => "clean as far as it can tell".to_owned(),
    })
}

/// `None` when there is no problem.
fn counted(problems: &[Problem], more: u64) -> Option<String> {
    let all = problems.len() as u64 + more;
    (all > 0).then(|| count(all, "problem"))
}

fn listed(problems: &[Problem]) -> String {
    let lines =
        problems.iter().map(|Problem { at, what }| format!("  {}: {}\n", printable(at), printable(what)));
    lines.collect()
}
