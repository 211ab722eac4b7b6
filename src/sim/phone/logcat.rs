//! Logcat: what the phone writes to its log, in the words a real phone uses.

use std::collections::VecDeque;

use droidmux_sim_toolkit::{Moment, Throwable};

/// A log buffer, as `logcat -b` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// What apps write.
    Main,
    /// What the system's services write: starts and ends of apps, hangs.
    System,
    /// Uncaught exceptions with their stack traces.
    Crash,
    /// Events in binary form on a real phone; this one writes none of its own.
    Events,
}

/// One line of logcat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The ring buffer it was written to.
    pub buffer: Buffer,
    /// Milliseconds since 1970, of the phone's clock.
    pub time_ms: u64,
    /// Process id of the writer.
    pub pid: u32,
    /// Thread id of the writer: always the main thread, so the process id.
    pub tid: u32,
    /// V, D, I, W, E or F.
    pub level: char,
    /// Who wrote it, e.g. `ActivityManager`.
    pub tag: String,
    /// One line of text, without a line break.
    pub message: String,
}

impl Buffer {
    /// Every buffer, in the order of `logcat -b all`.
    pub const ALL: [Buffer; 4] = [Buffer::Main, Buffer::System, Buffer::Crash, Buffer::Events];

    /// The name that `logcat -b` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::System => "system",
            Self::Crash => "crash",
            Self::Events => "events",
        }
    }
}

impl LogLine {
    /// `03-06 10:06:00.000  1234  1234 E AndroidRuntime: text`, the default form of logcat.
    pub fn threadtime(&self) -> String {
        let Self { pid, tid, level, tag, message, .. } = self;
        format!("{} {pid:5} {tid:5} {level} {tag:8}: {message}", self.time())
    }

    /// `03-06 10:06:00.000`.
    pub fn time(&self) -> String {
        Moment(self.time_ms).log_text()
    }
}

/// The ring buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    lines: VecDeque<LogLine>,
    /// Nothing is written to it.
    off: bool,
}

/// Process id of the system server.
pub(super) const SYSTEM_SERVER: u32 = 1501;
/// Lines kept over all buffers: older ones fall out, as on a phone.
const CAPACITY: usize = 5000;
/// What is below every app's own frames in a crash on the main thread.
const MAIN_FRAMES: [&str; 8] = [
    "android.os.Handler.handleCallback(Handler.java:942)",
    "android.os.Handler.dispatchMessage(Handler.java:99)",
    "android.os.Looper.loopOnce(Looper.java:201)",
    "android.os.Looper.loop(Looper.java:288)",
    "android.app.ActivityThread.main(ActivityThread.java:7872)",
    "java.lang.reflect.Method.invoke(Native Method)",
    "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run(RuntimeInit.java:548)",
    "com.android.internal.os.ZygoteInit.main(ZygoteInit.java:936)",
];

impl Log {
    /// Lines of these buffers, oldest first.
    pub(super) fn lines(&self, buffers: &[Buffer]) -> Vec<&LogLine> {
        self.lines.iter().filter(|line| buffers.contains(&line.buffer)).collect()
    }

    /// Switches it on, or off: then what is there goes, and nothing comes.
    pub(super) fn switch(&mut self, on: bool) {
        self.off = !on;
        if self.off {
            self.lines.clear();
        }
    }

    pub(super) fn clear(&mut self, buffers: &[Buffer]) {
        self.lines.retain(|line| !buffers.contains(&line.buffer));
    }

    /// An app was started: `component` is `package/full.Activity`.
    pub(super) fn started(&mut self, time_ms: u64, component: &str, pid: u32, cold: bool) {
        let started = format!(
            "START u0 {{act=android.intent.action.MAIN cmp={component}}} with LAUNCH_SINGLE_TOP from uid 2000 result code=0"
        );
        self.system(time_ms, 'I', "ActivityTaskManager", started);
        if cold {
            let package = component.split('/').next().unwrap_or_default();
            let proc = format!("Start proc {pid}:{package}/u0a0 for top-activity {{{component}}}");
            self.system(time_ms, 'I', "ActivityManager", proc);
        }
        self.system(time_ms, 'I', "ActivityTaskManager", format!("Displayed {component}: +357ms"));
    }

