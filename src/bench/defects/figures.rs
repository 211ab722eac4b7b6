//! The figures of a bench, from the records of its trials.
//!
//! A *found* defect is one named by a true finding that people see as reported or suspicious. Counts are sums over the
//! apps for each seed, given as median and spread over the seeds, for each group of apps and for all.

use serde::Serialize;

use super::book::Book;
use super::spread::Spread;
use super::{Plan, Scope, TrialRecord};
use droidmux_record::Tier;

/// All figures; its JSON is `docs/bench.schema.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The version of droidmux.
    pub droidmux: String,
    /// The most events of a session.
    pub max_events: u64,
    /// The number of RNG seeds: sessions of one technique on one app with all defects on.
    pub seeds: u64,
    /// Packages.
    pub apps: Vec<String>,
    /// The number of trials with records.
    pub finished: u64,
    /// The number of trials in the plan.
    pub trials: u64,
    /// One for each contender, in the order of the plan.
    pub techniques: Vec<TechniqueFigures>,
    /// One for each defect of the apps, app by app.
    pub defects: Vec<DefectFigures>,
    /// What was found with all defects off: one for each app.
    pub correct: Vec<CorrectFigures>,
    /// What contenders find together: all of them, then those that need no specification.
    pub unions: Vec<UnionFigures>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TechniqueFigures {
    pub technique: String,
    /// Heads its column in the tables.
    pub code: String,
    /// It needs a person who has specified the functions of the app.
    pub specified: bool,
    /// By group of apps; groups without an app that it can be applied to are left out.
    pub scopes: Vec<ScopeFigures>,
    /// By the oracle that spoke first, on all apps.
    pub oracles: Vec<OracleFigures>,
    /// Events of a session until the first finding that names a defect, over defects and seeds:
    /// median and worst.
    pub first_detection: Option<Spread>,
    /// Events and seconds of one session.
    pub events: Option<Spread>,
    pub seconds: Option<Spread>,
}

/// A technique on a group of apps, with all defects on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopeFigures {
    pub scope: Scope,
    /// Packages of the apps it can be applied to, and the defects in them.
    pub apps: Vec<String>,
    pub present: u64,
    pub finished: u64,
    /// Distinct defects found by reported or suspicious findings, by seed, and with any seed.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// The same as a share of the existing defects.
    pub recall: Option<Spread>,
    /// Found by findings that stand for their cluster only.
    pub found_by_clusters: Option<Spread>,
    /// Found by reported findings only.
    pub reported: Option<Spread>,
    /// Distinct defects that events of the session triggered, by seed, and with any seed.
    pub set_off: Option<Spread>,
    pub set_off_ever: u64,
    /// True ones among the first five that a person sees in each session: reported, one per cluster.
    pub first_five: Option<Spread>,
    /// One for each tier.
    pub tiers: Vec<TierFigures>,
}

/// The findings of one tier, counted in three ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TierFigures {
    pub tier: Tier,
    /// Every finding counts.
    pub findings: Rulings,
    /// Only those count that stand for their cluster, which is what lists show.
    pub clusters: Rulings,
    /// Tests that showed a finding of the tier: true when one of their findings is, false when the others are.
    pub mutants: Rulings,
}

/// How what was found was ruled on, by seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rulings {
    pub count: Option<Spread>,
    pub true_ones: Option<Spread>,
    pub false_alarms: Option<Spread>,
    pub undecided: Option<Spread>,
    /// True ones among those that are true or false.
    pub precision: Option<Spread>,
    /// How many there are for each distinct defect that they find; if they find none, the plain number.
    pub read_per_defect: Option<Spread>,
}

/// What an oracle contributes to the findings of a technique.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OracleFigures {
    pub oracle: String,
    /// Distinct defects found by reported or suspicious findings of this oracle, by seed, and with any seed.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// Those that no other oracle of the technique found with any seed.
    pub found_alone: Vec<String>,
    pub reported: Rulings,
    pub suspicious: Rulings,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefectFigures {
    pub id: String,
    pub app: String,
    /// The group of its app; for an app that is in neither, no group.
    pub group: Option<Scope>,
    pub kind: String,
    /// By technique, in the order of `techniques`; those that do not apply to its app are left out.
    pub by: Vec<Detection>,
    /// The one technique that found it with any seed, when there is only one.
    pub only_by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detection {
    pub technique: String,
    /// The number of seeds with which it was found, and of seeds with records.
    pub seeds: u64,
    pub of: u64,
    /// Events until the first finding that names it.
    pub events: Option<Spread>,
    /// The number of seeds with which an event of the session triggered it, and how many events did with those seeds.
    pub set_off: u64,
    pub set_off_events: Option<Spread>,
}

/// An app with all its defects off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorrectFigures {
    pub app: String,
    pub group: Option<Scope>,
    /// By technique; those without records are left out.
    pub by: Vec<FalseReports>,
}

