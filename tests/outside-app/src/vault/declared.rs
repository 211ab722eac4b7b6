//! What is wrong with the vault when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const GROUP_EMPTIED: Defect = Defect {
    id: "vault.group-emptied",
    kind: DefectKind::DataLoss,
    what: "renaming a group leaves it without its entries",
    seed: "reports on Aegis and andOTP: entries refer to their group by its name",
};
pub(super) const ORDER_RESET: Defect = Defect {
    id: "vault.order-reset",
    kind: DefectKind::WrongBehaviour,
    what: "adding an entry sets the order back",
    seed: "reports on authenticators: the sort order is lost when an entry is added",
};
pub(super) const EDIT_FORGETS: Defect = Defect {
    id: "vault.edit-forgets",
    kind: DefectKind::DataLoss,
    what: "an entry that is edited forgets how often it was used",
    seed: "reports on Aegis: the usage count of an entry is gone after an edit",
};
pub(super) const FOUND_OTHER: Defect = Defect {
    id: "vault.found-other",
    kind: DefectKind::WrongBehaviour,
    what: "a touch on a result of a search uses the entry that stands at its place in the list",
    seed: "reports on authenticators: after a search the code of another entry is copied",
};
pub(super) const SHOWN_ANYHOW: Defect = Defect {
    id: "vault.shown-anyhow",
    kind: DefectKind::InconsistentState,
    what: "the page of an entry shows its code though codes are to be shown by a touch only",
    seed: "reports on Aegis: a setting that hides codes does not hold everywhere",
};
pub(super) const RETURN_FORM: Defect = Defect {
    id: "vault.return-form",
    kind: DefectKind::DataLoss,
    what: "what was typed into the form of an entry is gone after a return to the app",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: a form is filled anew when its page resumes",
};
pub(super) const DEFECTS: &[Defect] =
    &[GROUP_EMPTIED, ORDER_RESET, EDIT_FORGETS, FOUND_OTHER, SHOWN_ANYHOW, RETURN_FORM];

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        id: "vault.codes-change",
        what: "codes are others after half a minute, and seconds are counted down",
    },
    Trap { id: "vault.return-locks", what: "a setting locks the app when it is left" },
    Trap { id: "vault.lock-dismisses", what: "leaving the app closes an open dialog where this locks it" },
    Trap { id: "vault.used-moves", what: "an entry that is used moves up where the most used come first" },
    Trap { id: "vault.favourites-first", what: "a favourite stands on top in every order" },
    Trap { id: "vault.log-name", what: "the log keeps the names that entries had then" },
    Trap { id: "vault.log-cap", what: "the log keeps eight lines: a ninth pushes the oldest out" },
    Trap { id: "vault.one-revealed", what: "touching an entry hides the code of the one touched before" },
    Trap { id: "vault.return-hides", what: "a code that was revealed is hidden again after a return" },
    Trap { id: "vault.edit-discarded", what: "what was typed into a form is gone when it is discarded" },
    Trap { id: "vault.group-deleted", what: "the entries of a group that is deleted belong to none" },
    Trap { id: "vault.undo-expires", what: "the undo of a deletion is offered only until the next action" },
    Trap { id: "vault.search-all", what: "a search looks through all groups though one is chosen" },
    Trap { id: "vault.entry-twice", what: "an entry can be there twice" },
    Trap { id: "vault.accounts-setting", what: "a setting takes the accounts off the list" },
];
