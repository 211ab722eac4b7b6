//! The list of conversations, with filter, search and selection, and the archive.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Gravity, Icon, Screen, TextSize, View,
};

use super::action::Filter;
use super::declared::{FILTER_RETURN, PREVIEW_DELETED, SEARCH_EDITED};
use super::store::{Author, Chat, ChatId, Contact, Message};
use super::{Action, Messenger};
use crate::selection;

/// The search of the toolbar.
pub(super) const QUERY: &str = "search_field";

pub(super) fn view(chat: &Messenger, page: &ActivityState, env: &Env) -> Screen<Action> {
    let query = page.query(QUERY);
    let selected = if query.is_some() { Vec::new() } else { selected(chat, page) };
    let content = match query {
        Some("") => View::empty("empty_search", "Search conversations and messages"),
        Some(query) => results(chat, query),
        None => conversations(chat, page, &selected),
    };
    let mut body = View::column().fill();
    if !env.is_online() {
        body = body.child(
            View::label("offline", "Waiting for network").wide().pad_sides(16, 6).background(Color::AMBER),
        );
    }
    if query.is_none() {
        body = body.child(chips(filter(page)));
    }
    body = body.child(content.share_height());
    if !selected.is_empty() {
        return selection_bar(chat, &selected, body);
    }
    let write = View::fab("new_chat", Icon::Pencil, "New conversation", Action::Contacts)
        .at(Gravity::BottomEnd)
        .margin(0, 0, 16, 16);
    let mut screen = Screen::new("Chats", body)
        .color(Color::TEAL)
        .search(QUERY, "Search")
        .menu("New group", Action::NewGroup)
        .menu("Starred messages", Action::Starred(None))
        .menu("Mark all as read", Action::MarkAllRead)
        .menu("Settings", Action::Settings)
        .over(write);
    let unread: usize =
        listed(chat).iter().filter(|one| !one.muted).map(|one| chat.store.unread(one.id)).sum();
    if query.is_none() && unread > 0 {
        screen = screen.subtitle(format!("{unread} unread"));
    }
    chat.offer(screen)
}

pub(super) fn filter(page: &ActivityState) -> Filter {
    match page.variable("filter") {
        "unread" => Filter::Unread,
        "groups" => Filter::Groups,
        _ => Filter::All,
    }
}

pub(super) fn choose_filter(filter: Filter, ctx: &mut Ctx<'_, Action>) {
    let text = match filter {
        Filter::All => "",
        Filter::Unread => "unread",
        Filter::Groups => "groups",
    };
    ctx.save("filter", text);
    ctx.save("returned", "");
    selection::clear(ctx);
    ctx.scroll_to_top("conversations");
}

fn chips(chosen: Filter) -> View<Action> {
    let all = [
        (Filter::All, "filter_all", "All"),
        (Filter::Unread, "filter_unread", "Unread"),
        (Filter::Groups, "filter_groups", "Groups"),
    ];
    let chip = |(filter, id, name): (Filter, &'static str, &str)| {
        let color = if filter == chosen { Color::AMBER } else { Color::LINE };
        View::chip(id, name)
            .pad_sides(12, 8)
            .margin(8, 4, 0, 4)
            .background(color)
            .selected(filter == chosen)
            .on_click(Action::Filter(filter))
    };
    View::row().id("filters").high(44).children(all.into_iter().map(chip))
}

/// The conversations of the list: pinned ones first, then by their last messages. Those in which nothing was said
/// are not among them, nor are those in the archive.
fn listed(chat: &Messenger) -> Vec<&Chat> {
    let last = |one: &Chat| chat.store.last(one.id).map(|message| message.id.0);
    let mut list: Vec<&Chat> = chat
        .store
        .chats
        .iter()
        .filter(|one| !one.archived && (one.is_group() || one.has_draft() || last(one).is_some()))
        .collect();
    list.sort_by_key(|one| (!one.pinned, std::cmp::Reverse(last(one).unwrap_or(one.id.0))));
    list
}

