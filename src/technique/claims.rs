//! Claims: what an app was seen to keep to, how often and in how many situations; and what its violations are worth.
//!
//! In: the cases in which claims held and their counter-examples, in the order of slots. Out: for each counter-example
//! what its claim's counts say, as an [`Experiment`]: a claim that held often, in several situations, speaks; one that
//! held too seldom leaves a doubt; one that fails often is the app's habit, which explains the counter-example.
//!
//! A control that works on one page may have nothing to do on another: what is claimed of it on a page is doubted where it
//! was kept elsewhere.
//!
//! What each [kind](Kind) of claim needs stands in `claims/kind.rs` and nowhere else.
//!
//! Invariants: memory is bounded, whatever the app shows. What comes out depends on the order of slots alone.

mod kind;
mod support;

use std::collections::BTreeMap;

use crate::relation::fingerprint;
use droidmux_record::{
    Bearing, Broken, Claim, Evidence, Experiment, ExperimentKind, Held, Judgement, Verdict, Work,
};
pub use kind::{AIMED, ALIVE, HABIT, Kind, LASTING, LOOSE, NEVER, PROMISE, STRICT};
use support::{Standing, Support};

/// The claims of one session.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    supports: BTreeMap<(String, u64), Support>,
}

/// The most claims that are kept.
const MOST_CLAIMS: usize = 20_000;

impl Claims {
    /// Counts a case in which a claim held.
    pub fn hold(&mut self, held: &Held) {
        if let Some(support) = self.support(&held.relation, held.about) {
            support.hold(held.object);
        }
    }

    /// Counts a counter-example.
    pub fn contradict(&mut self, claim: &Claim, key: &str, scene: u64) {
        if let Some(support) = self.support(&claim.relation, claim.about) {
            support.contradict(fingerprint(&[key]), scene);
        }
    }

    /// Counts all cases of a job.
    pub fn count(&mut self, judgement: &Judgement) {
        judgement.held.iter().for_each(|held| self.hold(held));
        for verdict in &judgement.verdicts {
            if let Evidence::Broken(broken) = &verdict.evidence
                && let Some(claim) = &broken.claim
            {
                self.contradict(claim, &verdict.key, scene(broken));
            }
        }
    }

    /// Whether what a verdict rests on speaks for a defect; true of one that rests on no claim.
    pub fn carries(&self, verdict: &Verdict) -> bool {
        claim_of(verdict).is_none_or(|claim| self.standing(claim) == Standing::Kept)
    }

    /// Whether a counter-example is nothing by itself: of what takes several screens to be broken, it is one of too few, or
    /// one beside cases in which it was kept.
    pub fn is_nothing_yet(&self, verdict: &Verdict) -> bool {
        let claim = claim_of(verdict).filter(|claim| Kind::of(claim) == Kind::Ability);
        let is_nothing = |claim| matches!(self.standing(claim), Standing::Untried | Standing::Habit);
        claim.is_some_and(is_nothing)
    }

    /// Whether a claim was never kept, and broken on too few screens to say so.
    pub fn is_open(&self, claim: &Claim) -> bool {
        Kind::of(claim) == Kind::Ability && self.standing(claim) == Standing::Untried
    }

    /// What the counts of a claim say of a counter-example, for a person: `This held 14 times in 4 situations, and
    /// failed once.`
    pub fn weigh(&self, claim: &Claim) -> Experiment {
        let counts = self.counts(claim).words();
        let (bearing, words) = match self.standing(claim) {
            Standing::Kept => (Bearing::Silent, format!("{counts}.")),
            Standing::Rare => (Bearing::Doubts, format!("{counts}: too seldom to say that it must.")),
            Standing::Untried => {
                (Bearing::Excuses, format!("{counts}: too seldom to say that it never does."))
            }
            Standing::Chance => {
                (Bearing::Doubts, format!("{counts}: what was seen of it then may be chance."))
            }
            Standing::Elsewhere => (
                Bearing::Doubts,
                format!("{counts}, but it did on another page: it may have nothing to do here."),
            ),
            Standing::Mixed => (Bearing::Doubts, format!("{counts}: too often to say that it must hold.")),
            Standing::Habit => (Bearing::Excuses, format!("{counts}: it is what the app does.")),
        };
        Experiment { kind: ExperimentKind::Support, bearing, words, places: Vec::new() }
    }

