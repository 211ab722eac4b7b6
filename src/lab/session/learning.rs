//! What a session's confirmed findings teach: examples for language models, asked in sessions on
//! other apps.
//!
//! Invariant: no session is told what it learnt itself, nor what another run of it learnt, since examples of the app
//! under test are never looked up. So the same session run twice on one store comes out the same, and one that is
//! resumed learns nothing twice: examples that say the same are stored once.

use super::{Session, blocking};
use crate::LabError;
use droidmux_llm::library::complaint;
use droidmux_record::{Example, FindingId};
use droidmux_store::{Store, StoreError};
use droidmux_technique::lesson;

impl Session {
    /// Stores the examples of these findings as far as they are believed; the findings are in the store.
    pub(super) async fn learn(&self, findings: Vec<FindingId>) -> Result<(), LabError> {
        let store = self.site.store.clone();
        let read = move || findings.iter().filter_map(|id| learnt(&store, id).transpose()).collect();
        let learnt: Vec<Example> = blocking::<Result<_, StoreError>>(read).await??;
        if learnt.is_empty() {
            return Ok(());
        }
        let source = self.site.session.to_string();
        for example in &learnt {
            let (id, from) = (example.id(), example.from());
            self.site.hub.info(&source, &format!("example {id} holds what {from} teaches"));
        }
        self.site.keep(move |store| store.put_examples(&learnt).map(|_| ())).await
    }
}

/// What a finding teaches: nothing while nobody believes it, if its test typed no open text, or if that is too long to
/// be shown.
fn learnt(store: &Store, id: &FindingId) -> Result<Option<Example>, StoreError> {
    let Some(finding) = store.finding(id)?.filter(|finding| finding.is_believed()) else { return Ok(None) };
    let Some(run) = store.run(id.session, finding.verdict.slot)? else { return Ok(None) };
    Ok(lesson(&finding, &run, store).filter(|example| complaint(example).is_none()))
}
