//! The planner of a session that is read: that of its technique, and beside it the jobs of reader and reviewer.
//!
//! In: the planner of a technique, the session's jobs as they are absorbed. Out: that planner's jobs unchanged, with
//! jobs between them that ask, replay and review; its findings with the reviewer's word on them, and those of the
//! reader.
//!
//! Invariants: the technique's planner sees its own jobs alone, in order; without a reader there are no others. One
//! question is read at a time, since each holds what the one before it noted. A suspicion becomes a finding only when
//! its evidence is on the stored screens, and is reported only when replays showed it and the reviewer calls it a bug.

mod answers;

use std::collections::{BTreeMap, BTreeSet};

use super::agenda::Agenda;
use super::asking::AskingDriver;
use super::errand::{ReviewFinding, TryOut};
use super::notes::Notes;
use super::question::{Known, question};
use super::review;
use super::reviews::Reviews;
use super::settings::{ReaderSettings, has_reader, is_wanted};
use super::shelf::Shelf;
use super::stretch::Stretch;
use super::suspicion::reading;
use super::trial::TrialDriver;
use crate::findings::Findings;
use crate::ledger::{Charge, Ledger};
use crate::suspects::Suspects;
use crate::{BatchDriver, Driver, IdleDriver, Plan, Planner, mix};
use droidmux_account::Veil;
use droidmux_record::{
    Finding, FindingId, Job, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SessionId,
    Shrunk, Slot, Work,
};

/// Raised whenever the same inputs may give other jobs.
const VERSION: u32 = 1;
/// The versions of techniques stay below this.
const VERSIONS: u32 = 1_000;
/// Percent of the events for replays that experiments and shrinking may take.
const SHRINKING: u32 = 60;
/// Questions to the reviewer at once.
const REVIEWS_AT_ONCE: usize = 2;

/// A technique's planner with a reader beside it.
pub struct ReaderPlanner {
    inner: Box<dyn Planner>,
    session: SessionId,
    rng: u64,
    definition: SessionDefinition,
    /// Nobody is there who could read.
    mute: bool,
    /// It is read; otherwise its findings get a second opinion, and that is all.
    reads: bool,
    /// Nobody answers any more.
    cut_off: bool,
    /// Questions in a row that nobody answered.
    silent: u32,
    /// Whose steps are read.
    source: SessionId,
    shelf: Shelf,
    agenda: Agenda,
    /// The technique has nothing more.
    inner_done: bool,
    /// The technique's jobs that are under way.
    others: BTreeSet<Slot>,
    /// The reader's, and the reviewer's.
    mine: BTreeMap<Slot, Mine>,
    notes: Notes,
    ledger: Ledger,
    suspects: Suspects,
    replayed_last: bool,
    reviews: Reviews,
    /// Since it was last looked for one to review, findings may have changed.
    looks: bool,
}

/// A job of reader or reviewer.
#[derive(Clone, Debug)]
enum Mine {
    /// Stretches, and what came of experiments.
    Read(Vec<Stretch>, Vec<String>),
    Try(TryOut),
    Replay,
    Review(FindingId),
}

impl ReaderPlanner {
    /// `inner` is the planner of the session's technique; `rng` seeds the jobs.
    pub fn new(
        inner: Box<dyn Planner>,
        definition: &SessionDefinition,
        session: SessionId,
        rng: u64,
    ) -> Self {
        let settings: ReaderSettings = definition.settings.of();
        let run = &definition.run;
        let name = definition.technique.name();
        let findings = Findings::new(session, name, &definition.app, run.confirm, run.confirm_of);
        let veil = Veil { ignored: definition.ignore.clone(), ..Veil::default() };
        Self {
            inner,
            session,
            rng,
            definition: definition.clone(),
            mute: !has_reader(&definition.llm),
            reads: is_wanted(definition),
            cut_off: false,
            silent: 0,
            source: session,
            shelf: Shelf::new(settings.budget, settings.question, veil),
            agenda: Agenda::new(&settings),
            inner_done: false,
            others: BTreeSet::new(),
            mine: BTreeMap::new(),
            notes: Notes::default(),
            ledger: Ledger::new(settings.events.into()),
            suspects: Suspects::new(findings, SHRINKING),
            replayed_last: false,
            reviews: Reviews::new(session, name, settings.reviews),
            looks: true,
        }
    }

