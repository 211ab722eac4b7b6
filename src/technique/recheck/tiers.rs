//! The findings of a session as today's rules see them.
//!
//! In: a session's findings as they are stored and its finished jobs. Out: the findings with the evidence
//! that their oracles give today, in the tiers and clusters that follow.
//!
//! Invariants: what a device had to do is kept; what can be read off the recorded jobs is read again. Keys, places
//! and replays stay as they were.

use std::collections::BTreeMap;

use super::Recorded;
use crate::claims::{Claims, claim_of, counts_in};
use crate::{judge, retier};
use droidmux_record::{
    Bearing, Broken, Evidence, Experiment, ExperimentKind, Finding, FindingId, FindingState, Judgement,
    Outcome, Slot, Verdict,
};

/// All findings of a session as its oracles see them today, in the order people read them.
pub fn retiered(recorded: &Recorded<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let mut judgements: BTreeMap<Slot, Option<Judgement>> = BTreeMap::new();
    let rests = findings.iter().any(|finding| claim_of(&finding.verdict).is_some());
    let claims = rests.then(|| counted(recorded));
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .map(|finding| {
            let judgement = judgements.entry(finding.verdict.slot).or_insert_with_key(|slot| {
                let run = recorded.runs.run(*slot)?;
                Some(judge(&run, recorded.definition, recorded.edits, recorded.layouts))
            });
            let verdict = match judgement {
                Some(judgement) if is_judged(&finding.verdict, recorded) => {
                    rejudged(&finding.verdict, judgement)
                }
                Some(_) => finding.verdict.clone(),
                None => finding.verdict.clone(),
            };
            let mut verdict = verdict;
            if let Some(claims) = &claims {
                claims.told_on(&mut verdict);
            }
            // A person's word is kept beside the finding and stands above this in any case.
            let mut finding = Finding { verdict, state: FindingState::New, note: String::new(), ..finding };
            retier(&mut finding);
            finding
        })
        .collect();
    arrange(&mut findings);
    findings
}

/// What the whole session shows of the claims that findings rest on.
fn counted(recorded: &Recorded<'_>) -> Claims {
    let mut claims = Claims::default();
    let runs = recorded.runs.slots().into_iter().filter_map(|slot| recorded.runs.run(slot));
    for run in runs.filter(|run| counts_in(&run.job.work)) {
        claims.count(&judge(&run, recorded.definition, recorded.edits, recorded.layouts));
    }
    claims
}

/// False for what a relation said that is not asked now, or whose screens are not stored any more: its silence means nothing.
fn is_judged(known: &Verdict, recorded: &Recorded<'_>) -> bool {
    let Some(broken) = broken_of(known) else { return true };
    let chosen = recorded.definition.run.relations.as_ref();
    let is_asked = chosen.is_none_or(|names| names.contains(&broken.relation));
    let (earlier, later) = broken.layouts;
    is_asked && [earlier, later].into_iter().all(|hash| recorded.layouts.layout(hash).is_some())
}

fn broken_of(verdict: &Verdict) -> Option<&Broken> {
    match &verdict.evidence {
        Evidence::Broken(broken) => Some(broken),
        _ => None,
    }
}

/// A verdict with what the oracle that gave it says of the same test now: the same relation, where it is one's.
fn rejudged(known: &Verdict, said: &Judgement) -> Verdict {
    let relation = broken_of(known).map(|broken| broken.relation.as_str());
    let same = |verdict: &&Verdict| {
        verdict.oracle == known.oracle
            && verdict.test == known.test
            && broken_of(verdict).map(|broken| broken.relation.as_str()) == relation
    };
    let of_test: Vec<&Verdict> = said.verdicts.iter().filter(same).collect();
    let violations = || of_test.iter().filter(|verdict| verdict.outcome == Outcome::Violation);
    let only = if violations().count() == 1 { violations().next() } else { None };
    if let Some(now) = violations().find(|verdict| verdict.key == known.key).or(only) {
        let kept = known.experiments.iter().filter(|experiment| experiment.kind.needs_device());
        let mut experiments = now.experiments.clone();
        let news: Vec<Experiment> = kept.filter(|one| !experiments.contains(one)).cloned().collect();
        experiments.extend(news);
        let key = known.key.clone();
        return Verdict { key, slot: known.slot, experiments, ..(**now).clone() };
    }
    let why = match (of_test.first(), relation) {
        _ if violations().next().is_some() => return known.clone(),
        (Some(silent), _) => silent.outcome.why().map_or(String::new(), |why| format!(": {why}")),
        // A relation says nothing of what it finds in order.
        (None, Some(name)) => format!(": the relation `{name}` holds"),
        (None, None) => return known.clone(),
    };
    let mut verdict = known.clone();
    verdict.experiments.retain(|experiment| experiment.kind != ExperimentKind::Rejudged);
    verdict.experiments.push(Experiment {
        kind: ExperimentKind::Rejudged,
        bearing: Bearing::Excuses,
        words: format!("{}, asked again, does not object to the recorded test{why}", known.oracle),
        places: Vec::new(),
    });
    verdict
}

