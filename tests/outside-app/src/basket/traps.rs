//! What shows the traps.

use droidmux_testutils::app::TrapCase;

use super::MANIFEST;
use super::cases::{apply, buy, cancel, confirm, filter, order, search, visit};

const APP: &str = MANIFEST.package;

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "basket.pick-changes",
        package: APP,
        steady: false,
        show: |probe| {
            let before = probe.text_of("pick");
            (0..5).any(|_| probe.key("HOME").launch(APP).text_of("pick") != before)
        },
    },
    TrapCase {
        id: "basket.recent-moves",
        package: APP,
        steady: true,
        show: |probe| {
            visit(probe, "Coffee pot");
            visit(probe, "Wool socks");
            let first = probe.texts_of("recent") == ["Wool socks", "Coffee pot"];
            visit(probe, "Coffee pot");
            first && probe.texts_of("recent") == ["Coffee pot", "Wool socks"]
        },
    },
    TrapCase {
        id: "basket.recent-cap",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Garden");
            for name in ["Bird house", "Garden gloves", "Watering can", "Flower pot"] {
                visit(probe, name);
            }
            let gone = !probe.tap("All").texts_of("recent").contains(&"Bird house".to_owned());
            gone && probe.texts_of("recent").contains(&"Flower pot".to_owned())
        },
    },
    TrapCase {
        id: "basket.sizes-apart",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Clothes").tap("T-shirt").tap("M").tap("Add to cart").tap("L").tap("Add to cart");
            probe.key("BACK").tap("Cart").shows("T-shirt, M") && probe.shows("T-shirt, L")
        },
    },
    TrapCase {
        id: "basket.adds-up",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            buy(probe, "Coffee pot");
            probe.tap("Cart").count("Coffee pot") == 1 && probe.shows("2 items")
        },
    },
    TrapCase {
        id: "basket.free-delivery",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Garden");
            buy(probe, "Bird house");
            let before = probe.tap("Cart").text_of("delivery") == "$4.90";
            before && probe.tap("More Bird house").text_of("delivery") == "Free"
        },
    },
    TrapCase {
        id: "basket.coupon-asleep",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart");
            apply(probe, "TENOFF");
            let asleep = probe.shows("TENOFF, $10 off from $60") && !probe.shows("Discount");
            asleep && probe.tap("More Coffee pot").tap("More Coffee pot").text_of("discount") == "-$10.00"
        },
    },
    TrapCase {
        id: "basket.cart-empties",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart");
            apply(probe, "SPRING10");
            order(probe);
            let empty = probe.key("BACK").shows("Your cart is empty");
            probe.tap("Shop");
            buy(probe, "Coffee pot");
            empty && !probe.tap("Cart").shows("Discount")
        },
    },
    TrapCase {
        id: "basket.cancelled-stays",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            order(probe);
            let before = probe.shows("Placed");
            cancel(probe);
            before && probe.key("BACK").tap("Orders").shows("Order 1003") && probe.shows("Cancelled")
        },
    },
    TrapCase {
        id: "basket.old-price",
        package: APP,
        steady: true,
        show: |probe| {
            let then = probe.tap("Orders").tap("Order 1001").shows("$23.60");
            then && probe.tap("4 x Tea cup").shows("$6.50")
        },
    },
    TrapCase {
        id: "basket.order-packs",
        package: APP,
        steady: false,
        show: |probe| {
            buy(probe, "Coffee pot");
            order(probe);
            let before = probe.shows("Cancel order");
            for _ in 0..5 {
                probe.key("HOME").launch(APP);
            }
            before && probe.shows("Packed") && !probe.shows("Cancel order")
        },
    },
    TrapCase {
        id: "basket.order-twice",
        package: APP,
        steady: true,
        show: |probe| {
            for _ in 0..2 {
                buy(probe, "Coffee pot");
                order(probe);
                probe.key("BACK").tap("Shop");
            }
            probe.tap("Orders").shows("Order 1003") && probe.shows("Order 1004")
        },
    },
    TrapCase {
        id: "basket.again-leaves-out",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Orders").tap("Order 1002").tap("Buy again").key("BACK").tap("Cart");
            probe.shows("Watering can") && !probe.shows("Frying pan")
        },
    },
    TrapCase {
        id: "basket.address-kept",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("Check out").enter("street_field", "9 Quay").key("BACK");
            confirm(probe);
            probe.key("BACK").tap("Shop");
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("Check out").text_of("street_field") == "9 Quay"
        },
    },
    TrapCase {
        id: "basket.step-back",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            let there = probe.tap("Cart").tap("Check out").tap("Continue").shows("Step 2 of 4, Delivery");
            there && probe.key("BACK").shows("Step 1 of 4, Address")
        },
    },
    TrapCase {
        id: "basket.checkout-left",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            probe.tap("Cart").tap("Check out").enter("street_field", "9 Quay").key("BACK").key("BACK");
            probe.tap("Check out").text_of("street_field") == "5 Mill Lane"
        },
    },
    TrapCase {
        id: "basket.stock-cap",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Garden");
            buy(probe, "Flower pot");
            buy(probe, "Flower pot");
            probe.tap("Cart").tap("More Flower pot").shows("1 item")
        },
    },
    TrapCase {
        id: "basket.sold-out-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Garden");
            filter(probe, "In stock");
            let before = probe.shows("4 products");
            buy(probe, "Flower pot");
            order(probe);
            before && probe.key("BACK").tap("Shop").shows("3 products") && !probe.shows("Flower pot")
        },
    },
    TrapCase {
        id: "basket.search-all",
        package: APP,
        steady: true,
        show: |probe| {
            filter(probe, "In stock");
            search(probe, "frying");
            probe.shows("Frying pan")
        },
    },
    TrapCase {
        id: "basket.back-tab",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.tap("Orders").shows("Order 1002");
            there && probe.key("BACK").shows("Coffee pot")
        },
    },
    TrapCase {
        id: "basket.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            buy(probe, "Coffee pot");
            let before = probe.tap("Cart").tap("Remove Coffee pot").shows("Undo");
            before && !probe.tap("Orders").shows("Undo")
        },
    },
    TrapCase {
        id: "basket.unfavoured-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.tap("Favourite Coffee pot").tap("Favourites").shows("Coffee pot");
            there && !probe.tap("Favourite Coffee pot").shows("Coffee pot")
        },
    },
    TrapCase {
        id: "basket.compact-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("4.5 stars, in stock");
            probe.tap("More options").tap("Settings").tap("Compact lists").key("BACK");
            before && probe.shows("Coffee pot") && !probe.shows("4.5 stars, in stock")
        },
    },
];
