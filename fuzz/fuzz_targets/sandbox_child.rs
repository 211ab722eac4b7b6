//! Any bytes: what the sandbox's child says must be heard to its end within the limits.
//!
//! `cargo +nightly fuzz run sandbox_child -- -max_len=65536`

#![no_main]

use droidmux::llm::sandbox::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::child(bytes));
