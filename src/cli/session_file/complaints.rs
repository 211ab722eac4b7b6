//! Values that parse but cannot be meant.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};

use super::line::KeyPath;
use crate::cli::ranges;
use crate::record::{
    IgnoreRule, LabKind, NeutralSettings, OdinSettings, PbfdroidSettings, RunSettings, SessionDefinition,
    SessionId, SetupAction, Technique,
};
use crate::technique::check;

/// Values that parse but cannot be meant, with their place.
pub(super) fn complaints(definition: &SessionDefinition) -> Vec<(KeyPath, String)> {
    let mut found = Complaints::default();
    found.package(&definition.app);
    let run = &definition.run;
    found.within("run", "max-events", run.max_events, &ranges::EVENTS);
    found.range("run", "window", run.window.into(), 1..65);
    found.range("run", "test-timeout", run.test_timeout.into(), 1..86_401);
    found.range("run", "retries", run.retries.into(), 0..11);
    found.range("run", "dump-tries", run.dump_tries.into(), 2..101);
    found.range("run", "grace", run.grace.into(), 0..3_601);
    found.range("run", "explore-share", run.explore_share.into(), 0..91);
    found.range("run", "revisit-share", run.revisit_share.into(), 0..101);
    found.range("run", "experiments", run.experiments.into(), 0..51);
    found.range("run", "confirm", run.confirm.into(), 1..101);
    found.range("run", "confirm-of", run.confirm_of.into(), u64::from(run.confirm)..101);
    let genie = &definition.genie;
    found.ranges(
        "genie",
        [
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
        ],
    );
    for (key, share) in [("pivot-likeness", genie.pivot_likeness), ("carry-ratio", genie.carry_ratio)] {
        if !(0.0..=1.0).contains(&share) {
            found.add(&["genie", key], format!("`{key}` is a share from 0.0 to 1.0, not {share}"));
        }
    }
    if !(genie.initial_weight.is_finite() && genie.initial_weight > 0.0) {
        found.add(&["genie", "initial-weight"], "`initial-weight` must be above 0".into());
    }
    let shares = [genie.random_click, genie.random_long_click, genie.random_navigation];
    let percent: u64 = shares.into_iter().map(u64::from).sum();
    if percent != 100 {
        let what = format!(
            "`random-click`, `random-long-click` and `random-navigation` add up to {percent}, not 100"
        );
        found.add(&["genie", "random-click"], what);
    }
    found.odin(definition);
    found.neutral(definition);
    found.pbfdroid(definition);
    found.inputblaster(definition);
    found.visiondroid(definition);
    found.llm(definition);
    found.unused(definition);
    if definition.replay.is_some() {
        found.add(&["replay"], "`replay` is not for session files; use `droidmux replay FINDING`".into());
    }
    if definition.step.is_some() {
        found.add(&["step"], "`step` is not for session files; use `droidmux step FINDING`".into());
    }
    if definition.shrink.is_some() {
        found.add(&["shrink"], "`shrink` is not for session files; use `droidmux shrink FINDING`".into());
    }
    found.lab(definition);
    found.rules(definition);
    found.0
}

#[derive(Default)]
pub(super) struct Complaints(Vec<(KeyPath, String)>);

impl Complaints {
    pub(super) fn add(&mut self, place: &[&str], what: String) {
        self.0.push((place.iter().map(ToString::to_string).collect(), what));
    }

    pub(super) fn into_first(self) -> Option<(KeyPath, String)> {
        self.0.into_iter().next()
    }

    pub(super) fn range(&mut self, table: &str, key: &str, value: u64, range: Range<u64>) {
        self.within(table, key, value, &(range.start..=range.end.saturating_sub(1)));
    }

    pub(super) fn within<T: PartialOrd + Display>(
        &mut self,
        table: &str,
        key: &str,
        value: T,
        range: &RangeInclusive<T>,
    ) {
        if let Some(why) = ranges::outside(&value, range) {
            self.add(&[table, key], format!("`{key}` {why}"));
        }
    }

