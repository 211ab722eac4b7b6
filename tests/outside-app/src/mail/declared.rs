//! What is wrong with the mail client when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const UNDO_INBOX: Defect = Defect {
    id: "mail.undo-inbox",
    kind: DefectKind::WrongBehaviour,
    what: "undoing a deletion brings a message back to the inbox, whichever folder it was in",
    seed: "reports on K-9 Mail and FairEmail: what is taken back out of the trash is not where it was",
};
pub(super) const SEARCH_ARCHIVE: Defect = Defect {
    id: "mail.search-archive",
    kind: DefectKind::WrongDisplay,
    what: "a search through all folders misses the archive",
    seed: "reports on K-9 Mail: a search finds nothing in folders that are not shown",
};
pub(super) const COUNT_MOVED: Defect = Defect {
    id: "mail.count-moved",
    kind: DefectKind::InconsistentState,
    what: "a folder still counts unread messages that were moved out of it",
    seed: "reports on K-9 Mail: the unread counter counts messages of the archive and the trash",
};
pub(super) const OLD_NAME: Defect = Defect {
    id: "mail.old-name",
    kind: DefectKind::UpdateDelay,
    what: "a renamed folder keeps its old name among the results of a search and where messages are moved to",
    seed: "reports on mail clients: a folder that was renamed is listed under both names",
};
pub(super) const DRAFT_DOUBLED: Defect = Defect {
    id: "mail.draft-doubled",
    kind: DefectKind::InconsistentState,
    what: "saving a draft again makes a second one",
    seed: "reports on K-9 Mail: old drafts pile up beside the one that was edited",
};
pub(super) const TURN_SELECTION: Defect = Defect {
    id: "mail.turn-selection",
    kind: DefectKind::DataLoss,
    what: "the selection is gone when the screen is turned",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: what was selected is lost when the screen is turned",
};
pub(super) const DEFECTS: &[Defect] =
    &[UNDO_INBOX, SEARCH_ARCHIVE, COUNT_MOVED, OLD_NAME, DRAFT_DOUBLED, TURN_SELECTION];

pub(super) const TRAPS: &[Trap] = &[
    Trap { id: "mail.return-fetches", what: "coming back to the app fetches a new message" },
    Trap {
        id: "mail.read-leaves",
        what: "a message that was opened is read, so a list of the unread no longer has it",
    },
    Trap { id: "mail.undo-expires", what: "the undo of a deletion is offered only until the next action" },
    Trap {
        id: "mail.search-headings",
        what: "an empty search lists the last searches, and results stand under the names of their folders",
    },
    Trap { id: "mail.draft-discarded", what: "a draft that is discarded is nowhere" },
    Trap {
        id: "mail.trash-for-good",
        what: "what is deleted in the trash is gone after a question, without an undo",
    },
    Trap { id: "mail.sender-stays", what: "a message that was sent keeps the name its sender had then" },
    Trap { id: "mail.sent-twice", what: "the same message can be sent twice and is then listed twice" },
    Trap {
        id: "mail.selection-controls",
        what: "archiving and moving are offered only while messages are selected",
    },
    Trap { id: "mail.preview-setting", what: "a setting takes the first line of messages off all lists" },
    Trap { id: "mail.searches-cap", what: "three searches are remembered: a fourth pushes the oldest out" },
    Trap { id: "mail.back-inbox", what: "BACK in another folder leads to the inbox, not out of the app" },
    Trap { id: "mail.folder-deleted", what: "the messages of a folder that is deleted are in the archive" },
];
