//! Row locality: what is done to a row changes that row only; others may move.
//!
//! It assumes that an event that usually keeps to its row always does: for each kind of touch (the row itself, a button
//! in it, an item of its menu) it is counted how often all other rows stayed as they were. Once that is a habit, in nine
//! of ten cases, a change to another row breaks the relation. It is silent about numbers and clocks, about a mark that
//! moves from one row to another (there is one at a time), about rows that share their label, and when the page is in
//! another mode.
//!
//! ```text
//! [ ] milk                [x] milk
//! [ ] bread   ──tick──▶   [x] bread      Ticking 'milk' ticked 'bread', too.
//! ```

use super::change::Change;
use super::deed::Deed;
use super::row::{Cell, List, Row};
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::STRICT;
use droidmux_account::apart;
use droidmux_gui::EventKind;
use droidmux_record::{Claim, Harm, Held};

pub static LOCALITY: Relation = Relation {
    name: "row-locality",
    assumes: "a touch that left all other rows alone five times leaves them alone always",
    silent_when: "it did so too seldom; about numbers, clocks and a mark that moves",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    trail.deeds().iter().filter_map(|deed| Acted::of(trail, deed)).filter_map(|acted| acted.says()).collect()
}

/// A row that something was done to, with its list before and after.
pub struct Acted<'t, 'a> {
    pub trail: &'t Trail<'a>,
    pub deed: &'t Deed,
    pub before: &'t Shot<'a>,
    pub after: &'t Shot<'a>,
    /// The list on both shots.
    pub lists: (&'t List, &'t List),
    /// No other row has its label.
    pub row: &'t Row,
    pub change: Change<'t>,
}

impl<'t, 'a> Acted<'t, 'a> {
    /// `None` unless both shots show the list in the same mode and the row is told by its label.
    pub fn of(trail: &'t Trail<'a>, deed: &'t Deed) -> Option<Self> {
        let (list, row) = deed.row(trail)?;
        let (before, after) = (trail.shot(deed.from)?, trail.shot(deed.to)?);
        let touches = deed.events(trail).all(|(_, event, _)| {
            matches!(event.kind, EventKind::Click | EventKind::LongClick | EventKind::Edit | EventKind::Enter)
        });
        let is_page = before.shows_page() && after.shows_page() && before.is_same_place(after);
        before.list(&list.id)?;
        list.only(&row.label)?;
        let later = after.list(&list.id)?;
        let change = Change::between(list, later);
        (touches && is_page).then_some(Self { trail, deed, before, after, lists: (list, later), row, change })
    }

    /// What was touched in the row, or last chosen in a window: the same in all rows.
    pub fn control(&self) -> String {
        let touched = |(before, _, after): (&Shot<'_>, _, &Shot<'_>)| {
            let widget = before.layout().get(after.receiver?)?;
            let inside = self.row.cells.iter().find(|cell| cell.widget == widget.id());
            Some(match inside {
                Some(cell) if before.turn == self.before.turn => cell.key.clone(),
                None if before.turn == self.before.turn => widget.short_id().to_owned(),
                _ => format!("{} {} {}", widget.short_class(), widget.short_id(), before.word(widget.id())),
            })
        };
        let kinds: Vec<String> = self.deed.events(self.trail).filter_map(touched).collect();
        kinds.join("\n")
    }

    /// Equal for the same touch on rows of the same list.
    pub fn about(&self) -> u64 {
        fingerprint(&[&self.before.seen.screen.activity, &self.lists.0.id, &self.row.kind, &self.control()])
    }

    /// What a person calls the last thing that was touched; empty for the row itself.
    pub fn word(&self) -> String {
        let last = self.deed.events(self.trail).filter(|(_, _, after)| after.receiver.is_some()).last();
        let named = last.and_then(|(before, _, after)| {
            let receiver = after.receiver?;
            let is_row = before.turn == self.before.turn && self.row.is_touched_by(before.layout(), receiver);
            (!is_row).then(|| before.word(receiver))
        });
        named.filter(|word| *word != self.row.label).unwrap_or_default()
    }

