//! What conservation says of a text that was renamed: a list that follows renames shows its new name, not the former
//! one.
//!
//! Invariants: the list where the rename shows is none of those that are asked; what says nothing of a list (it was not
//! seen with the former name, or an offer to undo came up) leaves it out.

use crate::claims::LOOSE;
use std::ops::Range;

use super::conservation::{CONSERVATION, Followed, rows, shows};
use super::row::List;
use super::token::Token;
use super::trail::{Shot, Trail};
use super::{Break, Said, fingerprint};
use droidmux_account::apart;
use droidmux_record::{Claim, Harm, Held};

/// A token that took the place of another one.
pub(super) struct Rename<'t, 'a> {
    followed: Followed<'t, 'a>,
    former: &'t Token<'a>,
    /// The lists that showed the former name before it was changed, with their shots.
    listed: Vec<Sighting<'t>>,
    /// Where the new name shows in the place of the former one.
    at: Sighting<'t>,
    /// The shots in which both names can be told from others.
    told: Range<usize>,
}

/// A list on a shot.
type Sighting<'t> = (usize, &'t List);

impl<'t, 'a> Rename<'t, 'a> {
    /// The rename that this token is; `None` for another token, and where no list says that it was renamed.
    pub(super) fn of(followed: Followed<'t, 'a>) -> Option<Self> {
        let Followed { trail, token } = followed;
        let former = trail.tokens().iter().find(|other| other.text == token.replaced)?;
        let told = token.typed + 1..token.until.min(former.until);
        let earlier = pages(trail).take_while(|(number, _)| *number <= token.typed);
        let listed: Vec<Sighting<'t>> =
            earlier.flat_map(|(number, shot)| showing(number, shot, former.text)).collect();
        if listed.iter().any(|(_, list)| rows(list, former.text).count() > 1) {
            return None;
        }
        let at = pages(trail).filter(|(number, _)| told.contains(number)).find_map(|(number, shot)| {
            let renamed = |list: &&List| {
                let known = listed.iter().any(|(earlier, other)| {
                    other.id == list.id && trail.shot(*earlier).is_some_and(|page| page.is_same_place(shot))
                });
                known && shows(list, token.text) && !shows(list, former.text)
            };
            Some((number, shot.lists().iter().find(renamed)?))
        })?;
        Some(Self { followed, former, listed, at, told })
    }

    /// Another page that listed what was renamed: it has the new name, or still the former one.
    pub(super) fn says(&self) -> Option<Said> {
        let (former, new) = (self.former.text, self.followed.token.text);
        let Some((number, list)) = self.elsewhere(former) else {
            let (number, list) = self.elsewhere(new)?;
            let object = fingerprint(&[former, new]);
            return Some(Said::Held(Held::new(CONSERVATION.name, self.about(number, list), object)));
        };
        if self.may_be_undone(number) || shows(list, new) {
            return None;
        }
        self.still((number, list)).map(|broken| Said::Broken(Box::new(broken)))
    }

    /// The first page after the rename, other than the one that shows it, with this name in a list that showed the
    /// former one.
    fn elsewhere(&self, name: &'a str) -> Option<Sighting<'t>> {
        let later = |number: &usize| self.told.contains(number) && *number > self.at.0;
        pages(self.followed.trail)
            .filter(|(number, _)| later(number))
            .flat_map(|(number, shot)| showing(number, shot, name))
            .find(|(number, list)| self.is_another(*number, list) && self.was_listed(*number, list))
    }

    fn is_another(&self, number: usize, list: &List) -> bool {
        self.shot(number)
            .zip(self.shot(self.at.0))
            .is_some_and(|(page, at)| !page.is_same_page(at) || list.id != self.at.1.id)
    }

    fn was_listed(&self, number: usize, list: &List) -> bool {
        self.listed.iter().any(|(earlier, other)| {
            other.id == list.id
                && self.shot(*earlier).zip(self.shot(number)).is_some_and(|(a, b)| a.is_same_page(b))
        })
    }

    /// An offer to undo came up between the rename and this shot.
    fn may_be_undone(&self, number: usize) -> bool {
        let between = self.followed.trail.shots().get(self.at.0..=number);
        between.is_some_and(|shots| shots.iter().any(|shot| shot.snackbar().is_some()))
    }

    /// The list still shows the former name.
    fn still(&self, (number, list): Sighting<'t>) -> Option<Break> {
        let Followed { trail, token } = self.followed;
        let row = rows(list, self.former.text).next()?;
        let (was, is) = apart(self.former.text, token.text);
        let sentence =
            format!("{was} was renamed to {is}, and {} still lists {was}.", self.shot(number)?.page_words(),);
        let deed = trail.deeds().iter().rev().find(|deed| deed.to <= self.at.0)?;
        let (shots, harm) = ((self.at.0, number), Harm::WrongDisplay);
        let broken = self.followed.broken(shots, &list.id, deed, "former name", sentence, row, harm);
        let claim = Claim::new(CONSERVATION.name, self.about(number, list), LOOSE);
        Some(Break { claim: Some(claim), ..broken })
    }

    /// Equal for renames that one list is to follow.
    fn about(&self, number: usize, list: &List) -> u64 {
        let activity = self.shot(number).map(|shot| shot.seen.screen.activity.as_str());
        fingerprint(&[CONSERVATION.name, "renames", activity.unwrap_or_default(), &list.id])
    }

    fn shot(&self, number: usize) -> Option<&'t Shot<'a>> {
        self.followed.trail.shot(number)
    }
}

/// The shots that show a page, with their numbers.
fn pages<'t, 'a>(trail: &'t Trail<'a>) -> impl Iterator<Item = (usize, &'t Shot<'a>)> {
    trail.shots().iter().enumerate().filter(|(_, shot)| shot.shows_page())
}

/// The lists of a shot that show a text.
fn showing<'t>(
    number: usize,
    shot: &'t Shot<'_>,
    text: &'t str,
) -> impl Iterator<Item = Sighting<'t>> + use<'t> {
    shot.lists().iter().filter(move |list| shows(list, text)).map(move |list| (number, list))
}
