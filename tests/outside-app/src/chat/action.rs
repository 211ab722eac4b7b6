//! What touching the widgets of the messenger can mean.

use super::store::{Chat, ChatId, ContactId, Message, MessageId};

/// What was done last, while it can be taken back.
#[derive(Clone)]
pub(super) enum Undo {
    Messages(Vec<Message>),
    /// Conversations that were archived, and whether each was pinned.
    Archived(Vec<(ChatId, bool)>),
    Deleted(Vec<(Chat, Vec<Message>)>),
}

/// Which conversations the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Filter {
    #[default]
    All,
    Unread,
    Groups,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Filter(Filter),
    Open(ChatId),
    /// A message that was found.
    OpenFound(MessageId),
    OpenStarred(MessageId),
    Write(ContactId),
    Select(ChatId),
    EndSelection,
    Pin(bool),
    Mute(bool),
    MarkSelected {
        read: bool,
    },
    ArchiveSelected,
    AskDeleteSelected,
    DeleteSelected,
    MarkAllRead,
    Archive,
    ArchivedMenu(ChatId),
    Unarchive(ChatId),
    AskDelete(ChatId),
    Delete(ChatId),
    Undo,
    Earlier,
    Send,
    MessageMenu(MessageId),
    Reply(MessageId),
    EndReply,
    Star(MessageId),
    AskForward(MessageId),
    Forward(MessageId, ChatId),
    Edit(MessageId),
    EndEdit,
    DeleteMessage(MessageId),
    Info(ChatId),
    ToggleMute(ChatId),
    AskClear(ChatId),
    Clear(ChatId),
    AskRename(ChatId),
    Rename(ChatId),
    MemberMenu(ChatId, ContactId),
    RemoveMember(ChatId, ContactId),
    AskMember(ChatId),
    AddMember(ChatId, ContactId),
    AskLeave(ChatId),
    Leave(ChatId),
    Contacts,
    ContactMenu(ContactId),
    AskContact(Option<ContactId>),
    NameContact(Option<ContactId>),
    Block(ContactId, bool),
    NewGroup,
    ToggleMember(ContactId),
    CreateGroup,
    /// Of one conversation, or of all.
    Starred(Option<ChatId>),
    AskUnstarAll,
    UnstarAll,
    Settings,
    TogglePreviews,
    ToggleKeepArchived,
    ToggleEnter,
    AskName,
    Name,
}
