//! What a confirmed finding teaches.

use crate::cli::Usage;
use crate::gui::{Event, Flags, Selector, Widget, short_class, short_id};
use crate::record::{
    BugExample, Evidence, Example, Finding, FindingState, InputExample, Layouts, Screen, Trace,
};
use crate::store::Store;

/// Techniques whose findings are unusual texts.
const TEXT_TECHNIQUES: [&str; 2] = ["inputblaster", "randomtext"];
/// Steps of a story at most, the last ones.
const MOST_STEPS: usize = 20;

/// The example that a finding makes: of InputBlaster's the text with its field, of others the
/// story of its test.
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
    let run = store.run(id.session, finding.verdict.slot)?;
    let traces = run.as_ref().map(|run| run.traces()).unwrap_or_default();
    let trace = traces.into_iter().nth(finding.verdict.test.into());
    let trace =
        trace.ok_or_else(|| Usage(format!("the test that found {id} is not stored; give its fields")))?;
    if let Evidence::Mistreated(shown) = &finding.verdict.evidence {
        let page = trace.screens().last().map_or("", |screen| short_class(&screen.activity)).to_owned();
        let context = [shown.name.clone(), page].join("; ");
        let (app, input) = (finding.app.clone(), shown.unusual.clone());
        return Ok(Example::Input(InputExample { app, context, rule: String::new(), input }));
    }
    if TEXT_TECHNIQUES.contains(&finding.technique.as_str()) {
        let unusual = unusual_text(store, finding, &trace);
        return Ok(unusual.ok_or_else(|| Usage(format!("the test that found {id} typed no open text")))?);
    }
    Ok(Example::Bug(story(finding, &trace)))
}

/// The last text typed into a field that is no password's.
fn unusual_text(store: &Store, finding: &Finding, trace: &Trace<'_>) -> Option<Example> {
    let screens = trace.screens();
    // Step n acts on screen n; the seed's numbers begin at 1.
    let typed = trace.steps.iter().zip(screens).rev().find_map(|(step, screen)| {
        let (receiver, text) = (step.event.receiver.as_ref()?, step.event.data.as_ref()?);
        Some((context(store, receiver, screen)?, text))
    });
    let (context, input) = typed?;
    let (app, input) = (finding.app.clone(), input.clone());
    Some(Example::Input(InputExample { app, context, rule: String::new(), input }))
}

/// A field in words: its first name, then what its page says near by; `None` for passwords.
fn context(store: &Store, receiver: &Selector, screen: &Screen) -> Option<String> {
    let layout = store.layout(screen.layout)?;
    let field = layout.get(layout.resolve(receiver).widget()?)?;
    if field.has(Flags::PASSWORD) {
        return None;
    }
    let near =
        field.parent().into_iter().flat_map(|parent| parent.subtree()).filter(|w| w.id() != field.id());
    let near = near.filter(|widget| !widget.has(Flags::PASSWORD)).map(label);
    let mut words: Vec<&str> = Vec::new();
    for label in std::iter::once(label(field)).chain(near).chain([short_class(&screen.activity)]) {
        if !label.is_empty() && !words.contains(&label) {
            words.push(label);
        }
    }
    Some(words.join("; ").chars().take(500).collect())
}

fn label(widget: Widget<'_>) -> &str {
    [widget.hint(), widget.text(), widget.description(), widget.short_id()]
        .into_iter()
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}

fn story(finding: &Finding, trace: &Trace<'_>) -> BugExample {
    let (function, expected, actual) = match &finding.verdict.evidence {
        Evidence::Breach(breach) => (breach.dmf.clone(), breach.condition.clone(), breach.found.clone()),
        Evidence::Signal { signal, .. } => {
            (String::new(), "the app goes on".to_owned(), signal.headline.clone())
        }
        Evidence::Deviation(_) => {
            (String::new(), "what usually happens".to_owned(), finding.verdict.title.clone())
        }
        Evidence::Effects(_) => {
            let expected = "what was done on the way changes nothing else".to_owned();
            (String::new(), expected, finding.verdict.title.clone())
        }
        Evidence::Mismatch(mismatch) => {
            (mismatch.function.clone(), mismatch.expected.join("; "), mismatch.actual.join("; "))
        }
        Evidence::None | Evidence::Mistreated(_) => {
            (String::new(), "the function does what it says".to_owned(), finding.verdict.title.clone())
        }
    };
    let page = trace.screens().last().map(|screen| short_class(&screen.activity).to_owned());
    let steps: Vec<String> = trace.steps.iter().map(|step| words(step.event)).collect();
    let late = steps.len().saturating_sub(MOST_STEPS);
    BugExample {
        app: finding.app.clone(),
        activity: page.unwrap_or_default(),
        function,
        steps: steps.into_iter().skip(late).collect(),
        expected,
        actual,
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
