//! What explorations type: texts that meet, or texts that are unique in their trace.
//!
//! Texts that meet come from a small pool, or are the names of the app's own rows, exactly or nearly: a second object
//! of the same name, one that differs only in case, a name with a character in it that means something to files and
//! patterns. In both kinds of traces, what is typed into a search is mostly the name of a row: a search that finds
//! nothing tells little. A field takes numbers where it is named so, and where it refused something else: no dump tells
//! what a field lets in, and a form that wants all of its fields filled is not left otherwise.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::field::Field;
use super::rows::names_of;
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::Texts;

/// Types into the fields of one trace.
#[derive(Clone, Debug)]
pub struct Typist {
    texts: Texts,
    /// What was typed in this trace; searches for what was there before are left out.
    typed: Vec<String>,
    /// Fields that did not let in what was typed, by their names.
    refusing: BTreeSet<String>,
    /// The layouts seen last in this trace.
    seen: VecDeque<(LayoutHash, Arc<Layout>)>,
}

/// Few, so that names meet, and alike but for case.
const COLLIDING: [&str; 8] = ["alpha", "Alpha", "beta", "alpha", "gamma 7", "42", "beta", "Delta"];

/// The same for fields that take numbers.
const COLLIDING_NUMBERS: [&str; 6] = ["42", "7", "42", "100", "7", "1"];

/// Fields that are remembered to take numbers.
const MOST_REFUSING: usize = 100;

/// Words for unique texts: with a number each is like nothing that an app shows by itself.
const WORDS: [&str; 40] = [
    "Kestrel", "Juniper", "Harbor", "Lantern", "Meadow", "Pebble", "Saffron", "Timber", "Walnut", "Zephyr",
    "Amber", "Beacon", "Cobalt", "Drifter", "Ember", "Falcon", "Granite", "Hazel", "Indigo", "Jasper",
    "Kelp", "Larch", "Maple", "Nectar", "Osprey", "Poplar", "Quartz", "Raven", "Sorrel", "Tundra", "Umber",
    "Violet", "Willow", "Xenon", "Yarrow", "Zinnia", "Birch", "Cedar", "Dahlia", "Elder",
];

/// Layouts whose rows are remembered.
const REMEMBERED: usize = 8;

/// Longest name of a row that is typed, in characters.
const LONGEST: usize = 30;

/// Draws before a text that was typed already is taken after all.
const DRAWS: usize = 50;

impl Typist {
    /// At the start of a trace.
    pub fn new(texts: Texts) -> Self {
        Self::among(texts, [])
    }

    /// In the middle of a trace in which these texts are typed.
    pub fn among<'t>(texts: Texts, typed: impl IntoIterator<Item = &'t str>) -> Self {
        let typed = typed.into_iter().map(str::to_owned).collect();
        Self { texts, typed, refusing: BTreeSet::new(), seen: VecDeque::new() }
    }

    /// Another trace begins.
    pub fn begin(&mut self) {
        self.typed.clear();
        self.seen.clear();
    }

    /// Takes in what the trace shows.
    pub fn look(&mut self, hash: LayoutHash, layout: &Arc<Layout>) {
        if self.seen.iter().any(|(known, _)| *known == hash) {
            return;
        }
        if self.seen.len() >= REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back((hash, Arc::clone(layout)));
    }

    /// A field stayed as it was when this was typed into it. True if another kind of text may be let in.
    pub fn refused(&mut self, field: Field<'_>, text: &str) -> bool {
        let is_number = text.chars().all(|c| c.is_ascii_digit());
        !is_number
            && field.shown() != text
            && self.refusing.len() < MOST_REFUSING
            && self.refusing.insert(field.name().to_owned())
    }

    /// What was typed in this trace, in order.
    pub fn typed(&self) -> &[String] {
        &self.typed
    }

    /// A text for a field.
    pub fn text(&mut self, field: Field<'_>, rng: &mut ChaCha8Rng) -> String {
        let searches = field.searches();
        let meets = match self.texts {
            _ if searches => rng.random_bool(0.8),
            Texts::Colliding => rng.random_bool(0.4),
            Texts::Unique => false,
        };
        if meets && let Some(name) = self.name(field, rng) {
            if searches {
                return if rng.random_bool(0.75) { name } else { beginning(&name) };
            }
            let name = alike(name, rng);
            self.typed.push(name.clone());
            return name;
        }
        let text = match self.texts {
            Texts::Colliding => {
                let pool = if self.takes_number(field) { &COLLIDING_NUMBERS[..] } else { &COLLIDING };
                let at = rng.random_range(0..pool.len());
                pool.get(at).copied().unwrap_or_default().to_owned()
            }
            Texts::Unique => self.unique(field, rng),
        };
        self.typed.push(text.clone());
        text
    }

    /// The name of a row seen in this trace.
    fn name(&self, field: Field<'_>, rng: &mut ChaCha8Rng) -> Option<String> {
        let names = self.seen.iter().flat_map(|(_, layout)| names_of(layout)).map(|name| name.text().trim());
        let fits = |name: &&str| name.chars().count() <= LONGEST && !name.contains('\n');
        let names: BTreeSet<&str> = names.filter(fits).filter(|_| !self.takes_number(field)).collect();
        let at = rng.random_range(0..names.len().max(1));
        names.into_iter().nth(at).map(str::to_owned)
    }

    fn unique(&self, field: Field<'_>, rng: &mut ChaCha8Rng) -> String {
        let number = self.takes_number(field);
        let mut text = draw(field, number, rng);
        for _ in 0..DRAWS {
            let meets = |known: &String| known.contains(&text) || text.contains(known.as_str());
            if !self.typed.iter().any(meets) {
                break;
            }
            text = draw(field, number, rng);
        }
        text
    }

    fn takes_number(&self, field: Field<'_>) -> bool {
        field.is_numeric() || self.refusing.contains(field.name())
    }
}

