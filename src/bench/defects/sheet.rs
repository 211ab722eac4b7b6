//! The trials of one technique on some apps, counted.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Tried, is_shown};
use super::figures::{Lines, Rulings, ScopeFigures, TierFigures};
use super::spread::Spread;
use super::{JudgedFinding, Scope, Subject};
use droidmux_record::Tier;
use droidmux_words::number;

/// All tiers, in the order people see them.
pub(super) const TIERS: [Tier; 3] = [Tier::Reported, Tier::Suspicious, Tier::Explained];

/// The number of lines that a person reads before giving up on a list.
const FIRST: usize = 5;

/// The part of a ruling that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    True(&'a [String]),
    /// A bug of the app's own.
    Bug,
    False,
    Undecided,
}

impl<'a> Word<'a> {
    /// The defects it names.
    pub(super) fn defects(self) -> &'a [String] {
        match self {
            Self::True(defects) => defects,
            Self::Bug | Self::False | Self::Undecided => &[],
        }
    }
}

/// Trials, by seed.
pub(super) struct Sheet<'b, 'a> {
    seeds: BTreeMap<u64, Vec<&'b Tried<'a>>>,
}

/// What was counted with one seed.
#[derive(Clone, Debug, Default)]
struct Tally {
    right: u64,
    wrong: u64,
    undecided: u64,
    /// The defects that the true ones name.
    defects: BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, word: Word<'_>) {
        match word {
            Word::True(_) | Word::Bug => self.right += 1,
            Word::False => self.wrong += 1,
            Word::Undecided => self.undecided += 1,
        }
        self.defects.extend(word.defects().iter().cloned());
    }

    fn all(&self) -> u64 {
        self.right + self.wrong + self.undecided
    }

    /// `None` when nothing is true or false.
    fn precision(&self) -> Option<f64> {
        let decided = self.right + self.wrong;
        (decided > 0).then(|| number::share(self.right, decided))
    }

    /// `None` when there is nothing.
    fn read_per_defect(&self) -> Option<f64> {
        let found = (self.defects.len() as u64).max(1);
        (self.all() > 0).then(|| number::real(self.all()) / number::real(found))
    }
}

impl<'b, 'a> Sheet<'b, 'a> {
    pub(super) fn of(tried: Vec<&'b Tried<'a>>) -> Self {
        let mut seeds: BTreeMap<u64, Vec<&'b Tried<'a>>> = BTreeMap::new();
        for one in tried {
            seeds.entry(one.record.identity.seed).or_default().push(one);
        }
        Self { seeds }
    }

    /// Everything about the technique on these apps.
    pub(super) fn figures(&self, scope: Scope, apps: &[&Subject]) -> ScopeFigures {
        let present: u64 = apps.iter().map(|app| app.defects().len() as u64).sum();
        let found = |seed: u64| self.defects(Some(seed), is_shown).len();
        let recall = |seed: &u64| number::share(found(*seed) as u64, present);
        let set_off = |seed| self.set_off(seed).len();
        ScopeFigures {
            scope,
            apps: apps.iter().map(|app| app.package().to_owned()).collect(),
            present,
            finished: self.seeds.values().map(|tried| tried.len() as u64).sum(),
            found: self.spread_of(found),
            found_ever: self.defects(None, is_shown).len() as u64,
            recall: Spread::of(self.seeds.keys().filter(|_| present > 0).map(recall)),
            found_by_clusters: self
                .spread_of(|seed| self.defects(Some(seed), |f| is_shown(f) && f.stands()).len()),
            reported: self.spread_of(|seed| self.defects(Some(seed), |f| f.tier == Tier::Reported).len()),
            set_off: self.spread_of(|seed| set_off(Some(seed))),
            set_off_ever: set_off(None) as u64,
            first_five: self.first_five(),
            tiers: TIERS.into_iter().map(|tier| self.tier(tier)).collect(),
        }
    }

