//! Metamorphic relations: what must hold between a form filled in with valid texts and the same
//! form with one unusual text (the part of the oracle beyond crashes and ANRs).
//!
//! - **Hang**: with the valid text the page settles, twice; with the unusual one it still loads, or
//!   does not settle, after the driver waited.
//! - **Lost**: with the valid text the page reached shows it, twice; with the unusual text the same
//!   page is reached, and shows that text nowhere, whole. Case, outer blanks and characters that
//!   dumps cannot hold do not count; a number counts as shown where the same value stands in the place
//!   of the valid number, however the app spells it, unless that has leading zeros as codes do.
//! - **Wrong result**: the unusual text denotes the same value as the valid one (see
//!   [`same_value`]) and the same page is reached, but what it shows differs in more than the
//!   spelling of that text.
//!
//! - **Wrongly accepted**: the unusual text should be refused, as the model says that proposed it, stands in its field
//!   as it was typed, and leads to the same page as the valid one.
//!
//! Limits: only what is on the page reached (or one event further) is seen; a form that stays is
//! taken to have refused the text, and whatever it says is believed; texts that differ between the
//! two runs with valid texts are not looked at; a page that shows a valid text by chance is told
//! from one that shows the input only by how unlikely the text is; an app that refuses, says so on
//! the next page and goes on is taken to have lost the text (the verdict then carries a hint).

use std::collections::BTreeSet;

use super::dumped::{carries, says_nothing};
use super::landing::{Landing, Shown, texts};
use droidmux_record::{Hint, Mistreatment};
use droidmux_words::decimal::{Decimal, decimals, is_code, narrow};

/// How an unusual text is mistreated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Breakage {
    pub how: Mistreatment,
    /// The text with the valid input that says so, and what stands there now; empty for nothing.
    pub expected: String,
    pub found: String,
    pub hints: Vec<Hint>,
}

/// What is wrong with the unusual text, compared with two runs with the valid one; `None` when nothing is, or nothing
/// can be said. `forbidden`: the form should refuse it.
pub(super) fn breakage(valid: [&Landing; 2], unusual: &Landing, forbidden: bool) -> Option<Breakage> {
    let [first, second] = valid;
    let steady = first.is_beside(second)
        && first.form == unusual.form
        && [first, second].iter().all(|l| !l.crashed && l.end.in_app);
    if !steady || unusual.crashed || unusual.text == first.text {
        return None;
    }
    if !first.loading && !second.loading && unusual.loading {
        return Some(Breakage {
            how: Mistreatment::Hang,
            expected: String::new(),
            found: String::new(),
            hints: Vec::new(),
        });
    }
    let entered = unusual.echo.as_ref().is_none_or(|echo| carries(echo, &unusual.text));
    if !entered || !first.is_beside(unusual) || unusual.loading {
        return None;
    }
    let pages = Pages::of(first, second, unusual);
    pages.breakage().or_else(|| (forbidden && unusual.echo.is_some()).then(|| pages.wrongly_accepted())?)
}

/// The texts of the pages reached, without those of volatile widgets.
struct Pages<'a> {
    valid: &'a str,
    unusual: &'a str,
    stays: bool,
    /// The valid text is part of another one that was entered, which the page may show as well.
    is_shared: bool,
    /// What the form showed before it was submitted with the valid text.
    form: Vec<Shown>,
    with_valid: Vec<Shown>,
    with_unusual: Vec<Shown>,
}

impl<'a> Pages<'a> {
    fn of(first: &'a Landing, second: &Landing, unusual: &'a Landing) -> Self {
        let (one, two) = (texts(&first.page), texts(&second.page));
        let place = |shown: &Shown| (shown.class.clone(), shown.resource_id.clone());
        let volatile: BTreeSet<(String, String)> =
            without(&one, &two).chain(without(&two, &one)).map(place).collect();
        let steady = |all: Vec<Shown>| all.into_iter().filter(|s| !volatile.contains(&place(s))).collect();
        Self {
            valid: &first.text,
            unusual: &unusual.text,
            stays: first.stays,
            is_shared: first.others.iter().any(|other| other.contains(&first.text)),
            form: texts(&first.filled),
            with_valid: steady(one),
            with_unusual: steady(texts(&unusual.page)),
        }
    }

