//! Other oracles on sessions of the simulated lab, through the program.

use std::collections::BTreeSet;
use std::path::Path;

use droidmux::record::{Batch, Judgement, Outcome, Purpose, Role, Test, Verdict, Work};
use droidmux::sim::{SimOptions, apps};
use droidmux::technique::findings::Findings;
use serde_json::Value;

use crate::by_hand::{events, keep, run};
use crate::program::{droidmux, json_lines, keep_to_schema};
use crate::sessions::{Bench, session};

const DIARY: &str = "org.droidmux.diary";

/// Rechecks by these oracles: the exit code and the object printed.
fn recheck(folder: &Path, session: &str, oracles: &[&str]) -> (i32, Value) {
    let mut arguments = vec!["recheck", session, "--json"];
    oracles.iter().for_each(|oracle| arguments.extend(["--oracle", oracle]));
    let (code, said) = droidmux(folder, &arguments);
    let value: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error} in {said}"));
    keep_to_schema("recheck.schema.json", std::slice::from_ref(&value));
    (code, value)
}

/// What one oracle said, except for the time.
fn said_by(value: &Value, oracle: &str) -> Value {
    let all = value["rechecks"].as_array().unwrap();
    let mut said = all.iter().find(|recheck| recheck["oracle"] == oracle).unwrap().clone();
    said["t"] = Value::Null;
    said
}

fn violations(said: &Value) -> &[Value] {
    said["violations"].as_array().unwrap()
}

fn ready_session(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions").join(name).display().to_string()
}

#[test]
fn every_oracle_judges_a_session_of_random_events() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = ready_session("notes-monkey.toml");
    let arguments = ["run", &file, "--json", "--steady", "--seed", "3", "--max-events", "800"];
    let (_, said) = droidmux(folder, &arguments);
    let lines = json_lines(&said);
    let crashes = lines.iter().filter(|line| line["type"] == "verdict" && line["oracle"] == "crash").count();
    assert!(crashes > 0);

    let oracles = ["genie", "odin", "crash", "effects"];
    let (code, first) = recheck(folder, "s1", &oracles);
    assert_eq!(code, 1);
    let crash = said_by(&first, "crash");
    assert_eq!(violations(&crash).len(), crashes, "as many as when it ran");
    assert!(violations(&crash).iter().all(|violation| violation["places"][0]["step"].is_u64()));
    let odin = said_by(&first, "odin");
    let weighed = odin["judged"].as_u64().unwrap() + odin["unjudged"][0]["count"].as_u64().unwrap_or(0);
    assert!(weighed > 50, "{odin}");
    for violation in violations(&odin) {
        assert!(!violation["places"].as_array().unwrap().is_empty() && violation["key"] != "", "{violation}");
    }
    let effects = said_by(&first, "effects");
    assert!(effects["judged"].as_u64().unwrap() > 0, "confirmations run the same events again: {effects}");

    // Repeated, it is the same, and one oracle's verdict does not affect another's.
    let (_, again) = recheck(folder, "s1", &["odin"]);
    assert_eq!(said_by(&again, "odin"), odin);
    let (code, words) = droidmux(folder, &["recheck", "s1"]);
    assert!(code == 1 && words.contains(" reported, ") && words.contains(" 0 of "), "{words}");
    let (_, words) = droidmux(folder, &["recheck", "s1", "--oracle", "crash"]);
    assert!(words.starts_with("crash on s1 org.droidmux.notes: "), "{words}");
    let (code, words) = droidmux(folder, &["store", "verify", "--rederive"]);
    assert_eq!(code, 0, "{words}");
    let (code, words) = droidmux(folder, &["recheck", "s9", "--oracle", "odin"]);
    assert!(code == 2 && words.contains("there is no session s9 in this store"), "{words}");
}

