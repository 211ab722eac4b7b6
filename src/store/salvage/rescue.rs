//! From what was found in a damaged database to a sound store: everything that refers to nothing lost.
//!
//! Session by session, each value after those it refers to. When something is missing, as little as possible is left
//! out: of an attempt, the turns from the first one that is lost or whose layout is lost; of a turn, a screenshot that
//! is missing; of a session, what was said about turns that are left out. Logs are renumbered. A session that had not
//! ended ends with its last turn.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::salvaged::Salvaged;
use crate::batched::Batched;
use crate::core::Reserve;
use crate::engine::Write;
use crate::findings::Mark;
use crate::key::{self, Key, TurnsKey};
use crate::log_file::Found;
use crate::runs::FinishedRun;
use crate::value::Head;
use crate::verify::layouts_of;
use crate::{ArchiveError, Damage, Store, StoreError, codec, shape};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{
    Answer, BlobHash, Example, Finding, FindingId, Job, Judgement, MaskEdit, Observation, Recheck, SessionId,
    SessionRecord, Shrunk, Slot, StepPlace, Turn,
};

pub(super) struct Rescue<'a> {
    found: &'a Found,
    store: &'a Store,
    /// The damaged store's.
    screens: PathBuf,
    layouts: HashSet<LayoutHash>,
    /// Whether it exists and is sound.
    pictures: HashMap<BlobHash, bool>,
    salvaged: Salvaged,
}

/// What is kept of a session.
#[derive(Default)]
struct Remains {
    jobs: BTreeSet<Slot>,
    /// How many turns of an attempt, from the first on.
    turns: BTreeMap<(Slot, u32), u32>,
    /// The time of the last of them, in milliseconds since the Unix epoch.
    last_ms: u64,
    finished: BTreeSet<Slot>,
    findings: HashSet<FindingId>,
    /// The new numbers of the steps in their log.
    steps: BTreeMap<u64, u64>,
}

impl<'a> Rescue<'a> {
    pub fn new(found: &'a Found, store: &'a Store, screens: &Path) -> Self {
        Self {
            found,
            store,
            screens: screens.to_owned(),
            layouts: HashSet::new(),
            pictures: HashMap::new(),
            salvaged: Salvaged::default(),
        }
    }

    pub fn finish(self) -> Salvaged {
        self.salvaged
    }

    /// Transfers everything that is sound into the store.
    pub fn all(&mut self) -> Result<(), ArchiveError> {
        self.take_layouts()?;
        for (_, example) in self.values::<Example>(&key::examples(None)) {
            self.salvaged.examples.push(example);
        }
        let mut records = BTreeMap::new();
        for (key, record) in self.values::<SessionRecord>(&key::sessions()) {
            if let Key::Session(id) = key {
                records.insert(id, record);
            }
        }
        self.tell_headless(&records);
        let highest = records.keys().last().map_or(0, |id| id.0);
        self.write(vec![Write::of(Key::Counter, &highest)?])?;
        for (id, record) in records {
            self.session(id, record)?;
        }
        Ok(())
    }

    fn take_layouts(&mut self) -> Result<(), StoreError> {
        let found = self.found;
        let mut batch = Batched::new(self.store);
        for bytes in found.keys_in(&key::layouts()) {
            let Some(Key::Layout(hash)) = Key::parse(bytes) else { continue };
            match self.raw(bytes) {
                Ok(raw) if Layout::decode(&raw).is_some_and(|layout| layout.hash() == hash) => {
                    batch.put(Key::Layout(hash), raw)?;
                    self.layouts.insert(hash);
                }
                Ok(_) => self.salvaged.lose(Key::Layout(hash), Damage::Unsound),
                Err(why) => self.salvaged.lose(Key::Layout(hash), why),
            }
        }
        batch.finish()
    }

    /// Reports which sessions have values but no record: nothing tells what they were.
    fn tell_headless(&mut self, records: &BTreeMap<SessionId, SessionRecord>) {
        let mut headless: BTreeMap<SessionId, u64> = BTreeMap::new();
        for key in self.found.keys().filter_map(Key::parse) {
            if let Some(id) = key.session().filter(|id| !records.contains_key(id)) {
                *headless.entry(id).or_default() += 1;
            }
        }
        for (id, values) in headless {
            self.salvaged
                .lose(format!("session {id}"), format!("its record is lost, and with it {values} values"));
        }
    }