/// What the list shows under its filter.
fn shown<'a>(chat: &'a Messenger, page: &ActivityState) -> Vec<&'a Chat> {
    let listed = listed(chat);
    let passes = |one: &Chat| match filter(page) {
        Filter::All => true,
        Filter::Unread => one.marked || chat.store.unread(one.id) > 0,
        Filter::Groups => one.is_group(),
    };
    let ids = |passes: &dyn Fn(&Chat) -> bool| -> Vec<u64> {
        listed.iter().filter(|one| passes(one)).map(|one| one.id.0).collect()
    };
    // The wrong list forgets its filter when it is loaded again.
    let shown = chat.defects.either(&FILTER_RETURN, ids(&passes), || {
        let forgets = page.variable("returned") == "1";
        ids(&|one| forgets || passes(one))
    });
    listed.into_iter().filter(|one| shown.contains(&one.id.0)).collect()
}

/// What is selected and still in the list.
pub(super) fn selected(chat: &Messenger, page: &ActivityState) -> Vec<ChatId> {
    let shown = shown(chat, page);
    let selected = selection::selected(page).into_iter().map(ChatId);
    selected.filter(|id| shown.iter().any(|one| one.id == *id)).collect()
}

fn conversations(chat: &Messenger, page: &ActivityState, selected: &[ChatId]) -> View<Action> {
    let shown = shown(chat, page);
    let archived = chat.store.chats.iter().filter(|one| one.archived).count();
    let is_all = filter(page) == Filter::All;
    if shown.is_empty() && (archived == 0 || !is_all) {
        let text = match filter(page) {
            Filter::All => "No conversations yet",
            Filter::Unread => "No unread conversations",
            Filter::Groups => "No groups",
        };
        return View::empty("empty", text);
    }
    let mut list = View::recycler("conversations");
    if is_all && archived > 0 {
        let text = format!("Archived ({archived})");
        list = list.child(View::label("archived", text).high(44).pad_sides(16, 10).on_click(Action::Archive));
    }
    list.children(shown.into_iter().map(|one| {
        let row = row(chat, one, selected.contains(&one.id));
        let touched = if selected.is_empty() { Action::Open(one.id) } else { Action::Select(one.id) };
        row.on_click(touched).on_long_click(Action::Select(one.id))
    }))
}

fn row(chat: &Messenger, one: &Chat, is_selected: bool) -> View<Action> {
    let last = chat.store.last(one.id);
    let when = last.map_or("", |message| message.when.as_str());
    let mut head =
        View::row().wide().child(View::label("chat_name", chat.store.chat_name(one.id)).share_width());
    if one.pinned {
        head = head.child(View::chip("pin_mark", "Pinned"));
    }
    if one.muted {
        head = head.child(View::chip("mute_mark", "Muted"));
    }
    head = head.child(View::label("chat_time", when).text_size(TextSize::Small).ink(Color::FAINT));
    let mut foot = View::row().wide();
    if chat.previews {
        let preview = preview(chat, one);
        foot = foot.child(View::label("preview", preview).share_width().text_size(TextSize::Small));
    } else {
        foot = foot.child(View::text("").share_width());
    }
    match chat.store.unread(one.id) {
        0 if one.marked => foot = foot.child(View::chip("badge", "•").background(Color::GREEN)),
        0 => {}
        unread => foot = foot.child(View::chip("badge", unread.to_string()).background(Color::GREEN)),
    }
    let row = View::new("android.view.ViewGroup", Arrange::Column)
        .id("chat_row")
        .high(64)
        .pad_sides(16, 8)
        .selected(is_selected)
        .child(head)
        .child(foot);
    if is_selected { row.background(Color::LINE) } else { row }
}

fn preview(chat: &Messenger, one: &Chat) -> String {
    if one.has_draft() {
        return format!("Draft: {}", one.draft.trim());
    }
    let right = chat.store.last(one.id).map_or_else(String::new, |message| told(chat, message));
    // The wrong preview is kept beside the messages and does not learn of a deletion.
    let kept = one.old_preview.clone();
    chat.defects.either(&PREVIEW_DELETED, right.clone(), || kept.unwrap_or(right))
}

/// A message in one line.
pub(super) fn told(chat: &Messenger, message: &Message) -> String {
    let is_group = chat.store.chat(message.chat).is_some_and(Chat::is_group);
    match message.author {
        Author::Me => format!("You: {}", message.text),
        Author::Contact(id) if is_group => {
            let name = chat.store.contact_name(id);
            format!("{}: {}", name.split(' ').next().unwrap_or(name), message.text)
        }
        _ => message.text.clone(),
    }
}

