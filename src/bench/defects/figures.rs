//! The figures of a bench, from the records of its trials.
//!
//! A *found* defect is one named by a true finding that people see as reported or suspicious. Counts are sums over the
//! apps for each seed, given as median and spread over the seeds, for each group of apps and for all.

use serde::Serialize;

use super::book::Book;
use super::own::{self, KindFigures, OwnLine};
use super::set::DefectSet;
use super::sheet::Word;
use super::spread::Spread;
use super::{Plan, Ruling, Scope, TrialRecord};
use droidmux_record::Tier;
use droidmux_words::number::share;

/// The group of an app, which is never all of them.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "group")]
#[allow(dead_code, reason = "only its schema is wanted")]
enum Group {
    A,
    B,
}

/// All figures; their JSON is what `docs/bench.schema.json` describes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Figures {
    /// The version of droidmux.
    pub droidmux: String,
    /// Events of a session at most.
    pub max_events: u64,
    /// RNG seeds: 1 to this.
    pub seeds: u64,
    /// Packages.
    pub apps: Vec<String>,
    /// Sessions that the figures are of.
    pub finished: u64,
    /// Sessions of the whole bench, with all defects on and, unless `planted_only`, with all off.
    pub trials: u64,
    /// There are no sessions with all defects off.
    pub planted_only: bool,
    /// One for each contender, in the order of the plan.
    pub techniques: Vec<TechniqueFigures>,
    /// One for each defect of the apps, app by app.
    pub defects: Vec<DefectFigures>,
    /// What keeps findings from being reported, by name, those that cost most first.
    pub explanations: Vec<ExplanationFigures>,
    /// What was found with all defects off: one for each app.
    pub correct: Vec<CorrectFigures>,
    /// What techniques find together: all of them, then those that need no specification.
    pub unions: Vec<UnionFigures>,
    /// What techniques find of the sets of defects that were asked for.
    pub sets: Vec<SetFigures>,
    /// What was found of each kind of defect in real apps; of simulated ones nothing.
    pub kinds: Vec<KindFigures>,
    /// What real apps show with all defects off, one for each key.
    pub own: Vec<OwnLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "technique"))]
pub struct TechniqueFigures {
    pub technique: String,
    /// Heads its column in the tables.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub code: String,
    /// It needs somebody who specified the functions of the app.
    pub specified: bool,
    /// By group of apps; groups without an app that it can be applied to are left out.
    pub scopes: Vec<ScopeFigures>,
    /// By the oracle that spoke first, on all apps.
    pub oracles: Vec<OracleFigures>,
    /// What the reviewer's opinions changed, over all apps and seeds; nothing where it gave none.
    pub reviewer: Option<ReviewerFigures>,
    /// Events of a session until the first finding that names a defect, over defects and seeds; `most` is the worst.
    pub first_detection: Option<Spread>,
    /// Events of a session.
    pub events: Option<Spread>,
    /// Wall-clock time of a session.
    pub seconds: Option<Spread>,
}

/// A technique on a group of apps, with all defects on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "on"))]
pub struct ScopeFigures {
    pub scope: Scope,
    /// Packages of the apps of the group that the technique can be applied to.
    pub apps: Vec<String>,
    /// Defects in those apps.
    pub present: u64,
    /// Sessions with defects on that the figures are of; of an app without defects all.
    pub finished: u64,
    /// Distinct defects that true findings name, reported or suspicious.
    pub found: Option<Spread>,
    /// The same with all seeds together.
    pub found_ever: u64,
    /// `found` as a share of `present`.
    pub recall: Option<Spread>,
    /// Found by findings that stand for their cluster alone.
    pub found_by_clusters: Option<Spread>,
    /// Found by reported findings alone.
    pub reported: Option<Spread>,
    /// Distinct defects that events of the session set off.
    pub set_off: Option<Spread>,
    /// The same with all seeds together.
    pub set_off_ever: u64,
    /// True ones among the first five lines that a person sees of each session: reported, one for a cluster.
    pub first_five: Option<Spread>,
    /// One for each tier.
    pub tiers: Vec<TierFigures>,
}

/// The findings of one tier, counted in three ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "tier"))]
pub struct TierFigures {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    pub tier: Tier,
    /// Every finding counts.
    pub findings: Rulings,
    /// Those count that stand for their cluster, which is what lists show.
    pub clusters: Rulings,
    /// Tests that showed a finding of the tier.
    pub mutants: Rulings,
}

