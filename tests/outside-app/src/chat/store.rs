//! Contacts, conversations and their messages, and what still waits on the server.

use super::seed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContactId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChatId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Contact {
    pub id: ContactId,
    pub name: String,
    pub blocked: bool,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    Me,
    Contact(ContactId),
    /// It is a line about the group.
    System,
}

#[derive(Clone, Debug)]
pub(super) struct Message {
    pub id: MessageId,
    pub chat: ChatId,
    pub author: Author,
    pub text: String,
    /// As it was when it was sent.
    pub first_text: String,
    pub when: String,
    pub read: bool,
    pub starred: bool,
    pub edited: bool,
    pub forwarded: bool,
    /// Not sent for want of a network.
    pub waiting: bool,
    /// Who wrote what it answers, and what that said then.
    pub quote: Option<(String, String)>,
}

#[derive(Clone, Debug)]
pub(super) struct Chat {
    pub id: ChatId,
    /// The contact it is with; `None` for a group.
    pub with: Option<ContactId>,
    /// Of a group.
    pub name: String,
    /// Of a group, without oneself.
    pub members: Vec<ContactId>,
    pub pinned: bool,
    /// The pin is on the disk.
    pub pin_stored: bool,
    pub muted: bool,
    pub archived: bool,
    /// Marked as unread.
    pub marked: bool,
    /// What was typed and not sent.
    pub draft: String,
    /// The preview of a last message that was deleted since.
    pub old_preview: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Store {
    pub contacts: Vec<Contact>,
    pub chats: Vec<Chat>,
    /// Oldest first.
    messages: Vec<Message>,
    /// What the server has not handed out yet, the next one last: conversation, sender, text.
    waiting: Vec<(ChatId, ContactId, &'static str)>,
    next: u64,
}

impl Store {
    pub(super) fn new() -> Self {
        let mut store = Self {
            contacts: Vec::new(),
            chats: Vec::new(),
            messages: Vec::new(),
            waiting: Vec::new(),
            next: 100,
        };
        seed::fill(&mut store);
        store
    }

    pub(super) fn let_wait(&mut self, waiting: Vec<(ChatId, ContactId, &'static str)>) {
        self.waiting = waiting;
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn contact(&self, id: ContactId) -> Option<&Contact> {
        self.contacts.iter().find(|contact| contact.id == id)
    }

    pub(super) fn contact_name(&self, id: ContactId) -> &str {
        self.contact(id).map_or("Unknown", |contact| &contact.name)
    }

    /// Adds a contact, or renames one; false when another one has this name.
    pub(super) fn name_contact(&mut self, id: Option<ContactId>, name: &str) -> bool {
        if self.contacts.iter().any(|contact| contact.name == name && Some(contact.id) != id) {
            return false;
        }
        match id {
            Some(id) => {
                if let Some(contact) = self.contacts.iter_mut().find(|contact| contact.id == id) {
                    name.clone_into(&mut contact.name);
                }
            }
            None => {
                let id = ContactId(self.new_id());
                self.contacts.push(Contact { id, name: name.to_owned(), blocked: false });
            }
        }
        true
    }

    pub(super) fn chat(&self, id: ChatId) -> Option<&Chat> {
        self.chats.iter().find(|chat| chat.id == id)
    }

    pub(super) fn change_chat(&mut self, id: ChatId, change: impl FnOnce(&mut Chat)) {
        if let Some(chat) = self.chats.iter_mut().find(|chat| chat.id == id) {
            change(chat);
        }
    }

    pub(super) fn chat_name(&self, id: ChatId) -> &str {
        match self.chat(id) {
            Some(Chat { with: Some(contact), .. }) => self.contact_name(*contact),
            Some(group) => &group.name,
            None => "",
        }
    }

    pub(super) fn direct(&self, with: ContactId) -> Option<ChatId> {
        self.chats.iter().find(|chat| chat.with == Some(with)).map(|chat| chat.id)
    }

    /// Makes a conversation: with a contact, or a group.
    pub(super) fn add_chat(
        &mut self,
        with: Option<ContactId>,
        name: &str,
        members: Vec<ContactId>,
    ) -> ChatId {
        let id = ChatId(self.new_id());
        self.chats.push(Chat {
            id,
            with,
            name: name.to_owned(),
            members,
            pinned: false,
            pin_stored: false,
            muted: false,
            archived: false,
            marked: false,
            draft: String::new(),
            old_preview: None,
        });
        id
    }

    /// Takes a conversation out with all its messages.
    pub(super) fn take_chat(&mut self, id: ChatId) -> Option<(Chat, Vec<Message>)> {
        let at = self.chats.iter().position(|chat| chat.id == id)?;
        let chat = self.chats.remove(at);
        Some((chat, self.take_messages(|message| message.chat == id)))
    }

    /// Whether one cannot write there.
    pub(super) fn is_blocked(&self, chat: &Chat) -> bool {
        chat.with.and_then(|id| self.contact(id)).is_some_and(|contact| contact.blocked)
    }

    pub(super) fn message(&self, id: MessageId) -> Option<&Message> {
        self.messages.iter().find(|message| message.id == id)
    }

    pub(super) fn change_message(&mut self, id: MessageId, change: impl FnOnce(&mut Message)) {
        if let Some(message) = self.messages.iter_mut().find(|message| message.id == id) {
            change(message);
        }
    }

    pub(super) fn change_messages(&mut self, change: impl FnMut(&mut Message)) {
        self.messages.iter_mut().for_each(change);
    }

    /// Those that pass, oldest first.
    pub(super) fn messages(&self, passes: impl Fn(&Message) -> bool) -> Vec<&Message> {
        self.messages.iter().filter(|message| passes(message)).collect()
    }

    pub(super) fn last(&self, chat: ChatId) -> Option<&Message> {
        self.messages.iter().rev().find(|message| message.chat == chat)
    }

    /// Files a message at the end of its conversation.
    pub(super) fn file(&mut self, chat: ChatId, author: Author, text: &str, when: &str) -> MessageId {
        let id = MessageId(self.new_id());
        self.change_chat(chat, |chat| chat.old_preview = None);
        self.messages.push(Message {
            id,
            chat,
            author,
            text: text.to_owned(),
            first_text: text.to_owned(),
            when: when.to_owned(),
            read: !matches!(author, Author::Contact(_)),
            starred: false,
            edited: false,
            forwarded: false,
            waiting: false,
            quote: None,
        });
        id
    }

    /// Takes messages out and gives them.
    pub(super) fn take_messages(&mut self, is_it: impl Fn(&Message) -> bool) -> Vec<Message> {
        let (taken, left) = std::mem::take(&mut self.messages).into_iter().partition(is_it);
        self.messages = left;
        taken
    }

    /// Brings messages back to their places.
    pub(super) fn restore_messages(&mut self, messages: Vec<Message>) {
        self.messages.extend(messages);
        self.messages.sort_by_key(|message| message.id.0);
    }

    pub(super) fn unread(&self, chat: ChatId) -> usize {
        self.messages.iter().filter(|message| message.chat == chat && !message.read).count()
    }

    pub(super) fn mark_read(&mut self, chat: ChatId) {
        self.change_chat(chat, |chat| chat.marked = false);
        self.change_messages(|message| message.read |= message.chat == chat);
    }

    /// Fetches one message from the server. It brings its conversation out of the archive, unless the settings
    /// say otherwise.
    pub(super) fn fetch(&mut self, keeps_archived: bool, when: &str) {
        let Some((chat, from, text)) = self.waiting.pop() else { return };
        if self.contact(from).is_some_and(|contact| contact.blocked) {
            return;
        }
        let chat = match self.chat(chat) {
            Some(chat) if chat.with.is_some() || chat.members.contains(&from) => chat.id,
            // Who left a group or was thrown out of it has no part in it.
            Some(_) => return,
            None if seed::is_direct(chat) => {
                self.direct(from).unwrap_or_else(|| self.add_chat(Some(from), "", Vec::new()))
            }
            None => return,
        };
        self.file(chat, Author::Contact(from), text, when);
        if !keeps_archived {
            self.change_chat(chat, |chat| chat.archived = false);
        }
    }
}

impl Chat {
    pub(super) fn is_group(&self) -> bool {
        self.with.is_none()
    }

    pub(super) fn has_draft(&self) -> bool {
        !self.draft.trim().is_empty()
    }
}
