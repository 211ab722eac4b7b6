//! Which sessions can be removed: by age, by name, by the room they take.
//!
//! In: rules, and what each session alone holds. Out: a plan that says for each chosen session that it goes, or why it
//! stays. [`Store::remove_sessions`] carries it out.
//!
//! Invariants: a running session never goes; one that has not ended, has a finding marked true, or is built on by one
//! that stays goes only when the rules say so; sessions go oldest first.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use thiserror::Error;

use super::key::Key;
use super::{Store, StoreError};
use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, FindingState, SessionId, SessionRecord, Turn};

/// Which sessions are to go. Rules add up: whatever any of the first three chooses is a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcRules {
    /// The sessions chosen by name, whatever their age.
    pub sessions: BTreeSet<SessionId>,
    /// Sessions that ended before this moment, in milliseconds since the Unix epoch.
    pub ended_before_ms: Option<u64>,
    /// The oldest sessions, until the store has at most this many bytes.
    pub keep_below: Option<u64>,
    /// The sessions running at this moment: they never go.
    pub running: BTreeSet<SessionId>,
    /// Also sessions that have not ended.
    pub unended: bool,
    /// Also sessions with findings marked true.
    pub marked: bool,
    /// Along with a session, those that build on it.
    pub dependents: bool,
}

/// What goes, in that order, and what was chosen but stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "gc-plan"))]
pub struct GcPlan {
    /// The sessions that go; one that builds on another comes before it.
    pub go: Vec<GcSession>,
    /// Session and reason.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("items" = {
            "type": "array",
            "prefixItems": [{ "type": "string", "pattern": "^s[0-9]+$" }, { "type": "string", "description": "Why." }],
            "minItems": 2,
            "maxItems": 2,
        }))
    )]
    pub stay: Vec<(String, String)>,
    /// Bytes of the store's files.
    pub size: u64,
    /// Estimated: the database takes more room than its values, and the overhead is assumed to stay the same.
    pub size_after: u64,
}

/// A session that goes, as people know it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "gc-session"))]
pub struct GcSession {
    /// `s7`
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^s[0-9]+$")))]
    pub id: String,
    /// By its name in session files, e.g. `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
    /// Milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// When the session ended, counted in the same way; `None` when it has not ended.
    pub ended_ms: Option<u64>,
    /// How many findings the session has, whatever their marks.
    pub findings: u64,
    /// Bytes that are freed by removing it and those before it.
    pub bytes: u64,
}

/// Why a session stays.
#[derive(Debug, Error)]
enum Protection {
    #[error("is running")]
    Running,
    #[error("has not ended (--unended takes it all the same)")]
    NotEnded,
    #[error("has findings marked true (--marked takes it all the same)")]
    Marked,
    /// This one, which stays, builds on it.
    #[error("{0} builds on it (--dependents takes both)")]
    Needed(SessionId),
    /// This one would have to go with it, and is protected itself.
    #[error("{0}, which builds on it, {1}")]
    Dependent(SessionId, Box<Protection>),
}

/// What the plan is made from.
struct Census {
    records: BTreeMap<SessionId, SessionRecord>,
    findings: BTreeMap<SessionId, u64>,
    marked: BTreeSet<SessionId>,
    holdings: Holdings,
}

/// Bytes by the sessions that name them.
#[derive(Default)]
struct Holdings {
    values: BTreeMap<SessionId, u64>,
    layouts: HashMap<LayoutHash, Named>,
    screenshots: HashMap<BlobHash, Named>,
}

#[derive(Default)]
struct Named {
    bytes: u64,
    by: BTreeSet<SessionId>,
}

impl GcPlan {
    /// The numbers of the sessions that go: the argument for [`Store::remove_sessions`].
    pub fn ids(&self) -> BTreeSet<SessionId> {
        self.go.iter().filter_map(|session| session.id.parse().ok()).collect()
    }
}

impl Store {
    /// Says what would go by these rules; changes nothing.
    ///
    /// # Errors
    /// `NoSession` for a named session that does not exist.
    pub fn plan_gc(&self, rules: &GcRules) -> Result<GcPlan, StoreError> {
        let census = self.census()?;
        if let Some(missing) = rules.sessions.iter().find(|id| !census.records.contains_key(id)) {
            return Err(StoreError::NoSession(*missing));
        }
        Ok(census.plan(rules, self.size()?.total()))
    }

    fn census(&self) -> Result<Census, StoreError> {
        let mut holdings = Holdings::default();
        for entry in self.entries() {
            let (key, head) = entry?;
            let bytes = (key.len() + head.len()) as u64;
            let Some(parsed) = Key::parse(&key) else { continue };
            let owner = match &parsed {
                Key::Chunk { head, .. } => Key::parse(head),
                _ => None,
            };
            match owner.as_ref().unwrap_or(&parsed) {
                Key::Layout(hash) => holdings.layouts.entry(*hash).or_default().bytes += bytes,
                key => {
                    if let Some(session) = key.session() {
                        *holdings.values.entry(session).or_default() += bytes;
                    }
                }
            }
            match &parsed {
                Key::Turns(named) => {
                    for turn in self.record::<Vec<Turn>>(&key, &head)? {
                        if let Some(seen) = turn.observation.seen() {
                            holdings.layouts.entry(seen.screen.layout).or_default().by.insert(named.session);
                        }
                        for hash in turn.blobs() {
                            holdings.screenshots.entry(hash).or_default().by.insert(named.session);
                        }
                    }
                }
                Key::Picture(session, layout) => {
                    let hash = self.record::<BlobHash>(&key, &head)?;
                    holdings.layouts.entry(*layout).or_default().by.insert(*session);
                    holdings.screenshots.entry(hash).or_default().by.insert(*session);
                }
                _ => {}
            }
        }
        self.inner.core.screens.each(|path, hash| {
            if let Some(hash) = hash {
                holdings.screenshots.entry(hash).or_default().bytes += super::stats::size(path);
            }
            Ok(())
        })?;
        let mut findings = BTreeMap::new();
        let mut marked = BTreeSet::new();
        for finding in self.findings(None)? {
            *findings.entry(finding.id.session).or_default() += 1;
            if finding.state == FindingState::True {
                marked.insert(finding.id.session);
            }
        }
        Ok(Census { records: self.sessions()?.into_iter().collect(), findings, marked, holdings })
    }
}

