//! Conservation: what was entered stays where it was shown, through events that have nothing to do with it.
//!
//! It is asked of tokens: texts that the driver typed and that nothing in the trace said before. Once a row of a list
//! shows a token, the list shows it whenever its page comes back in the same mode, until an event acts on the row or on
//! a page of the token. A row is not doubled by moving about, and a token that was renamed is not listed elsewhere
//! under its former name.
//!
//! It assumes that a list in the same mode shows all it has. It is silent when a command of the whole page came
//! between (a menu, a toggle, a button of the list's own page or a row of another list on it, anything that says "all",
//! "clear" or "empty"), when the row was touched before on the page and may be marked, when it may be out of sight (a
//! phone that is held another way may have no room for rows), and when rows were added and the token stood at an end of
//! the list: histories are capped.
//!
//! ```text
//! beans                          beans
//! milk    ──delete 'beans'──▶                  'milk' is gone after 'Delete' on 'beans'.
//! ```

use super::deed::Deed;
use super::look::Window;
use super::rename::Rename;
use super::row::{List, Row};
use super::token::Token;
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::PROMISE;
use droidmux_account::mode::ModeKind;
use droidmux_gui::EventKind;
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static CONSERVATION: Relation = Relation {
    name: "conservation",
    assumes: "a list shows what was entered until an event acts on it",
    silent_when: "a command of the whole page, or one that says 'all', came between; the list may be capped; of former \
                  names, lists that were not seen to follow renames",
    judge,
};

/// The most places in which one token is followed.
const MOST_HOMES: usize = 8;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let tokens = trail.tokens().iter().filter(|token| !token.is_query);
    let followed = tokens.flat_map(|token| {
        let followed = Followed { trail, token };
        let places = followed.places();
        places.into_iter().chain(Rename::of(followed).and_then(|rename| rename.says()))
    });
    followed.collect()
}

/// A token on its way through the trace.
#[derive(Clone, Copy)]
pub(super) struct Followed<'t, 'a> {
    pub trail: &'t Trail<'a>,
    pub token: &'t Token<'a>,
}

/// Where a token was last seen: the shot and the list.
struct Home<'t> {
    shot: usize,
    list: &'t List,
}

