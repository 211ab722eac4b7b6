//! Toasts without an agent: what the notification service has in its queue while one shows.
//!
//! In: the lines of `dumpsys notification` that tell of toasts, asked for beside each dump of `uiautomator`. Out: what the
//! first of those says that was not told yet. Invariants: a toast is told once, however long it shows; where the service does
//! not answer, nothing is known, which is not the same as silence.
//!
//! Sources: AOSP `NotificationManagerService.dumpImpl`, and `toString` of `ToastRecord`, `TextToastRecord` and
//! `CustomToastRecord`.

use std::collections::VecDeque;

/// Prints the heading of the service's state, and a line for each toast in the queue, the one that shows first.
pub(super) const TOASTS: &str = "dumpsys notification | grep -E 'Notification Manager state|ToastRecord'";

const HEADING: &str = "Notification Manager state";
const RECORD: &str = "ToastRecord{";
/// What is told of a toast whose words are not in the queue: one of an app's own making, or any before Android 11.
const UNREADABLE: &str = "…";
/// Longer texts are cut off.
const LONGEST: usize = 1_000;
/// Toasts remembered as told. A queue holds 50 of one app at most.
const MOST: usize = 64;

/// What was told before.
#[derive(Debug, Default)]
pub(super) struct ToldToasts(VecDeque<String>);

/// What is known of toasts at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::adb) struct Heard {
    /// What one said that was not told before.
    pub(in crate::adb) toast: Option<String>,
    /// Whether the service answered.
    pub(in crate::adb) hears: bool,
}

impl Heard {
    /// With what was heard later.
    pub(super) fn add(&mut self, later: Self) {
        self.hears |= later.hears;
        if self.toast.is_none() {
            self.toast = later.toast;
        }
    }
}

impl ToldToasts {
    /// Reads the output of [`TOASTS`].
    pub(super) fn hear(&mut self, output: &str) -> Heard {
        let mut heard = Heard { toast: None, hears: output.contains(HEADING) };
        for (identity, text) in output.lines().filter_map(record) {
            if self.0.iter().any(|told| told == identity) {
                continue;
            }
            if self.0.len() >= MOST {
                self.0.pop_front();
            }
            self.0.push_back(identity.to_owned());
            heard.toast.get_or_insert(text);
        }
        heard
    }
}

/// The identity of a toast and what it says, from a line like `TextToastRecord{f933a23 163:app/u0a2 … text=Saved duration=1}`.
fn record(line: &str) -> Option<(&str, String)> {
    let (_, record) = line.split_once(RECORD)?;
    let identity = record.split([' ', '}']).next().filter(|identity| !identity.is_empty())?;
    // A text of several lines ends with the line here, and what follows the record's own `text=` is the text.
    let text = record
        .split_once(" text=")
        .map_or(UNREADABLE, |(_, text)| text.rsplit_once(" duration=").map_or(text, |(text, _)| text).trim());
    Some((identity, text.chars().take(LONGEST).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "Current Notification Manager state:\n";

    #[test]
    fn what_a_queue_tells() {
        let text = |identity: &str, text: &str| {
            format!(
                "    TextToastRecord{{{identity} 16368:org.notes/u0a214 isSystemToast=false token=android.os.BinderProxy@7789b20 text={text} duration=1}}\n"
            )
        };
        let own = "    CustomToastRecord{cdd2539 16485:org.notes/u0a214 isSystemToast=false token=android.os.BinderProxy@e9 callback=android.app.ITransientNotification$Stub$Proxy@fb3c1e5}\n";
        let early = "    ToastRecord{4b1c2d pkg=org.notes callback=android.app.ITransientNotification$Stub$Proxy@1 duration=0}\n";
        for (what, lines, toast, hears) in [
            ("nothing shows", String::new(), None, true),
            ("a text", text("f933a23", "Saved"), Some("Saved"), true),
            (
                "a text with marks",
                text("1", "text=a duration=3 days}"),
                Some("text=a duration=3 days}"),
                true,
            ),
            (
                "one cut off at the end of its line",
                "    TextToastRecord{1 2:a/u0 text=One".into(),
                Some("One"),
                true,
            ),
            ("several", text("1", "One") + &text("2", "Two"), Some("One"), true),
            ("one of an app's own making", own.into(), Some("…"), true),
            ("any before Android 11", early.into(), Some("…"), true),
            ("no record", "    ToastRecord{}\n".into(), None, true),
        ] {
            let heard = ToldToasts::default().hear(&format!("{STATE}{lines}"));
            assert_eq!(heard, Heard { toast: toast.map(str::to_owned), hears }, "{what}");
        }
        for silent in ["", "Can't find service: notification\n", "Permission Denial: can't dump"] {
            assert_eq!(ToldToasts::default().hear(silent), Heard::default(), "{silent:?}");
        }
    }

    #[test]
    fn a_toast_is_told_once() {
        let shows =
            |identity: u32| format!("{STATE}TextToastRecord{{{identity:x} 1:a/u0 text=Saved duration=0}}\n");
        let mut told = ToldToasts::default();
        let mut heard = |identity| told.hear(&shows(identity)).toast.is_some();
        assert_eq!([7, 7, 8, 7].map(&mut heard), [true, false, true, false]);
        (100..1_000).for_each(|identity| assert!(heard(identity)));
        assert!(told.0.len() <= MOST);
    }
}
