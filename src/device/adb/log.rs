//! The crash and ANR watch: which part of the log is new.

use crate::DeviceErrorKind;
use crate::output::{Logged, read_signals};
use droidmux_record::Signal;

/// How far the log was read.
///
/// Marked by the device's own clock, since `logcat -T` reads from a time. The mark is taken before the log is read and
/// has whole seconds, so signals near it are met twice and recognised by what was seen before. When the clock is set
/// back, the mark follows it: what was logged in the meantime is not read.
#[derive(Debug, Default)]
pub(super) struct LogWatch {
    since: Option<String>,
    /// Signals met at or after `since`.
    seen: Vec<Logged>,
}

/// Prints the device's time as `logcat` does.
pub(super) const NOW: &str = "date '+%m-%d %H:%M:%S.000'";

/// Only the tags that [`read_signals`] knows, so that little data is transferred.
const FILTER: &str = "AndroidRuntime:E ACRA:E CustomActivityOnCrash:E DEBUG:F ActivityManager:E '*:S'";

/// Appended to the output of a failed `logcat`.
const FAILED: &str = "logcat-failed";

/// Android 5, the first with a crash buffer.
const FIRST_WITH_CRASH_BUFFER: u32 = 21;

impl LogWatch {
    /// The command that prints the log from the mark on; `None` before the first mark.
    pub(super) fn command(&self, api: u32) -> Option<String> {
        let buffers =
            if api >= FIRST_WITH_CRASH_BUFFER { "-b crash -b main -b system" } else { "-b main -b system" };
        let since = self.since.as_ref()?;
        Some(format!("logcat -d -v threadtime {buffers} -T '{since}' {FILTER} 2>&1 || echo {FAILED}"))
    }

    /// Sets the mark to `now` when there is none yet.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time.
    pub(super) fn begin(&mut self, now: &str) -> Result<(), DeviceErrorKind> {
        if self.since.is_none() { self.absorb(now, "").map(drop) } else { Ok(()) }
    }

    /// The signals of a log printed by [`LogWatch::command`] that were not met before; the mark
    /// moves to `now`.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time, or `logcat` failed.
    pub(super) fn absorb(&mut self, now: &str, log: &str) -> Result<Vec<Signal>, DeviceErrorKind> {
        let now = now.trim();
        let is_time = now.len() == 18
            && now
                .bytes()
                .zip(b"00-00 00:00:00.000")
                .all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s });
        if !is_time {
            let said: String = now.chars().take(100).collect();
            return Err(DeviceErrorKind::Answer(format!("`{said}` instead of a time (`{NOW}`)")));
        }
        if let Some(said) = log.trim_end().strip_suffix(FAILED) {
            let said: String = said.trim().chars().take(300).collect();
            return Err(DeviceErrorKind::Answer(format!("logcat failed: {said}")));
        }
        let logged = read_signals(log);
        let same = |a: &Logged, b: &Logged| {
            a.time == b.time
                && a.pid == b.pid
                && a.signal.kind == b.signal.kind
                && a.signal.headline == b.signal.headline
        };
        let fresh = logged.iter().filter(|l| !self.seen.iter().any(|s| same(s, l)));
        let signals = fresh.map(|l| l.signal.clone()).collect();
        self.seen.extend(logged);
        self.seen.retain(|l| l.time.as_str() >= now);
        self.since = Some(now.to_owned());
        Ok(signals)
    }
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
        let command = watch.command(30).expect("a mark");
        assert!(command.contains("-b crash -b main -b system -T '09-10 10:00:00.000' "), "{command}");
        assert!(!watch.command(19).expect("a mark").contains("crash -b"));

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
            assert_eq!(watch.absorb(now, &log).expect("a time").len(), expected, "{now}");
        }
        assert!(watch.seen.is_empty(), "nothing old is kept");
    }

    #[test]
    fn a_log_that_cannot_be_read() {
        let mut watch = LogWatch::default();
        let failed = watch.absorb("09-10 10:00:00.000", "logcat: no such buffer\nlogcat-failed\n");
        assert_eq!(failed, Err(DeviceErrorKind::Answer("logcat failed: logcat: no such buffer".into())));
        assert_eq!(watch.command(30), None, "the mark stays");
    }

    #[test]
    fn a_clock_that_is_none() {
        for now in ["", "date: not found", "09-10 10:00:00", "09-10 10:00:00.00x"] {
            assert!(LogWatch::default().absorb(now, "").is_err(), "{now}");
        }
    }
}
