//! The violation that is stepped to: its sentence and its widgets.

use crate::gui::LayoutHash;
use crate::lab::stepper::screens;
use crate::proto::{ViolationNote, ViolationPart};
use crate::record::{Evidence, Finding, Layouts, StepSettings, UnmatchedEffect, WidgetNote};
use crate::technique::stepper::{Move, Stepped};

/// Parts told at most.
const MOST: usize = 20;

/// Of a test that is stepped though nothing is wrong with it.
const NONE: &str = "no violation was found in this test";

/// What a finding says, held against the screens of a stepped test. Whether it shows again is asked elsewhere.
pub(super) fn violation(
    finding: Option<&Finding>,
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
    let Some(verdict) = finding.map(|finding| &finding.verdict) else { return none };
    let plain = |before: Option<&WidgetNote>, after: Option<&WidgetNote>| ViolationPart {
        before: before.cloned(),
        after: after.cloned(),
        context: String::new(),
        came: None,
    };
    let mut reasons = Vec::new();
    let mut parts = Vec::new();
    match &verdict.evidence {
        Evidence::Effects(effects) => {
            parts.extend(effects.iter().map(|effect| part(effect, settings, stepped, layouts)));
        }
        Evidence::Deviation(deviation) => {
            reasons = deviation.reasons();
            let part = |effect: &UnmatchedEffect| ViolationPart {
                context: effect.context.clone(),
                ..plain(effect.before.as_ref(), effect.after.as_ref())
            };
            parts.extend(deviation.effects.iter().map(part));
        }
        Evidence::Broken(broken) => {
            reasons = vec![broken.expected.clone(), broken.found.clone()];
            let (before, after) = &broken.widgets;
            let most = before.len().max(after.len());
            parts.extend((0..most).map(|n| plain(before.get(n), after.get(n))));
        }
        Evidence::Breach(breach) => {
            reasons = vec![breach.condition.clone(), breach.found.clone()];
            parts.extend(breach.widgets.iter().map(|widget| plain(None, Some(widget))));
        }
        Evidence::Mistreated(mistreated) => {
            reasons = mistreated.reasons();
            parts.push(plain(Some(&mistreated.field), None));
        }
        Evidence::Mismatch(mismatch) => {
            reasons.extend(mismatch.expected.iter().chain(&mismatch.actual).cloned());
            reasons.push(mismatch.reasoning.clone());
            parts.extend(mismatch.widget.iter().map(|widget| plain(None, Some(widget))));
        }
        Evidence::Signal { signal, .. } => reasons.push(signal.headline.clone()),
        Evidence::None => {}
    }
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
        context: effect.context.clone(),
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
