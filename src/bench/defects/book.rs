//! The records of a bench sorted for counting: which technique found, and triggered, which defect with which seed.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::{
    CorrectFigures, DefectFigures, Detection, ExplanationFigures, FalseReports, OracleFigures,
    ReviewerFigures, SetFigures, SetFinder, TechniqueFigures, UnionFigures, UnionScope,
};
use super::set::DefectSet;
use super::sheet::{Sheet, TIERS, Word};
use super::spread::Spread;
use super::{Contender, JudgedFinding, Plan, Ruling, Scope, TrialRecord};
use droidmux_record::Tier;

/// Records by technique, and what they found.
pub(super) struct Book<'a> {
    plan: &'a Plan,
    /// Trials with defects on, including those of apps without any, by technique.
    tried: BTreeMap<&'a str, Vec<Tried<'a>>>,
    /// Trials with all defects off, by technique and app.
    correct: BTreeMap<(&'a str, &'a str), Vec<&'a TrialRecord>>,
    /// Events until a defect was found, by technique, defect and seed.
    found: BTreeMap<(&'a str, &'a str, u64), u64>,
}

/// A trial, and the rulings on its findings that count, in order.
pub(super) struct Tried<'a> {
    pub record: &'a TrialRecord,
    pub words: Vec<Word<'a>>,
}

impl<'a> Tried<'a> {
    /// The findings with their rulings that count.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&'a JudgedFinding, Word<'a>)> {
        self.record.findings.iter().zip(self.words.iter().copied())
    }
}

impl<'a> Book<'a> {
    pub(super) fn of(plan: &'a Plan, records: &'a [TrialRecord]) -> Self {
        let refuted = refuted(records);
        let mut book =
            Self { plan, tried: BTreeMap::new(), correct: BTreeMap::new(), found: BTreeMap::new() };
        for record in records {
            let identity = &record.identity;
            let (technique, app) = (identity.technique.as_str(), identity.app.as_str());
            if identity.correct {
                book.correct.entry((technique, app)).or_default().push(record);
            }
            if identity.correct && !identity.present.is_empty() {
                continue;
            }
            let words = record.findings.iter().map(|finding| word(plan, app, finding, &refuted)).collect();
            let tried = Tried { record, words };
            for (finding, word) in tried.findings().filter(|(finding, _)| is_shown(finding)) {
                for defect in word.defects() {
                    let place = (technique, defect.as_str(), identity.seed);
                    let first = book.found.entry(place).or_insert(finding.after);
                    *first = finding.after.min(*first);
                }
            }
            book.tried.entry(technique).or_default().push(tried);
        }
        book
    }

    fn tried(&self, technique: &str) -> &[Tried<'a>] {
        self.tried.get(technique).map_or(&[], Vec::as_slice)
    }

    fn sheet(&self, technique: &str, scope: Scope) -> Sheet<'_, 'a> {
        let takes = |tried: &&Tried<'_>| scope.takes(&tried.record.identity.app);
        Sheet::of(self.tried(technique).iter().filter(takes).collect())
    }

