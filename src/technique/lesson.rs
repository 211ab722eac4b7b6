//! What a confirmed finding teaches a language model: the example that its test makes.

use super::inputblaster::lesson as text_lesson;
use droidmux_gui::{Event, short_class, short_id};
use droidmux_record::{BugExample, Evidence, Example, Finding, InputExample, JobRun, Layouts, Technique};

/// Techniques whose findings are unusual texts.
const TEXT_TECHNIQUES: [Technique; 2] = [Technique::Inputblaster, Technique::Randomtext];
/// The most steps in a story; the last ones are kept.
const MOST_STEPS: usize = 20;

/// The example that a finding makes with the run that found it: for one of InputBlaster's, the text
/// with its field and its rule; for others, the story of the test. `None` when its test typed no
/// open text.
pub fn lesson(finding: &Finding, run: &JobRun, layouts: &dyn Layouts) -> Option<Example> {
    let is_text = matches!(finding.verdict.evidence, Evidence::Mistreated(_))
        || TEXT_TECHNIQUES.iter().any(|technique| technique.name() == finding.technique);
    if !is_text {
        return Some(Example::Bug(story(finding, run)));
    }
    let learnt = text_lesson(run, finding.verdict.test, layouts)?;
    Some(Example::Input(InputExample { from: finding.id.to_string(), ..learnt }))
}

fn story(finding: &Finding, run: &JobRun) -> BugExample {
    let told = told(finding);
    let trace = run.traces().into_iter().nth(finding.verdict.test.into());
    let screens = trace.iter().flat_map(|trace| trace.screens());
    let page = screens.last().map(|screen| screen.activity.clone()).unwrap_or_default();
    let page = if told.page.is_empty() { page } else { told.page };
    let steps: Vec<String> =
        trace.iter().flat_map(|trace| &trace.steps).map(|step| words(step.event)).collect();
    let late = steps.len().saturating_sub(MOST_STEPS);
    BugExample {
        app: finding.app.clone(),
        activity: short_class(&page).to_owned(),
        function: told.function,
        steps: steps.into_iter().skip(late).collect(),
        expected: told.expected,
        actual: told.actual,
        from: finding.id.to_string(),
    }
}

/// What a verdict's evidence says of a bug.
#[derive(Default)]
struct Told {
    /// Empty for the last page of the test.
    page: String,
    function: String,
    expected: String,
    actual: String,
}

fn told(finding: &Finding) -> Told {
    let title = finding.verdict.title.clone();
    let expected =
        |words: &str| Told { expected: words.to_owned(), actual: title.clone(), ..Told::default() };
    match &finding.verdict.evidence {
        Evidence::Breach(breach) => Told {
            function: breach.dmf.clone(),
            expected: breach.condition.clone(),
            actual: breach.found.clone(),
            ..Told::default()
        },
        Evidence::Mismatch(mismatch) => Told {
            page: mismatch.page.clone(),
            function: mismatch.function.clone(),
            expected: mismatch.expected.join("; "),
            actual: mismatch.actual.join("; "),
        },
        Evidence::Signal { .. } => expected("the app goes on"),
        Evidence::Deviation(_) => expected("what usually happens here"),
        Evidence::Effects(_) => expected("what was done on the way takes nothing away"),
        Evidence::Mistreated(mistreated) => expected(&mistreated.expected),
        Evidence::Broken(broken) => expected(&broken.expected),
        Evidence::None => expected("the function does what it says"),
    }
}

/// `click "Save"`
fn words(event: &Event) -> String {
    let receiver = event.receiver.as_ref().map(|receiver| {
        let names = [receiver.text.as_str(), &receiver.description, short_id(&receiver.resource_id)];
        let name = names.into_iter().find(|name| !name.is_empty());
        format!(" {:?}", name.unwrap_or(short_class(&receiver.class)))
    });
    format!("{}{}", event.kind.name(), receiver.unwrap_or_default())
}
