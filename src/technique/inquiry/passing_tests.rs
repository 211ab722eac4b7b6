use super::*;
use crate::Oracle;
use crate::relation::RelationOracle;
use droidmux_record::{
    Batch, Bearing, Evidence, ExperimentKind, FindingId, Purpose, SessionDefinition, SessionId, Technique,
    Work,
};
use droidmux_testutils::script::Script;

const START: &str = "@ Splash Hello\nlabel by=us";
const LIST: &str = "@ Main Notes\nlist notes\n- milk";

/// What the relations say first of a trace, and the trial of that.
fn tried(text: &str) -> Option<(Verdict, Trial)> {
    let script = Script::read(text);
    let oracle = RelationOracle::new(&SessionDefinition::new(Technique::Monkey, "toy"));
    let verdicts = oracle.judge(&script.run, &script.layouts).verdicts;
    verdicts.into_iter().find_map(|verdict| {
        let Evidence::Broken(broken) = &verdict.evidence else { return None };
        let trial = trial(&script.run, &verdict, broken)?;
        Some((verdict, trial))
    })
}

#[test]
fn a_page_that_goes_by_itself_is_no_finding() {
    let (verdict, trial) =
        tried(&format!("{START}\n> rotate\n{START}\nacross\n> rotate\n{LIST}")).expect("a page that is gone");
    assert_eq!(trial.kind(), ExperimentKind::Pause);
    assert_eq!(trial.tests[0].events, [Event::wait(4)]);
    for (end, bearing, words) in [
        (LIST, Bearing::Excuses, "4 seconds passed with nothing done instead: it happens then, too."),
        (START, Bearing::Silent, "4 seconds passed with nothing done instead: it does not happen then."),
        (
            "@ Splash Hello\nlabel by=you",
            Bearing::Silent,
            "4 seconds passed with nothing done instead: it does not happen then.",
        ),
        ("@away", Bearing::Silent, "4 seconds passed with nothing done instead: that could not be done."),
    ] {
        let script = Script::read(&format!("{START}\n> wait\n{end}"));
        let mut run = script.run.clone();
        let finding = FindingId::of(SessionId(1), "monkey", &verdict.key);
        let purpose = Purpose::Examine { finding, kind: trial.kind() };
        run.job.work = Work::Batch(Batch { purpose, tests: trial.tests.clone() });
        let came = trial.result(&verdict.key, (&run, &Default::default()), &script.layouts);
        let came: Vec<_> = came.iter().map(|came| (came.bearing, came.words.as_str())).collect();
        assert_eq!(came, [(bearing, words)], "{end}");
    }
}

#[test]
fn what_no_insertion_did_is_not_waited_for() {
    assert!(tried(&format!("{LIST}\n(Add)\n> wait\n{LIST}")).is_none());
}