    /// The defects a technique found, with one seed or with any.
    fn found_by(&self, technique: &str, seed: Option<u64>) -> BTreeSet<&'a str> {
        let fits = |(by, _, with): &&(&str, &str, u64)| *by == technique && seed.is_none_or(|s| s == *with);
        self.found.keys().filter(fits).map(|(_, defect, _)| *defect).collect()
    }

    /// The defects a technique triggered, with one seed or with any.
    fn set_off_by(&self, technique: &str, seed: Option<u64>) -> BTreeSet<&'a str> {
        let fits = |tried: &&Tried<'_>| seed.is_none_or(|seed| seed == tried.record.identity.seed);
        let tried = self.tried(technique).iter().filter(fits);
        tried.flat_map(|tried| tried.record.set_off.keys().map(String::as_str)).collect()
    }

    pub(super) fn technique(&self, contender: &Contender) -> TechniqueFigures {
        let name = contender.name;
        let first = self.found.iter().filter(|((by, _, _), _)| *by == name).map(|(_, events)| *events);
        let tried = self.tried(name);
        let scopes = Scope::EACH.into_iter().filter_map(|scope| {
            let apps: Vec<_> =
                self.plan.apps_of(contender).filter(|app| scope.takes(app.package())).collect();
            (!apps.is_empty()).then(|| self.sheet(name, scope).figures(scope, &apps))
        });
        TechniqueFigures {
            technique: name.to_owned(),
            code: contender.code.to_string(),
            specified: contender.specified,
            scopes: scopes.collect(),
            oracles: self.oracles(name),
            reviewer: reviewer(tried.iter().flat_map(|tried| &tried.record.findings)),
            first_detection: Spread::of_counts(first),
            events: Spread::of_counts(tried.iter().map(|tried| tried.record.events)),
            seconds: Spread::of(tried.iter().map(|tried| tried.record.seconds())),
        }
    }

    /// What keeps findings from being reported, by name. A defect counts as lost where no finding that names it is
    /// reported in any session.
    pub(super) fn explanations(&self) -> Vec<ExplanationFigures> {
        let mut by_name: BTreeMap<&str, ExplanationFigures> = BTreeMap::new();
        let all = || self.tried.values().flatten();
        let told = |tried: &Tried<'a>| tried.findings().collect::<Vec<_>>();
        let reported: BTreeSet<&str> = all()
            .flat_map(told)
            .filter(|(finding, _)| finding.tier == Tier::Reported)
            .flat_map(|(_, word)| word.defects().iter().map(String::as_str))
            .collect();
        for tried in all() {
            for (finding, word) in tried.findings() {
                let Some(name) = finding.held_back.as_deref() else { continue };
                let figures = by_name.entry(name).or_default();
                figures.all.add(word);
                if Scope::A.takes(&tried.record.identity.app) {
                    figures.a.add(word);
                }
                let lost = word.defects().iter().filter(|defect| !reported.contains(defect.as_str()));
                let lost: Vec<String> = lost.filter(|one| !figures.lost.contains(one)).cloned().collect();
                figures.lost.extend(lost);
            }
        }
        let off = self.correct.values().flatten().filter(|record| !record.identity.present.is_empty());
        for finding in off.flat_map(|record| &record.findings) {
            let Some(name) = finding.held_back.as_deref() else { continue };
            by_name.entry(name).or_default().off += 1;
        }
        let mut figures: Vec<ExplanationFigures> = by_name
            .into_iter()
            .map(|(name, figures)| ExplanationFigures { name: name.to_owned(), ..figures })
            .collect();
        figures.iter_mut().for_each(|figures| figures.lost.sort_unstable());
        figures.sort_by_key(|figures| (std::cmp::Reverse(figures.all.true_ones), figures.name.clone()));
        figures
    }

    fn oracles(&self, technique: &str) -> Vec<OracleFigures> {
        let sheet = self.sheet(technique, Scope::All);
        let is_of = |oracle: &str, finding: &JudgedFinding| finding.oracle == oracle && is_shown(finding);
        let figures = |oracle: &str| {
            let others = sheet.defects(None, |finding| finding.oracle != oracle && is_shown(finding));
            let found = sheet.defects(None, |finding| is_of(oracle, finding));
            let in_tier = |tier| sheet.findings(|f| f.oracle == oracle && f.tier == tier);
            OracleFigures {
                oracle: oracle.to_owned(),
                found: sheet.spread_of(|seed| sheet.defects(Some(seed), |f| is_of(oracle, f)).len()),
                found_ever: found.len() as u64,
                found_alone: self.listed(|id| found.contains(id) && !others.contains(id)),
                reported: in_tier(Tier::Reported),
                suspicious: in_tier(Tier::Suspicious),
            }
        };
        sheet.oracles().into_iter().map(figures).collect()
    }

    pub(super) fn defects(&self) -> Vec<DefectFigures> {
        let apps = self.plan.apps.iter();
        let all = apps.flat_map(|app| app.defects().iter().map(move |defect| (app, defect)));
        all.map(|(app, defect)| {
            let applies = |contender: &&Contender| contender.definition(app.package()).is_some();
            let by: Vec<Detection> = (self.plan.contenders.iter().filter(applies))
                .map(|contender| self.detection(contender.name, app.package(), &defect.id))
                .collect();
            let mut finders = by.iter().filter(|detection| detection.seeds > 0);
            let only_by = match (finders.next(), finders.next()) {
                (Some(only), None) => Some(only.technique.clone()),
                _ => None,
            };
            DefectFigures {
                id: defect.id.clone(),
                app: app.package().to_owned(),
                group: Scope::group_of(app.package()),
                kind: defect.kind.clone(),
                by,
                only_by,
            }
        })
        .collect()
    }

    fn detection(&self, technique: &str, app: &str, defect: &str) -> Detection {
        let fits = |((by, what, _), _): &(&(&str, &str, u64), &u64)| *by == technique && *what == defect;
        let events: Vec<u64> = self.found.iter().filter(fits).map(|(_, events)| *events).collect();
        let could = |tried: &&Tried<'_>| {
            let identity = &tried.record.identity;
            identity.app == app && identity.present.iter().any(|id| id == defect)
        };
        let of: Vec<&Tried<'_>> = self.tried(technique).iter().filter(could).collect();
        let set_off: Vec<u64> =
            of.iter().filter_map(|tried| tried.record.set_off.get(defect).copied()).collect();
        Detection {
            technique: technique.to_owned(),
            seeds: events.len() as u64,
            of: of.len() as u64,
            events: Spread::of_counts(events),
            set_off: set_off.len() as u64,
            set_off_events: Spread::of_counts(set_off),
        }
    }

    pub(super) fn correct(&self) -> Vec<CorrectFigures> {
        let of_app = |package: &str| {
            let by = self.plan.contenders.iter().filter_map(|contender| {
                let mut records = self.correct.get(&(contender.name, package))?.clone();
                records.sort_by_key(|record| record.identity.seed);
                let count = |fits: fn(&JudgedFinding) -> bool| -> Vec<u64> {
                    let in_one = |record: &&TrialRecord| record.findings.iter().filter(|f| fits(f)).count();
                    records.iter().map(|record| in_one(record) as u64).collect()
                };
                Some(FalseReports {
                    technique: contender.name.to_owned(),
                    seeds: records.iter().map(|record| record.identity.seed).collect(),
                    reported: count(|f| f.tier == Tier::Reported),
                    reported_clusters: count(|f| f.tier == Tier::Reported && f.stands()),
                    suspicious: count(|f| f.tier == Tier::Suspicious),
                })
            });
            CorrectFigures { app: package.to_owned(), group: Scope::group_of(package), by: by.collect() }
        };
        self.plan.apps.iter().map(|app| of_app(app.package())).collect()
    }

    /// What some techniques find together.
    pub(super) fn union(&self, of: &str, takes: impl Fn(&str) -> bool) -> UnionFigures {
        let names = self.plan.contenders.iter().map(|contender| contender.name);
        let techniques: Vec<&str> = names.filter(|name| takes(name)).collect();
        let found = self.together(&techniques, |technique| self.found_by(technique, None));
        let set_off = self.together(&techniques, |technique| self.set_off_by(technique, None));
        // In a tie, the first.
        let best = techniques.iter().rev().max_by_key(|technique| self.found_by(technique, None).len());
        let best_found = best.map(|technique| self.found_by(technique, None)).unwrap_or_default();
        UnionFigures {
            of: of.to_owned(),
            techniques: techniques.iter().map(|name| (*name).to_owned()).collect(),
            scopes: Scope::EACH.into_iter().map(|scope| self.union_on(scope, &techniques)).collect(),
            best_technique: best.filter(|_| !best_found.is_empty()).map(|name| (*name).to_owned()),
            beyond_best: self.listed(|id| found.contains(id) && !best_found.contains(id)),
            unseen: self.listed(|id| set_off.contains(id) && !found.contains(id)),
            unreached: self.listed(|id| !set_off.contains(id) && !found.contains(id)),
        }
    }

    /// What each technique, and all of them together, find of a set of defects.
    pub(super) fn set(&self, set: &DefectSet) -> SetFigures {
        let ids: BTreeSet<&str> = set.defects.iter().map(String::as_str).collect();
        let seeds: BTreeSet<u64> =
            self.tried.values().flatten().map(|tried| tried.record.identity.seed).collect();
        let names: Vec<&str> = self.plan.contenders.iter().map(|contender| contender.name).collect();
        let of = |techniques: &[&str], seed: Option<u64>| -> BTreeSet<&'a str> {
            let found = self.together(techniques, |technique| self.found_by(technique, seed));
            found.into_iter().filter(|id| ids.contains(id)).collect()
        };
        let figures = |name: &str, techniques: &[&str]| {
            let ever = of(techniques, None);
            SetFinder {
                of: name.to_owned(),
                found: Spread::of_counts(seeds.iter().map(|seed| of(techniques, Some(*seed)).len() as u64)),
                found_ever: self.listed(|id| ever.contains(id)),
            }
        };
        let together = figures("together", &names);
        let missed =
            self.listed(|id| ids.contains(id) && !together.found_ever.iter().any(|found| found == id));
        SetFigures {
            of: set.name.clone(),
            defects: self.listed(|id| ids.contains(id)),
            by: names.iter().map(|&name| figures(name, &[name])).collect(),
            together,
            missed,
        }
    }

    fn union_on(&self, scope: Scope, techniques: &[&str]) -> UnionScope {
        let apps = self.plan.apps.iter().filter(|app| scope.takes(app.package()));
        let ids: BTreeSet<&str> =
            apps.flat_map(|app| app.defects()).map(|defect| defect.id.as_str()).collect();
        let within = |found: BTreeSet<&'a str>| -> BTreeSet<&'a str> {
            found.into_iter().filter(|id| ids.contains(id)).collect()
        };
        let found = |seed| self.together(techniques, |technique| within(self.found_by(technique, seed)));
        let set_off = |seed| self.together(techniques, |technique| within(self.set_off_by(technique, seed)));
        let best = |seed| {
            techniques
                .iter()
                .map(|technique| within(self.found_by(technique, Some(seed))).len())
                .max()
                .unwrap_or(0)
        };
        let tried = techniques.iter().flat_map(|technique| self.tried(technique));
        let seeds: BTreeSet<u64> = tried.map(|tried| tried.record.identity.seed).collect();
        let spread =
            |count: &dyn Fn(u64) -> usize| Spread::of_counts(seeds.iter().map(|seed| count(*seed) as u64));
        UnionScope {
            scope,
            present: ids.len() as u64,
            found: spread(&|seed| found(Some(seed)).len()),
            found_ever: found(None).len() as u64,
            set_off: spread(&|seed| set_off(Some(seed)).len()),
            set_off_ever: set_off(None).len() as u64,
            best: spread(&best),
            gain: spread(&|seed| found(Some(seed)).len() - best(seed)),
        }
    }

    fn together(&self, techniques: &[&str], ids: impl Fn(&str) -> BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        techniques.iter().flat_map(|technique| ids(technique)).collect()
    }

    /// Those of the defects that fit, app by app.
    fn listed(&self, fits: impl Fn(&str) -> bool) -> Vec<String> {
        let ids = self.plan.apps.iter().flat_map(|app| app.defects()).map(|defect| defect.id.as_str());
        ids.filter(|id| fits(id)).map(str::to_owned).collect()
    }
}

