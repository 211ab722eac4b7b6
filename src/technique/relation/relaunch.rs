//! Relaunch: an app that is stopped and started again shows the same rows.
//!
//! Compares the pages that are seen after a relaunch with how they were last seen before it, as long as nothing but
//! looking around happens in between.
//!
//! Assumes that what a list shows is kept on the device or fetched again, not in the process.
//!
//! Silent about pages whose title, tab, fields, toggles or headings differ; about rows that were opened in between
//! (read, played, put first); about rows that may have come by a filter the process forgets: only what the page showed
//! at first, or what was typed in this trace, must be there; about what only clocks, counters and players change; about
//! the place in a list; about a deletion whose snackbar was still up. A different order is slight.
//!
//! ```text
//! ┌ Shopping ───┐  force-stop  ┌ Shopping ───┐
//! │ milk        │  and launch  │ bread       │
//! │ bread       │ ───────────▶ │             │
//! └─────────────┘              └─────────────┘
//! After the app was stopped and started again 'milk' is gone from the list.
//! ```

use super::kept::{Fate, fates, has_more};
use super::look::Window;
use super::row::{List, Row};
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, ordinal, quoted};
use crate::claims::{LOOSE, PROMISE};
use droidmux_account::apart;
use droidmux_gui::{EventKind, Flags, Widget};
use droidmux_record::{Claim, Harm, Held};

pub static RELAUNCH: Relation = Relation {
    name: "relaunch",
    assumes: "What a list shows is kept when the app is stopped, not in its process.",
    silent_when: "The page is in another mode; a row was opened in between or may have come by a filter; only clocks, \
                  counters and players differ; the snackbar of a deletion was still up.",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for started in 1..trail.shots().len() {
        if trail.shot(started).map(Shot::kind) != Some(EventKind::Relaunch) {
            continue;
        }
        let mut pages: Vec<usize> = Vec::new();
        for later in started..trail.shots().len() {
            if later > started && !is_look(trail, later) {
                break;
            }
            let known = |page: &usize| {
                trail.shot(*page).zip(trail.shot(later)).is_some_and(|(a, b)| a.is_same_page(b))
            };
            if pages.iter().any(known) {
                continue;
            }
            pages.push(later);
            said.extend(
                last_seen(trail, started, later)
                    .into_iter()
                    .flat_map(|earlier| compare(trail, started, earlier, later)),
            );
        }
    }
    said
}

/// The last shot before the start that shows what this one shows, if a person has only looked around since then.
fn last_seen(trail: &Trail<'_>, started: usize, later: usize) -> Option<usize> {
    let shown = trail.shot(later).filter(|shot| shot.shows_page())?;
    for earlier in (0..started).rev() {
        let shot = trail.shot(earlier)?;
        if shot.shows_page() && shot.is_same_place(shown) && shot.is_held_as(shown) {
            return Some(earlier);
        }
        if !is_look(trail, earlier) {
            return None;
        }
    }
    None
}

/// Whether the event that led to a shot only shows something: going about, scrolling, opening a row, a menu, a
/// destination, or an activity that was not seen before.
fn is_look(trail: &Trail<'_>, number: usize) -> bool {
    let (Some(before), Some(after)) = (number.checked_sub(1).and_then(|n| trail.shot(n)), trail.shot(number))
    else {
        return false;
    };
    let kind = after.kind();
    if kind.is_navigation() || matches!(kind, EventKind::Scroll(_) | EventKind::Wait) {
        return true;
    }
    if kind != EventKind::Click || !before.seen.screen.in_app || before.is_same_page(after) {
        return false;
    }
    let look = after.look();
    if look.window == Window::Menu || look.drawer_open || before.look().drawer_open {
        return true;
    }
    let fills_in = before.look().fields.iter().any(|field| !field.is_search);
    if before.is_covered() || fills_in {
        return false;
    }
    let Some(receiver) = after.receiver else { return false };
    let on_row = before.row_with(receiver).and_then(|(list, row)| before.row(list, row));
    let seen_before =
        trail.shots().iter().take(number).any(|shot| shot.seen.screen.activity == after.seen.screen.activity);
    on_row.is_some_and(|row| row.node == receiver)
        || before.layout().get(receiver).is_some_and(is_destination)
        || !seen_before
}