#[test]
fn genie_says_of_its_own_session_what_it_said_before() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join("diary.toml");
    let text = "technique = \"genie\"\napp = \"org.droidmux.diary\"\n[lab]\nkind = \"sim\"\n\
                [run]\nmax-events = 1500\nexplore-share = 0\n[genie]\nmine-events = 300\nseeds = 4\n";
    std::fs::write(&file, text).unwrap();
    let arguments = ["run", file.to_str().unwrap(), "--json", "--steady", "--seed", "6"];
    let (_, said) = droidmux(folder, &arguments);
    let is_violation = |line: &&Value| {
        line["type"] == "verdict" && line["oracle"] == "genie" && line["outcome"] == "violation"
    };
    let place = |job: &Value, test: &Value, key: &Value| format!("{job} {test} {key}");
    let lines = json_lines(&said);
    let before =
        lines.iter().filter(is_violation).map(|line| place(&line["job"], &line["test"], &line["key"]));
    let before: BTreeSet<String> = before.collect();
    assert!(!before.is_empty());
    let (code, value) = recheck(folder, "s1", &["genie", "effects"]);
    let genie = said_by(&value, "genie");
    let now = violations(&genie).iter().map(|violation| {
        place(&violation["places"][0]["job"], &violation["places"][0]["test"], &violation["key"])
    });
    let now: BTreeSet<String> = now.collect();
    assert!(now.is_superset(&before), "{before:?}\n{now:?}");
    let effects = said_by(&value, "effects");
    assert!(effects["judged"].as_u64().unwrap() > 10, "every batch runs its seed twice: {effects}");
    assert_eq!(violations(&effects).len(), 0, "a steady app does the same every time: {effects}");
    let reported = violations(&genie).iter().any(|violation| violation["tier"] == "reported");
    assert_eq!(code == 1, reported, "what is not reported ends with 0");
    let moved = value["tiers"]["moved"].as_array().unwrap();
    assert!(moved.is_empty(), "the session was judged by the same rules: {moved:?}");
}

/// The same test twice, and once with something else in the middle: nobody planned it as a mutant.
#[tokio::test(flavor = "multi_thread")]
async fn a_trace_is_read_as_a_mutant_and_agrees_with_a_finding() {
    let bench =
        Bench::new(SimOptions { devices: 1, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    let mut definition = session("diary-genie.toml");
    // They would see the defect at once.
    definition.run.relations = Some(Vec::new());
    let script = "Cinema, Attach picture, Cleaning, Attach picture, Diary, Picture of Cinema, Delete";
    let whole = events(&bench, DIARY, script).await;
    let seed = [&whole[..2], &whole[4..]].concat();
    let mut runs = Vec::new();
    for events in [&seed, &seed, &whole] {
        let tests = vec![Test { role: Role::Seed, events: events.clone() }];
        let (run, judgement) = run(&bench, &definition, tests.clone()).await;
        assert_eq!(judgement, Judgement::default());
        runs.push((run, Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests }), judgement));
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (store, id) = keep(&folder.join("store"), &definition, runs, bench.lab.store()).await;
    // Another oracle has objected to that test.
    let verdict = Verdict {
        oracle: "effects".into(),
        outcome: Outcome::Violation,
        key: "something".into(),
        ..crate::store::fixture::verdict(2, "something")
    };
    let mut findings = Findings::new(id, "genie", DIARY, 2, 3);
    let finding = findings.add(verdict.slot, &Verdict { test: 0, ..verdict }).unwrap().to_string();
    store.put_findings(&findings.ranked()).unwrap();
    drop(store);

    let agrees = || json_lines(&droidmux(folder, &["findings", "--all", "--json"]).1)[0]["agrees"].clone();
    assert_eq!(agrees(), Value::Array(Vec::new()));
    let (code, value) = recheck(folder, "s1", &["genie", "effects"]);
    let genie = said_by(&value, "genie");
    let [violation] = violations(&genie) else { panic!("{genie}") };
    assert_eq!(
        (code, &violation["places"][0]["job"], &violation["places"][0]["test"]),
        (1, &2.into(), &0.into())
    );
    assert_eq!(violation["tier"], "reported", "another picture goes than the one that was named");
    assert_eq!(violation["agrees_with"], Value::from(vec![finding.clone()]));
    assert_eq!(said_by(&value, "effects")["judged"], 2);
    assert_eq!(agrees(), Value::from(vec!["genie"]));
    let (_, words) = droidmux(folder, &["findings", &finding]);
    assert!(words.contains("agrees: genie"), "{words}");
}
