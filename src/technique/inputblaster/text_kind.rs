//! Kinds of unusual text: what makes a text unusual, so that two findings about one field with
//! texts of different kinds are not taken for the same.

use droidmux_gui::lone_surrogate;

/// If several fit, the first is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Empty,
    Blank,
    Long,
    LoneSurrogate,
    Direction,
    ZeroWidth,
    LineBreak,
    Control,
    Combining,
    BeyondPlane,
    FullWidth,
    Format,
    Markup,
    Quote,
    Backslash,
    PathSeparator,
    Number,
    OuterBlank,
    Foreign,
    Symbol,
    Plain,
}

/// A text with more characters than this is long.
const LONG: usize = 64;

impl TextKind {
    pub fn of(text: &str) -> Self {
        let any = |wanted: fn(char) -> bool| text.chars().any(wanted);
        let has = |signs: &str| text.chars().any(|c| signs.contains(c));
        let is_number =
            |t: &str| t.chars().any(|c| c.is_ascii_digit()) && !t.chars().any(char::is_alphabetic);
        if text.is_empty() {
            Self::Empty
        } else if text.chars().all(char::is_whitespace) {
            Self::Blank
        } else if text.chars().nth(LONG).is_some() {
            Self::Long
        } else if any(|c| lone_surrogate(c).is_some()) {
            Self::LoneSurrogate
        } else if any(
            |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'),
        ) {
            Self::Direction
        } else if any(|c| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')) {
            Self::ZeroWidth
        } else if any(|c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')) {
            Self::LineBreak
        } else if any(char::is_control) {
            Self::Control
        } else if any(|c| matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}')) {
            Self::Combining
        } else if any(|c| u32::from(c) > 0xffff) {
            Self::BeyondPlane
        } else if any(|c| ('\u{ff01}'..='\u{ff5e}').contains(&c)) {
            Self::FullWidth
        } else if has("%") {
            Self::Format
        } else if has("<>&") {
            Self::Markup
        } else if has("'\"`’“”") {
            Self::Quote
        } else if has("\\") {
            Self::Backslash
        } else if text.trim() != text {
            Self::OuterBlank
        } else if is_number(text) {
            Self::Number
        } else if has("/:") {
            Self::PathSeparator
        } else if any(|c| !c.is_ascii()) {
            Self::Foreign
        } else if any(|c| c.is_ascii_punctuation()) {
            Self::Symbol
        } else {
            Self::Plain
        }
    }

    /// For keys and titles.
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "empty text",
            Self::Blank => "nothing but blanks",
            Self::Long => "a long text",
            Self::LoneSurrogate => "half a surrogate pair",
            Self::Direction => "a mark of writing direction",
            Self::ZeroWidth => "an invisible character",
            Self::LineBreak => "a line break",
            Self::Control => "a control character",
            Self::Combining => "a combining mark",
            Self::BeyondPlane => "an emoji or another character beyond U+FFFF",
            Self::FullWidth => "full-width characters",
            Self::Format => "a percent sign",
            Self::Markup => "characters of markup",
            Self::Quote => "a quotation mark",
            Self::Backslash => "a backslash",
            Self::PathSeparator => "a path separator",
            Self::Number => "an unusual number or date",
            Self::OuterBlank => "blanks around it",
            Self::Foreign => "other letters than ASCII",
            Self::Symbol => "a symbol",
            Self::Plain => "plain letters and digits",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, kind) in [
            ("", TextKind::Empty),
            (" \t", TextKind::Blank),
            (&"a".repeat(65), TextKind::Long),
            ("a\u{10d83d}", TextKind::LoneSurrogate),
            ("a\u{202e}b", TextKind::Direction),
            ("a\u{200b}b", TextKind::ZeroWidth),
            ("a\nb", TextKind::LineBreak),
            ("a\u{7}", TextKind::Control),
            ("e\u{301}", TextKind::Combining),
            ("😀", TextKind::BeyondPlane),
            ("１２", TextKind::FullWidth),
            ("100%s", TextKind::Format),
            ("O'Neil", TextKind::Quote),
            ("a\\", TextKind::Backslash),
            ("../a", TextKind::PathSeparator),
            ("007", TextKind::Number),
            ("-1.50", TextKind::Number),
            (" a", TextKind::OuterBlank),
            ("Зug", TextKind::Foreign),
            ("a;b", TextKind::Symbol),
            ("Bern", TextKind::Plain),
        ] {
            assert_eq!(TextKind::of(text), kind, "{text:?}");
        }
    }
}
