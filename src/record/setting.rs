//! One setting of a session file: its key, the values it takes, and its description.
//!
//! In: a value as it was read. Out: why it cannot be meant, if it cannot. Refusing a value of another type is the
//! reader's job. The check of session files, `init` and the documentation are made of these rows, so that a setting is
//! described once, next to its type.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::Serialize;

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// As written in the file; a key of an inner table has that table's name before a dot.
    pub key: &'static str,
    /// The values it takes.
    pub takes: Takes,
    /// The unit of a number; empty if it has none.
    pub unit: &'static str,
    /// What it is for, as Markdown.
    pub meaning: &'static str,
    /// What applies when the key is left out, if no value says so.
    pub unset: &'static str,
}

/// The values that a key takes. Conditions on several values together, and whatever is not checked here, are for
/// [`complaints`](super::SettingsContent::complaints).
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// The same, or 0 for "no limit".
    OffOrWhole(u64, u64),
    /// Any whole number of 0 or more.
    Count,
    /// From 0 to 1.
    Share,
    /// Above 0, up to 1.
    ShareAboveZero,
    /// Any finite number above 0.
    AboveZero,
    /// Any finite number of 0 or more.
    Amount,
    /// One of these names.
    Name(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
    /// A text, a list or a table, in words.
    Other(&'static str),
}

/// Something that makes no sense in a session file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingComplaint {
    /// The keys that lead there, outermost first; for an item of a list, its number from 0.
    pub at: Vec<String>,
    /// For a person: what is wrong there.
    pub what: String,
}

impl Setting {
    /// A row of the table.
    pub const fn new(key: &'static str, takes: Takes, unit: &'static str, meaning: &'static str) -> Self {
        Self { key, takes, unit, meaning, unset: "" }
    }

    /// States what applies when the key is left out.
    #[must_use]
    pub const fn unset(self, unset: &'static str) -> Self {
        Self { unset, ..self }
    }

    /// The value that a table holds for this key, which may lead into inner tables.
    pub fn value_in<'v>(&self, values: &'v toml::Table) -> Option<&'v toml::Value> {
        value_of(values, self.key)
    }
}

impl Takes {
    /// The range of an option that a session file can set, too.
    pub const fn range(range: &RangeInclusive<u32>) -> Self {
        Self::Whole(*range.start() as u64, *range.end() as u64)
    }

    /// Why a value cannot be meant, if it cannot.
    pub fn complaint(&self, value: &toml::Value) -> Option<String> {
        let whole = |least: u64, most: u64| {
            let number = value.as_integer()?;
            let range = i64::try_from(least).ok()?..=i64::try_from(most).ok()?;
            outside(&number, &range)
        };
        let float = |fits: fn(f64) -> bool, words: &str| {
            let number = value.as_float()?;
            (!fits(number)).then(|| format!("{words}, not {number}"))
        };
        match *self {
            Self::Whole(least, most) => whole(least, most),
            Self::OffOrWhole(_, _) if value.as_integer() == Some(0) => None,
            Self::OffOrWhole(least, most) => Some(format!("{}, unless it is 0", whole(least, most)?)),
            Self::Share => float(|number| (0.0..=1.0).contains(&number), "is a share from 0.0 to 1.0"),
            Self::ShareAboveZero => {
                float(|number| number > 0.0 && number <= 1.0, "is a share above 0.0, up to 1.0")
            }
            Self::AboveZero => float(|number| number.is_finite() && number > 0.0, "must be above 0"),
            Self::Amount => {
                float(|number| number.is_finite() && number >= 0.0, "is an amount of 0.0 or more")
            }
            Self::Count | Self::Name(_) | Self::Switch | Self::Other(_) => None,
        }
    }
}

impl SettingComplaint {
    /// A complaint about what these keys lead to.
    pub fn new(at: &[&str], what: impl Into<String>) -> Self {
        Self { at: at.iter().map(|key| (*key).to_owned()).collect(), what: what.into() }
    }

    /// The same within a table.
    #[must_use]
    pub(crate) fn within(mut self, table: &str) -> Self {
        self.at.insert(0, table.to_owned());
        self
    }
}

/// Why a number cannot be meant, if it cannot.
pub fn outside<T: PartialOrd + Display>(number: &T, range: &RangeInclusive<T>) -> Option<String> {
    let (least, most) = (range.start(), range.end());
    (!range.contains(number)).then(|| format!("goes from {least} to {most}, not {number}"))
}

/// A number whose lower limit is another setting; `at` leads to it.
pub fn not_fewer(at: &[&str], number: u32, least: u32, most: u32) -> Option<SettingComplaint> {
    let key = at.last().copied().unwrap_or_default();
    outside(&number, &(least..=most)).map(|why| SettingComplaint::new(at, format!("`{key}` {why}")))
}

/// The values of a table that these rows say are out of range; the places are within the table.
pub fn out_of_range(rows: &[Setting], values: &impl Serialize) -> Vec<SettingComplaint> {
    match toml::Table::try_from(values) {
        Ok(values) => complaints(rows, &values),
        // A number above 2^63 - 1, which TOML values cannot hold, though the reader accepts it.
        Err(error) => match large_number(values) {
            Some(key) => vec![SettingComplaint::new(&[&key], format!("`{key}`: {error}"))],
            None => vec![SettingComplaint::new(&[], error.to_string())],
        },
    }
}

fn complaints(rows: &[Setting], values: &toml::Table) -> Vec<SettingComplaint> {
    let complaint = |setting: &Setting| {
        let why = setting.takes.complaint(setting.value_in(values)?)?;
        let at: Vec<&str> = setting.key.split('.').collect();
        let name = at.last().copied().unwrap_or_default();
        Some(SettingComplaint::new(&at, format!("`{name}` {why}")))
    };
    rows.iter().filter_map(complaint).collect()
}

fn value_of<'v>(values: &'v toml::Table, key: &str) -> Option<&'v toml::Value> {
    match key.split_once('.') {
        Some((table, rest)) => value_of(values.get(table)?.as_table()?, rest),
        None => values.get(key),
    }
}

/// The first key whose number is above 2^63 - 1.
fn large_number(values: &impl Serialize) -> Option<String> {
    let values = serde_json::to_value(values).ok()?;
    let is_large =
        |value: &serde_json::Value| value.as_u64().is_some_and(|number| i64::try_from(number).is_err());
    values.as_object()?.iter().find(|(_, value)| is_large(value)).map(|(key, _)| key.clone())
}
