//! Fault files of `droidmux sim --faults`: read as strictly as session files.
//!
//! In: a TOML file of `[[fault]]` tables. Out: the plan for the simulated lab, or what is wrong with
//! the file and where. Every kind and its keys are in `docs/simulator.md`.

mod entry;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use entry::{Complaint, Entry};

use super::session_file::{explain_unknown, line_at, line_of};
use droidmux_file as file;
use droidmux_sim::FaultPlan;

/// Larger files are not fault files.
const MOST_BYTES: u64 = 1 << 20;

/// What is wrong with a fault file, and where.
#[derive(Debug, Error)]
pub enum FaultFileError {
    #[error("{path}: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{path}:{line}: {what}")]
    Wrong { path: PathBuf, line: usize, what: String },
}

/// Reads and checks a fault file; without a `seed` of its own it draws from `seed`.
pub fn read_faults(path: &Path, seed: u64) -> Result<FaultPlan, FaultFileError> {
    let unreadable = |source| FaultFileError::Unreadable { path: path.into(), source };
    let text = file::text(file::read(path, MOST_BYTES).map_err(unreadable)?)
        .map_err(|error| FaultFileError::Wrong { path: path.into(), line: error.line, what: error.what() })?;
    parse_faults(path, &text, seed)
}

/// Checks the text of a fault file. `path` is for messages.
pub(super) fn parse_faults(path: &Path, text: &str, seed: u64) -> Result<FaultPlan, FaultFileError> {
    let wrong = |line, what| FaultFileError::Wrong { path: path.into(), line, what };
    let file: FaultFile = toml::from_str(text).map_err(|error| {
        wrong(error.span().map_or(1, |span| line_at(text, span.start)), explain_unknown(error.message()))
    })?;
    let rule = |(number, entry): (usize, &Entry)| {
        entry.rule().map_err(|Complaint { key, what }| {
            let mut place = vec!["fault".to_owned(), number.to_string()];
            place.extend(key.map(str::to_owned));
            wrong(line_of(text, &place), what)
        })
    };
    let rules = file.fault.iter().enumerate().map(rule).collect::<Result<_, _>>()?;
    Ok(FaultPlan::new(file.seed.unwrap_or(seed), rules))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultFile {
    seed: Option<u64>,
    #[serde(default)]
    fault: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        match parse_faults(Path::new("f.toml"), text, 5) {
            Ok(plan) => format!("{plan:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, expected) in [
            ("", "FaultPlan { seed: 5, rules: [] }"),
            ("seed = 7", "FaultPlan { seed: 7, rules: [] }"),
            ("[[fault]]\nkind = \"reboots\"", "f.toml:2: unknown variant `reboots`"),
            ("[[fault]]\nkind = \"reboots\"", "did you mean `reboot`?"),
            ("[[fault]]\nkind = \"slow\"\nms = 5\nafer = 3", "f.toml:4: unknown field `afer`"),
            ("[[fault]]\nkind = \"slow\"\nms = \"5\"", "f.toml:3: invalid type: string"),
            ("\n[[fault]]\nkind = \"slow\"", "f.toml:2: `kind = \"slow\"` needs `ms`"),
            (
                "[[fault]]\nkind = \"slow\"\nms = 5\n[[fault]]\nkind = \"dump-cut\"",
                "f.toml:4: `kind = \"dump-cut\"` needs",
            ),
            (
                "[[fault]]\nkind = \"half-open\"\nms = 5",
                "f.toml:3: `ms` does nothing with `kind = \"half-open\"`",
            ),
            (
                "[[fault]]\nkind = \"half-open\"\nprobability = 1.5",
                "f.toml:3: `probability` goes from 0.0 to 1.0",
            ),
            ("[[fault]]\nkind = \"half-open\"\nafter = 9\nuntil = 9", "f.toml:4: `until = 9` is not beyond"),
            ("[[fault]]\nkind = \"half-open\"\ntimes = 0", "f.toml:3: with `times = 0` it never strikes"),
            ("[[fault]]\nkind = \"battery\"\nlevel = 101", "f.toml:3: `level` goes from 0 to 100, not 101"),
            ("[[fault]]\nkind = \"heat\"\ncelsius = 200", "f.toml:3: `celsius` goes from -40 to 150"),
            (
                "[[fault]]\nkind = \"server-restart\"\nms = 1\ndevices = [\"sim-1\"]",
                "f.toml:4: `server-restart` strikes the server",
            ),
            (
                "[[fault]]\nkind = \"app-missing\"\npackage = \"a.b\"\ntimes = 1",
                "f.toml:4: `times` means nothing",
            ),
            ("fault = 3", "f.toml:1: invalid type"),
        ] {
            let said = said(text);
            assert!(said.contains(expected), "{text:?}\n said {said}\n not {expected}");
        }
    }

    #[test]
    fn every_kind_can_be_written_and_is_named_as_it_strikes() {
        let needs = |kind: &str| match kind {
            "slow" | "jitter" | "agent-slow" | "reboot" | "server-restart" => "ms = 1",
            "drop" | "lose" | "garbage" | "dump-cut" | "dump-garbled" => "bytes = 1",
            "app-missing" => "package = \"a.b\"",
            "agent-lacks" => "method = \"waitForIdle\"",
            "refuses" => "command = \"settings put\"",
            "battery" => "level = 3",
            "heat" => "celsius = 50",
            "clock-jump" => "forward-ms = -5",
            _ => "",
        };
        let listed = said("[[fault]]\nkind = \"\"");
        let kinds: Vec<&str> = listed.split('`').skip(3).step_by(2).collect();
        assert!(kinds.len() >= 35, "{listed}");
        for kind in kinds {
            let text = format!("[[fault]]\nkind = {kind:?}\n{}", needs(kind));
            let plan = parse_faults(Path::new("f.toml"), &text, 1).expect("a fault");
            assert_eq!(plan.rules[0].fault.name(), kind);
        }
    }

    #[test]
    fn the_example_is_good() {
        let text = include_str!("../../../sessions/night.faults.toml");
        let plan = parse_faults(Path::new("night.faults.toml"), text, 1).expect("a fault file");
        assert!(plan.rules.len() > 8);
    }
}