impl<'t> Followed<'t, '_> {
    /// What is wrong in the places where it was seen.
    fn places(&self) -> Vec<Said> {
        let mut said = Vec::new();
        let mut homes: Vec<Home<'t>> = Vec::new();
        let shots = self.trail.shots().iter().enumerate().skip(self.token.typed + 1);
        for (number, shot) in shots.take_while(|(number, _)| *number < self.token.until) {
            if !shot.shows_page() {
                continue;
            }
            homes.retain(|home| {
                let Some(earlier) = self.trail.shot(home.shot) else { return false };
                if !earlier.is_same_place(shot) {
                    return true;
                }
                let broken = self.gone(home, number).or_else(|| self.doubled(home, number));
                let kept = broken.is_none() && sees(shot, &home.list.id, self.token.text);
                said.extend(broken.map(|broken| Said::Broken(Box::new(broken))));
                if kept && home.shot + 1 < number {
                    let about = about(self.trail, home.shot, &home.list.id);
                    said.push(Said::Held(Held::new(CONSERVATION.name, about, self.trail.situation(number))));
                }
                // Seen again, out of sight, or gone: the sighting below counts from here.
                !sees(shot, &home.list.id, self.token.text) && !self.is_missing(home, shot)
            });
            for list in shot.lists().iter().filter(|list| shot.list(&list.id).is_some()) {
                if homes.len() < MOST_HOMES && shows(list, self.token.text) && !types(shot, self.token.text) {
                    homes.push(Home { shot: number, list });
                }
            }
        }
        said
    }

    /// The list is there, seen far enough to tell, without the token.
    fn is_missing(&self, home: &Home<'_>, shot: &Shot<'_>) -> bool {
        let text = self.token.text;
        let place = || home.list.rows.iter().position(|row| row.shows(text));
        match shot.list(&home.list.id) {
            Some(list) if shows(list, text) => false,
            Some(list) if list.complete => true,
            Some(list) => place().is_some_and(|place| home.list.closes_up(place, list)),
            // A phone that is held another way may have no room for any row.
            None => {
                let emptied = |page: &Shot<'_>| page.is_held_as(shot) && page.is_emptied(shot);
                home.list.complete && self.trail.shot(home.shot).is_some_and(emptied)
            }
        }
    }

    fn gone(&self, home: &Home<'_>, number: usize) -> Option<Break> {
        let shot = self.trail.shot(number)?;
        if !self.is_missing(home, shot) || self.is_capped(home, shot) {
            return None;
        }
        let deeds = self.between(home.shot, number, home.list)?;
        let cause = cause(self.trail, &deeds)?;
        let row = rows(home.list, self.token.text).next()?;
        // A row that was renamed in passing: its place is taken by a row that was not there.
        let sentence = format!("{} is gone after {}.", quoted(self.token.text), cause.words(self.trail));
        Some(self.broken((home.shot, number), &home.list.id, cause, "gone", sentence, row, Harm::LostData))
    }

    fn doubled(&self, home: &Home<'_>, number: usize) -> Option<Break> {
        let list = self.trail.shot(number)?.list(&home.list.id)?;
        let (before, after) = (rows(home.list, self.token.text).count(), rows(list, self.token.text).count());
        let deeds = self.between(home.shot, number, home.list)?;
        if before != 1
            || after < 2
            || !home.list.complete
            || !deeds.iter().all(|deed| deed.is_navigation(self.trail))
        {
            return None;
        }
        let mut twins = rows(list, self.token.text);
        let (first, second) = (twins.next()?, twins.next()?);
        let alike = first.cells.iter().zip(&second.cells).all(|(a, b)| a.key == b.key && !a.differs(b));
        if !alike || first.cells.len() != second.cells.len() {
            return None;
        }
        let cause = deeds.last()?;
        let times = if after == 2 { "twice".to_owned() } else { format!("{after} times") };
        let sentence =
            format!("{} is in the list {times} after {}.", quoted(self.token.text), cause.words(self.trail));
        Some(self.broken(
            (home.shot, number),
            &home.list.id,
            cause,
            "doubled",
            sentence,
            first,
            Harm::WrongDisplay,
        ))
    }

    /// Rows were added, and the token stood where a list of the latest ones lets go.
    fn is_capped(&self, home: &Home<'_>, shot: &Shot<'_>) -> bool {
        let Some(list) = shot.list(&home.list.id) else { return false };
        let place = home.list.rows.iter().position(|row| row.shows(self.token.text));
        let at_end = place.is_some_and(|place| place == 0 || place + 1 == home.list.rows.len());
        let added = list.rows.iter().any(|row| home.list.labelled(&row.label).next().is_none());
        at_end && added && list.rows.len() <= home.list.rows.len()
    }

    /// The deeds between two shots, when none of them acts on the token in the first one's list.
    fn between(&self, from: usize, to: usize, list: &List) -> Option<Vec<&'t Deed>> {
        let inside = |deed: &&Deed| deed.from >= from && deed.to <= to;
        let deeds: Vec<&Deed> = self.trail.deeds().iter().filter(inside).collect();
        let home = self.trail.shot(from)?;
        let ends = deeds.first().is_some_and(|deed| deed.from == from)
            && deeds.last().is_some_and(|deed| deed.to == to);
        (ends && !deeds.iter().any(|deed| self.is_acted_on(deed, home, list))).then_some(deeds)
    }

    /// Whether a deed may have to do with the token.
    fn is_acted_on(&self, deed: &Deed, home: &Shot<'_>, list: &List) -> bool {
        let trail = self.trail;
        if deed.is_navigation(trail) {
            return false;
        }
        let (Some(from), Some(to)) = (trail.shot(deed.from), trail.shot(deed.to)) else { return true };
        let is_home = from.is_same_page(home);
        let leaves = !from.is_same_page(to);
        let windows = || deed.windows(trail).iter().filter(|shot| shot.look().window != Window::Full);
        let asks = windows().any(|shot| !shot.look().fields.is_empty());
        let command = match (deed.object.is_some(), windows().next().is_some()) {
            // A row of another list of the page chooses what this one shows.
            (true, _) if is_home => {
                !leaves && deed.row(trail).is_some_and(|(touched, _)| touched.id != list.id)
            }
            (true, true) => true,
            (true, false) => ticks(from) != ticks(to) && !leaves,
            (false, true) => !(asks || is_home && leaves),
            // What is done to selected rows ends their selection.
            (false, false) => {
                let selected = from.place().mode.kind == ModeKind::Selection;
                let stays = from.is_same_place(home) && to.is_same_place(home);
                is_home && !leaves && (selected || stays || self.may_be_marked(deed, list))
            }
        };
        command
            || self.touches_its_row(deed, list)
            || deed.names_all(trail)
            || deed.toggles(trail)
            || deed.mentions(trail, self.token.text)
            || is_page_of(from, self.token.text)
    }

    fn touches_its_row(&self, deed: &Deed, list: &List) -> bool {
        // Another mode may not show all that a row says.
        let is_its_row = |touched: &Row| rows(list, self.token.text).any(|row| row.label == touched.label);
        deed.row(self.trail).is_some_and(|(_, touched)| is_its_row(touched))
    }

    /// Its row was touched before this deed, and nothing came of it on this page: an app may mark rows by their colour
    /// alone, which no layout tells, and do to them what is asked next.
    fn may_be_marked(&self, deed: &Deed, list: &List) -> bool {
        let Some(page) = self.trail.shot(deed.from) else { return false };
        let stays = |number: usize| self.trail.shot(number).is_some_and(|shot| shot.is_same_page(page));
        let before = self.trail.deeds().iter().rev().skip_while(|earlier| earlier.to > deed.from);
        let mut here = before.take_while(|earlier| stays(earlier.from) && stays(earlier.to));
        here.any(|earlier| earlier.windows(self.trail).is_empty() && self.touches_its_row(earlier, list))
    }

    #[expect(clippy::too_many_arguments, reason = "each of them is a part of the evidence")]
    pub(super) fn broken(
        &self,
        shots: (usize, usize),
        list: &str,
        cause: &Deed,
        what: &str,
        sentence: String,
        row: &Row,
        harm: Harm,
    ) -> Break {
        let note = |number: usize| -> Vec<WidgetNote> {
            let shot = self.trail.shot(number);
            shot.filter(|shot| shot.layout().get(row.node).is_some())
                .map(|shot| row.note(shot.layout()))
                .unwrap_or_default()
        };
        let earlier = if what == "gone" { note(shots.0) } else { Vec::new() };
        let later = if what == "gone" { Vec::new() } else { note(shots.1) };
        Break {
            cause: Cause::Own,
            page: self.trail.page_name(shots.0),
            list: list.to_owned(),
            event: cause.kind(self.trail),
            what: what.to_owned(),
            expected: format!("{} stays what it is and where it is", quoted(self.token.text)),
            found: sentence.clone(),
            sentence,
            shots,
            widgets: (earlier, later),
            claim: Some(Claim::new(CONSERVATION.name, about(self.trail, shots.0, list), PROMISE)),
            harm,
            slight: false,
        }
    }
}

