//! What the main thread of an app that hangs was doing: its frames, from where the system keeps them.
//!
//! In: the drop box (`dumpsys dropbox`), or the newest file under `/data/anr` where a shell may read it. Out: lines for
//! the stack of the hang's signal.
//!
//! Invariants: frames are taken only from a report on the same process that is not older than the hang; waiting for them
//! is limited, and given up for good on a device that never has any.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::device::AdbDevice;
use crate::DeviceErrorKind;
use droidmux_record::{Signal, SignalKind};

/// The most lines of the log's own report, and of the main thread, in a stack.
const MAX_REPORT: usize = 12;
const MAX_FRAMES: usize = 48;

/// How often the reports are asked for, and the pause between: writing the threads down takes the system seconds.
const LOOKS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(600);

/// Waits in vain after which reports are asked for once only.
const IN_VAIN: u32 = 2;

/// Waits for reports that never came, in a row.
#[derive(Debug, Default)]
pub(super) struct Reports(AtomicU32);

/// Prints the newest reports, cut down to the lines that are read: whose it is, when, and the main thread.
fn command() -> &'static str {
    "k='^(Process: |Cmd line: |Cmdline: |----- pid |[0-9-]+ [0-9:]+ data_app_anr|\"main\" )'; \
     dumpsys dropbox --print data_app_anr 2>/dev/null | grep -A 48 -E \"$k\" | tail -n 600; \
     f=$(ls -t /data/anr 2>/dev/null | head -n 1); \
     if [ -n \"$f\" ] && [ -r \"/data/anr/$f\" ]; then grep -A 48 -E \"$k\" \"/data/anr/$f\" | head -n 400; fi"
}

impl AdbDevice {
    /// Adds the main thread's frames to hangs of this app that have none.
    pub(super) async fn add_main_threads(
        &self,
        signals: &mut [Signal],
        app: &str,
    ) -> Result<(), DeviceErrorKind> {
        let hangs = |signal: &&mut Signal| {
            signal.kind == SignalKind::Anr
                && signal.is_of(app)
                && !signal.stack.iter().any(|line| is_frame(line))
        };
        for signal in signals.iter_mut().filter(hangs) {
            let since = self.log().hung_at(&signal.process);
            let frames = self.main_thread(&signal.process, since.as_deref()).await?;
            signal.stack.truncate(MAX_REPORT);
            signal.stack.extend(frames);
        }
        Ok(())
    }

    async fn main_thread(&self, process: &str, since: Option<&str>) -> Result<Vec<String>, DeviceErrorKind> {
        let vain = &self.reports().0;
        let looks = if vain.load(Ordering::Relaxed) >= IN_VAIN { 1 } else { LOOKS };
        for look in 0..looks {
            if look > 0 {
                tokio::time::sleep(PAUSE).await;
            }
            let output = self.run(command()).await?;
            let frames = read_main_thread(&output.text(), process, since);
            if !frames.is_empty() {
                vain.store(0, Ordering::Relaxed);
                return Ok(frames);
            }
        }
        vain.fetch_add(1, Ordering::Relaxed);
        Ok(Vec::new())
    }
}

/// The frames of the main thread in the last report on this process that is not older than `since`
/// (`MM-DD HH:MM:SS…`).
fn read_main_thread(text: &str, process: &str, since: Option<&str>) -> Vec<String> {
    let mut frames = Vec::new();
    let (mut is_recent, mut is_its, mut reading) = (since.is_none(), false, false);
    for line in text.lines() {
        if let Some(time) = time_of(line) {
            is_recent = since.and_then(|since| since.get(..14)).is_none_or(|since| time >= since);
            (is_its, reading) = (false, false);
        }
        let names = ["Process: ", "Cmd line: ", "Cmdline: "];
        if let Some(name) = names.iter().find_map(|head| line.strip_prefix(head)) {
            (is_its, reading) = (name.trim() == process, false);
        }
        if line.starts_with("\"main\" ") && is_its && is_recent {
            reading = true;
            frames.clear();
        } else if line.trim().is_empty() || line.starts_with('"') || line == "--" {
            reading = false;
        } else if reading && is_frame(line) && frames.len() < MAX_FRAMES {
            frames.push(line.trim_end().chars().take(500).collect());
        }
    }
    frames
}

/// `MM-DD HH:MM:SS` of `2026-03-04 10:11:12 data_app_anr (…)` and `----- pid 7 at 2026-03-04 10:11:12.5 -----`.
fn time_of(line: &str) -> Option<&str> {
    let dated =
        line.strip_prefix("----- pid ").and_then(|rest| rest.split_once(" at ")).map(|(_, dated)| dated);
    let dated = dated.or_else(|| line.contains(" data_app_anr").then_some(line))?;
    dated.get(5..19).filter(|time| time.as_bytes().get(2) == Some(&b'-'))
}

/// A line of Java's or native frames.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ")
        || line.starts_with("native: #")
        || line.strip_prefix('#').is_some_and(|rest| rest.contains(" pc "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORTS: &str = "2026-03-04 10:00:00 data_app_anr (compressed text, 900 bytes)\nProcess: org.notes\n\
        ----- pid 7 at 2026-03-04 10:00:00.100 -----\nCmd line: org.notes\n\
        \"main\" prio=5 tid=1 Sleeping\n  | group=\"main\"\n  at org.notes.Old.wait(Old.java:4)\n\n\
        2026-03-04 10:05:00 data_app_anr (compressed text, 900 bytes)\nProcess: org.notes\n\
        ----- pid 9 at 2026-03-04 10:05:00.100 -----\nCmd line: org.notes\n\
        \"main\" prio=5 tid=1 Blocked\n  | state=S\n  at org.notes.Store.save(Store.java:41)\n  \
        - waiting to lock <0x0a> held by thread 12\n  at org.notes.Editor.close(Editor.java:9)\n\n\
        \"Thread-2\" prio=5 tid=12 Sleeping\n  at org.notes.Sync.run(Sync.java:1)\n\
        ----- pid 20 at 2026-03-04 10:05:00.300 -----\nCmd line: system_server\n\
        \"main\" prio=5 tid=1 Native\n  at com.android.server.SystemServer.run(SystemServer.java:1)\n";

    #[test]
    fn the_main_thread_of_the_newest_report_is_read() {
        let save = ["  at org.notes.Store.save(Store.java:41)", "  at org.notes.Editor.close(Editor.java:9)"];
        for (name, process, since, expected) in [
            ("the newest", "org.notes", None, &save[..]),
            ("the same time", "org.notes", Some("03-04 10:05:00.000"), &save),
            ("not yet written", "org.notes", Some("03-04 10:05:30.000"), &[]),
            ("another app", "org.other", None, &[]),
        ] {
            assert_eq!(read_main_thread(REPORTS, process, since), expected, "{name}");
        }
    }
}
