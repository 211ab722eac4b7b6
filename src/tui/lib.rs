//! The cockpit: a viewer of one lab or several, in a terminal.
//!
//! In: a [`ViewerEnd`](droidmux_proto::ViewerEnd) for each lab (its latest state, replies), keys,
//! mouse, signals. Out: bytes to the terminal as the link takes them, requests to the lab.
//!
//! Invariants: `update` changes state and does no I/O, `view` draws and changes nothing; every text from outside passes
//! through [`text::safe`] before it reaches a cell; the terminal is restored however the cockpit ends, even by a panic
//! or a signal; nothing is drawn when nothing changed; only what is visible is fetched from the lab.
//!
//! ```text
//! keys, mouse, resize ─┐                      ┌─▶ requests ─▶ lab
//! lab view, replies ───┼─▶ Msg ─▶ update ─▶ Effect ─▶ workers (pictures, alignments) ─▶ Msg
//! signals ─────────────┘            │         └─▶ clipboard, bell, suspend, quit
//!                                  App ─▶ view ─▶ canvas ─▶ pieces ─▶ writer thread ─▶ terminal
//! ```

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

mod abilities;
mod alignment;
mod app;
mod code;
mod columns;
mod command;
mod error;
mod filter;
mod glass;
mod glyphs;
mod home;
mod host;
mod keymap;
mod list;
mod options;
mod pages;
mod paint;
mod pane;
mod picture;
mod prose;
mod query;
mod reply;
mod run;
mod screen;
mod terminal;
#[cfg(test)]
mod tests;
pub mod text;
mod theme;
mod tour;
mod why;
mod words;

pub use abilities::examine as examine_terminal;
pub use app::Arrangement;
pub use command::{KeyRow, KeyTable, markdown as commands_markdown};
pub use error::TuiError;
pub use home::Home;
pub use options::TuiOptions;
pub use run::run;
pub use theme::{ColourDepth, Theme, ThemeError};
