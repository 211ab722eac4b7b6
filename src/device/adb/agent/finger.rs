//! Gestures by the agent, which needs no tool to start.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::resident::{Resident, millis};
use super::rpc::{Answer, Call};
use crate::DeviceErrorKind;
use crate::adb::device::AdbDevice;
use crate::adb::gesture::{Stroke, key_number};

/// What became of a gesture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::adb) enum Made {
    /// It was made; whether a window reacted in time, if the agent can tell.
    Done { reacted: Option<bool> },
    /// The agent cannot make it, or is not there: nothing was touched.
    Not,
    /// The agent broke down over it: it was made or not.
    Unsure,
}

impl Resident {
    /// Makes a gesture, and waits for so long until a window reacts, in the same request.
    pub(in crate::adb) async fn gesture(
        &mut self,
        device: &AdbDevice,
        stroke: Stroke,
        react: Duration,
    ) -> Result<Made, DeviceErrorKind> {
        let mut calls = calls_of(stroke);
        let gesture = calls.len();
        if !self.is_wanted() || calls.iter().any(|call| !self.has(call.method())) {
            return Ok(Made::Not);
        }
        if self.tells_movement() {
            calls.push(Call::wait_for_update(millis(react)));
        }
        let began = Instant::now();
        match self.ask_without_repeating(device, &calls).await {
            Ok(None) => Ok(Made::Unsure),
            Ok(Some(answers)) => {
                let (made, waited) = answers.split_at(gesture.min(answers.len()));
                // A tap that only went down would be a touch without end.
                if !made.iter().all(says_true) {
                    return Ok(Made::Not);
                }
                let reacted =
                    waited.first().and_then(|answer| self.heard(device, answer, react, began.elapsed()));
                Ok(Made::Done { reacted })
            }
            Err(fault) => self.give_way(device, fault).await.map(|()| Made::Unsure),
        }
    }
}

fn calls_of(stroke: Stroke) -> Vec<Call> {
    match stroke {
        // As `input tap` does: `click` would hold the finger for 100 ms.
        Stroke::Tap(at) => vec![Call::finger(true, at), Call::finger(false, at)],
        Stroke::Press(at, milliseconds) => vec![Call::press(at, milliseconds)],
        Stroke::Drag(from, to, milliseconds) => vec![Call::drag(from, to, milliseconds)],
        Stroke::Key(key) => vec![Call::key(key_number(key))],
    }
}

fn says_true(answer: &Answer) -> bool {
    matches!(answer, Ok(Value::Bool(true)))
}
