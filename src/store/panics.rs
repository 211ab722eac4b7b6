//! Panics of the database: caught where they happen and reported as errors, so nothing else should print them.
//!
//! sled 0.34 panics on a damaged file, on the calling thread or on one of its own. The hook installed here is silent
//! about those and passes all others on.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::thread;

use thiserror::Error;

/// How the names of sled's threads begin.
const ITS_THREADS: [&str; 2] = ["sled", "log flusher"];

static HOOK: Once = Once::new();

thread_local! {
    /// Whether a panic on this thread is caught and reported.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What a panic said: the first line of its message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(super) struct Panic(String);

/// Runs code that may panic; returns the message of the panic if it does.
pub(super) fn caught<T>(f: impl FnOnce() -> T) -> Result<T, Panic> {
    HOOK.call_once(set_hook);
    let before = CAUGHT.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(f));
    CAUGHT.set(before);
    done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        // After the first line come the values compared.
        let first = text.and_then(|text| text.lines().next()).unwrap_or("it panicked");
        Panic(first.to_owned())
    })
}

fn set_hook() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let thread = thread::current();
        let is_its = ITS_THREADS.iter().any(|name| thread.name().is_some_and(|own| own.starts_with(name)));
        if is_its || CAUGHT.get() {
            tracing::error!(%panic, "the database panicked");
        } else {
            others(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_given_back_and_what_does_not_panic_too() {
        assert_eq!(caught(|| 7), Ok(7));
        let inner = || caught(|| panic!("inner {}", 1)).err();
        assert_eq!(caught(inner), Ok(Some(Panic("inner 1".to_owned()))));
        assert_eq!(caught(|| panic!("of two\nlines")), Err::<(), _>(Panic("of two".to_owned())));
        assert!(!CAUGHT.get());
    }
}
