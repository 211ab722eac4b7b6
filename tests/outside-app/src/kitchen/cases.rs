//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "kitchen.servings-ignored",
        package: APP,
        functions: &["choose servings", "add a recipe to the shopping list"],
        trigger: |probe| {
            probe.tap("Pancakes").tap("More servings").tap("Add to shopping list").key("BACK");
            probe.tap("Shopping");
        },
        is_right: |probe| probe.shows("300 g Flour"),
    },
    Case {
        id: "kitchen.undo-meals",
        package: APP,
        functions: &["delete a recipe that is planned", "undo the deletion"],
        trigger: |probe| {
            probe.tap("Lentil soup");
            delete(probe);
            probe.tap("Undo").tap("Plan");
        },
        is_right: |probe| probe.shows("Lentil soup"),
    },
    Case {
        id: "kitchen.filter-edited",
        package: APP,
        functions: &["choose a category", "edit a recipe"],
        trigger: |probe| {
            probe.tap("Dessert").tap("Plum cake");
            rename(probe, "Plum pie");
            probe.tap("Save").key("BACK");
        },
        is_right: |probe| probe.shows("Plum pie") && !probe.shows("Pancakes"),
    },
    Case {
        id: "kitchen.sorted-opens",
        package: APP,
        functions: &["sort the recipes", "open one"],
        trigger: |probe| {
            probe.tap("Sort").tap("Quickest first").tap("Porridge");
        },
        is_right: |probe| probe.shows("60 g Oats"),
    },
    Case {
        id: "kitchen.merged-bought",
        package: APP,
        functions: &["add a recipe to the shopping list", "tick an item", "add another recipe"],
        trigger: |probe| {
            shop(probe, "Pancakes");
            probe.tap("200 g Flour").tap("Recipes");
            shop(probe, "Plum cake");
        },
        is_right: |probe| probe.shows("300 g Flour"),
    },
    Case {
        id: "kitchen.killed-basket",
        package: APP,
        functions: &["add a recipe to the shopping list", "tick an item", "end the app in the background"],
        trigger: |probe| {
            shop(probe, "Pancakes");
            probe.tap("200 g Flour").key("HOME").kill(APP).launch(APP);
        },
        is_right: |probe| probe.shows("2 to buy, 1 in the basket"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "kitchen.recent-moves",
        package: APP,
        steady: true,
        show: |probe| {
            visit(probe, "Pancakes");
            visit(probe, "Porridge");
            let first = probe.texts_of("recent") == ["Porridge", "Pancakes"];
            visit(probe, "Pancakes");
            first && probe.texts_of("recent") == ["Pancakes", "Porridge"]
        },
    },
    TrapCase {
        id: "kitchen.recent-cap",
        package: APP,
        steady: true,
        show: |probe| {
            for name in ["Pancakes", "Porridge", "Lentil soup", "Fried rice"] {
                visit(probe, name);
            }
            probe.texts_of("recent") == ["Fried rice", "Lentil soup", "Porridge"]
        },
    },
    TrapCase {
        id: "kitchen.basket-moves",
        package: APP,
        steady: true,
        show: |probe| {
            shop(probe, "Pancakes");
            let before = probe.is_above("200 g Flour", "300 ml Milk") && !probe.shows("In the basket");
            before && probe.tap("200 g Flour").is_above("In the basket", "200 g Flour")
        },
    },
    TrapCase {
        id: "kitchen.amounts-add",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Pancakes").tap("Add to shopping list").tap("Add to shopping list").key("BACK");
            probe.tap("Shopping").shows("400 g Flour") && probe.shows("3 to buy, 0 in the basket")
        },
    },
    TrapCase {
        id: "kitchen.typed-twice",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Shopping").enter("item_field", "Salt").tap("Add");
            probe.enter("item_field", "Salt").tap("Add").key("BACK").count("Salt") == 2
        },
    },
    TrapCase {
        id: "kitchen.history-name",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Plum cake").tap("I cooked this");
            rename(probe, "Plum pie");
            probe.tap("Save").key("BACK").tap("More options").tap("History").shows("Plum cake")
        },
    },
    TrapCase {
        id: "kitchen.back-tab",
        package: APP,
        steady: true,
        show: |probe| probe.tap("Shopping").key("BACK").shows("Pancakes"),
    },
    TrapCase {
        id: "kitchen.servings-visit",
        package: APP,
        steady: true,
        show: |probe| {
            let scaled = probe.tap("Pancakes").tap("More servings").shows("300 g Flour");
            scaled && probe.key("BACK").tap("recent").shows("200 g Flour")
        },
    },
    TrapCase {
        id: "kitchen.units-setting",
        package: APP,
        steady: true,
        show: |probe| {
            shop(probe, "Pancakes");
            let before = probe.shows("200 g Flour");
            probe.tap("More options").tap("Settings").tap("Ounces").key("BACK");
            before && probe.shows("7.1 oz Flour") && !probe.shows("200 g Flour")
        },
    },
    TrapCase {
        id: "kitchen.edit-discarded",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Plum cake");
            rename(probe, "Plum pie");
            probe.key("BACK").key("BACK").tap("Discard").shows("Plum cake")
        },
    },
    TrapCase {
        id: "kitchen.meal-twice",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Fried rice").tap("Plan this").tap("Today").tap("Plan this").tap("Today");
            probe.key("BACK").tap("Plan").count("Fried rice") == 2
        },
    },
    TrapCase {
        id: "kitchen.cooked-order",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Dessert").tap("All").tap("Sort").tap("Most cooked first");
            let before = probe.is_above("Pancakes", "Porridge");
            probe.tap("Porridge").tap("I cooked this").key("BACK").tap("Breakfast");
            before && probe.is_above("Porridge", "Pancakes")
        },
    },
    TrapCase {
        id: "kitchen.items-stay",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Pancakes").tap("Add to shopping list");
            delete(probe);
            !probe.shows("Pancakes") && probe.tap("Shopping").shows("200 g Flour")
        },
    },
    TrapCase {
        id: "kitchen.basket-menu",
        package: APP,
        steady: true,
        show: |probe| {
            shop(probe, "Pancakes");
            let before = probe.tap("More options").shows("Clear basket");
            probe.key("BACK").tap("200 g Flour");
            !before && probe.tap("More options").shows("Clear basket")
        },
    },
    TrapCase {
        id: "kitchen.search-all",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Dessert").tap("Search").enter("recipe_search", "milk");
            probe.shows("Pancakes") && probe.shows("2 recipes")
        },
    },
    TrapCase {
        id: "kitchen.favourites-first",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.is_above("Fried rice", "Plum cake");
            before && probe.tap("Favourite Plum cake").is_above("Plum cake", "Fried rice")
        },
    },
];

fn visit(probe: &mut Probe, recipe: &str) {
    probe.tap(recipe).key("BACK");
}

fn shop(probe: &mut Probe, recipe: &str) {
    probe.tap(recipe).tap("Add to shopping list").key("BACK").tap("Shopping");
}

/// Renames the recipe that is open, but for the saving.
fn rename(probe: &mut Probe, name: &str) {
    probe.tap("More options").tap("Edit").enter("name", name);
}

/// Deletes the recipe that is open.
fn delete(probe: &mut Probe) {
    probe.tap("More options").tap("Delete").tap("button1");
}