    /// Says on a verdict that rests on a claim what the counts of the claim say, in the place of what they said before.
    pub fn told_on(&self, verdict: &mut Verdict) {
        let Some(support) = claim_of(verdict).map(|claim| self.weigh(claim)) else { return };
        verdict.experiments.retain(|experiment| experiment.kind != ExperimentKind::Support);
        verdict.experiments.push(support);
    }

    fn standing(&self, claim: &Claim) -> Standing {
        match self.counts(claim).standing(claim) {
            Standing::Kept if Kind::of(claim) == Kind::Ability && self.was_kept_elsewhere(claim) => {
                Standing::Elsewhere
            }
            standing => standing,
        }
    }

    /// Whether the same control does on another page what it never did on this one.
    fn was_kept_elsewhere(&self, claim: &Claim) -> bool {
        let at = |about| (claim.relation.clone(), about);
        let (first, last) = everywhere(claim.about);
        self.supports.range(at(first)..=at(last)).any(|(_, support)| support.was_kept())
    }

    fn counts(&self, claim: &Claim) -> Support {
        // Asked for each counter-example after each job; there are few of them.
        self.supports.get(&(claim.relation.clone(), claim.about)).cloned().unwrap_or_default()
    }

    fn support(&mut self, relation: &str, about: u64) -> Option<&mut Support> {
        let place = (relation.to_owned(), about);
        if self.supports.len() >= MOST_CLAIMS && !self.supports.contains_key(&place) {
            return None;
        }
        Some(self.supports.entry(place).or_default())
    }
}

/// For [`Claim::about`]: a control on a page. What is claimed of the same control on any page shares the upper half.
pub fn on_page(control: &[&str], page: &[&str]) -> u64 {
    (fingerprint(control) & CONTROL) | (fingerprint(page) & !CONTROL)
}

/// The half of a claim's `about` that is the same on all pages.
const CONTROL: u64 = 0xffff_ffff_0000_0000;

/// The least and the greatest that [`on_page`] makes of a control.
fn everywhere(about: u64) -> (u64, u64) {
    (about & CONTROL, about | !CONTROL)
}

/// The claim that a violation is a counter-example of.
pub fn claim_of(verdict: &Verdict) -> Option<&Claim> {
    match &verdict.evidence {
        Evidence::Broken(broken) => broken.claim.as_ref(),
        _ => None,
    }
}