    fn session(&mut self, id: SessionId, mut record: SessionRecord) -> Result<(), ArchiveError> {
        let mut kept = Remains { last_ms: record.started_ms, ..Remains::default() };
        let mut batch = Batched::new(self.store);
        for (key, job) in self.values::<Job>(&key::jobs(id)) {
            kept.jobs.insert(job.slot);
            batch.put_value(key, &job)?;
        }
        self.turns(id, &mut kept, &mut batch)?;
        self.logs(id, &mut kept, &mut batch)?;
        self.pictures(id, &mut batch)?;
        self.judged(id, &mut kept, &mut batch)?;
        self.said(id, &kept, &mut batch)?;
        batch.finish()?;
        if record.ended_ms.is_none() {
            record.ended_ms = Some(kept.last_ms);
            record.ending = Some("salvaged from a damaged store before it had ended".to_owned());
        }
        // Its record is what makes it a session: only one that an import would accept gets it.
        let report = self.store.verify_coming(id)?;
        match report.problems.first() {
            None => self.write(vec![Write::of(Key::Session(id), &record)?])?,
            Some(problem) => {
                self.salvaged.lose(format!("session {id}"), format!("{}: {}", problem.at, problem.what))
            }
        }
        Ok(())
    }

    fn turns(
        &mut self,
        id: SessionId,
        kept: &mut Remains,
        batch: &mut Batched<'_>,
    ) -> Result<(), StoreError> {
        for (key, mut turns) in self.values::<Vec<Turn>>(&key::turns_of(id)) {
            let Key::Turns(TurnsKey { slot, attempt, first_turn, .. }) = key else { continue };
            let before = kept.turns.get(&(slot, attempt)).copied().unwrap_or(0);
            if !kept.jobs.contains(&slot) {
                self.salvaged.lose(key, "its job is lost");
                continue;
            }
            if first_turn != before {
                self.salvaged.lose(key, format!("only {before} turns before it are left"));
                continue;
            }
            let is_lost = |turn: &Turn| {
                turn.observation.seen().is_some_and(|seen| !self.layouts.contains(&seen.screen.layout))
            };
            if let Some(first) = turns.iter().position(is_lost) {
                turns.truncate(first);
                self.salvaged.lose(&key, format!("the layout of turn {} is lost", before as usize + first));
            }
            for turn in &mut turns {
                if self.leave_out_pictures(turn)? {
                    self.salvaged.lose(&key, "a screenshot is lost or damaged");
                }
                kept.last_ms = kept.last_ms.max(turn.at_ms.saturating_add(turn.took_ms.into()));
            }
            if turns.is_empty() {
                continue;
            }
            let count = u32::try_from(turns.len()).unwrap_or(u32::MAX);
            kept.turns.insert((slot, attempt), before.saturating_add(count));
            batch.put_value(key, &turns)?;
        }
        Ok(())
    }

    /// Removes from a turn any reference to a screenshot that is missing.
    fn leave_out_pictures(&mut self, turn: &mut Turn) -> Result<bool, StoreError> {
        let mut missing = false;
        for hash in turn.blobs().collect::<Vec<_>>() {
            missing |= !self.has_picture(hash)?;
        }
        if !missing {
            return Ok(false);
        }
        match &mut turn.observation {
            Observation::Seen(seen) => seen.screenshot = None,
            Observation::Answered(answer) => match &mut **answer {
                Answer::Reply(reply) => reply.exchange.pictures.clear(),
                Answer::None(unanswered) => unanswered.exchange.pictures.clear(),
                Answer::Inputs(_)
                | Answer::Foretold(_)
                | Answer::Examples(_)
                | Answer::Order(_)
                | Answer::Differences(_) => {}
            },
            Observation::Started | Observation::Failed(_) | Observation::Ended => {}
        }
        Ok(true)
    }

    fn has_picture(&mut self, hash: BlobHash) -> Result<bool, StoreError> {
        if let Some(known) = self.pictures.get(&hash) {
            return Ok(*known);
        }
        let is_there = self.store.inner.core.screens.borrow(hash, &self.screens)?;
        self.pictures.insert(hash, is_there);
        Ok(is_there)
    }

    /// The logs of steps and exchanges, renumbered.
    fn logs(&mut self, id: SessionId, kept: &mut Remains, batch: &mut Batched<'_>) -> Result<(), StoreError> {
        for span in [key::steps(id), key::exchanges(id)] {
            let mut next = 0;
            for (key, place) in self.values::<StepPlace>(&span) {
                let turns = kept.turns.get(&(place.slot, place.attempt)).copied().unwrap_or(0);
                if place.turn >= turns {
                    continue;
                }
                let key = match key {
                    Key::Step(_, number) => {
                        kept.steps.insert(number, next);
                        Key::Step(id, next)
                    }
                    _ => Key::Exchange(id, next),
                };
                batch.put_value(key, &place)?;
                next += 1;
            }
        }
        Ok(())
    }

    fn pictures(&mut self, id: SessionId, batch: &mut Batched<'_>) -> Result<(), StoreError> {
        for (key, hash) in self.values::<BlobHash>(&key::pictures(id)) {
            let Key::Picture(_, layout) = key else { continue };
            if self.layouts.contains(&layout) && self.has_picture(hash)? {
                batch.put_value(key, &hash)?;
            }
        }
        Ok(())
    }

