//! The forms in which crashes and hangs appear in a log: one table, with the source of each form and an example.
//!
//! In: one line's tag and message. Out: whether it begins a signal, and what the line already says of it. The lines that
//! follow are read by [`super::open`].
//!
//! Invariants: a form is known by its tag and its words together, for anybody may log under any tag; the filter for
//! `logcat` is made of this table, so a form that is added here is also fetched.

use super::words::{self, Ended};
use crate::output::capped;

/// Characters of a line that are kept.
pub(super) const MAX_LINE: usize = 500;

/// A form of a crash or a hang.
#[cfg_attr(not(test), allow(dead_code, reason = "sources and examples are for readers and tests"))]
pub(super) struct Form {
    pub kind: FormKind,
    /// Tags that write it, with the lowest level of the lines that are needed.
    pub tags: &'static [(&'static str, char)],
    /// Where the words are written: a file of AOSP, or a project.
    pub source: &'static str,
    /// A line that begins it.
    pub example: &'static str,
}

/// What writes a form, and so how its lines go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormKind {
    Runtime,
    Acra,
    CustomActivity,
    Tombstone,
    Libc,
    Zygote,
    EventCrash,
    Anr,
    WindowAnr,
    EventAnr,
    Dart,
    Flutter,
    JavaScript,
    WebView,
    Unity,
    Mono,
    Python,
    Go,
    Rust,
}

/// What the first line of a signal says.
#[derive(Debug, Default)]
pub(super) struct Begun {
    pub process: Option<String>,
    /// The process that it is about, where another one wrote the line.
    pub pid: Option<u32>,
    pub headline: String,
    /// The line belongs to the stack.
    pub kept: bool,
}

/// Every form. Of forms with a tag in common the first that fits counts.
#[rustfmt::skip]
pub(super) const FORMS: &[Form] = &[
    Form { kind: FormKind::Runtime, tags: &[("AndroidRuntime", 'E')],
        source: "frameworks/base/core/java/com/android/internal/os/RuntimeInit.java",
        example: "FATAL EXCEPTION: main" },
    Form { kind: FormKind::Acra, tags: &[("ACRA", 'E')],
        source: "ACRA, ErrorReporterImpl.kt",
        example: "ACRA caught a IllegalStateException for org.notes" },
    Form { kind: FormKind::CustomActivity, tags: &[("CustomActivityOnCrash", 'E')],
        source: "CustomActivityOnCrash, CustomActivityOnCrash.java",
        example: "App has crashed, executing CustomActivityOnCrash's UncaughtExceptionHandler" },
    Form { kind: FormKind::Tombstone, tags: &[("DEBUG", 'F'), ("CRASH", 'E')],
        source: "system/core/debuggerd/libdebuggerd/tombstone_proto_to_text.cpp; CRASH: Unity's own handler",
        example: "pid: 4242, tid: 4260, name: RenderThread  >>> org.notes <<<" },
    Form { kind: FormKind::Libc, tags: &[("libc", 'F')],
        source: "system/core/debuggerd/handler/debuggerd_handler.cpp; before Android 8 bionic/linker/debugger.cpp",
        example: "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 4260 (Thread-2), pid 4242 (org.notes)" },
    Form { kind: FormKind::Zygote, tags: &[("Zygote", 'I')],
        source: "frameworks/base/core/jni/com_android_internal_os_Zygote.cpp",
        example: "Process 4242 exited due to signal 11 (Segmentation fault)" },
    Form { kind: FormKind::EventCrash, tags: &[("am_crash", 'I')],
        source: "frameworks/base/services/core/java/com/android/server/am/EventLogTags.logtags",
        example: "[4242,0,org.notes,948452932,java.lang.IllegalStateException,no note,Editor.java,41,0]" },
    Form { kind: FormKind::Anr, tags: &[("ActivityManager", 'I'), ("ANRManager", 'E'), ("AnrManager", 'E')],
        source: "frameworks/base/services/core/java/com/android/server/am/ProcessErrorStateRecord.java; ANRManager, \
                 AnrManager: MediaTek",
        example: "ANR in org.notes (org.notes/.Main)" },
    Form { kind: FormKind::WindowAnr, tags: &[("WindowManager", 'I'), ("InputDispatcher", 'I')],
        source: "frameworks/base/services/core/java/com/android/server/wm/AnrController.java; \
                 frameworks/native/services/inputflinger/dispatcher/InputDispatcher.cpp",
        example: "ANR in Window{4f1 u0 org.notes/org.notes.Main}. Reason: Input dispatching timed out" },
    Form { kind: FormKind::EventAnr, tags: &[("am_anr", 'I')],
        source: "frameworks/base/services/core/java/com/android/server/am/EventLogTags.logtags",
        example: "[0,4242,org.notes,948452932,Input dispatching timed out (org.notes/.Main is not responding)]" },
    Form { kind: FormKind::Dart, tags: &[("flutter", 'I')],
        source: "flutter/engine, runtime/dart_vm_initializer.cc; before Flutter 3 lib/ui/ui_dart_state.cc",
        example: "[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: Bad state: No element" },
    Form { kind: FormKind::Flutter, tags: &[("flutter", 'I')],
        source: "flutter/flutter, packages/flutter/lib/src/foundation/assertions.dart",
        example: "══╡ EXCEPTION CAUGHT BY GESTURE ╞══════════" },
    Form { kind: FormKind::JavaScript, tags: &[("ReactNativeJS", 'W')],
        source: "facebook/react-native, Libraries/Core/ExceptionsManager.js",
        example: "TypeError: undefined is not an object (evaluating 'note.title'), js engine: hermes" },
    Form { kind: FormKind::WebView, tags: &[("chromium", 'I'), ("Capacitor/Console", 'E')],
        source: "chromium, content/public/common/console_message.cc; Capacitor, BridgeWebChromeClient.java",
        example: "[INFO:CONSOLE(12)] \"Uncaught TypeError: note is undefined\", source: file:///android_asset/main.js (12)" },
    Form { kind: FormKind::Unity, tags: &[("Unity", 'E')],
        source: "Unity, Debug.LogException",
        example: "NullReferenceException: Object reference not set to an instance of an object" },
    Form { kind: FormKind::Mono, tags: &[("MonoDroid", 'I'), ("monodroid", 'E'), ("mono-rt", 'E'), ("mono", 'E'), ("DOTNET", 'E')],
        source: "dotnet/android, JNIEnvInit.cs; dotnet/runtime, mono/metadata/exception.c",
        example: "UNHANDLED EXCEPTION: System.NullReferenceException: Object reference not set" },
    Form { kind: FormKind::Python, tags: &[("python", 'I'), ("python.stderr", 'W'), ("python.stdout", 'I')],
        source: "CPython, Lib/traceback.py; tags of python-for-android, Chaquopy and Rubicon",
        example: "Traceback (most recent call last):" },
    Form { kind: FormKind::Go, tags: &[("Go", 'E'), ("GoLog", 'I')],
        source: "golang/go, src/runtime/panic.go and write_err_android.go; golang.org/x/mobile/internal/mobileinit",
        example: "panic: runtime error: index out of range [5] with length 3" },
    Form { kind: FormKind::Rust,
        tags: &[("RustStdoutStderr", 'D'), ("RustAndroidGlueStdouterr", 'D'), ("panic", 'E'), ("rust", 'E'), ("Rust", 'E')],
        source: "rust-lang/rust, library/std/src/panicking.rs; tags of android-activity, android-rs-glue, log-panics",
        example: "thread 'main' panicked at src/store.rs:12:5:" },
];

