//! The page of one message, and the settings.

use droidmux::sim::toolkit::{ActivityState, Color, Icon, Screen, TextSize, View};

use super::list::subject_text;
use super::mailbox::{ARCHIVE, DRAFTS, MessageId, SENT};
use super::{Action, Mail};

pub(super) fn message(mail: &Mail, page: &ActivityState) -> Screen<Action> {
    let found = page.argument_number().map(MessageId).and_then(|id| mail.mailbox.get(id));
    let Some(message) = found else {
        return Screen::new("Message", View::empty("gone", "This message was deleted"))
            .color(Color::INDIGO)
            .up();
    };
    let id = message.id;
    let folder = mail.mailbox.folder(message.folder).map_or("", |folder| folder.name.as_str());
    let body = View::scroll("message")
        .pad(12)
        .child(View::label("message_subject", subject_text(message)).text_size(TextSize::Title))
        .child(View::label("message_from", format!("From {}", message.from)))
        .child(View::label("message_to", format!("To {}", message.to)).ink(Color::FAINT))
        .child(View::chip("message_folder", folder))
        .child(View::label("message_body", &message.body).multiline().wide().margin(0, 12, 0, 0));
    let (icon, name) = if message.starred { (Icon::Star, "Starred") } else { (Icon::NoStar, "Not starred") };
    let mut screen = Screen::new("Message", body).color(Color::INDIGO).up().action(
        "message_star",
        icon,
        name,
        Action::Star(id),
    );
    if message.folder.is_of_mail() && message.folder != ARCHIVE {
        screen = screen.action("archive", Icon::Book, "Archive", Action::Move(Some(id), ARCHIVE));
    }
    screen = screen.action("delete", Icon::Delete, "Delete", Action::Delete(Some(id)));
    if message.folder != SENT && message.folder != DRAFTS {
        screen = screen
            .menu("Reply", Action::Reply(id))
            .menu("Mark as unread", Action::Unread(id))
            .menu("Move to", Action::AskMove(Some(id)));
    }
    screen
}

pub(super) fn settings(mail: &Mail) -> Screen<Action> {
    let list = View::recycler("settings")
        .child(View::setting(
            "Preview",
            "The first line of each message",
            mail.preview,
            Action::TogglePreview,
        ))
        .child(View::setting(
            "Confirm deletion",
            "Ask before messages go to the trash",
            mail.confirms,
            Action::ToggleConfirm,
        ))
        .child(View::preference("Your name", &mail.name, Action::AskName))
        .child(View::preference(
            "Clear recent searches",
            "Forget what was searched for",
            Action::ClearSearches,
        ));
    Screen::new("Settings", list).color(Color::INDIGO).up()
}
