//! The parent's side: starts the child, takes its messages, and waits until it is dead.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, LengthDelimitedCodec};
use tokio_util::sync::CancellationToken;

use super::wire::{self, MOST_FRAME, Message, Request};
use super::{ARGUMENT, Hole, MOST_CODE, MOST_TOTAL, Probe, shortened, utf8_len};
use droidmux_record::{Expectation, Foretold, Generated, Generation, GeneratorFailure};

/// How long a child may live.
const WALL: Duration = Duration::from_secs(5);
/// The most children at once.
const AT_ONCE: usize = 4;
/// SIGXCPU on every architecture that seccomp filters are made for.
const SIGXCPU: i32 = 24;
const SIGSYS: i32 = 31;

/// Starts sandboxes; clones share the limit of children at once.
#[derive(Clone, Debug)]
pub struct Sandbox {
    program: PathBuf,
    wall: Duration,
    room: Arc<Semaphore>,
}

impl Default for Sandbox {
    /// Children are this program itself.
    fn default() -> Self {
        Self::at("/proc/self/exe")
    }
}

impl Sandbox {
    /// Children are this program, which calls [`super::enter`] first.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), wall: WALL, room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Children are killed after this time, 5 s by default. Endless code ends sooner by itself.
    #[must_use]
    pub fn with_wall(self, wall: Duration) -> Self {
        Self { wall, ..self }
    }

    /// Runs the code. Whatever goes wrong, up to a child that cannot be started, is reported as the failure in the
    /// result, beside the inputs that came before it. `None` when cancelled; the child is dead by then, too.
    pub async fn run(&self, generation: &Generation, cancel: &CancellationToken) -> Option<Generated> {
        Some(self.foretell(generation, cancel).await?.generated)
    }

    /// Like [`Sandbox::run`], with what the code says that should come of its inputs.
    pub async fn foretell(&self, generation: &Generation, cancel: &CancellationToken) -> Option<Foretold> {
        if generation.code.len() > MOST_CODE {
            let words = format!("it is longer than {MOST_CODE} bytes");
            let failure = Some(GeneratorFailure::Syntax(words));
            let generated = Generated { inputs: Vec::new(), failure };
            return Some(Foretold { generated, expected: Vec::new() });
        }
        let most = generation.most.clamp(1, Generation::MOST);
        let request = Request::Generate(Generation { most, ..generation.clone() });
        let mut taken = Taken::of(most.into());
        let _room = cancel.run_until_cancelled(self.room.acquire()).await?.ok()?;
        let failure = self.converse(&request, &mut taken, cancel).await?;
        let generated = Generated { inputs: taken.inputs, failure };
        Some(Foretold { generated, expected: taken.expected })
    }

    /// Whether the sandbox prevents its child from doing this, on this machine: what ended the attempt, in words.
    ///
    /// # Errors
    /// When it could be done.
    pub async fn holds(&self, probe: Probe) -> Result<String, Hole> {
        let (mut taken, never) = (Taken::default(), CancellationToken::new());
        match self.converse(&Request::Probe(probe), &mut taken, &never).await.flatten() {
            Some(GeneratorFailure::Crashed(how)) => Ok(how),
            Some(other) => Ok(other.words()),
            None => Err(Hole(probe)),
        }
    }

    /// One child from start to end; `None` when cancelled.
    async fn converse(
        &self,
        request: &Request,
        taken: &mut Taken,
        cancel: &CancellationToken,
    ) -> Option<Option<GeneratorFailure>> {
        let crashed =
            |why: &str, error: io::Error| Some(GeneratorFailure::Crashed(format!("{why}: {error}")));
        let started = wire::frame(request).and_then(|request| Ok((request, self.start()?)));
        let (request, mut child) = match started {
            Ok(started) => started,
            Err(error) => return Some(crashed("it could not be started", error)),
        };
        let failure = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            heard = timeout(self.wall, hear(&mut child, &request, taken)) => Some(match heard {
                Ok(Ok(failure)) => failure,
                Ok(Err(error)) => crashed("what it said makes no sense", error),
                Err(_) => Some(GeneratorFailure::TimedOut),
            }),
        };
        // Killing fails when the child has ended by itself.
        let _ = child.start_kill();
        let _ = child.wait().await;
        failure
    }

    fn start(&self) -> io::Result<Child> {
        Command::new(&self.program)
            .arg(ARGUMENT)
            .env_clear()
            .env("TZ", "UTC0")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // An interrupt at the terminal is not meant for it.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
    }
}

