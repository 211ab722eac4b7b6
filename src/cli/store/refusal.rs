//! What a store refuses, told as a mistake of the person where it is one.

use crate::cli::Usage;
use crate::store::StoreError;

/// A session that is not there or still needed was named wrongly; the rest is the environment's.
pub(super) fn usage(error: StoreError) -> color_eyre::Report {
    match error {
        StoreError::NoSession(_) | StoreError::Needed { .. } => Usage(error.to_string()).into(),
        error => error.into(),
    }
}
