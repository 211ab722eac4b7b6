//! What a store refuses, reported as the person's mistake if it is one.

use crate::Usage;
use droidmux_store::StoreError;

/// A session that does not exist or is still needed was named wrongly; any other refusal is the environment's fault.
pub(super) fn usage(error: StoreError) -> color_eyre::Report {
    match error {
        StoreError::NoSession(session) => Usage::no_session(session).into(),
        StoreError::Needed { session, by } => {
            let what = format!("session {by} builds on the traces of {session}");
            Usage::new(what).hint(format!("remove {by} first")).into()
        }
        error => error.into(),
    }
}
