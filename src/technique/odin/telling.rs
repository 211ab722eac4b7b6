//! A deviation described as a person would describe it, and what explains it.
//!
//! In: deviations with the behaviours they were found among, and replays of both inputs. Out: one sentence, harm and
//! cluster, and experiments: whether the usual behaviour was ever seen on an equal page, and what explains a
//! violation of Genie.

use super::cluster::{Pair, Scales};
use super::weighing::{Behaviour, Weighing};
use crate::explain::{self, Case, Difference, Done, Story, content_difference};
use crate::sentence::{self, note, quoted};
use droidmux_account::look::is_up;
use droidmux_gui::{Effect, EffectForm, Event, EventKind, Layout, Widget, effects};
use droidmux_record::{
    Bearing, Deviation, EffectKind, Experiment, ExperimentKind, Harm, JobRun, UnmatchedEffect,
};

/// How many usual behaviours are searched for an equal page, at most.
const MOST_USUAL: usize = 60;

/// The sentence of a deviation.
pub(super) fn title(deviation: &Deviation) -> String {
    let all: u64 = deviation.sizes.iter().copied().map(u64::from).sum();
    let often = match all {
        0 => "after another way there".to_owned(),
        all => format!("in {} of {all} cases", deviation.deviant.size),
    };
    let deed = sentence::handled(&deviation.event);
    if !deviation.deviant.after.in_app && deviation.usual.after.in_app {
        return sentence::sentence(&format!("{deed} leaves the app {often}, which it usually does not"));
    }
    let surplus = deviation.effects.len().saturating_sub(deviation.surplus as usize);
    let (usual, deviant) = deviation.effects.split_at(surplus.min(deviation.effects.len()));
    sentence::sentence(&told(&deed, &often, (foremost(usual).map(does), foremost(deviant).map(does))))
}

/// What an event usually does, and what it does here; `often` says when.
fn told(deed: &str, often: &str, effects: (Option<String>, Option<String>)) -> String {
    match effects {
        // The same words of another place, or of another widget: people see which on the screens.
        (Some(usual), Some(deviant)) if usual == deviant => {
            format!("{deed} usually {usual}, but {often} in another way")
        }
        (Some(usual), Some(deviant)) => {
            format!("{deed} usually {usual}, but not {often}: there it {deviant}")
        }
        (Some(usual), None) => format!("{deed} usually {usual}, but not {often}"),
        (None, Some(deviant)) => format!("{deed} {deviant} {often}, which it usually does not"),
        (None, None) => format!("{deed} does something else than usual {often}"),
    }
}

/// What a person loses when they run into it.
pub(super) fn harm(deviation: &Deviation) -> Harm {
    if !deviation.deviant.after.in_app {
        return Harm::LostFunction;
    }
    let surplus = deviation.effects.len().saturating_sub(deviation.surplus as usize);
    match foremost(deviation.effects.get(..surplus).unwrap_or_default()).map(|effect| effect.kind) {
        Some(EffectKind::Added | EffectKind::Deleted) => Harm::LostFunction,
        Some(EffectKind::Changed) | None => Harm::WrongDisplay,
    }
}

/// Equal for deviations with one cause: what kind of change, on which page, in which list, on what event.
pub(super) fn cluster(deviation: &Deviation) -> String {
    let effect = foremost(&deviation.effects);
    let kind = match effect.map(|effect| effect.kind) {
        Some(EffectKind::Deleted) => "deleted",
        Some(EffectKind::Added) => "added",
        Some(EffectKind::Changed) => "changed",
        None => "other",
    };
    let list = effect.map_or("", |effect| effect.context.split(" in ").next().unwrap_or_default());
    format!("{kind} on {} in {list} by {}", deviation.usual.before.activity, deviation.event.kind.name())
}

/// The effect to report: one that people can read.
fn foremost(effects: &[UnmatchedEffect]) -> Option<&UnmatchedEffect> {
    let rank = |effect: &&UnmatchedEffect| {
        let notes = || effect.before.iter().chain(&effect.after);
        (!notes().any(|n| !n.text.is_empty()), !notes().any(|n| !n.description.is_empty()))
    };
    effects.iter().min_by_key(rank)
}

fn does(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after) {
        (Some(before), Some(after)) => match (before.text.trim(), after.text.trim()) {
            ("", "") => format!("changes {}", note(before)),
            ("", after) => format!("shows {}", quoted(after)),
            (before, "") => format!("takes {} away", quoted(before)),
            (was, is) if was == is => format!("changes {}", note(before)),
            (was, is) => format!("turns {} into {}", quoted(was), quoted(is)),
        },
        (Some(before), None) => format!("removes {}", note(before)),
        (None, Some(after)) => format!("brings {}", note(after)),
        (None, None) => "does something".into(),
    }
}

