//! Panics of planners, drivers and oracles: caught at the call, so that they end only what they belong to, and reported
//! in words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use droidmux_words::printable;
use thiserror::Error;

/// How many characters of a panic's message are reported.
const MOST: usize = 500;

/// A panic that was caught, by its message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Panic(String);

/// Does this, or returns its panic. Whatever was being changed must not be used afterwards.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Panic::of(&*panic))
}

impl Panic {
    /// What a thread or a task ended with.
    pub(super) fn of(panic: &(dyn Any + Send)) -> Self {
        Self(words(panic))
    }
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text.as_str(),
        (None, None) => "without a message",
    };
    printable(text).chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_told_whatever_kind_it_is_of() {
        let number = 7;
        let cases: [(fn(i32), &str); 4] = [
            (|_| panic!("plain"), "plain"),
            (|number| panic!("made of {number}"), "made of 7"),
            (|_| std::panic::panic_any(5_u8), "without a message"),
            (|_| {}, ""),
        ];
        for (work, expected) in cases {
            let said = guarded(|| work(number)).err().map(|panic| panic.to_string());
            assert_eq!(said.unwrap_or_default(), expected);
        }
        let long = guarded(|| panic!("{}", "x".repeat(9_000))).err().map(|panic| panic.to_string().len());
        assert_eq!(long, Some(MOST));
    }
}
