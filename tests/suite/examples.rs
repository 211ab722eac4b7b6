//! `droidmux examples` as a program.

use droidmux::technique::InputblasterSettings;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use droidmux::gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, NewWidget};
use droidmux::llm::Sandbox;
use droidmux::record::{
    Act, Example, ExampleKind, Finding, FindingId, FindingState, InputExample, ScreenPolicy,
};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::store::Store;
use serde_json::Value;

use crate::sessions::{Bench, acts, session as session_file};
use crate::store::fixture::{append, finding, finished, job, last_turn, options, run, session, turn};

/// Runs it on a store: exit code, standard output, standard error.
fn examples(store: &Path, arguments: &[&str], editor: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.arg("examples").args(arguments).arg("--store").arg(store);
    let output = command
        .env("EDITOR", editor)
        .env("TMPDIR", store.parent().unwrap())
        .env_remove("VISUAL")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Standard output of a successful call.
fn said(store: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = examples(store, arguments, "false");
    assert_eq!(code, 0, "{arguments:?} said {error}");
    out
}

/// The stored examples, as listed by `list --json`.
fn listed(store: &Path) -> Vec<Value> {
    let out = said(store, &["list", "--stored", "--json"]);
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

#[test]
fn examples_are_added_changed_and_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (&folder.path().join("store"), folder.path().join("examples.toml"));
    let file = file.to_str().unwrap();
    let ships = said(store, &["list"]);
    assert!(ships.lines().count() >= 45 && ships.lines().all(|line| line.ends_with("(ships)")), "{ships}");
    assert_eq!(said(store, &["list", "--stored"]), "no examples\n");

    let add = ["add", "--context", "weight; Save", "--input", "-1", "--app", "org.a"];
    assert!(said(store, &add).starts_with("added e"));
    assert!(said(store, &add).starts_with("known already: e"));
    said(
        store,
        &["add", "--activity", "Main", "--step", "tap", "--step", "back", "--expected", "x", "--actual", "y"],
    );
    let all = listed(store);
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0]["kind"], &all[0]["example"]["app"]), (&"input".into(), &"org.a".into()));
    assert_eq!(all[1]["example"]["steps"], serde_json::json!(["tap", "back"]));

    said(store, &["edit", id(&all[0]), "--rule", "below zero"]);
    let all = listed(store);
    assert_eq!(all[0]["example"]["rule"], "below zero");
    let shown = said(store, &["show", id(&all[0])]);
    assert!(shown.contains("[[input]]\n") && shown.contains("rule = \"below zero\"\n"), "{shown}");

    said(store, &["export", "-o", file]);
    said(store, &["remove", id(&all[0]), id(&all[1])]);
    assert!(listed(store).is_empty());
    assert!(said(store, &["import", file]).ends_with("1 input and 1 bug\n"));
    assert!(said(store, &["import", file]).ends_with("2 of them known already\n"));
    assert_eq!(listed(store), all);
}

#[test]
fn an_editor_changes_an_example() {
    let folder = tempfile::tempdir().unwrap();
    let store = &folder.path().join("store");
    said(store, &["add", "--context", "weight", "--input", "one"]);
    let name = id(&listed(store)[0]).to_owned();
    let cases = [
        ("sed -i s/one/two/", 0, "changed to e"),
        ("sed -i s/[[]input/[bug/", 2, "unknown field `context`"),
        ("sed -i d", 2, "0 examples instead of one"),
        ("false", 3, "nothing was changed"),
        ("", 2, "no editor is named"),
    ];
    let mut name = name;
    for (editor, code, words) in cases {
        let (got, out, error) = examples(store, &["edit", &name], editor);
        assert!(got == code && (out.clone() + &error).contains(words), "{editor}: {got} {out} {error}");
        let all = listed(store);
        assert_eq!(all[0]["example"]["input"], "two");
        name = id(&all[0]).to_owned();
    }
}

#[test]
fn what_cannot_be_done_is_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let store = &folder.path().join("store");
    let ships = said(store, &["list", "--kind", "bug"]);
    let ships = ships.split(' ').next().unwrap();
    let broken = folder.path().join("broken.toml");
    std::fs::write(&broken, "[[input]]\ncontext = \"a\"\ninput = \"b\"\n\n[[bug]]\n").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["add"], "say what the example is"),
        (&["add", "--context", "a"], "`--input TEXT` is missing"),
        (&["add", "--activity", "a"], "`expected` is empty"),
        (&["add", "--finding", "s1-00000000"], "there is no finding s1-00000000"),
        (&["edit", ships, "--actual", "x"], "ships with droidmux"),
        (&["remove", ships], "ships with droidmux"),
        (&["show", "e0"], "there is no example `e0`"),
        (&["export", "-o", "/nowhere/x"], "the store has no examples"),
        (&["import", broken.to_str().unwrap()], "broken.toml: TOML parse error at line 5"),
    ];
    for (arguments, words) in cases {
        let (code, _, error) = examples(store, arguments, "false");
        assert!(code == 2 && error.contains(words), "{arguments:?}: {code} {error}");
    }
    assert!(listed(store).is_empty(), "an import is all or nothing");
}

