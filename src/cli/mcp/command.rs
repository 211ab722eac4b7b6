//! Commands of this program, run for an agent.
//!
//! In: words of a command line. Out: what the command wrote, up to a limit, and how it ended.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio_util::sync::CancellationToken;

/// Bytes of a command's output that are kept.
const MOST_OUTPUT: usize = 256 << 10;

/// Bytes of its messages that are kept.
const MOST_MESSAGES: u64 = 16 << 10;

/// How long an interrupted command may take to end: devices are given back meanwhile.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

/// This program, with the options that every command gets.
pub(super) struct Program {
    file: PathBuf,
    options: Vec<OsString>,
}

/// A command line to be run.
pub(super) struct Line<'a> {
    pub words: Vec<OsString>,
    /// What it reads.
    pub input: &'a str,
    /// How long it may take.
    pub within: Duration,
    /// Lines of its output: how many to leave out, and how many to keep.
    pub lines: (usize, usize),
    pub cancel: &'a CancellationToken,
}

/// What a command wrote, and how it ended.
pub(super) struct Ran {
    pub output: String,
    /// There was more than was kept.
    pub more: bool,
    pub messages: String,
    /// `None` when it was ended by a signal, or its output was cut.
    pub code: Option<i32>,
}

impl Program {
    pub fn new(file: PathBuf, options: Vec<OsString>) -> Self {
        Self { file, options }
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// In words, when it cannot be started, is cancelled or takes too long.
    pub async fn run(&self, line: Line<'_>) -> Result<Ran, String> {
        let Line { words, input, within, lines, cancel } = line;
        let mut command = Command::new(&self.file);
        command.args(words).args(&self.options).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("the command cannot be started: {error}"))?;
        let work = follow(&mut child, input, lines);
        let done = tokio::select! {
            done = work => Some(done),
            () = cancel.cancelled() => None,
            () = tokio::time::sleep(within) => None,
        };
        match done {
            Some(Ok(mut ran)) => {
                if ran.more {
                    interrupt(&mut child).await;
                } else {
                    ran.code = child.wait().await.ok().and_then(|status| status.code());
                }
                Ok(ran)
            }
            Some(Err(error)) => Err(format!("the command's output cannot be read: {error}")),
            None => {
                interrupt(&mut child).await;
                match cancel.is_cancelled() {
                    true => Err("cancelled; the command was interrupted".into()),
                    false => Err(format!("it took longer than {} s and was interrupted", within.as_secs())),
                }
            }
        }
    }
}

/// Feeds a command and takes what it says, until it is silent or has said enough.
async fn follow(child: &mut Child, input: &str, lines: (usize, usize)) -> std::io::Result<Ran> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A command that reads nothing closes it.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    // On its own, so that messages never hold the command up.
    let heard = stderr.map(|stderr| tokio::spawn(hear(stderr)));
    let read = async {
        match stdout {
            Some(stdout) => chosen(stdout, lines).await,
            None => Ok((String::new(), false)),
        }
    };
    let ((), read) = tokio::join!(feed, read);
    let (output, more) = read?;
    let messages = match heard {
        // It is interrupted now; what it says of that does not matter.
        Some(heard) if more => {
            heard.abort();
            String::new()
        }
        Some(heard) => heard.await.unwrap_or_default(),
        None => String::new(),
    };
    Ok(Ran { output, more, messages, code: None })
}

/// The beginning of a command's messages.
async fn hear(mut stderr: ChildStderr) -> String {
    let mut said = Vec::new();
    // What cannot be read any more was not said.
    let _ = (&mut stderr).take(MOST_MESSAGES).read_to_end(&mut said).await;
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&said).into_owned()
}

/// The chosen lines of an output, as far as they fit, and whether there are more.
async fn chosen(
    output: impl AsyncRead + Unpin,
    (skip, most): (usize, usize),
) -> std::io::Result<(String, bool)> {
    let mut reader = BufReader::new(output);
    let (mut kept, mut number) = (String::new(), 0_usize);
    loop {
        let mut line = Vec::new();
        let limit = u64::try_from(MOST_OUTPUT).unwrap_or(u64::MAX);
        if (&mut reader).take(limit).read_until(b'\n', &mut line).await? == 0 {
            return Ok((kept, false));
        }
        if number >= skip {
            if number - skip >= most || kept.len() + line.len() > MOST_OUTPUT {
                return Ok((kept, true));
            }
            kept.push_str(&String::from_utf8_lossy(&line));
        }
        number = number.saturating_add(1);
    }
}

/// Ends a command as Ctrl-C would, and for good when it does not end.
async fn interrupt(child: &mut Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(id) = id {
        // It may have ended meanwhile.
        let _ = kill_process(id, Signal::INT);
    }
    if tokio::time::timeout(ENDS_WITHIN, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_chosen_and_cut() {
        let text = "one\ntwo\nthree\nfour";
        let cases = [
            ((0, 10), (text, false)),
            ((0, 4), (text, false)),
            ((1, 2), ("two\nthree\n", true)),
            ((3, 1), ("four", false)),
            ((9, 5), ("", false)),
        ];
        for (lines, (expected, more)) in cases {
            let got = chosen(text.as_bytes(), lines).await.expect("readable");
            assert_eq!(got, (expected.to_owned(), more), "{lines:?}");
        }
        let long = "x".repeat(MOST_OUTPUT + 1);
        let (kept, more) = chosen(long.as_bytes(), (0, 10)).await.expect("readable");
        assert!(kept.len() <= MOST_OUTPUT && more);
    }
}
