//! The account of a run that shows a finding, for the reviewer.

use super::review::Shown;
use droidmux_account::{NoPixels, TestTold, Veil, tell};
use droidmux_record::{Frame, JobRun, Layouts, Verdict, Work};

/// Lines of an account that the reviewer is shown; of a longer one the beginning and the end.
const MOST_LINES: usize = 300;

/// How a run shows a violation: the test that it is in and, for a mutant, the seed before it.
pub fn shown(run: &JobRun, verdict: &Verdict, events: usize, veil: &Veil, layouts: &dyn Layouts) -> Shown {
    let told = tell(run, layouts, &mut veil.clone(), &NoPixels);
    let heads = heads(run, verdict.test);
    let mut lines: Vec<String> = Vec::new();
    for (test, head) in &heads {
        let Some(told) = told.get(usize::from(*test)) else { continue };
        if !head.is_empty() {
            lines.push((*head).to_owned());
        }
        lines.extend(of_test(told));
    }
    let frame = told.get(usize::from(verdict.test)).and_then(|test| frame(run, test));
    // What is wrong is often what did not change, and unchanged lines are not told.
    let last = told.get(usize::from(verdict.test)).and_then(|test| test.steps.last());
    let screen = last.filter(|step| !step.whole).and_then(|step| step.screen.as_ref());
    let mut text = shortened(lines).join("\n");
    if let Some(screen) = screen {
        text.push_str(&format!("\nThe whole screen after the last step:\n  {}", screen.indented()));
    }
    Shown { text, events, frame }
}

/// The tests that are told, and what they are.
fn heads(run: &JobRun, test: u16) -> Vec<(u16, &'static str)> {
    let compared = match &run.job.work {
        Work::Batch(batch) => batch.tests.len() > 1 && test > 0,
        Work::Explore(_) | Work::Errand(_) => false,
    };
    match compared {
        true => vec![(0, "The test that it is compared with:"), (test, "The test that shows it:")],
        false => vec![(test, "")],
    }
}

/// What came of an experiment; its steps have the names by which they can be cited where they can.
pub fn experiment(
    run: &JobRun,
    wanted: &[String],
    named: bool,
    veil: &mut Veil,
    layouts: &dyn Layouts,
) -> String {
    let told = tell(run, layouts, veil, &NoPixels);
    let mut lines = vec![format!("wanted: {}", wanted.join("; "))];
    let done = told.iter().map(|test| test.steps.len().saturating_sub(1)).sum::<usize>();
    for (step, number) in told.iter().flat_map(|test| &test.steps).zip(0..) {
        let told = if number == 0 { step.whole() } else { step.to_string() };
        let name = if named { format!("{}.{}", run.job.slot.0, step.turn) } else { number.to_string() };
        lines.extend(format!("{name} {told}").lines().map(str::to_owned));
    }
    if let Some(left) = wanted.get(done) {
        lines.push(format!("nothing on this screen is called so: {left}"));
    }
    shortened(lines).join("\n")
}

fn of_test(test: &TestTold) -> Vec<String> {
    let numbered = test.steps.iter().zip(0..);
    let told = numbered.map(|(step, number)| {
        let told = if number == 0 { step.whole() } else { step.to_string() };
        format!("{number} {told}")
    });
    told.flat_map(|told| told.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn shortened(lines: Vec<String>) -> Vec<String> {
    let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) else { return lines };
    let (front, back) = (MOST_LINES / 3, MOST_LINES - MOST_LINES / 3);
    let head = lines.iter().take(front).cloned();
    let tail = lines.iter().skip(lines.len() - back).cloned();
    head.chain([format!("({more} lines are left out here)")]).chain(tail).collect()
}

/// The last screen of a test, where there is a picture of it.
fn frame(run: &JobRun, test: &TestTold) -> Option<Frame> {
    let turn = test.steps.last()?.turn;
    let seen = run.turns.get(usize::try_from(turn).ok()?)?.observation.seen()?;
    Some(Frame {
        screenshot: seen.screenshot?,
        layout: seen.screen.layout,
        marks: Vec::new(),
        caption: String::new(),
    })
}
