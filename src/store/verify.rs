//! Checking that every reference resolves and every value can be read.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::findings::Mark;
use super::key::{self, Key, TurnsKey};
use super::log_file::Torn;
use super::numbering::Log;
use super::runs::{Finished, FinishedRun};
use super::screens;
use super::value::Head;
use super::{Records, Store, StoreError};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{
    BlobHash, Evidence, Example, Finding, Handling, Incident, Job, Judgement, MaskEdit, Recheck,
    RecheckOracle, SessionId, SessionRecord, Shrunk, Slot, StepPlace, Turn, Verdict,
};

/// The most problems listed; the rest is counted.
const LISTED: usize = 1_000;

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "verify"))]
pub struct VerifyReport {
    /// Records of sessions that could be read.
    pub sessions: u64,
    /// Planned jobs.
    pub jobs: u64,
    /// Finished runs.
    pub runs: u64,
    /// Turns that could be read, of all attempts.
    pub turns: u64,
    /// Judged jobs.
    pub judgements: u64,
    /// Findings, including shrunk and marked ones.
    pub findings: u64,
    /// The layouts, each counted once, however many sessions name it.
    pub layouts: u64,
    /// Files, including those with wrong names.
    pub screenshots: u64,
    /// The first 1,000.
    pub problems: Vec<Problem>,
    /// Further problems.
    pub more: u64,
    /// What the store cannot tell of itself: whether something is missing at its end. No problem by itself.
    pub untold: Vec<Problem>,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "problem"))]
pub struct Problem {
    /// The value concerned: `turns of s1 j3, attempt 1, from turn 0`.
    pub at: String,
    /// What is wrong with it, for a person.
    pub what: String,
}

impl VerifyReport {
    /// Whether everything is in order.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    fn problem(&mut self, at: &str, what: impl Into<String>) {
        if self.problems.len() < LISTED {
            self.problems.push(Problem { at: at.to_owned(), what: what.into() });
        } else {
            self.more += 1;
        }
    }
}

impl Store {
    /// Reads everything once and checks it: values decode, layouts and screenshots have the hash they are named by,
    /// turns are contiguous and name what is stored, runs have their turns, judgements and findings have their runs,
    /// and everything has its session.
    ///
    /// # Errors
    /// Only when the database or the folder itself cannot be read; everything else is in the report.
    pub fn verify(&self) -> Result<VerifyReport, StoreError> {
        let mut check = Check::new(self, None);
        for entry in self.entries() {
            let (key, head) = entry?;
            check.entry(&key, &head)?;
        }
        check.tell_ends()?;
        let Check { mut report, named, .. } = check;
        let mut unnamed = 0_u64;
        self.inner.core.screens.each(|path, hash| {
            report.screenshots += 1;
            unnamed += u64::from(hash.is_some_and(|hash| !named.contains(&hash)));
            let sound = match hash {
                Some(hash) => self.sound_screenshot(hash).map_err(|error| error.to_string()),
                None => Err("its name is no hash".to_owned()),
            };
            if let Err(what) = sound {
                report.problem(&path.display().to_string(), what);
            }
            Ok(())
        })?;
        if unnamed > 0 {
            let what = format!(
                "{unnamed} of them belong to nothing that is stored: they are written before the steps that name them, \
                 which are missing, or were under way when the program was killed"
            );
            report.untold.push(Problem { at: "screenshots".to_owned(), what });
        }
        Ok(report)
    }
}

impl Store {
    fn sound_screenshot(&self, hash: BlobHash) -> Result<(), StoreError> {
        self.kept_screenshot(hash)?.map_or(Ok(()), |content| screens::check(hash, &content))
    }

    /// Like [`Store::verify`], for the values of one session, whose record need not exist yet.
    pub(super) fn verify_coming(&self, id: SessionId) -> Result<VerifyReport, StoreError> {
        let mut check = Check::new(self, Some(id));
        for span in key::of_session(id) {
            let entries = Records::new(self, span, |_, key, head| Ok(Some((key.to_vec(), head.to_vec()))));
            for entry in entries {
                let (key, head) = entry?;
                check.entry(&key, &head)?;
            }
        }
        Ok(check.report)
    }
}

struct Check<'a> {
    store: &'a Store,
    /// A session that is complete except for its record.
    coming: Option<SessionId>,
    report: VerifyReport,
    /// The last attempt read, and how many of its turns came.
    before: Option<(SessionId, Slot, u32, u32)>,
    /// The last log entry read.
    last_entry: Option<(Log, SessionId, u64)>,
    /// The sessions that have no end, with how many turns of them are there.
    endless: BTreeMap<SessionId, u64>,
    /// The screenshots that something names.
    named: BTreeSet<BlobHash>,
}

