//! Recordings of other tools, and the oracle on them.

use std::fs;
use std::path::Path;
use std::process::Command;

use droidmux::gui::{Effect, EffectForm, EventKind, Resolution, context, effects};
use droidmux::import::{Format, Recording, read};
use droidmux::model::{Familiar, GuiModel};
use droidmux::record::{
    Bearing, EffectKind, Evidence, Layouts, Outcome, Role, SessionDefinition, Technique, Verdict, Work,
};
use droidmux::technique::GenieSettings;
use droidmux::technique::judge;

use serde_json::Value;

use crate::corpus::corpus;
use crate::program::keep_to_schema;

fn definition(app: &str, effects: EffectForm) -> SessionDefinition {
    let mut definition = SessionDefinition::new(Technique::Genie, app);
    definition.settings.put(&GenieSettings { effects, ..GenieSettings::default() });
    definition
}

/// The verdicts on everything that can be compared, by name.
fn verdicts(recording: &Recording, effects: EffectForm) -> Vec<(String, Verdict)> {
    let definition = definition(&recording.app, effects);
    let judged = recording.comparisons().flat_map(|recorded| {
        let judgement = judge(&recorded.run, &definition, &[], &recording.layouts);
        judgement.verdicts.into_iter().map(|verdict| (recorded.name.clone(), verdict))
    });
    judged.collect()
}

#[test]
fn genies_published_violation_is_found() {
    let Some(folder) = corpus("genie-activitydiary") else { return };
    let recording = read(Format::Genie, &folder).expect("recording");
    assert_eq!(recording.app, "de.rampro.activitydiary.debug");
    assert_eq!(recording.counts.left_out, 0, "{:?}", recording.remarks);
    let pair = recording.comparisons().next().expect("a mutant");
    let published = pair.published.as_ref().expect("Genie's verdict");
    assert!(published.semantic && !published.crash);
    assert_eq!(published.effects.len(), 83);

    let Work::Batch(batch) = &pair.run.job.work else { panic!("no batch") };
    let Role::Mutant(insertion) = batch.tests[1].role else { panic!("no mutant") };
    assert_eq!(u64::from(insertion.pivot), published.insert_position + 1);
    assert_eq!(insertion.length, 2);
    let lengths: Vec<usize> = pair.run.traces().iter().map(|trace| trace.steps.len()).collect();
    assert_eq!(lengths, [15, 17]);

    for form in [EffectForm::Tree, EffectForm::Sets] {
        let verdicts = verdicts(&recording, form);
        let (own, others): (Vec<_>, Vec<_>) = verdicts.iter().partition(|(_, said)| said.oracle == "genie");
        let [(name, verdict)] = own.as_slice() else { panic!("{own:?}") };
        let broken: Vec<&str> = others.iter().map(|(_, said)| said.title.as_str()).collect();
        assert_eq!(broken, ["'UNDO' did not bring back '<No Activity>': 'Gardening' is still there."]);
        assert_eq!(name, "seed-test-7/mutant-659");
        assert_eq!(verdict.outcome, Outcome::Violation);
        let said: Vec<_> = verdict.experiments.iter().map(|e| (e.bearing, &e.words)).collect();
        let accused = said.iter().any(|(bearing, _)| *bearing == Bearing::Accuses);
        assert!(accused, "the inserted choice is undone, and stays: {said:?} {}", verdict.title);
        let Evidence::Effects(effects) = &verdict.evidence else { panic!("no effects") };
        if form == EffectForm::Tree {
            let missing = published.missing(effects);
            let told: Vec<_> =
                missing.iter().map(|effect| (effect.kind, effect.seed, &effect.after)).collect();
            let frame = ["android.widget.FrameLayout", "", ""].map(str::to_owned);
            assert_eq!(told, [(EffectKind::Added, (12, 13), &Some(frame))]);
        }
    }
}

