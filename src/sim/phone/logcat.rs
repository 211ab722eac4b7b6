//! Logcat: what the phone writes to its log, in the words a real phone uses.

use std::collections::VecDeque;

use super::Phone;
use droidmux_sim_toolkit::{Moment, Throwable};

/// Process id of what a shell runs, as the log names it.
const SHELL_PID: u32 = 4_712;

/// A log buffer, as `logcat -b` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// What apps write.
    Main,
    /// What the system's services write: starts and ends of apps, hangs.
    System,
    /// Uncaught exceptions with their stack traces.
    Crash,
    /// Events in binary form on a real phone: starts and ends of processes, crashes, hangs.
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
/// Process ids of the parent of all apps, and of the daemon that frees memory.
const ZYGOTE: u32 = 702;
const LMKD: u32 = 421;
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
            let event = format!("[0,{pid},10100,{package},top-activity,{{{component}}}]");
            self.event(time_ms, "am_proc_start", event);
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
        let Throwable { class, message, .. } = throwable;
        self.event(time_ms, "am_crash", format!("[{pid},0,{package},0,{class},{message},Unknown.java,1,0]"));
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
        self.died_in_front(time_ms, package, pid);
    }

    fn died_in_front(&mut self, time_ms: u64, package: &str, pid: u32) {
        let died = format!("Process {package} (pid {pid}) has died: fg  TOP ");
        self.system(time_ms, 'I', "ActivityManager", died);
        self.event(time_ms, "am_proc_died", format!("[0,{pid},{package},0,2]"));
    }

    /// A process is gone: its parent saw this signal, and the system that it is not there any more.
    pub(super) fn gone(&mut self, time_ms: u64, package: &str, pid: u32, signal: u32) {
        let what = if signal == 11 { "Segmentation fault" } else { "Killed" };
        let exited = format!("Process {pid} exited due to signal {signal} ({what})");
        self.push(Buffer::Main, time_ms, ZYGOTE, 'I', "Zygote", exited);
        self.died_in_front(time_ms, package, pid);
    }

    /// The system takes the memory of a process.
    pub(super) fn out_of_memory(&mut self, time_ms: u64, package: &str, pid: u32) {
        let kill = format!(
            "Kill '{package}' ({pid}), uid 10100, oom_score_adj 0 to free 181224kB rss, 61448kB swap; reason: low watermark is breached and thrashing (213%)"
        );
        self.push(Buffer::System, time_ms, LMKD, 'I', "lowmemorykiller", kill);
        self.event(time_ms, "killinfo", format!("[{pid},10100,0,0,181224,8,61448]"));
    }

    /// Native code of an app did what it must not; what else is usually written of that is missing.
    pub(super) fn faulted(&mut self, time_ms: u64, package: &str, pid: u32) {
        // The kernel keeps this much of a name.
        let name = package.get(package.len().saturating_sub(15)..).unwrap_or(package);
        let fatal = format!(
            "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid {} (Thread-2), pid {pid} ({name})",
            pid + 17
        );
        self.push(Buffer::Crash, time_ms, pid, 'F', "libc", fatal);
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
        self.event(time_ms, "am_anr", format!("[0,{pid},{package},0,{reason}]"));
    }

    /// An app was killed from outside.
    pub(super) fn killed(&mut self, time_ms: u64, package: &str, pid: u32, why: &str) {
        let killing = format!("Killing {pid}:{package}/u0a0 (adj 0): {why}");
        self.system(time_ms, 'I', "ActivityManager", killing);
        self.event(time_ms, "am_kill", format!("[0,{pid},{package},0,{why}]"));
    }

    fn event(&mut self, time_ms: u64, tag: &str, message: String) {
        self.push(Buffer::Events, time_ms, SYSTEM_SERVER, 'I', tag, message);
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

impl Phone {
    /// The lines of these buffers, oldest first.
    pub fn logcat(&self, buffers: &[Buffer]) -> Vec<&LogLine> {
        self.log.lines(buffers)
    }

    /// Writes a line to the log, as the shell user does.
    pub fn write_log(&mut self, buffer: Buffer, level: char, tag: &str, message: &str) {
        let time = self.clock.now_ms();
        for line in message.lines() {
            self.log.push(buffer, time, SHELL_PID, level, tag, line.to_owned());
        }
    }

    /// Writes a line to the log, as the process of an app does; nothing when it has none.
    pub fn write_log_of(&mut self, package: &str, level: char, tag: &str, message: &str) {
        if let Some(pid) = self.pid_of(package) {
            let time = self.clock.now_ms();
            self.log.push(Buffer::Main, time, pid, level, tag, message.to_owned());
        }
    }

    /// Empties these buffers.
    pub fn clear_logcat(&mut self, buffers: &[Buffer]) {
        self.log.clear(buffers);
    }
}
