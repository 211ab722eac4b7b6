//! Techniques know neither each other nor the table that lists them: what they share is beside their folders.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder each.
const TECHNIQUES: [&str; 7] =
    ["baseline", "genie", "inputblaster", "neutral", "odin", "pbfdroid", "visiondroid"];

/// The modules that know techniques; no technique may know them.
const ABOVE: [&str; 3] = ["lesson", "recheck", "registry"];

#[test]
fn techniques_know_neither_each_other_nor_their_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/technique");
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for path in sources(&root) {
        let within = path.strip_prefix(&root).expect("a file of the folder");
        let first = within.components().next().expect("a part").as_os_str().to_string_lossy().into_owned();
        let home = first.trim_end_matches(".rs");
        // The root declares all modules; the toys run whole sessions in tests, and hostile input is read by any reader.
        if ABOVE.contains(&home) || ["lib", "hostile", "toy"].contains(&home) {
            continue;
        }
        looked_at += 1;
        // Only beside the folders, and in what stands for a folder, is `super` the root.
        let is_beside = within.components().count() == 1;
        let stands = within.components().count() == 2 && within.ends_with("mod.rs");
        let roots: &[&str] = if is_beside || stands { &["crate::", "super::"] } else { &["crate::"] };
        let text = fs::read_to_string(&path).expect("a text");
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            if let Some(named) = named(line, roots).filter(|named| *named != home) {
                wrong.push(format!("{}:{}: names {named}", within.display(), number + 1));
            }
        }
    }
    assert!(looked_at > 150, "{looked_at} files: the sources are where they are looked for");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_seen_in_paths_alone() {
    for (line, expected) in [
        ("use crate::genie::GenieOracle;", Some("genie")),
        ("    let planner = super::odin::planner();", Some("odin")),
        ("use crate::registry;", Some("registry")),
        ("use crate::{Oracle, genie};", Some("genie")),
        ("use crate::GenieSettings;", None),
        ("use super::neutral_words;", None),
        ("use super::super::odin::X;", Some("odin")),
        ("let genie = definition.settings.of();", None),
    ] {
        assert_eq!(named(line, &["crate::", "super::"]), expected, "{line}");
    }
}

/// The technique, or the module above techniques, that a line of code names by its path.
fn named(line: &str, roots: &[&str]) -> Option<&'static str> {
    let names = TECHNIQUES.iter().chain(&ABOVE);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let paths = |name: &str| {
        let whole = |rest: &str| !rest.starts_with(is_word);
        roots.iter().any(|root| {
            line.match_indices(root).any(|(at, _)| {
                let rest = &line[at + root.len()..];
                match rest.strip_prefix('{') {
                    Some(list) => {
                        list.split([',', '}', ' ']).any(|part| part.split("::").next() == Some(name))
                    }
                    None => rest.strip_prefix(name).is_some_and(whole),
                }
            })
        })
    };
    names.copied().find(|name| paths(name))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}
