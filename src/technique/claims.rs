//! Claims: regularities of an app that relations rest on, and what contradicts them.
//!
//! In: the cases in which claims held and their counter-examples, in the order of slots. Out: the counter-examples
//! of claims that have the support they need.
//!
//! Invariants: memory is bounded, whatever the app shows. What comes out depends on the order of slots alone.

use std::collections::{BTreeMap, BTreeSet};

use droidmux_record::{Claim, Evidence, Held, Judgement, Test, Verdict};

/// The claims of one session.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    supports: BTreeMap<(String, u64), Support>,
    /// Counter-examples whose claims lack support, by claim and key.
    waiting: BTreeMap<(Claim, String), Vec<Waiting>>,
}

/// A counter-example that waits for its claim to be supported.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// What is said of it.
    pub verdict: Verdict,
    /// What to run to see it again.
    pub tests: Vec<Test>,
}

/// How often a claim held.
#[derive(Clone, Debug, Default)]
struct Support {
    held: u64,
    broken: u64,
    objects: BTreeSet<u64>,
}

/// The most claims, objects of one claim, counter-examples, and counter-examples of one key that are kept.
const MOST_CLAIMS: usize = 20_000;
const MOST_OBJECTS: usize = 32;
const MOST_WAITING: usize = 300;
const MOST_OF_KEY: usize = 3;

impl Claims {
    /// Counts a case in which a claim held.
    pub fn hold(&mut self, held: &Held) {
        let Some(support) = self.support(&held.relation, held.about) else { return };
        support.held += 1;
        if support.objects.len() < MOST_OBJECTS {
            support.objects.insert(held.object);
        }
    }

    /// Counts a counter-example, and keeps it until its claim is supported.
    pub fn contradict(&mut self, claim: &Claim, key: &str, waiting: impl FnOnce() -> Waiting) {
        let Some(support) = self.support(&claim.relation, claim.about) else { return };
        support.broken += 1;
        let place = (claim.clone(), key.to_owned());
        if self.waiting.len() >= MOST_WAITING && !self.waiting.contains_key(&place) {
            return;
        }
        let kept = self.waiting.entry(place).or_default();
        if kept.len() < MOST_OF_KEY {
            kept.push(waiting());
        }
    }

    /// Takes out the counter-examples of the claims that have their support.
    pub fn supported(&mut self) -> Vec<Waiting> {
        let supports = &self.supports;
        let is_ready = |claim: &Claim| {
            supports.get(&(claim.relation.clone(), claim.about)).is_some_and(|support| support.carries(claim))
        };
        let ready: Vec<(Claim, String)> =
            self.waiting.keys().filter(|(claim, _)| is_ready(claim)).cloned().collect();
        ready.into_iter().filter_map(|place| self.waiting.remove(&place)).flatten().collect()
    }

    /// Counts all cases of a job without keeping any.
    pub fn count(&mut self, judgement: &Judgement) {
        judgement.held.iter().for_each(|held| self.hold(held));
        for claim in judgement.verdicts.iter().filter_map(claim_of) {
            if let Some(support) = self.support(&claim.relation, claim.about) {
                support.broken += 1;
            }
        }
    }

    /// Whether what a verdict rests on has the support it needs; true of one that rests on no claim.
    pub fn carries(&self, verdict: &Verdict) -> bool {
        claim_of(verdict).is_none_or(|claim| {
            let support = self.supports.get(&(claim.relation.clone(), claim.about));
            support.is_some_and(|support| support.carries(claim))
        })
    }

    fn support(&mut self, relation: &str, about: u64) -> Option<&mut Support> {
        let place = (relation.to_owned(), about);
        if self.supports.len() >= MOST_CLAIMS && !self.supports.contains_key(&place) {
            return None;
        }
        Some(self.supports.entry(place).or_default())
    }
}

/// The claim that a violation is a counter-example of.
fn claim_of(verdict: &Verdict) -> Option<&Claim> {
    match &verdict.evidence {
        Evidence::Broken(broken) => broken.claim.as_ref(),
        _ => None,
    }
}

impl Support {
    fn carries(&self, claim: &Claim) -> bool {
        let all = self.held + self.broken;
        self.held >= u64::from(claim.needed)
            && self.objects.len() >= claim.variety as usize
            && self.held * 100 >= all * u64::from(claim.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::{Outcome, Slot};

    fn waiting(slot: u64) -> Waiting {
        let verdict =
            Verdict { key: "key".into(), ..Verdict::new(Slot(slot), 0, "relations", Outcome::Violation) };
        Waiting { verdict, tests: Vec::new() }
    }

    #[test]
    fn a_counter_example_counts_once_its_claim_held_often_enough() {
        // `h` and a digit: held for this object; `b`: a counter-example. Then how many come out at the end.
        for (what, cases, out) in [
            ("no support", "b", 0),
            ("support before", "h1 h2 h3 h1 h2 b", 1),
            ("support after", "b h1 h2 h3 h1 h2 h3 h1 h2 h3", 1),
            ("too few objects", "h1 h2 h1 h2 h1 h2 b", 0),
            ("too often broken", "h1 h2 h3 h1 h2 b b b b", 0),
        ] {
            let claim = Claim { relation: "view".into(), about: 7, needed: 5, variety: 3, share: 80 };
            let mut claims = Claims::default();
            for (slot, case) in (0..).zip(cases.split_whitespace()) {
                match case.strip_prefix('h') {
                    Some(object) => {
                        let object = object.parse().expect("a number");
                        claims.hold(&Held { relation: "view".into(), about: 7, object });
                    }
                    None => claims.contradict(&claim, "key", || waiting(slot)),
                }
            }
            assert_eq!(claims.supported().len(), out, "{what}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut claims = Claims::default();
        for about in 0..30_000 {
            claims.hold(&Held { relation: "view".into(), about, object: about });
            let claim = Claim { relation: "view".into(), about, needed: 5, variety: 3, share: 90 };
            claims.contradict(&claim, "key", || waiting(about));
        }
        assert_eq!((claims.supports.len(), claims.waiting.len()), (MOST_CLAIMS, MOST_WAITING));
    }
}
