//! The planner of Odin: phases and jobs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::calibration::Calibration;
use super::corpus::Corpus;
use super::manifestation::Manifestation;
use super::mix;
use crate::explore::{Harvest, Mining, Roaming, Variety};
use crate::findings::Findings;
use crate::ledger::Ledger;
use crate::suspects::Suspects;
use crate::{BatchDriver, Driver, ExploreDriver, Plan, Planner, Snapshot, work_plan};
use crate::{GenieSettings, OdinSettings};
use droidmux_model::{Familiar, GuiModel};
use droidmux_record::{
    Batch, Explore, Finding, Funnel, FunnelStage, Job, JobRun, Judgement, Layouts, Manifest, Phase, Progress,
    Purpose, Role, SessionDefinition, SessionId, Shrunk, Slot, Tally, Test, Work,
};

/// Plans an Odin session: explore, calibrate, manifest and weigh, confirm.
pub struct OdinPlanner {
    pub(super) session: SessionId,
    app: String,
    pub(super) settings: OdinSettings,
    /// What exploration goes by.
    genie: Arc<GenieSettings>,
    rng: u64,
    /// What exploration builds on.
    pub(super) explored: Arc<GuiModel>,
    /// What it has read.
    pub(super) familiar: Familiar,
    pub(super) corpus: Corpus,
    phase: OdinPhase,
    pub(super) ledger: Ledger,
    pub(super) mining: Mining,
    roaming: Roaming,
    variety: Variety,
    /// What events did to the app's data.
    pub(super) harvest: Arc<Harvest>,
    pub(super) calibration: Calibration,
    pub(super) manifestation: Manifestation,
    /// The group that each job under way is for.
    pub(super) of_group: BTreeMap<Slot, usize>,
    pub(super) suspects: Suspects,
    pub(super) tally: Tally,
    /// Inputs that states have, and should have; states and transitions of the model.
    calibrated: (u64, u64),
    states: (usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OdinPhase {
    Mine,
    /// Running walks until every state has enough inputs.
    Calibrate,
    /// Appending events to inputs, and weighing what came of it.
    Manifest,
    Confirm,
    Done,
}

impl From<OdinPhase> for Phase {
    fn from(phase: OdinPhase) -> Self {
        match phase {
            OdinPhase::Mine => Self::new("mine", "mining the model"),
            OdinPhase::Calibrate => Self::new("calibrate", "calibrating inputs"),
            OdinPhase::Manifest => Self::new("manifest", "manifesting behaviours"),
            OdinPhase::Confirm => Self::CONFIRM,
            OdinPhase::Done => Self::DONE,
        }
    }
}

impl OdinPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let run = &definition.run;
        let (settings, genie): (OdinSettings, GenieSettings) =
            (definition.settings.of(), definition.settings.of());
        let most = u64::from(settings.explore_events).min(run.max_events);
        let findings = Findings::new(session, "odin", &definition.app, run.confirm, run.confirm_of);
        Self {
            session,
            app: definition.app.clone(),
            settings: settings.clone(),
            genie: Arc::new(genie.clone()),
            rng,
            explored: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
            familiar: Familiar::default(),
            corpus: Corpus::default(),
            phase: OdinPhase::Mine,
            ledger: Ledger::new(run.max_events),
            mining: Mining::new(most, settings.episode_events, genie.stale_events),
            roaming: Roaming::new(run.explore_share, genie.episode_events),
            variety: Variety::new(run.revisit_share),
            harvest: Arc::default(),
            calibration: Calibration::default(),
            manifestation: Manifestation::default(),
            of_group: BTreeMap::new(),
            suspects: Suspects::new(findings, run.experiments),
            tally: Tally::default(),
            calibrated: (0, 0),
            states: (0, 0),
        }
    }

