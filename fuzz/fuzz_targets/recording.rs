//! Any bytes: a recording of exchanges (`run --replay`) must be read or refused.
//!
//! `cargo +nightly fuzz run recording -- -max_len=16384`

#![no_main]

use droidmux::llm::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::recording(bytes));
