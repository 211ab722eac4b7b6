//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "tube.play-after-browser",
        package: APP,
        functions: &["play a video", "view it in the browser", "play on"],
        trigger: |probe| {
            probe.tap("Pruning roses").tap("More options").tap("View in browser").key("BACK").tap("Play");
        },
        is_right: |probe| probe.shows("Playing"),
    },
    Case {
        id: "tube.block-refresh",
        package: APP,
        functions: &["block a channel", "refresh"],
        trigger: |probe| {
            probe.hold("Pruning roses").tap("Block channel").tap("Refresh");
        },
        is_right: |probe| probe.shows("Over the ridge") && !probe.shows("Pruning roses"),
    },
    Case {
        id: "tube.clear-blocked",
        package: APP,
        functions: &["block channels", "clear the list"],
        trigger: |probe| {
            probe.hold("Pruning roses").tap("Block channel").hold("Over the ridge").tap("Block channel");
            probe.tap("More options").tap("Blocked channels").tap("More options").tap("Clear list");
        },
        is_right: |probe| probe.shows("No channel is blocked"),
    },
    Case {
        id: "tube.blocked-recommended",
        package: APP,
        functions: &["block a channel", "open a video"],
        trigger: |probe| {
            probe.hold("Over the ridge").tap("Block channel").tap("Pruning roses");
        },
        is_right: |probe| probe.shows("Up next") && !probe.shows("Over the ridge"),
    },
    Case {
        id: "tube.unblock-stale",
        package: APP,
        functions: &["block on the channel's page", "unblock in the list", "open the channel's page"],
        trigger: |probe| {
            probe.hold("Pruning roses").tap("View channel").tap("Block").key("BACK");
            probe.tap("More options").tap("Blocked channels").tap("Unblock").key("BACK");
            probe.hold("Pruning roses").tap("View channel");
        },
        is_right: |probe| probe.shows("Block") && !probe.shows("Unblock"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "tube.views",
        package: APP,
        steady: false,
        show: |probe| {
            let before = probe.texts_of("channel_text_view");
            probe.launch_again(APP);
            let after = probe.texts_of("channel_text_view");
            before != after && before.iter().all(|text| text.contains("views"))
        },
    },
    TrapCase {
        id: "tube.refresh",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.text_of("title_text_view");
            before != probe.tap("Refresh").text_of("title_text_view")
        },
    },
    TrapCase {
        id: "tube.block-hides",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.shows("Seeds in winter");
            there && !probe.hold("Pruning roses").tap("Block channel").shows("Seeds in winter")
        },
    },
    TrapCase {
        id: "tube.tabs",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.shows("Pruning roses");
            there && !probe.tap("Bookmarks").shows("Pruning roses")
        },
    },
];
