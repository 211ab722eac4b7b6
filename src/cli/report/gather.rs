//! The parts of reports, read from a store.

use std::collections::BTreeMap;

use droidmux_lab::{map, recount, triage};
use droidmux_proto::FindingDetail;
use droidmux_record::{
    AppBuild, Batch, Conduct, DeviceInfo, Evidence, Finding, FindingId, JobRun, Purpose, SessionId,
    SessionRecord, Shrunk, Verdict, Work,
};
use droidmux_report::{FindingPart, SessionPart, Shown};
use droidmux_store::{Store, StoreError};
use droidmux_technique as technique;

pub(crate) struct Gatherer<'s> {
    store: &'s Store,
}

impl<'s> Gatherer<'s> {
    pub(crate) fn new(store: &'s Store) -> Self {
        Self { store }
    }

    /// A session; `None` when it has been removed in the meantime.
    pub(super) fn session(
        &self,
        id: SessionId,
        findings: Vec<Finding>,
    ) -> Result<Option<SessionPart>, StoreError> {
        let Some(record) = self.store.session(id)? else { return Ok(None) };
        let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
        let (progress, uncounted) = match recount(self.store, id, &record, &make)? {
            Ok(progress) => (Some(progress), String::new()),
            Err(why) => (None, why.to_string()),
        };
        let mut devices: BTreeMap<String, DeviceInfo> = BTreeMap::new();
        let mut builds: Vec<AppBuild> = Vec::new();
        let mut last_ms = 0;
        for run in self.store.runs(id) {
            let run = run?;
            let end = run.turns.iter().map(|turn| turn.at_ms.saturating_add(turn.took_ms.into())).max();
            last_ms = last_ms.max(end.unwrap_or(0));
            // A session that performs nothing was only assigned a device.
            if run.events() == 0 {
                continue;
            }
            if !builds.contains(&run.app) {
                builds.push(run.app);
            }
            devices.entry(run.device.serial.clone()).or_insert(run.device);
        }
        Ok(Some(SessionPart {
            id,
            record,
            findings,
            progress,
            uncounted,
            map: map(self.store, id)?.unwrap_or_default(),
            devices: devices.into_values().collect(),
            builds,
            last_ms,
        }))
    }

    /// A finding with the runs that show it, including the shrunk one if requested; `None` when it has been removed in
    /// the meantime.
    pub(crate) fn finding(&self, id: &FindingId, shrunk: bool) -> Result<Option<FindingPart>, StoreError> {
        let Some(detail) = triage::detail(self.store, id)? else { return Ok(None) };
        let shown = shown(self.store, &detail, shrunk)?;
        let conducts = match &detail.finding.verdict.evidence {
            Evidence::Deviation(deviation) => {
                let usual = self.conduct(&detail, &deviation.usual)?;
                usual.zip(self.conduct(&detail, &deviation.deviant)?)
            }
            _ => None,
        };
        Ok(Some(FindingPart { detail, shown, conducts }))
    }

    /// The run that showed a behaviour.
    fn conduct(&self, detail: &FindingDetail, conduct: &Conduct) -> Result<Option<Shown>, StoreError> {
        let source = conduct.source;
        let run = self.store.run(source.session, source.slot)?;
        let verdict = Verdict { test: source.test, slot: source.slot, ..detail.finding.verdict.clone() };
        Ok(run.map(|run| Shown { session: source.session, run, verdict, shrunk: false }))
    }
}

/// The run that shows a finding best: that of its shrunk recipe, otherwise the one it was first seen in.
fn shown(store: &Store, detail: &FindingDetail, shrunk: bool) -> Result<Option<Shown>, StoreError> {
    let finding = &detail.finding;
    let of_shrunk = detail.shrunk.as_ref().filter(|known| shrunk && known.confirmation.is_confirmed());
    if let Some(shrunk) = of_shrunk
        && let Some(shown) = run_of_shrunk(store, finding, shrunk)?
    {
        return Ok(Some(shown));
    }
    let (session, verdict) = (finding.id.session, finding.verdict.clone());
    Ok(detail.run.clone().map(|run| Shown { session, run, verdict, shrunk: false }))
}

/// A run of the shrunk recipe that showed the violation.
fn run_of_shrunk(store: &Store, finding: &Finding, shrunk: &Shrunk) -> Result<Option<Shown>, StoreError> {
    let mut found = None;
    for job in store.jobs(shrunk.session) {
        let job = job?;
        let Work::Batch(Batch { purpose: Purpose::Shrink { .. } | Purpose::Replay { .. }, tests }) =
            &job.work
        else {
            continue;
        };
        if *tests != shrunk.tests {
            continue;
        }
        let Some(judgement) = store.judgement(shrunk.session, job.slot)? else { continue };
        let Some(verdict) = judgement.violations_of(&finding.verdict.key).next().cloned() else { continue };
        let run: Option<JobRun> = store.run_of(shrunk.session, job)?;
        if let Some(run) = run {
            found = Some(Shown { session: shrunk.session, run, verdict, shrunk: true });
            break;
        }
    }
    Ok(found)
}
