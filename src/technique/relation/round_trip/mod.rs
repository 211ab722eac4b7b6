//! Neutral insertion: a pair of events that the platform promises to be neutral leaves the screen as it was.
//!
//! The pairs: turning and turning back; home and back; locking and unlocking; screen off and on; the process ended in
//! the background and restored; a page, dialog or menu opened and left by the back key; a setting of the phone changed
//! and changed back.
//!
//! Assumes that an app saves what a person sees and entered, as the platform asks it to.
//!
//! Silent if the screen is loading or not at rest on either side, if something had to be answered in between, if a
//! menu, a snackbar, a toast, the keyboard or an open drawer is lost, and about what clocks and counters change. A lost
//! place in a list and a lost cursor are slight. An app that leaves its page whenever it leaves the front (one that
//! asks for a password, or begins anew from its icon) does so by choice: that a page stays is a claim, which must have
//! held before; and so is that a page stays at all, since some are left by themselves after a while. That a list keeps
//! rows that nobody entered while the app is away is a claim, too: feeds are fetched anew. A different order after the
//! app was away is slight.
//!
//! A phone that is turned and not turned back may show a page in another way. What was typed into its fields, and a dialog, are
//! to be there in each. That dialogs stay is a claim of its own: there are apps that keep none.
//!
//! ```text
//! ┌ New note ───────┐  turn   ┌ New note ──────────────┐  turn   ┌ New note ───────┐
//! │ Title  [milk  ] │ ──────▶ │ Title  [            ]  │ ──────▶ │ Title  [      ] │
//! └─────────────────┘         └────────────────────────┘         └─────────────────┘
//! After turning the phone the text typed into 'Title' is gone.
//! ```

pub mod insertion;
mod loss;
mod pair;
#[cfg(test)]
mod tests;

use super::look::Window;
use super::row::List;
use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, differ_in_words, fingerprint, quoted};
use crate::claims::{HABIT, LASTING, LOOSE, PROMISE};
use droidmux_record::{Claim, Held, NeutralInsertion};
use insertion::done;
use loss::{Kind, Loss, losses, losses_of_a_turn};
use pair::{Stretch, stretches};

pub static NEUTRAL: Relation = Relation {
    name: "neutral",
    assumes: "What a person sees and entered survives turning the phone, leaving for the home screen, locking, \
              the end of the process in the background, going back from what was just opened, and a setting that \
              is changed and changed back.",
    silent_when: "A screen is loading or restless; something had to be answered in between; a menu, a snackbar or a \
                  drawer is lost; only clocks and counters differ; the app never keeps its pages when it leaves the front.",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    for stretch in stretches(trail) {
        let losses =
            if stretch.is_half() { losses_of_a_turn(trail, stretch) } else { losses(trail, stretch) };
        said.extend(stays(trail, stretch).map(Said::Held));
        if stretch.pair.leaves() && !losses.iter().any(|loss| loss.kind == Kind::Page) {
            said.extend(stayed(trail, stretch).map(Said::Held));
            said.extend(kept(trail, stretch, &losses).into_iter().map(Said::Held));
        }
        if shows_alike(trail, stretch) {
            let page = fingerprint(&[&trail.page_name(stretch.from)]);
            let held = |about| Said::Held(Held::new(NEUTRAL.name, about, page));
            let half = stretch.is_half();
            said.extend((!half && !stretch.pair.leaves()).then(|| held(about_page(trail, stretch))));
            let kept = losses.is_empty() && (!half || is_typed_into(trail, stretch.from));
            said.extend(kept.then(|| held(about_all(stretch.pair))));
        }
        said.extend(losses.into_iter().map(|loss| Said::Broken(Box::new(broken(trail, stretch, loss)))));
    }
    said
}

/// The page is in front on both sides, so that something could have been lost.
fn shows_alike(trail: &Trail<'_>, stretch: Stretch) -> bool {
    let ends = trail.shot(stretch.from).zip(trail.shot(stretch.to));
    ends.is_some_and(|(before, after)| before.is_same_page(after))
}

/// A field shows what was typed.
fn is_typed_into(trail: &Trail<'_>, number: usize) -> bool {
    let fields = trail.shot(number).map_or(&[][..], |shot| shot.look().fields.as_slice());
    fields.iter().any(|field| trail.has_typed(&field.text, number))
}

/// Equal for all that a pair of events leaves as it was.
fn about_all(pair: NeutralInsertion) -> u64 {
    fingerprint(&["neutral", pair.name(), "all"])
}

/// Equal for all dialogs that a pair of events leaves in front.
fn about_dialogs(pair: NeutralInsertion) -> u64 {
    fingerprint(&["neutral", pair.name(), "dialog"])
}

