//! Whether the process of the app under test lives, and what ended it.
//!
//! In: which processes the app has at each look, what the log tells, what was done to the app. Out: a signal when the
//! process in front ended and nothing says why, or when only the system's dialog says it.
//!
//! Invariants: what the session did itself is no end worth telling; neither is one for which the system gives a reason
//! (memory, limits, a user). The log is read again before anything is told, because it is written after the end.

use std::time::Duration;

use super::application::is_system;
use super::device::AdbDevice;
use crate::output::{Departure, Ended, Why, is_crash};
use crate::{DeviceErrorKind, DialogKind, Foreground, Gesture, Key};
use droidmux_record::{Signal, SignalKind};

/// Android 11: `dumpsys activity exit-info`.
const FIRST_WITH_EXIT_INFO: u32 = 30;

/// How often the log is read again, and the pause before each time: the system writes a reason down late.
const AGAIN: u32 = 2;
const PAUSE: Duration = Duration::from_millis(400);

/// The process of the app under test.
#[derive(Debug, Default)]
pub(super) struct Life {
    app: Option<String>,
    /// As they were at the last look.
    pids: Vec<u32>,
    /// It was started, and not seen yet.
    expected: bool,
    /// The page that it began with, and the one shown at the last look while it was in front.
    root: Option<String>,
    page: Option<String>,
    /// The last gesture leads out of an app on its first page.
    leaves: bool,
    /// The dialog that was shown last, unless the app has been started since then.
    dialog: Option<DialogKind>,
}

/// A process that is not there any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gone {
    /// `None` when it was never seen.
    pub(super) pid: Option<u32>,
}

impl Life {
    /// The session ends this app, whatever it is doing: what ends now is its own doing.
    pub(super) fn ended_by_us(&mut self, app: &str) {
        if self.app.as_deref() == Some(app) {
            self.pids.clear();
            (self.expected, self.page) = (false, None);
        }
    }

    /// The app was started, and is watched from here on.
    pub(super) fn started(&mut self, app: &str) {
        if self.app.as_deref() != Some(app) {
            *self = Self { app: Some(app.to_owned()), ..Self::default() };
        }
        (self.expected, self.dialog, self.leaves) = (self.pids.is_empty(), None, false);
        if self.expected {
            self.root = None;
        }
    }

    /// Notes what is done next.
    pub(super) fn does(&mut self, gesture: &Gesture) {
        self.leaves = match gesture {
            Gesture::Key(Key::Home) => true,
            Gesture::Key(Key::Back) => self.page == self.root,
            _ => false,
        };
    }

    pub(super) fn app(&self) -> Option<&str> {
        self.app.as_deref()
    }

    /// Prints the numbers of the app's processes, or `none`; systems before Android 6 have no `pidof`.
    pub(super) fn command(&self) -> Option<String> {
        let app = self.app.as_ref()?;
        let old = format!("ps | grep -E '[ /]{}.?$'", app.replace('.', "[.]"));
        Some(format!("pidof {app} 2>/dev/null || case $? in 127) {old};; *) echo none;; esac"))
    }

    /// Takes in what [`Life::command`] printed while this was in front; tells of the process of an app in front that is
    /// gone since the last look. An app that ends itself when it is left is none.
    pub(super) fn look(&mut self, printed: &str, front: &Foreground) -> Option<Gone> {
        let in_front = self.app.as_ref().is_some_and(|app| *app == front.package);
        let before_page = self.page.clone();
        // A dialog of the system lies over the app, which is still in front below it.
        if in_front || !(front.package.is_empty() || is_system(&front.package)) {
            self.page = in_front.then(|| front.activity.clone());
        }
        if self.root.is_none() {
            self.root.clone_from(&self.page);
        }
        let now = read_pids(printed)?;
        let before = std::mem::replace(&mut self.pids, now);
        let expected = std::mem::take(&mut self.expected);
        // What it shows while it has no process belongs to one of another name.
        if (self.leaves && !in_front) || (in_front && self.pids.is_empty()) {
            return None;
        }
        match before.first() {
            Some(pid) if before_page.is_some() && !before.iter().any(|pid| self.pids.contains(pid)) => {
                Some(Gone { pid: Some(*pid) })
            }
            None if expected && self.pids.is_empty() => Some(Gone { pid: None }),
            _ => None,
        }
    }

