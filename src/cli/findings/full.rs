//! A finding in full, for a person.

use super::told::Told;
use crate::headless::shrunk_words;
use droidmux_gui::{Event, short_class, short_id};
use droidmux_record::{
    Act, Breach, Deviation, Evidence, Experiment, JobRun, Mismatch, Role, Shrunk, UnmatchedEffect,
    WidgetNote, Work,
};
use droidmux_words::printable;

/// Everything a person needs to understand a finding.
pub(super) fn in_words(told: &Told, run: Option<&JobRun>) -> String {
    let finding = &told.finding;
    let verdict = &finding.verdict;
    let c = &finding.confirmation;
    let mut lines = vec![
        told.line(),
        format!("  technique {}, oracle {}, app {}", finding.technique, verdict.oracle, finding.app),
        format!(
            "  seen {} times, first in {} test {}; replayed: {} shown, {} absent, {} unfaithful",
            finding.occurrences, verdict.slot, verdict.test, c.shown, c.absent, c.unfaithful
        ),
    ];
    lines.push(format!("  {}: {}", finding.tier.name(), printable(&finding.because)));
    lines.extend(verdict.experiments.iter().map(experiment_line));
    if !finding.is_representative() {
        lines.push(format!("  {} stands for it", finding.cluster));
    }
    lines.extend(told.others.iter().map(|(id, title)| format!("  stands for {id}: {}", printable(title))));
    if verdict.fidelity.events > 0 {
        lines.push(format!(
            "  the replay followed {} of {} events exactly, {} by likeness",
            verdict.fidelity.exact, verdict.fidelity.events, verdict.fidelity.similar
        ));
    }
    // A weighing performs nothing on the device that was assigned to it.
    let performed = run.filter(|run| run.events() > 0);
    lines.extend(performed.iter().map(|run| {
        format!("  on {} ({}), app version {}", run.device.serial, run.device.build, run.app.version_name)
    }));
    match &verdict.evidence {
        Evidence::Effects(effects) => {
            lines.push("  effects of the seed that the mutant lacks:".into());
            lines.extend(effects.iter().map(effect_line));
        }
        Evidence::Signal { turn, signal } => {
            lines.push(format!("  at turn {turn}: {}", printable(&signal.headline)));
            lines.extend(signal.stack.iter().map(|frame| format!("    {}", printable(frame))));
        }
        Evidence::Deviation(deviation) => lines.extend(deviation_lines(deviation)),
        Evidence::Breach(breach) => lines.extend(breach_lines(breach)),
        Evidence::Mistreated(mistreated) => {
            lines.push(format!("  {}:", mistreated.how.words()));
            lines.extend(mistreated.reasons().iter().map(|reason| format!("    {}", printable(reason))));
        }
        Evidence::Mismatch(mismatch) => lines.extend(mismatch_lines(mismatch)),
        Evidence::Broken(broken) => {
            lines.push(format!("  relation {}:", printable(&broken.relation)));
            lines.push(format!("    expected: {}", printable(&broken.expected)));
            lines.push(format!("    found: {}", printable(&broken.found)));
        }
        Evidence::None => {}
    }
    if !matches!(verdict.evidence, Evidence::Deviation(_)) {
        lines.extend(run.into_iter().flat_map(|run| events(run, verdict.test)));
    }
    for hint in &verdict.hints {
        lines.push(format!("  may be a false alarm, {}: {}", hint.cause, printable(&hint.detail)));
    }
    if !finding.note.is_empty() {
        lines.push(format!("  note: {}", printable(&finding.note)));
    }
    lines.push(format!("  replay it: droidmux replay {} --times 3", finding.id));
    match &told.shrunk {
        Some(shrunk) => lines.extend(shrunk_lines(shrunk)),
        None => lines.push(format!("  shrink it: droidmux shrink {}", finding.id)),
    }
    lines.join("\n") + "\n"
}

/// What was tried, the result, and where to look.
fn experiment_line(experiment: &Experiment) -> String {
    let places: Vec<String> =
        experiment.places.iter().map(|place| format!("{} turn {}", place.slot, place.turn)).collect();
    let places = if places.is_empty() { String::new() } else { format!(" (see {})", places.join(", ")) };
    let (tried, bearing) = (experiment.kind.words(), experiment.bearing.words());
    format!("    tried: {tried} — {bearing}: {}{places}", printable(&experiment.words))
}

