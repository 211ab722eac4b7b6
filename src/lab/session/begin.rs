//! Beginning a new session.

use super::past::Past;
use super::{Session, SessionEvent, SessionOptions, blocking, first_view};
use crate::lab::desk::Desk;
use crate::lab::journal::now_ms;
use crate::lab::{Gate, Lab, LabError, inputs};
use crate::record::{SessionDefinition, SessionId, SessionRecord, Spent};
use crate::technique;

impl Session {
    /// Stores a new session and has its planner take in what it builds on.
    pub(super) async fn begin(
        lab: &Lab,
        definition: SessionDefinition,
        options: SessionOptions,
    ) -> Result<Self, LabError> {
        let desk = Desk::open(lab, &definition, Spent::default(), false).await?;
        let (id, record) = create(lab, definition, &options).await?;
        let gate = Gate::new(options.stop.child_token());
        let past = {
            let (store, record) = (lab.store.clone(), record.clone());
            blocking(move || {
                let mut planner = technique::planner(&record.definition, id, record.rng);
                inputs::take_in(&mut *planner, &record.inputs, &store)?;
                Ok::<_, LabError>(Past::none(&record.definition, planner))
            })
            .await??
        };
        let view = first_view(id, &record.definition, record.rng, past.planner.progress());
        lab.hub.session_began(view, gate.clone());
        let session = Self::assemble(lab, id, record, options, past, gate, desk);
        session.tell(SessionEvent::Began(id)).await;
        Ok(session)
    }
}

/// Stores a new session.
async fn create(
    lab: &Lab,
    definition: SessionDefinition,
    options: &SessionOptions,
) -> Result<(SessionId, SessionRecord), LabError> {
    let version = technique::planner(&definition, SessionId(0), options.rng).version();
    let inputs = inputs::find(lab, &definition).await?;
    let begun = SessionRecord::begun(definition, options.rng, version, now_ms());
    let record = SessionRecord { inputs, terms: options.terms(), ..begun };
    let (store, stored) = (lab.store.clone(), record.clone());
    let id = blocking(move || store.create_session(&stored)).await??;
    Ok((id, record))
}
