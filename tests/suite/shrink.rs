//! Shrinking a finding over the wire: the commands on a store with one padded violation.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use droidmux::record::{
    Batch, Insertion, LabChoice, Outcome, Purpose, Role, SessionDefinition, SessionId, ShrinkEnding, Test,
    Verdict, Work,
};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::Store;
use droidmux::technique::findings::Findings;
use serde_json::Value;

use crate::by_hand::{events, keep, run};
use crate::program::{droidmux, json_lines};
use crate::sessions::{Bench, session};
use crate::store::fixture::options;

const DIARY: &str = "org.droidmux.diary";

fn last_line(text: &str) -> Value {
    json_lines(text).pop().unwrap()
}

/// The picture of the newest entry is deleted instead of the chosen one, among many events that have nothing to do with
/// it.
pub async fn padded(folder: &Path) -> (SessionId, String) {
    mutants(folder, &[0]).await
}

/// The same, as a session on these devices would have recorded it.
pub async fn padded_on(folder: &Path, lab: LabChoice) -> (SessionId, String) {
    mutants_on(folder, &[0], lab).await
}

/// The same in several mutants: one for each number of events omitted at the beginning of its inserted trace. Two of
/// them make no difference.
pub async fn mutants(folder: &Path, left_out: &[usize]) -> (SessionId, String) {
    mutants_on(folder, left_out, session("diary-genie.toml").lab).await
}

