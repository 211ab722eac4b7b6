//! Recordings that are not as they should be: one bad file among good ones, all windows in a dump, several dumps in a file;
//! and those of Kea2 and Maestro.

use std::fs;
use std::path::Path;

use droidmux::gui::EventKind;
use droidmux::import::{Format, Recording, read};
use droidmux::record::SignalKind;

use crate::recordings::write_all;

fn page(text: &str) -> String {
    format!(
        "<hierarchy rotation=\"0\"><node class=\"a.Frame\" package=\"org.tea\" bounds=\"[0,0][9,9]\">\
         <node class=\"a.TextView\" package=\"org.tea\" text=\"{text}\" bounds=\"[0,0][9,3]\"/>\
         <node class=\"a.Button\" package=\"org.tea\" text=\"Next\" clickable=\"true\" bounds=\"[0,3][9,9]\"/></node></hierarchy>"
    )
}

/// The same page among all windows of a phone.
fn windows(text: &str) -> String {
    let bar = page("10:21").replace("org.tea", "com.android.systemui");
    format!(
        "<displays><display id=\"0\"><window type=\"TYPE_SYSTEM\" layer=\"2\" bounds=\"[0,0][9,1]\">{bar}</window>\
         <window type=\"TYPE_APPLICATION\" layer=\"1\" active=\"true\" bounds=\"[0,0][9,9]\">{}</window></display></displays>",
        page(text)
    )
}

/// The same page as `maestro hierarchy` prints it.
fn maestro(text: &str) -> String {
    let node = |class: &str, text: &str, inside: &str| {
        format!(
            "{{\"attributes\":{{\"class\":\"{class}\",\"text\":\"{text}\",\"resource-id\":\"org.tea:id/x\",\
             \"bounds\":\"[0,0][9,9]\",\"clickable\":\"true\"}},\"children\":[{inside}]}}"
        )
    };
    let inside = [node("a.TextView", text, ""), node("a.Button", "Next", "")].join(",");
    format!(
        "Running on emulator-5554\n\n{{\"attributes\":{{}},\"children\":[{}]}}\n",
        node("a.Frame", "", &inside)
    )
}

fn script(events: usize) -> String {
    let event = "{\"event\": \"click\", \"widget\": 2}";
    format!("{{\"app\": \"org.tea\", \"events\": [{}]}}", vec![event; events].join(","))
}

fn read_all(format: Format, files: &[(&str, String)]) -> Recording {
    let folder = tempfile::tempdir().expect("folder");
    write_all(folder.path(), files);
    read(format, folder.path()).unwrap_or_else(|error| panic!("{files:?}: {error}"))
}

/// How many steps each trace has.
fn steps(recording: &Recording) -> Vec<u64> {
    recording.runs.iter().map(|recorded| recorded.run.events()).collect()
}

#[test]
fn a_bad_dump_costs_the_events_beside_it_and_is_named() {
    let bad = || "ERROR: could not get idle state.\n".to_owned();
    let good = |n: usize| (["0.xml", "1.xml", "2.xml", "3.xml", "4.xml"][n], page(&n.to_string()));
    // The numbers of the bad files of five, and the steps of the traces between them.
    let cases: [(&[usize], &[u64]); 6] =
        [(&[], &[4]), (&[0], &[3]), (&[1], &[2]), (&[2], &[1, 1]), (&[4], &[3]), (&[1, 3], &[])];
    for (wrong, expected) in cases {
        let files = (0..5).map(|n| if wrong.contains(&n) { (good(n).0, bad()) } else { good(n) });
        let files: Vec<_> = files.chain([("events.json", script(4))]).collect();
        let recording = read_all(Format::Uiautomator, &files);
        assert_eq!(steps(&recording), expected, "{wrong:?}");
        assert_eq!(recording.counts.states, 5 - wrong.len() as u64);
        assert_eq!(recording.counts.left_out, 4 - expected.iter().sum::<u64>());
        for n in wrong {
            let named = format!("left out: {n}.xml: no <hierarchy> element");
            assert!(recording.remarks.iter().any(|said| said.starts_with(&named)), "{:?}", recording.remarks);
        }
        for (n, led) in wrong.iter().flat_map(|&n| [(n, "to"), (n + 1, "from")]) {
            // Of an event between two bad ones it is enough to say it once.
            let told = format!("event {n} (click) leads {led} a screen that cannot be read");
            let between = led == "to" && wrong.contains(&n.wrapping_sub(1));
            let said = recording.remarks.iter().any(|said| said.ends_with(&told));
            assert_eq!(said, (1..=4).contains(&n) && !between, "{told}: {:?}", recording.remarks);
        }
    }
}