    /// Finished runs, judgements and findings.
    fn judged(
        &mut self,
        id: SessionId,
        kept: &mut Remains,
        batch: &mut Batched<'_>,
    ) -> Result<(), StoreError> {
        for (key, run) in self.values::<FinishedRun>(&key::finished(id)) {
            let (slot, attempt) = (run.finished.slot, run.finished.attempt);
            match kept.turns.get(&(slot, attempt)) {
                Some(turns) if *turns == run.turns => {
                    kept.finished.insert(slot);
                    batch.put_value(key, &run)?;
                }
                turns => {
                    let left = turns.copied().unwrap_or(0);
                    self.salvaged
                        .lose(key, format!("{left} of {} turns of attempt {attempt} are left", run.turns));
                }
            }
        }
        for (key, judgement) in self.values::<Judgement>(&key::judgements(id)) {
            let Key::Judgement(_, slot) = key else { continue };
            let layouts = judgement.verdicts.iter().flat_map(|verdict| layouts_of(&verdict.evidence));
            if kept.finished.contains(&slot) && self.has_layouts(layouts) {
                batch.put_value(key, &judgement)?;
            } else {
                self.salvaged.lose(key, "what it is about is not whole");
            }
        }
        for (key, mut finding) in self.values::<Finding>(&key::findings(Some(id))) {
            finding.seen.retain(|(slot, _)| kept.finished.contains(slot));
            let is_shown = kept.finished.contains(&finding.verdict.slot);
            if is_shown && self.has_layouts(layouts_of(&finding.verdict.evidence)) {
                kept.findings.insert(finding.id.clone());
                batch.put_value(key, &finding)?;
            } else {
                let what = format!("the run that showed it is not whole: {}", finding.verdict.title);
                self.salvaged.lose(key, what);
            }
        }
        Ok(())
    }

    /// What people and other sessions said later.
    fn said(&mut self, id: SessionId, kept: &Remains, batch: &mut Batched<'_>) -> Result<(), StoreError> {
        for (key, mark) in self.values::<Mark>(&key::marks(id)) {
            match &key {
                Key::Mark(finding) if kept.findings.contains(finding) => batch.put_value(key, &mark)?,
                _ => self
                    .salvaged
                    .lose(key, format!("its finding is lost; it says {:?}: {}", mark.state, mark.note)),
            }
        }
        for (key, words) in self.values::<String>(&key::bookmarks(Some(id))) {
            let Key::Bookmark(_, number) = key else { continue };
            match kept.steps.get(&number) {
                Some(number) => batch.put_value(Key::Bookmark(id, *number), &words)?,
                None => self.salvaged.lose(key, format!("its step is lost: {words}")),
            }
        }
        for (key, edit) in self.values::<MaskEdit>(&key::mask_edits(id)) {
            batch.put_value(key, &edit)?;
        }
        for (key, shrunk) in self.values::<Shrunk>(&key::all_shrunk(id)) {
            if kept.findings.contains(&shrunk.finding) {
                batch.put_value(key, &shrunk)?;
            } else {
                self.salvaged.lose(key, "its finding is lost");
            }
        }
        for (key, mut recheck) in self.values::<Recheck>(&key::rechecks(id)) {
            recheck.violations.retain(|violation| {
                let mut own = violation.places.iter().filter(|place| place.session == id);
                own.all(|place| kept.finished.contains(&place.slot))
                    && self.has_layouts(layouts_of(&violation.verdict.evidence))
            });
            batch.put_value(key, &recheck)?;
        }
        Ok(())
    }

    fn has_layouts(&self, layouts: impl IntoIterator<Item = LayoutHash>) -> bool {
        layouts.into_iter().all(|layout| self.layouts.contains(&layout))
    }

    /// The values of a span that can be read; the others are recorded as lost.
    fn values<T: DeserializeOwned>(&mut self, span: &key::Span) -> Vec<(Key, T)> {
        let mut values = Vec::new();
        for bytes in self.found.keys_in(span) {
            let Some(key) = Key::parse(bytes) else { continue };
            match self.raw(bytes).and_then(|raw| codec::decode(&raw)) {
                Ok(value) => values.push((key, value)),
                Err(why) => self.salvaged.lose(key, why),
            }
        }
        values
    }

    /// A value's bytes in the last version of its kind.
    fn raw(&self, key: &[u8]) -> Result<Vec<u8>, Damage> {
        let head = self.found.value(key).ok_or(Damage::Lost)?;
        let version = *head.first().ok_or(Damage::Empty)?;
        shape::check(key, version)?;
        let chunk = |number| Key::Chunk { head: key.to_vec(), number }.bytes();
        let piece = |number| Ok::<_, Damage>(self.found.value(&chunk(number)));
        let raw = Head::parse(&head)?.unpack(piece)??;
        shape::current(key, version, raw)
    }

    fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        self.store.write(writes, Reserve::Recording)
    }
}
