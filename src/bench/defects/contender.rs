//! Contenders: what the bench runs, by name.

use super::specifications::specification;
use crate::record::{
    Configuration, GenieSettings, OdinSettings, PbfdroidSettings, RunSettings, ScreenPolicy,
    SessionDefinition, Technique,
};

/// A technique with settings, to be held against others.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// As it is asked for and listed.
    pub name: &'static str,
    /// Heads its column in tables: two letters at most.
    pub code: &'static str,
    /// The session for an app of this package; `None` when the technique cannot be applied to it,
    /// for want of a specification for one.
    pub definition: fn(&str) -> Option<SessionDefinition>,
}

/// All there are; a further one is one more entry.
pub const CONTENDERS: &[Contender] = &[
    Contender { name: "genie", code: "G", definition: |app| Some(session(Technique::Genie, app)) },
    Contender {
        name: "genie-dependent",
        code: "Gd",
        definition: |app| {
            let genie = GenieSettings { dependent_insertions: true, ..GenieSettings::default() };
            Some(SessionDefinition { genie, ..session(Technique::Genie, app) })
        },
    },
    Contender { name: "odin", code: "O", definition: |app| Some(session(Technique::Odin, app)) },
    Contender {
        name: "odin-uncalibrated",
        code: "Ou",
        definition: |app| {
            let odin = OdinSettings { calibrate: false, ..OdinSettings::default() };
            Some(SessionDefinition { odin, ..session(Technique::Odin, app) })
        },
    },
    Contender { name: "neutral", code: "N", definition: |app| Some(session(Technique::Neutral, app)) },
    Contender { name: "pbfdroid", code: "P", definition: |app| properties(app, Configuration::Full) },
    Contender { name: "pbfdroid-a", code: "Pa", definition: |app| properties(app, Configuration::A) },
    Contender { name: "pbfdroid-b", code: "Pb", definition: |app| properties(app, Configuration::B) },
    Contender { name: "monkey", code: "M", definition: |app| Some(session(Technique::Monkey, app)) },
    Contender { name: "randomtext", code: "R", definition: |app| Some(session(Technique::Randomtext, app)) },
    Contender {
        name: "inputblaster",
        code: "I",
        definition: |app| Some(session(Technique::Inputblaster, app)),
    },
    Contender {
        name: "visiondroid",
        code: "V",
        definition: |app| Some(session(Technique::Visiondroid, app)),
    },
];

/// Only run when they are named: what they look for is not what the other techniques look for.
const ON_REQUEST: [&str; 3] = ["randomtext", "inputblaster", "visiondroid"];

impl Contender {
    /// True when it runs where no techniques are named.
    pub fn is_default(&self) -> bool {
        !ON_REQUEST.contains(&self.name)
    }

    /// True when what it looks for is broken by unusual texts alone.
    pub fn is_of_texts(&self) -> bool {
        ["randomtext", "inputblaster"].contains(&self.name)
    }

    /// The contender of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        CONTENDERS.iter().find(|contender| contender.name == name)
    }
}

/// A session on the app's shipped specification.
fn properties(app: &str, configuration: Configuration) -> Option<SessionDefinition> {
    let specification = Some(specification(app)?);
    let pbfdroid = PbfdroidSettings { configuration, specification, ..PbfdroidSettings::default() };
    Some(SessionDefinition { pbfdroid, ..session(Technique::Pbfdroid, app) })
}

/// A session that knows nothing of its app but the package, as the ready session files.
fn session(technique: Technique, app: &str) -> SessionDefinition {
    // Nobody looks at screenshots here.
    let run = RunSettings { screens: ScreenPolicy::Never, ..RunSettings::default() };
    SessionDefinition { run, ..SessionDefinition::new(technique, app) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn contenders_can_be_told_apart() {
        let names: BTreeSet<&str> = CONTENDERS.iter().map(|c| c.name).collect();
        let codes: BTreeSet<&str> = CONTENDERS.iter().map(|c| c.code).collect();
        assert_eq!((names.len(), codes.len()), (CONTENDERS.len(), CONTENDERS.len()));
        assert!(codes.iter().all(|code| (1..=2).contains(&code.len())), "{codes:?}");
        let differ = |one: &Contender, other: &Contender| {
            (one.definition)("org.droidmux.notes") != (other.definition)("org.droidmux.notes")
        };
        for (number, one) in CONTENDERS.iter().enumerate() {
            assert!(CONTENDERS[number + 1..].iter().all(|other| differ(one, other)), "{}", one.name);
        }
    }
}
