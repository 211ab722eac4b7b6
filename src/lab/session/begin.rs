//! Beginning a new session.

use super::past::Past;
use super::{Session, SessionEvent, SessionOptions, blocking, first_view, planner_panicked};
use crate::desk::Desk;
use crate::journal::now_ms;
use crate::panics::guarded;
use crate::{Craft, Gate, Lab, LabError, inputs};
use droidmux_proto::SessionView;
use droidmux_record::{SessionDefinition, SessionId, SessionRecord, Slot, Spent};
use droidmux_technique::{Plan, complete};

/// No limit on events is higher.
const MOST_EVENTS: u64 = 1 << 40;

impl Session {
    /// Stores a new session and has its planner take in what it builds on.
    pub(super) async fn begin(
        lab: &Lab,
        mut definition: SessionDefinition,
        mut options: SessionOptions,
    ) -> Result<Self, LabError> {
        complete(&mut definition);
        options.agree_on_time(&mut definition.run);
        let desk = Desk::open(lab, &definition, Spent::default(), false).await?;
        let (id, record) = create(lab, definition, &options).await?;
        let (past, view) = match first(lab, id, &record).await {
            Ok(first) => first,
            Err(error) => {
                let (lab, ending) = (lab.clone(), Some(error.to_string()));
                let record = SessionRecord { ended_ms: Some(now_ms()), ending, ..record };
                blocking(move || lab.keep_end(id, &record)).await??;
                return Err(error);
            }
        };
        let gate = Gate::new(options.stop.child_token());
        lab.hub.session_began(view, gate.clone());
        if record.definition.step.is_some() {
            lab.hub.stands.open(id, Vec::new());
        }
        let session = Self::assemble(lab, id, record, options, past, gate, desk);
        session.tell(SessionEvent::Began(id)).await;
        Ok(session)
    }
}

/// The planner of a new session, with what it builds on taken in, and how that is shown.
async fn first(lab: &Lab, id: SessionId, record: &SessionRecord) -> Result<(Past, SessionView), LabError> {
    let (store, craft, record) = (lab.store.clone(), lab.craft.clone(), record.clone());
    let made = move || {
        let mut planner = craft.planner(&record.definition, id, record.rng);
        inputs::take_in(&mut *planner, &record.inputs, &store)?;
        let view = first_view(id, &record.definition, record.rng, planner.progress());
        Ok((Past::none(&record.definition, planner), view))
    };
    blocking(move || guarded(made).map_err(planner_panicked)?).await?
}

/// Stores a new session.
async fn create(
    lab: &Lab,
    definition: SessionDefinition,
    options: &SessionOptions,
) -> Result<(SessionId, SessionRecord), LabError> {
    let inputs = inputs::find(lab, &definition).await?;
    let (craft, asked, rng, alone) = (lab.craft.clone(), definition.clone(), options.rng, inputs.is_empty());
    let version = blocking(move || {
        guarded(|| {
            let version = craft.planner(&asked, SessionId(0), rng).version();
            // What a planner can do with traces of others shows only when it has them.
            let least = if alone { least_events(&*craft, &asked, rng) } else { None };
            (version, least)
        })
        .map_err(planner_panicked)
    });
    let (version, least) = version.await??;
    if let Some(least) = least {
        return Err(LabError::TooFewEvents { given: definition.run.max_events, least });
    }
    let begun = SessionRecord::begun(definition, options.rng, version, now_ms());
    let record = SessionRecord { inputs, terms: options.terms(), ..begun };
    let (store, stored) = (lab.store.clone(), record.clone());
    let id = blocking(move || store.create_session(&stored)).await??;
    Ok((id, record))
}

/// The lowest limit on events under which a session plans anything, if its own is too low for that.
fn least_events(craft: &dyn Craft, definition: &SessionDefinition, rng: u64) -> Option<u64> {
    let plans = |max_events: u64| {
        let mut definition = definition.clone();
        definition.run.max_events = max_events;
        matches!(craft.planner(&definition, SessionId(0), rng).plan(Slot(0)), Plan::Job(_))
    };
    let mut low = definition.run.max_events;
    let mut high = low.max(1);
    if plans(low) {
        return None;
    }
    while !plans(high) {
        // Beyond `MOST_EVENTS`, it is not for want of events that nothing is planned.
        (low, high) = (high, high.checked_mul(2).filter(|high| *high <= MOST_EVENTS)?);
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if plans(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
