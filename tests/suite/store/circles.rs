//! No two files of the store import each other, not even indirectly.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Module = Vec<String>;

/// The sources by module: `archive::import` is `["archive", "import"]`, the root is empty. Tests are
/// left out.
fn sources(folder: &Path, module: &[String], into: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            sources(&path, &[module, &[name]].concat(), into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
            let module =
                if name == "mod" || name == "lib" { module.to_vec() } else { [module, &[name]].concat() };
            into.insert(module, text);
        }
    }
}

/// Each path that a text names in its `use` lines, with braces resolved.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let begins = text[..at].ends_with('\n') || text[..at].ends_with("pub ");
        let Some((said, _)) = text[at + 4..].split_once(';').filter(|_| begins) else { continue };
        let said: String = said.chars().filter(|c| !c.is_whitespace()).collect();
        expand("", &said, &mut paths);
    }
    paths
}

fn expand(before: &str, said: &str, into: &mut Vec<Vec<String>>) {
    let Some((path, inside)) = said.split_once('{') else {
        into.push(format!("{before}{said}").split("::").map(str::to_owned).collect());
        return;
    };
    let before = format!("{before}{path}");
    let (mut depth, mut begin) = (0, 0);
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if begin < at {
                    expand(&before, &inside[begin..at], into);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// Where a path in this module leads: the module that contains what it names.
fn target(sources: &BTreeMap<Module, String>, module: &Module, path: &[String]) -> Option<Module> {
    let (mut at, mut rest) = match path[0].as_str() {
        "crate" => (Vec::new(), &path[1..]),
        "super" | "self" => (module.clone(), path),
        first if sources.contains_key(&[module.as_slice(), &[first.to_owned()]].concat()) => {
            (module.clone(), path)
        }
        _ => return None,
    };
    while let Some((first, more)) = rest.split_first() {
        let below = [at.as_slice(), std::slice::from_ref(first)].concat();
        match first.as_str() {
            "super" => _ = at.pop(),
            "self" => {}
            _ if sources.contains_key(&below) => at = below,
            // Something in this module: its own, or something it re-exports from another.
            name => {
                let given =
                    paths(sources.get(&at)?).into_iter().find(|path| path.last().is_some_and(|l| l == name));
                return match given {
                    Some(path) if at.is_empty() || path.len() > 1 => target(sources, &at, &path),
                    _ => Some(at),
                };
            }
        }
        rest = more;
    }
    Some(at)
}

#[test]
fn no_file_of_the_store_imports_what_imports_it() {
    let mut all = BTreeMap::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store"), &[], &mut all);
    let mut imports: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, text) in all.iter().filter(|(module, _)| !module.is_empty()) {
        let found = paths(text).iter().filter_map(|path| target(&all, module, path)).collect::<BTreeSet<_>>();
        imports
            .insert(module.clone(), found.into_iter().filter(|to| to != module && !to.is_empty()).collect());
    }
    let known = |from: &str, to: &str| imports[&vec![from.to_owned()]].contains(&vec![to.to_owned()]);
    assert!(known("writer", "core") && known("core", "compaction") && known("removal", "range"));
    // Modules whose imports are all known to be free of circles are free of them, too.
    let mut free: BTreeSet<&Module> = BTreeSet::new();
    loop {
        let before = free.len();
        free.extend(
            imports
                .iter()
                .filter(|(_, to)| to.iter().all(|to| free.contains(to)))
                .map(|(from, _)| from)
                .collect::<Vec<_>>(),
        );
        if free.len() == before {
            break;
        }
    }
    let rest: Vec<_> = imports
        .iter()
        .filter(|(module, _)| !free.contains(module))
        .map(|(module, to)| {
            let to = to.iter().filter(|to| !free.contains(to)).map(|to| to.join("::"));
            format!("{} -> {}", module.join("::"), to.collect::<Vec<_>>().join(", "))
        })
        .collect();
    assert!(rest.is_empty(), "in circles, or behind one:\n{}", rest.join("\n"));
}
