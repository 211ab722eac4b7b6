//! The same scripts on the simulated shell and on the genuine one.

use std::io::Write;
use std::process::{Command, Stdio};

use super::scripts::{Case, LANGUAGE, PROGRAMS};
use crate::tests::{device, shell};

/// A folder that can be written to.
const HERE: &str = "cd /data/local/tmp\n";
const INPUT: &str = "typed\nlast";

/// What differed: the script, what it printed, what was expected.
type Wrong = Vec<(&'static str, String, String)>;

async fn on_the_lab(cases: &[Case], before: &str) -> Wrong {
    let mut wrong = Vec::new();
    for (script, out, says, code) in cases {
        let device = device();
        let ran = shell(&device, &format!("{before}{script}"), INPUT).await;
        if (ran.out.as_str(), !ran.err.is_empty(), ran.code) != (*out, *says, Some(*code)) {
            wrong.push((*script, format!("{ran:?}"), format!("{out:?} {says} {code}")));
        }
    }
    wrong
}

#[tokio::test]
async fn the_simulated_shell_speaks_as_mksh_does() {
    let wrong = on_the_lab(LANGUAGE, HERE).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn simulated_programs_print_what_genuine_ones_print() {
    let wrong = on_the_lab(PROGRAMS, HERE).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Runs the cases on a genuine shell, each in an empty folder; nothing when it is not installed.
fn on_the_host(shell: &[&str], cases: &[Case]) -> Option<Wrong> {
    let (name, args) = shell.split_first()?;
    // Tests that are started in the background ignore SIGINT, and no shell can trap an ignored signal.
    let begins = || {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", name]).args(args);
        command
    };
    let tried = begins().arg("true").stdin(Stdio::null()).output();
    if !tried.as_ref().is_ok_and(|output| output.status.success()) {
        println!("skipped: no {name} ({tried:?})");
        return None;
    }
    let programs = tempfile::tempdir().expect("a folder");
    let sh = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().expect("sh");
    let found = String::from_utf8_lossy(&sh.stdout).trim().to_owned();
    std::os::unix::fs::symlink(found, programs.path().join("sh")).expect("a link");
    let path = format!("{}:/usr/bin:/bin", programs.path().display());
    let mut wrong = Vec::new();
    for (script, out, says, code) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = begins()
            .arg(script)
            .current_dir(folder.path())
            .env_clear()
            .env("PATH", &path)
            .env("HOME", "/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // A script that reads nothing may have ended.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(INPUT.as_bytes()));
        let ran = child.wait_with_output().expect("it ends");
        let signal = std::os::unix::process::ExitStatusExt::signal(&ran.status).map(|signal| 128 + signal);
        let status = ran.status.code().or(signal);
        let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
        let told = !ran.stderr.is_empty();
        if (printed.as_str(), told, status) != (*out, *says, Some(i32::from(*code))) {
            let got = format!("{printed:?} {told} {status:?}");
            wrong.push((*script, got, format!("{out:?} {says} {code}")));
        }
    }
    Some(wrong)
}

#[test]
fn the_genuine_mksh_agrees() {
    let wrong = on_the_host(&["mksh", "-c"], LANGUAGE).unwrap_or_default();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn genuine_programs_agree() {
    let wrong = on_the_host(&["busybox", "sh", "-c"], PROGRAMS).unwrap_or_default();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What no simulated shell can do faithfully: an error, and an exit code that is not zero.
#[tokio::test]
async fn what_is_not_known_is_an_error() {
    let mut wrong = Vec::new();
    for (script, says) in [
        ("a=(1 2)", "arrays are not supported"),
        ("echo @(a|b)", "not supported"),
        ("select i in a; do :; done", "select is not supported"),
        ("time sleep 0", "time is not supported"),
        ("exec > /sdcard/x", "redirections alone: not supported"),
        ("echo a 3> /sdcard/x", "only descriptors"),
        ("echo ${x@Q}", "bad substitution"),
        ("set -o vi", "bad option"),
        ("set -v", "unknown option"),
        ("umask 022", "not supported"),
        ("read -n 1 x", "not supported"),
        ("typeset -i x", "not supported"),
        ("trap 'echo x' DEBUG", "not supported"),
        ("timeout 1 sleep 2", "not supported"),
        ("getopts ab x", "not found"),
        ("alias x=y", "not found"),
        ("awk 1", "not found"),
        ("echo a | sed 's/\\(a\\)\\1/b/'", "back-references are not supported"),
        ("echo a | sed 's/a/\\U&/'", "not supported"),
        ("echo a | sed 'l'", "bad pattern"),
        ("echo a | grep -P a", "Unknown option"),
        ("find / -mtime 1", "bad arg"),
        ("echo a | sort -k 2", "Unknown option"),
        ("echo a | cut -b 1", "Unknown option"),
        ("echo a | tr -t a b", "Unknown option"),
        ("echo a | uniq -i", "Unknown option"),
        ("find / -exec echo {} \\; -print", "supported after -exec"),
        ("printf %q a", "bad format"),
        ("printf %d a", "bad number"),
        ("dd if=/dev/urandom count=1", "not simulated"),
        ("dd foo=1", "unknown operand"),
        ("getevent -S", "not simulated"),
        ("ip link", "unknown"),
        ("log", "Needs 1 argument"),
        ("content query --uri content://sms", "not simulated"),
        ("content insert --uri content://settings/system", "Missing --bind"),
        ("cmd statusbar dance", "Unknown command"),
        ("x=1; while [ ${#x} -lt 9000 ]; do x=$x$x; done; echo ${x%%a*}", "too long"),
        ("x=aaaaaaaaaa; for i in 1 2 3 4 5 6 7 8; do x=$x$x$x$x$x$x; done", "too long"),
        ("f() { f; }; f", "nested too deeply"),
        ("f() { x=$(f); }; f", "nested too deeply"),
        ("while :; do :; done", "too many commands"),
        ("while (:); do (:); done", "too many commands"),
        ("while x=1; do y=2; done", "too many commands"),
        ("while do done", "too many commands"),
        ("until ((0)); do ((x++)); done", "too many commands"),
        ("a0=a1+a1+a1; a1=a2+a2+a2; a2=a0; echo $((a0))", "too"),
        ("for i in {a,b}{a,b}{a,b}{a,b}{a,b}; do sh -c \"$(printf 'sh -c %s' 'nosuch')\"; done", "not found"),
    ] {
        let device = device();
        let ran = shell(&device, script, "").await;
        if !ran.err.contains(says) || ran.code == Some(0) || ran.code.is_none() {
            wrong.push((script, says, format!("{ran:?}").chars().take(400).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
