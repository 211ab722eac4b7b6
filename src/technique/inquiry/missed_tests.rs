use super::super::trial::Trial;
use super::*;
use crate::Oracle;
use crate::relation::RelationOracle;
use crate::sentence::row_label;
use droidmux_record::{
    Batch, Bearing, Evidence, Experiment, FindingId, Purpose, SessionDefinition, SessionId, Technique, Work,
};
use droidmux_testutils::script::Script;

/// The last control of a page, 'Add', is missing after a wait.
const BEFORE: &str = "@ Main Notes\nlist notes\n- milk\n(Add)";
const AFTER: &str = "@ Main Notes\nlist notes\n- milk";

fn oracle() -> RelationOracle {
    RelationOracle::new(&SessionDefinition::new(Technique::Monkey, "toy"))
}

/// What a relation says of a trace, with what may be tried on that.
fn tried(text: &str) -> Option<(Verdict, Vec<Trial>)> {
    let script = Script::read(text);
    let verdict = oracle().judge(&script.run, &script.layouts).verdicts.into_iter().next()?;
    let Evidence::Broken(broken) = &verdict.evidence else { return None };
    let trials = trials(&script.run, (&verdict, broken), &script.layouts);
    Some((verdict, trials))
}

/// The kinds of events that a trial does after those of the finding.
fn more(trial: &Trial) -> Vec<EventKind> {
    trial.tests[0].events.iter().skip(1).map(|event| event.kind).collect()
}

/// What a trial of a finding says when its tests run as this trace does.
fn came(trial: &Trial, verdict: &Verdict, trace: &str) -> Experiment {
    let script = Script::read(trace);
    let finding = FindingId::of(SessionId(1), "monkey", &verdict.key);
    let purpose = Purpose::Examine { finding, kind: trial.kind() };
    let mut run = script.run.clone();
    run.job.work = Work::Batch(Batch { purpose, tests: trial.tests.clone() });
    let judgement = oracle().judge(&run, &script.layouts);
    let came = trial.result(&verdict.key, (&run, &judgement), &script.layouts);
    <[Experiment; 1]>::try_from(came).map(|[came]| came).expect("one answer")
}

#[test]
fn what_is_missed_is_looked_for_after_entering_and_starting_again() {
    let (_, trials) = tried(&format!("{BEFORE}\n> wait\n{AFTER}\n> back\n@away")).expect("a violation");
    let found: Vec<_> = trials.iter().map(|trial| (trial.kind(), more(trial))).collect();
    let expected = [
        (ExperimentKind::Reentry, vec![EventKind::Home, EventKind::Launch]),
        (ExperimentKind::Restart, vec![EventKind::Relaunch]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn after_a_start_only_the_page_that_the_app_starts_with_can_be_looked_at() {
    let text = format!("@ Start Hello\n(Go)\n> click Go\n{BEFORE}\n> wait\n{AFTER}");
    let (_, trials) = tried(&text).expect("a violation");
    assert_eq!(trials.iter().map(Trial::kind).collect::<Vec<_>>(), [ExperimentKind::Reentry]);
}

#[test]
fn what_came_of_it_is_told_and_bears_on_nothing() {
    let whole = format!("{BEFORE}\n> wait\n{AFTER}");
    let (verdict, trials) = tried(&whole).expect("a violation");
    let reentry = &trials[0];
    let away = "> home\n@away\n> launch";
    for (trace, expected) in [
        (format!("{whole}\n{away}\n{BEFORE}"), "it is there again, so nothing is lost for good"),
        (format!("{whole}\n{away}\n{AFTER}"), "it is still missing"),
        (format!("{whole}\n{away}\n@ Other Notes\n(Add)"), "that led to another page"),
        (format!("{BEFORE}\n> wait\n{BEFORE}\n{away}\n{BEFORE}"), "it did not happen before that"),
        (format!("{BEFORE}\n> wait\n{BEFORE}"), "that could not be done"),
        (whole.clone(), "that could not be done"),
    ] {
        let came = came(reentry, &verdict, &trace);
        assert_eq!((came.kind, came.bearing), (ExperimentKind::Reentry, Bearing::Silent));
        assert_eq!(came.words, format!("The app was left and entered again: {expected}."));
    }
}

#[test]
fn the_same_is_done_on_another_object() {
    let list = "@ Main Notes\nlist notes\n- milk\n- bread";
    let (with, without) = ("@ Note Note\nlabel x=milk\n(Edit)", "@ Note Note\nlabel x=milk");
    let text = format!("{list}\n> click milk\n{with}\n> wait\n{without}");
    let (verdict, trials) = tried(&text).expect("a violation");
    assert_eq!(verdict.title, "'Edit' is missing on 'Note', where it usually is.");
    let another =
        trials.iter().find(|trial| trial.kind() == ExperimentKind::ObjectPermutation).expect("a trial");
    let page = Script::read(list);
    let page = page.run.turns[0].observation.seen().and_then(|seen| page.layouts.layout(seen.screen.layout));
    let page = page.expect("the list");
    let touched = another.tests[0].events[0].receiver.as_ref().expect("a row");
    let touched = page.resolve(touched).widget().and_then(|id| page.get(id)).and_then(row_label);
    assert_eq!((touched.as_deref(), another.tests[0].events.len()), (Some("bread"), 2));
    for (end, expected) in [
        (with, "it is there then"),
        (without, "it is missing then, too"),
        ("@ Other Note\n(Edit)", "that led to another page"),
    ] {
        let came = came(another, &verdict, &format!("{list}\n> click bread\n{with}\n> wait\n{end}"));
        assert_eq!(came.bearing, Bearing::Silent, "{end}");
        assert_eq!(came.words, format!("What was done on 'milk' was done on 'bread' instead: {expected}."));
    }
}

#[test]
fn what_is_somewhere_else_was_never_gone() {
    let whole = format!("{BEFORE}\n> wait\n{AFTER}");
    let (_, trials) = tried(&whole).expect("a violation");
    let Asks::ComesBack(missed) = &trials[0].asks else { panic!() };
    let script = Script::read(&format!("{whole}\n> home\n@away\n> launch\n{BEFORE}"));
    let page =
        script.run.turns[1].observation.seen().and_then(|seen| script.layouts.layout(seen.screen.layout));
    let page = page.expect("the page without the button");
    let milk = page.widgets().find(|widget| widget.text() == "milk").map(WidgetNote::of);
    for (widgets, expected) in [(missed.widgets.clone(), Found::Again), (Vec::from_iter(milk), Found::Before)]
    {
        let missed = Missed { widgets, ..missed.clone() };
        assert_eq!(missed.found(&script.run, &trials[0].tests, &script.layouts), Some(expected));
    }
}

#[test]
fn nothing_is_tried_where_nothing_that_can_be_named_is_missed() {
    let (verdict, _) = tried(&format!("{BEFORE}\n> wait\n{AFTER}")).expect("a violation");
    let script = Script::read(&format!("{BEFORE}\n> wait\n{AFTER}"));
    let Evidence::Broken(broken) = &verdict.evidence else { panic!() };
    let nameless = |note: &WidgetNote| WidgetNote {
        resource_id: String::new(),
        text: String::new(),
        description: String::new(),
        ..note.clone()
    };
    let broken = Broken {
        widgets: (broken.widgets.0.iter().map(nameless).collect(), Vec::new()),
        ..(**broken).clone()
    };
    assert!(trials(&script.run, (&verdict, &broken), &script.layouts).is_empty());
}
