//! The figures of a bench, from the records of its trials.
//!
//! A *found* defect is one that a confirmed true finding names. Counts of a technique are sums over
//! the apps for each seed, told as median and spread over the seeds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::spread::Spread;
use super::{Plan, Ruling, TrialRecord};

/// All figures; its JSON is `docs/bench.schema.json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The version of droidmux.
    pub droidmux: String,
    /// Events of a session at most, and the number of RNG seeds.
    pub max_events: u64,
    pub seeds: u64,
    /// Packages.
    pub apps: Vec<String>,
    /// Trials there are records of, and all of the plan.
    pub finished: u64,
    pub trials: u64,
    pub techniques: Vec<TechniqueFigures>,
    pub defects: Vec<DefectFigures>,
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

/// The records sorted for counting.
struct Book<'a> {
    plan: &'a Plan,
    /// By technique.
    records: BTreeMap<&'a str, Vec<&'a TrialRecord>>,
    /// Events until a defect was found, by technique, defect and seed.
    found: BTreeMap<(&'a str, &'a str, u64), u64>,
}

impl<'a> Book<'a> {
    fn of(plan: &'a Plan, records: &'a [TrialRecord]) -> Self {
        let mut book = Self { plan, records: BTreeMap::new(), found: BTreeMap::new() };
        for record in records {
            let technique = record.identity.technique.as_str();
            book.records.entry(technique).or_default().push(record);
            for finding in record.findings.iter().filter(|finding| finding.confirmed) {
                let Ruling::True { defects, .. } = &finding.ruling else { continue };
                for defect in defects {
                    let place = (technique, defect.as_str(), record.identity.seed);
                    let first = book.found.entry(place).or_insert(finding.after);
                    *first = finding.after.min(*first);
                }
            }
        }
        book
    }

    fn records(&self, technique: &str) -> &[&'a TrialRecord] {
        self.records.get(technique).map_or(&[], Vec::as_slice)
    }

    /// Sums of a count over the records of each seed.
    fn by_seed(&self, technique: &str, count: impl Fn(&TrialRecord) -> u64) -> BTreeMap<u64, u64> {
        let mut sums = BTreeMap::new();
        for record in self.records(technique) {
            *sums.entry(record.identity.seed).or_insert(0) += count(record);
        }
        sums
    }

    /// The seeds a technique has records of.
    fn seeds(&self, technique: &str) -> BTreeSet<u64> {
        self.records(technique).iter().map(|record| record.identity.seed).collect()
    }

