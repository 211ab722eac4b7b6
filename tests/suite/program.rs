//! The program itself on a store in a folder.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs a command on the store in this folder; its exit code and what it printed.
pub fn droidmux(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(arguments).arg("--store").arg(folder.join("store"));
    // Nothing from this machine.
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, folder);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().unwrap();
    assert!(code <= 2, "{arguments:?} said {said}");
    (code, String::from_utf8(output.stdout).unwrap() + &said)
}

/// What the program prints as JSON Lines, each line checked against the schema.
pub fn json_lines(text: &str) -> Vec<Value> {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    keep_to_schema("json-lines.schema.json", &lines);
    lines
}

/// Checks values against a schema in `docs/`, or a part of one: `commands.schema.json#/$defs/dmf-lint`.
pub fn keep_to_schema(name: &str, values: &[Value]) {
    let schema = schema(name);
    for value in values {
        if let Err(error) = schema.validate(value) {
            panic!("{error}\nin {value}");
        }
    }
}

/// A schema in `docs/`, or a part of one.
pub fn schema(name: &str) -> jsonschema::Validator {
    let (file, part) = name.split_once('#').unwrap_or((name, ""));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    if !part.is_empty() {
        assert!(schema.pointer(part).is_some(), "{file} has no {part}");
        schema["$ref"] = format!("#{part}").into();
    }
    jsonschema::validator_for(&schema).unwrap()
}