/// What a technique found on a correct app, with each seed: all of these are false alarms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FalseReports {
    pub technique: String,
    /// By seed: reported findings, the clusters they are in, and suspicious findings.
    pub seeds: Vec<u64>,
    pub reported: Vec<u64>,
    pub reported_clusters: Vec<u64>,
    pub suspicious: Vec<u64>,
}

/// Several techniques together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnionFigures {
    /// Which ones they are, in words.
    pub of: String,
    pub techniques: Vec<String>,
    /// By group of apps.
    pub scopes: Vec<UnionScope>,
    /// The best single technique over all seeds, and the defects that it found with no seed but another technique did.
    pub best_technique: Option<String>,
    pub beyond_best: Vec<String>,
    /// Found by no technique with any seed, although some event triggered it; and triggered by none.
    pub unseen: Vec<String>,
    pub unreached: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnionScope {
    pub scope: Scope,
    pub present: u64,
    /// Defects that some technique found, by seed, and with any seed.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// Defects that some technique triggered, by seed, and with any seed.
    pub set_off: Option<Spread>,
    pub set_off_ever: u64,
    /// What the best single technique found, by seed, and how many more the union found.
    pub best: Option<Spread>,
    pub gain: Option<Spread>,
}

impl Figures {
    /// The figures of a plan, as far as there are records.
    pub fn of(plan: &Plan, records: &[TrialRecord]) -> Self {
        let book = Book::of(plan, records);
        let unspecified =
            |technique: &str| plan.contenders.iter().any(|c| c.name == technique && !c.specified);
        Self {
            droidmux: env!("CARGO_PKG_VERSION").to_owned(),
            max_events: plan.options.events,
            seeds: plan.options.seeds,
            apps: plan.apps.iter().map(|app| app.package().to_owned()).collect(),
            finished: records.len() as u64,
            trials: plan.trials.len() as u64,
            techniques: plan.contenders.iter().map(|contender| book.technique(contender)).collect(),
            defects: book.defects(),
            correct: book.correct(),
            unions: vec![
                book.union("all techniques", |_| true),
                book.union("those without a specification", unspecified),
            ],
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
mod tests {
    use super::*;
    use crate::defects::fixture::{plan, records};
    use droidmux_gui::number;

    fn present(plan: &Plan) -> u64 {
        plan.apps.iter().map(|app| app.defects().len() as u64).sum()
    }

    fn told(spread: Option<Spread>) -> String {
        spread.map_or_else(|| "none".into(), |s| format!("{} {} {}", s.median, s.least, s.most))
    }

    #[test]
    fn counts_are_sums_over_apps_and_spreads_over_seeds() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let [genie, odin, monkey, never] = figures.techniques.as_slice() else { panic!("four techniques") };
        assert_eq!((never.scopes.len(), never.events), (0, None));
        let all = genie.on(Scope::All).expect("figures");
        // Of diary, notes and todo; with all defects off there are others.
        assert_eq!((all.present, all.finished, all.found_ever), (present(&plan), 6, 3));
        let recall = all.recall.map(|recall| recall.most);
        assert_eq!(recall, Some(number::share(2, all.present)));
        let reported = all.tier(Tier::Reported).expect("figures");
        let suspicious = all.tier(Tier::Suspicious).expect("figures");
        let explained = all.tier(Tier::Explained).expect("figures");
        let cases = [
            // Seed 1: the wrong picture and turning; seed 2: the unsaved name.
            ("found", all.found, "1.5 1 2"),
            ("by reported ones", all.reported, "1 0 2"),
            // The finding that names turning does not stand for its cluster.
            ("by clusters", all.found_by_clusters, "1 1 1"),
            ("set off", all.set_off, "2 2 2"),
            ("reported", reported.findings.count, "4.5 3 6"),
            // A key that is a false alarm elsewhere does not count.
            ("true", reported.findings.true_ones, "1.5 0 3"),
            ("false", reported.findings.false_alarms, "1.5 1 2"),
            ("undecided", reported.findings.undecided, "1.5 1 2"),
            ("precision", reported.findings.precision, "0.375 0 0.75"),
            ("read for a defect", reported.findings.read_per_defect, "3 3 3"),
            ("clusters", reported.clusters.count, "4 3 5"),
            ("true clusters", reported.clusters.true_ones, "1 0 2"),
            // Two tests show the wrong picture, one of them also a false alarm.
            ("mutants", reported.mutants.count, "3.5 2 5"),
            ("true mutants", reported.mutants.true_ones, "1.5 0 3"),
            ("suspicious", suspicious.findings.true_ones, "0.5 0 1"),
            ("explained", explained.findings.count, "0.5 0 1"),
            ("first five", all.first_five, "0.3333333333333333 0 0.6666666666666666"),
            ("first detection", genie.first_detection, "500 410 12345"),
            ("events", genie.events, "901.5 901 902"),
            ("found by odin", odin.on(Scope::All).and_then(|all| all.found), "0.5 0 1"),
            ("found by monkey on A", monkey.on(Scope::A).and_then(|a| a.found), "1.5 1 2"),
            ("found by monkey on B", monkey.on(Scope::B).and_then(|b| b.found), "0 0 0"),
        ];
        for (what, spread, expected) in cases {
            assert_eq!(told(spread), expected, "{what}");
        }
    }

    #[test]
    fn oracles_are_told_apart() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let genie = &figures.techniques[0];
        let told: Vec<String> = (genie.oracles.iter())
            .map(|oracle| format!("{} {} {}", oracle.oracle, oracle.found_ever, oracle.found_alone.join(",")))
            .collect();
        assert_eq!(told, ["genie 2 diary.wrong-picture,diary.unsaved-name", "relations 1 notes.rotate-edit"]);
    }

    #[test]
    fn what_is_reported_with_all_defects_off_is_given_by_app_and_seed() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let genie = |app: &str| {
            let app = figures.correct.iter().find(|correct| correct.app.ends_with(app)).expect("an app");
            let by = app.by.iter().find(|by| by.technique == "genie").expect("figures");
            (by.seeds.clone(), by.reported.clone(), by.reported_clusters.clone(), by.suspicious.clone())
        };
        assert_eq!(genie("diary"), (vec![1, 2], vec![2, 0], vec![1, 0], vec![0, 1]));
        assert_eq!(genie("todo"), (vec![1, 2], vec![0, 0], vec![0, 0], vec![0, 0]));
    }

