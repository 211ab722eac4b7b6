//! The words of single lines: what names a process, an exception, a reason, an end.

/// Tags of lines that tell which process began or ended, with the lowest level needed.
///
/// | tag | source in AOSP |
/// |---|---|
/// | `ActivityManager` | services/core/java/com/android/server/am/{ProcessList,ProcessRecord,ActivityManagerService}.java |
/// | `am_proc_start`, `am_proc_died`, `am_kill` | services/core/java/com/android/server/am/EventLogTags.logtags |
/// | `lowmemorykiller`, `lmkd`, `killinfo` | system/memory/lmkd/lmkd.cpp and event.logtags |
/// | `Zygote` | core/jni/com_android_internal_os_Zygote.cpp |
pub(super) const END_TAGS: &[(&str, char)] = &[
    ("ActivityManager", 'I'),
    ("am_proc_start", 'I'),
    ("am_proc_died", 'I'),
    ("am_kill", 'I'),
    ("lowmemorykiller", 'I'),
    ("lmkd", 'I'),
    ("killinfo", 'I'),
    ("Zygote", 'I'),
];

/// How the parent of a process says that it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Code(u32),
    Signal(u32),
}

/// The number that a text begins with.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// `Process 4242 exited due to signal 9 (Killed)`, `Process 4242 exited cleanly (1)`,
/// `Process 4242 terminated by signal (11)` (before Android 7).
pub(super) fn zygote(message: &str) -> Option<(u32, Ended)> {
    let rest = message.strip_prefix("Process ")?;
    let pid = leading_number(rest)?;
    let number = |rest: &str| leading_number(rest.trim_start_matches(|c: char| !c.is_ascii_digit()));
    let (_, rest) = rest.split_once(' ')?;
    if let Some(code) = rest.strip_prefix("exited cleanly") {
        return Some((pid, Ended::Code(number(code)?)));
    }
    let signal =
        rest.strip_prefix("exited due to signal").or_else(|| rest.strip_prefix("terminated by signal"))?;
    Some((pid, Ended::Signal(number(signal)?)))
}

/// Signals that a process gets for what it did: ILL, TRAP, ABRT, BUS, FPE, SEGV, SYS.
pub(crate) fn is_crash(signal: u32) -> bool {
    matches!(signal, 4..=8 | 11 | 31)
}

/// The process of `Fatal signal 11 (SIGSEGV), … in tid 4260 (Thread-2), pid 4242 (org.notes)`.
pub(super) fn pid_of_fatal(message: &str) -> Option<u32> {
    message.rsplit_once(", pid ").and_then(|(_, rest)| leading_number(rest))
}

/// What libc calls the process: at most the last 15 characters of its name.
pub(super) fn short_name_of_fatal(message: &str) -> Option<&str> {
    let (_, rest) = message.rsplit_once(", pid ").or_else(|| message.rsplit_once("thread "))?;
    let (_, name) = rest.split_once('(')?;
    name.split(')').next().filter(|name| !name.is_empty())
}

/// The fields of an event `[1,2,text]`: the first ones may hold no comma, and the fifth may where five are wanted.
pub(super) fn event_fields(message: &str, most: usize) -> Option<Vec<&str>> {
    let inside = message.strip_prefix('[')?.trim_end();
    let inside = inside.strip_suffix(']').unwrap_or(inside);
    if most < 8 {
        return Some(inside.splitn(most, ',').collect());
    }
    // Before the message there are five fields, after it two or three without a comma.
    let mut fields: Vec<&str> = inside.splitn(6, ',').collect();
    let tail = fields.pop()?;
    let (rest, last) = tail.rsplit_once(',')?;
    let (rest, last) = match rest.rsplit_once(',') {
        // Since Android 14 a ninth field says whether the app is being stopped.
        Some((before, line)) if is_number(line) && is_number(last) => (before, line),
        _ => (rest, last),
    };
    let (what, file) = rest.rsplit_once(',').unwrap_or((rest, ""));
    fields.extend([what, file, last]);
    Some(fields)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// The package of the window or activity that a hang is about: `Window{4f1 u0 a.b/a.b.Main}`, `ActivityRecord{…}`.
pub(super) fn process_of_window(message: &str) -> Option<&str> {
    let token = message.split([' ', '{', '}', '\'', '"', ',']).find(|word| is_component(word))?;
    token.split_once('/').map(|(package, _)| package)
}

fn is_component(word: &str) -> bool {
    let Some((package, class)) = word.split_once('/') else { return false };
    let sound = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
    };
    package.contains('.')
        && sound(package)
        && class.chars().next().is_some_and(|c| c == '.' || c.is_alphabetic())
}

