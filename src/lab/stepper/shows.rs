//! Whether what a finding reported shows again in the test as a person led it.
//!
//! The oracle that reported it says so: it is asked about the led test among the recorded ones that it is compared
//! with. What took a language model to see is judged by its screens.

use crate::Lab;
use crate::panics::guarded;
use crate::stepper::opening::behaviours;
use crate::stepper::screens;
use crate::stepper::view::Led;
use crate::stepper::violation::{first_at, last_at};
use droidmux_proto::{Shows, ViolationPart};
use droidmux_record::{Evidence, Layouts, Mismatch, Outcome, SessionDefinition, StepSettings, Verdict};
use droidmux_store::StoreError;
use droidmux_technique::stepper::rejoined;

/// To be asked once the test got to where the violation shows.
pub(super) fn shows(
    lab: &Lab,
    definition: &SessionDefinition,
    settings: &StepSettings,
    said: &Verdict,
    led: &Led,
    parts: &[ViolationPart],
) -> Result<Shows, StoreError> {
    match &said.evidence {
        // Effects are looked for one by one as soon as both screens are there.
        Evidence::Effects(_) if parts.iter().any(|part| part.came == Some(false)) => Ok(Shows::Again),
        Evidence::Effects(_) if parts.iter().all(|part| part.came == Some(true)) => Ok(Shows::Not),
        Evidence::Mismatch(mismatch) => Ok(function_again(mismatch, settings, led, &lab.store)),
        _ => judged(lab, definition, settings, said, led),
    }
}

/// What the oracle that reported it says.
fn judged(
    lab: &Lab,
    definition: &SessionDefinition,
    settings: &StepSettings,
    said: &Verdict,
    led: &Led,
) -> Result<Shows, StoreError> {
    let (store, session) = (&lab.store, settings.finding.session);
    let unknown = |why: &str| Ok(Shows::Unknown(why.to_owned()));
    let Some(run) = store.run(session, said.slot)? else {
        return unknown("the recorded trace is no longer in the store");
    };
    let mut runs = vec![run];
    runs.extend(behaviours(store, said)?);
    let test = led.stepped.course().as_led();
    let Some(run) = rejoined(settings, test, &led.turns, &runs) else {
        return unknown("the tests that it is held against were not recorded as they are here");
    };
    let edits = store.mask_edits(session)?;
    let judgement = match guarded(|| lab.craft.judge(&run, definition, &edits, store)) {
        Ok(judgement) => judgement,
        Err(what) => return unknown(&format!("the oracle panicked: {what}; this is a bug in droidmux")),
    };
    let own = |verdict: &&Verdict| verdict.test == settings.stepped;
    if judgement.violations_of(&settings.key).any(|verdict| own(&verdict)) {
        return Ok(Shows::Again);
    }
    let of_oracle = |verdict: &&Verdict| verdict.oracle == said.oracle;
    let now = judgement.verdicts.iter().filter(own).find(of_oracle).map(|verdict| &verdict.outcome);
    Ok(match (now, &said.evidence) {
        (Some(Outcome::Inconclusive(why)), _) => Shows::Unknown(why.clone()),
        // These say nothing where nothing is wrong.
        (_, Evidence::Signal { .. } | Evidence::Broken(_)) => Shows::Not,
        (Some(Outcome::Pass | Outcome::Violation), _) => Shows::Not,
        (None, _) => Shows::Unknown("its oracle says nothing of the test as it was led".into()),
    })
}

/// Whether the step that the Detector objected to did again what it did then: nobody asks the Detector here.
fn function_again(mismatch: &Mismatch, settings: &StepSettings, led: &Led, layouts: &dyn Layouts) -> Shows {
    let (before, after) = mismatch.layouts;
    let step = settings.recorded.windows(2).rposition(|pair| pair == [before, after]);
    let screens = step.and_then(|at| {
        let layout = |hash| layouts.layout(hash);
        let live = (last_at(&led.stepped, at)?, first_at(&led.stepped, at + 1)?);
        Some([layout(before)?, layout(after)?, layout(live.0)?, layout(live.1)?])
    });
    match screens {
        Some([before, after, here, there]) if screens::same_change((&before, &after), (&here, &there)) => {
            Shows::Again
        }
        Some(_) => Shows::Unknown(
            "the screens change otherwise than those that the Detector objected to, and only a replay asks it again"
                .into(),
        ),
        None => Shows::Unknown("the step that the Detector objected to was not performed".into()),
    }
}
