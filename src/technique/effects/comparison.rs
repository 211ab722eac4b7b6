//! The comparison of a mutant with its seed: effects of the seed that the mutant lacks.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use super::couple::{Couple, couples, pair};
use super::lost::{Lost, Named, difference, named, touches, widgets};
use crate::explain::Difference;
use crate::mask::{Masks, path};
use crate::playback::{Insert, Playback, Shot};
use droidmux_gui::{Effect, EffectForm, Flags, Widget, WidgetId, context_named, effects_of, row_name};
use droidmux_record::{IgnoreRule, UnmatchedEffect, WidgetNote};

/// Compares the tests of one batch, remembering what pairs of layouts differ in: the same few
/// layouts come back in most pairs of most mutants.
pub(super) struct Comparison<'c> {
    form: EffectForm,
    ignore: &'c [IgnoreRule],
    masks: &'c Masks,
    effects: RefCell<BTreeMap<(usize, usize), Rc<[Effect]>>>,
    contexts: RefCell<BTreeMap<(usize, WidgetId), u64>>,
    row_names: RefCell<BTreeMap<(usize, WidgetId), Option<WidgetId>>>,
    touched: RefCell<BTreeMap<(usize, usize), Rc<Touched>>>,
    counts: RefCell<BTreeMap<usize, Rc<Counts>>>,
}

/// What makes two effects the same: their labels and contexts. A change has both halves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Trait {
    lost: Option<Half>,
    gained: Option<Half>,
}

/// A widget's label and context, hashed.
type Half = (u64, u64);

/// The widgets that change between two layouts, without those left out.
#[derive(Default)]
pub(super) struct Touched {
    halves: HashSet<Half>,
    places: HashSet<u64>,
}

/// How often each widget is on a layout.
type Counts = BTreeMap<Half, i32>;

impl<'c> Comparison<'c> {
    pub(super) fn new(form: EffectForm, ignore: &'c [IgnoreRule], masks: &'c Masks) -> Self {
        let (effects, contexts, row_names, touched, counts) = Default::default();
        Self { form, ignore, masks, effects, contexts, row_names, touched, counts }
    }

    pub(super) fn form(&self) -> EffectForm {
        self.form
    }

