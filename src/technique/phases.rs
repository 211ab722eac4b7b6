//! The course of a session: the phases in which its technique looks for something, one after the other, and then the
//! replays of what it suspects.
//!
//! In: the work that a technique has in each phase ([`Phases`]), finished jobs with their judgements. Out: plans,
//! progress, findings with their confirmations.
//!
//! Invariants: a phase begins when the one before has no more work and its results are in; confirmations go before the
//! search while they have taken less than their share of the events, and alone are planned once all phases are over; a
//! session is done when none is left and no job is under way. What is planned depends only on what the technique
//! answers, on the events planned and spent, and on the absorbed jobs.

use std::sync::Arc;

use super::findings::Findings;
use super::ledger::Ledger;
use super::questions::Questions;
use super::suspects::Suspects;
use super::{Plan, work_plan};
use droidmux_record::{
    Finding, Funnel, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot,
    Test, Verdict, Work,
};

/// What a technique does in its phases.
pub trait Phases {
    /// The phases in which it looks for something. What comes after them is the same for all techniques.
    type Phase: Clone + Into<Phase>;

    /// How often one slot asks for a confirmation after the last phase, while jobs are under way. Each time, an experiment
    /// that does not fit into the budget is given up, so this number is a part of what is planned.
    const ASKS: usize = 2;

    /// The next work of this phase; `None` when it has none at the moment, or no more.
    fn work(&mut self, phase: &Self::Phase, slot: Slot, ledger: &Ledger) -> Option<Work>;

    /// Begins the phase after this one, whose results are all in; `None` when only confirmations are left.
    fn after(&mut self, phase: &Self::Phase, slot: Slot) -> Option<Self::Phase>;

    /// True when the next phase builds on the work of this one alone, and need not wait for what is done beside it.
    fn stands_alone(&self, _phase: &Self::Phase) -> bool {
        false
    }

    /// Work that is due beside this phase.
    fn beside(&mut self, _phase: &Self::Phase, _ledger: &Ledger) -> Option<Work> {
        None
    }

    /// Work that is not due yet, for a device that would wait for the last results of a phase that stands alone.
    fn meanwhile(&mut self, _ledger: &Ledger) -> Option<Work> {
        None
    }
}

/// Budget, suspects and phases of a session; `P` are the phases of its technique.
#[derive(Clone, Debug)]
pub struct Course<P> {
    rng: u64,
    stage: Stage<P>,
    confirms: bool,
    ledger: Ledger,
    suspects: Suspects,
}

#[derive(Clone, Debug)]
enum Stage<P> {
    /// A phase of the technique.
    Search(P),
    /// Confirmations alone.
    Confirm,
    Done,
}

