//! Any bytes: what `screencap` prints, PNG or raw pixels, must be taken or refused.
//!
//! `cargo +nightly fuzz run screencap -- -max_len=65536`

#![no_main]

use droidmux::device::adb::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::screencap(bytes));
