//! Steps as viewers see them, made from a turn and its place.

use crate::gui::{Event, LayoutHash, Resolution, Selector, short_class, short_id};
use crate::proto::StepView;
use crate::record::{Act, Failure, Job, Observation, StepPlace, Turn, Work};

/// The view of a turn, which is step `seq` of its session's log; `None` for the turn that ends an
/// episode.
pub(super) fn step_view(
    job: &Job,
    seq: u64,
    place: &StepPlace,
    turn: &Turn,
    before: Option<LayoutHash>,
) -> Option<StepView> {
    let (event, receiver) = match &turn.act {
        Act::Reset => ("reset".to_owned(), String::new()),
        Act::Perform(event) => {
            let receiver = event.receiver.as_ref().map(in_words).unwrap_or_default();
            let receiver = match &event.data {
                Some(text) => format!("{receiver} ← {text:?}"),
                None => receiver,
            };
            (event.kind.name().to_owned(), receiver)
        }
        Act::Consult(_) | Act::Finish(_) => return None,
    };
    let seen = turn.observation.seen();
    let widget = seen.and_then(|seen| seen.resolution).and_then(Resolution::widget);
    Some(StepView {
        seq,
        slot: place.slot,
        test: place.test,
        turn: place.turn,
        device: place.device.clone(),
        work: job.work.name().to_owned(),
        event,
        receiver,
        inserted: is_inserted(job, place),
        outcome: outcome(&turn.observation),
        failed: seen.is_none(),
        settled: seen.is_none_or(|seen| seen.settled),
        layout: seen.map(|seen| seen.screen.layout),
        before,
        widget: widget.map(|id| id.0),
        activity: seen.map(|seen| seen.screen.activity.clone()).unwrap_or_default(),
        in_app: seen.is_some_and(|seen| seen.screen.in_app),
        signals: seen
            .map(|seen| seen.signals.iter().map(|s| s.headline.clone()).collect())
            .unwrap_or_default(),
        screenshot: seen.and_then(|seen| seen.screenshot),
        at_ms: turn.at_ms,
        took_ms: turn.took_ms,
    })
}

/// An event in a few words: `click Button "Save"`.
pub(super) fn event_words(event: &Event) -> String {
    match &event.receiver {
        Some(receiver) => format!("{} {}", event.kind.name(), in_words(receiver)),
        None => event.kind.name().to_owned(),
    }
}

/// The receiver in a few words: its label, else its id, else its class.
fn in_words(selector: &Selector) -> String {
    let (class, id) = (short_class(&selector.class), short_id(&selector.resource_id));
    match (selector.text.as_str(), selector.description.as_str(), id) {
        ("", "", "") => class.to_owned(),
        ("", "", id) => format!("{class} {id}"),
        ("", label, _) | (label, _, _) => format!("{class} {label:?}"),
    }
}

/// Whether the event of a step was inserted into a mutant.
pub(super) fn is_inserted(job: &Job, place: &StepPlace) -> bool {
    let Work::Batch(batch) = &job.work else { return false };
    let Some(test) = batch.tests.get(usize::from(place.test)) else { return false };
    test.role.insertion().is_some_and(|insertion| {
        let end = insertion.pivot.saturating_add(insertion.length);
        (insertion.pivot..end).contains(&place.event)
    })
}

fn outcome(observation: &Observation) -> String {
    match observation {
        Observation::Seen(seen) => match seen.resolution {
            Some(Resolution::Exact(_)) => "exact".into(),
            Some(Resolution::Similar(_, ratio)) => format!("similar {ratio:.2}"),
            Some(Resolution::NotFound) => "not found".into(),
            None => String::new(),
        },
        Observation::Failed(Failure::NotFound) => "not found".into(),
        Observation::Failed(Failure::Untouchable) => "no area to touch".into(),
        Observation::Failed(Failure::Untypable) => "cannot be typed".into(),
        Observation::Failed(Failure::TimedOut) => "test timed out".into(),
        Observation::Failed(Failure::Unsupported) => "not on this device".into(),
        Observation::Started | Observation::Ended | Observation::Answered(_) => String::new(),
    }
}
