//! Ctrl-C, for commands that can end in order.

use tokio_util::sync::CancellationToken;

use super::exit;

/// A token that the first Ctrl-C cancels; the second one ends the process.
pub(super) fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    let cancelled = stop.clone();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if cancelled.is_cancelled() {
                std::process::exit(exit::INTERRUPTED.into());
            }
            eprintln!("droidmux: stopping; devices are put back. Once more to leave at once.");
            cancelled.cancel();
        }
    });
    stop
}
