//! What a script checks at the end.

use super::Locator;
use droidmux_gui::Layout;
use droidmux_record::{Evidence, Layouts, SignalKind, UnmatchedEffect, Verdict, WidgetNote};

/// The check of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// Widgets are counted.
    Count {
        /// What is counted.
        locator: Locator,
        /// How many there are when the app is correct.
        expected: usize,
        /// How many there are when the bug shows.
        found: usize,
    },
    /// The log is searched for a crash or hang of the app.
    Ended {
        /// The exception's class, or the beginning of the ANR's reason.
        headline: String,
        /// What the log says of it.
        sought: String,
    },
    /// Nothing that a script could count: a person has to look.
    Look {
        /// What there should be.
        expected: Vec<String>,
        /// What there is with the bug.
        found: Vec<String>,
    },
}

impl Check {
    /// What a person should look at, one line each.
    pub(super) fn lines(expected: &[String], found: &[String]) -> Vec<String> {
        let told = |head: &'static str, lines: &[String]| -> Vec<String> {
            lines.iter().map(|line| format!("{head}: {line}")).collect()
        };
        [told("expected", expected), told("with the bug", found)].concat()
    }
}

/// A check with the number of the layout, from 1, on which it is done; `None` for the last one.
pub(super) type Placed = (Check, Option<u16>);

/// What can be counted about a violation.
pub(super) fn check(verdict: &Verdict, layouts: &dyn Layouts) -> Placed {
    let counted = match &verdict.evidence {
        Evidence::Effects(effects) => effects
            .iter()
            .find_map(|effect| of_effect(effect, false, layouts).map(|check| (check, Some(effect.mutant.1)))),
        Evidence::Deviation(deviation) => {
            let effects = deviation.effects.iter().enumerate();
            effects
                .filter_map(|(n, effect)| of_effect(effect, deviation.is_surplus(n), layouts))
                .next()
                .map(last)
        }
        Evidence::Broken(broken) => {
            let (earlier, later) = (layouts.layout(broken.layouts.0), layouts.layout(broken.layouts.1));
            let both = earlier.zip(later);
            let notes = broken.widgets.0.iter().chain(&broken.widgets.1);
            both.and_then(|(earlier, later)| notes.clone().find_map(|note| differs(note, &earlier, &later)))
                .or_else(|| of_either(broken, layouts))
                .map(last)
        }
        Evidence::Breach(breach) => {
            let screen = layouts.layout(breach.layouts.1);
            let object = breach.object.clone().unwrap_or_default();
            let locator = Locator { text: object, ..Locator::default() };
            screen.filter(|_| !locator.text.is_empty()).map(|screen| {
                let found = locator.count(&screen);
                // A condition says that the object is there, or that it is not.
                last(Check::Count { locator, expected: usize::from(found == 0), found })
            })
        }
        Evidence::Mistreated(mistreated) => {
            let screen = layouts.layout(mistreated.layouts.1);
            let text = mistreated.expected.replace(&mistreated.valid, &mistreated.unusual);
            let locator = Locator { text, ..Locator::default() };
            screen
                .filter(|screen| !locator.text.is_empty() && locator.count(screen) == 0)
                .map(|_| last(Check::Count { locator, expected: 1, found: 0 }))
        }
        Evidence::Signal { signal, .. } => {
            let headline = signal.headline.split(':').next().unwrap_or_default().trim().to_owned();
            let sought = match signal.kind {
                SignalKind::Anr => format!("ANR in {}", signal.process),
                SignalKind::Ended => format!("Process {} (pid", signal.process),
                // What a native crash goes on to say has numbers in it.
                SignalKind::Crash => headline.split(',').next().unwrap_or_default().to_owned(),
            };
            Some(last(Check::Ended { headline, sought }))
        }
        Evidence::Mismatch(_) | Evidence::None => None,
    };
    counted.unwrap_or_else(|| last(look(verdict)))
}

fn last(check: Check) -> Placed {
    (check, None)
}

/// An effect that the seed has and the mutant lacks; a surplus one is only the mutant's.
fn of_effect(effect: &UnmatchedEffect, surplus: bool, layouts: &dyn Layouts) -> Option<Check> {
    let [_, seed, base, screen] = effect.layouts.map(|hash| layouts.layout(hash));
    let screen = screen?;
    let of = |note: &Option<WidgetNote>, comes: bool| {
        let locator = locator(note.as_ref()?)?;
        let found = locator.count(&screen);
        let before = base.as_ref().map(|base| locator.count(base));
        let expected = match (surplus, effect.diverged) {
            // What only the mutant does should not have happened.
            (true, _) => before?,
            (false, true) => locator.count(seed.as_ref()?),
            (false, false) if comes => before? + 1,
            (false, false) => before?.checked_sub(1)?,
        };
        (expected != found).then_some(Check::Count { locator, expected, found })
    };
    of(&effect.after, true).or_else(|| of(&effect.before, false))
}

/// A widget of the earlier screen that the later one does not have, or the other way round.
fn differs(note: &WidgetNote, earlier: &Layout, later: &Layout) -> Option<Check> {
    let locator = locator(note)?;
    let (expected, found) = (locator.count(earlier), locator.count(later));
    (expected != found).then_some(Check::Count { locator, expected, found })
}

/// When the screens do not differ in number: what is on the later one but should not be.
fn of_either(broken: &droidmux_record::Broken, layouts: &dyn Layouts) -> Option<Check> {
    let later = layouts.layout(broken.layouts.1)?;
    let missing = broken.widgets.0.iter().filter_map(locator).find(|locator| locator.count(&later) == 0);
    missing.map(|locator| Check::Count { locator, expected: 1, found: 0 })
}

/// What a note says about its widget; `None` when there is nothing to search for.
fn locator(note: &WidgetNote) -> Option<Locator> {
    let locator = Locator {
        resource_id: note.resource_id.clone(),
        text: note.text.clone(),
        description: note.description.clone(),
        bounds: note.bounds,
        ..Locator::default()
    };
    (!locator.is_empty()).then_some(locator)
}

/// What a person should look at.
fn look(verdict: &Verdict) -> Check {
    let (expected, found) = match &verdict.evidence {
        Evidence::Mismatch(mismatch) => (mismatch.expected.clone(), mismatch.actual.clone()),
        Evidence::Broken(broken) => (vec![broken.expected.clone()], vec![broken.found.clone()]),
        Evidence::Breach(breach) => (vec![breach.condition.clone()], vec![breach.found.clone()]),
        Evidence::Mistreated(mistreated) => (Vec::new(), mistreated.reasons()),
        _ => (Vec::new(), vec![verdict.title.clone()]),
    };
    Check::Look { expected, found }
}
