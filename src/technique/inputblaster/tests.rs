//! InputBlaster on a toy form, with a model that knows its part.

use crate::InputblasterSettings;
use crate::OdinSettings;
use crate::toy::{Session, answering, run_session};
use droidmux_record::{
    Act, Answer, Consultation, Evidence, Exchange, Expectation, Foretold, Generated, Mistreatment, NoReply,
    Reply, RunSettings, SessionDefinition, StepOrder, Technique, TextSource, Tier, Unanswered,
};

/// Passes the form at the second try, then gives one generator for each field.
fn model(consultation: &Consultation) -> Answer {
    let reply = |text: String| Answer::Reply(Reply { text, exchange: Exchange::default() });
    match consultation {
        Consultation::Ask(question) => {
            let text = question.text();
            if text.contains("# Tried before, none") {
                reply(r#"{"inputs":["Marten","12"],"constraints":["an amount of 1 to 99"]}"#.into())
            } else if text.contains("Field under test, ") {
                reply("Mutation rule: unusual\nTest generator: function* g() {}".into())
            } else {
                reply(r#"{"inputs":["Marten","none"]}"#.into())
            }
        }
        Consultation::Generate(_) => {
            let inputs = ["Marten 😀 Lee", "100% Marten", "Marten", "012", "Plain", ""];
            let inputs = inputs.iter().map(|text| text.encode_utf16().collect()).collect();
            Answer::Inputs(Generated { inputs, failure: None })
        }
        Consultation::Recall(_) => Answer::Examples(Vec::new()),
        Consultation::Steer(_) => Answer::Order(StepOrder::Leave),
        Consultation::Compare(_) => Answer::Differences(None),
    }
}

fn silent(_: &Consultation) -> Answer {
    let detail = String::new();
    Answer::None(Unanswered { why: NoReply::Unreachable, detail, exchange: Exchange::default() })
}

fn definition(technique: Technique) -> SessionDefinition {
    let inputblaster = InputblasterSettings {
        explore_events: 60,
        attempts: 12,
        batch: 6,
        ..InputblasterSettings::default()
    };
    let run = RunSettings { max_events: 3_000, ..RunSettings::default() };
    let mut definition = SessionDefinition { run, ..SessionDefinition::new(technique, "toy.form") };
    definition.settings.put(&inputblaster);
    definition
}

fn kinds(session: &Session) -> Vec<(Mistreatment, String)> {
    let found = session.findings.iter().filter_map(|finding| match &finding.verdict.evidence {
        Evidence::Mistreated(shown) if finding.confirmation.is_confirmed() => {
            Some((shown.how, shown.unusual.clone()))
        }
        _ => None,
    });
    let mut found: Vec<_> = found.collect();
    found.sort();
    found
}

#[test]
fn a_session_finds_what_is_lost_hangs_and_is_computed_wrong() {
    let definition = definition(Technique::Inputblaster);
    let session = answering(model, || run_session(&definition, true, 7, 1));
    let form = session.progress.form;
    assert_eq!((form.forms, form.passed, form.given_up), (1, 1, 0), "{form:?}");
    assert_eq!(
        kinds(&session),
        [
            (Mistreatment::Hang, "100% Marten".to_owned()),
            (Mistreatment::Lost, "Marten 😀 Lee".to_owned()),
            (Mistreatment::WrongResult, "012".to_owned()),
        ],
        "{:#?}",
        session.findings
    );
    let again = answering(model, || run_session(&definition, true, 7, 99));
    assert_eq!(session.acts, again.acts, "whatever finishes first");
    let sound = answering(model, || run_session(&definition, false, 7, 1));
    assert_eq!(sound.findings, [], "no false alarm");
}

/// Proposes texts that it says should be refused.
fn strict(consultation: &Consultation) -> Answer {
    match consultation {
        Consultation::Ask(question) if question.text().contains("Field under test, ") => {
            let text = r#"{"rule": "too plain", "expected": "refused", "generator": "function* g() {}"}"#;
            Answer::Reply(Reply { text: text.into(), exchange: Exchange::default() })
        }
        Consultation::Generate(_) => {
            let inputs = ["Plain", ""].iter().map(|text| text.encode_utf16().collect()).collect();
            Answer::Inputs(Generated { inputs, failure: None })
        }
        _ => model(consultation),
    }
}

#[test]
fn what_should_be_refused_and_is_taken_is_a_finding() {
    let definition = definition(Technique::Inputblaster);
    let session = answering(strict, || run_session(&definition, false, 7, 1));
    assert_eq!(kinds(&session), [(Mistreatment::WronglyAccepted, "Plain".to_owned())]);
    // Nothing but the model's word forbids it.
    let finding = session.findings.first().expect("a finding");
    assert_eq!(finding.tier, Tier::Suspicious, "{}", finding.because);
    assert!(finding.because.contains("only the model"), "{}", finding.because);
    // The next question tells what came of it, and what the page said.
    let asked: Vec<String> = session
        .acts
        .iter()
        .flatten()
        .filter_map(|act| match act {
            Act::Consult(consultation) => Some(consultation.question()?.text()),
            _ => None,
        })
        .collect();
    let last = asked.last().expect("a question");
    assert!(last.contains("the page then showed \"who?\""), "{last}");
    let complaint = "# What the page said to inputs that it did not take\n- \"1 to 99\"\n";
    assert!(last.contains(complaint), "what was said while valid texts were looked for: {last}");
}

/// Quotes what the form says of an empty text, and yields what says for itself what should come of it.
fn quoting(consultation: &Consultation) -> Answer {
    match consultation {
        Consultation::Ask(question) if question.text().contains("Field under test, ") => {
            let text =
                r#"{"rule": "r", "expected": "open", "ground": "who?", "generator": "function* g() {}"}"#;
            Answer::Reply(Reply { text: text.into(), exchange: Exchange::default() })
        }
        Consultation::Generate(_) => {
            let inputs = ["Plain", "Other", ""].iter().map(|text| text.encode_utf16().collect()).collect();
            let generated = Generated { inputs, failure: None };
            let refused = Some(Expectation::Refused);
            Answer::Foretold(Foretold { generated, expected: vec![refused, None, refused] })
        }
        _ => model(consultation),
    }
}

#[test]
fn what_the_form_itself_forbids_is_reported_and_each_text_has_its_own_expectation() {
    let definition = definition(Technique::Inputblaster);
    let session = answering(quoting, || run_session(&definition, false, 7, 1));
    assert_eq!(kinds(&session), [(Mistreatment::WronglyAccepted, "Plain".to_owned())]);
    let finding = session.findings.first().expect("a finding");
    assert_eq!(finding.tier, Tier::Reported, "{}", finding.because);
}

#[test]
fn a_silent_model_ends_the_search() {
    let definition = definition(Technique::Inputblaster);
    let session = answering(silent, || run_session(&definition, true, 7, 1));
    assert!(session.findings.is_empty());
    assert_eq!(session.progress.form.questions, 0);
    assert!((1..=3).contains(&session.progress.form.unanswered), "{:?}", session.progress.form);
}

/// Says something else than what was asked for, the first times at either question.
fn babbling(consultation: &Consultation) -> Answer {
    let babble = |text: &str| Answer::Reply(Reply { text: text.into(), exchange: Exchange::default() });
    match consultation.question().map(|question| question.text()) {
        Some(text) if text.contains("# Tried before, none") || text.contains("# What was tried") => {
            model(consultation)
        }
        Some(text) if text.contains("Field under test, ") && text.contains("the reply held no code") => {
            model(consultation)
        }
        Some(text) if text.contains("Field under test, ") => babble(r#"{"rule": "none", "generator": "#),
        Some(_) => babble("You should enter valid inputs in all fields of the page."),
        None => model(consultation),
    }
}

#[test]
fn a_model_that_babbles_is_survived_and_told() {
    let definition = definition(Technique::Inputblaster);
    let session = answering(babbling, || run_session(&definition, true, 7, 1));
    let form = session.progress.form;
    assert_eq!((form.passed, form.given_up, form.unanswered), (1, 0, 0), "{form:?}");
    // Once for the valid texts, then for the generators of both fields.
    assert!(form.in_vain >= 2 && form.in_vain < form.questions, "{form:?}");
    let told = session.progress.summary.concat();
    assert!(told.contains(&format!("{} in vain", form.in_vain)), "{told}");
    assert!(!kinds(&session).is_empty());
}

#[test]
fn the_baseline_asks_nothing() {
    let definition = definition(Technique::Randomtext);
    let asked = |_: &Consultation| -> Answer { panic!("it asks") };
    let session = answering(asked, || run_session(&definition, true, 7, 1));
    assert!(session.progress.form.inputs >= 12, "{:?}", session.progress.form);
}

#[test]
fn other_techniques_type_what_a_model_proposes() {
    for technique in [Technique::Monkey, Technique::Odin] {
        let mut definition = definition(technique.clone());
        definition.run.text = TextSource::Inputblaster;
        definition.run.max_events = 300;
        definition.settings.change(|odin: &mut OdinSettings| odin.explore_events = 200);
        let session = answering(model, || run_session(&definition, true, 3, 1));
        let acts = || session.acts.iter().flatten();
        let asked = acts().filter(|act| matches!(act, Act::Consult(c) if c.question().is_some())).count();
        let typed = |wanted: &str| {
            acts().any(|act| matches!(act, Act::Perform(event) if event.data.as_deref() == Some(wanted)))
        };
        assert!(asked > 0 && typed("Marten") && typed("012"), "{technique:?}: {asked} questions");
        let again = answering(model, || run_session(&definition, true, 3, 9));
        assert_eq!(session.acts, again.acts, "{technique:?}");
    }
}