#[test]
fn a_bad_file_in_a_seed_or_mutant_costs_only_the_comparisons() {
    let trace = |sub: &str, last: String| -> Vec<(String, String)> {
        let length = if sub == "seed" { 1 } else { 2 };
        let mut files: Vec<_> =
            (0..length).map(|n| (format!("{sub}/{n}.xml"), page(&n.to_string()))).collect();
        files.push((format!("{sub}/{length}.xml"), last));
        let inserted = if sub == "seed" { "" } else { ", \"inserted\": {\"pivot\": 1, \"length\": 1}" };
        let script = script(length).replacen(']', &format!("]{inserted}"), 1);
        files.push((format!("{sub}/events.json"), script));
        files
    };
    let cut = || "<hierarchy><node".to_owned();
    // The last dumps of the seed and of two mutants, the comparisons, and what is told.
    let cases = [
        ([page("a"), page("b"), page("c")], 2, ""),
        ([page("a"), cut(), page("c")], 1, "mutant-1: not compared: not all of mutant-1/ can be read"),
        ([cut(), page("b"), page("c")], 0, "mutant-2: not compared: not all of seed/ can be read"),
    ];
    for ([seed, first, second], compared, told) in cases {
        let files = [trace("seed", seed), trace("mutant-1", first), trace("mutant-2", second)].concat();
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        let recording = read_all(Format::Uiautomator, &files);
        assert_eq!(recording.comparisons().count(), compared, "{told}: {:?}", recording.remarks);
        assert!(
            told.is_empty() || recording.remarks.iter().any(|said| said == told),
            "{:?}",
            recording.remarks
        );
    }
    // A script that cannot be read is its trace's loss alone.
    let mut files =
        [trace("seed", page("a")), trace("mutant-1", page("b")), trace("mutant-2", page("c"))].concat();
    files.retain(|(name, _)| name != "mutant-1/events.json");
    files.push(("mutant-1/events.json".to_owned(), "{".to_owned()));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let recording = read_all(Format::Uiautomator, &files);
    assert_eq!(recording.comparisons().count(), 1);
    assert!(recording.remarks.iter().any(|said| said.starts_with("left out: mutant-1/events.json: EOF")));
}

#[test]
fn pages_are_told_apart_however_they_are_written() {
    let texts = ["one", "two", "two"];
    let apart = |write: fn(&str) -> String, ending: &str| -> Vec<(String, String)> {
        texts.iter().enumerate().map(|(n, text)| (format!("{n}.{ending}"), write(text))).collect()
    };
    let strung: String = texts.iter().map(|text| windows(text)).collect();
    for files in
        [apart(page, "xml"), apart(windows, "xml"), apart(maestro, "json"), vec![("all.xml".into(), strung)]]
    {
        let mut files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        files.push(("events.json", script(2)));
        let recording = read_all(Format::Uiautomator, &files);
        let counts = recording.counts;
        assert_eq!((counts.states, counts.layouts, counts.degraded), (3, 2, 0), "{:?}", recording.remarks);
        assert_eq!(steps(&recording), [2]);
        let turns = &recording.runs[0].run.turns;
        assert!(turns.iter().filter_map(|turn| turn.observation.seen()).all(|seen| seen.screen.in_app));
    }
}

#[test]
fn what_a_screen_lacks_is_called_degraded() {
    let bare = |text: &str| page(text).replace("class=", "klass=");
    let files = [("0.xml", bare("a")), ("1.xml", page("b")), ("events.json", script(1))];
    let recording = read_all(Format::Uiautomator, &files);
    assert_eq!(recording.counts.degraded, 1);
    assert_eq!(
        recording.remarks,
        ["degraded: 0.xml: 3 of 3 widgets have no class: what they are is unknown"]
    );
}

