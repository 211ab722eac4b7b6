//! What is wrong with the shop when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const DISCOUNT_STALE: Defect = Defect {
    id: "basket.discount-stale",
    kind: DefectKind::UpdateDelay,
    what: "the discount of a coupon stays what it was when the cart changes",
    seed: "reports on WooCommerce: the discount is not worked out again when a quantity changes",
};
pub(super) const COUNT_REMOVED: Defect = Defect {
    id: "basket.count-removed",
    kind: DefectKind::InconsistentState,
    what: "the number of items in the toolbars still counts what was removed from the cart",
    seed: "reports on shops: the badge of the cart is not updated when an item is removed",
};
pub(super) const SORT_UNFILTERS: Defect = Defect {
    id: "basket.sort-unfilters",
    kind: DefectKind::WrongBehaviour,
    what: "sorting a filtered list brings back what the filters took out, though they stay marked",
    seed: "reports on shops: filters are lost when the order is changed",
};
pub(super) const UNDO_QUANTITY: Defect = Defect {
    id: "basket.undo-quantity",
    kind: DefectKind::DataLoss,
    what: "undoing a removal from the cart brings one piece back, however many there were",
    seed: "reports on shops: undo restores a removed item with quantity one",
};
pub(super) const FAVOURITE_OPENS: Defect = Defect {
    id: "basket.favourite-opens",
    kind: DefectKind::WrongBehaviour,
    what: "once a favourite was taken out of the list, a touch opens what stood at the place before",
    seed: "reports on list apps: positions are stale after an item was removed, and the wrong one opens",
};
pub(super) const SEARCH_CATEGORY: Defect = Defect {
    id: "basket.search-category",
    kind: DefectKind::WrongDisplay,
    what: "a search through all products misses those of other categories than the chosen one",
    seed: "reports on shops: the search is limited to the category that was open before",
};
pub(super) const CANCEL_STOCK: Defect = Defect {
    id: "basket.cancel-stock",
    kind: DefectKind::InconsistentState,
    what: "what was in an order that is cancelled stays sold",
    seed: "reports on WooCommerce: the stock is not restored when an order is cancelled",
};
pub(super) const ADDRESS_OLD: Defect = Defect {
    id: "basket.address-old",
    kind: DefectKind::WrongBehaviour,
    what: "an order goes to the address of the last one, though another was entered",
    seed: "reports on shops: a changed delivery address is used from the next order on",
};
pub(super) const ORDER_DOUBLED: Defect = Defect {
    id: "basket.order-doubled",
    kind: DefectKind::InconsistentState,
    what: "an order is placed again by a return to the app while its page is shown",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: what a page did is done again when it resumes",
};
pub(super) const KILLED_QUANTITY: Defect = Defect {
    id: "basket.killed-quantity",
    kind: DefectKind::DataLoss,
    what: "quantities changed in the cart are the former ones after the app was ended in the background",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: state that only the process holds is lost",
};
pub(super) const DEFECTS: &[Defect] = &[
    DISCOUNT_STALE,
    COUNT_REMOVED,
    SORT_UNFILTERS,
    UNDO_QUANTITY,
    FAVOURITE_OPENS,
    SEARCH_CATEGORY,
    CANCEL_STOCK,
    ADDRESS_OLD,
    ORDER_DOUBLED,
    KILLED_QUANTITY,
];

pub(super) const TRAPS: &[Trap] = &[
    Trap { id: "basket.pick-changes", what: "the pick of the day is another one after a start" },
    Trap {
        id: "basket.recent-moves",
        what: "a product that is viewed moves to the front of those viewed last",
    },
    Trap {
        id: "basket.recent-cap",
        what: "three products stand as viewed last: a fourth pushes the oldest out",
    },
    Trap { id: "basket.sizes-apart", what: "a product in two sizes has two lines in the cart" },
    Trap { id: "basket.adds-up", what: "adding a product twice adds up its quantity instead of lines" },
    Trap { id: "basket.free-delivery", what: "the delivery costs nothing once the cart is worth enough" },
    Trap { id: "basket.coupon-asleep", what: "a coupon stays without effect below its smallest amount" },
    Trap { id: "basket.cart-empties", what: "placing an order empties the cart and uses the coupon up" },
    Trap { id: "basket.cancelled-stays", what: "an order that is cancelled stays on the list of orders" },
    Trap { id: "basket.old-price", what: "an old order keeps the price that a product had then" },
    Trap {
        id: "basket.order-packs",
        what: "an order is packed after a while and cannot be cancelled any more",
    },
    Trap { id: "basket.order-twice", what: "the same order can be placed twice and is then listed twice" },
    Trap { id: "basket.again-leaves-out", what: "buying an order again leaves out what is sold out" },
    Trap { id: "basket.address-kept", what: "the checkout begins with the address of the last order" },
    Trap { id: "basket.step-back", what: "BACK in the checkout leads one step back, not out of it" },
    Trap { id: "basket.checkout-left", what: "what was entered in a checkout that is left is gone" },
    Trap { id: "basket.stock-cap", what: "no more can be put into the cart than there are" },
    Trap {
        id: "basket.sold-out-leaves",
        what: "a product that an order uses up leaves the list of those in stock",
    },
    Trap { id: "basket.search-all", what: "a search ignores the filters" },
    Trap { id: "basket.back-tab", what: "BACK on another tab leads to the shop, not out of the app" },
    Trap { id: "basket.undo-expires", what: "the undo of a removal is offered only until the next action" },
    Trap { id: "basket.unfavoured-leaves", what: "a product whose star is taken leaves the favourites" },
    Trap { id: "basket.compact-setting", what: "a setting takes rating and stock off all lists" },
];