/// Ranks findings by tier, harm and the order they had, and groups those of one cluster.
fn arrange(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| {
        let confirmed = !finding.confirmation.is_confirmed();
        (finding.tier, finding.verdict.harm, confirmed, finding.rank)
    });
    let mut stands: BTreeMap<Name, FindingId> = BTreeMap::new();
    for (finding, rank) in findings.iter_mut().zip(1..) {
        finding.rank = rank;
        let own = Some(finding.verdict.cluster.clone()).filter(|name| !name.is_empty()).map(Name::Cluster);
        let names = [own, Some(Name::Stored(finding.cluster.clone()))].into_iter().flatten();
        let known = names.clone().find_map(|name| stands.get(&name).cloned());
        finding.cluster = known.unwrap_or_else(|| finding.id.clone());
        for name in names {
            stands.entry(name).or_insert_with(|| finding.cluster.clone());
        }
    }
}

/// What findings of one cluster have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// The cluster that their verdicts name.
    Cluster(String),
    /// The finding that stood for them: their shrunk tests may have been alike.
    Stored(FindingId),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use droidmux_record::{Harm, Tier};

    fn experiment(kind: ExperimentKind, bearing: Bearing) -> Experiment {
        Experiment { kind, bearing, words: format!("{kind:?}"), places: Vec::new() }
    }

    #[test]
    fn what_an_oracle_says_today_takes_the_place_of_what_it_said() {
        use Bearing::{Accuses, Excuses};
        use ExperimentKind::{ObjectPermutation, OwnObject, PageIdentity, Rejudged};
        let known = Verdict {
            experiments: vec![experiment(OwnObject, Excuses), experiment(ObjectPermutation, Accuses)],
            ..samples::violation("k")
        };
        let now = |key: &str| Verdict {
            experiments: vec![experiment(PageIdentity, Excuses)],
            harm: Harm::LostData,
            title: "a sentence".into(),
            ..samples::violation(key)
        };
        let outcome = |outcome| Verdict { outcome, key: String::new(), ..samples::violation("") };
        let other = |verdict: Verdict| Verdict { oracle: "odin".into(), ..verdict };
        // what is said today; the kinds of experiments afterwards, and whether the sentence is today's
        for (said, kinds, renewed) in [
            (vec![now("k")], vec![PageIdentity, ObjectPermutation], true),
            (vec![now("another")], vec![PageIdentity, ObjectPermutation], true),
            (vec![now("x"), now("k")], vec![PageIdentity, ObjectPermutation], true),
            (vec![now("x"), now("y")], vec![OwnObject, ObjectPermutation], false),
            (vec![outcome(Outcome::Pass)], vec![OwnObject, ObjectPermutation, Rejudged], false),
            (
                vec![outcome(Outcome::Inconclusive("another page".into()))],
                vec![OwnObject, ObjectPermutation, Rejudged],
                false,
            ),
            (vec![other(now("k"))], vec![OwnObject, ObjectPermutation], false),
            (vec![], vec![OwnObject, ObjectPermutation], false),
        ] {
            let judgement = Judgement { verdicts: said.clone(), ..Judgement::default() };
            let verdict = rejudged(&known, &judgement);
            let told: Vec<ExperimentKind> = verdict.experiments.iter().map(|one| one.kind).collect();
            assert_eq!((told, verdict.title == "a sentence"), (kinds, renewed), "{said:?}");
            assert_eq!(verdict.key, "k");
            assert_eq!(rejudged(&verdict, &judgement), verdict, "the second time nothing changes");
        }
    }

    #[test]
    fn a_relation_that_holds_today_explains_what_it_said() {
        let broken = |relation: &str, key: &str| Verdict {
            oracle: "relations".into(),
            evidence: Evidence::Broken(Box::new(Broken { relation: relation.into(), ..samples::broken() })),
            ..samples::violation(key)
        };
        let known = broken("undo", "k");
        // What is said of the test today, and whether the finding stands.
        let cases = [
            (vec![broken("undo", "k")], true),
            (vec![broken("undo", "other")], true),
            (vec![broken("search", "k")], false),
            (vec![], false),
        ];
        for (said, stands) in cases {
            let said = Judgement { verdicts: said, ..Judgement::default() };
            let verdict = rejudged(&known, &said);
            let excuse = verdict.experiments.iter().find(|tried| tried.kind == ExperimentKind::Rejudged);
            assert_eq!(excuse.is_none(), stands, "{said:?}");
            assert_eq!(verdict.evidence, known.evidence, "what was recorded is kept");
            let again = Judgement { verdicts: vec![known.clone()], ..Judgement::default() };
            assert_eq!(rejudged(&verdict, &again), known, "the next recheck takes it back");
            let words =
                "relations, asked again, does not object to the recorded test: the relation `undo` holds";
            assert!(excuse.is_none_or(|excuse| excuse.words == words), "{excuse:?}");
        }
    }

    #[test]
    fn the_first_of_a_cluster_stands_for_it() {
        let finding = |key: &str, cluster: &str, tier, rank| {
            let verdict = Verdict { cluster: cluster.into(), ..samples::violation(key) };
            Finding { tier, rank, ..samples::finding(verdict) }
        };
        let mut findings = vec![
            finding("a", "x", Tier::Explained, 1),
            finding("b", "x", Tier::Reported, 3),
            finding("c", "", Tier::Reported, 2),
        ];
        findings[2].cluster = findings[0].id.clone();
        arrange(&mut findings);
        let told: Vec<(&str, u32)> = findings.iter().map(|f| (f.verdict.key.as_str(), f.rank)).collect();
        assert_eq!(told, [("c", 1), ("b", 2), ("a", 3)]);
        let stands: Vec<&FindingId> = findings.iter().map(|finding| &finding.cluster).collect();
        let (c, b) = (&findings[0].id, &findings[1].id);
        assert_eq!(stands, [c, b, b], "what stood with it stands with it, unless its cluster is another's");
    }
}
