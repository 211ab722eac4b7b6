//! Opening the stepper on a finding of the store, or on any test of a session.

use crate::{AgainError, Recorded};
use droidmux_record::{
    Evidence, FindingId, JobRun, Outcome, SessionDefinition, SessionId, Slot, StepSettings, Verdict, Work,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::{recipe, stepper};

/// The session that steps through a finding: on the device with this serial, or on any; with the shorter tests that it
/// was shrunk to, if they are wanted and there.
///
/// # Errors
/// When nothing can be stepped through, or the store cannot be read.
pub fn open(
    store: &Store,
    id: &FindingId,
    serial: Option<&str>,
    shrunk: bool,
) -> Result<SessionDefinition, AgainError> {
    let Recorded { finding, definition, run, tests } = Recorded::read(store, id)?;
    let tests = match store.shrunk(id)?.filter(|_| shrunk) {
        Some(shrunk) => shrunk.tests,
        None => tests,
    };
    let mut runs = vec![run];
    runs.extend(behaviours(store, &finding.verdict)?);
    let step = stepper::opening(id, &finding.verdict, tests, &runs);
    let step = step.ok_or_else(|| AgainError::Nothing(id.clone()))?;
    Ok(led_by(definition, step, serial))
}

/// The session that steps through a test of another; if a finding was seen in that test, by this key or any, as a test
/// of that finding.
///
/// # Errors
/// When nothing can be stepped through, or the store cannot be read.
pub(super) fn open_test(
    store: &Store,
    session: SessionId,
    (slot, test): (Slot, u16),
    key: &str,
    serial: Option<&str>,
) -> Result<SessionDefinition, AgainError> {
    let name = test_name(slot, test);
    let record = store.session(session)?.ok_or(StoreError::NoSession(session))?;
    let technique = record.definition.technique.name();
    for verdict in store.judgement(session, slot)?.map(|judgement| judgement.verdicts).unwrap_or_default() {
        let meant = verdict.test == test && !verdict.key.is_empty() && (key.is_empty() || verdict.key == key);
        let finding = FindingId::of(session, technique, &verdict.key);
        let Some(known) = store.finding(&finding)?.filter(|_| meant) else { continue };
        if (known.verdict.slot, known.verdict.test) == (slot, test) {
            return open(store, &finding, serial, false);
        }
        return open_seen(store, &finding, &verdict, record.definition, serial);
    }
    let id = FindingId::of(session, technique, &name);
    let run = store.run(session, slot)?.ok_or_else(|| AgainError::Gone(id.clone()))?;
    let number = usize::from(test);
    let tests = match &run.job.work {
        Work::Batch(batch) => match batch.tests.get(number) {
            Some(mutant) if mutant.role.insertion().is_some() => batch.reduced_to(test),
            alone => alone.into_iter().cloned().collect(),
        },
        Work::Explore(_) | Work::Errand(_) => run.as_tests().into_iter().nth(number).into_iter().collect(),
    };
    // Without a violation, the name of the test takes the place of its key: no oracle ever says it.
    let unsaid = Verdict { key: name, ..Verdict::new(slot, test, "", Outcome::Pass) };
    let step = stepper::opening(&id, &unsaid, tests, &[run]);
    let step = step.ok_or(AgainError::Nothing(id))?;
    Ok(led_by(record.definition, step, serial))
}

/// The session that steps through one of the other tests in which a finding was seen.
fn open_seen(
    store: &Store,
    id: &FindingId,
    verdict: &Verdict,
    definition: SessionDefinition,
    serial: Option<&str>,
) -> Result<SessionDefinition, AgainError> {
    let run = store.run(id.session, verdict.slot)?.ok_or_else(|| AgainError::Gone(id.clone()))?;
    let tests = recipe(&run, verdict);
    let mut runs = vec![run];
    runs.extend(behaviours(store, verdict)?);
    let step = stepper::opening(id, verdict, tests, &runs);
    let step = step.ok_or_else(|| AgainError::Nothing(id.clone()))?;
    Ok(led_by(definition, step, serial))
}

/// `j12/3`, as verdicts are listed.
fn test_name(slot: Slot, test: u16) -> String {
    format!("{slot}/{test}")
}

/// The test that such a name is of.
pub(super) fn named_test(name: &str) -> Option<(Slot, u16)> {
    let (slot, test) = name.strip_prefix('j')?.split_once('/')?;
    Some((Slot(slot.parse().ok()?), test.parse().ok()?))
}

/// A session on one device that leads this test.
fn led_by(definition: SessionDefinition, step: StepSettings, serial: Option<&str>) -> SessionDefinition {
    let mut definition = SessionDefinition { replay: None, shrink: None, step: Some(step), ..definition };
    definition.lab.devices = 1;
    definition.lab.serials = serial.map(str::to_owned).into_iter().collect();
    definition
}

/// The jobs in which two deviating behaviours were recorded; a weighing performs nothing itself.
pub(super) fn behaviours(store: &Store, verdict: &Verdict) -> Result<Vec<JobRun>, StoreError> {
    let Evidence::Deviation(deviation) = &verdict.evidence else { return Ok(Vec::new()) };
    let sources = [&deviation.usual.source, &deviation.deviant.source];
    let runs = sources.into_iter().map(|source| store.run(source.session, source.slot));
    runs.filter_map(Result::transpose).collect()
}
