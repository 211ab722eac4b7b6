//! The shapes of stored values: which versions each kind of value has had, since which store format, and how a value of
//! an earlier version is converted to the last one.
//!
//! In: a key, a version, the bytes of a value as they were encoded in that version. Out: the bytes of the same value in
//! the last version of its kind, the only one that anything outside this folder knows. Values are converted each time
//! they are read; new values are written in the last version, so a store reaches the last format value by value, and a
//! kill can never find it half converted.
//!
//! # Invariants
//!
//! - A stored value says its version in its first byte (`value`); in an archive the format of the
//!   store that it came from tells the versions of all values.
//! - What was stored once can be read for good: versions are added at the end and never taken out.
//!   Types of earlier versions are frozen copies in this folder that nothing else uses.
//! - The shape of every version is written down in `recorded/`; a test compares them with the types
//!   (`guard`) and says what to do when they differ. How to change a stored type is in CONTRIBUTING.

#[cfg(test)]
mod guard;
mod job;
mod judgement;
mod lab;
mod session;
mod tables;
#[cfg(test)]
mod tracer;
mod turn;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::format::OLDEST;
use super::key::kind;
use super::{Damage, codec};
use droidmux_record::{Finding, Job, Judgement, Recheck, SessionRecord};

/// The versions of one kind of values.
#[derive(Debug)]
pub(super) struct Shape {
    /// The byte that begins its keys.
    kind: u8,
    /// The name of its files in `recorded/`.
    #[cfg_attr(not(test), allow(dead_code, reason = "for the guard"))]
    name: &'static str,
    /// The formats of the store that began version 1, 2 and so on, in ascending order.
    since: &'static [u32],
    /// From version 1 to 2, from 2 to 3 and so on.
    steps: &'static [Step],
}

/// Turns the bytes of a value of one version into those of the next.
pub(super) type Step = fn(&[u8]) -> Result<Vec<u8>, Damage>;

/// All kinds that have values of their own; a further piece of a value (`x`) has none.
const SHAPES: [Shape; 20] = [
    Shape::first(kind::COUNTER, "counter"),
    Shape {
        kind: kind::SESSION,
        name: "session",
        since: &[OLDEST, 6, 7, 8, 9],
        steps: &[
            converted::<session::v1::SessionRecord, session::v2::SessionRecord>,
            converted::<session::v2::SessionRecord, session::v3::SessionRecord>,
            converted::<session::v3::SessionRecord, session::v4::SessionRecord>,
            converted::<session::v4::SessionRecord, SessionRecord>,
        ],
    },
    Shape::first(kind::HANDLING, "handling"),
    Shape::first(kind::IMPORT, "import"),
    Shape { kind: kind::JOB, name: "job", since: &[OLDEST, 6], steps: &[converted::<job::v1::Job, Job>] },
    Shape::first(kind::FINISHED, "finished"),
    Shape {
        kind: kind::TURNS,
        name: "turns",
        since: &[OLDEST, 9, 10],
        steps: &[converted::<turn::v1::Turns, turn::v2::Turns>, converted::<turn::v2::Turns, turn::v2::Now>],
    },
    Shape::first(kind::STEP, "step"),
    Shape::first(kind::EXCHANGE, "exchange"),
    Shape { kind: kind::PICTURE, name: "picture", since: &[6], steps: &[] },
    Shape {
        kind: kind::JUDGEMENT,
        name: "judgement",
        since: &[OLDEST, 6],
        steps: &[converted::<judgement::v1::Judgement, Judgement>],
    },
    Shape {
        kind: kind::FINDING,
        name: "finding",
        since: &[OLDEST, 6],
        steps: &[converted::<judgement::v1::Finding, Finding>],
    },
    Shape::first(kind::MARK, "mark"),
    Shape::first(kind::MASK_EDIT, "mask-edit"),
    Shape::first(kind::SHRUNK, "shrunk"),
    Shape {
        kind: kind::RECHECK,
        name: "recheck",
        since: &[OLDEST, 6],
        steps: &[converted::<judgement::v1::Recheck, Recheck>],
    },
    Shape { kind: kind::BOOKMARK, name: "bookmark", since: &[6], steps: &[] },
    Shape::first(kind::INCIDENT, "incident"),
    Shape::first(kind::EXAMPLE, "example"),
    Shape::first(kind::LAYOUT, "layout"),
];

/// The version that values of this key are written in.
pub(super) fn version(key: &[u8]) -> u8 {
    of(key).map_or(1, Shape::last)
}

/// The version of values of this key in a store of this format; `None` when it had no such values.
pub(super) fn version_in(key: &[u8], format: u32) -> Option<u8> {
    of(key)?.version_in(format)
}

