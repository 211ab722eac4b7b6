//! The dump reader on real dumps.

use std::collections::BTreeMap;
use std::fs;

use droidmux::gui::{Dump, Layout, Note, Resolution, read_dump};

use crate::corpus::corpus;

/// All dumps of the corpus, each with its line in the manifest.
fn dumps() -> Option<BTreeMap<String, (Vec<u8>, String)>> {
    let folder = corpus("dumps")?;
    let manifest = fs::read_to_string(folder.join("MANIFEST.tsv")).expect("manifest");
    let lines = manifest.lines().skip(1).map(|line| {
        let name = line.split('\t').next().and_then(|path| path.rsplit('/').next()).expect("file name");
        let bytes = fs::read(folder.join(name)).expect(name);
        (name.to_owned(), (bytes, line.to_owned()))
    });
    Some(lines.collect())
}

fn read(name: &str, bytes: &[u8]) -> Dump {
    read_dump(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_dump_of_the_corpus_reads_as_its_manifest_says() {
    let Some(dumps) = dumps() else { return };
    assert_eq!(dumps.len(), 58);
    for (name, (bytes, line)) in &dumps {
        let dump = read(name, bytes);
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |n: usize| fields[n].parse::<usize>().expect("number");
        assert_eq!(dump.layout.len(), bounds_in(bytes), "{name}: widgets");
        assert_eq!(usize::from(dump.layout.rotation()), number(9), "{name}: rotation");
        let flags: Vec<&str> = fields[10].split(',').collect();
        let roots = dump.layout.roots().count();
        if let Some(expected) = flags.iter().find_map(|f| f.strip_prefix("roots")) {
            assert_eq!(roots.to_string(), expected, "{name}: roots");
        }
        let said = |wanted: fn(&Note) -> bool| dump.notes.iter().any(wanted);
        assert_eq!(said(|n| matches!(n, Note::Reencoded { .. })), fields[6] == "utf16", "{name}");
        assert_eq!(said(|n| matches!(n, Note::SeveralRoots { .. })), roots > 1, "{name}");
        let junk = flags.iter().any(|f| f.starts_with("XMLERR"));
        let cut = said(|n| matches!(n, Note::TextBefore { .. } | Note::TextAfter { .. }));
        assert_eq!(cut, junk, "{name}: text around the document");
        if flags.contains(&"zerobounds") {
            assert!(said(|n| matches!(n, Note::EmptyBounds { .. })), "{name}");
        }
        println!("{name}: {} widgets{}", dump.layout.len(), listed(&dump.notes));
    }
}

/// How many elements have bounds, whatever the encoding.
fn bounds_in(bytes: &[u8]) -> usize {
    let ascii: Vec<u8> = bytes.iter().copied().filter(|&b| b != 0).collect();
    ascii.windows(9).filter(|w| w == b" bounds=\"").count()
}

fn listed(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("\n    {note}")).collect()
}

#[test]
fn every_widget_of_the_corpus_is_found_again_by_its_selector() {
    let Some(dumps) = dumps() else { return };
    for (name, (bytes, _)) in &dumps {
        let layout = read(name, bytes).layout;
        for widget in layout.widgets() {
            let resolution = layout.resolve(&layout.selector(widget.id()));
            assert_eq!(resolution, Resolution::Exact(widget.id()), "{name}");
        }
    }
}

#[test]
fn layouts_are_small_and_survive_encoding() {
    let Some(dumps) = dumps() else { return };
    for (name, (bytes, _)) in &dumps {
        let layout = read(name, bytes).layout;
        let each = layout.memory() / layout.len();
        assert!(each < 200, "{name}: {each} bytes a widget");
        let back = Layout::decode(&layout.encode());
        assert_eq!(back.as_ref(), Some(&layout), "{name}");
    }
}
