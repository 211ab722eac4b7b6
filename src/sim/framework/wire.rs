//! A host's process and the lines to and from it.
//!
//! In: a request. Out: its answer, or the fact that none will come. Lines are read on a separate thread, so
//! that a silent host makes nobody wait for ever.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::absolute;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::confine::Confined;
use super::host::FrameworkOptions;
use super::quota::Quota;
use crate::device::lock;
use droidmux_file::Temporary;
use droidmux_words::printable;

/// Longest line taken from a host: a screenshot in base64 is the longest there is.
const LONGEST_LINE: u64 = 64 << 20;

/// How long a host may take to start.
const PATIENCE_AT_START: Duration = Duration::from_secs(240);
/// Between two looks at whether it is still wanted.
const PAUSE_AT_START: Duration = Duration::from_millis(50);

/// How long a process may take to end after its output did.
const PATIENCE_AT_END: Duration = Duration::from_secs(2);

/// How long an answer may take. The host itself gives up on an app after ten seconds, or a minute where the processors
/// are busy, and then restarts it. Shorter than sessions wait for a device: another host is there before they give up.
const PATIENCE: Duration = Duration::from_secs(90);

/// Between two looks at how much it has written.
const PAUSE_BETWEEN_COUNTS: Duration = Duration::from_secs(5);

/// What is kept of what a host says on standard error, in lines and in bytes of a line.
const LAST_WORDS: usize = 20;
const LONGEST_WORDS: u64 = 4_096;

/// What a host does by itself.
#[derive(Debug)]
pub(super) enum Happened {
    /// It has written too much, and is ended.
    Full(String),
    /// It tells that a request hangs.
    Hung(Value),
    /// It says nothing more. How its process ended, with its last words on standard error.
    Ended(String),
}

/// A running host.
pub(super) struct Wire {
    child: Arc<Mutex<Child>>,
    requests: ChildStdin,
    answers: Receiver<Value>,
    next: u64,
    /// Its end is no news.
    dismissed: Arc<AtomicBool>,
    /// Its files, which go with it.
    _folder: Temporary,
    /// Dropped with it: nobody counts its files any more.
    _runs: Sender<()>,
}

impl Wire {
    /// Starts a host and returns its first line. `happened` is told, on a thread of its own, what comes unasked.
    pub(super) fn start(
        options: &FrameworkOptions,
        size: (u32, u32),
        density: u32,
        stop: &CancellationToken,
        happened: impl Fn(Happened) + Send + Sync + 'static,
    ) -> Result<(Wire, Value), String> {
        let FrameworkOptions { program, app, confinement, .. } = options;
        let unstarted = |error| format!("{}: cannot be started: {error}", program.display());
        let app = absolute(app).map_err(unstarted)?;
        let Confined { mut command, folder } =
            confinement.command(program, std::slice::from_ref(&app), &[]).map_err(unstarted)?;
        let mut child = command
            .arg(&app)
            .args(["--size", &format!("{}x{}", size.0, size.1), "--density", &density.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(unstarted)?;
        let (Some(requests), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(format!("{}: has no pipes", program.display()));
        };
        let words = listen(errors);
        let (told, answers) = sync_channel(16);
        let happened = Arc::new(happened);
        let happens = Arc::clone(&happened);
        let child = Arc::new(Mutex::new(child));
        let (dying, last_words) = (Arc::clone(&child), Arc::clone(&words));
        let dismissed = Arc::new(AtomicBool::new(false));
        let expected = Arc::clone(&dismissed);
        thread::spawn(move || {
            let mut lines = BufReader::new(output);
            while let Some(answer) = line(&mut lines) {
                if answer.get("hung").is_some() {
                    happens(Happened::Hung(answer));
                } else if told.send(answer).is_err() {
                    break;
                }
            }
            drop(told);
            if !expected.load(Ordering::Acquire) {
                happens(Happened::Ended(how_it_ended(&dying, &last_words)));
            }
        });
        let (runs, counted) = channel();
        let (own, watched) = (folder.path().to_owned(), Arc::clone(&child));
        thread::spawn(move || {
            Quota::OF_HOST.watch(&own, PAUSE_BETWEEN_COUNTS, &counted, |excess| {
                happened(Happened::Full(excess));
                // If it is gone already, that is just as good; whoever waits for its answers ends it for good.
                let _ = lock(&watched).kill();
            });
        });
        let wire = Wire { child, requests, answers, next: 0, dismissed, _folder: folder, _runs: runs };
        let began = Instant::now();
        loop {
            match wire.answers.recv_timeout(PAUSE_AT_START) {
                Ok(hello) => return Ok((wire, hello)),
                Err(RecvTimeoutError::Timeout) if stop.is_cancelled() => {
                    return Err(format!("{}: the lab ended meanwhile", program.display()));
                }
                Err(RecvTimeoutError::Timeout) if began.elapsed() < PATIENCE_AT_START => {}
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = PATIENCE_AT_START.as_secs();
                    return Err(format!("{}: the host did not start within {seconds} s", program.display()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let said = how_it_ended(&wire.child, &words);
                    return Err(format!(
                        "{}: the host ended without an answer ({said}); it needs a JDK 17",
                        program.display()
                    ));
                }
            }
        }
    }

    /// Asks and waits for the answer; `None` when there will be none.
    pub(super) fn ask(&mut self, what: &str, mut members: Map<String, Value>) -> Option<Value> {
        self.next += 1;
        members.insert("id".into(), self.next.into());
        members.insert("do".into(), what.into());
        let mut line = Value::Object(members).to_string();
        line.push('\n');
        self.requests.write_all(line.as_bytes()).ok()?;
        self.requests.flush().ok()?;
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(answer) if answer["id"] == self.next => return Some(answer),
                // The answer to a request that nobody waits for any more.
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    self.end();
                    return None;
                }
            }
        }
    }

