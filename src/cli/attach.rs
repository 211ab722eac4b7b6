//! `droidmux attach`: the cockpit on lab servers, here and elsewhere. Also plain `droidmux`, which starts the server of
//! this host when none is running.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::lab::start_server;
use super::lab::way::{LabAddress, view, view_among};
use super::runtime::runtime;
use super::{cockpit, logging};
use droidmux_proto::greeting::Purpose;
use droidmux_tui::Home;

#[derive(Debug, Default, Args)]
pub struct AttachArgs {
    /// Where the lab is: `local`, or `ssh://[user@]host[:port]`; may be repeated to see several at once
    #[arg(long, value_name = "URL")]
    to: Vec<LabAddress>,
    /// Only look: nothing can be changed
    #[arg(long)]
    read_only: bool,
    /// The store whose server is meant [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

/// Shows the cockpit until the person leaves it; the labs keep running.
pub fn run(args: AttachArgs) -> color_eyre::Result<ExitCode> {
    logging::start();
    let places = if args.to.is_empty() { vec![LabAddress::Here] } else { args.to };
    let runtime = runtime()?;
    let shown = runtime.block_on(async {
        let mut ends = Vec::new();
        for place in &places {
            let (store, purpose) = (args.store.clone(), Purpose::View { read_only: args.read_only });
            ends.push(match places.as_slice() {
                [_] => view(place, store, purpose).await?,
                _ => view_among(place, store, purpose).await?,
            });
        }
        let home = args.store.as_deref().map_or(Home::Server, cockpit::home_in_server);
        cockpit::watch(ends, args.read_only, home, None).await
    });
    // A connection that is backing off must not keep the process alive.
    runtime.shutdown_background();
    shown?;
    Ok(ExitCode::SUCCESS)
}

/// The cockpit on this host's lab, which is started if it is not running.
pub fn open() -> color_eyre::Result<ExitCode> {
    start_server(None, None)?;
    run(AttachArgs::default())
}
