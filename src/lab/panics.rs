//! Panics of planners, drivers and oracles: caught at the call, so that they end only what they belong to, and reported
//! in words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use droidmux_gui::printable;

/// How many characters of a panic's message are reported.
const MOST: usize = 500;

/// Does this, or returns the message of its panic. Whatever was being changed must not be used afterwards.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| words(&*panic))
}

/// The message of a panic.
pub(super) fn words(panic: &(dyn Any + Send)) -> String {
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
            assert_eq!(guarded(|| work(number)).err().unwrap_or_default(), expected);
        }
        let long = guarded(|| panic!("{}", "x".repeat(9_000))).err().unwrap_or_default();
        assert_eq!(long.len(), MOST);
    }
}
