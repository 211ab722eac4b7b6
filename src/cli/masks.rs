//! `droidmux masks SESSION`: which widgets a session leaves out as volatile, and people's changes to that list.
//!
//! A change applies to everything judged from then on: the session's own jobs while it runs, and replays of its
//! findings. Stored verdicts stay as they are; `--judge` shows what they would be.

mod again;
mod catalogue;
mod choice;
mod words;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::caller::Caller;
use super::output::json_block;
use super::{Usage, exit};
use catalogue::Catalogue;
use choice::{Addition, Change};
use droidmux_record::{SessionDefinition, SessionId};
use droidmux_store::Store;

#[derive(Debug, Args)]
pub struct MasksArgs {
    /// The session, e.g. s7
    session: SessionId,
    /// Mask widgets: by path, or by `field=value,…` of activity, class, resource-id, description
    /// and path; or put back the mask of this id. May be repeated
    #[arg(long, value_name = "WIDGET", value_parser = choice::addition)]
    add: Vec<Addition>,
    /// Take masks away, by id or path as the list has them. May be repeated
    #[arg(long, value_name = "MASK")]
    remove: Vec<String>,
    /// Judge the stored runs again with the masks as they are now and tell what would change;
    /// nothing of that is stored
    #[arg(long)]
    judge: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

/// Changes the masks as asked, then lists them.
///
/// # Errors
///
/// `Usage` for a session, a mask or a widget that is not in the store; nothing is changed in that case.
pub(super) fn run(args: MasksArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let definition = definition(&store, args.session)?;
    let catalogue = Catalogue::read(&store, args.session)?;
    let mut changes = Vec::new();
    for addition in &args.add {
        changes.push(choice::added(&store, &catalogue, addition)?);
    }
    for name in &args.remove {
        changes.extend(choice::removed(&catalogue, name)?);
    }
    for change in &changes {
        match change {
            Change::Edit(edit) => store.edit_mask(args.session, edit)?,
            Change::TakeBack(mask) => store.forget_mask_edit(args.session, mask)?,
        }
    }
    let catalogue = if changes.is_empty() { catalogue } else { Catalogue::read(&store, args.session)? };
    let again = match args.judge {
        true => Some(again::judge(&store, args.session, &definition)?),
        false => None,
    };
    caller.print(&match args.json {
        true => json_block(
            &json!({ "session": args.session.to_string(), "masks": catalogue.masks(), "judged_again": again }),
        ),
        false => words::of(&catalogue, again.as_ref()),
    })?;
    Ok(exit::OK)
}

fn definition(store: &Store, session: SessionId) -> color_eyre::Result<SessionDefinition> {
    let unknown = || Usage::no_session(session);
    Ok(store.session(session)?.ok_or_else(unknown)?.definition)
}
