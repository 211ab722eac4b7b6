//! The terminal itself: set up and restored, written to by one thread, read without spinning.
//!
//! In: drawings, and what the person and the terminal send. Out: bytes as the link takes them; keys, mouse,
//! answers, the news that the terminal is gone.
//!
//! Invariants: whatever panics, the terminal is restored before the message is printed; every write leaves the screen
//! whole and is synchronised; what moves by itself keeps to the budget and never holds up what a person is waiting for;
//! a terminal that is gone ends the input instead of making it spin.

mod answers;
mod canvas;
mod guard;
mod input;
mod keys;
mod link;
mod output;
mod pace;
mod pen;

pub use answers::{ARE_YOU_READY, Answer, WHAT_CAN_YOU_SHOW};
pub use canvas::Canvas;
pub use guard::Guard;
pub use input::Input;
pub use keys::Heard;
pub use link::{Link, Room, Urgency};
pub use output::Writer;
pub use pace::Pace;
