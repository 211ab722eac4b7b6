//! `droidmux run --resume`: a session of the store that was interrupted, from where it was.

use std::process::ExitCode;

use super::bring_up::{Ground, open_store, runtime, store_path};
use super::run::{RunOptions, Task, View, source, watch};
use super::{Usage, logging};
use crate::lab::SessionOptions;
use crate::record::SessionId;

/// Goes on with a session up to its end. Its devices are those it had before: its own simulated lab
/// is made anew, in the same way.
pub(super) fn resume(
    session: SessionId,
    accept_builds: bool,
    options: &RunOptions,
    view: View,
) -> color_eyre::Result<ExitCode> {
    logging::start();
    let path = store_path(options.store())?;
    runtime()?.block_on(async {
        let store = open_store(&path).await?;
        let reading = store.clone();
        let record = tokio::task::spawn_blocking(move || reading.session(session)).await??;
        let record = record.ok_or_else(|| {
            Usage(format!("there is no session {session} in this store; `droidmux store stats` lists them"))
        })?;
        if record.over {
            let ending = record.ending.unwrap_or_default();
            return Err(Usage(format!("{session} is over ({ending}); there is nothing to go on with")).into());
        }
        let source = source(&record.definition, &record.terms.sim)?;
        let ground = Ground::on("this host", store, source).await?;
        let given = SessionOptions { rng: record.rng, accept_builds, ..options.session()? };
        watch(&ground, Task::Resume(session), &record.definition.app, given, view).await
    })
}
