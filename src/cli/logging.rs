//! Logs go to a file, never to the terminal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

use super::folders;

/// Log files kept; older ones are removed.
const KEPT: usize = 20;

/// Starts logging to `$XDG_STATE_HOME/droidmux/logs`; `DROIDMUX_LOG` sets the filter (default `info`). If the log
/// cannot be opened, that is reported and droidmux carries on without one.
pub(super) fn start() {
    if let Err(error) = open() {
        // Nobody reads from a terminal that was hung up.
        let _ = writeln!(io::stderr(), "droidmux: no log is written: {error}");
    }
}

/// Starts logging to standard error, for a command that serves; `DROIDMUX_LOG` sets the filter (default `info` of
/// droidmux itself).
pub(super) fn on_standard_error() {
    let usual = || {
        EnvFilter::new("warn,droidmux=info,droidmux_cli=info,droidmux_device_remote=info,async_nats=error")
    };
    let filter = EnvFilter::try_from_env("DROIDMUX_LOG").unwrap_or_else(|_| usual());
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(false);
    // Only a second call could fail.
    let _ = tracing::subscriber::set_global_default(subscriber.finish());
}

/// Starts logging to this file, at its end if it is there; `DROIDMUX_LOG` sets the filter (default `info`).
///
/// # Errors
/// When the file cannot be opened.
pub(super) fn start_in(path: &Path) -> io::Result<()> {
    write_to(OpenOptions::new().create(true).append(true).open(path)?);
    Ok(())
}

fn write_to(file: File) {
    let filter = EnvFilter::try_from_env("DROIDMUX_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Mutex::new(file))
        .with_ansi(false)
        .finish();
    // Only a second call could fail, and the subscriber is set once.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

fn open() -> color_eyre::Result<()> {
    let folder = folders::state()?.join("logs");
    fs::create_dir_all(&folder)?;
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    write_to(File::create(folder.join(format!("{now}-{}.log", std::process::id())))?);
    let mut logs: Vec<_> = fs::read_dir(&folder)?.flatten().map(|entry| entry.path()).collect();
    logs.sort();
    for old in logs.iter().rev().skip(KEPT) {
        // Another process may have removed it already.
        let _ = fs::remove_file(old);
    }
    Ok(())
}