    /// The next work; `None` when there is none at the moment.
    fn next_work(&mut self, slot: Slot) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase == OdinPhase::Confirm)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        if matches!(self.phase, OdinPhase::Calibrate | OdinPhase::Manifest)
            && let Some(explore) = self.roaming.plan(&self.ledger)
        {
            return Some(self.explore(explore));
        }
        loop {
            let work = match self.phase {
                OdinPhase::Mine => self.mine(),
                OdinPhase::Calibrate => self.calibrate(slot),
                OdinPhase::Manifest => self.manifest(slot),
                OdinPhase::Confirm => self.suspects.confirmation(&self.ledger),
                OdinPhase::Done => None,
            };
            if work.is_some() {
                return work;
            }
            // Each phase builds on all results of the one before, but not on what is done while it waits for them.
            let begins = matches!(self.phase, OdinPhase::Mine | OdinPhase::Calibrate);
            if self.ledger.awaits(begins) {
                let ahead = begins.then(|| self.roaming.ahead(&self.ledger)).flatten();
                let ahead = ahead.map(|explore| self.explore(explore));
                return ahead.or_else(|| self.suspects.confirmation(&self.ledger));
            }
            self.phase = match self.phase {
                OdinPhase::Mine if self.settings.calibrate => OdinPhase::Calibrate,
                OdinPhase::Mine | OdinPhase::Calibrate => {
                    let rng = mix(self.rng ^ 0x6d61_6e69_6665_7374, slot.0);
                    self.manifestation = Manifestation::of(&mut self.corpus, &self.settings, rng);
                    self.survey();
                    self.tally.pairs = self.manifestation.groups.len() as u64;
                    OdinPhase::Manifest
                }
                OdinPhase::Manifest => OdinPhase::Confirm,
                OdinPhase::Confirm | OdinPhase::Done => OdinPhase::Done,
            };
            if self.phase == OdinPhase::Done {
                return None;
            }
        }
    }

    fn mine(&mut self) -> Option<Work> {
        let explore = self.mining.plan(&self.ledger)?;
        Some(self.explore(explore))
    }

    fn explore(&mut self, explore: Explore) -> Work {
        Work::Explore(self.variety.next(explore, |events| self.ledger.can_search(events)))
    }

    /// Records the state of the model for the progress report.
    fn survey(&mut self) {
        let model = self.corpus.model();
        let (missing, total) = Calibration::missing(&self.corpus, &model, &self.settings);
        self.calibrated = (total - missing, total);
        self.states = (model.len(), model.transition_count());
    }

    fn calibrate(&mut self, slot: Slot) -> Option<Work> {
        let most = self.ledger.share(self.settings.calibrate_share);
        let (ledger, planned) = (&self.ledger, self.calibration.events);
        let room = |events: u64| events <= most && ledger.can_search(events - planned);
        let rng = mix(self.rng ^ 0x0077_616c_6b73, slot.0);
        let plan = self.calibration.plan(&mut self.corpus, &self.settings, rng, room)?;
        self.calibration.began(slot, &plan);
        self.survey();
        self.tally.unreachable = self.calibration.unreachable.len() as u64;
        let tests = plan.walks.into_iter().map(|events| Test { role: Role::Seed, events }).collect();
        Some(Work::Batch(Batch { purpose: Purpose::Calibrate { state: plan.state }, tests }))
    }

    /// A weighing whose behaviours are all there, or else the next tests of the next group.
    fn manifest(&mut self, slot: Slot) -> Option<Work> {
        let fewest = self.settings.fewest as usize;
        let passed = self.manifestation.groups.iter_mut().enumerate().take(self.manifestation.next);
        let mut ready = passed.filter(|(_, group)| !group.weighed && group.under_way == 0);
        if let Some((_, group)) = ready.next() {
            group.weighed = true;
            self.tally.weighed += u64::from(group.shown.len() >= fewest);
            self.tally.too_few += u64::from(group.shown.len() < fewest);
            self.tally.reused += (group.shown.len() as u64).saturating_sub(group.fresh);
            return Some(Work::errand(group.weighing(&self.corpus)));
        }
        while let Some(group) = self.manifestation.groups.get_mut(self.manifestation.next) {
            // As much of it as there is room for, or nothing if that is too little.
            while !group.waiting.is_empty() && !self.ledger.can_search(group.cost()) {
                group.waiting.pop();
            }
            if group.under_way == 0 && group.prospect() < fewest {
                self.tally.too_few += 1;
                group.weighed = true;
                self.manifestation.next += 1;
                continue;
            }
            if group.waiting.is_empty() {
                self.manifestation.next += 1;
                return self.manifest(slot);
            }
            let tests = group.take(self.settings.batch.max(1) as usize, &self.corpus);
            let tests: Vec<Test> =
                tests.into_iter().map(|events| Test { role: Role::Seed, events }).collect();
            group.under_way += 1;
            self.of_group.insert(slot, self.manifestation.next);
            let purpose = Purpose::Manifest(Manifest { state: group.handling, event: group.event.clone() });
            return Some(Work::Batch(Batch { purpose, tests }));
        }
        None
    }
}

