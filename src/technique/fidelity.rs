//! How faithfully a test did what its job said.

use droidmux_gui::Resolution;
use droidmux_record::{Failure, Fidelity, Trace};

/// Counts how the receivers of a trace were found and which dumps settled.
pub fn fidelity(trace: &Trace<'_>) -> Fidelity {
    let mut fidelity = Fidelity {
        events: count(trace.steps.len()),
        exact: 0,
        similar: 0,
        failed: 0,
        unsettled: u16::from(trace.start.is_some_and(|seen| !seen.settled)),
        lowest_ratio: 1.0,
    };
    for step in &trace.steps {
        let Ok(seen) = step.after else {
            fidelity.failed = fidelity.failed.saturating_add(1);
            continue;
        };
        match seen.resolution {
            None | Some(Resolution::Exact(_)) => fidelity.exact = fidelity.exact.saturating_add(1),
            Some(similar) => {
                fidelity.similar = fidelity.similar.saturating_add(1);
                fidelity.lowest_ratio = fidelity.lowest_ratio.min(similar.ratio());
            }
        }
        if !seen.settled {
            fidelity.unsettled = fidelity.unsettled.saturating_add(1);
        }
    }
    fidelity
}

/// Why a trace did not get through its events, if it did not: one clause for a person.
pub fn shortfall(trace: &Trace<'_>, events: usize) -> Option<String> {
    if trace.start.is_none() {
        return Some("the reset failed".into());
    }
    let failed = trace.steps.iter().enumerate().find_map(|(n, step)| Some((n, step, step.after.err()?)));
    if let Some((n, step, failure)) = failed {
        let what = match failure {
            Failure::NotFound => "its receiver was not found",
            Failure::Untouchable => "its receiver has no area to touch",
            Failure::Untypable => "its text cannot be typed on this device",
            Failure::TimedOut => "the test ran past its time limit",
            Failure::Unsupported => "this device has no way to do it",
        };
        return Some(format!("event {} of {events} ({}): {what}", n + 1, step.event.kind.name()));
    }
    let ran = trace.steps.len();
    (ran != events).then(|| format!("only {ran} of {events} events ran"))
}

fn count(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
