//! Commands that another process must carry out: the lab server that holds the store.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use futures_util::{SinkExt, StreamExt};
use tokio_util::codec::Framed;

use super::bring_up::runtime;
use super::lab::way::hello;
use super::{exit, folders};
use crate::lab::server::Endpoint;
use crate::proto::greeting::{Purpose, greet};
use crate::proto::{MOST_FROM_LAB, ToLab, ToViewer, codec, decode, encode};
use crate::store::StoreError;

/// The store that an error says is held by another process.
pub(super) fn held(error: &color_eyre::Report) -> Option<&Path> {
    error.chain().find_map(|cause| match cause.downcast_ref::<StoreError>() {
        Some(StoreError::InUse { path, .. }) => Some(path.as_path()),
        _ => None,
    })
}

/// Has the lab server that holds this store carry out the command of this process. `None` when what
/// holds it is no lab server.
///
/// # Errors
/// When the connection breaks; the command may go on in the server.
pub(super) fn forward(store: &Path) -> Option<color_eyre::Result<ExitCode>> {
    let endpoint = Endpoint::of(&folders::state().ok()?, store).ok()?;
    let runtime = runtime().ok()?;
    let stream = runtime.block_on(endpoint.connect()).ok()?;
    Some(runtime.block_on(follow(stream)))
}

async fn follow(mut stream: tokio::net::UnixStream) -> color_eyre::Result<ExitCode> {
    let args = std::env::args().skip(1).collect();
    let folder = std::env::current_dir()?.to_string_lossy().into_owned();
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
                eprintln!("droidmux: stopping it in the lab server. Once more to leave it to itself.");
                frames.send(encode(&ToLab::Interrupt)?).await?;
                continue;
            }
        };
        let Some(content) = content else {
            return Err(color_eyre::eyre::eyre!(
                "the lab server ended before the command did; what it recorded is in the store"
            ));
        };
        match decode::<ToViewer>(&content?)? {
            ToViewer::Output { error: true, bytes } => io::stderr().lock().write_all(&bytes)?,
            ToViewer::Output { error: false, bytes } => {
                let mut out = io::stdout().lock();
                match out.write_all(&bytes).and_then(|()| out.flush()) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                        // As without a server: nobody reads, so it is to end.
                        frames.send(encode(&ToLab::Interrupt)?).await?;
                        return Ok(ExitCode::SUCCESS);
                    }
                    written => written?,
                }
            }
            ToViewer::Exit(code) => return Ok(ExitCode::from(code)),
            ToViewer::View(_) | ToViewer::Reply(_) | ToViewer::Resync(_) | ToViewer::Alive => {}
        }
    }
}
