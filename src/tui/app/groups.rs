//! Findings of several sessions that are one and the same: of one technique, one app and one canonical key.
//!
//! In: the findings of all sessions. Out: for each the one that leads its group, and a rank over all sessions. A
//! replay's finding never leads: what it says belongs to the finding that was replayed.

use std::collections::BTreeMap;

use droidmux_proto::FindingView;
use droidmux_record::FindingId;

/// The groups of a list of findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// For each row the number of the row that leads its group.
    leads: Vec<usize>,
    /// The other rows of a lead's group.
    others: BTreeMap<usize, Vec<usize>>,
    /// From 1, by row: the ranks of leads that stand for themselves, over all sessions.
    ranks: BTreeMap<usize, u64>,
}

impl Groups {
    /// Groups rows that are sorted by tier and rank.
    pub fn of(rows: &[FindingView]) -> Self {
        let mut by_key: BTreeMap<(&str, &str, u32), Vec<usize>> = BTreeMap::new();
        for (number, row) in rows.iter().enumerate() {
            by_key.entry((&row.technique, &row.app, row.id.key)).or_default().push(number);
        }
        let mut groups = Self { leads: (0..rows.len()).collect(), ..Self::default() };
        for numbers in by_key.into_values().filter(|numbers| numbers.len() > 1) {
            let own = |number: &&usize| rows.get(**number).is_some_and(|row| row.replays.is_none());
            let Some(lead) = numbers.iter().find(own).or(numbers.first()).copied() else { continue };
            for number in numbers.iter().filter(|number| **number != lead) {
                if let Some(slot) = groups.leads.get_mut(*number) {
                    *slot = lead;
                }
                groups.others.entry(lead).or_default().push(*number);
            }
        }
        let standing =
            rows.iter().enumerate().filter(|(number, row)| groups.is_lead(*number) && row.cluster == row.id);
        let ranks = (1..).zip(standing).map(|(rank, (number, _))| (number, rank)).collect();
        Self { ranks, ..groups }
    }

    /// True of a row that stands for its group, or for itself.
    pub fn is_lead(&self, number: usize) -> bool {
        self.leads.get(number).is_some_and(|lead| *lead == number)
    }

    /// The row that stands for the group of this one.
    pub fn lead(&self, number: usize) -> usize {
        self.leads.get(number).copied().unwrap_or(number)
    }

    /// The other rows of the group that this row leads.
    pub fn others(&self, lead: usize) -> &[usize] {
        self.others.get(&lead).map_or(&[], Vec::as_slice)
    }

    /// The rank of a row over all sessions.
    pub fn rank(&self, number: usize) -> Option<u64> {
        self.ranks.get(&number).copied()
    }
}

/// What the replays of a finding came to, from the rows of its group: the session, how many showed it, of how many.
pub fn replayed<'r>(
    lead: &FindingId,
    others: impl Iterator<Item = &'r FindingView>,
) -> Vec<(FindingId, u32, u32)> {
    let replays = others.filter(|row| row.replays.as_ref().is_some_and(|of| of.key == lead.key));
    let told = replays.map(|row| {
        let said = row.confirmation;
        (row.id.clone(), said.shown, said.shown + said.absent + said.unfaithful)
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::SessionId;
    use droidmux_testutils::fixtures::FakeLab;

    #[test]
    fn findings_of_one_key_are_one_and_replays_lead_nothing() {
        let mut rows = FakeLab::new(0).findings;
        let original = FindingView { app: "org.diary".into(), ..rows[0].clone() };
        let mut again = original.clone();
        again.id.session = SessionId(7);
        again.cluster = again.id.clone();
        let mut replay = again.clone();
        replay.id.session = SessionId(8);
        replay.cluster = replay.id.clone();
        replay.replays = Some(original.id.clone());
        let mut elsewhere = again.clone();
        elsewhere.app = "org.other".into();
        // The replay comes first, as if it had a better tier.
        rows.splice(0..1, [replay.clone(), original.clone(), again, elsewhere]);
        let groups = Groups::of(&rows);
        assert_eq!((0..5).map(|n| groups.lead(n)).collect::<Vec<_>>(), [1, 1, 1, 3, 4]);
        assert_eq!(groups.others(1), [0, 2]);
        assert_eq!(
            (groups.rank(0), groups.rank(1), groups.rank(3), groups.rank(4)),
            (None, Some(1), Some(2), Some(3))
        );
        let said = replayed(&original.id, groups.others(1).iter().map(|n| &rows[*n]));
        assert_eq!(said, [(replay.id.clone(), 2, 3)]);
    }
}
