//! The comparison of a mutant with its seed: effects of the seed that the mutant lacks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use crate::gui::{Effect, EffectForm, Flags, LayoutHash, Widget, WidgetId, context_where, effects_of};
use crate::record::{EffectKind, IgnoreRule, UnmatchedEffect, WidgetNote};

use super::mask::Masks;
use super::playback::{Insert, Playback, Shot};

/// Compares the tests of one batch, remembering what pairs of layouts differ in: the same few
/// layouts come back in most pairs of most mutants.
pub(super) struct Comparison<'c> {
    form: EffectForm,
    ignore: &'c [IgnoreRule],
    masks: &'c Masks,
    effects: RefCell<BTreeMap<(LayoutHash, LayoutHash), Rc<[Effect]>>>,
    contexts: RefCell<BTreeMap<(LayoutHash, WidgetId), u64>>,
}

/// An effect of the seed between its layouts i and j that the mutant lacks.
#[derive(Clone, Copy)]
pub(super) struct Lost<'a> {
    pub(super) effect: Effect,
    /// The seed's layouts: i, j.
    pub(super) seed: (usize, usize),
    pub(super) shots: (Shot<'a>, Shot<'a>),
    /// The mutant's: i′, j′.
    pub(super) mutant: (usize, usize),
    pub(super) mutant_shots: (Shot<'a>, Shot<'a>),
    pub(super) diverged: bool,
}

/// What makes two effects the same: their labels and contexts. A change has both halves.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Trait {
    lost: Option<Half>,
    gained: Option<Half>,
}

type Half = (u64, u64);

impl<'c> Comparison<'c> {
    pub(super) fn new(form: EffectForm, ignore: &'c [IgnoreRule], masks: &'c Masks) -> Self {
        Self { form, ignore, masks, effects: RefCell::default(), contexts: RefCell::default() }
    }

    /// All effects of the seed that the mutant lacks, over the pairs i < j with j behind the
    /// pivot (Genie, point 7). `seeds` are the runs of the seed: an effect counts when every run
    /// shows it. With `masked` off, neither masks nor the other runs are looked at.
    pub(super) fn lost<'a>(
        &self,
        seeds: &[&Playback<'a>],
        mutant: &Playback<'a>,
        insert: Insert,
        masked: bool,
    ) -> Vec<Lost<'a>> {
        let Some((seed, others)) = seeds.split_first() else { return Vec::new() };
        let mut lost = Vec::new();
        for j in insert.pivot + 1..=seed.len() {
            for i in 1..j {
                let mutants = (insert.counterpart(i), insert.counterpart(j));
                let (Some(shots), Some(mutant_shots)) = (pair(seed, (i, j)), pair(mutant, mutants)) else {
                    continue;
                };
                if !shots.0.is_comparable(shots.1) {
                    continue;
                }
                let mut left = self.countable(shots, masked);
                if masked {
                    for other in others.iter().filter_map(|other| pair(other, (i, j))) {
                        let unstable = self.unmatched(shots, &left, other);
                        left.retain(|effect| !unstable.contains(effect));
                    }
                }
                let diverged = !mutant_shots.0.is_comparable(mutant_shots.1);
                lost.extend(self.unmatched(shots, &left, mutant_shots).into_iter().map(|effect| Lost {
                    effect,
                    seed: (i, j),
                    shots,
                    mutant: mutants,
                    mutant_shots,
                    diverged,
                }));
            }
        }
        lost
    }

    /// The effects between two layouts, computed once for each pair of layouts.
    pub(super) fn effects(&self, (from, to): (Shot<'_>, Shot<'_>)) -> Rc<[Effect]> {
        if from.hash() == to.hash() {
            return Rc::new([]);
        }
        let key = (from.hash(), to.hash());
        if let Some(known) = self.effects.borrow().get(&key) {
            return known.clone();
        }
        let effects: Rc<[Effect]> = effects_of(self.form, from.outline, to.outline).into();
        self.effects.borrow_mut().insert(key, effects.clone());
        effects
    }

    /// True when an ignore rule or a mask leaves the widget out.
    pub(super) fn is_left_out(&self, shot: Shot<'_>, widget: Widget<'_>) -> bool {
        self.is_ignored(shot, widget) || self.masks.masks(shot.activity(), widget)
    }

    fn is_ignored(&self, shot: Shot<'_>, widget: Widget<'_>) -> bool {
        self.ignore.iter().any(|rule| rule.matches(shot.activity(), widget))
    }

    /// The effects that may be asked of the mutant.
    fn countable(&self, shots: (Shot<'_>, Shot<'_>), masked: bool) -> Vec<Effect> {
        let counts = |shot: Shot<'_>, id: WidgetId| {
            let left_out = |w: Widget<'_>| match masked {
                true => self.is_left_out(shot, w),
                false => self.is_ignored(shot, w),
            };
            shot.layout().get(id).is_some_and(|w| !left_out(w))
        };
        let effects = self.effects(shots);
        let countable = effects.iter().filter(|effect| match **effect {
            Effect::Deleted(old) => counts(shots.0, old),
            Effect::Added(new) => counts(shots.1, new),
            Effect::Changed(old, new) => counts(shots.0, old) && counts(shots.1, new),
        });
        countable.copied().collect()
    }

    /// Which of these effects of one pair another pair lacks. Each effect of the other pair
    /// answers one. What finds no equal effect may still be answered in halves, by a removal and
    /// an appearance: of several mappings of least cost, two pairs need not get the same one.
    fn unmatched(
        &self,
        shots: (Shot<'_>, Shot<'_>),
        effects: &[Effect],
        other: (Shot<'_>, Shot<'_>),
    ) -> Vec<Effect> {
        let mut offered: Vec<Trait> = self.effects(other).iter().map(|e| self.traits(other, *e)).collect();
        let mut left: Vec<(Effect, Trait)> = Vec::new();
        for &effect in effects {
            let wanted = self.traits(shots, effect);
            match offered.iter().position(|offer| *offer == wanted) {
                Some(at) => {
                    offered.swap_remove(at);
                }
                None => left.push((effect, wanted)),
            }
        }
        let mut lost: Vec<Half> = offered.iter().filter_map(|offer| offer.lost).collect();
        let mut gained: Vec<Half> = offered.iter().filter_map(|offer| offer.gained).collect();
        left.retain(|(_, wanted)| !takes_both(&mut lost, wanted.lost, &mut gained, wanted.gained));
        left.into_iter().map(|(effect, _)| effect).collect()
    }

    fn traits(&self, (from, to): (Shot<'_>, Shot<'_>), effect: Effect) -> Trait {
        let half = |shot: Shot<'_>, id: WidgetId| Some((shot.outline.label(id), self.context(shot, id)));
        match effect {
            Effect::Deleted(old) => Trait { lost: half(from, old), gained: None },
            Effect::Added(new) => Trait { lost: None, gained: half(to, new) },
            Effect::Changed(old, new) => Trait { lost: half(from, old), gained: half(to, new) },
        }
    }

    /// The hash of a widget's context; sets have none.
    fn context(&self, shot: Shot<'_>, id: WidgetId) -> u64 {
        if self.form == EffectForm::Sets {
            return 0;
        }
        let key = (shot.hash(), id);
        if let Some(&known) = self.contexts.borrow().get(&key) {
            return known;
        }
        let mut hasher = DefaultHasher::new();
        self.context_text(shot, id).hash(&mut hasher);
        let context = hasher.finish();
        self.contexts.borrow_mut().insert(key, context);
        context
    }

    fn context_text(&self, shot: Shot<'_>, id: WidgetId) -> String {
        let context = |w| context_where(w, |other| !self.is_left_out(shot, other));
        shot.layout().get(id).map(context).unwrap_or_default()
    }

    /// The effect as evidence.
    pub(super) fn evidence(&self, lost: &Lost<'_>) -> UnmatchedEffect {
        let (before, after) = lost.widgets();
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let context = match (lost.effect, lost.shots) {
            (Effect::Deleted(id) | Effect::Changed(id, _), (from, _)) => self.context_text(from, id),
            (Effect::Added(id), (_, to)) => self.context_text(to, id),
        };
        UnmatchedEffect {
            kind: lost.kind(),
            before: before.map(note),
            after: after.map(note),
            context,
            seed: (number(lost.seed.0), number(lost.seed.1)),
            mutant: (number(lost.mutant.0), number(lost.mutant.1)),
            layouts: [lost.shots.0, lost.shots.1, lost.mutant_shots.0, lost.mutant_shots.1].map(Shot::hash),
            diverged: lost.diverged,
        }
    }
}

