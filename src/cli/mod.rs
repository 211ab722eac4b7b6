//! The command line: one file a subcommand.
//!
//! In: the arguments. Out: text or JSON on standard output, messages on standard error, and an
//! exit code: 0 found nothing, 1 found something, 2 wrong usage or input, 3 the environment
//! failed.

pub mod check;
pub mod devices;
pub mod dump;
mod events_json;
mod exit;
mod output;
mod session_file;

pub use exit::Usage;
pub use session_file::SessionFileError;
