//! The texts that trigger the defects.

use super::MANIFEST;
use crate::inputs::{InputCase, InputForm, Symptom};

const READING: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("New reading");
    },
    valid: &[("systolic", "120"), ("diastolic", "80"), ("pulse", "61"), ("note", "after a walk")],
    is_required: true,
    submit: "Save reading",
    look: |_| {},
    shows: &["120/80", "Pulse 61", "after a walk"],
};

const WEIGHT: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("Weight").tap("New weight");
    },
    valid: &[("weight", "72.5"), ("comment", "before breakfast")],
    is_required: true,
    submit: "Save weight",
    look: |_| {},
    shows: &["72.5 kg", "before breakfast"],
};

pub(crate) const FORMS: &[&InputForm] = &[&READING, &WEIGHT];

pub(crate) const CASES: &[InputCase] = &[
    InputCase {
        id: "health.leading-zero",
        form: &READING,
        entered: &[("systolic", "0150", 1)],
        right: &["150/80"],
        symptom: Symptom::Wrong,
        unless: Some(("pulse", "7")),
    },
    InputCase {
        id: "health.pulse",
        form: &READING,
        entered: &[("pulse", "6", 12)],
        right: &["Pulse: 30 to 220"],
        symptom: Symptom::Crash,
        unless: Some(("diastolic", "120")),
    },
    InputCase {
        id: "health.note-format",
        form: &READING,
        entered: &[("note", "felt 100% well", 1)],
        right: &["120/80", "felt 100% well"],
        symptom: Symptom::Crash,
        unless: Some(("diastolic", "120")),
    },
    InputCase {
        id: "health.note-lines",
        form: &READING,
        entered: &[("note", "slept badly\nfelt dizzy", 1)],
        right: &["120/80", "slept badly\nfelt dizzy"],
        symptom: Symptom::Lost,
        unless: Some(("systolic", "300")),
    },
    InputCase {
        id: "health.foreign-digits",
        form: &WEIGHT,
        entered: &[("weight", "７２.5", 1)],
        right: &["72.5 kg"],
        symptom: Symptom::Wrong,
        unless: None,
    },
    InputCase {
        id: "health.comment-marks",
        form: &WEIGHT,
        entered: &[("comment", "e\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{309}\u{30a}", 1)],
        right: &["e\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{309}\u{30a}"],
        symptom: Symptom::Stuck,
        unless: Some(("weight", "7")),
    },
];
