//! The folder of finished trials: one JSON file each, so that a table can be made in pieces.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::record::{FORMAT, Identity};
use super::{BenchError, Trial, TrialRecord};

/// Larger files are not records.
const MOST_BYTES: u64 = 64 << 20;

/// Where the records of a bench are kept.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Records of any version will do, and nothing is run.
    past: bool,
}

/// The part of a record that gives its format version.
#[derive(Deserialize)]
struct Form {
    identity: FormIdentity,
}

#[derive(Deserialize)]
struct FormIdentity {
    format: u32,
}

/// The part of a record that says which trial it is of.
#[derive(Deserialize)]
struct Head {
    identity: Identity,
}

/// What the folder holds for a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    Nothing,
    Record(Box<TrialRecord>),
    /// A file that cannot be used, and why.
    Useless {
        path: PathBuf,
        why: String,
    },
}

impl Folder {
    /// The folder at this path, created when it is missing.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn open(path: &Path) -> Result<Self, BenchError> {
        fs::create_dir_all(path).map_err(|source| failed("cannot make the folder", path, source))?;
        Ok(Self { path: path.to_owned(), past: false })
    }

    /// The same for tables of what was recorded, whichever version of droidmux ran it with whichever settings: trials
    /// without a record are left out.
    pub fn of_any_version(self) -> Self {
        Self { past: true, ..self }
    }

    /// Whether trials without a record are left out.
    pub(super) fn is_past(&self) -> bool {
        self.past
    }

    /// The record of a trial, if the file is of exactly this trial.
    pub fn read(&self, trial: &Trial) -> Kept {
        let path = self.path(trial);
        let useless = |why: String| Kept::Useless { path: path.clone(), why };
        let bytes = match droidmux_file::read(&path, MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Kept::Nothing,
            Err(error) => return useless(error.to_string()),
        };
        // The format first: a file with another one must be able to say so.
        match serde_json::from_slice::<Form>(&bytes) {
            Err(error) => return useless(format!("it is no record of a trial: {error}")),
            Ok(Form { identity: FormIdentity { format } }) if format != FORMAT => {
                return useless(of_another_form(format));
            }
            Ok(_) => {}
        }
        match serde_json::from_slice::<Head>(&bytes) {
            Err(error) => return useless(format!("it is no record of a trial: {error}")),
            Ok(head) => {
                let wanted = Identity::of(trial);
                let differs = if self.past {
                    head.identity.is_of_another(&wanted)
                } else {
                    head.identity.differs_from(&wanted)
                };
                if let Some(why) = differs {
                    return useless(why);
                }
            }
        }
        match serde_json::from_slice(&bytes) {
            Ok(record) => Kept::Record(Box::new(record)),
            Err(error) => useless(format!("it is no record of a trial: {error}")),
        }
    }

    /// Writes the record of a trial, completely or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, trial: &Trial, record: &TrialRecord) -> Result<(), BenchError> {
        let path = self.path(trial);
        let unfinished = path.with_extension(format!("new.{}", std::process::id()));
        let write = || -> io::Result<()> {
            fs::write(&unfinished, serde_json::to_vec_pretty(record)?)?;
            fs::File::open(&unfinished)?.sync_all()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|source| failed("cannot write", &path, source))
    }

    fn path(&self, trial: &Trial) -> PathBuf {
        self.path.join(format!("{}.json", trial.file_stem()))
    }
}

/// Why a record in another format is useless.
fn of_another_form(format: u32) -> String {
    if format < FORMAT {
        return format!(
            "it is a record of version {format}, judged by laxer rules than those of version {FORMAT}; the trial \
             has to be run again"
        );
    }
    format!(
        "it is a record of version {format}, and this droidmux knows version {FORMAT} only; a later one reads it"
    )
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> BenchError {
    BenchError::Io { what, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defects::{Apps, JudgedFinding, Plan, PlanOptions, Ruling};
    use droidmux_record::Tier;

    fn trial(events: u64) -> Trial {
        let options = PlanOptions {
            techniques: vec!["genie".into()],
            apps: vec!["diary".into()],
            events,
            seeds: 1,
            ..PlanOptions::default()
        };
        Plan::new(options, &Apps::shipped()).expect("a plan").trials.remove(0)
    }

    fn record(trial: &Trial) -> TrialRecord {
        let finding = JudgedFinding {
            rank: 1,
            tier: Tier::Reported,
            because: "the app crashed or hung".into(),
            cluster: 1,
            key: "deleted\nrow".into(),
            recipe: Some("r".into()),
            title: "row is not removed".into(),
            oracle: "genie".into(),
            confirmed: true,
            hints: vec!["volatile".into()],
            after: 70,
            tests: vec![(3, 0), (4, 7)],
            held_back: None,
            opinion: None,
            ruling: Ruling::Undecided { why: "lost".into() },
        };
        TrialRecord {
            identity: Identity::of(trial),
            events: 99,
            milliseconds: 1_500,
            replays: 3,
            judging_milliseconds: 250,
            set_off: [("diary.wrong-picture".to_owned(), 3)].into(),
            findings: vec![finding],
        }
    }

    #[test]
    fn only_records_of_the_same_trial_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(&folder.path().join("made")).expect("a folder");
        let wanted = trial(100);
        assert_eq!(folder.read(&wanted), Kept::Nothing);
        let good = record(&wanted);
        folder.write(&wanted, &good).expect("written");
        assert_eq!(folder.read(&wanted), Kept::Record(Box::new(good.clone())));
        let cases: [(&str, fn(&mut TrialRecord)); 8] = [
            ("it is of droidmux 0.0.0, not ", |r| r.identity.droidmux = "0.0.0".into()),
            ("it is of planner version 900, not ", |r| r.identity.planner = 900),
            (
                "it is a record of version 1, judged by laxer rules than those of version 2; the trial has to be run",
                |r| {
                    r.identity.format = 1;
                },
            ),
            ("it is a record of version 3, and this droidmux knows version 2 only", |r| {
                r.identity.format = 3
            }),
            ("it is of another trial", |r| r.identity.correct = true),
            ("it is of limit 7, not 100", |r| r.identity.max_events = 7),
            ("the app has other defects now", |r| r.identity.present.clear()),
            ("it is of other settings", |r| r.identity.settings = "?".into()),
        ];
        for (expected, change) in cases {
            let mut other = good.clone();
            change(&mut other);
            folder.write(&wanted, &other).expect("written");
            let Kept::Useless { why, .. } = folder.read(&wanted) else { panic!("{expected}: used") };
            assert!(why.starts_with(expected), "{why}");
        }
        for wrong in ["", "{}", "[1, 2]", "{\"identity\": 1}"] {
            fs::write(folder.path(&wanted), wrong).expect("written");
            assert!(matches!(folder.read(&wanted), Kept::Useless { .. }), "{wrong}");
        }
        let left: Vec<_> = fs::read_dir(&folder.path).expect("a folder").flatten().collect();
        assert_eq!(left.len(), 1, "nothing unfinished stays");
    }
}
