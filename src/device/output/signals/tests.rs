use super::form::{FORMS, FormKind, log_filter};
use super::{Departure, Ended, Logged, Why, read_log};

/// Kind, process and headline of every signal, one a line.
fn summary(log: &str) -> Vec<String> {
    let one = |l: Logged| format!("{:?} {} | {}", l.signal.kind, l.signal.process, l.signal.headline);
    read_log(log).signals.into_iter().map(one).collect()
}

#[test]
fn signals_of_every_source() {
    let cases: [(&str, &str, &[&str]); 9] = [
        (
            "two processes at once",
            "09-10 10:00:00.000   10    10 E AndroidRuntime: FATAL EXCEPTION: main\n\
             09-10 10:00:00.000   20    20 E AndroidRuntime: FATAL EXCEPTION: worker\n\
             09-10 10:00:00.000   10    10 E AndroidRuntime: Process: com.a, PID: 10\n\
             09-10 10:00:00.000   20    20 E AndroidRuntime: Process: com.b, PID: 20\n\
             09-10 10:00:00.001   10    10 E AndroidRuntime: java.lang.A: first\n\
             09-10 10:00:00.001   20    20 E AndroidRuntime: java.lang.B\n\
             09-10 10:00:00.001   10    10 E AndroidRuntime: \tat a.b(C.java:1)\n",
            &["Crash com.a | java.lang.A: first", "Crash com.b | java.lang.B"],
        ),
        (
            "an ANR",
            "09-10 10:00:00.000   731   800 E ActivityManager: ANR in org.x.app (org.x.app/.MainActivity)\n\
             09-10 10:00:00.000   731   800 E ActivityManager: PID: 4242\n\
             09-10 10:00:00.000   731   800 E ActivityManager: Reason: Input dispatching timed out (Waiting to send key event)\n",
            &["Anr org.x.app | Input dispatching timed out (Waiting to send key event)"],
        ),
        (
            "an ANR of a process of its own, cut off",
            "09-10 10:00:00.000   731   800 E ActivityManager: ANR in org.x.app:remote\n",
            &["Anr org.x.app:remote | ANR in org.x.app:remote"],
        ),
        (
            "a crash not written to its end",
            "09-10 10:00:00.000   10    10 E AndroidRuntime: FATAL EXCEPTION: main\n\
             09-10 10:00:00.000   10    10 E AndroidRuntime: Process: com.a, PID: 10\n",
            &[],
        ),
        (
            "a tool of the system, not an app",
            "09-10 10:00:00.000   10    10 E AndroidRuntime: FATAL EXCEPTION: main\n\
             09-10 10:00:00.000   10    10 E AndroidRuntime: PID: 10\n\
             09-10 10:00:00.000   10    10 E AndroidRuntime: java.lang.NullPointerException: x\n",
            &[],
        ),
        (
            "the system itself",
            "09-10 10:00:00.000   10    10 E AndroidRuntime: *** FATAL EXCEPTION IN SYSTEM PROCESS: main\n\
             09-10 10:00:00.000   10    10 E AndroidRuntime: java.lang.X\n",
            &["Crash system_server | java.lang.X"],
        ),
        (
            "a native crash",
            "09-10 10:00:00.000  99  99 F DEBUG   : *** *** ***\n\
             09-10 10:00:00.000  99  99 F DEBUG   : pid: 5, tid: 6, name: RenderThread  >>> com.a.game <<<\n\
             09-10 10:00:00.000  99  99 F DEBUG   : signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\n\
             09-10 10:00:00.000  99  99 F DEBUG   : Abort message: 'no memory'\n\
             09-10 10:00:00.000  99  99 F DEBUG   :       #00 pc 0004  /system/lib/libc.so (abort+63)\n",
            &["Crash com.a.game | signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------: 'no memory'"],
        ),
        (
            "a crash reporter and the system after it",
            "09-10 10:00:00.000  5  5 E ACRA    : ACRA caught a X for com.a\n\
             09-10 10:00:00.000  5  5 E ACRA    : java.lang.X: y\n\
             09-10 10:00:00.000  5  5 E ACRA    : \tat a.b(C.java:1)\n\
             09-10 10:00:00.100  5  5 E AndroidRuntime: FATAL EXCEPTION: main\n\
             09-10 10:00:00.100  5  5 E AndroidRuntime: Process: com.a, PID: 5\n\
             09-10 10:00:00.100  5  5 E AndroidRuntime: java.lang.X: y\n",
            &["Crash com.a | java.lang.X: y"],
        ),
        ("other lines", "09-10 10:00:00.000  5  5 E SomeTag: FATAL EXCEPTION: main\nnothing\n", &[]),
    ];
    for (name, log, expected) in cases {
        assert_eq!(summary(log), expected, "{name}");
    }
}

