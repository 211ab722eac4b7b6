//! What oracles said about a session later, in words and as JSON.

use std::collections::BTreeMap;

use super::moved::Moved;
use super::report_json::{RecheckJson, ReportJson, ReportVaries};
use droidmux_lab::triage;
use droidmux_record::{Finding, Objection, Recheck, RecheckOracle, SessionId, Tier, TracePlace};
use droidmux_store::{Store, StoreError};
use droidmux_technique::recheck::{agreeing, finding_places};
use droidmux_technique::tier_of_verdict;
use droidmux_words::printable;

/// The most violations listed in words for one oracle; JSON has all.
const TOLD: usize = 100;

/// The most places listed in words for one violation.
const PLACES: usize = 3;

pub(super) struct Report {
    session: SessionId,
    app: String,
    rechecks: Vec<Recheck>,
    /// The findings of the session with the places they refer to.
    findings: Vec<(Finding, Vec<TracePlace>)>,
}

impl Report {
    /// Reads the rechecks by these oracles, and the findings they may agree with.
    pub(super) fn read(
        store: &Store,
        session: SessionId,
        oracles: &[RecheckOracle],
    ) -> Result<Self, StoreError> {
        let app = store.session(session)?.map(|record| record.definition.app).unwrap_or_default();
        let mut rechecks = store.rechecks(session)?;
        rechecks.retain(|recheck| oracles.contains(&recheck.oracle));
        let mut findings = Vec::new();
        for finding in triage::findings(store, Some(session))? {
            let run = store.run(session, finding.verdict.slot)?;
            let places = finding_places(&finding, run.as_ref());
            findings.push((finding, places));
        }
        Ok(Self { session, app, rechecks, findings })
    }

    /// True when an oracle objects to something that is worth a report.
    pub(super) fn has_reported(&self) -> bool {
        let mut violations = self.rechecks.iter().flat_map(|recheck| &recheck.violations);
        violations.any(|objection| tier_of_verdict(&objection.verdict).0 == Tier::Reported)
    }

    /// The findings of the session that a violation agrees with.
    fn agrees_with(&self, objection: &Objection) -> Vec<String> {
        let agrees = |(finding, places): &&(Finding, Vec<TracePlace>)| {
            !agreeing(finding, places, [objection]).is_empty()
        };
        self.findings.iter().filter(agrees).map(|(finding, _)| finding.id.to_string()).collect()
    }

    pub(super) fn json<'a>(&'a self, moved: &'a Moved) -> ReportJson<'a> {
        let agrees_with = |objection: &Objection| self.agrees_with(objection);
        ReportJson {
            app: &self.app,
            tiers: moved.json(),
            rechecks: self.rechecks.iter().map(|recheck| RecheckJson::of(recheck, &agrees_with)).collect(),
            t: ReportVaries { session: self.session.to_string() },
        }
    }

    pub(super) fn words(&self) -> String {
        let mut lines = Vec::new();
        for recheck in &self.rechecks {
            let (name, count) = (recheck.oracle.name(), recheck.violations.len());
            let keys: std::collections::BTreeSet<&str> =
                recheck.violations.iter().map(|objection| objection.verdict.key.as_str()).collect();
            lines.push(format!(
                "{name} on {} {}: {} {} judged, {count} violations ({} different)",
                self.session,
                self.app,
                recheck.judged,
                recheck.unit,
                keys.len()
            ));
            lines.extend(recheck.unjudged.iter().map(|(why, count)| format!("  not judged: {count}, {why}")));
            // Each different violation once, in the order of the traces.
            let mut told: BTreeMap<&str, u64> = BTreeMap::new();
            for objection in &recheck.violations {
                *told.entry(&objection.verdict.key).or_default() += 1;
            }
            let mut shown = 0;
            for objection in &recheck.violations {
                let Some(times) = told.remove(objection.verdict.key.as_str()) else { continue };
                shown += 1;
                if shown <= TOLD {
                    lines.push(self.violation_line(objection, times));
                }
            }
            if shown > TOLD {
                lines.push(format!("  and {} more; --json has all", shown - TOLD));
            }
        }
        lines.iter().map(|line| printable(line).into_owned() + "\n").collect()
    }

    fn violation_line(&self, objection: &Objection, times: u64) -> String {
        let verdict = &objection.verdict;
        let places: Vec<String> = objection.places.iter().take(PLACES).map(place_words).collect();
        let more = if objection.places.len() > PLACES { ", …" } else { "" };
        let (tier, because) = tier_of_verdict(verdict);
        let tier = format!("  [{}: {because}]", tier.name());
        let agrees = self.agrees_with(objection);
        let agrees =
            if agrees.is_empty() { String::new() } else { format!("  agrees with {}", agrees.join(", ")) };
        let times = if times == 1 { String::new() } else { format!("{times} times, first ") };
        format!("  {times}in {}{more}: {}{tier}{agrees}", places.join(", "), verdict.title)
    }
}

fn place_words(place: &TracePlace) -> String {
    let step = place.step.map(|step| format!(" step {step}")).unwrap_or_default();
    format!("{} test {}{step}", place.slot, place.test)
}
