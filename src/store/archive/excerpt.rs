//! Excerpts: the part of what sessions recorded that one finding needs to be shown, judged and replayed elsewhere.
//!
//! In: a finding and the jobs that show it. Out: an archive like any other, in which each session consists of its
//! record, these jobs with what was done, seen and judged in them, and the finding with what people and later sessions
//! said about it.
//!
//! Invariants: nothing names anything that is missing, logs have no gaps. The record says that no planner can retrace
//! what is left ([`SessionRecord::IMPORTED`]), and that the session has ended, even if it has not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::error::ArchiveError;
use super::export::{Contents, Exported};
use super::manifest::ArchivedSession;
use crate::key::{self, Key, Span};
use crate::runs::FinishedRun;
use crate::verify::layouts_of;
use crate::{Damage, Records, Store, StoreError, codec};
use droidmux_gui::LayoutHash;
use droidmux_record::{
    BlobHash, Evidence, Finding, FindingId, JobId, Judgement, SessionId, SessionRecord, Shrunk, Slot,
    StepPlace, Turn,
};

impl Store {
    /// Writes a finding with the jobs that show it to a file that must not exist yet, as [`Store::export`] does with
    /// whole sessions. The result of shrinking it is included if a job of the session that shrank it is. Sessions need
    /// not have ended.
    ///
    /// # Errors
    /// `NotShown` when its evidence is about screens that are not in these jobs; `NoSession` and `Misuse` when its
    /// session or the finding itself does not exist.
    pub fn export_finding(
        &self,
        id: &FindingId,
        jobs: &BTreeSet<JobId>,
        path: &Path,
    ) -> Result<Exported, ArchiveError> {
        let _together = self.inner.cleaning.blocking_read();
        self.require_finding(id)?;
        let excerpt = Excerpt::new(self, id, jobs)?;
        let mut contents = Contents::default();
        for session in &excerpt.sessions {
            let (listed, values) = excerpt.part(*session, &mut contents)?;
            contents.sessions.insert(*session, listed);
            contents.parts.insert(*session, values);
        }
        self.pack(&contents, &[id.session], path)
    }
}

/// What is exported.
struct Excerpt<'a> {
    store: &'a Store,
    finding: &'a FindingId,
    jobs: &'a BTreeSet<JobId>,
    sessions: BTreeSet<SessionId>,
    /// Everything that the jobs show.
    layouts: BTreeSet<LayoutHash>,
    /// All sessions of the store, the last first: any may have photographed what these did not photograph again.
    all: Vec<SessionId>,
}

/// The values of a session, kind by kind.
#[derive(Default)]
struct Values(Vec<(Key, Vec<u8>)>);

impl Values {
    fn put<T: Serialize>(&mut self, key: Key, value: &T) -> Result<(), StoreError> {
        let raw = codec::encode(value).map_err(|why| StoreError::Misuse(format!("{key}: {why}")))?;
        self.0.push((key, raw));
        Ok(())
    }
}

impl<'a> Excerpt<'a> {
    fn new(
        store: &'a Store,
        finding: &'a FindingId,
        jobs: &'a BTreeSet<JobId>,
    ) -> Result<Self, ArchiveError> {
        let mut layouts = BTreeSet::new();
        for job in jobs {
            let Some(run) = store.run(job.session, job.slot)? else { continue };
            let seen = run.turns.iter().filter_map(|turn| turn.observation.seen());
            layouts.extend(seen.map(|seen| seen.screen.layout));
        }
        let sessions = jobs.iter().map(|job| job.session).chain([finding.session]).collect();
        let all = store.sessions()?.into_iter().rev().map(|(id, _)| id).collect();
        Ok(Self { store, finding, jobs, sessions, layouts, all })
    }

    /// The part of a session that is exported; its screenshots are added to the contents.
    fn part(
        &self,
        id: SessionId,
        contents: &mut Contents,
    ) -> Result<(ArchivedSession, Vec<(Key, Vec<u8>)>), ArchiveError> {
        let runs = self.runs(id)?;
        let mut values = Values::default();
        let mut turns = Vec::new();
        for run in &runs {
            let span = key::turns_of_attempt(id, run.finished.slot, run.finished.attempt);
            turns.extend(self.store.values_in(span).collect::<Result<Vec<_>, _>>()?);
        }
        let mut last_ms = 0;
        let mut screens = BTreeSet::new();
        for (key, raw) in &turns {
            let turns: Vec<Turn> = crate::engine::decode(&key.bytes(), raw)?;
            contents.name_all(&turns);
            for turn in &turns {
                last_ms = last_ms.max(turn.at_ms.saturating_add(turn.took_ms.into()));
                screens.extend(turn.observation.seen().map(|seen| seen.screen.layout));
            }
        }
        let record = self.record(id, last_ms)?;
        values.put(Key::Session(id), &record)?;
        for run in &runs {
            let slot = run.finished.slot;
            let missing =
                || StoreError::Corrupt { key: Key::Job(id, slot).to_string(), damage: Damage::NotStored };
            values.put(Key::Job(id, slot), &self.store.job(id, slot)?.ok_or_else(missing)?)?;
        }
        values.0.extend(turns);
        self.log(&runs, key::steps(id), |number| Key::Step(id, number), &mut values)?;
        self.log(&runs, key::exchanges(id), |number| Key::Exchange(id, number), &mut values)?;
        for layout in screens {
            if let Some(hash) = self.picture(id, layout)? {
                contents.screenshots.insert(hash);
                values.put(Key::Picture(id, layout), &hash)?;
            }
        }
        for run in &runs {
            values.put(Key::Finished(id, run.finished.slot), run)?;
        }
        self.judged(id, &runs, &mut values)?;
        let technique = record.definition.technique.name().to_owned();
        let count = values.0.len() as u64;
        let listed = ArchivedSession { id: id.0, technique, app: record.definition.app, values: count };
        Ok((listed, values.0))
    }