    pub(super) fn pids(&self) -> &[u32] {
        &self.pids
    }

    /// Notes the dialog that is shown; true when it is a new one.
    pub(super) fn shows(&mut self, dialog: Option<DialogKind>) -> bool {
        let new = dialog.is_some() && self.dialog != dialog;
        self.dialog = dialog.or(self.dialog);
        new
    }
}

/// `4242`, `4242 4260`, `none`, or lines of `ps` whose second column is the number. `None` when it cannot be told.
fn read_pids(printed: &str) -> Option<Vec<u32>> {
    let text = printed.trim();
    if text == "none" {
        return Some(Vec::new());
    }
    let numbers: Option<Vec<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    if let Some(pids) = numbers.filter(|pids| !pids.is_empty()) {
        return Some(pids);
    }
    let of_line = |line: &str| line.split_whitespace().nth(1)?.parse().ok();
    let pids: Vec<u32> = text.lines().filter_map(of_line).collect();
    (!pids.is_empty()).then_some(pids)
}

/// What is known of an end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// The system gave this reason.
    Reason(String),
    /// The process got a signal for what it did, or the system calls it a crash.
    Crash(String),
    /// Nothing but how it looked from outside.
    Unknown(Option<Ended>),
}

impl Cause {
    /// The most telling of these.
    fn of(departures: &[Departure]) -> Self {
        let mut cause = Self::Unknown(None);
        for departure in departures {
            match &departure.why {
                Why::Killed(reason) if is_for_crash(reason) => cause = Self::Crash(String::new()),
                Why::Killed(reason) => return Self::Reason(reason.clone()),
                Why::Ended(Ended::Signal(signal)) if is_crash(*signal) => {
                    cause = Self::Crash(format!("signal {signal} ({})", name_of(*signal)));
                }
                Why::Ended(ended) if matches!(cause, Self::Unknown(_)) => cause = Self::Unknown(Some(*ended)),
                Why::Ended(_) | Why::Gone => {}
            }
        }
        cause
    }

    /// What `dumpsys activity exit-info` says of the newest end of this process.
    fn of_exit_info(text: &str, pid: Option<u32>) -> Option<Self> {
        let (_, newest) = text.split_once("ApplicationExitInfo #0:")?;
        let value = |name: &str| {
            let (_, rest) = newest.split_once(name)?;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        };
        // The one before is of no use.
        if pid.is_some() && value(" pid=") != pid {
            return None;
        }
        let (reason, status) = (value("reason=")?, value("status=").unwrap_or_default());
        let (_, rest) = newest.split_once("reason=")?;
        let words =
            rest.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(words, _)| words);
        Some(match reason {
            1 => Self::Unknown(Some(Ended::Code(status))),
            2 if is_crash(status) => Self::Crash(format!("signal {status} ({})", name_of(status))),
            2 => Self::Unknown(Some(Ended::Signal(status))),
            4 | 5 | 7 => Self::Crash(String::new()),
            0 => return None,
            _ => Self::Reason(words.to_ascii_lowercase()),
        })
    }
}

/// Reasons with which the system kills what crashed or hung.
fn is_for_crash(reason: &str) -> bool {
    reason == "crash" || reason.starts_with("scheduleCrash") || reason.contains("crashed")
}

fn name_of(signal: u32) -> &'static str {
    match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        31 => "SIGSYS",
        _ => "signal",
    }
}

/// What is said of an end that nothing explains.
fn words(ended: Option<Ended>) -> String {
    match ended {
        None => "its process is gone, and nothing says why".to_owned(),
        Some(Ended::Code(code)) => format!("its process exited with code {code}, and nothing says why"),
        Some(Ended::Signal(signal)) => {
            format!("its process was killed by signal {signal} ({}), and nothing says why", name_of(signal))
        }
    }
}