    fn breakage(&self) -> Option<Breakage> {
        if same_value(self.valid, self.unusual) { self.wrong_result() } else { self.lost() }
    }

    /// The page reached is that of an accepted text, and says nothing that it does not say with the valid one.
    fn wrongly_accepted(&self) -> Option<Breakage> {
        let shows_text =
            |shown: &&Shown| carries(&shown.text, self.unusual) || carries(self.unusual, &shown.text);
        let message = without(&self.with_unusual, &self.with_valid).find(|shown| {
            let in_place = self
                .with_valid
                .iter()
                .any(|usual| (&usual.class, &usual.resource_id) == (&shown.class, &shown.resource_id));
            !shows_text(shown) && !in_place
        });
        if self.stays || message.is_some() {
            return None;
        }
        let how = Mistreatment::WronglyAccepted;
        Some(Breakage { how, expected: String::new(), found: String::new(), hints: Vec::new() })
    }

    fn lost(&self) -> Option<Breakage> {
        if self.stays || says_nothing(self.unusual) || self.is_shared {
            return None;
        }
        if self.with_unusual.iter().any(|shown| carries(&shown.text, self.unusual)) {
            return None;
        }
        if self.anchors().any(|anchor| self.shows_value(anchor)) {
            return None;
        }
        let (anchor, found) = self.anchors().find_map(|(anchor, before, after)| {
            let found = self.framed(anchor, before, after).next();
            // By chance: the page shows it whatever is entered, unless the unusual text was cut to it.
            let unchanged = found.is_some_and(|found| found.text == anchor.text);
            let by_chance = unchanged && !(is_telling(self.valid) && self.unusual.contains(self.valid));
            (!by_chance).then(|| (anchor, found.map(|found| found.text.clone()).unwrap_or_default()))
        })?;
        let extra = without(&self.with_unusual, &self.with_valid).find(|shown| shown.text != found);
        let hint = extra.map(|shown| Hint {
            cause: "message".into(),
            detail: format!(
                "another text appeared, which may explain it: {}",
                droidmux_record::told(&shown.text)
            ),
        });
        Some(Breakage {
            how: Mistreatment::Lost,
            expected: anchor.text.clone(),
            found,
            hints: hint.into_iter().collect(),
        })
    }

    /// True when the unusual number stands where the valid one stood, in whatever spelling, or rounded to the decimals
    /// that are shown.
    fn shows_value(&self, (anchor, before, after): (&Shown, &str, &str)) -> bool {
        let Some(number) = Decimal::read(self.unusual) else { return false };
        // The page may show decimals that were not entered.
        let after = match after.strip_prefix('.').filter(|_| Decimal::read(self.valid).is_some()) {
            Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
            None => after,
        };
        let spelled_for_itself = Decimal::read(self.valid).is_none() || is_code(self.valid);
        let value = |shown: &Shown| {
            let rest = shown.text.strip_prefix(before)?.strip_suffix(after)?;
            Some(Shorter { number: Decimal::read(rest)?, decimals: decimals(rest) })
        };
        !spelled_for_itself
            && self.framed(anchor, before, after).filter_map(value).any(|shown| shown.is_shown_for(&number))
    }

