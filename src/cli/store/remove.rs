//! `store remove`.

use std::collections::BTreeSet;

use serde::Serialize;

use super::refusal::usage;
use crate::Usage;
use crate::caller::Caller;
use crate::output::json_line;
use droidmux_record::SessionId;
use droidmux_store::{Removed, Store};

/// A line of `droidmux store remove --json`: one a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-remove"))]
pub(crate) struct RemoveJson {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
    removed: Removed,
}

pub(super) fn remove(
    store: &Store,
    sessions: &[SessionId],
    caller: &Caller,
    json: bool,
) -> color_eyre::Result<String> {
    let mut text = String::new();
    for id in sessions {
        if caller.is_running(*id) {
            return Err(Usage::new(format!("session {id} is running")).hint("stop it first").into());
        }
        let removed = store.remove_session(*id).map_err(usage)?;
        caller.removed(&BTreeSet::from([*id]));
        text += &match json {
            true => json_line(&RemoveJson { session: id.to_string(), removed }),
            false => removed_in_words(*id, &removed),
        };
    }
    Ok(text)
}

fn removed_in_words(id: SessionId, removed: &Removed) -> String {
    format!("{id}: {}", amounts(removed))
}

/// What was removed, as the end of a line.
pub(super) fn amounts(removed: &Removed) -> String {
    let given_back = match removed.compacted {
        true => "",
        false => {
            "; there was no room to give the space back to the disk, it is used for what is recorded next"
        }
    };
    format!(
        "removed {} values, {} layouts, {} screenshots{given_back}\n",
        removed.values, removed.layouts, removed.screenshots
    )
}
