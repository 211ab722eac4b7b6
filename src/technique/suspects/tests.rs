//! Replays of what is suspected.

use super::*;
use crate::claims::{HABIT, PROMISE};
use crate::samples::{mismatch, violation};
use droidmux_record::{Broken, Claim, ErrandContent, Evidence, Held, Mismatch, SessionId, Tier};
use droidmux_testutils::script::{Script, Shown};

#[derive(serde::Serialize, serde::Deserialize)]
struct Tour;

impl ErrandContent for Tour {
    const NAME: &'static str = "tour";

    fn events(&self) -> u64 {
        9
    }
}

const MAIN: &str = "@ Main Notes\nlist items\n- milk\n- tea";
const NOTE: &str = "@ Note milk\n(Save)";

/// A tour whose second function, of its third and fourth event, is objected to; a fifth event follows.
fn tour() -> JobRun {
    let trace = format!(
        "{MAIN}\n> click milk\n{NOTE}\n> back\n{MAIN}\n> click tea\n{NOTE}\n> click Save\n{MAIN}\n> back\n@ away"
    );
    let mut run = Script::read(&trace).run;
    run.job.work = Work::errand(Tour);
    run
}

fn objection(run: &JobRun, widget: &str, span: (u32, u32)) -> Verdict {
    let layout = run.turns[0].observation.seen().unwrap().screen.layout;
    let layouts = (layout, layout);
    let mismatch = Mismatch { function: "save".into(), span, turn: span.1, layouts, ..mismatch() };
    let key = Mismatch::key("Main", widget, "click Button#save");
    Verdict { evidence: Evidence::Mismatch(Box::new(mismatch)), test: 0, ..violation(&key) }
}

fn judged(verdicts: Vec<Verdict>) -> Judgement {
    Judgement { verdicts, ..Judgement::default() }
}

fn whole_alone(_: &Verdict) -> Vec<Vec<Test>> {
    Vec::new()
}

fn suspects(run: &JobRun, verdicts: Vec<Verdict>) -> Suspects {
    let findings = Findings::new(SessionId(1), "visiondroid", "toy", 2, 3);
    let mut suspects = Suspects::new(findings, 10).without_shrinking();
    suspects.absorb_violations(run, &judged(verdicts), &Shown::default(), &whole_alone);
    suspects
}

/// Plans a replay and finishes it with these verdicts; the number of its events.
fn replay(suspects: &mut Suspects, run: &JobRun, verdicts: Vec<Verdict>) -> usize {
    let work = suspects.confirmation(&Ledger::new(1_000)).expect("a replay");
    let Work::Batch(batch) = &work else { panic!("a batch") };
    let events = batch.tests[0].events.len();
    let mut again = run.clone();
    again.job.work = work;
    suspects.absorb(&again, &judged(verdicts), &Shown::default());
    events
}

/// The last events of the tour's function, as many as each of these numbers says.
fn excerpts(run: &JobRun, lengths: &[usize]) -> Vec<Vec<Test>> {
    let whole = recipe(run, &objection(run, "", (3, 4))).remove(0);
    let last = |length: &usize| Test {
        events: whole.events[whole.events.len() - length..].to_vec(),
        role: whole.role.clone(),
    };
    lengths.iter().map(|length| vec![last(length)]).collect()
}

#[test]
fn only_the_whole_test_refutes_and_longer_ones_follow_shorter_ones() {
    let run = tour();
    let objection = || objection(&run, "", (3, 4));
    // Whether each replay shows it; the events that they take; what is counted: shown, not shown, of how many; confirmed.
    for (shows, events, counted, confirmed) in [
        (&[true, true][..], &[2, 2][..], (2, 0, 3), true),
        (&[false, true, true], &[2, 3, 3], (2, 0, 3), true),
        (&[false, false, true, true], &[2, 3, 4, 4], (2, 0, 3), true),
        (&[false, false, false, false, false], &[2, 3, 4, 4, 4], (0, 3, 3), false),
        (&[true, false, true], &[2, 2, 2], (2, 1, 4), true),
        (&[true, false, false, false, true], &[2, 2, 2, 3, 4], (2, 2, 5), true),
    ] {
        let findings = Findings::new(SessionId(1), "visiondroid", "toy", 2, 3);
        let mut suspects = Suspects::new(findings, 10).without_shrinking();
        suspects.absorb_violations(&run, &judged(vec![objection()]), &Shown::default(), &|_| {
            excerpts(&run, &[2, 3])
        });
        assert_eq!(suspects.owed(), 2 * 4, "as if the whole test were needed");
        let said = |shows: &bool| if *shows { vec![objection()] } else { Vec::new() };
        let taken: Vec<usize> = shows.iter().map(|shows| replay(&mut suspects, &run, said(shows))).collect();
        assert_eq!(taken, events, "{shows:?}");
        let told = suspects.findings.ranked()[0].confirmation;
        assert_eq!((told.shown, told.absent + told.unfaithful, told.of), counted, "{shows:?}");
        assert_eq!((told.is_confirmed(), told.is_settled()), (confirmed, true), "{shows:?}");
        assert!(suspects.confirmation(&Ledger::new(1_000)).is_none(), "{shows:?}");
    }
}

#[test]
fn a_proposal_is_replayed_once_before_it_shows() {
    let run = tour();
    let findings = Findings::new(SessionId(1), "visiondroid", "toy", 2, 3);
    let mut suspects = Suspects::new(findings, 10).without_shrinking();
    suspects.absorb_violations(&run, &judged(vec![objection(&run, "", (3, 4))]), &Shown::default(), &|_| {
        excerpts(&run, &[2])
    });
    let ledger = Ledger::new(1_000);
    assert!(suspects.confirmation(&ledger).is_some());
    assert!(suspects.confirmation(&ledger).is_none(), "what it says decides what is replayed next");
}