    /// What stands in an anchor's place now, between the same words.
    fn framed<'b>(
        &'b self,
        anchor: &'b Shown,
        before: &'b str,
        after: &'b str,
    ) -> impl Iterator<Item = &'b Shown> {
        let here = move |s: &&Shown| s.class == anchor.class && s.resource_id == anchor.resource_id;
        let framed = move |s: &&Shown| s.text.starts_with(before) && s.text.ends_with(after);
        self.with_unusual.iter().filter(here).filter(framed)
    }

    /// The texts that show the valid input and did not stand on the form, with what stands before
    /// and after it.
    fn anchors(&self) -> impl Iterator<Item = (&Shown, &str, &str)> {
        self.with_valid.iter().filter(|shown| !self.form.contains(shown)).filter_map(|shown| {
            let at = shown.text.find(self.valid).filter(|_| !self.valid.trim().is_empty())?;
            let (before, rest) = shown.text.split_at(at);
            let after = rest.get(self.valid.len()..)?;
            let cuts_a_word = before.ends_with(char::is_alphanumeric)
                && self.valid.starts_with(char::is_alphanumeric)
                || after.starts_with(char::is_alphanumeric) && self.valid.ends_with(char::is_alphanumeric);
            // A sum of 2.06 does not show the 2 that was typed.
            let cuts_a_number = Decimal::read(self.valid).is_some() && is_a_part(before, after);
            (!cuts_a_word && !cuts_a_number).then_some((shown, before, after))
        })
    }

    fn wrong_result(&self) -> Option<Breakage> {
        // However the page spells the value, it is the same one.
        let same = |text: &str| spelled_alike(text, self.unusual, self.valid);
        let alike = |all: &[Shown]| -> Vec<Shown> {
            all.iter().map(|shown| Shown { text: same(&shown.text), ..shown.clone() }).collect()
        };
        let (usual, now) = (alike(&self.with_valid), alike(&self.with_unusual));
        let missing: Vec<&Shown> = without(&usual, &now).collect();
        let extra: Vec<&Shown> = without(&now, &usual).collect();
        let expected = missing.first()?;
        let says_other = |extra: &&Shown| {
            missing.iter().any(|m| {
                m.class == extra.class
                    && m.resource_id == extra.resource_id
                    && same_words(&m.text, &extra.text)
            })
        };
        if self.stays && extra.is_empty() || !extra.iter().all(says_other) {
            return None;
        }
        Some(Breakage {
            how: Mistreatment::WrongResult,
            expected: expected.text.clone(),
            found: extra.first().map(|shown| shown.text.clone()).unwrap_or_default(),
            hints: Vec::new(),
        })
    }
}

/// Whether what stands around a number makes it a part of one of another value: `2` in `2.06`, but not in `2.00`.
fn is_a_part(before: &str, after: &str) -> bool {
    let decimals = after.strip_prefix('.').map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    let is_zero = decimals.flatten().is_some_and(|digits| digits.bytes().all(|digit| digit == b'0'));
    !is_zero && touches(after.chars()) || touches(before.chars().rev())
}

/// Whether a point or a comma, and a digit, come first.
fn touches(mut beside: impl Iterator<Item = char>) -> bool {
    matches!(beside.next(), Some('.' | ',')) && beside.next().is_some_and(|c| c.is_ascii_digit())
}

/// A number as a page shows it.
struct Shorter {
    number: Decimal,
    decimals: usize,
}

impl Shorter {
    /// Whether it is this number, or this number rounded or cut to the decimals shown.
    fn is_shown_for(&self, number: &Decimal) -> bool {
        self.number == *number
            || self.decimals > 0 && number.cut(self.decimals).is_some_and(|cut| cut.contains(&self.number))
    }
}

/// What is in the one list and not in the other, each as often.
fn without<'a>(all: &'a [Shown], other: &[Shown]) -> impl Iterator<Item = &'a Shown> {
    let mut left: Vec<Shown> = other.to_vec();
    all.iter().filter(move |shown| match left.iter().position(|other| other == *shown) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    })
}

/// True for a text that hardly stands on a page by chance.
fn is_telling(text: &str) -> bool {
    let count = text.chars().count();
    count >= 4 || (count >= 3 && text.chars().any(char::is_alphabetic))
}

/// True when two different texts denote one value: the same text apart from outer blanks and full-width digits, or the
/// same number in another notation.
pub(super) fn same_value(one: &str, other: &str) -> bool {
    if one == other {
        return false;
    }
    let plain = |text: &str| -> String { text.trim().chars().map(narrow).collect() };
    let (one, other) = (plain(one), plain(other));
    if one == other {
        return !one.is_empty();
    }
    matches!((Decimal::read(&one), Decimal::read(&other)), (Some(one), Some(other)) if one == other)
}

/// A text of the page with the unusual spelling of the value, as it was entered, trimmed or
/// narrowed, and any other spelling of a number, replaced by the valid one.
fn spelled_alike(text: &str, unusual: &str, valid: &str) -> String {
    let narrowed: String = unusual.trim().chars().map(narrow).collect();
    let mut text = text.to_owned();
    for spelling in [unusual, unusual.trim(), narrowed.as_str()] {
        if !spelling.is_empty() && spelling != valid {
            text = text.replace(spelling, valid);
        }
    }
    Decimal::read(valid).map_or(text.clone(), |number| number.respelled(&text, valid))
}

