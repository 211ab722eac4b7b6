//! The agent of a device: kept running while it is wanted, and abandoned for `uiautomator` when it does not work.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::http::{Line, Repeats};
use super::jar::AgentJar;
use super::movement::Credit;
use super::process::Process;
use super::rpc::{self, Answer, Call};
use super::{Breakdown, Fault};
use crate::DeviceErrorKind;
use crate::adb::device::AdbDevice;
use crate::adb::fault::DumpFault;
use crate::adb::toasts::Heard;

/// How long a request may take: the wait for the screen to settle, and then dumps of large screens.
const ANSWER_WITHIN: Duration = Duration::from_secs(18);
/// After giving way to `uiautomator`, the agent is tried again this many times in a session.
const AGAIN_AFTER: Duration = Duration::from_secs(60);
const MOST_FALLS: u32 = 3;
/// An agent that takes so long over its dumps, so many times in a row, is slower than `uiautomator`.
const SLOW: Duration = Duration::from_secs(5);
const MOST_SLOW: u32 = 3;
/// Answers larger than this are read off the async workers.
const BIG_ANSWER: usize = 64 * 1024;

/// What the device's agent is doing.
#[derive(Debug)]
pub(in crate::adb) struct Resident {
    /// Whether it is wanted, and the jar to use.
    jar: Option<AgentJar>,
    running: Option<Running>,
    line: Line,
    /// How often it gave way to `uiautomator`, and until when it does.
    falls: u32,
    fallen: Option<Instant>,
    /// How long a request may take.
    limit: Duration,
    /// Slow answers in a row.
    slow: u32,
    /// Methods that were asked for and that its version does not have.
    lacks: BTreeSet<&'static str>,
    /// What it is believed about movement.
    pub(super) credit: Credit,
}

impl Default for Resident {
    fn default() -> Self {
        let (jar, running, fallen) = (None, None, None);
        let (line, lacks, credit) = (Line::default(), BTreeSet::new(), Credit::default());
        Self { jar, running, line, falls: 0, fallen, limit: ANSWER_WITHIN, slow: 0, lacks, credit }
    }
}

#[derive(Debug)]
enum Running {
    Ours(Process),
    /// It answered before we started one.
    Foreign,
}

impl Resident {
    /// From now on, an agent is wanted. It starts with the first request.
    pub(super) fn want(&mut self, jar: AgentJar) {
        *self = Self { jar: Some(jar), running: self.running.take(), ..Self::default() };
    }

    /// Ends the agent; nobody wants it any more.
    pub(in crate::adb) async fn dismiss(&mut self, device: &AdbDevice) -> Result<(), DeviceErrorKind> {
        self.jar = None;
        self.stop(device).await
    }

    /// True when dumps and texts should be asked of the agent.
    pub(in crate::adb) fn is_wanted(&self) -> bool {
        let back = self.fallen.is_none_or(|since| since.elapsed() >= AGAIN_AFTER && self.falls < MOST_FALLS);
        self.jar.is_some() && back
    }

    /// The given number of dumps of one screen: with `rest`, taken once it has rested or this time is up. `None` when
    /// `uiautomator` has to do it: there is no agent, or it has just given way.
    pub(in crate::adb) async fn dumps(
        &mut self,
        device: &AdbDevice,
        count: u32,
        rest: Option<Duration>,
    ) -> Result<Option<Dumped>, DeviceErrorKind> {
        if !self.is_wanted() {
            return Ok(None);
        }
        if let Some(rest) = rest {
            self.await_reaction(device).await;
            self.time_a_wait(device, rest).await?;
        }
        let waits = rest.filter(|_| !self.credit.is_lost());
        let mut calls: Vec<Call> = waits.into_iter().map(|rest| Call::wait_for_idle(millis(rest))).collect();
        let waits = calls.len();
        calls.extend((0..count).map(|_| Call::dump()));
        let dumps = calls.len();
        if !self.lacks.contains(Call::TOAST) {
            calls.extend([Call::last_toast(), Call::forget_toast()]);
        }
        let began = Instant::now();
        match self.ask(device, &calls).await {
            Ok(mut answers) => {
                if self.fallen.take().is_some() {
                    device.remark("the agent dumps again");
                }
                self.note_pace(device, began.elapsed().saturating_sub(rest.unwrap_or_default())).await?;
                let told = answers.split_off(dumps).into_iter().next().and_then(Result::ok);
                let toast = told.as_ref().and_then(|told| Some(told.as_str()?.to_owned()));
                let heard = Heard { toast, hears: told.is_some() };
                Ok(Some(Dumped { dumps: answers.into_iter().skip(waits).map(dumped).collect(), heard }))
            }
            Err(fault) => self.give_way(device, fault).await.map(|()| None),
        }
    }

