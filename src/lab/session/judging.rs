//! Judging a finished run.

use std::sync::Arc;

use super::blocking;
use crate::lab::LabError;
use crate::lab::worker::Site;
use crate::record::{JobRun, Judgement, Outcome, Purpose, Work};
use crate::store::Finished;
use crate::technique;

pub(super) struct Judged {
    pub(super) run: Arc<JobRun>,
    pub(super) judgement: Arc<Judgement>,
}

/// Stores the run as finished, has it judged off the async workers and stores the judgement.
pub(super) async fn judge(site: Site, run: Box<JobRun>) -> Result<Judged, LabError> {
    let (session, slot, run) = (site.session, run.job.slot, Arc::new(*run));
    let finished = Finished { slot, attempt: run.attempt, device: run.device.clone(), app: run.app.clone() };
    site.keep(move |store| store.finish_job(session, &finished)).await?;
    let (store, definition, judged) = (site.store.clone(), site.definition.clone(), run.clone());
    let judgement = blocking(move || -> Result<Judgement, LabError> {
        // A replay is judged with the masks of the session its finding is from.
        let masked = definition.replay.as_ref().map_or(session, |replay| replay.finding.session);
        let edits = store.mask_edits(masked)?;
        Ok(technique::judge(&judged, &definition, &edits, &store))
    })
    .await??;
    let judgement = Arc::new(judgement);
    let stored = judgement.clone();
    site.keep(move |store| store.put_judgement(session, slot, &stored)).await?;
    site.hub.judged(session, slot, judgement.verdicts.len());
    Ok(Judged { run, judgement })
}

/// True when absorbing this may have changed the findings.
pub(super) fn touches_findings(run: &JobRun, judgement: &Judgement) -> bool {
    let replay =
        matches!(&run.job.work, Work::Batch(batch) if !matches!(batch.purpose, Purpose::Mutants { .. }));
    replay || judgement.verdicts.iter().any(|verdict| verdict.outcome == Outcome::Violation)
}
