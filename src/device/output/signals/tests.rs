use super::{Logged, read_log};

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
