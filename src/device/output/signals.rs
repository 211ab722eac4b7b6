//! Crashes and ANRs in what `logcat` prints.
//!
//! Java crashes: tag AndroidRuntime, `FATAL EXCEPTION: thread`, `Process: p, PID: n`, the
//! exception, its stack. Crashes that an app's own reporter caught: tags ACRA and
//! CustomActivityOnCrash. Native crashes: tag DEBUG, `pid: n, tid: n, name: t  >>> p <<<`.
//! ANRs: tag ActivityManager in the main or system buffer, `ANR in p (p/.A)`, `Reason: …`.

use super::capped;
use super::log_line::LogLine;
use droidmux_record::{Signal, SignalKind};

/// A signal and its position in the log, by which it is recognised when the log is read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    /// `MM-DD HH:MM:SS.mmm` of its first line; empty when the log has no times.
    pub time: String,
    pub pid: Option<u32>,
    pub signal: Signal,
}

/// The most signals read at once, the most lines of one stack, the most characters of a line.
const MAX_SIGNALS: usize = 32;
const MAX_STACK: usize = 64;
const MAX_LINE: usize = 500;

/// The signals of a log, in the order of their first lines. A crash whose exception has not been written yet is left
/// out: it will be complete when the log is read again.
pub(crate) fn read_signals(log: &str) -> Vec<Logged> {
    let mut open: Vec<Open> = Vec::new();
    let mut last = (None, "");
    for line in log.lines().filter(|line| !line.starts_with("--------- ")) {
        let line = LogLine::read(line);
        if let Some((_, tag)) = line.header {
            last = (line.pid, tag);
        }
        let (pid, tag) = last;
        let Some(source) = Source::of(tag, line.header.is_none()) else { continue };
        let current = open.iter_mut().rev().find(|o| o.source == source && o.pid == pid);
        if let Some(begun) = Open::begin(source, pid, line, current.as_deref()) {
            if open.len() < MAX_SIGNALS {
                open.push(begun);
            }
        } else if let Some(current) = current {
            current.add(line.message);
        }
    }
    let mut signals: Vec<Logged> = Vec::new();
    for logged in open.into_iter().filter_map(Open::close) {
        // A crash reporter logs an exception that the system then logs again.
        let again = |other: &&mut Logged| {
            logged.pid.is_some() && other.pid == logged.pid && other.signal.headline == logged.signal.headline
        };
        match signals.iter_mut().find(again) {
            Some(first) if first.signal.process.is_empty() => first.signal.process = logged.signal.process,
            Some(_) => {}
            None => signals.push(logged),
        }
    }
    signals
}

/// What logs a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Runtime,
    Acra,
    CustomActivity,
    Tombstone,
    ActivityManager,
}

impl Source {
    /// By tag. Lines of a log that was stripped of its headers count as the runtime's.
    fn of(tag: &str, bare: bool) -> Option<Self> {
        match tag {
            "AndroidRuntime" => Some(Self::Runtime),
            "ACRA" => Some(Self::Acra),
            "CustomActivityOnCrash" => Some(Self::CustomActivity),
            "DEBUG" => Some(Self::Tombstone),
            "ActivityManager" => Some(Self::ActivityManager),
            "" if bare => Some(Self::Runtime),
            _ => None,
        }
    }
}

/// A signal whose lines are still being read.
#[derive(Debug)]
struct Open {
    source: Source,
    pid: Option<u32>,
    time: String,
    /// `None` until the log names it.
    process: Option<String>,
    headline: String,
    stack: Vec<String>,
    /// A command-line tool of the system itself, e.g. `uiautomator`: not an app.
    tool: bool,
}

