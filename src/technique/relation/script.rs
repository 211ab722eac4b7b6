//! For tests: what relations say of a trace that was written down in a few lines.

use std::collections::BTreeSet;
use std::ops::Deref;

use super::{Break, Relation, Said, Trail};
use crate::claims::Kind;
use droidmux_record::Held;

/// A trace and its layouts, as `droidmux_testutils::script` writes them.
pub struct Script(droidmux_testutils::script::Script);

impl Deref for Script {
    type Target = droidmux_testutils::script::Script;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Script {
    pub fn read(text: &str) -> Self {
        Self(droidmux_testutils::script::Script::read(text))
    }

    /// All that a relation says of it.
    pub fn said(&self, relation: &Relation) -> Vec<Said> {
        Trail::all(&self.run, &self.layouts).iter().flat_map(|trail| (relation.judge)(trail)).collect()
    }

    /// What is broken, whatever support its claim has.
    pub fn broken(&self, relation: &Relation) -> Vec<Break> {
        let broken = |said| match said {
            Said::Broken(broken) => Some(*broken),
            Said::Held(_) => None,
        };
        self.said(relation).into_iter().filter_map(broken).collect()
    }

    /// The cases in which its claims held.
    pub fn held(&self, relation: &Relation) -> Vec<Held> {
        let held = |said| match said {
            Said::Held(held) => Some(held),
            Said::Broken(_) => None,
        };
        self.said(relation).into_iter().filter_map(held).collect()
    }
}

/// Checks a table: each case has a name, a trace, and the sentence that its relation says of it first; an innocent
/// one has none. A counter-example of a claim counts where the trace itself supports the claim.
pub fn check<T: AsRef<str>>(relation: &Relation, cases: &[(&str, T, &str)]) {
    check_by(relation, cases, sentence);
}

/// Checks a table as [`check`] does for claims that one trace cannot support: all counter-examples count.
pub fn check_each<T: AsRef<str>>(relation: &Relation, cases: &[(&str, T, &str)]) {
    check_by(relation, cases, |one, _| match one {
        Said::Broken(broken) => Some(broken.sentence.as_str()),
        Said::Held(_) => None,
    });
}

fn check_by<T: AsRef<str>>(
    relation: &Relation,
    cases: &[(&str, T, &str)],
    sentence: for<'s> fn(&'s Said, &[Said]) -> Option<&'s str>,
) {
    let mut wrong = Vec::new();
    for (name, text, expected) in cases {
        let said = Script::read(text.as_ref()).said(relation);
        let counts: Vec<&str> = said.iter().filter_map(|one| sentence(one, &said)).collect();
        if counts.first().copied().unwrap_or_default() != *expected {
            wrong.push(format!("{name}: {counts:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let broken = cases.iter().filter(|(_, _, expected)| !expected.is_empty()).count();
    assert!(broken >= 10 && cases.len() - broken >= 10, "{broken} broken of {}", cases.len());
}

/// What a break says when its claim is supported by all that was said: one trace that was written down need show half
/// of the cases that a session must.
fn sentence<'s>(one: &'s Said, all: &[Said]) -> Option<&'s str> {
    let Said::Broken(broken) = one else { return None };
    let Some(claim) = &broken.claim else { return Some(&broken.sentence) };
    let held = all.iter().filter_map(|said| match said {
        Said::Held(held) if held.about == claim.about => Some(held.object),
        _ => None,
    });
    let held: Vec<u64> = held.collect();
    let against = |said: &&Said| matches!(said, Said::Broken(other) if other.claim.as_ref() == Some(claim));
    let failed = all.iter().filter(against).count();
    if Kind::of(claim) == Kind::Ability {
        return (held.is_empty() && failed >= claim.variety as usize).then_some(&broken.sentence);
    }
    let cases = held.len() + failed;
    let kinds: BTreeSet<&u64> = held.iter().collect();
    let supported = held.len() >= claim.needed.div_ceil(2) as usize
        && kinds.len() >= claim.variety as usize
        && held.len() * 100 >= cases * usize::from(claim.share);
    supported.then_some(&broken.sentence)
}
