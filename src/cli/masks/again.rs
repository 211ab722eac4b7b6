//! The stored runs, judged again with the masks as they are now.

use serde::Serialize;

use droidmux_record::{Judgement, Outcome, SessionDefinition, SessionId, Slot, Verdict};
use droidmux_store::Store;
use droidmux_technique as technique;

/// What the masks change about the verdicts stored.
#[derive(Debug, Default, Serialize)]
pub(super) struct Again {
    /// The number of violations in the stored verdicts, and with the masks as they are now.
    pub(super) violations: u64,
    pub(super) now: u64,
    /// Stored violations that would no longer be violations.
    pub(super) gone: Vec<Case>,
    /// Violations that are not stored as such.
    pub(super) come: Vec<Case>,
}

/// A test and what is said about it.
#[derive(Debug, Serialize)]
pub(super) struct Case {
    pub(super) job: u64,
    pub(super) test: u16,
    pub(super) title: String,
}

/// Judges every finished job of the session again; stores nothing.
pub(super) fn judge(
    store: &Store,
    session: SessionId,
    definition: &SessionDefinition,
) -> color_eyre::Result<Again> {
    let edits = store.mask_edits(session)?;
    let mut again = Again::default();
    for run in store.runs(session) {
        let run = run?;
        let slot = run.job.slot;
        let Some(before) = store.judgement(session, slot)? else { continue };
        let now = technique::judge(&run, definition, &edits, store);
        again.violations += violations(&before).count() as u64;
        again.now += violations(&now).count() as u64;
        again.gone.extend(missing(slot, &before, &now));
        again.come.extend(missing(slot, &now, &before));
    }
    Ok(again)
}

fn violations(judgement: &Judgement) -> impl Iterator<Item = &Verdict> {
    judgement.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation)
}

/// The violations of one judgement that are not in the other.
fn missing(slot: Slot, of: &Judgement, other: &Judgement) -> Vec<Case> {
    let also =
        |verdict: &Verdict| violations(other).any(|v| (v.test, &v.oracle) == (verdict.test, &verdict.oracle));
    let missing = violations(of).filter(|verdict| !also(verdict));
    missing.map(|v| Case { job: slot.0, test: v.test, title: v.title.clone() }).collect()
}