impl Open {
    /// The signal this line begins, if it begins one. `current` is the one being read.
    fn begin(source: Source, pid: Option<u32>, line: LogLine<'_>, current: Option<&Self>) -> Option<Self> {
        let message = line.message.trim();
        let mut begun = Self {
            source,
            pid,
            time: line.time.to_owned(),
            process: None,
            headline: String::new(),
            stack: Vec::new(),
            tool: false,
        };
        match source {
            Source::Runtime if message.contains("FATAL EXCEPTION IN SYSTEM PROCESS") => {
                begun.process = Some("system_server".into());
            }
            Source::Runtime if message.starts_with("FATAL EXCEPTION") => {}
            // The log was cut: its first lines were pushed out of the buffer.
            Source::Runtime if current.is_some_and(|current| current.headline.is_empty()) => return None,
            Source::Runtime if process_line(message).is_some() => begun.add(message),
            Source::Runtime => {
                let whole = current.is_none() && line.header.is_some() && is_exception(message);
                whole.then(|| begun.add(message))?;
            }
            Source::Acra => {
                let (_, process) = message.strip_prefix("ACRA caught a ")?.rsplit_once(" for ")?;
                begun.process = Some(capped(process, MAX_LINE));
            }
            Source::CustomActivity => message.starts_with("App has crashed").then_some(())?,
            Source::Tombstone => {
                let (_, process) = message.strip_prefix("pid: ")?.split_once(">>> ")?;
                begun.process = Some(capped(process.trim_end_matches(" <<<"), MAX_LINE));
            }
            Source::ActivityManager => {
                let process = message.strip_prefix("ANR in ")?;
                let end = process.find([' ', '(']).unwrap_or(process.len());
                begun.process = Some(capped(process.get(..end)?, MAX_LINE));
                begun.stack.push(capped(message, MAX_LINE));
            }
        }
        Some(begun)
    }

    fn add(&mut self, message: &str) {
        let text = message.trim();
        if let Some((process, _)) = text.strip_prefix("Process: ").and_then(|rest| rest.split_once(", PID: "))
        {
            self.process.get_or_insert_with(|| capped(process, MAX_LINE));
            return;
        }
        let runtime = self.source == Source::Runtime && self.headline.is_empty();
        if runtime && text.strip_prefix("PID: ").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
            self.tool = self.process.is_none();
            return;
        }
        match self.source {
            Source::ActivityManager => {
                if let Some(reason) = text.strip_prefix("Reason: ") {
                    self.headline = capped(reason, MAX_LINE);
                }
            }
            Source::Tombstone if text.starts_with("signal ") && self.headline.is_empty() => {
                self.headline = capped(text, MAX_LINE);
            }
            Source::Tombstone => {
                if let Some(message) = text.strip_prefix("Abort message: ") {
                    self.headline = capped(&format!("{}: {message}", self.headline), MAX_LINE);
                }
            }
            _ if self.headline.is_empty() => {
                self.headline = capped(text, MAX_LINE);
                return;
            }
            _ => {}
        }
        if self.stack.len() < MAX_STACK && !text.is_empty() {
            self.stack.push(capped(message.trim_end(), MAX_LINE));
        }
    }

    fn close(mut self) -> Option<Logged> {
        let kind = match self.source {
            Source::ActivityManager => SignalKind::Anr,
            _ => SignalKind::Crash,
        };
        if kind == SignalKind::Anr && self.headline.is_empty() {
            self.headline = self.stack.first().cloned().unwrap_or_default();
        }
        if self.tool || self.headline.is_empty() {
            return None;
        }
        let process = self.process.unwrap_or_default();
        let signal = Signal { kind, process, headline: self.headline, stack: self.stack };
        Some(Logged { time: self.time, pid: self.pid, signal })
    }
}

/// `Process: p, PID: n`
fn process_line(text: &str) -> Option<&str> {
    text.strip_prefix("Process: ")?.split_once(", PID: ").map(|(process, _)| process)
}

/// `java.lang.SomeException: message`
fn is_exception(text: &str) -> bool {
    let class = text.split(':').next().unwrap_or_default();
    class.contains('.') && !class.contains(char::is_whitespace)
}
