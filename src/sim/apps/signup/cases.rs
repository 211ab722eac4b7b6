//! The texts that trigger the defects.

use super::MANIFEST;
use crate::inputs::{InputCase, InputForm, Symptom};

const SIGN_UP: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("Create account");
    },
    valid: &[
        ("user_name", "carla_7"),
        ("email", "carla@example.org"),
        ("display_name", "Carla Diaz"),
        ("password", "abcd1234"),
        ("repeat_password", "abcd1234"),
    ],
    is_required: true,
    submit: "Sign up",
    look: |_| {},
    shows: &["Carla Diaz", "@carla_7", "carla@example.org"],
};

const PROFILE: InputForm = InputForm {
    package: MANIFEST.package,
    open: |probe| {
        probe.tap("My profile").tap("Edit profile");
    },
    valid: &[("bio", "Likes maps"), ("website", "https://example.org/")],
    is_required: false,
    submit: "Save profile",
    look: |_| {},
    shows: &["Anna Berg", "Likes maps", "https://example.org/"],
};

pub(crate) const FORMS: &[&InputForm] = &[&SIGN_UP, &PROFILE];

pub(crate) const CASES: &[InputCase] = &[
    InputCase {
        id: "signup.look-alike",
        form: &SIGN_UP,
        entered: &[("user_name", "\u{430}nna", 1)],
        right: &["3 to 20 small letters, digits and _"],
        symptom: Symptom::Wrong,
        unless: Some(("repeat_password", "abcd1235")),
    },
    InputCase {
        id: "signup.email-pattern",
        form: &SIGN_UP,
        entered: &[("email", "a", 40)],
        right: &["Enter an e-mail address such as ann@example.org"],
        symptom: Symptom::Stuck,
        unless: Some(("user_name", "anna")),
    },
    InputCase {
        id: "signup.blank-name",
        form: &SIGN_UP,
        entered: &[("display_name", "   ", 1)],
        right: &["How should others see you?"],
        symptom: Symptom::Crash,
        unless: Some(("password", "abcdefgh")),
    },
    InputCase {
        id: "signup.name-cut",
        form: &SIGN_UP,
        entered: &[("display_name", "Carla 🌍 Diaz", 1)],
        right: &["Carla .. Diaz"],
        symptom: Symptom::Lost,
        unless: Some(("repeat_password", "abcd1235")),
    },
    InputCase {
        id: "signup.name-quote",
        form: &SIGN_UP,
        entered: &[("display_name", "Carla O'Neil", 1)],
        right: &["Carla O'Neil"],
        symptom: Symptom::Lost,
        unless: Some(("email", "carla")),
    },
    InputCase {
        id: "signup.long-password",
        form: &SIGN_UP,
        entered: &[("password", "abcd1234", 10), ("repeat_password", "abcd1234", 10)],
        right: &["Carla Diaz"],
        symptom: Symptom::Crash,
        unless: Some(("user_name", "anna")),
    },
    InputCase {
        id: "signup.bio-half",
        form: &PROFILE,
        entered: &[("bio", "Likes \u{10d83d} maps", 1)],
        right: &["Likes . maps"],
        symptom: Symptom::Crash,
        unless: Some(("website", "example")),
    },
];
