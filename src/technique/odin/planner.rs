//! The hunt of Odin: its phases and their jobs.

use std::collections::BTreeMap;

use super::calibration::Calibration;
use super::corpus::Corpus;
use super::manifestation::Manifestation;
use super::mix;
use crate::explore::Exploration;
use crate::hunt::{Hunt, HuntPlanner};
use crate::ledger::Ledger;
use crate::phases::{Phases, Reached};
use crate::{BatchDriver, Driver, GenieSettings, OdinSettings};
use droidmux_record::{
    Batch, Funnel, FunnelStage, JobRun, Judgement, Layouts, Manifest, Phase, Progress, Purpose, Role,
    SessionDefinition, SessionId, Slot, Tally, Test, Work,
};

/// Plans an Odin session: explore, calibrate, manifest and weigh, confirm.
pub type OdinPlanner = HuntPlanner<OdinHunt>;

/// Explores, brings every state to enough inputs, and weighs the behaviours of events on them.
pub struct OdinHunt {
    pub(super) session: SessionId,
    settings: OdinSettings,
    rng: u64,
    pub(super) exploration: Exploration,
    pub(super) corpus: Corpus,
    pub(super) calibration: Calibration,
    pub(super) manifestation: Manifestation,
    /// The group that each job under way is for.
    pub(super) of_group: BTreeMap<Slot, usize>,
    pub(super) tally: Tally,
    /// Inputs that states have, and should have; states and transitions of the model.
    calibrated: (u64, u64),
    states: (usize, usize),
}

/// The phases of Odin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OdinPhase {
    /// Mining the model.
    Mine,
    /// Running walks until every state has enough inputs.
    Calibrate,
    /// Appending events to inputs, and weighing what came of it.
    Manifest,
}

impl From<OdinPhase> for Phase {
    fn from(phase: OdinPhase) -> Self {
        match phase {
            OdinPhase::Mine => Self::new("mine", "mining the model"),
            OdinPhase::Calibrate => Self::new("calibrate", "calibrating inputs"),
            OdinPhase::Manifest => Self::new("manifest", "manifesting behaviours"),
        }
    }
}

impl OdinHunt {
    /// Leaves calibration, or does without: what the corpus knows of states and events becomes groups to fill.
    fn begin_manifestation(&mut self, slot: Slot) {
        let rng = mix(self.rng ^ 0x6d61_6e69_6665_7374, slot.0);
        self.manifestation = Manifestation::of(&mut self.corpus, &self.settings, rng);
        self.survey();
        self.tally.pairs = self.manifestation.groups.len() as u64;
    }

    /// Records the state of the model for the progress report.
    fn survey(&mut self) {
        let model = self.corpus.model();
        let (missing, total) = Calibration::missing(&self.corpus, &model, &self.settings);
        self.calibrated = (total - missing, total);
        self.states = (model.len(), model.transition_count());
    }

    fn calibrate(&mut self, slot: Slot, ledger: &Ledger) -> Option<Work> {
        let most = ledger.share(self.settings.calibrate_share);
        let planned = self.calibration.events;
        let room = |events: u64| events <= most && ledger.can_search(events - planned);
        let rng = mix(self.rng ^ 0x0077_616c_6b73, slot.0);
        let plan =
            self.calibration.plan(&mut self.corpus, &self.settings, rng, ledger.left_to_search(), room)?;
        self.calibration.began(slot, &plan);
        self.survey();
        self.tally.unreachable = self.calibration.unreachable.len() as u64;
        let tests = plan.walks.into_iter().map(|events| Test { role: Role::Seed, events }).collect();
        Some(Work::Batch(Batch { purpose: Purpose::Calibrate { state: plan.state }, tests }))
    }