/// True when two texts have the same words in the same places, except where the first has a number.
fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    let has_digit = |word: &str| word.chars().any(char::is_numeric);
    one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| one == other || has_digit(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        for (one, other, same) in [
            ("7", "007", true),
            ("7", "+7", true),
            ("7", "7.0", true),
            ("7", " 7 ", true),
            ("7", "７", true),
            ("Ann", "Ann ", true),
            ("0", "-0", true),
            ("7", "-7", false),
            ("7", "7", false),
            ("7", "70", false),
            ("7", "7e0", true),
            ("1000", "1,000", true),
            ("7", "7e1", false),
            ("Ann", "ann", false),
            ("1.5", "1.50", true),
            ("", " ", false),
        ] {
            assert_eq!(same_value(one, other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_number_that_is_a_part_of_another_is_not_shown() {
        for (before, after, cut) in [
            ("Altogether ", ".06", true),
            ("", ".00 EUR", false),
            ("1,", "", true),
            ("1.", " kg", true),
            ("Altogether ", ".", false),
            ("for ", ", please", false),
            ("v.", "", false),
        ] {
            assert_eq!(is_a_part(before, after), cut, "{before:?} {after:?}");
        }
    }

    /// A valid text and what the page shows with it, an unusual one with what it shows then.
    #[test]
    fn numbers_are_judged_by_value() {
        let (lost, wrong) = (Some(Mistreatment::Lost), Some(Mistreatment::WrongResult));
        for (valid, usually, unusual, now, expected) in [
            // Normalised.
            ("70", "Weight: 70 kg", "72.5e0", "Weight: 72.5 kg", None),
            ("70", "70", "+5", "5", None),
            ("70", "70", "0456", "456", None),
            ("70", "70", "７１", "71", None),
            ("70", "70 kg", "1,000", "1000 kg", None),
            ("70", "70 kg", "1000", "1,000 kg", None),
            ("70", "70", ".5", "0.50", None),
            // Rounded, or cut, to the decimals shown.
            ("70", "70.0 kg", "72.123456", "72.1 kg", None),
            ("70", "70.00", "72.996", "73.00", None),
            ("70", "70.00", "72.996", "72.99", None),
            ("70", "70.0", "72.123456", "72.2", lost),
            ("70", "70.0", "72.123456", "7.2", lost),
            ("70", "70", "72.123456", "72", lost),
            // Changed.
            ("70", "Weight: 70 kg", "72.5e0", "Weight: 72 kg", lost),
            ("70", "70", "725e-1", "725", lost),
            ("70", "70", "1e3", "1", lost),
            ("70", "70", "-5", "5", lost),
            ("70", "70 kg", "1,000", "1 kg", lost),
            ("70", "70", "72.5e0", "", lost),
            ("70", "70", "99999999999", "1410065407", lost),
            // No number where one was typed, or none that is told by its value.
            ("70", "70", "72.5e0", "NaN", lost),
            ("Ann", "Ann", "007", "7", lost),
            ("007", "007", "008", "8", lost),
            ("70", "70", "7o", "7", lost),
            // The same value.
            ("72.5", "BMI 21", "72.5e0", "BMI 21", None),
            ("72.5", "BMI 21", "72.5e0", "BMI 3", wrong),
            ("7", "Sum: 7", "7e0", "Sum: 7.0", None),
            ("7", "Sum: 7", "+7", "Sum: -7", wrong),
        ] {
            let shown = |text: &str| Shown {
                class: "android.widget.TextView".into(),
                resource_id: "a:id/result".into(),
                text: text.into(),
            };
            let pages = Pages {
                valid,
                unusual,
                stays: false,
                is_shared: false,
                form: Vec::new(),
                with_valid: vec![shown(usually)],
                with_unusual: if now.is_empty() { Vec::new() } else { vec![shown(now)] },
            };
            let how = pages.breakage().map(|breakage| breakage.how);
            assert_eq!(how, expected, "{valid} as {usually}, {unusual} as {now}");
        }
    }

    #[test]
    fn numbers_may_differ_words_not() {
        for (one, other, same) in [
            ("BMI: 22.5", "BMI: NaN", true),
            ("BMI: 22.5", "Weight: 22.5", false),
            ("12", "8", true),
            ("Saved", "Not a number", false),
            ("Total 3 EUR", "Total EUR", false),
        ] {
            assert_eq!(same_words(one, other), same, "{one:?} {other:?}");
        }
    }
}
