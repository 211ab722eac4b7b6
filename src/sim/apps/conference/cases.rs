//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "conference.drawer-lost",
        package: APP,
        functions: &["search"],
        trigger: |probe| {
            probe.tap("Search events").tap("Search events");
        },
        is_right: |probe| probe.shows("Open navigation"),
    },
    Case {
        id: "conference.search-bookmark",
        package: APP,
        functions: &["search", "bookmark a result"],
        trigger: |probe| {
            probe.tap("Search events").enter("search_src_text", "Trees").tap("Add bookmark").key("BACK");
            probe.tap("More options").tap("Bookmarks");
        },
        is_right: |probe| probe.shows("Trees that edit") && !probe.shows("Opening"),
    },
    Case {
        id: "conference.zone-stale",
        package: APP,
        functions: &["see an event", "switch the time zone"],
        trigger: |probe| {
            probe.tap("Opening").key("BACK").tap("More options").tap("Settings").tap("Local time");
            probe.key("BACK").tap("Opening");
        },
        is_right: |probe| probe.shows("Saturday 08:30–09:00"),
    },
    Case {
        id: "conference.undo-other",
        package: APP,
        functions: &["bookmark events", "remove bookmarks", "undo"],
        trigger: |probe| {
            probe.tap("Add bookmark").tap("Add bookmark").tap("More options").tap("Bookmarks");
            probe.tap("Remove bookmark").tap("Remove bookmark").tap("Undo");
        },
        is_right: |probe| probe.shows("Reading old tapes") && !probe.shows("Opening"),
    },
    Case {
        id: "conference.return-doubles",
        package: APP,
        functions: &["bookmark an event", "leave the app and return"],
        trigger: |probe| {
            probe.tap("Opening").tap("Add bookmark").key("BACK").tap("More options").tap("Bookmarks");
            probe.key("HOME").launch(APP);
        },
        is_right: |probe| probe.count("Opening") == 1,
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "conference.sponsor",
        package: APP,
        steady: false,
        show: |probe| {
            let first = probe.text_of("sponsor");
            (0..5).any(|_| {
                probe.launch_again(APP);
                probe.text_of("sponsor") != first
            })
        },
    },
    TrapCase {
        id: "conference.live",
        package: APP,
        steady: false,
        show: |probe| {
            let mut clocks = Vec::new();
            for _ in 0..2 {
                probe.tap("Open navigation").tap("Live");
                clocks.push(probe.text_of("clock"));
                probe.launch_again(APP);
            }
            clocks.iter().all(|clock| clock.starts_with("At ")) && clocks.first() != clocks.last()
        },
    },
    TrapCase {
        id: "conference.undo-left",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Opening").tap("Add bookmark").key("BACK").tap("More options").tap("Bookmarks");
            let before = probe.tap("Remove bookmark").shows("Undo");
            before && !probe.key("HOME").launch(APP).shows("Undo")
        },
    },
];
