//! Contenders: what the bench runs, by name.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::specifications::specification;
use droidmux_record::{RunSettings, ScreenPolicy, SessionDefinition, SettingsContent, Technique};
use droidmux_technique as technique;
use droidmux_technique::reader::ReaderSettings;
use droidmux_technique::{Configuration, GenieSettings, OdinSettings, PbfdroidSettings};

/// A technique with settings, to be compared with others.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in options and lists.
    pub name: &'static str,
    /// Heads its column in tables: a few letters.
    pub code: Cow<'static, str>,
    /// True when it needs a person who has specified the functions of the app.
    pub specified: bool,
    making: Making,
}

/// How the session of a contender is made.
#[derive(Clone, Copy, Debug)]
enum Making {
    /// For an app of this package; `None` when the technique cannot be applied to it, for lack of a specification.
    Own(fn(&str) -> Option<SessionDefinition>),
    /// The technique of the contender's name, with its defaults.
    Technique,
}

/// Those with settings or a code of their own; every other technique of the table of techniques is one, too.
const CONTENDERS: &[Contender] = &[
    Contender::own("genie", "G", |app| Some(session(Technique::Genie, app))),
    Contender::own("genie-dependent", "Gd", |app| {
        Some(with(
            Technique::Genie,
            app,
            &GenieSettings { dependent_insertions: true, ..GenieSettings::default() },
        ))
    }),
    Contender::own("odin", "O", |app| Some(session(Technique::Odin, app))),
    Contender::own("odin-uncalibrated", "Ou", |app| {
        Some(with(Technique::Odin, app, &OdinSettings { calibrate: false, ..OdinSettings::default() }))
    }),
    Contender::of_specification("pbfdroid", "P", |app| properties(app, Configuration::Full)),
    Contender::of_specification("pbfdroid-a", "Pa", |app| properties(app, Configuration::A)),
    Contender::of_specification("pbfdroid-b", "Pb", |app| properties(app, Configuration::B)),
    Contender::own("monkey", "M", |app| Some(session(Technique::Monkey, app))),
    Contender::own("randomtext", "R", |app| Some(session(Technique::Randomtext, app))),
    Contender::own("inputblaster", "I", |app| Some(session(Technique::Inputblaster, app))),
    Contender::own("visiondroid", "V", |app| Some(session(Technique::Visiondroid, app))),
    // Random events, read at the end: by the reader alone, and with the relations, on which the reviewer gives its
    // opinion, too.
    Contender::own("reader", "Rd", |app| Some(read(app, Some(Vec::new())))),
    Contender::own("reader-relations", "Rr", |app| Some(read(app, None))),
];

/// Only run when they are named: they look for other things than the other techniques do.
const ON_REQUEST: [&str; 5] = ["randomtext", "inputblaster", "visiondroid", "reader", "reader-relations"];

impl Contender {
    const fn own(
        name: &'static str,
        code: &'static str,
        make: fn(&str) -> Option<SessionDefinition>,
    ) -> Self {
        Self { name, code: Cow::Borrowed(code), specified: false, making: Making::Own(make) }
    }

    const fn of_specification(
        name: &'static str,
        code: &'static str,
        make: fn(&str) -> Option<SessionDefinition>,
    ) -> Self {
        Self { name, code: Cow::Borrowed(code), specified: true, making: Making::Own(make) }
    }

    /// All of them: those with settings of their own, then each other technique by its name in the table of techniques,
    /// including those registered from outside.
    pub fn all() -> Vec<Self> {
        with_techniques(&technique::names())
    }

    /// The session for an app of this package; `None` when the technique cannot be applied to it.
    pub fn definition(&self, app: &str) -> Option<SessionDefinition> {
        match self.making {
            Making::Own(make) => make(app),
            Making::Technique => Some(session(self.name.parse().ok()?, app)),
        }
    }

    /// True when it runs even if no techniques are named.
    pub fn is_default(&self) -> bool {
        !ON_REQUEST.contains(&self.name)
    }