    #[test]
    fn defects_name_their_finders_and_the_union_its_gain() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let by = |id: &str| {
            let defect = figures.defects.iter().find(|defect| defect.id == id).expect("a defect");
            let found: Vec<u64> = defect.by.iter().map(|detection| detection.seeds).collect();
            let set_off: Vec<u64> = defect.by.iter().map(|detection| detection.set_off).collect();
            (found, set_off, defect.only_by.clone())
        };
        let genie = Some("genie".to_owned());
        assert_eq!(by("diary.wrong-picture"), (vec![1, 0, 0], vec![2, 0, 0], genie.clone()));
        assert_eq!(by("diary.unsaved-name"), (vec![1, 0, 0], vec![1, 0, 0], genie.clone()));
        assert_eq!(by("notes.rotate-edit"), (vec![1, 0, 2], vec![1, 0, 0], None));
        assert_eq!(by("notes.same-title"), (vec![0, 0, 0], vec![0, 0, 1], None));
        let union = &figures.unions[0];
        let all = union.scopes.iter().find(|scope| scope.scope == Scope::All).expect("figures");
        assert_eq!((all.present, all.found_ever), (present(&plan), 4));
        // Seed 1: 2, of which genie finds 2; seed 2: 3, of which monkey finds 2.
        assert_eq!(told(all.found), "2.5 2 3");
        assert_eq!(told(all.best), "2 2 2");
        assert_eq!(told(all.gain), "0.5 0 1");
        assert_eq!(union.best_technique, genie);
        assert_eq!(union.beyond_best, ["notes.rotate-search"]);
        assert_eq!(union.unseen, ["notes.same-title"]);
        assert!(union.unreached.contains(&"todo.tags-doubled".to_owned()), "{:?}", union.unreached);
    }

    #[test]
    fn no_records_give_no_figures() {
        let plan = plan();
        let figures = Figures::of(&plan, &[]);
        assert_eq!((figures.finished, figures.trials), (0, 36));
        assert!(figures.techniques.iter().flat_map(|t| &t.scopes).all(|s| s.found.is_none()));
        assert_eq!(figures.unions[0].unreached.len() as u64, present(&plan));
        assert_eq!(figures.unions[0].best_technique, None);
    }
}
