//! Which examples are about a field like another one. None is better than one that leads astray.

use super::context::FieldContext;
use crate::sentence::split_name;
use droidmux_gui::lone_surrogate;
use droidmux_record::Example;

/// What a name names: its last word, or the one before "of", and the words that say which one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    head: String,
    which: Vec<String>,
}

/// The fewest characters of a word that counts.
const SHORTEST: usize = 3;

/// The examples about a field like this one, which a device can type: the same thing is named, and it is not said to be
/// that of something else.
pub(super) fn like<'a>(field: &FieldContext, examples: &'a [Example]) -> Vec<&'a Example> {
    let mut own: Vec<Named> =
        field.row.split(';').chain([field.name.as_str()]).filter_map(Named::read).collect();
    if field.is_password {
        own.extend(Named::read("password"));
    }
    let is_like = |example: &&Example| match example {
        Example::Input(input) => {
            let about = Named::read(input.context.split(';').next().unwrap_or_default());
            let halves = input.input.chars().any(|c| lone_surrogate(c).is_some());
            !halves && about.is_some_and(|about| own.iter().any(|own| own.is_like(&about)))
        }
        Example::Bug(_) => false,
    };
    examples.iter().filter(is_like).collect()
}

impl Named {
    /// Of a name as it stands in a hint or an id; `None` when there is no word in it.
    fn read(name: &str) -> Option<Self> {
        let name = split_name(name.split(['(', ',', ':', '.']).find(|part| !part.trim().is_empty())?);
        let words = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| word.chars().count() >= SHORTEST).map(str::to_lowercase).collect()
        };
        let (thing, whose) = name.split_once(" of ").unwrap_or((&name, ""));
        let mut which = words(thing);
        let head = which.pop()?;
        which.extend(words(whose));
        Some(Self { head, which })
    }

    fn is_like(&self, other: &Self) -> bool {
        let shared = self.which.iter().any(|word| other.which.contains(word));
        self.head == other.head && (shared || self.which.is_empty() || other.which.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::InputExample;

    #[test]
    fn the_same_thing_of_nothing_else() {
        for (name, row, context, input, expected) in [
            ("departure_date", "", "date; due date; Add task", "29.02.2100", true),
            ("departure_date", "", "departure; arrival; from; to", "San  Francisco", false),
            ("traveller_name", "", "file name; Save as", "../../con", false),
            ("traveller_name", "", "display name; Edit profile", "x", false),
            ("traveller_name", "", "name; Edit profile", "x", true),
            ("note", "", "title of note; New note", "x", false),
            ("title", "", "title of note; New note", "x", true),
            ("Amount (in EUR)", "", "amount; Add", "1e400", true),
            ("field3", "From", "from; to; Search", "%n", true),
            ("name", "", "name of contact", "a\u{10d83d}", false),
            ("", "", "name of contact", "a", false),
        ] {
            let field = FieldContext {
                name: name.into(),
                class: "EditText".into(),
                is_password: false,
                is_high: false,
                shows: String::new(),
                parent: String::new(),
                leaves: String::new(),
                row: row.into(),
                page: String::new(),
            };
            let (context, input) = (context.to_owned(), input.to_owned());
            let examples = [Example::Input(InputExample { context, input, ..InputExample::default() })];
            assert_eq!(like(&field, &examples).len(), usize::from(expected), "{name} {row} {examples:?}");
        }
    }
}
