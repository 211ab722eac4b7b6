//! What is wrong with the cookbook when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const SERVINGS_IGNORED: Defect = Defect {
    id: "kitchen.servings-ignored",
    kind: DefectKind::WrongBehaviour,
    what: "the shopping list gets the amounts as the recipe has them, whatever servings were chosen",
    seed: "reports on Mealie and Tandoor: scaled amounts do not reach the shopping list",
};
pub(super) const UNDO_MEALS: Defect = Defect {
    id: "kitchen.undo-meals",
    kind: DefectKind::DataLoss,
    what: "undoing the deletion of a recipe leaves its meals out of the plan",
    seed: "reports on Grocy: a recipe that is deleted and made again is not in the meal plan",
};
pub(super) const FILTER_EDITED: Defect = Defect {
    id: "kitchen.filter-edited",
    kind: DefectKind::WrongBehaviour,
    what: "once a recipe was edited, the list shows all categories though one is chosen",
    seed: "reports on list apps: the filter stays marked and is ignored after an item was edited",
};
pub(super) const SORTED_OPENS: Defect = Defect {
    id: "kitchen.sorted-opens",
    kind: DefectKind::WrongBehaviour,
    what: "in another order than by name a touch opens the recipe that would stand there by name",
    seed: "reports on list apps: the wrong item opens once the list was sorted",
};
pub(super) const MERGED_BOUGHT: Defect = Defect {
    id: "kitchen.merged-bought",
    kind: DefectKind::WrongBehaviour,
    what: "what is added to the shopping list is lost in an item that is in the basket already",
    seed: "reports on Mealie and Grocy: ingredients that were checked off are not added again",
};
pub(super) const KILLED_BASKET: Defect = Defect {
    id: "kitchen.killed-basket",
    kind: DefectKind::DataLoss,
    what: "what is in the basket is to be bought again after the app was ended in the background",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: state that only the process holds is lost",
};
pub(super) const DEFECTS: &[Defect] =
    &[SERVINGS_IGNORED, UNDO_MEALS, FILTER_EDITED, SORTED_OPENS, MERGED_BOUGHT, KILLED_BASKET];

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        id: "kitchen.recent-moves",
        what: "a recipe that is opened moves to the front of those opened last",
    },
    Trap {
        id: "kitchen.recent-cap",
        what: "three recipes stand as opened last: a fourth pushes the oldest out",
    },
    Trap { id: "kitchen.basket-moves", what: "an item that is ticked moves under another heading" },
    Trap { id: "kitchen.amounts-add", what: "adding a recipe twice adds up amounts instead of rows" },
    Trap { id: "kitchen.typed-twice", what: "what is typed twice is on the shopping list twice" },
    Trap {
        id: "kitchen.history-name",
        what: "the history keeps the name that a recipe had when it was cooked",
    },
    Trap { id: "kitchen.back-tab", what: "BACK on another tab leads to the first one, not out of the app" },
    Trap {
        id: "kitchen.servings-visit",
        what: "servings are chosen for one visit: the next shows the recipe's own",
    },
    Trap { id: "kitchen.units-setting", what: "a setting shows ounces for grams on all pages" },
    Trap { id: "kitchen.edit-discarded", what: "what was changed in a recipe is gone when it is discarded" },
    Trap { id: "kitchen.meal-twice", what: "a recipe can be planned twice for one day" },
    Trap {
        id: "kitchen.cooked-order",
        what: "cooking a recipe moves it up where the most cooked come first",
    },
    Trap { id: "kitchen.items-stay", what: "items stay on the shopping list when their recipe is deleted" },
    Trap { id: "kitchen.basket-menu", what: "clearing the basket is offered only while something is in it" },
    Trap { id: "kitchen.search-all", what: "a search looks through all categories though one is chosen" },
    Trap { id: "kitchen.favourites-first", what: "a favourite moves to the top of the list" },
];
