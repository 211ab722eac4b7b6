//! `droidmux dmf`: specifications recorded on a simulated device, and linted.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use droidmux::device::Patience;
use droidmux::device::adb::Server;
use droidmux::sim::{SimLab, SimOptions, apps};
use serde_json::{Value, json};

use crate::program::keep_to_schema;

const LINT_SCHEMA: &str = "commands.schema.json#/$defs/dmf-lint";

/// Runs `droidmux dmf` with these lines as its input.
fn dmf(arguments: &[&str], input: &str, port: u16) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .arg("dmf")
        .args(arguments)
        .env("HOME", home.path())
        .env_remove("ADB_SERVER_SOCKET")
        .env("ANDROID_ADB_SERVER_PORT", port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn record(out: &Path, app: &str, lines: &[&str]) -> Output {
    let arguments = ["record", "--app", app, "--lab", "sim", "--out", out.to_str().unwrap()];
    dmf(&arguments, &format!("{}\n", lines.join("\n")), 1)
}

#[test]
fn a_specification_is_recorded_function_by_function() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("todo.json");
    // Widgets by their numbers on the layouts of the app's first start; empty lines take the default.
    let takes: [(&str, &[&str]); 5] = [
        (
            "add task",
            &[
                "begin",
                "click 35",
                "edit 16 random",
                "click 11",
                "done",
                "add",
                "task",
                "",
                "",
                "",
                "pre smaller",
                "",
            ],
        ),
        ("delete task", &["long 17", "click 8", "done", "delete", "task", "", "", "Buy stamps", ""]),
        (
            "edit task",
            &[
                "click 17",
                "edit 16 Buy milk",
                "click 11",
                "done",
                "edit",
                "task",
                "",
                "5",
                "Buy stamps",
                "",
                "",
            ],
        ),
        (
            "search task",
            &["click 11", "edit 11 Write the report", "enter", "done", "search", "task", "", "", "", ""],
        ),
        ("view task", &["click 17", "done", "view", "task", "", "", "Buy stamp", "Buy stamps", ""]),
    ];
    for (name, lines) in takes {
        let output = record(&out, "org.droidmux.todo", lines);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", said(&output));
        assert!(said(&output).contains("it works"), "{name}: {}", said(&output));
    }
    let lint = dmf(&["lint", out.to_str().unwrap(), "--json"], "", 1);
    assert_eq!(lint.status.code(), Some(0), "{}", said(&lint));
    let report: Value = serde_json::from_slice(&lint.stdout).unwrap();
    keep_to_schema(LINT_SCHEMA, std::slice::from_ref(&report));
    let functions: Vec<_> = report["functions"].as_array().unwrap().iter().collect();
    let names: Vec<_> = functions.iter().map(|function| function["function"].as_str().unwrap()).collect();
    assert_eq!(names, takes.map(|(name, _)| name));
    assert!(functions.iter().all(|function| function["remarks"] == json!([])), "{report:#}");
    // If a function is recorded again, it replaces the one with its name.
    let again = record(&out, "org.droidmux.todo", takes[1].1);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text.matches("\"delete task\"").count(), 1);
}

#[test]
fn what_goes_wrong_while_recording() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, "{}").unwrap();
    let out = folder.path().join("none.json");
    let cases: [(&Path, &str, &[&str], i32, &str); 5] = [
        (&bad, "org.droidmux.todo", &[], 2, "`dmfs` is missing"),
        (&out, "org.nowhere.app", &[], 3, "org.nowhere.app"),
        (&out, "org.droidmux.todo", &["click 17"], 2, "the input ended before all was answered"),
        (&out, "org.droidmux.todo", &["edit 17 x", "quit"], 0, "this widget takes no text"),
        // After it is ticked off, the task is still on the list: this deletes nothing.
        (
            &out,
            "org.droidmux.todo",
            &["click 18", "done", "delete", "task", "", "", "Buy stamps", ""],
            1,
            "DOES NOT HOLD: delete_object, showing \"Buy stamps\", is not on the layout",
        ),
    ];
    for (out, app, lines, code, words) in cases {
        let output = record(out, app, lines);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{lines:?} said {said}");
        assert!(said.contains(words), "{lines:?} said {said}");
    }
}

