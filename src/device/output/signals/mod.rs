//! Crashes, hangs and ends of processes in what `logcat` prints.
//!
//! In: the log, in any of its formats. Out: signals in the order of their first lines, how processes ended, and which
//! process has which number. The forms are in [`form`], the lines of a signal are put together in [`open`].
//!
//! Invariants: what two forms tell of one crash or hang is one signal, in the words that say most; a crash whose
//! exception has not been written yet is left out, for it will be complete when the log is read again.

mod form;
mod open;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use super::log_line::LogLine;
use droidmux_record::{Signal, SignalKind};
pub(crate) use form::log_filter;
use form::{FormKind, MAX_LINE, forms_of};
use open::Open;
pub(crate) use words::{Departure, Ended, Why, is_crash};

/// A signal and its position in the log, by which it is recognised when the log is read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// `MM-DD HH:MM:SS.mmm` of its first line; empty when the log has no times.
    pub time: String,
    /// The process that it is about, where the log says so.
    pub pid: Option<u32>,
    pub signal: Signal,
    /// It says that the process crashed, and hardly why: more may follow.
    pub bare: bool,
    /// The process does not outlive it.
    pub ends: bool,
    /// The end of the process's name, where the log has no more of it.
    pub short_name: Option<String>,
}

/// What a log says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub signals: Vec<Logged>,
    pub departures: Vec<Departure>,
    /// Names of processes by their numbers, as far as the log tells them.
    pub names: BTreeMap<u32, String>,
    /// The processes that began, in order.
    pub begun: Vec<(u32, String)>,
}

/// The most signals, ends and names read at once.
const MAX_SIGNALS: usize = 32;
const MAX_DEPARTURES: usize = 64;
const MAX_NAMES: usize = 512;

/// Reads a log.
pub(crate) fn read_log(log: &str) -> Told {
    let mut told = Told::default();
    let mut open: Vec<Open> = Vec::new();
    let mut last_words: BTreeMap<u32, String> = BTreeMap::new();
    let mut last = (None, "", 'E');
    for line in log.lines().filter(|line| !line.starts_with("--------- ")) {
        let line = LogLine::read(line);
        if let Some((level, tag)) = line.header {
            last = (line.pid, tag, level);
        }
        let (pid, tag, level) = last;
        told.note(tag, line.message);
        let current = open.iter().rposition(|open| open.is_of(tag, pid));
        let begun = forms_of(tag, line.header.is_none())
            .find_map(|kind| Open::begin(kind, tag, pid, level, line, current.and_then(|at| open.get(at))));
        if let Some(begun) = begun {
            if open.len() < MAX_SIGNALS {
                open.push(begun);
            }
        } else if let Some(current) = current.and_then(|at| open.get_mut(at)) {
            current.add(level, line.message);
        } else if let Some(pid) = pid.filter(|_| level == 'F' && last_words.len() < MAX_NAMES) {
            last_words.insert(pid, super::capped(line.message.trim(), MAX_LINE));
        }
    }
    let mut signals: Vec<(FormKind, Logged)> = Vec::new();
    for (kind, mut logged) in open.into_iter().filter_map(Open::close) {
        if logged.signal.process.is_empty()
            && let Some(name) = logged.pid.and_then(|pid| told.names.get(&pid))
        {
            logged.signal.process.clone_from(name);
        }
        if let Some(words) =
            logged.pid.filter(|_| kind == FormKind::Libc).and_then(|pid| last_words.get(&pid))
        {
            let headline = format!("{}: {words}", logged.signal.headline);
            logged.signal.headline = super::capped(&headline, MAX_LINE);
        }
        merge(&mut signals, kind, logged);
    }
    told.signals = signals.into_iter().map(|(_, logged)| logged).collect();
    told
}

/// Seconds between two lines of one form about one hang: the window manager and the input dispatcher both tell of it.
const TOLD_TWICE: f64 = 1.0;

/// Seconds between the first line about a hang and the last: the system collects stacks before it tells the reason.
const TOLD_BY_ALL: f64 = 40.0;

/// Adds a signal, or what it says, to an earlier one of the same crash or hang.
fn merge(signals: &mut Vec<(FormKind, Logged)>, kind: FormKind, next: Logged) {
    let same = signals.iter_mut().find(|(known, first)| are_one(*known, first, kind, &next));
    let Some((known, first)) = same else { return signals.push((kind, next)) };
    if first.signal.process.is_empty() {
        first.signal.process.clone_from(&next.signal.process);
    }
    first.pid = first.pid.or(next.pid);
    let says_more =
        (first.bare && !next.bare) || (kind == FormKind::Anr && known.is_anr() && *known != FormKind::Anr);
    if says_more {
        let process = std::mem::take(&mut first.signal.process);
        first.signal = Signal { process, ..next.signal };
        (*known, first.bare) = (kind, next.bare);
    }
    first.ends |= next.ends;
}

/// Whether two signals tell of one crash or hang.
fn are_one(known: FormKind, first: &Logged, kind: FormKind, next: &Logged) -> bool {
    let (one, other) = (&first.signal, &next.signal);
    if one.kind != other.kind {
        return false;
    }
    if one.kind == SignalKind::Anr {
        // Where nobody says when, the same form twice is two hangs, and different forms are one.
        let longest = if known == kind { TOLD_TWICE } else { TOLD_BY_ALL };
        let near = match (seconds(&first.time), seconds(&next.time)) {
            (Some(first), Some(next)) => next - first <= longest,
            _ => known != kind,
        };
        return near
            && one.process == other.process
            && (first.pid == next.pid || first.pid.is_none() || next.pid.is_none());
    }
    if first.pid.is_none() || first.pid != next.pid {
        return false;
    }
    // A crash reporter logs an exception that the system then logs again.
    let again = one.headline == other.headline;
    let ends_both = known.ends_process() && kind.ends_process() && (first.bare || next.bare);
    again || ends_both || known.comes_before_end() && kind.ends_process()
}

/// Seconds of a time that ends in `MM-DD HH:MM:SS.mmm`, counted so that differences within a month are right; `None` where
/// there is no such time.
fn seconds(time: &str) -> Option<f64> {
    let (date, clock) = time.trim().rsplit_once(' ')?;
    let mut date = date.rsplit('-');
    let (day, month): (f64, f64) = (date.next()?.parse().ok()?, date.next()?.parse().ok()?);
    let mut clock = clock.split(':');
    let mut next = || clock.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    Some((((month * 31.0 + day) * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds)
}

impl Told {
    fn note(&mut self, tag: &str, message: &str) {
        if let Some((pid, name)) = words::naming(tag, message)
            && self.names.len() < MAX_NAMES
        {
            let name = super::capped(name, 200);
            if tag != "AndroidRuntime" {
                self.begun.push((pid, name.clone()));
            }
            self.names.insert(pid, name);
        }
        if let Some(departure) = words::departure(tag, message)
            && self.departures.len() < MAX_DEPARTURES
        {
            if let Some(pid) = departure.pid.filter(|_| !departure.process.is_empty()) {
                self.names.insert(pid, departure.process.clone());
            }
            self.departures.push(departure);
        }
    }
}