/// The shorter recipe.
fn shrunk_lines(shrunk: &Shrunk) -> Vec<String> {
    let mut lines = vec![format!("  {}", shrunk_words(shrunk))];
    for test in shrunk.telling_tests() {
        lines.push(format!("  {}:", role(&test.role)));
        let inserted = inserted(&test.role);
        lines.extend((1..).zip(&test.events).map(|(number, event)| {
            event_line(if inserted.contains(&number) { '+' } else { ' ' }, number, event)
        }));
    }
    lines.push(format!("  replay that: droidmux replay {} --shrunk", shrunk.finding));
    lines
}

fn role(role: &Role) -> &'static str {
    match role {
        Role::Seed => "its events",
        Role::Mutant(_) => "its events (+ inserted)",
        Role::Usual(_) => "its usual input",
        Role::Deviant(_) => "its deviant input",
        Role::Property(_) => "its functions and random events",
        Role::Valid => "the form with valid texts",
        Role::Unusual => "the form with the unusual text",
        Role::Forbidden => "the form with a text that it should refuse",
        Role::Toured(_) => "its function, and the way to it",
        Role::Suspected(_) => "its events",
    }
}

/// The numbers of a test's inserted events, from 1.
fn inserted(role: &Role) -> std::ops::Range<u16> {
    let insertion = role.insertion();
    insertion.map_or(0..0, |insertion| insertion.pivot..insertion.pivot.saturating_add(insertion.length))
}

/// What deviates from what, and the inputs of both.
fn deviation_lines(deviation: &Deviation) -> Vec<String> {
    let mut lines = vec!["  a behaviour that hardly ever shows:".to_owned()];
    lines.extend(deviation.reasons().iter().map(|reason| format!("    {}", printable(reason))));
    for (n, effect) in deviation.effects.iter().enumerate() {
        let whose = if deviation.is_surplus(n) { "only here" } else { "only usually" };
        lines.push(format!("    {whose}: {}", effect_words(effect)));
    }
    for (name, conduct) in [("usual", &deviation.usual), ("deviant", &deviation.deviant)] {
        let source = conduct.source;
        lines.push(format!(
            "  the {name} input, of {} {} test {} (layouts {} and {}):",
            source.session, source.slot, source.test, conduct.before.layout, conduct.after.layout
        ));
        lines.extend((1..).zip(&conduct.input).map(|(number, event)| event_line(' ', number, event)));
    }
    lines
}

/// The property, what was found instead, and the data model along the way.
fn breach_lines(breach: &Breach) -> Vec<String> {
    let model = |objects: &[String]| match objects {
        [] => "empty".to_owned(),
        objects => objects.iter().map(|object| format!("{object:?}")).collect::<Vec<_>>().join(", "),
    };
    let mut lines = vec![
        format!("  after `{}` ({} {}): {}", breach.dmf, breach.operation, breach.datatype, breach.condition),
        format!("    found: {}", breach.found),
        format!("    {} before: {}", breach.datatype, model(&breach.before)),
        format!("    {} after:  {}", breach.datatype, model(&breach.after)),
        "  functions carried out:".to_owned(),
    ];
    lines.extend(breach.calls.iter().map(|call| {
        let impacts = call.impacts.join(", ");
        format!("    from event {}: {} {impacts}", call.at, call.dmf).trim_end().to_owned()
    }));
    lines.iter().map(|line| printable(line).into_owned()).collect()
}

/// What the Detector objects to, where it saw it, and its reasoning.
fn mismatch_lines(mismatch: &Mismatch) -> Vec<String> {
    let widget = match &mismatch.widget {
        Some(note) => widget(note),
        None => format!("{} (not found on the screen)", mismatch.named),
    };
    let mut lines = vec![
        format!("  the Detector, answered by {}, says of `{}`:", mismatch.answered_by, mismatch.function),
        format!("    {}", mismatch.reasoning),
        format!("    page: {}", mismatch.page),
        format!("    widget: {widget}"),
        format!("    triggered by: {}", mismatch.operation),
    ];
    for (name, path) in [("expected", &mismatch.expected), ("actual", &mismatch.actual)] {
        lines.push(format!("  the {name} path:"));
        lines.extend((1..).zip(path).map(|(number, step)| format!("    {number:>3}. {step}")));
    }
    lines.iter().map(|line| printable(line).into_owned()).collect()
}

