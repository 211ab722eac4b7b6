//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};
use droidmux_testutils::app::Probe;

const APP: &str = MANIFEST.package;

/// Looks a word up, bookmarks it, and comes back.
fn mark(probe: &mut Probe, word: &str) {
    probe.enter("search_src_text", word).tap("blob_descriptor_key").tap("Bookmark").key("BACK");
}

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "reader.symbols",
        package: APP,
        functions: &["look a word up"],
        trigger: |probe| {
            probe.enter("search_src_text", "C#");
        },
        is_right: |probe| probe.shows("C#") && !probe.shows("C++"),
    },
    Case {
        id: "reader.rotate-zoom",
        package: APP,
        functions: &["change the text size", "turn the screen"],
        trigger: |probe| {
            probe.tap("Random word").tap("More options").tap("Text size");
            probe.turn().tap("Zoom in");
        },
        is_right: |probe| !probe.crashed() && probe.shows("Text size 3"),
    },
    Case {
        id: "reader.bookmark-shifts",
        package: APP,
        functions: &["bookmark a word", "turn a dictionary off", "open the bookmark"],
        trigger: |probe| {
            mark(probe, "heap");
            probe.tap("Dictionaries").tap("Gardening").tap("Bookmarks").tap("heap");
        },
        is_right: |probe| probe.text_of("article_title") == "heap",
    },
    Case {
        id: "reader.undo-filtered",
        package: APP,
        functions: &["bookmark a word", "filter the bookmarks", "remove a bookmark", "undo"],
        trigger: |probe| {
            mark(probe, "heap");
            probe.tap("Bookmarks").enter("bookmarks_filter", "he").key("BACK").tap("Remove heap").tap("Undo");
            probe.tap("heap");
        },
        is_right: |probe| probe.text_of("article_title") == "heap",
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "reader.random",
        package: APP,
        steady: true,
        show: |probe| {
            let first = probe.tap("Random word").text_of("article_title");
            probe.key("BACK");
            !first.is_empty() && first != probe.tap("Random word").text_of("article_title")
        },
    },
    TrapCase {
        id: "reader.history-order",
        package: APP,
        steady: true,
        show: |probe| {
            for word in ["heap", "loam"] {
                probe.enter("search_src_text", word).tap("blob_descriptor_key").key("BACK");
            }
            let before = probe.tap("History").is_above("loam", "heap");
            before && probe.tap("heap").key("BACK").is_above("heap", "loam")
        },
    },
    TrapCase {
        id: "reader.dictionary-off",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.enter("search_src_text", "loam").key("BACK").count("loam");
            probe.tap("Dictionaries").tap("Gardening").tap("Lookup");
            before == 2 && probe.count("loam") == 1
        },
    },
];