    /// True when what it looks for can only be broken by unusual texts.
    pub fn is_of_texts(&self) -> bool {
        ["randomtext", "inputblaster"].contains(&self.name)
    }

    /// For tests: one that can be applied to no app.
    #[cfg(test)]
    pub(super) fn never() -> Self {
        Self::own("never", "Nv", |_| None)
    }
}

fn with_techniques(names: &[&'static str]) -> Vec<Contender> {
    let mut all = CONTENDERS.to_vec();
    for name in names {
        if all.iter().all(|known| known.name != *name) {
            let code = Cow::Owned(code_of(name, &all));
            all.push(Contender { name, code, specified: false, making: Making::Technique });
        }
    }
    all
}

/// The first letter of a name, plus the first of the other letters that makes it unique.
fn code_of(name: &str, taken: &[Contender]) -> String {
    let taken: BTreeSet<&str> = taken.iter().map(|contender| contender.code.as_ref()).collect();
    let first = name.chars().next().map(|letter| letter.to_ascii_uppercase()).unwrap_or_default().to_string();
    let longer =
        name.chars().skip(1).filter(char::is_ascii_alphanumeric).map(|letter| format!("{first}{letter}"));
    std::iter::once(first.clone())
        .chain(longer)
        .find(|code| !taken.contains(code.as_str()))
        .unwrap_or_else(|| name.to_owned())
}

/// A session with the app's shipped specification.
fn properties(app: &str, configuration: Configuration) -> Option<SessionDefinition> {
    let specification = Some(specification(app)?);
    let settings = PbfdroidSettings { configuration, specification, ..PbfdroidSettings::default() };
    Some(with(Technique::Pbfdroid, app, &settings))
}

/// A session with settings of the technique's own.
fn with(technique: Technique, app: &str, settings: &impl SettingsContent) -> SessionDefinition {
    let mut definition = session(technique, app);
    definition.settings.put(settings);
    definition
}

/// Random events that are judged by these relations and read at the end.
fn read(app: &str, relations: Option<Vec<String>>) -> SessionDefinition {
    let mut definition = with(Technique::Monkey, app, &ReaderSettings { every: 100, ..Default::default() });
    definition.run.relations = relations;
    definition
}

/// A session that knows nothing about its app except the package, like the ready-made session files.
fn session(technique: Technique, app: &str) -> SessionDefinition {
    // Nobody looks at screenshots here but relations that judge a replay.
    let run = RunSettings { screens: ScreenPolicy::Verdicts, ..RunSettings::default() };
    SessionDefinition { run, ..SessionDefinition::new(technique, app) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_can_be_told_apart() {
        let all = Contender::all();
        let names: BTreeSet<&str> = all.iter().map(|c| c.name).collect();
        let codes: BTreeSet<&str> = all.iter().map(|c| c.code.as_ref()).collect();
        assert_eq!((names.len(), codes.len()), (all.len(), all.len()));
        assert!(codes.iter().all(|code| (1..=2).contains(&code.len())), "{codes:?}");
        let differ = |one: &Contender, other: &Contender| {
            one.definition("org.droidmux.notes") != other.definition("org.droidmux.notes")
        };
        for (number, one) in all.iter().enumerate() {
            assert!(all[number + 1..].iter().all(|other| differ(one, other)), "{}", one.name);
        }
    }

    #[test]
    fn every_technique_is_a_contender() {
        for name in technique::names() {
            assert!(Contender::all().iter().any(|contender| contender.name == name), "{name}");
        }
        let all = with_techniques(&["genie", "mimic", "music", "turns"]);
        let added: Vec<(&str, &str)> =
            all[CONTENDERS.len()..].iter().map(|c| (c.name, c.code.as_ref())).collect();
        assert_eq!(added, [("mimic", "Mi"), ("music", "Mu"), ("turns", "T")]);
        let turns = all.last().and_then(|contender| contender.definition("a.b")).expect("a session");
        assert_eq!((turns.technique.name(), turns.app.as_str()), ("turns", "a.b"));
    }
}