    /// The attempts that finished the jobs of a session.
    fn runs(&self, id: SessionId) -> Result<Vec<FinishedRun>, StoreError> {
        let own = self.jobs.iter().filter(|job| job.session == id);
        let runs = own.map(|job| self.store.get::<FinishedRun>(&Key::Finished(id, job.slot)));
        runs.filter_map(Result::transpose).collect()
    }

    fn record(&self, id: SessionId, last_ms: u64) -> Result<SessionRecord, StoreError> {
        let mut record = self.store.session(id)?.ok_or(StoreError::NoSession(id))?;
        record.planner_version = SessionRecord::IMPORTED;
        record.inputs.retain(|job| self.jobs.contains(job));
        record.definition.settings.keep_sessions(&|id| self.sessions.contains(&id));
        if record.ended_ms.is_none() {
            record.ended_ms = Some(last_ms.max(record.started_ms));
            record.ending = Some("it had not ended when the finding was exported".into());
        }
        record.over = true;
        Ok(record)
    }

    /// A log's entries about these runs, renumbered.
    fn log(
        &self,
        runs: &[FinishedRun],
        span: Span,
        key: impl Fn(u64) -> Key,
        values: &mut Values,
    ) -> Result<(), StoreError> {
        let attempts: BTreeMap<Slot, u32> =
            runs.iter().map(|run| (run.finished.slot, run.finished.attempt)).collect();
        let places: Records<StepPlace> =
            Records::new(self.store, span, |store, key, head| store.record(key, head).map(Some));
        let mut next = 0;
        for place in places {
            let place = place?;
            if attempts.get(&place.slot) == Some(&place.attempt) {
                values.put(key(next), &place)?;
                next += 1;
            }
        }
        Ok(())
    }

    /// The session's screenshot of a layout, else any session's.
    fn picture(&self, id: SessionId, layout: LayoutHash) -> Result<Option<BlobHash>, StoreError> {
        for session in std::iter::once(&id).chain(&self.all) {
            if let Some(hash) = self.store.picture_of(*session, layout)? {
                return Ok(Some(hash));
            }
        }
        Ok(None)
    }

    /// What was judged, found and said later.
    fn judged(&self, id: SessionId, runs: &[FinishedRun], values: &mut Values) -> Result<(), ArchiveError> {
        for run in runs {
            let slot = run.finished.slot;
            let Some(mut judgement) = self.store.get::<Judgement>(&Key::Judgement(id, slot))? else {
                continue;
            };
            judgement.verdicts.retain(|verdict| self.shows(&verdict.evidence));
            values.put(Key::Judgement(id, slot), &judgement)?;
        }
        if id == self.finding.session {
            self.found(runs, values)?;
        }
        for entry in self.store.values_in(key::mask_edits(id)) {
            values.0.push(entry?);
        }
        if id == self.finding.session {
            let shrunk: Records<Shrunk> =
                Records::new(self.store, key::shrunk(self.finding), |store, key, head| {
                    store.record(key, head).map(Some)
                });
            for shrunk in shrunk {
                let shrunk = shrunk?;
                if self.sessions.contains(&shrunk.session) {
                    values.put(Key::Shrunk(self.finding.clone(), shrunk.session), &shrunk)?;
                }
            }
        }
        for mut recheck in self.store.rechecks(id)? {
            recheck.violations.retain(|violation| {
                let mut places = violation.places.iter();
                places.all(|place| self.jobs.contains(&JobId { session: place.session, slot: place.slot }))
                    && self.shows(&violation.verdict.evidence)
            });
            values.put(Key::Recheck(id, recheck.oracle), &recheck)?;
        }
        Ok(())
    }

    /// The finding with a person's mark; of the places it was seen in, those that are exported.
    fn found(&self, runs: &[FinishedRun], values: &mut Values) -> Result<(), ArchiveError> {
        let Some(mut finding) = self.store.get::<Finding>(&Key::Finding(self.finding.clone()))? else {
            return Ok(());
        };
        let goes = |slot: Slot| runs.iter().any(|run| run.finished.slot == slot);
        if !goes(finding.verdict.slot) || !self.shows(&finding.verdict.evidence) {
            return Err(ArchiveError::NotShown(self.finding.clone()));
        }
        finding.seen.retain(|(slot, _)| goes(*slot));
        // Another finding may stand for it, and that one stays behind.
        finding.cluster = self.finding.clone();
        values.put(Key::Finding(self.finding.clone()), &finding)?;
        for entry in self.store.values_in(key::marks(self.finding.session)) {
            let (key, raw) = entry?;
            if key == Key::Mark(self.finding.clone()) {
                values.0.push((key, raw));
            }
        }
        Ok(())
    }

    /// Whether the jobs show everything that the evidence is about.
    fn shows(&self, evidence: &Evidence) -> bool {
        layouts_of(evidence).iter().all(|layout| self.layouts.contains(layout))
    }
}
