//! The mutants that were chosen in an app: one JSON file.
//!
//! In: what was chosen, and what was not, with why. Out: a [`Subject`] whose defects they are. With the file, what was
//! recorded of an app can be told where its APK is not.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::showing::Shown;
use crate::defects::{BenchError, Planted, Subject};
use droidmux_sim::FrameworkOptions;

/// Raised when the file or the way of choosing changes.
const FORMAT: u32 = 1;
/// Larger files are no choices.
const MOST_BYTES: u64 = 16 << 20;

/// What was chosen in an app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The version of this file.
    pub format: u32,
    /// The app's name in lists.
    pub name: String,
    /// Its application id.
    pub package: String,
    /// What the app's translation is kept under: the content of its APK and of the translator.
    pub translation: String,
    /// The seed by which was chosen.
    pub seed: u64,
    /// Random events that had to set a mutant off.
    pub events: u64,
    /// Mutants that were to be chosen at most.
    pub wanted: usize,
    /// Mutants that were woven in, by operator.
    pub woven: BTreeMap<String, u64>,
    /// Those of them that the random events set off, or would have.
    pub set_off: BTreeMap<String, u64>,
    /// Those that were tried and not taken.
    pub rejected: Vec<Rejected>,
    /// Those that were taken, by operator.
    pub chosen: Vec<Chosen>,
}

/// A mutant that was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// `markor.lost-write-17`.
    pub id: String,
    /// Its switch in the host.
    pub number: u32,
    /// The kind of defect.
    pub operator: String,
    /// The class that it is in.
    pub class: String,
    /// Name and descriptor of the method.
    pub method: String,
    /// The line in the source file; 0 where the code does not say.
    pub line: u32,
    /// What is done otherwise, in words.
    pub what: String,
    /// Requests of the random session that it would have made a difference to.
    pub set_off: u64,
    /// Whether that session showed it, alone on its app; `None` when nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
}

/// A mutant that was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// `markor.lost-write-17`.
    pub id: String,
    /// In words: it crashes the app.
    pub why: String,
}

impl Choice {
    pub(super) const FORMAT: u32 = FORMAT;

    /// The file of an app's choice in a folder.
    pub fn path(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.choice.json"))
    }

    /// What was chosen before, if the file is there and of this version.
    ///
    /// # Errors
    /// When there is a file that is none.
    pub fn read(folder: &Path, name: &str) -> Result<Option<Self>, BenchError> {
        let path = Self::path(folder, name);
        let unreadable = |source| BenchError::Io { what: "cannot read", path: path.clone(), source };
        let bytes = match droidmux_file::read(&path, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error)),
        };
        let read: Self = serde_json::from_slice(&bytes).map_err(|error| unreadable(error.into()))?;
        Ok((read.format == FORMAT).then_some(read))
    }

    /// Writes it, completely or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), BenchError> {
        let path = Self::path(folder, &self.name);
        let unfinished = path.with_extension(format!("new.{}", std::process::id()));
        let write = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            fs::write(&unfinished, serde_json::to_vec_pretty(self)?)?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|source| BenchError::Io { what: "cannot write", path: path.clone(), source })
    }

    /// The app with these mutants, of which so many are on together at most. Without options its sessions cannot be run.
    pub fn subject(&self, at_once: usize, options: Option<FrameworkOptions>) -> Subject {
        let planted = self
            .chosen
            .iter()
            .map(|chosen| Planted { id: chosen.id.clone(), kind: chosen.operator.clone() })
            .collect();
        Subject::translated((&self.package, &self.name), planted, at_once, options)
    }

    /// In a line: how many there are, where fewer than were wanted, why, and how many of them show.
    pub fn told(&self) -> String {
        let wanted = self.wanted;
        let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let (chosen, operators) = (self.chosen.len(), self.operators());
        let fewer = if chosen < wanted { format!(", not {wanted}: it has no more") } else { String::new() };
        format!(
            "{}: {chosen} mutants of {operators} operators{fewer}; {} were woven in, {} events set off {}, {} of those \
             tried were not taken{}",
            self.name,
            sum(&self.woven),
            self.events,
            sum(&self.set_off),
            self.rejected.len(),
            self.shown().map(|shown| format!("; {shown} show on a screen")).unwrap_or_default()
        )
    }

    /// How many of the chosen show; `None` when not all were looked at.
    fn shown(&self) -> Option<usize> {
        let shown: Option<Vec<&Shown>> = self.chosen.iter().map(|chosen| chosen.shown.as_ref()).collect();
        Some(shown?.iter().filter(|shown| matches!(shown, Shown::After { .. })).count())
    }

    fn operators(&self) -> usize {
        let mut operators: Vec<&str> = self.chosen.iter().map(|chosen| chosen.operator.as_str()).collect();
        operators.sort_unstable();
        operators.dedup();
        operators.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_comes_back_as_it_was_and_one_of_another_version_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let chosen = Chosen {
            id: "markor.lost-write-17".into(),
            number: 17,
            operator: "lost-write".into(),
            class: "a.B".into(),
            method: "c()V".into(),
            line: 3,
            what: "write is left out".into(),
            set_off: 4,
            shown: Some(Shown::After { events: 7, what: "gone: 'Save'".into() }),
        };
        let choice = Choice {
            format: FORMAT,
            name: "markor".into(),
            package: "net.gsantner.markor".into(),
            translation: "k".into(),
            seed: 1,
            events: 500,
            wanted: 30,
            woven: [("lost-write".to_owned(), 9)].into(),
            set_off: [("lost-write".to_owned(), 2)].into(),
            rejected: vec![Rejected { id: "markor.lost-write-3".into(), why: "it crashes the app".into() }],
            chosen: vec![chosen],
        };
        assert_eq!(Choice::read(folder.path(), "markor").expect("nothing"), None);
        choice.write(folder.path()).expect("written");
        assert_eq!(Choice::read(folder.path(), "markor").expect("read"), Some(choice.clone()));
        assert_eq!(
            choice.told(),
            "markor: 1 mutants of 1 operators, not 30: it has no more; 9 were woven in, 500 events set off 2, 1 of those \
             tried were not taken; 1 show on a screen"
        );
        let subject = choice.subject(10, None);
        assert_eq!((subject.name(), subject.defects().len(), subject.is_real()), ("markor", 1, true));
        Choice { format: FORMAT + 1, ..choice }.write(folder.path()).expect("written");
        assert_eq!(Choice::read(folder.path(), "markor").expect("read"), None);
        fs::write(Choice::path(folder.path(), "markor"), "{}").expect("written");
        assert!(Choice::read(folder.path(), "markor").is_err());
    }
}
