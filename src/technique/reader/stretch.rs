//! Stretches: parts of tests that can be read by themselves.
//!
//! In: the account of a job. Out: stretches, each of which begins with a screen that is told as a whole: after a reset,
//! or on the page that the test began with.

use droidmux_account::{NOTHING, StepTold, TestTold};
use droidmux_record::Slot;

use super::behaviour::Behaviour;

/// Characters of English and of layouts that make a token, about.
const CHARACTERS: usize = 4;

/// The fewest steps of a stretch that does not end its test: shorter ones are joined with what follows.
const FEWEST: usize = 8;

/// A part of a test, in words.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The job that it is a part of.
    pub slot: Slot,
    /// The test's number in its job, from 0.
    pub test: u16,
    /// The turns of its first and its last step.
    pub turns: (u32, u32),
    /// How many events it has.
    pub events: usize,
    /// What it costs to read, in tokens, about.
    pub tokens: usize,
    /// What it shows, in order.
    pub behaviours: Vec<Behaviour>,
    /// Its account.
    pub text: String,
}

/// The stretches of a job's tests, in order.
pub fn stretches(slot: Slot, tests: &[TestTold]) -> Vec<Stretch> {
    tests.iter().flat_map(|test| of_test(slot, test)).collect()
}

fn of_test(slot: Slot, test: &TestTold) -> Vec<Stretch> {
    let steps = &test.steps;
    let page = |at: usize| steps.get(at).and_then(|step| step.screen.as_ref()).map(|screen| &screen.page);
    let home = page(0);
    let mut cuts = vec![0];
    for at in 1..steps.len() {
        // The step that came back ends a stretch, and its screen begins the next one.
        let is_back = home.is_some() && page(at) == home && page(at - 1) != home;
        let long = at - cuts.last().copied().unwrap_or_default() >= FEWEST;
        if is_back && long && steps.len() - at > FEWEST {
            cuts.push(at);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([steps.len().saturating_sub(1)]);
    cuts.iter().zip(ends).filter_map(|(from, to)| stretch(slot, test, *from, to)).collect()
}

/// The steps after `from`, up to `to`; that of `from` itself is the start.
fn stretch(slot: Slot, test: &TestTold, from: usize, to: usize) -> Option<Stretch> {
    let (first, last) = (test.steps.get(from)?, test.steps.get(to)?);
    let steps = test.steps.get(from + 1..=to)?;
    let name = |step: &StepTold| format!("{}.{}", slot.0, step.turn);
    let start =
        if from == 0 { first.event.clone() } else { "earlier steps of this test led here".to_owned() };
    let screen = first.screen.as_ref().map(|screen| screen.indented()).unwrap_or_default();
    let mut text = format!("{} {start}\n  {screen}\n", name(first));
    for alike in steps.chunk_by(|step, next| step.event == next.event && is_idle(step) && is_idle(next)) {
        let Some((step, last)) = alike.first().zip(alike.last()) else { continue };
        if is_idle(step) {
            let (names, times) = match alike.len() {
                1 => (name(step), String::new()),
                several => (format!("{}–{}", name(step), last.turn), format!(" ({several} times)")),
            };
            text.push_str(&format!("{names} {}{times}: nothing changed\n", step.event));
            continue;
        }
        // What it is compared with has to be in the stretch.
        let known = step.since.is_none_or(|since| since >= first.turn);
        let told = if known { step.to_string() } else { step.whole() };
        text.push_str(&format!("{} {told}\n", name(step)));
    }
    let before = test.steps.get(from..to)?.iter();
    let behaviours = before.zip(steps).map(|(before, step)| Behaviour::of(Some(before), step)).collect();
    Some(Stretch {
        slot,
        test: test.test,
        turns: (first.turn, last.turn),
        events: steps.len(),
        tokens: text.chars().count().div_ceil(CHARACTERS),
        behaviours,
        text,
    })
}

/// Whether nothing came of a step.
fn is_idle(step: &StepTold) -> bool {
    step.differences.is_empty() && !step.whole && !step.failed && step.changes == [NOTHING]
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_account::{NoPixels, Veil, tell};
    use droidmux_testutils::script::Script;

    #[test]
    fn steps_that_nothing_came_of_take_one_line() {
        let page = "@ Main Notes\nlist items\n- milk\n- tea\n";
        let trace = ["", "> click milk\n", "> click milk\n", "> click milk\n", "> click tea\n"];
        let trace: String = trace.iter().map(|event| format!("{event}{page}")).collect();
        let script = Script::read(&trace);
        let tests = tell(&script.run, &script.layouts, &mut Veil::default(), &NoPixels);
        let stretches = stretches(Slot(3), &tests);
        let lines: Vec<&str> = stretches.iter().flat_map(|stretch| stretch.text.lines()).skip(4).collect();
        assert_eq!(
            lines,
            ["3.1–3 click row \"milk\" (3 times): nothing changed", "3.4 click row \"tea\": nothing changed"]
        );
    }
}
