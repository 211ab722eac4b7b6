//! A stepped test among the tests it is compared with, as one batch that oracles judge as they judge any other.

use droidmux_gui::Event;
use droidmux_record::{Act, Batch, Job, JobRun, Purpose, Slot, StepSettings, Test, Turn, Work};

/// A run in which one test went as a person led it, by these turns, and each other test of the finding as it was
/// recorded in `runs`. `None` when one of the others is not recorded in full, or nothing was seen of this one.
pub fn rejoined(settings: &StepSettings, led: Test, turns: &[Turn], runs: &[JobRun]) -> Option<JobRun> {
    let known = runs.first()?;
    let legs: Vec<Leg<'_>> = runs.iter().flat_map(|run| legs(&run.turns)).collect();
    let (mut tests, mut all) = (Vec::with_capacity(settings.tests.len()), Vec::new());
    for (number, test) in settings.tests.iter().enumerate() {
        if number == usize::from(settings.stepped) {
            let own = self::legs(turns).pop().filter(|leg| leg.did(&led))?;
            all.extend(own.0.into_iter().cloned());
            tests.push(led.clone());
            continue;
        }
        // A seed that ran twice is there twice: what differs between its runs is masked.
        let earlier = tests.iter().filter(|known| *known == test).count();
        let mut same = legs.iter().filter(|leg| leg.did(test));
        let leg = same.clone().nth(earlier).or_else(|| same.next_back());
        // The behaviours of a weighing are beginnings of longer traces.
        let leg = leg.or_else(|| legs.iter().find(|leg| leg.began_with(test)))?;
        all.extend(leg.0.iter().take(test.events.len() + 1).copied().cloned());
        tests.push(test.clone());
    }
    let purpose = Purpose::Replay { finding: settings.finding.clone(), round: 1 };
    Some(JobRun {
        job: Job { slot: Slot(0), rng: known.job.rng, work: Work::Batch(Batch { purpose, tests }) },
        attempt: 1,
        device: known.device.clone(),
        app: known.app.clone(),
        turns: all,
    })
}

/// The turns from one reset to the next; those that neither reset nor performed anything are left out.
struct Leg<'t>(Vec<&'t Turn>);

impl Leg<'_> {
    /// Exactly the events of this test were performed.
    fn did(&self, test: &Test) -> bool {
        self.events().eq(&test.events)
    }

    /// The events of this test were performed, and others after them.
    fn began_with(&self, test: &Test) -> bool {
        self.events().take(test.events.len()).eq(&test.events)
    }

    fn events(&self) -> impl Iterator<Item = &Event> {
        self.0.iter().filter_map(|turn| match &turn.act {
            Act::Perform(event) => Some(event),
            Act::Reset | Act::Consult(_) | Act::Finish(_) => None,
        })
    }
}

fn legs(turns: &[Turn]) -> Vec<Leg<'_>> {
    let mut legs: Vec<Leg<'_>> = Vec::new();
    for turn in turns.iter().filter(|turn| turn.act.is_step() && turn.observation.seen().is_some()) {
        match (&turn.act, legs.last_mut()) {
            (Act::Reset, _) => legs.push(Leg(vec![turn])),
            (_, Some(leg)) => leg.0.push(turn),
            (_, None) => {}
        }
    }
    legs
}
