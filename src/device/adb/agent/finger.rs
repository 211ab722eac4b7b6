//! Gestures by the agent, which needs no tool to start, and whether windows move.

use std::time::Duration;

use serde_json::Value;

use super::Fault;
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
        match self.ask(device, &calls).await {
            Ok(answers) => {
                let (made, waited) = answers.split_at(gesture.min(answers.len()));
                // A tap that only went down would be a touch without end.
                if !made.iter().all(says_true) {
                    return Ok(Made::Not);
                }
                Ok(Made::Done { reacted: waited.first().and_then(truth) })
            }
            // It took the gesture and hangs: making it again might make it twice.
            Err(fault @ Fault::Silent(_)) => {
                self.give_way(device, fault).await?;
                Ok(Made::Done { reacted: None })
            }
            Err(fault) => self.give_way(device, fault).await.map(|()| Made::Not),
        }
    }

    /// Whether it can say that windows move.
    pub(in crate::adb) fn tells_movement(&self) -> bool {
        self.is_wanted() && self.has(Call::WAIT_FOR_UPDATE)
    }

    /// Whether nothing moves for this long; `None` when the agent cannot tell. Returns as soon as something moves.
    pub(in crate::adb) async fn keeps_still(
        &mut self,
        device: &AdbDevice,
        time: Duration,
    ) -> Result<Option<bool>, DeviceErrorKind> {
        if !self.tells_movement() {
            return Ok(None);
        }
        match self.ask(device, &[Call::wait_for_update(millis(time))]).await {
            Ok(answers) => Ok(answers.first().and_then(truth).map(|moved| !moved)),
            Err(fault) => self.give_way(device, fault).await.map(|()| None),
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

fn truth(answer: &Answer) -> Option<bool> {
    answer.as_ref().ok().and_then(Value::as_bool)
}

fn says_true(answer: &Answer) -> bool {
    truth(answer) == Some(true)
}
