//! The import table: which module may use which, checked on the paths in the sources, whether they are in a `use`, in
//! an expression or in a macro's arguments. The foundation is at the top.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Module, and the modules of ours it may import.
const TABLE: [(&str, &[&str]); 19] = [
    ("apk", &[]),
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
    ("sim", &["apk", "gui", "paint"]),
    ("proto", &["gui", "record"]),
    (
        "lab",
        &[
            "apk",
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
            "proto",
        ],
    ),
    ("report", &["gui", "record", "proto"]),
    ("tui", &["file", "gui", "record", "proto"]),
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
        ],
    ),
    (
        "cli",
        &[
            "apk",
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
            "tui",
            "bench",
        ],
    ),
];

/// Crates that may only be named in these places.
const KEPT_APART: [(&str, &[&str]); 4] = [
    ("sled", &["src/store/"]),
    ("ratatui", &["src/tui/"]),
    ("reqwest", &["src/llm/"]),
    ("TcpStream", &["src/device/adb/", "src/sim/"]),
];

#[test]
fn every_module_imports_only_what_its_row_names() {
    let mut wrong = Vec::new();
    for Source { path, home, tokens } in sources() {
        let Some(module) = home.first() else { continue };
        let Some((_, allowed)) = TABLE.iter().find(|(name, _)| name == module) else {
            wrong.push(format!("{}: module `{module}` is not in the table", path.display()));
            continue;
        };
        for Named { line, module: named } in modules_named(&home, tokens) {
            if named != *module && !allowed.contains(&named.as_str()) {
                wrong.push(format!("{}:{line}: {module} may not use {named}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_is_a_module() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let missing: Vec<&str> =
        TABLE.iter().map(|(name, _)| *name).filter(|name| !folder.join(name).is_dir()).collect();
    assert!(missing.is_empty(), "rows without a module: {missing:?}");
}

#[test]
fn sled_sockets_and_the_terminal_are_kept_in_their_modules() {
    let mut wrong = Vec::new();
    for Source { path, tokens, .. } in sources() {
        let shown = path.display().to_string();
        let mut named = Vec::new();
        words(tokens, &mut named);
        for (name, places) in KEPT_APART {
            if places.iter().any(|place| shown.contains(place)) {
                continue;
            }
            if let Some(found) = named.iter().find(|found| found.module == name) {
                wrong.push(format!("{shown}:{}: names {name}", found.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_check_sees_what_it_must() {
    let cases: [(&[&str], &str, &[&str]); 14] = [
        (&["sim"], "use crate::gui::Layout;", &["gui"]),
        (&["sim"], "use crate::{gui, record::Job};", &["gui", "record"]),
        (&["sim"], "use crate::{\n    gui::{Layout, Widget},\n    record::Job,\n};", &["gui", "record"]),
        (&["sim"], "fn f() { let x = crate::store::Store::open(); }", &["store"]),
        (&["sim"], "fn f() { println!(\"{}\", crate::lab::name()); }", &["lab"]),
        (&["sim"], "use crate::device::adb::{AdbDevice};", &["device"]),
        (&["sim", "phone"], "use super::super::tui::App;", &["tui"]),
        (&["sim", "phone"], "use super::super::{llm, proto::View};", &["llm", "proto"]),
        (&["sim", "phone"], "use super::{near, super::tui::App};", &["sim", "tui"]),
        (&["sim"], "mod tests { use super::super::tui::App; use super::phone; }", &["tui", "sim"]),
        (&["sim"], "use self::phone::Phone;", &[]),
        (&["sim"], "use std::fmt; // crate::store", &[]),
        (&["sim"], "const TEXT: &str = \"crate::store\";", &[]),
        (&["sim"], "pub(crate) fn f() {}", &[]),
    ];
    for (home, text, expected) in cases {
        let home: Vec<String> = home.iter().map(|&part| part.to_owned()).collect();
        let named = modules_named(&home, text.parse().unwrap());
        let named: Vec<&str> = named.iter().map(|named| named.module.as_str()).collect();
        assert_eq!(named, expected, "{text}");
    }
}

/// A file of the library.
struct Source {
    path: PathBuf,
    /// Its module, as a path from the crate's root; empty for `lib.rs` and `main.rs`.
    home: Vec<String>,
    tokens: TokenStream,
}

/// A module of ours (or any word) and the line that names it, from 1.
struct Named {
    line: usize,
    module: String,
}

/// All Rust files under `src`.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let tokens = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let home = home_of(path.strip_prefix(&root).unwrap());
                found.push(Source { path, home, tokens });
            }
        }
    }
    assert!(found.len() > 50, "the sources are where they are looked for");
    found
}

/// The module that a file below `src` is.
fn home_of(file: &Path) -> Vec<String> {
    let stem = file.with_extension("");
    let mut parts: Vec<String> =
        stem.components().map(|part| part.as_os_str().to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// The top-level modules of ours that code in the module `home` names by a path from the crate's root or by enough
/// steps up.
fn modules_named(home: &[String], tokens: TokenStream) -> Vec<Named> {
    let mut named = Vec::new();
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Ident(word) if word == "crate" && is_path(&trees[at + 1..]) => {
                at += 3;
                resolve(&[], &trees[at..], &mut named);
                // Paths in a group are relative to the path before it.
                at += usize::from(matches!(&trees.get(at), Some(TokenTree::Group(_))));
            }
            TokenTree::Ident(word) if word == "super" && is_path(&trees[at + 1..]) => {
                resolve(home, &trees[at..], &mut named);
                while matches!(&trees.get(at), Some(TokenTree::Ident(word)) if word == "super") {
                    at += 3;
                }
                at += usize::from(matches!(&trees.get(at), Some(TokenTree::Group(_))));
            }
            TokenTree::Group(group) => {
                let inner = inline_module(&trees[..at], group).map(|name| [home, &[name]].concat());
                named.extend(modules_named(inner.as_deref().unwrap_or(home), group.stream()));
                at += 1;
            }
            _ => at += 1,
        }
    }
    named
}

/// What a path from the module `from` names if it continues with these tokens: a group may name several.
fn resolve(from: &[String], rest: &[TokenTree], named: &mut Vec<Named>) {
    match rest.first() {
        Some(TokenTree::Ident(word)) if word == "super" && is_path(&rest[1..]) => {
            resolve(&from[..from.len().saturating_sub(1)], &rest[3..], named);
        }
        Some(TokenTree::Ident(word)) => {
            let module = from.first().cloned().unwrap_or_else(|| word.to_string());
            if module.starts_with(char::is_lowercase) && module != "self" {
                named.push(Named { line: word.span().start().line, module });
            }
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            for part in inner.split(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ',')) {
                resolve(from, part, named);
            }
        }
        _ => {}
    }
}

/// Whether these tokens begin with `::`.
fn is_path(rest: &[TokenTree]) -> bool {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':');
    rest.len() > 2 && rest[..2].iter().all(is_colon)
}

/// The name of the module that this group is the body of.
fn inline_module(before: &[TokenTree], group: &Group) -> Option<String> {
    match before {
        [.., TokenTree::Ident(word), TokenTree::Ident(name)]
            if word == "mod" && group.delimiter() == Delimiter::Brace =>
        {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// Every word that a path goes on from, `name` of `name::…`.
fn words(tokens: TokenStream, named: &mut Vec<Named>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) if is_path(&trees[at + 1..]) => {
                named.push(Named { line: word.span().start().line, module: word.to_string() });
            }
            TokenTree::Group(group) => words(group.stream(), named),
            _ => {}
        }
    }
}