/// Inputs taken so far.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) inputs: Vec<Vec<u16>>,
    /// One for each input.
    expected: Vec<Option<Expectation>>,
    left: usize,
    bytes: usize,
}

impl Taken {
    /// No inputs so far, of at most this many.
    pub(super) fn of(most: usize) -> Self {
        Self { left: most, ..Self::default() }
    }

    /// Takes an input; false when the child should not have sent it.
    fn take(&mut self, units: Vec<u16>, expected: Option<Expectation>) -> bool {
        let bytes = utf8_len(&units);
        self.bytes = self.bytes.saturating_add(bytes);
        if self.left == 0 || bytes > Generation::MOST_BYTES || self.bytes > MOST_TOTAL {
            return false;
        }
        self.left -= 1;
        self.inputs.push(units);
        self.expected.push(expected);
        true
    }
}

/// Sends the request and takes what comes, to the end.
async fn hear(child: &mut Child, request: &[u8], taken: &mut Taken) -> io::Result<Option<GeneratorFailure>> {
    let (stdin, stdout) = pipes(child)?;
    // A child that died early says more by its exit status.
    let _ = send(stdin, request).await;
    match listen(stdout, taken).await? {
        Some(last) => Ok(last),
        None => Ok(Some(death(child.wait().await?))),
    }
}

/// Takes a child's messages, including how it ended; `None` when it stops without saying.
pub(super) async fn listen(
    from: impl AsyncRead + Unpin,
    taken: &mut Taken,
) -> io::Result<Option<Option<GeneratorFailure>>> {
    let codec = LengthDelimitedCodec::builder().max_frame_length(MOST_FRAME).new_codec();
    let mut frames = FramedRead::new(from, codec);
    while let Some(frame) = frames.next().await {
        match wire::value(&frame?)? {
            Message::Input(units, expected) => {
                if !taken.take(units, expected) {
                    return Ok(Some(Some(GeneratorFailure::TooMuch)));
                }
            }
            Message::Done(failure) => return Ok(Some(failure.map(kept_short))),
        }
    }
    Ok(None)
}

fn pipes(child: &mut Child) -> io::Result<(ChildStdin, ChildStdout)> {
    child.stdin.take().zip(child.stdout.take()).ok_or_else(|| io::Error::other("it has no pipes"))
}

async fn send(mut stdin: ChildStdin, request: &[u8]) -> io::Result<()> {
    stdin.write_all(request).await?;
    stdin.shutdown().await
}

fn kept_short(failure: GeneratorFailure) -> GeneratorFailure {
    match failure {
        GeneratorFailure::Syntax(words) => GeneratorFailure::Syntax(shortened(&words)),
        GeneratorFailure::Threw(words) => GeneratorFailure::Threw(shortened(&words)),
        GeneratorFailure::NotAGenerator(words) => GeneratorFailure::NotAGenerator(shortened(&words)),
        GeneratorFailure::Crashed(words) => GeneratorFailure::Crashed(shortened(&words)),
        other => other,
    }
}

/// Why a child ended without saying so.
fn death(status: ExitStatus) -> GeneratorFailure {
    match status.signal() {
        Some(SIGXCPU) => GeneratorFailure::TimedOut,
        Some(SIGSYS) => GeneratorFailure::Crashed("it tried what is forbidden (SIGSYS)".into()),
        _ => GeneratorFailure::Crashed(format!("it ended with {status}")),
    }
}
