//! Who imports whom within a package, read from its sources.
//!
//! In: the folder of a package below `src`. Out: for each file, named after its module, the files of the same package
//! that it uses: in `use` lines, by paths in its code, or because it declares them. What only tests see is left out.
//! What a module merely passes on (`use a::X` in `b`, of which others take `b::X`) counts for the file it comes from.
//!
//! Sources are taken apart by lines: they are formatted.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// `["archive", "import"]` for `archive::import`; the root is empty.
pub type Module = Vec<String>;

/// For each file those that it uses.
pub type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Beginnings of the attribute of a module that only tests see.
const FOR_TESTS: [&str; 3] = ["#[cfg(test)]", "#[cfg(any(test,", "#[cfg(all(test,"];

/// How often a name may be passed on; what goes on for longer is a mistake of the reader.
const PASSED_ON: usize = 8;

#[derive(Default)]
pub struct Sources {
    /// The code of each module, also of those within a file.
    code: BTreeMap<Module, String>,
    /// The modules with a file of their own.
    files: BTreeSet<Module>,
}

impl Sources {
    /// Those of a package, such as `cli`.
    pub fn of(package: &str) -> Self {
        let mut sources = Self::default();
        sources.read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(package), &[]);
        sources
    }

    fn read(&mut self, folder: &Path, module: &[String]) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            // A folder with a manifest is a package of its own.
            if path.is_dir() && !path.join("Cargo.toml").exists() {
                self.read(&path, &below(module, &stem));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_here = stem == "lib" || stem == "mod";
                let module = if is_here { module.to_vec() } else { below(module, &stem) };
                self.add(module, &fs::read_to_string(&path).expect("a text"));
            }
        }
    }

    /// A file, taken apart into its module and those within it.
    pub fn add(&mut self, file: Module, text: &str) {
        self.code.entry(file.clone()).or_default();
        self.files.insert(file.clone());
        // The modules that are open here, each with the line that ends it.
        let mut open = vec![(file, None)];
        let mut for_tests = false;
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let (module, end) = open.last().expect("the file itself");
            if end.as_deref() == Some(line) {
                open.pop();
                continue;
            }
            let code = line.trim_start();
            let part = without_visibility(code).strip_prefix("mod ");
            if let Some(name) = part.and_then(|part| part.strip_suffix(" {")) {
                let end = format!("{}}}", &line[..line.len() - code.len()]);
                let inner = if for_tests { below(module, "of tests") } else { below(module, name) };
                open.push((inner, Some(end)));
            } else if part.is_none() || !for_tests {
                *self.code.entry(module.clone()).or_default() += &format!("{line}\n");
            }
            for_tests = FOR_TESTS.iter().any(|attribute| code.starts_with(attribute))
                || (for_tests && code.starts_with("#["));
        }
    }

    /// Who uses whom, among the files that the program is made of: the root and what is declared below it.
    pub fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (module, code) in self.code.iter().filter(|(module, _)| self.is_declared(module)) {
            let used = used_paths(code).into_iter().filter_map(|path| self.leads(module, &path, PASSED_ON));
            // A module that declares its parts uses them; they must not refer back to it.
            let parts = parts(code).map(|part| below(module, part));
            let file = self.file_of(module);
            let others = used.chain(parts).map(|used| self.file_of(&used)).filter(|used| *used != file);
            imports.entry(file.clone()).or_default().extend(others);
        }
        imports
    }

    /// Whether the program has this module: only tests see those that are not declared otherwise.
    fn is_declared(&self, module: &[String]) -> bool {
        let Some((name, parent)) = module.split_last() else { return true };
        let is_part = |parent: &String| parts(parent).any(|part| part == name);
        let within = !self.files.contains(module) && name != "of tests";
        (within || self.code.get(parent).is_some_and(is_part)) && self.is_declared(parent)
    }

    /// The module with what a path in this module names; `None` if that is in another package.
    fn leads(&self, from: &[String], path: &[String], passed_on: usize) -> Option<Module> {
        let (mut at, mut rest, mut is_rooted) = (from.to_vec(), path, false);
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => _ = at.pop()?,
                "self" => {}
                _ => break,
            }
            (rest, is_rooted) = (others, true);
        }
        let begin = at.len();
        while let Some((first, others)) = rest.split_first()
            && self.code.contains_key(&below(&at, first))
        {
            at.push(first.clone());
            rest = others;
        }
        if !is_rooted && at.len() == begin {
            return None;
        }
        let given = rest.first().filter(|name| *name != "*" && passed_on > 0).and_then(|name| {
            let given = use_paths(self.code.get(&at)?);
            let from = given.into_iter().filter(|path| path.len() > 1 && path.last() == Some(name));
            from.filter_map(|path| self.leads(&at, &path, passed_on - 1)).find(|from| *from != at)
        });
        Some(given.unwrap_or(at))
    }

    /// The file that a module is in.
    fn file_of(&self, module: &[String]) -> Module {
        let lengths = (0..=module.len()).rev();
        let mut outwards = lengths.map(|length| &module[..length]);
        outwards.find(|module| self.files.contains(*module)).unwrap_or_default().to_vec()
    }
}