impl Census {
    fn plan(&self, rules: &GcRules, size: u64) -> GcPlan {
        let everyone: BTreeSet<SessionId> = self.records.keys().copied().collect();
        let live = self.holdings.bytes(&everyone);
        // The database takes more room than its values; the overhead is assumed to be the same afterwards.
        let on_disk = |bytes: u64| match live {
            0 => 0,
            live => {
                u64::try_from(u128::from(bytes) * u128::from(size) / u128::from(live)).unwrap_or(u64::MAX)
            }
        };
        let mut staying = everyone;
        let mut plan = GcPlan { size, ..GcPlan::default() };
        for id in self.oldest_first() {
            let small_enough =
                || rules.keep_below.is_none_or(|limit| on_disk(self.holdings.bytes(&staying)) <= limit);
            let Some(record) = self.records.get(&id).filter(|_| staying.contains(&id)) else { continue };
            let named = rules.sessions.contains(&id);
            let old = rules.ended_before_ms.is_some_and(|limit| age_of(record) < limit);
            if !named && !old && small_enough() {
                continue;
            }
            match self.with_dependents(id, rules, &staying) {
                Ok(group) => {
                    for id in group {
                        let before = self.holdings.bytes(&staying);
                        staying.remove(&id);
                        let bytes = before - self.holdings.bytes(&staying);
                        plan.go.extend(self.told(id, on_disk(bytes)));
                    }
                }
                Err(why) => plan.stay.push((id.to_string(), why.to_string())),
            }
        }
        plan.size_after = on_disk(self.holdings.bytes(&staying));
        plan
    }

    fn oldest_first(&self) -> Vec<SessionId> {
        let mut all: Vec<_> = self.records.iter().map(|(id, record)| (age_of(record), *id)).collect();
        all.sort();
        all.into_iter().map(|(_, id)| id).collect()
    }

    /// The session and what must go with it, dependents first; or why it stays.
    fn with_dependents(
        &self,
        id: SessionId,
        rules: &GcRules,
        staying: &BTreeSet<SessionId>,
    ) -> Result<Vec<SessionId>, Protection> {
        let mut group = vec![id];
        let mut looked_at = 0;
        while let Some(next) = group.get(looked_at).copied() {
            looked_at += 1;
            if let Some(why) = self.protection(next, rules) {
                return Err(if next == id { why } else { Protection::Dependent(next, why.into()) });
            }
            let needs = |record: &SessionRecord| record.inputs.iter().any(|input| input.session == next);
            for (by, _) in self.records.iter().filter(|(by, record)| staying.contains(by) && needs(record)) {
                if *by == next || group.contains(by) {
                    continue;
                }
                if !rules.dependents && !rules.sessions.contains(by) {
                    return Err(Protection::Needed(*by));
                }
                group.push(*by);
            }
        }
        group.reverse();
        Ok(group)
    }

    /// Why a session must not go, regardless of its age and size.
    fn protection(&self, id: SessionId, rules: &GcRules) -> Option<Protection> {
        let record = self.records.get(&id)?;
        if rules.running.contains(&id) {
            return Some(Protection::Running);
        }
        if record.ended_ms.is_none() && !rules.unended {
            return Some(Protection::NotEnded);
        }
        if self.marked.contains(&id) && !rules.marked {
            return Some(Protection::Marked);
        }
        None
    }

    fn told(&self, id: SessionId, bytes: u64) -> Option<GcSession> {
        let record = self.records.get(&id)?;
        Some(GcSession {
            id: id.to_string(),
            technique: record.definition.technique.name().to_owned(),
            app: record.definition.app.clone(),
            started_ms: record.started_ms,
            ended_ms: record.ended_ms,
            findings: self.findings.get(&id).copied().unwrap_or(0),
            bytes,
        })
    }
}

/// When it ended, or began when it has not.
fn age_of(record: &SessionRecord) -> u64 {
    record.ended_ms.unwrap_or(record.started_ms)
}

impl Holdings {
    /// The bytes of everything that these sessions hold or name.
    fn bytes(&self, sessions: &BTreeSet<SessionId>) -> u64 {
        let values = self.values.iter().filter(|(id, _)| sessions.contains(id)).map(|(_, bytes)| bytes);
        let named = self.layouts.values().chain(self.screenshots.values());
        let named = named.filter(|named| !named.by.is_disjoint(sessions)).map(|named| named.bytes);
        values.sum::<u64>() + named.sum::<u64>()
    }
}
