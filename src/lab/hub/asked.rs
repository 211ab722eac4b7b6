//! Which agents of a session asked a language model, in the order of its log of exchanges.
//!
//! In: the number of each exchange with its agent. Out: counts by agent, and the numbers in a part of the list.
//!
//! Invariants: exchanges may arrive in any order, and again; a long talk is never counted anew.

use std::collections::BTreeMap;

use droidmux_record::Agent;

#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// By number in the log; `None` where the exchange has not arrived yet.
    agents: Vec<Option<Agent>>,
    counts: BTreeMap<Agent, u64>,
}

impl Asked {
    /// Notes who asked in the exchange with this number.
    pub(super) fn note(&mut self, seq: u64, agent: Agent) {
        let Ok(place) = usize::try_from(seq) else { return };
        if self.agents.len() <= place {
            self.agents.resize(place.saturating_add(1), None);
        }
        let Some(asked) = self.agents.get_mut(place) else { return };
        if let Some(before) = asked.replace(agent)
            && let Some(count) = self.counts.get_mut(&before)
        {
            *count = count.saturating_sub(1);
        }
        *self.counts.entry(agent).or_default() += 1;
    }

    /// Exchanges in the log, as far as is known.
    pub(super) fn len(&self) -> u64 {
        self.agents.len() as u64
    }

    /// How often each agent asked, without those that never did.
    pub(super) fn by_agent(&self) -> Vec<(Agent, u64)> {
        let counted = Agent::ALL.map(|agent| (agent, self.counts.get(&agent).copied().unwrap_or(0)));
        counted.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// The numbers of the exchanges in rows `from` … of the list, or of the list of one agent.
    pub(super) fn rows(&self, agent: Option<Agent>, from: u64, limit: u32) -> Vec<u64> {
        let wanted = |asked: &Option<Agent>| agent.is_none() || *asked == agent;
        let rows = (0..).zip(&self.agents).filter(|(_, asked)| wanted(asked)).map(|(seq, _)| seq);
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        rows.skip(from).take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_talk_is_counted_as_it_grows() {
        let mut asked = Asked::default();
        let agents = Agent::ALL;
        // Counting all of it again for each of these would take hours.
        for seq in 0..300_000_u64 {
            asked.note(seq, agents[seq as usize % agents.len()]);
            asked.by_agent();
        }
        assert_eq!(asked.len(), 300_000);
        assert_eq!(asked.by_agent().iter().map(|(_, count)| count).sum::<u64>(), 300_000);
    }

    proptest! {
        #[test]
        fn exchanges_are_counted_and_listed_by_who_asked(
            said in prop::collection::vec((0u64..20, 0usize..3), 0..60),
            (from, limit) in (0u64..8, 0u32..8),
        ) {
            let (mut asked, mut last) = (Asked::default(), BTreeMap::new());
            for (seq, agent) in said {
                asked.note(seq, Agent::ALL[agent]);
                last.insert(seq, Agent::ALL[agent]);
            }
            prop_assert_eq!(asked.len(), last.keys().last().map_or(0, |seq| seq + 1));
            let mut counted = Vec::new();
            for agent in Agent::ALL {
                let own: Vec<u64> = last.iter().filter(|(_, asked)| **asked == agent).map(|(seq, _)| *seq).collect();
                counted.extend((!own.is_empty()).then_some((agent, own.len() as u64)));
                let page: Vec<u64> = own.into_iter().skip(from as usize).take(limit as usize).collect();
                prop_assert_eq!(asked.rows(Some(agent), from, limit), page);
            }
            prop_assert_eq!(asked.by_agent(), counted);
        }
    }
}
