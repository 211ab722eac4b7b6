//! From text to layout.

use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::attributes::{Attributes, Oddities};
use super::{DumpError, Fault, MAX_DEPTH, MAX_WIDGETS, Note};
use crate::{Layout, LayoutBuilder};
use droidmux_words::printable;

/// The element every dump consists of.
const ROOT: &str = "hierarchy";
/// How much of a text that is not a dump is quoted, in characters.
const QUOTED: usize = 80;

/// Reads the first `<hierarchy>` of a text.
pub(super) fn parse(text: &str, notes: &mut Vec<Note>) -> Result<Layout, DumpError> {
    let start = find_root(text).ok_or_else(|| no_root(text))?;
    note_before(text, start, notes);
    let mut walk = Walk::new(text, start);
    walk.run()?;
    let end = walk.end;
    let layout = walk.finish(notes);
    let after = text.get(end..).unwrap_or("").trim();
    if !after.is_empty() {
        notes.push(Note::TextAfter { bytes: after.len() });
    }
    Ok(layout)
}

/// The position of `<hierarchy` as a whole name.
fn find_root(text: &str) -> Option<usize> {
    let tag = format!("<{ROOT}");
    text.match_indices(&tag).map(|(at, _)| at).find(|at| {
        let next = text.as_bytes().get(at + tag.len());
        next.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
    })
}

fn no_root(text: &str) -> DumpError {
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else {
        return DumpError::at_start(Fault::Empty);
    };
    let quoted: String = line.trim().chars().take(QUOTED).collect();
    let offset = line.as_ptr() as usize - text.as_ptr() as usize;
    DumpError::new(text, offset, Fault::NoHierarchy { beginning: printable(&quoted).into_owned() })
}

/// Everything before the root, except the XML declaration.
fn note_before(text: &str, start: usize, notes: &mut Vec<Note>) {
    let before = text.get(..start).unwrap_or("").trim();
    let declaration = before.rfind("<?xml").filter(|&at| before[at..].ends_with("?>"));
    let before = declaration.map_or(before, |at| before[..at].trim());
    if !before.is_empty() {
        notes.push(Note::TextBefore { bytes: before.len() });
    }
}

struct Walk<'a> {
    text: &'a str,
    start: usize,
    reader: Reader<&'a [u8]>,
    builder: LayoutBuilder,
    odd: Oddities,
    bad_rotation: bool,
    text_inside: bool,
    /// Where the document ended, as an offset into the text.
    end: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        let mut reader = Reader::from_str(text.get(start..).unwrap_or(""));
        // Text between the elements is skipped, whatever it contains.
        reader.config_mut().allow_dangling_amp = true;
        Self {
            text,
            start,
            reader,
            builder: LayoutBuilder::new(),
            odd: Oddities::default(),
            bad_rotation: false,
            text_inside: false,
            end: start,
        }
    }

    fn run(&mut self) -> Result<(), DumpError> {
        let mut in_root = false;
        loop {
            let tag = self.offset(self.reader.buffer_position());
            let event = self.reader.read_event().map_err(|error| self.syntax(&error))?;
            match event {
                Event::Start(element) if !in_root => {
                    self.root(&element);
                    in_root = true;
                }
                Event::Empty(element) if !in_root => {
                    self.root(&element);
                    break;
                }
                Event::Start(element) => self.open(&element, tag)?,
                Event::Empty(element) => {
                    self.open(&element, tag)?;
                    self.builder.close();
                }
                Event::End(_) if self.builder.depth() == 0 => break,
                Event::End(_) => self.builder.close(),
                Event::Eof => return Err(self.truncated()),
                Event::Text(text) => {
                    self.text_inside |= !text.bytes().all(|b| b.is_ascii_whitespace());
                }
                Event::CData(_) | Event::GeneralRef(_) => self.text_inside = true,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        self.end = self.offset(self.reader.buffer_position());
        Ok(())
    }

    fn root(&mut self, element: &BytesStart<'_>) {
        // A root with garbage attributes is no reason to give up: only the rotation matters.
        let rotation = element.try_get_attribute("rotation").ok().flatten();
        let Some(rotation) = rotation else { return };
        match rotation.value.parse::<u8>() {
            Ok(turns @ 0..=3) => self.builder.rotation(turns),
            _ => self.bad_rotation = true,
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, tag: usize) -> Result<(), DumpError> {
        if self.builder.depth() >= MAX_DEPTH {
            return Err(DumpError::new(self.text, tag, Fault::TooDeep));
        }
        if self.builder.len() >= MAX_WIDGETS {
            return Err(DumpError::new(self.text, tag, Fault::TooMany));
        }
        let attributes = Attributes::read(element, &mut self.odd)
            .map_err(|error| DumpError::new(self.text, tag, Fault::Syntax(clean(&error.to_string()))))?;
        self.builder.open(attributes.widget());
        Ok(())
    }

    fn syntax(&self, error: &Error) -> DumpError {
        let at = self.offset(self.reader.error_position());
        // A tag cut in two is reported as unclosed: to the user both mean a dump that breaks off.
        let fault = match error {
            Error::Syntax(_) => Fault::Truncated { element: "a tag".to_owned() },
            other => Fault::Syntax(clean(&other.to_string())),
        };
        DumpError::new(self.text, at, fault)
    }

    fn truncated(&self) -> DumpError {
        let element = if self.builder.depth() == 0 { ROOT } else { "node" };
        DumpError::new(self.text, self.text.len(), Fault::Truncated { element: element.to_owned() })
    }

    fn offset(&self, position: u64) -> usize {
        self.start.saturating_add(usize::try_from(position).unwrap_or(usize::MAX))
    }

    fn finish(self, notes: &mut Vec<Note>) -> Layout {
        if self.text_inside {
            notes.push(Note::TextInside);
        }
        if self.odd.references > 0 {
            notes.push(Note::BadReferences { count: self.odd.references });
        }
        if self.bad_rotation {
            notes.push(Note::BadRotation);
        }
        if self.odd.bounds > 0 {
            notes.push(Note::BadBounds { widgets: self.odd.bounds });
        }
        self.builder.finish()
    }
}

/// A message of the XML library, which may quote the input.
fn clean(message: &str) -> String {
    let short: String = message.chars().take(2 * QUOTED).collect();
    printable(&short).into_owned()
}
