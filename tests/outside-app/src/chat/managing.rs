//! What is done with whole conversations.

use droidmux::sim::toolkit::{Ctx, Env};

use super::action::{Action, Undo};
use super::declared::{STARRED_SENDER, UNDO_PIN};
use super::store::{Author, Chat, ChatId, MessageId};
use super::{CHAT, Messenger, list, people};
use crate::selection;

/// How many conversations can be pinned.
const PINS: usize = 3;

impl Messenger {
    pub(super) fn with_selected(&mut self, change: impl Fn(&mut Chat), ctx: &mut Ctx<'_, Action>) {
        for id in list::selected(self, ctx.page()) {
            self.store.change_chat(id, &change);
        }
        selection::clear(ctx);
    }

    pub(super) fn pin(&mut self, pin: bool, ctx: &mut Ctx<'_, Action>) {
        let selected = list::selected(self, ctx.page());
        let is_pinned = |one: &&Chat| one.pinned && !selected.contains(&one.id);
        let others = self.store.chats.iter().filter(is_pinned).count();
        if pin && others + selected.len() > PINS {
            return ctx.toast(format!("You can pin {} conversations", PINS));
        }
        let change = |one: &mut Chat| {
            one.pinned = pin;
            // What the wrong app never writes; a pin that is taken away is gone for good.
            one.pin_stored &= pin;
        };
        self.with_selected(change, ctx);
    }

    pub(super) fn archive(&mut self, ctx: &mut Ctx<'_, Action>) {
        let mut archived = Vec::new();
        for id in list::selected(self, ctx.page()) {
            self.store.change_chat(id, |one| {
                archived.push((id, one.pinned));
                (one.archived, one.pinned) = (true, false);
            });
        }
        if !archived.is_empty() {
            self.undo = Some(Undo::Archived(archived));
        }
        selection::clear(ctx);
    }

    pub(super) fn delete(&mut self, ids: &[ChatId]) {
        let deleted: Vec<_> = ids.iter().filter_map(|id| self.store.take_chat(*id)).collect();
        if !deleted.is_empty() {
            self.undo = Some(Undo::Deleted(deleted));
        }
    }

    pub(super) fn take_back(&mut self, undo: Option<Undo>) {
        match undo {
            Some(Undo::Messages(messages)) => {
                for message in &messages {
                    self.store.change_chat(message.chat, |one| one.old_preview = None);
                }
                self.store.restore_messages(messages);
            }
            Some(Undo::Archived(chats)) => {
                for (id, pinned) in chats {
                    // The wrong undo does nothing but to take it out of the archive.
                    let pinned = pinned && !self.defects.strikes(&UNDO_PIN, pinned);
                    self.store.change_chat(id, |one| (one.archived, one.pinned) = (false, pinned));
                }
            }
            Some(Undo::Deleted(chats)) => {
                for (chat, messages) in chats {
                    self.store.chats.push(chat);
                    self.store.restore_messages(messages);
                }
                self.store.chats.sort_by_key(|one| one.id.0);
            }
            None => {}
        }
    }

    pub(super) fn open_starred(&mut self, id: MessageId, ctx: &mut Ctx<'_, Action>) {
        let Some(message) = self.store.message(id) else { return };
        // The wrong list looks for the conversation with who wrote it.
        let chat = self.defects.either(&STARRED_SENDER, message.chat, || match message.author {
            Author::Contact(contact) => self.store.direct(contact).unwrap_or(message.chat),
            _ => message.chat,
        });
        ctx.start(CHAT, format!("{} at {}", chat.0, id.0));
    }

    pub(super) fn create_group(&mut self, ctx: &mut Ctx<'_, Action>) {
        let members = people::chosen(self, ctx.page());
        let name = ctx.page().field(people::GROUP).trim().to_owned();
        if name.is_empty() {
            return ctx.toast("A group needs a name");
        }
        if members.is_empty() {
            return ctx.toast("A group needs members");
        }
        let id = self.store.add_chat(None, &name, members);
        self.line(id, "You created the group".to_owned(), ctx.env());
        ctx.finish();
        ctx.start(CHAT, id.0);
    }

    /// Writes a line about a group into it.
    pub(super) fn line(&mut self, id: ChatId, text: String, env: &Env) {
        self.store.file(id, Author::System, &text, &env.now().clock_text());
    }

    /// Sends what waits for the network.
    pub(super) fn flush(&mut self, env: &Env) {
        if env.is_online() {
            self.store.change_messages(|message| message.waiting = false);
        }
    }
}
