//! Sessions whose findings take what a test did before the function: a note is found by the name that it had before it
//! was renamed.

use std::cell::Cell;

use crate::VisiondroidSettings;
use crate::toy::{Model, Session, answering, run_session};
use droidmux_record::{
    Act, Agent, Answer, Consultation, Exchange, JobRun, Reply, SessionDefinition, Technique, Work,
};

/// What is done in a test: action, widget, text; and the function that it belongs to.
const STEPS: [(&str, &str, &str, &str); 13] = [
    ("click", "sorted", "", "sort"),
    ("click", "sorted", "", "sort"),
    ("click", "sorted", "", "sort"),
    ("click", "sorted", "", "sort"),
    ("click", "add", "", "add"),
    ("type", "field", "Alpha", "add"),
    ("click", "save", "", "add"),
    ("click", "title", "", "rename"),
    ("click", "rename", "", "rename"),
    ("type", "field", "Beta", "rename"),
    ("click", "save", "", "rename"),
    ("click", "search", "", "search"),
    ("type", "query", "Alpha", "search"),
];

fn definition(max_events: u64) -> SessionDefinition {
    let mut definition = SessionDefinition::new(Technique::Visiondroid, "toy.notes");
    definition.run.max_events = max_events;
    let events = u32::try_from(STEPS.len()).expect("few");
    definition.settings.change(|visiondroid: &mut VisiondroidSettings| visiondroid.test_events = events);
    definition
}

fn reply(text: String) -> Answer {
    Answer::Reply(Reply { text, exchange: Exchange::default() })
}

/// How many steps are done: a question says how many are left.
fn done(question: &str) -> usize {
    let left = question.split(" more steps can be done").next().and_then(|text| text.rsplit(' ').next());
    STEPS.len() - left.and_then(|left| left.parse::<usize>().ok()).unwrap_or(0)
}

/// Carries out the steps, names their functions, and objects where a note shows up by a name that it has not.
fn explorer(question: &str) -> String {
    let number = done(question);
    let (action, widget, text, _) = STEPS[number.min(STEPS.len() - 1)];
    let before = |back: usize| number.checked_sub(back).map_or("", |at| STEPS[at].3);
    let (function, is_new) = (before(1), before(1) != before(2));
    serde_json::json!({
        "action": action, "widget": widget, "text": text,
        "page": "p", "function": function, "new_function": is_new, "finished": false,
    })
    .to_string()
}

fn monitor() -> String {
    serde_json::json!({"page": "p", "function": "search", "new_function": false, "finished": true})
        .to_string()
}

/// What the Detector says of the steps that it is told.
fn detector(question: &str) -> String {
    let found = question.contains("field query: empty → field query: \"Alpha\"")
        && question.contains("- Beta")
        && !question.contains("gone: - Beta");
    serde_json::json!({
        "meets_expectations": !found, "widget": "Beta",
        "reasoning": "The search for \"Alpha\" finds \"Beta\", which is not called so any more.",
    })
    .to_string()
}

fn model(consultation: &Consultation) -> Answer {
    let Some(question) = consultation.question() else { return Answer::Examples(Vec::new()) };
    reply(match question.agent {
        Agent::Explorer => explorer(&question.text()),
        Agent::Monitor => monitor(),
        _ => detector(&question.text()),
    })
}

thread_local! {
    /// Questions about replays of the search so far.
    static REPLAYS: Cell<usize> = const { Cell::new(0) };
}

/// The same, but what is wrong is there only every second time after the first test.
fn sometimes(consultation: &Consultation) -> Answer {
    let question = consultation.question().filter(|question| question.agent == Agent::Detector);
    let is_replay = |text: &str| text.contains("\nsearch\n") && !text.contains("by age\" -> changed");
    if question.is_some_and(|question| is_replay(&question.text())) {
        let number = REPLAYS.get();
        REPLAYS.set(number + 1);
        if number % 2 == 1 {
            return reply(r#"{"meets_expectations": true}"#.to_owned());
        }
    }
    model(consultation)
}

fn session(model: Model, max_events: u64, defect: bool) -> Session {
    let definition = definition(max_events);
    answering(model, || run_session(&definition, defect, 1, 1))
}

fn replays(session: &Session) -> impl Iterator<Item = &JobRun> {
    session.runs.iter().filter(|run| matches!(run.job.work, Work::Batch(_)))
}

#[test]
fn what_the_function_needs_is_done_before_it_in_a_replay() {
    let all = u64::try_from(STEPS.len()).expect("few");
    // Who answers, and how many events there are; the events of the replays, and what they said.
    for (what, model, most, taken, (shown, absent)) in [
        // The note is made and renamed, and nothing is sorted; the search alone would find nothing.
        ("the steps that matter", model as Model, 40, &[9, 9][..], (2, 0)),
        ("only sometimes", sometimes as Model, 60, &[9, 9, 9], (2, 1)),
    ] {
        let session = session(model, most, true);
        assert_eq!(session.jobs[0].work.events(), all, "{what}");
        let events: Vec<u64> = replays(&session).map(JobRun::events).collect();
        assert_eq!(events, taken, "{what}");
        let [finding] = session.findings.as_slice() else { panic!("one: {:?}", session.findings) };
        let told = finding.confirmation;
        assert!(told.is_confirmed(), "{what}: {told:?}");
        assert_eq!((told.shown, told.absent, told.unfaithful), (shown, absent, 0), "{what}");
    }
}

#[test]
fn the_detector_knows_of_a_replay_what_it_knew_of_the_test() {
    let session = session(model, 40, true);
    let replay = replays(&session).next().expect("a replay");
    let asked = replay.turns.iter().find_map(|turn| match &turn.act {
        Act::Consult(consultation) => consultation.question(),
        _ => None,
    });
    let told = asked.expect("a question").text();
    for words in [
        "## Function\nsearch\n",
        "one line for each step: what may be missing or left behind since\nstep 1: click \"Add\" -> Page (edit)\n",
        "\nstep 3: click \"OK\" -> back on: Page (main); new: - Alpha\n",
        "## The screen before its first step\nPage (main)\n  button Add\n",
        "## Steps\nstep 8: click \"Search\"\n  Page (search)\n",
        "step 9: edit field \"query\": \"Alpha\"\n",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
}

#[test]
fn an_app_that_is_right_gives_nothing_to_replay() {
    let session = session(model, 40, false);
    assert_eq!((session.findings.len(), replays(&session).count()), (0, 0));
}
