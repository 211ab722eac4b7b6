//! The real program: exit codes and messages.

use std::path::Path;
use std::process::{Command, Output};

/// Runs droidmux with a home of its own and no ADB server.
pub fn droidmux(home: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .args(arguments)
        .env("HOME", home)
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("ADB_SERVER_SOCKET")
        .env("ANDROID_ADB_SERVER_PORT", "1")
        .output()
        .unwrap()
}

#[test]
fn every_mistake_has_its_exit_code_and_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let session = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let broken = session("broken.toml", "technique = \"genie\"\napp = \"a.b\"\n[run]\nwindw = 3\n");
    let absent = session(
        "absent.toml",
        "technique = \"genie\"\napp = \"org.nowhere.app\"\n[lab]\nkind = \"sim\"\ndevices = 2\n",
    );
    let phone = session("phone.toml", "technique = \"genie\"\napp = \"org.example.app\"\n");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["run", "nowhere.toml"], 2, "nowhere.toml"),
        (&["run", &broken], 2, "broken.toml:4: unknown field `windw`"),
        (&["run", &broken], 2, "did you mean `window`?"),
        (&["run", &absent, "--headless"], 3, "org.nowhere.app is not installed on any device"),
        (&["run", &phone, "--headless"], 3, "no ADB server answers"),
        (&["run", &absent, "--defects", "nonsense"], 2, "--defects"),
        (&["run", &absent, "--for", "soon"], 2, "--for"),
        (&["devices"], 3, "no ADB server answers"),
        (&["findings", "s1-zzz"], 2, "is no finding id"),
        (&["replay", "s1-00000000"], 2, "there is no finding s1-00000000"),
        (&["dump", "nowhere.xml"], 2, "nowhere.xml"),
        (&["bench", "defects", "--apps", "diarry"], 2, "no app \"diarry\"; there are diary"),
        (&["fly"], 2, "unrecognized subcommand"),
        (&["--version"], 0, ""),
        (&["sim", "--list"], 0, ""),
    ];
    for (arguments, code, words) in cases {
        let output = droidmux(home.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?} said {said}");
        assert!(said.contains(words), "{arguments:?} said {said}");
    }
}

#[test]
fn json_lines_keep_to_their_schema() {
    ["diary-genie.toml", "diary-odin.toml"].into_iter().for_each(keeps_to_the_schema);
}

fn keeps_to_the_schema(session: &str) {
    let home = tempfile::tempdir().unwrap();
    let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions").join(session);
    let arguments = ["run", session.to_str().unwrap(), "--json", "--seed", "3", "--max-events", "300"];
    let output = droidmux(home.path(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    // With so few events, there may be none to judge.
    let ran = matches!(output.status.code(), Some(0 | 1))
        || said.contains("was in vain: there was nothing to judge");
    assert!(ran, "{said}");
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json-lines.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut kinds = std::collections::BTreeMap::new();
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Err(error) = schema.validate(&value) {
            panic!("{error}\nin {line}");
        }
        *kinds.entry(value["type"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert!(kinds["step"] > 200 && kinds["phase"] >= 2, "{kinds:?}");
    assert_eq!(kinds["summary"], 1);
    assert!(text.lines().last().unwrap().contains("\"type\":\"summary\""));
}