    /// Chooses what is read where that is due.
    fn choose(&mut self) {
        if self.mute || !self.reads || self.cut_off || self.agenda.has_questions() || self.is_reading() {
            return;
        }
        let is_over = self.inner_done && self.others.is_empty();
        if let Some(share) = self.agenda.due(&self.inner.progress(), is_over) {
            self.agenda.add(self.shelf.next(share));
        }
    }

    fn is_reading(&self) -> bool {
        self.mine.values().any(|mine| matches!(mine, Mine::Read(..)))
    }

    /// The next job of reader or reviewer.
    fn work(&mut self) -> Option<(Work, Mine)> {
        self.choose();
        if self.mute {
            return None;
        }
        let trying = self.mine.values().any(|mine| matches!(mine, Mine::Try(_)));
        if !self.cut_off
            && !self.is_reading()
            && let Some((errand, (stretches, experiments))) = self.agenda.ask(trying, self.source)
        {
            return Some((Work::errand(errand), Mine::Read(stretches, experiments)));
        }
        // Between the technique's own jobs, as confirmations are.
        if (self.inner_done || !self.replayed_last)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some((work, Mine::Replay));
        }
        if self.cut_off {
            return None;
        }
        let ledger = &self.ledger;
        let fits = |tried: &TryOut| ledger.can_confirm(Work::errand(tried.clone()).events());
        if let Some(tried) = self.agenda.next_try(fits) {
            return Some((Work::errand(tried.clone()), Mine::Try(tried)));
        }
        let id = self.next_for_review()?;
        Some((Work::errand(ReviewFinding { finding: id.clone() }), Mine::Review(id)))
    }

    /// The finding that is to get a second opinion next, once nothing else is to be asked or replayed.
    fn next_for_review(&mut self) -> Option<FindingId> {
        let under_way = self.mine.values().filter(|mine| matches!(mine, Mine::Review(_))).count();
        let busy = self.mine.values().any(|mine| !matches!(mine, Mine::Review(_)));
        let begun = self.inner_done || self.agenda.has_begun();
        if !self.looks
            || busy
            || self.agenda.is_open()
            || !begun
            || under_way >= REVIEWS_AT_ONCE
            || !self.reviews.has_room()
        {
            return None;
        }
        let findings = self.findings();
        let found = self.reviews.next(&findings);
        self.looks = found.is_some();
        found
    }

    /// What a person is told of reading and reviews.
    fn told(&self) -> Vec<String> {
        if self.mute && self.agenda.asked() == 0 {
            let words = "reader: there is no model to read (`provider` in `[llm]`), so nothing was read";
            return vec![words.to_owned()];
        }
        let reading = || self.notes.reading(self.agenda.asked(), (self.shelf.spent(), self.shelf.budget()));
        let (reading, spending) = (self.reads.then(reading), self.notes.spending().filter(|_| self.reads));
        reading.into_iter().chain(self.notes.reviewing()).chain(spending).collect()
    }

    fn is_busy(&self) -> bool {
        !self.mine.is_empty() || !self.others.is_empty()
    }
}

