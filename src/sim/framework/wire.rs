//! A host's process and the lines to and from it.
//!
//! In: a request. Out: its answer, or the fact that none will come. Lines are read on a separate thread, so
//! that a silent host makes nobody wait for ever.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

/// Longest line taken from a host: a screenshot in base64 is the longest there is.
const LONGEST_LINE: u64 = 64 << 20;

/// How long a host may take to start.
const PATIENCE_AT_START: Duration = Duration::from_secs(240);

/// How long an answer may take. The host itself gives up on an app after ten seconds, or a minute where the processors
/// are busy, and then restarts it. Shorter than sessions wait for a device: another host is there before they give up.
const PATIENCE: Duration = Duration::from_secs(90);

/// A running host.
pub(super) struct Wire {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<Value>,
    next: u64,
}

impl Wire {
    /// Starts a host and returns its first line. `ended` is called when it says nothing more.
    pub(super) fn start(
        program: &Path,
        app: &Path,
        size: (u32, u32),
        density: u32,
        ended: impl Fn() + Send + 'static,
    ) -> Result<(Wire, Value), String> {
        let mut child = Command::new(program)
            .arg(app)
            .args(["--size", &format!("{}x{}", size.0, size.1), "--density", &density.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: cannot be started: {error}", program.display()))?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{}: has no pipes", program.display()));
        };
        let (told, answers) = sync_channel(16);
        thread::spawn(move || {
            let mut lines = BufReader::new(output);
            while let Some(answer) = line(&mut lines) {
                if told.send(answer).is_err() {
                    break;
                }
            }
            drop(told);
            ended();
        });
        let mut wire = Wire { child, requests, answers, next: 0 };
        match wire.answers.recv_timeout(PATIENCE_AT_START) {
            Ok(hello) => Ok((wire, hello)),
            Err(_) => {
                wire.end();
                Err(format!("{}: the host ended without a word; it needs a JDK 17", program.display()))
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

    /// Ends the process.
    pub(super) fn end(&mut self) {
        // If it is gone already, that is just as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.end();
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