fn effect_words(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after) {
        (Some(before), Some(after)) => format!("{} became {}", widget(before), widget(after)),
        (Some(before), None) => format!("{} went away", widget(before)),
        (None, Some(after)) => format!("{} appeared", widget(after)),
        (None, None) => "nothing".into(),
    }
}

fn effect_line(effect: &UnmatchedEffect) -> String {
    let (i, j) = effect.seed;
    let (mi, mj) = effect.mutant;
    let what = effect_words(effect);
    format!("    from layout {i} to {j} (mutant {mi} to {mj}): {what}")
}

fn widget(note: &WidgetNote) -> String {
    let (class, id) = (short_class(&note.class), short_id(&note.resource_id));
    let label = if note.text.is_empty() { &note.description } else { &note.text };
    printable(&format!("{class} {id} {label:?}")).into_owned()
}

/// The events of a test, those inserted into a mutant marked with `+`.
fn events(run: &JobRun, test: u16) -> Vec<String> {
    let marked = match &run.job.work {
        Work::Batch(batch) => batch.tests.get(usize::from(test)).map_or(0..0, |test| inserted(&test.role)),
        Work::Explore(_) | Work::Errand(_) => 0..0,
    };
    let Some(trace) = run.traces().into_iter().nth(test.into()) else { return Vec::new() };
    let steps = (1..).zip(trace.steps).filter_map(|(number, step)| {
        let Act::Perform(event) = &step.turn.act else { return None };
        let mark = if marked.contains(&number) { '+' } else { ' ' };
        Some(event_line(mark, number, event))
    });
    std::iter::once("  events (+ inserted):".to_owned()).chain(steps).collect()
}

fn event_line(mark: char, number: u16, event: &Event) -> String {
    let receiver = event.receiver.as_ref().map(|receiver| {
        let label = if receiver.text.is_empty() { &receiver.description } else { &receiver.text };
        let id = receiver.resource_id.rsplit_once(":id/").map_or("", |(_, id)| id);
        format!(" {id} {label:?}")
    });
    let data = event.data.as_ref().map(|data| format!(" ← {data:?}"));
    let line = format!(
        "  {mark} {number:>3}. {}{}{}",
        event.kind.name(),
        receiver.unwrap_or_default(),
        data.unwrap_or_default()
    );
    printable(&line).into_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use droidmux_proto::FindingDetail;
    use droidmux_testutils::fixtures::{FakeLab, breach, deviation, mismatch, mistreated};

    #[test]
    fn every_kind_of_evidence_is_told() {
        let lab = FakeLab::new(1);
        let cases: [(FindingDetail, &[&str]); 4] = [
            (
                deviation(&lab.layouts),
                &[
                    "technique odin",
                    "30 behaviours in 2 clusters of 29, 1",
                    "  reported: with another activity in its place the same picture is lost",
                    "    tried: own object? — says nothing: nothing before had changed the picture (see j12 turn 4)",
                    "    tried: on another object — speaks for a bug: ",
                    "  stands for s3-1a2b3c48: Deleting the picture of another day",
                ],
            ),
            (breach(&lab.layouts), &["technique pbfdroid", "old_entry is widget 12 of the layout"]),
            (
                mistreated(&lab.layouts),
                &[
                    "technique inputblaster, oracle inputblaster",
                    "  the text was accepted and is lost:",
                    "with \"Tea\" in the field \"Name\", the page reached shows \"Tea, just now\", twice",
                    "with \"Tea 🍵\\u{202e}\" in the field \"Name\", it shows \"Tea ?, just now\"",
                ],
            ),
            (
                mismatch(&lab.layouts),
                &[
                    "technique visiondroid, oracle visiondroid",
                    "answered by scripted-1 at localhost:8080, says of `delete the picture`:",
                    "    page: DiaryActivity",
                    "picture",
                    "    triggered by: long-click \"Picture of the activity\"",
                    "  the expected path:",
                    "      2. the picture of Cinema is gone",
                ],
            ),
        ];
        for (detail, expected) in cases {
            let run = detail.run;
            let (finding, shrunk) = (detail.finding, detail.shrunk);
            let told = Told { finding, shrunk, agrees: BTreeSet::new(), members: 0, others: detail.members };
            let words = in_words(&told, run.as_ref());
            for part in expected {
                assert!(words.contains(part), "{part} is not in\n{words}");
            }
        }
    }
}
