//! The oracle of relations: runs them over every trace of a job.

use std::collections::{BTreeMap, BTreeSet};

use super::table::chosen;
use super::{Break, Relation, Said, Trail};
use crate::Oracle;
use crate::claims::Kind;
use crate::fidelity::fidelity;
use droidmux_record::{
    Broken, Evidence, Fidelity, Held, JobRun, Judgement, Layouts, Outcome, SessionDefinition, Verdict,
};

/// The name that its verdicts bear.
pub const ORACLE: &str = "relations";

/// Judges what every job shows, whatever it was planned for.
pub struct RelationOracle {
    relations: Vec<&'static Relation>,
}

/// The most broken relations kept of one test, and held cases of one job.
const MOST_BROKEN: usize = 50;
/// Counter-examples of one test to a claim that takes several screens to be broken.
const MOST_SCREENS: usize = 3;
const MOST_HELD: usize = 2_000;

impl RelationOracle {
    /// The relations that a session chose.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self { relations: chosen(definition.run.relations.as_deref()) }
    }
}

impl Oracle for RelationOracle {
    /// A violation for each relation that is broken, once for each key and test, or a few times where its claim is broken
    /// by several screens alone; and the cases in which claims held.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let mut judgement = Judgement::default();
        if self.relations.is_empty() {
            return judgement;
        }
        let traces = run.traces();
        let mut held = BTreeSet::new();
        for trail in Trail::all(run, layouts) {
            let Some(trace) = traces.get(usize::from(trail.test)) else { continue };
            let mut keys: BTreeMap<String, usize> = BTreeMap::new();
            for relation in &self.relations {
                for said in (relation.judge)(&trail) {
                    match said {
                        Said::Held(Held { relation, about, object }) if held.len() < MOST_HELD => {
                            held.insert((relation, about, object));
                        }
                        Said::Held(_) => {}
                        Said::Broken(broken) => {
                            let key = key(relation, &broken);
                            if keys.len() >= MOST_BROKEN && !keys.contains_key(&key) {
                                continue;
                            }
                            let screens = keys.entry(key.clone()).or_default();
                            *screens += 1;
                            if *screens <= most_screens(&broken) {
                                judgement.verdicts.extend(verdict(
                                    run,
                                    relation,
                                    *broken,
                                    key,
                                    &trail,
                                    fidelity(trace),
                                ));
                            }
                        }
                    }
                }
            }
        }
        let held = held.into_iter().map(|(relation, about, object)| Held { relation, about, object });
        judgement.held = held.collect();
        judgement
    }
}

/// How many counter-examples of one key a test can show.
fn most_screens(broken: &Break) -> usize {
    let able = broken.claim.as_ref().is_some_and(|claim| Kind::of(claim) == Kind::Ability);
    if able { MOST_SCREENS } else { 1 }
}

/// Relation, page, list, kind of event and what came of it.
fn key(relation: &Relation, broken: &Break) -> String {
    let Break { page, list, event, what, .. } = broken;
    format!("{}\n{page}\n{list}\n{}\n{what}", relation.name, event.name())
}

fn verdict(
    run: &JobRun,
    relation: &Relation,
    broken: Break,
    key: String,
    trail: &Trail<'_>,
    fidelity: Fidelity,
) -> Option<Verdict> {
    let cluster = broken.cause.cluster(relation.name, &broken);
    let (earlier, later) = (trail.shot(broken.shots.0)?, trail.shot(broken.shots.1)?);
    let evidence = Broken {
        relation: relation.name.to_owned(),
        expected: broken.expected,
        found: broken.found,
        turns: (earlier.turn, later.turn),
        layouts: (earlier.seen.screen.layout, later.seen.screen.layout),
        widgets: broken.widgets,
        claim: broken.claim,
        slight: broken.slight,
    };
    Some(Verdict {
        key,
        title: broken.sentence,
        fidelity,
        evidence: Evidence::Broken(Box::new(evidence)),
        harm: broken.harm,
        cluster,
        ..Verdict::new(run.job.slot, trail.test, ORACLE, Outcome::Violation)
    })
}
