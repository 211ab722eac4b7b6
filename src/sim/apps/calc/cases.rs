//! The texts that trigger the defects.

use super::MANIFEST;
use crate::inputs::{InputCase, InputForm, Symptom};

const SUM: InputForm = InputForm {
    package: MANIFEST.package,
    open: |_| {},
    valid: &[("expression", "2*(3+4)"), ("sum_name", "Lunch")],
    is_required: true,
    submit: "Calculate",
    look: |probe| {
        probe.tap("Show history");
    },
    shows: &["2*(3+4) = 14", "Lunch"],
};

const BILL: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("Open navigation").tap("Share a bill");
    },
    valid: &[("amount", "40"), ("tip_percent", "10"), ("people", "4")],
    is_required: true,
    submit: "Split",
    look: |_| {},
    shows: &["Altogether 44.00", "Shared by 4", "Each pays 11.00"],
};

pub(crate) const FORMS: &[&InputForm] = &[&SUM, &BILL];

/// Longer than the name of a sum may be.
const OVERLONG: &str = "a name of a sum that says so much about it that nobody reads on";

pub(crate) const CASES: &[InputCase] = &[
    InputCase {
        id: "calc.brackets",
        form: &SUM,
        entered: &[("expression", "(", 300)],
        right: &["Too many brackets"],
        symptom: Symptom::Crash,
        unless: Some(("sum_name", OVERLONG)),
    },
    InputCase {
        id: "calc.power",
        form: &SUM,
        entered: &[("expression", "9^999999999", 1)],
        right: &["Too large a number"],
        symptom: Symptom::Stuck,
        unless: Some(("sum_name", OVERLONG)),
    },
    InputCase {
        id: "calc.small-negative",
        form: &SUM,
        entered: &[("expression", "-0.5", 1)],
        right: &["-0.5 = -0.5"],
        symptom: Symptom::Wrong,
        unless: Some(("sum_name", OVERLONG)),
    },
    InputCase {
        id: "calc.exponent",
        form: &SUM,
        entered: &[("expression", "1e3", 1)],
        right: &["1e3 = 1000"],
        symptom: Symptom::Wrong,
        unless: Some(("sum_name", OVERLONG)),
    },
    InputCase {
        id: "calc.label-marks",
        form: &SUM,
        entered: &[("sum_name", "Cafe\u{301}", 1)],
        right: &["Cafe\u{301}"],
        symptom: Symptom::Lost,
        unless: Some(("expression", "2*(3+")),
    },
    InputCase {
        id: "calc.no-people",
        form: &BILL,
        entered: &[("people", "0", 1)],
        right: &["1 to 100 people"],
        symptom: Symptom::Crash,
        unless: Some(("tip_percent", "-1")),
    },
    InputCase {
        id: "calc.decimals",
        form: &BILL,
        entered: &[("amount", "40.00000000000000000001", 1)],
        right: &["Each pays 11.00"],
        symptom: Symptom::Crash,
        unless: Some(("people", "101")),
    },
];
