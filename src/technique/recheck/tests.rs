//! Rechecks of sessions put together by hand: events are letters, screens are words.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::tracks::Tracks;
use super::{Recorded, Runs, Said, agreeing, finding_places, recheck};
use crate::path;
use droidmux_gui::{Event, EventKind, Layout, LayoutBuilder, LayoutHash, NewWidget};
use droidmux_record::{
    Act, AppBuild, Batch, Confirmation, DeviceInfo, Ending, Evidence, Fidelity, Finding, FindingId,
    FindingState, Job, JobRun, Layouts, Mask, Objection, Observation, Outcome, Purpose, Recheck,
    RecheckOracle, Role, Screen, Seen, SessionDefinition, SessionId, Signal, SignalKind, Slot, Test,
    TracePlace, Turn, Verdict, Work,
};

#[derive(Default)]
struct Session {
    runs: BTreeMap<Slot, JobRun>,
    layouts: BTreeMap<LayoutHash, Arc<Layout>>,
}

impl Runs for Session {
    fn slots(&self) -> Vec<Slot> {
        self.runs.keys().copied().collect()
    }

    fn run(&self, slot: Slot) -> Option<JobRun> {
        self.runs.get(&slot).cloned()
    }
}

impl Layouts for Session {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.layouts.get(&hash).cloned()
    }
}

impl Session {
    /// One job a text, one test a line: `start a:screen b:screen!`; a screen is rows with commas
    /// between, `!` is a crash; `turn`, `sleep` and `wake` are events of the system.
    fn of(jobs: &[&str]) -> Self {
        let mut session = Self::default();
        for (slot, text) in (0..).map(Slot).zip(jobs) {
            let run = session.run_of(slot, text);
            session.runs.insert(slot, run);
        }
        session
    }

    fn run_of(&mut self, slot: Slot, text: &str) -> JobRun {
        let (mut turns, mut tests) = (Vec::new(), Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let mut events = Vec::new();
            for (number, word) in line.split_whitespace().enumerate() {
                let (act, screen) = match word.split_once(':') {
                    Some((letter, screen)) if number > 0 => {
                        let event = match letter {
                            "turn" => Event::global(EventKind::Rotate),
                            "sleep" => Event::global(EventKind::Sleep),
                            "wake" => Event::global(EventKind::Wake),
                            letter => {
                                Event { kind: EventKind::Edit, receiver: None, data: Some(letter.into()) }
                            }
                        };
                        events.push(event.clone());
                        (Act::Perform(event), screen)
                    }
                    _ => (Act::Reset, word),
                };
                let observation = Observation::Seen(Box::new(self.seen(screen)));
                turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
            }
            tests.push(Test { role: Role::Seed, events });
        }
        let (act, observation) = (Act::Finish(Ending::Complete), Observation::Ended);
        turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
        let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests });
        let app = AppBuild { package: "toy".into(), ..AppBuild::default() };
        JobRun { job: Job { slot, rng: 0, work }, attempt: 1, device: DeviceInfo::default(), app, turns }
    }

    fn seen(&mut self, screen: &str) -> Seen {
        let (rows, crashed) = match screen.strip_suffix('!') {
            Some(rows) => (rows, true),
            None => (screen, false),
        };
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "List", ..NewWidget::default() });
        for text in rows.split(',') {
            builder.open(NewWidget { class: "Row", resource_id: "row", text, ..NewWidget::default() });
            builder.close();
        }
        let layout = Arc::new(builder.finish());
        let screen = Screen {
            layout: layout.hash(),
            package: "toy".into(),
            activity: "toy.Main".into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        self.layouts.insert(layout.hash(), layout);
        let (kind, process) = (SignalKind::Crash, "toy".to_owned());
        let signal = Signal { kind, process, headline: "java.lang.Error: oh".into(), stack: Vec::new() };
        Seen {
            screen,
            settling: droidmux_record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution: None,
            signals: crashed.then_some(signal).into_iter().collect(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }
    }

    fn recheck(&self, oracle: RecheckOracle, volatile: &[Mask]) -> Recheck {
        let definition: SessionDefinition =
            serde_json::from_str("{\"technique\":\"monkey\",\"app\":\"toy\"}").expect("a definition");
        let recorded = Recorded {
            session: SessionId(1),
            definition: &definition,
            edits: &[],
            volatile,
            runs: self,
            layouts: self,
        };
        recheck(oracle, &recorded)
    }

    fn with_tracks<T>(&self, look: impl FnOnce(&Tracks) -> T) -> T {
        let definition: SessionDefinition =
            serde_json::from_str("{\"technique\":\"monkey\",\"app\":\"toy\"}").expect("a definition");
        let (edits, volatile) = (&[][..], &[][..]);
        let recorded = Recorded {
            session: SessionId(1),
            definition: &definition,
            edits,
            volatile,
            runs: self,
            layouts: self,
        };
        look(&Tracks::of(&recorded, true, &mut Said::new(RecheckOracle::Genie)))
    }
}

