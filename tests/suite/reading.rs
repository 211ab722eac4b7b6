//! `droidmux read`: what sessions and recordings of other tools did, in words, and what of it would be read.

use std::process::Command;

use crate::corpus::corpus;

fn read(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    let output = command.args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The tokens of each question of a plan, as printed.
fn questions(plan: &str) -> Vec<u32> {
    let line = |line: &str| {
        let (_, tokens) = line.strip_prefix("question ")?.split_once(", ")?;
        tokens.strip_suffix(" tokens")?.replace(',', "").parse().ok()
    };
    plan.lines().filter_map(line).collect()
}

#[test]
fn a_session_is_told_in_words_and_what_is_read_stays_within_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().to_str().unwrap();
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/sessions/notes-monkey.toml");
    let run = ["run", session, "--headless", "--devices", "1", "--seed", "1", "--max-events", "400"];
    let (code, _, said) = read(&[&run[..], &["--defects", "none", "--store", store]].concat());
    assert_eq!(code, 0, "{said}");

    let (code, told, said) = read(&["read", "s1", "--print", "--store", store]);
    assert_eq!((code, said.as_str()), (0, ""));
    let events = told.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
    assert!(events > 300, "every event and every reset has a line: {events}");
    for part in
        ["0.0 start with cleared data\n  Page \"", "click ", "  - ", "back on: Page", "nothing changed"]
    {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
    assert_eq!(read(&["read", "s1", "--print", "--store", store]).1, told, "it is the same each time");

    let plan = |budget: &str| {
        let plan = ["read", "s1", "--plan", "--budget", budget, "--question", "2000", "--store", store];
        let (code, plan, said) = read(&plan);
        assert_eq!((code, said.as_str()), (0, ""));
        plan
    };
    let (small, large) = (plan("3000"), plan("1000000"));
    let sum = |plan: &str| questions(plan).iter().sum::<u32>();
    assert!(sum(&small) <= 3_000 && sum(&small) > 1_000, "{small}");
    assert!(sum(&large) > sum(&small), "{large}");
    // What shows nothing new is not read, however much may be.
    assert!(questions(&large).len() > 1, "{large}");

    for (arguments, expected) in [
        (&["read", "s1", "--store", store][..], "--print"),
        (&["read", "s9", "--print", "--store", store], "s9"),
        (&["read", "folder", "--print", "--store", store], "--format"),
        (&["read", "s1", "--plan", "--budget", "10", "--store", store], "1000"),
    ] {
        let (code, out, said) = read(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn recordings_of_other_tools_are_told_too() {
    for (folder, format) in [("droidbot-qqmusic", "droidbot"), ("genie-activitydiary", "genie")] {
        let Some(path) = corpus(folder) else { return };
        let path = path.to_str().unwrap();
        let (code, told, said) = read(&["read", path, "--format", format, "--print"]);
        assert_eq!((code, said.as_str()), (0, ""), "{folder}");
        assert!(told.lines().count() > 100, "{folder}: {told}");
        assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{folder}");
        let (_, plan, _) = read(&["read", path, "--format", format, "--plan", "--budget", "20000"]);
        assert!(questions(&plan).iter().sum::<u32>() <= 20_000, "{folder}: {plan}");
    }
}
