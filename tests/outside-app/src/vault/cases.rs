//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;
const DOTS: &str = "••• •••";

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "vault.group-emptied",
        package: APP,
        functions: &["rename a group", "filter by it"],
        trigger: |probe| {
            menu(probe, "Groups");
            probe.tap("Work").tap("Rename").enter("name_field", "Office").tap("OK").key("BACK");
            probe.tap("group_spinner").tap("Office");
        },
        is_right: |probe| probe.shows("Hub") && probe.shows("Cloud"),
    },
    Case {
        id: "vault.order-reset",
        package: APP,
        functions: &["sort the entries", "add one"],
        trigger: |probe| {
            probe.tap("Sort").tap("Issuer");
            add(probe, "Arcade");
        },
        is_right: |probe| probe.is_above("Arcade", "Bank"),
    },
    Case {
        id: "vault.edit-forgets",
        package: APP,
        functions: &["use an entry", "edit it"],
        trigger: |probe| {
            probe.tap("Forum").hold("Forum").tap("Edit").enter("account_field", "crow").tap("Save");
            probe.hold("Forum").tap("Details");
        },
        is_right: |probe| probe.shows("Used once"),
    },
    Case {
        id: "vault.found-other",
        package: APP,
        functions: &["search", "use an entry"],
        trigger: |probe| {
            search(probe, "for");
            probe.tap("Forum");
        },
        is_right: |probe| probe.shows("Forum") && !probe.shows(DOTS),
    },
    Case {
        id: "vault.shown-anyhow",
        package: APP,
        functions: &["see the details of an entry"],
        trigger: |probe| {
            probe.hold("Forum").tap("Details");
        },
        is_right: |probe| probe.text_of("entry_code") == DOTS,
    },
    Case {
        id: "vault.return-form",
        package: APP,
        functions: &["edit an entry", "leave the app and come back"],
        trigger: |probe| {
            probe.hold("Forum").tap("Edit").enter("account_field", "crow").key("HOME").launch(APP);
        },
        is_right: |probe| probe.shows("crow"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "vault.codes-change",
        package: APP,
        steady: false,
        show: |probe| {
            let (code, timer) = (probe.tap("Hub").text_of("code"), probe.text_of("timer"));
            let counted = probe.tap("Hub").text_of("timer") != timer;
            let later = probe.key("HOME").launch(APP).tap("Hub").text_of("code");
            counted && code != DOTS && later != DOTS && later != code
        },
    },
    TrapCase {
        id: "vault.return-locks",
        package: APP,
        steady: true,
        show: |probe| {
            lock(probe);
            let locked = probe.key("HOME").launch(APP).shows("The vault is locked");
            locked && !probe.shows("Hub") && probe.tap("Unlock").shows("Hub")
        },
    },
    TrapCase {
        id: "vault.lock-dismisses",
        package: APP,
        steady: true,
        show: |probe| {
            lock(probe);
            let asked = probe.hold("Hub").tap("Delete").shows("Delete Hub?");
            probe.key("HOME").launch(APP).tap("Unlock");
            asked && probe.shows("Hub") && !probe.shows("Delete Hub?")
        },
    },
    TrapCase {
        id: "vault.used-moves",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Sort").tap("Most used first").is_above("Hub", "Forum");
            before && probe.tap("Forum").is_above("Forum", "Hub")
        },
    },
    TrapCase {
        id: "vault.favourites-first",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Forum").tap("Favourite");
            let first = probe.is_above("Forum", "Hub");
            first && probe.tap("Sort").tap("Issuer").is_above("Forum", "Bank")
        },
    },
    TrapCase {
        id: "vault.log-name",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Forum").hold("Forum").tap("Edit").enter("issuer_field", "Club").tap("Save");
            menu(probe, "Log");
            probe.shows("Copied Forum") && probe.shows("Edited Club")
        },
    },
    TrapCase {
        id: "vault.log-cap",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Forum");
            for _ in 0..8 {
                probe.tap("Hub");
            }
            menu(probe, "Log");
            probe.count("Copied Hub") == 8 && !probe.shows("Copied Forum")
        },
    },
    TrapCase {
        id: "vault.one-revealed",
        package: APP,
        steady: true,
        show: |probe| {
            let revealed = probe.tap("Hub").text_of("code") != DOTS;
            revealed && probe.tap("Bank").text_of("code") == DOTS
        },
    },
    TrapCase {
        id: "vault.return-hides",
        package: APP,
        steady: true,
        show: |probe| {
            let revealed = probe.tap("Hub").text_of("code") != DOTS;
            revealed && probe.key("HOME").launch(APP).text_of("code") == DOTS
        },
    },
    TrapCase {
        id: "vault.edit-discarded",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Forum").tap("Edit").enter("issuer_field", "Club").key("BACK").key("BACK");
            probe.tap("Discard").shows("Forum") && !probe.shows("Club")
        },
    },
    TrapCase {
        id: "vault.group-deleted",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Groups");
            probe.tap("Work").tap("Delete").tap("button1").key("BACK");
            probe.tap("group_spinner").tap("No group");
            probe.shows("Hub") && probe.shows("Cloud") && !probe.shows("Bank")
        },
    },
    TrapCase {
        id: "vault.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Forum").tap("Delete").tap("button1").shows("Undo");
            before && !probe.tap("Hub").shows("Undo")
        },
    },
    TrapCase {
        id: "vault.search-all",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("group_spinner").tap("Work");
            let before = probe.shows("Bank");
            search(probe, "bank");
            !before && probe.shows("Bank")
        },
    },
    TrapCase {
        id: "vault.entry-twice",
        package: APP,
        steady: true,
        show: |probe| probe.hold("Forum").tap("Duplicate").count("Forum") == 2,
    },
    TrapCase {
        id: "vault.accounts-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("owl");
            menu(probe, "Settings");
            before && !probe.tap("Accounts").key("BACK").shows("owl")
        },
    },
];

fn menu(probe: &mut Probe, item: &str) {
    probe.tap("More options").tap(item);
}

fn add(probe: &mut Probe, issuer: &str) {
    probe.tap("New entry").enter("issuer_field", issuer).tap("Save");
}

fn search(probe: &mut Probe, query: &str) {
    probe.tap("Search").enter("entry_search", query).key("BACK");
}

fn lock(probe: &mut Probe) {
    menu(probe, "Settings");
    probe.tap("Lock").key("BACK");
}
