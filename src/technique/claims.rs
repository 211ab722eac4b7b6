//! Claims: what an app was seen to keep to, how often and in how many situations; and what its violations are worth.
//!
//! In: the cases in which claims held and their counter-examples, in the order of slots. Out: for each counter-example
//! what its claim's counts say, as an [`Experiment`]: a claim that held often, in several situations, speaks; one that
//! held too seldom leaves a doubt; one that fails often is the app's habit, which explains the counter-example.
//!
//! There are three kinds of claims. A *habit* is a regularity of the app at hand (this row opens that page, this list
//! keeps its rows over a restart), and speaks above [`HABIT`] alone. A *promise* is what the platform promises or what
//! the app itself says (turning changes nothing, 'Undo' takes back): it speaks by itself, unless the app breaks it in
//! more situations than it keeps it in. A promise that [a single case keeps](NEVER) speaks once it was broken on several
//! screens and never kept; where it was kept in a tenth of the cases at most, that may be chance, and leaves a doubt. The thresholds of all stand here and nowhere else.
//!
//! Invariants: memory is bounded, whatever the app shows. What comes out depends on the order of slots alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::relation::fingerprint;
use droidmux_record::{
    Bearing, Broken, Claim, Evidence, Experiment, ExperimentKind, Held, Judgement, Threshold, Verdict, Work,
};
use droidmux_words::figure::{count, thousands};

/// What a habit of the app needs before a counter-example is reported: cases in which it held, different situations
/// among them, and the share of all cases, in percent. Fixed on the apps of group A of the bench.
pub const HABIT: Threshold = Threshold { needed: 10, variety: 3, share: 80 };

/// The same for habits from which an app departs by choice now and then (a feed, a search that looks at titles alone).
pub const LOOSE: Threshold = Threshold { share: 60, ..HABIT };

/// The same for what a page or a row of a kind always has.
pub const STRICT: Threshold = Threshold { share: 90, ..HABIT };

/// The same for a choice that strikes the row it was made on: a defect may strike others most of the time.
pub const AIMED: Threshold = Threshold { share: 20, ..HABIT };

/// What is promised needs no case in which it was kept: it is only told how often it was.
pub const PROMISE: Threshold = Threshold { needed: 0, variety: 0, share: 0 };

/// A promise about a page that may be left by itself after a while, and then just when it is put to the test: it speaks
/// where it was broken in as many cases as it was kept in.
pub const LASTING: Threshold = Threshold { share: 50, ..PROMISE };

/// A promise that one case keeps for good: what a control did once it can do, and has nothing to do at other times. Here the
/// share is that of the cases that break it: something may move by itself just when the control is pressed. The variety is on
/// how many different screens they must.
pub const NEVER: Threshold = Threshold { variety: 3, share: 90, ..PROMISE };

/// The same for what all of a page is in question for: what else it holds speaks for it as well.
pub const ALIVE: Threshold = Threshold { variety: 2, ..NEVER };

/// The claims of one session.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    supports: BTreeMap<(String, u64), Support>,
}

/// How often a claim held, and how often not.
#[derive(Clone, Debug, Default)]
struct Support {
    held: u64,
    broken: u64,
    /// Hashed: what it held for.
    situations: BTreeSet<u64>,
    /// Hashed: the keys of its counter-examples.
    failures: BTreeSet<u64>,
    /// Hashed: the screens that its counter-examples began on, and what they acted on there.
    scenes: BTreeSet<u64>,
}

/// The most claims, and situations of one claim, that are kept.
const MOST_CLAIMS: usize = 20_000;
const MOST_SITUATIONS: usize = 32;

/// Situations in which a promise must be broken before it counts as one that the app never made.
const BROKEN_PROMISES: usize = 3;

/// What the counts of a claim say of its counter-examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It held often enough, in enough situations, and failed seldom.
    Kept,
    /// It held too seldom to say that it must.
    Rare,
    /// What takes a single case to keep was not broken on enough screens.
    Untried,
    /// What takes a single case to keep was broken in so many others that this one may be chance; or it was kept in so
    /// many that the others may be.
    Chance,
    /// It failed too often to say that it must.
    Mixed,
    /// It fails more often than it holds: the app does so as a habit.
    Habit,
}

impl Claims {
    /// Counts a case in which a claim held.
    pub fn hold(&mut self, held: &Held) {
        let Some(support) = self.support(&held.relation, held.about) else { return };
        support.held += 1;
        if support.situations.len() < MOST_SITUATIONS {
            support.situations.insert(held.object);
        }
    }

