//! The defect bench as a person runs it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::cli::droidmux;

fn bench(home: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["bench", "defects", "--seeds", "3", "--apps", "notes", "--into"];
    let into = home.join("records");
    arguments.push(into.to_str().unwrap());
    arguments.extend(more);
    droidmux(home, &arguments)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn crashes_are_found_named_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let options = ["--techniques", "monkey", "--events", "300", "--json"];
    let first = bench(home.path(), &options);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let figures: Value = serde_json::from_slice(&first.stdout).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bench.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    if let Err(error) = jsonschema::validator_for(&schema).unwrap().validate(&figures) {
        panic!("{error}\nin {figures}");
    }
    let monkey = &figures["techniques"][0];
    assert!(monkey["found_ever"].as_u64() >= Some(1), "{monkey}");
    assert_eq!(monkey["precision"]["median"], 1.0, "no crash is a false alarm: {monkey}");
    for defect in figures["defects"].as_array().unwrap() {
        let found = defect["by"][0]["seeds"].as_u64() > Some(0);
        assert!(!found || defect["kind"] == "crash", "{defect}");
    }

    // All there: nothing is run, and the figures are the same to the byte.
    let again = bench(home.path(), &options);
    assert_eq!(again.stdout, first.stdout);
    assert!(said(&again).contains("3 of 3 sessions are there already"), "{}", said(&again));

    let tables = bench(home.path(), &options[..4]);
    assert!(said(&tables).contains("3 of 3 sessions are there already"), "{}", said(&tables));
    let text = String::from_utf8(tables.stdout).unwrap();
    assert!(text.contains("| monkey") && text.contains("| notes.rotate-edit"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}
