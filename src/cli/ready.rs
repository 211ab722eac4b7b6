//! The ready sessions of the simulated apps, `cards-genie`: each app with the techniques that suit it.
//!
//! In: one example from `sessions/` for each technique, the simulated apps, and the specifications that ship with them.
//! Out: for each app and technique a session file, and the definition read from it.
//!
//! Invariant: a file in `sessions/` is the ready session of its name, except for the folder in its comment.

use std::io;
use std::path::Path;

use droidmux_bench::defects::ShippedSpecification;
use droidmux_gui::nearest;
use droidmux_record::SessionDefinition;
use droidmux_sim_apps as apps;

use super::session_file::parse_session;
use super::{SessionFileError, Usage};

/// A session file on one app, from which those on other apps are made.
struct Example {
    app: &'static str,
    technique: &'static str,
    text: &'static str,
    scope: Scope,
}

/// The apps for which an example stands.
enum Scope {
    /// All whose defects show by events.
    Functional,
    /// Those with a specification.
    Specified,
    /// These, by name: forms with many fields need more tries until something passes than others.
    Named(&'static [&'static str]),
}

macro_rules! example {
    ($app:literal, $technique:literal, $scope:expr) => {
        Example {
            app: $app,
            technique: $technique,
            text: include_str!(concat!("../../sessions/", $app, "-", $technique, ".toml")),
            scope: $scope,
        }
    };
}

const EXAMPLES: [Example; 8] = [
    example!("notes", "monkey", Scope::Functional),
    example!("files", "neutral", Scope::Functional),
    example!("diary", "genie", Scope::Functional),
    example!("notes", "odin", Scope::Functional),
    example!("diary", "visiondroid", Scope::Functional),
    example!("notes", "pbfdroid", Scope::Specified),
    example!("travel", "inputblaster", Scope::Named(&["calc", "health", "travel"])),
    example!("signup", "inputblaster", Scope::Named(&["import", "signup"])),
];

/// A session that can be run, or kept as a file.
#[derive(Debug)]
pub(super) struct ReadySession {
    /// `cards-genie`
    pub(super) name: String,
    /// The app's package, `org.droidmux.cards`.
    pub(super) package: String,
    /// The app's name under its icon.
    pub(super) label: String,
    pub(super) technique: &'static str,
    /// The session file.
    pub(super) text: String,
    /// The files that it names: their paths, from its own folder on, and their contents.
    pub(super) named: Vec<(String, &'static str)>,
}

impl ReadySession {
    /// All there are, in the order of their techniques' examples, then of the apps.
    pub(super) fn all() -> Vec<Self> {
        EXAMPLES.iter().flat_map(Example::sessions).collect()
    }

    /// The session with this name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub(super) fn find(name: &str) -> Result<Self, Usage> {
        let mut all = Self::all();
        if let Some(at) = all.iter().position(|session| session.name == name) {
            return Ok(all.swap_remove(at));
        }
        let near = nearest(name, all.iter().map(|session| session.name.as_str()));
        let hint = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        Err(Usage::new(format!("there is no ready session `{name}`{hint}"))
            .hint("`droidmux demo --list` lists them"))
    }

    /// The name of its file.
    pub(super) fn file_name(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// What `droidmux run` makes of the file.
    ///
    /// # Errors
    ///
    /// When something in it cannot be used.
    pub(super) fn definition(&self) -> Result<SessionDefinition, SessionFileError> {
        parse_session(Path::new(&self.file_name()), &self.text, &Default::default(), &|path| {
            let named = self.named.iter().find(|(named, _)| Path::new(named) == path);
            named.map(|(_, text)| (*text).to_owned()).ok_or_else(|| io::ErrorKind::NotFound.into())
        })
    }
}

impl Example {
    fn sessions(&self) -> impl Iterator<Item = ReadySession> + '_ {
        let apps = apps::functional().into_iter().chain(apps::forms());
        let functional = apps::functional().len();
        apps.enumerate().filter_map(move |(at, app)| {
            let name = app.package().rsplit('.').next()?;
            let specification = ShippedSpecification::of(app.package());
            let suits = match self.scope {
                Scope::Functional => at < functional,
                Scope::Specified => specification.is_some(),
                Scope::Named(names) => names.contains(&name),
            };
            suits.then(|| ReadySession {
                name: format!("{name}-{}", self.technique),
                package: app.package().to_owned(),
                label: app.label().to_owned(),
                technique: self.technique,
                text: self.text_for(name),
                named: match (&self.scope, specification) {
                    (Scope::Specified, Some(specification)) => named(name, specification),
                    _ => Vec::new(),
                },
            })
        })
    }

