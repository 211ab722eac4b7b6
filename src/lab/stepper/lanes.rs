//! The two lanes: the seed's events beside those of the stepped test, with what a person added.

use crate::stepper::screens::event_on;
use droidmux_gui::{Event, LayoutHash};
use droidmux_proto::{RowOrigin, RowState, StepRow};
use droidmux_record::{Layouts, Role, StepSettings, Test};
use droidmux_technique::stepper::{Move, Stepped};

/// Up to how many events tests that are not mutants of each other are aligned; longer ones stand side by side.
const MOST_ALIGNED: usize = 1_000;

/// Both lanes as they stand, and the row of the next event.
pub(super) fn lanes(
    settings: &StepSettings,
    stepped: &Stepped,
    layouts: &dyn Layouts,
) -> (Vec<StepRow>, Option<u32>) {
    let mut lanes = Lanes::new(settings, stepped, layouts);
    let course = stepped.course();
    let mut here = stepped.shots().first().and_then(Option::as_ref).map(|shot| shot.layout);
    for (number, done) in course.moves().iter().enumerate() {
        // What is run again after this is not there yet.
        let shot = stepped.shots().get(number + 1);
        let live = shot.and_then(Option::as_ref).map(|shot| shot.layout);
        match done {
            Move::Added(event) => lanes.added(event, here, live, shot.is_some()),
            Move::Performed if shot.is_none() => lanes.planned(RowState::Ahead, None),
            Move::Performed => lanes.planned(RowState::Done, live),
            Move::Skipped => lanes.planned(RowState::Skipped, None),
        }
        here = live.or(here);
    }
    let next = course.next().is_some().then(|| lanes.next_row());
    while lanes.at < course.test().events.len() {
        let state = if lanes.at == course.at() { RowState::Next } else { RowState::Ahead };
        lanes.planned(state, None);
    }
    lanes.seed_up_to(usize::MAX);
    (lanes.rows, next.map(|row| u32::try_from(row).unwrap_or(u32::MAX)))
}

/// For each event of a test the seed's event that it stands for.
pub(super) fn alignment(settings: &StepSettings) -> Vec<Option<usize>> {
    let Some(test) = settings.test() else { return Vec::new() };
    let Some(seed) = settings.seed_test() else { return vec![None; test.events.len()] };
    match &test.role {
        Role::Mutant(insertion) => {
            let from = usize::from(insertion.pivot).saturating_sub(1);
            let length = usize::from(insertion.length);
            let of = |event: usize| match event {
                event if event < from => Some(event),
                event if event < from + length => None,
                event => Some(event - length),
            };
            (0..test.events.len()).map(of).map(|event| event.filter(|&n| n < seed.events.len())).collect()
        }
        _ => common(seed, test),
    }
}

/// The longest common subsequence of what is done to what, whatever is typed.
fn common(seed: &Test, test: &Test) -> Vec<Option<usize>> {
    let (a, b) = (&seed.events, &test.events);
    if a.len() > MOST_ALIGNED || b.len() > MOST_ALIGNED {
        return (0..b.len()).map(|n| (n < a.len()).then_some(n)).collect();
    }
    let same = |x: &Event, y: &Event| x.kind == y.kind && x.receiver == y.receiver;
    // longest[i][j]: of the events from a's i-th and b's j-th on.
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    let at = |longest: &[u32], i: usize, j: usize| longest.get(i * width + j).copied().unwrap_or(0);
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let best = match same(x, y) {
                true => at(&longest, i + 1, j + 1) + 1,
                false => at(&longest, i + 1, j).max(at(&longest, i, j + 1)),
            };
            if let Some(cell) = longest.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut aligned) = (0, Vec::with_capacity(b.len()));
    for (j, y) in b.iter().enumerate() {
        while a.get(i).is_some_and(|x| !same(x, y)) && at(&longest, i + 1, j) == at(&longest, i, j) {
            i += 1;
        }
        let meets = a.get(i).is_some_and(|x| same(x, y));
        aligned.push(meets.then_some(i));
        i += usize::from(meets);
    }
    aligned
}

