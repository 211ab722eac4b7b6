//! What a confirmed finding teaches.

use crate::cli::Usage;
use crate::gui::{Event, short_class, short_id};
use crate::record::{BugExample, Evidence, Example, Finding, FindingState, JobRun};
use crate::store::Store;
use crate::technique::inputblaster::lesson;

/// Techniques whose findings are unusual texts.
const TEXT_TECHNIQUES: [&str; 2] = ["inputblaster", "randomtext"];
/// Steps of a story at most, the last ones.
const MOST_STEPS: usize = 20;

/// The example that a finding makes: of InputBlaster's the text with its field and its rule, of
/// others the story of its test.
///
/// # Errors
/// `Usage` when nobody confirmed the finding, or its test is not stored.
pub(super) fn example(store: &Store, finding: &Finding) -> color_eyre::Result<Example> {
    let id = &finding.id;
    let is_confirmed = match finding.state {
        FindingState::True => true,
        FindingState::New => finding.confirmation.is_confirmed(),
        FindingState::FalseAlarm | FindingState::Duplicate => false,
    };
    if !is_confirmed {
        let why = format!("{id} is not confirmed; if it is a bug: `droidmux findings {id} --mark true`");
        return Err(Usage(why).into());
    }
    let unstored = || Usage(format!("the test that found {id} is not stored; give its fields"));
    let run = store.run(id.session, finding.verdict.slot)?.ok_or_else(unstored)?;
    let is_text = matches!(finding.verdict.evidence, Evidence::Mistreated(_))
        || TEXT_TECHNIQUES.contains(&finding.technique.as_str());
    if is_text {
        let typed_none = || Usage(format!("the test that found {id} typed no open text"));
        let learnt = lesson(&run, finding.verdict.test, store).ok_or_else(typed_none)?;
        return Ok(Example::Input(learnt));
    }
    Ok(Example::Bug(story(finding, &run)))
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
