//! Text fields: their texts, and where the cursor is.

use std::collections::BTreeMap;

/// The fields of one window.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    texts: BTreeMap<String, String>,
    caret: Option<Caret>,
}

/// The focused field and the cursor in it.
#[derive(Clone, Debug)]
struct Caret {
    field: String,
    /// Characters before the cursor.
    at: usize,
    /// True when the whole text is selected.
    all: bool,
}

/// A change to the focused field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit<'a> {
    /// Type this in place of what is selected.
    Insert(&'a str),
    /// Set the whole text.
    Replace(&'a str),
    /// Backspace.
    DeleteBefore,
    /// Delete.
    DeleteAfter,
    /// Select the whole text.
    SelectAll,
    /// Move the cursor.
    Move(Motion),
}

/// The characters a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// Whatever can be typed.
    #[default]
    All,
    /// ASCII digits: `inputType="number"`.
    Digits,
    /// ASCII digits, minus and point: `inputType="numberSigned|numberDecimal"`.
    Decimal,
}

/// Where the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// One character back.
    Left,
    /// One character on.
    Right,
}

impl Keys {
    /// What a field makes of a text that is entered.
    pub(super) fn taken(self, text: &str) -> String {
        let takes = |char: char| match self {
            Self::All => true,
            Self::Digits => char.is_ascii_digit(),
            Self::Decimal => char.is_ascii_digit() || matches!(char, '-' | '.'),
        };
        text.chars().filter(|char| takes(*char)).collect()
    }
}

impl Fields {
    /// Longest text a field takes, in characters: later ones are dropped, as a filter would do.
    const LIMIT: usize = 20_000;

    pub(super) fn text(&self, id: &str) -> &str {
        self.texts.get(id).map_or("", String::as_str)
    }

    pub(super) fn set(&mut self, id: &str, text: String) {
        self.texts.insert(id.to_owned(), text);
        if let Some(caret) = self.caret.as_mut().filter(|caret| caret.field == id) {
            caret.at = usize::MAX;
            caret.all = false;
        }
    }

    pub(super) fn focused(&self) -> Option<&str> {
        self.caret.as_ref().map(|caret| caret.field.as_str())
    }

    /// Puts the cursor at the end of a field.
    pub(super) fn focus(&mut self, id: &str) {
        self.caret = Some(Caret { field: id.to_owned(), at: usize::MAX, all: false });
    }

    /// Takes the focus away.
    pub(super) fn release(&mut self) {
        self.caret = None;
    }

    /// Changes the focused field; true when its text is now a different one.
    pub(super) fn edit(&mut self, edit: Edit<'_>) -> bool {
        let Some(caret) = &mut self.caret else { return false };
        let text = self.texts.entry(caret.field.clone()).or_default();
        let before = text.clone();
        let mut chars: Vec<char> = text.chars().collect();
        let mut at = caret.at.min(chars.len());
        let replaces = caret.all && !matches!(edit, Edit::SelectAll | Edit::Move(_));
        if replaces {
            chars.clear();
            at = 0;
        }
        caret.all = false;
        match edit {
            Edit::Insert(new) => {
                let room = Self::LIMIT.saturating_sub(chars.len());
                let new: Vec<char> = new.chars().take(room).collect();
                let end = at + new.len();
                chars.splice(at..at, new);
                at = end;
            }
            Edit::Replace(new) => {
                chars = new.chars().take(Self::LIMIT).collect();
                at = chars.len();
            }
            Edit::DeleteBefore if !replaces && at > 0 => {
                at -= 1;
                chars.remove(at);
            }
            Edit::DeleteAfter if !replaces && at < chars.len() => {
                chars.remove(at);
            }
            Edit::DeleteBefore | Edit::DeleteAfter => {}
            Edit::SelectAll => caret.all = true,
            Edit::Move(Motion::Home) => at = 0,
            Edit::Move(Motion::End) => at = chars.len(),
            Edit::Move(Motion::Left) => at = at.saturating_sub(1),
            Edit::Move(Motion::Right) => at = (at + 1).min(chars.len()),
        }
        caret.at = at;
        *text = chars.into_iter().collect();
        *text != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        use Edit::*;
        let cases: &[(&str, &[Edit<'static>], &str)] = &[
            ("", &[Insert("ab")], "ab"),
            ("ab", &[Insert("c")], "abc"),
            ("ab", &[Move(Motion::Home), Insert("c")], "cab"),
            ("ab", &[DeleteBefore], "a"),
            ("ab", &[DeleteAfter], "ab"),
            ("ab", &[Move(Motion::Left), DeleteAfter], "a"),
            ("ab", &[Move(Motion::Home), DeleteBefore, Move(Motion::Right), Insert("x")], "axb"),
            ("ab", &[SelectAll, DeleteBefore], ""),
            ("ab", &[SelectAll, Insert("z")], "z"),
            ("ab", &[SelectAll, Move(Motion::End), Insert("z")], "abz"),
            ("äöü", &[Move(Motion::Left), DeleteBefore, Insert("😀")], "ä😀ü"),
            ("ab", &[Replace("xyz"), DeleteBefore], "xy"),
        ];
        for (start, edits, end) in cases {
            let mut fields = Fields::default();
            fields.set("f", (*start).to_owned());
            fields.focus("f");
            for edit in *edits {
                fields.edit(*edit);
            }
            assert_eq!(fields.text("f"), *end, "{start:?} {edits:?}");
        }
    }

    #[test]
    fn fields_of_numbers_take_nothing_else() {
        for (keys, text, taken) in [
            (Keys::All, "a-1.５\n", "a-1.５\n"),
            (Keys::Digits, "a-1.５0", "10"),
            (Keys::Decimal, "a-1.５0e", "-1.0"),
        ] {
            assert_eq!(keys.taken(text), taken, "{keys:?}");
        }
    }

    #[test]
    fn nothing_is_typed_without_focus() {
        let mut fields = Fields::default();
        assert!(!fields.edit(Edit::Insert("a")));
        fields.focus("f");
        assert!(fields.edit(Edit::Insert("a")));
        assert!(!fields.edit(Edit::Move(Motion::Home)));
    }
}