/// The one published effect that is not found: the seed adds a frame with an error message in it, the mutant the same
/// frame without the message. An effect is a widget's label and context (Genie, point 7), so the mutant has the frame
/// and lacks only the message, which is found. Genie's code identifies widgets by DroidBot's `view_str`, a hash that
/// includes their children: for it, the frames are two widgets, and it lists one as unmatched on each side.
#[test]
fn the_published_effect_that_is_not_found_is_there_in_the_mutant() {
    let Some(folder) = corpus("genie-activitydiary") else { return };
    let recording = read(Format::Genie, &folder).expect("recording");
    let pair = recording.comparisons().next().expect("a mutant");
    let traces = pair.run.traces();
    let added = |test: usize, (from, to): (usize, usize)| -> Vec<[String; 4]> {
        let layout = |number: usize| {
            let seen = traces[test].steps[number - 2].after.expect("seen");
            recording.layouts.layout(seen.screen.layout).expect("a layout")
        };
        let (from, to) = (layout(from), layout(to));
        let widget = |effect: Effect| match effect {
            Effect::Added(id) => to.get(id),
            Effect::Deleted(_) | Effect::Changed(..) => None,
        };
        let added = effects(EffectForm::Tree, &from, &to).into_iter().filter_map(widget);
        added
            .map(|w| [w.class().to_owned(), w.short_id().to_owned(), w.text().to_owned(), context(w)])
            .collect()
    };
    let (seed, mutant) = (added(0, (12, 13)), added(1, (14, 15)));
    let [frame, message] = &seed[..] else { panic!("{seed:?}") };
    assert_eq!((frame[0].as_str(), message[1].as_str()), ("android.widget.FrameLayout", "textinput_error"));
    assert_eq!(mutant, std::slice::from_ref(frame));
}

#[test]
fn a_droidbot_folder_becomes_traces_and_a_model() {
    let Some(folder) = corpus("droidbot-qqmusic") else { return };
    let recording = read(Format::Droidbot, &folder).expect("recording");
    assert_eq!(recording.app, "com.tencent.qqmusic");
    assert_eq!((recording.counts.states, recording.counts.events), (23, 46));
    assert_eq!(recording.counts.left_out, 1);
    assert_eq!(recording.remarks, ["1 events left out: a state they name has no file in states/"]);
    let (mut model, mut familiar) = (GuiModel::new(Default::default(), 100.0), Familiar::default());
    for recorded in &recording.runs {
        model.absorb(&recorded.run, &mut familiar, &recording.layouts);
    }
    assert!(model.state_count() > 5 && model.transition_count() >= model.state_count());
    for recorded in &recording.runs {
        for trace in recorded.run.traces() {
            assert!(trace.is_whole() && !trace.steps.is_empty(), "{}", recorded.name);
        }
    }
}

/// A list of rows as uiautomator writes it.
fn dump(rows: &[&str]) -> String {
    let node = |class: &str, id: &str, text: &str, inside: &str| {
        format!(
            "<node class=\"{class}\" resource-id=\"p:id/{id}\" package=\"p\" text=\"{text}\" clickable=\"true\" \
             enabled=\"true\" bounds=\"[0,0][9,9]\">{inside}</node>"
        )
    };
    let rows: String = rows.iter().map(|row| node("android.widget.TextView", "row", row, "")).collect();
    let add = node("android.widget.Button", "add", "Add", "");
    let list = node("android.widget.ListView", "list", "", &rows);
    format!(
        "<hierarchy rotation=\"0\">{}</hierarchy>",
        node("android.widget.LinearLayout", "page", "", &(add + &list))
    )
}

fn write_trace(folder: &Path, dumps: &[String], events: &str) {
    fs::create_dir_all(folder).expect("folder");
    for (n, dump) in dumps.iter().enumerate() {
        fs::write(folder.join(format!("{}.xml", n + 1)), dump).expect("dump");
    }
    fs::write(folder.join("events.json"), events).expect("events");
}

