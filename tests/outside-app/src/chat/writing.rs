//! What is done within a conversation: writing, answering, editing, forwarding, and the group itself.

use droidmux::sim::toolkit::{Ctx, Env};

use super::action::{Action, Undo};
use super::declared::{EDIT_DRAFT, EDIT_STAR, FORWARD_AGAIN};
use super::people::NAME;
use super::store::{Author, ChatId, MessageId};
use super::talk::{self, FIELD, Purpose};
use super::{INFO, Messenger, list, pages};

impl Messenger {
    pub(super) fn act_in_chat(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Earlier => {
                let more = ctx.page().number("earlier") + 1;
                ctx.save("earlier", more);
            }
            Action::Send => self.send(ctx),
            Action::MessageMenu(id) => talk::message_menu(self, id, ctx),
            Action::Reply(id) => {
                self.end_edit(ctx);
                ctx.save("reply", id.0);
                ctx.focus(FIELD);
            }
            Action::EndReply => ctx.save("reply", ""),
            Action::Star(id) => self.store.change_message(id, |message| message.starred = !message.starred),
            Action::AskForward(id) => talk::ask_forward(self, id, ctx),
            Action::Forward(message, to) => {
                self.end_edit(ctx);
                ctx.start(super::CHAT, format!("{} forward {}", to.0, message.0));
            }
            Action::Edit(id) => self.begin_edit(id, ctx),
            Action::EndEdit => self.end_edit(ctx),
            Action::DeleteMessage(id) => self.delete_message(id, ctx),
            Action::Info(id) => {
                self.end_edit(ctx);
                ctx.start(INFO, id.0);
            }
            Action::ToggleMute(id) => self.store.change_chat(id, |one| one.muted = !one.muted),
            Action::AskClear(id) => pages::ask_clear(self, id, ctx),
            Action::Clear(id) => {
                self.store.change_chat(id, |one| one.old_preview = None);
                self.store.take_messages(|message| message.chat == id && !message.starred);
            }
            Action::AskRename(id) => pages::ask_rename(self, id, ctx),
            Action::Rename(id) => {
                let name = ctx.field(NAME).trim().to_owned();
                if name.is_empty() {
                    return ctx.toast("A group needs a name");
                }
                if name != self.store.chat_name(id) {
                    self.line(id, format!("You renamed the group to {name}"), ctx.env());
                    self.store.change_chat(id, |one| one.name = name);
                }
            }
            Action::MemberMenu(id, contact) => pages::member_menu(id, contact, ctx),
            Action::RemoveMember(id, contact) => {
                self.store.change_chat(id, |one| one.members.retain(|member| *member != contact));
                self.line(id, format!("You removed {}", self.store.contact_name(contact)), ctx.env());
            }
            Action::AskMember(id) => pages::ask_member(self, id, ctx),
            Action::AddMember(id, contact) => {
                self.store.change_chat(id, |one| one.members.push(contact));
                self.line(id, format!("You added {}", self.store.contact_name(contact)), ctx.env());
            }
            Action::AskLeave(id) => pages::ask_leave(self, id, ctx),
            Action::Leave(id) => {
                self.store.take_chat(id);
                ctx.finish();
            }
            _ => {}
        }
    }

    /// The page of a conversation was made, or made again.
    pub(super) fn enter_chat(&mut self, again: bool, ctx: &mut Ctx<'_, Action>) {
        let Some((id, purpose)) = talk::opened(ctx.page()) else { return };
        let Some(members) = self.store.chat(id).map(|one| one.members.len() + 1) else { return };
        if let Purpose::Forward(message) = purpose {
            // The wrong page does what it was started for whenever it is made.
            let is_there = self.store.message(message).is_some();
            if !again || self.defects.strikes(&FORWARD_AGAIN, is_there) {
                self.forward(message, id, ctx.env());
            }
        }
        self.store.mark_read(id);
        ctx.save("members", members);
        if !again {
            self.show_draft(id, ctx);
        }
    }

    /// The page above the one of a conversation was left.
    pub(super) fn return_to_chat(&mut self, ctx: &mut Ctx<'_, Action>) {
        let Some((id, _)) = talk::opened(ctx.page()) else { return };
        if self.store.chat(id).is_none() {
            return ctx.finish();
        }
        // It may have been open above itself.
        self.store.mark_read(id);
        if talk::edited(self, ctx.page()).is_none() {
            self.show_draft(id, ctx);
        }
    }

    fn show_draft(&self, id: ChatId, ctx: &mut Ctx<'_, Action>) {
        let draft = self.store.chat(id).map_or("", |one| one.draft.as_str());
        ctx.set_field(FIELD, draft);
    }

    /// What is typed is kept, unless it is the text of a message that is edited.
    pub(super) fn keep_draft(&mut self, ctx: &Ctx<'_, Action>) {
        let Some((id, _)) = talk::opened(ctx.page()) else { return };
        if talk::edited(self, ctx.page()).is_none() {
            let text = ctx.page().field(FIELD).to_owned();
            self.store.change_chat(id, |one| one.draft = text);
        }
    }

    fn begin_edit(&mut self, id: MessageId, ctx: &mut Ctx<'_, Action>) {
        let Some(message) = self.store.message(id) else { return };
        let (chat, text) = (message.chat, message.text.clone());
        let drafted = self.store.chat(chat).is_some_and(|one| one.has_draft());
        // The wrong field has room for one text only.
        if self.defects.strikes(&EDIT_DRAFT, drafted) {
            self.store.change_chat(chat, |one| one.draft.clear());
        }
        ctx.save("edit", id.0);
        ctx.save("reply", "");
        ctx.set_field(FIELD, text);
        ctx.focus(FIELD);
    }

    /// Ends editing; the draft from before is in the field again.
    pub(super) fn end_edit(&mut self, ctx: &mut Ctx<'_, Action>) {
        let was_edit = !ctx.page().variable("edit").is_empty();
        ctx.save("edit", "");
        if let (true, Some((id, _))) = (was_edit, talk::opened(ctx.page())) {
            self.show_draft(id, ctx);
        }
    }

    fn send(&mut self, ctx: &mut Ctx<'_, Action>) {
        let Some((chat, _)) = talk::opened(ctx.page()) else { return };
        let text = ctx.page().field(FIELD).trim().to_owned();
        if text.is_empty() {
            return ctx.toast("Type a message");
        }
        if let Some(message) = talk::edited(self, ctx.page()) {
            let (id, changed) = (message.id, message.text != text);
            // The wrong message is made anew.
            let plain = changed && self.defects.strikes(&EDIT_STAR, message.starred);
            self.store.change_message(id, |message| {
                message.edited |= changed;
                message.starred &= !plain;
                message.text = text;
            });
            return self.end_edit(ctx);
        }
        let quote =
            talk::answered(self, ctx.page()).map(|message| (talk::who(self, message), message.text.clone()));
        let id = self.post(chat, &text, ctx.env());
        self.store.change_message(id, |message| message.quote = quote);
        self.store.change_chat(chat, |one| one.draft.clear());
        ctx.set_field(FIELD, "");
        ctx.save("reply", "");
        ctx.scroll_to_top("messages");
    }

    /// Sends a message, or lets it wait for the network.
    fn post(&mut self, chat: ChatId, text: &str, env: &Env) -> MessageId {
        let id = self.store.file(chat, Author::Me, text, &env.now().clock_text());
        self.store.change_message(id, |message| message.waiting = !env.is_online());
        id
    }

    fn forward(&mut self, message: MessageId, to: ChatId, env: &Env) {
        let Some(text) = self.store.message(message).map(|message| message.text.clone()) else { return };
        let id = self.post(to, &text, env);
        self.store.change_message(id, |message| message.forwarded = true);
    }

    fn delete_message(&mut self, id: MessageId, ctx: &mut Ctx<'_, Action>) {
        let Some(chat) = self.store.message(id).map(|message| message.chat) else { return };
        if let Some(last) = self.store.last(chat).filter(|last| last.id == id) {
            let told = list::told(self, last);
            self.store.change_chat(chat, |one| one.old_preview = Some(told));
        }
        if talk::edited(self, ctx.page()).is_some_and(|message| message.id == id) {
            self.end_edit(ctx);
        }
        self.undo = Some(Undo::Messages(self.store.take_messages(|message| message.id == id)));
    }
}