impl<P: Clone + Into<Phase>> Course<P> {
    /// A session at its start; `rng` seeds its jobs, and `first` is its first phase.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64, first: P) -> Self {
        let (run, name) = (&definition.run, definition.technique.name());
        let findings = Findings::new(session, name, &definition.app, run.confirm, run.confirm_of);
        Self {
            rng,
            stage: Stage::Search(first),
            confirms: true,
            ledger: Ledger::of(run),
            suspects: Suspects::new(findings, run.experiments),
        }
    }

    /// The same without shrinking, where a judgement costs more than a replay.
    pub fn without_shrinking(self) -> Self {
        Self { suspects: self.suspects.without_shrinking(), ..self }
    }

    /// Nothing more is confirmed, because something needed for it is missing.
    pub fn give_up_confirming(&mut self) {
        self.confirms = false;
    }

    /// Looks for nothing new.
    pub fn stop_searching(&mut self) {
        if matches!(self.stage, Stage::Search(_)) {
            self.stage = Stage::Confirm;
        }
    }

    /// The plan for a slot.
    pub fn plan(&mut self, slot: Slot, technique: &mut impl Phases<Phase = P>) -> Plan {
        let work = self.next_work(slot, technique);
        work_plan(slot, work, matches!(self.stage, Stage::Done), self.rng, &mut self.ledger)
    }

    /// The next work; `None` when there is none at the moment.
    fn next_work<T: Phases<Phase = P>>(&mut self, slot: Slot, technique: &mut T) -> Option<Work> {
        if (self.ledger.owes_confirmation() || matches!(self.stage, Stage::Confirm))
            && let Some(work) = self.confirmation()
        {
            return Some(work);
        }
        if let Stage::Search(phase) = &self.stage
            && let Some(work) = technique.beside(phase, &self.ledger)
        {
            return Some(work);
        }
        loop {
            self.stage = match &self.stage {
                Stage::Search(phase) => {
                    if let Some(work) = technique.work(phase, slot, &self.ledger) {
                        return Some(work);
                    }
                    let alone = technique.stands_alone(phase);
                    if self.ledger.awaits(alone) {
                        let meanwhile = alone.then(|| technique.meanwhile(&self.ledger)).flatten();
                        return meanwhile.or_else(|| self.confirmation());
                    }
                    technique.after(phase, slot).map_or(Stage::Confirm, Stage::Search)
                }
                Stage::Confirm => {
                    let asks = if self.ledger.is_busy() { T::ASKS.saturating_sub(1) } else { 1 };
                    if let Some(work) = (0..asks).find_map(|_| self.confirmation()) {
                        return Some(work);
                    }
                    if self.ledger.is_busy() {
                        return None;
                    }
                    Stage::Done
                }
                Stage::Done => return None,
            };
        }
    }

    fn confirmation(&mut self) -> Option<Work> {
        if self.confirms { self.suspects.confirmation(&self.ledger) } else { None }
    }

    /// Counts what a finished job took. False for one that was about a finding, which has nothing else to tell.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) -> bool {
        self.ledger.absorb(run);
        !self.suspects.absorb(run, judgement, layouts)
    }

    /// Takes in what a job that looked for something found.
    pub fn suspect(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.suspect_shorter(run, judgement, layouts, &|_| Vec::new());
    }

    /// The same with shortened tests that may show a violation, too, the shortest first.
    pub fn suspect_shorter(
        &mut self,
        run: &JobRun,
        judgement: &Judgement,
        layouts: &dyn Layouts,
        shorter: &dyn Fn(&Verdict) -> Vec<Vec<Test>>,
    ) {
        self.suspects.absorb_violations(run, judgement, layouts, shorter);
    }

    /// Events that replays of what is suspected may still take.
    pub fn owed(&self) -> u64 {
        if self.confirms { self.suspects.owed() } else { 0 }
    }

    /// What the session has spent and may still spend.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The phase of the technique; `None` once all are over.
    pub fn phase(&self) -> Option<&P> {
        match &self.stage {
            Stage::Search(phase) => Some(phase),
            Stage::Confirm | Stage::Done => None,
        }
    }

    /// How far the session is: in a phase of the technique, as far as `reached` says, of how much, in which unit. The
    /// technique's `funnel` is the beginning of the session's.
    pub fn progress(&self, funnel: Funnel, reached: impl FnOnce(&P) -> Reached) -> Progress {
        let (phase, (done, total, unit)) = match &self.stage {
            Stage::Search(phase) => (phase.clone().into(), reached(phase)),
            Stage::Confirm => (Phase::CONFIRM, self.suspects.settled()),
            Stage::Done => (Phase::DONE, self.suspects.settled()),
        };
        Progress {
            phase,
            done,
            total,
            unit: unit.to_owned(),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            funnel: self.suspects.funnel(funnel),
            uses: Vec::new(),
            ..Progress::default()
        }
    }

    /// What explorations may ask by the way.
    pub fn questions(&self) -> Arc<Questions> {
        self.suspects.questions()
    }

    /// All findings so far, best rank first.
    pub fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    /// What findings were shrunk to so far.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.suspects.shrunk()
    }
}

