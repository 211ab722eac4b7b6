//! No modules of the command line import each other in a circle: a reader must be able to stop somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Who imports whom, by whole module paths within `cli`, such as `lab::serve`; the command line's own
/// root, which knows all commands, is `main`.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Items that are in the root only to have a short name, and where they come from.
const SHORT_NAMES: [(&str, &str); 4] = [
    ("Usage", "exit"),
    ("SessionFileError", "session_file"),
    ("UsualLlm", "session_file"),
    ("read_session", "session_file"),
];

#[test]
fn the_command_line_has_no_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    let mut files = Vec::new();
    collect(&root, &mut Vec::new(), &mut files);
    let files = without_tests(files);
    assert!(files.len() > 80, "the sources are where they are looked for");
    let modules: BTreeSet<Vec<String>> = files.iter().map(|(module, _)| module.clone()).collect();
    let mut imports = Imports::new();
    for (module, text) in &files {
        let used = used_paths(text).into_iter().filter_map(|path| resolve(module, &path, &modules));
        let parts =
            text.lines().filter_map(|line| line.trim().trim_start_matches("pub ").strip_prefix("mod "));
        let parts = parts.filter_map(|part| part.strip_suffix(';'));
        let parts =
            parts.map(|part| name(&module.iter().cloned().chain([part.to_owned()]).collect::<Vec<_>>()));
        // A module that declares its parts uses them; they must not refer back to it.
        let others = used.chain(parts).filter(|other| *other != name(module));
        imports.entry(name(module)).or_default().extend(others);
    }
    let circles = circles(&imports);
    assert!(circles.is_empty(), "modules that import each other in circles:\n{}", circles.join("\n"));
}

#[test]
fn circles_are_seen() {
    let modules: BTreeSet<Vec<String>> = [vec![], vec!["a"], vec!["a", "b"], vec!["a", "c"]]
        .map(|m| m.into_iter().map(str::to_owned).collect())
        .into();
    let cases: [(&[&str], &str, Option<&str>); 8] = [
        (&["a"], "super::a::b::X", Some("a::b")),
        (&["a", "b"], "super::c::{x, Y}", Some("a::c")),
        (&["a", "b"], "super::X", Some("a")),
        (&["a", "b"], "super::super::Usage", None),
        (&["a", "b"], "crate::a::c", Some("a::c")),
        (&["a", "b"], "crate::Cli", Some("main")),
        (&["a"], "b::X", Some("a::b")),
        (&["a"], "droidmux_gui::X", None),
    ];
    for (module, path, expected) in cases {
        let module: Vec<String> = module.iter().map(|part| (*part).to_owned()).collect();
        let path = used_paths(&format!("use {path};\n"));
        let found: Vec<String> = path.iter().filter_map(|path| resolve(&module, path, &modules)).collect();
        assert!(found.iter().all(|found| Some(found.as_str()) == expected), "{module:?} {path:?} {found:?}");
        assert_eq!(found.is_empty(), expected.is_none(), "{module:?} {path:?}");
    }
    let of = |edges: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (from, to) in edges {
            imports.entry((*from).into()).or_default().insert((*to).into());
        }
        circles(&imports)
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]), ["a, b, c"]);
}

/// All modules with their text.
fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<(Vec<String>, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "hostile" {
            let mut module = module.clone();
            module.extend((stem != "mod" && stem != "lib").then_some(stem));
            let text = fs::read_to_string(&path).expect("a text");
            files.push((module, text));
        }
    }
}

/// Leaves out what only tests see: modules declared for them, in separate files or inline.
fn without_tests(mut files: Vec<(Vec<String>, String)>) -> Vec<(Vec<String>, String)> {
    let mut of_tests = BTreeSet::new();
    for (module, text) in &mut files {
        let mut parts = text.split("#[cfg(test)]\nmod ");
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // An inline module is the last item in its file.
            let Some((name, rest)) = part.split_once(';').filter(|(name, _)| !name.contains('{')) else {
                break;
            };
            of_tests.insert(module.iter().cloned().chain([name.to_owned()]).collect::<Vec<_>>());
            kept.push_str(rest);
        }
        *text = kept;
    }
    files.retain(|(module, _)| (0..=module.len()).all(|length| !of_tests.contains(&module[..length])));
    files
}

