//! `droidmux lab proxy`: standard input and output connected with the server of this host. It is
//! what `attach --to ssh://…` runs at the far end.

use std::path::PathBuf;
use std::process::ExitCode;

use tokio::io::{AsyncWriteExt, copy, stdin, stdout};

use super::start::start_server;
use super::way;
use crate::runtime::runtime;

/// Starts the server when none runs, unless `no_start`, then carries bytes until either side ends.
pub(super) fn run(store: Option<PathBuf>, no_start: bool) -> color_eyre::Result<ExitCode> {
    if !no_start {
        start_server(store.clone(), None)?;
    }
    let endpoint = way::endpoint(store)?;
    let runtime = runtime()?;
    let carried = runtime.block_on(async {
        let (mut from_lab, mut to_lab) = endpoint.connect().await?.into_split();
        let (mut input, mut output) = (stdin(), stdout());
        tokio::select! {
            done = copy(&mut input, &mut to_lab) => done.map(drop),
            done = async {
                let done = copy(&mut from_lab, &mut output).await.map(drop);
                output.flush().await.and(done)
            } => done,
        }
    });
    // The reader of standard input may wait for ever.
    runtime.shutdown_background();
    carried?;
    Ok(ExitCode::SUCCESS)
}
