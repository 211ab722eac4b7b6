//! Tours of a toy, with scripted replies.

use crate::VisiondroidSettings;
use crate::toy::{Model, Session, answering, run_session};
use droidmux_record::{
    Act, Agent, Answer, Consultation, Ending, Evidence, Exchange, JobRun, NoReply, Reply, Role,
    SessionDefinition, Technique, Unanswered, Work,
};

fn definition() -> SessionDefinition {
    let mut definition = SessionDefinition::new(Technique::Visiondroid, "toy");
    definition.run.max_events = 120;
    definition.run.window = 1;
    definition.settings.change(|visiondroid: &mut VisiondroidSettings| visiondroid.test_events = 20);
    definition
}

fn session(model: Model) -> Session {
    answering(model, || run_session(&definition(), true, 1, 1))
}

fn reply(text: &str) -> Answer {
    Answer::Reply(Reply { text: text.into(), exchange: Exchange::default() })
}

fn silent(why: NoReply) -> Answer {
    Answer::None(Unanswered { why, detail: String::new(), exchange: Exchange::default() })
}

/// Clicks the first button; every step is a function, and none does what it should.
fn dissatisfied(consultation: &Consultation) -> Answer {
    match consultation.question().map(|question| question.agent) {
        Some(Agent::Explorer) => reply(r#"Well: {"action": "click", "widget": "1"}"#),
        Some(Agent::Monitor) => {
            reply(r#"{"page": "p", "function": "f", "new_function": true, "finished": true}"#)
        }
        Some(Agent::Detector) => reply(
            r##"{"meets_expectations": "no", "shows_after_step": 3, "widget": "#activity", "trigger_step": 3,
                "reasoning": "it is wrong", "wrong_operations": [{"step": 1, "why": "twice"}]}"##,
        ),
        _ => Answer::Examples(Vec::new()),
    }
}

#[test]
fn whatever_is_answered_a_tour_ends_cleanly() {
    let cases: [(&str, Model, Ending, bool); 6] = [
        ("nonsense", |_| reply("As a model I cannot."), Ending::Complete, true),
        ("an empty object", |_| reply("{}"), Ending::Complete, true),
        ("impossible", |_| reply(r#"{"action": "type", "widget": 99, "text": "x"}"#), Ending::Complete, true),
        ("silence", |_| silent(NoReply::Unreachable), Ending::Unanswered, true),
        ("no budget", |_| silent(NoReply::Budget), Ending::Unanswered, false),
        ("no examples but that", |_| Answer::Examples(Vec::new()), Ending::Unanswered, true),
    ];
    for (what, model, ending, acts) in cases {
        let session = session(model);
        let run = session.runs.first().expect("a tour");
        // The questions of a tour are used up by asking again.
        let ends = [Act::Finish(ending), Act::Finish(Ending::Unanswered)];
        assert!(ends.contains(&run.turns.last().expect("an end").act), "{what}: {:?}", run.turns.last());
        assert_eq!(run.events() > 0, acts, "{what}");
        assert_eq!(session.findings, [], "{what}");
        assert!(session.progress.tour.questions > 0, "{what}");
    }
}

#[test]
fn an_objection_is_a_finding_that_replays_confirm() {
    let session = session(dissatisfied);
    let [finding] = session.findings.as_slice() else { panic!("one finding: {:?}", session.findings) };
    assert!(finding.confirmation.is_confirmed(), "{:?}", finding.confirmation);
    assert_eq!(finding.verdict.key, "toy.Main\nButton#activity\nclick Button#activity");
    let Evidence::Mismatch(mismatch) = &finding.verdict.evidence else { panic!("a mismatch") };
    assert_eq!((mismatch.page.as_str(), mismatch.reasoning.as_str()), ("toy.Main", "it is wrong"));
    let toured = session.jobs.iter().filter_map(|job| match &job.work {
        Work::Batch(batch) => batch.tests.first(),
        _ => None,
    });
    let roles: Vec<&Role> = toured.map(|test| &test.role).collect();
    assert!(!roles.is_empty() && roles.iter().all(|role| matches!(role, Role::Toured(_))), "{roles:?}");
    assert!(session.progress.tour.wrong_operations > 0);
}

/// The questions of a job to an agent, or to all of them, that hold these words.
fn told(run: &JobRun, agent: Option<Agent>, words: &str) -> usize {
    let questions = run.turns.iter().filter_map(|turn| match &turn.act {
        Act::Consult(consultation) => consultation.question(),
        _ => None,
    });
    let asked = questions.filter(|question| agent.is_none_or(|agent| question.agent == agent));
    asked.filter(|question| question.text().contains(words)).count()
}

#[test]
fn only_who_replied_badly_is_told_so() {
    let reproach = "Your last reply was of no use";
    let session = session(dissatisfied);
    let asked: usize = session.runs.iter().map(|run| told(run, Some(Agent::Detector), "")).sum();
    let blamed: usize = session.runs.iter().map(|run| told(run, None, reproach)).sum();
    assert!(asked > 3, "{asked}");
    assert_eq!(blamed, 0, "every reply was of use");
    let nonsense = self::session(|_| reply("{}"));
    let blamed: usize = nonsense.runs.iter().map(|run| told(run, None, reproach)).sum();
    assert!(blamed > 0);
}

#[test]
fn the_second_tour_is_told_what_the_first_did() {
    let mut definition = definition();
    definition.run.window = 8;
    let session = answering(dissatisfied, || run_session(&definition, true, 1, 1));
    let tours: Vec<_> = session.runs.iter().filter(|run| matches!(run.job.work, Work::Errand(_))).collect();
    let [first, second, ..] = tours.as_slice() else { panic!("several tours") };
    let earlier = "Functions tested in earlier tests";
    assert_eq!(told(first, None, earlier), 0);
    assert!(told(second, None, earlier) > 0);
    let counted = (1..10).map(|times| told(second, Some(Agent::Explorer), &format!("click 0/0/{times}")));
    assert!(counted.sum::<usize>() > 0, "how often a widget was tried in earlier tests");
    assert!(told(first, None, "Advice: what was done wrong before") > 0);
}

#[test]
fn the_detector_is_told_of_each_step_before_the_function() {
    let session = session(dissatisfied);
    let first = session.runs.first().expect("a tour");
    let asked = told(first, Some(Agent::Detector), "");
    let before = "## Before the function, one line for each step: what may be missing or left behind since\nstep 1: click ";
    assert_eq!(told(first, Some(Agent::Detector), before), asked - 1);
    // What a function did is often seen only after it: the next step belongs to the question, too.
    let after = told(first, Some(Agent::Detector), "## The step after them, no part of the function");
    assert!(after + 1 >= asked && after > 0, "{after} of {asked}");
    assert_eq!(told(first, Some(Agent::Detector), "## The screen before its first step"), asked);
}

#[test]
fn a_test_knows_how_much_of_it_is_left() {
    let session = session(dissatisfied);
    let first = session.runs.first().expect("a tour");
    for left in [20, 1] {
        let words = format!("This is test number 1; {left} more steps can be done in it.");
        assert!(told(first, Some(Agent::Explorer), &words) > 0, "{left}");
    }
    let second = session.runs.iter().filter(|run| matches!(run.job.work, Work::Errand(_))).nth(1);
    assert!(told(second.expect("another tour"), None, "This is test number 2;") > 0);
}

/// Looks at the list and goes back, again and again.
fn looking(consultation: &Consultation) -> Answer {
    let Some(question) = consultation.question() else { return Answer::Examples(Vec::new()) };
    match question.agent {
        Agent::Explorer if question.text().contains(". the open list") => reply(
            r#"{"page": "main", "function": "look", "new_function": true, "finished": true,
                "action": "click", "widget": "open_list"}"#,
        ),
        Agent::Explorer => reply(
            r#"{"page": "list", "function": "return", "new_function": true, "finished": true, "action": "back"}"#,
        ),
        _ => reply(
            r#"{"page": "p", "function": "f", "new_function": true, "finished": true, "meets_expectations": true}"#,
        ),
    }
}

#[test]
fn one_question_a_step_and_none_about_a_look() {
    let session = session(looking);
    let first = session.runs.first().expect("a tour");
    let asked = [Agent::Explorer, Agent::Monitor, Agent::Detector].map(|agent| told(first, Some(agent), ""));
    // The Monitor speaks alone when nothing is to be done any more.
    assert_eq!(asked, [20, 1, 0]);
    assert_eq!(session.progress.tour.judged, 0);
    assert!(session.progress.tour.functions > 20, "{:?}", session.progress.tour);
    // A model that answers one of two questions is asked one at a time.
    let session = self::session(dissatisfied);
    let first = session.runs.first().expect("a tour");
    assert_eq!([Agent::Explorer, Agent::Monitor].map(|agent| told(first, Some(agent), "")), [20, 19]);
}

#[test]
fn events_are_kept_for_replays() {
    let session = session(dissatisfied);
    let of = |tours: bool| -> u64 {
        let is_wanted = |run: &&JobRun| matches!(run.job.work, Work::Errand(_)) == tours;
        session.runs.iter().filter(is_wanted).map(JobRun::events).sum()
    };
    assert!(of(true) <= 120 - 24 && of(false) > 0, "{} {}", of(true), of(false));
}
