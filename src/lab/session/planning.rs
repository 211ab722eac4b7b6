//! The planner's side of a session: jobs planned, judged ones absorbed, findings kept, progress
//! told.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::judging::{Judged, touches_findings};
use super::{Pending, Session, SessionEnd, SessionEvent, blocking};
use crate::lab::LabError;
use crate::lab::schedule::Next;
use crate::record::{Finding, FindingId, IncidentKind, Shrunk, Slot};
use crate::technique::Plan;

/// What has become of a session's findings.
pub(super) struct Renewed {
    /// New or changed in any way.
    pub(super) changed: Vec<Finding>,
    /// New, or replayed once more.
    pub(super) news: Vec<Finding>,
}

/// Takes in the findings as they are now.
pub(super) fn renew(known: &mut BTreeMap<FindingId, Finding>, now: Vec<Finding>) -> Renewed {
    let changed: Vec<Finding> =
        now.into_iter().filter(|finding| known.get(&finding.id) != Some(finding)).collect();
    let mut news = Vec::new();
    for finding in &changed {
        let before = known.insert(finding.id.clone(), finding.clone());
        if before.is_none_or(|before| before.confirmation != finding.confirmation) {
            news.push(finding.clone());
        }
    }
    Renewed { changed, news }
}

impl Session {
    /// Plans and absorbs as far as the schedule and the finished jobs allow.
    pub(super) async fn advance(&mut self) -> Result<(), LabError> {
        loop {
            let next = match (self.over, self.schedule.next()) {
                (None, next) => next,
                (Some(_), _) => match self.schedule.rest().next() {
                    Some(slot) => Next::Absorb(slot),
                    None => return Ok(()),
                },
            };
            match next {
                Next::Plan(slot) => self.plan(slot).await?,
                Next::Absorb(slot) => match self.finished.remove(&slot) {
                    Some(judged) => self.absorb(judged).await?,
                    None => return Ok(()),
                },
            }
        }
    }

    async fn plan(&mut self, slot: Slot) -> Result<(), LabError> {
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let (planner, plan, driver) = blocking(move || {
            let plan = planner.plan(slot);
            let driver = match &plan {
                Plan::Job(job) => Some(planner.driver(job)),
                Plan::Idle | Plan::Done => None,
            };
            (planner, plan, driver)
        })
        .await?;
        let waiting = self.schedule.rest().any(|slot| !matches!(self.finished.get(&slot), Some(None)));
        self.planner = Some(planner);
        match (plan, driver) {
            (Plan::Job(job), Some(driver)) => {
                let session = self.site.session;
                let stored = job.clone();
                self.site.keep(move |store| store.put_job(session, &stored)).await?;
                let job = Arc::new(*job);
                self.queue.push_back(Pending { job, attempt: 1, losses: 0, time_outs: 0, driver });
                self.schedule.planned();
            }
            (Plan::Done, _) => self.over = Some(SessionEnd::Complete),
            _ if !waiting && self.schedule.is_level() => return Err(LabError::Stalled(slot.to_string())),
            _ => {
                self.finished.insert(slot, None);
                self.schedule.planned();
            }
        }
        self.report_progress().await
    }

    async fn absorb(&mut self, judged: Option<Judged>) -> Result<(), LabError> {
        self.schedule.absorbed();
        let Some(Judged { run, judgement }) = judged else { return Ok(()) };
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let store = self.site.store.clone();
        let (its_run, its_judgement) = (run.clone(), judgement.clone());
        let mut rules = self.rules.take();
        let (planner, rules, findings) = blocking(move || {
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
        self.tell(SessionEvent::Absorbed { run, judgement }).await;
        if let Some(findings) = findings {
            self.keep_findings(findings).await?;
        }
        self.report_progress().await
    }

    async fn keep_findings(&mut self, findings: Vec<Finding>) -> Result<(), LabError> {
        let Renewed { changed, news } = renew(&mut self.findings, findings);
        self.site.keep(move |store| store.put_findings(&changed)).await?;
        if self.site.definition.learns() {
            let confirmed = news.iter().filter(|finding| finding.confirmation.is_confirmed());
            self.learn(confirmed.map(|finding| finding.id.clone()).collect()).await?;
        }
        for finding in news {
            let found = IncidentKind::Found(finding.id.clone());
            self.site.hub.happened(&self.site.session.to_string(), found);
            self.tell(SessionEvent::Finding(Box::new(finding))).await;
        }
        let confirmed = self.findings.values().filter(|f| f.confirmation.is_confirmed()).count();
        self.site.hub.findings(self.site.session, self.findings.len() as u64, confirmed as u64);
        Ok(())
    }

    /// Stores what a finding is shrunk to, whenever there is more to say than that more was tried.
    async fn keep_shrunk(&mut self) -> Result<(), LabError> {
        let Some(now) = self.planner()?.shrunk() else { return Ok(()) };
        let told = |s: &Shrunk| (s.to, s.ending, s.confirmation);
        if self.shrunk.as_ref().map(told) == Some(told(&now)) {
            return Ok(());
        }
        let stored = now.clone();
        self.site.keep(move |store| store.put_shrunk(&stored)).await?;
        self.shrunk = Some(now);
        Ok(())
    }

    async fn report_progress(&mut self) -> Result<(), LabError> {
        self.keep_shrunk().await?;
        let progress = self.planner()?.progress();
        self.site.hub.progress(self.site.session, progress.clone());
        if self.phase.as_ref() != Some(&progress.phase) {
            self.phase = Some(progress.phase.clone());
            self.site.hub.info(&self.site.session.to_string(), &format!("phase {}", progress.phase.name));
        }
        self.tell(SessionEvent::Progress(Box::new(progress))).await;
        Ok(())
    }
}