impl AdbDevice {
    /// The signal for a process that is gone, unless the log told one of it or gives a reason; other signals that the
    /// log has in the meantime.
    pub(super) async fn mourn(&self, gone: Gone) -> Result<Vec<Signal>, DeviceErrorKind> {
        let Some(app) = self.life().app().map(str::to_owned) else { return Ok(Vec::new()) };
        let mut signals = Vec::new();
        let mut cause = Cause::Unknown(None);
        for look in 0..=AGAIN {
            if look > 0 {
                tokio::time::sleep(PAUSE).await;
                signals.extend(self.read_log_again().await?);
                if signals.iter().any(|signal| signal.is_of(&app)) {
                    return Ok(signals);
                }
            }
            if self.log().told_end_of(gone.pid, &app) {
                return Ok(signals);
            }
            cause = Cause::of(&self.log().ends_of(gone.pid, &app));
            if matches!(cause, Cause::Reason(_)) {
                break;
            }
        }
        if matches!(cause, Cause::Unknown(_)) && self.profile().await?.api >= FIRST_WITH_EXIT_INFO {
            let said = self.run(&format!("dumpsys activity exit-info {app}")).await?;
            cause = Cause::of_exit_info(&said.text(), gone.pid).unwrap_or(cause);
        }
        let stopped = self.life().dialog == Some(DialogKind::Stopped);
        let (kind, headline) = match cause {
            Cause::Reason(reason) => {
                self.remark(&format!("the process of {app} was ended by the system: {reason}"));
                return Ok(signals);
            }
            Cause::Crash(words) if words.is_empty() => (SignalKind::Crash, STOPPED.to_owned()),
            Cause::Crash(words) => (SignalKind::Crash, words),
            Cause::Unknown(_) if stopped => (SignalKind::Crash, STOPPED.to_owned()),
            Cause::Unknown(ended) => (SignalKind::Ended, words(ended)),
        };
        signals.push(Signal { kind, process: app, headline, stack: Vec::new() });
        Ok(signals)
    }

    /// The signal for a dialog of the system about the app that was in front, where the log tells none.
    pub(super) fn told_by_dialog(&self, dialog: Option<DialogKind>) -> Option<Signal> {
        let mut life = self.life();
        let is_new = life.shows(dialog);
        let app = life.app().filter(|_| is_new)?.to_owned();
        let running = !life.pids().is_empty() && life.root.is_some();
        drop(life);
        let hangs = dialog == Some(DialogKind::NotResponding) && running;
        (hangs && !self.log().told_lately(&[SignalKind::Anr])).then(|| Signal {
            kind: SignalKind::Anr,
            process: app,
            headline: "the system's dialog says that it isn't responding".to_owned(),
            stack: Vec::new(),
        })
    }
}

/// What is said of a crash that only the system's dialog, or its list of ends, tells.
const STOPPED: &str = "the system says that it has stopped, and the log does not say why";

#[cfg(test)]
mod tests {
    use super::*;

    fn front(package: &str) -> Foreground {
        Foreground { package: package.to_owned(), ..Foreground::default() }
    }

