//! The readers of both questions' replies, run on any reply.

use super::answer::{test_generator, valid_input};

/// Reads a reply as inputs for three fields and as a test generator.
///
/// # Panics
/// When a reader does, or when what it reads is not what was asked for.
pub fn reply(text: &str) {
    assert!(valid_input(text, 3).is_none_or(|reply| reply.texts.len() == 3));
    assert!(test_generator(text).is_none_or(|reply| !reply.code.trim().is_empty()));
}
