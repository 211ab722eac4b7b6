//! What a file holds that is not read.

use serde_json::Value;

use super::fields::{quoted, unread};
use super::write;

/// A field that PBFDroid does not read, and that counts for nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The function's number from 0; `None` for the file as a whole and for key views.
    pub function: Option<usize>,
    /// The part, e.g. `widget 3`; empty for a function as a whole.
    pub about: String,
    /// Quoted.
    pub field: String,
}

/// The lists of a function with what is read of their entries.
const PARTS: [(&str, &[&str]); 5] = [
    ("widgets", &write::WIDGET),
    ("preconditions", &write::CONDITION),
    ("events", &write::EVENT),
    ("impacts", &write::IMPACT),
    ("post-conditions", &write::CONDITION),
];

/// The fields of a specification or of a file of key views that are not read, in the order of the
/// file. A text that is not JSON has none.
pub fn unread_fields(text: &str) -> Vec<Unread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let mut found = Found(Vec::new());
    found.look(&value, &["dmfs", "keyviews"], None, "the file");
    for (number, dmf) in entries(&value, "dmfs") {
        found.look(dmf, &write::FUNCTION, Some(number), "");
        for (list, known) in PARTS {
            let what = list.strip_suffix('s').unwrap_or(list);
            for (at, part) in entries(dmf, list) {
                found.look(part, known, Some(number), &format!("{what} {}", at + 1));
            }
        }
    }
    for (number, view) in entries(&value, "keyviews") {
        found.look(view, &["view"], None, &format!("key view {}", number + 1));
    }
    found.0
}

struct Found(Vec<Unread>);

impl Found {
    fn look(&mut self, value: &Value, known: &[&str], function: Option<usize>, about: &str) {
        let Value::Object(object) = value else { return };
        let unread = unread(object, known);
        self.0.extend(unread.map(|key| Unread { function, about: about.to_owned(), field: quoted(key) }));
    }
}

fn entries<'a>(value: &'a Value, list: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value.get(list).and_then(Value::as_array).into_iter().flatten().enumerate()
}