#[test]
fn stacks_are_kept_and_capped() {
    let mut log = String::from(
        "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: Process: a, PID: 1\nE AndroidRuntime: x.Y\n",
    );
    for n in 0..1_000 {
        log.push_str(&format!("E AndroidRuntime: \tat a.b(C.java:{n})\n"));
    }
    let signals = read_log(&log).signals;
    let stack = &signals.first().expect("one crash").signal.stack;
    assert_eq!(stack.len(), 64);
    assert_eq!(stack.first().map(String::as_str), Some("\tat a.b(C.java:0)"));
}

/// Lines of one process: `LEVEL TAG: text`, or with a number before it those of another.
fn log_of(lines: &str) -> String {
    let lined = lines.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(|line| {
        let (pid, rest) = match line.split_once(' ') {
            Some((pid, rest)) if pid.bytes().all(|b| b.is_ascii_digit()) => (pid, rest),
            _ => ("7", line),
        };
        format!("03-04 10:00:00.000  {pid}  {pid} {rest}\n")
    });
    lined.collect()
}

#[test]
fn crashes_and_hangs_in_other_words() {
    let start = "731 I ActivityManager: Start proc 7:org.notes/u0a99 for activity {org.notes/.Main}\n";
    for (name, lines, expected) in [
        (
            "libc alone",
            "F libc: Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 9 (Thread-2), pid 7 (org.notes)",
            &[
                "Crash org.notes | Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 9 (Thread-2), pid 7 (org.notes)",
            ][..],
        ),
        (
            "last words before it, under the process's own tag",
            "F org.notes: runtime.cc:655] JNI DETECTED ERROR\nF libc: Fatal signal 6 (SIGABRT), code -1 in tid 7 (main), pid 7 (org.notes)",
            &[
                "Crash org.notes | Fatal signal 6 (SIGABRT), code -1 in tid 7 (main), pid 7 (org.notes): runtime.cc:655] JNI DETECTED ERROR",
            ],
        ),
        (
            "libc, the tombstone and the system of one crash",
            "F libc: Fatal signal 6 (SIGABRT), code -1 in tid 7 (main), pid 7 (org.notes)\n\
             90 F DEBUG: pid: 7, tid: 7, name: main  >>> org.notes <<<\n\
             90 F DEBUG: signal 6 (SIGABRT), code -1 (SI_QUEUE)\n\
             90 F DEBUG: #00 pc 0001 /data/app/org.notes/libink.so (save+4)\n\
             731 I am_crash: [7,0,org.notes,0,Native crash,Aborted,unknown,0]\n\
             702 I Zygote: Process 7 exited due to signal 6 (Aborted)",
            &["Crash org.notes | signal 6 (SIGABRT), code -1 (SI_QUEUE)"],
        ),
        (
            "the parent of the process alone",
            "702 I Zygote: Process 7 exited due to signal 11 (Segmentation fault)",
            &["Crash org.notes | signal 11 (Segmentation fault)"],
        ),
        ("killed, which is no crash", "702 I Zygote: Process 7 exited due to signal 9 (Killed)", &[]),
        (
            "an event of the system alone",
            "731 I am_crash: [7,0,org.notes,948452932,java.lang.IllegalStateException,no, really no note,Editor.java,41,0]",
            &["Crash org.notes | java.lang.IllegalStateException: no, really no note"],
        ),
        (
            "the event and the stack of one crash",
            "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: Process: org.notes, PID: 7\n\
             E AndroidRuntime: java.lang.X: no note\nE AndroidRuntime: \tat org.notes.A.b(A.java:1)\n\
             731 I am_crash: [7,0,org.notes,948452932,java.lang.X,no note,A.java,1]",
            &["Crash org.notes | java.lang.X: no note"],
        ),
        (
            "a hang, in everybody's words",
            "300 I InputDispatcher: Window{4f1 u0 org.notes/org.notes.Main} is not responding. Waited 5001ms for MotionEvent\n\
             731 I WindowManager: ANR in Window{4f1 u0 org.notes/org.notes.Main}. Reason: Input dispatching timed out (Waited 5001ms)\n\
             731 I am_anr: [0,7,org.notes,948452932,Input dispatching timed out (Waited 5001ms)]\n\
             731 E ActivityManager: ANR in org.notes (org.notes/.Main)\n731 E ActivityManager: PID: 7\n\
             731 E ActivityManager: Reason: Input dispatching timed out (Waited 5001ms)\n\
             731 I ActivityManager: Killing 9:org.other/u0a1 (adj 900): empty #17",
            &["Anr org.notes | Input dispatching timed out (Waited 5001ms)"],
        ),
        (
            "a hang by a vendor's tag",
            "731 E ANRManager: ANR in org.notes (org.notes/.Main), time=6659\n731 E ANRManager: Reason: Broadcast of Intent { act=x }",
            &["Anr org.notes | Broadcast of Intent { act=x }"],
        ),
        (
            "a hang of an old system",
            "731 E ActivityManager: ANR (application not responding) in process: org.notes (last in org.notes)\n\
             731 E ActivityManager: Annotation: keyDispatchingTimedOut",
            &["Anr org.notes | keyDispatchingTimedOut"],
        ),
        (
            "a hang by an event alone",
            "731 I am_anr: [0,7,org.notes,0,executing service org.notes/.Sync]",
            &["Anr org.notes | executing service org.notes/.Sync"],
        ),
        (
            "Dart",
            "E flutter: [ERROR:flutter/runtime/dart_vm_initializer.cc(41)] Unhandled Exception: Bad state: No element\n\
             E flutter: #0      List.first (dart:core-patch/growable_array.dart:332:5)\nI flutter: saved 3 notes",
            &["Crash org.notes | Bad state: No element"],
        ),
        (
            "Flutter",
            "I flutter: ══╡ EXCEPTION CAUGHT BY GESTURE ╞══════════\nI flutter: The following StateError was thrown while handling a gesture:\n\
             I flutter: Bad state: No element\nI flutter: When the exception was thrown, this was the stack:\n\
             I flutter: #0      Editor.save (package:notes/main.dart:8:2)\nI flutter: ════════════════",
            &["Crash org.notes | StateError: Bad state: No element"],
        ),
        (
            "a page that does not fit",
            "I flutter: ══╡ EXCEPTION CAUGHT BY RENDERING LIBRARY ╞═══\nI flutter: The following assertion was thrown during layout:\n\
             I flutter: A RenderFlex overflowed by 12 pixels on the right.",
            &[],
        ),
        (
            "React Native, with what it writes on purpose",
            "E ReactNativeJS: Warning: Each child in a list should have a unique key\n\
             E ReactNativeJS: TypeError: undefined is not an object (evaluating 'note.title'), js engine: hermes\n\
             E ReactNativeJS: save@12:40\nW ReactNativeJS: Possible Unhandled Promise Rejection (id: 0): RangeError: too long",
            &[
                "Crash org.notes | TypeError: undefined is not an object (evaluating 'note.title'), js engine: hermes",
                "Crash org.notes | RangeError: too long",
            ],
        ),
        (
            "scripts that the app brings along, and those of a page",
            "I chromium: [INFO:CONSOLE(12)] \"Uncaught TypeError: note is undefined\", source: file:///android_asset/main.js (12)\n\
             I chromium: [INFO:CONSOLE(1)] \"Uncaught TypeError: ad is undefined\", source: https://example.org/ad.js (1)",
            &["Crash org.notes | TypeError: note is undefined"],
        ),
        (
            "Unity",
            "E Unity: NullReferenceException: Object reference not set to an instance of an object\n\
             E Unity:   at Editor.Save () [0x00000] in <0>:0\nE Unity: could not load the shader",
            &[
                "Crash org.notes | NullReferenceException: Object reference not set to an instance of an object",
            ],
        ),
        (
            "Mono, and the system after it",
            "I MonoDroid: UNHANDLED EXCEPTION:\nI MonoDroid: System.InvalidOperationException: no note\n\
             I MonoDroid:   at Notes.Editor.Save () [0x0] in <1>:0\nE AndroidRuntime: FATAL EXCEPTION: main\n\
             E AndroidRuntime: Process: org.notes, PID: 7\n\
             E AndroidRuntime: android.runtime.JavaProxyThrowable: System.InvalidOperationException: no note",
            &["Crash org.notes | System.InvalidOperationException: no note"],
        ),
        (
            "Python",
            "I python: Traceback (most recent call last):\nI python:   File \"/data/app/main.py\", line 12, in save\n\
             I python:     raise ValueError(3)\nI python: ValueError: 3\nI python: Python for android ended.",
            &["Crash org.notes | ValueError: 3"],
        ),
        (
            "Go",
            "E Go: panic: runtime error: index out of range [5] with length 3\nE Go: goroutine 1 [running]:\nE Go: main.save(0x1)\n\
             F libc: Fatal signal 6 (SIGABRT), code -6 in tid 7 (main), pid 7 (org.notes)",
            &["Crash org.notes | runtime error: index out of range [5] with length 3"],
        ),
        (
            "Rust, before and since 1.73",
            "I RustStdoutStderr: thread 'main' panicked at src/store.rs:12:5:\nI RustStdoutStderr: no note\n\
             7 E panic: thread 'main' panicked at 'no page', src/store.rs:15",
            &["Crash org.notes | no note", "Crash org.notes | no page"],
        ),
    ] {
        assert_eq!(summary(&log_of(&format!("{start}{lines}"))), expected, "{name}");
    }
}

