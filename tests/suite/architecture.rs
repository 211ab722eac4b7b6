//! The import table: which module may use which, checked on the `use` lines and paths in the
//! sources. The foundation is on top.

use std::fs;
use std::path::{Path, PathBuf};

/// Module, and the modules of ours it may import.
const TABLE: [(&str, &[&str]); 18] = [
    ("file", &[]),
    ("gui", &[]),
    ("paint", &["gui"]),
    ("record", &["gui"]),
    ("picture", &["gui", "record", "paint"]),
    ("model", &["gui", "record"]),
    ("technique", &["gui", "record", "model"]),
    ("import", &["file", "gui", "record"]),
    ("device", &["file", "gui", "record"]),
    ("llm", &["file", "gui", "record"]),
    ("store", &["file", "gui", "record"]),
    ("sim", &["gui", "paint"]),
    ("proto", &["gui", "record"]),
    ("lab", &["gui", "record", "picture", "model", "technique", "import", "device", "llm", "store", "proto"]),
    ("tui", &["file", "gui", "record", "proto"]),
    ("report", &["gui", "record", "proto"]),
    (
        "bench",
        &[
            "file",
            "gui",
            "record",
            "picture",
            "model",
            "technique",
            "import",
            "device",
            "llm",
            "store",
            "sim",
            "proto",
            "lab",
            "report",
        ],
    ),
    (
        "cli",
        &[
            "file",
            "gui",
            "record",
            "picture",
            "model",
            "technique",
            "import",
            "device",
            "llm",
            "store",
            "sim",
            "proto",
            "lab",
            "tui",
            "report",
            "bench",
        ],
    ),
];

/// Crates that only these places may name.
const KEPT_APART: [(&str, &[&str]); 4] = [
    ("sled", &["src/store/"]),
    ("ratatui", &["src/tui/"]),
    ("reqwest", &["src/llm/"]),
    ("TcpStream", &["src/device/adb/", "src/sim/"]),
];

#[test]
fn every_module_imports_only_what_its_row_names() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(module) = module_of(&path) else { continue };
        let Some((_, allowed)) = TABLE.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module `{module}` is not in the table", path.display()));
            continue;
        };
        for (number, line) in code_lines(&text) {
            for named in modules_named(line) {
                if named != module && !allowed.contains(&named.as_str()) {
                    wrong.push(format!("{}:{number}: {module} may not use {named}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sled_sockets_and_the_terminal_are_kept_in_their_modules() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let shown = path.display().to_string();
        for (name, places) in KEPT_APART {
            if places.iter().any(|place| shown.contains(place)) {
                continue;
            }
            let found = code_lines(&text).find(|(_, line)| line.contains(&format!("{name}::")));
            if let Some((number, _)) = found {
                wrong.push(format!("{shown}:{number}: names {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_check_sees_what_it_must() {
    let cases: [(&str, &[&str]); 6] = [
        ("use crate::gui::Layout;", &["gui"]),
        ("use crate::{gui, record::Job};", &["gui", "record"]),
        ("    let x = crate::store::Store::open();", &["store"]),
        ("use crate::device::adb::{AdbDevice};", &["device"]),
        ("use std::fmt;", &[]),
        ("pub(crate) fn f() {}", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(modules_named(line), expected, "{line}");
    }
}

/// All Rust files under `src`, with their text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    assert!(found.len() > 50, "the sources are where they are looked for");
    found
}

/// The top module a file belongs to; `None` for `lib.rs` and `main.rs`.
fn module_of(path: &Path) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut parts = path.strip_prefix(root).ok()?.components();
    let first = parts.next()?.as_os_str().to_str()?.to_owned();
    parts.next().map(|_| first)
}

/// Lines that are no comments, numbered from 1.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The modules of ours that a line names: `crate::x`, `crate::{x, y::z}`.
fn modules_named(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let parts = group.split(['}', ';']).next().unwrap_or("").split(',');
                names.extend(parts.map(|part| word(part.trim())));
            }
            None => names.push(word(rest)),
        }
    }
    names.retain(|name| name.chars().next().is_some_and(char::is_lowercase));
    names
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}