    /// The defects a technique found, with one seed or with any.
    fn found_by(&self, technique: &str, seed: Option<u64>) -> BTreeSet<&'a str> {
        let fits = |(by, _, with): &&(&str, &str, u64)| *by == technique && seed.is_none_or(|s| s == *with);
        self.found.keys().filter(fits).map(|(_, defect, _)| *defect).collect()
    }

    fn technique(&self, name: &str, code: &str) -> TechniqueFigures {
        let contender = self.plan.contenders.iter().find(|contender| contender.name == name);
        let apps: Vec<_> = contender.into_iter().flat_map(|c| self.plan.apps_of(c)).collect();
        let found = |seed: u64| self.found_by(name, Some(seed)).len() as u64;
        let first = self.found.iter().filter(|((by, _, _), _)| *by == name).map(|(_, events)| *events);
        let records = self.records(name);
        TechniqueFigures {
            technique: name.to_owned(),
            code: code.to_owned(),
            apps: apps.iter().map(|app| app.package().to_owned()).collect(),
            present: apps.iter().map(|app| app.defects().len() as u64).sum(),
            finished: records.len() as u64,
            found: Spread::of_counts(self.seeds(name).into_iter().map(found)),
            found_ever: self.found_by(name, None).len() as u64,
            confirmed: self.rulings(name, true),
            unconfirmed: self.rulings(name, false),
            precision: self.precision(name),
            first_detection: Spread::of_counts(first),
            events: Spread::of_counts(records.iter().map(|record| record.events)),
            seconds: Spread::of(records.iter().map(|record| record.seconds)),
        }
    }

    fn rulings(&self, technique: &str, confirmed: bool) -> Rulings {
        let count = |fits: fn(&Ruling) -> bool| {
            let sums = self.by_seed(technique, |record| {
                let findings = record.findings.iter().filter(|f| f.confirmed == confirmed);
                findings.filter(|f| fits(&f.ruling)).count() as u64
            });
            Spread::of_counts(sums.into_values())
        };
        Rulings {
            findings: count(|_| true),
            true_findings: count(is_true),
            false_alarms: count(|ruling| *ruling == Ruling::FalseAlarm),
            undecided: count(|ruling| matches!(ruling, Ruling::Undecided { .. })),
        }
    }

    /// By seed; seeds without a finding that is true or false are left out.
    fn precision(&self, technique: &str) -> Option<Spread> {
        let count = |fits: fn(&Ruling) -> bool| {
            self.by_seed(technique, |record| {
                record.findings.iter().filter(|f| f.confirmed && fits(&f.ruling)).count() as u64
            })
        };
        let (right, wrong) = (count(is_true), count(|ruling| *ruling == Ruling::FalseAlarm));
        let shares = right.into_iter().zip(wrong.into_values()).filter_map(|((_, right), wrong)| {
            (right + wrong > 0).then(|| right as f64 / (right + wrong) as f64)
        });
        Spread::of(shares)
    }

    fn defects(&self) -> Vec<DefectFigures> {
        let apps = self.plan.apps.iter();
        let all = apps.flat_map(|app| app.defects().iter().map(move |defect| (app, defect)));
        all.map(|(app, defect)| {
            let applies = |contender: &&&super::Contender| (contender.definition)(app.package()).is_some();
            let by: Vec<Detection> = (self.plan.contenders.iter().filter(applies))
                .map(|contender| self.detection(contender.name, app.package(), defect.id))
                .collect();
            let mut finders = by.iter().filter(|detection| detection.seeds > 0);
            let only_by = match (finders.next(), finders.next()) {
                (Some(only), None) => Some(only.technique.clone()),
                _ => None,
            };
            DefectFigures {
                id: defect.id.to_owned(),
                app: app.package().to_owned(),
                kind: defect.kind.name().to_owned(),
                by,
                only_by,
            }
        })
        .collect()
    }

    fn detection(&self, technique: &str, app: &str, defect: &str) -> Detection {
        let fits = |((by, what, _), _): &(&(&str, &str, u64), &u64)| *by == technique && *what == defect;
        let events: Vec<u64> = self.found.iter().filter(fits).map(|(_, events)| *events).collect();
        Detection {
            technique: technique.to_owned(),
            seeds: events.len() as u64,
            of: self.records(technique).iter().filter(|record| record.identity.app == app).count() as u64,
            events: Spread::of_counts(events),
        }
    }

    fn union(&self) -> UnionFigures {
        let techniques: Vec<&str> = self.plan.contenders.iter().map(|contender| contender.name).collect();
        let seeds: BTreeSet<u64> = techniques.iter().flat_map(|technique| self.seeds(technique)).collect();
        let together = |seed: Option<u64>| -> BTreeSet<&str> {
            techniques.iter().flat_map(|technique| self.found_by(technique, seed)).collect()
        };
        let best = |seed: Option<u64>| {
            techniques.iter().map(|technique| self.found_by(technique, seed).len()).max().unwrap_or(0)
        };
        let all = together(None);
        let ids: Vec<&str> = self.plan.apps.iter().flat_map(|app| app.defects()).map(|d| d.id).collect();
        // Of equals the first.
        let best_ever = techniques.iter().rev().max_by_key(|technique| self.found_by(technique, None).len());
        let best_found = best_ever.map(|technique| self.found_by(technique, None)).unwrap_or_default();
        let list = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
            ids.iter().filter(|id| fits(id)).map(|id| (*id).to_owned()).collect()
        };
        let by_seed =
            |count: &dyn Fn(u64) -> usize| Spread::of_counts(seeds.iter().map(|seed| count(*seed) as u64));
        UnionFigures {
            present: ids.len() as u64,
            found: by_seed(&|seed| together(Some(seed)).len()),
            found_ever: all.len() as u64,
            best: by_seed(&|seed| best(Some(seed))),
            gain: by_seed(&|seed| together(Some(seed)).len() - best(Some(seed))),
            best_technique: best_ever.filter(|_| !best_found.is_empty()).map(|name| (*name).to_owned()),
            beyond_best: list(&|id| all.contains(id) && !best_found.contains(id)),
            never: list(&|id| !all.contains(id)),
        }
    }
}

fn is_true(ruling: &Ruling) -> bool {
    matches!(ruling, Ruling::True { .. })
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
        let [genie, odin, monkey] = figures.techniques.as_slice() else { panic!("three techniques") };
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
