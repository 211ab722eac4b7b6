//! Tells the program which commit it was built from, for `droidmux --version`.
//!
//! In: git, or what an archive of the sources says of itself. Out: `DROIDMUX_BUILD`, an environment variable for
//! the compiler, e.g. `0.1.0 (d7ee686a5d9e of 2026-11-23, with changes)`. Invariants: no build fails for want of
//! git; nothing is asked of a repository that the sources merely lie in. Runs again when sources change, which
//! compiles the library anyway, and not with every commit: what is told is the commit that was there then.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What the program is made of.
const SOURCES: [&str; 7] =
    ["build.rs", "Cargo.toml", "Cargo.lock", "src", "themes", "sessions", ".source-commit"];
/// Hexadecimal digits of a commit that are told.
const DIGITS: usize = 12;

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let build = build_of(Path::new(env!("CARGO_MANIFEST_DIR")));
    println!("cargo::rustc-env=DROIDMUX_BUILD={} ({build})", env!("CARGO_PKG_VERSION"));
}

/// The build of the sources in this folder, in words.
pub fn build_of(folder: &Path) -> String {
    of_repository(folder)
        .or_else(|| of_archive(&folder.join(".source-commit")))
        .or_else(|| of_crate(&folder.join(".cargo_vcs_info.json")))
        .unwrap_or_else(|| "commit not known".to_owned())
}

/// The commit that is checked out; `None` where the folder is not the top of a repository.
fn of_repository(folder: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command.arg("--no-optional-locks").args(arguments).current_dir(folder).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
    };
    let above = git(&["rev-parse", "--show-prefix"])?;
    if !above.trim().is_empty() {
        return None;
    }
    let commit = in_words(&git(&["log", "-1", "--format=%H %cs"])?)?;
    let mut changes = vec!["status", "--porcelain", "--"];
    changes.extend(SOURCES);
    let changed = git(&changes).is_some_and(|list| !list.trim().is_empty());
    Some(if changed { format!("{commit}, with changes") } else { commit })
}

/// What `git archive` wrote into this file in place of `$Format:…$`.
fn of_archive(file: &Path) -> Option<String> {
    in_words(&fs::read_to_string(file).ok()?)
}

/// What `cargo package` wrote of the commit: JSON with one `sha1`.
fn of_crate(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1).and_then(short)?;
    Some(if text.contains("\"dirty\": true") { format!("{commit}, with changes") } else { commit.to_owned() })
}

/// `HASH DATE` as `HASH of DATE`; `None` for anything else.
fn in_words(line: &str) -> Option<String> {
    let (hash, date) = line.trim().split_once(' ')?;
    let is_date = date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
    short(hash).filter(|_| is_date).map(|commit| format!("{commit} of {date}"))
}

fn short(hash: &str) -> Option<&str> {
    let is_hash = hash.len() >= DIGITS && hash.chars().all(|c| c.is_ascii_hexdigit());
    hash.get(..DIGITS).filter(|_| is_hash)
}
