//! How faithfully a test did what its job said.

use droidmux_gui::{EventKind, Resolution};
use droidmux_record::{Failure, Fidelity, Trace};

/// Counts how the receivers of a trace were found and which dumps settled.
pub fn fidelity(trace: &Trace<'_>) -> Fidelity {
    let mut fidelity = Fidelity {
        events: count(trace.steps.len()),
        exact: 0,
        similar: 0,
        failed: 0,
        unsettled: u16::from(trace.start.is_some_and(|seen| !seen.is_settled())),
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
        if !seen.is_settled() {
            fidelity.unsettled = fidelity.unsettled.saturating_add(1);
        }
    }
    fidelity
}

/// Why a trace did not get through its events: one clause for a person.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Shortfall {
    /// It never began.
    #[error("the reset failed")]
    Reset,
    /// One of its events could not be performed.
    #[error("event {number} of {events} ({}): {}", .kind.name(), cause(.failure))]
    Failed {
        /// The number of the event, from 1.
        number: usize,
        /// How many there were to be.
        events: usize,
        /// What it was to do.
        kind: EventKind,
        /// What it ran into.
        failure: Failure,
    },
    /// It ended early for another reason.
    #[error("only {ran} of {events} events ran")]
    Ended {
        /// How many events ran.
        ran: usize,
        /// How many there were to be.
        events: usize,
    },
}

/// Why a trace did not get through its events, if it did not.
pub fn shortfall(trace: &Trace<'_>, events: usize) -> Option<Shortfall> {
    if trace.start.is_none() {
        return Some(Shortfall::Reset);
    }
    let failed = trace.steps.iter().zip(1..).find_map(|(step, number)| {
        let failure = step.after.err()?.clone();
        Some(Shortfall::Failed { number, events, kind: step.event.kind, failure })
    });
    let ran = trace.steps.len();
    failed.or_else(|| (ran != events).then_some(Shortfall::Ended { ran, events }))
}

/// What an event ran into, for a person.
fn cause(failure: &Failure) -> &'static str {
    match failure {
        Failure::NotFound => "its receiver was not found",
        Failure::Untouchable => "its receiver has no area to touch",
        Failure::Untypable => "its text cannot be typed on this device",
        Failure::TimedOut => "the test ran past its time limit",
        Failure::Unsupported => "this device has no way to do it",
    }
}

fn count(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
