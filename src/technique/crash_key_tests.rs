//! Stacks of crashes, and the keys they have.

use super::*;

fn signal(kind: SignalKind, headline: &str, stack: &[&str]) -> Signal {
    let stack = stack.iter().map(|line| (*line).to_owned()).collect();
    Signal { kind, process: "org.notes".into(), headline: headline.into(), stack }
}

fn crash(headline: &str, stack: &[&str]) -> String {
    key(&signal(SignalKind::Crash, headline, stack), "org.notes.debug")
}

#[test]
fn keys_keep_what_a_bug_keeps() {
    let null = "java.lang.NullPointerException: Attempt to read field 12 on a null object";
    let one = crash(
        null,
        &[
            "at org.notes.Editor.save(Editor.java:41)",
            "at org.notes.Editor$$Lambda$3.run(Unknown Source:2)",
            "at android.os.Handler.dispatchMessage(Handler.java:102)",
        ],
    );
    let two = crash(
        "java.lang.NullPointerException: other words",
        &[
            "    at org.notes.Editor.save(Editor.java:57)",
            "    at org.notes.Editor$$Lambda$11.run(Unknown Source:9)",
        ],
    );
    assert_eq!(one, two);
    assert_eq!(
        one,
        "crash\njava.lang.NullPointerException\norg.notes.Editor.save\norg.notes.Editor$$Lambda$.run"
    );
    let elsewhere = crash(null, &["at org.notes.Reader.open(Reader.java:41)"]);
    assert_ne!(one, elsewhere);
    let foreign = crash(null, &["at android.view.View.draw(View.java:1)"]);
    assert_eq!(foreign, "crash\njava.lang.NullPointerException\nandroid.view.View.draw");
}

#[test]
fn every_language_has_keys_without_what_differs() {
    for (headline, stack, expected) in [
        (
            "signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------: 'no memory at 0x12'",
            &[
                "      #00 pc 0001a2b4  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164) (BuildId: ab)",
                "      #01 pc 00004f1c  /data/app/~~aQ==/org.notes-7w==/lib/arm64/libink.so (ink::save(int)+28)",
            ][..],
            "SIGABRT\nlibink.so (ink::save(int)",
        ),
        (
            "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8 in tid 4260 (Thread-2), pid 4242 (org.notes)",
            &[],
            "SIGSEGV\nin Thread-",
        ),
        (
            "Bad state: No element",
            &[
                "#0      List.first (dart:core-patch/growable_array.dart:332:5)",
                "#1      _EditorState.save (package:notes/main.dart:88:21)",
                "#2      _InkResponseState.handleTap (package:flutter/src/material/ink_well.dart:1)",
            ],
            "Bad state: No element\n_EditorState.save",
        ),
        (
            "TypeError: undefined is not an object (evaluating 'note.title')",
            &["save@12:40", "onPress@12:99"],
            "TypeError\nsave\nonPress",
        ),
        (
            "com.facebook.react.common.JavascriptException: RangeError: 12 is too many, stack:",
            &["save@1:40", "at com.facebook.react.modules.core.ExceptionsManagerModule.report(E.java:72)"],
            "RangeError\nsave",
        ),
        (
            "NullReferenceException: Object reference not set to an instance of an object",
            &["Editor:Save (Note)", "UnityEngine.EventSystems.ExecuteEvents:Execute (X)"],
            "NullReferenceException\nEditor:Save",
        ),
        (
            "android.runtime.JavaProxyThrowable: System.InvalidOperationException: no note 7",
            &[
                "   at Notes.Editor.Save(Object sender) in Notes.dll:token 0x6+0x70",
                "   at Android.App.Activity.n_OnCreate(IntPtr)",
            ],
            "System.InvalidOperationException\nNotes.Editor.Save",
        ),
        (
            "ZeroDivisionError: division by zero",
            &[
                "  File \"/data/user/0/org.notes/files/app/main.py\", line 9, in <module>",
                "  File \"/data/user/0/org.notes/files/app/kivy/site-packages/kivy/app.py\", line 955, in run",
                "  File \"/data/user/0/org.notes/files/app/main.py\", line 12, in save",
            ],
            "ZeroDivisionError\nmain.py save\nmain.py <module>",
        ),
        (
            "runtime error: index out of range [5] with length 3",
            &[
                "goroutine 1 [running]:",
                "main.(*Store).save(0x14000, 0x3)",
                "\t/home/a/notes/store.go:12 +0x1d",
            ],
            "runtime error: index out of range [] with length\nmain.(*Store).save",
        ),
        (
            "called `Option::unwrap()` on a `None` value",
            &[
                "thread 'main' panicked at src/store.rs:12:5:",
                "   0: rust_begin_unwind",
                "   7: notes::store::save",
            ],
            "called `Option::unwrap()` on a `None` value\nsrc/store.rs\nnotes::store::save",
        ),
    ] {
        assert_eq!(crash(headline, stack), format!("crash\n{expected}"), "{headline}");
    }
}

#[test]
fn hangs_are_told_apart_by_their_main_threads() {
    let anr = |headline: &str, stack: &[&str]| key(&signal(SignalKind::Anr, headline, stack), "org.notes");
    let one = "Input dispatching timed out (Waiting because 12 events queued, 5013.2ms)";
    let other = "Input dispatching timed out (Waiting because 3 events queued, 8000.1ms)";
    assert_eq!(anr(one, &[]), anr(other, &[]));
    assert_ne!(anr(one, &[]), anr("executing service org.notes/.Sync", &[]));
    let save = [
        "ANR in org.notes",
        "  at java.lang.Thread.sleep(Native method)",
        "  at org.notes.Store.save(Store.java:4)",
    ];
    let load = [
        "ANR in org.notes",
        "  at java.lang.Thread.sleep(Native method)",
        "  at org.notes.Store.load(Store.java:9)",
    ];
    assert_eq!(anr(one, &save), "anr\nInput dispatching timed out\norg.notes.Store.save");
    assert_ne!(anr(one, &save), anr(other, &load));
    let deeper = [&save[..], &["  at org.notes.Editor.close(Editor.java:1)"]].concat();
    assert_eq!(anr(one, &save), anr(one, &deeper));
}

#[test]
fn clusters_are_places_in_the_app() {
    let at =
        |headline: &str, frame: &str| cluster(&signal(SignalKind::Crash, headline, &[frame]), "org.notes");
    let save = at("a.B: x", "at org.notes.Editor.save(Editor.java:4)");
    assert_eq!(save, at("a.C: y", "at org.notes.Editor.save(Editor.java:7)"));
    assert_ne!(save, at("a.B: x", "at org.notes.Editor.open(Editor.java:4)"));
    assert_eq!(cluster(&signal(SignalKind::Crash, "a.B", &[]), "org.notes"), "");
}
