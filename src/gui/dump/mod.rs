//! The dump reader.
//!
//! In: the bytes that `uiautomator dump` (with `--windows` or without), a resident agent, Appium, `maestro hierarchy` or
//! HarmonyOS' `uitest dumpLayout` wrote, with whatever a shell put around them. Out: a [`Dump`]: the [`Layout`] and
//! [`Note`]s on what was odd or missing; or a [`DumpError`] that says where reading stopped.
//!
//! The bytes are decoded (`decode`). XML: the `<hierarchy>` element is found and walked (`parse`), and of several windows
//! the app's is chosen with those above it (`windows`). JSON: the object is found and walked (`tree`). At last the layout
//! is looked over for what no tool can see in it (`diagnosis`).
//!
//! Invariants: no input panics; bytes, widgets and depth are capped; a dump that breaks off is an
//! error, never a smaller layout; several screens never make one layout; texts are kept as they came, see
//! [`droidmux_words::printable`].

mod attributes;
mod decode;
mod diagnosis;
mod error;
mod json;
mod note;
mod parse;
mod references;
#[cfg(test)]
mod tests;
mod tree;
#[cfg(test)]
mod tree_tests;
mod windows;
#[cfg(test)]
mod windows_tests;

pub use error::{DumpError, Fault, Position};
pub use note::Note;

use std::borrow::Cow;

use super::Layout;

/// The most bytes a dump may have. Real ones stay under 1 MB.
pub const MAX_BYTES: usize = 16 << 20;
/// The most widgets a dump may have.
pub const MAX_WIDGETS: usize = 20_000;
/// The deepest nesting of widgets.
pub const MAX_DEPTH: usize = 256;
/// The most dumps in one file.
pub const MAX_DUMPS: usize = 1_000;

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

/// Reads a UI dump: UTF-8 or UTF-16, with text before or after the document, one root or several, all windows or one,
/// `<node>` tags or Appium's class-named ones, or JSON; unknown attributes are ignored. Of several dumps in one file the
/// first is read, which is degraded then.
///
/// # Errors
///
/// When there is no `<hierarchy>` element or JSON tree, the document is malformed or breaks off, or a cap is
/// exceeded ([`MAX_BYTES`], [`MAX_WIDGETS`], [`MAX_DEPTH`]).
pub fn read_dump(bytes: &[u8]) -> Result<Dump, DumpError> {
    let mut notes = Vec::new();
    let text = text(bytes, &mut notes)?;
    let form = Form::of(&text);
    let first = form.first(&text, "", &mut notes)?;
    form.note_after(&text, first.end, &mut notes);
    Ok(Dump::of(first.layout, notes))
}

/// Reads all dumps of a file, in their order; at least one. Where a dump has all windows, that of the package `app` is the
/// app's (empty: whichever looks like it).
///
/// # Errors
///
/// As [`read_dump`], for each of them; and when there are more than [`MAX_DUMPS`].
pub fn read_dumps(bytes: &[u8], app: &str) -> Result<Vec<Dump>, DumpError> {
    let mut notes = Vec::new();
    let text = text(bytes, &mut notes)?;
    let form = Form::of(&text);
    let first = form.first(&text, app, &mut notes)?;
    let mut end = first.end;
    let mut dumps = vec![Dump::of(first.layout, notes)];
    while let Some(start) = form.find(&text, end) {
        if dumps.len() >= MAX_DUMPS {
            return Err(DumpError::new(&text, start, Fault::TooManyDumps));
        }
        let mut notes = Vec::new();
        let next = form.read(&text, start, app, &mut notes)?;
        end = next.end;
        dumps.push(Dump::of(next.layout, notes));
    }
    Ok(dumps)
}

/// How a screen is written.
#[derive(Clone, Copy)]
enum Form {
    Xml,
    Json,
}

/// A dump in a text that may hold several.
struct Document {
    layout: Layout,
    /// The first byte after it.
    end: usize,
}

impl Form {
    /// JSON only where there is no XML in it: a text that an app shows may look like either.
    fn of(text: &str) -> Self {
        let json = parse::find_root(text, 0).is_none() && tree::find(text, 0).is_some();
        if json { Self::Json } else { Self::Xml }
    }

    /// Where the first dump begins, at `from` or later.
    fn find(self, text: &str, from: usize) -> Option<usize> {
        match self {
            Self::Xml => parse::find_root(text, from),
            Self::Json => tree::find(text, from),
        }
    }

    /// Reads the dump that begins there. `app` is the package whose window is wanted, empty when it is not known.
    fn read(self, text: &str, start: usize, app: &str, notes: &mut Vec<Note>) -> Result<Document, DumpError> {
        match self {
            Self::Xml => parse::read(text, start, app, notes),
            Self::Json => tree::read(text, start, app, notes),
        }
    }

    /// Reads the first dump, and notes what stands before it.
    fn first(self, text: &str, app: &str, notes: &mut Vec<Note>) -> Result<Document, DumpError> {
        let start = self.find(text, 0).ok_or_else(|| DumpError::no_dump(text))?;
        note_before(text, start, notes);
        self.read(text, start, app, notes)
    }

    /// Notes what follows the first dump: others, or text that is none.
    fn note_after(self, text: &str, end: usize, notes: &mut Vec<Note>) {
        let after = text.get(end..).unwrap_or("").trim();
        let (mut dumps, mut at) = (1_u32, end);
        while let Some(start) = self.find(text, at) {
            dumps = dumps.saturating_add(1);
            // One that cannot be read is one, too.
            let read = self.read(text, start, "", &mut Vec::new());
            at = read.map_or(text.len(), |document| document.end);
        }
        if dumps > 1 {
            notes.push(Note::SeveralDumps { dumps });
        } else if !after.is_empty() {
            notes.push(Note::TextAfter { bytes: after.len() });
        }
    }
}

/// Everything before the first dump, except the XML declaration.
fn note_before(text: &str, start: usize, notes: &mut Vec<Note>) {
    let before = text.get(..start).unwrap_or("").trim();
    let declaration = before.rfind("<?xml").filter(|&at| before[at..].ends_with("?>"));
    let before = declaration.map_or(before, |at| before[..at].trim());
    if !before.is_empty() {
        notes.push(Note::TextBefore { bytes: before.len() });
    }
}

impl Dump {
    fn of(layout: Layout, mut notes: Vec<Note>) -> Self {
        diagnosis::diagnose(&layout, &mut notes);
        Self { layout, notes }
    }
}

fn text<'a>(bytes: &'a [u8], notes: &mut Vec<Note>) -> Result<Cow<'a, str>, DumpError> {
    if bytes.len() > MAX_BYTES {
        return Err(DumpError::at_start(Fault::TooLarge { bytes: bytes.len() }));
    }
    Ok(decode::decode(bytes, notes))
}
