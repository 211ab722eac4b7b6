//! The planner's side of a session: jobs planned, judged ones absorbed, findings kept, progress
//! told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::core::Answer;
use super::judging::{Judged, touches_findings};
use super::{Planned, Session, SessionEnd, SessionEvent, blocking, planner_panicked};
use crate::LabError;
use crate::panics::guarded;
use droidmux_record::{Finding, FindingId, IncidentKind, Shrunk, Slot, Tier, TierCounts};
use droidmux_technique::Plan;

/// What has become of a session's findings.
pub(super) struct Renewed {
    /// New or changed in any way.
    pub(super) changed: Vec<Finding>,
    /// New, replayed once more, or in another tier.
    pub(super) news: Vec<Finding>,
    /// Those that are the first reported ones of their clusters, or reported and now confirmed.
    pub(super) reported: Vec<FindingId>,
}

/// Takes in the findings as they are now.
pub(super) fn renew(known: &mut BTreeMap<FindingId, Finding>, now: Vec<Finding>) -> Renewed {
    let changed: Vec<Finding> =
        now.into_iter().filter(|finding| known.get(&finding.id) != Some(finding)).collect();
    let is_reported = |finding: &&Finding| finding.tier == Tier::Reported;
    let already: BTreeSet<FindingId> =
        known.values().filter(is_reported).map(|finding| finding.cluster.clone()).collect();
    let (mut news, mut reported) = (Vec::new(), Vec::new());
    for finding in &changed {
        let before = known.insert(finding.id.clone(), finding.clone());
        let is_confirmed = |finding: &Finding| finding.confirmation.is_confirmed();
        let worth_telling = match before.as_ref().filter(is_reported) {
            Some(before) => is_confirmed(before) != is_confirmed(finding),
            None => !already.contains(&finding.cluster),
        };
        if is_reported(&finding) && finding.is_representative() && worth_telling {
            reported.push(finding.id.clone());
        }
        let told = |before: &Finding| (before.confirmation, before.tier);
        if before.is_none_or(|before| told(&before) != told(finding)) {
            news.push(finding.clone());
        }
    }
    Renewed { changed, news, reported }
}

/// Has the planner do something on a thread of its own; if it panics, the session ends.
async fn planning<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, LabError> {
    blocking(move || guarded(work)).await?.map_err(planner_panicked)
}

impl Session {
    /// Asks the planner for this slot and stores the job.
    pub(super) async fn plan(&mut self, slot: Slot) -> Result<Answer, LabError> {
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let (planner, plan, driver) = planning(move || {
            let plan = planner.plan(slot);
            let driver = match &plan {
                Plan::Job(job) => Some(planner.driver(job)),
                Plan::Idle | Plan::Done => None,
            };
            (planner, plan, driver)
        })
        .await?;
        self.planner = Some(planner);
        let answer = match (plan, driver) {
            (Plan::Job(job), Some(driver)) => {
                let session = self.site.session;
                let stored = job.clone();
                let answer = if job.work.only_asks() { Answer::AtDesk } else { Answer::Job };
                self.site.keep(move |store| store.put_job(session, &stored)).await?;
                self.planned.insert(slot, Planned { job: Arc::new(*job), driver });
                answer
            }
            (Plan::Done, _) => Answer::Done,
            (Plan::Job(_) | Plan::Idle, _) => Answer::Idle,
        };
        self.report_progress().await?;
        Ok(answer)
    }

    /// Has the planner learn from a judged run.
    pub(super) async fn absorb(&mut self, slot: Slot) -> Result<(), LabError> {
        let Some(Judged { run, judgement }) = self.finished.remove(&slot) else {
            return Err(LabError::Task(format!("judgement {slot}")));
        };
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let store = self.site.store.clone();
        let (its_run, its_judgement) = (run.clone(), judgement.clone());
        let mut rules = self.rules.take();
        let (planner, rules, findings) = planning(move || {
            planner.absorb(&its_run, &its_judgement, &store);
            if let Some(rules) = &mut rules {
                rules.look(&its_run, &store);
            }
            let findings = touches_findings(&its_run, &its_judgement).then(|| planner.findings());
            (planner, rules, findings)
        })
        .await?;
        self.planner = Some(planner);
        self.rules = rules;
        self.tally.count(&run, &judgement);
        self.site.hub.looks(self.site.session, self.tally.looks.clone());
        self.tell(SessionEvent::Absorbed { run, judgement }).await;
        if let Some(findings) = findings {
            self.keep_findings(findings).await?;
        }
        self.report_progress().await
    }

    /// Keeps the findings as they stand when a session has ended: what was counted since the last violation may have put
    /// them into another tier. A session that failed leaves them as they were kept.
    pub(super) async fn look_once_more(
        &mut self,
        ended: Result<SessionEnd, LabError>,
    ) -> Result<SessionEnd, LabError> {
        let end = ended?;
        let planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let (planner, findings) = planning(move || {
            let findings = planner.findings();
            (planner, findings)
        })
        .await?;
        self.planner = Some(planner);
        self.keep_findings(findings).await?;
        Ok(end)
    }

    async fn keep_findings(&mut self, findings: Vec<Finding>) -> Result<(), LabError> {
        let Renewed { changed, news, reported } = renew(&mut self.findings, findings);
        self.site.keep(move |store| store.put_findings(&changed)).await?;
        if droidmux_technique::learns(&self.site.definition) {
            let confirmed = news.iter().filter(|finding| finding.confirmation.is_confirmed());
            self.learn(confirmed.map(|finding| finding.id.clone()).collect()).await?;
        }
        for id in reported {
            self.site.hub.happened(&self.site.session.to_string(), IncidentKind::Found(id));
        }
        for finding in news {
            self.tell(SessionEvent::Finding(Box::new(finding))).await;
        }
        self.site.hub.findings(self.site.session, TierCounts::of(self.findings.values()));
        Ok(())
    }

    /// Stores what findings are shrunk to, unless the only news is that more was tried.
    async fn keep_shrunk(&mut self) -> Result<(), LabError> {
        let now = self.ask_planner(|planner| planner.shrunk())?;
        let told = |s: &Shrunk| (s.finding.clone(), s.to, s.ending, s.confirmation);
        let known: Vec<_> = self.shrunk.iter().map(told).collect();
        for news in now.iter().filter(|shrunk| !known.contains(&told(shrunk))) {
            let stored = news.clone();
            self.site.keep(move |store| store.put_shrunk(&stored)).await?;
        }
        self.shrunk = now;
        Ok(())
    }

    async fn report_progress(&mut self) -> Result<(), LabError> {
        self.keep_shrunk().await?;
        let progress = self.tally.complete(self.ask_planner(|planner| planner.progress())?);
        self.site.hub.progress(self.site.session, progress.clone());
        if self.phase.as_ref() != Some(&progress.phase) {
            self.phase = Some(progress.phase.clone());
            self.site.hub.info(&self.site.session.to_string(), &format!("phase {}", progress.phase.name));
        }
        self.tell(SessionEvent::Progress(Box::new(progress))).await;
        Ok(())
    }
}
