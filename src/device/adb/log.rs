//! The watch on crashes, hangs and ends: which part of the log is new, and what of it was told already.

use std::collections::{BTreeMap, VecDeque};

use super::log_reading::{LogReading, time};
use crate::DeviceErrorKind;
use crate::output::{Departure, Logged, read_log};
use droidmux_record::{Signal, SignalKind};

/// How far the log was read.
///
/// Marked by the device's own clock, since `logcat -T` reads from a time. The mark is taken before the log is read and
/// has whole seconds, so signals near it are met twice and recognised by what was seen before. When the clock is set
/// back, the mark follows it: what was logged in the meantime is not read.
#[derive(Debug, Default)]
pub(super) struct LogWatch {
    pub(super) reading: LogReading,
    /// Signals met at or after the mark.
    seen: Vec<Logged>,
    /// What was told lately: other forms of it may come later.
    told: VecDeque<Told>,
    /// Crashes of which more may be logged soon.
    held: Vec<Logged>,
    /// Names of processes by their numbers.
    names: BTreeMap<u32, String>,
    /// The numbers of the processes that began last, by their names.
    begun: BTreeMap<String, u32>,
    /// How processes ended lately, oldest first.
    departures: VecDeque<Departure>,
}

/// A signal that was told.
#[derive(Debug)]
struct Told {
    kind: SignalKind,
    pid: Option<u32>,
    process: String,
    /// By the device's clock: as logged, and in seconds.
    time: String,
    at: Option<i64>,
    bare: bool,
    /// The process did not outlive it.
    ends: bool,
}

/// For how long (seconds) other words for a crash of the same process, and for the same hang, are expected.
const ONE_CRASH: i64 = 600;
const ONE_HANG: i64 = 60;

/// The most that is remembered of each.
const MAX_TOLD: usize = 64;
const MAX_NAMES: usize = 512;

impl LogWatch {
    /// The command that prints the log from the mark on; `None` before the first mark.
    pub(super) fn command(&self, api: u32) -> Option<String> {
        self.reading.command(api)
    }

    /// Why there is no log.
    pub(super) fn fault(&self) -> Option<&str> {
        self.reading.fault.as_deref()
    }

    /// Sets the mark to `now` when there is none yet.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time.
    pub(super) fn begin(&mut self, now: &str) -> Result<(), DeviceErrorKind> {
        if self.reading.since.is_none() {
            self.reading.since = Some(time(now)?.to_owned());
        }
        Ok(())
    }

    /// The signals of a log printed by [`LogWatch::command`] that were not told before; the mark
    /// moves to `now`, unless the log could not be read. `app` is the app under test: the short names that libc writes are compared with it.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time.
    pub(super) fn absorb(
        &mut self,
        now: &str,
        log: &str,
        app: Option<&str>,
    ) -> Result<Vec<Signal>, DeviceErrorKind> {
        let now = time(now)?;
        let mut news = read_log(log);
        let shows_processes = !(news.names.is_empty() && news.begun.is_empty() && news.departures.is_empty());
        news.names.into_iter().for_each(|(pid, name)| self.name(pid, &name));
        for (pid, name) in news.begun {
            if self.begun.len() < MAX_NAMES || self.begun.contains_key(&name) {
                self.begun.insert(name, pid);
            }
        }
        for departure in news.departures {
            // Met again because the mark has whole seconds.
            if !self.departures.contains(&departure) {
                keep(&mut self.departures, departure);
            }
        }
        for logged in &mut news.signals {
            if logged.signal.process.is_empty() {
                logged.signal.process = self.process_of(logged, app).unwrap_or_default();
            }
        }
        let mut signals = Vec::new();
        for logged in &news.signals {
            if self.seen.iter().any(|seen| is_same(seen, logged)) || self.is_told(logged) {
                continue;
            }
            // What was held is told in better words.
            let is_other = |held: &Logged| held.pid.is_none() || held.pid != logged.pid;
            self.held.retain(|held| logged.signal.kind != SignalKind::Crash || is_other(held));
            match logged.bare && app.is_some_and(|app| logged.signal.is_of(app)) {
                true => self.held.push(logged.clone()),
                false => {
                    self.tell(logged);
                    signals.push(logged.signal.clone());
                }
            }
        }
        let shows_lines = !news.signals.is_empty() || shows_processes;
        self.seen.extend(news.signals);
        if self.reading.take(now, log, shows_lines) {
            self.seen.retain(|l| l.time.as_str() >= now);
        }
        Ok(signals)
    }

    /// Whether a crash is held back because more may be logged of it.
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    /// What was held back.
    pub(super) fn release(&mut self) -> Vec<Signal> {
        let held = std::mem::take(&mut self.held);
        held.iter().for_each(|logged| self.tell(logged));
        held.into_iter().map(|logged| logged.signal).collect()
    }

    /// Notes that a process has this name.
    pub(super) fn name(&mut self, pid: u32, name: &str) {
        if self.names.len() >= MAX_NAMES && !self.names.contains_key(&pid) {
            self.names.pop_first();
        }
        self.names.insert(pid, name.to_owned());
    }

    /// What the log says of the end of this process, oldest first; of one whose number is not known, of the one that
    /// began last under this name.
    pub(super) fn ends_of(&self, pid: Option<u32>, process: &str) -> Vec<Departure> {
        let Some(pid) = pid.or_else(|| self.begun.get(process).copied()) else { return Vec::new() };
        self.departures.iter().filter(|departure| departure.pid == Some(pid)).cloned().collect()
    }