/// Hashed: on which screen a claim was contradicted, by what was done to which widget there, and what else it came from.
fn scene(broken: &Broken) -> u64 {
    let places = broken.widgets.0.iter().map(|note| format!("{} {:?}", note.text, note.bounds));
    let parts: Vec<String> = std::iter::once(broken.layouts.0.to_string()).chain(places).collect();
    fingerprint(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Whether what a job shows counts: what is run to see a finding again shows that same thing over and over.
pub fn counts_in(work: &Work) -> bool {
    let Work::Batch(batch) = work else { return true };
    !batch.purpose.follows_a_finding()
}

#[cfg(test)]
mod tests {
    use super::support::MOST_SITUATIONS;
    use super::*;
    use droidmux_record::Threshold;

    fn of(cases: &str, claim: &Claim) -> Experiment {
        let mut claims = Claims::default();
        for case in cases.split_whitespace() {
            let (what, number) = case.split_at(1);
            let number: u64 = number.parse().expect("a number");
            match what {
                "h" => claims.hold(&Held { relation: "view".into(), about: 7, object: number }),
                _ => claims.contradict(claim, &format!("key {number}"), number),
            }
        }
        claims.weigh(claim)
    }

    #[test]
    fn what_the_counts_of_a_claim_say() {
        use Bearing::{Doubts, Excuses, Silent};
        let habit = Threshold { needed: 5, variety: 3, share: 80 };
        // `h` and a situation: it held; `b` and a key: a counter-example. Then what that means, and how it is told.
        for (what, threshold, cases, bearing, told) in [
            ("nothing before", habit, "b1", Doubts, "This never held, and failed once: too seldom"),
            (
                "support before",
                habit,
                "h1 h2 h3 h1 h2 b1",
                Silent,
                "This held 5 times in 3 situations, and failed once.",
            ),
            ("support after", habit, "b1 h1 h2 h3 h1 h2 h3 h1 h2 h3", Silent, "9 times in 3 situations"),
            ("in one situation only", habit, "h1 h1 h1 h1 h1 h1 b1", Doubts, "6 times in 1 situation,"),
            ("too seldom", habit, "h1 h2 b1", Doubts, "twice in 2 situations"),
            (
                "broken often",
                habit,
                "h1 h2 h3 h1 b1 b1 b1 b1 b1",
                Excuses,
                "failed 5 times: it is what the app does",
            ),
            (
                "broken nearly as often as not",
                habit,
                "h1 h2 h3 h1 h2 b1 b1 b1 b1 b1",
                Doubts,
                "failed 5 times: too often",
            ),
            ("broken now and then", habit, "h1 h2 h3 h1 h2 h3 b1 b1 b1", Doubts, "failed 3 times: too often"),
            ("a promise", PROMISE, "b1", Silent, "This never held, and failed once."),
            ("a promise broken in one place", PROMISE, "b1 b1 b1 b1 b1", Silent, "failed 5 times."),
            ("a promise broken everywhere", PROMISE, "h1 h2 b1 b2 b3", Doubts, "failed 3 times: too often"),
            (
                "never kept on two screens",
                NEVER,
                "b1 b2 b1",
                Excuses,
                "failed 3 times on 2 screens: too seldom",
            ),
            ("never kept", NEVER, "b1 b2 b1 b3", Silent, "This never held, and failed 4 times on 3 screens."),
            (
                "kept by chance",
                NEVER,
                "b1 b2 b3 b1 b2 b3 b1 b2 h1 b3",
                Doubts,
                "failed 9 times: what was seen of it then may be chance.",
            ),
            ("kept once", NEVER, "b1 b2 h1 b3", Excuses, "failed 3 times: it is what the app does"),
            ("a page kept at times", LASTING, "h1 h1 b1 b1", Silent, "failed twice."),
            ("a page mostly kept", LASTING, "h1 h1 h1 b1 b1", Doubts, "may be chance"),
            ("a promise mostly kept", PROMISE, "h1 h2 h3 h4 b1 b2 b3", Silent, "4 times in 4 situations"),
        ] {
            let said = of(cases, &Claim::new("view", 7, threshold));
            assert_eq!(said.bearing, bearing, "{what}: {}", said.words);
            assert!(said.words.contains(told), "{what}: {}", said.words);
            assert_eq!(said.kind, ExperimentKind::Support);
        }
    }

    #[test]
    fn what_works_on_another_page_may_have_nothing_to_do_here() {
        let refresh = |page: &str| on_page(&["click", "Refresh"], &[page]);
        for (what, held, told) in [
            (
                "on another page",
                Some(refresh("Featured")),
                "on 3 screens, but it did on another page: it may",
            ),
            ("another control did there", Some(on_page(&["click", "Sort"], &["Featured"])), "on 3 screens."),
            ("nowhere", None, "on 3 screens."),
        ] {
            let mut claims = Claims::default();
            let claim = Claim::new("response", refresh("Bookmarks"), NEVER);
            (1..=3).for_each(|screen| claims.contradict(&claim, "key", screen));
            for (relation, about) in
                held.iter().flat_map(|about| [("response", *about), ("view", claim.about)])
            {
                claims.hold(&Held::new(relation, about, 1));
            }
            let said = claims.weigh(&claim);
            assert!(said.words.contains(told), "{what}: {}", said.words);
            let habit = Claim { needed: 1, ..claim };
            assert!(
                !claims.weigh(&habit).words.contains("another page"),
                "{what}: a habit of this page alone"
            );
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut claims = Claims::default();
        for about in 0..30_000 {
            claims.hold(&Held { relation: "view".into(), about, object: about });
            claims.hold(&Held { relation: "view".into(), about: 0, object: about });
            claims.contradict(&Claim::new("view", 0, HABIT), &about.to_string(), about);
        }
        let all = &claims.supports[&("view".to_owned(), 0)];
        assert_eq!(all.remembered(), [MOST_SITUATIONS; 3]);
        assert_eq!(claims.supports.len(), MOST_CLAIMS);
    }
}
