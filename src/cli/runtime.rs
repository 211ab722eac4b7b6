//! The runtime that a command waits in.
//!
//! In: a command's future. Out: what it comes to. Invariant: a future is behind a pointer before tokio sees it, so that
//! tokio's ways of running one are compiled once, not once for each command.

use std::pin::Pin;

/// Stack of a worker, in bytes: commands are compiled without optimisation, and their futures take more of it then.
const STACK: usize = 8 << 20;

/// The runtime of a command.
pub(super) fn runtime() -> color_eyre::Result<Runtime> {
    Ok(Runtime(tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build()?))
}

/// Where a command waits.
pub(super) struct Runtime(tokio::runtime::Runtime);

impl Runtime {
    /// Runs a future to its end.
    pub(super) fn block_on<'f, T>(&self, future: impl Future<Output = T> + 'f) -> T {
        self.0.block_on(boxed(future))
    }

    /// Ends it without waiting for what still runs.
    pub(super) fn shutdown_background(self) {
        self.0.shutdown_background();
    }
}

/// A future behind a pointer: tokio has several ways to run one, and compiles the whole of it for each.
pub(super) fn boxed<'f, T>(future: impl Future<Output = T> + 'f) -> Pin<Box<dyn Future<Output = T> + 'f>> {
    Box::pin(future)
}
