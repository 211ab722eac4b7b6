//! The shortest triggers of the defects.

use droidmux_testutils::app::{Case, Probe};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "basket.discount-stale",
        package: APP,
        functions: &["add a product to the cart", "apply a coupon", "change the quantity"],
        trigger: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart");
            apply(probe, "SPRING10");
            probe.tap("More Coffee pot");
        },
        is_right: |probe| probe.text_of("discount") == "-$4.98",
    },
    Case {
        id: "basket.count-removed",
        package: APP,
        functions: &["add a product to the cart", "remove it"],
        trigger: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("Remove Coffee pot").tap("Shop");
        },
        is_right: |probe| probe.shows("0 in the cart"),
    },
    Case {
        id: "basket.sort-unfilters",
        package: APP,
        functions: &["filter the products", "sort them"],
        trigger: |probe| {
            filter(probe, "On sale");
            probe.tap("Sort").tap("Name");
        },
        is_right: |probe| probe.shows("3 products"),
    },
    Case {
        id: "basket.undo-quantity",
        package: APP,
        functions: &["add several pieces to the cart", "remove them", "undo the removal"],
        trigger: |probe| {
            probe.tap("Coffee pot").tap("More").tap("Add to cart").key("BACK").tap("Cart");
            probe.tap("Remove Coffee pot").tap("Undo");
        },
        is_right: |probe| probe.shows("2 items"),
    },
    Case {
        id: "basket.favourite-opens",
        package: APP,
        functions: &["make two products favourites", "take one out of the list", "open the other one"],
        trigger: |probe| {
            probe.tap("Favourite Coffee pot").tap("Favourite Wool socks").tap("Favourites");
            probe.tap("Favourite Wool socks").tap("Coffee pot");
        },
        is_right: |probe| probe.shows("Enamelled, for six cups."),
    },
    Case {
        id: "basket.search-category",
        package: APP,
        functions: &["choose a category", "search"],
        trigger: |probe| {
            probe.tap("Books");
            search(probe, "coffee");
        },
        is_right: |probe| probe.shows("Coffee pot"),
    },
    Case {
        id: "basket.cancel-stock",
        package: APP,
        functions: &["place an order", "cancel it"],
        trigger: |probe| {
            probe.tap("Garden");
            buy(probe, "Flower pot");
            order(probe);
            cancel(probe);
            probe.key("BACK").tap("Shop").tap("Flower pot");
        },
        is_right: |probe| probe.shows("Only 1 left"),
    },
    Case {
        id: "basket.address-old",
        package: APP,
        functions: &["place an order to another address"],
        trigger: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("Check out").enter("street_field", "9 Quay").key("BACK");
            confirm(probe);
        },
        is_right: |probe| probe.shows("Kim Lake, 9 Quay, 12345 Lakeside"),
    },
    Case {
        id: "basket.order-doubled",
        package: APP,
        functions: &["place an order", "leave the app and come back"],
        trigger: |probe| {
            buy(probe, "Coffee pot");
            order(probe);
            probe.key("HOME").launch(APP).key("BACK").tap("Orders");
        },
        is_right: |probe| probe.shows("Order 1003") && !probe.shows("Order 1004"),
    },
    Case {
        id: "basket.killed-quantity",
        package: APP,
        functions: &["add a product to the cart", "change the quantity", "end the app in the background"],
        trigger: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("More Coffee pot").key("HOME").kill(APP).launch(APP);
        },
        is_right: |probe| probe.shows("2 items"),
    },
];

pub(super) fn visit(probe: &mut Probe, product: &str) {
    probe.tap(product).key("BACK");
}

/// Puts one of a product into the cart.
pub(super) fn buy(probe: &mut Probe, product: &str) {
    probe.tap(product).tap("Add to cart").key("BACK");
}

pub(super) fn apply(probe: &mut Probe, code: &str) {
    probe.enter("coupon_field", code).tap("Apply");
}

/// Orders what is in the cart, all as it is proposed.
pub(super) fn order(probe: &mut Probe) {
    probe.tap("Cart").tap("Check out");
    confirm(probe);
}

/// Goes through all steps of the checkout.
pub(super) fn confirm(probe: &mut Probe) {
    probe.tap("Continue").tap("Continue").tap("Continue").tap("Place order");
}

/// Cancels the order that is open.
pub(super) fn cancel(probe: &mut Probe) {
    probe.tap("Cancel order").tap("button1");
}

pub(super) fn search(probe: &mut Probe, query: &str) {
    probe.tap("Search").enter("product_search", query).key("BACK");
}

pub(super) fn filter(probe: &mut Probe, condition: &str) {
    probe.tap("Filter").tap(condition).tap("Apply");
}
