//! Any bytes: the code that models write must be found, whatever stands around it.
//!
//! `cargo +nightly fuzz run fenced_code -- -max_len=8192`

#![no_main]

use droidmux::llm::sandbox::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::code(bytes));