/// The toolbar while conversations are selected.
fn selection_bar(chat: &Messenger, selected: &[ChatId], body: View<Action>) -> Screen<Action> {
    let all = |is: fn(&Chat) -> bool| selected.iter().all(|id| chat.store.chat(*id).is_some_and(is));
    let (pinned, muted) = (all(|one| one.pinned), all(|one| one.muted));
    let read = selected
        .iter()
        .all(|id| chat.store.unread(*id) == 0 && chat.store.chat(*id).is_some_and(|one| !one.marked));
    Screen::new(selected.len().to_string(), body)
        .color(Color::BROWN)
        .action("end_selection", Icon::Close, "End selection", Action::EndSelection)
        .action("pin", Icon::Star, if pinned { "Unpin" } else { "Pin" }, Action::Pin(!pinned))
        .action("archive", Icon::Folder, "Archive", Action::ArchiveSelected)
        .action("delete", Icon::Delete, "Delete", Action::AskDeleteSelected)
        .menu(if muted { "Unmute" } else { "Mute" }, Action::Mute(!muted))
        .menu(if read { "Mark as unread" } else { "Mark as read" }, Action::MarkSelected { read: !read })
}

/// Whether a search finds a message.
fn is_found(chat: &Messenger, message: &Message, query: &str) -> bool {
    let says = |text: &str| text.to_lowercase().contains(query);
    // The wrong index knows what a message said when it came.
    message.author != Author::System
        && chat.defects.either(&SEARCH_EDITED, says(&message.text), || says(&message.first_text))
}

/// What a search finds: conversations, contacts that nothing was said to yet, messages.
fn results(chat: &Messenger, query: &str) -> View<Action> {
    let query = query.to_lowercase();
    let named = |name: &str| name.to_lowercase().contains(&query);
    let chats: Vec<&Chat> = listed(chat)
        .into_iter()
        .chain(chat.store.chats.iter().filter(|one| one.archived))
        .filter(|one| named(chat.store.chat_name(one.id)))
        .collect();
    let unknown = |contact: &&Contact| named(&contact.name) && chat.store.direct(contact.id).is_none();
    let contacts: Vec<&Contact> = chat.store.contacts.iter().filter(unknown).collect();
    let mut messages = chat.store.messages(|message| is_found(chat, message, &query));
    messages.reverse();
    if chats.is_empty() && contacts.is_empty() && messages.is_empty() {
        return View::empty("nothing_found", "Nothing found");
    }
    let mut list = View::recycler("results");
    if !chats.is_empty() {
        list = list
            .child(View::heading("heading", "Conversations"))
            .children(chats.iter().map(|one| row(chat, one, false).on_click(Action::Open(one.id))));
    }
    if !contacts.is_empty() {
        list = list.child(View::heading("heading", "Contacts")).children(contacts.iter().map(|contact| {
            View::label("contact_name", &contact.name)
                .high(48)
                .pad_sides(16, 12)
                .on_click(Action::Write(contact.id))
        }));
    }
    if !messages.is_empty() {
        list = list
            .child(View::heading("heading", "Messages"))
            .children(messages.iter().map(|message| found_row(chat, message)));
    }
    list
}

fn found_row(chat: &Messenger, message: &Message) -> View<Action> {
    View::column()
        .id("found_row")
        .high(56)
        .pad_sides(16, 6)
        .on_click(Action::OpenFound(message.id))
        .child(View::label("found_in", chat.store.chat_name(message.chat)).text_size(TextSize::Small))
        .child(View::label("found_text", &message.text))
}

pub(super) fn archive(chat: &Messenger) -> Screen<Action> {
    let archived: Vec<&Chat> = chat.store.chats.iter().filter(|one| one.archived).collect();
    let list = if archived.is_empty() {
        View::empty("empty", "The archive is empty")
    } else {
        View::recycler("archive").children(archived.into_iter().map(|one| {
            let row = row(chat, one, false);
            row.on_click(Action::Open(one.id)).on_long_click(Action::ArchivedMenu(one.id))
        }))
    };
    chat.offer(Screen::new("Archived", list).color(Color::TEAL).up())
}

pub(super) fn archived_menu(id: ChatId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![("Unarchive".into(), Action::Unarchive(id)), ("Delete".into(), Action::AskDelete(id))]);
}

pub(super) fn ask_delete(what: String, delete: Action, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Delete {what}?"))
        .message("Messages are deleted on this phone only.")
        .negative("Cancel")
        .positive("Delete", delete);
    ctx.show(dialog);
}