/// Equal for one list of one kind of page.
fn about(trail: &Trail<'_>, shot: usize, list: &str) -> u64 {
    let activity = trail.shot(shot).map(|shot| shot.seen.screen.activity.as_str()).unwrap_or_default();
    fingerprint(&[CONSERVATION.name, "kept", activity, list])
}

/// The rows that show a text as one of their own.
pub(super) fn rows<'l>(list: &'l List, text: &'l str) -> impl Iterator<Item = &'l Row> {
    list.rows.iter().filter(move |row| row.shows(text))
}

/// Whether a list has such a row.
pub(super) fn shows(list: &List, text: &str) -> bool {
    rows(list, text).next().is_some()
}

fn sees(shot: &Shot<'_>, list: &str, text: &str) -> bool {
    shot.list(list).is_some_and(|list| shows(list, text))
}

/// The form in which the text was typed: one of its fields holds it.
fn types(shot: &Shot<'_>, text: &str) -> bool {
    shot.look().fields.iter().any(|field| field.text == text)
}

/// A page about the text: its title, a text beside its rows or a field says it.
fn is_page_of(shot: &Shot<'_>, text: &str) -> bool {
    let look = shot.look();
    look.title.contains(text)
        || look.labels.iter().any(|(_, label)| label.contains(text))
        || look.fields.iter().any(|field| field.text.contains(text))
}

/// The boxes of all rows, with whether they are ticked.
fn ticks(shot: &Shot<'_>) -> Vec<(String, Option<bool>)> {
    let rows = shot.lists().iter().flat_map(|list| &list.rows);
    rows.flat_map(|row| {
        row.cells.iter().filter(|cell| cell.checked.is_some()).map(|cell| (row.label.clone(), cell.checked))
    })
    .collect()
}

/// What most likely did it: the last deed that is more than moving about, else the last one.
fn cause<'d>(trail: &Trail<'_>, deeds: &[&'d Deed]) -> Option<&'d Deed> {
    let acts = |deed: &&&Deed| !deed.is_navigation(trail);
    let restarts = |deed: &&&Deed| matches!(deed.kind(trail), EventKind::Relaunch | EventKind::Kill);
    let last = || deeds.iter().rev();
    last().find(restarts).or_else(|| last().find(acts)).or_else(|| last().next()).copied()
}

#[cfg(test)]
#[path = "conservation_tests.rs"]
mod tests;