impl Planner for ReaderPlanner {
    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        self.inner.take_in(source, run, layouts);
        let reads = self.definition.technique.name() == super::NAME;
        if reads && !self.mute {
            self.source = source;
            self.shelf.add(run, layouts);
        }
    }

    fn plan(&mut self, slot: Slot) -> Plan {
        if let Some((work, mine)) = self.work() {
            self.replayed_last = matches!(mine, Mine::Replay);
            self.ledger.plan(slot, work.events(), Charge::Confirm);
            self.mine.insert(slot, mine);
            return Plan::Job(Box::new(Job { slot, rng: mix(self.rng, slot.0), work }));
        }
        if !self.inner_done {
            match self.inner.plan(slot) {
                Plan::Done => (self.inner_done, self.looks) = (true, true),
                Plan::Idle => return Plan::Idle,
                Plan::Job(job) => {
                    self.replayed_last = false;
                    self.others.insert(slot);
                    return Plan::Job(job);
                }
            }
            return self.plan(slot);
        }
        if self.is_busy() { Plan::Idle } else { Plan::Done }
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        match self.mine.get(&job.slot) {
            None => self.inner.driver(job),
            Some(Mine::Try(tried)) => {
                Box::new(TrialDriver::new(&tried.wanted, &self.definition.app, &self.definition.ignore))
            }
            Some(Mine::Read(stretches, experiments)) => {
                let known = Known {
                    app: &self.definition.app,
                    notebook: &self.notes.notebook,
                    suspicions: &self.notes.told(),
                    experiments,
                };
                let complain = |reply: &str| match reading(reply) {
                    Some(_) => None,
                    None => Some("there is no JSON object in it".to_owned()),
                };
                Box::new(AskingDriver::new(question(stretches, &known), complain))
            }
            Some(Mine::Replay) => match &job.work {
                Work::Batch(batch) => Box::new(BatchDriver::new(batch, &self.definition.app, None)),
                Work::Explore(_) | Work::Errand(_) => Box::new(IdleDriver),
            },
            Some(Mine::Review(id)) => {
                let findings = self.findings();
                let Some(finding) = findings.iter().find(|finding| finding.id == *id) else {
                    return Box::new(IdleDriver);
                };
                let (shown, controls) = (self.reviews.shown(id), self.notes.controls_of(id));
                let question = review::question(&self.definition.app, finding, &shown, controls);
                let complain = |reply: &str| review::opinion(reply).err().map(str::to_owned);
                Box::new(AskingDriver::new(question, complain))
            }
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        let Some(mine) = self.mine.remove(&run.job.slot) else {
            self.others.remove(&run.job.slot);
            self.looks = true;
            self.inner.absorb(run, judgement, layouts);
            if self.mute {
                return;
            }
            let of_finding = matches!(&run.job.work, Work::Batch(batch)
                if batch.purpose.follows_a_finding());
            match of_finding {
                true => self.reviews.keep(run, judgement, &self.shelf.veil, layouts),
                false if self.reads => self.shelf.add(run, layouts),
                false => {}
            }
            return;
        };
        self.looks = true;
        self.ledger.absorb(run);
        match mine {
            Mine::Read(stretches, _) => self.read(run, &stretches, layouts),
            Mine::Try(tried) => self.tried(run, &tried, layouts),
            Mine::Replay => {
                self.suspects.absorb(run, judgement, layouts);
                self.reviews.keep(run, judgement, &self.shelf.veil, layouts);
            }
            Mine::Review(id) => self.opine(run, &id),
        }
    }

    fn stop_searching(&mut self) {
        self.inner.stop_searching();
    }

    fn progress(&self) -> Progress {
        let mut progress = self.inner.progress();
        if self.inner_done && (self.is_busy() || self.agenda.has_questions()) {
            progress.phase = Phase::new("read", "reading what was done");
        }
        progress.events += self.ledger.spent();
        progress.summary.extend(self.told());
        progress
    }

    fn findings(&self) -> Vec<Finding> {
        self.reviews.told_on(self.inner.findings(), self.suspects.findings.ranked())
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        let mut shrunk = self.inner.shrunk();
        shrunk.extend(self.suspects.shrunk());
        shrunk
    }

    fn version(&self) -> u32 {
        match self.inner.version() {
            0 => 0,
            version => VERSION * VERSIONS + version,
        }
    }
}
