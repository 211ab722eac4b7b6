//! The crash and ANR watch: which part of the log is new.

use std::time::Duration;

use super::device::AdbDevice;
use crate::output::{Logged, complaint, read_signals};
use crate::{DeviceErrorKind, Shortcoming};
use droidmux_record::Signal;

/// How far the log was read.
///
/// Marked by the device's own clock, since `logcat -T` reads from a time. The mark is taken before the log is read and
/// has whole seconds, so signals near it are met twice and recognised by what was seen before. When the clock is set
/// back, the mark follows it: what was logged in the meantime is not read.
///
/// A log that cannot be read is no error: it is asked for in other ways, and at each look again; the mark stays, so that
/// what was logged in the meantime is read once it can be.
#[derive(Debug, Default)]
pub(super) struct LogWatch {
    since: Option<String>,
    /// Signals met at or after `since`.
    seen: Vec<Logged>,
    /// Which of [`BUFFERS`] are asked for.
    buffers: usize,
    /// Readings in a row that failed.
    failed: usize,
    /// Why there is no log to read.
    fault: Option<String>,
}

/// Prints the device's time as `logcat` does.
pub(super) const NOW: &str = "date '+%m-%d %H:%M:%S.000'";

/// Only the tags that [`read_signals`] knows, so that little data is transferred.
const FILTER: &str = "AndroidRuntime:E ACRA:E CustomActivityOnCrash:E DEBUG:F ActivityManager:E '*:S'";

/// Appended to the output of a failed `logcat`.
const FAILED: &str = "logcat-failed";

/// Android 5, the first with a crash buffer.
const FIRST_WITH_CRASH_BUFFER: u32 = 21;

/// Ways to ask for the log, from the best on: a vendor may have taken a buffer away.
const BUFFERS: [&str; 3] = ["-b crash -b main -b system", "-b main -b system", ""];

/// The tag of the lines that are written to see whether the log is.
const OWN_TAG: &str = "droidmux";

/// How often a line just written is looked for, and the pause between looks: the log's daemon takes a moment.
const OWN_LOOKS: u32 = 4;
const OWN_PAUSE: Duration = Duration::from_millis(150);

/// Properties that silence the log, by a level: `Settings` writes the whole word where others write `S` (AOSP
/// `AbstractLogdSizePreferenceController`, `__android_log_level`). Those of a tag go before those of all.
const LEVELS: [&str; 4] =
    ["persist.log.tag.AndroidRuntime", "log.tag.AndroidRuntime", "persist.log.tag", "log.tag"];

impl LogWatch {
    /// The command that prints the log from the mark on; `None` before the first mark.
    pub(super) fn command(&self, api: u32) -> Option<String> {
        self.command_with(api, FILTER)
    }

    fn command_with(&self, api: u32, filter: &str) -> Option<String> {
        let way = if api >= FIRST_WITH_CRASH_BUFFER { self.buffers } else { self.buffers.max(1) };
        let buffers = BUFFERS.get(way).copied().unwrap_or_default();
        let since = self.since.as_ref()?;
        Some(format!("logcat -d -v threadtime {buffers} -T '{since}' {filter} 2>&1 || echo {FAILED}"))
    }

    /// Sets the mark to `now` when there is none yet.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time.
    pub(super) fn begin(&mut self, now: &str) -> Result<(), DeviceErrorKind> {
        if self.since.is_none() {
            self.since = Some(time(now)?.to_owned());
        }
        Ok(())
    }

    /// The signals of a log printed by [`LogWatch::command`] that were not met before; the mark
    /// moves to `now`, unless the log could not be read.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when `now` is not a time.
    pub(super) fn absorb(&mut self, now: &str, log: &str) -> Result<Vec<Signal>, DeviceErrorKind> {
        let now = time(now)?;
        let logged = read_signals(log);
        let same = |a: &Logged, b: &Logged| {
            a.time == b.time
                && a.pid == b.pid
                && a.signal.kind == b.signal.kind
                && a.signal.headline == b.signal.headline
        };
        let fresh = logged.iter().filter(|l| !self.seen.iter().any(|s| same(s, l)));
        let signals = fresh.map(|l| l.signal.clone()).collect();
        let shows_lines = !logged.is_empty();
        self.seen.extend(logged);
        match failure(log) {
            Some(said) if !shows_lines => self.fail(&said),
            Some(_) => {}
            None => {
                self.read(shows_lines);
                self.seen.retain(|l| l.time.as_str() >= now);
                self.since = Some(now.to_owned());
            }
        }
        Ok(signals)
    }

