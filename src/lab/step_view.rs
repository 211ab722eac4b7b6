//! Steps as viewers see them, made from a turn and its place.

use droidmux_gui::{Event, LayoutHash, Resolution};
use droidmux_proto::StepView;
use droidmux_record::{Act, Failure, Job, Observation, Seen, StepPlace, Turn, Work};

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
        Act::Perform(event) => (event.kind.name().to_owned(), event.receiver_words()),
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
        settled: seen.is_none_or(Seen::is_settled),
        layout: seen.map(|seen| seen.screen.layout),
        before,
        widget: widget.map(|id| id.0),
        activity: seen.map(|seen| seen.screen.activity.clone()).unwrap_or_default(),
        in_app: seen.is_some_and(|seen| seen.screen.in_app),
        signals: seen
            .map(|seen| seen.signals.iter().map(|s| s.headline.clone()).collect())
            .unwrap_or_default(),
        toast: seen.and_then(|seen| seen.toast.clone()),
        screenshot: seen.and_then(|seen| seen.screenshot),
        at_ms: turn.at_ms,
        took_ms: turn.took_ms,
    })
}

/// An event in a few words: `click Button "Save"`.
pub(super) fn event_words(event: &Event) -> String {
    event.words()
}

/// How a receiver was found: `exact`, `similar 0.87`, `not found`.
pub(super) fn found_words(resolution: Resolution) -> String {
    match resolution {
        Resolution::Exact(_) => "exact".into(),
        Resolution::Similar(_, ratio) => format!("similar {ratio:.2}"),
        Resolution::NotFound => "not found".into(),
    }
}

/// Why an event was not performed.
pub(super) fn failure_words(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotFound => "not found",
        Failure::Untouchable => "no area to touch",
        Failure::Untypable => "cannot be typed",
        Failure::TimedOut => "test timed out",
        Failure::Unsupported => "not on this device",
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
        Observation::Seen(seen) => seen.resolution.map(found_words).unwrap_or_default(),
        Observation::Failed(failure) => failure_words(failure).into(),
        Observation::Started | Observation::Ended | Observation::Answered(_) => String::new(),
    }
}
