//! Exit codes and the messages that go with them.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::SessionFileError;
use droidmux_lab::{AgainError, InstallError, LabError};
use droidmux_words::printable_lines;

/// Ran and found nothing.
pub(super) const OK: u8 = 0;
/// Ran and found something.
pub(super) const FOUND: u8 = 1;
/// Wrong usage or configuration.
pub(super) const USAGE: u8 = 2;
/// No device, no ADB server or no store; or a session that achieved nothing.
pub(super) const ENVIRONMENT: u8 = 3;
/// It ran without reaching an answer: nothing is known to be wrong, and nothing may be called right.
pub(super) const UNDECIDED: u8 = 4;
/// Interrupted by a signal: SIGINT (whose 128 + 2 it is), SIGTERM or SIGHUP.
pub(super) const INTERRUPTED: u8 = 130;

/// A mistake in how the program was called: exit code 2. What to do stands apart from what is wrong, and is printed on
/// a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct Usage {
    what: String,
    hint: Option<String>,
}

impl Usage {
    /// What is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// What a person can do about it, if that is known.
    pub(super) fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The store has no session of this name.
    pub(super) fn no_session(session: impl Display) -> Self {
        Self::new(format!("there is no session {session} in this store"))
            .hint("`droidmux store stats` lists them")
    }
}

/// A person ended a command before it had begun what it was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub(super) struct Interrupted;

/// What a future comes to, unless a person ends the command before.
///
/// # Errors
/// [`Interrupted`], or the future's own.
pub(super) async fn unless<T>(
    stop: &CancellationToken,
    future: impl Future<Output = color_eyre::Result<T>>,
) -> color_eyre::Result<T> {
    stop.run_until_cancelled(future).await.unwrap_or_else(|| Err(Interrupted.into()))
}

/// Why a finding cannot be run again: what the person can do something about counts as their mistake; trouble in the
/// store is an error of its own.
pub(super) fn again(error: AgainError) -> color_eyre::Report {
    match error {
        AgainError::Store(error) => error.into(),
        error => Usage::new(error.to_string()).into(),
    }
}

/// Prints an error on standard error, if anyone is there to read it, and returns its exit code.
pub(super) fn explain(error: &color_eyre::Report) -> ExitCode {
    let (words, code) = in_words(error);
    // Writing to a terminal that was hung up fails: `eprintln!` would panic, and so would the report of the panic.
    let _ = writeln!(std::io::stderr(), "{words}");
    ExitCode::from(code)
}

/// An error followed by its causes and by hints what to do, and its exit code. It contains names and texts from files, so
/// it is made safe for a terminal.
pub(super) fn in_words(error: &color_eyre::Report) -> (String, u8) {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many errors repeat their cause in their own words.
        if !causes.last().is_some_and(|said| said.contains(&cause)) {
            causes.push(cause);
        }
    }
    let limit = |cause: &LabError| matches!(cause, LabError::TooFewEvents { .. });
    // Here the files are not apps; the devices themselves would accept one.
    let wrong_app = |cause: &InstallError| {
        !matches!(cause, InstallError::Nowhere { .. } | InstallError::InUse { .. } | InstallError::Store(_))
    };
    let usage = error.chain().any(|cause| {
        cause.is::<Usage>()
            || cause.downcast_ref::<InstallError>().is_some_and(wrong_app)
            || cause.is::<SessionFileError>()
            || cause.downcast_ref::<LabError>().is_some_and(limit)
    });
    let hints = error.chain().filter_map(|cause| cause.downcast_ref::<Usage>()?.hint.as_deref());
    let hints: String = hints.map(|hint| format!("\n  hint: {hint}")).collect();
    let words = printable_lines(&format!("droidmux: {}{hints}", causes.join("\n  because: ")));
    let interrupted = error.chain().any(|cause| cause.is::<Interrupted>());
    let code = match (interrupted, usage) {
        (true, _) => INTERRUPTED,
        (false, true) => USAGE,
        (false, false) => ENVIRONMENT,
    };
    (words, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_moves_the_cursor() {
        let inner = Usage::new("x.toml:1: unknown field `\u{1b}[31m`\nand \u{9b}2J \u{202e}");
        let error = color_eyre::Report::new(inner).wrap_err("a name `\u{7}`");
        let (words, code) = in_words(&error);
        assert_eq!(code, USAGE);
        let expected =
            "droidmux: a name `␇`\n  because: x.toml:1: unknown field `␛[31m`\nand \u{fffd}2J \u{fffd}";
        assert_eq!(words, expected);
    }

    #[test]
    fn hints_stand_below_all_causes() {
        let inner = Usage::no_session("s\u{7}9");
        assert_eq!(inner.to_string(), "there is no session s\u{7}9 in this store");
        let error = color_eyre::Report::new(inner).wrap_err("no report");
        let expected = "droidmux: no report\n  because: there is no session s␇9 in this store\n  \
                        hint: `droidmux store stats` lists them";
        assert_eq!(in_words(&error), (expected.to_owned(), USAGE));
    }
}