impl<'a> Check<'a> {
    fn new(store: &'a Store, coming: Option<SessionId>) -> Self {
        Check {
            store,
            coming,
            report: VerifyReport::default(),
            before: None,
            last_entry: None,
            endless: BTreeMap::new(),
            named: BTreeSet::new(),
        }
    }
}

impl Check<'_> {
    fn entry(&mut self, bytes: &[u8], head: &[u8]) -> Result<(), StoreError> {
        let Some(key) = Key::parse(bytes) else {
            self.report.problem(&super::key::describe(bytes), "no value has such a key");
            return Ok(());
        };
        let at = key.to_string();
        if let Some(session) = key.session()
            && self.coming != Some(session)
            && !self.stored(&Key::Session(session))?
        {
            self.report.problem(&at, format!("there is no session {session}"));
        }
        let checked = match key {
            Key::Counter => self.read::<u32>(bytes, head).map(|_| ()),
            Key::Import(_) => self.read::<()>(bytes, head),
            Key::Session(session) => self.read::<SessionRecord>(bytes, head).map(|record| {
                self.report.sessions += 1;
                if record.ended_ms.is_none() {
                    self.endless.insert(session, 0);
                }
            }),
            Key::Handling(session) => {
                let found = self.stored(&Key::Session(session))?;
                self.expect(found, &at, "the session it is of is not stored");
                self.read::<Handling>(bytes, head).map(|_| ())
            }
            Key::Job(_, slot) => self.job(bytes, head, slot),
            Key::Finished(session, slot) => self.finished(bytes, head, session, slot),
            Key::Turns(named) => self.turns(bytes, head, named),
            Key::Step(session, number) => self.logged(bytes, head, Log::Steps, (session, number)),
            Key::Exchange(session, number) => self.logged(bytes, head, Log::Exchanges, (session, number)),
            Key::Picture(session, layout) => self.picture(bytes, head, session, layout),
            Key::Judgement(session, slot) => self.judgement(bytes, head, session, slot),
            Key::Finding(_) => self.finding(bytes, head),
            Key::Mark(id) => {
                let found = self.stored(&Key::Finding(id))?;
                self.expect(found, &at, "the finding it marks is not stored");
                self.read::<Mark>(bytes, head).map(|_| ())
            }
            Key::Shrunk(id, by) => {
                let found = self.stored(&Key::Finding(id.clone()))?;
                self.expect(found, &at, "the finding it is of is not stored");
                self.read::<Shrunk>(bytes, head).map(|shrunk| {
                    let named = (shrunk.finding, shrunk.session) == (id, by);
                    self.expect(named, &at, "it says it is of another finding or session");
                })
            }
            Key::Recheck(session, oracle) => self.recheck(bytes, head, session, oracle),
            Key::Bookmark(session, number) => {
                let found = self.stored(&Key::Step(session, number))?;
                self.expect(found, &at, "the step it marks is not stored");
                self.read::<String>(bytes, head).map(|_| ())
            }
            Key::MaskEdit(..) => self.read::<MaskEdit>(bytes, head).map(|_| ()),
            Key::Incident(_) => self.read::<Incident>(bytes, head).map(|_| ()),
            Key::Example(..) => self.read::<Example>(bytes, head).map(|_| ()),
            Key::Layout(hash) => self.layout(bytes, head, hash),
            Key::Chunk { head, number } => self.chunk(&at, &head, number),
        };
        match checked {
            Err(StoreError::Corrupt { key, damage }) => {
                self.report.problem(&key, damage.to_string());
                Ok(())
            }
            other => other,
        }
    }

    /// Says where an end of the log that is cut off would not show. A session's end is written last: one that has it has
    /// all that was recorded before it.
    fn tell_ends(&mut self) -> Result<(), StoreError> {
        let torn = self.store.inner.core.with(|engine| Ok(engine.torn()))?;
        let mut tell = |at: String, what: String| {
            if self.report.untold.len() < LISTED {
                self.report.untold.push(Problem { at, what });
            }
        };
        if let Some(Torn { at, bytes }) = torn {
            let what = format!(
                "{bytes} bytes from byte {at} on belonged to nothing whole when it was opened, and are dropped: either \
                 what was being written when the program was killed or the power went, which nobody was told was \
                 stored, or an end that was cut off, and then what followed is missing, too"
            );
            tell("the end of the log".to_owned(), what);
        }
        for (session, turns) in &self.endless {
            let what = format!(
                "it has {turns} turns and no end: it runs, or was interrupted; whether it went on after the last of \
                 them, the store cannot tell"
            );
            tell(format!("session {session}"), what);
        }
        Ok(())
    }

    fn job(&mut self, key: &[u8], head: &[u8], slot: Slot) -> Result<(), StoreError> {
        self.report.jobs += 1;
        let job: Job = self.read(key, head)?;
        self.expect(job.slot == slot, &super::key::describe(key), "it says it has another slot");
        Ok(())
    }

    fn finished(
        &mut self,
        key: &[u8],
        head: &[u8],
        session: SessionId,
        slot: Slot,
    ) -> Result<(), StoreError> {
        self.report.runs += 1;
        let at = super::key::describe(key);
        let FinishedRun { finished: Finished { slot: own, attempt, .. }, turns } = self.read(key, head)?;
        self.expect(own == slot, &at, "it says it has another slot");
        let stored = self.store.turn_count(session, slot, attempt)?;
        self.expect(turns == stored, &at, format!("attempt {attempt} has {stored} turns instead of {turns}"));
        let planned = self.stored(&Key::Job(session, slot))?;
        self.expect(planned, &at, "its job is not stored");
        Ok(())
    }

    fn turns(&mut self, key: &[u8], head: &[u8], named: TurnsKey) -> Result<(), StoreError> {
        let TurnsKey { session, slot, attempt, first_turn } = named;
        let at = super::key::describe(key);
        let before = match self.before {
            Some((s, j, a, turns)) if (s, j, a) == (session, slot, attempt) => turns,
            _ => 0,
        };
        self.expect(before == first_turn, &at, format!("{before} turns come before it"));
        if before == 0 {
            let planned = self.stored(&Key::Job(session, slot))?;
            self.expect(planned, &at, "its job is not stored");
        }
        // Whatever is wrong here, what follows is judged by its own number.
        self.before = Some((session, slot, attempt, first_turn));
        let turns: Vec<Turn> = self.read(key, head)?;
        let count = u32::try_from(turns.len()).unwrap_or(u32::MAX);
        self.before = Some((session, slot, attempt, first_turn.saturating_add(count)));
        self.report.turns += u64::from(count);
        if let Some(here) = self.endless.get_mut(&session) {
            *here += u64::from(count);
        }
        for turn in &turns {
            if let Some(seen) = turn.observation.seen() {
                self.layout_exists(&at, seen.screen.layout)?;
            }
            for hash in turn.blobs() {
                self.screenshot_exists(&at, hash);
            }
        }
        Ok(())
    }

    fn logged(
        &mut self,
        key: &[u8],
        head: &[u8],
        log: Log,
        (session, number): (SessionId, u64),
    ) -> Result<(), StoreError> {
        let at = super::key::describe(key);
        let before = self.last_entry.replace((log, session, number));
        let next = before.filter(|(l, of, _)| (*l, *of) == (log, session)).map_or(0, |(_, _, last)| last + 1);
        self.expect(number == next, &at, format!("number {next} does not come before it"));
        let StepPlace { slot, attempt, turn, .. } = self.read(key, head)?;
        // Turns are stored one by one; they are only read if they are not.
        let alone = Key::Turns(TurnsKey { session, slot, attempt, first_turn: turn });
        let found = self.stored(&alone)? || self.store.turn(session, slot, attempt, turn)?.is_some();
        self.expect(found, &at, format!("turn {turn} of {slot}, attempt {attempt}, is not stored"));
        Ok(())
    }

    fn picture(
        &mut self,
        key: &[u8],
        head: &[u8],
        session: SessionId,
        layout: LayoutHash,
    ) -> Result<(), StoreError> {
        let at = Key::Picture(session, layout).to_string();
        let screenshot: BlobHash = self.read(key, head)?;
        self.layout_exists(&at, layout)?;
        self.screenshot_exists(&at, screenshot);
        Ok(())
    }

    fn judgement(
        &mut self,
        key: &[u8],
        head: &[u8],
        session: SessionId,
        slot: Slot,
    ) -> Result<(), StoreError> {
        self.report.judgements += 1;
        let at = super::key::describe(key);
        let ran = self.stored(&Key::Finished(session, slot))?;
        self.expect(ran, &at, "its job is not finished");
        let judgement: Judgement = self.read(key, head)?;
        for verdict in &judgement.verdicts {
            self.expect(verdict.slot == slot, &at, format!("a verdict is on {}", verdict.slot));
            self.evidence_exists(&at, verdict)?;
        }
        Ok(())
    }

    fn finding(&mut self, key: &[u8], head: &[u8]) -> Result<(), StoreError> {
        self.report.findings += 1;
        let at = super::key::describe(key);
        let finding: Finding = self.read(key, head)?;
        let named = Key::Finding(finding.id.clone()).bytes() == key;
        self.expect(named, &at, format!("it says it is {}", finding.id));
        self.evidence_exists(&at, &finding.verdict)?;
        let slots = finding.seen.iter().map(|(slot, _)| *slot).chain([finding.verdict.slot]);
        for slot in slots {
            let ran = self.stored(&Key::Finished(finding.id.session, slot))?;
            self.expect(ran, &at, format!("it was seen in {slot}, which has no finished run"));
        }
        Ok(())
    }

    fn recheck(
        &mut self,
        key: &[u8],
        head: &[u8],
        session: SessionId,
        oracle: RecheckOracle,
    ) -> Result<(), StoreError> {
        let at = super::key::describe(key);
        let recheck: Recheck = self.read(key, head)?;
        self.expect(recheck.oracle == oracle, &at, "it says it is of another oracle");
        for objection in &recheck.violations {
            self.evidence_exists(&at, &objection.verdict)?;
            for place in objection.places.iter().filter(|place| place.session == session) {
                let ran = self.stored(&Key::Finished(session, place.slot))?;
                self.expect(ran, &at, format!("it is about {}, which has no finished run", place.slot));
            }
        }
        Ok(())
    }

    fn layout(&mut self, key: &[u8], head: &[u8], hash: LayoutHash) -> Result<(), StoreError> {
        self.report.layouts += 1;
        let at = super::key::describe(key);
        let bytes = self.store.inner.core.with(|engine| engine.unpack(key, head))?;
        match Layout::decode(&bytes) {
            None => self.report.problem(&at, "it is no sound layout"),
            Some(layout) => {
                let actual = layout.hash();
                self.expect(actual == hash, &at, format!("its content has hash {actual}"));
            }
        }
        Ok(())
    }

    fn chunk(&mut self, at: &str, head: &[u8], number: u16) -> Result<(), StoreError> {
        let stored = self.store.inner.core.with(|engine| engine.head(head))?;
        let wanted =
            stored.is_some_and(|stored| Head::parse(&stored).is_ok_and(|head| number <= head.chunks()));
        self.expect(wanted && number > 0, at, "no value has such a piece");
        Ok(())
    }

    fn evidence_exists(&mut self, at: &str, verdict: &Verdict) -> Result<(), StoreError> {
        layouts_of(&verdict.evidence).into_iter().try_for_each(|hash| self.layout_exists(at, hash))
    }

    fn layout_exists(&mut self, at: &str, hash: LayoutHash) -> Result<(), StoreError> {
        let found = self.stored(&Key::Layout(hash))?;
        self.expect(found, at, format!("it names layout {hash}, which is not stored"));
        Ok(())
    }

    fn screenshot_exists(&mut self, at: &str, hash: BlobHash) {
        self.named.insert(hash);
        let found = self.store.inner.core.screens.exists(hash);
        self.expect(found, at, format!("it names screenshot {hash}, which is not stored"));
    }

    fn expect(&mut self, holds: bool, at: &str, what: impl Into<String>) {
        if !holds {
            self.report.problem(at, what);
        }
    }

    fn stored(&self, key: &Key) -> Result<bool, StoreError> {
        self.store.inner.core.with(|engine| engine.contains(key))
    }

    fn read<T: DeserializeOwned>(&self, key: &[u8], head: &[u8]) -> Result<T, StoreError> {
        self.store.record(key, head)
    }
}

/// The layouts that evidence names.
pub(super) fn layouts_of(evidence: &Evidence) -> Vec<LayoutHash> {
    let mut layouts: Vec<_> = evidence.effects().iter().flat_map(|effect| effect.layouts).collect();
    match evidence {
        Evidence::Breach(breach) => layouts.extend([breach.layouts.0, breach.layouts.1]),
        Evidence::Mistreated(mistreated) => layouts.extend([mistreated.layouts.0, mistreated.layouts.1]),
        Evidence::Mismatch(mismatch) => layouts.extend([mismatch.layouts.0, mismatch.layouts.1]),
        Evidence::Broken(broken) => layouts.extend([broken.layouts.0, broken.layouts.1]),
        Evidence::Deviation(deviation) => {
            let conducts = [&deviation.usual, &deviation.deviant].into_iter();
            layouts.extend(conducts.flat_map(|conduct| [conduct.before.layout, conduct.after.layout]));
        }
        Evidence::Effects(_) | Evidence::Signal { .. } | Evidence::None => {}
    }
    layouts
}
