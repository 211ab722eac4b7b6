//! What touching the widgets of the mail client can mean.

use super::mailbox::{FolderId, MessageId, Order};

/// Messages that were moved, with the folders they were in.
#[derive(Clone)]
pub(super) struct Moved {
    pub messages: Vec<(MessageId, FolderId)>,
    pub to: FolderId,
}

/// What the list shows when nothing is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Folder(FolderId),
    Starred,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Go(Place),
    Refresh,
    Open(MessageId),
    Star(MessageId),
    Select(MessageId),
    SelectAll,
    EndSelection,
    MarkSelected {
        read: bool,
    },
    AskOrder,
    Order(Order),
    ToggleUnread,
    /// Of one message, or of those that are selected.
    AskMove(Option<MessageId>),
    Move(Option<MessageId>, FolderId),
    Delete(Option<MessageId>),
    DeleteNow(Option<MessageId>),
    Destroy(Option<MessageId>),
    AskEmptyTrash,
    EmptyTrash,
    Undo,
    Unread(MessageId),
    Reply(MessageId),
    New,
    Send,
    SaveDraft,
    Discard,
    Recent(usize),
    Folders,
    FolderMenu(FolderId),
    AskFolder(Option<FolderId>),
    NameFolder(Option<FolderId>),
    AskDeleteFolder(FolderId),
    DeleteFolder(FolderId),
    Settings,
    TogglePreview,
    ToggleConfirm,
    AskName,
    Name,
    ClearSearches,
}
