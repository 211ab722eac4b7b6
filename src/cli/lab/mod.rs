//! `droidmux lab`: the lab server of this host.
//!
//! The server is a process of its own without a terminal. It holds one store, leases the devices of
//! one ADB server and runs sessions until it is stopped; viewers and commands reach it over a
//! socket in the state folder.

mod listing;
mod proxy;
mod serve;
mod start;
mod status;
mod stop;
pub(super) mod way;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

pub(super) use serve::CarryOut;
pub(super) use start::start_server;

#[derive(Debug, Args)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
    /// The store whose server is meant [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    /// Start the server, unless it runs
    Start(serve::ServeArgs),
    /// Be the server, in this terminal
    #[command(hide = true)]
    Serve(serve::ServeArgs),
    /// Stop the server; its sessions go on when it starts again
    Stop,
    /// Say whether the server runs and what it does
    Status {
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// List the sessions of the server
    Ls {
        /// JSON Lines
        #[arg(long)]
        json: bool,
        /// Of another host: `ssh://[user@]host[:port]`
        #[arg(long, value_name = "URL")]
        to: Option<way::LabAddress>,
    },
    /// Connect standard input and output with the server: the far end of `attach --to ssh://…`
    Proxy {
        /// Only a server that runs: one that was stopped stays so
        #[arg(long)]
        no_start: bool,
    },
}

/// Makes a server carry out clients' commands with `carry_out`.
pub(super) fn run(args: LabArgs, carry_out: CarryOut) -> color_eyre::Result<ExitCode> {
    let store = args.store;
    match args.command {
        LabCommand::Start(options) => start::run(store, &options),
        LabCommand::Serve(options) => serve::run(store, &options, carry_out),
        LabCommand::Stop => stop::run(store),
        LabCommand::Status { json } => status::run(store, json),
        LabCommand::Ls { json, to } => listing::run(to, store, json),
        LabCommand::Proxy { no_start } => proxy::run(store, no_start),
    }
}
