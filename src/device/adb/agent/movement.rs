//! Whether windows move, as the agent tells it, and whether it can be believed.
//!
//! In: requests to wait for movement or for rest, and how long their answers took. Out: what moved, or nothing once the
//! agent has been found not to wait. Invariants: an agent that says at once what takes time to know is not asked again
//! until it is wanted anew, and a remark says so; waiting is then done on this side.

use std::time::Duration;

use tokio::time::Instant;

use super::resident::{Resident, millis};
use super::rpc::{Answer, Call};
use crate::DeviceErrorKind;
use crate::adb::device::AdbDevice;

/// Where it cannot tell that a window reacts, a touch is given this time: the agent's half second of rest counts from the
/// screen's last event, which is over before a screen has begun to react. `uiautomator` takes longer than this to start.
const REACTION: Duration = Duration::from_millis(100);

/// The quiet time after which a screen counts as idle to the agent.
const QUIET: Duration = Duration::from_millis(500);

/// A screen that was seen to move so lately cannot be idle. The way of the answers is left out of account.
const JUST_MOVED: Duration = Duration::from_millis(150);

/// An agent may answer so much sooner than asked: times are cut to milliseconds on the way.
const MARGIN: Duration = Duration::from_millis(20);

/// One wait for rest in so many that come right after a movement is timed by itself.
const TIMED: u32 = 50;

/// What an agent is believed about movement.
#[derive(Debug, Default)]
pub(super) struct Credit {
    /// When a window was last seen to change.
    stirred: Option<Instant>,
    /// Waits for rest right after a change, counted to see which is timed.
    waits: u32,
    /// It answered without waiting.
    lost: bool,
}

impl Credit {
    /// It is neither asked about movement nor about rest any more.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }
}

impl Resident {
    /// Whether it can say that windows move.
    pub(in crate::adb) fn tells_movement(&self) -> bool {
        self.is_wanted() && !self.credit.is_lost() && self.has(Call::WAIT_FOR_UPDATE)
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
        let began = Instant::now();
        match self.ask(device, &[Call::wait_for_update(millis(time))]).await {
            Ok(answers) => {
                let heard =
                    answers.first().and_then(|answer| self.heard(device, answer, time, began.elapsed()));
                Ok(heard.map(|moved| !moved))
            }
            Err(fault) => self.give_way(device, fault).await.map(|()| None),
        }
    }

    /// Whether the screen comes to rest within this time. `None` without an agent.
    pub(in crate::adb) async fn rests(
        &mut self,
        device: &AdbDevice,
        time: Duration,
    ) -> Result<Option<bool>, DeviceErrorKind> {
        if !self.is_wanted() {
            return Ok(None);
        }
        self.await_reaction(device).await;
        if self.credit.lost {
            return Ok(Some(true));
        }
        // The agent does not say whether it waited in vain.
        let began = Instant::now();
        match self.ask(device, &[Call::wait_for_idle(millis(time))]).await {
            Ok(_) => Ok(Some(began.elapsed() < time)),
            Err(fault) => self.give_way(device, fault).await.map(|()| None),
        }
    }

    /// A touch is given time to be reacted to, where the agent could not wait for that with the gesture; and time to
    /// rest as well, where it does not wait for that either.
    pub(super) async fn await_reaction(&self, device: &AdbDevice) {
        let needed = match (self.credit.lost, self.tells_movement()) {
            (true, _) => REACTION + QUIET,
            (false, false) => REACTION,
            (false, true) => return,
        };
        tokio::time::sleep(needed.saturating_sub(device.since_touch())).await;
    }

    /// Now and then, finds out whether the agent waits for rest at all: a screen that has just moved cannot rest yet.
    pub(super) async fn time_a_wait(
        &mut self,
        device: &AdbDevice,
        rest: Duration,
    ) -> Result<(), DeviceErrorKind> {
        let Some(stirred) = self.credit.stirred.filter(|at| !self.credit.lost && at.elapsed() < JUST_MOVED)
        else {
            return Ok(());
        };
        self.credit.waits += 1;
        if self.credit.waits % TIMED == 1
            && rest > QUIET
            && self.rests(device, rest).await?.is_some()
            && stirred.elapsed() < QUIET - JUST_MOVED
        {
            self.distrust(device, "that a screen rests which has just moved");
        }
        Ok(())
    }

    /// What it says of windows, asked to wait for so long and answering after `took`: whether one changed. An agent that
    /// denies it before the time is up has not waited, and is not believed any more.
    pub(super) fn heard(
        &mut self,
        device: &AdbDevice,
        answer: &Answer,
        asked: Duration,
        took: Duration,
    ) -> Option<bool> {
        let changed = answer.as_ref().ok()?.as_bool()?;
        if changed {
            self.credit.stirred = Some(Instant::now());
        } else if took + MARGIN < asked {
            self.distrust(device, "that nothing moves before it can know");
            return None;
        }
        Some(changed)
    }

    fn distrust(&mut self, device: &AdbDevice, what: &str) {
        self.credit.lost = true;
        let waits = (REACTION + QUIET).as_millis();
        device.remark(&format!(
            "the agent says {what}: not asked about movement any more; strict looks wait {waits} ms by themselves, swift \
             ones go by equal dumps"
        ));
    }
}
