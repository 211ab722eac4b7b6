//! Where commands read from and write to: the console, files, pipes.

use std::io;
use std::sync::{Arc, Mutex};

use bytes::{Buf, Bytes};

use super::console::Fd;
use super::run::Shell;
use super::syntax::{Redirect, RedirectKind};
use crate::command::{self, Wants};
use crate::device::lock;

/// Output held for pipes and `$(…)`.
const MAX_CAPTURED: usize = 64 << 20;
/// Longest line that `read` takes.
const MAX_LINE: usize = 1 << 20;

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
    /// What is left of it: commands that read take turns.
    Bytes(Arc<Mutex<Bytes>>),
}

impl Source {
    pub(super) fn bytes(bytes: Bytes) -> Self {
        Source::Bytes(Arc::new(Mutex::new(bytes)))
    }

    pub(super) fn empty() -> Self {
        Source::bytes(Bytes::new())
    }
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
            (wants, Source::Bytes(bytes)) => {
                let mut bytes = lock(bytes);
                let count = match wants {
                    Wants::Exactly(count) => usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len()),
                    _ => bytes.len(),
                };
                Ok(bytes.split_to(count))
            }
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

    /// A line of input without its end, and whether it had one.
    pub(super) async fn read_line(&mut self, source: &Source) -> io::Result<(String, bool)> {
        let Source::Bytes(bytes) = source else { return self.console.read_line(MAX_LINE).await };
        let mut bytes = lock(bytes);
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let size = end.unwrap_or(bytes.len());
        let line = bytes.split_to(size);
        if end.is_some() {
            bytes.advance(1);
        }
        Ok((String::from_utf8_lossy(&line).into_owned(), end.is_some()))
    }

    /// Applies a redirection; the inner error is what the shell says when it cannot.
    pub(super) async fn redirect(
        &mut self,
        redirect: &Redirect,
        streams: &mut Streams,
    ) -> io::Result<Result<(), String>> {
        if let RedirectKind::Here(body) = &redirect.kind {
            let text = match body.get() {
                Some(body) => self.expand_one(body).await?,
                None => String::new(),
            };
            return Ok(feed(redirect.fd, streams, text.into()));
        }
        let target = self.expand_one(&redirect.target).await?;
        if self.fault.is_some() {
            return Ok(Ok(()));
        }
        let path = command::absolute(self.state.cwd(), &target);
        match redirect.kind {
            RedirectKind::HereWord => return Ok(feed(redirect.fd, streams, format!("{target}\n").into())),
            RedirectKind::Duplicate => return Ok(duplicate(redirect.fd, &target, streams)),
            RedirectKind::Read => {
                return Ok(match self.device.files().input(&path) {
                    Ok(bytes) => feed(redirect.fd, streams, bytes),
                    Err(error) => Err(format!("can't open {target}: {error}")),
                });
            }
            _ => {}
        }
        let opened = match path.as_str() {
            "/dev/null" => Target::Nowhere,
            "/dev/stdout" => streams.out.clone(),
            "/dev/stderr" => streams.err.clone(),
            "/dev/tty" if self.console.terminal => Target::Console(Fd::Out),
            _ => {
                let appends =
                    redirect.kind == RedirectKind::Append && self.device.files().read(&path).is_ok();
                let created = match appends {
                    true => Ok(()),
                    false => self.device.files().write(&path, Bytes::new(), 0o644, false),
                };
                if let Err(error) = created {
                    return Ok(Err(format!("can't create {target}: {error}")));
                }
                Target::File(path)
            }
        };
        match (redirect.fd, &redirect.kind) {
            (_, RedirectKind::Both) => (streams.out, streams.err) = (opened.clone(), opened),
            (1, _) => streams.out = opened,
            (2, _) => streams.err = opened,
            (fd, _) => return Ok(Err(format!("{fd}: only descriptors 0, 1 and 2 are supported"))),
        }
        Ok(Ok(()))
    }
}

/// Makes these bytes the input.
fn feed(fd: u8, streams: &mut Streams, bytes: Bytes) -> Result<(), String> {
    if fd != 0 {
        return Err(format!("{fd}: only descriptor 0 can be read"));
    }
    streams.input = Source::bytes(bytes);
    Ok(())
}

/// `2>&1`, `<&-` and their kin.
fn duplicate(fd: u8, target: &str, streams: &mut Streams) -> Result<(), String> {
    let bad = || Err(format!("{target}: bad file descriptor"));
    let from = match (fd, target) {
        (0, "-") => {
            streams.input = Source::empty();
            return Ok(());
        }
        (0, "0") => return Ok(()),
        (0, _) => return bad(),
        (_, "1") => streams.out.clone(),
        (_, "2") => streams.err.clone(),
        (_, "-") => Target::Nowhere,
        _ => return bad(),
    };
    match fd {
        1 => streams.out = from,
        2 => streams.err = from,
        _ => return Err(format!("{fd}: only descriptors 0, 1 and 2 are supported")),
    }
    Ok(())
}
