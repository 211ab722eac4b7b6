//! The defect bench as a person runs it, and as a library on a third-party app.

use std::path::Path;
use std::process::Output;

use droidmux::bench::defects::{self, Apps, Figures, Plan, PlanOptions, RunOptions, Scope};
use droidmux::sim::toolkit::{
    ActivityState, App, Ctx, DefectKind, Env, Input, Manifest, Screen, Throwable, View,
};
use droidmux::sim::{Defect, DefectSwitches, SimApp};
use droidmux_testutils::app::{Case, walk, walk_beside};
use serde_json::Value;

use crate::cli::droidmux;

fn bench(home: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["bench", "defects", "--seeds", "3", "--apps", "notes", "--into"];
    let into = home.join("records");
    arguments.push(into.to_str().unwrap());
    arguments.extend(more);
    droidmux(home, &arguments)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn crashes_are_found_named_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let options = ["--techniques", "monkey", "--events", "300", "--json"];
    let first = bench(home.path(), &options);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let figures: Value = serde_json::from_slice(&first.stdout).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/bench.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    if let Err(error) = jsonschema::validator_for(&schema).unwrap().validate(&figures) {
        panic!("{error}\nin {figures}");
    }
    let monkey = &figures["techniques"][0]["scopes"][0];
    assert_eq!(monkey["scope"], "A", "{monkey}");
    assert!(monkey["found_ever"].as_u64() >= Some(1), "{monkey}");
    assert!(monkey["set_off_ever"].as_u64() >= monkey["found_ever"].as_u64(), "{monkey}");
    let defects = figures["defects"].as_array().unwrap();
    let found = |defect: &&Value| defect["by"][0]["seeds"].as_u64() > Some(0);
    let found: Vec<&Value> = defects.iter().filter(found).collect();
    assert!(found.iter().any(|defect| defect["kind"] == "crash"), "{found:?}");
    for defect in found {
        let by = &defect["by"][0];
        assert!(by["set_off"].as_u64() >= by["seeds"].as_u64(), "{defect}");
    }
    let correct = &figures["correct"][0]["by"][0];
    assert_eq!(correct["reported"], serde_json::json!([0, 0, 0]), "any would be a false alarm: {correct}");

    // Everything is already there: nothing is run, and the figures are identical to the byte.
    let again = bench(home.path(), &options);
    assert_eq!(again.stdout, first.stdout);
    assert!(said(&again).contains("6 of 6 sessions are there already"), "{}", said(&again));

    let tables = bench(home.path(), &options[..4]);
    assert!(said(&tables).contains("6 of 6 sessions are there already"), "{}", said(&tables));
    let text = String::from_utf8(tables.stdout).unwrap();
    assert!(text.contains("| monkey") && text.contains("| notes.rotate-edit"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

/// A lamp; its socket breaks when it is lit a third time.
#[derive(Clone)]
struct Lamp {
    lit: bool,
    times: u32,
    defects: DefectSwitches,
}

#[derive(Clone)]
struct Switch;

const LAMP: &str = "com.example.lamp";
const BREAKS: Defect = Defect {
    id: "lamp.breaks",
    kind: DefectKind::Crash,
    what: "lighting it for the third time ends the app",
    seed: "made up for this test",
};
const MANIFEST: Manifest = Manifest {
    package: LAMP,
    label: "Lamp",
    version_name: "1.0",
    version_code: 1,
    activities: &["MainActivity"],
    permissions: &[],
};

impl App for Lamp {
    type Action = Switch;

    fn view(&self, _page: &ActivityState, _env: &Env) -> Screen<Switch> {
        let body = View::column().child(View::label("state", if self.lit { "Lit" } else { "Dark" }));
        Screen::new("Lamp", body.child(View::button("switch", "Switch", Switch)))
    }

    fn on(&mut self, input: Input<Switch>, ctx: &mut Ctx<'_, Switch>) {
        if let Input::Act(Switch) = input {
            self.lit = !self.lit;
            self.times += u32::from(self.lit);
            if self.defects.strikes(&BREAKS, self.times == 3) {
                ctx.crash(Throwable {
                    class: "java.lang.IllegalStateException",
                    message: "broken".into(),
                    frames: vec!["com.example.lamp.MainActivity.onClick(MainActivity.java:9)"],
                });
            }
        }
    }
}

fn lamp() -> SimApp {
    SimApp::new(MANIFEST, &[BREAKS], |defects| Lamp { lit: false, times: 0, defects: defects.clone() })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_of_somebody_else_is_tested_and_benched_like_the_shipped_ones() {
    let case = Case {
        id: BREAKS.id,
        package: LAMP,
        functions: &["light", "put out"],
        trigger: |probe| {
            for _ in 0..5 {
                probe.tap("Switch");
            }
        },
        is_right: |probe| !probe.crashed(),
    };
    assert_eq!(case.check(&[lamp()]), Vec::<String>::new());
    assert_eq!(walk(&[lamp()], LAMP, 1, 40).err(), None);
    assert_eq!(walk_beside(&[lamp()], LAMP, BREAKS.id, 1, 40).err(), None);

    let options =
        PlanOptions { techniques: vec!["monkey".into()], events: 200, seeds: 1, ..PlanOptions::default() };
    let plan = Plan::new(options, &Apps::of([lamp()])).unwrap();
    let done = defects::run(&plan, RunOptions::default()).await.unwrap();
    assert!(done.failed.is_empty(), "{:?}", done.failed);
    let figures = Figures::of(&plan, &done.records);
    let monkey = figures.techniques[0].on(Scope::All).unwrap();
    assert_eq!((monkey.present, monkey.set_off_ever, monkey.found_ever), (1, 1, 1), "{figures:?}");
    assert_eq!(figures.correct[0].by[0].reported, [0]);
}