    /// Dumps took this long, without what they may have waited. What they show counts; the next ones are made by
    /// `uiautomator` when the agent goes on like that.
    pub(super) async fn note_pace(
        &mut self,
        device: &AdbDevice,
        took: Duration,
    ) -> Result<(), DeviceErrorKind> {
        self.slow = if took > SLOW { self.slow + 1 } else { 0 };
        if self.slow < MOST_SLOW {
            return Ok(());
        }
        self.slow = 0;
        self.give_way(device, Breakdown::Slow { times: MOST_SLOW, limit: SLOW }.into()).await
    }

    /// Makes the calls. An agent that has died is started again, once.
    pub(super) async fn ask(&mut self, device: &AdbDevice, calls: &[Call]) -> Result<Vec<Answer>, Fault> {
        self.start(device).await?;
        match self.ask_once(device, calls, Repeats::Safely).await {
            Err(Fault::Broken(breakdown)) => self.ask_again(device, calls, Repeats::Safely, breakdown).await,
            done => done,
        }
    }

    /// Makes calls that may not reach it twice. `None` if it may have done them before it broke; it has then been started
    /// again.
    pub(super) async fn ask_without_repeating(
        &mut self,
        device: &AdbDevice,
        calls: &[Call],
    ) -> Result<Option<Vec<Answer>>, Fault> {
        self.start(device).await?;
        match self.ask_once(device, calls, Repeats::Never).await {
            Err(Fault::Broken(nobody @ Breakdown::NoPort(_))) => {
                self.ask_again(device, calls, Repeats::Never, nobody).await.map(Some)
            }
            Err(Fault::Broken(breakdown)) => {
                self.ask_again(device, &[], Repeats::Safely, breakdown).await.map(|_| None)
            }
            done => done.map(Some),
        }
    }

    /// Starts it again, which broke for this reason, and makes the calls.
    async fn ask_again(
        &mut self,
        device: &AdbDevice,
        calls: &[Call],
        repeats: Repeats,
        first: Breakdown,
    ) -> Result<Vec<Answer>, Fault> {
        self.stop(device).await.map_err(Fault::Device)?;
        let again = match self.start(device).await {
            Ok(()) if calls.is_empty() => Ok(Vec::new()),
            Ok(()) => self.ask_once(device, calls, repeats).await,
            Err(fault) => Err(fault),
        };
        match again {
            Ok(answers) => {
                device.remark(&format!("the agent was started again: {first}"));
                Ok(answers)
            }
            Err(Fault::Device(kind)) => Err(Fault::Device(kind)),
            Err(then) => Err(Breakdown::Twice { first: first.into(), then: then.into() }.into()),
        }
    }

    /// Starts the agent, unless one answers already.
    pub(super) async fn start(&mut self, device: &AdbDevice) -> Result<(), Fault> {
        if let Some(Running::Ours(process)) = &self.running
            && process.has_ended()
        {
            self.running = None;
        }
        if self.running.is_some() {
            return Ok(());
        }
        let Some(jar) = self.jar.clone() else { return Err(Breakdown::NotWanted.into()) };
        self.running = Some(if self.line.ping(device).await.map_err(Fault::Device)? {
            Running::Foreign
        } else {
            Running::Ours(Process::start(device, &jar, &mut self.line).await?)
        });
        Ok(())
    }

