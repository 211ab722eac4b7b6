//! Where commands read from and write to: the console, files, pipes.

use std::io;

use bytes::Bytes;

use super::console::Fd;
use super::lexer::RedirectKind;
use super::run::Shell;
use super::syntax::Redirect;
use crate::sim::command::{self, Wants};

/// Output held for pipes and `$(…)`.
const MAX_CAPTURED: usize = 64 << 20;

/// Where a command's output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Console(Fd),
    /// Into the capture of this number.
    Capture(usize),
    File(String),
    Nowhere,
}

/// Where a command's input comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Console,
    Bytes(Bytes),
}

/// The three streams of a command.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    pub(super) input: Source,
    pub(super) out: Target,
    pub(super) err: Target,
}

impl Streams {
    pub(super) fn console() -> Self {
        Streams { input: Source::Console, out: Target::Console(Fd::Out), err: Target::Console(Fd::Err) }
    }
}

/// Outputs being held, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Captures {
    open: Vec<Vec<u8>>,
    held: usize,
}

impl Captures {
    pub(super) fn open(&mut self) -> Target {
        self.open.push(Vec::new());
        Target::Capture(self.open.len() - 1)
    }

    /// Ends the innermost one and gives what it holds.
    pub(super) fn close(&mut self) -> Vec<u8> {
        let capture = self.open.pop().unwrap_or_default();
        self.held = self.held.saturating_sub(capture.len());
        capture
    }

    /// What is beyond the limit is lost.
    fn add(&mut self, number: usize, bytes: &[u8]) {
        let room = MAX_CAPTURED.saturating_sub(self.held).min(bytes.len());
        self.held += room;
        if let Some(capture) = self.open.get_mut(number) {
            capture.extend_from_slice(bytes.get(..room).unwrap_or_default());
        }
    }
}

impl Shell<'_, '_> {
    /// Reads what a command wants to read.
    pub(super) async fn read_input(&mut self, wants: Wants, source: &Source) -> io::Result<Bytes> {
        match (wants, source) {
            (Wants::Nothing, _) => Ok(Bytes::new()),
            (_, Source::Bytes(bytes)) => Ok(bytes.clone()),
            (Wants::All, Source::Console) => Ok(self.console.read_to_end().await?.freeze()),
            (Wants::Exactly(count), Source::Console) => Ok(self.console.read_up_to(count).await?.freeze()),
        }
    }

    /// Writes to wherever an output goes.
    pub(super) async fn emit(&mut self, target: &Target, bytes: &[u8]) -> io::Result<()> {
        match target {
            Target::Console(fd) => self.console.print(*fd, bytes).await?,
            Target::Capture(number) => self.captures.add(*number, bytes),
            Target::File(path) => {
                let appended = self.device.files().append(path, bytes);
                if let Err(error) = appended {
                    self.status = 1;
                    let text = format!("write: {error}\n");
                    self.console.print(Fd::Err, text.as_bytes()).await?;
                }
            }
            Target::Nowhere => {}
        }
        Ok(())
    }

    /// Applies a redirection; the inner error is what the shell says when it cannot.
    pub(super) async fn redirect(
        &mut self,
        redirect: &Redirect,
        streams: &mut Streams,
    ) -> io::Result<Result<(), String>> {
        let target = self.expand_one(&redirect.target).await?;
        if redirect.kind == RedirectKind::Duplicate {
            let from = match target.as_str() {
                "1" => streams.out.clone(),
                "2" => streams.err.clone(),
                "-" => Target::Nowhere,
                _ => return Ok(Err(format!("/system/bin/sh: {target}: bad file descriptor\n"))),
            };
            if redirect.fd == 2 {
                streams.err = from
            } else {
                streams.out = from
            }
            return Ok(Ok(()));
        }
        let path = command::absolute(self.variables.get("PWD").map_or("/", String::as_str), &target);
        if redirect.kind == RedirectKind::Read {
            let read = if path == "/dev/null" { Ok(Bytes::new()) } else { self.device.files().read(&path) };
            return Ok(match read {
                Ok(bytes) => {
                    streams.input = Source::Bytes(bytes);
                    Ok(())
                }
                Err(error) => Err(format!("/system/bin/sh: can't open {target}: {error}\n")),
            });
        }
        let opened = if path == "/dev/null" {
            Target::Nowhere
        } else {
            let exists = self.device.files().read(&path).is_ok();
            if redirect.kind != RedirectKind::Append || !exists {
                let created = self.device.files().write(&path, Bytes::new(), 0o644, false);
                if let Err(error) = created {
                    return Ok(Err(format!("/system/bin/sh: can't create {target}: {error}\n")));
                }
            }
            Target::File(path)
        };
        if redirect.kind == RedirectKind::Both {
            streams.err = opened.clone();
            streams.out = opened;
        } else if redirect.fd == 2 {
            streams.err = opened;
        } else {
            streams.out = opened;
        }
        Ok(Ok(()))
    }
}
