//! `droidmux dmf`: specifications of data manipulation functions, written and checked.

mod dialogue;
mod lint;
mod listing;
mod orders;
mod record;
mod rehearsal;
mod stage;
mod take;
mod words;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::Usage;
use super::specification_file::read_text;
use crate::gui::printable;
use crate::technique::pbfdroid::format::FormatError;

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
/// `Usage` for files that are wrong; another one when a device fails.
pub fn run(args: DmfArgs) -> color_eyre::Result<ExitCode> {
    match args.command {
        DmfCommand::Lint(args) => lint::run(args),
        DmfCommand::Record(args) => record::run(args),
    }
}

/// Reads a file with one of the readers of the format.
fn read_file<T>(path: &Path, parse: fn(&str, &str) -> Result<T, FormatError>) -> Result<T, Usage> {
    let name = printable(&path.to_string_lossy()).into_owned();
    let text = read_text(path).map_err(|error| Usage(format!("{name}: {error}")))?;
    parse(&name, &text).map_err(|error| Usage(error.to_string()))
}
