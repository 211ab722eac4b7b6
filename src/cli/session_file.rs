//! Session files: read strictly, so that a typing error is told instead of ignored.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::de::{DeTable, DeValue};

use crate::record::{
    GenieSettings, IgnoreRule, LabKind, OdinSettings, SessionDefinition, SessionId, SetupAction, Technique,
};

/// Larger files are not session files.
const MOST_BYTES: u64 = 1 << 20;

/// What is wrong with a session file, and where.
#[derive(Debug, Error)]
pub enum SessionFileError {
    #[error("{path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path}: is larger than 1 MiB, which no session file is")]
    TooLarge { path: PathBuf },
    #[error("{path}:{line}: {what}")]
    Wrong { path: PathBuf, line: usize, what: String },
}

/// Reads and checks a session file.
pub fn read_session(path: &Path) -> Result<SessionDefinition, SessionFileError> {
    let unreadable = |source| SessionFileError::Unreadable { path: path.into(), source };
    if fs::metadata(path).map_err(unreadable)?.len() > MOST_BYTES {
        return Err(SessionFileError::TooLarge { path: path.into() });
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    parse_session(path, &text)
}

/// Checks the text of a session file; `path` is only for messages.
pub(super) fn parse_session(path: &Path, text: &str) -> Result<SessionDefinition, SessionFileError> {
    let wrong = |line, what| SessionFileError::Wrong { path: path.into(), line, what };
    let definition: SessionDefinition = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        wrong(line, explain_unknown(error.message()))
    })?;
    match complaints(&definition).into_iter().next() {
        Some((place, what)) => Err(wrong(line_of(text, &place), what)),
        None => Ok(definition),
    }
}

/// Serde's "unknown field `x`, expected one of …" with the nearest name put first.
fn explain_unknown(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let known = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let Some((given, candidates)) = names.split_first().filter(|_| known) else { return message.into() };
    let nearest = candidates
        .iter()
        .map(|name| (crate::gui::ratio(given, name), *name))
        .filter(|(ratio, _)| *ratio >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((_, name)) => format!("{message} (did you mean `{name}`?)"),
        None => message.into(),
    }
}

/// A key's place: table names or numbers, then the key.
type Place = Vec<String>;

/// Values that parse but cannot be meant, with their place.
fn complaints(definition: &SessionDefinition) -> Vec<(Place, String)> {
    let mut found = Complaints::default();
    found.package(&definition.app);
    let run = &definition.run;
    found.range("run", "max-events", run.max_events, 1..u64::MAX);
    found.range("run", "window", run.window.into(), 1..65);
    found.range("run", "test-timeout", run.test_timeout.into(), 1..86_401);
    found.range("run", "retries", run.retries.into(), 0..11);
    found.range("run", "dump-tries", run.dump_tries.into(), 2..101);
    found.range("run", "confirm", run.confirm.into(), 1..101);
    found.range("run", "confirm-of", run.confirm_of.into(), u64::from(run.confirm)..101);
    let genie = &definition.genie;
    for (key, value, range) in [
        ("mine-events", genie.mine_events, 1..10_000_001),
        ("episode-events", genie.episode_events, 1..100_001),
        ("seeds", genie.seeds, 1..10_001),
        ("seed-events", genie.seed_events, 1..1_001),
        ("insert-events", genie.insert_events, 1..51),
        ("mutants", genie.mutants, 1..100_001),
        ("batch", genie.batch, 1..1_001),
        ("similar-states", genie.similar_states, 0..101),
        ("cycle-repeats", genie.cycle_repeats, 1..11),
        ("group-widgets", genie.group_widgets, 1..101),
        ("self-loops", genie.self_loops, 0..51),
        ("seed-runs", genie.seed_runs, 2..4),
    ] {
        found.range("genie", key, value.into(), range);
    }
    for (key, share) in [("pivot-likeness", genie.pivot_likeness), ("carry-ratio", genie.carry_ratio)] {
        if !(0.0..=1.0).contains(&share) {
            found.add(&["genie", key], format!("`{key}` is a share from 0.0 to 1.0, not {share}"));
        }
    }
    if !(genie.initial_weight.is_finite() && genie.initial_weight > 0.0) {
        found.add(&["genie", "initial-weight"], "`initial-weight` must be above 0".into());
    }
    let percent = genie.random_click + genie.random_long_click + genie.random_navigation;
    if percent != 100 {
        let what = format!(
            "`random-click`, `random-long-click` and `random-navigation` add up to {percent}, not 100"
        );
        found.add(&["genie", "random-click"], what);
    }
    found.odin(definition);
    if definition.replay.is_some() {
        found.add(&["replay"], "`replay` is not for session files; use `droidmux replay FINDING`".into());
    }
    if definition.shrink.is_some() {
        found.add(&["shrink"], "`shrink` is not for session files; use `droidmux shrink FINDING`".into());
    }
    found.lab(definition);
    found.rules(definition);
    found.0
}

#[derive(Default)]
struct Complaints(Vec<(Place, String)>);

impl Complaints {
    fn add(&mut self, place: &[&str], what: String) {
        self.0.push((place.iter().map(ToString::to_string).collect(), what));
    }

