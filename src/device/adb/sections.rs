//! Several commands in one round trip, with each output in its own section.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use memchr::memmem;

use crate::DeviceErrorKind;

/// Makes marks that no output can hold by chance or on purpose.
#[derive(Debug)]
pub(super) struct Marks {
    secret: u64,
    count: AtomicU32,
}

/// A line for the device's shell, made of sections.
#[derive(Debug)]
pub(super) struct Script {
    mark: String,
    line: String,
}

/// The output of a [`Script`], section by section.
#[derive(Debug)]
pub(super) struct Sections<'a> {
    sections: Vec<(&'a str, &'a [u8])>,
}

const END: &str = "end";

impl Marks {
    pub(super) fn new() -> Self {
        Self { secret: RandomState::new().build_hasher().finish(), count: AtomicU32::new(0) }
    }

    /// A word that no output holds by chance.
    pub(super) fn token(&self) -> String {
        format!("{:016x}.{}", self.secret, self.count.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn script(&self) -> Script {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        Script { mark: format!("@@{:016x}.{count}:", self.secret), line: String::new() }
    }
}

impl Script {
    /// Adds a command whose output becomes the section of this name (letters only).
    pub(super) fn section(&mut self, name: &str, command: &str) {
        self.line.push_str(&format!("echo {}{name}@@; {command}; ", self.mark));
    }

    /// The whole line. Ends with a command that succeeds, so the exit code says nothing.
    pub(super) fn line(&self) -> String {
        format!("{}echo {}{END}@@", self.line, self.mark)
    }

    /// Splits the output at the marks. A mark may directly follow output that does not end its line.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] when the last mark is missing: the line was cut short.
    pub(super) fn split<'a>(&self, output: &'a [u8]) -> Result<Sections<'a>, DeviceErrorKind> {
        let mark = self.mark.as_bytes();
        let mut sections: Vec<(&str, &[u8])> = Vec::new();
        let mut rest = output;
        while let Some(at) = find(rest, mark) {
            let (before, found) = rest.split_at(at);
            if let Some(open) = sections.last_mut() {
                open.1 = before;
            }
            let named = found.get(mark.len()..).unwrap_or_default();
            let end = find(named, b"@@").unwrap_or(named.len());
            let name = std::str::from_utf8(named.get(..end).unwrap_or_default()).unwrap_or_default();
            let body = named.get(end + 2..).unwrap_or_default();
            rest = body.strip_prefix(b"\n").unwrap_or(body);
            sections.push((name, rest));
        }
        if sections.last().is_none_or(|(name, _)| *name != END) {
            let said: String = String::from_utf8_lossy(output).trim().chars().take(300).collect();
            return Err(DeviceErrorKind::Answer(format!("the shell stopped half-way: `{said}`")));
        }
        Ok(Sections { sections })
    }
}

impl<'a> Sections<'a> {
    /// The first section of this name, empty when it is missing.
    pub(super) fn bytes(&self, name: &str) -> &'a [u8] {
        self.all(name).next().unwrap_or_default()
    }

    pub(super) fn text(&self, name: &str) -> std::borrow::Cow<'a, str> {
        String::from_utf8_lossy(self.bytes(name))
    }

    /// Every section of this name, in order.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        self.sections.iter().filter(move |(n, _)| *n == name).map(|(_, bytes)| *bytes)
    }
}

/// Where `part` begins in `text`; an empty part is nowhere.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() { None } else { memmem::find(text, part) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_apart() {
        let mut script = Marks::new().script();
        script.section("file", "cat x");
        script.section("focus", "dumpsys window");
        let mark = &script.mark;
        assert_eq!(
            script.line(),
            format!("echo {mark}file@@; cat x; echo {mark}focus@@; dumpsys window; echo {mark}end@@")
        );
        let output = format!("{mark}file@@\n<xml/>@@deadbeef.0:end@@{mark}focus@@\n\n{mark}end@@\n");
        let sections = script.split(output.as_bytes()).expect("whole");
        assert_eq!(sections.text("file"), "<xml/>@@deadbeef.0:end@@");
        assert_eq!(sections.text("focus"), "\n");
        assert_eq!(sections.text("log"), "");
        for cut in ["", "/system/bin/sh: syntax error", &output[..output.len() - 8]] {
            assert!(matches!(script.split(cut.as_bytes()), Err(DeviceErrorKind::Answer(_))), "{cut}");
        }
    }

    #[test]
    fn parts_are_found() {
        let cases = [
            ("a@b@@c", "@@", Some(3)),
            ("@@", "@@", Some(0)),
            ("@", "@@", None),
            ("", "@@", None),
            ("x", "", None),
        ];
        for (text, part, expected) in cases {
            assert_eq!(find(text.as_bytes(), part.as_bytes()), expected, "{text} {part}");
        }
    }

    #[test]
    fn marks_differ() {
        let marks = Marks::new();
        assert_ne!(marks.script().mark, marks.script().mark);
    }
}
