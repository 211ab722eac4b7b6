//! The program on files: `droidmux dump` and `droidmux check`.

use std::process::{Command, Output};

use serde_json::Value;

use crate::corpus::corpus;
use crate::program::schema;
use crate::recordings::write_recording;

fn droidmux(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_droidmux")).args(args).output().expect("droidmux runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
fn check_finds_genies_violation_and_with_dates_masked_no_date_in_front() {
    let Some(folder) = corpus("genie-activitydiary") else { return };
    let folder = folder.to_str().expect("path");
    let plain = droidmux(&["check", folder, "--format", "genie", "--json"]);
    assert_eq!(plain.status.code(), Some(1));
    let plain = json(&plain);
    let verdict = said_by_genie(&plain);
    assert_eq!(verdict["name"], "seed-test-7/mutant-659");
    assert_eq!(verdict["outcome"], "violation");
    assert_eq!(verdict["insertion"], serde_json::json!({ "pivot": 4, "length": 2 }));
    assert_eq!(verdict["published"]["effects"], 83);
    assert!(verdict["published"]["in_common"].as_u64() >= Some(80), "{}", verdict["published"]);
    assert!(dated(verdict) > 0, "the dates are there when nothing masks them");

    let masked = json(&droidmux(&["check", folder, "--format", "genie", "--json", "--mask-dates"]));
    let verdict = said_by_genie(&masked);
    assert_eq!(verdict["outcome"], "violation");
    assert_eq!(dated(verdict), 0);
    assert!(!verdict["effects"][0].is_null());
    let labels: Vec<&str> =
        masked["masks"].as_array().expect("masks").iter().filter_map(|m| m["resource_id"].as_str()).collect();
    for label in ["total_today_label", "total_week_label", "total_month_label"] {
        assert!(labels.iter().any(|id| id.ends_with(label)), "{labels:?}");
    }
}

#[test]
fn what_check_prints_keeps_to_its_schema() {
    let made = tempfile::tempdir().expect("folder");
    let paths = ["pass", "violation"].map(|name| made.path().join(name));
    write_recording(&paths[0], &["tea", "milk", "rice"]);
    write_recording(&paths[1], &["tea", "rice"]);
    let mut cases = vec![(paths[0].clone(), "uiautomator", 0), (paths[1].clone(), "uiautomator", 1)];
    cases.extend(corpus("genie-activitydiary").map(|folder| (folder, "genie", 1)));
    cases.extend(corpus("droidbot-qqmusic").map(|folder| (folder, "droidbot", 0)));
    let schema = schema("check.schema.json");
    for (folder, format, code) in cases {
        let folder = folder.to_str().expect("path");
        let output = droidmux(&[
            "check",
            folder,
            "--format",
            format,
            "--json",
            "--mask-dates",
            "--ignore",
            "text=no such text",
        ]);
        assert_eq!(output.status.code(), Some(code), "{folder}");
        let value = json(&output);
        if let Err(error) = schema.validate(&value) {
            panic!("{folder}: {error} at {}", error.instance_path());
        }
        assert!(!value["idle_rules"][0].is_null(), "{folder}");
        // The schema checks the objects that it describes.
        let mut wrong = value.clone();
        wrong["findings"] = serde_json::json!([{ "type": "finding" }]);
        assert!(!schema.is_valid(&wrong), "{folder}");
    }
}

/// The verdict of the oracle that the recording is for, whatever relations say.
fn said_by_genie(checked: &Value) -> &Value {
    let verdicts = checked["verdicts"].as_array().expect("verdicts");
    verdicts.iter().find(|verdict| verdict["oracle"] == "genie").expect("a verdict of genie")
}

/// How many groups of effects involve a date.
fn dated(verdict: &Value) -> usize {
    let effects = verdict["effects"].as_array().expect("effects");
    let text = |note: &Value| note["text"].as_str().unwrap_or("").to_owned();
    let is_dated = |effect: &&Value| {
        [text(&effect["before"]), text(&effect["after"])]
            .iter()
            .any(|text| text.contains("20") && text.contains(':'))
    };
    effects.iter().filter(is_dated).count()
}

#[test]
fn check_ignores_what_it_is_told_to_and_says_which_rule_did_nothing() {
    let Some(folder) = corpus("genie-activitydiary") else { return };
    let folder = folder.to_str().expect("path");
    let rules = ["--ignore", "activity=*MainActivity", "--ignore", "activity=*EditActivity"];
    let idle = ["--ignore", "resource-id=no_such_widget"];
    let check = ["check", folder, "--format", "genie", "--json", "--relations", "none"];
    let args = [check.as_slice(), rules.as_slice(), &idle].concat();
    let output = droidmux(&args);
    assert_eq!(output.status.code(), Some(0));
    let json = json(&output);
    assert_eq!(json["verdicts"][0]["outcome"], "pass");
    assert_eq!(json["idle_rules"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["idle_rules"][0]["resource-id"], "no_such_widget");
}

#[test]
fn check_tells_of_a_droidbot_folder_and_of_wrong_ones() {
    let Some(folder) = corpus("droidbot-qqmusic") else { return };
    let folder = folder.to_str().expect("path");
    let output = droidmux(&["check", folder, "--format", "droidbot"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("text");
    for line in ["app     com.tencent.qqmusic", "23 states", "46 events", "model   ", "nothing to compare"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    for (format, why) in
        [("genie", "utg.json is missing"), ("uiautomator", "a dump (*.xml, *.json) is missing")]
    {
        let output = droidmux(&["check", folder, "--format", format]);
        assert_eq!(output.status.code(), Some(2), "{format}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn dump_prints_a_tree_and_refuses_what_is_none() {
    let folder = tempfile::tempdir().expect("folder");
    let good = folder.path().join("good.xml");
    let bad = folder.path().join("bad.xml");
    let dump = "<hierarchy rotation='0'><node class='a.B' text='hi' bounds='[0,0][9,9]'/></hierarchy>";
    std::fs::write(&good, dump).expect("file");
    std::fs::write(&bad, "ERROR: could not get idle state.\n").expect("file");
    let output = droidmux(&["dump", good.to_str().expect("path")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("B \"hi\" [0,0][9,9]\n"));
    let output = droidmux(&["dump", good.to_str().expect("path"), "--json"]);
    assert_eq!(json(&output)["widgets"][0]["text"], "hi");
    for file in [bad.to_str().expect("path"), "no/such/file.xml"] {
        let output = droidmux(&["dump", file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(file));
        assert!(output.stdout.is_empty());
    }
}