    /// The example with another app in the place of its own.
    fn text_for(&self, app: &str) -> String {
        // Wherever an example names its app, one of these comes before it. The file that is made lies in no folder yet.
        let places = [
            ("simulated app `", "simulated app `"),
            ("droidmux run sessions/", "droidmux run "),
            ("org.droidmux.", "org.droidmux."),
            ("specs/", "specs/"),
        ];
        places.iter().fold(self.text.to_owned(), |text, (before, then)| {
            text.replace(&format!("{before}{}", self.app), &format!("{then}{app}"))
        })
    }
}

fn named(app: &str, specification: &ShippedSpecification) -> Vec<(String, &'static str)> {
    vec![
        (format!("specs/{app}.json"), specification.dmfs),
        (format!("specs/{app}-keyviews.json"), specification.key_views),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use droidmux_record::ScreenPolicy;
    use droidmux_technique::PbfdroidSettings;

    #[test]
    fn every_app_has_a_session_with_each_technique_that_suits_it() {
        let all = ReadySession::all();
        let names: BTreeSet<&str> = all.iter().map(|session| session.name.as_str()).collect();
        assert_eq!(names.len(), all.len(), "two sessions of one name");
        let short = |package: &str| package.trim_start_matches("org.droidmux.").to_owned();
        let mut expected = BTreeSet::new();
        for app in apps::functional() {
            let name = short(app.package());
            for technique in ["monkey", "neutral", "genie", "odin", "visiondroid"] {
                expected.insert(format!("{name}-{technique}"));
            }
            // Converting units stores nothing that a specification could be about.
            if name != "units" {
                expected.insert(format!("{name}-pbfdroid"));
            }
        }
        expected.extend(apps::forms().iter().map(|app| format!("{}-inputblaster", short(app.package()))));
        assert_eq!(names, expected.iter().map(String::as_str).collect());
    }

    #[test]
    fn each_can_be_run_and_knows_nothing_of_its_app_but_the_package() {
        for session in ReadySession::all() {
            let definition = session.definition().unwrap_or_else(|error| panic!("{}: {error}", session.name));
            assert_eq!((&definition.app, definition.technique.name()), (&session.package, session.technique));
            assert!(definition.ignore.is_empty() && definition.setup.is_empty(), "{}", session.name);
            let settings: PbfdroidSettings = definition.settings.of();
            let specified = settings.specification.map(|specification| specification.dmfs.len());
            assert_eq!(specified.is_some(), session.technique == "pbfdroid", "{}", session.name);
            assert_ne!(specified, Some(0), "{}", session.name);
            let pictures = definition.run.screens == ScreenPolicy::All;
            assert_eq!(pictures, session.technique == "visiondroid", "{}", session.name);
            assert!(
                session.text.contains(&format!("droidmux run {}\n", session.file_name())),
                "{}",
                session.text
            );
        }
    }

    #[test]
    fn the_files_of_the_repository_are_ready_sessions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sessions");
        let mut seen = 0;
        for entry in fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            let Some(name) = name.strip_suffix(".toml").filter(|name| !name.contains('.')) else { continue };
            let text = fs::read_to_string(&path).expect("a file");
            let ready = ReadySession::find(name).expect(name);
            assert_eq!(ready.text, text.replace("run sessions/", "run "), "{name}");
            seen += 1;
        }
        assert!(seen >= EXAMPLES.len(), "{seen}");
    }

    #[test]
    fn an_unknown_name_is_told_with_the_one_most_like_it() {
        let cases = [
            ("card-genie", "there is no ready session `card-genie` (did you mean `cards-genie`?)"),
            ("x", "there is no ready session `x`"),
        ];
        for (name, words) in cases {
            let said = ReadySession::find(name).expect_err("unknown").to_string();
            assert!(said.starts_with(words), "{said}");
        }
    }
}
