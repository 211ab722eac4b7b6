//! The drop box: reports on apps that hang, as `dumpsys dropbox --print` prints them.

use std::collections::VecDeque;

use super::Phone;
use droidmux_sim_toolkit::Moment;

/// Entries kept: older ones fall out.
const CAPACITY: usize = 20;

/// Reports on apps, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct DropBox {
    entries: VecDeque<(u64, String)>,
}

/// An app that hangs.
pub(super) struct Hanging<'a> {
    pub(super) package: &'a str,
    pub(super) activity: &'a str,
    pub(super) pid: u32,
    pub(super) reason: &'a str,
}

impl DropBox {
    /// A report on an app that does not respond, with its threads.
    pub(super) fn hung(&mut self, time_ms: u64, hanging: &Hanging<'_>) {
        let Hanging { package, pid, reason, .. } = hanging;
        let mut text = format!(
            "Process: {package}\nPID: {pid}\nPackage: {package} v1 (1.0)\nForeground: Yes\nSubject: {reason}\n\n\
             CPU usage from 0ms to 5001ms later:\n  99% {pid}/{package}: 99% user + 0% kernel\n\n\
             ----- pid {pid} at {time} -----\nCmd line: {package}\nABI: 'arm64'\n\n\
             \"main\" prio=5 tid=1 Runnable\n  | group=\"main\" sCount=1 ucsCount=0 flags=1 obj=0x72b0 self=0x7c\n",
            time = date_text(time_ms),
        );
        for frame in hanging.main_thread() {
            text += &format!("  at {frame}\n");
        }
        text += &format!(
            "\n\"Signal Catcher\" daemon prio=10 tid=2 Runnable\n  (no managed stack frames)\n\n----- end {pid} -----\n"
        );
        if self.entries.len() >= CAPACITY {
            self.entries.pop_front();
        }
        self.entries.push_back((time_ms, text));
    }

    /// As `dumpsys dropbox` prints it; whole entries with `--print`, of these tags.
    pub(super) fn text(&self, words: &[String]) -> String {
        const TAG: &str = "data_app_anr";
        let wants = |word: &&String| !word.starts_with('-');
        let wanted = words.iter().filter(wants).all(|word| word == TAG);
        let whole = words.iter().any(|word| word == "--print" || word == "-p");
        let entries: Vec<&(u64, String)> = self.entries.iter().filter(|_| wanted).collect();
        let mut out = format!("Drop box contents: {} entries\n", self.entries.len());
        for (time_ms, text) in &entries {
            let size = text.len();
            out += "========================================\n";
            out += &format!("{} {TAG} (text, {size} bytes)\n", date_text(*time_ms));
            if whole {
                out += text;
            }
        }
        if entries.is_empty() {
            out += "(No entries found.)\n";
        }
        out
    }
}

impl Hanging<'_> {
    /// What the main thread is doing: the method that the reason names, if it names one, called by the activity.
    fn main_thread(&self) -> Vec<String> {
        let Hanging { package, activity, reason, .. } = self;
        let named = reason.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(named, _)| named);
        let method = named.filter(|named| named.contains('.') && !named.contains(' '));
        let class =
            if activity.starts_with('.') { format!("{package}{activity}") } else { (*activity).to_owned() };
        let file = class.rsplit('.').next().unwrap_or_default().to_owned();
        let mut frames: Vec<String> =
            method.map(|method| format!("{method}(Unknown Source:7)")).into_iter().collect();
        frames.push(format!("{class}.onClick({file}.java:118)"));
        let system =
            ["android.view.View.performClick(View.java:7441)", "android.os.Looper.loop(Looper.java:288)"];
        frames.extend(system.map(str::to_owned));
        frames.push("android.app.ActivityThread.main(ActivityThread.java:7872)".to_owned());
        frames
    }
}

/// `2026-03-04 10:05:00`.
fn date_text(time_ms: u64) -> String {
    let moment = Moment(time_ms);
    let log = moment.log_text();
    format!("{:04}-{}", moment.date().0, log.get(..14).unwrap_or_default())
}

impl Phone {
    /// The drop box, as `dumpsys dropbox` with these words prints it.
    pub fn drop_box(&self, words: &[String]) -> String {
        self.drop_box.text(words)
    }
}
