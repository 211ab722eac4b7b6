//! The language model that a session file names, completed by the user's configuration.

use std::path::Path;

use serde::Deserialize;

use super::complaints::Complaints;
use super::line::KeyPath;
use super::named_path::PathKey;
use droidmux_llm::options;
use droidmux_record::{LlmMode, LlmSettings, Provider, SessionDefinition, Vectors};
use droidmux_technique::uses;

/// `[llm]` of the user's configuration: what session files leave out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsualLlm(toml::Table);

impl UsualLlm {
    /// What a session file has when it says nothing about `[llm]`.
    pub(crate) fn settings(&self) -> LlmSettings {
        // It has already been read as settings.
        LlmSettings::deserialize(self.0.clone()).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for UsualLlm {
    /// Refuses what no session file could say.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = toml::Table::deserialize(deserializer)?;
        LlmSettings::deserialize(table.clone()).map_err(serde::de::Error::custom)?;
        Ok(Self(table))
    }
}

/// What is wrong with `[llm]` in the configuration, and its place there.
pub(crate) fn usual_complaint(llm: &LlmSettings) -> Option<(KeyPath, String)> {
    let mut found = Complaints::default();
    found.llm_values(llm);
    found.into_first()
}

/// Puts what `[llm]` of the session file leaves out into the definition, from the configuration.
pub(super) fn complete(
    definition: &mut SessionDefinition,
    text: &str,
    usual: &UsualLlm,
) -> Result<(), (KeyPath, String)> {
    if usual.0.is_empty() || !uses(definition).models {
        return Ok(());
    }
    let wrong = |error: toml::de::Error| (vec!["llm".to_owned()], error.message().to_owned());
    let file: toml::Table = toml::from_str(text).map_err(wrong)?;
    let mut merged = usual.0.clone();
    if let Some(toml::Value::Table(said)) = file.get("llm") {
        merged.extend(said.clone());
    }
    definition.llm = LlmSettings::deserialize(merged).map_err(wrong)?;
    Ok(())
}

/// Makes the paths absolute.
pub(super) fn freeze(definition: &mut SessionDefinition, folder: &Path) -> Result<(), (KeyPath, String)> {
    let llm = &mut definition.llm;
    let whole = |key: &str, path: &mut String| {
        let key = PathKey { table: "llm", key };
        let found = key.whole(folder, &*path)?;
        let text = found.to_str().ok_or_else(|| (key.place(), format!("`{}` is no UTF-8 path", key.key)))?;
        text.clone_into(path);
        Ok(())
    };
    if !llm.recording.is_empty() {
        whole("recording", &mut llm.recording)?;
    }
    match &mut llm.vectors {
        Vectors::File(path) => whole("vectors", path),
        Vectors::Builtin | Vectors::Endpoint(_) => Ok(()),
    }
}

impl Complaints {
    pub(super) fn llm(&mut self, definition: &SessionDefinition) {
        let llm = &definition.llm;
        if !uses(definition).models {
            if *llm != LlmSettings::default() {
                let technique = definition.technique.name();
                self.add(&["llm"], format!("`[llm]` does nothing with `technique = {technique:?}`"));
            }
            return;
        }
        self.llm_values(llm);
        let live = llm.provider == Provider::Openai && llm.mode != LlmMode::Replay;
        if live && llm.base_url.is_empty() {
            let what = "`provider = \"openai\"` needs `base-url`, here or in `[llm]` of the configuration";
            self.add(&["llm", "provider"], what.into());
        }
        if live && llm.model.is_empty() {
            let what = "`provider = \"openai\"` needs `model`, here or in `[llm]` of the configuration";
            self.add(&["llm", "provider"], what.into());
        }
        match (llm.mode, llm.recording.as_str()) {
            (LlmMode::Record | LlmMode::Replay, "") => {
                let what = "this mode needs a file: `recording = \"FILE\"`";
                self.add(&["llm", "mode"], what.into());
            }
            (LlmMode::Live, recording) if !recording.is_empty() => {
                let what = "`recording` does nothing with `mode = \"live\"`";
                self.add(&["llm", "recording"], what.into());
            }
            _ => {}
        }
        if llm.strict && llm.mode != LlmMode::Replay {
            self.add(&["llm", "strict"], "`strict` is for `mode = \"replay\"` only".into());
        }
    }

