//! `droidmux model SESSION`: the model that a session has mined of an app.

use std::path::PathBuf;

use clap::Args;

use super::caller::Caller;
use super::output::json_block;
use super::{Usage, exit};
use droidmux_lab::map;
use droidmux_proto::MapView;
use droidmux_record::SessionId;
use droidmux_words::printable_lines;

#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The session, e.g. s7
    session: SessionId,
    /// A graph in the DOT language of Graphviz
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

/// Prints states and transitions, or the graph of them.
///
/// # Errors
///
/// `Usage` for a session that is not in the store.
pub(super) fn run(args: ModelArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let session = args.session;
    let unknown = || Usage::no_session(session);
    let map = map(&store, session)?.ok_or_else(unknown)?;
    caller.print(&match (args.dot, args.json) {
        (true, _) => map.dot(),
        (_, true) => json_block(&serde_json::to_value(&map)?),
        _ => words(&map),
    })?;
    Ok(exit::OK)
}

/// The states, most visited first, with the way to each.
fn words(map: &MapView) -> String {
    let grown = map.growth.last().copied().unwrap_or_default();
    let mut text = format!(
        "{} states, {} transitions, {} activities, {} layouts in {} steps\n",
        grown.states, grown.transitions, grown.activities, grown.layouts, grown.steps
    );
    let mut states: Vec<_> = map.states.iter().collect();
    states.sort_by_key(|state| std::cmp::Reverse(state.visits));
    for state in states {
        let way = match &state.way {
            Some(way) if way.is_empty() => "where the app starts".to_owned(),
            Some(way) => way.iter().map(|event| map.event(*event)).collect::<Vec<_>>().join(", "),
            None => "no short way is known".to_owned(),
        };
        text += &format!(
            "{}  {} visits, {} of {} events untried: {way}\n",
            state.name(),
            state.visits,
            state.untried,
            state.offers
        );
    }
    if map.more_states > 0 {
        text += &format!("{} further states\n", map.more_states);
    }
    printable_lines(&text)
}