    /// The oracles that found something, by name.
    pub(super) fn oracles(&self) -> BTreeSet<&'a str> {
        let findings = self.tried(None).flat_map(|tried| &tried.record.findings);
        findings.map(|finding| finding.oracle.as_str()).collect()
    }

    /// The defects that findings of this kind name, with one seed or with any.
    pub(super) fn defects(
        &self,
        seed: Option<u64>,
        fits: impl Fn(&JudgedFinding) -> bool,
    ) -> BTreeSet<&'a str> {
        let findings = self.tried(seed).flat_map(|tried| tried.findings());
        let words = findings.filter(|(finding, _)| fits(finding)).map(|(_, word)| word);
        words.flat_map(|word| word.defects()).map(String::as_str).collect()
    }

    /// One count for each seed.
    pub(super) fn spread_of(&self, count: impl Fn(u64) -> usize) -> Option<Spread> {
        Spread::of_counts(self.seeds.keys().map(|seed| count(*seed) as u64))
    }

    /// How findings of this kind were ruled on.
    pub(super) fn findings(&self, fits: impl Fn(&JudgedFinding) -> bool) -> Rulings {
        self.rulings(|tried, tally| {
            tried.findings().filter(|(finding, _)| fits(finding)).for_each(|(_, word)| tally.add(word));
        })
    }

    fn tried(&self, seed: Option<u64>) -> impl Iterator<Item = &'b Tried<'a>> {
        let fits = move |(of, _): &(&u64, &Vec<&'b Tried<'a>>)| seed.is_none_or(|seed| seed == **of);
        self.seeds.iter().filter(fits).flat_map(|(_, tried)| tried.iter().copied())
    }

    fn set_off(&self, seed: Option<u64>) -> BTreeSet<&'a str> {
        self.tried(seed).flat_map(|tried| tried.record.set_off.keys().map(String::as_str)).collect()
    }

    fn tier(&self, tier: Tier) -> TierFigures {
        TierFigures {
            tier,
            findings: self.findings(|finding| finding.tier == tier),
            clusters: self.findings(|finding| finding.tier == tier && finding.stands()),
            mutants: self.rulings(|tried, tally| {
                let mut tests: BTreeMap<(u64, u16), Word<'_>> = BTreeMap::new();
                for (finding, word) in tried.findings().filter(|(finding, _)| finding.tier == tier) {
                    for test in &finding.tests {
                        let known = tests.entry(*test).or_insert(word);
                        *known = stronger(*known, word);
                    }
                    tally.defects.extend(word.defects().iter().cloned());
                }
                tests.into_values().for_each(|word| tally.add(word));
            }),
        }
    }

    /// For the lines that a person sees first in each session.
    fn first_five(&self) -> Option<Spread> {
        let precisions = self.seeds.values().filter_map(|tried| {
            let mut tally = Tally::default();
            for one in tried {
                let listed = one.findings().filter(|(f, _)| f.tier == Tier::Reported && f.stands());
                listed.take(FIRST).for_each(|(_, word)| tally.add(word));
            }
            tally.precision()
        });
        Spread::of(precisions)
    }

    fn rulings(&self, count: impl Fn(&Tried<'a>, &mut Tally)) -> Rulings {
        let tallies: Vec<Tally> = (self.seeds.values())
            .map(|tried| {
                let mut tally = Tally::default();
                tried.iter().for_each(|one| count(one, &mut tally));
                tally
            })
            .collect();
        let sum = |figure: fn(&Tally) -> u64| tallies.iter().map(figure).sum();
        let all_seeds = Lines {
            true_ones: sum(|tally| tally.right),
            false_alarms: sum(|tally| tally.wrong),
            undecided: sum(|tally| tally.undecided),
        };
        let spread = |figure: fn(&Tally) -> u64| Spread::of_counts(tallies.iter().map(figure));
        Rulings {
            count: spread(Tally::all),
            true_ones: spread(|tally| tally.right),
            false_alarms: spread(|tally| tally.wrong),
            undecided: spread(|tally| tally.undecided),
            precision: Spread::of(tallies.iter().filter_map(Tally::precision)),
            all_seeds,
            precision_of_all_seeds: all_seeds.precision(),
            read_per_defect: Spread::of(tallies.iter().filter_map(Tally::read_per_defect)),
        }
    }
}

/// The verdict on a test that showed several: true before false before undecided.
fn stronger<'a>(one: Word<'a>, other: Word<'a>) -> Word<'a> {
    let rank = |word: Word<'_>| match word {
        Word::True(_) | Word::Bug => 2,
        Word::False => 1,
        Word::Undecided => 0,
    };
    if rank(other) > rank(one) { other } else { one }
}