impl Planner for OdinPlanner {
    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        let traces = self.corpus.absorb(source, run, layouts);
        self.tally.imported += u64::from(traces.end - traces.start);
        Arc::make_mut(&mut self.explored).absorb(run, &mut self.familiar, layouts);
    }

    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work(slot);
        work_plan(slot, work, self.phase == OdinPhase::Done, self.rng, &mut self.ledger)
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, Some(0.0)))
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        let snapshot = Snapshot {
            app: self.app.clone(),
            settings: self.genie.clone(),
            model: self.explored.clone(),
            coverage: Arc::default(),
            harvest: self.harvest.clone(),
            stale: self.mining.stale(),
        };
        Box::new(ExploreDriver::new(job, explore, snapshot))
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.learn(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        let groups = &self.manifestation.groups;
        let (planned, most) = self.mining.events();
        let (done, total, unit) = match self.phase {
            OdinPhase::Mine => (planned.min(self.ledger.spent()), most, "events"),
            OdinPhase::Calibrate => (self.calibrated.0, self.calibrated.1, "inputs"),
            OdinPhase::Manifest => {
                (groups.iter().filter(|group| group.weighed).count() as u64, groups.len() as u64, "pairs")
            }
            OdinPhase::Confirm | OdinPhase::Done => self.suspects.settled(),
        };
        let (states, transitions) = match self.phase {
            OdinPhase::Mine => (self.explored.state_count(), self.explored.transition_count()),
            _ => self.states,
        };
        let funnel = self.suspects.funnel(Funnel { violations: self.tally.anomalies, ..Funnel::default() });
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Progress {
            phase: self.phase.into(),
            done,
            total,
            unit: unit.to_owned(),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            states: count(states),
            transitions: count(transitions),
            stages: stages(&self.tally, &funnel),
            summary: summary(&self.tally, &funnel),
            funnel,
            tally: self.tally,
            ..Progress::default()
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.suspects.shrunk()
    }

    fn version(&self) -> u32 {
        4
    }
}

fn stages(tally: &Tally, funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("inputs", tally.imported + tally.explored + tally.calibrated),
            ("strayed", tally.strayed),
            ("pairs", tally.pairs),
            ("behaviours", tally.reused + tally.manifested),
            ("discarded", tally.discarded),
            ("weighed", tally.weighed),
            ("too few", tally.too_few),
            ("anomalies", tally.anomalies),
            ("distinct", funnel.distinct),
            ("confirmed", funnel.confirmed),
        ],
        &["discarded", "strayed", "distinct", "pairs", "too few", "confirmed"],
    )
}

fn summary(t: &Tally, f: &Funnel) -> Vec<String> {
    vec![
        format!(
            "inputs: {} imported, {} explored, {} calibrated ({} strayed), {} states out of reach",
            t.imported, t.explored, t.calibrated, t.strayed, t.unreachable
        ),
        format!(
            "behaviours: {} recorded before, {} run, {} discarded; of {} pairs of state and event {} weighed, {} with too few",
            t.reused, t.manifested, t.discarded, t.pairs, t.weighed, t.too_few
        ),
        format!("anomalies: {}, {} distinct, {} seen once", t.anomalies, f.distinct, f.once_only),
    ]
}
