//! Exit codes, and the words that go with them.

use std::fmt;
use std::process::ExitCode;

use super::SessionFileError;

/// Ran and found something.
pub(super) const FOUND: u8 = 1;
/// Wrong usage or configuration.
const USAGE: u8 = 2;
/// No device, no ADB server, no store.
pub(super) const ENVIRONMENT: u8 = 3;
/// Interrupted by a person (128 + SIGINT).
pub(super) const INTERRUPTED: u8 = 130;

/// A mistake in how the program was called: exit code 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Tells an error on standard error, causes after it, and gives its exit code.
pub(super) fn explain(error: &color_eyre::Report) -> ExitCode {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many errors repeat their cause in their own words.
        if !causes.last().is_some_and(|said| said.contains(&cause)) {
            causes.push(cause);
        }
    }
    eprintln!("droidmux: {}", causes.join("\n  because: "));
    let usage = error.chain().any(|cause| cause.is::<Usage>() || cause.is::<SessionFileError>());
    ExitCode::from(if usage { USAGE } else { ENVIRONMENT })
}