/// A tab or another destination: it, or one beside it, is the selected one.
fn is_destination(widget: Widget<'_>) -> bool {
    let beside = widget.parent().into_iter().flat_map(Widget::children);
    beside.into_iter().any(|other| other.class() == widget.class() && other.has(Flags::SELECTED))
}

/// The rows that a person opened between two shots, by their labels.
fn opened<'t>(trail: &'t Trail<'_>, earlier: usize, later: usize) -> Vec<&'t str> {
    let steps = trail.steps().filter(|(number, ..)| (earlier + 1..=later).contains(number));
    let rows = steps.filter_map(|(_, before, _, after)| {
        let (list, row) = before.row_with(after.receiver?)?;
        before.row(list, row)
    });
    rows.map(|row| row.label.as_str()).collect()
}

fn compare(trail: &Trail<'_>, started: usize, earlier: usize, later: usize) -> Vec<Said> {
    let (Some(before), Some(after)) = (trail.shot(earlier), trail.shot(later)) else { return Vec::new() };
    let opened = opened(trail, earlier, later);
    let pending =
        trail.shots().get(earlier..started).unwrap_or_default().iter().any(|shot| shot.snackbar().is_some());
    let mut said = Vec::new();
    for list in before.lists() {
        let (Some(_), Some(other)) = (before.list(&list.id), after.list(&list.id)) else {
            let emptied = before.list(&list.id).is_some() && list.complete && after.lists().is_empty();
            said.extend(
                list.rows.iter().filter(|row| emptied && must_stay(trail, earlier, list, row)).take(1).map(
                    |row| {
                        let words = format!("{} is gone from the list", quoted(&row.label));
                        broken(trail, (earlier, later), list, "gone", words, row, Harm::LostData, false)
                    },
                ),
            );
            continue;
        };
        let told_before = said.len();
        let mut told: Vec<&str> = Vec::new();
        let fates = fates(list, other);
        // What a person's looking around may explain is no support for the list's being kept.
        let is_kept = fates.iter().all(|fate| matches!(fate, Fate::Scrolled | Fate::Moved(..)));
        for fate in fates {
            let Some(one) = word(trail, earlier, list, other, &fate, &opened) else { continue };
            if !told.contains(&one.what) {
                told.push(one.what);
                said.push(broken(
                    trail,
                    (earlier, later),
                    list,
                    one.what,
                    one.words,
                    one.row,
                    one.harm,
                    one.slight,
                ));
            }
        }
        if !pending {
            said.extend(back_again(trail, earlier, list, other).map(|row| {
                let words =
                    format!("{} is back in the list, from which it had been removed", quoted(&row.label));
                broken(trail, (earlier, later), list, "back", words, row, Harm::WrongDisplay, false)
            }));
        }
        if is_kept && said.len() == told_before {
            let left = started.checked_sub(1).map(|last| trail.page_name(last)).unwrap_or_default();
            let situation = fingerprint(&[&left, &list.labels().join("\n")]);
            said.push(Said::Held(Held::new(RELAUNCH.name, about(trail, earlier, list), situation)));
        }
    }
    said
}

/// Equal for one list of one kind of page.
fn about(trail: &Trail<'_>, shot: usize, list: &List) -> u64 {
    let activity = trail.shot(shot).map(|shot| shot.seen.screen.activity.as_str()).unwrap_or_default();
    fingerprint(&[RELAUNCH.name, activity, &list.id])
}

/// What a person entered is promised to outlive the process; that the rest of the list does is a habit of the app.
fn claim(trail: &Trail<'_>, shot: usize, list: &List, row: &Row) -> Claim {
    let typed = row.cells.iter().any(|cell| is_typed(trail, shot, &cell.text));
    Claim::new(RELAUNCH.name, about(trail, shot, list), if typed { PROMISE } else { LOOSE })
}

struct Word<'a> {
    what: &'static str,
    words: String,
    row: &'a Row,
    harm: Harm,
    slight: bool,
}

