//! The store: everything recorded, durable before the next act.

mod append;
mod error;
mod signatures;

pub use append::{Append, Finished};
pub use error::StoreError;
pub use signatures::*;