    /// Why there is no log.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// A reading failed: the next one is tried another way, and after all ways it counts as unreadable.
    fn fail(&mut self, said: &str) {
        self.failed = self.failed.saturating_add(1);
        self.buffers = (self.buffers + 1) % BUFFERS.len();
        if self.failed >= BUFFERS.len() {
            self.fault = Some(format!("it cannot be read (`{said}`)"));
        }
    }

    /// A reading did not fail. That nothing is written to it is only disproved by lines.
    fn read(&mut self, shows_lines: bool) {
        if self.failed >= BUFFERS.len() || shows_lines {
            self.fault = None;
        }
        self.failed = 0;
    }
}

/// The time that a device prints for [`NOW`].
fn time(now: &str) -> Result<&str, DeviceErrorKind> {
    let now = now.trim();
    let is_time = now.len() == 18
        && now
            .bytes()
            .zip(b"00-00 00:00:00.000")
            .all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s });
    if is_time {
        return Ok(now);
    }
    let said: String = now.chars().take(100).collect();
    Err(DeviceErrorKind::Answer(format!("`{said}` instead of a time (`{NOW}`)")))
}

/// What `logcat` said when it did not print the log: by its exit code, or by words without a single line of a log.
fn failure(log: &str) -> Option<String> {
    let log = log.trim_end();
    if let Some(said) = log.strip_suffix(FAILED) {
        let said = complaint(said);
        return Some(if said.is_empty() { "it says nothing".to_owned() } else { said });
    }
    let is_log = |line: &str| line.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let mut lines = log.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    (lines.peek().is_some() && !lines.any(is_log)).then(|| complaint(log))
}

/// The level that silences crashes, in the words of the property that sets it.
fn silenced(levels: &str) -> Option<String> {
    let set = LEVELS.iter().zip(levels.lines()).find(|(_, level)| {
        let first = level.trim().chars().next().map(|first| first.to_ascii_uppercase());
        first.is_some_and(|first| "VDIWEFAS".contains(first))
    });
    let (property, level) = set.map(|(property, level)| (property, level.trim()))?;
    let silent = level.starts_with(['F', 'A', 'S', 'f', 'a', 's']);
    silent.then(|| format!("it is switched off (`{property}` is `{}`)", complaint(level)))
}

impl AdbDevice {
    /// [`LogWatch::absorb`]; what there is to say about a log that cannot be read becomes a shortcoming.
    pub(super) async fn absorb_log(&self, now: &str, log: &str) -> Result<Vec<Signal>, DeviceErrorKind> {
        let before = self.log().fault().map(str::to_owned);
        let signals = self.log().absorb(now, log)?;
        if self.log().fault() != before.as_deref() {
            self.tell_log().await;
        }
        Ok(signals)
    }

    /// Writes a line to the log and looks for it, so that a log that is switched off is noticed before a crash is missed.
    /// What was logged before is read on the way, and not told.
    pub(super) async fn try_log(&self) -> Result<(), DeviceErrorKind> {
        let api = self.profile().await?.api;
        let token = self.marks().token();
        let mut write = format!("log -p e -t {OWN_TAG} {token} 2>&1 || echo {FAILED}");
        let mut written = true;
        for look in 1..=OWN_LOOKS {
            let mut script = self.marks().script();
            script.section("written", &std::mem::replace(&mut write, "true".to_owned()));
            script.section("now", NOW);
            if let Some(command) = self.log().command_with(api, &format!("{OWN_TAG}:E {FILTER}")) {
                script.section("log", &command);
            }
            script.section("levels", &LEVELS.map(|property| format!("getprop {property}")).join("; "));
            let output = self.run(&script.line()).await?;
            let sections = script.split(&output.stdout)?;
            written &= sections.text("written").trim().is_empty();
            let (now, log) = (sections.text("now"), sections.text("log"));
            let (found, failed) = (log.contains(&token), failure(&log).is_some());
            self.log().absorb(&now, &log)?;
            if failed {
                // What was logged before this session does not belong to it.
                self.log().since = Some(time(&now)?.to_owned());
            }
            if found || look == OWN_LOOKS || !failed && !written {
                let silent = silenced(&sections.text("levels"));
                if !failed {
                    let silent = match (found, silent, written) {
                        (true, ..) => None,
                        (false, Some(silenced), _) => Some(silenced),
                        (false, None, true) => Some("what is written to it does not appear in it".to_owned()),
                        // Nothing can be written by hand: whatever is there will do.
                        (false, None, false) => self.is_log_empty().await?.then(|| "it is empty".to_owned()),
                    };
                    self.log().fault = silent;
                }
                break;
            }
            tokio::time::sleep(OWN_PAUSE).await;
        }
        self.tell_log().await;
        Ok(())
    }

