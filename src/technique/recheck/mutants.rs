//! Traces that can be read as mutants although no planner meant them as such.
//!
//! A trace is read as the mutant of a test when it is that test with up to `insert-events` events in one place, the
//! test ran at least twice on equivalent devices (so that what is volatile is known), and the first of the events
//! between acts on an inactive view of the pivot, as Genie's insertions do. Whether the way back was found is for the
//! oracle to say. A violation is not taken if a lack of independence speaks against it: nobody looked for a trace that
//! is independent.

use std::sync::Arc;

use super::medley::{Part, medley};
use super::tracks::{Track, Tracks};
use super::{Recorded, Said};
use crate::effects::GenieOracle;
use crate::genie::active::{Acted, ActiveViews};
use crate::{GenieSettings, Oracle};
use droidmux_gui::{Groups, Layout};
use droidmux_record::{Insertion, JobRun, Layouts, Objection, Outcome, Role, Seen, TracePlace, Verdict};

/// Readings of one session that are judged.
const MOST: usize = 5_000;

/// Runs of a test that a mutant is held against.
const SEEDS: usize = 3;

/// What rules a reading out as a mutant.
const DEPENDENT: [&str; 2] = ["not-independent", "coarse-state"];

pub(super) fn judge(recorded: &Recorded<'_>, oracle: &GenieOracle, said: &mut Said) {
    let tracks = Tracks::of(recorded, false, said);
    let groups = tracks.groups();
    let longest = recorded.definition.settings.of::<GenieSettings>().insert_events as usize;
    let mut left = MOST;
    for track in tracks.iter() {
        for (seeds, before, length) in tracks.readings(track, longest, &groups) {
            if left == 0 {
                said.unjudged("more traces can be read as mutants than are judged");
                return;
            }
            left -= 1;
            let seeds: Vec<&Track> = seeds.iter().filter_map(|&n| tracks.get(n)).take(SEEDS).collect();
            match read(recorded, oracle, track, &seeds, (before, length)) {
                Err(why) => said.unjudged(why),
                Ok(None) => said.judged += 1,
                Ok(Some(verdict)) => {
                    let (session, slot, test) = (recorded.session, track.slot, track.test);
                    let places = vec![TracePlace { session, slot, test, step: None }];
                    said.violation(Objection { verdict: Verdict { slot, test, ..verdict }, places });
                }
            }
        }
    }
}

/// The violation of a trace read as a mutant, if it is one; or why it cannot be judged.
fn read(
    recorded: &Recorded<'_>,
    oracle: &GenieOracle,
    track: &Track,
    seeds: &[&Track],
    (before, length): (usize, usize),
) -> Result<Option<Verdict>, &'static str> {
    let unread = "the job cannot be read";
    let run = recorded.runs.run(track.slot).ok_or(unread)?;
    if !begins_independently(recorded, &run, track.test, before)? {
        return Err("a trace that could be a mutant begins with what is not independent");
    }
    let of_seeds: Option<Vec<JobRun>> = seeds.iter().map(|seed| recorded.runs.run(seed.slot)).collect();
    let of_seeds = of_seeds.ok_or(unread)?;
    let narrow = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let insertion = Insertion { pivot: narrow(before + 1), length: narrow(length) };
    let mut parts = vec![Part { run: &run, test: track.test, role: Role::Mutant(insertion) }];
    let runs = of_seeds.iter().zip(seeds);
    parts.extend(runs.map(|(run, seed)| Part { run, test: seed.test, role: Role::Seed }));
    let medley = medley(&parts).ok_or(unread)?;
    let verdicts = oracle.judge(&medley, recorded.layouts).verdicts;
    let verdict = verdicts.into_iter().next().ok_or(unread)?;
    match verdict.outcome {
        Outcome::Pass => Ok(None),
        Outcome::Inconclusive(_) => Err("a trace that could be a mutant does not come back to its pivot"),
        Outcome::Violation if verdict.hints.iter().any(|hint| DEPENDENT.contains(&&*hint.cause)) => {
            Err("a trace that could be a mutant does what is not independent")
        }
        Outcome::Violation => Ok(Some(verdict)),
    }
}

/// Whether the event after so many others acts on an inactive view, as the first of an inserted
/// trace must.
fn begins_independently(
    recorded: &Recorded<'_>,
    run: &JobRun,
    test: u16,
    before: usize,
) -> Result<bool, &'static str> {
    let traces = run.traces();
    let trace = traces.get(usize::from(test)).ok_or("the job cannot be read")?;
    let seen = trace.start.into_iter().chain(trace.steps.iter().filter_map(|step| step.after.ok()));
    let widgets = trace.steps.iter().map(|step| step.after.ok()?.resolution?.widget());
    let acted = seen.zip(widgets).take(before + 1).map(|(seen, receiver)| {
        let layout = layout(seen, recorded.layouts)?;
        Some(Acted { layout, activity: seen.screen.activity.clone(), receiver })
    });
    let mut acted = acted.collect::<Option<Vec<Acted>>>().ok_or("a layout is missing in the store")?;
    // What is active at the pivot is what was acted on before it.
    let Some(first) = acted.last_mut().and_then(|pivot| pivot.receiver.take()) else { return Ok(false) };
    let carry = recorded.definition.settings.of::<GenieSettings>().carry_ratio;
    let active = ActiveViews::of_test(&acted, carry);
    let (Some(pivot), Some(active)) = (acted.last(), active.last()) else { return Ok(false) };
    Ok(active.is_inactive(first, &Groups::of(&pivot.layout)))
}

fn layout(seen: &Seen, layouts: &dyn Layouts) -> Option<Arc<Layout>> {
    layouts.layout(seen.screen.layout)
}
