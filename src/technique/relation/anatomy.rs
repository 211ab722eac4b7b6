//! Row anatomy: rows of one list have their parts in the same order, and the same controls.
//!
//! Rows of one type, by class and id, that stand on one screen are compared part by part: which stands left of which,
//! which above which; and whether one lacks what can be touched in all others.
//!
//! Assumes that a list draws its rows from one plan.
//!
//! Silent about rows of another type or of another touch (headers, footers), about rows that are cut off at the edge,
//! about parts that overlap, about texts that some rows lack; and about lists whose rows usually differ, as those of a
//! conversation do: that they do not is a claim. That one row lacks a control is slight.
//!
//! ```text
//! ┌ Notes ────────┐
//! │ ◆ milk        │
//! │        bread ◆│
//! │ ◆ tea         │
//! └───────────────┘
//! In the list the parts of 'bread' stand in another order than those of 'milk'.
//! ```

use super::row::{List, Row};
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::{HABIT, STRICT};
use droidmux_gui::{Bounds, EventKind, Flags, Widget};
use droidmux_record::{Claim, Harm, Held};

pub static ANATOMY: Relation = Relation {
    name: "anatomy",
    assumes: "A list draws its rows from one plan: the same parts in the same order.",
    silent_when: "The rows are of different types, or take different touches; they are cut off; rows of the list differ \
                  as a rule.",
    judge,
};

/// Rows that must have a control for it to be missed in another.
const OTHERS: usize = 3;

/// The most rows of a list that are looked at, and the most parts of a row.
const MOST_ROWS: usize = 30;
const MOST_PARTS: usize = 12;

/// A part of a row by which it is known in other rows, and where it is.
struct Part {
    name: String,
    bounds: Bounds,
    is_control: bool,
}

/// A row's parts, those without a name or an area left out.
struct Anatomy<'t> {
    row: &'t Row,
    parts: Vec<Part>,
}

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for (number, shot) in trail.shots().iter().enumerate().filter(|(_, shot)| shot.is_sound()) {
        // What the screen before showed was judged there.
        let before = number.checked_sub(1).and_then(|before| trail.shot(before));
        if before.is_some_and(|before| before.seen.screen.layout == shot.seen.screen.layout) {
            continue;
        }
        for list in shot.lists() {
            for (kind, rows) in kinds(shot, list) {
                said.extend(order(trail, number, list, &kind, &rows));
                said.extend(controls(trail, number, list, &kind, &rows));
            }
        }
    }
    said
}

/// The rows of each type, at least two.
fn kinds<'t>(shot: &'t Shot<'_>, list: &'t List) -> Vec<(String, Vec<Anatomy<'t>>)> {
    let mut kinds: Vec<(String, Vec<Anatomy<'t>>)> = Vec::new();
    for row in list.rows.iter().filter(|row| row.whole).take(MOST_ROWS) {
        let Some(node) = shot.layout().get(row.node) else { continue };
        let kind = format!("{} {}", row.kind, node.is_actionable());
        let anatomy = Anatomy { row, parts: parts(node) };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, rows)) => rows.push(anatomy),
            None => kinds.push((kind, vec![anatomy])),
        }
    }
    kinds.retain(|(_, rows)| rows.len() > 1);
    kinds
}

/// The parts with a name of their own: what stands twice in a row is no part of it.
fn parts(row: Widget<'_>) -> Vec<Part> {
    let seen = |widget: &Widget<'_>| !widget.has(Flags::INVISIBLE) && !widget.bounds().is_empty();
    let named = || row.subtree().skip(1).filter(seen).filter(|widget| !widget.short_id().is_empty());
    let alone =
        |widget: &Widget<'_>| named().filter(|other| other.short_id() == widget.short_id()).count() == 1;
    let parts = named().take(MOST_PARTS).filter(alone).map(|widget| Part {
        name: widget.short_id().to_owned(),
        bounds: widget.bounds(),
        is_control: widget.has(Flags::CLICKABLE) || widget.has(Flags::CHECKABLE),
    });
    parts.collect()
}

/// How one part lies relative to another; `None` if they overlap.
fn lies(a: Bounds, b: Bounds) -> Option<&'static str> {
    if a.right <= b.left {
        Some("left of")
    } else if b.right <= a.left {
        Some("right of")
    } else if a.bottom <= b.top {
        Some("above")
    } else if b.bottom <= a.top {
        Some("below")
    } else {
        None
    }
}

