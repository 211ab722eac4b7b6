//! The JSON schemas in `docs/`, made from the types that are printed. Only tests build this package.
//!
//! In: types that derive `schemars::JsonSchema`. Out: a [`Document`], which [`Document::keep`] compares with its file in
//! `docs/`, or writes anew when `DROIDMUX_WRITE_DOCS` is set.
//!
//! What is printed is closed and complete: every object forbids further members unless its type says otherwise, and
//! every member is there unless its field may be skipped. Types of the packages below `store` derive no schema, since
//! everything would have to be compiled once more for that: [`traced`] reads theirs from their `Deserialize`.

mod document;
mod traced;

pub use document::Document;
pub use traced::{traced, traced_or_null};