/// Job, test and step of every place.
fn places(recheck: &Recheck) -> Vec<(u64, u16, Option<u16>)> {
    let all = recheck.violations.iter().flat_map(|objection| &objection.places);
    all.map(|place| (place.slot.0, place.test, place.step)).collect()
}

#[test]
fn runs_of_the_same_events_must_have_the_same_effects() {
    let volatile = |rows: &str| {
        let mut session = Session::default();
        let seen = session.seen(rows);
        let layout = session.layout(seen.screen.layout).expect("a layout");
        let widget = layout.widgets().last().expect("a row");
        Mask {
            activity: String::new(),
            class: String::new(),
            resource_id: String::new(),
            description: String::new(),
            path: path(widget),
            example: Default::default(),
        }
    };
    let steady = ["x a:x,y b:x", "x a:x,y b:x", "x a:x,y b:x"];
    let second_row = [volatile("x,y")];
    for (what, jobs, masks, expected, judged, unjudged) in [
        ("all alike", &steady[..], &[][..], &[][..], 3, 0),
        ("one lacks it", &["x a:x,y", "x a:x", "x a:x,y"], &[], &[(1, 0, Some(1))], 3, 0),
        ("one has more", &["x a:x", "x a:x", "x a:x,y"], &[], &[(2, 0, Some(1))], 3, 0),
        (
            "the first step counts",
            &["x a:x b:x,y", "x a:x b:x,y", "x a:z b:q"],
            &[],
            &[(2, 0, Some(1))],
            3,
            0,
        ),
        ("of two the later one", &["x a:x,y", "x a:x"], &[], &[(1, 0, Some(1))], 2, 0),
        ("in one job", &["x a:x,y\nx a:x\nx a:x,y"], &[], &[(0, 1, Some(1))], 3, 0),
        ("masked", &["x a:x,y", "x a:x", "x a:x,y"], &second_row, &[], 3, 0),
        ("all differ", &["x a:x,1", "x a:x,2", "x a:x,3"], &[], &[], 0, 1),
        ("other events", &["x a:x,y", "x b:x", "x a:x,y"], &[], &[], 2, 0),
        ("nothing twice", &["x a:x", "x b:x"], &[], &[], 0, 0),
    ] {
        let said = Session::of(jobs).recheck(RecheckOracle::Effects, masks);
        assert_eq!(places(&said), expected, "{what}: {said:?}");
        let not_judged: u64 = said.unjudged.iter().map(|(_, count)| count).sum();
        assert_eq!((said.judged, not_judged), (judged, unjudged), "{what}");
        assert!(said.violations.iter().all(|objection| !objection.verdict.key.is_empty()), "{what}");
    }
}

#[test]
fn crashes_have_their_steps() {
    let session = Session::of(&["x a:x\nx a:x b:x!", "x a:x", "x! a:x"]);
    let said = session.recheck(RecheckOracle::Crash, &[]);
    assert_eq!(places(&said), [(0, 1, Some(2)), (2, 0, Some(0))]);
    assert_eq!((said.judged, said.unit.as_str()), (3, "jobs"));
}

#[test]
fn screens_of_a_trace_are_held_against_each_other_and_claims_against_the_session() {
    let kept = ["s a:x sleep:x wake:x", "s a:y sleep:y wake:y", "s a:z sleep:z wake:z"];
    let lost = "s a:x sleep:x wake:s";
    // On three pages, this many times.
    let held = |times: usize| kept.iter().cycle().take(times).copied().collect::<Vec<_>>();
    let and = |mut jobs: Vec<&'static str>| {
        jobs.push(lost);
        jobs
    };
    for (what, jobs, expected, unjudged) in [
        ("nothing is broken", vec!["s turn:s turn:s\ns a:x turn:x turn:x"], vec![], 0),
        (
            "in the second test",
            vec!["s a:x", "s turn:s turn:s\ns a:x turn:x turn:y"],
            vec![(1, 1, Some(3))],
            0,
        ),
        ("a claim without support", and(held(9)), vec![], 1),
        ("a claim with support", and(held(10)), vec![(10, 0, Some(3))], 0),
        ("support that comes later", [vec![lost], held(10)].concat(), vec![(0, 0, Some(3))], 0),
        ("one page is no support", and(vec![kept[0]; 12]), vec![], 1),
    ] {
        let said = Session::of(&jobs).recheck(RecheckOracle::Relations, &[]);
        assert_eq!(places(&said), expected, "{what}: {said:#?}");
        let not_judged: u64 = said.unjudged.iter().map(|(_, count)| count).sum();
        let tests: usize = jobs.iter().map(|job| job.lines().count()).sum();
        assert_eq!(
            (said.judged, not_judged, said.unit.as_str()),
            (tests as u64, unjudged, "tests"),
            "{what}"
        );
    }
}

