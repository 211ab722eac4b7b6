//! The session file that `init` writes.

use std::path::PathBuf;

use droidmux_record::Technique;
use droidmux_technique::entry;

/// All answers.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) serial: String,
    pub(super) app: String,
    pub(super) technique: Technique,
    pub(super) max_events: u64,
    pub(super) spec: Option<PathBuf>,
}

impl Draft {
    /// The file, with examples of what comes next in comments.
    pub(super) fn text(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let (technique, app, serial) =
            (quoted(self.technique.name()), quoted(&self.app), quoted(&self.serial));
        let entry = entry(self.technique.name());
        let needs = entry.and_then(|entry| Some((entry.settings.first()?.name, entry.needs?.key)));
        let spec = needs.zip(self.spec.as_ref()).map_or(String::new(), |((table, key), spec)| {
            format!("[{table}]\n{key} = {}\n\n", quoted(&spec.to_string_lossy()))
        });
        let settings = self.settings();
        let max_events = self.max_events;
        let looks = entry.is_some_and(|entry| entry.uses.screenshots);
        let screens = if looks { "screens = \"all\"\n" } else { "" };
        format!(
            "# Every key is explained in docs/session-file.md.\n\
             technique = {technique}\n\
             app = {app}\n\
             # permissions = \"deny\"          # none is granted; by default all are\n\
             \n\
             [lab]\n\
             serials = [{serial}]            # without this line: every device that is there\n\
             \n\
             [run]\n\
             max-events = {max_events}\n\
             {screens}\
             \n\
             {spec}\
             {settings}\
             # What changes by itself is not compared: dates and clocks, an advertisement.\n\
             # [[ignore]]\n\
             # text = \"{{date}}\"\n\
             \n\
             # What must not be touched, and pages that are left at once.\n\
             # [[avoid]]\n\
             # resource-id = \"log_out\"\n\
             # [[avoid]]\n\
             # activity = \"*Payment*\"\n\
             \n\
             # After every reset, in this order: a login, first-run pages.\n\
             # [[setup]]\n\
             # find = {{ resource-id = \"password\" }}\n\
             # do = \"edit\"\n\
             # text-env = \"APP_PASSWORD\"        # read where the lab runs, never stored\n\
             # [[setup]]\n\
             # find = {{ resource-id = \"skip\" }}\n\
             # do = \"click\"\n\
             # optional = true\n"
        )
    }

    /// The technique's own settings with their defaults, in comments; those without a default are left out.
    fn settings(&self) -> String {
        let Some(kind) = entry(self.technique.name()).and_then(|entry| entry.settings.first()) else {
            return String::new();
        };
        let Ok(defaults) = kind.defaults() else { return String::new() };
        let rows = kind.rows.iter().filter(|row| row.unset.is_empty());
        let values = rows.filter_map(|row| Some((row.key, row.value_in(&defaults)?)));
        let lines: String = values.map(|(key, value)| format!("# {key} = {value}\n")).collect();
        // Where a value was asked for, the table has begun already.
        let head = match self.spec {
            Some(_) => "",
            None => &format!("# [{}]\n", kind.name),
        };
        format!("# The technique's own settings, as they are without these lines.\n{head}{lines}\n")
    }
}

/// `notes-genie.toml` for `org.example.notes`.
pub(super) fn file_name(app: &str, technique: &str) -> String {
    let last = app.rsplit('.').find(|part| !part.is_empty()).unwrap_or("app");
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    format!("{}-{technique}.toml", last.chars().map(plain).collect::<String>().to_lowercase())
}

/// The packages of `pm list packages`, sorted.
pub(super) fn packages(listed: &str, most: usize) -> Vec<String> {
    let names = listed.lines().filter_map(|line| line.trim().strip_prefix("package:"));
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names.truncate(most);
    names
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::UsualLlm;
    use crate::session_file::parse_session;
    use droidmux_record::{IgnoreRule, PermissionAnswer};
    use droidmux_technique::techniques;

    fn draft(technique: &str) -> Draft {
        Draft {
            serial: "a \"b\":5555".into(),
            app: "org.example.notes".into(),
            technique: technique.parse().expect("a name"),
            max_events: 700,
            spec: None,
        }
    }

    #[test]
    fn every_technique_gives_a_file_that_reads_well() {
        let read = |_: &Path| Err(std::io::Error::other("nothing is read"));
        let ready = techniques().into_iter().filter(|entry| entry.needs.is_none() && !entry.uses.stored);
        for technique in ready.map(|entry| entry.name) {
            let draft = draft(technique);
            let text = draft.text();
            let session = parse_session(Path::new("x.toml"), &text, &UsualLlm::default(), &read)
                .unwrap_or_else(|error| panic!("{technique}: {error}\n{text}"));
            assert_eq!((&session.technique, &session.app), (&draft.technique, &draft.app));
            assert_eq!((session.lab.serials, session.run.max_events), (vec![draft.serial], 700));
        }
    }

    #[test]
    fn the_examples_in_it_read_well_once_they_are_no_comments() {
        let text = draft("genie").text();
        let open: Vec<&str> =
            text.lines().skip(1).map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        let is_toml = |line: &&&str| line.contains('=') || line.starts_with('[') || line.is_empty();
        let text: Vec<&str> = open.iter().filter(is_toml).copied().collect();
        let read = |_: &Path| Err(std::io::Error::other("nothing is read"));
        let session = parse_session(Path::new("x.toml"), &text.join("\n"), &UsualLlm::default(), &read);
        let session = session.unwrap_or_else(|error| panic!("{error}\n{}", text.join("\n")));
        assert_eq!(session.permissions, PermissionAnswer::Deny);
        assert_eq!((session.ignore[0].text.as_str(), session.avoid.len()), (IgnoreRule::DATE, 2));
        assert_eq!(session.setup.len(), 2);
    }

    #[test]
    fn files_are_named_for_the_app() {
        for (app, expected) in
            [("org.example.notes", "notes-genie.toml"), ("A", "a-genie.toml"), ("..", "app-genie.toml")]
        {
            assert_eq!(file_name(app, "genie"), expected);
        }
        assert_eq!(packages("package:b.c\r\nx\npackage:a.b\npackage:\npackage:b.c\n", 9), ["a.b", "b.c"]);
    }
}
