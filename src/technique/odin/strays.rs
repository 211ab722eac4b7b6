//! Why a walk did not end where it was to end: the cause of its first difference (Odin).

use super::corpus::Corpus;
use droidmux_gui::{LayoutHash, Resolution};
use droidmux_model::{EventHash, StateModel};
use droidmux_record::{Seen, Step, Strays, Trace};

/// Counts a walk that strayed under the cause of the first step that did not lead where the path says; the states are
/// those of a model that knows the trace.
pub(super) fn count(
    strays: &mut Strays,
    trace: &Trace<'_>,
    path: &[LayoutHash],
    app: &str,
    model: &StateModel,
    corpus: &Corpus,
) {
    *cause(strays, trace, path, app, model, corpus) += 1;
}

fn cause<'s>(
    strays: &'s mut Strays,
    trace: &Trace<'_>,
    path: &[LayoutHash],
    app: &str,
    model: &StateModel,
    corpus: &Corpus,
) -> &'s mut u64 {
    let is_in = |seen: &Seen, layout: LayoutHash| {
        seen.screen.in_app && model.state_of(seen.screen.layout) == model.state_of(layout)
    };
    let [first, rest @ ..] = path else { return &mut strays.start };
    let Some(start) = trace.start.filter(|seen| is_in(seen, *first)) else { return &mut strays.start };
    let mut before = start;
    for (step, meant) in trace.steps.iter().zip(rest) {
        let Ok(after) = step.after else { return &mut strays.unfound };
        if after.crashed(app) {
            return &mut strays.crashed;
        }
        if !is_in(after, *meant) {
            return difference(strays, before, step, after, *meant, model, corpus);
        }
        before = after;
    }
    // Fewer steps than planned without a failure: the app crashed at its start.
    if trace.steps.len() < rest.len() { &mut strays.crashed } else { &mut strays.remined }
}

/// The cause of a step that led from the right state to another one.
fn difference<'s>(
    strays: &'s mut Strays,
    before: &Seen,
    step: &Step<'_>,
    after: &Seen,
    meant: LayoutHash,
    model: &StateModel,
    corpus: &Corpus,
) -> &'s mut u64 {
    if !after.screen.in_app {
        return &mut strays.left;
    }
    if !after.dialogs.is_empty() {
        return &mut strays.dialog;
    }
    if matches!(after.resolution, Some(Resolution::Similar(..))) {
        return &mut strays.similar;
    }
    let intended = model.state_of(meant);
    let ended = model.state_of(after.screen.layout);
    let handled = |state: Option<_>| state.and_then(|state| model.handled(state));
    let event = corpus.number_of(EventHash::of(step.event));
    let here: Vec<LayoutHash> = corpus
        .steps_from(before.screen.layout)
        .filter(|(other, _)| Some(*other) == event)
        .map(|(_, to)| to)
        .collect();
    if here.iter().any(|to| model.state_of(*to) == intended) {
        return &mut strays.hidden;
    }
    if handled(intended) == handled(ended) {
        return &mut strays.twin;
    }
    // The step itself is among them by now.
    if here.len() > 1 { &mut strays.lumped } else { &mut strays.untried }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::SessionId;
    use droidmux_testutils::script::Script;

    /// What is recorded: two pages of one kind, on each of which one event was seen. The same input twice would make one
    /// place of what it leads to, so the walks begin otherwise.
    const RECORDED: [&str; 2] = [
        "@ Main Home
         label mood=fine
         (Go)
         (Ask)
         > click Go
         @ Detail
         field name=",
        "@ Main Home
         label mood=fine
         (Go)
         (Ask)
         > click Ask
         @ Main Home
         label mood=bad
         (Go)
         (Ask)",
    ];

    #[test]
    fn a_stray_is_counted_by_its_first_difference() {
        let home = |mood: &str| format!("@ Main Home\nlabel mood={mood}\n(Go)\n(Ask)\n");
        let (fine, bad) = (home("fine"), home("bad"));
        // The walk was to stay on the page, and then to go to the one that `Go` leads to.
        let go = |from: &str, then: &str| format!("{fine}> rotate\n{from}> click Go\n{then}");
        let cases = [
            ("@away\n(Clock)".to_owned(), "started elsewhere"),
            (go(&fine, "@away\n(Clock)"), "left the app"),
            (go(&fine, "@ Other\n(Close)\nanswered"), "system dialog"),
            (go(&fine, "@ Other\n(Close)"), "decided by what no layout shows"),
            (go(&bad, "@ Other\n(Close)"), "equal events, another state"),
        ];
        for (walked, expected) in cases {
            let mut corpus = Corpus::default();
            for text in RECORDED {
                let script = Script::read(text);
                corpus.absorb(SessionId(1), &script.run, &script.layouts);
            }
            let planned = Script::read(&go(&fine, "@ Detail\nfield name="));
            let path: Vec<LayoutHash> = planned
                .run
                .turns
                .iter()
                .filter_map(|turn| Some(turn.observation.seen()?.screen.layout))
                .collect();
            let script = Script::read(&walked);
            corpus.absorb(SessionId(1), &script.run, &script.layouts);
            let model = corpus.model();
            let traces = script.run.traces();
            let trace = traces.first().expect("a trace");
            let mut strays = Strays::default();
            count(&mut strays, trace, &path, "toy", &model, &corpus);
            assert_eq!(strays.causes(), [(expected, 1)], "{walked}");
        }
    }
}
