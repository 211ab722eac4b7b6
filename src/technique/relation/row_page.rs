//! View: touching a row opens a page that says what the row says.
//!
//! It assumes nothing about a single app: what the page of a row says is mined. For each place in a row (its label,
//! each other text) and kind of page it is counted how often the page says the row's text; a page that does not say it
//! is broken once that is a habit, in nine of ten cases. Where each row opens the page of another, no habit ever comes
//! about: that is broken where three rows did, and none its own. It is silent about numbers and short
//! texts, about texts other than the label if the page scrolls, and about pages that are loading or show nothing yet.
//! If a page lacks a text other than the label, that is slight.
//!
//! ```text
//! milk    ──touch──▶   [ milk ]
//! bread   ──touch──▶   [ bread ]
//! eggs    ──touch──▶   [ bread ]       Opening 'eggs' shows a page that says 'bread' instead.
//! ```

use super::row::{Cell, List, Row};
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::{NEVER, STRICT};
use droidmux_gui::{EventKind, Flags, short_class};
use droidmux_record::{Claim, Harm, Held};

pub static VIEW: Relation = Relation {
    name: "view",
    assumes: "where the pages of five rows said what their rows say, the pages of other rows do",
    silent_when: "too few pages of different rows did, or more than one in ten did not",
    judge,
};

/// The most cells of a row that are looked for.
const MOST_CELLS: usize = 6;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for (number, before, event, after) in trail.steps() {
        let opens = event.kind == EventKind::Click && before.shows_page() && after.shows_page();
        if !opens || before.is_same_page(after) || !says_anything(after) {
            continue;
        }
        let Some(receiver) = after.receiver else { continue };
        let Some((list, row)) = before.row_with(receiver) else { continue };
        let (Some(list), Some(row)) = (before.lists().get(list), before.row(list, row)) else { continue };
        if row.is_touched_by(before.layout(), receiver) && row.whole {
            said.extend(Opened { trail, number, before, after, list, row }.says());
        }
    }
    said
}

/// A page with a text of its own besides its title.
fn says_anything(shot: &Shot<'_>) -> bool {
    let look = shot.look();
    !shot.lists().is_empty()
        || !look.labels.is_empty()
        || look.fields.iter().any(|field| !field.text.is_empty())
}

/// A row that was touched and the page it opened.
struct Opened<'t, 'a> {
    trail: &'t Trail<'a>,
    number: usize,
    before: &'t Shot<'a>,
    after: &'t Shot<'a>,
    list: &'t List,
    row: &'t Row,
}

impl Opened<'_, '_> {
    fn says(&self) -> Vec<Said> {
        let scrolls = self.after.layout().widgets().any(|widget| widget.has(Flags::SCROLLABLE));
        let asked = |cell: &Cell| {
            if cell.text == self.row.label { is_name(&cell.text) } else { is_words(&cell.text) && !scrolls }
        };
        // A short note may be its own title.
        let says_it_again = |number: usize, cell: &Cell| {
            self.row.cells.iter().take(number).any(|earlier| earlier.text == cell.text)
        };
        let cells = self.row.cells.iter().enumerate();
        let cells = cells.filter(|(number, cell)| asked(cell) && !says_it_again(*number, cell));
        cells.take(MOST_CELLS).flat_map(|(_, cell)| self.cell(cell)).collect()
    }

    /// What the page says of a text of its row: by the app's habit and, for its label, whether it is the page of another.
    fn cell(&self, cell: &Cell) -> Vec<Said> {
        let (about, is_label) = (self.about(cell), cell.text == self.row.label);
        let never = fingerprint(&[&about.to_string(), "another's"]);
        if self.after.shows(cell.text.trim_end_matches(['…', '.'])) {
            let object = fingerprint(&[&self.row.label, &cell.text]);
            let claims = if is_label { vec![about, never] } else { vec![about] };
            return claims.into_iter().map(|about| Said::Held(Held::new(VIEW.name, about, object))).collect();
        }
        let other = self.other().filter(|_| is_label);
        let sentence = match other {
            Some(other) => self.shows_other(other),
            None => self.without(cell),
        };
        let activity = short_class(&self.after.seen.screen.activity);
        let what = format!("{} {activity}", cell.key);
        let mut said = vec![self.broken(cell, what, &sentence, Claim::new(VIEW.name, about, STRICT))];
        if other.is_some() {
            let what = format!("another's {} {activity}", cell.key);
            said.push(self.broken(cell, what, &sentence, Claim::new(VIEW.name, never, NEVER)));
        }
        said
    }

    fn broken(&self, cell: &Cell, what: String, sentence: &str, claim: Claim) -> Said {
        let is_label = cell.text == self.row.label;
        Said::Broken(Box::new(Break {
            cause: Cause::Own,
            page: self.trail.page_name(self.number - 1),
            list: self.list.id.clone(),
            event: EventKind::Click,
            what,
            expected: format!("the page of a row says {}, as those of other rows do", quoted(&cell.text)),
            found: sentence.to_owned(),
            sentence: sentence.to_owned(),
            shots: (self.number - 1, self.number),
            widgets: (self.row.note(self.before.layout()), Vec::new()),
            claim: Some(claim),
            harm: if is_label { Harm::WrongObject } else { Harm::WrongDisplay },
            // What a row says besides its label is often a summary: a state, the latest message, the next date.
            slight: !is_label,
        }))
    }

    /// Equal for the same place in the rows of one list that open the same kind of page.
    fn about(&self, cell: &Cell) -> u64 {
        let fields: Vec<&str> = self.after.look().fields.iter().map(|field| field.key.as_str()).collect();
        fingerprint(&[
            &self.before.seen.screen.activity,
            &self.list.id,
            &self.row.kind,
            &cell.key,
            &self.after.seen.screen.activity,
            &fields.join(" "),
        ])
    }

    /// The row whose page it is, where that is another.
    fn other(&self) -> Option<&Row> {
        let mut others =
            self.list.rows.iter().filter(|row| row.label != self.row.label && is_name(&row.label));
        let look = self.after.look();
        let told = |text: &str| look.title == text || look.fields.iter().any(|field| field.text == text);
        others.find(|row| told(&row.label))
    }

    fn shows_other(&self, other: &Row) -> String {
        let (label, other) = (quoted(&self.row.label), quoted(&other.label));
        format!("Opening {label} shows a page that says {other} instead.")
    }

    fn without(&self, cell: &Cell) -> String {
        let (label, text) = (quoted(&self.row.label), quoted(&cell.text));
        match cell.text == self.row.label {
            true => format!("Opening {label} shows a page that does not say {label}."),
            false => format!("The page of {label} does not say {text}, as its row in the list does."),
        }
    }
}

/// Long enough to be told from other texts.
fn is_name(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2
}

/// A text without numbers: those change by themselves.
fn is_words(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3 && !text.chars().any(char::is_numeric)
}

#[cfg(test)]
#[path = "row_page_tests.rs"]
mod tests;
