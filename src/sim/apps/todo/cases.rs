//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};
use droidmux_testutils::app::Probe;

const APP: &str = MANIFEST.package;

fn new_task(probe: &mut Probe) {
    probe.tap("Create new task").enter("title_edit", "Pack").key("BACK");
}

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "todo.tags-doubled",
        package: APP,
        functions: &["create a task", "give it a tag", "attach files"],
        trigger: |probe| {
            new_task(probe);
            probe.tap("tags_row").tap("Errands").tap("attachments_row").tap("attachments_row").tap("Save");
        },
        is_right: |probe| probe.shows("Pack") && probe.count("Errands") == 1,
    },
    Case {
        id: "todo.date-filter",
        package: APP,
        functions: &["pick a date", "filter by date"],
        trigger: |probe| {
            probe
                .tap("Write the report")
                .tap("due_row")
                .tap("Today")
                .tap("Save")
                .tap("Open navigation")
                .tap("Due today");
        },
        is_right: |probe| probe.shows("Write the report") && !probe.shows("Call the plumber"),
    },
    Case {
        id: "todo.search-again",
        package: APP,
        functions: &["search", "cancel the search"],
        trigger: |probe| {
            probe.tap("Search").enter("search_src_text", "stamps").key("ENTER").tap("Cancel search");
            probe.tap("Search").enter("search_src_text", "report").key("ENTER");
        },
        is_right: |probe| probe.shows("Write the report"),
    },
    Case {
        id: "todo.undo-attachments",
        package: APP,
        functions: &["attach a file", "delete the task", "undo the deletion"],
        trigger: |probe| {
            probe.tap("Call the plumber").tap("attachments_row").tap("Save");
            probe.hold("Call the plumber").tap("Delete").tap("Undo");
        },
        is_right: |probe| probe.shows("Call the plumber") && probe.shows("1 attached"),
    },
    Case {
        id: "todo.turn-tags",
        package: APP,
        functions: &["give a new task a tag", "turn the screen"],
        trigger: |probe| {
            new_task(probe);
            probe.tap("tags_row").tap("Errands").turn();
        },
        is_right: |probe| probe.shows("Pack") && probe.shows("Errands"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "todo.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Buy stamps").tap("Delete");
            let offered = probe.shows("Undo");
            offered && !probe.tap("Complete").shows("Undo")
        },
    },
    TrapCase {
        id: "todo.sort-reorders",
        package: APP,
        steady: true,
        show: |probe| {
            let own = probe.is_above("Write the report", "Sort the photos");
            own && probe.tap("Sort").tap("Title").is_above("Sort the photos", "Write the report")
        },
    },
    TrapCase {
        id: "todo.hide-completed",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("More options").tap("Hide completed");
            let there = probe.shows("Buy stamps");
            there && !probe.tap("Complete").shows("Buy stamps")
        },
    },
    TrapCase {
        id: "todo.undo-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Write the report").tap("Delete").shows("Undo");
            before && !probe.turn().shows("Undo")
        },
    },
];
