//! Exit codes, and the words that go with them.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use super::SessionFileError;
use crate::gui::printable_lines;
use crate::lab::{AgainError, InstallError, LabError};

/// Ran and found nothing.
pub(super) const OK: u8 = 0;
/// Ran and found something.
pub(super) const FOUND: u8 = 1;
/// Wrong usage or configuration.
pub(super) const USAGE: u8 = 2;
/// No device, no ADB server, no store; or a session that was in vain.
pub(super) const ENVIRONMENT: u8 = 3;
/// It ran, and came to no answer: nothing is known to be wrong, and nothing may be called right.
pub(super) const UNDECIDED: u8 = 4;
/// Interrupted by a signal: SIGINT (whose 128 + 2 it is), SIGTERM or SIGHUP.
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

/// Why a finding cannot be run again: what the person can do something about is their matter, the store's troubles are
/// its own.
pub(super) fn again(error: AgainError) -> color_eyre::Report {
    match error {
        AgainError::Store(error) => error.into(),
        error => Usage(error.to_string()).into(),
    }
}

/// Tells an error on standard error, if anyone is there to read it, and gives its exit code.
pub(super) fn explain(error: &color_eyre::Report) -> ExitCode {
    let (words, code) = in_words(error);
    // A terminal that was hung up takes no words; `eprintln!` would panic, and the panic's report, too.
    let _ = writeln!(std::io::stderr(), "{words}");
    ExitCode::from(code)
}

/// An error, causes after it, and its exit code. Names and texts of files are in it, so it is made
/// fit for a terminal.
pub(super) fn in_words(error: &color_eyre::Report) -> (String, u8) {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many errors repeat their cause in their own words.
        if !causes.last().is_some_and(|said| said.contains(&cause)) {
            causes.push(cause);
        }
    }
    let limit = |cause: &LabError| matches!(cause, LabError::TooFewEvents { .. });
    // Files that are no app, not devices that take none.
    let wrong_app = |cause: &InstallError| {
        !matches!(cause, InstallError::Nowhere { .. } | InstallError::InUse { .. } | InstallError::Store(_))
    };
    let usage = error.chain().any(|cause| {
        cause.is::<Usage>()
            || cause.downcast_ref::<InstallError>().is_some_and(wrong_app)
            || cause.is::<SessionFileError>()
            || cause.downcast_ref::<LabError>().is_some_and(limit)
    });
    let words = printable_lines(&format!("droidmux: {}", causes.join("\n  because: ")));
    (words, if usage { USAGE } else { ENVIRONMENT })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_moves_the_cursor() {
        let inner = Usage("x.toml:1: unknown field `\u{1b}[31m`\nand \u{9b}2J \u{202e}".into());
        let error = color_eyre::Report::new(inner).wrap_err("a name `\u{7}`");
        let (words, code) = in_words(&error);
        assert_eq!(code, USAGE);
        let expected =
            "droidmux: a name `␇`\n  because: x.toml:1: unknown field `␛[31m`\nand \u{fffd}2J \u{fffd}";
        assert_eq!(words, expected);
    }
}
