//! Whole sessions that ask a language model: answered by the built-in rules, by a scripted server that is recorded and
//! then gone, by one that fails one time in three.
//!
//! Ten minutes against the faulty server are
//!
//! ```text
//! cargo test --test suite -- --ignored ten_minutes_of_faults
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use droidmux::llm::Rules;
use droidmux::llm::rules::Fixed;
use droidmux::record::{Answer, SessionId, Spent};
use droidmux::store::{Store, StoreOptions};
use serde_json::Value;

use crate::llm::server::{Asked, Script, ScriptedServer, sometimes};
use crate::program::{droidmux, json_lines};

/// The session files, and what a short run of each should contain.
const SESSIONS: [(&str, &str, u64); 2] =
    [("travel-inputblaster.toml", "test-generator", 700), ("diary-visiondroid.toml", "detector", 22)];

/// The values that are reduced in them, so that questions come soon and pictures are drawn quickly without
/// optimization.
const SMALLER: [(&str, &str); 2] =
    [("explore-events = 1000", "explore-events = 60"), ("test-events = 60", "test-events = 16\nhistory = 2")];

/// A run of a session file of the repository; `more` is appended to it.
struct Talk {
    folder: tempfile::TempDir,
    file: PathBuf,
    max_events: u64,
}

/// What a run printed, without `t` and `device`.
struct Told {
    lines: Vec<Value>,
    code: i32,
}

impl Talk {
    fn new(name: &str, max_events: u64, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = fs::read_to_string(Path::new("sessions").join(name)).unwrap();
        let file = folder.path().join(name);
        let text = SMALLER.iter().fold(text, |text, (from, to)| text.replace(from, to));
        fs::write(&file, format!("{text}\n{more}")).unwrap();
        Self { folder, file, max_events }
    }

    /// Runs it into a store of its own.
    fn run(&self, store: &str, arguments: &[&str]) -> Told {
        let (output, code) = self.command(store, arguments);
        let mut lines = json_lines(&output);
        for line in &mut lines {
            let line = line.as_object_mut().unwrap();
            line.remove("t");
            line.remove("device");
        }
        Told { lines, code }
    }

    fn command(&self, store: &str, arguments: &[&str]) -> (String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.arg("run").arg(&self.file).args(["--json", "--seed", "5", "--steady"]);
        command.args(["--max-events", &self.max_events.to_string()]).args(arguments);
        command.arg("--store").arg(self.folder.path().join(store));
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.folder.path());
        }
        command.env("DROIDMUX_TEST_KEY", KEY);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code().unwrap_or(-1);
        assert!(code <= 1 || arguments.contains(&"--strict"), "exit {code}: {said}");
        (String::from_utf8(output.stdout).unwrap(), code)
    }

    /// What the store's exchanges used, after the store was found to be intact and rederivable.
    fn checked(&self, store: &str) -> Spent {
        let path = self.folder.path().join(store);
        let (code, said) = verify(self.folder.path(), &path);
        assert_eq!(code, 0, "{said}");
        let store = Store::open(&path, StoreOptions::default()).unwrap();
        let session = SessionId(1);
        let mut spent = Spent::default();
        for (_, place) in store.exchanges(session, 0, u32::MAX).unwrap() {
            let turn = store.turn(session, place.slot, place.attempt, place.turn).unwrap().unwrap();
            spent.count(turn.observation.answer().unwrap());
            assert!(!matches!(
                turn.observation.answer(),
                Some(Answer::Inputs(_) | Answer::Foretold(_) | Answer::Examples(_))
            ));
        }
        spent
    }
}

/// A key that must appear nowhere.
const KEY: &str = "sk-never-to-be-seen-0123456789";

fn verify(home: &Path, store: &Path) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(["store", "verify", "--rederive", "--store"]).arg(store);
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    let output = command.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said)
}

fn kinds(told: &Told, kind: &str) -> usize {
    told.lines.iter().filter(|line| line["type"] == kind).count()
}

/// What a model would be made to answer: the rules' reply to the same question.
fn by_rules(asked: &Asked) -> Script {
    Script::streamed(&Fixed.answer(&asked.question()))
}

fn endpoint(server: &ScriptedServer) -> String {
    format!(
        "[llm]\nprovider = \"openai\"\nbase-url = \"{}\"\nmodel = \"scripted-1\"\nkey-env = \
         \"DROIDMUX_TEST_KEY\"\nprice-in = 2.5\nprice-out = 10.0\n",
        server.base_url()
    )
}