/// This name, or one that is nearly the same.
fn alike(name: String, rng: &mut ChaCha8Rng) -> String {
    match rng.random_range(0..10) {
        0..=5 => name,
        6..=7 if name.chars().any(char::is_uppercase) => name.to_lowercase(),
        6..=7 => name.to_uppercase(),
        8 => beginning(&name),
        _ => format!("{name}?"),
    }
}

/// The first word of a name, or the first half of its only one.
fn beginning(name: &str) -> String {
    match name.split_once(' ') {
        Some((first, _)) if !first.is_empty() => first.to_owned(),
        _ => name.chars().take(name.chars().count().div_ceil(2)).collect(),
    }
}

fn draw(field: Field<'_>, takes_number: bool, rng: &mut ChaCha8Rng) -> String {
    let number = rng.random_range(1_000..10_000);
    if takes_number {
        return number.to_string();
    }
    let word = WORDS.get(rng.random_range(0..WORDS.len())).copied().unwrap_or_default();
    if field.takes_mail() {
        return format!("{}{number}@example.org", word.to_ascii_lowercase());
    }
    format!("{word} {number}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;
    use droidmux_gui::dump::read_dump;

    fn field<'a>(name: &'a str, shown: &'a str) -> Field<'a> {
        Field::named(name, shown)
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
    fn names_of_rows_are_typed_where_texts_meet_and_into_searches() {
        let page = read_dump(
            br#"<hierarchy rotation="0"><node class="android.widget.ListView" bounds="[0,0][500,900]">
            <node class="android.widget.LinearLayout" bounds="[0,0][500,90]">
            <node class="android.widget.TextView" text="Green tea" bounds="[0,0][400,90]"/></node>
            <node class="android.widget.LinearLayout" bounds="[0,90][500,180]">
            <node class="android.widget.TextView" text="Pie" bounds="[0,90][400,180]"/></node>
            </node></hierarchy>"#,
        );
        let page = Arc::new(page.expect("a dump").layout);
        // what the texts are, the field, whether a text of rows may be typed, and whether nothing else may
        for (texts, name, possible) in [
            (Texts::Unique, "title", &[][..]),
            (Texts::Unique, "search_src_text", &["Green tea", "Pie", "Green", "Pi"]),
            (Texts::Colliding, "queryField", &["Green tea", "Pie", "Green", "Pi"]),
            (
                Texts::Colliding,
                "title",
                &["Green tea", "Pie", "green tea", "pie", "Green", "Pi", "Green tea?", "Pie?"],
            ),
            (Texts::Colliding, "amount", &[]),
        ] {
            let mut rng = ChaCha8Rng::seed_from_u64(4);
            let mut typist = Typist::new(texts);
            typist.look(LayoutHash([1; 16]), &page);
            let typed: BTreeSet<String> = (0..400).map(|_| typist.text(field(name, ""), &mut rng)).collect();
            let of_rows: BTreeSet<&str> = typed
                .iter()
                .map(String::as_str)
                .filter(|text| {
                    text.to_lowercase().starts_with("green") || text.to_lowercase().starts_with("pi")
                })
                .collect();
            assert_eq!(of_rows, possible.iter().copied().collect(), "{texts:?} {name}");
            assert!(typed.len() > of_rows.len(), "{texts:?} {name}: not only those");
            typist.begin();
            assert!(!(0..50).any(|_| typist.text(field(name, ""), &mut rng).starts_with("Green")));
        }
    }

    #[test]
    fn colliding_texts_come_from_a_small_pool() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut typist = Typist::new(Texts::Colliding);
        for (name, most, numbers) in [("title", 6, 1), ("amount", 4, 4)] {
            let texts: BTreeSet<String> = (0..100).map(|_| typist.text(field(name, ""), &mut rng)).collect();
            assert_eq!(texts.len(), most, "{texts:?}");
            let is_number = |text: &&String| text.chars().all(|c| c.is_ascii_digit());
            assert_eq!(texts.iter().filter(is_number).count(), numbers, "{texts:?}");
        }
    }

    #[test]
    fn what_a_field_refuses_is_followed_by_a_number() {
        for (what, typed, shown, again) in [
            ("a word", "alpha", "", true),
            ("a number", "42", "", false),
            ("what is there already", "alpha", "alpha", false),
        ] {
            for texts in [Texts::Unique, Texts::Colliding] {
                let mut rng = ChaCha8Rng::seed_from_u64(4);
                let mut typist = Typist::new(texts);
                assert_eq!(typist.refused(field("where", shown), typed), again, "{what}");
                assert!(!typist.refused(field("where", shown), typed), "{what}: once");
                typist.begin();
                let mut all = (0..20).map(|_| typist.text(field("where", shown), &mut rng));
                assert_eq!(all.all(|text| text.chars().all(|c| c.is_ascii_digit())), again, "{what}");
                let other = (0..20).map(|_| typist.text(field("title", ""), &mut rng));
                assert!(other.into_iter().any(|text| text.chars().any(char::is_alphabetic)), "{what}");
            }
        }
    }
}
