//! Values that parse but cannot be meant.

use serde::Serialize;

use super::line::KeyPath;
use super::settings;
use droidmux_device_remote::Way;
use droidmux_record::{
    AppPlace, HostsChoice, IgnoreRule, LabKind, ResetChoice, RunSettings, ServerName, SessionDefinition,
    SettingComplaint, SettingsContent, SetupAction, not_fewer,
};
use droidmux_technique::{check, entry};

/// Values that parse but cannot be meant, with their place.
pub(super) fn complaints(definition: &SessionDefinition) -> Vec<(KeyPath, String)> {
    let mut found = Complaints::default();
    found.package(&definition.app);
    found.place(&definition.place);
    let run = &definition.run;
    found.settings("lab", &definition.lab);
    found.settings("run", run);
    found.all(not_fewer(&["run", "confirm-of"], run.confirm_of, run.confirm, 100));
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

    fn all(&mut self, complaints: impl IntoIterator<Item = SettingComplaint>) {
        self.0.extend(complaints.into_iter().map(|complaint| (complaint.at, complaint.what)));
    }

    /// Numbers of a table that are out of range.
    pub(super) fn settings(&mut self, table: &str, values: &impl Serialize) {
        self.0.extend(settings::out_of_range(table, values));
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

    fn place(&mut self, place: &AppPlace) {
        self.settings(AppPlace::NAME, place);
        let Some(activity) = &place.activity else { return };
        let sound = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
        if !activity.contains('.') || !activity.chars().all(sound) {
            let what =
                format!("`{activity}` is no class: write it whole, or from its dot on (`.MainActivity`)");
            self.add(&[AppPlace::NAME, "activity"], what);
        }
    }

    /// Settings that the session's technique does not use, and complaints about those that it does.
    fn unused(&mut self, definition: &SessionDefinition) {
        let technique = definition.technique.name();
        let (run, usual) = (&definition.run, RunSettings::default());
        let known = entry(technique).map(|entry| entry.uses);
        if run.explore_share != usual.explore_share && known.is_some_and(|uses| !uses.roaming) {
            let what = format!("`explore-share` does nothing with `technique = {technique:?}`");
            self.add(&["run", "explore-share"], what);
        }
        if run.revisit_share != usual.revisit_share && known.is_some_and(|uses| !uses.visits) {
            let what = format!("`revisit-share` does nothing with `technique = {technique:?}`");
            self.add(&["run", "revisit-share"], what);
        }
        if run.reset == ResetChoice::Restart && known.is_some_and(|uses| !uses.restarts) {
            let what = format!(
                "`reset = \"restart\"` does nothing with `technique = {technique:?}`, which compares tests that begin alike"
            );
            self.add(&["run", "reset"], what);
        }
        self.all(check(definition));
    }

    fn lab(&mut self, definition: &SessionDefinition) {
        let lab = &definition.lab;
        if !matches!(lab.kind, LabKind::Adb | LabKind::Hosts) && !lab.serials.is_empty() {
            let kind = if lab.kind == LabKind::Sim { "sim" } else { "apk" };
            let what = format!(
                "`serials` picks devices of the ADB server and does nothing with `kind = \"{kind}\"`"
            );
            self.add(&["lab", "serials"], what);
        }
        if lab.kind != LabKind::Adb && !lab.servers.is_empty() {
            let what = "`servers` names ADB servers of phones and does nothing without `kind = \"adb\"`";
            self.add(&["lab", "servers"], what.into());
        }
        if let Err(error) = ServerName::distinct(&lab.servers) {
            self.add(&["lab", "servers"], error.to_string());
        }
        match (lab.kind == LabKind::Hosts, lab.hosts.nats.is_empty()) {
            (true, true) => {
                let what = "`kind = \"hosts\"` needs the NATS server that the hosts are at: `nats = \"nats://HOST:4222\"`";
                self.add(&["lab", "kind"], what.into());
            }
            (false, _) if lab.hosts.is_made() => {
                let what = "`nats`, `pool`, `hosts` and the keys that begin with `nats-` are for `kind = \"hosts\"` and \
                            do nothing otherwise";
                self.add(&["lab", first_of_hosts(&lab.hosts)], what.into());
            }
            _ => {}
        }
        if !lab.hosts.nats.is_empty()
            && let Err(error) = (Way { url: lab.hosts.nats.clone(), ..Way::default() }).check()
        {
            self.add(&["lab", "nats"], error.to_string());
        }
        if lab.hosts.user.is_empty() != lab.hosts.password_env.is_empty() {
            let what = "`nats-user` and `nats-password-env` go together";
            self.add(&["lab", "nats-user"], what.into());
        }
        match (lab.kind == LabKind::Apk, lab.apk.is_empty()) {
            (true, true) => {
                let what = "`kind = \"apk\"` needs the app's APK: `apk = \"FILE\"`, or a list of a base and its splits";
                self.add(&["lab", "kind"], what.into());
            }
            (false, false) => {
                let what = "`apk` names the app for `kind = \"apk\"` and does nothing otherwise";
                self.add(&["lab", "apk"], what.into());
            }
            _ => {}
        }
        if lab.network && lab.kind != LabKind::Apk {
            let what = "`network` is for apps in the framework lab and does nothing without `kind = \"apk\"`";
            self.add(&["lab", "network"], what.into());
        }
    }

    fn rules(&mut self, definition: &SessionDefinition) {
        let tables =
            [("ignore", &definition.ignore), ("avoid", &definition.avoid), ("only", &definition.only)];
        for (table, rules) in tables {
            for (number, rule) in rules.iter().enumerate() {
                self.rule(&[table, &number.to_string()], rule, &definition.app);
            }
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
        for (key, text) in [("text", &rule.text), ("description", &rule.description)] {
            if text.contains(IgnoreRule::DATE) && text != IgnoreRule::DATE {
                let token = IgnoreRule::DATE;
                at(key, format!("`{token}` stands alone, for all that hold a date or a time: `{text}`"));
            }
        }
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
/// A key that is there.
fn first_of_hosts(choice: &HostsChoice) -> &'static str {
    match choice {
        HostsChoice { nats, .. } if !nats.is_empty() => "nats",
        HostsChoice { pool, .. } if !pool.is_empty() => "pool",
        HostsChoice { hosts, .. } if !hosts.is_empty() => "hosts",
        HostsChoice { creds: Some(_), .. } => "nats-creds",
        HostsChoice { nkey: Some(_), .. } => "nats-nkey",
        HostsChoice { ca: Some(_), .. } => "nats-ca",
        _ => "nats-user",
    }
}
