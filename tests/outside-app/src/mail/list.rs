//! The list of messages, with search, order, filter and selection.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Gravity, Icon, Screen, TextSize, View,
};

use super::declared::{COUNT_MOVED, OLD_NAME, SEARCH_ARCHIVE};
use super::mailbox::{ARCHIVE, DRAFTS, Folder, FolderId, INBOX, Message, MessageId, Order, SENT, TRASH};
use super::{Action, Mail, Place};
use crate::selection;

/// The search of the toolbar.
pub(super) const QUERY: &str = "search_field";

pub(super) fn view(mail: &Mail, page: &ActivityState, env: &Env) -> Screen<Action> {
    let place = place(mail, page);
    let selected: Vec<MessageId> = mail
        .chosen(None, page)
        .into_iter()
        .filter(|id| page.query(QUERY).is_some() || is_in(mail, *id, place))
        .collect();
    let list = match page.query(QUERY) {
        Some("") => recent(mail),
        Some(query) => results(mail, query, &selected),
        None => messages(mail, page, place, &selected),
    };
    let mut body = View::column().fill();
    if !env.is_online() {
        body = body.child(banner());
    }
    body = body.child(list.share_height());
    if !selected.is_empty() {
        return selection_bar(mail, &selected, body);
    }
    let write = View::fab("fab", Icon::Pencil, "Write a message", Action::New)
        .at(Gravity::BottomEnd)
        .margin(0, 0, 16, 16);
    let mut screen = Screen::new(title(mail, place), body)
        .color(Color::INDIGO)
        .search(QUERY, "Search all folders")
        .action("refresh", Icon::Refresh, "Check mail", Action::Refresh)
        .menu("Sort by", Action::AskOrder)
        .menu_check("Only unread", only_unread(page), Action::ToggleUnread)
        .over(write);
    // An open search takes the place of title and count.
    if let (Place::Folder(folder), None) = (place, page.query(QUERY)) {
        screen = screen.subtitle(format!("{} unread", unread(mail, folder)));
    }
    if place == Place::Folder(TRASH) && !mail.in_trash().is_empty() {
        screen = screen.menu("Empty trash", Action::AskEmptyTrash);
    }
    screen = drawer(mail, place, screen);
    match &mail.undo {
        Some(moved) => {
            let count = moved.messages.len();
            let what = if moved.to == TRASH { "deleted" } else { "moved" };
            screen.snackbar(format!("{count} {what}"), "Undo", Action::Undo)
        }
        None => screen,
    }
}

fn banner() -> View<Action> {
    View::label("offline", "You are offline").wide().pad_sides(16, 6).background(Color::AMBER)
}

fn drawer(mail: &Mail, place: Place, screen: Screen<Action>) -> Screen<Action> {
    let item = |screen: Screen<Action>, folder: &Folder| {
        let there = Place::Folder(folder.id);
        screen.drawer(&folder.name, place == there, Action::Go(there))
    };
    let folders = mail.mailbox.folders();
    let mut screen = folders.iter().take(1).fold(screen, item);
    screen = screen.drawer("Starred", place == Place::Starred, Action::Go(Place::Starred));
    screen = folders.iter().skip(1).fold(screen, item);
    screen.drawer("Manage folders", false, Action::Folders).drawer("Settings", false, Action::Settings)
}

/// The toolbar while messages are selected.
fn selection_bar(mail: &Mail, selected: &[MessageId], body: View<Action>) -> Screen<Action> {
    let folder = |id: &MessageId| mail.mailbox.get(*id).map(|message| message.folder);
    let can_move = selected.iter().all(|id| folder(id).is_some_and(|f| f.is_of_mail() || f == TRASH));
    let can_archive = selected.iter().all(|id| folder(id).is_some_and(|f| f.is_of_mail() && f != ARCHIVE));
    let mut screen = Screen::new(format!("{} selected", selected.len()), body).color(Color::BROWN).action(
        "close",
        Icon::Close,
        "End selection",
        Action::EndSelection,
    );
    if can_archive {
        screen = screen.action("archive", Icon::Book, "Archive", Action::Move(None, ARCHIVE));
    }
    screen = screen
        .action("delete", Icon::Delete, "Delete", Action::Delete(None))
        .menu("Mark as read", Action::MarkSelected { read: true })
        .menu("Mark as unread", Action::MarkSelected { read: false });
    if can_move {
        screen = screen.menu("Move to", Action::AskMove(None));
    }
    screen.menu("Select all", Action::SelectAll)
}

