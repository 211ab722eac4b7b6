//! What session files say about widgets and pages: rules checked on a screen and in the last run, and obeyed; files
//! that `droidmux init` writes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, Patience};
use droidmux::record::{Act, SessionId};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::Store;
use serde_json::Value;

use crate::program::keep_to_schema;
use crate::store::fixture::options;

const DIARY: &str = "org.droidmux.diary";

/// One that adds an entry is never touched, nor what is on the page of the settings; the last rule is mistyped.
const RULES: &str = r#"
technique = "monkey"
app = "org.droidmux.diary"
permissions = "deny"

[run]
max-events = 60
screens = "never"

[[ignore]]
text = "{date}"

[[avoid]]
description = "Add Activity"

[[avoid]]
resource-id = "no_such_widget"

[[setup]]
find = { text = "Cinema" }
do = "click"

[[setup]]
find = { description = "Attach picture" }
do = "click"
"#;

/// A program on one phone and the store of a folder.
struct Desk<'a> {
    folder: &'a Path,
    port: u16,
}

impl Desk<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(arguments).current_dir(self.folder);
        for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.folder);
        }
        command.env_remove("ADB_SERVER_SOCKET").env_remove("ANDROID_ADB_SERVER_ADDRESS");
        command.env("ANDROID_ADB_SERVER_PORT", self.port.to_string());
        command
    }

    /// The exit code, standard output and standard error.
    fn run(&self, arguments: &[&str], answers: &str) -> (i32, String, String) {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let mut input = child.stdin.take().expect("its input");
        // A command that asks nothing may be gone before it receives anything.
        let _ = input.write_all(answers.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
    }

    fn check(&self, arguments: &[&str]) -> (i32, Value) {
        let (code, said, why) = self.run(&[&["session", "check", "--json"], arguments].concat(), "");
        let value: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}{why}"));
        keep_to_schema("commands.schema.json#/$defs/session-check", std::slice::from_ref(&value));
        (code, value)
    }
}

