//! Pairs of events that the platform promises to be neutral, as they stand in a trail, and the first half of one: a turn of
//! the phone.

use super::super::trail::{Shot, Trail};
use super::insertion;
use droidmux_gui::EventKind;
use droidmux_record::NeutralInsertion;

/// A pair in a trail, or a turn of the phone alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub pair: NeutralInsertion,
    /// The shot it begins on.
    pub from: usize,
    /// The shot that should show the same.
    pub to: usize,
}

/// All pairs of a trail, in the order in which they begin, each turn of the phone before the pair that it may begin.
pub fn stretches(trail: &Trail<'_>) -> Vec<Stretch> {
    let kinds: Vec<EventKind> = trail.shots().iter().skip(1).map(Shot::kind).collect();
    let mut found = Vec::new();
    for from in 0..kinds.len() {
        let rest = kinds.get(from..).unwrap_or(&[]);
        let turns = rest.first() == Some(&EventKind::Rotate);
        found.extend(turns.then_some(Stretch { pair: NeutralInsertion::Rotate, from, to: from + 1 }));
        let mut pairs = NeutralInsertion::ALL.into_iter().map(|pair| (pair, insertion::sequence(pair)));
        let fixed = pairs.find(|(_, events)| !events.is_empty() && rest.starts_with(events));
        found.extend(fixed.map(|(pair, events)| Stretch { pair, from, to: from + events.len() }));
        let other = setting(trail, from, rest).or_else(|| opened(trail, from));
        found.extend(other.map(|pair| Stretch { pair, from, to: from + 2 }));
    }
    found.retain(|stretch| stretch.is_undisturbed(trail));
    found
}

/// A setting that gets another value and then the one it had. Nothing says what value a setting had at the start of a
/// trail: the first change of a trail is taken to begin there.
fn setting(trail: &Trail<'_>, from: usize, rest: &[EventKind]) -> Option<NeutralInsertion> {
    let [EventKind::Set(setting), EventKind::Set(other), ..] = rest else { return None };
    let value = |number: usize| trail.shot(number)?.event?.data.as_deref();
    let (there, back) = (value(from + 1)?, value(from + 2)?);
    let earlier = (1..=from)
        .rev()
        .filter(|&number| trail.shot(number).map(Shot::kind) == Some(EventKind::Set(*setting)));
    let before = earlier.into_iter().find_map(value);
    (setting == other && there != back && before.is_none_or(|value| value == back))
        .then_some(insertion::of_setting(*setting))
}

/// Something else comes up where the event acts, and the back key leads to the page it was opened from. This is what
/// tells a page that was opened from one that took the other's place.
fn opened(trail: &Trail<'_>, from: usize) -> Option<NeutralInsertion> {
    let (before, between, after) = (trail.shot(from)?, trail.shot(from + 1)?, trail.shot(from + 2)?);
    let opens = matches!(between.kind(), EventKind::Click | EventKind::LongClick | EventKind::Menu);
    let left = opens && between.is_sound() && !between.is_same_page(before) && !between.look().drawer_open;
    // What is opened out of a window closes it, and back leads to the page below.
    let back = after.kind() == EventKind::Back && before.shows_page() && after.is_same_page(before);
    (left && back).then_some(NeutralInsertion::Page)
}

impl Stretch {
    /// A turn of the phone that is not turned back.
    pub fn is_half(&self) -> bool {
        self.pair == NeutralInsertion::Rotate && self.to == self.from + 1
    }

    /// The app is in front and at rest on both sides, and nothing had to be answered or mended in between.
    fn is_undisturbed(&self, trail: &Trail<'_>) -> bool {
        let ends = [self.from, self.to].into_iter().filter_map(|number| trail.shot(number));
        let between = (self.from + 1..=self.to).filter_map(|number| trail.shot(number));
        ends.filter(|shot| shot.is_sound()).count() == 2
            && between.into_iter().all(|shot| shot.seen.dialogs.is_empty())
    }
}
