//! Settings that only one technique understands, in an envelope that everybody can read.
//!
//! In: a technique's own type of settings, which implements [`SettingsContent`]. Out: a table of a session's definition,
//! under a name; code that knows the type gets the content back, all other code stores, compares and prints it.
//!
//! Invariants: equal contents make equal tables; a table that is not there stands for the defaults of its type; what is
//! stored can be read by every later version of its type: keys are added with a default, never renamed or taken out. A
//! content lists the sessions it names under keys that the envelope knows, so code that renumbers sessions needs no
//! knowledge of techniques.

use std::collections::BTreeMap;
use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json::Json;
use super::{SessionId, Setting, SettingComplaint};

/// A technique's own type of settings: a table of session files.
pub trait SettingsContent: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    /// The table's name in session files, which no other type has.
    const NAME: &'static str;

    /// All keys that people may write, in the order of the documentation.
    const ROWS: &'static [Setting];

    /// Keys whose values are lists of sessions (`s3`).
    const SESSIONS: &'static [&'static str] = &[];

    /// What makes no sense beyond the ranges of single values; the places are within the table.
    fn complaints(&self) -> Vec<SettingComplaint> {
        Vec::new()
    }

    /// Makes the content of the files that it names a part of it: they may change after the session has begun.
    ///
    /// # Errors
    /// When a file cannot be read or makes no sense.
    fn freeze(&mut self, _read: ReadNamed<'_>) -> Result<(), SettingComplaint> {
        Ok(())
    }

    /// Whether confirmed findings become examples for sessions on other apps.
    fn learns(&self) -> bool {
        false
    }
}

/// Reads a file that a session file names; a relative path begins at the session file.
pub type ReadNamed<'a> = &'a dyn Fn(&str) -> NamedFile;

/// A file that a session file names.
#[derive(Debug)]
pub struct NamedFile {
    /// Where it is, for messages.
    pub path: String,
    /// Its text, or why it cannot be read.
    pub text: io::Result<String>,
}

/// The settings of techniques in one session, a table for each type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(BTreeMap<String, Table>);

/// One table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "SettingsTable")]
struct Table {
    content: Json,
    /// The keys that hold lists of sessions.
    sessions: Vec<String>,
}

impl Settings {
    /// The settings of this type; the defaults where there are none or they cannot be read.
    pub fn of<T: SettingsContent>(&self) -> T {
        self.read().flatten().unwrap_or_default()
    }

    /// Puts settings into their envelope, in place of earlier ones.
    ///
    /// # Panics
    /// When the type cannot be written as JSON, e.g. as a map whose keys are not strings.
    pub fn put<T: SettingsContent>(&mut self, content: &T) {
        self.restore(T::NAME, content, T::SESSIONS);
    }

    /// Changes settings of this type.
    pub fn change<T: SettingsContent>(&mut self, change: impl FnOnce(&mut T)) {
        let mut content = self.of();
        change(&mut content);
        self.put(&content);
    }

    /// Puts in a table by its name, as it was stored before there were envelopes.
    ///
    /// # Panics
    /// As [`put`](Self::put).
    pub fn restore(&mut self, name: &str, content: &impl Serialize, sessions: &[&str]) {
        let content = Json::of(content, &format!("the settings `{name}`"));
        let sessions = sessions.iter().map(|key| (*key).to_owned()).collect();
        self.0.insert(name.to_owned(), Table { content, sessions });
    }

    /// Whether the settings of this type can be read, if there are any.
    pub fn is_readable<T: SettingsContent>(&self) -> bool {
        self.read::<T>().is_none_or(|read| read.is_some())
    }