/// A seed that adds a row, and a mutant whose inserted click adds another one; `last` is the list of rows at its end.
pub fn write_recording(folder: &Path, last: &[&str]) {
    let seed = [dump(&["tea"]), dump(&["tea", "milk"])];
    let seed_events =
        r#"{"app": "p", "activities": ["p.A", "p.A"], "events": [{"event": "click", "widget": 1}]}"#;
    write_trace(&folder.join("seed"), &seed, seed_events);
    let mutant = [dump(&["tea"]), dump(&["tea", "rice"]), dump(last)];
    let events = r#"{"app": "p", "activities": ["p.A", "p.A", "p.A"], "inserted": {"pivot": 1, "length": 1},
        "events": [{"event": "long-click", "widget": 3}, {"event": "click", "widget": 1}]}"#;
    write_trace(&folder.join("mutant-1"), &mutant, events);
}

#[test]
fn dumps_with_events_are_compared() {
    let cases: [(&[&str], Outcome); 2] = [
        // The inserted click added a row, and the seed's click still adds its own.
        (&["tea", "milk", "rice"], Outcome::Pass),
        // It is missing.
        (&["tea", "rice"], Outcome::Violation),
    ];
    for (last, expected) in cases {
        let folder = tempfile::tempdir().expect("folder");
        write_recording(folder.path(), last);
        let recording = read(Format::Uiautomator, folder.path()).expect("recording");
        let verdicts = verdicts(&recording, EffectForm::Tree);
        let outcomes: Vec<&Outcome> = verdicts.iter().map(|(_, verdict)| &verdict.outcome).collect();
        assert_eq!(outcomes, [&expected], "{verdicts:#?}");
        let run = &recording.runs[0].run;
        let traces = run.traces();
        assert_eq!(traces[1].steps[0].event.kind, EventKind::LongClick);
        let found = traces[1].steps[0].after.expect("seen").resolution;
        assert!(matches!(found, Some(Resolution::Exact(_))), "{found:?}");
    }
}

