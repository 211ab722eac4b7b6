//! The figures of a bench, from the records of its trials.
//!
//! A *found* defect is one that a confirmed true finding names. Counts of a technique are sums over
//! the apps for each seed, told as median and spread over the seeds.

use serde::Serialize;

use super::book::Book;
use super::spread::Spread;
use super::{Plan, TrialRecord};

/// All figures; its JSON is `docs/bench.schema.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The version of droidmux.
    pub droidmux: String,
    /// Events of a session at most.
    pub max_events: u64,
    /// The number of RNG seeds: sessions of one technique on one app.
    pub seeds: u64,
    /// Packages.
    pub apps: Vec<String>,
    /// Trials there are records of.
    pub finished: u64,
    /// All trials of the plan.
    pub trials: u64,
    /// One for each contender, in the order of the plan.
    pub techniques: Vec<TechniqueFigures>,
    /// One for each defect of the apps, app by app.
    pub defects: Vec<DefectFigures>,
    /// What all contenders find together.
    pub union: UnionFigures,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TechniqueFigures {
    pub technique: String,
    /// Heads its column in the tables.
    pub code: String,
    /// Packages of the apps it can be applied to, and the defects in them.
    pub apps: Vec<String>,
    pub present: u64,
    pub finished: u64,
    /// Distinct defects found, by seed, and with any seed.
    pub found: Option<Spread>,
    pub found_ever: u64,
    pub confirmed: Rulings,
    /// Findings that the session's own replays did not confirm.
    pub unconfirmed: Rulings,
    /// True findings among the confirmed ones that are true or false.
    pub precision: Option<Spread>,
    /// Events of a session until the first finding that names a defect, over defects and seeds:
    /// median and worst.
    pub first_detection: Option<Spread>,
    /// Events and seconds of one session.
    pub events: Option<Spread>,
    pub seconds: Option<Spread>,
}

/// How findings were ruled on, by seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rulings {
    pub findings: Option<Spread>,
    pub true_findings: Option<Spread>,
    pub false_alarms: Option<Spread>,
    pub undecided: Option<Spread>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefectFigures {
    pub id: String,
    pub app: String,
    pub kind: String,
    /// By technique, in the order of `techniques`; those that do not apply to its app are left out.
    pub by: Vec<Detection>,
    /// The one technique that found it with any seed, when there is only one.
    pub only_by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detection {
    pub technique: String,
    /// Seeds with which it was found, and seeds there are records of.
    pub seeds: u64,
    pub of: u64,
    /// Events until the first finding that names it.
    pub events: Option<Spread>,
}

/// All techniques together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnionFigures {
    pub present: u64,
    /// Defects that some technique found, by seed, and with any seed.
    pub found: Option<Spread>,
    pub found_ever: u64,
    /// What the best single technique found, by seed, and how much more the union did.
    pub best: Option<Spread>,
    pub gain: Option<Spread>,
    /// The best single technique with all seeds together, and the defects it found with none of
    /// them and another did.
    pub best_technique: Option<String>,
    pub beyond_best: Vec<String>,
    /// Found by no technique with any seed.
    pub never: Vec<String>,
}

impl Figures {
    /// The figures of a plan as far as there are records.
    pub fn of(plan: &Plan, records: &[TrialRecord]) -> Self {
        let book = Book::of(plan, records);
        Self {
            droidmux: env!("CARGO_PKG_VERSION").to_owned(),
            max_events: plan.options.events,
            seeds: plan.options.seeds,
            apps: plan.apps.iter().map(|app| app.package().to_owned()).collect(),
            finished: records.len() as u64,
            trials: plan.trials.len() as u64,
            techniques: plan.contenders.iter().map(|c| book.technique(c.name, c.code)).collect(),
            defects: book.defects(),
            union: book.union(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defects::fixture::{plan, records};

    fn told(spread: Option<Spread>) -> String {
        spread.map_or_else(|| "none".into(), |s| format!("{} {} {}", s.median, s.least, s.most))
    }

    #[test]
    fn counts_are_sums_over_apps_and_spreads_over_seeds() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let [genie, odin, monkey, never] = figures.techniques.as_slice() else { panic!("four techniques") };
        assert_eq!((never.apps.len(), never.present, never.found), (0, 0, None));
        assert_eq!((genie.present, genie.finished, genie.found_ever), (7, 4, 3));
        let cases = [
            // Seed 1: the wrong picture and turning; seed 2: both of diary.
            ("found", genie.found, "2 2 2"),
            ("true", genie.confirmed.true_findings, "2 1 3"),
            ("false alarms", genie.confirmed.false_alarms, "1.5 1 2"),
            ("undecided", genie.confirmed.undecided, "0.5 0 1"),
            ("unconfirmed", genie.unconfirmed.findings, "1 0 2"),
            // 3 of 4 and 1 of 3.
            ("precision", genie.precision, "0.5416666666666666 0.3333333333333333 0.75"),
            // 410 and 12345 with seed 1, 500 twice with seed 2.
            ("first detection", genie.first_detection, "500 410 12345"),
            ("events", genie.events, "901.5 901 902"),
            ("found by odin", odin.found, "0.5 0 1"),
            ("precision of odin", odin.precision, "1 1 1"),
            ("found by monkey", monkey.found, "1.5 1 2"),
        ];
        for (what, spread, expected) in cases {
            assert_eq!(told(spread), expected, "{what}");
        }
    }

    #[test]
    fn defects_name_their_finders_and_the_union_its_gain() {
        let plan = plan();
        let figures = Figures::of(&plan, &records(&plan));
        let by = |id: &str| {
            let defect = figures.defects.iter().find(|defect| defect.id == id).expect("a defect");
            let found: Vec<u64> = defect.by.iter().map(|detection| detection.seeds).collect();
            (found, defect.only_by.clone())
        };
        let genie = Some("genie".to_owned());
        assert_eq!(by("diary.wrong-picture"), (vec![2, 0, 0], genie.clone()));
        assert_eq!(by("diary.unsaved-name"), (vec![1, 0, 0], genie.clone()), "unconfirmed do not count");
        assert_eq!(by("notes.rotate-edit"), (vec![1, 0, 2], None));
        assert_eq!(by("notes.same-title"), (vec![0, 0, 0], None));
        let union = &figures.union;
        assert_eq!((union.present, union.found_ever), (7, 4));
        // Seed 1: 2, of which genie finds 2; seed 2: 4, of which genie and monkey find 2 each.
        assert_eq!(told(union.found), "3 2 4");
        assert_eq!(told(union.best), "2 2 2");
        assert_eq!(told(union.gain), "1 0 2");
        assert_eq!(union.best_technique, genie);
        assert_eq!(union.beyond_best, ["notes.rotate-search"]);
        assert_eq!(union.never, ["notes.same-title", "notes.case-twin", "notes.question-mark"]);
    }

    #[test]
    fn no_records_give_no_figures() {
        let figures = Figures::of(&plan(), &[]);
        assert_eq!((figures.finished, figures.trials), (0, 12));
        assert!(figures.techniques.iter().all(|t| t.found.is_none() && t.precision.is_none()));
        assert_eq!(figures.union.never.len(), 7);
        assert_eq!(figures.union.best_technique, None);
    }
}