/// Whether values of this key have ever had this version.
///
/// # Errors
/// When they have not.
pub(super) fn check(key: &[u8], version: u8) -> Result<(), Damage> {
    of(key).map_or(Ok(()), |shape| shape.check(version))
}

/// The bytes of a value in the last version of its kind, from those in any version.
///
/// # Errors
/// When this kind has no such version or the bytes are not such a value.
pub(super) fn current(key: &[u8], version: u8, raw: Vec<u8>) -> Result<Vec<u8>, Damage> {
    match of(key) {
        Some(shape) => shape.current(version, raw),
        None => Ok(raw),
    }
}

fn of(key: &[u8]) -> Option<&'static Shape> {
    let kind = key.first()?;
    SHAPES.iter().find(|shape| shape.kind == *kind)
}

impl Shape {
    /// A kind that has had one version since the oldest format.
    const fn first(kind: u8, name: &'static str) -> Self {
        Self { kind, name, since: &[OLDEST], steps: &[] }
    }

    fn last(&self) -> u8 {
        u8::try_from(self.since.len()).unwrap_or(u8::MAX)
    }

    fn version_in(&self, format: u32) -> Option<u8> {
        let begun = self.since.iter().filter(|since| **since <= format).count();
        u8::try_from(begun).ok().filter(|version| *version > 0)
    }

    fn check(&self, version: u8) -> Result<(), Damage> {
        if version == 0 || version > self.last() {
            return Err(Damage::Version { found: version, known: self.last() });
        }
        Ok(())
    }

    fn current(&self, version: u8, mut raw: Vec<u8>) -> Result<Vec<u8>, Damage> {
        self.check(version)?;
        for step in self.steps.iter().skip(usize::from(version) - 1) {
            raw = step(&raw)?;
        }
        Ok(raw)
    }
}

/// A conversion between two types.
fn converted<Old, New>(raw: &[u8]) -> Result<Vec<u8>, Damage>
where
    Old: DeserializeOwned,
    New: From<Old> + Serialize,
{
    let old: Old = codec::decode(raw)?;
    codec::encode(&New::from(old))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::format::FORMAT;

    /// A name, then an optional name, then a list of names.
    #[derive(Serialize, Deserialize)]
    struct First(String);

    #[derive(Serialize, Deserialize)]
    struct Second(Option<String>, u32);

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Third(Vec<String>, u32);

    impl From<First> for Second {
        fn from(First(name): First) -> Self {
            Self(Some(name), 7)
        }
    }

    impl From<Second> for Third {
        fn from(Second(name, number): Second) -> Self {
            Self(name.into_iter().collect(), number)
        }
    }

    const SHAPE: Shape = Shape {
        kind: b'?',
        name: "test",
        since: &[5, 6, 9],
        steps: &[converted::<First, Second>, converted::<Second, Third>],
    };

    #[test]
    fn every_version_becomes_the_last() {
        let third = Third(vec!["a".into()], 7);
        let cases = [
            (1, postcard::to_stdvec(&First("a".into()))),
            (2, postcard::to_stdvec(&Second(Some("a".into()), 7))),
            (3, postcard::to_stdvec(&third)),
        ];
        for (version, raw) in cases {
            let current = SHAPE.current(version, raw.unwrap()).unwrap();
            assert_eq!(codec::decode::<Third>(&current).as_ref(), Ok(&third), "version {version}");
        }
        for (version, raw, complaint) in [
            (0, vec![], "it has version 0, this droidmux reads up to 3"),
            (4, vec![], "it has version 4, this droidmux reads up to 3"),
            (1, vec![], "it cannot be decoded"),
            (1, vec![0, 0], "1 bytes are left over"),
        ] {
            let error = SHAPE.current(version, raw).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn the_format_of_a_store_tells_the_versions_of_its_values() {
        for (format, version) in
            [(4, None), (5, Some(1)), (6, Some(2)), (8, Some(2)), (9, Some(3)), (70, Some(3))]
        {
            assert_eq!(SHAPE.version_in(format), version, "format {format}");
        }
    }

    #[test]
    fn every_version_has_a_format_and_a_step_to_the_next() {
        for shape in &SHAPES {
            let name = shape.name;
            assert!(shape.since.is_sorted_by(|a, b| a < b), "{name}");
            assert_eq!(shape.steps.len() + 1, shape.since.len(), "{name}");
            assert!(shape.since.iter().all(|format| (OLDEST..=FORMAT).contains(format)), "{name}");
            assert_eq!(SHAPES.iter().filter(|other| other.kind == shape.kind).count(), 1, "{name}");
        }
        let newest = SHAPES.iter().flat_map(|shape| shape.since).max();
        assert_eq!(newest, Some(&FORMAT), "a format begins with the first value that others cannot read");
    }
}
