//! From XML to layout.

use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::attributes::{Attributes, Oddities};
use super::windows::{self, Window};
use super::{Document, DumpError, Fault, MAX_DEPTH, MAX_WIDGETS, Note};
use crate::{Bounds, Layout, LayoutBuilder};
use droidmux_words::printable;

/// The element every plain dump consists of.
const ROOT: &str = "hierarchy";
/// The elements that hold others than widgets; those of a dump with all windows come around `hierarchy`.
const STRUCTURE: [&str; 5] = [ROOT, "displays", "display", "windows", "window"];
/// The most windows of a dump. Devices have some ten.
const MAX_WINDOWS: usize = 200;
/// The longest message of the XML library that is passed on, in characters.
const QUOTED: usize = 160;

/// Reads the dump that begins there. `app` is the package whose window is wanted, empty when it is not known.
pub(super) fn read(
    text: &str,
    start: usize,
    app: &str,
    notes: &mut Vec<Note>,
) -> Result<Document, DumpError> {
    let mut walk = Walk::new(text, start);
    walk.run()?;
    let end = walk.end;
    Ok(Document { layout: walk.finish(app, notes), end })
}

/// The position of the first element that begins a dump, at `from` or later.
pub(super) fn find_root(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let tags = memchr::memchr_iter(b'<', rest.as_bytes()).map(|at| from.saturating_add(at));
    tags.into_iter().find(|&at| STRUCTURE.iter().any(|name| is_tag(text, at, name)))
}

/// True when an element of exactly this name begins there.
fn is_tag(text: &str, at: usize, name: &str) -> bool {
    let rest =
        text.get(at..).and_then(|rest| rest.strip_prefix('<')).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| {
        rest.bytes().next().is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
    })
}

