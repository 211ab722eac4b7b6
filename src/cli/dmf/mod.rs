//! `droidmux dmf`: specifications of data manipulation functions, written and checked.

mod lint;
mod listing;
mod orders;
mod reading;
mod record;
mod words;

#[cfg(test)]
pub(crate) use words::LintJson;

use std::process::ExitCode;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub struct DmfArgs {
    #[command(subcommand)]
    command: DmfCommand,
}

#[derive(Debug, Subcommand)]
enum DmfCommand {
    /// Say what is wrong or doubtful in a specification
    Lint(lint::LintArgs),
    /// Perform a function on a device and write its specification
    Record(record::RecordArgs),
}

/// # Errors
///
/// `Usage` for files that are wrong; another error when a device fails.
pub fn run(args: DmfArgs) -> color_eyre::Result<ExitCode> {
    match args.command {
        DmfCommand::Lint(args) => lint::run(args),
        DmfCommand::Record(args) => record::run(args),
    }
}