    /// What is wrong with a value in either place, a session file or the configuration.
    fn llm_values(&mut self, llm: &LlmSettings) {
        self.settings("llm", llm);
        self.endpoint(llm);
    }

    fn endpoint(&mut self, llm: &LlmSettings) {
        let host = llm.base_url.strip_prefix("http://").or_else(|| llm.base_url.strip_prefix("https://"));
        match host {
            // The wrong value is not repeated: it may be a secret.
            Some(host) if host.split('/').next().is_some_and(|host| host.contains('@')) => {
                let what = "`base-url` holds a user or password; name the key's variable with `key-env`";
                self.add(&["llm", "base-url"], what.into());
            }
            Some(host) if !host.is_empty() => {}
            _ if llm.base_url.is_empty() => {}
            _ => self.add(&["llm", "base-url"], "`base-url` begins with http:// or https://".into()),
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !llm.key_env.chars().all(is_name) || llm.key_env.starts_with(|c: char| c.is_ascii_digit()) {
            let what = "`key-env` is the name of an environment variable, such as OPENAI_API_KEY, never the \
                        key itself";
            self.add(&["llm", "key-env"], what.into());
        }
        if let Err(why) = options(&llm.options) {
            self.add(&["llm", "options"], format!("`options`: {why}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_file::parse_session;

    fn read(rest: &str, usual: &str) -> Result<SessionDefinition, String> {
        let text = format!("technique = \"inputblaster\"\napp = \"a.b\"\n{rest}\n");
        let usual: UsualLlm = toml::from_str(usual).map_err(|error| error.message().to_owned())?;
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        parse_session(Path::new("/x/y.toml"), &text, &usual, &none).map_err(|error| error.to_string())
    }

    #[test]
    fn what_the_file_leaves_out_comes_from_the_configuration() {
        let usual =
            "provider = \"openai\"\nbase-url = \"http://lab:8000/v1\"\nmodel = \"llama\"\nretries = 9";
        let read = |rest| read(rest, usual).expect(rest).llm;
        let plain = read("");
        assert_eq!((plain.provider, plain.model.as_str(), plain.retries), (Provider::Openai, "llama", 9));
        let own = read("[llm]\nmodel = \"gpt-4o\"\nrecording = \"talk.jsonl\"\nmode = \"record\"");
        assert_eq!((own.model.as_str(), own.base_url.as_str()), ("gpt-4o", "http://lab:8000/v1"));
        assert_eq!(own.recording, "/x/talk.jsonl");
        assert_eq!(read("[llm]\nprovider = \"rules\"").provider, Provider::Rules);
    }

    #[test]
    fn what_cannot_be_meant_is_told_with_its_line() {
        let cases = [
            ("provider = \"openai\"", "y.toml:4: `provider = \"openai\"` needs `base-url`"),
            ("base-url = \"lab:8000\"", "y.toml:4: `base-url` begins with http:// or https://"),
            ("base-url = \"https://me:hush@lab/v1\"", "y.toml:4: `base-url` holds a user or password"),
            ("key-env = \"sk-hush-123\"", "y.toml:4: `key-env` is the name of an environment variable"),
            ("options = '{\"messages\": []}'", "y.toml:4: `options`: `messages` cannot be set here"),
            ("options = 'temperature'", "y.toml:4: `options`: is no JSON object"),
            ("mode = \"replay\"", "y.toml:4: this mode needs a file"),
            ("recording = \"x\"", "y.toml:4: `recording` does nothing with `mode = \"live\"`"),
            ("strict = true", "y.toml:4: `strict` is for `mode = \"replay\"` only"),
            ("retries = 21", "y.toml:4: `retries` goes from 0 to 20, not 21"),
            ("price-in = -1.0", "y.toml:4: `price-in` is an amount of 0.0 or more"),
            ("budget = { money = -1.0 }", "y.toml:4: `money` is an amount of 0.0 or more"),
        ];
        for (line, expected) in cases {
            let said = read(&format!("[llm]\n{line}"), "").expect_err(line);
            assert!(said.contains(expected), "{line}: {said}");
            assert!(!said.contains("hush"), "{line}: {said}");
        }
        let unknown = read("", "modell = \"x\"").expect_err("an unknown key");
        assert!(unknown.contains("modell"), "{unknown}");
    }
}