struct Walk<'a> {
    text: &'a str,
    start: usize,
    reader: Reader<&'a [u8]>,
    windows: Vec<Window>,
    /// The numbers of the windows that are open, the innermost last.
    open: Vec<usize>,
    /// The elements of [`STRUCTURE`] that are open.
    structure: Vec<&'static str>,
    display: i64,
    widgets: usize,
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
            windows: Vec::new(),
            open: Vec::new(),
            structure: Vec::new(),
            display: 0,
            widgets: 0,
            odd: Oddities::default(),
            bad_rotation: false,
            text_inside: false,
            end: start,
        }
    }

    fn run(&mut self) -> Result<(), DumpError> {
        loop {
            let tag = self.offset(self.reader.buffer_position());
            let event = self.reader.read_event().map_err(|error| self.syntax(&error))?;
            match event {
                Event::Start(element) => self.enter(&element, tag)?,
                Event::Empty(element) => {
                    self.enter(&element, tag)?;
                    self.leave();
                }
                Event::End(_) => self.leave(),
                Event::Eof => return Err(self.truncated()),
                Event::Text(text) => {
                    self.text_inside |= !text.bytes().all(|b| b.is_ascii_whitespace());
                }
                Event::CData(_) | Event::GeneralRef(_) => self.text_inside = true,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
            if self.structure.is_empty() {
                break;
            }
        }
        self.end = self.offset(self.reader.buffer_position());
        Ok(())
    }

    /// The builder of the window that is open; of one for the whole dump outside all windows.
    fn builder(&mut self) -> Option<&mut LayoutBuilder> {
        if self.open.is_empty() {
            if self.windows.last().is_none_or(|window| !window.implicit) {
                self.windows.push(Window { implicit: true, ..Window::default() });
            }
            return self.windows.last_mut().map(|window| &mut window.builder);
        }
        let at = self.open.last().copied()?;
        self.windows.get_mut(at).map(|window| &mut window.builder)
    }

    /// How many widgets are open in the window that is.
    fn depth(&self) -> usize {
        let window = match self.open.last() {
            Some(&at) => self.windows.get(at),
            None => self.windows.last().filter(|window| window.implicit),
        };
        window.map_or(0, |window| window.builder.depth())
    }

    fn enter(&mut self, element: &BytesStart<'_>, tag: usize) -> Result<(), DumpError> {
        let name = element.name();
        let structure = STRUCTURE.into_iter().find(|known| *known == name.0);
        match structure.filter(|_| self.depth() == 0) {
            Some(name) => self.enter_structure(name, element, tag),
            None => self.enter_widget(element, tag),
        }
    }

    fn enter_structure(
        &mut self,
        name: &'static str,
        element: &BytesStart<'_>,
        tag: usize,
    ) -> Result<(), DumpError> {
        if self.structure.len() >= MAX_DEPTH {
            return Err(DumpError::new(self.text, tag, Fault::TooDeep));
        }
        self.structure.push(name);
        match name {
            ROOT => self.rotate(element),
            "display" => self.display = number(element, "id"),
            "window" => {
                if self.windows.len() >= MAX_WINDOWS {
                    return Err(DumpError::new(self.text, tag, Fault::TooManyWindows));
                }
                self.open.push(self.windows.len());
                self.windows.push(window(element, self.display));
            }
            _ => {}
        }
        Ok(())
    }

    fn rotate(&mut self, element: &BytesStart<'_>) {
        // A root with garbage attributes is no reason to give up: only the rotation matters.
        let Some(rotation) = attribute(element, "rotation") else { return };
        match rotation.parse::<u8>() {
            Ok(turns @ 0..=3) => {
                if let Some(builder) = self.builder() {
                    builder.rotation(turns);
                }
            }
            _ => self.bad_rotation = true,
        }
    }

    fn enter_widget(&mut self, element: &BytesStart<'_>, tag: usize) -> Result<(), DumpError> {
        if self.depth() >= MAX_DEPTH {
            return Err(DumpError::new(self.text, tag, Fault::TooDeep));
        }
        if self.widgets >= MAX_WIDGETS {
            return Err(DumpError::new(self.text, tag, Fault::TooMany));
        }
        self.widgets += 1;
        let attributes = Attributes::read(element, &mut self.odd)
            .map_err(|error| DumpError::new(self.text, tag, Fault::Syntax(clean(&error.to_string()))))?;
        if let Some(builder) = self.builder() {
            builder.open(attributes.widget());
        }
        Ok(())
    }

    fn leave(&mut self) {
        if self.depth() > 0 {
            if let Some(builder) = self.builder() {
                builder.close();
            }
        } else if self.structure.pop() == Some("window") {
            self.open.pop();
        }
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
        let element = if self.depth() == 0 { self.structure.last().copied().unwrap_or(ROOT) } else { "node" };
        DumpError::new(self.text, self.text.len(), Fault::Truncated { element: element.to_owned() })
    }

    fn offset(&self, position: u64) -> usize {
        self.start.saturating_add(usize::try_from(position).unwrap_or(usize::MAX))
    }

    fn finish(self, app: &str, notes: &mut Vec<Note>) -> Layout {
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
        if self.odd.classes > 0 {
            let of = droidmux_words::number::count(self.widgets);
            notes.push(Note::NoClasses { widgets: self.odd.classes, of });
        }
        windows::choose(self.windows, app, notes)
    }
}

fn window(element: &BytesStart<'_>, display: i64) -> Window {
    let is = |name| attribute(element, name).is_some_and(|value| value == "true");
    Window {
        display,
        kind: attribute(element, "type").unwrap_or_default(),
        focused: is("focused") || is("active"),
        bounds: attribute(element, "bounds").and_then(|bounds| Bounds::parse(&bounds)).unwrap_or_default(),
        layer: number(element, "layer"),
        ..Window::default()
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok().flatten()?;
    Some(attribute.value.into_owned())
}

fn number(element: &BytesStart<'_>, name: &str) -> i64 {
    attribute(element, name).and_then(|value| value.trim().parse().ok()).unwrap_or(0)
}

/// A message of the XML library, which may quote the input.
fn clean(message: &str) -> String {
    let short: String = message.chars().take(QUOTED).collect();
    printable(&short).into_owned()
}
