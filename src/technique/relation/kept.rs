//! What became of the rows of a list that should show what it showed.

use super::differ_in_words;
use super::row::{List, Row};
use droidmux_gui::holds_date;

/// What a later list shows in place of what an earlier one showed.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate<'a> {
    /// Another part of the same list is in view.
    Scrolled,
    /// A row is not there any more.
    Gone(&'a Row),
    /// A row is there more often than before.
    Doubled(&'a Row),
    /// The rows stand in another order: the first one that stands elsewhere, where it stood and where it stands.
    Moved(&'a Row, usize, usize),
    /// A row says something else: the row, what it said, and what it says now, if anything.
    Says(&'a Row, &'a str, Option<&'a str>),
    /// What can be checked in a row is in the other state: the row, and whether it was checked.
    Checked(&'a Row, bool),
}

/// What is worth saying about a list that should be as it was, the worst first. Rows that came are not part of it.
pub fn fates<'a>(before: &'a List, after: &'a List) -> Vec<Fate<'a>> {
    let (old, new) = (names(before), names(after));
    let mut fates = Vec::new();
    if old != new {
        let whole = before.complete && after.complete;
        // If a list begins as before, more or less of it may be in view.
        let begins_elsewhere = !whole && old.first() != new.first();
        if begins_elsewhere && overlaps(&old, &new) {
            fates.push(Fate::Scrolled);
        } else {
            fates.extend(gone(before, after, &old, &new));
            fates.extend(doubled(before, after, &old, &new));
            if fates.is_empty() && whole {
                fates.extend(moved(before, &old, &new));
            }
            if fates.is_empty() && begins_elsewhere {
                fates.push(Fate::Scrolled);
            }
        }
    }
    fates.extend(before.rows.iter().flat_map(|row| changed(row, before, after)));
    fates
}

/// True when the later list shows a row that the earlier one does not, or one more often.
pub fn has_more(before: &List, after: &List) -> bool {
    let (old, new) = (names(before), names(after));
    new.iter().any(|name| times(&new, name) > times(&old, name))
}

/// The labels, those that a clock changes without their digits.
fn names(list: &List) -> Vec<String> {
    let name =
        |row: &Row| if holds_date(&row.label) { without_digits(&row.label) } else { row.label.clone() };
    list.rows.iter().map(name).collect()
}

/// A text without what clocks and counters change.
fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_numeric()).collect::<String>().trim().to_owned()
}

fn times(names: &[String], name: &str) -> usize {
    names.iter().filter(|other| *other == name).count()
}

/// Two windows on one list: the end of one is the beginning of the other, or one lies within the other.
fn overlaps(old: &[String], new: &[String]) -> bool {
    let ends = |a: &[String], b: &[String]| {
        (0..a.len()).any(|at| {
            let rest = a.get(at..).unwrap_or(&[]);
            let common = rest.len().min(b.len());
            common > 0 && rest.get(..common) == b.get(..common)
        })
    };
    ends(old, new) || ends(new, old)
}

/// Rows that are missing from where they would be seen: everywhere in a list that shows all its rows, and between
/// two rows that stand in both otherwise.
fn gone<'a>(before: &'a List, after: &List, old: &[String], new: &[String]) -> Vec<Fate<'a>> {
    let both: Vec<usize> = (0..).zip(old).filter(|(_, name)| new.contains(name)).map(|(at, _)| at).collect();
    let (first, last) = (both.first().copied(), both.last().copied());
    let in_view =
        |at: usize| after.complete || (first.is_some_and(|f| f < at) && last.is_some_and(|l| at < l));
    let rows = (0..).zip(before.rows.iter().zip(old));
    let missing = rows.filter(|(at, (_, name))| in_view(*at) && times(old, name) > times(new, name));
    missing.map(|(_, (row, _))| Fate::Gone(row)).collect()
}

/// Rows that show the same as another one which was there alone, in a list that showed all it had.
fn doubled<'a>(before: &List, after: &'a List, old: &[String], new: &[String]) -> Vec<Fate<'a>> {
    if !before.complete {
        return Vec::new();
    }
    let mut told: Vec<&str> = Vec::new();
    let mut fates = Vec::new();
    for (row, name) in after.rows.iter().zip(new) {
        let same = |other: &&Row| texts(other) == texts(row);
        let (was, is) = (before.rows.iter().filter(same).count(), after.rows.iter().filter(same).count());
        if was > 0 && is > was && times(new, name) > times(old, name) && !told.contains(&name.as_str()) {
            told.push(name);
            fates.push(Fate::Doubled(row));
        }
    }
    fates
}

fn texts(row: &Row) -> Vec<&str> {
    row.cells.iter().map(|cell| cell.text.as_str()).collect()
}

/// The first row that stands elsewhere among the same ones.
fn moved<'a>(before: &'a List, old: &[String], new: &[String]) -> Option<Fate<'a>> {
    let (mut sorted, mut other) = (old.to_vec(), new.to_vec());
    sorted.sort_unstable();
    other.sort_unstable();
    let from = old.iter().zip(new).position(|(a, b)| a != b).filter(|_| sorted == other)?;
    let to = new.iter().position(|name| old.get(from) == Some(name))?;
    Some(Fate::Moved(before.rows.get(from)?, from, to))
}

/// What the row of the same name says or has checked in the later list. Less is seen of a row that is cut off at the
/// edge.
fn changed<'a>(row: &'a Row, before: &'a List, after: &'a List) -> Option<Fate<'a>> {
    before.only(&row.label)?;
    let (_, other) = after.only(&row.label)?;
    if !row.whole || !other.whole || row.kind != other.kind {
        return None;
    }
    row.cells.iter().find_map(|cell| {
        let now = other.cell(&cell.key);
        if let (Some(was), Some(is)) = (cell.checked, now.and_then(|now| now.checked)) {
            return (was != is).then_some(Fate::Checked(row, was));
        }
        if cell.text.is_empty() || cell.text == row.label {
            return None;
        }
        match now.map(|now| now.text.as_str()).filter(|text| !text.is_empty()) {
            Some(text) => {
                differ_in_words(&cell.text, text).then_some(Fate::Says(row, &cell.text, Some(text)))
            }
            None => (!cell.text.chars().any(char::is_numeric)).then_some(Fate::Says(row, &cell.text, None)),
        }
    })
}
