//! What real apps show with all defects off, and what was found of each kind of defect: for the figures of real apps.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::figures::DefectFigures;
use super::judgements::Judged;
use super::{Plan, Scope, TrialRecord};
use droidmux_record::Tier;

/// A line that sessions report on an app with all defects off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "own-line"))]
pub struct OwnLine {
    /// The app's package.
    pub app: String,
    /// Its name in lists.
    pub name: String,
    /// The key of its findings.
    pub key: String,
    /// One line for a person.
    pub title: String,
    /// Who reports it.
    pub techniques: Vec<String>,
    /// In how many sessions.
    pub sessions: u64,
    /// What somebody who read the app says of it; nothing when nobody has yet.
    pub judged: Option<Judged>,
    /// Why, if it is judged.
    pub reason: Option<String>,
}

/// A kind of defect in a group of apps, over all techniques and seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "kind"))]
pub struct KindFigures {
    /// Its name.
    pub kind: String,
    /// The group.
    pub scope: Scope,
    /// Defects of the kind.
    pub present: u64,
    /// Those that some session set off.
    pub set_off: u64,
    /// Those that a reported or suspicious finding names.
    pub found: u64,
}

/// The lines of a plan's real apps with all defects off, one for each key.
pub(super) fn lines(plan: &Plan, records: &[TrialRecord]) -> Vec<OwnLine> {
    let mut lines: BTreeMap<(usize, &str), (OwnLine, BTreeSet<&str>)> = BTreeMap::new();
    for record in records.iter().filter(|record| record.identity.correct) {
        let app = &record.identity.app;
        let Some((place, subject)) =
            plan.apps.iter().enumerate().find(|(_, subject)| subject.is_real() && subject.package() == app)
        else {
            continue;
        };
        let reported = record.findings.iter().filter(|f| f.tier == Tier::Reported && f.stands());
        for finding in reported {
            let (line, techniques) = lines.entry((place, finding.key.as_str())).or_insert_with(|| {
                let judgement = plan.judgements.of(app, &finding.key);
                let line = OwnLine {
                    app: app.clone(),
                    name: subject.name().to_owned(),
                    key: finding.key.clone(),
                    title: finding.title.clone(),
                    techniques: Vec::new(),
                    sessions: 0,
                    judged: judgement.map(|judgement| judgement.is),
                    reason: judgement.map(|judgement| judgement.reason.clone()),
                };
                (line, BTreeSet::new())
            });
            line.sessions += 1;
            techniques.insert(record.identity.technique.as_str());
        }
    }
    let named = |(line, techniques): (OwnLine, BTreeSet<&str>)| OwnLine {
        techniques: techniques.into_iter().map(str::to_owned).collect(),
        ..line
    };
    lines.into_values().map(named).collect()
}

/// What was set off and found of each kind, in each group that has it; nothing for simulated apps, whose kinds are few.
pub(super) fn kinds(plan: &Plan, defects: &[DefectFigures]) -> Vec<KindFigures> {
    let real: BTreeSet<&str> =
        plan.apps.iter().filter(|app| app.is_real()).map(super::Subject::package).collect();
    let of_real = || defects.iter().filter(|defect| real.contains(defect.app.as_str()));
    let kinds: BTreeSet<&str> = of_real().map(|defect| defect.kind.as_str()).collect();
    let mut figures = Vec::new();
    for kind in kinds {
        for scope in Scope::EACH {
            let of: Vec<&DefectFigures> =
                of_real().filter(|defect| defect.kind == kind && scope.takes(&defect.app)).collect();
            let count =
                |fits: fn(&DefectFigures) -> bool| of.iter().filter(|defect| fits(defect)).count() as u64;
            figures.push(KindFigures {
                kind: kind.to_owned(),
                scope,
                present: of.len() as u64,
                set_off: count(|defect| defect.by.iter().any(|by| by.set_off > 0 || by.seeds > 0)),
                found: count(|defect| defect.by.iter().any(|by| by.seeds > 0)),
            });
        }
    }
    figures.retain(|figures| figures.present > 0);
    figures
}