impl FormKind {
    /// The process does not outlive it: there is one such signal a process.
    pub fn ends_process(self) -> bool {
        matches!(self, Self::Runtime | Self::Tombstone) || self.is_bare()
    }

    /// It says that a process crashed, and hardly why: whatever else tells of the same crash says more.
    pub fn is_bare(self) -> bool {
        matches!(self, Self::Libc | Self::Zygote | Self::EventCrash)
    }

    /// It tells in the language of the app what the system then tells in its own words.
    pub fn comes_before_end(self) -> bool {
        matches!(self, Self::JavaScript | Self::Mono | Self::Python | Self::Go | Self::Rust)
    }

    /// The process does not outlive it, as a rule.
    pub fn is_last(self) -> bool {
        self.ends_process()
            || matches!(
                self,
                Self::Acra | Self::CustomActivity | Self::Mono | Self::Python | Self::Go | Self::Rust
            )
    }

    pub fn is_anr(self) -> bool {
        matches!(self, Self::Anr | Self::WindowAnr | Self::EventAnr)
    }

    /// The lines come from the process that they are about.
    pub fn is_of_writer(self) -> bool {
        !self.is_anr() && !matches!(self, Self::Tombstone | Self::Zygote | Self::EventCrash)
    }

    /// What the line says when it begins a signal of this form.
    pub fn begin(self, level: char, message: &str) -> Option<Begun> {
        let message = message.trim();
        let telling =
            |headline: &str| Begun { headline: capped(headline.trim(), MAX_LINE), ..Begun::default() };
        match self {
            Self::Runtime if message.contains("FATAL EXCEPTION IN SYSTEM PROCESS") => {
                Some(Begun { process: Some("system_server".into()), ..Begun::default() })
            }
            Self::Runtime => message.starts_with("FATAL EXCEPTION").then(Begun::default),
            Self::Acra => {
                let (_, process) = message.strip_prefix("ACRA caught a ")?.rsplit_once(" for ")?;
                Some(Begun { process: Some(capped(process, MAX_LINE)), ..Begun::default() })
            }
            Self::CustomActivity => message.starts_with("App has crashed").then(Begun::default),
            Self::Tombstone => {
                let (pid, process) = message.strip_prefix("pid: ")?.split_once(">>> ")?;
                let process = Some(capped(process.trim_end_matches(" <<<"), MAX_LINE));
                Some(Begun { process, pid: words::leading_number(pid), ..Begun::default() })
            }
            Self::Libc => {
                message.starts_with("Fatal signal ").then_some(())?;
                Some(Begun { pid: words::pid_of_fatal(message), ..telling(message) })
            }
            Self::Zygote => match words::zygote(message)? {
                (pid, Ended::Signal(signal)) if words::is_crash(signal) => {
                    let (_, what) = message.split_once("due to ")?;
                    Some(Begun { pid: Some(pid), ..telling(what) })
                }
                _ => None,
            },
            Self::EventCrash => {
                let fields = words::event_fields(message, 8)?;
                let [first, second, process, _, class, what, ..] = fields.as_slice() else { return None };
                // Which of the two is the process and which the user differs from version to version.
                let pid = first.parse::<u32>().ok()?.max(second.parse().ok()?);
                let headline = match *what {
                    "" | "null" => (*class).to_owned(),
                    what => format!("{class}: {what}"),
                };
                let process = Some(capped(process, MAX_LINE));
                Some(Begun { process, pid: Some(pid), ..telling(&headline) })
            }
            // Other lines of theirs are no errors.
            Self::Anr if level == 'E' || level == 'F' => {
                let rest = message.strip_prefix("ANR in ").or_else(|| {
                    // Before Android 2.3.
                    message.strip_prefix("ANR (application not responding) in process: ")
                })?;
                let rest = rest.strip_prefix("process: ").unwrap_or(rest);
                let end = rest.find([' ', '(', ',']).unwrap_or(rest.len());
                let process = Some(capped(rest.get(..end)?, MAX_LINE)).filter(|process| !process.is_empty());
                Some(Begun { process: Some(process?), kept: true, ..Begun::default() })
            }
            Self::Anr => None,
            Self::WindowAnr => {
                let process = words::process_of_window(message)?;
                let reason = words::reason_of_window(message)?;
                Some(Begun { process: Some(capped(process, MAX_LINE)), kept: true, ..telling(&reason) })
            }
            Self::EventAnr => {
                let fields = words::event_fields(message, 5)?;
                let [_, pid, process, _, reason] = fields.as_slice() else { return None };
                let process = Some(capped(process, MAX_LINE));
                Some(Begun { process, pid: pid.parse().ok(), ..telling(reason) })
            }
            Self::Dart => {
                let (_, what) =
                    message.strip_prefix("[ERROR:flutter/")?.split_once("] Unhandled Exception: ")?;
                Some(telling(what))
            }
            Self::Flutter => {
                (message.contains("EXCEPTION CAUGHT BY ") && message.starts_with('═')).then(Begun::default)
            }
            Self::JavaScript => words::script_error(message).map(telling),
            Self::WebView => words::web_error(message).map(telling),
            Self::Unity => words::is_managed_exception(message).then(|| telling(message)),
            Self::Mono => {
                let upper = message.to_ascii_uppercase();
                let at = upper.find("UNHANDLED EXCEPTION")?;
                let rest = message.get(at + "UNHANDLED EXCEPTION".len()..)?;
                // Whether the exception stands on this line or on the next.
                Some(telling(rest.trim_start_matches([':', '.', ' '])))
            }
            Self::Python => message.starts_with("Traceback (most recent call last)").then(Begun::default),
            Self::Go => {
                let what =
                    message.strip_prefix("panic: ").or_else(|| message.strip_prefix("fatal error: "))?;
                // A panic of another kind while one is under way is told under the first.
                Some(telling(what))
            }
            Self::Rust => words::rust_panic(message).map(|what| Begun { kept: true, ..telling(what) }),
        }
    }
}

/// The forms that lines of this tag may have. Lines of a log that was stripped of its headers count as the runtime's.
pub(super) fn forms_of(tag: &str, bare: bool) -> impl Iterator<Item = FormKind> {
    let tag = if tag.is_empty() && bare { "AndroidRuntime" } else { tag };
    FORMS.iter().filter(move |form| form.tags.iter().any(|(known, _)| *known == tag)).map(|form| form.kind)
}

/// What `logcat` is to print: the tags of all forms and of all ends, and every last word of a process whatever its tag.
pub(crate) fn log_filter() -> String {
    let tags = FORMS.iter().flat_map(|form| form.tags).chain(words::END_TAGS);
    let mut filter: Vec<String> = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for (tag, level) in tags {
        if !known.contains(tag) {
            known.push(tag);
            filter.push(format!("{tag}:{level}"));
        }
    }
    filter.push("'*:F'".to_owned());
    filter.join(" ")
}
