//! The oracle: whether what a reader suspects shows again.
//!
//! In: runs of tests that lead to a suspected screen. Out: a violation where the screen after the last event is as the
//! test's check says. No word of a model is needed for it, and none is asked for.

use std::sync::Arc;

use super::evidence::{holds, lines};
use crate::Oracle;
use crate::fidelity::{fidelity, shortfall};
use droidmux_account::{NoPixels, StepTold, TestTold, Veil, tell};
use droidmux_record::{
    Broken, Evidence, Fidelity, IgnoreRule, JobRun, Judgement, Layouts, Outcome, Role, ScreenCheck,
    SessionDefinition, Slot, Suspected, Verdict, Work,
};

/// The name that its verdicts bear.
pub const ORACLE: &str = crate::tier::READER;

/// Judges the tests of suspicions, whatever session they are run in.
pub struct ReaderOracle {
    ignored: Vec<IgnoreRule>,
}

/// The most characters of a title.
const LONGEST_TITLE: usize = 240;

impl ReaderOracle {
    /// For jobs of this session.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self { ignored: definition.ignore.clone() }
    }
}

impl Oracle for ReaderOracle {
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let Work::Batch(batch) = &run.job.work else { return Judgement::default() };
        if !batch.tests.iter().any(|test| matches!(test.role, Role::Suspected(_))) {
            return Judgement::default();
        }
        let mut veil = Veil { ignored: self.ignored.clone(), ..Veil::default() };
        let told = tell(run, layouts, &mut veil, &NoPixels);
        let mut verdicts = Vec::new();
        for (trace, told) in run.traces().iter().zip(&told) {
            let Some(test) = batch.tests.get(usize::from(trace.test)) else { continue };
            let Role::Suspected(suspected) = &test.role else { continue };
            let verdict = |outcome| Verdict {
                fidelity: fidelity(trace),
                ..Verdict::new(run.job.slot, trace.test, ORACLE, outcome)
            };
            verdicts.push(match shortfall(trace, test.events.len()) {
                Some(short) => verdict(Outcome::Inconclusive(short.to_string())),
                None => match shown(suspected, told) {
                    Some(turns) => match violation(run, run.job.slot, trace.test, suspected, turns) {
                        Some(violation) => Verdict { fidelity: fidelity(trace), ..violation },
                        None => continue,
                    },
                    None => verdict(Outcome::Pass),
                },
            });
        }
        Judgement { verdicts, ..Judgement::default() }
    }
}

/// The turns of the first event that a suspicion needs and of the last one, if the screen after that is as its check
/// says.
fn shown(suspected: &Suspected, told: &TestTold) -> Option<(u32, u32)> {
    let after = |events: u16| told.steps.get(usize::from(events));
    let screen = |step: &StepTold| step.screen.as_ref().map(Arc::clone);
    let last = told.steps.last()?;
    let earlier = match &suspected.check {
        ScreenCheck::Same { after: events } => Some(lines(&*screen(after(*events)?)?)),
        _ => None,
    };
    holds(&suspected.check, &lines(&*screen(last)?), earlier.as_deref()).then(|| {
        let first = suspected.needed.first().and_then(|event| after(event.saturating_add(1)));
        (first.map_or(last.turn, |first| first.turn), last.turn)
    })
}

/// A suspicion as a verdict on the turns of a job at which it shows; `None` where these have no screens.
pub fn violation(
    run: &JobRun,
    slot: Slot,
    test: u16,
    suspected: &Suspected,
    turns: (u32, u32),
) -> Option<Verdict> {
    let layout = |turn: u32| {
        let turn = usize::try_from(turn).ok().and_then(|turn| run.turns.get(turn))?;
        Some(turn.observation.seen()?.screen.layout)
    };
    let last = layout(turns.1)?;
    let evidence = Broken {
        relation: ORACLE.to_owned(),
        expected: suspected.expected.clone(),
        found: format!("{} ({})", suspected.shown, suspected.check.words()),
        turns,
        layouts: (layout(turns.0).unwrap_or(last), last),
        widgets: (Vec::new(), Vec::new()),
        claim: None,
        slight: false,
    };
    Some(Verdict {
        key: suspected.key.clone(),
        title: title(suspected),
        fidelity: Fidelity::NOT_RUN,
        evidence: Evidence::Broken(Box::new(evidence)),
        harm: suspected.harm,
        ..Verdict::new(slot, test, ORACLE, Outcome::Violation)
    })
}

/// What was done, what came of it, and what should have.
fn title(suspected: &Suspected) -> String {
    let Suspected { done, shown, expected, .. } = suspected;
    let words = [done, shown].map(|words| words.trim_end_matches('.')).join(": ");
    let title = format!("{words}; expected: {}", expected.trim_end_matches('.'));
    if title.chars().count() <= LONGEST_TITLE {
        return title;
    }
    title.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}
