//! How the log is asked for, and whether it can be read.
//!
//! In: what `logcat` printed, or said instead. Out: the command that reads on, and why there is no log, if there is none.
//! A log that cannot be read is no error: it is asked for in other ways, and at each look again; the mark stays, so that
//! what was logged in the meantime is read once it can be.

use std::time::Duration;

use super::device::AdbDevice;
use crate::output::{complaint, log_filter};
use crate::{DeviceErrorKind, Shortcoming};
use droidmux_record::Signal;

/// How far the log was read, by the device's own clock, and how it is asked for.
#[derive(Debug, Default)]
pub(super) struct LogReading {
    /// The mark: nothing before it is asked for.
    pub(super) since: Option<String>,
    /// Which of [`BUFFERS`] are asked for.
    buffers: usize,
    /// Readings in a row that failed.
    failed: usize,
    /// Why there is no log to read.
    pub(super) fault: Option<String>,
}

/// Prints the device's time as `logcat` does.
pub(super) const NOW: &str = "date '+%m-%d %H:%M:%S.000'";

/// Appended to the output of a failed `logcat`.
const FAILED: &str = "logcat-failed";

/// Android 5, the first with a crash buffer.
const FIRST_WITH_CRASH_BUFFER: u32 = 21;

/// Ways to ask for the log, from the best on: a vendor may have taken a buffer away, and some have no events for a shell.
const BUFFERS: [&str; 4] =
    ["-b events -b crash -b main -b system", "-b crash -b main -b system", "-b main -b system", ""];

/// The first way without a crash buffer.
const WITHOUT_CRASHES: usize = 2;

/// The tag of the lines that are written to see whether the log is.
const OWN_TAG: &str = "droidmux";

/// How often a line just written is looked for, and the pause between looks: the log's daemon takes a moment.
const OWN_LOOKS: u32 = 4;
const OWN_PAUSE: Duration = Duration::from_millis(150);

/// Properties that silence the log, by a level: `Settings` writes the whole word where others write `S` (AOSP
/// `AbstractLogdSizePreferenceController`, `__android_log_level`). Those of a tag go before those of all.
const LEVELS: [&str; 4] =
    ["persist.log.tag.AndroidRuntime", "log.tag.AndroidRuntime", "persist.log.tag", "log.tag"];

impl LogReading {
    /// The command that prints the log from the mark on; `None` before the first mark.
    pub(super) fn command(&self, api: u32) -> Option<String> {
        self.command_with(api, &log_filter())
    }

    fn command_with(&self, api: u32, filter: &str) -> Option<String> {
        let old = api < FIRST_WITH_CRASH_BUFFER;
        let way = if old { self.buffers.max(WITHOUT_CRASHES) } else { self.buffers };
        let buffers = BUFFERS.get(way).copied().unwrap_or_default();
        let since = self.since.as_ref()?;
        Some(format!("logcat -d -v threadtime {buffers} -T '{since}' {filter} 2>&1 || echo {FAILED}"))
    }

    /// Takes in what was printed; `shows_lines` is whether anything of it was of use. The mark moves to `now` unless the
    /// log could not be read; true when it moved.
    pub(super) fn take(&mut self, now: &str, log: &str, shows_lines: bool) -> bool {
        match failure(log) {
            Some(said) if !shows_lines => self.fail(&said),
            Some(_) => {}
            None => {
                self.read(shows_lines);
                self.since = Some(now.to_owned());
                return true;
            }
        }
        false
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
pub(super) fn time(now: &str) -> Result<&str, DeviceErrorKind> {
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
    /// [`LogWatch::absorb`](super::log::LogWatch::absorb) for the app under test, if there is one; what there is to say
    /// about a log that cannot be read becomes a shortcoming.
    pub(super) async fn absorb_log(
        &self,
        now: &str,
        log: &str,
        app: Option<&str>,
    ) -> Result<Vec<Signal>, DeviceErrorKind> {
        let before = self.log().fault().map(str::to_owned);
        let signals = self.log().absorb(now, log, app)?;
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
            if let Some(command) =
                self.log().reading.command_with(api, &format!("{OWN_TAG}:E {}", log_filter()))
            {
                script.section("log", &command);
            }
            script.section("levels", &LEVELS.map(|property| format!("getprop {property}")).join("; "));
            let output = self.run(&script.line()).await?;
            let sections = script.split(&output.stdout)?;
            written &= sections.text("written").trim().is_empty();
            let (now, log) = (sections.text("now"), sections.text("log"));
            let (found, failed) = (log.contains(&token), failure(&log).is_some());
            self.log().absorb(&now, &log, None)?;
            if failed {
                // What was logged before this session does not belong to it.
                self.log().reading.since = Some(time(&now)?.to_owned());
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
                    self.log().reading.fault = silent;
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

    #[test]
    fn a_log_that_cannot_be_read() {
        let mut reading = LogReading { since: Some("09-10 10:00:00.000".into()), ..LogReading::default() };
        let mut asked = Vec::new();
        for second in 1..=5 {
            asked.push(reading.command(30).expect("a mark"));
            let log = "logcat: no such buffer\nlogcat-failed\n";
            assert!(!reading.take(&format!("09-10 10:00:0{second}.000"), log, false), "the mark stays");
            assert_eq!(reading.fault.is_some(), second >= 4, "after other ways were tried");
        }
        assert_eq!(reading.fault.as_deref(), Some("it cannot be read (`logcat: no such buffer`)"));
        assert!(asked.iter().all(|command| command.contains("-T '09-10 10:00:00.000'")), "{asked:?}");
        assert!(asked.first() == asked.last() && asked.first() != asked.get(1), "{asked:?}");
        assert!(reading.take("09-10 10:00:09.000", "", true), "nothing was missed");
        assert_eq!(reading.fault, None);
    }

    #[test]
    fn old_systems_have_no_crash_buffer() {
        let reading = LogReading { since: Some("09-10 10:00:00.000".into()), ..LogReading::default() };
        let command = reading.command(30).expect("a mark");
        assert!(
            command.contains("-b events -b crash -b main -b system -T '09-10 10:00:00.000' "),
            "{command}"
        );
        assert!(!reading.command(19).expect("a mark").contains("crash -b"));
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
            assert!(time(now).is_err(), "{now}");
        }
    }
}
