//! What leaves droidmux: reports of sessions, and scripts that show a finding without droidmux.
//!
//! In: what a session recorded, one finding at a time ([`SessionPart`], [`FindingPart`]), and a source of layouts and
//! pictures ([`Shots`]). Out: HTML, Markdown, JUnit, SARIF and JSON into a writer ([`Format`]), and the text of a
//! script in the language of another tool ([`script`]).
//!
//! Invariants: no store, no device, no clock: equal parts give equal bytes. A report is written as its parts come, so
//! it takes no more memory than its largest finding. Every text from an app is escaped for the format it goes into; the
//! page needs no script and forbids all scripts, so that a text that became one would not run. What was typed into a
//! password field, or shown by one, never gets into a report.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod cell;
mod dossier;
mod escape;
mod evidence;
mod finding_json;
mod html;
mod json;
mod json_pieces;
mod junit;
mod lanes;
mod markdown;
mod marks;
mod sarif;
pub mod script;
mod session_json;

use std::io;

pub use dossier::{FindingPart, Head, HeadSession, SessionPart, Shot, Shots, Shown};
pub use html::Page;
pub use json::JsonReport;
pub use junit::Junit;
pub use markdown::Markdown;
pub use sarif::Sarif;

/// A report while it is being written: the head, then each session with its findings, then the end.
pub trait Format {
    /// Begins the report.
    ///
    /// # Errors
    /// When it cannot be written; the same applies to the other methods.
    fn begin(&mut self, head: &Head) -> io::Result<()>;

    /// Begins a session.
    ///
    /// # Errors
    /// As [`Format::begin`].
    fn session(&mut self, session: &SessionPart) -> io::Result<()>;

    /// Adds a finding that stands for itself, in the order of the session's list.
    ///
    /// # Errors
    /// As [`Format::begin`].
    fn finding(&mut self, session: &SessionPart, finding: &FindingPart, shots: &dyn Shots) -> io::Result<()>;

    /// Ends the current session.
    ///
    /// # Errors
    /// As [`Format::begin`].
    fn session_end(&mut self, session: &SessionPart) -> io::Result<()>;

    /// Ends the report.
    ///
    /// # Errors
    /// As [`Format::begin`].
    fn end(&mut self) -> io::Result<()>;
}