/// A form with a name, a password and a button.
fn form() -> Arc<Layout> {
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { class: "android.widget.LinearLayout", ..NewWidget::default() });
    let at = |top| Bounds::new(0, top, 100, top + 10);
    let field = NewWidget { class: "android.widget.EditText", flags: Flags::ENABLED, ..NewWidget::default() };
    let password = Flags::ENABLED.with(Flags::PASSWORD, true);
    for widget in [
        NewWidget { resource_id: "org.example:id/name", hint: "User name", bounds: at(0), ..field },
        NewWidget { text: "secret", flags: password, bounds: at(20), ..field },
        NewWidget { class: "android.widget.Button", text: "Sign up", bounds: at(40), ..NewWidget::default() },
    ] {
        builder.open(widget);
        builder.close();
    }
    builder.close();
    Arc::new(builder.finish())
}

/// A store with a test that types into the form and submits it, and a finding of it.
async fn store_with_a_finding(folder: &Path, technique: &str) -> Finding {
    let store = Store::open(folder, options()).unwrap();
    let (id, form) = (store.create_session(&session()).unwrap(), form());
    let event = |kind, widget, data: Option<&str>| Event {
        kind,
        receiver: Some(form.selector(form.widgets().nth(widget).unwrap().id())),
        data: data.map(str::to_owned),
    };
    let events = [
        event(EventKind::Edit, 2, Some("hunter2")),
        event(EventKind::Edit, 1, Some("x\u{202e}y")),
        event(EventKind::Click, 3, None),
    ];
    let acts = std::iter::once(Act::Reset).chain(events.map(Act::Perform));
    let mut turns: Vec<_> = acts.map(|act| turn(act, &form, "org.example.SignupActivity")).collect();
    turns.push(last_turn());
    store.put_job(id, &job(0)).unwrap();
    let mut stored = append(id, 0, 0, turns.clone());
    stored.layouts = vec![form.clone()];
    store.append(stored).await.unwrap();
    store.finish_job(id, &finished(&run(0, turns))).unwrap();
    let finding = Finding { technique: technique.into(), ..finding(id, 0, "key", 1) };
    store.put_findings(std::slice::from_ref(&finding)).unwrap();
    finding
}

#[tokio::test]
async fn confirmed_findings_become_examples() {
    let unusual = InputExample {
        app: "org.example".into(),
        context: "User name;Sign up;org.example.SignupActivity".into(),
        rule: String::new(),
        input: "x\u{202e}y".into(),
        from: String::new(),
    };
    for (technique, kind) in [("inputblaster", ExampleKind::Input), ("genie", ExampleKind::Bug)] {
        let folder = tempfile::tempdir().unwrap();
        let finding = store_with_a_finding(folder.path(), technique).await;
        let add = ["add", "--finding", &finding.id.to_string()];
        let (code, _, error) = examples(folder.path(), &add, "false");
        assert!(code == 2 && error.contains("is not confirmed"), "{error}");
        mark_true(folder.path(), &finding.id);
        said(folder.path(), &add);
        let store = Store::open(folder.path(), options()).unwrap();
        let all: Vec<Example> = store.examples(Some(kind)).map(Result::unwrap).collect();
        match &all[..] {
            [Example::Bug(bug)] => {
                assert_eq!(
                    (bug.activity.as_str(), bug.actual.as_str()),
                    ("SignupActivity", "a picture is gone")
                );
                assert_eq!(bug.from, finding.id.to_string());
                assert_eq!(bug.steps, ["edit \"EditText\"", "edit \"name\"", "click \"Sign up\""]);
            }
            all => {
                let from = finding.id.to_string();
                assert_eq!(all, [Example::Input(InputExample { from, ..unusual.clone() })]);
            }
        }
    }
}

fn mark_true(folder: &Path, finding: &FindingId) {
    let store = Store::open(folder, options()).unwrap();
    store.mark(finding, FindingState::True, "").unwrap();
}

/// A session that learns does not see its own lessons: run again on the same store it does the same, and what it finds
/// again is not stored again.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_learns_is_the_same_twice() {
    let defects = DefectSwitches::only(["calc.brackets"], &apps::all()).unwrap();
    let options = SimOptions {
        devices: 2,
        steady: true,
        adb_keyboard: true,
        defects,
        ..SimOptions::with_apps(apps::all())
    };
    let mut bench = Bench::new(options).await;
    bench.lab = bench.lab.clone().with_sandbox(Sandbox::at(env!("CARGO_BIN_EXE_droidmux")));
    let mut definition = session_file("calc-inputblaster.toml");
    definition.run.screens = ScreenPolicy::Never;
    definition.settings.change(|inputblaster: &mut InputblasterSettings| inputblaster.explore_events = 150);
    assert!(!droidmux::technique::learns(&definition), "only who asks for it");
    let mut told = Vec::new();
    for learn in [false, true, true] {
        definition.settings.change(|inputblaster: &mut InputblasterSettings| inputblaster.learn = learn);
        let (outcome, runs) = bench.run(&definition, 1).await;
        let confirmed = outcome.findings.iter().filter(|finding| finding.confirmation.is_confirmed());
        let confirmed: BTreeSet<String> = confirmed.map(|finding| finding.id.to_string()).collect();
        let examples: Vec<Example> = bench.lab.store().examples(None).map(Result::unwrap).collect();
        told.push((acts(&runs), confirmed, examples));
    }
    let [(first, _, none), (second, found, learnt), (third, _, again)] = &told[..] else {
        panic!("three runs")
    };
    assert!(first == second && second == third, "the same acts, whatever was learnt");
    assert_eq!((none.len(), learnt), (0, again));
    assert!(!found.is_empty() && !learnt.is_empty());
    for example in learnt {
        assert!(found.contains(example.from()) && example.app() == definition.app, "{example:?}");
        let Example::Input(input) = example else { panic!("{example:?}") };
        assert!(!input.rule.is_empty(), "a generator made it: {input:?}");
    }
}