/// Why the window manager or the input dispatcher says that it hangs; `None` when the line says nothing of the kind.
pub(super) fn reason_of_window(message: &str) -> Option<String> {
    let says = ["ANR in ", "is not responding", "Input event dispatching timed out"];
    if !says.iter().any(|words| message.contains(words)) {
        return None;
    }
    let reason =
        message.split_once("Reason: ").map_or("Input dispatching timed out", |(_, reason)| reason.trim());
    // The dispatcher's own words begin otherwise from version to version.
    Some(match reason.starts_with("Input dispatching timed out") || message.starts_with("ANR in ") {
        true => reason.to_owned(),
        false => format!("Input dispatching timed out ({reason})"),
    })
}

/// An error that nobody caught, in what a React Native app writes to its console: everything that an app writes there
/// on purpose looks otherwise.
pub(super) fn script_error(message: &str) -> Option<&str> {
    let message = message.trim_start_matches("[Unhandled promise rejection: ");
    let rejection = message.strip_prefix("Possible Unhandled Promise Rejection");
    // `(id: 0):`, and the error on the same line or on the next.
    let message =
        rejection.map_or(message, |rest| rest.split_once("):").map_or("", |(_, error)| error.trim_start()));
    if message.is_empty() {
        return rejection.map(|_| "Unhandled Promise Rejection");
    }
    let (class, _) = message.split_once(':')?;
    let is_error = class.ends_with("Error") || class.ends_with("Exception") || class == "Invariant Violation";
    (is_error && !class.contains(' ') || class == "Invariant Violation").then_some(message)
}

/// An error that nobody caught in the scripts that an app brings along; those of pages from elsewhere are no fault of
/// the app.
pub(super) fn web_error(message: &str) -> Option<&str> {
    const OWN: [&str; 6] = [
        "file:///",
        "http://localhost",
        "https://localhost",
        "capacitor://",
        "ionic://",
        "https://appassets.androidplatform.net",
    ];
    let (_, error) = message.split_once("Uncaught ")?;
    if !OWN.iter().any(|place| message.contains(place)) {
        return None;
    }
    let error = error.strip_prefix("(in promise) ").unwrap_or(error);
    let end = error.find("\", source:").unwrap_or(error.len());
    error.get(..end).filter(|error| !error.is_empty())
}

/// `NullReferenceException: Object reference …`, in C#.
pub(super) fn is_managed_exception(message: &str) -> bool {
    let class = message.split([':', ' ']).next().unwrap_or_default();
    class.ends_with("Exception") && class.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '`'))
}

/// What a panic of Rust says: `thread 'main' panicked at src/store.rs:12:5:`, or its message where it stands on the
/// same line, `thread 'main' panicked at 'no note', src/store.rs:12:5`.
pub(super) fn rust_panic(message: &str) -> Option<&str> {
    let (_, at) = message.strip_prefix("thread '")?.split_once(" panicked at ")?;
    match at.strip_prefix('\'').and_then(|at| at.rsplit_once('\'')) {
        Some((what, _)) => Some(what),
        None => Some(""),
    }
}

/// The end of a process, or its killing, as the system tells it; with the reason, if it gives one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Departure {
    pub pid: Option<u32>,
    pub process: String,
    pub why: Why,
}

