//! No files of a package import each other in a circle: a reader must be able to stop somewhere.

use std::collections::BTreeSet;

use crate::imports::{Imports, Module, Sources, name};

/// The packages that hold to it, each with an import that is there.
const WITHOUT_CIRCLES: [(&str, &str, &str); 8] = [
    ("cli", "check::text", "check::checked"),
    ("file", "lib", "temporary"),
    ("import", "lib", "folder"),
    ("paint", "lib", "canvas"),
    ("proto", "lib", "map"),
    ("schema", "lib", "traced"),
    ("store", "writer", "core"),
    ("words", "lib", "figure"),
];

#[test]
fn no_files_import_each_other_in_circles() {
    let mut wrong = Vec::new();
    for (package, from, to) in WITHOUT_CIRCLES {
        let imports = Sources::of(package).imports();
        let known = imports.iter().find(|(file, _)| name(file) == from).map(|(_, used)| used);
        assert!(
            known.is_some_and(|used| used.iter().any(|file| name(file) == to)),
            "{package}: {from}, {to}"
        );
        wrong.extend(circles(&imports).into_iter().map(|circle| format!("{package}: {circle}")));
    }
    assert!(wrong.is_empty(), "files that import each other in circles:\n{}", wrong.join("\n"));
}

#[test]
fn circles_are_seen() {
    let of = |edges: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (from, to) in edges {
            imports.entry(vec![(*from).into()]).or_default().insert(vec![(*to).into()]);
        }
        circles(&imports).into_iter().collect::<Vec<_>>()
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]), ["a, b, c"]);
}

/// Files each of which reaches the others, separated by commas.
fn circles(imports: &Imports) -> BTreeSet<String> {
    let reached: Vec<(&Module, BTreeSet<&Module>)> =
        imports.keys().map(|from| (from, reach(from, imports))).collect();
    let circle = |(from, to): &(&Module, BTreeSet<&Module>)| {
        let back = reached.iter().filter(|(other, reached)| to.contains(other) && reached.contains(from));
        back.map(|(other, _)| name(other)).collect::<Vec<_>>()
    };
    let circles = reached.iter().map(circle).filter(|circle| circle.len() > 1);
    circles.map(|circle| circle.join(", ")).collect()
}

fn reach<'a>(from: &'a Module, imports: &'a Imports) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Module> = imports.get(from).into_iter().flatten().collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(imports.get(file).into_iter().flatten());
        }
    }
    reached
}
