//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "radio.indicator-stays",
        package: APP,
        functions: &["play a station", "rename it", "pause it"],
        trigger: |probe| {
            probe.tap("Hill Radio").hold("Hill Radio").tap("Rename").enter("edit_station_name", "Hill");
            probe.tap("Save").tap("Pause");
        },
        is_right: |probe| probe.shows("Play") && !probe.shows("Hill is playing"),
    },
    Case {
        id: "radio.history-misses",
        package: APP,
        functions: &["add a station", "play it", "see the history"],
        trigger: |probe| {
            probe.tap("Add station").enter("edit_station_name", "Mine").tap("Save").tap("Mine");
            probe.tap("Open navigation").tap("History");
        },
        is_right: |probe| probe.shows("Mine"),
    },
    Case {
        id: "radio.history-long-press",
        package: APP,
        functions: &["play a station", "open the menu of a track in the history"],
        trigger: |probe| {
            probe.tap("Night Jazz").tap("Open navigation").tap("History").tap("Tracks").hold("Blue lamp");
        },
        is_right: |probe| !probe.crashed() && probe.shows("Remove"),
    },
    Case {
        id: "radio.next-key",
        package: APP,
        functions: &["add a station"],
        trigger: |probe| {
            probe.tap("Add station").enter("edit_station_name", "Mine").key("ENTER");
        },
        is_right: |probe| !probe.crashed() && probe.shows("Mine"),
    },
    Case {
        id: "radio.undo-copy",
        package: APP,
        functions: &["play a station", "delete it", "undo the deletion"],
        trigger: |probe| {
            probe.tap("Harbour FM").hold("Harbour FM").tap("Delete").tap("Undo");
        },
        is_right: |probe| probe.shows("Pause") && probe.shows("Harbour FM is playing"),
    },
    Case {
        id: "radio.sleep-forgets",
        package: APP,
        functions: &["play a station", "switch the screen off and on"],
        trigger: |probe| {
            probe.tap("Hill Radio").key("SLEEP").key("WAKEUP");
            probe.phone.dismiss_keyguard();
        },
        is_right: |probe| probe.shows("player_station_name") && probe.shows("Hill Radio is playing"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "radio.history-cap",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Harbour FM").tap("Hill Radio").tap("Night Jazz").tap("Village Voice");
            probe.tap("Open navigation").tap("History");
            probe.shows("Village Voice") && probe.shows("Hill Radio") && !probe.shows("Harbour FM")
        },
    },
    TrapCase {
        id: "radio.one-at-a-time",
        package: APP,
        steady: true,
        show: |probe| {
            let first = probe.tap("Hill Radio").shows("Hill Radio is playing");
            first && !probe.tap("Night Jazz").shows("Hill Radio is playing")
        },
    },
    TrapCase {
        id: "radio.undo-left",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Hill Radio").tap("Delete").shows("Undo");
            before && !probe.key("HOME").launch(APP).shows("Undo")
        },
    },
];