    /// The names of the tables, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Takes a table out.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Shows every session that is named to the visitor, always in the same order.
    pub fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        self.each_list(&mut |names| {
            for name in names {
                if let Some(mut id) = session(name) {
                    visit(&mut id);
                    *name = id.to_string().into();
                }
            }
        });
    }

    /// Names only these sessions from now on.
    pub fn keep_sessions(&mut self, keeps: &dyn Fn(SessionId) -> bool) {
        self.each_list(&mut |names| names.retain(|name| session(name).is_some_and(keeps)));
    }

    /// What there is of this type, if it can be read.
    fn read<T: SettingsContent>(&self) -> Option<Option<T>> {
        self.0.get(T::NAME).map(|table| serde_json::from_str(&table.content.0).ok())
    }

    fn each_list(&mut self, visit: &mut dyn FnMut(&mut Vec<serde_json::Value>)) {
        for Table { content, sessions } in self.0.values_mut().filter(|table| !table.sessions.is_empty()) {
            // Only a forged archive contains anything else.
            let Ok(mut value) = serde_json::from_str::<serde_json::Value>(&content.0) else { continue };
            for key in &*sessions {
                if let Some(names) = value.get_mut(key).and_then(serde_json::Value::as_array_mut) {
                    visit(names);
                }
            }
            *content = Json(value.to_string());
        }
    }
}

fn session(name: &serde_json::Value) -> Option<SessionId> {
    name.as_str()?.parse().ok()
}

/// For people a map of tables; in the store with what the envelope says.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_map(self.0.iter().map(|(name, table)| (name, &table.content)));
        }
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let tables = BTreeMap::<String, Json>::deserialize(deserializer)?;
            let table = |(name, content)| (name, Table { content, sessions: Vec::new() });
            return Ok(Self(tables.into_iter().map(table).collect()));
        }
        BTreeMap::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
    struct Walks {
        longest_walk: u32,
        from: Vec<String>,
        share: f64,
    }

    impl SettingsContent for Walks {
        const NAME: &'static str = "walks";
        const ROWS: &'static [Setting] = &[];
        const SESSIONS: &'static [&'static str] = &["from"];
    }

    /// Of the same name, as a version that knows more keys has it.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
    struct LaterWalks {
        longest_walk: u32,
        from: Vec<String>,
        share: f64,
        shortest_walk: u32,
    }

    impl Default for LaterWalks {
        fn default() -> Self {
            Self { longest_walk: 1, from: Vec::new(), share: 0.0, shortest_walk: 7 }
        }
    }

    impl SettingsContent for LaterWalks {
        const NAME: &'static str = "walks";
        const ROWS: &'static [Setting] = &[];
    }

    fn walks() -> Walks {
        Walks { longest_walk: 3, from: vec!["s2".into(), "s5".into()], share: 0.1 }
    }

    #[test]
    fn what_goes_in_comes_out_however_it_was_written() {
        let mut settings = Settings::default();
        assert_eq!(settings.of::<Walks>(), Walks::default(), "nothing stands for the defaults");
        settings.put(&walks());
        let stored = postcard::to_stdvec(&settings).expect("bytes");
        assert_eq!(postcard::from_bytes::<Settings>(&stored), Ok(settings.clone()));
        let json = serde_json::to_string(&settings).expect("JSON");
        assert_eq!(json, r#"{"walks":{"longest-walk":3,"from":["s2","s5"],"share":0.1}}"#);
        let read: Settings = serde_json::from_str(&json).expect("settings");
        assert_eq!(read.of::<Walks>(), walks());
        settings.change(|walks: &mut Walks| walks.longest_walk = 4);
        assert_eq!((settings.of::<Walks>().longest_walk, settings.of::<Walks>().share), (4, 0.1));
    }

    #[test]
    fn a_later_version_reads_what_is_stored() {
        let mut settings = Settings::default();
        settings.put(&walks());
        let later = settings.of::<LaterWalks>();
        assert_eq!((later.longest_walk, later.shortest_walk), (3, 7));
        assert!(settings.is_readable::<LaterWalks>());
        settings.put(&later);
        assert!(!settings.is_readable::<Walks>(), "a key that this version does not know");
        assert_eq!(settings.of::<Walks>(), Walks::default());
    }

    #[test]
    fn sessions_are_renumbered_and_forgotten_without_the_type() {
        let mut settings = Settings::default();
        settings.put(&walks());
        settings.each_session(&mut |id| id.0 += 10);
        assert_eq!(settings.of::<Walks>().from, ["s12", "s15"]);
        settings.keep_sessions(&|id| id == SessionId(15));
        assert_eq!(settings.of::<Walks>(), Walks { from: vec!["s15".into()], ..walks() });
    }
}
