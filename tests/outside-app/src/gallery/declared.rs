//! What is wrong with the gallery when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const SORTED_NEXT: Defect = Defect {
    id: "gallery.sorted-next",
    kind: DefectKind::WrongBehaviour,
    what: "the page of a photo steps through the album from the newest on, whatever order the album is in",
    seed: "reports on Simple Gallery: swiping does not follow the order that was chosen for the folder",
};
pub(super) const DELETES_FIRST: Defect = Defect {
    id: "gallery.deletes-first",
    kind: DefectKind::DataLoss,
    what: "after a step to another photo, deleting deletes the one that was opened",
    seed: "reports on Simple Gallery: another photo than the one that is shown is deleted",
};
pub(super) const RESTORED_PLAIN: Defect = Defect {
    id: "gallery.restored-plain",
    kind: DefectKind::DataLoss,
    what: "a favourite that is restored from the recycle bin is a favourite no more",
    seed: "reports on Simple Gallery: favourites are cleared when files go to the recycle bin",
};
pub(super) const COUNT_STALE: Defect = Defect {
    id: "gallery.count-stale",
    kind: DefectKind::InconsistentState,
    what: "the counts of albums stay as they were when photos are moved, until an album is opened",
    seed: "reports on gallery apps: the number of items under an album is wrong after a move",
};
pub(super) const SEARCH_HIDDEN: Defect = Defect {
    id: "gallery.search-hidden",
    kind: DefectKind::WrongBehaviour,
    what: "a search finds photos of hidden albums while these are not shown",
    seed: "reports on gallery apps: what is in hidden folders turns up in the search",
};
pub(super) const TURN_PHOTO: Defect = Defect {
    id: "gallery.turn-photo",
    kind: DefectKind::WrongDisplay,
    what: "turning the screen leads from the photo that is shown back to the one that was opened",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: a page goes back to its beginning when the screen is turned",
};
pub(super) const DEFECTS: &[Defect] =
    &[SORTED_NEXT, DELETES_FIRST, RESTORED_PLAIN, COUNT_STALE, SEARCH_HIDDEN, TURN_PHOTO];

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        id: "gallery.return-photo",
        what: "coming back to the app brings a photo that was taken meanwhile",
    },
    Trap { id: "gallery.favourites-album", what: "an album of favourites is there only while there are any" },
    Trap { id: "gallery.pinned-first", what: "an album that is pinned moves to the front" },
    Trap { id: "gallery.next-after-delete", what: "deleting the photo that is shown leads to the next one" },
    Trap {
        id: "gallery.viewer-snapshot",
        what: "a favourite taken back stays on the page that steps through the favourites, and is gone after it",
    },
    Trap { id: "gallery.bin-off", what: "with the recycle bin off, what is deleted is not in it" },
    Trap { id: "gallery.day-headings", what: "a setting puts photos under headings of their days" },
    Trap { id: "gallery.hidden-leaves", what: "an album that is hidden leaves the page of albums" },
    Trap {
        id: "gallery.hidden-return",
        what: "hidden albums that are shown are hidden again after a return",
    },
    Trap { id: "gallery.other-name", what: "a copy of a photo gets another name where its own is taken" },
    Trap { id: "gallery.selection-controls", what: "copying is offered only while photos are selected" },
    Trap {
        id: "gallery.album-restored",
        what: "restoring a photo brings back the album that was deleted with it",
    },
    Trap { id: "gallery.undo-turn", what: "the offer to undo a deletion goes when the screen is turned" },
    Trap { id: "gallery.names-setting", what: "a setting takes the names of files off all albums" },
];
