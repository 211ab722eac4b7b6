//! The guard of old stores: the shape of every version of every kind of value, compared with what is recorded in
//! `recorded/`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::super::findings::Mark;
use super::super::runs::FinishedRun;
use super::tracer::shape_of;
use super::{SHAPES, job, judgement, kind, of, session, turn};
use droidmux_gui::Layout;
use droidmux_record::{
    BlobHash, Example, Finding, Handling, Incident, Job, Judgement, MaskEdit, Recheck, SessionRecord, Shrunk,
    StepPlace, Turn,
};

/// The kind, a version of it, and the shape of the type that this version is read as.
type Traced = (u8, u8, String);

/// Every version of every kind.
fn traced() -> Vec<Traced> {
    vec![
        one::<u32>(kind::COUNTER, 1),
        one::<session::v1::SessionRecord>(kind::SESSION, 1),
        one::<session::v2::SessionRecord>(kind::SESSION, 2),
        one::<session::v3::SessionRecord>(kind::SESSION, 3),
        one::<session::v4::SessionRecord>(kind::SESSION, 4),
        one::<SessionRecord>(kind::SESSION, 5),
        one::<Handling>(kind::HANDLING, 1),
        one::<()>(kind::IMPORT, 1),
        one::<job::v1::Job>(kind::JOB, 1),
        one::<Job>(kind::JOB, 2),
        one::<FinishedRun>(kind::FINISHED, 1),
        one::<turn::v1::Turns>(kind::TURNS, 1),
        one::<turn::v2::Turns>(kind::TURNS, 2),
        one::<Vec<Turn>>(kind::TURNS, 3),
        one::<StepPlace>(kind::STEP, 1),
        one::<StepPlace>(kind::EXCHANGE, 1),
        one::<BlobHash>(kind::PICTURE, 1),
        one::<judgement::v1::Judgement>(kind::JUDGEMENT, 1),
        one::<Judgement>(kind::JUDGEMENT, 2),
        one::<judgement::v1::Finding>(kind::FINDING, 1),
        one::<Finding>(kind::FINDING, 2),
        one::<Mark>(kind::MARK, 1),
        one::<MaskEdit>(kind::MASK_EDIT, 1),
        one::<Shrunk>(kind::SHRUNK, 1),
        one::<judgement::v1::Recheck>(kind::RECHECK, 1),
        one::<Recheck>(kind::RECHECK, 2),
        one::<String>(kind::BOOKMARK, 1),
        one::<Incident>(kind::INCIDENT, 1),
        one::<Example>(kind::EXAMPLE, 1),
        // A layout's encoding also determines its name: it comes after its own version byte, which never changes.
        one::<(u8, Layout)>(kind::LAYOUT, 1),
    ]
}

fn one<T: DeserializeOwned>(kind: u8, version: u8) -> Traced {
    (kind, version, shape_of::<T>())
}

fn file(name: &str, version: u8) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shape/recorded");
    folder.join(format!("{name}.{version}.txt"))
}

/// The first line in which they differ.
fn difference(recorded: &str, traced: &str) -> String {
    let only = |these: &str, those: &str| {
        these
            .lines()
            .find(|line| !those.lines().any(|other| other == *line))
            .unwrap_or("(nothing)")
            .to_owned()
    };
    format!("written down: {}\n  the type now: {}", only(recorded, traced), only(traced, recorded))
}

/// True when everything that can be stored in the recorded shape reads the same in the traced one: enums may have more
/// variants at the end, and those may bring in more types.
fn is_longer(recorded: &str, traced: &str) -> bool {
    let begins = |line: &str| {
        traced
            .lines()
            .any(|other| other == line || other.strip_prefix(line).is_some_and(|r| r.starts_with(" | ")))
    };
    recorded.lines().all(begins)
}

#[test]
fn only_variants_at_the_end_leave_values_readable() {
    for (traced, expected) in [
        ("A\nB = 0 x | 1 y(A)\n", true),
        ("A\nB = 0 x | 1 y(A) | 2 z(C)\nC = (u8)\n", true),
        ("A\nB = 0 w | 1 x | 2 y(A)\n", false),
        ("A\nB = 0 x\n", false),
        ("A\nB = 0 x | 1 y(A, A)\n", false),
    ] {
        assert_eq!(is_longer("A\nB = 0 x | 1 y(A)\n", traced), expected, "{traced}");
    }
}

#[test]
fn every_version_is_traced() {
    let traced = traced();
    for shape in &SHAPES {
        for version in 1..=shape.last() {
            let found = traced.iter().filter(|(kind, of, _)| (*kind, *of) == (shape.kind, version)).count();
            assert_eq!(found, 1, "version {version} of `{}` in `traced`", shape.name);
        }
    }
    let versions: usize = SHAPES.iter().map(|shape| usize::from(shape.last())).sum();
    assert_eq!(traced.len(), versions, "`traced` names what is no version of any kind");
}

/// Existing stores hold values of all these shapes.
#[test]
fn stored_types_have_the_shape_that_is_written_down() {
    let noting = std::env::var_os("DROIDMUX_RECORD_SHAPES").is_some();
    let mut wrong = Vec::new();
    for (kind, version, traced) in traced() {
        let shape = of(&[kind]).expect("a kind");
        let path = file(shape.name, version);
        match fs::read_to_string(&path) {
            Ok(recorded) if recorded == traced => {}
            // Stored values read as before; the file is updated to what can be stored from now on.
            Ok(recorded) if is_longer(&recorded, &traced) => match noting {
                true => fs::write(&path, traced).expect("written"),
                false => wrong.push(format!(
                    "version {version} of `{}` has variants more at the end; run this test once with \
                     DROIDMUX_RECORD_SHAPES=1 and commit the file",
                    shape.name
                )),
            },
            Ok(recorded) => wrong.push(format!(
                "version {version} of `{}` has another shape than stores hold.\n  {}",
                shape.name,
                difference(&recorded, &traced)
            )),
            // A version that is not recorded is a new one.
            Err(_) if noting => {
                fs::write(&path, traced).expect("written");
            }
            Err(error) => wrong.push(format!(
                "{} cannot be read ({error}); for a version that begins here run this test once with \
                 DROIDMUX_RECORD_SHAPES=1 and commit the file",
                path.display()
            )),
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n\nA store written before this change could no longer be read. Do not touch what is written \
         down: keep a frozen copy of the type as it was, give its kind another version with a step from \
         the frozen type, and raise the format; CONTRIBUTING, \"Changing what is stored\", says how, step \
         by step.",
        wrong.join("\n\n")
    );
}
