//! Which oracles agree with a finding.
//!
//! An oracle agrees when it objects to the same test of the same job as the finding, and, where both
//! are about one step, to the same step. Genie's word is about a whole test; a crash, a deviation and
//! an inconsistent effect are about a step.

use std::collections::BTreeSet;

use droidmux_record::{Act, Evidence, Finding, JobRun, Objection, SessionId, Source, TracePlace, Verdict};

/// The place a verdict is about. `run` is its job, needed for the step of a crash, of a violated
/// property and of a function gone wrong.
pub fn place_of(session: SessionId, verdict: &Verdict, run: Option<&JobRun>) -> TracePlace {
    let whole = TracePlace { session, slot: verdict.slot, test: verdict.test, step: None };
    match &verdict.evidence {
        Evidence::Signal { turn, .. } => TracePlace { step: run.map(|run| step_of(run, *turn)), ..whole },
        Evidence::Breach(breach) => TracePlace { step: run.map(|run| step_of(run, breach.turn)), ..whole },
        Evidence::Mistreated(shown) => TracePlace { step: run.map(|run| step_of(run, shown.turn)), ..whole },
        Evidence::Mismatch(it) => TracePlace { step: run.map(|run| step_of(run, it.turn)), ..whole },
        Evidence::Broken(it) => TracePlace { step: run.map(|run| step_of(run, it.turns.1)), ..whole },
        Evidence::Deviation(deviation) => at(session, deviation.deviant.source),
        Evidence::Effects(_) | Evidence::None => whole,
    }
}

/// All places a finding is about: where it was seen, and the step its evidence is from. `run` is the
/// job of its verdict.
pub fn finding_places(finding: &Finding, run: Option<&JobRun>) -> Vec<TracePlace> {
    let session = finding.id.session;
    let shown = place_of(session, &finding.verdict, run);
    match &finding.verdict.evidence {
        // Seen in weighings, which are not traces; and at other steps of other jobs.
        Evidence::Deviation(_)
        | Evidence::Signal { .. }
        | Evidence::Breach(_)
        | Evidence::Mistreated(_)
        | Evidence::Mismatch(_)
        | Evidence::Broken(_) => {
            vec![shown]
        }
        Evidence::Effects(_) | Evidence::None => {
            let seen = finding.seen.iter();
            let places = seen.map(|&(slot, test)| TracePlace { session, slot, test, step: None });
            let places: BTreeSet<TracePlace> = places.chain([shown]).collect();
            places.into_iter().collect()
        }
    }
}

/// The oracles, besides the finding's own, that object to one of these places of it; sorted.
pub fn agreeing<'o>(
    finding: &Finding,
    places: &[TracePlace],
    objections: impl IntoIterator<Item = &'o Objection>,
) -> BTreeSet<String> {
    let meets = |objection: &&Objection| {
        objection.places.iter().any(|other| places.iter().any(|place| place.meets(other)))
    };
    let others = objections.into_iter().filter(|o| o.verdict.oracle != finding.verdict.oracle);
    others.filter(meets).map(|objection| objection.verdict.oracle.clone()).collect()
}

/// A recorded step; a replay names no session, because it is its own.
pub(super) fn at(own: SessionId, source: Source) -> TracePlace {
    let session = if source.session == SessionId(0) { own } else { source.session };
    TracePlace { session, slot: source.slot, test: source.test, step: Some(source.step) }
}

/// The number of a turn among the steps of its test, from 1; 0 for the reset.
fn step_of(run: &JobRun, turn: u32) -> u16 {
    let before = run.turns.iter().take(turn as usize + 1).rev();
    let steps = before.take_while(|turn| turn.act != Act::Reset);
    u16::try_from(steps.filter(|turn| matches!(turn.act, Act::Perform(_))).count()).unwrap_or(u16::MAX)
}
