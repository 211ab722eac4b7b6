//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "cards.reset-deletes",
        package: APP,
        functions: &["add a card", "reset all preferences"],
        trigger: |probe| {
            probe.tap("Add card").enter("edit_front", "Lyon").tap("Save");
            probe.tap("Open navigation").tap("Settings").tap("Reset all preferences").tap("Reset");
            probe.key("BACK").tap("Open navigation").tap("Card browser");
        },
        is_right: |probe| probe.shows("Lyon") && probe.shows("Vienna"),
    },
    Case {
        id: "cards.stale-list",
        package: APP,
        functions: &["edit a card"],
        trigger: |probe| {
            probe
                .tap("Open navigation")
                .tap("Card browser")
                .tap("Vienna")
                .enter("edit_front", "Wien")
                .tap("Save");
        },
        is_right: |probe| probe.shows("Wien") && !probe.shows("Vienna"),
    },
    Case {
        id: "cards.cloze-edit",
        package: APP,
        functions: &["change the type of a card", "edit the card"],
        trigger: |probe| {
            probe.tap("Open navigation").tap("Card browser").tap("Vienna").tap("note_type_spinner");
            probe.tap("Cloze").tap("Save").tap("Vienna");
        },
        is_right: |probe| probe.shows("edit_front"),
    },
    Case {
        id: "cards.empty-template",
        package: APP,
        functions: &["choose a card type", "add a card", "study"],
        trigger: |probe| {
            probe
                .tap("Add card")
                .tap("note_type_spinner")
                .tap("Cloze")
                .enter("edit_front", "Lyon")
                .tap("Save");
            probe.tap("Default");
        },
        is_right: |probe| probe.shows("Lyon"),
    },
    Case {
        id: "cards.empty-video",
        package: APP,
        functions: &["add a video", "save the card"],
        trigger: |probe| {
            probe.tap("Add card").tap("Add video").enter("edit_front", "Lyon").tap("Save");
        },
        is_right: |probe| !probe.crashed() && probe.shows("1 due in Default"),
    },
    Case {
        id: "cards.turn-fields",
        package: APP,
        functions: &["write a card", "turn the screen"],
        trigger: |probe| {
            probe.tap("Add card").enter("edit_front", "Lyon").turn();
        },
        is_right: |probe| probe.shows("Lyon"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "cards.due-badge",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("3 due in Rivers");
            before && probe.tap("Rivers").tap("Show answer").tap("Good").key("BACK").shows("2 due in Rivers")
        },
    },
    TrapCase {
        id: "cards.shuffle",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Open navigation").tap("Settings").tap("Shuffle").key("BACK");
            let first = probe.tap("Rivers").text_of("question");
            probe.key("BACK");
            !first.is_empty() && first != probe.tap("Rivers").text_of("question")
        },
    },
    TrapCase {
        id: "cards.menu-turn",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Add card").tap("note_type_spinner");
            let before = probe.shows("Cloze");
            before && !probe.turn().shows("Cloze")
        },
    },
];
