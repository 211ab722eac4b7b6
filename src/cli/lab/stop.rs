//! `droidmux lab stop`: works with a server of any version, since it only sends it a signal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use color_eyre::eyre::eyre;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::way::{endpoint, is_absent};
use crate::cli::bring_up::runtime;
use crate::cli::output::print;

/// How long a server may take to end: its sessions give their devices back.
const PATIENCE: Duration = Duration::from_secs(25);
const LOOK: Duration = Duration::from_millis(50);

pub(super) fn run(store: Option<PathBuf>) -> color_eyre::Result<ExitCode> {
    let endpoint = endpoint(store)?;
    let process = match runtime()?.block_on(endpoint.process()) {
        Ok(process) => process.and_then(Pid::from_raw),
        Err(error) if is_absent(&error) => {
            print("no lab server runs here\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => return Err(error.into()),
    };
    let process = process.ok_or_else(|| eyre!("the system does not tell which process the server is"))?;
    kill_process(process, Signal::TERM)?;
    let began = Instant::now();
    while test_kill_process(process).is_ok() {
        if began.elapsed() > PATIENCE {
            let (process, waited) = (process.as_raw_nonzero(), PATIENCE.as_secs());
            return Err(eyre!(
                "the lab server, process {process}, has not ended for {waited} s; its log says why. \
                 `kill -9 {process}` ends it: nothing recorded is lost"
            ));
        }
        std::thread::sleep(LOOK);
    }
    print("stopped; its sessions go on when it starts again\n")?;
    Ok(ExitCode::SUCCESS)
}