    /// All effects of the seed that the mutant lacks, over the pairs i < j with j behind the
    /// pivot (Genie). `seeds` are the runs of the seed: an effect counts when every run
    /// shows it.
    pub(super) fn lost<'a>(
        &self,
        seeds: &[&Playback<'a>],
        mutant: &Playback<'a>,
        insert: Insert,
    ) -> Vec<Lost<'a>> {
        let Some((seed, others)) = seeds.split_first() else { return Vec::new() };
        let mut lost = Vec::new();
        for couple in couples(seed, mutant, insert) {
            let mut wanted = self.countable(couple.shots);
            for other in others.iter().filter_map(|other| pair(other, couple.seed)) {
                let unstable: HashSet<Effect> =
                    self.unmatched(couple.shots, &wanted, other).into_iter().collect();
                wanted.retain(|effect| !unstable.contains(effect) || self.is_lifted(couple.shots, *effect));
            }
            let diverged = !couple.mutant_shots.0.is_comparable(couple.mutant_shots.1);
            let unmatched = self.unmatched(couple.shots, &wanted, couple.mutant_shots);
            lost.extend(unmatched.into_iter().map(|effect| Lost { effect, couple, diverged }));
        }
        lost
    }

    /// True when the mutant lacks any effect of the seed's first run, nothing masked.
    pub(super) fn lacks_anything(
        &self,
        seeds: &[&Playback<'_>],
        mutant: &Playback<'_>,
        insert: Insert,
    ) -> bool {
        let Some(seed) = seeds.first() else { return false };
        couples(seed, mutant, insert).any(|couple| {
            let mut wanted = self.effects(couple.shots).to_vec();
            wanted.retain(|effect| !touches(couple.shots, *effect, |shot, w| self.is_ignored(shot, w)));
            !self.unmatched(couple.shots, &wanted, couple.mutant_shots).is_empty()
        })
    }

    /// The effects of one pair of layouts that another pair lacks, without what is left out.
    pub(super) fn lacking(&self, shots: (Shot<'_>, Shot<'_>), other: (Shot<'_>, Shot<'_>)) -> Vec<Effect> {
        let numbers = |(from, to): (Shot<'_>, Shot<'_>)| (from.still.number, to.still.number);
        if numbers(shots) == numbers(other) {
            return Vec::new();
        }
        self.unmatched(shots, &self.countable(shots), other)
    }

    /// The effects between two layouts, computed once for each pair of layouts.
    pub(super) fn effects(&self, (from, to): (Shot<'_>, Shot<'_>)) -> Rc<[Effect]> {
        if from.still.number == to.still.number {
            return Rc::new([]);
        }
        let key = (from.still.number, to.still.number);
        if let Some(known) = self.effects.borrow().get(&key) {
            return known.clone();
        }
        let effects: Rc<[Effect]> = effects_of(self.form, &from.still.outline, &to.still.outline).into();
        self.effects.borrow_mut().insert(key, effects.clone());
        effects
    }

    /// The effects that the mutant has and the seed does not, by the names of their widgets: events
    /// did their work, but on something else.
    pub(super) fn otherwise(
        &self,
        couple: Couple<'_>,
        name: impl Fn(Widget<'_>) -> String,
    ) -> HashSet<Named> {
        let others = self.surplus(couple).into_iter();
        others.map(|effect| named(widgets(couple.mutant_shots, effect), &name)).collect()
    }

    /// The same effects with their widgets, without what is left out.
    pub(super) fn instead<'a>(&self, couple: Couple<'a>) -> Vec<Difference<'a>> {
        let (shots, surplus) = (couple.mutant_shots, self.surplus(couple).into_iter());
        let counts = surplus.filter(|effect| !touches(shots, *effect, |shot, w| self.is_left_out(shot, w)));
        counts.map(|effect| difference(shots, effect)).collect()
    }

    fn surplus(&self, couple: Couple<'_>) -> Vec<Effect> {
        let Couple { shots, mutant_shots, .. } = couple;
        let known: HashSet<Trait> = self.effects(shots).iter().map(|e| self.traits(shots, *e)).collect();
        let effects = self.effects(mutant_shots);
        let others = effects.iter().filter(|effect| !known.contains(&self.traits(mutant_shots, **effect)));
        others.copied().collect()
    }

    /// What changes between two layouts, found out once for each pair.
    pub(super) fn touched(&self, step: (Shot<'_>, Shot<'_>)) -> Rc<Touched> {
        let key = (step.0.still.number, step.1.still.number);
        if let Some(known) = self.touched.borrow().get(&key) {
            return known.clone();
        }
        let mut touched = Touched::default();
        for effect in self.effects(step).iter() {
            let (before, after) = widgets(step, *effect);
            let both = before.map(|w| (step.0, w)).into_iter().chain(after.map(|w| (step.1, w)));
            for (shot, widget) in both.filter(|(shot, widget)| !self.is_left_out(*shot, *widget)) {
                touched.halves.insert(self.half(shot, widget.id()));
                touched.places.insert(place(widget));
            }
        }
        let touched = Rc::new(touched);
        self.touched.borrow_mut().insert(key, touched.clone());
        touched
    }

    /// True when a widget is among those touched: by label and context, or by its place.
    pub(super) fn is_among(&self, touched: &Touched, (shot, widget): (Shot<'_>, Widget<'_>)) -> bool {
        touched.halves.contains(&self.half(shot, widget.id())) || touched.places.contains(&place(widget))
    }

    /// True when an ignore rule or a mask leaves the widget out.
    pub(super) fn is_left_out(&self, shot: Shot<'_>, widget: Widget<'_>) -> bool {
        self.leaves_out(shot.activity(), widget)
    }

    /// True when an ignore rule or a mask leaves a widget of this activity out.
    pub(super) fn leaves_out(&self, activity: &str, widget: Widget<'_>) -> bool {
        self.ignore.iter().any(|rule| rule.matches(activity, widget)) || self.masks.masks(activity, widget)
    }

    fn is_ignored(&self, shot: Shot<'_>, widget: Widget<'_>) -> bool {
        self.ignore.iter().any(|rule| rule.matches(shot.activity(), widget))
    }

    /// The effects that may be asked of the mutant.
    fn countable(&self, shots: (Shot<'_>, Shot<'_>)) -> Vec<Effect> {
        let left_out = |effect: &Effect| touches(shots, *effect, |shot, w| self.is_left_out(shot, w));
        self.effects(shots).iter().filter(|effect| !left_out(effect)).copied().collect()
    }

    fn is_lifted(&self, shots: (Shot<'_>, Shot<'_>), effect: Effect) -> bool {
        touches(shots, effect, |shot, w| self.masks.is_lifted(shot.activity(), w))
    }

    /// Which of these effects of one pair another pair lacks. Each effect of the other pair answers
    /// one. An effect without an equal is still answered when as many widgets like the removed one
    /// are gone, and as many like the appeared one have come: when several mappings have the least
    /// cost, two pairs need not get the same one, and a row that an insertion added may have been
    /// mapped to the one that went.
    fn unmatched(
        &self,
        shots: (Shot<'_>, Shot<'_>),
        effects: &[Effect],
        other: (Shot<'_>, Shot<'_>),
    ) -> Vec<Effect> {
        let mut offered: HashMap<Trait, u32> = HashMap::new();
        for effect in self.effects(other).iter() {
            *offered.entry(self.traits(other, *effect)).or_default() += 1;
        }
        let mut left: Vec<(Effect, Trait)> = Vec::new();
        let mut taken: Counts = Counts::new();
        for &effect in effects {
            let wanted = self.traits(shots, effect);
            match offered.get_mut(&wanted).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    wanted.take(&mut taken);
                }
                None => left.push((effect, wanted)),
            }
        }
        if left.is_empty() {
            return Vec::new();
        }
        let (before, after) = (self.counts(other.0), self.counts(other.1));
        let count = |counts: &Counts, half: &Half| counts.get(half).copied().unwrap_or(0);
        let growth = |half: &Half| count(&after, half) - count(&before, half);
        left.retain(|(_, wanted)| {
            let lost = wanted.lost.is_none_or(|half| growth(&half) < count(&taken, &half));
            let gained = wanted.gained.is_none_or(|half| growth(&half) > count(&taken, &half));
            if lost && gained {
                wanted.take(&mut taken);
            }
            !(lost && gained)
        });
        left.into_iter().map(|(effect, _)| effect).collect()
    }

    fn counts(&self, shot: Shot<'_>) -> Rc<Counts> {
        if let Some(known) = self.counts.borrow().get(&shot.still.number) {
            return known.clone();
        }
        let mut counts = Counts::new();
        for widget in shot.layout().widgets() {
            *counts.entry(self.half(shot, widget.id())).or_default() += 1;
        }
        let counts = Rc::new(counts);
        self.counts.borrow_mut().insert(shot.still.number, counts.clone());
        counts
    }

    fn traits(&self, (from, to): (Shot<'_>, Shot<'_>), effect: Effect) -> Trait {
        let half = |shot: Shot<'_>, id: WidgetId| Some(self.half(shot, id));
        match effect {
            Effect::Deleted(old) => Trait { lost: half(from, old), gained: None },
            Effect::Added(new) => Trait { lost: None, gained: half(to, new) },
            Effect::Changed(old, new) => Trait { lost: half(from, old), gained: half(to, new) },
        }
    }

    fn half(&self, shot: Shot<'_>, id: WidgetId) -> Half {
        (shot.still.outline.label(id), self.context(shot, id))
    }

    /// The hash of a widget's context; sets have none.
    fn context(&self, shot: Shot<'_>, id: WidgetId) -> u64 {
        if self.form == EffectForm::Sets {
            return 0;
        }
        let key = (shot.still.number, id);
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
        let context = |w| context_named(w, |row| self.row_name(shot, row));
        shot.layout().get(id).map(context).unwrap_or_default()
    }

    /// The widget that names a row, looked for once: a row may hold thousands of widgets.
    fn row_name<'a>(&self, shot: Shot<'a>, row: Widget<'a>) -> Option<Widget<'a>> {
        let key = (shot.still.number, row.id());
        if let Some(known) = self.row_names.borrow().get(&key) {
            return known.and_then(|id| shot.layout().get(id));
        }
        let found = row_name(row, |other| !self.is_left_out(shot, other));
        self.row_names.borrow_mut().insert(key, found.map(Widget::id));
        found
    }

    /// The effect as evidence.
    pub(super) fn evidence(&self, lost: &Lost<'_>) -> UnmatchedEffect {
        let (before, after) = lost.widgets();
        let Couple { shots, mutant_shots, .. } = lost.couple;
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let context = match (lost.effect, lost.couple.shots) {
            (Effect::Deleted(id) | Effect::Changed(id, _), (from, _)) => self.context_text(from, id),
            (Effect::Added(id), (_, to)) => self.context_text(to, id),
        };
        UnmatchedEffect {
            kind: lost.kind(),
            before: before.map(note),
            after: after.map(note),
            context,
            seed: (number(lost.couple.seed.0), number(lost.couple.seed.1)),
            mutant: (number(lost.couple.mutant.0), number(lost.couple.mutant.1)),
            layouts: [shots.0, shots.1, mutant_shots.0, mutant_shots.1].map(Shot::hash),
            diverged: lost.diverged,
        }
    }
}

impl Trait {
    /// Counts what this effect took away and brought.
    fn take(&self, taken: &mut Counts) {
        if let Some(half) = self.lost {
            *taken.entry(half).or_default() -= 1;
        }
        if let Some(half) = self.gained {
            *taken.entry(half).or_default() += 1;
        }
    }
}

/// The hash of where a widget is: its class, its id and its path.
fn place(widget: Widget<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (widget.class(), widget.resource_id(), path(widget)).hash(&mut hasher);
    hasher.finish()
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