    /// Whether nobody has ever written to the log.
    async fn is_log_empty(&self) -> Result<bool, DeviceErrorKind> {
        let output = self.run("logcat -d -t 5 2>/dev/null | grep -v '^-----'").await?;
        Ok(output.text().trim().is_empty())
    }

    /// Why there is no log, and what to do about it.
    async fn tell_log(&self) {
        let why = self.log().fault().map(str::to_owned);
        let shortcoming = match why {
            Some(why) => {
                let remedy = self.maker().await.lets_log_be_read().to_owned();
                Some(Shortcoming::Log { why, remedy })
            }
            None => None,
        };
        self.falls_short(|known| matches!(known, Shortcoming::Log { .. }), shortcoming);
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
        watch.begin("09-10 10:00:00.000").expect("a time");
        let mut asked = Vec::new();
        for second in 1..=4 {
            asked.push(watch.command(30).expect("a mark"));
            let log = "logcat: no such buffer\nlogcat-failed\n";
            assert_eq!(watch.absorb(&format!("09-10 10:00:0{second}.000"), log), Ok(Vec::new()));
            assert_eq!(watch.fault().is_some(), second >= 3, "after other ways were tried");
        }
        assert_eq!(watch.fault(), Some("it cannot be read (`logcat: no such buffer`)"));
        assert!(
            asked.iter().all(|command| command.contains("-T '09-10 10:00:00.000'")),
            "the mark stays: {asked:?}"
        );
        assert!(asked.first() == asked.last() && asked.first() != asked.get(1), "{asked:?}");
        let late = watch.absorb("09-10 10:00:09.000", &crash("09-10 10:00:02.000", 7, "x.A"));
        assert_eq!((late.expect("a time").len(), watch.fault()), (1, None), "nothing was missed");
    }

    #[test]
    fn failures_of_logcat() {
        let head = "--------- beginning of main\n";
        let cases = [
            ("", None),
            (head, None),
            ("09-10 10:00:00.000  7  7 E x: y\n", None),
            ("logcat-failed\n", Some("it says nothing")),
            ("logcat: Unexpected EOF!\nlogcat-failed", Some("logcat: Unexpected EOF!")),
            ("Unable to open log device '/dev/log/main': Permission denied\n", Some("Unable to open log")),
            ("/system/bin/sh: logcat: inaccessible or not found\nlogcat-failed", Some("inaccessible")),
        ];
        for (log, expected) in cases {
            let failure = failure(log);
            match expected {
                Some(words) => {
                    assert!(failure.as_ref().is_some_and(|said| said.contains(words)), "{log}: {failure:?}")
                }
                None => assert_eq!(failure, None, "{log}"),
            }
        }
    }

    #[test]
    fn levels_that_silence() {
        let cases = [
            ("\n\n\n\n", None),
            ("\n\nSettings\n\n", Some("persist.log.tag")),
            ("\n\n\nS\n", Some("log.tag")),
            ("\n\nI\nS\n", None),
            ("\nE\nS\n\n", None),
            ("suppress\n\n\n\n", Some("persist.log.tag.AndroidRuntime")),
            ("\n\nM\n\n", None),
            ("", None),
        ];
        for (levels, expected) in cases {
            let silenced = silenced(levels);
            let property = silenced.as_ref().and_then(|words| words.split('`').nth(1));
            assert_eq!(property, expected, "{levels:?}");
        }
    }

    #[test]
    fn a_clock_that_is_none() {
        for now in ["", "date: not found", "09-10 10:00:00", "09-10 10:00:00.00x"] {
            assert!(LogWatch::default().absorb(now, "").is_err(), "{now}");
        }
    }
}