/// How what was found was ruled on, by seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "rulings"))]
pub struct Rulings {
    pub count: Option<Spread>,
    /// Shown each time with one defect alone on, never with all off, and with a key and a recipe that no other ruling of
    /// the app calls a false alarm.
    pub true_ones: Option<Spread>,
    /// Shown with all defects off, too.
    pub false_alarms: Option<Spread>,
    /// Neither: the replays do not say, it takes several defects, or the same is a false alarm elsewhere.
    pub undecided: Option<Spread>,
    /// True ones among those that are true or false alarms.
    pub precision: Option<Spread>,
    /// What was found with any seed, added up.
    pub all_seeds: Lines,
    /// The precision of that.
    pub precision_of_all_seeds: Option<f64>,
    /// How many there are for each distinct defect that they find; where they find none, for one.
    pub read_per_defect: Option<Spread>,
}

/// What an oracle contributes to the findings of a technique.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "oracle"))]
pub struct OracleFigures {
    pub oracle: String,
    /// Distinct defects found by reported or suspicious findings of this oracle.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// Those that no other oracle of the technique found with any seed.
    pub found_alone: Vec<String>,
    pub reported: Rulings,
    pub suspicious: Rulings,
}

/// What second opinions changed: lines, one for each cluster, over all apps and seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "reviewer"))]
pub struct ReviewerFigures {
    /// Lines that it gave an opinion on.
    pub opinions: u64,
    /// Reported lines without its opinions.
    pub before: Lines,
    /// Reported lines with them.
    pub after: Lines,
    /// Lines that it had reported.
    pub promoted: Lines,
    /// Lines that were reported and that it explained.
    pub explained: Lines,
}

/// What an explanation, a doubt or a threshold keeps from being reported: findings over all techniques, apps and seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "explanation"))]
pub struct ExplanationFigures {
    /// Its name: of an experiment, or `slight`, `volatile`, `unconfirmed`, `no-sign`.
    pub name: String,
    /// Findings with defects on, group A.
    pub a: Lines,
    /// The same on all apps.
    pub all: Lines,
    /// Findings with all defects off, which are false alarms all.
    pub off: u64,
    /// Defects that only findings which it keeps back name, over all sessions.
    pub lost: Vec<String>,
}

/// Lines that people read, by what the replays say of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "lines"))]
pub struct Lines {
    /// They name a defect.
    pub true_ones: u64,
    /// They show with all defects off, too.
    pub false_alarms: u64,
    /// Neither.
    pub undecided: u64,
}

impl Lines {
    /// Counts a line.
    pub(super) fn count(&mut self, ruling: &Ruling) {
        match ruling {
            Ruling::True { .. } => self.true_ones += 1,
            Ruling::FalseAlarm => self.false_alarms += 1,
            Ruling::Undecided { .. } => self.undecided += 1,
        }
    }

    /// Counts a finding by the ruling on it that counts.
    pub(super) fn add(&mut self, word: Word<'_>) {
        match word {
            Word::True(_) | Word::Bug => self.true_ones += 1,
            Word::False => self.false_alarms += 1,
            Word::Undecided => self.undecided += 1,
        }
    }

    /// True ones among those that are true or false alarms; `None` without any.
    pub fn precision(self) -> Option<f64> {
        let all = self.true_ones + self.false_alarms;
        (all > 0).then(|| share(self.true_ones, all))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "defect"))]
pub struct DefectFigures {
    pub id: String,
    pub app: String,
    /// The group of its app; for an app that is in neither, no group.
    #[cfg_attr(test, schemars(with = "Option<Group>"))]
    pub group: Option<Scope>,
    pub kind: String,
    /// One for each technique that can be applied to the app.
    pub by: Vec<Detection>,
    /// The one technique that found it with any seed.
    pub only_by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "detection"))]
pub struct Detection {
    pub technique: String,
    /// Seeds with which it was found.
    pub seeds: u64,
    /// Seeds that the figures are of.
    pub of: u64,
    /// Events until the first finding that names it.
    pub events: Option<Spread>,
    /// Seeds with which an event of the session set it off.
    pub set_off: u64,
    /// How many events did, of those seeds.
    pub set_off_events: Option<Spread>,
}

