//! The missing effects of a verdict, put together for a person.

use droidmux_gui::{short_class, short_id};
use droidmux_record::{EffectKind, UnmatchedEffect, Verdict, WidgetNote};
use droidmux_words::printable;

/// Effects that say the same, found in one or more pairs of layouts.
pub(super) struct EffectGroup<'a> {
    pub first: &'a UnmatchedEffect,
    /// The seed's pairs, numbered from 1.
    pub pairs: Vec<(u16, u16)>,
}

/// The effects a verdict rests on.
pub(super) fn effects(verdict: &Verdict) -> &[UnmatchedEffect] {
    verdict.evidence.effects()
}

/// Groups equal effects. Those of the witness, with which the oracle begins its evidence, stay in front; the others
/// follow, rarest first.
pub(super) fn groups(verdict: &Verdict) -> Vec<EffectGroup<'_>> {
    let effects = effects(verdict);
    let mut groups: Vec<EffectGroup<'_>> = Vec::new();
    for effect in effects {
        match groups.iter_mut().find(|group| says_the_same(group.first, effect)) {
            Some(group) => group.pairs.push(effect.seed),
            None => groups.push(EffectGroup { first: effect, pairs: vec![effect.seed] }),
        }
    }
    let witness = effects.first().map(|effect| effect.seed);
    let is_witness = |group: &EffectGroup<'_>| witness.is_some_and(|pair| group.pairs.first() == Some(&pair));
    groups.sort_by_key(|group| if is_witness(group) { 0 } else { group.pairs.len() });
    groups
}

fn says_the_same(a: &UnmatchedEffect, b: &UnmatchedEffect) -> bool {
    let says = |note: &Option<WidgetNote>| {
        note.as_ref().map(|n| [&n.class, &n.resource_id, &n.description, &n.text].map(String::clone))
    };
    a.kind == b.kind
        && a.diverged == b.diverged
        && a.context == b.context
        && says(&a.before) == says(&b.before)
        && says(&a.after) == says(&b.after)
}

/// One line: what happened in the seed and not in the mutant.
pub(super) fn line(effect: &UnmatchedEffect) -> String {
    let widget = |note: &Option<WidgetNote>| note.as_ref().map(name).unwrap_or_default();
    let what = match effect.kind {
        EffectKind::Deleted => format!("removed  {}", widget(&effect.before)),
        EffectKind::Added => format!("added    {}", widget(&effect.after)),
        EffectKind::Changed => {
            let text = effect.after.as_ref().map_or("", value);
            format!("changed  {} to {text:?}", widget(&effect.before))
        }
    };
    printable(&what).into_owned()
}

fn name(note: &WidgetNote) -> String {
    let (class, id) = (short_class(&note.class), short_id(&note.resource_id));
    let id = if id.is_empty() { String::new() } else { format!(" #{id}") };
    match value(note) {
        "" => format!("{class}{id}"),
        value => format!("{class}{id} {value:?}"),
    }
}

fn value(note: &WidgetNote) -> &str {
    if note.text.is_empty() { &note.description } else { &note.text }
}
