//! The terminal itself: set up and restored, written to by one thread, read without spinning.
//!
//! In: frames as bytes. Out: keys, mouse, resize, the news that the terminal is gone.
//!
//! Invariants: whoever panics, the terminal is restored before the message is printed; one frame
//! is one write; a terminal that is gone ends the input instead of spinning.

mod guard;
mod input;
mod output;
mod pace;

pub use guard::Guard;
pub use input::Input;
pub use output::{FrameBytes, Writer};
pub use pace::Pace;
