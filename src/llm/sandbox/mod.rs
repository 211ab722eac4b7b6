//! The sandbox: runs JavaScript that a language model wrote, in a process that can do nothing else.
//!
//! In: a [`Generation`]: code, a seed, how many inputs at most. Out: a [`Generated`]: the inputs
//! that the code yielded before it ended or failed, as UTF-16 units.
//!
//! ```text
//!  parent (Sandbox)                     child: the same program, `enter`
//!     │ starts it, no environment          close descriptors, limits (`lockdown`)
//!     │                                    QuickJS, `harness.js` (`engine`)
//!     │ ── Request ───────────────────▶    seccomp; only then is the request read
//!     │ ◀── Input, Input, … Done ──────    code found and run (`source`, `engine`)
//!     └ kills it by wall clock
//! ```
//!
//! # Invariants
//!
//! - **No untrusted byte is read before the doors are shut**: from then on the child can read its
//!   standard input, write its standard output and allocate a limited amount of memory; any other
//!   system call kills it.
//! - **The same generation gives the same result**: `Math.random` is seeded, `Date` stands still, the
//!   time zone is UTC, and what stops endless code is a count of loops and calls. Only single native
//!   calls that take longer than the wall clock allows depend on the machine.
//! - **The child is not trusted either**: the parent checks counts, sizes and lengths again, and the
//!   child is dead and waited for when [`Sandbox::run`] returns.

mod child;
mod engine;
mod error;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod lockdown;
mod parent;
mod probe;
mod source;
mod wire;

pub use child::enter;
pub use error::Hole;
pub use parent::Sandbox;
pub use probe::Probe;

#[cfg(doc)]
use droidmux_record::{Generated, Generation};

/// The only argument that makes this program a sandbox; undocumented, because nobody should type it.
const ARGUMENT: &str = "--run-generated-code-in-a-sandbox";
/// Bytes of all inputs of one generation, as UTF-8, at most.
const MOST_TOTAL: usize = 1 << 20;
/// Bytes of the code at most: no model's reply is longer.
const MOST_CODE: usize = droidmux_record::Reply::MOST_BYTES;
/// Characters of a message from the engine that are kept.
const MOST_WORDS: usize = 500;

/// The beginning of a message.
fn shortened(words: &str) -> String {
    droidmux_words::beginning(words, MOST_WORDS).to_owned()
}

/// Bytes as UTF-8; a lone surrogate counts as three.
fn utf8_len(units: &[u16]) -> usize {
    let chars = char::decode_utf16(units.iter().copied());
    chars.map(|char| char.map_or(3, char::len_utf8)).sum()
}
