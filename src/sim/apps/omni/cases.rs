//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "omni.search-deleted",
        package: APP,
        functions: &["move a note to the trash", "search"],
        trigger: |probe| {
            probe.hold("Gift ideas").tap("Move to trash").tap("Search").enter("search_src_text", "kite");
        },
        is_right: |probe| probe.shows("No results"),
    },
    Case {
        id: "omni.rtl-layout",
        package: APP,
        functions: &["turn the layout round"],
        trigger: |probe| {
            probe.tap("Open navigation").tap("Settings").tap("Right to left").key("BACK");
        },
        is_right: |probe| {
            probe.is_left_of("Garden plan", "Garden plan without category")
                && probe.is_left_of("Meeting", "Category of Meeting: Work")
        },
    },
    Case {
        id: "omni.restore-archived",
        package: APP,
        functions: &["archive a note", "move it to the trash", "restore it"],
        trigger: |probe| {
            probe.hold("Gift ideas").tap("Archive").tap("Open navigation").tap("Archive 1");
            probe.hold("Gift ideas").tap("Move to trash").tap("Open navigation").tap("Trash 1");
            probe.hold("Gift ideas").tap("Restore");
        },
        is_right: |probe| probe.shows("Nothing here!"),
    },
    Case {
        id: "omni.category-cascade",
        package: APP,
        functions: &["delete a category"],
        trigger: |probe| {
            probe
                .tap("Open navigation")
                .tap("Family 1")
                .tap("More options")
                .tap("Delete category")
                .tap("Delete");
        },
        is_right: |probe| probe.shows("Gift ideas") && probe.shows("Meeting"),
    },
    Case {
        id: "omni.undo-category",
        package: APP,
        functions: &["set a category", "move the note to the trash", "undo"],
        trigger: |probe| {
            probe.hold("Gift ideas").tap("Set category").tap("Work");
            probe.hold("Gift ideas").tap("Move to trash").tap("Undo");
        },
        is_right: |probe| probe.shows("Category of Gift ideas: Work"),
    },
    Case {
        id: "omni.language-listing",
        package: APP,
        functions: &["change the language"],
        trigger: |probe| {
            probe.phone.set_app_locales(APP, "de-DE");
            probe.phone.set_app_locales(APP, "");
        },
        is_right: |probe| probe.shows("Meeting") && !probe.shows("Nothing here!"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "omni.counts",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Open navigation").shows("Notes 4");
            probe.key("BACK").hold("Gift ideas").tap("Archive").tap("Open navigation");
            before && probe.shows("Notes 3") && probe.shows("Archive 1")
        },
    },
    TrapCase {
        id: "omni.last-changed",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.is_above("Garden plan", "Meeting");
            before && probe.tap("Meeting").tap("Save").is_above("Meeting", "Garden plan")
        },
    },
    TrapCase {
        id: "omni.undo-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Gift ideas").tap("Archive").shows("Undo");
            before && !probe.turn().shows("Undo")
        },
    },
];
