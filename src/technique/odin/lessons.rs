//! What the hunt learns from finished jobs.

use super::calibration::Walking;
use super::corpus::Moment;
use super::planner::OdinHunt;
use super::strays;
use droidmux_record::{Batch, JobRun, Judgement, Layouts, Outcome, Purpose, Slot, Test, Work};

impl OdinHunt {
    pub(super) fn learn_from(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        let slot = run.job.slot;
        let traces = self.corpus.absorb(self.session, run, layouts);
        match &run.job.work {
            Work::Explore(_) => {
                self.exploration.harvest(run, layouts);
                self.tally.explored += u64::from(traces.end - traces.start);
                self.exploration.learn(run, layouts);
            }
            Work::Batch(Batch { purpose: Purpose::Calibrate { .. }, .. }) => {
                self.tally.calibrated += u64::from(traces.end - traces.start);
                if let Some(walking) = self.calibration.ended(slot) {
                    self.count_strayed(run, traces, &walking);
                }
            }
            Work::Batch(Batch { purpose: Purpose::Manifest(_), tests }) => {
                self.absorb_behaviours(slot, traces.start, run, tests);
            }
            Work::Batch(_) => {}
            Work::Errand(_) => {
                let anomalies = judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation);
                self.tally.anomalies += anomalies.filter(|v| v.oracle == "odin").count() as u64;
            }
        }
    }

    fn count_strayed(&mut self, run: &JobRun, traces: std::ops::Range<u32>, walking: &Walking) {
        let model = self.corpus.model();
        let meant = model.state_of(walking.target);
        // A trace whose start is unknown was not taken over; the others keep their order.
        let known = run.traces().into_iter().filter(|trace| trace.start.is_some());
        for (trace, number) in known.zip(traces) {
            let end = self.corpus.trace(number).map(|trace| trace.end(number));
            let ended = end.and_then(|end| self.corpus.state_at(&model, end));
            if ended == meant {
                continue;
            }
            self.tally.strayed += 1;
            let path = walking.paths.get(usize::from(trace.test)).map_or(&[][..], Vec::as_slice);
            let app = self.exploration.app();
            strays::count(&mut self.tally.strays, &trace, path, app, &model, &self.corpus);
        }
    }

    /// Keeps the behaviours of inputs that ended in their state again.
    fn absorb_behaviours(&mut self, slot: Slot, first: u32, run: &JobRun, tests: &[Test]) {
        let Some(number) = self.of_group.remove(&slot) else { return };
        let Some(group) = self.manifestation.groups.get_mut(number) else { return };
        group.under_way = group.under_way.saturating_sub(1);
        // A trace whose start is unknown was not taken over; the others keep their order.
        let known = run.traces().into_iter().filter(|t| t.start.is_some());
        let mut kept = 0;
        for (trace, at) in known.zip(first..) {
            let Some(test) = tests.get(usize::from(trace.test)) else { continue };
            let Ok(steps) = u16::try_from(test.events.len()) else { continue };
            let before = Moment { trace: at, steps };
            let is_whole = trace.is_whole() && trace.steps.len() == test.events.len() + 1;
            let complete = self.corpus.trace(at).is_some_and(|t| usize::from(t.len()) == trace.steps.len());
            let state = self.corpus.state_at(&self.manifestation.model, before);
            // A layout that the model does not know is in the state if it handles the same.
            let there = match state {
                Some(state) => state == group.state,
                None => self.corpus.handling_at(before) == Some(group.handling),
            };
            if is_whole && complete && there {
                group.shown.push(before);
                kept += 1;
            }
        }
        group.fresh += kept;
        self.tally.manifested += kept;
        self.tally.discarded += (tests.len() as u64).saturating_sub(kept);
    }
}
