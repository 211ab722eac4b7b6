//! Rederiving stored sessions, with a planner whose rules fit on a page.

use std::sync::Arc;

use droidmux::gui::{Event, EventKind, Layout};
use droidmux::lab::{Next, RederiveReport, Schedule, rederive};
use droidmux::record::{
    Act, Choice, Ending, Explore, Finding, Goal, Job, JobRun, Judgement, Layouts, Observation, Progress,
    SessionId, SessionRecord, Slot, Turn, Work,
};
use droidmux::store::{Append, Store};
use droidmux::technique::{Driver, Plan, Planner};

use super::fixture::*;

/// Plans jobs whose seed sums up all turns absorbed; every fourth slot is idle.
struct Summing {
    sum: u64,
    version: u32,
    /// Makes it impure in one of several ways.
    twist: Twist,
}

#[derive(Clone, Copy, PartialEq)]
enum Twist {
    None,
    OtherJob(u64),
    OtherAct(u64),
    IdleAt(u64),
    JobAt(u64),
    DoneAt(u64),
}

/// Goes back as often as its job says, or home instead if the layout has the word.
struct Back {
    left: u64,
    begun: bool,
    wrong: bool,
}

impl Planner for Summing {
    fn plan(&mut self, slot: Slot) -> Plan {
        match self.twist {
            Twist::IdleAt(at) if at == slot.0 => return Plan::Idle,
            Twist::DoneAt(at) if at == slot.0 => return Plan::Done,
            Twist::JobAt(at) if at == slot.0 => {}
            _ if slot.0 % 4 == 3 => return Plan::Idle,
            _ => {}
        }
        let other = u64::from(self.twist == Twist::OtherJob(slot.0));
        let events = u32::try_from(slot.0 % 3).unwrap();
        let explore = Explore::new(Goal::Mine, Choice::Random, events);
        Plan::Job(Box::new(Job { slot, rng: self.sum + other, work: Work::Explore(explore) }))
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        let wrong = self.twist == Twist::OtherAct(job.slot.0);
        Box::new(Back { left: job.work.events(), begun: false, wrong })
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _: &dyn Layouts) {
        self.sum = self.sum * 31 + run.turns.len() as u64 + judgement.verdicts.len() as u64;
    }

    fn progress(&self) -> Progress {
        Progress::default()
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    fn version(&self) -> u32 {
        self.version
    }
}

impl Driver for Back {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        let home = observation
            .seen()
            .and_then(|seen| layouts.layout(seen.screen.layout))
            .is_some_and(|layout| layout.widgets().any(|widget| widget.text() == "word"));
        if !self.begun {
            self.begun = true;
            return Act::Reset;
        }
        if self.left == 0 {
            return Act::Finish(if self.wrong { Ending::Stuck } else { Ending::Complete });
        }
        self.left -= 1;
        Act::Perform(Event::global(if home { EventKind::Home } else { EventKind::Back }))
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(Back { left: self.left, begun: self.begun, wrong: self.wrong })
    }
}

fn planner(twist: Twist) -> Summing {
    Summing { sum: 0, version: 1, twist }
}

/// Runs a driver on made-up screens; `cut` ends the attempt after this many turns.
fn drive(mut driver: Box<dyn Driver>, store: &Store, slot: u64, cut: usize) -> (Vec<Turn>, Vec<Arc<Layout>>) {
    let (mut turns, mut layouts): (Vec<Turn>, Vec<Arc<Layout>>) = (Vec::new(), Vec::new());
    let mut known = Known { store, layouts: Vec::new() };
    while turns.len() < cut {
        let before = turns.last().map_or(Observation::Started, |turn| turn.observation.clone());
        let act = driver.next(&before, &known);
        if let Act::Finish(_) = act {
            turns.push(Turn { act, ..last_turn() });
            break;
        }
        let word = if slot.is_multiple_of(2) { "word" } else { "other" };
        layouts.push(layout(word));
        known.layouts.push(layout(word));
        turns.push(turn(act, &layout(word), "Main"));
    }
    (turns, layouts)
}

/// Layouts of an episode under way, before they are stored.
struct Known<'a> {
    store: &'a Store,
    layouts: Vec<Arc<Layout>>,
}

impl Layouts for Known<'_> {
    fn layout(&self, hash: droidmux::gui::LayoutHash) -> Option<Arc<Layout>> {
        self.layouts.iter().find(|layout| layout.hash() == hash).cloned().or_else(|| self.store.layout(hash))
    }
}

