//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "player.undo-place",
        package: APP,
        functions: &["sort the queue", "remove an episode", "undo"],
        trigger: |probe| {
            probe.tap("Sort").tap("Title").hold("The typewriter").tap("Remove from queue").tap("Undo");
        },
        is_right: |probe| {
            probe.is_above("Along the canal", "Owls") && probe.is_above("Owls", "The typewriter")
        },
    },
    Case {
        id: "player.skip-deleted",
        package: APP,
        functions: &["delete a download", "play an episode", "skip to the next"],
        trigger: |probe| {
            probe.hold("Along the canal").tap("Delete download").tap("The typewriter").tap("Skip episode");
        },
        is_right: |probe| probe.text_of("titleView") == "Along the canal",
    },
    Case {
        id: "player.speed-other",
        package: APP,
        functions: &["play an episode", "set its speed"],
        trigger: |probe| {
            probe.tap("Owls").tap("butPlaybackSpeed").tap("1.5x").key("BACK").tap("The typewriter");
        },
        is_right: |probe| probe.text_of("butPlaybackSpeed") == "1.0x",
    },
    Case {
        id: "player.inbox-left",
        package: APP,
        functions: &["add an episode to the queue", "play it"],
        trigger: |probe| {
            probe.tap("Open navigation").tap("Inbox (2)").hold("Gears of wood").tap("Add to queue");
            probe.tap("Gears of wood").key("BACK");
        },
        is_right: |probe| probe.shows("Streets after rain") && !probe.shows("Gears of wood"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "player.leaves-queue",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.shows("Owls");
            there && !probe.hold("Owls").tap("Mark as played").shows("Owls")
        },
    },
    TrapCase {
        id: "player.inbox-badge",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Open navigation").tap("Inbox (2)").tap("Gears of wood").key("BACK");
            probe.tap("Open navigation").shows("Inbox (1)")
        },
    },
    TrapCase {
        id: "player.hide-played",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Open navigation").tap("Settings").tap("Hide played").key("BACK");
            let there = probe.tap("Open navigation").tap("Episodes").shows("Owls");
            there && !probe.hold("Owls").tap("Mark as played").shows("Owls")
        },
    },
    TrapCase {
        id: "player.menu-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Owls").shows("Mark as played");
            before && !probe.turn().shows("Mark as played")
        },
    },
];
