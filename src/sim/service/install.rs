//! `abb_exec:` and `abb:`: a command called without a shell, mostly an installation.

use std::io;
use std::sync::Arc;

use crate::SimDevice;
use crate::shell::{self, Console};

/// Runs `words` as `cmd` does; for an installation the package's bytes follow on the stream.
pub(super) async fn direct(
    device: &Arc<SimDevice>,
    console: &mut Console<'_>,
    words: &[String],
) -> io::Result<i32> {
    let mut all = vec!["cmd".to_owned()];
    all.extend_from_slice(words);
    shell::run_words(device, console, all).await
}
