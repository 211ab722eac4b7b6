//! The page on which folders are managed, and the dialogs that name and choose them.

use droidmux::sim::toolkit::{Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::list::{told_name, unread};
use super::mailbox::{Folder, FolderId, MessageId};
use super::{Action, Mail};

/// The field of a dialog that asks for a name.
pub(super) const NAME: &str = "name_field";

pub(super) fn view(mail: &Mail) -> Screen<Action> {
    let rows = mail.mailbox.folders().iter().map(|folder| row(mail, folder));
    Screen::new("Folders", View::recycler("folders").children(rows)).color(Color::INDIGO).up().action(
        "add_folder",
        Icon::Add,
        "Add folder",
        Action::AskFolder(None),
    )
}

fn row(mail: &Mail, folder: &Folder) -> View<Action> {
    let all = mail.mailbox.count(|message| message.folder == folder.id);
    let counts = format!("{all} messages, {} unread", unread(mail, folder.id));
    let row = View::column()
        .id("folder_row")
        .high(60)
        .pad_sides(16, 8)
        .child(View::label("folder_name", &folder.name))
        .child(View::label("folder_counts", counts).text_size(TextSize::Small).ink(Color::FAINT));
    // What every mailbox has is neither renamed nor deleted.
    if folder.id.is_own() { row.on_click(Action::FolderMenu(folder.id)) } else { row }
}

pub(super) fn menu(id: FolderId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Rename".into(), Action::AskFolder(Some(id))),
        ("Delete".into(), Action::AskDeleteFolder(id)),
    ]);
}

pub(super) fn ask_name(mail: &Mail, id: Option<FolderId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.and_then(|id| mail.mailbox.folder(id)).map_or("", |folder| folder.name.as_str());
    let dialog = Dialog::new(if id.is_some() { "Rename folder" } else { "New folder" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::NameFolder(id));
    ctx.show(dialog);
}

pub(super) fn ask_delete(mail: &Mail, id: FolderId, ctx: &mut Ctx<'_, Action>) {
    let name = mail.mailbox.folder(id).map_or("", |folder| folder.name.as_str());
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message("Its messages go to the archive.")
        .negative("Cancel")
        .positive("Delete", Action::DeleteFolder(id));
    ctx.show(dialog);
}

/// Asks where messages are to go: to any folder of mail but the one they are all in.
pub(super) fn ask_move(mail: &Mail, one: Option<MessageId>, ctx: &mut Ctx<'_, Action>) {
    let chosen = mail.chosen(one, ctx.page());
    let is_there = |folder: FolderId| {
        chosen.iter().all(|id| mail.mailbox.get(*id).is_some_and(|message| message.folder == folder))
    };
    let targets =
        mail.mailbox.folders().iter().filter(|folder| folder.id.is_of_mail() && !is_there(folder.id));
    let dialog = targets.fold(Dialog::new("Move to"), |dialog, folder| {
        dialog.choice(told_name(mail, folder), Action::Move(one, folder.id))
    });
    ctx.show(dialog);
}

pub(super) fn ask_own_name(mail: &Mail, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Your name")
        .field(NAME, "Name", &mail.name)
        .negative("Cancel")
        .positive("OK", Action::Name);
    ctx.show(dialog);
}
