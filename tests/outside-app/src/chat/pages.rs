//! The pages about a conversation, of starred messages, and of settings.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::people::NAME;
use super::store::{Chat, ChatId, ContactId, Message};
use super::talk::{members, who};
use super::{Action, Messenger};

pub(super) fn info(chat: &Messenger, page: &ActivityState) -> Screen<Action> {
    let found = page.argument_number().and_then(|id| chat.store.chat(ChatId(id)));
    let Some(one) = found else {
        let gone = View::empty("gone", "This conversation was deleted");
        return Screen::new("Info", gone).color(Color::TEAL).up();
    };
    let id = one.id;
    let starred = starred_of(chat, Some(id)).len();
    let mut list = View::recycler("info")
        .child(View::label("info_name", chat.store.chat_name(id)).pad(16).text_size(TextSize::Large))
        .child(View::setting("Mute", "No sound for new messages", one.muted, Action::ToggleMute(id)))
        .child(View::preference("Starred messages", &starred.to_string(), Action::Starred(Some(id))))
        .child(View::preference("Clear messages", "Starred ones are kept", Action::AskClear(id)));
    let screen = |list| Screen::new("Info", list).color(Color::TEAL).up();
    if let Some(contact) = one.with {
        let blocked = chat.store.is_blocked(one);
        list = list.child(View::setting(
            "Block",
            "Nothing is received from this contact",
            blocked,
            Action::Block(contact, !blocked),
        ));
        return screen(list);
    }
    let member = |contact: &ContactId| {
        View::label("member_row", chat.store.contact_name(*contact))
            .high(48)
            .pad_sides(16, 12)
            .on_click(Action::MemberMenu(id, *contact))
    };
    list = list
        .child(View::preference("Leave group", "And delete its messages", Action::AskLeave(id)))
        .child(View::heading("member_count", members(one.members.len() + 1)))
        .child(View::label("member_row", format!("{} (you)", chat.name)).high(48).pad_sides(16, 12))
        .children(one.members.iter().map(member));
    screen(list).action("rename", Icon::Pencil, "Rename group", Action::AskRename(id)).action(
        "add_member",
        Icon::Add,
        "Add member",
        Action::AskMember(id),
    )
}

pub(super) fn ask_clear(chat: &Messenger, id: ChatId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Clear {}?", chat.store.chat_name(id)))
        .message("All messages but the starred ones are deleted.")
        .negative("Cancel")
        .positive("Clear", Action::Clear(id));
    ctx.show(dialog);
}

pub(super) fn ask_leave(chat: &Messenger, id: ChatId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Leave {}?", chat.store.chat_name(id)))
        .message("The group and its messages are deleted.")
        .negative("Cancel")
        .positive("Leave", Action::Leave(id));
    ctx.show(dialog);
}

pub(super) fn ask_rename(chat: &Messenger, id: ChatId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Rename group")
        .field(NAME, "Name", chat.store.chat_name(id))
        .negative("Cancel")
        .positive("OK", Action::Rename(id));
    ctx.show(dialog);
}

pub(super) fn member_menu(id: ChatId, contact: ContactId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Message".into(), Action::Write(contact)),
        ("Remove from group".into(), Action::RemoveMember(id, contact)),
    ]);
}

pub(super) fn ask_member(chat: &Messenger, id: ChatId, ctx: &mut Ctx<'_, Action>) {
    let inside = chat.store.chat(id).map_or(&[][..], |one| &one.members);
    let others = chat.store.contacts.iter().filter(|one| !inside.contains(&one.id) && !one.blocked);
    let dialog = others.fold(Dialog::new("Add member").negative("Cancel"), |dialog, contact| {
        dialog.choice(&contact.name, Action::AddMember(id, contact.id))
    });
    ctx.show(dialog);
}

/// The starred messages of one conversation or all, the latest first.
fn starred_of(chat: &Messenger, of: Option<ChatId>) -> Vec<&Message> {
    let mut list = chat.store.messages(|message| message.starred && of.is_none_or(|id| message.chat == id));
    list.reverse();
    list
}

pub(super) fn starred(chat: &Messenger, page: &ActivityState) -> Screen<Action> {
    let of = page.argument_number().map(ChatId);
    let messages = starred_of(chat, of);
    let row = |message: &&Message| {
        let place = match chat.store.chat(message.chat) {
            Some(group) if group.is_group() => format!("{} in {}", who(chat, message), group.name),
            Some(Chat { id, .. }) => format!("{}, {}", who(chat, message), chat.store.chat_name(*id)),
            None => String::new(),
        };
        View::row()
            .id("starred_row")
            .high(64)
            .pad_sides(16, 4)
            .on_click(Action::OpenStarred(message.id))
            .child(
                View::column()
                    .share_width()
                    .child(View::label("starred_from", place).text_size(TextSize::Small).ink(Color::FAINT))
                    .child(View::label("starred_text", &message.text)),
            )
            .child(View::icon_button("unstar", Icon::Star, "Unstar", Action::Star(message.id)))
    };
    let screen = |body| Screen::new("Starred messages", body).color(Color::TEAL).up();
    if messages.is_empty() {
        return screen(View::empty("empty", "No starred messages"));
    }
    let screen = screen(View::recycler("starred").children(messages.iter().map(row)));
    if of.is_none() { screen.menu("Unstar all", Action::AskUnstarAll) } else { screen }
}

pub(super) fn ask_unstar_all(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Unstar all messages?")
        .message("The messages themselves stay.")
        .negative("Cancel")
        .positive("Unstar", Action::UnstarAll);
    ctx.show(dialog);
}

pub(super) fn settings(chat: &Messenger) -> Screen<Action> {
    let list = View::recycler("settings")
        .child(View::preference("Your name", &chat.name, Action::AskName))
        .child(View::setting(
            "Message previews",
            "Last messages in the list of conversations",
            chat.previews,
            Action::TogglePreviews,
        ))
        .child(View::setting(
            "Keep archived",
            "Even when a new message arrives",
            chat.keeps_archived,
            Action::ToggleKeepArchived,
        ))
        .child(View::setting(
            "Enter key sends",
            "Instead of closing the keyboard",
            chat.enter_sends,
            Action::ToggleEnter,
        ));
    Screen::new("Settings", list).color(Color::TEAL).up()
}

pub(super) fn ask_name(chat: &Messenger, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Your name")
        .field(NAME, "Name", &chat.name)
        .negative("Cancel")
        .positive("OK", Action::Name);
    ctx.show(dialog);
}