/// Whether people see it without searching for it.
pub(super) fn is_shown(finding: &JudgedFinding) -> bool {
    TIERS.iter().take(2).any(|tier| *tier == finding.tier)
}

/// What at least one ruling calls a false alarm: app, key and recipe. A key alone says what was seen, not what was done to
/// see it: the same loss after other events may be another bug, or one where that was none.
type Refuted<'a> = BTreeSet<(&'a str, &'a str, Option<&'a str>)>;

fn refuted(records: &[TrialRecord]) -> Refuted<'_> {
    records.iter().flat_map(false_alarms).collect()
}

fn false_alarms(record: &TrialRecord) -> impl Iterator<Item = (&str, &str, Option<&str>)> {
    let alarms = record.findings.iter().filter(|finding| finding.ruling == Ruling::FalseAlarm);
    alarms.map(|finding| (record.identity.app.as_str(), finding.key.as_str(), finding.recipe.as_deref()))
}

/// The part of the ruling on a finding that counts: nothing if another ruling calls its key with its recipe a false alarm.
/// Where a recipe is not known, as in older records, the key alone tells.
fn word<'a>(plan: &Plan, app: &str, finding: &'a JudgedFinding, refuted: &Refuted<'_>) -> Word<'a> {
    let (key, recipe) = (finding.key.as_str(), finding.recipe.as_deref());
    let is_refuted = || {
        let same = refuted.range((app, key, None)..).take_while(|(of, alarm, _)| (*of, *alarm) == (app, key));
        same.into_iter().any(|(_, _, other)| recipe.is_none() || other.is_none() || *other == recipe)
    };
    match &finding.ruling {
        Ruling::FalseAlarm if plan.judgements.is_bug(app, &finding.key) => Word::Bug,
        Ruling::FalseAlarm => Word::False,
        Ruling::Undecided { .. } => Word::Undecided,
        Ruling::True { .. } if is_refuted() => Word::Undecided,
        Ruling::True { defects } => Word::True(defects),
    }
}

/// What second opinions changed about these findings.
fn reviewer<'f>(findings: impl Iterator<Item = &'f JudgedFinding>) -> Option<ReviewerFigures> {
    let mut figures = ReviewerFigures::default();
    for finding in findings.filter(|finding| finding.stands()) {
        let before = finding.opinion.map_or(finding.tier, |opinion| opinion.before);
        figures.opinions += u64::from(finding.opinion.is_some());
        let (was, is) = (before == Tier::Reported, finding.tier == Tier::Reported);
        if was {
            figures.before.count(&finding.ruling);
        }
        if is {
            figures.after.count(&finding.ruling);
        }
        match (was, is) {
            (false, true) => figures.promoted.count(&finding.ruling),
            (true, false) => figures.explained.count(&finding.ruling),
            _ => {}
        }
    }
    (figures.opinions > 0).then_some(figures)
}
