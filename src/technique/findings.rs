//! Findings: verdicts deduplicated by key, confirmed by fresh replays, ranked.
//!
//! In: violations as they are judged, and the outcomes of confirmation replays. Out: the ranked
//! list of findings, and which of them needs another replay.
//!
//! Order of the list: by tier (`technique::tier`), then by harm, then confirmed ones before those still open and those
//! whose replays did not show them, then the shortest test, then the rarest (a violation seen only once is the
//! likeliest bug, Genie section 4.4), then the earliest. A finding that a replay could raise to reported is replayed
//! first, one of each cluster before a second; an explained finding is not replayed.
//!
//! Findings whose verdicts name one cluster, and those whose shrunk tests have one shape, need only one reading: the
//! first in the order stands for them.

mod entry;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claims, Kind, claim_of};
use super::tier::{prospect, tier_of};
use droidmux_record::{
    Confirmation, Evidence, Experiment, Finding, FindingId, FindingState, Mismatch, SessionId, Slot, Tier,
    Verdict,
};
use entry::Entry;

pub use replay::Replay;

/// The findings of one session.
#[derive(Clone, Debug)]
pub struct Findings {
    session: SessionId,
    technique: String,
    app: String,
    /// How many replays must show a violation, and the most replays.
    needed: u32,
    of: u32,
    findings: BTreeMap<FindingId, Entry>,
}

/// The most slots and tests listed in a finding.
const MOST_SEEN: usize = 1_000;

/// The most findings in a session: an app that gives more has a cause that a longer list would not show better.
const MOST_FINDINGS: usize = 10_000;

impl Findings {
    /// An empty list. A finding is confirmed when `needed` of `of` replays show it; `of` is at least `needed`.
    pub fn new(session: SessionId, technique: &str, app: &str, needed: u32, of: u32) -> Self {
        let app = app.to_owned();
        let technique = technique.to_owned();
        Self { session, technique, app, needed, of: of.max(needed), findings: BTreeMap::new() }
    }

    /// Adds a violation. Returns the id of its finding if the verdict now stands for it: if the
    /// finding is new, or if no replay is planned yet and less speaks against this verdict.
    pub fn add(&mut self, slot: Slot, verdict: &Verdict) -> Option<FindingId> {
        let id = self.twin_of(verdict).unwrap_or_else(|| self.id_of(&verdict.key));
        if let Some(entry) = self.findings.get_mut(&id) {
            entry.finding.occurrences += 1;
            if entry.finding.seen.len() < MOST_SEEN {
                entry.finding.seen.push((slot, verdict.test));
                entry.steps.extend(steps_of(slot, verdict));
            }
            if entry.planned > 0 {
                entry.strengthen(verdict);
                return None;
            }
            if weight(verdict) >= weight(&entry.finding.verdict) {
                return None;
            }
            entry.stand(verdict);
            return Some(id);
        }
        if self.findings.len() >= MOST_FINDINGS {
            return None;
        }
        let finding = Finding {
            id: id.clone(),
            technique: self.technique.clone(),
            app: self.app.clone(),
            verdict: verdict.clone(),
            seen: vec![(slot, verdict.test)],
            occurrences: 1,
            confirmation: self.unconfirmed(),
            tier: Tier::Suspicious,
            because: String::new(),
            cluster: id.clone(),
            rank: 0,
            state: FindingState::New,
            note: String::new(),
        };
        let order = self.findings.len();
        let steps = steps_of(slot, verdict).collect();
        let (experiments, support) = Default::default();
        let (planned, length, shape, is_prolonged) = (0, None, None, false);
        let entry =
            Entry { finding, order, planned, length, experiments, support, steps, shape, is_prolonged };
        self.findings.insert(id.clone(), entry);
        Some(id)
    }

    /// Lets a violation stand for its finding that takes fewer events to see again and has no more against it: where
    /// nothing is shrunk, what was seen first may be long. Returns the id of the finding if it does now.
    pub fn shorter(&mut self, verdict: &Verdict, events: u64) -> Option<FindingId> {
        let id = self.twin_of(verdict).unwrap_or_else(|| self.id_of(&verdict.key));
        let entry = self.findings.get_mut(&id)?;
        let shorter = entry.length.is_some_and(|length| events < length);
        if entry.planned > 0 || !shorter || weight(verdict) > weight(&entry.finding.verdict) {
            return None;
        }
        entry.stand(verdict);
        Some(id)
    }

