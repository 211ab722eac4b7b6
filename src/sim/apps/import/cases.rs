//! The texts that trigger the defects.

use super::MANIFEST;
use crate::inputs::{InputCase, InputForm, Symptom};

const LIST: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("Import a list");
    },
    valid: &[
        ("list_name", "Party"),
        ("source", "/sdcard/Download/party.csv"),
        ("rows", "Juice,4\nCups,20"),
        ("tags", "friday, home"),
    ],
    is_required: true,
    submit: "Import",
    look: |_| {},
    shows: &["Party", "2 rows", "friday", "home"],
};

/// The same form, looked at on the page of the list.
const ROWS: InputForm = InputForm {
    look: |probe| {
        probe.tap("Party");
    },
    shows: &["Party", "/sdcard/Download/party.csv", "Juice", "20"],
    ..LIST
};

pub(crate) const FORMS: &[&InputForm] = &[&LIST, &ROWS];

pub(crate) const CASES: &[InputCase] = &[
    InputCase {
        id: "import.parent-path",
        form: &LIST,
        entered: &[("source", "/sdcard/../data/party.csv", 1)],
        right: &["The path leaves /sdcard/"],
        symptom: Symptom::Crash,
        unless: Some(("rows", " ")),
    },
    InputCase {
        id: "import.percent-escape",
        form: &LIST,
        entered: &[("source", "https://example.org/100%.csv", 1)],
        right: &["A % in an address begins an escape such as %20"],
        symptom: Symptom::Crash,
        unless: Some(("list_name", " ")),
    },
    InputCase {
        id: "import.long-name",
        form: &LIST,
        entered: &[("list_name", "Party ", 50)],
        right: &["At most 100 characters"],
        symptom: Symptom::Crash,
        unless: Some(("source", "party.csv")),
    },
    InputCase {
        id: "import.open-quote",
        form: &LIST,
        entered: &[("rows", "Juice,4\n\"Cups,20", 1)],
        right: &["A quote is not closed"],
        symptom: Symptom::Loads,
        unless: Some(("list_name", "")),
    },
    InputCase {
        id: "import.slash-name",
        form: &LIST,
        entered: &[("list_name", "Party 24/7", 1)],
        right: &["Party 24/7"],
        symptom: Symptom::Lost,
        unless: Some(("source", "ftp://example.org")),
    },
    InputCase {
        id: "import.blank-row",
        form: &ROWS,
        entered: &[("rows", "Juice,4\n \nCups,20", 1)],
        right: &["Juice", "Cups", "20"],
        symptom: Symptom::Lost,
        unless: Some(("source", "")),
    },
    InputCase {
        id: "import.null-name",
        form: &LIST,
        entered: &[("list_name", "null", 1)],
        right: &["null"],
        symptom: Symptom::Wrong,
        unless: Some(("rows", "")),
    },
    InputCase {
        id: "import.backslash",
        form: &LIST,
        entered: &[("tags", "C:\\new", 1)],
        right: &["C:\\new"],
        symptom: Symptom::Wrong,
        unless: Some(("rows", "\"")),
    },
];
