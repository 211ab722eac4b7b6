//! What explorations type: a few texts that meet, or texts that are unique in their trace.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::gui::{Selector, Widget, short_id};
use crate::record::Texts;

/// Types into the fields of one trace.
#[derive(Clone, Debug)]
pub struct Typist {
    texts: Texts,
    /// What was typed in this trace.
    typed: Vec<String>,
}

/// Few, so that names meet, and alike but for case.
const COLLIDING: [&str; 8] = ["alpha", "Alpha", "beta", "alpha", "gamma 7", "42", "beta", "Delta"];

/// Words for unique texts: with a number each is like nothing that an app shows by itself.
const WORDS: [&str; 40] = [
    "Kestrel", "Juniper", "Harbor", "Lantern", "Meadow", "Pebble", "Saffron", "Timber", "Walnut", "Zephyr",
    "Amber", "Beacon", "Cobalt", "Drifter", "Ember", "Falcon", "Granite", "Hazel", "Indigo", "Jasper",
    "Kelp", "Larch", "Maple", "Nectar", "Osprey", "Poplar", "Quartz", "Raven", "Sorrel", "Tundra", "Umber",
    "Violet", "Willow", "Xenon", "Yarrow", "Zinnia", "Birch", "Cedar", "Dahlia", "Elder",
];

/// Words in the name of a field that takes a number.
const NUMBERS: [&str; 30] = [
    "amount", "number", "num", "price", "cost", "quantity", "qty", "count", "age", "year", "weight",
    "height", "length", "width", "total", "rate", "percent", "phone", "zip", "minutes", "hours", "days",
    "seconds", "budget", "sum", "limit", "port", "distance", "salary", "value",
];

/// Words in the name of a field that takes an address of mail.
const MAIL: [&str; 3] = ["email", "mail", "e-mail"];

/// Draws before a text that was typed already is taken after all.
const DRAWS: usize = 50;

/// What is known of a field before something is typed into it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Hint, description and id.
    names: [&'a str; 3],
    /// What it shows.
    shown: &'a str,
}

impl<'a> Field<'a> {
    /// Of a widget.
    pub fn of(widget: Widget<'a>) -> Self {
        let shown = if widget.text() == widget.hint() { "" } else { widget.text() };
        Self { names: [widget.hint(), widget.description(), widget.short_id()], shown }
    }

    /// Of a recorded receiver.
    pub fn recorded(receiver: &'a Selector) -> Self {
        Self {
            names: [&receiver.text, &receiver.description, short_id(&receiver.resource_id)],
            shown: &receiver.text,
        }
    }

    fn is_numeric(self) -> bool {
        let shows_number = !self.shown.is_empty()
            && self.shown.chars().any(|c| c.is_ascii_digit())
            && self.shown.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'));
        shows_number || self.is_named(&NUMBERS)
    }

    fn is_named(self, words: &[&str]) -> bool {
        let is_word = |part: &str| words.iter().any(|word| part.eq_ignore_ascii_case(word));
        self.names.iter().any(|name| parts(name).iter().any(|part| is_word(part)))
    }
}

/// The words of a name, also of `priceEach` and `price_each`.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars().take(200) {
        let begins = !before.is_alphabetic() || (before.is_lowercase() && c.is_uppercase());
        match parts.last_mut().filter(|_| !begins) {
            _ if !c.is_alphabetic() => {}
            Some(part) => part.push(c),
            None => parts.push(c.to_string()),
        }
        before = c;
    }
    parts
}

impl Typist {
    /// At the start of a trace.
    pub fn new(texts: Texts) -> Self {
        Self { texts, typed: Vec::new() }
    }

    /// In the middle of a trace in which these texts are typed.
    pub fn among<'t>(texts: Texts, typed: impl IntoIterator<Item = &'t str>) -> Self {
        Self { texts, typed: typed.into_iter().map(str::to_owned).collect() }
    }

    /// Another trace begins.
    pub fn begin(&mut self) {
        self.typed.clear();
    }

    /// What was typed in this trace, in order.
    pub fn typed(&self) -> &[String] {
        &self.typed
    }

    /// A text for a field.
    pub fn text(&mut self, field: Field<'_>, rng: &mut ChaCha8Rng) -> String {
        let text = match self.texts {
            Texts::Colliding => {
                let at = rng.random_range(0..COLLIDING.len());
                COLLIDING.get(at).copied().unwrap_or_default().to_owned()
            }
            Texts::Unique => self.unique(field, rng),
        };
        self.typed.push(text.clone());
        text
    }

    fn unique(&self, field: Field<'_>, rng: &mut ChaCha8Rng) -> String {
        let mut text = draw(field, rng);
        for _ in 0..DRAWS {
            let meets = |known: &String| known.contains(&text) || text.contains(known.as_str());
            if !self.typed.iter().any(meets) {
                break;
            }
            text = draw(field, rng);
        }
        text
    }
}

fn draw(field: Field<'_>, rng: &mut ChaCha8Rng) -> String {
    let number = rng.random_range(1_000..10_000);
    if field.is_numeric() {
        return number.to_string();
    }
    let word = WORDS.get(rng.random_range(0..WORDS.len())).copied().unwrap_or_default();
    if field.is_named(&MAIL) {
        return format!("{}{number}@example.org", word.to_ascii_lowercase());
    }
    format!("{word} {number}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    fn field<'a>(name: &'a str, shown: &'a str) -> Field<'a> {
        Field { names: ["", "", name], shown }
    }

    #[test]
    fn unique_texts_fit_the_field_and_meet_no_other() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut typist = Typist::new(Texts::Unique);
        for (name, shown, numeric) in [
            ("title", "", false),
            ("amount", "", true),
            ("priceEach", "", true),
            ("total_amount", "", true),
            ("note", "12.50", true),
            ("note", "12.50 €", false),
            ("accounting", "", false),
            ("", "", false),
        ] {
            let text = typist.text(field(name, shown), &mut rng);
            let is_number = text.chars().all(|c| c.is_ascii_digit());
            assert_eq!(is_number, numeric, "{name} {shown}: {text}");
        }
        assert!(typist.text(field("email", ""), &mut rng).ends_with("@example.org"));
        for _ in 0..200 {
            typist.text(field("title", ""), &mut rng);
        }
        let known: BTreeSet<&String> = typist.typed().iter().collect();
        assert_eq!(known.len(), typist.typed().len());
        assert!(typist.typed().iter().all(|text| text.is_ascii()));
        typist.begin();
        assert!(typist.typed().is_empty());
    }

    #[test]
    fn colliding_texts_come_from_a_small_pool() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut typist = Typist::new(Texts::Colliding);
        let texts: BTreeSet<String> = (0..100).map(|_| typist.text(field("amount", ""), &mut rng)).collect();
        assert_eq!(texts.len(), 6, "{texts:?}");
    }
}
