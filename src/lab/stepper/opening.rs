//! Opening the stepper on a finding of the store.

use crate::record::{Evidence, Finding, FindingId, JobRun, SessionDefinition};
use crate::store::{Store, StoreError};
use crate::technique::{recipe, stepper};

/// A finding that can be stepped through, as the definition of a session.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The one whose test is led.
    pub finding: Finding,
    /// The session that leads it, on one device.
    pub definition: SessionDefinition,
}

/// The session that steps through a finding: on the device with this serial, or on any; the shorter tests that it was
/// shrunk to, where they are wanted and there. An error for a person where nothing can be stepped through.
///
/// # Errors
/// When the store cannot be read.
pub fn open(
    store: &Store,
    id: &FindingId,
    serial: Option<&str>,
    shrunk: bool,
) -> Result<Result<Opened, String>, StoreError> {
    let Some(finding) = store.findings(Some(id.session))?.into_iter().find(|finding| finding.id == *id)
    else {
        return Ok(Err(format!("there is no finding {id}")));
    };
    let session = store.session(id.session)?;
    let run = store.run(id.session, finding.verdict.slot)?;
    let (Some(session), Some(run)) = (session, run) else {
        return Ok(Err(format!("the trace of {id} is no longer in the store")));
    };
    let tests = match store.shrunk(id)?.filter(|_| shrunk) {
        Some(shrunk) => shrunk.tests,
        None => recipe(&run, &finding.verdict),
    };
    let mut runs = vec![run];
    runs.extend(behaviours(store, &finding)?);
    let Some(step) = stepper::opening(&finding, tests, &runs) else {
        return Ok(Err(format!("nothing is recorded that could show {id} again")));
    };
    let mut definition =
        SessionDefinition { replay: None, shrink: None, step: Some(step), ..session.definition };
    definition.lab.devices = 1;
    definition.lab.serials = serial.map(str::to_owned).into_iter().collect();
    Ok(Ok(Opened { finding, definition }))
}

/// The jobs in which two deviating behaviours were recorded; a weighing performs nothing itself.
fn behaviours(store: &Store, finding: &Finding) -> Result<Vec<JobRun>, StoreError> {
    let Evidence::Deviation(deviation) = &finding.verdict.evidence else { return Ok(Vec::new()) };
    let sources = [&deviation.usual.source, &deviation.deviant.source];
    let runs = sources.into_iter().map(|source| store.run(source.session, source.slot));
    runs.filter_map(Result::transpose).collect()
}