/// The module as a path, `lib` for the root.
pub fn name(module: &[String]) -> String {
    if module.is_empty() { "lib".into() } else { module.join("::") }
}

fn below(module: &[String], part: &str) -> Module {
    module.iter().cloned().chain([part.to_owned()]).collect()
}

/// The modules that are declared here and have files.
fn parts(code: &str) -> impl Iterator<Item = &str> {
    let declared = code.lines().filter_map(|line| without_visibility(line.trim_start()).strip_prefix("mod "));
    declared.filter_map(|part| part.strip_suffix(';'))
}

fn without_visibility(code: &str) -> &str {
    let rest = code.strip_prefix("pub").unwrap_or(code);
    let rest = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    };
    rest.trim_start()
}

/// The paths of `use` lines, and those elsewhere that begin with `super` or `crate`.
fn used_paths(code: &str) -> Vec<Module> {
    let mut paths = use_paths(code);
    for (at, _) in code.match_indices("super::").chain(code.match_indices("crate::")) {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let path = code[at..].split(|c| !is_part(c)).next().unwrap_or_default();
        // The middle of a longer path, or the part before braces, which is expanded above.
        if !code[..at].ends_with("::") && !path.ends_with("::") {
            paths.push(path.split("::").map(str::to_owned).collect());
        }
    }
    paths
}

/// The paths of `use` lines, with braces expanded.
fn use_paths(code: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let Some(begin) = without_visibility(line.trim_start()).strip_prefix("use ") else { continue };
        let mut tree = begin.to_owned();
        while !tree.ends_with(';')
            && let Some(line) = lines.next()
        {
            tree += line.trim();
        }
        expand(&[], tree.trim_end_matches(';'), &mut paths);
    }
    paths
}

fn expand(before: &[String], tree: &str, paths: &mut Vec<Module>) {
    let (head, braces) = tree.split_once('{').map_or((tree, None), |(head, rest)| (head, Some(rest)));
    // By which name it is known here does not matter.
    let head = head.split(" as ").next().unwrap_or_default().trim();
    let parts = head.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
    let mut before: Module = before.iter().cloned().chain(parts).collect();
    let Some(rest) = braces else {
        // `a::{self}` is `a`.
        before.pop_if(|last| last == "self");
        paths.push(before);
        return;
    };
    let inner = rest.strip_suffix('}').unwrap_or(rest);
    let mut depth = 0;
    let list = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    list.filter(|part| !part.trim().is_empty()).for_each(|part| expand(&before, part, paths));
}

#[test]
fn what_a_file_uses_is_seen() {
    let cases: [(&str, &str, &[&str]); 16] = [
        ("a", "use super::a::b::X;", &["a::b"]),
        ("a", "use b::X;", &["a::b"]),
        ("a", "pub(crate) use b::{\n    X,\n    Y as Z,\n};", &["a::b"]),
        ("a", "use self::{b::X, c::{self, Y}};", &["a::b", "a::c"]),
        ("a", "pub mod b;", &["a::b"]),
        ("a", "mod inner {\n    use super::super::b::X;\n    use super::Y;\n}", &["lib"]),
        ("a", "#[cfg(test)]\nmod tests {\n    use super::b::X;\n}\nuse c::Y;", &["a::c"]),
        ("a", "#[cfg(test)]\n#[path = \"x.rs\"]\nmod b;", &[]),
        ("a", "// see crate::a::b::X", &[]),
        ("a", "use droidmux_gui::X;", &[]),
        ("a::b", "use super::c::{x, Y};", &["a::c"]),
        ("a::b", "use super::X;", &["a"]),
        ("a::b", "use crate::Own;", &["lib"]),
        ("a::b", "use crate::{Given, a::c};", &["a::c"]),
        ("a::b", "    let x = f(crate::a::c::g(1), super::super::Given);", &["a::c"]),
        ("a::b", "use super::super::Given as Other;", &["a::c"]),
    ];
    for (file, text, expected) in cases {
        let module = |name: &str| name.split("::").filter(|_| name != "lib").map(str::to_owned).collect();
        let mut sources = Sources::default();
        let declared = "mod b;\nmod c;\n".repeat(usize::from(file != "a"));
        for (other, text) in
            [("lib", "mod a;\npub use a::c::Given;"), ("a", &declared), ("a::b", ""), ("a::c", "")]
        {
            sources.add(module(other), text);
        }
        sources.add(module(file), text);
        let used = sources.imports().remove(&module(file)).unwrap_or_default();
        let used: Vec<String> = used.iter().map(|module| name(module)).collect();
        assert_eq!(used, expected, "{file}: {text}");
    }
}
