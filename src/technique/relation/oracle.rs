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
            let (mut shown, fidelity) = (Shown::default(), fidelity(trace));
            let said = self
                .relations
                .iter()
                .flat_map(|relation| (relation.judge)(&trail).into_iter().map(move |said| (relation, said)));
            for (relation, said) in said {
                match said {
                    Said::Held(Held { relation, about, object }) if held.len() < MOST_HELD => {
                        held.insert((relation, about, object));
                    }
                    Said::Held(_) => {}
                    Said::Broken(broken) => {
                        let key = key(relation, &broken);
                        if shown.takes(&key, &broken) {
                            judgement.verdicts.extend(verdict(run, relation, *broken, key, &trail, fidelity));
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

/// The counter-examples that a test has shown, by key.
#[derive(Default)]
struct Shown(BTreeMap<String, usize>);

impl Shown {
    /// Whether one more is to be told.
    fn takes(&mut self, key: &str, broken: &Break) -> bool {
        if self.0.len() >= MOST_BROKEN && !self.0.contains_key(key) {
            return false;
        }
        let screens = self.0.entry(key.to_owned()).or_default();
        *screens += 1;
        *screens <= most_screens(broken)
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
