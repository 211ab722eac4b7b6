//! `droidmux mcp` and the genuine Python client of the Model Context Protocol: sessions and findings are read, a session's
//! questions are answered, a finding is replayed and stepped through.
//!
//! Run if a Python has the package `mcp` (`DROIDMUX_PYTHON`, else `python3`), and reported as skipped otherwise.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::fixture::Site;
use super::questions::Desk;
use crate::program::json_lines;
use crate::python_clients::python_with;

#[test]
fn an_agent_reads_answers_and_replays() {
    let Some(python) = python_with(&["mcp"]) else { return };
    let site = Site::new(2);
    let file = format!("{}/sessions/notes-neutral.toml", env!("CARGO_MANIFEST_DIR"));
    let arguments = ["run", &file, "--json", "--steady", "--seed", "1", "--max-events", "1500"];
    let (_, said) = site.run(&arguments);
    let lines = json_lines(&said);
    let found = |line: &&Value| line["type"] == "finding" && line["tier"] == "reported";
    let finding = lines.iter().rfind(found).unwrap_or_else(|| panic!("nothing is reported: {said}"));
    let finding = format!("s1-{}", finding["finding"].as_str().expect("a key"));
    let mut run = Desk(&site).session(&[]);

    let output: Output = Command::new(python)
        .arg(format!("{}/tests/python/mcp_client.py", env!("CARGO_MANIFEST_DIR")))
        .args([env!("CARGO_BIN_EXE_droidmux"), &finding])
        .envs(site.environment())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .output()
        .expect("Python runs");
    let told =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && told.contains("all fine"), "{told}");
    run.wait().expect("it ends");
}
