//! Pairs of events that the platform promises to be neutral, as they stand in a trail.

use super::super::trail::{Shot, Trail};
use crate::gui::{Bounds, DeviceSetting, EventKind, Widget};

/// Events after which an app shows what it showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    /// The phone is turned, and turned back.
    Turn,
    /// A person leaves for the home screen and comes back.
    Home,
    /// The phone is locked and unlocked.
    Lock,
    /// The screen is turned off and on.
    Sleep,
    /// The system ends the app in the background, and a person comes back to it.
    Kill,
    /// A page, dialog or menu is opened and left by the back key.
    Opened,
    /// A setting of the phone is changed and changed back.
    Setting(DeviceSetting),
}

/// A pair in a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub pair: Pair,
    /// The shot it begins on.
    pub from: usize,
    /// The shot that should show the same.
    pub to: usize,
}

const FIXED: [(Pair, &[EventKind]); 5] = [
    (Pair::Turn, &[EventKind::Rotate, EventKind::Rotate]),
    (Pair::Home, &[EventKind::Home, EventKind::Launch]),
    (Pair::Lock, &[EventKind::Lock, EventKind::Unlock]),
    (Pair::Sleep, &[EventKind::Sleep, EventKind::Wake]),
    (Pair::Kill, &[EventKind::Home, EventKind::Kill, EventKind::Launch]),
];

/// All pairs of a trail, in the order in which they begin.
pub fn stretches(trail: &Trail<'_>) -> Vec<Stretch> {
    let kinds: Vec<EventKind> = trail.shots().iter().skip(1).map(Shot::kind).collect();
    let mut found = Vec::new();
    for from in 0..kinds.len() {
        let rest = kinds.get(from..).unwrap_or(&[]);
        let fixed = FIXED.iter().find(|(_, events)| rest.starts_with(events));
        found.extend(fixed.map(|(pair, events)| Stretch { pair: *pair, from, to: from + events.len() }));
        let other = setting(trail, from, rest).or_else(|| opened(trail, from));
        found.extend(other.map(|pair| Stretch { pair, from, to: from + 2 }));
    }
    found.retain(|stretch| stretch.is_undisturbed(trail));
    found
}

/// A setting that gets another value and then the one it had. What a setting had at the start of a trail nothing says:
/// the first change of a trail is taken to begin there.
fn setting(trail: &Trail<'_>, from: usize, rest: &[EventKind]) -> Option<Pair> {
    let [EventKind::Set(setting), EventKind::Set(other), ..] = rest else { return None };
    let value = |number: usize| trail.shot(number)?.event?.data.as_deref();
    let (there, back) = (value(from + 1)?, value(from + 2)?);
    let earlier = (1..=from)
        .rev()
        .filter(|&number| trail.shot(number).map(Shot::kind) == Some(EventKind::Set(*setting)));
    let before = earlier.into_iter().find_map(value);
    (setting == other && there != back && before.is_none_or(|value| value == back))
        .then_some(Pair::Setting(*setting))
}

/// Something else comes up where the event acts, and the back key leads to the page it was opened from. That it does
/// is what tells a page that was opened from one that took the other's place.
fn opened(trail: &Trail<'_>, from: usize) -> Option<Pair> {
    let (before, between, after) = (trail.shot(from)?, trail.shot(from + 1)?, trail.shot(from + 2)?);
    // What is opened out of a window closes it, and back leads to the page below.
    if from.checked_sub(1).and_then(|page| trail.shot(page)).is_some_and(|page| lies_over(before, page)) {
        return None;
    }
    let opens = matches!(between.kind(), EventKind::Click | EventKind::LongClick | EventKind::Menu);
    let left = opens && between.is_sound() && !between.is_same_page(before) && !between.look().drawer_open;
    let back = after.kind() == EventKind::Back && before.shows_page() && after.is_same_page(before);
    (left && back).then_some(Pair::Opened)
}

/// A window that came up within the bounds of a page of the same activity: a popup, wherever it stands.
fn lies_over(window: &Shot<'_>, page: &Shot<'_>) -> bool {
    let around = |shot: &Shot<'_>| {
        let roots = shot.layout().roots().map(Widget::bounds).filter(|bounds| !bounds.is_empty());
        roots.reduce(|a, b| {
            Bounds::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
        })
    };
    let area = |bounds: Bounds| i64::from(bounds.width()) * i64::from(bounds.height());
    let (Some(inner), Some(outer)) = (around(window), around(page)) else { return false };
    window.seen.screen.activity == page.seen.screen.activity
        && inner.intersection(outer) == inner
        && area(inner) * 5 < area(outer) * 4
}

impl Stretch {
    /// The app is in front and at rest on both sides, and nothing had to be answered or mended in between.
    fn is_undisturbed(&self, trail: &Trail<'_>) -> bool {
        let ends = [self.from, self.to].into_iter().filter_map(|number| trail.shot(number));
        let between = (self.from + 1..=self.to).filter_map(|number| trail.shot(number));
        ends.filter(|shot| shot.is_sound()).count() == 2
            && between.into_iter().all(|shot| shot.seen.dialogs.is_empty())
    }
}

impl Pair {
    /// For keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Home => "home",
            Self::Lock => "lock",
            Self::Sleep => "sleep",
            Self::Kill => "kill",
            Self::Opened => "opened",
            Self::Setting(DeviceSetting::Dark) => "dark",
            Self::Setting(DeviceSetting::Language) => "language",
            Self::Setting(DeviceSetting::FontSize) => "font-size",
            Self::Setting(DeviceSetting::Network) => "network",
        }
    }

    /// The beginning of a sentence.
    pub fn after(self) -> &'static str {
        match self {
            Self::Turn => "After turning the phone twice",
            Self::Home => "After leaving for the home screen and coming back",
            Self::Lock => "After locking and unlocking the phone",
            Self::Sleep => "After turning the screen off and on",
            Self::Kill => "After the system ended the app in the background and it was opened again",
            Self::Opened => "After going back",
            Self::Setting(DeviceSetting::Dark) => "After changing between dark and light and back",
            Self::Setting(DeviceSetting::Language) => "After changing the language and changing it back",
            Self::Setting(DeviceSetting::FontSize) => {
                "After changing the size of the font and changing it back"
            }
            Self::Setting(DeviceSetting::Network) => "After switching the network off and on",
        }
    }

    /// What the relation expects of it.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Turn => "Turning the phone and turning it back leaves everything as it was.",
            Self::Home => "Whoever comes back from the home screen finds what they left.",
            Self::Lock => "Whoever unlocks the phone finds what they left.",
            Self::Sleep => "Turning the screen off and on leaves everything as it was.",
            Self::Kill => "An app that the system ended in the background comes back as it was.",
            Self::Opened => "Going back from what was just opened leaves everything as it was.",
            Self::Setting(_) => {
                "A setting of the phone that is changed and changed back leaves everything as it was."
            }
        }
    }

    /// The activities are made anew on the way, from what they saved.
    pub fn recreates(self) -> bool {
        match self {
            Self::Turn | Self::Kill => true,
            Self::Setting(setting) => setting != DeviceSetting::Network,
            Self::Home | Self::Lock | Self::Sleep | Self::Opened => false,
        }
    }

    /// The app is not in front for a while: it may fetch what came in the meantime, ask for a password, begin anew.
    pub fn leaves(self) -> bool {
        matches!(
            self,
            Self::Home | Self::Lock | Self::Sleep | Self::Kill | Self::Setting(DeviceSetting::Network)
        )
    }
}
