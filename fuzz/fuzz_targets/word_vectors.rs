//! Any bytes: a file of word vectors, text or binary, must be read or refused.
//!
//! `cargo +nightly fuzz run word_vectors -- -max_len=16384`

#![no_main]

use droidmux::llm::hostile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hostile::word_vectors(bytes));
