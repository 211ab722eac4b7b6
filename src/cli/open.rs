//! `droidmux` alone: the cockpit on this host's devices and store.

use std::process::ExitCode;

use super::bring_up::{Devices, Ground, runtime, store_path};
use super::{cockpit, logging};

pub fn run() -> color_eyre::Result<ExitCode> {
    logging::start();
    runtime()?.block_on(async {
        let ground = Ground::new("this host", &store_path(None)?, Devices::Adb).await?;
        cockpit::show(&ground.lab, tokio_util::sync::CancellationToken::new()).await?;
        Ok(ExitCode::SUCCESS)
    })
}