/// How much of a phase is done, of how much, and the unit of both.
pub type Reached = (u64, u64, &'static str);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::samples::violation;
    use droidmux_gui::{Event, EventKind};
    use droidmux_record::{
        AppBuild, Batch, Choice, DeviceInfo, Explore, Goal, Job, Purpose, Role, Technique,
    };
    use droidmux_testutils::script::Shown;

    const FIRST: Phase = Phase::new("first", "being first");
    const SECOND: Phase = Phase::new("second", "being second");

    /// How much work there is of each kind.
    struct Script {
        first: u32,
        second: u32,
        beside: u32,
        meanwhile: u32,
        alone: bool,
    }

    fn one(left: &mut u32, work: impl FnOnce() -> Work) -> Option<Work> {
        *left = left.checked_sub(1)?;
        Some(work())
    }

    fn roam(events: u32) -> Work {
        Work::Explore(Explore::new(Goal::Roam, Choice::Changing, events))
    }

    impl Phases for Script {
        type Phase = Phase;

        fn work(&mut self, phase: &Phase, _slot: Slot, _ledger: &Ledger) -> Option<Work> {
            if *phase == FIRST {
                let mine = || Work::Explore(Explore::new(Goal::Mine, Choice::Random, 10));
                return one(&mut self.first, mine);
            }
            let test = Test { role: Role::Seed, events: vec![Event::global(EventKind::Back)] };
            let (purpose, tests) = (Purpose::Mutants { seed: 0 }, vec![test.clone(), test]);
            one(&mut self.second, || Work::Batch(Batch { purpose, tests }))
        }

        fn after(&mut self, phase: &Phase, _slot: Slot) -> Option<Phase> {
            (*phase == FIRST).then_some(SECOND)
        }

        fn stands_alone(&self, phase: &Phase) -> bool {
            self.alone && *phase == FIRST
        }

        fn beside(&mut self, _phase: &Phase, _ledger: &Ledger) -> Option<Work> {
            one(&mut self.beside, || roam(1))
        }

        fn meanwhile(&mut self, _ledger: &Ledger) -> Option<Work> {
            one(&mut self.meanwhile, || roam(2))
        }
    }

    /// Plans slots and finishes jobs: `p` plans the next slot, a digit finishes the job of that slot, `!` before it
    /// finds something. Answers what was planned: `f` and `s` work of the first and the second phase, `b` beside it, `m`
    /// meanwhile, `c` a confirmation, `-` nothing, `.` nothing more.
    fn planned(mut script: Script, steps: &str) -> String {
        let mut definition = SessionDefinition::new(Technique::Genie, "a");
        definition.run.experiments = 0;
        let mut course = Course::new(&definition, SessionId(1), 7, FIRST);
        let (mut jobs, mut found, mut planned) = (BTreeMap::new(), false, String::new());
        for step in steps.chars() {
            let Some(number) = step.to_digit(10) else {
                found = step == '!';
                if step != 'p' {
                    continue;
                }
                let slot = Slot(planned.len() as u64);
                planned.push(match course.plan(slot, &mut script) {
                    Plan::Idle => '-',
                    Plan::Done => '.',
                    Plan::Job(job) => {
                        let letter = match &job.work {
                            Work::Explore(explore) if explore.goal == Goal::Mine => 'f',
                            Work::Explore(explore) if explore.events == 1 => 'b',
                            Work::Explore(_) => 'm',
                            Work::Batch(batch) if batch.purpose.is_of_a_finding() => 'c',
                            _ => 's',
                        };
                        jobs.insert(slot, job);
                        letter
                    }
                });
                continue;
            };
            let job: Job = *jobs.remove(&Slot(number.into())).expect("a job");
            let app = AppBuild { package: "a".into(), version_name: "1".into(), version_code: 1 };
            let run = JobRun { job, attempt: 1, device: DeviceInfo::default(), app, turns: Vec::new() };
            let verdicts = if found { vec![violation("key")] } else { Vec::new() };
            let judgement = Judgement { verdicts, ..Judgement::default() };
            if course.absorb(&run, &judgement, &Shown::default()) {
                course.suspect(&run, &judgement, &Shown::default());
            }
            found = false;
        }
        planned
    }

    #[test]
    fn a_phase_begins_when_the_results_of_the_one_before_are_in() {
        let script = |alone| Script { first: 2, second: 1, beside: 0, meanwhile: 0, alone };
        for (steps, expected) in [("ppp0p1p", "ff--s"), ("pp01pp2p", "ffs-."), ("p0p1p2p", "ffs.")] {
            for alone in [false, true] {
                assert_eq!(planned(script(alone), steps), expected, "{steps} {alone}");
            }
        }
    }

    #[test]
    fn a_phase_that_stands_alone_is_not_held_up_by_what_is_beside_it() {
        for (alone, beside, meanwhile, steps, expected) in [
            (false, 1, 0, "ppp12p0p", "bff-s"),
            (true, 1, 0, "ppp12p0", "bffs"),
            // All phases wait for all of it in the end.
            (true, 1, 0, "ppp12p3p0p", "bffs-."),
            (false, 0, 1, "ppp", "ff-"),
            (true, 0, 1, "pppp", "ffm-"),
        ] {
            let script = Script { first: 2, second: 1, beside, meanwhile, alone };
            assert_eq!(planned(script, steps), expected, "{steps} {alone}");
        }
    }

    #[test]
    fn what_is_found_is_run_again_before_the_session_is_done() {
        for (second, steps, expected) in [
            (1, "p0p!1pp2p3p4p", "fsccc-."),
            // Never twice in a row while there is something else to do.
            (4, "p0p!1pppp", "fscscs"),
        ] {
            let script = Script { first: 1, second, beside: 0, meanwhile: 0, alone: true };
            assert_eq!(planned(script, steps), expected, "{steps}");
        }
    }

    #[test]
    fn the_course_tells_where_it_is() {
        let definition = SessionDefinition::new(Technique::Genie, "a");
        let mut course = Course::new(&definition, SessionId(1), 7, FIRST);
        let told = |course: &Course<Phase>| {
            let progress = course.progress(Funnel::default(), |_| (3, 8, "seeds"));
            (progress.phase, progress.done, progress.total, progress.unit)
        };
        assert_eq!(told(&course), (FIRST, 3, 8, "seeds".to_owned()));
        let mut nothing = Script { first: 0, second: 0, beside: 0, meanwhile: 0, alone: true };
        assert_eq!((course.plan(Slot(0), &mut nothing), course.phase()), (Plan::Done, None));
        assert_eq!(told(&course), (Phase::DONE, 0, 0, "findings".to_owned()));
    }
}
