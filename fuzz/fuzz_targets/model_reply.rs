//! Any bytes: the readers of models' replies of every technique must answer.
//!
//! `cargo +nightly fuzz run model_reply -- -max_len=8192`

#![no_main]

use droidmux::technique::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::model_reply(bytes));
