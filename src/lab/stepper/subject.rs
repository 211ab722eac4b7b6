//! What a stepped test is about: a finding is seen in many tests, and people open the one that they mean.
//!
//! In: the settings of a stepping. Out: the verdict on the led test, and what viewers open it again by. None of this is
//! stored: a test's events tell which of the recorded ones it is.

use crate::stepper::opening::named_test;
use droidmux_proto::StepSubject;
use droidmux_record::{Finding, StepSettings, Verdict};
use droidmux_store::{Store, StoreError};
use droidmux_technique::recipe;

/// The verdict on the led test: one of those that make up the finding. It is that of the finding itself if the tests
/// are those that show it, or were made of them.
pub(super) fn verdict(
    store: &Store,
    finding: &Finding,
    settings: &StepSettings,
) -> Result<Verdict, StoreError> {
    let session = finding.id.session;
    let own = &finding.verdict;
    let shorter = store.shrunk(&finding.id)?.is_some_and(|shrunk| shrunk.tests == settings.tests);
    let first = if shorter { None } else { store.run(session, own.slot)? };
    let Some(first) = first.filter(|run| recipe(run, own) != settings.tests) else { return Ok(own.clone()) };
    let mut run = first;
    for (slot, test) in finding.seen.iter().copied() {
        let judgement = store.judgement(session, slot)?;
        let Some(said) = judgement
            .as_ref()
            .and_then(|judgement| judgement.violations_of(&own.key).find(|verdict| verdict.test == test))
        else {
            continue;
        };
        if run.job.slot != slot {
            match store.run(session, slot)? {
                Some(other) => run = other,
                None => continue,
            }
        }
        if recipe(&run, said) == settings.tests {
            return Ok(said.clone());
        }
    }
    Ok(own.clone())
}

/// What opens the led test again. `said` is the verdict on it.
pub(super) fn subject(
    settings: &StepSettings,
    finding: Option<&Finding>,
    said: Option<&Verdict>,
) -> StepSubject {
    let session = settings.finding.session;
    match (finding, said) {
        (Some(finding), Some(said))
            if (said.slot, said.test) != (finding.verdict.slot, finding.verdict.test) =>
        {
            StepSubject::Test { session, slot: said.slot, test: said.test, key: said.key.clone() }
        }
        (Some(finding), _) => StepSubject::Finding(finding.id.clone()),
        (None, _) => match named_test(&settings.key) {
            Some((slot, test)) => StepSubject::Test { session, slot, test, key: String::new() },
            None => StepSubject::Finding(settings.finding.clone()),
        },
    }
}

/// What people call it.
pub(super) fn name(settings: &StepSettings, finding: Option<&Finding>, subject: &StepSubject) -> String {
    match (finding, subject) {
        (Some(finding), StepSubject::Test { slot, test, .. }) => format!("{} in {slot}/{test}", finding.id),
        (Some(finding), StepSubject::Finding(_)) => finding.id.to_string(),
        (None, _) => {
            format!("{} of {}", settings.key.lines().next().unwrap_or_default(), settings.finding.session)
        }
    }
}
