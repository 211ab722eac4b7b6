//! PBFDroid's published specifications of ten real apps, and those shipped for the simulated ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use droidmux::record::{Dmf, Operation, Specification};
use droidmux::technique::pbfdroid::format::{
    read_dmfs, read_key_views, unread_fields, write_dmfs, write_key_views,
};
use droidmux::technique::pbfdroid::lint::{Remark, Weight, lint, specification, unusable};
use serde_json::Value;

use crate::corpus::corpus;

const FOLDER: &str = "pbfdroid-specs";

/// The files of the corpus with this prefix, with their names and texts, in order of name.
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
        assert!(read.iter().all(|view| view.others.is_empty() && view.flags.is_empty()), "{name}");
    }
}

/// What other published files contain besides what is read: a `proportion` in every widget, and key views that name
/// nothing but bounds.
#[test]
fn published_specifications_with_more_in_them_are_read_alike() {
    for (name, text) in files("dmf_") {
        let mut file = value(&text);
        let mut widgets = 0;
        for dmf in file["dmfs"].as_array_mut().expect("functions") {
            for widget in dmf["widgets"].as_array_mut().expect("widgets") {
                widget["proportion"] = "10".into();
                widgets += 1;
            }
        }
        let more = file.to_string();
        assert_eq!(
            read_dmfs(&name, &more).expect("specification"),
            read_dmfs(&name, &text).expect("specification")
        );
        let unread = unread_fields(&more);
        assert_eq!((unread.len(), unread_fields(&text).len()), (widgets, 0), "{name}");
        assert!(unread.iter().all(|it| it.function.is_some() && it.field == "`proportion`"), "{unread:?}");
    }
    for (name, text) in files("keyviews_") {
        let more = text.replace("bounds=\\\"\\\"", "bounds=\\\"[964,140][1048,224]\\\"");
        assert_ne!(more, text);
        let views = read_key_views(&name, &more).expect("key views");
        assert!(views.iter().all(|view| view.bounds() == Some("[964,140][1048,224]")), "{views:?}");
        assert_eq!(value(&write_key_views(&views)), value(&more), "{name}");
        assert_eq!(unusable(&specification(Vec::new(), views)), [""; 0], "{name}");
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
        ("dmf_capcut.json", "view user", 2, None),
        ("dmf_capcut.json", "add user", 1, None),
        ("dmf_myexpenses.json", "add account", 2, None),
        ("dmf_myexpenses.json", "edit account", 1, None),
        ("dmf_omninotes.json", "edit note", 1, None),
        ("dmf_transistor.json", "search station", 1, None),
        ("dmf_transistor.json", "delete station", 1, None),
    ];
    let mut said = Vec::new();
    for (name, text) in files("dmf_") {
        let dmfs = read_dmfs(&name, &text).expect("specification");
        let used = specification(dmfs.clone(), Vec::new());
        let specification = Specification { dmfs, key_views: Vec::new() };
        let remarks = lint(&specification);
        for (number, dmf) in used.dmfs.iter().enumerate() {
            let is_faulty = |it: &Remark| it.function == Some(number) && it.weight == Weight::Fault;
            assert_eq!(remarks.iter().any(is_faulty), dmf.fault.is_some(), "{name}: {}", dmf.name);
        }
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

/// A file of the folder of shipped specifications.
fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/specs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_simulated_app_with_data_has_a_specification() {
    let names = droidmux::sim::apps::functional();
    let names = names.iter().filter_map(|app| app.package().rsplit('.').next());
    // Converting units stores nothing.
    for name in names.filter(|name| *name != "units") {
        let (file, key_file) = (format!("{name}.json"), format!("{name}-keyviews.json"));
        let dmfs = read_dmfs(&file, &shipped(&file)).expect("specification");
        assert_eq!(value(&write_dmfs(&dmfs)), value(&shipped(&file)), "{file}");
        let key_views = read_key_views(&key_file, &shipped(&key_file)).expect("key views");
        assert_eq!(value(&write_key_views(&key_views)), value(&shipped(&key_file)), "{key_file}");

        let faults: Vec<_> = dmfs.iter().filter_map(|dmf| Some((&dmf.name, dmf.fault.as_ref()?))).collect();
        assert!(faults.is_empty(), "{file}: {faults:?}");
        let called: BTreeSet<&str> = dmfs.iter().map(|dmf| dmf.name.as_str()).collect();
        assert_eq!(called.len(), dmfs.len(), "{file}: two functions of one name");
        // Not every app has something to edit or to search for.
        for operation in [Operation::Add, Operation::View, Operation::Delete] {
            assert!(dmfs.iter().any(|dmf| dmf.operation == operation), "{file}: no {operation:?}");
        }
        assert!(dmfs.iter().all(|dmf| !dmf.postconditions.is_empty()), "{file}: nothing is checked");

        let package = format!("org.droidmux.{name}:id/");
        let is_its_own =
            |id: &str| id.is_empty() || id.starts_with(&package) || id.starts_with("android:id/");
        let ids = dmfs.iter().flat_map(|dmf| &dmf.widgets).map(|widget| widget.resource_id.as_str());
        let ids = ids.chain(key_views.iter().filter_map(|view| view.resource_id.as_deref()));
        let foreign: Vec<_> = ids.filter(|id| !is_its_own(id)).collect();
        assert!(foreign.is_empty(), "{file}: {foreign:?}");
    }
}

#[test]
fn the_documented_specification_is_free_of_remarks() {
    let block = |lead: &str| {
        let text = include_str!("../../docs/properties.md");
        let (_, rest) = text.split_once(&format!("```json\n{lead}")).expect("a block");
        format!("{lead}{}", rest.split_once("```").expect("its end").0)
    };
    let dmfs = read_dmfs("properties.md", &block("{\n  \"dmfs\"")).expect("specification");
    let key_views = read_key_views("properties.md", &block("{ \"keyviews\"")).expect("key views");
    assert_eq!((dmfs.len(), key_views.len()), (1, 1));
    let remarks = lint(&Specification { dmfs, key_views });
    assert!(remarks.is_empty(), "{remarks:#?}");
}