    /// A weighing whose behaviours are all there, or else the next tests of the next group.
    fn manifest(&mut self, slot: Slot, ledger: &Ledger) -> Option<Work> {
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
            while !group.waiting.is_empty() && !ledger.can_search(group.cost()) {
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
                return self.manifest(slot, ledger);
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

impl Phases for OdinHunt {
    type Phase = OdinPhase;

    /// A deviation has up to four experiments: one more is tried than elsewhere.
    const ASKS: usize = 3;

    fn work(&mut self, phase: &OdinPhase, slot: Slot, ledger: &Ledger) -> Option<Work> {
        match phase {
            OdinPhase::Mine => self.exploration.mine(ledger),
            OdinPhase::Calibrate => self.calibrate(slot, ledger),
            OdinPhase::Manifest => self.manifest(slot, ledger),
        }
    }

    fn after(&mut self, phase: &OdinPhase, slot: Slot) -> Option<OdinPhase> {
        match phase {
            OdinPhase::Mine if self.settings.calibrate => Some(OdinPhase::Calibrate),
            OdinPhase::Mine | OdinPhase::Calibrate => {
                self.begin_manifestation(slot);
                Some(OdinPhase::Manifest)
            }
            OdinPhase::Manifest => None,
        }
    }

    fn stands_alone(&self, phase: &OdinPhase) -> bool {
        *phase != OdinPhase::Manifest
    }

    fn beside(&mut self, phase: &OdinPhase, ledger: &Ledger) -> Option<Work> {
        if *phase == OdinPhase::Mine { None } else { self.exploration.roam(ledger) }
    }

    fn meanwhile(&mut self, ledger: &Ledger) -> Option<Work> {
        self.exploration.roam_ahead(ledger)
    }
}

impl Hunt for OdinHunt {
    const FIRST: OdinPhase = OdinPhase::Mine;
    const VERSION: u32 = 19;

    fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let (settings, genie): (OdinSettings, GenieSettings) =
            (definition.settings.of(), definition.settings.of());
        Self {
            session,
            exploration: Exploration::new(
                definition,
                genie,
                settings.explore_events,
                settings.episode_events,
            ),
            settings,
            rng,
            corpus: Corpus::default(),
            calibration: Calibration::default(),
            manifestation: Manifestation::default(),
            of_group: BTreeMap::new(),
            tally: Tally::default(),
            calibrated: (0, 0),
            states: (0, 0),
        }
    }

    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        let traces = self.corpus.absorb(source, run, layouts);
        self.tally.imported += u64::from(traces.end - traces.start);
        self.exploration.take_in(run, layouts);
    }

    fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, self.exploration.app(), Some(0.0)))
    }

    fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.learn_from(run, judgement, layouts);
    }

    fn reached(&self, phase: &OdinPhase, ledger: &Ledger) -> Reached {
        let groups = &self.manifestation.groups;
        match phase {
            OdinPhase::Mine => self.exploration.mined(ledger),
            OdinPhase::Calibrate => (self.calibrated.0, self.calibrated.1, "inputs"),
            OdinPhase::Manifest => {
                (groups.iter().filter(|group| group.weighed).count() as u64, groups.len() as u64, "pairs")
            }
        }
    }

    fn funnel(&self) -> Funnel {
        Funnel { violations: self.tally.anomalies, ..Funnel::default() }
    }

    fn told(&self, phase: Option<&OdinPhase>, progress: Progress) -> Progress {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        // The model that exploration mines is not the one whose states are calibrated.
        let (states, transitions) = match phase {
            Some(OdinPhase::Mine) => (progress.states, progress.transitions),
            _ => (count(self.states.0), count(self.states.1)),
        };
        let funnel = &progress.funnel;
        Progress {
            states,
            transitions,
            stages: stages(&self.tally, funnel),
            summary: summary(&self.tally, funnel),
            tally: self.tally,
            ..progress
        }
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
    let causes = t.strays.causes();
    let strays = (!causes.is_empty()).then(|| {
        let each: Vec<String> = causes.iter().map(|(cause, number)| format!("{cause} {number}")).collect();
        format!("walks strayed first by: {}", each.join(", "))
    });
    let mut lines = vec![
        format!(
            "inputs: {} imported, {} explored, {} calibrated ({} strayed), {} states out of reach",
            t.imported, t.explored, t.calibrated, t.strayed, t.unreachable
        ),
        format!(
            "behaviours: {} recorded before, {} run, {} discarded; of {} pairs of state and event {} weighed, {} with too few",
            t.reused, t.manifested, t.discarded, t.pairs, t.weighed, t.too_few
        ),
        format!("anomalies: {}, {} distinct, {} seen once", t.anomalies, f.distinct, f.once_only),
    ];
    lines.splice(1..1, strays);
    lines
}