struct Lanes<'s> {
    layouts: &'s dyn Layouts,
    settings: &'s StepSettings,
    test: &'s Test,
    aligned: Vec<Option<usize>>,
    rows: Vec<StepRow>,
    /// Events of the stepped test and of the seed that have their row.
    at: usize,
    seed_at: usize,
}

impl<'s> Lanes<'s> {
    fn new(settings: &'s StepSettings, stepped: &'s Stepped, layouts: &'s dyn Layouts) -> Self {
        let (test, aligned) = (stepped.course().test(), alignment(settings));
        Self { layouts, settings, test, aligned, rows: Vec::new(), at: 0, seed_at: 0 }
    }

    /// The row that the next event of the test has, or will have.
    fn next_row(&self) -> usize {
        let seed = self.aligned.get(self.at).copied().flatten();
        self.rows.len() + seed.map_or(0, |seed| seed.saturating_sub(self.seed_at))
    }

    /// The next event of the test.
    fn planned(&mut self, state: RowState, live: Option<LayoutHash>) {
        let seed = self.aligned.get(self.at).copied().flatten();
        if let Some(seed) = seed {
            self.seed_up_to(seed);
            self.seed_at = seed + 1;
        }
        let here = self.settings.recorded.get(self.at).copied();
        let inserted = self.test.role.insertion().is_some() && seed.is_none();
        self.rows.push(StepRow {
            seed: seed.and_then(|seed| self.seed_words(seed)),
            event: self.test.events.get(self.at).map(|event| self.words(event, here)),
            number: u16::try_from(self.at + 1).ok(),
            origin: if inserted { RowOrigin::Inserted } else { RowOrigin::Test },
            state,
            recorded: self.settings.recorded.get(self.at + 1).copied(),
            live,
        });
        self.at += 1;
    }

    /// An event that the person added, on this screen.
    fn added(&mut self, event: &Event, here: Option<LayoutHash>, live: Option<LayoutHash>, done: bool) {
        self.rows.push(StepRow {
            seed: None,
            event: Some(self.words(event, here)),
            number: None,
            origin: RowOrigin::Added,
            state: if done { RowState::Done } else { RowState::Ahead },
            recorded: None,
            live,
        });
    }

    /// The seed's events before this one that the test does not have.
    fn seed_up_to(&mut self, seed: usize) {
        while self.seed_at < seed {
            let Some(words) = self.seed_words(self.seed_at) else { return };
            self.seed_at += 1;
            self.rows.push(StepRow {
                seed: Some(words),
                event: None,
                number: None,
                origin: RowOrigin::Seed,
                state: RowState::Ahead,
                recorded: None,
                live: None,
            });
        }
    }

    fn seed_words(&self, seed: usize) -> Option<String> {
        let event = self.settings.seed_test()?.events.get(seed)?;
        Some(self.words(event, self.settings.seed.get(seed).copied()))
    }

    fn words(&self, event: &Event, here: Option<LayoutHash>) -> String {
        event_on(event, here.and_then(|here| self.layouts.layout(here)).as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_are_no_mutants_are_aligned_by_what_is_done_to_what() {
        let test = |seconds: &str| Test {
            role: Role::Seed,
            events: seconds
                .chars()
                .map(|kind| match kind {
                    'b' => Event::global(droidmux_gui::EventKind::Back),
                    'h' => Event::global(droidmux_gui::EventKind::Home),
                    _ => Event::global(droidmux_gui::EventKind::Rotate),
                })
                .collect(),
        };
        for (seed, stepped, expected) in [
            ("bhr", "bhr", vec![Some(0), Some(1), Some(2)]),
            ("bhr", "br", vec![Some(0), Some(2)]),
            ("br", "bhr", vec![Some(0), None, Some(1)]),
            ("", "b", vec![None]),
            ("hhh", "b", vec![None]),
        ] {
            assert_eq!(common(&test(seed), &test(stepped)), expected, "{seed} {stepped}");
        }
    }
}
