//! Wording: what an app says is made for people to read.
//!
//! A text is not fit for people where a part of it was never filled in (`%1$s`), where a value that is not there is named
//! as programs name it (`null`, `NaN`), and where an object stands in the place of its name (`a.b.Note@1f2e3d`).
//!
//! Silent about fields and web pages, about what was typed in the test, and about the first screen of a test, which other
//! tests see again.
//!
//! Slight where the same could be meant: a `%s` alone may be a pattern that the page explains, and the words of programs
//! inside a longer text may be the words of a language, unless they are all that follows a label and its colon. `NaN` is
//! spelled as no language spells a word.
//!
//! ```text
//! ┌ Notes ────────┐
//! │ milk          │
//! │ due %1$s      │
//! └───────────────┘
//! 'due %1$s' stands on 'Notes': '%1$s' was never filled in.
//! ```

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::PROMISE;
use droidmux_gui::{EventKind, Flags, Widget};
use droidmux_record::{Claim, Harm, WidgetNote};

pub static WORDING: Relation = Relation {
    name: "wording",
    assumes: "What an app says is made for people to read.",
    silent_when: "The text is in a field or on a web page, or was typed in the test.",
    judge,
};

/// Different lines of one trace.
const MOST: usize = 20;

/// A part of a text that is not made for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slip<'t> {
    part: &'t str,
    kind: SlipKind,
    slight: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlipKind {
    Placeholder,
    NoValue,
    Object,
}

impl SlipKind {
    /// For keys.
    fn name(self) -> &'static str {
        match self {
            Self::Placeholder => "placeholder",
            Self::NoValue => "no value",
            Self::Object => "object",
        }
    }
}

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut broken: Vec<Break> = Vec::new();
    for (number, shot) in trail.shots().iter().enumerate().skip(1) {
        if !shot.is_sound() {
            continue;
        }
        for widget in shot.layout().widgets().filter(|widget| is_said(*widget)) {
            let texts = [widget.text(), widget.description()];
            let Some((text, slip)) = texts.into_iter().find_map(|text| Some((text, slip(text)?))) else {
                continue;
            };
            let what = format!("{} {}", slip.kind.name(), widget.short_id());
            let page = trail.page_name(number);
            let is_told = broken.iter().any(|other| (&other.page, &other.what) == (&page, &what));
            let mut typed = trail.typed(number);
            if broken.len() < MOST && !is_told && !typed.any(|data| data.contains(slip.part)) {
                broken.push(told(shot, (number, page), widget, (text, slip), what));
            }
        }
    }
    broken.into_iter().map(|broken| Said::Broken(Box::new(broken))).collect()
}

/// Words of the app's own pages that can be seen.
fn is_said(widget: Widget<'_>) -> bool {
    let is_web = |above: Widget<'_>| above.short_class().contains("WebView");
    !widget.has(Flags::INVISIBLE)
        && !widget.is_editable()
        && !is_web(widget)
        && !widget.ancestors().any(is_web)
}

/// The worst part of a text that no person should read.
fn slip(text: &str) -> Option<Slip<'_>> {
    let found = |kind, slight| move |part| Slip { part, kind, slight };
    object(text)
        .map(found(SlipKind::Object, false))
        .or_else(|| numbered(text).map(found(SlipKind::Placeholder, false)))
        .or_else(|| no_value(text).map(|part| found(SlipKind::NoValue, may_be_a_word(part, text))(part)))
        .or_else(|| plain(text).map(found(SlipKind::Placeholder, true)))
}

/// `%1$s`.
fn numbered(text: &str) -> Option<&str> {
    text.match_indices('%').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let kind = rest.get(digits..)?.strip_prefix('$')?.chars().next()?;
        let is_one = digits > 0 && kind.is_ascii_alphabetic();
        is_one.then(|| text.get(at..at + 1 + digits + 2)).flatten()
    })
}

/// `%s` or `%d`, apart from other letters.
fn plain(text: &str) -> Option<&str> {
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '%');
    text.match_indices('%').find_map(|(at, _)| {
        let part = text.get(at..at + 2).filter(|part| matches!(*part, "%s" | "%d"))?;
        let (before, after) = (text.get(..at)?.chars().next_back(), text.get(at + 2..)?.chars().next());
        (is_apart(before) && is_apart(after)).then_some(part)
    })
}

/// What programs say for no value, alone or as a word of its own.
fn no_value(text: &str) -> Option<&str> {
    let is_word = |word: &&str| matches!(*word, "null" | "NaN" | "undefined");
    text.split(|c: char| !c.is_alphanumeric()).find(is_word)
}

/// What programs say may be a word of this longer text: it is not the value of a label (`Total: null`), and languages
/// have words that are spelled so.
fn may_be_a_word(part: &str, text: &str) -> bool {
    let label = text.trim().strip_suffix(part).map(str::trim_end);
    let is_value = label.is_some_and(|label| label.is_empty() || label.ends_with([':', '：', '=']));
    !is_value && part != "NaN"
}

/// `a.b.Note@1f2e3d`: a class with its package, and where it lies.
fn object(text: &str) -> Option<&str> {
    text.split_whitespace().find_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let (class, place) = word.split_once('@')?;
        let is_place =
            (4..=8).contains(&place.len()) && place.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
        let (package, name) = class.rsplit_once('.')?;
        let is_class = name.chars().next().is_some_and(char::is_uppercase)
            && package.split('.').all(|part| part.chars().next().is_some_and(|c| c.is_ascii_lowercase()));
        (is_place && is_class).then_some(word)
    })
}

fn told(
    shot: &Shot<'_>,
    (number, page): (usize, String),
    widget: Widget<'_>,
    (text, slip): (&str, Slip<'_>),
    what: String,
) -> Break {
    let title = Some(shot.look().title.as_str()).filter(|title| !title.is_empty() && *title != text.trim());
    let title = title.map_or_else(|| "the page".to_owned(), quoted);
    let part = quoted(slip.part);
    let why = match slip.kind {
        SlipKind::Placeholder => format!("{part} was never filled in"),
        SlipKind::NoValue => format!("{part} is what programs say where there is nothing"),
        SlipKind::Object => format!("{part} is an object, not its name"),
    };
    let about = fingerprint(&[WORDING.name, &page, &what]);
    Break {
        cause: Cause::Own,
        page,
        list: String::new(),
        // It is there, whatever was done last.
        event: EventKind::Wait,
        what,
        sentence: format!("{} stands on {title}: {why}.", quoted(text.trim())),
        expected: "What an app says is made for people to read.".into(),
        found: format!("{why}."),
        shots: (number - 1, number),
        widgets: (Vec::new(), vec![WidgetNote::of(widget)]),
        claim: Some(Claim::new(WORDING.name, about, PROMISE)),
        harm: Harm::WrongDisplay,
        slight: slip.slight,
    }
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