    fn says(&self) -> Option<Said> {
        if self.change.is_empty() || self.deed.names_all(self.trail) {
            return None;
        }
        let (other, what) = match self.struck() {
            Some(struck) => struck,
            None => {
                let object = fingerprint(&[&self.row.label]);
                return Some(Said::Held(Held::new(LOCALITY.name, self.about(), object)));
            }
        };
        let claim = Claim::new(LOCALITY.name, self.about(), STRICT);
        let own = self.change.changed.iter().map(|(row, _, _)| row).chain(&self.change.gone);
        let too = if own.into_iter().any(|row| row.label == self.row.label) { ", too" } else { "" };
        // A row that goes with the one that was meant may be made of it: a sum, a selection, a folder within.
        let slight = !too.is_empty() && self.change.gone.iter().any(|row| row.label == other.label);
        let sentence = format!("{} {what}{too}.", self.doing());
        Some(Said::Broken(Box::new(Break {
            cause: Cause::WrongRow,
            page: self.trail.page_name(self.deed.from),
            list: self.lists.0.id.clone(),
            event: self.deed.kind(self.trail),
            what: "other row".into(),
            expected: "what is done to a row changes that row only".into(),
            found: sentence.clone(),
            sentence,
            shots: (self.deed.from, self.deed.to),
            widgets: (other.note(self.before.layout()), Vec::new()),
            claim: Some(claim),
            harm: if self.change.gone.iter().any(|row| row.label == other.label) {
                Harm::LostData
            } else {
                Harm::WrongObject
            },
            slight,
        })))
    }

    /// Another row that the deed changed, and what it did to it, in words.
    fn struck(&self) -> Option<(&'t Row, String)> {
        let is_other = |row: &&&Row| row.label != self.row.label;
        if self.change.added.is_empty()
            && let Some(row) = self.change.gone.iter().find(is_other)
        {
            return Some((row, format!("removed {}", quoted(&row.label))));
        }
        let others = self
            .change
            .changed
            .iter()
            .filter(|(row, was, is)| row.label != self.row.label && !self.moves(was, is));
        let mut others = others.map(|(row, was, is)| (*row, changed(row, was, is)));
        others.next()
    }

    /// A mark that the other row lost and this one has got, or the other way round: there is one at a time.
    fn moves(&self, was: &Cell, is: &Cell) -> bool {
        let passed = |from: &str, to: &str| !from.is_empty() && from == to;
        let mut own = self.change.changed.iter().filter(|(row, _, _)| row.label == self.row.label);
        own.any(|(_, then, now)| {
            let ticks = was.checked != is.checked && then.checked == is.checked && now.checked == was.checked;
            let texts = passed(&was.text, &now.text) || passed(&is.text, &then.text);
            let words =
                passed(&was.description, &now.description) || passed(&is.description, &then.description);
            (then.key == was.key || then.key == is.key) && (ticks || texts || words)
        })
    }

    /// `'Delete' on 'milk'`, `Ticking 'milk'`, `Touching 'milk'`.
    pub fn doing(&self) -> String {
        let row = quoted(&self.row.label);
        let tick = self
            .change
            .changed
            .iter()
            .find(|(row, was, is)| row.label == self.row.label && was.checked != is.checked);
        match (tick, self.word()) {
            (Some((_, _, is)), _) if self.deed.to == self.deed.from + 1 => {
                format!("{} {row}", if is.checked == Some(true) { "Ticking" } else { "Unticking" })
            }
            (_, word) if word.is_empty() => format!("Touching {row}"),
            (_, word) => format!("{} on {row}", quoted(&word)),
        }
    }
}

/// What became of a row, in words.
pub fn changed(row: &Row, was: &Cell, is: &Cell) -> String {
    let label = quoted(&row.label);
    match (was.checked, is.checked) {
        (Some(false), Some(true)) => format!("ticked {label}"),
        (Some(true), Some(false)) => format!("unticked {label}"),
        _ => {
            let texts =
                if was.text == is.text { (&was.description, &is.description) } else { (&was.text, &is.text) };
            match (texts.0.as_str(), texts.1.as_str()) {
                ("", is) => format!("added {} to {label}", quoted(is)),
                (was, "") => format!("removed {} of {label}", quoted(was)),
                (was, is) => {
                    let (was, is) = apart(was, is);
                    format!("changed {was} of {label} to {is}")
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "locality_tests.rs"]
mod tests;
