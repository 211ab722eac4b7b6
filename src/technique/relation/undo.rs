//! Undo: after a snackbar's action the list is what it was before the event that raised the snackbar.
//!
//! It assumes that the action takes back what was done: its words say so, or a row that had gone is back. It is silent
//! when anything but moving about came between, when the snackbar was there before, when the page is in another mode,
//! and about texts with digits, which clocks change. For a list that scrolls it asks only what the neighbours of the
//! row tell.
//!
//! ```text
//! milk           milk              milk
//! bread    ──▶   eggs        ──▶   eggs
//! eggs           [ Deleted Undo ]  bread      'Undo' brought back 'bread' at the end of the list; it had been second.
//! ```

mod text;

use super::deed::Deed;
use super::row::{List, Row};
use super::trail::{Shot, Trail};
use super::words::{Meaning, says};
use super::{Break, Cause, Relation, Said, fingerprint, ordinal, quoted};
use crate::claims::PROMISE;
use droidmux_account::apart;
use droidmux_gui::EventKind;
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static UNDO: Relation = Relation {
    name: "undo",
    assumes: "the action of a snackbar that says 'undo', or brings a row back, takes back all that the event before did",
    silent_when: "another event that may change data came between, or the page is in another mode",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let undone = trail.steps().filter_map(|(number, before, event, after)| {
        let snackbar = before.snackbar().filter(|_| event.kind == EventKind::Click)?;
        let button = before.layout().get(snackbar.button)?;
        let touched = after.receiver?;
        let is_it =
            touched == button.id() || before.layout().get(touched).is_some_and(|w| w.is_inside(button.id()));
        is_it.then(|| Undone::of(trail, number)).flatten()
    });
    undone.flat_map(|undone| undone.says()).collect()
}

/// That the action of a snackbar takes back what was done, wherever it is in the app.
fn promise() -> Claim {
    Claim::new(UNDO.name, about(), PROMISE)
}

fn about() -> u64 {
    fingerprint(&[UNDO.name])
}

/// A snackbar's action and what it should have taken back.
struct Undone<'t, 'a> {
    trail: &'t Trail<'a>,
    /// The shots before the event that raised the snackbar, after it, and after the action.
    numbers: (usize, usize, usize),
    before: &'t Shot<'a>,
    raised: &'t Shot<'a>,
    after: &'t Shot<'a>,
    /// What the button says.
    action: &'t str,
}

impl<'t, 'a> Undone<'t, 'a> {
    /// `None` when it cannot be told what should be taken back.
    fn of(trail: &'t Trail<'a>, acted: usize) -> Option<Self> {
        let pressed = trail.shot(acted - 1)?;
        let snackbar = pressed.snackbar()?;
        let done = |deed: &&Deed| deed.to < acted && !deed.is_navigation(trail);
        let deed = trail.deeds().iter().rev().find(done)?;
        let (before, raised, after) = (trail.shot(deed.from)?, trail.shot(deed.to)?, trail.shot(acted)?);
        let stays = trail.shots().get(deed.to..acted)?.iter().all(|shot| shot.snackbar().is_some());
        let shown_before = before.snackbar().is_some_and(|other| other.text == snackbar.text);
        // Turned, a screen has room for other rows.
        let is_page = [before, after].iter().all(|shot| shot.shows_page())
            && before.is_same_mode(after)
            && before.is_held_as(after);
        let of_raise = raised.snackbar().is_some_and(|other| other.text == snackbar.text);
        (stays && of_raise && !shown_before && is_page).then_some(Self {
            trail,
            numbers: (deed.from, deed.to, acted),
            before,
            raised,
            after,
            action: &snackbar.action,
        })
    }

    fn says(&self) -> Vec<Said> {
        let broken = self.breaks();
        // An event that changed no row leaves nothing to be brought back.
        let labels =
            |shot: &Shot<'_>| shot.lists().iter().map(|list| list.labels().join("\n")).collect::<Vec<_>>();
        let held = broken.is_empty() && labels(self.before) != labels(self.raised);
        let situation =
            || fingerprint(&[&self.trail.page_name(self.numbers.0), &labels(self.before).join("\n")]);
        let held = held.then(|| Said::Held(Held::new(UNDO.name, about(), situation())));
        broken.into_iter().map(|broken| Said::Broken(Box::new(broken))).chain(held).collect()
    }

