//! The shell of a simulated device.
//!
//! In: a script, or lines from a terminal, and the stream it talks on. Out: what the commands
//! print, and an exit code. The reference is mksh, Android's shell. Scripts are parsed line by line
//! ([`parser`], [`compound`], [`lexer`], [`dollar`]); words are expanded ([`expand`], [`parameter`],
//! [`arith`]) and redirections opened as they are reached ([`run`], [`flow`], [`simple`]); what belongs to a shell is
//! in its [`state`]; each program is a function of the table in `command`.
//!
//! Invariants: anything not known here is an error on the error output with a non-zero exit code, never a result that
//! differs from a phone's; every loop and every nesting ends; no script from outside can panic, recurse or loop without
//! limit, or hold more than a bounded amount of memory; a command that no device knows answers 127 and is noted in the
//! lab's journal; everything printed is sent before any wait.

use std::io;
use std::sync::Arc;

use super::SimDevice;

mod arith;
mod brace;
mod builtin;
mod compound;
mod console;
mod dollar;
mod expand;
mod fields;
mod flow;
mod follow;
mod interactive;
mod leading;
mod lexer;
mod parameter;
mod parser;
mod run;
mod simple;
mod state;
mod streams;
mod superuser;
mod syntax;
mod trap;
mod variables;

pub(super) use console::{Console, Fd, Framing};
pub(super) use interactive::interact;

use run::Shell;
use streams::Streams;

/// The process id of every simulated shell.
const SHELL_PID: u32 = 4_711;

/// Runs a script and gives its exit code.
///
/// # Errors
/// The peer is gone.
pub(super) async fn run(device: &Arc<SimDevice>, console: &mut Console<'_>, script: &str) -> io::Result<i32> {
    let mut shell = Shell::new(device, console);
    shell.begin().await?;
    let ran = match shell.source(script).await {
        Ok(()) => shell.at_exit(&Streams::console()).await,
        Err(error) => Err(error),
    };
    if let Err(error) = ran {
        shell.hang_up().await;
        return Err(error);
    }
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