    /// Ends the agent so that `uiautomator` can dump, and says why.
    pub(super) async fn give_way(&mut self, device: &AdbDevice, fault: Fault) -> Result<(), DeviceErrorKind> {
        if let Fault::Device(kind) = fault {
            return Err(kind);
        }
        let foreign = matches!(self.running, Some(Running::Foreign));
        self.stop(device).await?;
        self.falls += 1;
        self.fallen = Some(Instant::now());
        let then = match self.falls < MOST_FALLS {
            true => format!("the agent is tried again in {} s", AGAIN_AFTER.as_secs()),
            false => "the agent is not tried again in this session".to_owned(),
        };
        let whose = if foreign { " (another program's, which is left running)" } else { "" };
        device.remark(&format!("dumping by uiautomator, since the agent{whose} failed: {fault}; {then}"));
        Ok(())
    }

    async fn ask_once(
        &mut self,
        device: &AdbDevice,
        calls: &[Call],
        repeats: Repeats,
    ) -> Result<Vec<Answer>, Fault> {
        let request = rpc::request(calls);
        let posting = tokio::time::timeout(self.limit, self.line.post(device, &request, repeats));
        let body = posting.await.map_err(|_| Fault::Silent(self.limit))??;
        let count = calls.len();
        let read = if body.len() > BIG_ANSWER {
            tokio::task::spawn_blocking(move || rpc::read(&body, count)).await.map_err(Breakdown::from)?
        } else {
            rpc::read(&body, count)
        };
        let answers = read.map_err(Breakdown::from)?;
        for (call, answer) in calls.iter().zip(&answers) {
            match answer {
                Err(refusal) if refusal.is_no_method() && Self::can_do_without(call) => {
                    if self.lacks.insert(call.method()) {
                        device.remark(&format!("the agent has no {}: done without it", call.method()));
                    }
                }
                Err(refusal) if !refusal.is_not_found() => {
                    return Err(Breakdown::Refused(refusal.clone()).into());
                }
                Ok(_) | Err(_) => {}
            }
        }
        Ok(answers)
    }

    /// What there is another way for.
    fn can_do_without(call: &Call) -> bool {
        ![Call::dump().method(), Call::wait_for_idle(0).method()].contains(&call.method())
    }

    /// Whether its version has this method, as far as is known.
    pub(super) fn has(&self, method: &'static str) -> bool {
        !self.lacks.contains(method)
    }

    #[cfg(test)]
    pub(super) fn answer_within(&mut self, limit: Duration) {
        self.limit = limit;
    }

    async fn stop(&mut self, device: &AdbDevice) -> Result<(), DeviceErrorKind> {
        match self.running.take() {
            Some(Running::Ours(process)) => process.stop(device, &mut self.line).await,
            Some(Running::Foreign) | None => Ok(()),
        }
    }
}

/// What a request for dumps came to.
#[derive(Debug)]
pub(in crate::adb) struct Dumped {
    pub(in crate::adb) dumps: Vec<Result<Vec<u8>, DumpFault>>,
    /// What a toast said since the last request.
    pub(in crate::adb) heard: Heard,
}

/// As the agent's methods take times.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A dump's XML, or why there is none.
fn dumped(answer: Answer) -> Result<Vec<u8>, DumpFault> {
    match answer {
        Ok(Value::String(xml)) if xml.contains("<node") => Ok(xml.into_bytes()),
        Ok(Value::String(_) | Value::Null) => Err(DumpFault::NoWindow),
        Ok(_) => Err(DumpFault::NoText),
        Err(refusal) => Err(DumpFault::Refused(refusal)),
    }
}
