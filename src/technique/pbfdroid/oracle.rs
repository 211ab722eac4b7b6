//! The oracle: postconditions of the functions that a test carried out.

use std::sync::Arc;

use super::account::{Account, account};
use super::driver::PropertyDriver;
use super::errand::PropertyTest;
use crate::PbfdroidSettings;
use crate::fidelity::{Shortfall, fidelity, shortfall};
use crate::{Driver, Oracle};
use droidmux_record::{
    Act, Call, Evidence, Harm, Hint, JobRun, Judgement, Layouts, Observation, Outcome, Role,
    SessionDefinition, Test, Trace, Verdict, Work,
};

/// Judges tests of properties, and replays of them.
pub struct PbfdroidOracle {
    app: String,
    settings: Arc<PbfdroidSettings>,
}

impl PbfdroidOracle {
    /// Checks the functions of this session's specification.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self { app: definition.app.clone(), settings: Arc::new(definition.settings.of()) }
    }
}

impl Oracle for PbfdroidOracle {
    /// One verdict for each test without a violation, and for each violation.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let traces = run.traces();
        let verdicts = match &run.job.work {
            Work::Errand(errand) => match errand.content() {
                Some(test) => {
                    let driven = redrive(run, &test, &self.app, &self.settings, layouts);
                    let judged = |trace| self.verdicts(run, trace, driven.calls(), None, layouts);
                    traces.first().map(judged).unwrap_or_default()
                }
                None => Vec::new(),
            },
            Work::Batch(batch) => {
                let judged = |(trace, test): (&Trace<'_>, &Test)| match &test.role {
                    Role::Property(calls) => {
                        self.verdicts(run, trace, calls, shortfall(trace, test.events.len()), layouts)
                    }
                    _ => Vec::new(),
                };
                traces.iter().zip(&batch.tests).flat_map(judged).collect()
            }
            Work::Explore(_) => Vec::new(),
        };
        Judgement { verdicts, ..Judgement::default() }
    }
}

/// A driver that has been told what was observed: its calls are those of the recorded test.
pub fn redrive(
    run: &JobRun,
    test: &PropertyTest,
    app: &str,
    settings: &Arc<PbfdroidSettings>,
    layouts: &dyn Layouts,
) -> PropertyDriver {
    let mut driver = PropertyDriver::new(&run.job, test, app, settings);
    driver.next(&Observation::Started, layouts);
    // A source of texts asks without the driver's knowledge.
    for turn in run.turns.iter().filter(|turn| !matches!(turn.act, Act::Consult(_))) {
        driver.next(&turn.observation, layouts);
    }
    driver
}

impl PbfdroidOracle {
    fn verdicts(
        &self,
        run: &JobRun,
        trace: &Trace<'_>,
        calls: &[Call],
        shortfall: Option<Shortfall>,
        layouts: &dyn Layouts,
    ) -> Vec<Verdict> {
        let account = account(run, trace, calls, &self.settings, layouts);
        let verdict = |outcome, key, title, evidence, hints| Verdict {
            key,
            title,
            fidelity: fidelity(trace),
            evidence,
            hints,
            harm: Harm::LostFunction,
            ..Verdict::new(run.job.slot, trace.test, "pbfdroid", outcome)
        };
        if account.breaches.is_empty() {
            let why = account.unread.clone().or_else(|| shortfall.map(|shortfall| shortfall.to_string()));
            let outcome = why.map_or(Outcome::Pass, Outcome::Inconclusive);
            return vec![verdict(outcome, String::new(), summary(&account), Evidence::None, Vec::new())];
        }
        let found = account.breaches.into_iter().map(|found| {
            let unsettled = Hint {
                cause: "volatile".into(),
                detail: "the screen after the function was still changing".into(),
            };
            let hints = if found.unsettled { vec![unsettled] } else { Vec::new() };
            let evidence = Evidence::Breach(Box::new(found.breach));
            let (harm, cluster) = (found.harm, found.cluster);
            let said = verdict(Outcome::Violation, found.key, found.title, evidence, hints);
            Verdict { harm, cluster, ..said }
        });
        found.collect()
    }
}

fn summary(account: &Account) -> String {
    format!("{} functions carried out, {} postconditions hold", account.completed, account.checked)
}
