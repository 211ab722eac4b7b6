//! Any bytes: a stored screenshot must be decoded or refused.
//!
//! `cargo +nightly fuzz run screenshot -- -max_len=65536`

#![no_main]

use droidmux::picture::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::screenshot(bytes));