#[test]
fn what_does_not_fit_keeps_nothing_else_from_being_replayed() {
    let run = tour();
    let other = Verdict { key: Mismatch::key("Main", "", "back"), ..objection(&run, "", (1, 1)) };
    let mut suspects = suspects(&run, vec![objection(&run, "", (3, 4)), other]);
    let work = suspects.confirmation(&Ledger::new(3)).expect("the shorter one");
    assert_eq!(work.events(), 1);
}

#[test]
fn one_replay_is_for_what_two_oracles_say_of_one_step() {
    let run = tour();
    let broken = Broken { turns: (1, 4), claim: None, slight: false, ..crate::samples::broken() };
    let evidence = Evidence::Broken(Box::new(broken));
    let swap = Verdict { evidence, test: 0, oracle: "relations".into(), ..violation("swap") };
    let said = || vec![objection(&run, "", (3, 4)), swap.clone()];
    let mut suspects = suspects(&run, said());
    assert_eq!([(); 2].map(|()| replay(&mut suspects, &run, said())), [4, 4]);
    assert_eq!((suspects.findings.confirmed(), suspects.findings.unsettled()), (2, 0));
}

#[test]
fn what_rests_on_a_claim_is_worth_what_its_counts_are() {
    use Tier::{Explained, Reported, Suspicious};
    let run = tour();
    let broken = |threshold| {
        let claim = Some(Claim::new("view", 7, threshold));
        let evidence =
            Evidence::Broken(Box::new(Broken { claim, slight: false, ..crate::samples::broken() }));
        Verdict { evidence, test: 0, oracle: "relations".into(), ..violation("k") }
    };
    let held = |times: u64, situations: u64| -> Vec<Held> {
        (0..times).map(|n| Held::new("view", 7, n % situations)).collect()
    };
    // What the claim is; what held before and after the counter-example, how often it was seen; then whether replays
    // are wanted, the tier once they showed it, and part of the reason.
    for (what, threshold, before, after, seen, replays, tier, because) in [
        ("nothing", HABIT, held(0, 1), held(0, 1), 1, false, Suspicious, "This never held"),
        ("too seldom", HABIT, held(9, 3), held(0, 1), 1, false, Suspicious, "9 times in 3 situations"),
        ("in too few situations", HABIT, held(9, 2), held(9, 2), 1, false, Suspicious, "in 2 situations"),
        ("before", HABIT, held(10, 3), held(0, 1), 1, true, Reported, ""),
        ("after", HABIT, held(0, 1), held(10, 3), 1, true, Reported, ""),
        ("fails now and then", HABIT, held(12, 3), held(0, 1), 9, false, Suspicious, "too often to say"),
        ("fails often", HABIT, held(10, 3), held(0, 1), 12, false, Explained, "it is what the app does"),
        ("a promise", PROMISE, held(0, 1), held(0, 1), 1, true, Reported, ""),
    ] {
        let findings = Findings::new(SessionId(1), "genie", "toy", 2, 3);
        let mut suspects = Suspects::new(findings, 0);
        let verdicts = vec![broken(threshold); seen];
        suspects.absorb_violations(
            &run,
            &Judgement { held: before, verdicts, ..Judgement::default() },
            &Shown::default(),
            &whole_alone,
        );
        suspects.absorb_violations(
            &run,
            &Judgement { held: after, ..Judgement::default() },
            &Shown::default(),
            &whole_alone,
        );
        assert_eq!(suspects.confirmation(&Ledger::new(1_000)).is_some(), replays, "{what}");
        let id = suspects.findings.ranked()[0].id.clone();
        for _ in 0..2 {
            suspects.findings.replayed(&id, Replay::Shown);
        }
        let finding = suspects.findings.ranked().remove(0);
        assert_eq!(finding.tier, tier, "{what}: {}", finding.because);
        assert!(finding.because.contains(because), "{what}: {}", finding.because);
        let told = |tried: &droidmux_record::Experiment| tried.kind == ExperimentKind::Support;
        assert_eq!(finding.verdict.experiments.iter().filter(|tried| told(tried)).count(), 1, "{what}");
    }
}

#[test]
fn the_shortest_occurrence_is_replayed() {
    let run = tour();
    let mut suspects = suspects(&run, vec![objection(&run, "", (3, 4))]);
    suspects.absorb_violations(
        &run,
        &judged(vec![objection(&run, "", (1, 1))]),
        &Shown::default(),
        &whole_alone,
    );
    assert_eq!(replay(&mut suspects, &run, Vec::new()), 1);
    assert_eq!(suspects.findings.ranked()[0].occurrences, 2);
}

#[test]
fn twins_are_one_finding_and_a_replay_counts_for_all_that_it_shows() {
    let run = tour();
    let (one, twin) = (objection(&run, "Text#name", (3, 4)), objection(&run, "", (3, 4)));
    let other = Verdict { key: Mismatch::key("Main", "Image#icon", "back"), ..one.clone() };
    let mut suspects = suspects(&run, vec![one.clone(), twin.clone(), other.clone()]);
    assert_eq!(suspects.findings.len(), 2);
    for _ in 0..2 {
        replay(&mut suspects, &run, vec![twin.clone(), other.clone()]);
    }
    assert_eq!((suspects.findings.confirmed(), suspects.findings.unsettled()), (2, 0));
}
