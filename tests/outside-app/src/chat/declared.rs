//! What is wrong with the messenger when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const PREVIEW_DELETED: Defect = Defect {
    id: "chat.preview-deleted",
    kind: DefectKind::InconsistentState,
    what: "a message that was deleted as the last one of its conversation is still the preview in the list",
    seed: "reports on messengers: a deleted message is still shown in the list of conversations",
};
pub(super) const EDIT_STAR: Defect = Defect {
    id: "chat.edit-star",
    kind: DefectKind::DataLoss,
    what: "a starred message that is edited loses its star",
    seed: "reports on Telegram and its forks: an edited message is replaced by a new one without its flags",
};
pub(super) const FILTER_RETURN: Defect = Defect {
    id: "chat.filter-return",
    kind: DefectKind::WrongBehaviour,
    what: "coming back from another page, the list shows all conversations though a filter is still chosen",
    seed: "reports on list apps: the filter stays marked and is ignored once the list is loaded again",
};
pub(super) const EDIT_DRAFT: Defect = Defect {
    id: "chat.edit-draft",
    kind: DefectKind::DataLoss,
    what: "beginning to edit a message throws away the draft that stood in the field",
    seed: "reports on Signal and Telegram: what was typed is gone after an edit was cancelled",
};
pub(super) const SEARCH_EDITED: Defect = Defect {
    id: "chat.search-edited",
    kind: DefectKind::UpdateDelay,
    what: "a search finds edited messages by what they said first, not by what they say now",
    seed: "reports on Element and Signal: the search index knows the first version of a message",
};
pub(super) const STARRED_SENDER: Defect = Defect {
    id: "chat.starred-sender",
    kind: DefectKind::WrongBehaviour,
    what: "a starred message of a group opens the conversation with its sender instead of the group",
    seed: "reports on messengers: a tap on a message in a list of all leads to the wrong conversation",
};
pub(super) const MEMBERS_STALE: Defect = Defect {
    id: "chat.members-stale",
    kind: DefectKind::UpdateDelay,
    what: "a group's page tells the old number of members until it is opened anew",
    seed: "reports on Signal and WhatsApp: the member count of a group is wrong after a change",
};
pub(super) const FORWARD_AGAIN: Defect = Defect {
    id: "chat.forward-again",
    kind: DefectKind::WrongBehaviour,
    what: "turning the screen of a conversation to which a message was forwarded forwards it once more",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: an intent is handled again when its activity is created again",
};
pub(super) const UNDO_PIN: Defect = Defect {
    id: "chat.undo-pin",
    kind: DefectKind::WrongBehaviour,
    what: "undoing the archiving of a pinned conversation brings it back without its pin",
    seed: "reports on Telegram and WhatsApp: a pinned conversation is not pinned when it is back from the archive",
};
pub(super) const KILLED_PINS: Defect = Defect {
    id: "chat.killed-pins",
    kind: DefectKind::DataLoss,
    what: "conversations that were pinned are not any more after the app was ended in the background",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: state that only the process holds is lost",
};
pub(super) const DEFECTS: &[Defect] = &[
    PREVIEW_DELETED,
    EDIT_STAR,
    FILTER_RETURN,
    EDIT_DRAFT,
    SEARCH_EDITED,
    STARRED_SENDER,
    MEMBERS_STALE,
    FORWARD_AGAIN,
    UNDO_PIN,
    KILLED_PINS,
];

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        id: "chat.return-receives",
        what: "coming back to the app brings a new message, and its conversation moves up",
    },
    Trap {
        id: "chat.open-reads",
        what: "a conversation that was opened is read, so a list of the unread ones no longer has it",
    },
    Trap { id: "chat.draft-preview", what: "a draft stands in the list in place of the last message" },
    Trap { id: "chat.archive-unpins", what: "archiving a pinned conversation takes its pin away" },
    Trap {
        id: "chat.arrival-unarchives",
        what: "a message that arrives brings its conversation out of the archive",
    },
    Trap {
        id: "chat.quote-stays",
        what: "a reply quotes what the message said then, though it was edited since",
    },
    Trap { id: "chat.sent-twice", what: "the same message can be sent twice and then stands there twice" },
    Trap {
        id: "chat.earlier-messages",
        what: "a conversation shows its last five messages: a newer one takes the oldest off the page",
    },
    Trap { id: "chat.pin-limit", what: "three conversations can be pinned, a fourth is refused" },
    Trap {
        id: "chat.selection-controls",
        what: "pinning and archiving are offered only while conversations are selected",
    },
    Trap { id: "chat.edit-own", what: "editing is offered for one's own messages only" },
    Trap { id: "chat.preview-setting", what: "a setting takes the last messages off the list" },
    Trap { id: "chat.clear-keeps", what: "clearing a conversation keeps its starred messages" },
    Trap { id: "chat.undo-expires", what: "an undo is offered only until the next action" },
    Trap {
        id: "chat.line-name",
        what: "a line about a group keeps the name that a contact had when it was written",
    },
    Trap { id: "chat.blocked-field", what: "there is no field to write in while the contact is blocked" },
    Trap { id: "chat.nothing-said", what: "a conversation in which nothing was said is not in the list" },
    Trap {
        id: "chat.muted-uncounted",
        what: "unread messages of muted conversations do not count at the top of the list",
    },
    Trap { id: "chat.forward-plain", what: "what is forwarded is marked so and has no star" },
    Trap { id: "chat.offline-waits", what: "a message that is sent without a network says that it waits" },
    Trap { id: "chat.groups-alike", what: "two groups can have the same name" },
    Trap { id: "chat.back-filter", what: "BACK takes the filter off the list before it leaves the app" },
];