fn title(mail: &Mail, place: Place) -> String {
    match place {
        Place::Starred => "Starred".to_owned(),
        Place::Folder(id) => mail.mailbox.folder(id).map_or_else(String::new, |folder| folder.name.clone()),
    }
}

/// How many unread messages a folder tells to have.
pub(super) fn unread(mail: &Mail, folder: FolderId) -> usize {
    let right = mail.mailbox.count(|message| !message.read && message.folder == folder);
    // The wrong count is kept with the folder that a message came to.
    mail.defects.either(&COUNT_MOVED, right, || {
        mail.mailbox.count(|message| !message.read && (message.folder == folder || message.came_to == folder))
    })
}

/// Where the list is.
pub(super) fn place(mail: &Mail, page: &ActivityState) -> Place {
    if page.variable("place") == "starred" {
        return Place::Starred;
    }
    let folder = FolderId(page.number("place"));
    Place::Folder(if mail.mailbox.folder(folder).is_some() { folder } else { INBOX })
}

/// Leads the list to another place.
pub(super) fn go(place: Place, ctx: &mut Ctx<'_, Action>) {
    match place {
        Place::Starred => ctx.save("place", "starred"),
        Place::Folder(folder) => ctx.save("place", folder.0),
    }
    selection::clear(ctx);
    ctx.scroll_to_top("messages");
}

fn is_in(mail: &Mail, id: MessageId, place: Place) -> bool {
    mail.mailbox.get(id).is_some_and(|message| belongs(message, place))
}

fn belongs(message: &Message, place: Place) -> bool {
    match place {
        Place::Starred => message.starred && message.folder != TRASH,
        Place::Folder(folder) => message.folder == folder,
    }
}

fn only_unread(page: &ActivityState) -> bool {
    page.variable("unread") == "only"
}

pub(super) fn toggle_unread(ctx: &mut Ctx<'_, Action>) {
    let only = only_unread(ctx.page());
    ctx.save("unread", if only { "" } else { "only" });
}

/// The messages that the list shows when nothing is searched for.
fn shown<'a>(mail: &'a Mail, page: &ActivityState, place: Place) -> Vec<&'a Message> {
    let only = only_unread(page);
    mail.mailbox.sorted(mail.order, |message| belongs(message, place) && !(only && message.read))
}

fn messages(mail: &Mail, page: &ActivityState, place: Place, selected: &[MessageId]) -> View<Action> {
    let shown = shown(mail, page, place);
    if shown.is_empty() {
        let text = if only_unread(page) { "No unread messages" } else { "No messages here" };
        return View::empty("empty", text);
    }
    View::recycler("messages").children(shown.into_iter().map(|message| row(mail, message, selected)))
}

/// What was searched for before.
fn recent(mail: &Mail) -> View<Action> {
    if mail.searches.is_empty() {
        return View::empty("empty_search", "Search by sender, subject or text");
    }
    let row = |(n, query): (usize, &String)| {
        View::label("recent", query).high(48).pad_sides(16, 8).on_click(Action::Recent(n))
    };
    let rows = mail.searches.iter().enumerate().map(row);
    View::recycler("recent_searches").child(View::heading("heading", "Recent searches")).children(rows)
}

