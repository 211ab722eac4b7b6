//! A command's connection: what it writes, then its exit code.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::Notify;
use tokio_util::codec::FramedRead;
use tokio_util::sync::CancellationToken;

use super::Commands;
use super::outbox::{Ended, Outbox};
use droidmux_proto::{MOST_FROM_VIEWER, ToLab, ToViewer, codec, decode};
use droidmux_record::SessionId;

/// How many bytes may wait for a client; what does not fit is cut, and the client is told.
const MOST_WAITING: usize = 64 << 20;
/// The most bytes sent in one message.
const PIECE: usize = 256 << 10;

/// Where a command writes. Never waits: what its client does not take in time is cut.
#[derive(Clone, Default)]
pub struct CommandOutput {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    waiting: Mutex<Waiting>,
    more: Notify,
}

#[derive(Default)]
struct Waiting {
    /// In the order it was written: to standard error or not, and what.
    pieces: std::collections::VecDeque<(bool, Vec<u8>)>,
    bytes: usize,
    cut: u64,
    /// Sessions that the command began and its client has not heard of.
    began: Vec<SessionId>,
    /// Nobody reads any more.
    abandoned: bool,
}

impl CommandOutput {
    /// Adds to standard output, or to standard error.
    pub fn write(&self, error: bool, bytes: &[u8]) {
        let mut waiting = self.lock();
        if waiting.abandoned {
            return;
        }
        if waiting.bytes.saturating_add(bytes.len()) > MOST_WAITING {
            waiting.cut = waiting.cut.saturating_add(bytes.len() as u64);
            return;
        }
        waiting.bytes += bytes.len();
        match waiting.pieces.back_mut() {
            Some((to, last)) if *to == error && last.len() + bytes.len() <= PIECE => last.extend(bytes),
            _ => waiting.pieces.push_back((error, bytes.to_vec())),
        }
        drop(waiting);
        self.inner.more.notify_one();
    }

    /// Tells the client which session the command began.
    pub fn began(&self, session: SessionId) {
        self.lock().began.push(session);
        self.inner.more.notify_one();
    }

    /// The next piece; `None` while there is none.
    fn take(&self) -> Option<(bool, Vec<u8>)> {
        let mut waiting = self.lock();
        if let Some((error, bytes)) = waiting.pieces.pop_front() {
            waiting.bytes -= bytes.len();
            return Some((error, bytes));
        }
        let cut = std::mem::take(&mut waiting.cut);
        let words = format!("droidmux: {cut} bytes of output were not read in time and are missing here\n");
        (cut > 0).then(|| (true, words.into_bytes()))
    }

    fn abandon(&self) {
        *self.lock() = Waiting { abandoned: true, ..Waiting::default() };
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.inner.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl io::Write for CommandOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        CommandOutput::write(self, false, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Carries out a command for a client. A client that goes away does not end the command.
pub(super) async fn attend(
    commands: Arc<dyn Commands>,
    stream: UnixStream,
    args: Vec<String>,
    folder: String,
    stop: &CancellationToken,
) {
    let (read, write) = stream.into_split();
    let output = CommandOutput::default();
    let interrupt = stop.child_token();
    let mut work = tokio::spawn({
        let (output, interrupt) = (output.clone(), interrupt.clone());
        async move { commands.carry_out(args, folder, output, interrupt).await }
    });
    let mut outbox = Outbox::new(write);
    let ears = tokio::spawn(listen(read, interrupt));
    let mut code = None;
    let told: Result<(), Ended> = async {
        loop {
            let began = std::mem::take(&mut output.lock().began);
            for session in began {
                outbox.put(&ToViewer::Began(session)).await?;
            }
            while let Some((error, bytes)) = output.take() {
                outbox.put(&ToViewer::Output { error, bytes }).await?;
            }
            if let Some(code) = code {
                return outbox.put(&ToViewer::Exit(code)).await;
            }
            tokio::select! {
                done = &mut work => code = Some(done.unwrap_or(PANICKED)),
                () = output.inner.more.notified() => {}
            }
        }
    }
    .await;
    output.abandon();
    ears.abort();
    if let Err(ended) = told {
        tracing::info!("a command's client is gone: {ended}; the command goes on");
        if code.is_none() {
            // Its end is waited for, so that a stopping server does not cut it.
            let _ = work.await;
        }
    }
}

/// The exit code of a program that panicked.
pub const PANICKED: u8 = 101;

/// Hears when the person wants the command to end.
async fn listen(read: OwnedReadHalf, interrupt: CancellationToken) {
    let mut frames = FramedRead::new(read, codec(MOST_FROM_VIEWER));
    while let Some(Ok(content)) = frames.next().await {
        match decode::<ToLab>(&content) {
            Ok(ToLab::Interrupt) => interrupt.cancel(),
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use droidmux_proto::MOST_FROM_LAB;

    /// Begins a session, says a word and ends.
    struct Beginner;

    #[async_trait]
    impl Commands for Beginner {
        async fn carry_out(
            &self,
            _: Vec<String>,
            _: String,
            output: CommandOutput,
            _: CancellationToken,
        ) -> u8 {
            output.began(SessionId(7));
            output.write(false, b"done\n");
            1
        }
    }

    #[tokio::test]
    async fn a_client_hears_which_session_its_command_began() {
        let (client, server) = UnixStream::pair().expect("a socket pair");
        let stop = CancellationToken::new();
        let attended = attend(Arc::new(Beginner), server, Vec::new(), String::new(), &stop);
        let heard = async {
            let mut frames = FramedRead::new(client, codec(MOST_FROM_LAB));
            let mut heard = Vec::new();
            while let Some(Ok(content)) = frames.next().await {
                heard.push(match decode::<ToViewer>(&content).expect("a message") {
                    ToViewer::Began(session) => format!("began {session}"),
                    ToViewer::Output { bytes, .. } => String::from_utf8(bytes).expect("text"),
                    ToViewer::Exit(code) => format!("exit {code}"),
                    other => panic!("{other:?}"),
                });
            }
            heard
        };
        let (heard, ()) = tokio::join!(heard, attended);
        assert_eq!(heard, ["began s7", "done\n", "exit 1"]);
    }
}
