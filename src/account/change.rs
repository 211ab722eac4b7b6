//! What differs between two screens, line by line.
//!
//! In: two screens in words. Out: lines that say what went, came, changed and moved, each with its place; or that the
//! later screen is to be told as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::line::Line;
use super::screen::{Told, counted};

/// What an event did to the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// No line differs, nor does the page.
    Nothing,
    /// What differs, one line each.
    Lines(Vec<Difference>),
    /// More than half of the screen is new.
    Whole,
}

/// A line that differs between two screens. Shown, it is `gone: - milk (2nd of 5)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What became of it.
    pub kind: DifferenceKind,
    /// It is a row of a list.
    pub is_row: bool,
    /// What it says, with its place.
    pub text: String,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// It is no line, but what the page is called, or what holds for all of it.
    Now,
    /// It is on the earlier screen alone.
    Gone,
    /// It is on the later screen alone.
    New,
    /// It says something else.
    Changed,
    /// It is a row in another place.
    Moved,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = match self.kind {
            DifferenceKind::Now => "now",
            DifferenceKind::Gone => "gone",
            DifferenceKind::New => "new",
            DifferenceKind::Changed => "changed",
            DifferenceKind::Moved => "moved",
        };
        write!(f, "{head}: {}", self.text)
    }
}

/// The fewest lines of a screen that is not told as a whole because it is short.
const FEWEST: usize = 4;

/// What differs from the earlier to the later screen.
pub fn change(earlier: &Told, later: &Told) -> Change {
    let pairs = Pairs::of(&earlier.lines, &later.lines);
    let fresh = later.lines.len() - pairs.same.len();
    let is_new = fresh * 2 > later.lines.len() || (earlier.page != later.page && later.lines.len() < FEWEST);
    if is_new || (later.lines.is_empty() && earlier.page != later.page) {
        // A form of two fields, one of which was filled in, is no new screen.
        let is_short = earlier.page == later.page && pairs.came.is_empty() && pairs.gone.len() <= 1;
        if !is_short {
            return Change::Whole;
        }
    }
    // As long as the screen itself, and harder to read.
    let differences = pairs.gone.len() + pairs.came.len() + pairs.changed.len();
    if differences > FEWEST && differences >= later.lines.len() {
        return Change::Whole;
    }
    let mut lines = Vec::new();
    if (&earlier.page, &earlier.state) != (&later.page, &later.state) {
        let text = format!("{}{}", later.page, later.state);
        lines.push(Difference { kind: DifferenceKind::Now, is_row: false, text });
    }
    lines.extend(pairs.gone.iter().map(|at| said(DifferenceKind::Gone, &earlier.lines, *at)));
    lines.extend(pairs.came.iter().map(|at| said(DifferenceKind::New, &later.lines, *at)));
    lines.extend(pairs.changed.iter().map(|(a, b)| {
        let (old, new) = (&earlier.lines[*a], &later.lines[*b]);
        let (text, place) = (new.text.trim_start_matches("- "), place(&later.lines, *b));
        let text = format!("{} → {text}{place}", old.text);
        Difference { kind: DifferenceKind::Changed, is_row: new.list.is_some(), text }
    }));
    lines.extend(moved(&pairs.same, &earlier.lines, &later.lines));
    if lines.is_empty() { Change::Nothing } else { Change::Lines(together(lines)) }
}

/// Equal differences in a row as one.
fn together(lines: Vec<Difference>) -> Vec<Difference> {
    let mut kept: Vec<(usize, Difference)> = Vec::new();
    for line in lines {
        match kept.last_mut() {
            // Each row stands for itself.
            Some((times, last)) if *last == line && !line.is_row => *times += 1,
            _ => kept.push((1, line)),
        }
    }
    let told = |(times, line): (usize, Difference)| Difference { text: counted(line.text, times), ..line };
    kept.into_iter().map(told).collect()
}

/// Lines of the earlier and of the later screen that belong together.
struct Pairs {
    /// That say the same, in the order of the later screen.
    same: Vec<(usize, usize)>,
    /// The same row or control, saying something else.
    changed: Vec<(usize, usize)>,
    gone: Vec<usize>,
    came: Vec<usize>,
}

impl Pairs {
    fn of(earlier: &[Line], later: &[Line]) -> Self {
        let text = |line: &Line| (line.list.clone(), line.text.clone());
        // What stays in its order belongs together first: of equal rows, the one that went is told by its place.
        let mut same = in_order(earlier, later);
        let left = |lines: &[Line], taken: BTreeSet<usize>| {
            (0..lines.len()).filter(|at| !taken.contains(at)).collect()
        };
        let old: Vec<usize> = left(earlier, same.iter().map(|(old, _)| *old).collect());
        let new: Vec<usize> = left(later, same.iter().map(|(_, new)| *new).collect());
        let (moved, gone, came) = matched(earlier, later, old, new, text);
        same.extend(moved);
        same.sort_unstable_by_key(|(_, later)| *later);
        let key = |line: &Line| (line.list.clone(), line.key.clone());
        let (mut changed, gone, came) = matched(earlier, later, gone, came, key);
        // A row that was given another name: nothing else came or went where it stands.
        let slot = |lines: &[Line], at: usize| (lines[at].list.clone(), rank(lines, at));
        let mut pairs = Self { same, changed: Vec::new(), gone: Vec::new(), came };
        for old in gone {
            let of_list = |at: &&usize| later[**at].list == earlier[old].list;
            let lone = earlier[old].list.is_some() && pairs.came.iter().filter(of_list).count() == 1;
            match pairs.came.iter().position(|new| lone && slot(later, *new) == slot(earlier, old)) {
                Some(at) => changed.push((old, pairs.came.remove(at))),
                None => pairs.gone.push(old),
            }
        }
        changed.sort_unstable_by_key(|(_, later)| *later);
        pairs.changed = changed;
        pairs
    }
}