/// What a search finds in each folder.
fn results(mail: &Mail, query: &str, selected: &[MessageId]) -> View<Action> {
    let found = |folder: FolderId| {
        let matching = mail.mailbox.sorted(mail.order, |m| m.folder == folder && m.matches(query));
        let missed = folder == ARCHIVE && !matching.is_empty();
        if mail.defects.strikes(&SEARCH_ARCHIVE, missed) { Vec::new() } else { matching }
    };
    let searched = mail.mailbox.folders().iter().filter(|folder| folder.id != TRASH);
    let groups: Vec<(&Folder, Vec<&Message>)> =
        searched.map(|folder| (folder, found(folder.id))).filter(|(_, list)| !list.is_empty()).collect();
    if groups.is_empty() {
        return View::empty("nothing_found", "Nothing found");
    }
    let rows = groups.into_iter().flat_map(|(folder, list)| {
        let heading = View::heading("heading", told_name(mail, folder));
        std::iter::once(heading).chain(list.into_iter().map(|message| row(mail, message, selected)))
    });
    View::recycler("results").children(rows)
}

/// The name of a folder where messages are found and moved. The wrong one was read once.
pub(super) fn told_name(mail: &Mail, folder: &Folder) -> String {
    mail.defects.either(&OLD_NAME, folder.name.clone(), || folder.first_name.clone())
}

fn row(mail: &Mail, message: &Message, selected: &[MessageId]) -> View<Action> {
    let is_selected = selected.contains(&message.id);
    let sent = message.folder == SENT || message.folder == DRAFTS;
    let who = match (sent, message.to.as_str()) {
        (false, _) => message.from.clone(),
        (true, "") => "To nobody yet".to_owned(),
        (true, to) => format!("To {to}"),
    };
    let mut head = View::row().wide().child(View::label("sender", who).share_width());
    if !message.read {
        head = head.child(View::chip("unread_mark", "New"));
    }
    let mut texts =
        View::column().share_width().child(head).child(View::label("subject", subject_text(message)));
    if mail.preview {
        let preview = View::label("preview", &message.body).text_size(TextSize::Small).ink(Color::FAINT);
        texts = texts.child(preview);
    }
    let (icon, name) = if message.starred { (Icon::Star, "Starred") } else { (Icon::NoStar, "Not starred") };
    let row = View::new("android.view.ViewGroup", Arrange::Row)
        .id("message_row")
        .high(76)
        .pad_sides(12, 4)
        .selected(is_selected)
        .on_click(if selected.is_empty() { Action::Open(message.id) } else { Action::Select(message.id) })
        .on_long_click(Action::Select(message.id))
        .child(texts)
        .child(View::icon_button("star", icon, name, Action::Star(message.id)));
    if is_selected { row.background(Color::LINE) } else { row }
}

pub(super) fn subject_text(message: &Message) -> &str {
    if message.subject.is_empty() { "(no subject)" } else { &message.subject }
}

/// Selects all that the list shows.
pub(super) fn select_all(mail: &Mail, ctx: &mut Ctx<'_, Action>) {
    let page = ctx.page();
    let ids: Vec<u64> = match page.query(QUERY) {
        Some(query) => {
            let found = mail.mailbox.sorted(mail.order, |m| m.folder != TRASH && m.matches(query));
            found.into_iter().map(|message| message.id.0).collect()
        }
        None => shown(mail, page, place(mail, page)).into_iter().map(|message| message.id.0).collect(),
    };
    selection::select(&ids, ctx);
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("Newest first", Action::Order(Order::Newest))
        .choice("Sender", Action::Order(Order::Sender))
        .choice("Subject", Action::Order(Order::Subject));
    ctx.show(dialog);
}

pub(super) fn ask_delete(one: Option<MessageId>, count: usize, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete?")
        .message(format!("{count} will be in the trash."))
        .negative("Cancel")
        .positive("Delete", Action::DeleteNow(one));
    ctx.show(dialog);
}

pub(super) fn ask_destroy(one: Option<MessageId>, count: usize, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete for good?")
        .message(format!("{count} cannot be brought back."))
        .negative("Cancel")
        .positive("Delete", Action::Destroy(one));
    ctx.show(dialog);
}

pub(super) fn ask_empty_trash(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Empty the trash?")
        .message("What is in it cannot be brought back.")
        .negative("Cancel")
        .positive("Empty", Action::EmptyTrash);
    ctx.show(dialog);
}