/// Whether lines tell of one hang is a matter of time.
#[test]
fn hangs_are_told_apart_by_when_they_were() {
    let system = "E ActivityManager: ANR in org.notes (org.notes/.Main)";
    let window = "I WindowManager: ANR in Window{4f1 u0 org.notes/org.notes.Main}. Reason: Input dispatching timed out";
    let dispatcher = "I InputDispatcher: Window{4f1 u0 org.notes/org.notes.Main} is not responding. Waited 5001ms for MotionEvent";
    let event = "I am_anr: [0,7,org.notes,0,Input dispatching timed out]";
    for (name, lines, hangs) in [
        ("two tellers at once", vec![("03-04 10:00:59.999", window), ("03-04 10:01:00.001", dispatcher)], 1),
        (
            "the reason comes after the stacks",
            vec![("03-04 23:59:50.000", window), ("03-05 00:00:22.000", system)],
            1,
        ),
        ("it hung again", vec![("03-04 10:00:00.000", window), ("03-04 10:00:12.000", window)], 2),
        (
            "another time, in other words",
            vec![("03-04 10:00:00.000", window), ("03-04 10:03:00.000", event)],
            2,
        ),
        (
            "the same words of the system",
            vec![("03-04 10:00:00.000", system), ("03-04 10:00:30.000", system)],
            2,
        ),
    ] {
        let lines: String = lines.iter().map(|(time, line)| format!("{time}  731  731 {line}\n")).collect();
        assert_eq!(read_log(&lines).signals.len(), hangs, "{name}");
    }
}