/// The paths of all `use` declarations, with braces expanded, and paths with `super` and `crate` elsewhere.
fn used_paths(text: &str) -> Vec<Vec<String>> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut paths = Vec::new();
    for statement in code.split(';') {
        let begin = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].trim_end();
            before.is_empty()
                || before.ends_with(['}', ')', ']', '{'])
                || before.ends_with("pub")
                || before.ends_with('\n')
        });
        if let Some(at) = begin {
            take_apart(&statement[at + 4..].replace(char::is_whitespace, ""), &mut Vec::new(), &mut paths);
        }
    }
    for (at, _) in code.match_indices("super::").chain(code.match_indices("crate::")) {
        let path: String =
            code[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':').collect();
        // The middle of a longer path, or the part before braces, which is expanded above.
        let whole = !code[..at].ends_with("::") && !path.ends_with("::");
        let parts = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
        paths.extend(whole.then(|| parts.collect()));
    }
    paths
}

fn take_apart(tree: &str, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let Some((head, rest)) = tree.split_once('{') else {
        let own = tree.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
        paths.push(before.iter().cloned().chain(own).collect());
        return;
    };
    let length = before.len();
    before.extend(head.split("::").filter(|part| !part.is_empty()).map(str::to_owned));
    let inner = rest.strip_suffix('}').unwrap_or(rest);
    let (mut depth, mut begin) = (0, 0);
    for (at, char) in inner.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                take_apart(&inner[begin..at], before, paths);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if begin < inner.len() {
        take_apart(&inner[begin..], before, paths);
    }
    before.truncate(length);
}

/// The module of `cli` that a path leads to, as seen from a module; `None` for anything elsewhere, and for short names.
fn resolve(from: &[String], path: &[String], modules: &BTreeSet<Vec<String>>) -> Option<String> {
    let mut here = from.to_vec();
    let mut rest = path;
    let mut rooted = false;
    if let [first, others @ ..] = rest
        && first == "crate"
    {
        (here, rest, rooted) = (Vec::new(), others, true);
    }
    while let [first, others @ ..] = rest {
        match first.as_str() {
            "super" => {
                here.pop()?;
                rooted = true;
            }
            "self" => rooted = true,
            _ => break,
        }
        rest = others;
    }
    let mut leads = here.clone();
    for part in rest {
        let next: Vec<String> = leads.iter().cloned().chain([part.clone()]).collect();
        if !modules.contains(&next) {
            break;
        }
        leads = next;
    }
    if !rooted && leads == here {
        return None;
    }
    let short = |part: &String| SHORT_NAMES.iter().find(|(short, _)| part == short).map(|(_, home)| *home);
    match (leads.is_empty(), rest.first().and_then(short)) {
        (true, Some(home)) => modules.contains(&vec![home.to_owned()]).then(|| home.to_owned()),
        // A word that is a crate or a name of this module.
        (true, None) if !rooted => None,
        _ => Some(name(&leads)),
    }
}

fn name(module: &[String]) -> String {
    if module.is_empty() { "main".into() } else { module.join("::") }
}

/// Modules each of which reaches the others, separated by commas.
fn circles(imports: &Imports) -> Vec<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|from| (from, reach(from, imports))).collect();
    let mut found = BTreeSet::new();
    for (from, to) in &reached {
        let circle: BTreeSet<&str> = to
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(from)))
            .map(|other| other.as_str())
            .collect();
        if circle.len() > 1 {
            found.insert(circle.into_iter().collect::<Vec<_>>().join(", "));
        }
    }
    found.into_iter().collect()
}

fn reach<'a>(from: &'a String, imports: &'a Imports) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = imports.get(from).into_iter().flatten().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module) {
            next.extend(imports.get(module).into_iter().flatten());
        }
    }
    reached
}
