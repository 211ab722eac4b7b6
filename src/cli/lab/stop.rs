//! `droidmux lab stop`: works with a server of any version, since it only sends it a signal.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use color_eyre::eyre::eyre;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::way::{endpoint, is_absent};
use crate::output::print;
use crate::runtime::runtime;

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
    while !has_ended(process) {
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

/// Whether a process is gone, or has ended and only waits for its parent to reap it.
fn has_ended(process: Pid) -> bool {
    test_kill_process(process).is_err() || is_zombie(process)
}

/// The state comes after the name, which may contain anything.
fn is_zombie(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    matches!(state, Some('Z' | 'X'))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_nobody_has_waited_for_has_ended() {
        let mut child =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("cat");
        let process = Pid::from_raw(i32::try_from(child.id()).expect("a number")).expect("a process");
        assert!(!has_ended(process), "it waits for input");
        drop(child.stdin.take());
        // The process's output ends when the process does.
        let _ = child.stdout.take().expect("its output").read_to_end(&mut Vec::new());
        let began = Instant::now();
        while !has_ended(process) {
            assert!(began.elapsed() < PATIENCE, "a process that ended counts as one that lives");
            std::thread::sleep(LOOK);
        }
        assert!(test_kill_process(process).is_ok(), "nobody has waited for it yet");
        child.wait().expect("its end");
        assert!(has_ended(process));
    }
}