    fn breaks(&self) -> Vec<Break> {
        // A path or a heading beside the rows tells of other rows; what the event wrote is judged for itself.
        let lists = self.before.lists().iter().filter(|_| self.before.is_same_place(self.after));
        lists.filter_map(|list| self.list(list)).chain(self.text()).collect()
    }

    /// What is wrong with a list, the worst first.
    fn list(&self, before: &List) -> Option<Break> {
        let is_lone = self.before.list(&before.id).is_some();
        let empty = List { rows: Vec::new(), complete: true, ..before.clone() };
        let raised = self.raised.list(&before.id).unwrap_or(&empty);
        let after = match self.after.list(&before.id) {
            Some(after) => after,
            None if self.before.is_emptied(self.after) && before.complete => &empty,
            None => return None,
        };
        let back =
            |row: &&Row| raised.only(&row.label).is_none() && after.labelled(&row.label).next().is_some();
        let takes_back = says(self.action, Meaning::Undo) || before.rows.iter().any(|row| back(&row));
        if !is_lone || !takes_back {
            return None;
        }
        self.gone(before, raised, after)
            .or_else(|| self.left(before, after))
            .or_else(|| self.moved(before, raised, after))
            .or_else(|| self.changed(before, raised, after))
    }

    /// A row that was there is not there.
    fn gone(&self, before: &List, raised: &List, after: &List) -> Option<Break> {
        let gone = |(number, row): &(usize, &Row)| {
            let missing = count(before, &row.label) > count(after, &row.label);
            let told = (before.complete && after.complete) || before.closes_up(*number, after);
            missing && told && count(before, &row.label) > count(raised, &row.label)
        };
        let (number, row) = before.rows.iter().enumerate().find(gone)?;
        let found = if after.rows.iter().any(|other| before.only(&other.label).is_none()) {
            let other = after.rows.iter().find(|other| before.only(&other.label).is_none())?;
            let (is, was) = apart(&other.label, &row.label);
            format!("{} brought back {is} instead of {was}", quoted(self.action))
        } else {
            format!("{} did not bring back {}", quoted(self.action), quoted(&row.label))
        };
        Some(self.broken(
            before,
            "gone",
            format!("{found}; it had been {}.", place(before, number)),
            row,
            None,
            Harm::LostData,
        ))
    }

    /// A row is there that was not there.
    fn left(&self, before: &List, after: &List) -> Option<Break> {
        if !(before.complete && after.complete) {
            return None;
        }
        let row = after.rows.iter().find(|row| count(after, &row.label) > count(before, &row.label))?;
        let sentence = if count(before, &row.label) > 0 {
            format!(
                "After {} {} is in the list {} times.",
                quoted(self.action),
                quoted(&row.label),
                count(after, &row.label)
            )
        } else {
            format!(
                "After {} {} is in the list; it had not been there before.",
                quoted(self.action),
                quoted(&row.label)
            )
        };
        let harm = Harm::WrongDisplay;
        Some(self.broken(before, "left", sentence, row, Some(row), harm))
    }

    /// A row stands somewhere else.
    fn moved(&self, before: &List, raised: &List, after: &List) -> Option<Break> {
        let (number, row, other) = if before.complete && after.complete {
            if before.labels() == after.labels() {
                return None;
            }
            let restored = |(_, row): &(usize, &Row)| raised.labelled(&row.label).next().is_none();
            let place = |row: &Row| after.only(&row.label).map(|(place, _)| place);
            let elsewhere = |(number, row): &(usize, &Row)| place(row).is_some_and(|place| place != *number);
            let rows = || before.rows.iter().enumerate().filter(elsewhere);
            let (number, row) = rows().find(restored).or_else(|| rows().next())?;
            (number, row, place(row)?)
        } else {
            let moved = |(number, row): &(usize, &Row)| {
                raised.labelled(&row.label).next().is_none() && strays(before, *number, after)
            };
            let (number, row) = before.rows.iter().enumerate().find(moved)?;
            (number, row, after.only(&row.label)?.0)
        };
        let sentence = format!(
            "{} brought back {} {}; it had been {}.",
            quoted(self.action),
            quoted(&row.label),
            destination(after, other),
            place(before, number)
        );
        Some(self.broken(before, "order", sentence, row, after.rows.get(other), Harm::WrongDisplay))
    }