/// An app with all its defects off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "correct"))]
pub struct CorrectFigures {
    pub app: String,
    #[cfg_attr(test, schemars(with = "Option<Group>"))]
    pub group: Option<Scope>,
    /// By technique; those there are no records of are left out.
    pub by: Vec<FalseReports>,
}

/// What a technique found on a correct app, with each seed: all of these are false alarms.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "false-reports"))]
pub struct FalseReports {
    pub technique: String,
    /// The seeds there are records of, in order; the other lists have a count for each.
    pub seeds: Vec<u64>,
    /// Reported findings, all of them false alarms.
    pub reported: Vec<u64>,
    /// The clusters they are in.
    pub reported_clusters: Vec<u64>,
    /// Suspicious findings.
    pub suspicious: Vec<u64>,
}

/// Several techniques together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "union"))]
pub struct UnionFigures {
    /// Which techniques they are, in words.
    pub of: String,
    /// Their names.
    pub techniques: Vec<String>,
    /// By group of apps.
    pub scopes: Vec<UnionScope>,
    /// The best single one with all seeds together.
    pub best_technique: Option<String>,
    /// Found by some technique, but by the best one with no seed.
    pub beyond_best: Vec<String>,
    /// Set off by some technique, and found by none with any seed.
    pub unseen: Vec<String>,
    /// Neither set off nor found with any seed.
    pub unreached: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "union-scope"))]
pub struct UnionScope {
    pub scope: Scope,
    pub present: u64,
    /// Defects that some technique found.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// Defects that some technique set off.
    pub set_off: Option<Spread>,
    pub set_off_ever: u64,
    /// What the best single technique found.
    pub best: Option<Spread>,
    /// How much more the union found than the best single technique.
    pub gain: Option<Spread>,
}

/// What techniques find of a set of defects.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "set"))]
pub struct SetFigures {
    /// As it was asked for.
    pub of: String,
    /// The ids of its defects, app by app.
    pub defects: Vec<String>,
    /// One for each technique.
    pub by: Vec<SetFinder>,
    /// All techniques together.
    pub together: SetFinder,
    /// Found by none with any seed.
    pub missed: Vec<String>,
}

/// A technique, or several, on a set of defects.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "set-finder"))]
pub struct SetFinder {
    /// The technique; `together` for all.
    pub of: String,
    /// How many of the set it found.
    pub found: Option<Spread>,
    /// Which, with any seed.
    pub found_ever: Vec<String>,
}

impl Figures {
    /// The figures of a plan, as far as there are records.
    pub fn of(plan: &Plan, records: &[TrialRecord]) -> Self {
        Self::with_sets(plan, records, &[])
    }

    /// The same, and what is found of sets of its defects.
    pub fn with_sets(plan: &Plan, records: &[TrialRecord], sets: &[DefectSet]) -> Self {
        let book = Book::of(plan, records);
        let defects = book.defects();
        let unspecified =
            |technique: &str| plan.contenders.iter().any(|c| c.name == technique && !c.specified);
        Self {
            droidmux: env!("CARGO_PKG_VERSION").to_owned(),
            max_events: plan.options.events,
            seeds: plan.options.seeds,
            apps: plan.apps.iter().map(|app| app.package().to_owned()).collect(),
            finished: records.len() as u64,
            trials: plan.trials.len() as u64,
            planted_only: plan.options.planted_only,
            techniques: plan.contenders.iter().map(|contender| book.technique(contender)).collect(),
            kinds: own::kinds(plan, &defects),
            own: own::lines(plan, records),
            defects,
            explanations: book.explanations(),
            correct: book.correct(),
            unions: vec![
                book.union("all techniques", |_| true),
                book.union("those without a specification", unspecified),
            ],
            sets: sets.iter().map(|set| book.set(set)).collect(),
        }
    }
}

impl TechniqueFigures {
    /// Its figures on a group of apps, if it can be applied to one of them.
    pub fn on(&self, scope: Scope) -> Option<&ScopeFigures> {
        self.scopes.iter().find(|figures| figures.scope == scope)
    }
}

impl ScopeFigures {
    /// Its findings of a tier.
    pub fn tier(&self, tier: Tier) -> Option<&TierFigures> {
        self.tiers.iter().find(|figures| figures.tier == tier)
    }
}

#[cfg(test)]
mod tests;
