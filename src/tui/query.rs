//! The filter of the findings: fields and words.
//!
//! In: what a person typed, `state:new app:files crash`. Out: the rows that pass. A field takes several values
//! separated by commas, any of which may be in it; `!` before the field negates it. Anything that is not a field is a
//! word for [`filter::matching`].

use super::filter;
use super::glyphs::ASCII;
use super::words;
use droidmux_proto::FindingView;

/// The fields by name, with what each looks at in a row.
const FIELDS: [(&str, fn(&FindingView) -> String); 11] = [
    ("state", |row| format!("{} {}", words::mark(row.state, &ASCII).1, row.state.name())),
    ("app", |row| row.app.clone()),
    ("technique", |row| row.technique.clone()),
    ("oracle", |row| row.oracle.clone()),
    ("harm", |row| row.harm.words().to_owned()),
    ("tier", |row| row.tier.name().to_owned()),
    ("session", |row| format!("{} ", row.id.session)),
    ("id", |row| row.id.to_string()),
    ("hint", |row| row.hints.join(" ")),
    ("note", |row| row.note.clone()),
    ("replays", |row| words::confirmed(&row.confirmation).to_owned()),
];

/// What a row must have in one of its fields.
struct Condition {
    field: fn(&FindingView) -> String,
    values: Vec<String>,
    negated: bool,
}

impl Condition {
    /// Reads a word of the filter; `None` if it names no field.
    fn parse(word: &str) -> Option<Self> {
        let (name, values) = word.split_once(':')?;
        let (negated, name) = match name.strip_prefix('!') {
            Some(name) => (true, name),
            None => (false, name),
        };
        // The beginning of a name will do: `tech:odin`.
        let wanted = name.to_lowercase();
        let (_, field) = FIELDS.iter().find(|(known, _)| !wanted.is_empty() && known.starts_with(&wanted))?;
        let values = values.split(',').filter(|value| !value.is_empty()).map(str::to_lowercase);
        Some(Self { field: *field, values: values.collect(), negated })
    }

    fn holds(&self, row: &FindingView) -> bool {
        let text = (self.field)(row).to_lowercase();
        // A value that is still being typed asks for nothing.
        self.values.is_empty()
            || self.values.iter().any(|value| text.contains(value.as_str())) != self.negated
    }
}

/// The rows that pass: best first if words were typed, else in their own order.
pub fn passing(typed: &str, rows: &[FindingView]) -> Vec<usize> {
    let (mut conditions, mut loose) = (Vec::new(), Vec::new());
    for word in typed.split_whitespace() {
        match Condition::parse(word) {
            Some(condition) => conditions.push(condition),
            None => loose.push(word),
        }
    }
    let mut numbers = filter::matching(&loose.join(" "), rows, words::finding_row);
    numbers.retain(|n| rows.get(*n).is_some_and(|row| conditions.iter().all(|c| c.holds(row))));
    numbers
}

/// The names of the fields, for the line that is typed into.
pub fn fields() -> String {
    FIELDS.map(|(name, _)| format!("{name}:")).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_testutils::fixtures::FakeLab;

    #[test]
    fn fields_and_words_narrow_together() {
        let rows = FakeLab::new(0).findings;
        // (what is typed, the ranks that pass, in the order of the list)
        let cases: [(&str, &[u32]); 12] = [
            ("", &[1, 2, 3, 4, 5, 6, 7, 8]),
            ("state:new", &[1, 3, 4, 5, 7]),
            ("state:new app:files", &[5]),
            ("state:true,false", &[2, 6]),
            ("!state:new", &[2, 6, 8]),
            ("oracle:crash", &[4]),
            ("session:s1", &[1, 4, 7]),
            ("app:", &[1, 2, 3, 4, 5, 6, 7, 8]),
            ("harm:data", &[1, 3]),
            ("hint:volatile", &[6]),
            ("state:new saved", &[7]),
            ("tech:odin", &[]),
        ];
        for (typed, expected) in cases {
            let mut ranks: Vec<u32> = passing(typed, &rows).into_iter().map(|n| rows[n].rank).collect();
            ranks.sort_unstable();
            assert_eq!(ranks, expected, "{typed}");
        }
    }
}
