//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "mail.undo-inbox",
        package: APP,
        functions: &["delete a message of another folder", "undo the deletion"],
        trigger: |probe| {
            go(probe, "Receipts");
            probe.hold("Your receipt").tap("Delete").tap("Undo");
        },
        is_right: |probe| probe.shows("Receipts") && probe.shows("Your receipt"),
    },
    Case {
        id: "mail.search-archive",
        package: APP,
        functions: &["search"],
        trigger: |probe| {
            search(probe, "plum");
        },
        is_right: |probe| probe.shows("Recipe for plum cake"),
    },
    Case {
        id: "mail.count-moved",
        package: APP,
        functions: &["archive an unread message"],
        trigger: |probe| {
            probe.hold("Opening hours").tap("Archive");
        },
        is_right: |probe| probe.shows("1 unread"),
    },
    Case {
        id: "mail.old-name",
        package: APP,
        functions: &["rename a folder", "move a message"],
        trigger: |probe| {
            rename_receipts(probe);
            probe.hold("Opening hours").tap("More options").tap("Move to");
        },
        is_right: |probe| probe.shows("Bills") && !probe.shows("Receipts"),
    },
    Case {
        id: "mail.draft-doubled",
        package: APP,
        functions: &["save a draft", "edit it", "save it again"],
        trigger: |probe| {
            probe.tap("Write a message").enter("subject_field", "Hello").key("BACK").key("BACK").tap("Save");
            go(probe, "Drafts");
            probe.tap("Hello").enter("body_field", "More").key("BACK").key("BACK").tap("Save");
        },
        is_right: |probe| probe.count("Hello") == 1 && probe.shows("More"),
    },
    Case {
        id: "mail.turn-selection",
        package: APP,
        functions: &["select a message", "turn the screen"],
        trigger: |probe| {
            probe.hold("Opening hours").turn();
        },
        is_right: |probe| probe.shows("1 selected"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "mail.return-fetches",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Boat on Saturday");
            !before && probe.key("HOME").launch(APP).is_above("Boat on Saturday", "Opening hours")
        },
    },
    TrapCase {
        id: "mail.read-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("More options").tap("Only unread");
            let before = probe.shows("Opening hours") && !probe.shows("Two books are due");
            before && !probe.tap("Opening hours").key("BACK").shows("Opening hours")
        },
    },
    TrapCase {
        id: "mail.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Opening hours").tap("Delete").shows("Undo");
            before && !probe.tap("star").shows("Undo")
        },
    },
    TrapCase {
        id: "mail.search-headings",
        package: APP,
        steady: true,
        show: |probe| {
            search(probe, "books");
            let grouped = probe.is_above("Inbox", "Two books are due");
            probe.tap("Two books are due").key("BACK").tap("Clear query");
            grouped && probe.is_above("Recent searches", "books")
        },
    },
    TrapCase {
        id: "mail.draft-discarded",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Write a message").enter("subject_field", "Hello").key("BACK").key("BACK");
            probe.tap("Discard");
            go(probe, "Drafts");
            probe.shows("No messages here")
        },
    },
    TrapCase {
        id: "mail.trash-for-good",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Opening hours").tap("Delete");
            go(probe, "Trash");
            let asked = probe.hold("Opening hours").tap("Delete").shows("Delete for good?");
            asked && !probe.tap("button1").shows("Opening hours") && !probe.shows("Undo")
        },
    },
    TrapCase {
        id: "mail.sender-stays",
        package: APP,
        steady: true,
        show: |probe| {
            send(probe);
            probe.tap("Open navigation").tap("Settings").tap("Your name").enter("name_field", "Jo");
            probe.tap("OK").key("BACK");
            go(probe, "Sent");
            probe.tap("Hello").shows("From Kim Lake")
        },
    },
    TrapCase {
        id: "mail.sent-twice",
        package: APP,
        steady: true,
        show: |probe| {
            send(probe);
            send(probe);
            go(probe, "Sent");
            probe.count("Hello") == 2
        },
    },
    TrapCase {
        id: "mail.selection-controls",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Archive");
            !before && probe.hold("Opening hours").shows("Archive") && !probe.key("BACK").shows("Archive")
        },
    },
    TrapCase {
        id: "mail.preview-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("preview");
            probe.tap("Open navigation").tap("Settings").tap("Preview").key("BACK");
            before && !probe.shows("preview")
        },
    },
    TrapCase {
        id: "mail.searches-cap",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Search");
            for query in ["boat", "books", "notes", "hours"] {
                probe.enter("search_field", query).tap("message_row").key("BACK");
            }
            probe.tap("Clear query");
            probe.texts_of("recent") == ["hours", "notes", "books"]
        },
    },
    TrapCase {
        id: "mail.back-inbox",
        package: APP,
        steady: true,
        show: |probe| {
            go(probe, "Archive");
            let there = probe.shows("Meter reading");
            there && probe.key("BACK").shows("Opening hours")
        },
    },
    TrapCase {
        id: "mail.folder-deleted",
        package: APP,
        steady: true,
        show: |probe| {
            go(probe, "Manage folders");
            probe.tap("Receipts").tap("Delete").tap("button1").key("BACK");
            go(probe, "Archive");
            probe.shows("Your receipt")
        },
    },
];

fn go(probe: &mut Probe, place: &str) {
    probe.tap("Open navigation").tap(place);
}

fn search(probe: &mut Probe, query: &str) {
    probe.tap("Search").enter("search_field", query).key("BACK");
}

fn rename_receipts(probe: &mut Probe) {
    go(probe, "Manage folders");
    probe.tap("Receipts").tap("Rename").enter("name_field", "Bills").tap("OK").key("BACK");
}

fn send(probe: &mut Probe) {
    probe.tap("Write a message").enter("to", "Lena").enter("subject_field", "Hello").key("BACK").tap("Send");
}