    fn range(&mut self, table: &str, key: &str, value: u64, range: Range<u64>) {
        if !range.contains(&value) {
            let most = range.end - 1;
            self.add(&[table, key], format!("`{key}` goes from {} to {most}, not {value}", range.start));
        }
    }

    fn package(&mut self, app: &str) {
        let part = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic())
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !app.contains('.') || !app.split('.').all(part) {
            self.add(&["app"], format!("`{app}` is no Android package name (like `org.example.app`)"));
        }
    }

    fn odin(&mut self, definition: &SessionDefinition) {
        let odin = &definition.odin;
        for (key, value, range) in [
            ("explore-events", odin.explore_events, 0..10_000_001),
            ("episode-events", odin.episode_events, 1..1_001),
            ("inputs", odin.inputs, 1..10_001),
            ("walk-events", odin.walk_events, 1..1_001),
            ("calibrate-share", odin.calibrate_share, 0..101),
            ("fewest", odin.fewest, 2..10_001),
            ("behaviours", odin.behaviours, u64::from(odin.fewest)..100_001),
            ("batch", odin.batch, 1..1_001),
        ] {
            self.range("odin", key, value.into(), range);
        }
        if !(odin.majority > 0.0 && odin.majority <= 1.0) {
            let what = format!("`majority` is a share above 0.0, up to 1.0, not {}", odin.majority);
            self.add(&["odin", "majority"], what);
        }
        if !(odin.z.is_finite() && odin.z > 0.0) {
            self.add(&["odin", "z"], "`z` must be above 0".into());
        }
        let repeated = odin.rules.iter().enumerate().any(|(n, rule)| odin.rules[..n].contains(rule));
        if odin.rules.is_empty() || repeated {
            self.add(&["odin", "rules"], "`rules` names one abstraction or more, each once".into());
        }
        if odin.text.is_empty() || odin.text.chars().count() > 1_000 {
            self.add(&["odin", "text"], "`text` has 1 to 1000 characters".into());
        }
        for (number, name) in odin.from.iter().enumerate() {
            if let Err(what) = name.parse::<SessionId>() {
                self.add(&["odin", "from", &number.to_string()], what);
            }
        }
        if odin.explore_events == 0 && odin.from.is_empty() && odin.folders.is_empty() {
            let what = "without exploration there are no traces; name some with `from` or `folders`";
            self.add(&["odin", "explore-events"], what.into());
        }
        self.unused(definition);
    }

    /// Settings of a technique that is not the session's.
    fn unused(&mut self, definition: &SessionDefinition) {
        let technique = definition.technique.name();
        if definition.technique != Technique::Odin && definition.odin != OdinSettings::default() {
            self.add(&["odin"], format!("`[odin]` does nothing with `technique = {technique:?}`"));
        }
        let genie = &definition.genie;
        let only_exploration = GenieSettings {
            initial_weight: genie.initial_weight,
            stale_events: genie.stale_events,
            random_click: genie.random_click,
            random_long_click: genie.random_long_click,
            random_navigation: genie.random_navigation,
            affirmative: genie.affirmative.clone(),
            level: genie.level,
            ..GenieSettings::default()
        };
        let only_random = GenieSettings {
            episode_events: genie.episode_events,
            random_click: genie.random_click,
            random_long_click: genie.random_long_click,
            random_navigation: genie.random_navigation,
            ..GenieSettings::default()
        };
        if definition.technique == Technique::Monkey && *genie != only_random {
            let what = "of `[genie]`, `technique = \"monkey\"` uses `episode-events`, `random-click`, \
                        `random-long-click` and `random-navigation` only";
            self.add(&["genie"], what.into());
        }
        if definition.technique == Technique::Odin && *genie != only_exploration {
            let what = "of `[genie]`, `technique = \"odin\"` uses `level`, `initial-weight`, `stale-events`, \
                        `random-click`, `random-long-click`, `random-navigation` and `affirmative` only";
            self.add(&["genie"], what.into());
        }
    }

    fn lab(&mut self, definition: &SessionDefinition) {
        let lab = &definition.lab;
        if !(1..=64).contains(&lab.devices) {
            self.add(&["lab", "devices"], format!("`devices` goes from 1 to 64, not {}", lab.devices));
        }
        if lab.kind == LabKind::Sim && !lab.serials.is_empty() {
            let what = "`serials` picks devices of the ADB server and does nothing with `kind = \"sim\"`";
            self.add(&["lab", "serials"], what.into());
        }
    }

    fn rules(&mut self, definition: &SessionDefinition) {
        for (number, rule) in definition.ignore.iter().enumerate() {
            self.rule(&["ignore", &number.to_string()], rule, &definition.app);
        }
        for (number, rule) in definition.setup.iter().enumerate() {
            let number = number.to_string();
            self.rule(&["setup", &number, "find"], &rule.find, &definition.app);
            if rule.action == SetupAction::Edit && rule.text.is_empty() {
                self.add(&["setup", &number], "`do = \"edit\"` needs a `text`".into());
            }
            if rule.action != SetupAction::Edit && !rule.text.is_empty() {
                self.add(&["setup", &number, "text"], "`text` is only used with `do = \"edit\"`".into());
            }
        }
    }

    /// A rule that can match nothing, or everything.
    fn rule(&mut self, place: &[&str], rule: &IgnoreRule, app: &str) {
        if rule.is_empty() {
            self.add(place, "this rule names no field, so it would match every widget".into());
        }
        let mut at = |key: &str, what: String| {
            let place: Vec<&str> = place.iter().copied().chain([key]).collect();
            self.add(&place, format!("this rule can never match: {what}"));
        };
        let spaced = |value: &str| value.contains(char::is_whitespace);
        if spaced(&rule.class) {
            at("class", format!("a class holds no blanks: `{}`", rule.class));
        }
        if spaced(&rule.activity) {
            at("activity", format!("an activity holds no blanks: `{}`", rule.activity));
        }
        let id = rule.resource_id.as_str();
        if spaced(id) {
            at("resource-id", format!("a resource-id holds no blanks: `{id}`"));
        } else if id.contains(':') && !id.contains(":id/") {
            at("resource-id", format!("`{id}` is neither `PACKAGE:id/NAME` nor just `NAME`"));
        } else if let Some((package, _)) = id.split_once(":id/")
            && !package.contains('*')
            && package != app
            && package != "android"
        {
            at("resource-id", format!("its package is `{package}`, the app is `{app}`"));
        }
    }
}