    /// An uncaught exception ended a process.
    pub(super) fn crashed(
        &mut self,
        time_ms: u64,
        package: &str,
        activity: &str,
        pid: u32,
        throwable: &Throwable,
    ) {
        self.fatal(time_ms, package, pid, throwable);
        self.ended(time_ms, package, activity, pid);
    }

    /// As [`Log::crashed`], in words that come from elsewhere.
    pub(super) fn died(&mut self, time_ms: u64, package: &str, activity: &str, pid: u32, words: &[String]) {
        for line in words {
            // The process has another number where the words come from.
            let line = match line.strip_prefix("Process: ") {
                Some(_) => format!("Process: {package}, PID: {pid}"),
                None => line.clone(),
            };
            self.push(Buffer::Crash, time_ms, pid, 'E', "AndroidRuntime", line);
        }
        self.ended(time_ms, package, activity, pid);
    }

    fn ended(&mut self, time_ms: u64, package: &str, activity: &str, pid: u32) {
        let short = activity.strip_prefix(package).unwrap_or(activity);
        let finishing = format!("  Force finishing activity {package}/{short}");
        self.system(time_ms, 'W', "ActivityTaskManager", finishing);
        self.push(Buffer::Main, time_ms, pid, 'I', "Process", format!("Sending signal. PID: {pid} SIG: 9"));
        let died = format!("Process {package} (pid {pid}) has died: fg  TOP ");
        self.system(time_ms, 'I', "ActivityManager", died);
    }

    /// An uncaught exception ended a process that showed nothing.
    pub(super) fn crashed_behind(&mut self, time_ms: u64, package: &str, pid: u32, throwable: &Throwable) {
        self.fatal(time_ms, package, pid, throwable);
        let died = format!("Process {package} (pid {pid}) has died: cch  CRE ");
        self.system(time_ms, 'I', "ActivityManager", died);
    }

    fn fatal(&mut self, time_ms: u64, package: &str, pid: u32, throwable: &Throwable) {
        let mut lines = vec![
            "FATAL EXCEPTION: main".to_owned(),
            format!("Process: {package}, PID: {pid}"),
            format!("{}: {}", throwable.class, throwable.message),
        ];
        let frames = throwable.frames.iter().chain(&MAIN_FRAMES);
        lines.extend(frames.map(|frame| format!("\tat {frame}")));
        for line in lines {
            self.push(Buffer::Crash, time_ms, pid, 'E', "AndroidRuntime", line);
        }
    }

    /// An app does not respond.
    pub(super) fn hung(&mut self, time_ms: u64, package: &str, activity: &str, pid: u32, reason: &str) {
        let short = activity.strip_prefix(package).unwrap_or(activity);
        let lines = [
            format!("ANR in {package} ({package}/{short})"),
            format!("PID: {pid}"),
            format!("Reason: {reason}"),
            format!("Parent: {package}/{short}"),
            "Frozen: false".to_owned(),
            "Load: 0.42 / 0.31 / 0.17".to_owned(),
        ];
        for line in lines {
            self.system(time_ms, 'E', "ActivityManager", line);
        }
    }

    /// An app was killed from outside.
    pub(super) fn killed(&mut self, time_ms: u64, package: &str, pid: u32, why: &str) {
        let killing = format!("Killing {pid}:{package}/u0a0 (adj 0): {why}");
        self.system(time_ms, 'I', "ActivityManager", killing);
    }

    fn system(&mut self, time_ms: u64, level: char, tag: &str, message: String) {
        self.push(Buffer::System, time_ms, SYSTEM_SERVER, level, tag, message);
    }

    pub(super) fn push(
        &mut self,
        buffer: Buffer,
        time_ms: u64,
        pid: u32,
        level: char,
        tag: &str,
        message: String,
    ) {
        if self.off {
            return;
        }
        if self.lines.len() >= CAPACITY {
            self.lines.pop_front();
        }
        self.lines.push_back(LogLine { buffer, time_ms, pid, tid: pid, level, tag: tag.into(), message });
    }
}
