//! Marked pictures of real screens, and the command that makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::corpus::corpus;

/// Screens of one recording that are drawn: every nth one.
const EVERY: usize = 9;

/// The states of a recording that have a screenshot.
fn screens(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let states = folder.join("states");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&states).expect("states").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let tag = |file: &PathBuf| Some(file.file_stem()?.to_str()?.strip_prefix("screen_")?.to_owned());
    let pairs = files.iter().filter_map(|file| {
        let state = states.join(format!("state_{}.json", tag(file)?));
        state.exists().then(|| (state, file.clone()))
    });
    pairs.collect()
}

fn mark(layout: &Path, screenshot: &Path, output: &Path) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.arg("mark").arg("--layout").arg(layout).arg("--screenshot").arg(screenshot);
    command.args(["--longest", "1000", "--json", "-o"]).arg(output).output().expect("runs")
}

#[test]
fn real_screens_are_marked() {
    for folder in ["droidbot-qqmusic", "genie-activitydiary"] {
        let Some(folder) = corpus(folder) else { return };
        let output = tempfile::tempdir().expect("a folder");
        let png = output.path().join("out.png");
        let mut marked = 0;
        for (state, screenshot) in screens(&folder).into_iter().step_by(EVERY) {
            let done = mark(&state, &screenshot, &png);
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert_eq!(done.status.code(), Some(0), "{}: {said}", state.display());
            let json: Value = serde_json::from_slice(&done.stdout).expect("JSON");
            let picture = image::open(&png).expect("a PNG").into_rgba8();
            assert!(picture.width() <= 1_000 && picture.height() <= 1_000, "{:?}", picture.dimensions());
            for (n, widget) in (1..).zip(json["widgets"].as_array().expect("a list")) {
                assert_eq!(widget["number"], n);
                marked += 1;
            }
        }
        assert!(marked >= 12, "{}: only {marked} widgets", folder.display());
    }
}

#[test]
fn files_that_are_no_screens() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    let dump = br#"<?xml version='1.0'?><hierarchy rotation="0"><node class="a.Button" text="Go" clickable="true" enabled="true" bounds="[0,0][9,9]"/></hierarchy>"#;
    let dump = file("dump.xml", dump);
    let state = file("state.json", br#"{"state_str":"x","views":[{"bounds":"no"}]}"#);
    let text = file("text.png", b"no picture");
    let png = folder.path().join("out.png");
    image::RgbImage::new(20, 20).save(folder.path().join("screen.png")).expect("a PNG");
    let screen = folder.path().join("screen.png");
    let missing = folder.path().join("missing");
    let cases = [
        (&dump, &text, "neither PNG nor JPEG"),
        (&text, &screen, "text.png: "),
        (&state, &screen, "state.json: "),
        (&missing, &screen, "missing: "),
        (&dump, &missing, "missing: "),
    ];
    for (layout, screenshot, part) in cases {
        let done = mark(layout, screenshot, &png);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{part}: {said}");
        assert!(said.contains(part), "{part}: {said}");
        assert!(!png.exists(), "{part}");
    }
    let done = mark(&dump, &screen, &png);
    let json: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(json["widgets"][0]["text"], "Go");
    assert!(image::open(&png).is_ok());
}
