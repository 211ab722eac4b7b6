//! Signals that end a command: on each of them its sessions first put their devices back.

use std::io::{self, Write};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::exit;

/// The number of the signal that a terminal sends when it hangs up.
const SIGHUP: u32 = 1;

/// What a person reads who stops a session.
const STOPPING: &str = "droidmux: stopping; devices are put back. Ctrl-C to leave at once.\n";

/// A token that SIGINT, SIGTERM or SIGHUP cancels. A second SIGINT ends the process at once; the others come in pairs
/// by themselves when a terminal or a login ends.
pub(super) fn stop_on_signals() -> CancellationToken {
    stop(STOPPING)
}

/// The same for a command that has no device to put back: it ends without a word.
pub(super) fn end_on_signals() -> CancellationToken {
    stop("")
}

fn stop(words: &'static str) -> CancellationToken {
    let stop = CancellationToken::new();
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    // A person who starts a command with `nohup` wants it to keep running.
    let hears_hangups =
        !is_ignored(SIGHUP, &std::fs::read_to_string("/proc/self/status").unwrap_or_default());
    for kind in kinds.into_iter().filter(|kind| *kind != SignalKind::hangup() || hears_hangups) {
        let stop = stop.clone();
        let mut signals = match signal(kind) {
            Ok(signals) => signals,
            Err(error) => {
                tracing::warn!(%error, "a signal cannot be heard");
                continue;
            }
        };
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if stop.is_cancelled() && kind == SignalKind::interrupt() {
                    std::process::exit(exit::INTERRUPTED.into());
                }
                if !stop.is_cancelled() {
                    // The terminal may be gone: then there is nobody to notify.
                    let _ = io::stderr().write_all(words.as_bytes());
                    stop.cancel();
                }
            }
        });
    }
    stop
}

/// Whether a process ignores a signal, according to `/proc/PID/status` on Linux.
fn is_ignored(signal: u32, status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_read_from_the_status() {
        let cases = [
            ("", false),
            ("Name:\tx\nSigIgn:\t0000000000000001\nSigCgt:\t0\n", true),
            ("SigIgn:\t0000000000001000\n", false),
            ("SigBlk:\t0000000000000001\nSigIgn:\t0000000000000000\n", false),
            ("SigIgn:\tfffffffffffffffff\n", false),
            ("SigIgn:\tffffffffffffffff\n", true),
        ];
        for (status, expected) in cases {
            assert_eq!(is_ignored(SIGHUP, status), expected, "{status:?}");
        }
    }
}
