//! One setting of a session file: its key, the values it takes, and its description.
//!
//! In: a value as it was read. Out: why it cannot be meant, if it cannot. Refusing a value of another type is the
//! reader's job.

use crate::ranges;

/// A TOML table of a session file.
pub(super) struct Group {
    pub(super) table: &'static str,
    pub(super) settings: &'static [Setting],
}

/// One key.
#[cfg_attr(not(test), expect(dead_code, reason = "partly for the documentation, which a test writes"))]
pub(super) struct Setting {
    /// As written in the file; a key of an inner table has that table's name before a dot.
    pub(super) key: &'static str,
    pub(super) takes: Takes,
    /// The unit of a number; empty if it has none.
    pub(super) unit: &'static str,
    /// What it is for, as Markdown.
    pub(super) meaning: &'static str,
    /// What applies when the key is left out, if no value says so.
    pub(super) unset: &'static str,
}

/// The values that a key takes. Anything not checked here is checked by the reader or by `complaints`.
#[cfg_attr(not(test), expect(dead_code, reason = "partly for the documentation, which a test writes"))]
pub(super) enum Takes {
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

impl Takes {
    /// Why a value cannot be meant, if it cannot. Refusing a value of another type is the reader's job.
    pub(super) fn complaint(&self, value: &toml::Value) -> Option<String> {
        let whole = |least: u64, most: u64| {
            let number = value.as_integer()?;
            let range = i64::try_from(least).ok()?..=i64::try_from(most).ok()?;
            ranges::outside(&number, &range)
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

impl Setting {
    /// States what applies when the key is left out.
    pub(super) const fn unset(self, unset: &'static str) -> Self {
        Self { unset, ..self }
    }
}

/// A row of the table.
pub(super) const fn row(
    key: &'static str,
    takes: Takes,
    unit: &'static str,
    meaning: &'static str,
) -> Setting {
    Setting { key, takes, unit, meaning, unset: "" }
}

/// The range of an option that a session file can set, too.
pub(super) const fn as_option(range: &std::ops::RangeInclusive<u32>) -> Takes {
    Takes::Whole(*range.start() as u64, *range.end() as u64)
}