/// Equal lines in a longest common order.
fn in_order(earlier: &[Line], later: &[Line]) -> Vec<(usize, usize)> {
    let equal = |a: usize, b: usize| match (earlier.get(a), later.get(b)) {
        (Some(a), Some(b)) => a.text == b.text && a.list == b.list,
        _ => false,
    };
    let mut pairs = Vec::new();
    let start = (0..earlier.len().min(later.len())).take_while(|at| equal(*at, *at)).count();
    pairs.extend((0..start).map(|at| (at, at)));
    // The longest order of what follows each place of both.
    let width = later.len() + 1;
    let mut longest = vec![0_u32; (earlier.len() + 1) * width];
    for a in (start..earlier.len()).rev() {
        for b in (start..later.len()).rev() {
            let next = if equal(a, b) {
                longest[(a + 1) * width + b + 1] + 1
            } else {
                longest[(a + 1) * width + b].max(longest[a * width + b + 1])
            };
            longest[a * width + b] = next;
        }
    }
    let (mut a, mut b) = (start, start);
    while a < earlier.len() && b < later.len() {
        if equal(a, b) {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if longest[(a + 1) * width + b] >= longest[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

type Matched = (Vec<(usize, usize)>, Vec<usize>, Vec<usize>);

/// Pairs lines of equal keys, the first with the first; the pairs, and those that are left.
fn matched<K: Ord>(
    earlier: &[Line],
    later: &[Line],
    old: Vec<usize>,
    new: Vec<usize>,
    key: impl Fn(&Line) -> K,
) -> Matched {
    let mut waiting: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for at in old.iter().rev() {
        waiting.entry(key(&earlier[*at])).or_default().push(*at);
    }
    let (mut pairs, mut came) = (Vec::new(), Vec::new());
    for at in new {
        match waiting.get_mut(&key(&later[at])).and_then(Vec::pop) {
            Some(partner) => pairs.push((partner, at)),
            None => came.push(at),
        }
    }
    let taken: BTreeSet<usize> = pairs.iter().map(|(old, _)| *old).collect();
    (pairs, old.into_iter().filter(|at| !taken.contains(at)).collect(), came)
}

/// Rows that are on both screens in another order: as few as explain it.
fn moved(same: &[(usize, usize)], earlier: &[Line], later: &[Line]) -> Vec<Difference> {
    let rows: Vec<(usize, usize)> =
        same.iter().copied().filter(|(old, _)| earlier[*old].list.is_some()).collect();
    let stay = longest_rising(&rows.iter().map(|(old, _)| *old).collect::<Vec<_>>());
    // One that changed its place only among rows that came and went stands where it stood.
    let moves = |old: usize, new: usize| rank(earlier, old) != rank(later, new);
    let moved = rows.iter().filter(|(old, new)| !stay.contains(old) && moves(*old, *new));
    moved
        .map(|(old, new)| {
            let (from, to) = (rank(earlier, *old), rank(later, *new));
            let text = format!("{} ({} → {})", later[*new].text, ordinal(from), ordinal(to));
            Difference { kind: DifferenceKind::Moved, is_row: true, text }
        })
        .collect()
}

/// The members of a longest rising subsequence.
fn longest_rising(numbers: &[usize]) -> Vec<usize> {
    // For each length, where the sequence of that length with the smallest end ends; and who stands before each.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), vec![None; numbers.len()]);
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut rising = Vec::new();
    let mut at = ends.last().copied();
    while let Some(here) = at {
        rising.push(numbers[here]);
        at = before[here];
    }
    rising
}

fn said(kind: DifferenceKind, lines: &[Line], at: usize) -> Difference {
    let text = format!("{}{}{}", lines[at].text, lines[at].hidden, place(lines, at));
    Difference { kind, is_row: lines[at].list.is_some(), text }
}

/// ` (2nd of 5)` of a row.
fn place(lines: &[Line], at: usize) -> String {
    let Some(list) = &lines[at].list else { return String::new() };
    let all = lines.iter().filter(|line| line.list.as_ref() == Some(list)).count();
    if all < 2 { String::new() } else { format!(" ({} of {all})", ordinal(rank(lines, at))) }
}

/// Which row of its list a line is, from 1.
fn rank(lines: &[Line], at: usize) -> usize {
    lines[..=at].iter().filter(|line| line.list == lines[at].list).count()
}

/// `1st`, `2nd`, `3rd`, `11th`.
pub fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (1, n) if n != 11 => "st",
        (2, n) if n != 12 => "nd",
        (3, n) if n != 13 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}