    /// Counts a counter-example.
    pub fn contradict(&mut self, claim: &Claim, key: &str, scene: u64) {
        let Some(support) = self.support(&claim.relation, claim.about) else { return };
        support.broken += 1;
        if support.failures.len() < MOST_SITUATIONS {
            support.failures.insert(fingerprint(&[key]));
        }
        if support.scenes.len() < MOST_SITUATIONS {
            support.scenes.insert(scene);
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
        claim_of(verdict).is_none_or(|claim| self.counts(claim).standing(claim) == Standing::Kept)
    }

    /// Whether a counter-example is nothing by itself: of what takes several screens to be broken, it is one of too few, or
    /// one beside cases in which it was kept.
    pub fn is_nothing_yet(&self, verdict: &Verdict) -> bool {
        let claim = claim_of(verdict).filter(|claim| takes_several_screens(claim));
        let speaks = |claim| matches!(self.counts(claim).standing(claim), Standing::Kept | Standing::Chance);
        claim.is_some_and(|claim| !speaks(claim))
    }

    /// Whether a claim was never kept, and broken on too few screens to say so.
    pub fn is_open(&self, claim: &Claim) -> bool {
        takes_several_screens(claim) && self.counts(claim).standing(claim) == Standing::Untried
    }

    /// What the counts of a claim say of a counter-example, for a person: `This held 14 times in 4 situations, and
    /// failed once.`
    pub fn weigh(&self, claim: &Claim) -> Experiment {
        let support = self.counts(claim);
        let counts = support.words();
        let (bearing, words) = match support.standing(claim) {
            Standing::Kept => (Bearing::Silent, format!("{counts}.")),
            Standing::Rare => (Bearing::Doubts, format!("{counts}: too seldom to say that it must.")),
            Standing::Untried => {
                (Bearing::Excuses, format!("{counts}: too seldom to say that it never does."))
            }
            Standing::Chance => {
                (Bearing::Doubts, format!("{counts}: what was seen of it then may be chance."))
            }
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

/// The claim that a violation is a counter-example of.
pub fn claim_of(verdict: &Verdict) -> Option<&Claim> {
    match &verdict.evidence {
        Evidence::Broken(broken) => broken.claim.as_ref(),
        _ => None,
    }
}

/// True for a regularity of the app, false for a promise.
pub fn is_habit(claim: &Claim) -> bool {
    claim.needed > 0
}

/// Whether a single counter-example can speak: that of a plain promise.
pub fn speaks_alone(claim: &Claim) -> bool {
    (claim.needed, claim.variety, claim.share) == (PROMISE.needed, PROMISE.variety, PROMISE.share)
}

/// Whether it takes counter-examples on several screens to break it: that of a promise that [one case keeps](NEVER).
pub fn takes_several_screens(claim: &Claim) -> bool {
    !is_habit(claim) && claim.variety > 0
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
    !batch.purpose.is_replay() && !batch.purpose.is_of_a_finding()
}

impl Support {
    fn standing(&self, claim: &Claim) -> Standing {
        if !is_habit(claim) {
            if self.broken * 100 < (self.held + self.broken) * u64::from(claim.share) {
                return if claim.variety > 0 { Standing::Habit } else { Standing::Chance };
            }
            if self.scenes.len() < claim.variety as usize {
                return Standing::Untried;
            }
            if claim.variety > 0 {
                return if self.held > 0 { Standing::Chance } else { Standing::Kept };
            }
            let (kept, failed) = (self.situations.len(), self.failures.len());
            return if failed >= BROKEN_PROMISES && failed > kept { Standing::Mixed } else { Standing::Kept };
        }
        let all = self.held + self.broken;
        let often = self.held * 100 >= all * u64::from(claim.share);
        let much = self.held >= u64::from(claim.needed) && self.situations.len() >= claim.variety as usize;
        match (often, much) {
            (true, true) => Standing::Kept,
            // A habit shows in as many cases as it takes to speak. A defect may strike often, but not most of the time.
            (false, _) if self.broken >= u64::from(claim.needed) && self.broken > self.held => {
                Standing::Habit
            }
            (false, true) => Standing::Mixed,
            _ => Standing::Rare,
        }
    }

    /// `this held 14 times in 4 situations, and failed once`, without a full stop.
    fn words(&self) -> String {
        let failed = times(self.broken);
        if self.held == 0 {
            let screens = if self.scenes.len() > 1 {
                format!(" on {} screens", self.scenes.len())
            } else {
                String::new()
            };
            return format!("This never held, and failed {failed}{screens}");
        }
        let more = if self.situations.len() >= MOST_SITUATIONS { "at least " } else { "" };
        let situations = count(self.situations.len(), "situation");
        format!("This held {} in {more}{situations}, and failed {failed}", times(self.held))
    }
}

/// `once`, `twice`, `14 times`.
fn times(number: u64) -> String {
    match number {
        1 => "once".into(),
        2 => "twice".into(),
        number => format!("{} times", thousands(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn memory_is_bounded() {
        let mut claims = Claims::default();
        for about in 0..30_000 {
            claims.hold(&Held { relation: "view".into(), about, object: about });
            claims.hold(&Held { relation: "view".into(), about: 0, object: about });
            claims.contradict(&Claim::new("view", 0, HABIT), &about.to_string(), about);
        }
        let all = &claims.supports[&("view".to_owned(), 0)];
        let kept = [all.situations.len(), all.failures.len(), all.scenes.len()];
        assert_eq!(kept, [MOST_SITUATIONS; 3]);
        assert_eq!(claims.supports.len(), MOST_CLAIMS);
    }
}