    /// The finding of another key that is the same for all that can be said.
    fn twin_of(&self, verdict: &Verdict) -> Option<FindingId> {
        let is_twin = |entry: &&Entry| {
            let known = &entry.finding.verdict;
            let judged = [verdict, known].iter().all(|v| matches!(v.evidence, Evidence::Mismatch(_)));
            judged && Mismatch::are_twins(&known.key, &verdict.key)
        };
        let exact = self.of_key(&verdict.key).is_some();
        if exact { None } else { self.findings.values().find(is_twin).map(|entry| entry.finding.id.clone()) }
    }

    /// The id of the finding with this key, or the one it would get: never that of another key.
    fn id_of(&self, key: &str) -> FindingId {
        let other = |taken| FindingId::other(self.session, &self.technique, key, taken);
        let is_its =
            |id: &FindingId| self.findings.get(id).is_none_or(|entry| entry.finding.verdict.key == key);
        (0..=u32::MAX).map(other).find(is_its).unwrap_or_else(|| other(0))
    }

    /// The confirmation of a finding of which no replay has run.
    pub fn unconfirmed(&self) -> Confirmation {
        Confirmation { needed: self.needed, of: self.of, ..Confirmation::default() }
    }

    /// A finding as it stands, its rank and the hints of its replays left out.
    pub fn get(&self, id: &FindingId) -> Option<&Finding> {
        self.findings.get(id).map(|entry| &entry.finding)
    }

    /// Says how many events it takes to see this finding again.
    pub fn set_length(&mut self, id: &FindingId, events: u64) {
        if let Some(entry) = self.findings.get_mut(id) {
            entry.length = Some(events);
        }
    }

    /// Says what the shrunk test of this finding is like: findings whose tests are alike are one cluster.
    pub fn set_shape(&mut self, id: &FindingId, shape: String) {
        if let Some(entry) = self.findings.get_mut(id) {
            entry.shape = Some(shape);
        }
    }

    /// The finding with this key, as [`Findings::get`] gives it.
    pub fn of_key(&self, key: &str) -> Option<&Finding> {
        self.get(&self.id_of(key))
    }

    /// The finding of this violation, as [`Findings::get`] gives it.
    pub fn of_verdict(&self, verdict: &Verdict) -> Option<&Finding> {
        self.of_key(&verdict.key).or_else(|| self.get(&self.twin_of(verdict)?))
    }

    /// True when an innocent explanation was found, on the trace or by an experiment.
    pub fn is_excused(&self, id: &FindingId) -> bool {
        self.findings.get(id).is_some_and(|entry| {
            let tried = entry.experiments.iter().chain(&entry.finding.verdict.experiments);
            tried.chain(&entry.support).any(Experiment::excuses)
        })
    }

    /// Takes in what explanations were found on a replay that shows the finding, unless there are any: where the
    /// violation was first seen there may have been less to look at.
    pub fn replayed_with(&mut self, id: &FindingId, experiments: &[Experiment]) {
        if let Some(entry) = self.findings.get_mut(id)
            && entry.experiments.is_empty()
            && entry.finding.verdict.experiments.is_empty()
        {
            entry.experiments.extend_from_slice(experiments);
        }
    }

    /// Takes in the result of an experiment on a device.
    pub fn examined(&mut self, id: &FindingId, experiments: Vec<Experiment>) {
        if let Some(entry) = self.findings.get_mut(id) {
            entry.experiments.extend(experiments);
        }
    }

    /// Says what the counts of the claims say on which findings rest.
    pub fn weigh(&mut self, claims: &Claims) {
        for entry in self.findings.values_mut() {
            entry.support = claim_of(&entry.finding.verdict).map(|claim| claims.weigh(claim));
        }
    }

    /// The finding whose next replay matters most, with the number of the replay's round, from 1: one begun and not
    /// settled; otherwise by what a replay could make of it, those first whose cluster has no confirmed finding, in the
    /// order of the list. `None` when every finding is settled, explained or waiting for replays under way.
    pub fn next_replay(&self) -> Option<(&FindingId, u32)> {
        let id = self.replays().into_iter().next()?;
        Some((id, self.findings.get(id)?.planned + 1))
    }