#[test]
fn signals_of_others_keep_no_name_of_ours() {
    let line = "E flutter: [ERROR:flutter/lib/ui/ui_dart_state.cc(157)] Unhandled Exception: Exception: x";
    assert_eq!(summary(&log_of(line)), ["Crash  | Exception: x"], "nobody said whose it is");
    let other = "731 I am_proc_start: [0,7,10099,org.other,activity,{org.other/.Main}]\n";
    assert_eq!(summary(&log_of(&format!("{other}{line}"))), ["Crash org.other | Exception: x"]);
}

#[test]
fn ends_of_processes_are_read() {
    let killed = |reason: &str| Why::Killed(reason.to_owned());
    for (line, process, why) in [
        ("731 I am_kill: [0,7,org.notes,900,empty #17]", "org.notes", killed("empty #17")),
        (
            "731 I ActivityManager: Killing 7:org.notes/u0a99 (adj 900): lowmemory",
            "org.notes",
            killed("lowmemory"),
        ),
        (
            "731 I ActivityManager: Killing 7:org.notes:sync/u0a99 (adj 900): stop org.notes",
            "org.notes:sync",
            killed("stop org.notes"),
        ),
        (
            "421 I lowmemorykiller: Kill 'org.notes' (7), uid 10099, oom_score_adj 0 to free 9kB",
            "org.notes",
            killed("low memory"),
        ),
        ("421 E lowmemorykiller: Killing 'org.notes' (7), adj 0", "org.notes", killed("low memory")),
        ("421 I killinfo: [7,10099,0,0,9]", "", killed("low memory")),
        ("702 I Zygote: Process 7 exited due to signal 9 (Killed)", "", Why::Ended(Ended::Signal(9))),
        ("702 I Zygote: Process 7 exited cleanly (1)", "", Why::Ended(Ended::Code(1))),
        ("702 I Zygote: Process 7 terminated by signal (9)", "", Why::Ended(Ended::Signal(9))),
        ("731 I ActivityManager: Process org.notes (pid 7) has died: fg  TOP", "org.notes", Why::Gone),
        ("731 I am_proc_died: [0,7,org.notes,0,2]", "org.notes", Why::Gone),
    ] {
        let departures = read_log(&log_of(line)).departures;
        let expected = Departure { pid: Some(7), process: process.to_owned(), why };
        assert_eq!(departures, [expected], "{line}");
    }
    for line in [
        "731 I ActivityManager: Process org.notes is fine",
        "731 I am_kill: 7",
        "702 I Zygote: Process 7 began",
    ] {
        assert_eq!(read_log(&log_of(line)).departures, [], "{line}");
    }
}

