//! What can be inserted into a seed, at each of its pivots.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::active::{Acted, ActiveViews};
use super::mutants::{Inserted, Pivot, SeedEvents, insertions};
use super::ways::Ways;
use crate::GenieSettings;
use crate::seed::{RecordedStep, Recording};
use droidmux_model::GuiModel;
use droidmux_record::Layouts;

/// The inserted traces for each of a seed's pivots l₁ … lₙ. `rng` seeds the draws.
pub(super) fn mutate(
    recording: &Recording,
    model: &GuiModel,
    layouts: &dyn Layouts,
    settings: &GenieSettings,
    rng: u64,
) -> Vec<Vec<Inserted>> {
    let ways = Ways::of(model, settings);
    let acted: Vec<Acted> = recording.steps.iter().map(acted).collect();
    let active = ActiveViews::of_test(&acted, settings.carry_ratio);
    let actions = recording.steps.iter().map(|step| step.action).collect();
    let seed = SeedEvents { events: recording.events(), actions, typing: recording.texts };
    let pivots = recording.steps.iter().zip(&active).enumerate();
    pivots
        .map(|(position, (step, active))| {
            // On the way through another app, nothing is inserted.
            if !step.screen.in_app {
                return Vec::new();
            }
            let pivot = Pivot { state: step.state, layout: &step.layout, active, position, seed: &seed };
            let mut rng = ChaCha8Rng::seed_from_u64(super::mix(rng, position as u64));
            insertions(&pivot, model, &ways, layouts, settings, &mut rng)
        })
        .collect()
}

fn acted(step: &RecordedStep) -> Acted {
    Acted { layout: step.layout.clone(), activity: step.screen.activity.clone(), receiver: step.receiver }
}