/// A dialog that is in front on both sides.
fn stays(trail: &Trail<'_>, stretch: Stretch) -> Option<Held> {
    let (before, after) = (trail.shot(stretch.from)?.look(), trail.shot(stretch.to)?.look());
    let same = before.window == Window::Dialog
        && after.window == Window::Dialog
        && !differ_in_words(&before.dialog, &after.dialog);
    let dialog = fingerprint(&[&trail.page_name(stretch.from), &before.dialog]);
    same.then(|| Held::new(NEUTRAL.name, about_dialogs(stretch.pair), dialog))
}

/// Equal for one page that a pair of events leaves in front.
fn about_page(trail: &Trail<'_>, stretch: Stretch) -> u64 {
    fingerprint(&["neutral", stretch.pair.name(), "in front", &trail.page_name(stretch.from)])
}

fn about(pair: NeutralInsertion) -> u64 {
    fingerprint(&["neutral", pair.name(), "page"])
}

/// A page that is not the one the app begins with, and is in front as before.
fn stayed(trail: &Trail<'_>, stretch: Stretch) -> Option<Held> {
    let (first, before, after) = (trail.shot(0)?, trail.shot(stretch.from)?, trail.shot(stretch.to)?);
    let kept = before.is_same_page(after) && !before.is_same_page(first);
    let object = fingerprint(&[&trail.page_name(stretch.from)]);
    kept.then(|| Held::new(NEUTRAL.name, about(stretch.pair), object))
}

/// Equal for one list of one kind of page, whichever way the app was left.
fn about_rows(trail: &Trail<'_>, stretch: Stretch, list: &str) -> u64 {
    let activity = trail.shot(stretch.from).map(|shot| shot.seen.screen.activity.as_str());
    fingerprint(&["neutral", "rows", activity.unwrap_or_default(), list])
}

/// The lists that show what they showed after the app was away.
fn kept(trail: &Trail<'_>, stretch: Stretch, losses: &[Loss]) -> Vec<Held> {
    let (Some(before), Some(after)) = (trail.shot(stretch.from), trail.shot(stretch.to)) else {
        return Vec::new();
    };
    let same = |list: &&List| {
        let rows = |shot: &Shot<'_>| shot.list(&list.id).map(|list| list.labels().join("\n"));
        losses.iter().all(|loss| loss.list != list.id) && rows(before) == rows(after)
    };
    let held = |list: &List| {
        let situation = fingerprint(&[stretch.pair.name(), &list.labels().join("\n")]);
        Held::new(NEUTRAL.name, about_rows(trail, stretch, &list.id), situation)
    };
    before.lists().iter().filter(same).map(held).collect()
}

/// The claim that a loss is a counter-example of.
fn claim(trail: &Trail<'_>, stretch: Stretch, loss: &Loss) -> Claim {
    let (about, threshold) = match loss.kind {
        Kind::Page if stretch.pair.leaves() => (about(stretch.pair), HABIT),
        Kind::Page => (about_page(trail, stretch), LASTING),
        Kind::Dialog => (about_dialogs(stretch.pair), PROMISE),
        _ if loss.fetched => (about_rows(trail, stretch, &loss.list), LOOSE),
        _ => (about_all(stretch.pair), PROMISE),
    };
    Claim::new(NEUTRAL.name, about, threshold)
}

fn broken(trail: &Trail<'_>, stretch: Stretch, loss: Loss) -> Break {
    let claim = claim(trail, stretch, &loss);
    let sentence = format!("{} {}.", opening(trail, stretch), loss.words);
    let mut found = loss.words.clone();
    if let Some(first) = found.get(..1) {
        found = first.to_uppercase() + found.get(1..).unwrap_or_default();
    }
    Break {
        cause: Cause::Lost(loss.kind.family()),
        page: trail.page_name(stretch.from),
        list: loss.list,
        event: trail.shot(stretch.to).map_or(droidmux_gui::EventKind::Back, Shot::kind),
        what: format!("{} {} {}", stretch.pair.name(), loss.kind.name(), loss.about).trim_end().to_owned(),
        sentence,
        expected: promise(stretch).to_owned(),
        found: format!("{found}."),
        shots: (stretch.from, stretch.to),
        widgets: loss.widgets,
        claim: Some(claim),
        harm: loss.kind.harm(),
        slight: loss.slight,
    }
}

/// What the platform promises, in a sentence.
fn promise(stretch: Stretch) -> &'static str {
    match stretch.is_half() {
        true => "Turning the phone leaves what was entered, and a dialog, as they were.",
        false => insertion::promise(stretch.pair),
    }
}

/// `After turning the phone twice`, `After opening 'Settings' and going back`.
fn opening(trail: &Trail<'_>, stretch: Stretch) -> String {
    if stretch.is_half() {
        return "After turning the phone".into();
    }
    let (before, between) = (trail.shot(stretch.from), trail.shot(stretch.from + 1));
    let touched = between.and_then(|shot| shot.receiver).zip(before).map(|(widget, shot)| shot.word(widget));
    let opened = touched.filter(|word| !word.is_empty()).map(|word| quoted(&word));
    format!("After {}", done(stretch.pair, opened.as_deref()))
}