#[test]
fn every_form_is_read_fetched_and_documented() {
    let page = include_str!("../../../../docs/crashes.md");
    let filter = log_filter();
    for form in FORMS {
        let (tag, level) = form.tags.first().expect("a tag");
        // What else the activity manager tells is no error.
        let level = if form.kind == FormKind::Anr { 'E' } else { *level };
        // The exceptions of these stand on the lines that follow.
        let more = match form.kind {
            FormKind::Runtime | FormKind::Acra | FormKind::CustomActivity => "java.lang.X: y",
            FormKind::Tombstone => "signal 6 (SIGABRT)",
            FormKind::Flutter => "The following X was thrown:",
            FormKind::Python => "ValueError: 3",
            FormKind::Rust => "no note",
            _ => "",
        };
        let lines = format!("{level} {tag}: {}\n{level} {tag}: {more}", form.example);
        assert_eq!(read_log(&log_of(&lines)).signals.len(), 1, "{lines}");
        for (tag, _) in form.tags {
            assert!(filter.contains(&format!("{tag}:")) && page.contains(&format!("`{tag}`")), "{tag}");
        }
        assert!(page.contains(form.example), "{}", form.example);
        let source = form.source.split([',', ';']).next().unwrap_or_default();
        assert!(page.contains(source), "{source}");
    }
}
