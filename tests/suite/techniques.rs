//! Techniques know neither each other nor the table that lists them: what they share is beside their folders.

use crate::imports::{Module, Sources, name};

/// A folder each.
const TECHNIQUES: [&str; 7] =
    ["baseline", "genie", "inputblaster", "neutral", "odin", "pbfdroid", "visiondroid"];

/// The modules that know techniques; no technique, and nothing that techniques share, may know them.
const ABOVE: [&str; 3] = ["lesson", "recheck", "registry"];

#[test]
fn techniques_know_neither_each_other_nor_their_table() {
    let imports = Sources::of("technique").imports();
    assert!(imports.len() > 150, "{} files: the sources are where they are looked for", imports.len());
    let folder = |file: &Module| file.first().cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    for (file, used) in &imports {
        let home = folder(file);
        // The root declares all modules.
        if file.is_empty() || ABOVE.contains(&home.as_str()) {
            continue;
        }
        let is_foreign = |folder: &str| TECHNIQUES.contains(&folder) || ABOVE.contains(&folder);
        let foreign = used.iter().filter(|other| folder(other) != home && is_foreign(&folder(other)));
        wrong.extend(foreign.map(|other| format!("{} uses {}", name(file), name(other))));
    }
    for technique in TECHNIQUES {
        let known = imports.keys().any(|file| folder(file) == technique);
        assert!(known, "{technique} is where it is looked for");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