/// The first two parts whose position relative to each other is reversed between one row and the other.
fn turned<'r>(a: &'r Anatomy<'_>, b: &'r Anatomy<'_>) -> Option<(&'r str, &'r str)> {
    let bounds = |anatomy: &Anatomy<'_>, name: &str| {
        anatomy.parts.iter().find(|part| part.name == name).map(|part| part.bounds)
    };
    for (number, first) in a.parts.iter().enumerate() {
        for second in a.parts.iter().skip(number + 1) {
            let Some(there) = bounds(b, &first.name).zip(bounds(b, &second.name)) else { continue };
            let (here, there) = (lies(first.bounds, second.bounds), lies(there.0, there.1));
            let opposite = matches!(
                (here, there),
                (Some("left of"), Some("right of"))
                    | (Some("right of"), Some("left of"))
                    | (Some("above"), Some("below"))
                    | (Some("below"), Some("above"))
            );
            if opposite {
                return Some((&first.name, &second.name));
            }
        }
    }
    None
}

fn order(trail: &Trail<'_>, number: usize, list: &List, kind: &str, rows: &[Anatomy<'_>]) -> Option<Said> {
    let about = fingerprint(&["anatomy", &trail.page_name(number), &list.id, kind]);
    let first = rows.first().filter(|row| row.parts.len() > 1)?;
    let Some((odd, (one, two))) = rows.iter().skip(1).find_map(|row| Some((row, turned(first, row)?))) else {
        return Some(Said::Held(Held::new(ANATOMY.name, about, trail.situation(number))));
    };
    let (label, other) = (quoted(&odd.row.label), quoted(&first.row.label));
    let place = title(trail, number);
    let claim = Claim::new(ANATOMY.name, about, HABIT);
    Some(broken(
        trail,
        number,
        list,
        Sentence {
            what: format!("order {one} {two}"),
            sentence: format!("{place} the parts of {label} stand in another order than those of {other}."),
            expected: "The rows of a list have their parts in the same order.".into(),
            found: format!("The parts of {label} and {other} stand the other way round."),
            rows: (first.row, odd.row),
            claim,
            harm: Harm::WrongDisplay,
            slight: false,
        },
    ))
}

/// What all rows but one have, and what can be touched.
fn controls(trail: &Trail<'_>, number: usize, list: &List, kind: &str, rows: &[Anatomy<'_>]) -> Vec<Said> {
    let mut said = Vec::new();
    let Some(fullest) = rows.iter().max_by_key(|row| row.parts.iter().filter(|part| part.is_control).count())
    else {
        return said;
    };
    for part in fullest.parts.iter().filter(|part| part.is_control) {
        let about = fingerprint(&["anatomy", &trail.page_name(number), &list.id, kind, &part.name]);
        let lacks = |row: &&Anatomy<'_>| !row.parts.iter().any(|other| other.name == part.name);
        let lacking: Vec<&Anatomy<'_>> = rows.iter().filter(lacks).collect();
        if lacking.is_empty() {
            said.push(Said::Held(Held::new(ANATOMY.name, about, trail.situation(number))));
            continue;
        }
        let [odd] = lacking.as_slice() else { continue };
        if rows.len() <= OTHERS {
            continue;
        }
        let (label, word) = (quoted(&odd.row.label), quoted(&part.name.replace(['_', '-'], " ")));
        let place = title(trail, number);
        let claim = Claim::new(ANATOMY.name, about, STRICT);
        said.push(broken(
            trail,
            number,
            list,
            Sentence {
                what: format!("lacks {}", part.name),
                sentence: format!("{place} {label} lacks the {word} that all other rows have."),
                expected: "The rows of a list have the same controls.".into(),
                found: format!("{label} has no {word}."),
                rows: (fullest.row, odd.row),
                claim,
                harm: Harm::LostFunction,
                // What cannot be done with it may be offered for all others: it is sold out, or read only.
                slight: true,
            },
        ));
    }
    said
}

/// `In the list on 'Notes'`.
fn title(trail: &Trail<'_>, number: usize) -> String {
    let title = trail.shot(number).map(|shot| shot.look().title.as_str()).unwrap_or_default();
    if title.is_empty() { "In the list".to_owned() } else { format!("In the list on {}", quoted(title)) }
}

/// What there is to say of two rows, the sound one first.
struct Sentence<'t> {
    what: String,
    sentence: String,
    expected: String,
    found: String,
    rows: (&'t Row, &'t Row),
    claim: Claim,
    harm: Harm,
    slight: bool,
}

fn broken(trail: &Trail<'_>, number: usize, list: &List, said: Sentence<'_>) -> Said {
    let note = |row: &Row| trail.shot(number).map(|shot| row.note(shot.layout())).unwrap_or_default();
    Said::Broken(Box::new(Break {
        cause: Cause::Own,
        page: trail.page_name(number),
        list: list.id.clone(),
        // It stands there, whatever was done last.
        event: EventKind::Wait,
        what: said.what,
        sentence: said.sentence,
        expected: said.expected,
        found: said.found,
        shots: (number, number),
        widgets: (note(said.rows.0), note(said.rows.1)),
        claim: Some(said.claim),
        harm: said.harm,
        slight: said.slight,
    }))
}

#[cfg(test)]
#[path = "anatomy_tests.rs"]
mod tests;