async fn mutants_on(folder: &Path, left_out: &[usize], lab: LabChoice) -> (SessionId, String) {
    let bench =
        Bench::new(SimOptions { devices: 1, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    let definition = SessionDefinition { lab, ..session("diary-genie.toml") };
    let script = "rotate, rotate, Sleeping, Cinema, Attach picture, rotate, rotate, Cooking, Cleaning, \
                  Attach picture, Diary, rotate, rotate, Picture of Cinema, Delete, back";
    let whole = events(&bench, DIARY, script).await;
    let (from, to) = (5, 10);
    let mutant = |left_out: &usize| {
        let length = (to - from - left_out) as u16;
        let role = Role::Mutant(Insertion { pivot: from as u16 + 1, length });
        Test { role, events: [&whole[..from], &whole[from + left_out..]].concat() }
    };
    let seed = || Test { role: Role::Seed, events: [&whole[..from], &whole[to..]].concat() };
    let tests: Vec<Test> = [seed()].into_iter().chain(left_out.iter().map(mutant)).chain([seed()]).collect();
    let (run, judgement) = run(&bench, &definition, tests.clone()).await;
    let mut violations: Vec<Verdict> = judgement.verdicts.clone();
    // Relations object, too.
    violations.retain(|verdict| verdict.outcome == Outcome::Violation && verdict.oracle == "genie");
    assert_eq!(violations.len(), left_out.len(), "{:?}", judgement.verdicts);
    let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests });
    let runs = vec![(run, work, judgement)];
    let (store, id) = keep(&folder.join("store"), &definition, runs, bench.lab.store()).await;
    let mut findings = Findings::new(id, "genie", DIARY, 2, 3);
    let finding = findings.add(violations[0].slot, &violations[0]).unwrap();
    for again in &violations[1..] {
        assert_eq!(findings.add(again.slot, again), None, "they share a key");
    }
    store.put_findings(&findings.ranked()).unwrap();
    (id, finding.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_padded_violation_becomes_short_and_still_shows() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (session, finding) = padded(folder).await;
    let open = || Store::open(&folder.join("store"), options()).unwrap();
    let before = open().findings(Some(session)).unwrap();

    let (code, said) = droidmux(folder, &["replay", &finding, "--shrunk"]);
    assert!(code == 2 && said.contains("is not shrunk"), "{said}");
    let lab = ["--lab", "sim", "--steady", "--json"];
    let mut results = Vec::new();
    for devices in ["1", "3"] {
        let arguments = [&["shrink", finding.as_str(), "--devices", devices][..], &lab].concat();
        let (code, said) = droidmux(folder, &arguments);
        let summary = last_line(&said);
        assert_eq!(code, 1, "{summary}");
        assert!(said.contains("\"phase\":\"shrink\"") && said.contains("\"work\":\"shrink\""));
        results.push(summary["shrunk"][0].clone());
    }
    let told = |shrunk: &Value| (shrunk["from"].clone(), shrunk["to"].clone(), shrunk["tests"].clone());
    assert_eq!(told(&results[0]), told(&results[1]), "one device and three give the same result");
    assert_eq!((&results[0]["from"], &results[0]["ending"]), (&16.into(), &"minimal".into()));
    // Cinema with a picture, another with one inserted, the list, the first picture, its deletion.
    assert_eq!(results[0]["to"], 7, "{}", results[0]);
    assert_eq!(results[0]["confirmation"]["shown"], 3);

    let (code, said) =
        droidmux(folder, &[&["replay", &finding, "--shrunk", "--times", "2"][..], &lab].concat());
    let summary = last_line(&said);
    assert_eq!((code, &summary["findings"][0]["confirmation"]["shown"]), (1, &2.into()), "{summary}");

    let (_, listed) = droidmux(folder, &["findings", &finding, "--json"]);
    assert_eq!(last_line(&listed)["shrunk"]["to"], 7);
    let (_, shown) = droidmux(folder, &["findings", &finding]);
    assert!(shown.contains("shrunk from 16 to 7 events (1-minimal)"), "{shown}");
    assert!(shown.contains("+   3. click"), "{shown}");
    for arguments in [&["store", "verify"][..], &["store", "verify", "--rederive"]] {
        let (_, said) = droidmux(folder, arguments);
        // The hand-made session was not planned by any planner.
        assert!(said.contains("clean") || said.contains("job s1 j0"), "{said}");
        assert!(!said.contains("s2") && !said.contains("s3"), "{said}");
    }

    let store = open();
    assert_eq!(store.findings(Some(session)).unwrap(), before, "the original stays as it was");
    let id = before[0].id.clone();
    assert_eq!(store.shrunk(&id).unwrap().map(|shrunk| shrunk.ending), Some(ShrinkEnding::Minimal));
    let removing = store.clone();
    tokio::task::spawn_blocking(move || removing.remove_session(session).unwrap()).await.unwrap();
    assert_eq!(store.shrunk(&id).unwrap(), None);
    let definition: SessionDefinition = store.session(SessionId(2)).unwrap().unwrap().definition;
    assert!(definition.shrink.is_some(), "the session that shrank it is another one");
    assert!(store.verify().unwrap().is_clean());
}

/// Runs a command on the store, and kills it once it has printed this many lines; `None` when it was killed, otherwise
/// its exit code and its output.
fn killed_after(folder: &Path, arguments: &[&str], lines: usize) -> Option<(i32, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(arguments).arg("--store").arg(folder.join("store"));
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
    let mut said = String::new();
    let output = BufReader::new(child.stdout.take().expect("its output"));
    for (number, line) in output.lines().map_while(Result::ok).enumerate() {
        if number >= lines {
            child.kill().expect("killed");
            child.wait().expect("ended");
            return None;
        }
        said += &format!("{line}\n");
    }
    Some((child.wait().expect("ended").code().expect("a code"), said))
}

/// Runs a command, kills it after one line, then continues it and kills it later and later, up to its end; returns its
/// exit code, its last line, and how often it was killed.
fn killed_again_and_again(folder: &Path, arguments: &[&str], resume: &[&str]) -> (i32, Value, usize) {
    let mut kills: usize = 0;
    loop {
        let what = if kills == 0 { arguments } else { resume };
        // Each time a little later, so that it comes to its end.
        match killed_after(folder, what, 1 + 4 * kills.pow(3)) {
            None => kills += 1,
            Some((code, said)) => return (code, last_line(&said), kills),
        }
        assert!(kills < 60, "it comes to no end");
    }
}

/// What is reported about a shrinking or a replay, whichever session did it.
fn of_any_session(summary: &Value) -> Value {
    let mut summary = summary.clone();
    let found = summary["findings"].as_array().cloned().unwrap_or_default();
    let confirmations: Vec<Value> = found.iter().map(|finding| finding["confirmation"].clone()).collect();
    if let Some(shrunk) = summary["shrunk"].get_mut(0).and_then(Value::as_object_mut) {
        shrunk.remove("t");
    }
    serde_json::json!({
        "end": summary["end"], "events": summary["events"], "steps": summary["steps"],
        "shrunk": summary["shrunk"], "confirmations": confirmations,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn shrinking_and_replaying_go_on_after_kills_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;
    let lab = ["--lab", "sim", "--steady", "--json", "--seed", "7"];
    let shrink = [&["shrink", finding.as_str(), "--devices", "2"][..], &lab].concat();
    let replay = [&["replay", finding.as_str(), "--times", "12", "--devices", "2"][..], &lab].concat();
    for (arguments, session) in [(shrink, 2), (replay, 4)] {
        let undisturbed = droidmux(folder, &arguments);
        let name = format!("s{}", session + 1);
        let resume = ["run", "--resume", name.as_str(), "--json"];
        let (code, summary, kills) = killed_again_and_again(folder, &arguments, &resume);
        assert!(kills > 1, "{arguments:?} ended before it could be killed");
        assert_eq!(code, undisturbed.0, "{arguments:?}");
        assert_eq!(of_any_session(&summary), of_any_session(&last_line(&undisturbed.1)), "{arguments:?}");
        println!("{} after {kills} kills as without", arguments[0]);
    }
    let (_, said) = droidmux(folder, &["store", "verify", "--rederive"]);
    // The hand-made session was not planned by any planner.
    let others = ["s2", "s3", "s4", "s5"];
    assert!(others.iter().all(|other| !said.contains(&format!("{other} "))), "{said}");
}
