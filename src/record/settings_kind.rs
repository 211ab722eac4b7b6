//! What is known of a type of settings where the type is not: its table in session files.
//!
//! In: the text of a session file, or the settings of a session. Out: those settings read, written out, frozen, or what
//! is wrong with them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::setting::out_of_range;
use super::{ReadNamed, Setting, SettingComplaint, Settings, SettingsContent};

/// A type of settings, for code that does not know it.
#[derive(Clone, Copy)]
pub struct SettingsKind {
    /// The table's name in session files.
    pub name: &'static str,
    /// Its keys.
    pub rows: &'static [Setting],
    read: fn(&str, &mut Settings) -> Result<(), toml::de::Error>,
    fill: fn(&mut Settings),
    defaults: fn() -> Result<toml::Table, toml::ser::Error>,
    complaints: fn(&Settings) -> Vec<SettingComplaint>,
    freeze: fn(&mut Settings, ReadNamed<'_>) -> Result<(), SettingComplaint>,
    is_usual: fn(&Settings) -> bool,
    is_readable: fn(&Settings) -> bool,
    learns: fn(&Settings) -> bool,
}

impl SettingsKind {
    /// That of a type.
    pub const fn of<T: SettingsContent>() -> Self {
        Self {
            name: T::NAME,
            rows: T::ROWS,
            read: |text, settings| {
                let Only(content) = toml::from_str::<Only<T>>(text)?;
                if let Some(content) = content {
                    settings.put(&content);
                }
                Ok(())
            },
            fill: |settings| settings.change(|_: &mut T| {}),
            defaults: || toml::Table::try_from(T::default()),
            complaints: |settings| {
                let content: T = settings.of();
                let all = out_of_range(T::ROWS, &content).into_iter().chain(content.complaints());
                all.map(|complaint| complaint.within(T::NAME)).collect()
            },
            freeze: |settings, read| {
                let mut content: T = settings.of();
                content.freeze(read).map_err(|complaint| complaint.within(T::NAME))?;
                settings.put(&content);
                Ok(())
            },
            is_usual: |settings| settings.of::<T>() == T::default(),
            is_readable: Settings::is_readable::<T>,
            learns: |settings| settings.of::<T>().learns(),
        }
    }

    /// Reads this table of a session file, if it is there.
    ///
    /// # Errors
    /// When it has an unknown key or a value of another type, with the place in the text.
    pub fn read(&self, text: &str, settings: &mut Settings) -> Result<(), toml::de::Error> {
        (self.read)(text, settings)
    }

    /// Writes out the defaults of all that is not set: a later version may have others.
    pub fn fill(&self, settings: &mut Settings) {
        (self.fill)(settings);
    }

    /// The value of every key in a session file that sets nothing.
    ///
    /// # Errors
    /// When a default cannot be written in TOML.
    pub fn defaults(&self) -> Result<toml::Table, toml::ser::Error> {
        (self.defaults)()
    }

    /// The values that cannot be meant.
    pub fn complaints(&self, settings: &Settings) -> Vec<SettingComplaint> {
        (self.complaints)(settings)
    }

    /// Makes the content of the files that they name a part of the settings.
    ///
    /// # Errors
    /// When a file cannot be read or makes no sense.
    pub fn freeze(&self, settings: &mut Settings, read: ReadNamed<'_>) -> Result<(), SettingComplaint> {
        (self.freeze)(settings, read)
    }

    /// True when all keys have their defaults.
    pub fn is_usual(&self, settings: &Settings) -> bool {
        (self.is_usual)(settings)
    }

    /// False for stored settings that this version cannot read.
    pub fn is_readable(&self, settings: &Settings) -> bool {
        (self.is_readable)(settings)
    }

    /// Whether the settings have confirmed findings become examples.
    pub fn learns(&self, settings: &Settings) -> bool {
        (self.learns)(settings)
    }
}

impl fmt::Debug for SettingsKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SettingsKind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// One table of a session file, whatever else the file holds.
struct Only<T>(Option<T>);

impl<'de, T: SettingsContent> Deserialize<'de> for Only<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OnlyVisitor(PhantomData))
    }
}

struct OnlyVisitor<T>(PhantomData<T>);

impl<'de, T: SettingsContent> Visitor<'de> for OnlyVisitor<T> {
    type Value = Only<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a session file")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Only<T>, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == T::NAME {
                found = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Only(found))
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::Takes;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Walks {
        longest: u32,
    }

    impl Default for Walks {
        fn default() -> Self {
            Self { longest: 5 }
        }
    }

    impl SettingsContent for Walks {
        const NAME: &'static str = "walks";
        const ROWS: &'static [Setting] =
            &[Setting::new("longest", Takes::Whole(1, 9), "events", "of a walk")];

        fn complaints(&self) -> Vec<SettingComplaint> {
            match self.longest {
                8 => vec![SettingComplaint::new(&["longest"], "8 is unlucky")],
                _ => Vec::new(),
            }
        }
    }

    #[test]
    fn a_table_is_read_checked_and_written_out_without_its_type() {
        let kind = SettingsKind::of::<Walks>();
        let cases = [
            ("app = \"a\"\n[walks]\nlongest = 9", ""),
            ("[other]\nlongest = \"x\"", ""),
            ("[walks]\nlongest = 10", "walks.longest: `longest` goes from 1 to 9, not 10"),
            ("[walks]\nlongest = 8", "walks.longest: 8 is unlucky"),
            ("x = 1\n[walks]\nlongst = 3", "14: unknown field `longst`, expected `longest`"),
            ("x = 1\n[walks]\nlongest = \"3\"", "24: invalid type: string"),
        ];
        for (text, expected) in cases {
            let mut settings = Settings::default();
            let said = match kind.read(text, &mut settings) {
                Err(error) => format!("{}: {}", error.span().map_or(0, |span| span.start), error.message()),
                Ok(()) => {
                    let said = kind.complaints(&settings).into_iter().next();
                    said.map_or(String::new(), |said| format!("{}: {}", said.at.join("."), said.what))
                }
            };
            assert!(said.starts_with(expected) && said.is_empty() == expected.is_empty(), "{text}: {said}");
        }
        let mut settings = Settings::default();
        assert!(kind.is_usual(&settings));
        kind.fill(&mut settings);
        assert_eq!(serde_json::to_string(&settings).expect("JSON"), r#"{"walks":{"longest":5}}"#);
    }
}
