//! The records of a bench sorted for counting.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::{DefectFigures, Detection, Rulings, TechniqueFigures, UnionFigures};
use super::spread::Spread;
use super::{Contender, Plan, Ruling, TrialRecord};
use crate::gui::number;

/// Records by technique, and what they found.
pub(super) struct Book<'a> {
    plan: &'a Plan,
    /// By technique.
    records: BTreeMap<&'a str, Vec<&'a TrialRecord>>,
    /// Events until a defect was found, by technique, defect and seed.
    found: BTreeMap<(&'a str, &'a str, u64), u64>,
}

impl<'a> Book<'a> {
    pub(super) fn of(plan: &'a Plan, records: &'a [TrialRecord]) -> Self {
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

    pub(super) fn technique(&self, name: &str, code: &str) -> TechniqueFigures {
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
            seconds: Spread::of(records.iter().map(|record| record.seconds())),
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
        let pairs = right.into_values().zip(wrong.into_values()).filter(|(right, wrong)| right + wrong > 0);
        let shares = pairs.map(|(right, wrong)| number::share(right, right + wrong));
        Spread::of(shares)
    }

    pub(super) fn defects(&self) -> Vec<DefectFigures> {
        let apps = self.plan.apps.iter();
        let all = apps.flat_map(|app| app.defects().iter().map(move |defect| (app, defect)));
        all.map(|(app, defect)| {
            let applies = |contender: &&&Contender| (contender.definition)(app.package()).is_some();
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

    pub(super) fn union(&self) -> UnionFigures {
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