#[test]
fn broken_recordings_are_refused_with_the_place() {
    let state = r#"{"state_str": "s", "views": [{"class": "A", "bounds": [[0,0],[1,1]], "parent": -1}]}"#;
    let event =
        |body: &str| format!(r#"{{"tag": "1", "start_state": "s", "stop_state": "s", "event": {body}}}"#);
    let cases: [(Format, &[(&str, String)], &str); 11] = [
        (Format::Genie, &[], "FOLDER: utg.json is missing; is this a Genie recording?"),
        (
            Format::Droidbot,
            &[],
            "FOLDER: states/ (Kea's all_states/) is missing; is this a DroidBot recording?",
        ),
        (
            Format::Uiautomator,
            &[],
            "FOLDER: a dump (*.xml, *.json) is missing; is this a uiautomator recording?",
        ),
        (
            Format::Genie,
            &[("utg.json", "{".into())],
            "utg.json: EOF while parsing an object at line 1 column 1",
        ),
        (
            Format::Droidbot,
            &[("states/state_1.json", "{\n\"views\": 3}".into()), ("events/e.json", event("{}"))],
            "states/state_1.json: invalid type: integer `3`, expected a sequence at line 2 column 10",
        ),
        (
            Format::Droidbot,
            &[("states/state_1.json", state.into()), ("events/event_1.json", "[]".into())],
            "events/event_1.json: invalid length 0, expected struct EventFile with 5 elements at line 1 column 2",
        ),
        (
            Format::Uiautomator,
            &[("a.xml", "<hierarchy>".into())],
            "a.xml: the dump breaks off inside <hierarchy>; take it again (at line 1, column 12, byte 11)",
        ),
        (
            Format::Uiautomator,
            &[
                ("a.xml", dump(&[])),
                ("events.json", r#"{"events": [{"event": "click", "widget": 1}]}"#.into()),
            ],
            "events.json: field `events`: 1 events do not fit 1 dumps",
        ),
        (
            Format::Uiautomator,
            &[
                ("a.xml", dump(&[])),
                ("b.xml", dump(&[])),
                ("events.json", r#"{"events": [{"event": "click", "widget": 9}]}"#.into()),
            ],
            "events.json: field `events[0]`: the dump has no widget 9",
        ),
        (
            Format::Genie,
            &[
                ("utg.json", "{}".into()),
                (
                    "seed-tests/s/m/utg.json",
                    r#"{"insert_start_position": 0, "independent_trace_len": 1, "nodes":
                        [{"id": "a[s]", "state_json_file_path": "../../../../state.json"}],
                        "edges": [{"from": "a[s]", "to": "a[s]", "events": [{"event_id": 1}]}]}"#
                        .into(),
                ),
            ],
            "seed-tests/s/m/utg.json: the path `../../../../state.json` leads out of the recording's folder",
        ),
        (
            Format::Genie,
            &[("utg.json", "{}".into()), ("seed-tests/s/m/utg.json", "{}".into())],
            "seed-tests/s/m/utg.json: field `insert_start_position, independent_trace_len`: not there: which \
             events were inserted is unknown",
        ),
    ];
    for (format, files, expected) in cases {
        let folder = tempfile::tempdir().expect("folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("parent")).expect("folders");
            fs::write(path, text).expect("file");
        }
        let error = read(format, folder.path()).expect_err(expected);
        assert_eq!(error.to_string(), expected.replace("FOLDER", &folder.path().to_string_lossy()));
    }
}

/// Writes files below a folder.
pub fn write_all(folder: &Path, files: &[(&str, String)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folders");
        fs::write(path, text).expect("file");
    }
}

/// Kea uses another name for the folder of states, gives rotations no type, and restarts an app in one event.
#[test]
fn keas_folder_is_read_as_droidbots() {
    let state = |name: &str| {
        let view = r#"{"class": "A", "bounds": [[0,0],[1,1]], "parent": -1}"#;
        format!(r#"{{"state_str": "{name}", "foreground_activity": "p/.A", "views": [{view}]}}"#)
    };
    let event = |body: &str, words: &str, from: &str, to: &str| {
        format!(
            r#"{{"tag": "1", "event": {body}, "start_state": "{from}", "stop_state": "{to}", "event_str": {words}}}"#
        )
    };
    let untyped = r#"{"event_type": null, "log_lines": null}"#;
    let right = r#""RotateDeviceToLandscapeEvent()""#;
    let restart =
        r#"{"event_type": "kill_app", "stop_intent": "am force-stop p", "start_intent": "am start p/.A"}"#;
    let folder = tempfile::tempdir().expect("folder");
    write_all(
        folder.path(),
        &[
            ("utg.js", "var utg = \n{\"app_package\": \"p\"}".into()),
            ("all_states/state_1.json", state("s")),
            ("all_states/state_2.json", state("t")),
            ("events/event_1.json", event(restart, "\"\"", "t", "s")),
            ("events/event_2.json", event(untyped, right, "s", "t")),
            ("events/event_3.json", event(r#"{"event_type": "key", "name": "BACK"}"#, "null", "t", "s")),
            ("events/event_4.json", event(untyped, r#""SpinEvent()""#, "s", "t")),
            ("events/event_5.json", event(untyped, "null", "t", "s")),
        ],
    );
    let recording = read(Format::Droidbot, folder.path()).expect("recording");
    let kinds: Vec<Vec<EventKind>> = recording
        .runs
        .iter()
        .flat_map(|recorded| recorded.run.traces())
        .map(|trace| trace.steps.iter().map(|step| step.event.kind).collect())
        .collect();
    assert_eq!(kinds, [[EventKind::Rotate, EventKind::Back]]);
    let expected = ["1 events left out: `SpinEvent()` has no type", "1 events left out: they have no type"];
    assert_eq!(recording.remarks, expected);
}

/// What counts is what was recorded, not what a tool said about it.
#[test]
fn broken_accounts_of_a_recording_are_remarked_on() {
    let state = |name: &str| {
        let view = r#"{"class": "A", "bounds": [[0,0],[1,1]], "parent": -1}"#;
        format!(r#"{{"state_str": "{name}", "foreground_activity": "p/.A", "views": [{view}]}}"#)
    };
    let back = r#"{"tag": "1", "start_state": "s", "stop_state": "s", "event": {"event_type": "key", "name": "BACK"}}"#;
    let edge = |mark: &str, id: u32| {
        format!(
            r#"{{"from": "s{mark}", "to": "s{mark}", "events": [{{"event_id": {id}, "event_log_file_path": "../../../events/e.json"}}]}}"#
        )
    };
    let node = |id: &str| format!(r#"{{"id": "{id}", "state_json_file_path": "../../../states/s.json"}}"#);
    let graph = format!(
        r#"{{"app_package": "p", "insert_start_position": 0, "independent_trace_len": 1, "nodes": [{}], "edges": [{}]}}"#,
        [node("s[s]"), node("s[d]")].join(","),
        [edge("[s]", 1), edge("[d]", 1), edge("[d]", 2)].join(",")
    );
    // Files beside the states and events, the traces read, and the remarks.
    let cases: [(Format, &[(&str, &str)], u64, &[&str]); 5] = [
        (
            Format::Droidbot,
            &[("utg.js", "var utg = {\"app_package\": 3}")],
            1,
            &[
                "left out: utg.js: invalid type: integer `3`, expected a string at line 1 column 17",
                "no utg.js names the app: every screen counts as one of it",
            ],
        ),
        (
            Format::Genie,
            &[("utg.json", "{")],
            1,
            &["left out: utg.json: EOF while parsing an object at line 1 column 1"],
        ),
        (
            Format::Genie,
            &[
                ("utg.json", "["),
                ("seed-tests/s/m/utg.json", &graph),
                ("seed-tests/s/m/checking_result.json", "{"),
            ],
            3,
            &[
                "left out: utg.json: EOF while parsing a list at line 1 column 1",
                "left out: seed-tests/s/m/checking_result.json: EOF while parsing an object at line 1 column 1",
            ],
        ),
        (
            Format::Genie,
            &[
                ("utg.json", "{}"),
                ("seed-tests/s/m/utg.json", &graph),
                (
                    "seed-tests/s/m/checking_result.json",
                    r#"{"unmatched_views_of_seed_test": [{"from_state_id": 0, "to_state_id": 1, "operation": "MOVE"}]}"#,
                ),
            ],
            3,
            &[
                "left out: seed-tests/s/m/checking_result.json: field `operation`: `MOVE` is none of INSERT, DELETE \
                 and CHANGE",
            ],
        ),
        (
            Format::Genie,
            &[
                ("utg.json", "{}"),
                ("seed-tests/s/m/utg.json", "nothing"),
                ("seed-tests/s/n/utg.json", &graph),
            ],
            3,
            &["left out: seed-tests/s/m/utg.json: expected ident at line 1 column 2"],
        ),
    ];
    for (format, files, traces, remarks) in cases {
        let folder = tempfile::tempdir().expect("folder");
        write_all(folder.path(), &[("states/s.json", state("s")), ("events/e.json", back.into())]);
        let files: Vec<(&str, String)> =
            files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        write_all(folder.path(), &files);
        let recording = read(format, folder.path()).unwrap_or_else(|error| panic!("{files:?}: {error}"));
        assert_eq!(recording.remarks, remarks, "{files:?}");
        assert_eq!(recording.counts.traces, traces, "{files:?}");
    }
}

#[test]
fn one_broken_file_costs_only_its_events() {
    let state = |name: &str| {
        format!(
            r#"{{"state_str": "{name}", "views": [{{"class": "A", "bounds": [[0,0],[1,1]], "parent": -1}}]}}"#
        )
    };
    let event = |from: &str, to: &str| {
        format!(
            r#"{{"tag": "1", "start_state": "{from}", "stop_state": "{to}",
                "event": {{"event_type": "key", "name": "BACK"}}}}"#
        )
    };
    let folder = tempfile::tempdir().expect("folder");
    for (name, text) in [
        ("states/state_1.json", state("s")),
        ("states/state_2.json", state("t")),
        ("states/state_3.json", "{\"state_str\": ".into()),
        ("events/event_1.json", event("s", "t")),
        ("events/event_2.json", event("t", "s")),
        ("events/event_3.json", "".into()),
        ("events/event_10.json", event("s", "t")),
        ("events/event_11.json", event("t", "gone")),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folders");
        fs::write(path, text).expect("file");
    }
    let recording = read(Format::Droidbot, folder.path()).expect("recording");
    let steps: Vec<u64> = recording.runs.iter().map(|recorded| recorded.run.events()).collect();
    assert_eq!(steps, [2, 1]);
    assert_eq!(recording.counts.left_out, 2);
    let expected = [
        "no utg.js names the app: every screen counts as one of it",
        "left out: states/state_3.json: EOF while parsing a value at line 1 column 14",
        "left out: events/event_3.json: EOF while parsing a value at line 1 column 0",
        "1 events left out: a state they name has no file that can be read in states/",
        "1 events left out: their file is broken",
    ];
    assert_eq!(recording.remarks, expected);
}

#[test]
fn a_mutant_that_was_not_replayed_whole_is_inconclusive() {
    let view = |id: &str, text: &str| {
        format!(
            r#"{{"class": "B", "resource_id": "{id}", "text": "{text}", "bounds": [[0,0],[9,9]], "parent": -1,
                "temp_id": 0, "clickable": true}}"#
        )
    };
    let state = |name: &str, text: &str| {
        format!(r#"{{"state_str": "{name}", "foreground_activity": "p/.A", "views": [{}]}}"#, view("b", text))
    };
    let event = format!(
        r#"{{"tag": "2020-01-01_000000-1", "start_state": "s", "stop_state": "t",
            "event": {{"event_type": "touch", "view": {}}}}}"#,
        view("b", "")
    );
    let edge = |mark: &str, id: u32| {
        format!(
            r#"{{"from": "s{mark}", "to": "t{mark}", "events": [{{"event_id": {id}, "event_log_file_path": "../../../events/e.json"}}]}}"#
        )
    };
    let node = |id: &str, file: &str| {
        format!(r#"{{"id": "{id}", "state_json_file_path": "../../../states/{file}"}}"#)
    };
    let graph = format!(
        r#"{{"app_package": "p", "insert_start_position": 1, "independent_trace_len": 1,
            "nodes": [{}], "edges": [{}]}}"#,
        [node("s[s]", "s.json"), node("t[s]", "t.json"), node("s[d]", "s.json"), node("t[d]", "t.json")]
            .join(","),
        [edge("[s]", 1), edge("[s]", 2), edge("[d]", 1), edge("[d]", 2)].join(",")
    );
    let folder = tempfile::tempdir().expect("folder");
    for (name, text) in [
        ("utg.json", "{\"app_package\": \"p\"}".to_owned()),
        ("states/s.json", state("s", "one")),
        ("states/t.json", state("t", "two")),
        ("events/e.json", event),
        ("seed-tests/s/m/utg.json", graph),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("parent")).expect("folders");
        fs::write(path, text).expect("file");
    }
    let recording = read(Format::Genie, folder.path()).expect("recording");
    let verdicts = verdicts(&recording, EffectForm::Tree);
    let [(_, verdict)] = verdicts.as_slice() else { panic!("{verdicts:?}") };
    assert!(matches!(verdict.outcome, Outcome::Inconclusive(_)), "{verdict:?}");
}

/// What relations say about a recording through the program: the sentence and whether it is slight.
fn relations(folder: &Path, format: &str) -> Vec<(String, bool)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    let output =
        command.arg("check").arg(folder).args(["--format", format, "--json"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let checked: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error} in {said}"));
    keep_to_schema("check.schema.json", std::slice::from_ref(&checked));
    let verdicts = checked["verdicts"].as_array().expect("verdicts").iter();
    let broken = verdicts.filter(|verdict| verdict["oracle"] == "relations");
    broken
        .map(|verdict| {
            let sentence = verdict["title"].as_str().expect("a sentence").to_owned();
            (sentence, verdict["broken"]["slight"] == true)
        })
        .collect()
}

/// Real apps are where there must be no false alarms: docs/relations.md says of each sentence whether it is true.
#[test]
fn relations_say_nothing_false_of_real_apps() {
    // The bug that Genie's authors published: seen in a trace of its exploration, and in the mutant.
    let undone = ("'UNDO' did not bring back '<No Activity>': 'Gardening' is still there.", false);
    for (folder, format, expected) in
        [("genie-activitydiary", "genie", &[undone, undone][..]), ("droidbot-qqmusic", "droidbot", &[][..])]
    {
        let Some(path) = corpus(folder) else { return };
        let expected: Vec<(String, bool)> = expected
            .iter()
            .map(|(sentence, slight): &(&str, bool)| ((*sentence).to_owned(), *slight))
            .collect();
        assert_eq!(relations(&path, format), expected, "{folder}");
    }
}

/// Each dump is a trace of one screen; turning it and turning it back leaves it as it is.
#[test]
fn relations_say_nothing_of_real_screens_that_stay() {
    let Some(folder) = corpus("dumps") else { return };
    let mut dumps: Vec<_> =
        fs::read_dir(&folder).expect("dumps").map(|entry| entry.expect("a dump").path()).collect();
    dumps.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
    dumps.sort();
    let home = tempfile::tempdir().expect("folder");
    for path in dumps {
        let trace = home.path().join(path.file_stem().expect("a name"));
        let dump = fs::read(&path).expect("a dump");
        fs::create_dir_all(&trace).expect("folder");
        (1..=3).for_each(|number| fs::write(trace.join(format!("{number}.xml")), &dump).expect("a dump"));
        fs::write(trace.join("events.json"), r#"{"events": [{"event": "rotate"}, {"event": "rotate"}]}"#)
            .expect("events");
        assert_eq!(relations(&trace, "uiautomator"), [], "{}", path.display());
    }
}

/// A row that is lost when the phone is turned, in a folder of dumps.
#[test]
fn relations_are_judged_on_dumps_with_events() {
    for (event, back, rows, expected) in [
        ("rotate", "rotate", &["tea", "milk"][..], ""),
        ("rotate", "rotate", &["tea"], "After turning the phone twice 'milk' is gone from the list."),
        // Rows that nobody entered may be fetched again while the app is away; a single case says nothing about that.
        ("lock", "unlock", &["tea"], ""),
        ("lock", "unlock", &[], "After locking and unlocking the phone the list is empty, which had 2 rows."),
        (
            "set-dark",
            "set-dark",
            &["tea"],
            "After switching the dark theme on and off 'milk' is gone from the list.",
        ),
        ("click", "back", &["tea"], ""),
    ] {
        let folder = tempfile::tempdir().expect("folder");
        let dumps = [dump(&["tea", "milk"]), dump(&["tea", "milk"]), dump(rows)];
        let widget = if event == "click" { ", \"widget\": 1" } else { "" };
        let events = format!(
            r#"{{"app": "p", "activities": ["p.A", "p.A", "p.A"],
                "events": [{{"event": "{event}", "text": "on"{widget}}}, {{"event": "{back}", "text": "off"}}]}}"#
        );
        write_trace(folder.path(), &dumps, &events);
        let said: Vec<String> =
            relations(folder.path(), "uiautomator").into_iter().map(|(said, _)| said).collect();
        let expected: Vec<&str> = [expected].into_iter().filter(|said| !said.is_empty()).collect();
        assert_eq!(said, expected, "{event}");
    }
}
