//! An effect of the seed that the mutant lacks, and what effects say of their widgets.

use super::couple::Couple;
use crate::explain::Difference;
use crate::playback::Shot;
use droidmux_gui::{Effect, Widget, WidgetId};
use droidmux_record::EffectKind;

/// An effect of the seed between its layouts i and j that the mutant lacks.
#[derive(Clone, Copy)]
pub(super) struct Lost<'a> {
    pub(super) effect: Effect,
    pub(super) couple: Couple<'a>,
    /// The mutant's pair is not comparable.
    pub(super) diverged: bool,
}

/// An effect by what its widgets are called: the one before, the one after.
pub(super) type Named = (Option<String>, Option<String>);

impl<'a> Lost<'a> {
    pub(super) fn kind(&self) -> EffectKind {
        kind(self.effect)
    }

    /// The effect for explanations.
    pub(super) fn difference(&self) -> Difference<'a> {
        difference(self.couple.shots, self.effect)
    }

    /// The effect by what its widgets are called.
    pub(super) fn named(&self, name: impl Fn(Widget<'_>) -> String) -> Named {
        named(self.widgets(), name)
    }

    /// The widgets of the effect with the layouts they are on.
    pub(super) fn places(&self) -> Vec<(Shot<'a>, Widget<'a>)> {
        let (before, after) = self.widgets();
        let before = before.map(|w| (self.couple.shots.0, w));
        before.into_iter().chain(after.map(|w| (self.couple.shots.1, w))).collect()
    }

    /// The widget on the seed's earlier and on its later layout.
    pub(super) fn widgets(&self) -> (Option<Widget<'a>>, Option<Widget<'a>>) {
        widgets(self.couple.shots, self.effect)
    }
}

fn kind(effect: Effect) -> EffectKind {
    match effect {
        Effect::Deleted(_) => EffectKind::Deleted,
        Effect::Added(_) => EffectKind::Added,
        Effect::Changed(..) => EffectKind::Changed,
    }
}

pub(super) fn difference<'a>(shots: (Shot<'a>, Shot<'a>), effect: Effect) -> Difference<'a> {
    let (before, after) = widgets(shots, effect);
    Difference { kind: kind(effect), before, after }
}

/// The widgets of an effect on the earlier and on the later layout.
pub(super) fn widgets<'a>(
    (from, to): (Shot<'a>, Shot<'a>),
    effect: Effect,
) -> (Option<Widget<'a>>, Option<Widget<'a>>) {
    match effect {
        Effect::Deleted(old) => (from.layout().get(old), None),
        Effect::Added(new) => (None, to.layout().get(new)),
        Effect::Changed(old, new) => (from.layout().get(old), to.layout().get(new)),
    }
}

pub(super) fn named(
    (before, after): (Option<Widget<'_>>, Option<Widget<'_>>),
    name: impl Fn(Widget<'_>) -> String,
) -> Named {
    (before.map(&name), after.map(&name))
}

/// True when any widget of the effect meets the condition.
pub(super) fn touches(
    (from, to): (Shot<'_>, Shot<'_>),
    effect: Effect,
    condition: impl Fn(Shot<'_>, Widget<'_>) -> bool,
) -> bool {
    let fulfils = |shot: Shot<'_>, id: WidgetId| shot.layout().get(id).is_some_and(|w| condition(shot, w));
    match effect {
        Effect::Deleted(old) => fulfils(from, old),
        Effect::Added(new) => fulfils(to, new),
        Effect::Changed(old, new) => fulfils(from, old) || fulfils(to, new),
    }
}
