//! Any bytes: a file of examples (`examples import`) must be read or refused, and written as it was read.
//!
//! `cargo +nightly fuzz run examples -- -max_len=16384`

#![no_main]

use droidmux::llm::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::examples(bytes));