/// The line of a key, or of the nearest thing around it that the file holds; from 1.
fn line_of(text: &str, place: &[String]) -> usize {
    let Ok(table) = DeTable::parse(text) else { return 1 };
    let mut here = table.span();
    let mut table: Option<&DeTable<'_>> = Some(table.get_ref());
    let mut items: Option<&[toml::Spanned<DeValue<'_>>]> = None;
    for part in place {
        let value = if let Some(current) = table {
            let Some((key, value)) = current.iter().find(|(key, _)| key.get_ref() == part.as_str()) else {
                break;
            };
            here = key.span();
            value
        } else if let Some(current) = items {
            let Some(value) = part.parse().ok().and_then(|number: usize| current.get(number)) else { break };
            here = value.span();
            value
        } else {
            break;
        };
        table = match value.get_ref() {
            DeValue::Table(inner) => Some(inner),
            _ => None,
        };
        items = match value.get_ref() {
            DeValue::Array(inner) => Some(inner),
            _ => None,
        };
    }
    line_at(text, here.start)
}

fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a session file: `ok`, or the line and the complaint.
    fn said(text: &str) -> String {
        match parse_session(Path::new("x.toml"), text) {
            Ok(_) => "ok".into(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let cases = [
            ("technique = \"genie\"\napp = \"a.b\"", "ok"),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[run]\nmax-event = 3",
                "x.toml:4: unknown field `max-event`",
            ),
            ("technique = \"genie\"\napp = \"a.b\"\n[run]\nmax-event = 3", "did you mean `max-events`?"),
            ("technique = \"genii\"\napp = \"a.b\"", "x.toml:1: unknown variant `genii`"),
            ("technique = \"genie\"\napp = \"a.b\"\n[run]\nwindow = \"3\"", "x.toml:4: invalid type: string"),
            ("technique = \"genie\"\n\napp = \"ab\"", "x.toml:3: `ab` is no Android package name"),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[run]\n\nwindow = 0",
                "x.toml:5: `window` goes from 1 to 64",
            ),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[[ignore]]\nresource-id = \"c.d:id/x\"",
                "x.toml:4: this rule can never match: its package is `c.d`",
            ),
            ("technique = \"genie\"\napp = \"a.b\"\n[[ignore]]\n", "x.toml:3: this rule names no field"),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[[setup]]\nfind = { text = \"x\" }\ndo = \"edit\"",
                "needs a `text`",
            ),
            ("technique = ", "x.toml:1:"),
            ("technique = \"odin\"\napp = \"a.b\"\n[genie]\nlevel = \"events\"", "ok"),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nbehaviours = 11",
                "x.toml:4: `behaviours` goes from 12 to 100000, not 11",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nrules = [\"values\", \"values\"]",
                "x.toml:4: `rules` names one abstraction or more, each once",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nfrom = [\n\"s1\",\n\"x\"]",
                "x.toml:6: `x` is no session id",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nexplore-events = 0",
                "x.toml:4: without exploration there are no traces",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nfolders = [{ path = \"x\", format = \"geni\" }]",
                "did you mean `genie`?",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[genie]\nseeds = 3",
                "x.toml:3: of `[genie]`, `technique = \"odin\"` uses",
            ),
            (
                "technique = \"genie\"\napp = \"a.b\"\n[odin]\nz = 2.0",
                "x.toml:3: `[odin]` does nothing with `technique = \"genie\"`",
            ),
            (
                "technique = \"odin\"\napp = \"a.b\"\n[odin]\nmajority = 0.0",
                "`majority` is a share above 0.0",
            ),
        ];
        for (text, expected) in cases {
            let said = said(text);
            assert!(said.contains(expected), "{text:?}\n said {said}\n not {expected}");
        }
    }
}
