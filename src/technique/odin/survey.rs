//! Odin without a device: everything that is recorded is weighed.

use super::corpus::Corpus;
use super::manifestation::Manifestation;
use super::oracle::OdinOracle;
use super::settings::OdinSettings;
use super::weighing::Weighing;
use crate::Oracle;
use droidmux_record::{
    AppBuild, Deviation, DeviceInfo, Evidence, Job, JobRun, Layouts, SessionDefinition, SessionId, Slot,
    Source, TracePlace, Verdict, Work,
};

/// Behaviours of one state on one event that are weighed: more than a session would run.
const MOST: u32 = 200;

/// The recorded behaviours of each state on each event.
pub struct Survey {
    session: SessionId,
    definition: SessionDefinition,
    corpus: Corpus,
}

/// The verdict on one state and event, with the places of the behaviours that deviate.
pub struct Weighed {
    pub verdict: Verdict,
    pub places: Vec<TracePlace>,
}

impl Survey {
    /// Nothing is recorded yet; keeps more behaviours of each state and event than a session would.
    pub fn new(session: SessionId, definition: &SessionDefinition) -> Self {
        let mut definition = definition.clone();
        definition.settings.change(|odin: &mut OdinSettings| odin.behaviours = odin.behaviours.max(MOST));
        Self { session, definition, corpus: Corpus::default() }
    }

    /// Reads the traces of a job.
    pub fn take_in(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        self.corpus.absorb(self.session, run, layouts);
    }

    /// Mines the model and judges every state on every event it handles.
    pub fn judge(mut self, layouts: &dyn Layouts) -> Vec<Weighed> {
        // If there are too many behaviours, which of them are weighed: the same ones every time.
        let manifestation = Manifestation::of(&mut self.corpus, &self.definition.settings.of(), 0);
        let oracle = OdinOracle::new(&self.definition);
        let mut weighed = Vec::new();
        for group in &manifestation.groups {
            let weighing = group.weighing(&self.corpus);
            let work = Work::errand(weighing.clone());
            let job = Job { slot: Slot(0), rng: 0, work };
            let (device, app) = (DeviceInfo::default(), AppBuild::default());
            let run = JobRun { job, attempt: 1, device, app, turns: Vec::new() };
            for verdict in oracle.judge(&run, layouts).verdicts {
                weighed.push(placed(verdict, &weighing, &oracle, layouts));
            }
        }
        weighed
    }
}

/// A verdict with its places; it applies to the trace that its evidence comes from.
fn placed(verdict: Verdict, weighing: &Weighing, oracle: &OdinOracle, layouts: &dyn Layouts) -> Weighed {
    let Evidence::Deviation(deviation) = &verdict.evidence else {
        return Weighed { verdict, places: Vec::new() };
    };
    let places = showing(weighing, deviation, oracle, layouts);
    let Source { slot, test, .. } = deviation.deviant.source;
    Weighed { verdict: Verdict { slot, test, ..verdict }, places }
}

/// Where behaviours are recorded that do what the deviant one does.
fn showing(
    weighing: &Weighing,
    deviation: &Deviation,
    oracle: &OdinOracle,
    layouts: &dyn Layouts,
) -> Vec<TracePlace> {
    let expected = deviation.deviant.expected;
    let shows = |source: Source| TracePlace {
        session: source.session,
        slot: source.slot,
        test: source.test,
        step: Some(source.step),
    };
    let alike = weighing.behaviours.iter().filter(|behaviour| {
        behaviour.source == deviation.deviant.source || oracle.shows(behaviour, expected, layouts)
    });
    alike.map(|behaviour| shows(behaviour.source)).collect()
}