fn word<'a>(
    trail: &Trail<'_>,
    earlier: usize,
    list: &List,
    other: &List,
    fate: &Fate<'a>,
    opened: &[&str],
) -> Option<Word<'a>> {
    let was_opened = |row: &Row| opened.contains(&row.label.as_str());
    let typed = |text: &str| is_typed(trail, earlier, text);
    let (what, words, row, harm, slight) = match *fate {
        Fate::Gone(row) if !was_opened(row) && must_stay(trail, earlier, list, row) => {
            ("gone", format!("{} is gone from the list", quoted(&row.label)), row, Harm::LostData, false)
        }
        Fate::Doubled(row) => (
            "twice",
            format!("{} is in the list once more", quoted(&row.label)),
            row,
            Harm::WrongDisplay,
            false,
        ),
        Fate::Moved(row, from, to) if opened.is_empty() => {
            let words = format!(
                "{} is {} in the list; it had been {}",
                quoted(&row.label),
                ordinal(to),
                ordinal(from)
            );
            ("order", words, row, Harm::WrongDisplay, true)
        }
        Fate::Says(row, was, is) if !was_opened(row) && !has_more(list, other) => {
            let words = match is {
                Some(is) => {
                    let (is, was) = apart(is, was);
                    format!("{} says {is}, not {was} as before", quoted(&row.label))
                }
                None => format!("{} no longer says {}", quoted(&row.label), quoted(was)),
            };
            // What nobody typed may be what the process was doing: playing, fetching.
            ("says", words, row, Harm::LostData, !typed(was))
        }
        Fate::Checked(row, was) if !was_opened(row) => {
            let words = if was { "is no longer ticked" } else { "is ticked, which it was not" };
            ("checked", format!("{} {words}", quoted(&row.label)), row, Harm::LostData, false)
        }
        Fate::Gone(_) | Fate::Moved(..) | Fate::Says(..) | Fate::Checked(..) | Fate::Scrolled => return None,
    };
    Some(Word { what, words, row, harm, slight })
}

/// Rows that no filter brought: the page showed them when it was first seen in this trace, or a person typed what
/// they say.
fn must_stay(trail: &Trail<'_>, earlier: usize, list: &List, row: &Row) -> bool {
    let Some(shown) = trail.shot(earlier) else { return false };
    let mut same =
        trail.shots().iter().take(earlier + 1).filter(|shot| shot.shows_page() && shot.is_same_page(shown));
    let first = same.next().and_then(|shot| shot.list(&list.id));
    first.is_some_and(|list| list.labelled(&row.label).next().is_some())
        || row.cells.iter().any(|cell| is_typed(trail, earlier, &cell.text))
}

fn is_typed(trail: &Trail<'_>, until: usize, text: &str) -> bool {
    !text.is_empty() && trail.typed(until).any(|data| data.trim() == text)
}

/// A row that an event on it had removed, and that says what it said then.
fn back_again<'a>(trail: &Trail<'_>, earlier: usize, list: &List, other: &'a List) -> Option<&'a Row> {
    if !list.complete {
        return None;
    }
    let removed = |row: &Row| {
        trail.deeds().iter().filter(|deed| deed.to <= earlier).any(|deed| {
            let Some((on, old)) = deed.row(trail) else { return false };
            let gone = trail.shot(deed.to).and_then(|shot| shot.list(&on.id));
            let left = gone.is_some_and(|list| list.labelled(&row.label).next().is_none());
            on.id == list.id && left && !deed.is_navigation(trail) && texts(old) == texts(row)
        })
    };
    other.rows.iter().find(|row| list.labelled(&row.label).next().is_none() && removed(row))
}

fn texts(row: &Row) -> Vec<(&str, Option<bool>)> {
    row.cells.iter().map(|cell| (cell.text.as_str(), cell.checked)).collect()
}

#[expect(clippy::too_many_arguments, reason = "the parts of one sentence")]
fn broken(
    trail: &Trail<'_>,
    shots: (usize, usize),
    list: &List,
    what: &str,
    words: String,
    row: &Row,
    harm: Harm,
    slight: bool,
) -> Said {
    let note = |number: usize| trail.shot(number).map(|shot| row.note(shot.layout())).unwrap_or_default();
    let widgets = if matches!(what, "twice" | "back") {
        (Vec::new(), note(shots.1))
    } else {
        (note(shots.0), Vec::new())
    };
    Said::Broken(Box::new(Break {
        cause: Cause::Own,
        page: trail.page_name(shots.0),
        list: list.id.clone(),
        event: EventKind::Relaunch,
        what: what.to_owned(),
        sentence: format!("After the app was stopped and started again {words}."),
        expected: "An app that is stopped and started again shows the rows that it had.".into(),
        found: format!("On the page seen again {words}."),
        shots,
        widgets,
        claim: Some(claim(trail, shots.0, list, row)),
        harm,
        slight,
    }))
}

#[cfg(test)]
#[path = "relaunch_tests.rs"]
mod tests;