/// Every file below a folder that contains this text, except for compressed values of stores.
fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if memchr::memmem::find(&fs::read(&path).unwrap(), text.as_bytes()).is_some() {
            found.push(path);
        }
    }
    found
}

#[test]
fn runs_by_rules_are_the_same_twice() {
    for (name, agent, events) in SESSIONS {
        let talk = Talk::new(name, events, "");
        let (first, second) = (talk.run("one", &[]), talk.run("two", &[]));
        assert_eq!(first.code, second.code, "{name}");
        assert_eq!(first.lines, second.lines, "{name}");
        let asked = first.lines.iter().filter(|line| line["agent"] == agent).count();
        assert!(asked > 0, "{name}: the {agent} was never asked");
        let by =
            first.lines.iter().filter(|line| line["type"] == "exchange").all(|l| l["answered_by"] == "rules");
        assert!(by, "{name}: exchanges say that rules answered");
        talk.checked("one");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_is_replayed_without_the_server() {
    for (name, _, events) in SESSIONS {
        let server = ScriptedServer::start(by_rules).await;
        let talk = Arc::new(Talk::new(name, events, &endpoint(&server)));
        let run = |store: &'static str, more: &'static [&'static str]| {
            let talk = Arc::clone(&talk);
            tokio::task::spawn_blocking(move || {
                let tape = talk.folder.path().join("tape.jsonl");
                let mut arguments = vec![more[0], tape.to_str().unwrap()];
                arguments.extend(&more[1..]);
                talk.run(store, &arguments)
            })
        };
        let live = run("live", &["--record"]).await.unwrap();
        let asked = server.asked().len();
        assert_eq!(kinds(&live, "exchange"), asked, "{name}: every request is an exchange");
        assert!(asked > 0, "{name}");
        drop(server);
        let again = run("again", &["--replay", "--strict"]).await.unwrap();
        assert_eq!(live.lines, again.lines, "{name}");
        let spent = talk.checked("again");
        assert_eq!(spent.calls, asked as u64, "{name}");
        assert_eq!(files_with(talk.folder.path(), KEY), Vec::<PathBuf>::new(), "{name}");
    }
}

/// A run against a server that answers one time in three with an error, a cut stream or nonsense.
async fn faults(name: &'static str, events: u64, more: &'static [&'static str], calls: u64) -> (Told, Spent) {
    let server = ScriptedServer::start(sometimes(11, 3, by_rules)).await;
    let settings = format!("{}retries = 1\nbudget = {{ calls = {calls} }}\n", endpoint(&server));
    let talk = Talk::new(name, events, &settings);
    let run = move || {
        let told = talk.run("faults", more);
        let spent = talk.checked("faults");
        (told, spent)
    };
    let (told, spent) = tokio::task::spawn_blocking(run).await.unwrap();
    assert!(spent.calls <= calls, "{name}: {spent:?}");
    assert!(kinds(&told, "exchange") > 0, "{name}");
    let summary = told.lines.last().unwrap();
    assert_eq!(summary["type"], "summary", "{name}: it came to its end");
    assert_eq!(summary["steps"].as_u64(), Some(kinds(&told, "step") as u64), "{name}");
    (told, spent)
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_the_server_cost_no_step_and_budgets_are_kept() {
    for (name, _, events) in SESSIONS {
        let (told, _) = faults(name, events, &[], 60).await;
        let failed = told.lines.iter().filter(|line| line["type"] == "exchange" && !line["failed"].is_null());
        assert!(failed.count() > 0, "{name}: some questions get no reply");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes ten minutes for each technique"]
async fn ten_minutes_of_faults() {
    for (name, _, _) in SESSIONS {
        let (told, spent) = faults(name, 10_000_000, &["--for", "10m"], 1_000_000).await;
        println!("{name}: {} steps, {} exchanges, {spent:?}", kinds(&told, "step"), kinds(&told, "exchange"));
    }
}

#[test]
fn a_session_without_questions_has_nothing_to_record() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = droidmux(folder.path(), &["run", "sessions/notes-genie.toml", "--record", "x"]);
    assert!(code == 2 && said.contains("asks no language model"), "{code} {said}");
}
