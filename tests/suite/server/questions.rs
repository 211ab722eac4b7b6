//! `droidmux questions`: a session is answered by whoever is there.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::fixture::Site;
use crate::program::{json_lines, keep_to_schema};

/// A session that asks people.
const SESSION: &str = r#"
technique = "visiondroid"
app = "org.droidmux.diary"

[lab]
kind = "sim"
devices = 1

[run]
max-events = 9
screens = "all"

[visiondroid]
test-events = 6

[llm]
provider = "people"
timeout = 600
"#;

/// Somebody who answers.
pub(super) struct Desk<'a>(pub &'a Site);

impl Desk<'_> {
    /// Begins the session.
    pub fn session(&self, more: &[&str]) -> Child {
        let file = self.0.folder.path().join("people.toml");
        std::fs::write(&file, SESSION).expect("written");
        let file = file.display().to_string();
        let mut command = self.0.program();
        command.args(["run", &file, "--json", "--steady", "--seed", "1"]).args(more);
        // A pipe that nobody reads would hold the session up.
        let [lines, errors] =
            ["lines", "errors"].map(|name| std::fs::File::create(self.file(name)).expect("a file"));
        command.stdin(Stdio::null()).stdout(lines).stderr(errors).spawn().expect("it runs")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.folder.path().join(name)
    }

    /// The end of the session's command: its exit code, its lines, its messages.
    fn ended(&self, mut run: Child) -> (Option<i32>, String, String) {
        let code = run.wait().expect("it ends").code();
        let said = |name| std::fs::read_to_string(self.file(name)).expect("text");
        (code, said("lines"), said("errors"))
    }

    /// The next question of the first session; `None` when it has ended.
    fn next(&self) -> Option<Value> {
        let said = || std::fs::read_to_string(self.file("errors")).unwrap_or_default();
        self.0.wait_for("a session", |sessions| {
            assert!(!said().contains("is too little"), "{}", said());
            !sessions.is_empty()
        });
        let (code, said) = self.0.run(&["questions", "next", "s1", "--wait", "--json"]);
        assert!(matches!(code, Some(0 | 1)), "{said}");
        (code == Some(0)).then(|| serde_json::from_str(&said).expect("JSON"))
    }

    /// Says something, and returns at once.
    fn say(&self, number: u64, reply: &str) -> Child {
        let mut command = self.0.program();
        command.args(["questions", "answer", &number.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        child.stdin.take().expect("a pipe").write_all(reply.as_bytes()).expect("written");
        child
    }

    fn answer(&self, number: u64, reply: &str) -> (Option<i32>, String) {
        said(self.say(number, reply))
    }

    /// Answers to the session's end; how often.
    fn to_the_end(&self) -> u64 {
        let mut answered = 0;
        while let Some(question) = self.next() {
            let (code, said) = self.answer(number(&question), &reply(&question));
            assert_eq!(code, Some(0), "{said}");
            answered += 1;
        }
        answered
    }
}

fn said(child: Child) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

fn number(question: &Value) -> u64 {
    question["question"].as_u64().expect("a number")
}

/// What somebody says who clicks one widget after the other and finds nothing wrong.
fn reply(question: &Value) -> String {
    let mut reply = question["skeleton"].clone();
    match question["role"].as_str() {
        Some("explorer") => {
            let listed = question["text"].as_str().expect("a text").matches("\n1").count().max(1);
            reply["widget"] = (number(question) % u64::try_from(listed).expect("few") + 1).into();
            reply["why"] = "to see".into();
            // Asked in place of the Monitor, too.
            if reply.get("function").is_some() {
                reply["function"] = "look around".into();
            }
        }
        Some("monitor") => reply["function"] = "look around".into(),
        _ => {
            reply["meets_expectations"] = true.into();
            reply["wrong_operations"] = Value::Array(Vec::new());
        }
    }
    reply.to_string()
}

/// Lines of a run without what varies.
fn without_times(text: &str) -> Vec<Value> {
    let mut lines = json_lines(text);
    for line in lines.iter_mut().filter_map(Value::as_object_mut) {
        line.remove("t");
        line.remove("device");
    }
    lines
}

#[test]
fn a_session_is_answered_to_its_end() {
    let site = Site::new(1);
    let desk = Desk(&site);
    let (code, nothing) = site.run(&["questions"]);
    assert_eq!((code, nothing.as_str()), (Some(0), "no question waits\n"));
    assert_eq!(site.run(&["questions", "next"]).0, Some(1));
    let recording = site.folder.path().join("talk.jsonl").display().to_string();
    let run = desk.session(&["--record", &recording]);

    let first = desk.next().expect("a question");
    let at = number(&first);
    let files: Vec<&str> =
        first["files"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(!files.is_empty());
    for file in files {
        assert!(std::fs::read(file).expect("a file").starts_with(b"\x89PNG"), "{file}");
    }
    let (_, list) = site.run(&["questions", "s1"]);
    assert!(list.starts_with(&format!("{at:<4} s1    visiondroid/")), "{list}");
    assert_eq!(site.run(&["questions", "s2"]).1, "no question waits\n");
    keep_to_schema("commands.schema.json#/$defs/questions-next", std::slice::from_ref(&first));
    let (_, lines) = site.run(&["questions", "--json"]);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    keep_to_schema("commands.schema.json#/$defs/questions", &lines);
    let (_, whole) = site.run(&["questions", "show", &at.to_string()]);
    assert!(whole.contains("# Question\n") && whole.contains("picture 1: /"), "{whole}");

    let wrong = [
        ("", "the reply is empty"),
        ("click", "the reply is no JSON: expected value at line 1 column 1"),
        ("{}", "is missing"),
        ("\u{1b}[2J", "the reply is no JSON"),
    ];
    for (reply, expected) in wrong {
        let (code, told) = desk.answer(at, reply);
        assert!(code == Some(1) && told.contains(expected) && !told.contains('\u{1b}'), "{reply}: {told}");
    }
    // Two at once: one of them is taken.
    let both = [desk.say(at, &reply(&first)), desk.say(at, &reply(&first))].map(said);
    let mut codes = both.clone().map(|(code, _)| code);
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)], "{both:?}");
    assert!(both.iter().any(|(_, told)| told.contains("has been answered already")), "{both:?}");
    for (number, expected) in [(at, "has been answered already"), (9_999, "there is no question 9999")] {
        let (code, told) = desk.answer(number, "{}");
        assert!(code == Some(2) && told.contains(expected), "{told}");
    }

    let answered = desk.to_the_end();
    assert!(answered > 5, "{answered}");
    let (code, lines, told) = desk.ended(run);
    assert!(matches!(code, Some(0 | 1)), "{told}");
    let (code, checked) = site.run(&["store", "verify", "--rederive"]);
    assert_eq!(code, Some(0), "{checked}");

    // Nobody is there any more, and nobody is needed.
    let file = site.folder.path().join("people.toml").display().to_string();
    let arguments = ["run", &file, "--json", "--steady", "--seed", "1", "--replay", &recording, "--strict"];
    let (_, replayed) = site.run(&arguments);
    assert_eq!(without_times(&lines), without_times(&replayed));
}

#[test]
fn questions_of_a_killed_lab_come_again_and_answers_are_kept() {
    let site = Site::new(1);
    let desk = Desk(&site);
    let mut run = desk.session(&[]);
    for _ in 0..3 {
        let question = desk.next().expect("a question");
        assert_eq!(desk.answer(number(&question), &reply(&question)).0, Some(0));
    }
    let open = desk.next().expect("a question");
    kill_process(Pid::from_raw(site.process()).expect("a process"), Signal::KILL).expect("killed");
    run.wait().expect("it ends");
    site.start(1);
    let again = desk.next().expect("the same question");
    for part in ["role", "text", "job", "files"] {
        assert_eq!(open[part], again[part], "{part}");
    }
    desk.to_the_end();
    site.wait_for("the end", |sessions| sessions.iter().all(|session| session["state"] == "done"));
    let (code, checked) = site.run(&["store", "verify", "--rederive"]);
    assert_eq!(code, Some(0), "{checked}");
}

#[test]
fn a_run_where_nobody_could_answer_is_refused() {
    let site = Site::bare();
    let desk = Desk(&site);
    let (code, _, told) = desk.ended(desk.session(&[]));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("nobody could answer") && told.contains("`droidmux lab start`"), "{told}");
}
