//! Judging a finished run.

use std::sync::Arc;

use super::blocking;
use crate::LabError;
use crate::panics::guarded;
use crate::worker::Site;
use droidmux_record::{JobRun, Judgement, MaskEdit, Outcome, SessionDefinition, SessionId, Verdict, Work};
use droidmux_store::{Finished, Store, StoreError};
use droidmux_technique::{CrashOracle, Oracle};

pub(super) struct Judged {
    pub(super) run: Arc<JobRun>,
    pub(super) judgement: Arc<Judgement>,
}

/// Stores the run as finished, has it judged off the async workers and stores the judgement.
pub(super) async fn judge(site: Site, run: Box<JobRun>) -> Result<Judged, LabError> {
    let (session, slot, run) = (site.session, run.job.slot, Arc::new(*run));
    let finished = Finished { slot, attempt: run.attempt, device: run.device.clone(), app: run.app.clone() };
    site.keep(move |store| store.finish_job(session, &finished)).await?;
    let (its_site, judged) = (site.clone(), run.clone());
    let judgement = blocking(move || ask(&its_site, &judged)).await??;
    let judgement = Arc::new(judgement);
    let stored = judgement.clone();
    site.keep(move |store| store.put_judgement(session, slot, &stored)).await?;
    site.hub.judged(session, slot, judgement.verdicts.len());
    Ok(Judged { run, judgement })
}

/// Asks the oracles; a run that makes one panic cannot be judged, and is not looked at twice.
fn ask(site: &Site, run: &JobRun) -> Result<Judgement, StoreError> {
    let (store, definition) = (&site.store, &*site.definition);
    let edits = mask_edits(store, site.session, definition)?;
    let what = match guarded(|| site.craft.judge(run, definition, &edits, store)) {
        Ok(judgement) => return Ok(judgement),
        Err(what) => what,
    };
    let why = format!("the oracle panicked: {what}; this is a bug in droidmux");
    site.hub.error(&site.session.to_string(), &format!("{} of {}: {why}", run.job.work.name(), run.job.slot));
    let mut verdicts = vec![unjudged(run, definition, why)];
    // Crashes are told whatever becomes of the rest.
    verdicts.extend(guarded(|| CrashOracle.judge(run, store).verdicts).unwrap_or_default());
    Ok(Judgement { verdicts, ..Judgement::default() })
}

/// The verdict on a run that no oracle could judge.
fn unjudged(run: &JobRun, definition: &SessionDefinition, why: String) -> Verdict {
    let outcome = Outcome::Inconclusive(why.clone());
    Verdict { title: why, ..Verdict::new(run.job.slot, 0, definition.technique.name(), outcome) }
}

/// True when absorbing this may have changed the findings: what a reader or a reviewer says may, too.
pub(super) fn touches_findings(run: &JobRun, judgement: &Judgement) -> bool {
    // What is tried on a finding may explain it by showing nothing.
    matches!(&run.job.work, Work::Batch(batch) if batch.purpose.follows_a_finding())
        || run.job.work.only_asks()
        || judgement.verdicts.iter().any(|verdict| verdict.outcome == Outcome::Violation)
}

/// People's changes to the masks that hold for a session: its own, and for a replay those of the
/// session its finding is from.
fn mask_edits(
    store: &Store,
    session: SessionId,
    definition: &SessionDefinition,
) -> Result<Vec<MaskEdit>, StoreError> {
    store.mask_edits(definition.replayed().map_or(session, |finding| finding.session))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{Batch, ExperimentKind, FindingId, Mask, Purpose, ReplaySettings, SessionRecord};
    use droidmux_store::StoreOptions;
    use droidmux_testutils::script::Script;

    /// None of these shows a violation.
    #[test]
    fn what_is_run_because_of_a_finding_may_change_it_by_showing_nothing() {
        let finding = || FindingId { session: SessionId(1), key: 7 };
        for (purpose, touches) in [
            (Purpose::Examine { finding: finding(), kind: ExperimentKind::Pause }, true),
            (Purpose::Confirm { finding: finding(), round: 0 }, true),
            (Purpose::Shrink { finding: finding(), round: 0 }, true),
            (Purpose::Mutants { seed: 0 }, false),
        ] {
            let mut run = Script::read("@ Main Notes\n").run;
            run.job.work = Work::Batch(Batch { purpose, tests: Vec::new() });
            assert_eq!(touches_findings(&run, &Judgement::default()), touches, "{:?}", run.job.work);
        }
    }

    #[test]
    fn a_replay_takes_the_masks_of_the_session_its_finding_is_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let store =
            Store::open(folder.path(), StoreOptions { min_free: 0, ballast: 0, ..StoreOptions::default() })
                .expect("a store");
        let definition: SessionDefinition =
            toml::from_str("technique = \"genie\"\napp = \"org.notes\"").expect("a session file");
        let record = SessionRecord::begun(definition.clone(), 1, 1, 0);
        let [first, second] = [(); 2].map(|()| store.create_session(&record).expect("a session"));
        let edit = |class: &str| {
            let none = String::new;
            let mask = Mask {
                activity: none(),
                class: class.to_owned(),
                resource_id: none(),
                description: none(),
                path: none(),
                example: Default::default(),
            };
            MaskEdit { mask, masked: true }
        };
        store.edit_mask(first, &edit("Clock")).expect("an edit");
        store.edit_mask(second, &edit("Banner")).expect("an edit");
        let finding = FindingId { session: first, key: 7 };
        let replay = ReplaySettings { finding, key: String::new(), times: 1, tests: Vec::new() };
        let replayed = SessionDefinition { replay: Some(replay), ..definition.clone() };
        assert_eq!(mask_edits(&store, second, &replayed).expect("edits"), [edit("Clock")]);
        assert_eq!(mask_edits(&store, second, &definition).expect("edits"), [edit("Banner")]);
    }
}