    /// All findings that want a replay, in the same order; those last that were given more replays.
    pub fn replays(&self) -> Vec<&FindingId> {
        let entries = self.findings.values();
        let confirmed: BTreeSet<&str> =
            entries.filter(|e| e.finding.confirmation.is_confirmed()).filter_map(Entry::cluster).collect();
        let mut wanted: Vec<(&FindingId, &Entry)> =
            self.findings.iter().filter(|(_, entry)| entry.wants_replay()).collect();
        wanted.sort_by_key(|(_, e)| {
            let known = e.cluster().is_some_and(|cluster| confirmed.contains(cluster));
            let prospect = (e.prospect(), known, e.finding.verdict.harm, e.finding.occurrences);
            (e.is_prolonged, e.planned == 0, prospect, e.order)
        });
        wanted.into_iter().map(|(id, _)| id).collect()
    }

    /// The finding of the Detector that says of one of its steps what this one says, and wants a replay, too: a replay of
    /// that one is judged by both oracles.
    pub fn judged_with(&self, id: &FindingId) -> Option<&FindingId> {
        let own = self.findings.get(id).filter(|entry| !entry.is_mismatch())?;
        let agrees = |entry: &Entry| entry.is_mismatch() && !entry.steps.is_disjoint(&own.steps);
        let found = self.findings.iter().find(|(_, entry)| agrees(entry) && entry.wants_replay());
        found.map(|(id, _)| id)
    }

    /// Notes that a replay of this finding was planned. Returns the number of its round.
    pub fn replay_planned(&mut self, id: &FindingId) -> Option<u32> {
        let entry = self.findings.get_mut(id)?;
        entry.planned += 1;
        Some(entry.planned)
    }

    /// Takes back that a replay was planned: it did not run what it was meant to.
    pub fn replay_void(&mut self, id: &FindingId) {
        if let Some(entry) = self.findings.get_mut(id) {
            entry.planned = entry.planned.saturating_sub(1);
        }
    }

    /// The findings that replays may still settle, with how many replays each needs at least.
    pub fn wanted(&self) -> impl Iterator<Item = (&FindingId, u32)> {
        let open = self.findings.iter().filter(|(_, entry)| entry.is_open());
        open.map(|(id, entry)| {
            let Confirmation { needed, shown, absent, unfaithful, .. } = entry.finding.confirmation;
            let under_way = entry.planned.saturating_sub(shown + absent + unfaithful);
            (id, needed.saturating_sub(shown + under_way))
        })
    }

    /// Gives up further replays of this finding: nothing is known that could be replayed.
    pub fn cannot_replay(&mut self, id: &FindingId) {
        if let Some(entry) = self.findings.get_mut(id) {
            entry.planned = entry.finding.confirmation.of;
        }
    }

    /// Counts a finished replay; true when the finding is settled now.
    pub fn replayed(&mut self, id: &FindingId, replay: Replay) -> bool {
        let Some(entry) = self.findings.get_mut(id) else { return false };
        let confirmation = &mut entry.finding.confirmation;
        replay.count_in(confirmation);
        confirmation.is_settled()
    }

    /// Gives what the Detector saw in some of the replays that were to decide, but not in enough, as many replays again: what
    /// it judges may be there only sometimes. True when the finding is open again.
    pub fn prolong(&mut self, id: &FindingId) -> bool {
        let of = self.of;
        let Some(entry) = self.findings.get_mut(id).filter(|entry| entry.is_mismatch()) else { return false };
        let confirmation = &mut entry.finding.confirmation;
        let missed = confirmation.is_settled() && !confirmation.is_confirmed();
        let prolongs = missed && confirmation.shown > 0 && !entry.is_prolonged;
        if prolongs {
            (confirmation.of, entry.is_prolonged) = (confirmation.of.saturating_add(of), true);
        }
        prolongs
    }

    /// Counts a finished replay that cannot refute the finding: another one will be made for it.
    pub fn replayed_aside(&mut self, id: &FindingId, replay: Replay) {
        if let Some(entry) = self.findings.get_mut(id) {
            replay.count_in(&mut entry.finding.confirmation);
            entry.finding.confirmation.of += 1;
        }
    }

