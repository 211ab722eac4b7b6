//! What a check found, as text.

use std::fmt::Write as _;

use super::checked::{Checked, insertion};
use super::effects;
use droidmux_gui::{short_class, short_id};
use droidmux_import::Recorded;
use droidmux_lab::triage;
use droidmux_record::{Act, Broken, Evidence, Outcome, TierCounts, Verdict};
use droidmux_words::{figure::count, printable};

/// The most lines of one kind; what is left out is counted.
const LINES: usize = 20;

pub(super) fn of(checked: &Checked) -> String {
    let mut out = String::new();
    push_reading(checked, &mut out);
    for (recorded, verdict) in checked.verdicts() {
        out.push('\n');
        push_verdict(recorded, verdict, &mut out);
    }
    if checked.recording.comparisons().next().is_none() {
        let _ = writeln!(out, "\nno seed test with a mutant in it: nothing to compare");
    }
    push_findings(checked, &mut out);
    out
}

fn push_reading(checked: &Checked, out: &mut String) {
    let recording = &checked.recording;
    let counts = recording.counts;
    let app = if recording.app.is_empty() { "unknown" } else { &recording.app };
    let _ = writeln!(out, "app     {}", printable(app));
    let _ = writeln!(
        out,
        "read    {} states ({} different layouts), {} events",
        counts.states, counts.layouts, counts.events
    );
    if counts.degraded > 0 {
        let _ = writeln!(out, "DEGRADED {} of the states: part of the screen is not seen", counts.degraded);
    }
    let _ = writeln!(out, "traces  {} with {} steps", counts.traces, counts.steps);
    let (states, transitions) = (checked.model.state_count(), checked.model.transition_count());
    let _ = writeln!(out, "model   {states} states, {transitions} transitions");
    push_some(out, "remark  ", recording.remarks.iter().map(|remark| printable(remark).into_owned()));
    push_some(
        out,
        "masked  ",
        checked.masks.iter().map(|edit| {
            let (class, id) = (short_class(&edit.mask.class), short_id(&edit.mask.resource_id));
            let name = if id.is_empty() { class.to_owned() } else { format!("{class} #{id}") };
            printable(&format!("{name} {:?}", edit.mask.example.0)).into_owned()
        }),
    );
    push_some(
        out,
        "warning ",
        checked.idle_rules.iter().map(|rule| {
            printable(&format!("this --ignore matches no widget of the recording: {rule:?}")).into_owned()
        }),
    );
}

fn push_some(out: &mut String, head: &str, lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(LINES);
    for line in lines.take(LINES) {
        let _ = writeln!(out, "{head}{line}");
    }
    if more > 0 {
        let _ = writeln!(out, "{head}… and {more} more (--json shows all)");
    }
}

fn push_verdict(recorded: &Recorded, verdict: &Verdict, out: &mut String) {
    let name = printable(&recorded.name).into_owned();
    let outcome = match &verdict.outcome {
        Outcome::Pass => "pass".to_owned(),
        Outcome::Violation => "VIOLATION".to_owned(),
        Outcome::Inconclusive(why) => format!("inconclusive: {}", printable(why)),
    };
    let _ = writeln!(out, "{name}: {outcome} ({})", verdict.oracle);
    if let Some(at) = insertion(recorded, verdict) {
        let (length, pivot) = (at.length, at.pivot);
        let _ = writeln!(out, "  {} inserted before event {pivot} of the seed", count(length, "event"));
    }
    if verdict.outcome == Outcome::Violation {
        let _ = writeln!(out, "  {}", printable(&verdict.title));
        match &verdict.evidence {
            Evidence::Broken(broken) => push_broken(recorded, broken, out),
            Evidence::Signal { signal, .. } => {
                let _ = writeln!(out, "  {}", printable(&signal.headline));
            }
            _ => push_effects(verdict, out),
        }
    }
    for hint in &verdict.hints {
        let _ = writeln!(out, "  hint: {}: {}", hint.cause, printable(&hint.detail));
    }
    push_published(recorded, verdict, out);
}

fn push_effects(verdict: &Verdict, out: &mut String) {
    let groups = effects::groups(verdict);
    let all: usize = groups.iter().map(|group| group.pairs.len()).sum();
    let _ = writeln!(out, "  {all} effects of the seed are missing, {} different:", groups.len());
    for group in groups.iter().take(LINES) {
        let pairs: Vec<String> = group.pairs.iter().take(3).map(|(i, j)| format!("l{i}→l{j}")).collect();
        let more = if group.pairs.len() > 3 {
            format!(" and {} more", group.pairs.len() - 3)
        } else {
            String::new()
        };
        let _ = writeln!(out, "    {}  {}{more}", effects::line(group.first), pairs.join(" "));
    }
    if groups.len() > LINES {
        let _ = writeln!(out, "    … and {} more (--json shows all)", groups.len() - LINES);
    }
}

/// What was expected and found, and on which screens of its trace, counting from 1.
fn push_broken(recorded: &Recorded, broken: &Broken, out: &mut String) {
    let (earlier, later) = (screen(recorded, broken.turns.0), screen(recorded, broken.turns.1));
    let _ = writeln!(out, "  expected: {}", printable(&broken.expected));
    let _ = writeln!(out, "  found: {}", printable(&broken.found));
    let _ = writeln!(out, "  relation {}, screens {earlier} and {later}", broken.relation);
}

/// The number of a turn's screen in its trace, from 1.
fn screen(recorded: &Recorded, turn: u32) -> usize {
    let until = recorded.run.turns.iter().take(turn as usize + 1).rev();
    until.take_while(|turn| turn.act != Act::Reset).count() + 1
}

fn push_published(recorded: &Recorded, verdict: &Verdict, out: &mut String) {
    let Some(published) = &recorded.published else { return };
    let word = if published.semantic { "violation" } else { "no violation" };
    let (theirs, common) = (published.effects.len(), published.in_common(effects::effects(verdict)));
    let _ = writeln!(
        out,
        "  the recording itself says: {word}, {theirs} effects missing; {common} of them are above"
    );
}

/// The findings that stand for themselves, tier by tier.
fn push_findings(checked: &Checked, out: &mut String) {
    let findings = &checked.findings;
    let _ = writeln!(out, "\n{}: {}", count(findings.len(), "finding"), TierCounts::of(findings).words());
    let members = triage::members(findings);
    let stands = findings.iter().zip(members).filter(|(finding, _)| finding.is_representative());
    let stands: Vec<_> = stands.collect();
    for (finding, members) in stands.iter().take(LINES) {
        let (title, tier) = (printable(&finding.verdict.title), finding.tier.name());
        let times = count(finding.occurrences, "time");
        let more = if *members == 0 { String::new() } else { format!(", {members} more like it") };
        let _ = writeln!(out, "{:>3}. {tier:<10}  {title}  (seen {times}{more})", finding.rank);
        let _ = writeln!(out, "     {}", printable(&finding.because));
    }
    if stands.len() > LINES {
        let _ = writeln!(out, "     … and {} more (--json shows all)", stands.len() - LINES);
    }
}