/// A bad file among those of the tools with folders of their own.
#[test]
fn every_kind_of_folder_survives_a_bad_file() {
    let state = |name: &str| {
        let view = r#"{"class": "A", "bounds": [[0,0],[1,1]], "parent": -1}"#;
        format!(r#"{{"state_str": "{name}", "foreground_activity": "p/.A", "views": [{view}]}}"#)
    };
    let back = r#"{"tag": "1", "start_state": "s", "stop_state": "s", "event": {"event_type": "key", "name": "BACK"}}"#;
    let edge = |mark: &str, id: u32, file: &str| {
        format!(
            r#"{{"from": "s{mark}", "to": "s{mark}", "events": [{{"event_id": {id}, "event_log_file_path": "{file}"}}]}}"#
        )
    };
    let graph = |file: &str| {
        let node =
            |id: &str| format!(r#"{{"id": "{id}", "state_json_file_path": "../../../states/s.json"}}"#);
        let good = "../../../events/e.json";
        format!(
            r#"{{"app_package": "p", "insert_start_position": 0, "independent_trace_len": 1, "nodes": [{}], "edges": [{}]}}"#,
            [node("s[s]"), node("s[d]")].join(","),
            [edge("[s]", 1, good), edge("[d]", 1, file), edge("[d]", 2, good)].join(",")
        )
    };
    let mutants = |bad: &str| {
        vec![
            ("utg.json", "{\"app_package\": \"p\"}".to_owned()),
            ("states/s.json", state("s")),
            ("events/e.json", back.to_owned()),
            ("seed-tests/s/m/utg.json", graph("../../../events/e.json")),
            ("seed-tests/s/n/utg.json", graph(bad)),
        ]
    };
    // The files, how many traces are read, and what is named.
    let cases = [
        (Format::Genie, mutants("../../../events/gone.json"), 3, "left out: events/gone.json: "),
        (Format::Genie, mutants("../../../../gone.json"), 3, "left out: seed-tests/s/n/utg.json: the path"),
        (
            Format::Droidbot,
            vec![
                ("states/s.json", state("s")),
                ("states/t.json", "[".to_owned()),
                ("events/e.json", back.to_owned()),
                ("utg.js", "var utg = {\"app_package\": \"p\"}".to_owned()),
            ],
            1,
            "left out: states/t.json: ",
        ),
    ];
    for (format, files, traces, named) in cases {
        let recording = read_all(format, &files);
        assert_eq!(recording.counts.traces, traces, "{named}: {:?}", recording.remarks);
        assert!(
            recording.remarks.iter().any(|said| said.starts_with(named)),
            "{named}: {:?}",
            recording.remarks
        );
    }
}

fn write_kea2(folder: &Path) {
    let step = |number: u32, kind: &str, info: &str| {
        let info = serde_json::to_string(info).expect("a text");
        format!(
            "{{\"Type\":\"{kind}\",\"MonkeyStepsCount\":\"{number}\",\"Time\":\"2026-01-31 12:00:0{number}.000\",\
             \"Activity\":\"org.tea.Main\",\"Info\":{info},\"Screenshot\":\"\"}}\n"
        )
    };
    let click = r#"{"act":"CLICK","pos":[0,0,9,9],"widget":"{\"class\":\"a.B\",\"resource-id\":\"org.tea:id/next\"}"}"#;
    let log = [
        step(1, "Monkey", click),
        step(2, "Monkey", r#"{"act":"BACK","pos":[]}"#),
        "{\"Type\": cut\n".to_owned(),
        step(3, "Monkey", click),
        step(3, "ScriptInfo", r#"{"propName":"test.Cup.is_full","state":"fail","kind":"property"}"#),
        step(4, "Monkey", "kill_apps"),
        step(5, "Monkey", click),
    ]
    .concat();
    let crash = "StepsCount: 3\nCrashScreen: \n20260131120003\ncrash:\n// CRASH: org.tea (pid 9) (dump time: x)\n\
                 // Long Msg: a.E: no cup\n// a.E: no cup\n// \tat org.tea.Pot.pour(Pot.java:3)\n// crash end\n";
    write_all(
        folder,
        &[
            (
                "res_1/bug_report_config.json",
                "{\"packageNames\": [\"org.tea\"], \"log_stamp\": \"1\"}".into(),
            ),
            (
                "res_1/result_1.json",
                r#"{"test.Cup.is_full": {"precond_satisfied": 4, "executed": 3, "fail": 1, "error": 0}}"#
                    .into(),
            ),
            ("res_1/output_1/steps.log", log),
            ("res_1/output_1/crash-dump.log", crash.into()),
        ],
    );
}

#[test]
fn kea2_tells_its_crashes_and_properties() {
    let folder = tempfile::tempdir().expect("folder");
    write_kea2(folder.path());
    // Whichever of its folders is given.
    for given in ["", "res_1", "res_1/output_1"] {
        let recording = read(Format::Kea2, &folder.path().join(given)).expect(given);
        assert!(recording.is_blind);
        assert_eq!(recording.app, "org.tea", "{given}");
        assert_eq!(steps(&recording), [2, 1, 1], "{given}");
        let traces: Vec<_> = recording.runs.iter().flat_map(|recorded| recorded.run.traces()).collect();
        let kinds: Vec<EventKind> = traces[0].steps.iter().map(|step| step.event.kind).collect();
        assert_eq!(kinds, [EventKind::Click, EventKind::Back]);
        let signals: Vec<_> = recording
            .runs
            .iter()
            .enumerate()
            .flat_map(|(n, recorded)| recorded.run.turns.iter().map(move |turn| (n, turn)))
            .flat_map(|(n, turn)| {
                turn.observation
                    .seen()
                    .into_iter()
                    .flat_map(move |seen| seen.signals.iter().map(move |s| (n, s)))
            })
            .map(|(n, signal)| (n, signal.kind, signal.process.as_str(), signal.headline.as_str()))
            .collect();
        assert_eq!(signals, [(1, SignalKind::Crash, "org.tea", "a.E: no cup")], "{given}");
        let said = |words: &str| recording.remarks.iter().any(|said| said.contains(words));
        assert!(said("degraded: Kea2 keeps no screens"), "{:?}", recording.remarks);
        assert!(said("steps.log, line 3: expected value"), "{:?}", recording.remarks);
        assert!(said("line 5: Kea2 says: property test.Cup.is_full failed"), "{:?}", recording.remarks);
        let above = given != "res_1/output_1";
        assert_eq!(said("Kea2 says of property test.Cup.is_full: 1 of 3 runs failed, 0 broke off"), above);
    }
    fs::remove_file(folder.path().join("res_1/output_1/steps.log")).expect("removed");
    let error = read(Format::Kea2, folder.path()).expect_err("no log");
    assert!(
        error.to_string().ends_with("output_*/steps.log is missing; is this a Kea2 recording?"),
        "{error}"
    );
}

#[test]
fn check_reports_the_crash_of_a_kea2_folder_and_reads_maestro() {
    let folder = tempfile::tempdir().expect("folder");
    write_kea2(&folder.path().join("kea2"));
    let files = [("0.json", maestro("a")), ("1.json", maestro("b")), ("events.json", script(1))];
    write_all(&folder.path().join("maestro"), &files);
    // The format, the exit code, and what is printed.
    let cases: [(&str, i32, &[&str]); 2] = [
        ("kea2", 1, &["DEGRADED", "degraded: Kea2 keeps no screens", "  a.E: no cup\n", "1 reported"]),
        ("maestro", 0, &["read    2 states (2 different layouts), 1 events", "traces  1 with 1 steps"]),
    ];
    for (format, code, expected) in cases {
        let dir = folder.path().join(format);
        let dir = dir.to_str().expect("a path");
        let ran = std::process::Command::new(env!("CARGO_BIN_EXE_droidmux"))
            .args(["check", dir, "--format", format])
            .output()
            .expect("the program");
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert_eq!(ran.status.code(), Some(code), "{out}{}", String::from_utf8_lossy(&ran.stderr));
        for words in expected {
            assert!(out.contains(words), "{words}: {out}");
        }
    }
}
