//! `droidmux apk`: prebuilt apps in the framework lab, whose host runs an app's own code without a phone.

mod check;
mod needs;
mod pretended;
mod setup;

use std::process::ExitCode;

use clap::{Args, Subcommand};

#[cfg(test)]
pub(super) use check::CheckedApkJson;
pub(super) use needs::missing_code;

#[derive(Debug, Args)]
pub struct ApkArgs {
    #[command(subcommand)]
    command: ApkCommand,
}

#[derive(Debug, Subcommand)]
enum ApkCommand {
    /// Build the framework lab: its host, Android's framework classes, the translator. Needs a JDK 17 and Maven
    Setup(setup::SetupArgs),
    /// Say what an app needs that the framework lab lacks, before a night is spent on it
    Check(check::CheckArgs),
}

/// # Errors
///
/// `Usage` where something is not there or an APK cannot be read; another error when the disk cannot be used.
pub fn run(args: ApkArgs) -> color_eyre::Result<ExitCode> {
    match args.command {
        ApkCommand::Setup(args) => setup::run(&args),
        ApkCommand::Check(args) => check::run(&args),
    }
}
