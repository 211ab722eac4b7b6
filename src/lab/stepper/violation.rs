//! The violation that is stepped to: its sentence and its widgets.

use crate::stepper::screens;
use droidmux_gui::LayoutHash;
use droidmux_proto::{ViolationNote, ViolationPart};
use droidmux_record::{Evidence, Layouts, StepSettings, UnmatchedEffect, Verdict, WidgetNote};
use droidmux_technique::stepper::{Move, Stepped};

/// The most parts listed.
const MOST: usize = 20;

/// For a test that is stepped although nothing is wrong with it.
const NONE: &str = "no violation was found in this test";

/// What was said of a test, compared with the screens of a stepped test. Whether it shows again is asked elsewhere.
pub(super) fn violation(
    said: Option<&Verdict>,
    settings: &StepSettings,
    stepped: &Stepped,
    layouts: &dyn Layouts,
) -> ViolationNote {
    let reached = stepped.course().at() >= usize::from(settings.violation);
    let none = ViolationNote {
        title: NONE.into(),
        at: settings.violation,
        reached,
        shows: None,
        reasons: Vec::new(),
        parts: Vec::new(),
    };
    let Some(verdict) = said else { return none };
    let mut reasons = Vec::new();
    let mut parts = Vec::new();
    let widgets = |head: &str, notes: &[WidgetNote]| {
        notes.iter().take(MOST).map(|note| format!("{head}: {}", screens::words(note))).collect::<Vec<_>>()
    };
    match &verdict.evidence {
        Evidence::Effects(effects) => {
            parts.extend(effects.iter().map(|effect| part(effect, settings, stepped, layouts)));
        }
        Evidence::Deviation(deviation) => {
            reasons = deviation.reasons();
            let told = deviation.effects.iter().enumerate().take(MOST).map(|(number, effect)| {
                let whose = if deviation.is_surplus(number) { "Only here" } else { "Only usually" };
                let change = screens::change_words(effect.before.as_ref(), effect.after.as_ref());
                format!("{whose}: {change}")
            });
            reasons.extend(told);
        }
        Evidence::Broken(broken) => {
            reasons.push(format!("Expected: {}", broken.expected));
            reasons.push(format!("Found: {}", broken.found));
            reasons.extend(widgets("Before", &broken.widgets.0));
            reasons.extend(widgets("After", &broken.widgets.1));
        }
        Evidence::Breach(breach) => {
            reasons.push(format!("Expected: {}", breach.condition));
            reasons.push(format!("Found: {}", breach.found));
            reasons.extend(widgets("Widget", &breach.widgets));
        }
        Evidence::Mistreated(mistreated) => {
            reasons = mistreated.reasons();
            reasons.extend(widgets("Field", std::slice::from_ref(&mistreated.field)));
        }
        Evidence::Mismatch(mismatch) => {
            reasons.extend(mismatch.expected.iter().map(|expected| format!("Expected: {expected}")));
            reasons.extend(mismatch.actual.iter().map(|actual| format!("Found: {actual}")));
            reasons.push(mismatch.reasoning.clone());
            reasons.extend(widgets("Widget", mismatch.widget.as_slice()));
        }
        Evidence::Signal { signal, .. } => reasons.push(signal.headline.clone()),
        Evidence::None => {}
    }
    // Some say in a title what they found.
    reasons.retain(|reason| !reason.trim_start_matches("Found: ").eq(&verdict.title));
    parts.truncate(MOST);
    ViolationNote { title: verdict.title.clone(), reasons, parts, ..none }
}

fn part(
    effect: &UnmatchedEffect,
    settings: &StepSettings,
    stepped: &Stepped,
    layouts: &dyn Layouts,
) -> ViolationPart {
    let place = |number: u16| usize::from(number).saturating_sub(1);
    // A test that was shrunk has other places.
    let fits = settings.recorded.get(place(effect.mutant.1)) == Some(&effect.layouts[3]);
    let before = last_at(stepped, place(effect.mutant.0)).filter(|_| fits);
    let after = first_at(stepped, place(effect.mutant.1)).filter(|_| fits);
    let came = || {
        let (before, after) = (layouts.layout(before?)?, layouts.layout(after?)?);
        Some(screens::has((&before, &after), effect.before.as_ref(), effect.after.as_ref()))
    };
    ViolationPart {
        before: effect.before.clone(),
        after: effect.after.clone(),
        context: screens::place(&effect.context),
        came: came(),
    }
}

/// The screens at which so many events of the test were done or skipped, in order.
fn shots_at(stepped: &Stepped, at: usize) -> impl DoubleEndedIterator<Item = LayoutHash> {
    let moves = stepped.course().moves();
    let mut count = 0;
    let numbers = std::iter::once(0).chain(moves.iter().map(move |done| {
        count += usize::from(!matches!(done, Move::Added(_)));
        count
    }));
    let mut there = None;
    let mut here = Vec::new();
    for (number, shot) in numbers.zip(stepped.shots()) {
        // A skipped event leaves the screen as it was.
        there = shot.as_ref().map(|shot| shot.layout).or(there);
        if number == at {
            here.extend(there);
        }
    }
    here.into_iter()
}

pub(super) fn first_at(stepped: &Stepped, at: usize) -> Option<LayoutHash> {
    shots_at(stepped, at).next()
}

pub(super) fn last_at(stepped: &Stepped, at: usize) -> Option<LayoutHash> {
    shots_at(stepped, at).next_back()
}