#[test]
fn lint_looks_at_a_screen() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let lab = runtime
        .block_on(SimLab::start(SimOptions { adbd: false, ..SimOptions::with_apps(apps::all()) }))
        .unwrap();
    let port = lab.server_addr().port();
    let server = Server::at(lab.server_addr());
    let devices =
        runtime.block_on(server.devices(&Patience::of(std::time::Duration::from_secs(10)))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.json");
    std::fs::write(
        &file,
        json!({ "dmfs": [{
            "datatype": "note", "name": "add note", "type": "add", "proportion": "1",
            "widgets": [{ "name": "w", "resource-id": "a.b:id/nowhere" }],
            "preconditions": [{ "relation": "in", "widget": "w" }],
            "events": [{ "action": "click", "widget": "w" }],
        }] })
        .to_string(),
    )
    .unwrap();
    let path = file.to_str().unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (&["lint", path], 0, "note   it has no post-condition"),
        (
            &["lint", path, "--device", &devices[0].serial],
            0,
            "no     widget w: no widget has any of its attributes",
        ),
        (
            &["lint", path, "--device", "nobody"],
            3,
            "device nobody cannot be used: the ADB server does not know it",
        ),
        (&["lint", "nowhere.json"], 2, "nowhere.json: No such file"),
        (&["lint", path, "--keyviews", path], 2, "`keyviews` is missing"),
    ];
    let output = dmf(&["lint", path, "--json", "--device", &devices[0].serial], "", port);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    keep_to_schema(LINT_SCHEMA, std::slice::from_ref(&report));
    assert_eq!(report["functions"][0]["screen"][0]["fits"], false, "{report:#}");
    for (arguments, code, words) in cases {
        let output = dmf(arguments, "", port);
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), said(&output));
        assert_eq!(output.status.code(), Some(code), "{arguments:?} said {said}");
        assert!(said.contains(words), "{arguments:?} said {said}");
    }
}

/// Lint and run leave out the same functions, and both say so.
#[test]
fn what_cannot_be_used_is_counted_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let function = |name: &str, widget: &str| {
        json!({
            "datatype": "note", "name": name, "type": "add", "proportion": "1",
            "widgets": [{ "name": "w", "resource-id": "a.b:id/w", "proportion": "10" }],
            "preconditions": [{ "relation": "in", "widget": "w" }],
            "events": [{ "action": "click", "widget": widget }],
        })
    };
    let views = ["<node text='Delete' />", "<node bounds='[1,2][3,4]' />", "<node text='#any#' />"];
    let views: Vec<Value> = views.into_iter().map(|view| json!({ "view": view })).collect();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let spec =
        write("spec.json", json!({ "dmfs": [function("add", "w"), function("put", "v")] }).to_string());
    let keys = write("keys.json", json!({ "keyviews": views }).to_string());
    let session = write(
        "session.toml",
        "technique = \"pbfdroid\"\napp = \"a.b\"\n\n[pbfdroid]\nspec = \"spec.json\"\nkeyviews = \"keys.json\"\n"
            .to_owned(),
    );

    let linted = dmf(&["lint", &spec, "--keyviews", &keys], "", 1);
    let told = String::from_utf8_lossy(&linted.stdout).into_owned();
    assert_eq!(linted.status.code(), Some(1), "{told}");
    for words in [
        "note   widget 1: the field `proportion` is ignored, as PBFDroid does",
        "fault  event 1 names the widget `v`, which is not defined",
        "fault  key view 3: fits every widget: nothing would ever be touched at random",
        "2 functions, 1 that cannot be used, 1 key view left out,",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }

    // There is no ADB server: what is left out is reported nevertheless.
    let home = tempfile::tempdir().unwrap();
    for view in ["--headless", "--json"] {
        let run = Command::new(env!("CARGO_BIN_EXE_droidmux"))
            .args(["run", &session, view])
            .env("HOME", home.path())
            .env_remove("ADB_SERVER_SOCKET")
            .env("ANDROID_ADB_SERVER_PORT", "1")
            .output()
            .unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&run.stdout), said(&run));
        assert_eq!(run.status.code(), Some(3), "{told}");
        let expected = "spec.json: 2 of 5 functions and key views cannot be used\n  \
                        function `put` cannot be used: event 1 names the widget `v`, which is not defined\n  \
                        key view 3 is left out: fits every widget: nothing would ever be touched at random\n";
        assert!(told.contains(expected), "{told}");
        assert!(view != "--json" || run.stdout.is_empty(), "{told}");
    }
}