/// What the system says of an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It killed the process, for this reason.
    Killed(String),
    /// The parent of the process saw it end like this.
    Ended(Ended),
    /// It is gone, and that is all.
    Gone,
}

/// The end that a line tells of.
pub(super) fn departure(tag: &str, message: &str) -> Option<Departure> {
    let message = message.trim();
    let short = |text: &str| crate::output::capped(text.trim(), 200);
    match tag {
        "am_kill" => {
            let fields = event_fields(message, 5)?;
            let [_, pid, process, _, reason] = fields.as_slice() else { return None };
            let why = Why::Killed(short(reason));
            Some(Departure { pid: pid.parse().ok(), process: short(process), why })
        }
        "am_proc_died" => {
            let fields = event_fields(message, 4)?;
            let [_, pid, process, ..] = fields.as_slice() else { return None };
            Some(Departure { pid: pid.parse().ok(), process: short(process), why: Why::Gone })
        }
        "killinfo" => {
            let pid = event_fields(message, 2)?.first()?.parse().ok();
            Some(Departure { pid, process: String::new(), why: Why::Killed("low memory".into()) })
        }
        "lowmemorykiller" | "lmkd" => {
            // `Kill 'org.notes' (4242), uid …`, before Android 10 `Killing 'org.notes' (4242), adj 0`
            let rest = message.strip_prefix("Killing ").or_else(|| message.strip_prefix("Kill "))?;
            let (process, rest) = rest.strip_prefix('\'')?.split_once('\'')?;
            let pid = rest.split_once('(').and_then(|(_, rest)| leading_number(rest));
            Some(Departure { pid, process: short(process), why: Why::Killed("low memory".into()) })
        }
        "Zygote" => {
            let (pid, ended) = zygote(message)?;
            Some(Departure { pid: Some(pid), process: String::new(), why: Why::Ended(ended) })
        }
        "ActivityManager" => {
            if let Some(rest) = message.strip_prefix("Killing ") {
                // `Killing 4242:org.notes/u0a99 (adj 900): empty #17`
                let (pid, rest) = rest.split_once(':')?;
                let (process, rest) = rest.split_once(" (adj ")?;
                let reason = rest.split_once("): ").map_or("", |(_, reason)| reason);
                let process = process.rsplit_once('/').map_or(process, |(process, _)| process);
                let why = Why::Killed(short(reason));
                return Some(Departure { pid: pid.trim().parse().ok(), process: short(process), why });
            }
            // `Process org.notes (pid 4242) has died: fg TOP`
            let (process, rest) = message.strip_prefix("Process ")?.split_once(" (pid ")?;
            rest.contains(" has died").then_some(())?;
            Some(Departure { pid: leading_number(rest), process: short(process), why: Why::Gone })
        }
        _ => None,
    }
}

/// The name of a process that a line tells: of one that begins, ends, crashes or hangs.
pub(super) fn naming<'a>(tag: &str, message: &'a str) -> Option<(u32, &'a str)> {
    let message = message.trim();
    match tag {
        "am_proc_start" => {
            let fields = event_fields(message, 5)?;
            let [_, pid, _, process, ..] = fields.as_slice() else { return None };
            Some((pid.parse().ok()?, *process))
        }
        "ActivityManager" => {
            // `Start proc 4242:org.notes:sync/u0a99 for service {…}`
            let (pid, rest) = message.strip_prefix("Start proc ")?.split_once(':')?;
            let name = rest.split_once(" for ").map_or(rest, |(name, _)| name);
            Some((pid.parse().ok()?, name.rsplit_once('/').map_or(name, |(name, _)| name)))
        }
        "AndroidRuntime" => {
            let (process, pid) = message.strip_prefix("Process: ")?.split_once(", PID: ")?;
            Some((leading_number(pid)?, process))
        }
        _ => None,
    }
}