#[test]
fn traces_are_read_as_mutants_of_what_ran_twice() {
    // jobs; for each trace its readings: events before, events between
    for (jobs, expected) in [
        (&["s a:s b:s", "s a:s b:s", "s a:s x:s b:s"][..], "|||1+1"),
        (&["s a:s b:s", "s a:s x:s b:s"], "||"),
        (&["s a:s b:s", "s a:s b:s", "s x:s y:s a:s b:s"], "|||0+2"),
        // Nothing of the test comes after it.
        (&["s a:s b:s", "s a:s b:s", "s a:s b:s x:s"], "|||"),
        (&["s a:s b:s", "s a:s b:s", "s a:s b:s a:s b:s"], "|||0+2 1+2"),
        (&["s a:s b:s", "s a:s b:s", "s b:s x:s a:s"], "|||"),
    ] {
        let told = Session::of(jobs).with_tracks(|tracks| {
            let groups = tracks.groups();
            let readings = tracks.iter().map(|track| {
                let all = tracks.readings(track, 8, &groups);
                let all: Vec<String> = all.iter().map(|(_, at, length)| format!("{at}+{length}")).collect();
                format!("|{}", all.join(" "))
            });
            readings.collect::<String>()
        });
        assert_eq!(told, expected, "{jobs:?}");
    }
}

fn verdict(oracle: &str, slot: u64, test: u16, evidence: Evidence) -> Verdict {
    let (events, exact, similar, failed, unsettled, lowest_ratio) = (1, 1, 0, 0, 0, 1.0);
    Verdict {
        slot: Slot(slot),
        test,
        oracle: oracle.into(),
        outcome: Outcome::Violation,
        key: oracle.into(),
        title: String::new(),
        fidelity: Fidelity { events, exact, similar, failed, unsettled, lowest_ratio },
        evidence,
        hints: Vec::new(),
        experiments: Vec::new(),
        harm: droidmux_record::Harm::default(),
        cluster: String::new(),
    }
}

#[test]
fn oracles_agree_on_the_same_test_and_step() {
    let session = Session::of(&["x a:x\nx a:x b:x!"]);
    let run = session.run(Slot(0));
    let signal = Signal {
        kind: SignalKind::Crash,
        process: String::new(),
        headline: String::new(),
        stack: Vec::new(),
    };
    // The crash is at the fifth turn, which is step 2 of test 1.
    let crash = verdict("crash", 0, 1, Evidence::Signal { turn: 4, signal });
    let genie = verdict("genie", 0, 1, Evidence::None);
    for (what, verdict, oracle, place, agrees) in [
        ("the same test", &genie, "odin", (0, 1, Some(7)), true),
        ("seen there, too", &genie, "odin", (5, 3, Some(1)), true),
        ("another test", &genie, "odin", (0, 0, Some(1)), false),
        ("another job", &genie, "effects", (1, 1, None), false),
        ("its own oracle", &genie, "genie", (0, 1, None), false),
        ("the same step", &crash, "odin", (0, 1, Some(2)), true),
        ("another step", &crash, "odin", (0, 1, Some(1)), false),
        ("the whole test", &crash, "genie", (0, 1, None), true),
    ] {
        let finding = Finding {
            id: FindingId { session: SessionId(1), key: 0 },
            technique: "genie".into(),
            app: "toy".into(),
            verdict: verdict.clone(),
            seen: vec![(Slot(0), 1), (Slot(5), 3)],
            occurrences: 2,
            confirmation: Confirmation::default(),
            tier: droidmux_record::Tier::Suspicious,
            because: String::new(),
            cluster: FindingId { session: SessionId(1), key: 0 },
            rank: 1,
            state: FindingState::New,
            note: String::new(),
        };
        let (slot, test, step) = place;
        let place = TracePlace { session: SessionId(1), slot: Slot(slot), test, step };
        let objection =
            Objection { verdict: self::verdict(oracle, slot, test, Evidence::None), places: vec![place] };
        let places = finding_places(&finding, run.as_ref());
        let with: Vec<String> = agreeing(&finding, &places, [&objection]).into_iter().collect();
        assert_eq!(with, if agrees { vec![oracle.to_owned()] } else { Vec::new() }, "{what}");
        let elsewhere = TracePlace { session: SessionId(2), ..place };
        let objection = Objection { places: vec![elsewhere], ..objection };
        assert!(agreeing(&finding, &places, [&objection]).is_empty(), "{what}: another session");
    }
}
