//! The shortest triggers of the defects, and the traps.

use super::MANIFEST;
use crate::defects::{Case, TrapCase};
use droidmux_sim::phone::Night;
use droidmux_testutils::app::Probe;

const APP: &str = MANIFEST.package;

/// Records an expense of the first category from the first account.
fn record(probe: &mut Probe, payee: &str, amount: &str) {
    probe.tap("New expense").enter("AmountEditText", amount).enter("Payee", payee).tap("Save");
}

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "expenses.moved-balance",
        package: APP,
        functions: &["move an expense to another account", "delete it"],
        trigger: |probe| {
            probe.tap("Baker").tap("Account").tap("Bank").tap("Save");
            probe.hold("Baker").tap("Delete selected");
        },
        is_right: |probe| probe.shows("Cash 181.01") && probe.shows("Bank 1476.50"),
    },
    Case {
        id: "expenses.undo-selection",
        package: APP,
        functions: &["select several expenses", "delete them", "undo"],
        trigger: |probe| {
            probe.hold("Baker").tap("Railway").tap("Delete selected").tap("Undo");
        },
        is_right: |probe| probe.shows("Baker") && probe.shows("Railway") && probe.shows("Spent 47.29"),
    },
    Case {
        id: "expenses.total-unfiltered",
        package: APP,
        functions: &["filter by category", "record an expense"],
        trigger: |probe| {
            probe.tap("More options").tap("Filter").tap("Travel");
            record(probe, "Kiosk", "3");
        },
        is_right: |probe| probe.shows("Spent 23.50"),
    },
    Case {
        id: "expenses.template-account",
        package: APP,
        functions: &["save a template", "rename its account", "apply the template"],
        trigger: |probe| {
            probe.tap("Railway").tap("More options").tap("Save as template").key("BACK");
            probe.tap("Bank 1476.50").enter("label", "Savings").tap("OK");
            probe.tap("Open navigation").tap("Templates").tap("Apply").key("BACK");
        },
        is_right: |probe| probe.shows("Savings 1453.00") && probe.shows("Cash 176.21"),
    },
    Case {
        id: "expenses.dark-filter",
        package: APP,
        functions: &["filter by category", "switch to dark and back"],
        trigger: |probe| {
            probe.tap("More options").tap("Filter").tap("Travel");
            probe.phone.set_night(Night::Yes);
            probe.phone.set_night(Night::No);
        },
        is_right: |probe| probe.text_of("filter_state") == "Travel" && !probe.shows("Baker"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "expenses.balances",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Cash 176.21");
            record(probe, "Kiosk", "3");
            before && probe.shows("Cash 173.21")
        },
    },
    TrapCase {
        id: "expenses.filter",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Baker") && probe.shows("Spent 47.29");
            probe.tap("More options").tap("Filter").tap("Travel");
            before && !probe.shows("Baker") && probe.shows("Spent 23.50")
        },
    },
    TrapCase {
        id: "expenses.budget",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("budget_warning");
            record(probe, "Sofa", "90");
            !before && probe.shows("budget_warning")
        },
    },
    TrapCase {
        id: "expenses.undo-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Baker").tap("Delete selected").shows("Undo");
            before && !probe.turn().shows("Undo")
        },
    },
];