    /// Whether a crash that ended this process was told.
    pub(super) fn told_end_of(&self, pid: Option<u32>, process: &str) -> bool {
        let pid = pid.or_else(|| self.begun.get(process).copied());
        pid.is_some() && self.told.iter().any(|told| told.ends && told.pid == pid)
    }

    /// When this process last hung, as logged.
    pub(super) fn hung_at(&self, process: &str) -> Option<String> {
        let hung = |told: &&Told| told.kind == SignalKind::Anr && told.process == process;
        self.told.iter().rev().find(hung).map(|told| told.time.clone()).filter(|time| !time.is_empty())
    }

    /// Whether any signal of these kinds was told of this process within the last minute by the device's clock.
    pub(super) fn told_lately(&self, kinds: &[SignalKind]) -> bool {
        let now = self.reading.since.as_deref().and_then(seconds);
        self.told.iter().filter(|told| kinds.contains(&told.kind)).any(|told| match (told.at, now) {
            (Some(at), Some(now)) => (now - at).abs() <= ONE_HANG,
            _ => true,
        })
    }

    fn process_of(&self, logged: &Logged, app: Option<&str>) -> Option<String> {
        if let Some(name) = logged.pid.and_then(|pid| self.names.get(&pid)) {
            return Some(name.clone());
        }
        let (short, app) = (logged.short_name.as_deref()?, app?);
        is_end_of(short, app).then(|| app.to_owned())
    }

    fn is_told(&self, logged: &Logged) -> bool {
        let at = seconds(&logged.time);
        let within = |told: &Told, most: i64| match (told.at, at) {
            (Some(one), Some(other)) => (one - other).abs() <= most,
            _ => false,
        };
        self.told.iter().filter(|told| told.kind == logged.signal.kind).any(|told| match told.kind {
            SignalKind::Anr => {
                let one = told.pid.is_none() || logged.pid.is_none() || told.pid == logged.pid;
                one && told.process == logged.signal.process && within(told, ONE_HANG)
            }
            SignalKind::Crash | SignalKind::Ended => {
                let one = told.pid.is_some() && told.pid == logged.pid;
                one && (told.bare || logged.bare) && within(told, ONE_CRASH)
            }
        })
    }

    fn tell(&mut self, logged: &Logged) {
        let Logged { time, pid, signal, bare, ends, .. } = logged;
        let (kind, process, at) = (signal.kind, signal.process.clone(), seconds(time));
        let (pid, time, bare, ends) = (*pid, time.clone(), *bare, *ends);
        keep(&mut self.told, Told { kind, pid, process, time, at, bare, ends });
    }
}

fn keep<T>(all: &mut VecDeque<T>, one: T) {
    if all.len() >= MAX_TOLD {
        all.pop_front();
    }
    all.push_back(one);
}

fn is_same(a: &Logged, b: &Logged) -> bool {
    a.time == b.time
        && a.pid == b.pid
        && a.signal.kind == b.signal.kind
        && a.signal.headline == b.signal.headline
}

/// Whether a process of this app may have this short name: the kernel keeps the last 15 characters of a process's name,
/// and the app may have put `:service` behind its own.
fn is_end_of(short: &str, app: &str) -> bool {
    /// Shorter ones say too little.
    const LEAST: usize = 4;
    let own = short.split(':').next().unwrap_or_default();
    own.len() >= LEAST && app.ends_with(own)
}

/// `MM-DD HH:MM:SS.mmm` in seconds from some moment; only differences of a few minutes mean anything.
fn seconds(time: &str) -> Option<i64> {
    let number = |from: usize| time.get(from..from + 2)?.parse::<i64>().ok();
    let days = number(0)? * 31 + number(3)?;
    Some(((days * 24 + number(6)?) * 60 + number(9)?) * 60 + number(12)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(time: &str, pid: u32, what: &str) -> String {
        let head = format!("{time}  {pid}  {pid} E AndroidRuntime:");
        format!("{head} FATAL EXCEPTION: main\n{head} Process: com.a, PID: {pid}\n{head} {what}\n")
    }

    #[test]
    fn every_signal_is_told_once() {
        let mut watch = LogWatch::default();
        assert_eq!(watch.command(30), None);
        watch.begin("09-10 10:00:00.000\n").expect("a time");
        watch.begin("09-10 11:00:00.000\n").expect("a time");
        assert!(watch.command(30).is_some_and(|command| command.contains("-T '09-10 10:00:00.000' ")));

        let first = crash("09-10 10:00:05.400", 7, "x.A");
        let second = crash("09-10 10:00:05.900", 8, "x.A");
        let rounds = [
            ("09-10 10:00:05.000", first.clone(), 1),
            // Met again because the mark has whole seconds.
            ("09-10 10:00:05.000", format!("{first}{second}"), 1),
            ("09-10 10:00:06.000", format!("{first}{second}"), 0),
            // The same headline at a later time is another crash.
            ("09-10 10:00:09.000", crash("09-10 10:00:08.000", 7, "x.A"), 1),
        ];
        for (now, log, expected) in rounds {
            assert_eq!(watch.absorb(now, &log, None).expect("a time").len(), expected, "{now}");
        }
        assert!(watch.seen.is_empty(), "nothing old is kept");
    }
}