    /// All findings, best rank first, with their tiers, their clusters and the hints that the replays gave.
    pub fn ranked(&self) -> Vec<Finding> {
        let told = |entry: &'_ Entry| {
            let mut finding = entry.finding.clone();
            finding.verdict.hints.extend(entry.replay_hints());
            finding.verdict.experiments.extend(entry.experiments.iter().chain(&entry.support).cloned());
            (finding.tier, finding.because) = tier_of(&finding);
            finding
        };
        let mut ranked: Vec<(Finding, &Entry)> =
            self.findings.values().map(|entry| (told(entry), entry)).collect();
        ranked.sort_by_key(|(finding, entry)| (finding.tier, entry.rank()));
        let mut stands: BTreeMap<(bool, &str), FindingId> = BTreeMap::new();
        // What set off findings so far, and the oracle that said so.
        let mut causes: BTreeMap<(Slot, u32), (String, FindingId)> = BTreeMap::new();
        for ((finding, entry), rank) in ranked.iter_mut().zip(1..) {
            finding.rank = rank;
            let names = [entry.cluster().map(|name| (false, name)), entry.shape().map(|name| (true, name))];
            let names = names.into_iter().flatten();
            let known = names.clone().find_map(|name| stands.get(&name).cloned());
            // What two oracles object to after one step is one defect, told twice.
            let by_another = |step: &(Slot, u32)| {
                let (oracle, cluster) = causes.get(step)?;
                (*oracle != finding.verdict.oracle).then(|| cluster.clone())
            };
            let known = known.or_else(|| entry.steps.iter().find_map(by_another));
            finding.cluster = known.unwrap_or_else(|| finding.id.clone());
            for name in names {
                stands.entry(name).or_insert_with(|| finding.cluster.clone());
            }
            for step in &entry.steps {
                let cause = || (finding.verdict.oracle.clone(), finding.cluster.clone());
                causes.entry(*step).or_insert_with(cause);
            }
        }
        ranked.into_iter().map(|(finding, _)| finding).collect()
    }

    /// What stands for its cluster, confirmed and worth reading, best rank first.
    pub fn standing(&self) -> Vec<FindingId> {
        let stands = |finding: &Finding| {
            let is_read = matches!(finding.tier, Tier::Reported | Tier::Suspicious);
            is_read && finding.cluster == finding.id && finding.confirmation.is_confirmed()
        };
        self.ranked().into_iter().filter(stands).map(|finding| finding.id).collect()
    }

    /// Whose findings these are.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// How many there are, confirmed or not.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// True when no violation was added yet.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// How many were seen only once.
    pub fn once_only(&self) -> usize {
        self.findings.values().filter(|e| e.finding.occurrences == 1).count()
    }

    /// How many the replays confirmed.
    pub fn confirmed(&self) -> usize {
        self.findings.values().filter(|e| e.finding.confirmation.is_confirmed()).count()
    }

    /// How many rest on what was counted of the app, its habits above all.
    pub fn of_counts(&self) -> usize {
        let counted = |entry: &&Entry| {
            claim_of(&entry.finding.verdict).is_some_and(|claim| Kind::of(claim) != Kind::Promise)
        };
        self.findings.values().filter(counted).count()
    }

    /// How many replays can still change.
    pub fn unsettled(&self) -> usize {
        self.findings.values().filter(|entry| entry.is_open()).count()
    }
}

/// The steps of a job that set a violation off, or after which it shows, where a relation or the Detector says so.
fn steps_of(slot: Slot, verdict: &Verdict) -> impl Iterator<Item = (Slot, u32)> + use<> {
    let turns = match &verdict.evidence {
        Evidence::Mismatch(mismatch) => vec![mismatch.turn, mismatch.span.1],
        Evidence::Broken(broken) => vec![broken.turns.1],
        _ => Vec::new(),
    };
    turns.into_iter().map(move |turn| (slot, turn))
}

/// Which of two verdicts with one key stands for the finding: the one that could come further, then the
/// one against which fewer hints speak.
fn weight(verdict: &Verdict) -> (Tier, usize) {
    (prospect(verdict), verdict.hints.len())
}

/// Makes the first of each cluster, by tier and rank, the one that stands for it. For findings of one session
/// whose tiers moved after they were stored.
pub fn regroup(findings: &mut [Finding]) {
    let mut stands: BTreeMap<FindingId, (Tier, u32, FindingId)> = BTreeMap::new();
    for finding in findings.iter() {
        let own = (finding.tier, finding.rank, finding.id.clone());
        let best = stands.entry(finding.cluster.clone()).or_insert_with(|| own.clone());
        if own < *best {
            *best = own;
        }
    }
    for finding in findings {
        if let Some((.., id)) = stands.get(&finding.cluster) {
            finding.cluster = id.clone();
        }
    }
}
