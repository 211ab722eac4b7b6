//! `droidmux shrink`: a finding's tests, reduced to as few events as still show it.

use clap::Args;

use super::caller::Caller;
use super::replay::{Showing, recorded};
use super::run::{RunOptions, run_definition};
use super::{exit, step};
use droidmux_lab::{AGAIN_ROUNDS, AGAIN_TIMES};
use droidmux_record::{FindingId, SessionId};

#[derive(Debug, Args)]
pub struct ShrinkArgs {
    /// The finding, e.g. s7-1a2b3c4d
    finding: FindingId,
    /// Replays at most, those of the result not counted
    #[arg(long, value_name = "N", default_value_t = AGAIN_ROUNDS, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Replays in a row that must show the finding before events are left out [default: 1, or 2
    /// when a replay did not show it before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    confirm: Option<u32>,
    /// How often the result is replayed at the end
    #[arg(long, default_value_t = AGAIN_TIMES, value_parser = clap::value_parser!(u32).range(1..=1000))]
    times: u32,
    /// The tests as a person led them in this session (`droidmux step`), instead of the original ones
    #[arg(long, value_name = "SESSION")]
    stepped: Option<SessionId>,
    #[command(flatten)]
    pub(super) showing: Showing,
    #[command(flatten)]
    options: RunOptions,
}

/// Shrinks a finding; the result is stored beside it. Exit code 1 when the result shows the finding.
pub(super) fn run(args: ShrinkArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let definition = {
        let store = caller.store(args.options.store(), true)?;
        let mut recorded = recorded(&store, &args.finding)?;
        if let Some(session) = args.stepped {
            recorded.tests = step::stepped(&store, &args.finding, session)?;
        }
        recorded.shrink(args.confirm, args.times, args.rounds).map_err(exit::again)?
    };
    run_definition(definition, &args.options, args.showing.view(caller), caller)
}
