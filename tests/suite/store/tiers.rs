//! Tiers of findings, through the program, on a store written by a version without tiers.

use std::path::Path;

use serde_json::Value;

use super::earlier::unpacked;
use crate::program::{droidmux, json_lines, keep_to_schema};

/// `id tier` of the findings listed.
fn listed(folder: &Path, options: &[&str]) -> (i32, Vec<String>) {
    let (code, said) = droidmux(folder, &[&["findings", "--json"], options].concat());
    let told = |line: &Value| format!("{} {}", line["t"]["id"], line["tier"]).replace('"', "");
    (code, json_lines(&said).iter().map(told).collect())
}

#[test]
fn findings_of_a_version_without_tiers_get_them_when_they_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpacked(5, &folder.join("store"));
    let (code, reported) = listed(folder, &[]);
    let expected = [
        // A person called it a bug.
        "s1-427fb908 reported",
        // A property and two texts, confirmed.
        "s3-325f9503 reported",
        "s4-991bcb23 reported",
        "s4-6531e1d5 reported",
    ];
    assert_eq!((code, reported), (1, expected.map(str::to_owned).to_vec()));
    let suspicious = vec!["s7-427fb908 suspicious".to_owned()];
    assert_eq!(listed(folder, &["--tier", "suspicious"]).1, suspicious);
    assert_eq!(listed(folder, &["--tier", "explained"]).1, Vec::<String>::new());
    assert_eq!(listed(folder, &["--all"]).1.len(), 5);
    assert_eq!(listed(folder, &["--session", "s7"]), (0, vec![]), "nothing of it is reported");

    let (_, words) = droidmux(folder, &["findings"]);
    assert!(words.contains("4 reported, 1 suspicious, 0 explained (--tier shows one"), "{words}");
    assert!(!words.contains("s7-427fb908"), "{words}");
    let (_, words) = droidmux(folder, &["findings", "--tier", "explained"]);
    assert!(words.starts_with("nothing explained; 4 reported"), "{words}");
    let (_, words) = droidmux(folder, &["findings", "s1-427fb908"]);
    assert!(words.contains("  reported: a person calls it a bug\n"), "{words}");
}

#[test]
fn a_person_moves_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpacked(5, &folder.join("store"));
    for (mark, code, told) in [
        ("promoted", 1, "  reported: a person put it among the reported\n"),
        ("demoted", 0, "  suspicious: a person put it among the suspicious\n"),
        ("false-alarm", 0, "  explained: a person calls it a false alarm\n"),
        ("new", 0, "  suspicious: no innocent explanation was found, and nothing else speaks for a bug\n"),
    ] {
        let (ended, words) = droidmux(folder, &["findings", "s7-427fb908", "--mark", mark]);
        assert_eq!(ended, code, "{mark}: {words}");
        assert!(words.contains(told), "{mark}: {words}");
    }
    droidmux(folder, &["findings", "s7-427fb908", "--mark", "false-alarm"]);
    let (_, words) = droidmux(folder, &["findings", "--tier", "explained"]);
    assert!(words.starts_with("a person calls it a false alarm:\ns7-427fb908"), "{words}");
}

#[test]
fn a_recheck_gives_an_old_session_its_tiers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    unpacked(5, &folder.join("store"));
    let retiered = |session: &str| {
        let (code, said) = droidmux(folder, &["recheck", session, "--json"]);
        let value: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error} in {said}"));
        keep_to_schema("recheck.schema.json", std::slice::from_ref(&value));
        (code, value["tiers"].clone())
    };
    for (session, expected, from_to, title) in [
        ("s3", 1, "null reported", "is still shown, though the specification wants it gone"),
        ("s4", 1, "null reported", "the app shows"),
        ("s5", 0, "", ""),
    ] {
        let (code, tiers) = retiered(session);
        let moved = tiers["moved"].as_array().unwrap();
        assert_eq!(code, expected, "{session}: {tiers}");
        assert_eq!(moved.is_empty(), from_to.is_empty(), "{session}: {tiers}");
        for finding in moved {
            let told = format!("{} {}", finding["from"], finding["to"]).replace('"', "");
            assert_eq!(told, from_to, "{session}: {finding}");
            assert!(finding["title"].as_str().unwrap().contains(title), "{finding}");
        }
        let (_, again) = retiered(session);
        assert_eq!(again["moved"].as_array().unwrap().len(), 0, "{session} the second time: {again}");
        assert_eq!(again["counts"], tiers["counts"]);
    }
    let (_, words) = droidmux(folder, &["recheck", "s7"]);
    assert!(words.contains("from no tier to "), "{words}");
    let (code, words) = droidmux(folder, &["store", "verify", "--rederive"]);
    assert_eq!(code, 0, "{words}");
}
