//! PBFDroid's published specifications of ten real apps.

use std::fs;
use std::path::PathBuf;

use droidmux::record::{Dmf, Specification};
use droidmux::technique::pbfdroid::format::{read_dmfs, read_key_views, write_dmfs, write_key_views};
use droidmux::technique::pbfdroid::lint::{Weight, lint};
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

#[test]
fn what_lint_says_of_published_specifications_is_true_of_them() {
    // File, function, how many remarks, and the fault: each was looked up in the file.
    let expected = [
        ("dmf_amaze.json", "search folder", 1, None),
        (
            "dmf_capcut.json",
            "view user",
            4,
            Some("event 3 names the widget `e4_widget`, which is not defined"),
        ),
        ("dmf_capcut.json", "view user", 3, None),
        ("dmf_capcut.json", "add user", 1, None),
        ("dmf_myexpenses.json", "add account", 2, None),
        ("dmf_myexpenses.json", "edit account", 1, None),
        ("dmf_omninotes.json", "edit note", 1, None),
        ("dmf_transistor.json", "search station", 1, None),
        ("dmf_transistor.json", "delete station", 1, None),
        ("dmf_transistor.json", "add station", 1, None),
    ];
    let mut said = Vec::new();
    for (name, text) in files("dmf_") {
        let dmfs = read_dmfs(&name, &text).expect("specification");
        let specification = Specification { dmfs, key_views: Vec::new() };
        let remarks = lint(&specification);
        for (number, dmf) in specification.dmfs.iter().enumerate() {
            let about: Vec<_> = remarks.iter().filter(|remark| remark.function == Some(number)).collect();
            let fault = about.iter().find(|remark| remark.weight == Weight::Fault);
            if !about.is_empty() {
                let fault = fault.map(|remark| remark.what.clone());
                said.push((name.clone(), dmf.name.clone(), about.len(), fault));
            }
        }
    }
    let said: Vec<_> = said
        .iter()
        .map(|(file, name, n, fault)| (file.as_str(), name.as_str(), *n, fault.as_deref()))
        .collect();
    assert!(said.is_empty() || said == expected, "{said:#?}");
}
