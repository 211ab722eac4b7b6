//! Any bytes: a session file, its parts for language models among them, must be read or refused.
//!
//! `cargo +nightly fuzz run session_file -- -max_len=16384`

#![no_main]

use droidmux::cli::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::session_file(bytes));