    /// A row says something else.
    fn changed(&self, before: &List, raised: &List, after: &List) -> Option<Break> {
        let mut changes = before.rows.iter().flat_map(|row| {
            let other = after.only(&row.label).filter(|(_, other)| other.whole && row.whole);
            let other = other.filter(|_| before.only(&row.label).is_some()).map(|(_, other)| other);
            row.cells.iter().filter_map(move |cell| Some((row, other?, cell, other?.cell(&cell.key)?)))
        });
        let (row, other, was, is) = changes.find(|(row, _, was, is)| {
            let volatile = raised.rows.iter().any(|third| {
                let own = third
                    .cell(&was.key)
                    .zip(before.only(&third.label).and_then(|(_, row)| row.cell(&was.key)));
                third.label != row.label && own.is_some_and(|(now, then)| now.differs(then))
            });
            was.differs(is) && !volatile
        })?;
        let sentence = match (was.checked, is.checked) {
            (Some(was), Some(is)) if was != is => {
                let state = |on: bool| if on { "ticked" } else { "not ticked" };
                format!(
                    "{} brought back {} {}; it had been {}.",
                    quoted(self.action),
                    quoted(&row.label),
                    state(is),
                    state(was)
                )
            }
            _ => {
                let (was, is) = if was.text == is.text {
                    (&was.description, &is.description)
                } else {
                    (&was.text, &is.text)
                };
                let now = if is.is_empty() { "nothing".to_owned() } else { quoted(is) };
                let then = if was.is_empty() { "nothing".to_owned() } else { quoted(was) };
                format!(
                    "{} brought back {} with {now} where it had {then}.",
                    quoted(self.action),
                    quoted(&row.label)
                )
            }
        };
        Some(self.broken(before, &was.key, sentence, row, Some(other), Harm::WrongDisplay))
    }

    fn broken(
        &self,
        list: &List,
        what: &str,
        sentence: String,
        row: &Row,
        other: Option<&Row>,
        harm: Harm,
    ) -> Break {
        let (from, raised, after) = self.numbers;
        let later: Vec<WidgetNote> = other.map(|other| other.note(self.after.layout())).unwrap_or_default();
        Break {
            cause: Cause::Own,
            page: self.trail.page_name(from),
            list: list.id.clone(),
            event: self.trail.shot(raised).map_or(EventKind::Click, Shot::kind),
            what: what.to_owned(),
            expected: format!("after {} the list is what it was before", quoted(self.action)),
            found: sentence.clone(),
            sentence,
            shots: (from, after),
            widgets: (row.note(self.before.layout()), later),
            claim: Some(promise()),
            harm,
            slight: false,
        }
    }
}

fn count(list: &List, label: &str) -> usize {
    list.labelled(label).count()
}

/// The rows above and below this one stand one after the other in the other list, and it stands elsewhere.
fn strays(before: &List, number: usize, after: &List) -> bool {
    let there = before
        .rows
        .get(number)
        .is_some_and(|row| before.only(&row.label).is_some() && after.only(&row.label).is_some());
    there && before.closes_up(number, after)
}

/// `second`, or `last` in a list that is fully in view.
fn place(list: &List, number: usize) -> String {
    if list.complete && number > 0 && number + 1 == list.rows.len() { "last".into() } else { ordinal(number) }
}

fn destination(list: &List, number: usize) -> String {
    match number {
        0 => "at the top of the list".into(),
        last if list.complete && last + 1 == list.rows.len() => "at the end of the list".into(),
        number => format!("as the {} of the list", ordinal(number)),
    }
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;
