//! `droidmux completions`: scripts for shells, and the man page.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// What to print
    kind: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    Man,
}

/// Prints what there is for this command line.
pub fn run(args: CompletionsArgs, mut command: Command) -> color_eyre::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let shell = match args.kind {
        Kind::Bash => Shell::Bash,
        Kind::Elvish => Shell::Elvish,
        Kind::Fish => Shell::Fish,
        Kind::Powershell => Shell::PowerShell,
        Kind::Zsh => Shell::Zsh,
        Kind::Man => {
            clap_mangen::Man::new(command).render(&mut out)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    clap_complete::generate(shell, &mut command, "droidmux", &mut out);
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
