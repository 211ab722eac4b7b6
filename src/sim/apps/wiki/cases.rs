//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "wiki.favourite-new-name",
        package: APP,
        functions: &["rename a list", "search the lists"],
        trigger: |probe| {
            probe.tap("Saved").hold("Holiday").tap("Rename").enter("text_input", "Winter").tap("OK");
            probe.enter("saved_search_text", "Winter");
        },
        is_right: |probe| probe.count("Winter") == 2,
    },
    Case {
        id: "wiki.removed-opens",
        package: APP,
        functions: &["read articles", "remove one from the history", "open one from the history"],
        trigger: |probe| {
            probe.tap("Lighthouse").key("BACK").tap("view_random_article_card").key("BACK");
            probe.tap("History").tap("history_remove").tap("history_item");
        },
        is_right: |probe| probe.text_of("page_title") == "Lighthouse",
    },
    Case {
        id: "wiki.language-unsaves",
        package: APP,
        functions: &["save an article", "change the language", "open the article"],
        trigger: |probe| {
            probe.tap("Lighthouse").tap("Save").tap("Holiday").key("BACK");
            probe
                .tap("More options")
                .tap("Settings")
                .tap("Language")
                .tap("German")
                .key("BACK")
                .tap("Leuchtturm");
        },
        is_right: |probe| probe.shows("Saved"),
    },
    Case {
        id: "wiki.offline-query",
        package: APP,
        functions: &["search", "lose the network for a while"],
        trigger: |probe| {
            probe.tap("Search").enter("search_src_text", "moss");
            probe.phone.set_airplane_mode(true);
            probe.phone.set_airplane_mode(false);
        },
        is_right: |probe| probe.text_of("search_src_text") == "moss",
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "wiki.random-article",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.texts_of("page_list_item_title");
            let after = probe.tap("Refresh").texts_of("page_list_item_title");
            before.len() == 2 && before.first() == after.first() && before.last() != after.last()
        },
    },
    TrapCase {
        id: "wiki.recent-searches",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Search");
            for query in ["moss", "canal", "mill", "bee"] {
                probe.enter("search_src_text", query).key("ENTER");
            }
            probe.enter("search_src_text", "").key("BACK");
            probe.shows("bee") && probe.shows("canal") && !probe.shows("moss")
        },
    },
    TrapCase {
        id: "wiki.menu-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Saved").hold("Holiday").shows("Rename");
            before && !probe.turn().shows("Rename")
        },
    },
];
