//! `droidmux store`: figures, checks, archives, salvage, removal of sessions; one file per command.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::bring_up::store_path;
use super::caller::Caller;
use super::config::Config;
use super::{Usage, exit};
use droidmux_record::SessionId;
use droidmux_store::Copies;

mod archive;
mod gc;
mod refusal;
mod remove;
mod salvage;
mod stats;
mod verify;

#[cfg(test)]
pub(crate) use {
    archive::ExportJson, gc::GcJson, remove::RemoveJson, salvage::SalvageJson, stats::StatsJson,
    verify::VerifyJson,
};

pub(super) use archive::told;

#[derive(Debug, Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    command: StoreCommand,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH", global = true)]
    store: Option<PathBuf>,
    /// One JSON object
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Say what the store holds and how much room it takes
    Stats,
    /// Check that everything can be read and every reference resolves; exits 1 if not
    Verify {
        /// Plan and drive every stored session again and compare jobs and acts
        #[arg(long)]
        rederive: bool,
    },
    /// Remove sessions with everything only they refer to
    Remove {
        #[arg(required = true, value_name = "SESSION")]
        sessions: Vec<SessionId>,
    },
    /// Write whole sessions, and those they name, to one file
    Export {
        /// All that have ended when none is named
        #[arg(value_name = "SESSION")]
        sessions: Vec<SessionId>,
        /// The archive: a zstd-compressed tar that does not exist yet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Take in the sessions of an archive that are not there yet, all of it checked first
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Take sessions that are there already in once more, under new numbers
        #[arg(long)]
        copies: bool,
    },
    /// Write all that can still be read of a damaged store to an archive; exits 1 if something is lost
    Salvage {
        /// The archive: a zstd-compressed tar that does not exist yet
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Remove sessions by age, by name or until the store is small enough, and say which
    Gc(gc::GcArgs),
}

pub(super) fn run(args: StoreArgs, caller: &Caller) -> color_eyre::Result<u8> {
    // An archive may be imported into a store that does not exist yet.
    let create = matches!(args.command, StoreCommand::Import { .. });
    let open = || caller.store(args.store.as_deref(), create);
    let (text, clean) = match args.command {
        StoreCommand::Stats => (stats::stats(&open()?, Config::read()?.store_alarm()?, args.json)?, true),
        StoreCommand::Verify { rederive } => verify::verify(&open()?, rederive, args.json)?,
        StoreCommand::Remove { sessions } => (remove::remove(&open()?, &sessions, caller, args.json)?, true),
        StoreCommand::Export { sessions, output } => {
            (archive::export(&open()?, &sessions, &caller.path(&output), args.json)?, true)
        }
        StoreCommand::Import { file, copies } => {
            let copies = if copies { Copies::Take } else { Copies::LeaveOut };
            (archive::import(&open()?, &caller.path(&file), copies, args.json)?, true)
        }
        StoreCommand::Salvage { output } => {
            if caller.is_client() {
                let what = "the lab server has this store open; stop it (`droidmux lab stop`) before you salvage \
                            the store, or write what it can read with `droidmux store export`";
                return Err(Usage::new(what).into());
            }
            salvage::salvage(&store_path(args.store.clone())?, &output, args.json)?
        }
        StoreCommand::Gc(gc) => (gc::gc(&open()?, &gc, caller, args.json)?, true),
    };
    caller.print(&text)?;
    Ok(if clean { exit::OK } else { exit::FOUND })
}
