//! Going on with a session that was interrupted.

use std::time::Duration;

use super::past::{Past, Reading};
use super::{Session, SessionEvent, SessionOptions, blocking, first_view, planner_panicked};
use crate::desk::Desk;
use crate::exchange_view::recollect;
use crate::hub::Resumed;
use crate::journal::now_ms;
use crate::panics::guarded;
use crate::stepper::given;
use crate::viewer::steps;
use crate::{Gate, Lab, LabError};
use droidmux_proto::{SessionState, SessionView, StepView};
use droidmux_record::{Progress, Provider, Resumption, SessionId, SessionRecord, TierCounts};
use droidmux_store::{Store, StoreError};

/// Steps shown with a session.
const RECENT: u32 = 12;

impl Session {
    /// A session of the store, where it was interrupted.
    ///
    /// # Errors
    /// When there is none, when it is over or already running, and whatever [`Past::read`] says.
    pub(super) async fn resume(lab: &Lab, id: SessionId, options: SessionOptions) -> Result<Self, LabError> {
        let store = lab.store.clone();
        let record = blocking(move || store.session(id)).await??.ok_or(StoreError::NoSession(id))?;
        if record.over {
            let ending = record.ending.unwrap_or_default();
            return Err(LabError::Over { session: id, ending });
        }
        let store = lab.store.clone();
        let handling = blocking(move || store.handling(id)).await??;
        let gate = Gate::new(options.stop.child_token());
        if handling.paused && options.keep_pause {
            gate.pause();
        }
        let view = SessionView {
            priority: handling.priority,
            state: SessionState::Paused("its past is read from the store".into()),
            ..first_view(id, &record.definition, record.rng, Progress::default())
        };
        if !lab.hub.session_began(view, gate.clone()) {
            return Err(LabError::Running(id));
        }
        let resumed = Self::go_on(lab, id, record, options, gate).await;
        if let Err(error) = &resumed {
            lab.hub.error(&id.to_string(), &error.to_string());
            lab.hub.session_ended(id, SessionState::Failed(error.to_string()), true);
        }
        resumed
    }

    async fn go_on(
        lab: &Lab,
        id: SessionId,
        mut record: SessionRecord,
        mut options: SessionOptions,
        gate: Gate,
    ) -> Result<Self, LabError> {
        if record.definition.step.is_some() {
            // Whoever hears that it began may give orders at once.
            let (store, hub) = (lab.store.clone(), lab.hub.clone());
            blocking(move || given(&store, id).map(|orders| hub.stands.open(id, orders))).await??;
        }
        if let Some(events) = &options.events {
            // A listener that is gone wants no more.
            let _ = events.send(SessionEvent::Began(id)).await;
        }
        let now = now_ms();
        let accepted = record.resumed.iter().rev().find(|resumption| resumption.accepted_builds);
        let reading = Reading {
            accepted_ms: if options.accept_builds {
                Some(now)
            } else {
                accepted.map(|accepted| accepted.at_ms)
            },
            events: options.events.clone().filter(|_| options.retell),
            stop: gate.cancelled().clone(),
        };
        let (store, read, craft) = (lab.store.clone(), record.clone(), lab.craft.clone());
        let mut past = blocking(move || {
            guarded(|| Past::read(&store, id, &read, reading, &*craft)).map_err(planner_panicked)?
        })
        .await??;
        let desk = Desk::open(lab, &record.definition, past.spent, true).await?;
        if record.definition.llm.provider == Provider::People {
            let (store, people) = (lab.store.clone(), lab.hub.people.clone());
            blocking(move || recollect(&store, id, &people)).await??;
        }
        let last = show(lab, id, &mut past).await?;
        let last_ms =
            record.resumed.last().map_or(record.started_ms, |resumption| resumption.at_ms).max(last);
        past.earlier = Duration::from_millis(record.under_way_ms(last_ms));
        record.resumed.push(Resumption {
            at_ms: now,
            idle_ms: now.saturating_sub(last_ms),
            accepted_builds: options.accept_builds,
        });
        record.terms = options.complete(&record.terms);
        (record.ended_ms, record.ending) = (None, None);
        let (store, written) = (lab.store.clone(), record.clone());
        blocking(move || store.update_session(id, &written)).await??;

        let (again, handling) = (lab.clone(), lab.hub.handling(id).unwrap_or_default());
        lab.roster.prefer(id, handling.priority);
        // A pause that was lifted is gone for good.
        blocking(move || again.keep_handling(id)).await??;

        let progress = guarded(|| past.planner.progress()).map_err(planner_panicked)?;
        let (left, absorbed) = (past.open.len(), progress.events);
        lab.hub.session_resumed(id, progress, past.earlier);
        lab.hub
            .info(&id.to_string(), &format!("goes on after {absorbed} events, {left} jobs to be run again"));
        if handling.paused {
            lab.hub.info(&id.to_string(), "paused by hand, as it was before");
        }
        if options.accept_builds {
            lab.hub.warn(&id.to_string(), "other builds of the app and the devices than before are accepted");
        }
        Ok(Self::assemble(lab, id, record, options, past, gate, desk))
    }
}

/// Shows viewers what was recorded; returns when its last step ended, in milliseconds since the Unix epoch, or 0
/// without one.
async fn show(lab: &Lab, id: SessionId, past: &mut Past) -> Result<u64, LabError> {
    lab.hub.photographed(std::mem::take(&mut past.screenshots));
    let (store, hub) = (lab.store.clone(), lab.hub.clone());
    let read = move || -> Result<(u64, Vec<StepView>, u64), StoreError> {
        let count = store.step_count(id)?;
        let places = store.steps(id, count.saturating_sub(RECENT.into()), RECENT)?;
        Ok((count, steps(&store, &hub, id, &places)?, store.marked_true(id)?))
    };
    let (count, recent, marked_true) = blocking(read).await??;
    let last = recent.last().map_or(0, |step| step.at_ms.saturating_add(step.took_ms.into()));
    lab.hub.recorded(
        id,
        Resumed {
            steps: count,
            recent,
            verdicts: std::mem::take(&mut past.verdicts),
            asked: std::mem::take(&mut past.asked),
            spent: past.spent,
            findings: TierCounts::of(past.findings.values()),
            marked_true,
        },
    );
    Ok(last)
}

/// The sessions of a store that did not end: the process that ran them was killed.
pub(crate) fn unended(store: &Store) -> Result<Vec<(SessionId, SessionRecord)>, StoreError> {
    let mut sessions = store.sessions()?;
    sessions.retain(|(_, record)| record.ended_ms.is_none());
    Ok(sessions)
}