/// Runs a session of `slots` slots with window 2 as a lab would; job 4 loses its device once and the last job is in
/// flight when the session stops.
async fn run_session(store: &Store, slots: u64) -> SessionId {
    let mut record = session();
    record.definition.run.window = 2;
    let id = store.create_session(&record).unwrap();
    let mut planner = planner(Twist::None);
    let mut schedule = Schedule::new(2);
    loop {
        match schedule.next() {
            Next::Absorb(slot) => {
                if let Some(run) = store.run(id, slot).unwrap() {
                    planner.absorb(&run, &store.judgement(id, slot).unwrap().unwrap(), store);
                }
                schedule.absorbed();
            }
            Next::Plan(slot) if slot.0 == slots => return id,
            Next::Plan(slot) => {
                if let Plan::Job(job) = planner.plan(slot) {
                    store.put_job(id, &job).unwrap();
                    let driver = planner.driver(&job);
                    let attempts = if slot.0 == 4 { vec![1, usize::MAX] } else { vec![usize::MAX] };
                    let cut = if slot.0 + 1 == slots { vec![1] } else { attempts };
                    run_job(store, id, &job, &*driver, &cut).await;
                }
                schedule.planned();
            }
        }
    }
}

async fn run_job(store: &Store, id: SessionId, job: &Job, driver: &dyn Driver, cuts: &[usize]) {
    for (attempt, cut) in (1..).zip(cuts) {
        let (turns, layouts) = drive(driver.fresh(), store, job.slot.0, *cut);
        let whole = *cut == usize::MAX;
        let append = Append {
            session: id,
            slot: job.slot,
            attempt,
            first_turn: 0,
            turns: turns.clone(),
            steps: Vec::new(),
            exchanges: Vec::new(),
            layouts,
            screenshots: Vec::new(),
        };
        store.append(append).await.unwrap();
        if whole {
            let mut run = run(job.slot.0, turns);
            run.attempt = attempt;
            store.finish_job(id, &finished(&run)).unwrap();
            store.put_judgement(id, job.slot, &Judgement::default()).unwrap();
        }
    }
}

fn again(store: &Store, twist: Twist) -> RederiveReport {
    rederive(store, &|_: &SessionRecord, _| Box::new(planner(twist)) as Box<dyn Planner>).unwrap()
}

#[tokio::test]
async fn a_pure_session_comes_out_the_same_and_an_impure_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let id = run_session(&store, 11).await;
    assert_eq!((id, store.attempts(id, Slot(4)).unwrap().len()), (SessionId(1), 2));
    let report = again(&store, Twist::None);
    assert_eq!((report.problems.clone(), report.skipped.clone()), (Vec::new(), Vec::new()));
    // Slots 3 and 7 are idle; job 4 has two attempts.
    assert_eq!((report.sessions, report.jobs, report.attempts), (1, 9, 10));
    assert_eq!(report.turns, store.stats().unwrap().sessions[0].turns);

    let cases = [
        (Twist::OtherJob(5), "job s1 j5", "the stored job is"),
        (
            Twist::OtherAct(6),
            "turn 1 of s1 j6, attempt 1",
            "the stored act is Finish(Complete); derived: Finish(Stuck)",
        ),
        (Twist::IdleAt(2), "job s1 j2", "derived: none for this slot"),
        (Twist::JobAt(3), "job s1 j3", "there is no job; derived: Job"),
        (Twist::DoneAt(9), "job s1 j9", "the session is over"),
    ];
    for (twist, at, what) in cases {
        let problems = again(&store, twist).problems;
        let [problem] = &problems[..] else { panic!("{at}: {problems:?}") };
        assert_eq!(problem.at, at);
        assert!(problem.what.contains(what), "{}", problem.what);
    }
}

#[tokio::test]
async fn what_was_absorbed_must_be_there_and_stand_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    let id = run_session(&store, 9).await;
    // A different judgement leads to different jobs.
    let judgement = Judgement { verdicts: vec![verdict(1, "key")], ..Judgement::default() };
    store.put_judgement(id, Slot(1), &judgement).unwrap();
    let problems = again(&store, Twist::None).problems;
    assert_eq!(problems.iter().map(|problem| problem.at.as_str()).collect::<Vec<_>>(), ["job s1 j4"]);

    // A job without a run, and later ones that were planned nevertheless.
    let second = store.create_session(&session()).unwrap();
    for slot in 0..10 {
        let explore = Explore::new(Goal::Mine, Choice::Random, slot as u32 % 3);
        if slot % 4 != 3 {
            store.put_job(second, &Job { slot: Slot(slot), rng: 0, work: Work::Explore(explore) }).unwrap();
        }
    }
    let problems = again(&store, Twist::None).problems;
    let [_, problem] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!(
        (problem.at.as_str(), problem.what.contains("though it is not finished")),
        ("job s2 j0", true)
    );
}

#[tokio::test]
async fn another_planner_version_is_skipped_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), options()).unwrap();
    run_session(&store, 4).await;
    let make =
        |_: &SessionRecord, _| Box::new(Summing { version: 2, ..planner(Twist::None) }) as Box<dyn Planner>;
    let report = rederive(&store, &make).unwrap();
    assert!(report.is_clean() && report.jobs == 0);
    assert_eq!(
        report.skipped[0].what,
        "it was planned by version 1 of its planner, this droidmux has version 2"
    );
}
