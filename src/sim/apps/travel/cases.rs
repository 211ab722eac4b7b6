//! The texts that trigger the defects.

use super::MANIFEST;
use crate::inputs::{InputCase, InputForm, Symptom};

/// The search; the results show what was searched.
const SEARCH: InputForm = InputForm {
    package: MANIFEST.package,
    open: |_| {},
    valid: &[
        ("origin", "Bern"),
        ("destination", "Genoa"),
        ("departure_date", "2026-05-04"),
        ("return_date", "2026-05-11"),
        ("passengers", "2"),
    ],
    is_required: true,
    submit: "Search trips",
    look: |_| {},
    shows: &["Bern", "Genoa", "2026-05-04 to 2026-05-11", "2 passengers"],
};

/// The name before a booking; the bookings show it.
const TRAVELLER: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        for (field, text) in SEARCH.valid {
            probe.set(field, text);
        }
        probe.tap(SEARCH.submit).tap("06:12 to 10:40");
    },
    valid: &[("traveller_name", "Ann Lee"), ("remark", "")],
    is_required: true,
    submit: "Book",
    look: |_| {},
    shows: &["Ann Lee", "Bern to Genoa"],
};

pub(crate) const FORMS: &[&InputForm] = &[&SEARCH, &TRAVELLER];

pub(crate) const CASES: &[InputCase] = &[
    InputCase {
        id: "travel.pattern",
        form: &SEARCH,
        entered: &[("origin", "Bern\\", 1)],
        right: &["Bern\\", "Genoa"],
        symptom: Symptom::Crash,
        unless: Some(("return_date", "2026-05-01")),
    },
    InputCase {
        id: "travel.same-place",
        form: &SEARCH,
        entered: &[("destination", "Be\u{200b}rn", 1)],
        right: &["Departure and arrival are the same"],
        symptom: Symptom::Wrong,
        unless: Some(("passengers", "0")),
    },
    InputCase {
        id: "travel.day-overflow",
        form: &SEARCH,
        entered: &[("departure_date", "2026-02-31", 1)],
        right: &["No such day; write it as 2026-03-31"],
        symptom: Symptom::Wrong,
        unless: Some(("destination", "Bern")),
    },
    InputCase {
        id: "travel.return-year",
        form: &SEARCH,
        entered: &[("return_date", "9999-12-31", 1)],
        right: &["Trips from 2020 to 2035 only"],
        symptom: Symptom::Loads,
        unless: Some(("passengers", "0")),
    },
    InputCase {
        id: "travel.passengers",
        form: &SEARCH,
        entered: &[("passengers", "9", 20)],
        right: &["1 to 9 passengers"],
        symptom: Symptom::Crash,
        unless: Some(("departure_date", "2026-06-01")),
    },
    InputCase {
        id: "travel.initial",
        form: &TRAVELLER,
        entered: &[("traveller_name", "😀 Ann", 1)],
        right: &[".. Ann"],
        symptom: Symptom::Crash,
        unless: None,
    },
    InputCase {
        id: "travel.direction",
        form: &TRAVELLER,
        entered: &[("traveller_name", "Ann \u{202e}Lee", 1)],
        right: &["Ann \u{202e}Lee"],
        symptom: Symptom::Lost,
        unless: None,
    },
];
