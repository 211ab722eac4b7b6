//! The shell of a simulated device.
//!
//! In: a script, or lines from a terminal, and the stream it talks on. Out: what the commands
//! print, and an exit code. Scripts are parsed whole ([`parser`]), words are expanded and
//! redirections opened as they are reached ([`run`]), and each command is a function of the table in
//! `command`.
//!
//! Invariants: no script from outside can panic, recurse or loop without limit, or hold more than a
//! bounded amount of memory; a command that no device knows answers 127 and is noted in the lab's
//! journal; everything printed is sent before any wait.

use std::io;
use std::sync::Arc;

use super::SimDevice;

mod builtin;
mod console;
mod expand;
mod follow;
mod interactive;
mod lexer;
mod parser;
mod run;
mod streams;
mod syntax;

pub(super) use console::{Console, Fd, Framing};
pub(super) use interactive::interact;

use run::Shell;

/// Runs a script and gives its exit code.
///
/// # Errors
/// The peer is gone.
pub(super) async fn run(device: &Arc<SimDevice>, console: &mut Console<'_>, script: &str) -> io::Result<i32> {
    let mut shell = Shell::new(device, console);
    shell.begin().await?;
    shell.source(script).await?;
    Ok(shell.status())
}

/// Runs one command that needs no parsing.
///
/// # Errors
/// The peer is gone.
pub(super) async fn run_words(
    device: &Arc<SimDevice>,
    console: &mut Console<'_>,
    words: Vec<String>,
) -> io::Result<i32> {
    let mut shell = Shell::new(device, console);
    shell.begin().await?;
    shell.call(words).await?;
    Ok(shell.status())
}

#[cfg(test)]
mod tests;