impl<'a> Lost<'a> {
    pub(super) fn kind(&self) -> EffectKind {
        match self.effect {
            Effect::Deleted(_) => EffectKind::Deleted,
            Effect::Added(_) => EffectKind::Added,
            Effect::Changed(..) => EffectKind::Changed,
        }
    }

    /// The widget on the seed's earlier and on its later layout.
    pub(super) fn widgets(&self) -> (Option<Widget<'a>>, Option<Widget<'a>>) {
        let (from, to) = (self.shots.0.layout(), self.shots.1.layout());
        match self.effect {
            Effect::Deleted(old) => (from.get(old), None),
            Effect::Added(new) => (None, to.get(new)),
            Effect::Changed(old, new) => (from.get(old), to.get(new)),
        }
    }
}

fn pair<'a>(playback: &Playback<'a>, (i, j): (usize, usize)) -> Option<(Shot<'a>, Shot<'a>)> {
    playback.shot(i).zip(playback.shot(j))
}

/// Takes both halves out of what is offered, or neither.
fn takes_both(lost: &mut Vec<Half>, a: Option<Half>, gained: &mut Vec<Half>, b: Option<Half>) -> bool {
    let at = |offered: &[Half], half: Option<Half>| match half {
        None => Some(None),
        Some(half) => offered.iter().position(|offer| *offer == half).map(Some),
    };
    let (Some(x), Some(y)) = (at(lost, a), at(gained, b)) else { return false };
    if let Some(x) = x {
        lost.swap_remove(x);
    }
    if let Some(y) = y {
        gained.swap_remove(y);
    }
    true
}

/// What a person needs to recognise a widget; nothing of a password.
fn note(widget: Widget<'_>) -> WidgetNote {
    let text = if widget.has(Flags::PASSWORD) { "" } else { widget.text() };
    WidgetNote {
        class: widget.class().to_owned(),
        resource_id: widget.resource_id().to_owned(),
        description: widget.description().to_owned(),
        text: text.to_owned(),
        bounds: widget.bounds(),
    }
}