/// For each rule its place, how many widgets it picks, and what happened with it in the last run.
fn rules(value: &Value) -> Vec<String> {
    let told = |rule: &Value| {
        let picks = rule["picks"].as_array().map_or("-".to_owned(), |picks| picks.len().to_string());
        let last = rule["last_run"].as_str().unwrap_or("-").to_owned();
        let (table, number) = (rule["table"].as_str().expect("a table").to_owned(), &rule["number"]);
        format!("{table} {number}: {picks} {last}")
    };
    value["rules"].as_array().expect("rules").iter().map(told).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_are_kept_to_and_told_which_of_them_pick_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lab = SimLab::start(SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) }).await.unwrap();
    let desk = Desk { folder, port: lab.server_addr().port() };
    std::fs::write(folder.join("rules.toml"), RULES).unwrap();
    let phone = AdbDevice::new(Server::at(lab.server_addr()), "sim-1");
    phone.start(DIARY, &Patience::default()).await.expect("started");

    let (code, value) = desk.check(&["rules.toml", "--device", "sim-1"]);
    assert_eq!(code, 0, "{value}");
    let found = rules(&value);
    assert_eq!(found[1..], ["avoid 1: 1 -", "avoid 2: 0 -", "setup 1: 1 -", "setup 2: 1 -"], "{value}");
    assert_eq!(value["rules"][1]["line"], 13);
    let (code, _, why) = desk.run(&["session", "check", "rules.toml", "--device", "sim-9"], "");
    assert!(code != 0 && why.contains("sim-9"), "{why}");

    let (code, said, why) = desk.run(&["run", "rules.toml", "--json", "--seed", "3"], "");
    assert!(code <= 1, "{said}{why}");
    let (code, value) = desk.check(&["rules.toml"]);
    assert_eq!((code, &value["last_run"], &value["screen"]), (1, &"s1".into(), &Value::Null), "{value}");
    let found = rules(&value);
    assert_eq!(
        found[1..],
        ["avoid 1: - matched", "avoid 2: - never", "setup 1: - matched", "setup 2: - matched"]
    );
    let (_, said, _) = desk.run(&["session", "check", "rules.toml", "--device", "sim-1"], "");
    assert!(said.contains("never matched in s1"), "{said}");
    let changed = RULES.replace("no_such_widget", "another_widget");
    std::fs::write(folder.join("rules.toml"), changed).unwrap();
    let (code, value) = desk.check(&["rules.toml"]);
    assert_eq!((code, rules(&value)[2].as_str()), (0, "avoid 2: - absent"));

    let store = Store::open(&folder.join("droidmux/store"), options()).unwrap();
    let mut events = 0;
    let mut denied = 0;
    for run in store.runs(SessionId(1)) {
        for turn in run.unwrap().turns {
            if let Act::Perform(event) = &turn.act {
                events += 1;
                let touched = format!("{:?}", event.receiver);
                assert!(!touched.contains("description: \"Add Activity\""), "{touched}");
            }
            let dialogs = turn.observation.seen().map(|seen| seen.dialogs.clone()).unwrap_or_default();
            denied += dialogs.iter().filter(|words| words.starts_with("permission:")).count();
        }
    }
    assert!(events >= 50, "{events}");
    assert!(denied > 0, "the set-up asks for the camera");
    let dumped =
        phone.shell(&format!("dumpsys package {DIARY}"), &Patience::default()).await.expect("dumped");
    assert!(dumped.text().contains("android.permission.CAMERA: granted=false"), "{}", dumped.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_session_file_is_written_by_options_or_by_answers_and_never_over_another() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lab = SimLab::start(SimOptions { devices: 2, ..SimOptions::with_apps(apps::all()) }).await.unwrap();
    let desk = Desk { folder, port: lab.server_addr().port() };
    let given = ["init", "--device", "sim-2", "--app", DIARY, "--technique", "genie", "--max-events", "900"];
    let (code, said, why) = desk.run(&[&given[..], &["-o", "first.toml"]].concat(), "");
    assert_eq!(code, 0, "{said}{why}");
    assert!(said.contains("droidmux session check first.toml --device sim-2"), "{said}");
    let (code, value) = desk.check(&["first.toml", "--device", "sim-2"]);
    assert_eq!((code, value["app"].as_str()), (0, Some(DIARY)), "{value}");

    let before = std::fs::read(folder.join("first.toml")).unwrap();
    let other = ["init", "--device", "sim-1", "--app", DIARY, "--technique", "monkey", "--max-events", "5"];
    let (code, _, why) = desk.run(&[&other[..], &["-o", "first.toml"]].concat(), "");
    assert!(code == 2 && why.contains("is there already"), "{why}");
    assert_eq!(std::fs::read(folder.join("first.toml")).unwrap(), before);
    let (code, _, why) = desk.run(&[&other[..], &["-o", "first.toml", "--force"]].concat(), "");
    assert_eq!(code, 0, "{why}");
    assert_ne!(std::fs::read(folder.join("first.toml")).unwrap(), before);

    // The second phone, an app that does not exist and one that does, the third technique, the usual limit and name.
    let (code, said, why) = desk.run(&["init"], "2\norg.none\norg.droidmux.notes\n3\n\n\n");
    assert_eq!(code, 0, "{said}{why}");
    assert!(why.contains("org.none is not installed on sim-2") && why.contains(DIARY), "{why}");
    let text = std::fs::read_to_string(folder.join("notes-neutral.toml")).unwrap();
    assert!(text.contains("serials = [\"sim-2\"]") && text.contains("max-events = 20000"), "{text}");

    for (arguments, answers, words) in [
        (&["init", "--device", "sim-1"][..], "", "--app"),
        (&["init", "--device", "sim-1", "--app", "org.none"], "", "org.none is not installed on sim-1"),
        (&["init", "--device", "sim-1", "--app", DIARY, "--technique", "magic"], "", "there is no technique"),
        (
            &["init", "--device", "sim-1", "--app", DIARY, "--technique", "genie", "--spec", "x"],
            "",
            "pbfdroid",
        ),
        (&["init"], "1\n", "--app"),
    ] {
        let (code, _, why) = desk.run(arguments, answers);
        assert!(code == 2 && why.contains(words), "{arguments:?}: {code} {why}");
    }
}