    #[test]
    fn an_end_is_told_when_the_process_is_gone() {
        let home = front("com.android.launcher");
        let shown = front("org.notes");
        let dialog = front("android");
        let gone = |pid| Some(Gone { pid });
        // S: started, E: ended by the session, B: back; else what is printed, after a star below a dialog of the system,
        // and whether the app is in front.
        for (name, story, expected) in [
            ("it lives", &[("S", true), ("7", true), ("7", true)][..], None),
            ("it is gone", &[("S", true), ("7", true), ("none", false)], gone(Some(7))),
            ("it is gone and back", &[("S", true), ("7", true), ("9", true)], gone(Some(7))),
            ("it was never there", &[("S", true), ("none", false)], gone(None)),
            ("once only", &[("S", true), ("none", false), ("none", false)], None),
            ("another process shows it", &[("S", true), ("none", true)], None),
            ("the session ended it", &[("S", true), ("7", true), ("E", true), ("none", false)], None),
            (
                "it ends itself on back from its first page",
                &[("S", true), ("7", true), ("B", true), ("none", false)],
                None,
            ),
            ("below a dialog", &[("S", true), ("7", true), ("*7", false), ("none", false)], gone(Some(7))),
            ("it ended in the background", &[("S", true), ("7", true), ("7", false), ("none", false)], None),
            ("it cannot be told", &[("S", true), ("7", true), ("", false)], None),
            ("one of two is left", &[("S", true), ("7 8", true), ("8", true)], None),
            (
                "lines of ps",
                &[("S", true), ("u0_a1 7 1 9 9 0 S org.notes", true), ("none", false)],
                gone(Some(7)),
            ),
        ] {
            let mut life = Life::default();
            let mut last = None;
            for (step, in_front) in story {
                match *step {
                    "S" => life.started("org.notes"),
                    "E" => life.ended_by_us("org.notes"),
                    "B" => life.does(&Gesture::Key(Key::Back)),
                    printed => {
                        let below = printed.strip_prefix('*');
                        let front = if *in_front { &shown } else { below.map_or(&home, |_| &dialog) };
                        last = life.look(below.unwrap_or(printed), front);
                    }
                }
            }
            assert_eq!(last, expected, "{name}");
        }
    }

    #[test]
    fn reasons_of_the_system_rule_an_end_out() {
        let departure = |why| Departure { pid: Some(7), process: "org.notes".into(), why };
        let killed = |reason: &str| departure(Why::Killed(reason.into()));
        let ended = |ended| departure(Why::Ended(ended));
        for (departures, expected) in [
            (vec![], Cause::Unknown(None)),
            (vec![departure(Why::Gone)], Cause::Unknown(None)),
            (vec![killed("low memory"), departure(Why::Gone)], Cause::Reason("low memory".into())),
            (vec![ended(Ended::Signal(9)), killed("empty #17")], Cause::Reason("empty #17".into())),
            (vec![ended(Ended::Signal(9)), departure(Why::Gone)], Cause::Unknown(Some(Ended::Signal(9)))),
            (vec![ended(Ended::Code(1))], Cause::Unknown(Some(Ended::Code(1)))),
            (vec![ended(Ended::Signal(11))], Cause::Crash("signal 11 (SIGSEGV)".into())),
            (vec![killed("crash")], Cause::Crash(String::new())),
        ] {
            assert_eq!(Cause::of(&departures), expected, "{departures:?}");
        }
    }

    #[test]
    fn the_list_of_ends_is_read() {
        let info = |reason: &str, status: u32| {
            format!(
                "  package: org.notes\n    Historical Process Exit for uid=10099\n        ApplicationExitInfo #0:\n          \
                 timestamp=2026-03-04 10:11:12.345 pid=7 realUid=10099 user=0\n          process=org.notes \
                 reason={reason} subreason=0 (UNKNOWN) status={status}\n          importance=100 description=null\n"
            )
        };
        for (reason, status, pid, expected) in [
            ("1 (EXIT_SELF)", 3, 7, Some(Cause::Unknown(Some(Ended::Code(3))))),
            ("2 (SIGNALED)", 9, 7, Some(Cause::Unknown(Some(Ended::Signal(9))))),
            ("2 (SIGNALED)", 6, 7, Some(Cause::Crash("signal 6 (SIGABRT)".into()))),
            ("3 (LOW_MEMORY)", 0, 7, Some(Cause::Reason("low_memory".into()))),
            ("4 (APP CRASH(EXCEPTION))", 0, 7, Some(Cause::Crash(String::new()))),
            ("10 (USER REQUESTED)", 0, 7, Some(Cause::Reason("user requested".into()))),
            ("3 (LOW_MEMORY)", 0, 8, None),
        ] {
            assert_eq!(Cause::of_exit_info(&info(reason, status), Some(pid)), expected, "{reason} {pid}");
        }
        assert_eq!(Cause::of_exit_info("(nothing)", None), None);
    }
}