    /// Ends the process, and nobody is told.
    pub(super) fn dismiss(self) {
        self.dismissed.store(true, Ordering::Release);
    }

    /// Ends the process.
    pub(super) fn end(&mut self) {
        // If it is gone already, that is just as good.
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.end();
    }
}

/// Keeps the last lines of a host's standard error, which must be read lest it waits for ever.
fn listen(errors: impl Read + Send + 'static) -> Arc<Mutex<VecDeque<String>>> {
    let kept = Arc::new(Mutex::new(VecDeque::new()));
    let words = Arc::clone(&kept);
    thread::spawn(move || {
        let mut errors = BufReader::new(errors);
        loop {
            let mut line = Vec::new();
            let read = errors.by_ref().take(LONGEST_WORDS).read_until(b'\n', &mut line);
            if !read.is_ok_and(|bytes| bytes > 0) {
                return;
            }
            let mut words = lock(&words);
            if words.len() == LAST_WORDS {
                words.pop_front();
            }
            words.push_back(printable(String::from_utf8_lossy(&line).trim_end()).into_owned());
        }
    });
    kept
}

/// How a process ended that says nothing more, in words. One that does not end is none that waits.
fn how_it_ended(child: &Mutex<Child>, words: &Mutex<VecDeque<String>>) -> String {
    let began = Instant::now();
    let status = loop {
        match lock(child).try_wait() {
            Ok(None) if began.elapsed() < PATIENCE_AT_END => thread::sleep(PAUSE_AT_START),
            Ok(None) => break "its process goes on without its output".to_owned(),
            Ok(Some(status)) => break status.to_string(),
            Err(error) => break format!("how its process ended is not known: {error}"),
        }
    };
    let words: Vec<String> = lock(words).iter().cloned().collect();
    if words.is_empty() {
        format!("{status}, no last words")
    } else {
        format!("{status}: {}", words.join("; "))
    }
}

/// The next line that is JSON; `None` at the end, or when a line is too long to be one of a host.
fn line(lines: &mut impl BufRead) -> Option<Value> {
    let mut text = Vec::new();
    lines.take(LONGEST_LINE).read_until(b'\n', &mut text).ok()?;
    if text.last() != Some(&b'\n') {
        return None;
    }
    serde_json::from_slice(&text).ok()
}