    /// Checks keys of one table with their values.
    pub(super) fn ranges<'k, N: Into<u64>>(
        &mut self,
        table: &str,
        values: impl IntoIterator<Item = (&'k str, N, Range<u64>)>,
    ) {
        for (key, value, range) in values {
            self.range(table, key, value.into(), range);
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
        self.ranges(
            "odin",
            [
                ("explore-events", odin.explore_events, 0..10_000_001),
                ("episode-events", odin.episode_events, 1..1_001),
                ("inputs", odin.inputs, 1..10_001),
                ("walk-events", odin.walk_events, 1..1_001),
                ("calibrate-share", odin.calibrate_share, 0..101),
                ("fewest", odin.fewest, 2..10_001),
                ("behaviours", odin.behaviours, u64::from(odin.fewest)..100_001),
                ("batch", odin.batch, 1..1_001),
            ],
        );
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
    }

    fn neutral(&mut self, definition: &SessionDefinition) {
        let neutral = &definition.neutral;
        self.ranges("neutral", [("rounds", neutral.rounds, 1..1_001), ("batch", neutral.batch, 1..1_001)]);
        let insertions = &neutral.insertions;
        let repeated = insertions.iter().enumerate().any(|(n, one)| insertions[..n].contains(one));
        if insertions.is_empty() || repeated {
            self.add(
                &["neutral", "insertions"],
                "`insertions` names one insertion or more, each once".into(),
            );
        }
        let is_tag =
            |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
        let language = &neutral.language;
        if language.len() > 35 || !language.split('-').all(is_tag) {
            let what = format!("`language` is a BCP 47 tag such as `de-DE`, not {language:?}");
            self.add(&["neutral", "language"], what);
        }
    }

    /// Settings of a technique that is not the session's, and what its own complains of.
    fn unused(&mut self, definition: &SessionDefinition) {
        let technique = definition.technique.name();
        if definition.technique != Technique::Odin && definition.odin != OdinSettings::default() {
            self.add(&["odin"], format!("`[odin]` does nothing with `technique = {technique:?}`"));
        }
        if definition.technique != Technique::Neutral && definition.neutral != NeutralSettings::default() {
            self.add(&["neutral"], format!("`[neutral]` does nothing with `technique = {technique:?}`"));
        }
        if definition.technique != Technique::Pbfdroid && definition.pbfdroid != PbfdroidSettings::default() {
            self.add(&["pbfdroid"], format!("`[pbfdroid]` does nothing with `technique = {technique:?}`"));
        }
        let (run, usual) = (&definition.run, RunSettings::default());
        let roams = |technique: &Technique| {
            matches!(
                technique,
                Technique::Genie | Technique::Odin | Technique::Neutral | Technique::Outside(_)
            )
        };
        if run.explore_share != usual.explore_share && !roams(&definition.technique) {
            let what = format!("`explore-share` does nothing with `technique = {technique:?}`");
            self.add(&["run", "explore-share"], what);
        }
        let mines = [Technique::Monkey, Technique::Inputblaster, Technique::Randomtext];
        let explores = roams(&definition.technique) || mines.contains(&definition.technique);
        if run.revisit_share != usual.revisit_share && !explores {
            let what = format!("`revisit-share` does nothing with `technique = {technique:?}`");
            self.add(&["run", "revisit-share"], what);
        }
        for complaint in check(definition) {
            self.add(&complaint.at, complaint.what);
        }
    }

    fn lab(&mut self, definition: &SessionDefinition) {
        let lab = &definition.lab;
        self.within("lab", "devices", lab.devices, &ranges::DEVICES);
        self.range("lab", "min-battery", lab.min_battery.into(), 0..96);
        self.range("lab", "min-space", lab.min_space.into(), 0..100_001);
        if lab.max_temperature != 0 {
            self.range("lab", "max-temperature", lab.max_temperature.into(), 30..91);
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
            let texts = [("text", &rule.text), ("text-env", &rule.text_env)];
            let given: Vec<&str> =
                texts.iter().filter(|(_, text)| !text.is_empty()).map(|(key, _)| *key).collect();
            match (rule.action, given.as_slice()) {
                (SetupAction::Edit, []) => {
                    let what =
                        "`do = \"edit\"` needs a `text`, or with `text-env` the variable that holds it";
                    self.add(&["setup", &number], what.into());
                }
                (SetupAction::Edit, [_]) => {}
                (SetupAction::Edit, _) => {
                    let what = "`text` and `text-env` exclude one another";
                    self.add(&["setup", &number, "text-env"], what.into());
                }
                (_, []) => {}
                (_, [key, ..]) => {
                    let what = format!("`{key}` is only used with `do = \"edit\"`");
                    self.add(&["setup", &number, key], what);
                }
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
