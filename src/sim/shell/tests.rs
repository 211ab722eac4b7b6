//! Scripts and what they print.

use std::time::Duration;

use proptest::prelude::*;

use crate::Fault;
use crate::tests::{device, shell, talk};

mod commands;
mod genuine;
mod scripts;
mod sentences;

#[tokio::test]
async fn scripts_print_what_a_shell_prints() {
    let device = device();
    let mut wrong = Vec::new();
    for (script, out, code) in [
        ("echo hi", "hi\n", 0),
        ("echo  a   b", "a b\n", 0),
        ("echo 'a   b' \"c  d\" e\\ f", "a   b c  d e f\n", 0),
        ("echo 'it'\\''s' \"q\\\"q\" \"\\$x\" '$x'", "it's q\"q $x $x\n", 0),
        ("echo -n a; echo b", "ab\n", 0),
        ("true && echo yes || echo no", "yes\n", 0),
        ("false && echo yes || echo no", "no\n", 0),
        ("false; echo $?", "1\n", 0),
        ("nosuch 2>/dev/null; echo $?", "127\n", 0),
        ("! true; echo $?", "1\n", 0),
        ("exit 42; echo never", "", 42),
        ("(exit 3); echo $?", "3\n", 0),
        ("X=1; Y=\"$X 2\"; echo $Y \"${Y}3\" $none.", "1 2 1 23 .\n", 0),
        ("X='a b'; for i in $X c \"$X\"; do echo [$i]; done", "[a]\n[b]\n[c]\n[a b]\n", 0),
        ("X=1 true; echo \"<$X>\"", "<>\n", 0),
        ("export A=5; echo $A; unset A; echo \"$A.\"", "5\n.\n", 0),
        ("echo $(echo a; echo b)", "a b\n", 0),
        ("echo \"$(echo 'a  b')\" `echo c`", "a  b c\n", 0),
        ("echo one two | wc -w", "2\n", 0),
        ("printf 'b\\na\\n' | sort | head -n 1", "a\n", 0),
        ("printf '1\\n2\\n3\\n' | tail -n +2", "2\n3\n", 0),
        ("echo abc | grep -o 'b.'", "bc\n", 0),
        ("echo abc | grep x", "", 1),
        ("if false; then echo a; elif true; then echo b; else echo c; fi", "b\n", 0),
        ("i=x; while [ $i != xxx ]; do echo $i; i=x$i; done", "x\nxx\n", 0),
        ("until true; do echo never; done; echo $?", "0\n", 0),
        ("{ echo a; echo b; } | wc -l", "2\n", 0),
        ("echo a > /sdcard/t; echo b >> /sdcard/t; cat < /sdcard/t; rm /sdcard/t", "a\nb\n", 0),
        ("ls /none > /sdcard/o 2>&1; cat /sdcard/o", "ls: /none: No such file or directory\n", 0),
        ("ls /none 2>&1 >/dev/null", "ls: /none: No such file or directory\n", 1),
        ("ls /none &>/dev/null; echo $?", "1\n", 0),
        ("cd /sdcard/Download && touch b.xml a.xml c.txt && echo *.xml; rm *; ls", "a.xml b.xml\n", 0),
        ("echo /sdcard/none*", "/sdcard/none*\n", 0),
        ("[ -f /sdcard ] || [ -d /sdcard ] && echo dir", "dir\n", 0),
        ("test 3 -gt 2 -o; echo $?", "2\n", 0),
        ("cat", "typed\n", 0),
        ("cat | wc -c", "6\n", 0),
        ("echo a # note\necho b", "a\nb\n", 0),
        ("sleep 0.001; echo done &", "done\n", 0),
        ("command -v input; which nosuch; echo $?", "/system/bin/input\n1\n", 0),
        ("eval 'echo $?'; exec echo last; echo never", "0\nlast\n", 0),
        ("echo é ü", "é ü\n", 0),
        ("id -u; whoami; uname", "2000\nshell\nLinux\n", 0),
        ("/system/bin/echo a", "a\n", 0),
        (
            "settings put global x 1; settings get global x; settings delete global x; settings get global x",
            "1\nDeleted 1 rows\nnull\n",
            0,
        ),
        ("cmd settings get global nothing", "null\n", 0),
        ("wm density | cut -d ' ' -f 3", "480\n", 0),
        ("export ANDROID_LOG_TAGS=\"''\"; exec logcat '-d' '-b' 'crash'", "", 0),
        ("dumpsys nosuch", "Can't find service: nosuch\n", 0),
        ("dumpsys package com.none", "Unable to find package: com.none\n", 0),
        ("monkey -p com.none 1", "** No activities found to run, monkey aborted.\n", 252),
        ("cmd package resolve-activity --brief com.none", "No activity found\n", 0),
    ] {
        let ran = shell(&device, script, "typed\n").await;
        if (ran.out.as_str(), ran.code) != (out, Some(code)) {
            wrong.push((script, ran));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn errors_go_to_the_error_output() {
    let device = device();
    let mut wrong = Vec::new();
    for (script, err, code) in [
        ("nosuch -x", "/system/bin/sh: nosuch: inaccessible or not found\n", 127),
        ("cat /none", "cat: /none: No such file or directory\n", 1),
        ("echo x > /system/a", "/system/bin/sh: can't create /system/a: Permission denied\n", 1),
        ("cat < /none", "/system/bin/sh: can't open /none: No such file or directory\n", 1),
        ("echo )", "/system/bin/sh: syntax error: unexpected ')'\n", 1),
        ("pm clear com.none", "Failed\n", 1),
        ("am start -n a/.B", "Error type 3\nError: Activity class {a/a.B} does not exist.\n", 1),
        (
            "input keyevent KEYCODE_NONSENSE",
            "\nException occurred while executing 'keyevent':\njava.lang.IllegalArgumentException: Unknown keycode: KEYCODE_NONSENSE\n",
            255,
        ),
        (
            "input text 'é'",
            "\nException occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null array\n",
            255,
        ),
        (
            "pm grant com.none android.permission.CAMERA",
            "\nException occurred while executing 'grant':\njava.lang.IllegalArgumentException: Unknown package: com.none\n",
            255,
        ),
    ] {
        let ran = shell(&device, script, "").await;
        if (ran.err.as_str(), ran.code) != (err, Some(code)) {
            wrong.push((script, ran));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn dumps_fail_as_on_phones() {
    let dump = "rm -f /sdcard/d.xml; uiautomator dump /sdcard/d.xml; echo $?; cat /sdcard/d.xml | tail -c 12";
    let done = "UI hierchary dumped to: /sdcard/d.xml\n0\n";
    for (fault, out, err) in [
        (None, format!("{done}</hierarchy>"), ""),
        (Some(Fault::DumpWithoutFile), done.to_owned(), "cat: /sdcard/d.xml: No such file or directory\n"),
        (
            Some(Fault::DumpNoIdle),
            "0\n".to_owned(),
            "ERROR: could not get idle state.\ncat: /sdcard/d.xml: No such file or directory\n",
        ),
        (
            Some(Fault::DumpKilled),
            "137\n".to_owned(),
            "Killed\ncat: /sdcard/d.xml: No such file or directory\n",
        ),
        (Some(Fault::DumpCut(5)), format!("{done}<?xml"), ""),
        (Some(Fault::DiskFull), done.to_owned(), "cat: /sdcard/d.xml: No such file or directory\n"),
    ] {
        let device = device();
        if let Some(fault) = fault.clone() {
            device.inject(fault, Some(1));
        }
        let ran = shell(&device, dump, "").await;
        assert_eq!((ran.out.trim_end(), ran.err.as_str()), (out.trim_end(), err), "{fault:?}");
    }
    let device = device();
    device.inject(Fault::DumpNeverSettles, None);
    let first = shell(&device, "uiautomator dump /dev/tty", "").await.out;
    let second = shell(&device, "uiautomator dump /dev/tty", "").await.out;
    assert_ne!(first, second);
}

#[tokio::test]
async fn unknown_commands_are_noted() {
    let device = device();
    shell(&device, "nosuch a; am nonsense; echo $((1))\ncat <<E", "").await;
    shell(&device, "dumpsys nosuch; cmd nosuch", "").await;
    let noted = device.noted();
    assert_eq!(noted.len(), 5, "{noted:?}");
}

#[tokio::test]
async fn a_person_at_a_terminal_sees_what_they_type() {
    let device = device();
    let answer = talk(&device, "shell:", b"ecX\x7fho hi\rexit 3\r").await;
    let text = String::from_utf8_lossy(&answer).into_owned();
    assert!(text.contains("$ ecX\u{8} \u{8}ho hi\r\nhi\r\n"), "{text:?}");
    let answer = talk(&device, "shell,v2,raw:", b"\0\x0e\0\0\0echo one\nexit\n\x04\0\0\0\0").await;
    assert_eq!(answer, b"\x01\x04\0\0\0one\n\x03\x01\0\0\0\0");
}

#[tokio::test]
async fn endless_scripts_end() {
    let device = device();
    for script in ["while true; do :; done", "for i in 1; do eval 'eval'; done", "X='$(eval $X)'; eval $X"] {
        let ran = shell(&device, script, "").await;
        assert!(ran.code.is_some(), "{script}");
    }
}

#[tokio::test]
async fn a_lost_device_ends_the_stream_without_a_code() {
    let device = device();
    device.inject(Fault::LoseAfter(4), None);
    let ran = shell(&device, "echo 0123456789", "").await;
    assert_eq!((ran.out.as_str(), ran.code), ("0123", None));
    device.replug();
    assert_eq!(shell(&device, "echo a", "").await.code, Some(0));
    let sleeping = tokio::spawn({
        let device = device.clone();
        async move { shell(&device, "sleep 100", "").await }
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    device.unplug();
    assert_eq!(sleeping.await.ok().and_then(|ran| ran.code), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn hostile_scripts_and_input_neither_panic_nor_hang(
        script in "([a-z$(){}'\"`;|&<>!#=*? \\\\\n0-9./-]|echo |cat |if |then |fi|do |done|for |grep |head |input |am start |printf |test |\\[ |logcat -d |ls |pm list ){0,25}",
        input in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            let device = device();
            runtime.block_on(talk(&device, &format!("shell:{script} "), &input));
            runtime.block_on(talk(&device, &format!("shell,v2,raw:{script} "), &input));
        }
    }
}
