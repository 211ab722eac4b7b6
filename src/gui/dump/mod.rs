//! The dump reader.
//!
//! In: the bytes that `uiautomator dump`, a resident agent or Appium wrote, with whatever a shell put around them. Out:
//! a [`Dump`]: the [`Layout`] and [`Note`]s on what was odd or missing; or a [`DumpError`] that says where reading
//! stopped.
//!
//! The bytes are decoded (`decode`), the `<hierarchy>` element is found and walked (`parse`) and
//! the layout is looked over for what no tool can see in it (`diagnosis`).
//!
//! Invariants: no input panics; bytes, widgets and depth are capped; a dump that breaks off is an
//! error, never a smaller layout; texts are kept as they came, see [`droidmux_words::printable`].

mod attributes;
mod decode;
mod diagnosis;
mod error;
mod note;
mod parse;
mod references;
#[cfg(test)]
mod tests;

pub use error::{DumpError, Fault, Position};
pub use note::Note;

use super::Layout;

/// The most bytes a dump may have. Real ones stay under 1 MB.
pub const MAX_BYTES: usize = 16 << 20;
/// The most widgets a dump may have.
pub const MAX_WIDGETS: usize = 20_000;
/// The deepest nesting of widgets.
pub const MAX_DEPTH: usize = 256;

/// A dump as read.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// The screen as a tree.
    pub layout: Layout,
    /// What was odd, in a fixed order, each kind at most once.
    pub notes: Vec<Note>,
}

impl Dump {
    /// True when the tree lacks part of the screen, so that a tool working on it is partly blind.
    pub fn is_degraded(&self) -> bool {
        self.notes.iter().any(Note::is_degrading)
    }
}

/// Reads a UI dump: UTF-8 or UTF-16, with text before or after the document, one root or several,
/// `<node>` tags or Appium's class-named ones; unknown attributes are ignored.
///
/// # Errors
///
/// When there is no `<hierarchy>` element, the XML is malformed or breaks off, or a cap is
/// exceeded ([`MAX_BYTES`], [`MAX_WIDGETS`], [`MAX_DEPTH`]).
pub fn read_dump(bytes: &[u8]) -> Result<Dump, DumpError> {
    if bytes.len() > MAX_BYTES {
        return Err(DumpError::at_start(Fault::TooLarge { bytes: bytes.len() }));
    }
    let mut notes = Vec::new();
    let text = decode::decode(bytes, &mut notes);
    let layout = parse::parse(&text, &mut notes)?;
    diagnosis::diagnose(&layout, &mut notes);
    Ok(Dump { layout, notes })
}
