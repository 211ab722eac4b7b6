//! Commands that another process must carry out: the lab server that holds the store.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::UnixStream;
use tokio::sync::oneshot;
use tokio_util::codec::Framed;

use super::lab::way::{self, LabAddress, hello};
use super::runtime::runtime;
use super::{Usage, cockpit, exit, folders};
use droidmux_lab::server::Endpoint;
use droidmux_proto::greeting::{Purpose, greet};
use droidmux_proto::{MOST_FROM_LAB, ToLab, ToViewer, codec, decode, encode};
use droidmux_record::SessionId;
use droidmux_store::StoreError;

/// The most pieces of output kept while the cockpit has the terminal.
const MOST_COVERED: usize = 256;
/// How long a command may take to begin its session before the cockpit opens without it.
const BEGINS_WITHIN: Duration = Duration::from_secs(10);

/// The store that, according to the error, another process holds.
pub(super) fn held(error: &color_eyre::Report) -> Option<&Path> {
    error.chain().find_map(|cause| match cause.downcast_ref::<StoreError>() {
        Some(StoreError::InUse { path, .. }) => Some(path.as_path()),
        _ => None,
    })
}

/// Makes the lab server that holds this store carry out this process's command; a `watched` one is shown in the
/// cockpit. `None` when whatever holds the store is not a lab server.
///
/// # Errors
/// When the connection breaks; the command may go on in the server.
pub(super) fn forward(store: &Path, watched: bool) -> Option<color_eyre::Result<ExitCode>> {
    let endpoint = Endpoint::of(&folders::state().ok()?, store).ok()?;
    let runtime = runtime().ok()?;
    let stream = runtime.block_on(endpoint.connect()).ok()?;
    let done = match watched {
        true => runtime.block_on(watch(stream, store)),
        false => runtime.block_on(follow(stream, Curtain::default(), None)),
    };
    // A connection of the cockpit that is backing off must not keep the process alive.
    runtime.shutdown_background();
    Some(done)
}

/// The cockpit on the server while it carries out the command. Leaving the cockpit does not stop the command.
async fn watch(stream: UnixStream, store: &Path) -> color_eyre::Result<ExitCode> {
    let curtain = Curtain::default();
    let (begins, began) = oneshot::channel();
    let mut command = tokio::spawn(follow(stream, curtain.clone(), Some(begins)));
    let opens = tokio::select! {
        // A command that ended at once has already said why.
        ended = &mut command => return ended?,
        session = began => session.ok(),
        () = tokio::time::sleep(BEGINS_WITHIN) => None,
    };
    curtain.cover();
    let end =
        way::view(&LabAddress::Here, Some(store.to_owned()), Purpose::View { read_only: false }).await?;
    let shown = cockpit::watch(vec![end], false, cockpit::home_in_server(store), opens).await;
    curtain.uncover()?;
    shown?;
    if command.is_finished() {
        return command.await?;
    }
    // Nobody reads a terminal that was hung up.
    let _ = writeln!(io::stdout(), "the session goes on in the lab server; `droidmux attach` shows it again");
    Ok(ExitCode::SUCCESS)
}

/// The terminal that a command writes to; held back while the cockpit has it.
#[derive(Clone, Default)]
struct Curtain(Arc<Mutex<Option<Vec<(bool, Vec<u8>)>>>>);

impl Curtain {
    fn cover(&self) {
        self.lock().get_or_insert_default();
    }

    /// Writes the output held back meanwhile, or only the end of it if there was much.
    fn uncover(&self) -> io::Result<()> {
        let said = self.lock().take().unwrap_or_default();
        let from = said.len().saturating_sub(MOST_COVERED);
        said.iter().skip(from).try_for_each(|(error, bytes)| self.write(*error, bytes))
    }

    fn write(&self, error: bool, bytes: &[u8]) -> io::Result<()> {
        if let Some(covered) = &mut *self.lock() {
            if covered.len() >= 2 * MOST_COVERED {
                covered.drain(..MOST_COVERED);
            }
            covered.push((error, bytes.to_vec()));
            return Ok(());
        }
        if error {
            return io::stderr().lock().write_all(bytes);
        }
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<(bool, Vec<u8>)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Relays a command's output to the terminal; `begins` receives the id of the session it began.
async fn follow(
    mut stream: UnixStream,
    curtain: Curtain,
    mut begins: Option<oneshot::Sender<SessionId>>,
) -> color_eyre::Result<ExitCode> {
    let args = std::env::args_os().skip(1).map(sendable).collect::<Result<_, _>>()?;
    let folder = sendable(std::env::current_dir()?.into_os_string())?;
    greet(&mut stream, &hello(Purpose::Command { args, folder })).await?;
    let mut frames = Framed::new(stream, codec(MOST_FROM_LAB));
    let mut interrupted = false;
    loop {
        let content = tokio::select! {
            content = frames.next() => content,
            _ = tokio::signal::ctrl_c() => {
                if interrupted {
                    return Ok(ExitCode::from(exit::INTERRUPTED));
                }
                interrupted = true;
                curtain.write(true, b"droidmux: stopping it in the lab server. Once more to leave it to itself.\n")?;
                frames.send(encode(&ToLab::Interrupt)?).await?;
                continue;
            }
        };
        let Some(content) = content else {
            return Err(color_eyre::eyre::eyre!(
                "the lab server ended before the command did; what it recorded is in the store, and \
                 sessions go on when it is started again (`droidmux lab start`)"
            ));
        };
        match decode::<ToViewer>(&content?)? {
            ToViewer::Output { error, bytes } => match curtain.write(error, &bytes) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    // Nobody reads the output, so the command should end, as it does without a server.
                    frames.send(encode(&ToLab::Interrupt)?).await?;
                    return Ok(ExitCode::SUCCESS);
                }
                written => written?,
            },
            ToViewer::Began(session) => {
                // Nobody waits for the session's beginning once the cockpit is open.
                let _ = begins.take().map(|begins| begins.send(session));
            }
            ToViewer::Exit(code) => return Ok(ExitCode::from(code)),
            ToViewer::View(_) | ToViewer::Reply(_) | ToViewer::Resync(_) | ToViewer::Alive => {}
        }
    }
}

/// What goes over the connection is UTF-8; anything else would name a different file there.
fn sendable(word: OsString) -> Result<String, Usage> {
    word.into_string().map_err(|word| {
        Usage::new(format!("a lab server holds the store, and cannot be told of {word:?}: no UTF-8"))
    })
}