/// Whether the usual behaviour was seen on a page with equal content; if not, nothing usual can be expected. Going up
/// leads back to where one came from, so a different page needs no other explanation.
pub(super) fn usual_page(
    weighing: &Weighing,
    (usual, deviant): (&[usize], &Pair),
    scales: &Scales<'_>,
) -> Option<Experiment> {
    let before = scales.layouts.layout(deviant.before.layout)?;
    let of = |behaviour: &Behaviour| weighing.events.get(*behaviour.input.last()? as usize);
    let deviant_event =
        weighing.behaviours.iter().find(|b| b.before == deviant.before && b.after == deviant.after);
    let deviant_event = deviant_event.and_then(of)?;
    let own = Done { layout: &before, event: deviant_event };
    let mut difference = None;
    for behaviour in usual.iter().filter_map(|&n| weighing.behaviours.get(n)).take(MOST_USUAL) {
        let (Some(layout), Some(event)) = (scales.layouts.layout(behaviour.before.layout), of(behaviour))
        else {
            continue;
        };
        if goes_up(&layout, event) && behaviour.after.activity != deviant.after.activity {
            let words = "going up leads to where one came from, which was another page";
            return Some(excuse(ExperimentKind::Stack, words));
        }
        match content_difference(Done { layout: &layout, event }, own) {
            None => return None,
            Some(found) => _ = difference.get_or_insert(found),
        }
    }
    let words = format!("it was never done otherwise on a page of equal content: {}", difference?);
    Some(excuse(ExperimentKind::UsualPage, &words))
}

fn goes_up(layout: &Layout, event: &Event) -> bool {
    let receiver =
        event.receiver.as_ref().and_then(|receiver| layout.get(layout.resolve(receiver).widget()?));
    event.kind == EventKind::Click && receiver.is_some_and(is_up)
}

fn excuse(kind: ExperimentKind, words: &str) -> Experiment {
    Experiment { kind, bearing: Bearing::Excuses, words: sentence::sentence(words), places: Vec::new() }
}

/// What explains a deviation that a replay showed again: the inputs are treated like a seed and its mutant.
pub(super) fn explained(
    run: &JobRun,
    (usual, deviant): (usize, usize),
    scales: &Scales<'_>,
) -> Vec<Experiment> {
    let story = |test: usize| Story::of(run, test, |hash| scales.layouts.layout(hash));
    let (usual, deviant) = (story(usual), story(deviant));
    let (Some(j), Some(k)) = (usual.sights.len().checked_sub(1), deviant.sights.len().checked_sub(1)) else {
        return Vec::new();
    };
    let (Some(i), Some(h)) = (j.checked_sub(1), k.checked_sub(1)) else { return Vec::new() };
    let alike = usual.sights.iter().zip(&deviant.sights);
    let shared = alike.take_while(|(a, b)| a.screen.layout == b.screen.layout).count();
    let layouts = |story: &Story<'_>, n: usize| story.sights.get(n).map(|sight| sight.layout.clone());
    let (Some(from), Some(to), Some(other_from), Some(other_to)) =
        (layouts(&usual, i), layouts(&usual, j), layouts(&deviant, h), layouts(&deviant, k))
    else {
        return Vec::new();
    };
    let (lost, instead) =
        (only((&from, &to), (&other_from, &other_to)), only((&other_from, &other_to), (&from, &to)));
    let ignored =
        |activity: &str, widget: Widget<'_>| scales.ignored.iter().any(|rule| rule.matches(activity, widget));
    let case = Case {
        usual: &usual,
        deviant: &deviant,
        usual_pair: (i, j),
        deviant_pair: (h, k),
        extra: shared.min(h)..k,
        lost,
        instead,
        left_out: &ignored,
    };
    explain::experiments(&case)
}

/// The changes between two layouts that do not happen between two others.
fn only<'a>(own: (&'a Layout, &'a Layout), other: (&Layout, &Layout)) -> Vec<Difference<'a>> {
    let theirs: Vec<_> = changes(other).iter().map(named).collect();
    changes(own).into_iter().filter(|change| !theirs.contains(&named(change))).collect()
}

fn changes<'a>((from, to): (&'a Layout, &'a Layout)) -> Vec<Difference<'a>> {
    let of = |effect| match effect {
        Effect::Deleted(old) => Difference { kind: EffectKind::Deleted, before: from.get(old), after: None },
        Effect::Added(new) => Difference { kind: EffectKind::Added, before: None, after: to.get(new) },
        Effect::Changed(old, new) => {
            Difference { kind: EffectKind::Changed, before: from.get(old), after: to.get(new) }
        }
    };
    effects(EffectForm::Tree, from, to).into_iter().map(of).collect()
}

fn named(change: &Difference<'_>) -> [Option<[String; 4]>; 2] {
    let name = |widget: Widget<'_>| {
        [widget.class(), widget.resource_id(), widget.text(), widget.description()].map(str::to_owned)
    };
    [change.before.map(name), change.after.map(name)]
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn sentences_say_what_differs() {
        let cases = [
            ("brings 'a'", "", "Clicking usually brings 'a', but not in 1 of 9 cases"),
            (
                "brings 'a'",
                "brings 'b'",
                "Clicking usually brings 'a', but not in 1 of 9 cases: there it brings 'b'",
            ),
            ("brings 'a'", "brings 'a'", "Clicking usually brings 'a', but in 1 of 9 cases in another way"),
            ("", "brings 'b'", "Clicking brings 'b' in 1 of 9 cases, which it usually does not"),
            ("", "", "Clicking does something else than usual in 1 of 9 cases"),
        ];
        for (usual, deviant, expected) in cases {
            let of = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            assert_eq!(told("Clicking", "in 1 of 9 cases", (of(usual), of(deviant))), expected);
        }
    }
}
