//! Words and figures for people.
//!
//! In: text from outside, counts, amounts, times. Out: text that a terminal may show, and numbers of another type.
//!
//! Invariants: no text that comes out of here moves a cursor or changes the order of characters; no figure is cut
//! silently, and what does not fit its type becomes the nearest value that does; nothing depends on a locale or a time
//! zone.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod beginning;
mod case;
pub mod decimal;
pub mod figure;
pub mod number;
mod printable;

pub use beginning::{beginning, shortened};
pub use case::folded;
pub use printable::{printable, printable_json, printable_lines};
