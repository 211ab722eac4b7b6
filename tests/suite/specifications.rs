//! PBFDroid's published specifications of ten real apps.

use std::fs;
use std::path::PathBuf;

use droidmux::record::Dmf;
use droidmux::technique::pbfdroid::format::{read_dmfs, read_key_views, write_dmfs, write_key_views};
use serde_json::Value;

use crate::corpus::corpus;

const FOLDER: &str = "pbfdroid-specs";

/// The files of the corpus whose names begin so, with their names and texts, in order of name.
fn files(prefix: &str) -> Vec<(String, String)> {
    let Some(folder) = corpus(FOLDER) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("folder").map(|entry| entry.expect("entry").path()).collect();
    paths.sort();
    let named = paths.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        name.starts_with(prefix).then(|| (name, fs::read_to_string(&path).expect("file")))
    });
    let files: Vec<_> = named.collect();
    assert_eq!(files.len(), 10, "{files:?}");
    files
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn published_specifications_are_read_and_written_as_equal_values() {
    let mut dmfs: Vec<(String, Dmf)> = Vec::new();
    for (name, text) in files("dmf_") {
        let read = read_dmfs(&name, &text).expect("specification");
        assert_eq!(value(&write_dmfs(&read)), value(&text), "{name}");
        dmfs.extend(read.into_iter().map(|dmf| (name.clone(), dmf)));
    }
    if dmfs.is_empty() {
        return;
    }
    assert_eq!(dmfs.len(), 47);
    // One published function names two widgets that it does not define.
    let faults: Vec<_> =
        dmfs.iter().filter_map(|(file, dmf)| Some((file.as_str(), dmf.fault.as_deref()?))).collect();
    let expected = "event 3 names the widget `e4_widget`, which is not defined";
    assert_eq!(faults, [("dmf_capcut.json", expected)]);
}

#[test]
fn published_key_views_are_read_and_written_as_equal_values() {
    for (name, text) in files("keyviews_") {
        let read = read_key_views(&name, &text).expect("key views");
        assert_eq!(value(&write_key_views(&read)), value(&text), "{name}");
        assert!(read.iter().all(|view| view.ignored.is_empty() && view.flags.is_empty()), "{name}");
    }
}
