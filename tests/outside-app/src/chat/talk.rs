//! The page of a conversation: its messages, and the field to write in.

use droidmux::sim::toolkit::{ActivityState, Arrange, Color, Ctx, Dialog, Env, Icon, Screen, TextSize, View};

use super::declared::MEMBERS_STALE;
use super::store::{Author, Chat, ChatId, Message, MessageId};
use super::{Action, Messenger};

/// The field to write in.
pub(super) const FIELD: &str = "message_field";
/// How many messages are shown, and how many more each time.
const SHOWN: usize = 5;

/// What the page was opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    /// To see this message.
    At(MessageId),
    /// To forward this message to it.
    Forward(MessageId),
}

/// The conversation of a page, and what that was opened for.
pub(super) fn opened(page: &ActivityState) -> Option<(ChatId, Purpose)> {
    let mut parts = page.argument().split(' ');
    let chat = ChatId(parts.next()?.parse().ok()?);
    let what = parts.next();
    let message = parts.next().and_then(|id| id.parse().ok()).map(MessageId);
    let purpose = match (what, message) {
        (Some("at"), Some(id)) => Purpose::At(id),
        (Some("forward"), Some(id)) => Purpose::Forward(id),
        _ => Purpose::Read,
    };
    Some((chat, purpose))
}

/// The message in a variable of the page, if it is there.
fn kept<'a>(chat: &'a Messenger, page: &ActivityState, variable: &str) -> Option<&'a Message> {
    let id = page.variable(variable).parse().ok().map(MessageId)?;
    chat.store.message(id)
}

/// The message that is answered.
pub(super) fn answered<'a>(chat: &'a Messenger, page: &ActivityState) -> Option<&'a Message> {
    kept(chat, page, "reply")
}

/// The message that is edited.
pub(super) fn edited<'a>(chat: &'a Messenger, page: &ActivityState) -> Option<&'a Message> {
    kept(chat, page, "edit")
}

pub(super) fn view(chat: &Messenger, page: &ActivityState, env: &Env) -> Screen<Action> {
    let found = opened(page).and_then(|(id, purpose)| Some((chat.store.chat(id)?, purpose)));
    let Some((one, purpose)) = found else {
        let gone = View::empty("gone", "This conversation was deleted");
        return Screen::new("Chat", gone).color(Color::TEAL).up();
    };
    let mut body = View::column().fill();
    if !env.is_online() {
        body = body.child(
            View::label("offline", "Waiting for network").wide().pad_sides(16, 6).background(Color::AMBER),
        );
    }
    body = body.child(messages(chat, one, purpose, page).share_height());
    if chat.store.is_blocked(one) {
        body = body.child(View::label("blocked", "You blocked this contact").high(48).centered());
    } else {
        body = composer(chat, page, body);
    }
    let mut screen = Screen::new(chat.store.chat_name(one.id), body).color(Color::TEAL).up().action(
        "info",
        Icon::More,
        "Info",
        Action::Info(one.id),
    );
    if one.is_group() {
        // The wrong page counts when it is opened.
        let now = one.members.len() + 1;
        let count =
            chat.defects.either(&MEMBERS_STALE, now, || page.variable("members").parse().unwrap_or(now));
        screen = screen.subtitle(members(count));
    } else if one.muted {
        screen = screen.subtitle("Muted");
    }
    chat.offer(screen)
}

pub(super) fn members(count: usize) -> String {
    if count == 1 { "1 member".to_owned() } else { format!("{count} members") }
}

fn messages(chat: &Messenger, one: &Chat, purpose: Purpose, page: &ActivityState) -> View<Action> {
    let all = chat.store.messages(|message| message.chat == one.id);
    if all.is_empty() {
        return View::empty("no_messages", "No messages here yet");
    }
    let at = match purpose {
        Purpose::At(id) => all.iter().position(|message| message.id == id),
        _ => None,
    };
    let more = usize::try_from(page.number("earlier")).unwrap_or(0);
    let mut from = all.len().saturating_sub(SHOWN.saturating_mul(more + 1));
    from = from.min(at.unwrap_or(from));
    let mut list = View::recycler("messages");
    if from > 0 {
        let earlier = View::label("earlier", "Earlier messages");
        list = list.child(earlier.high(36).centered().ink(Color::BLUE).on_click(Action::Earlier));
    }
    let shown = all.iter().enumerate().skip(from);
    list.children(shown.map(|(n, message)| bubble(chat, one, message, at == Some(n))))
}

fn bubble(chat: &Messenger, one: &Chat, message: &Message, is_sought: bool) -> View<Action> {
    let mut bubble = View::new("android.view.ViewGroup", Arrange::Column)
        .id("bubble")
        .wide()
        .pad_sides(10, 4)
        .selected(is_sought)
        .rounded(8);
    bubble = match message.author {
        Author::System => {
            return bubble.child(
                View::label("line", &message.text)
                    .wide()
                    .centered()
                    .text_size(TextSize::Small)
                    .ink(Color::FAINT),
            );
        }
        Author::Me => bubble.margin(72, 3, 8, 3).background(Color(200, 230, 201)),
        Author::Contact(_) => bubble.margin(8, 3, 72, 3).background(Color::WHITE),
    };
    if let (Author::Contact(id), true) = (message.author, one.is_group()) {
        let name = View::label("author", chat.store.contact_name(id));
        bubble = bubble.child(name.text_size(TextSize::Small).ink(Color::PURPLE));
    }
    if message.forwarded {
        bubble =
            bubble.child(View::label("forwarded", "Forwarded").text_size(TextSize::Small).ink(Color::FAINT));
    }
    if let Some((who, text)) = &message.quote {
        let quote = View::label("quote", format!("{who}: {text}"));
        bubble = bubble.child(quote.text_size(TextSize::Small).ink(Color::FAINT));
    }
    let mut marks = vec![message.when.as_str()];
    for (is, mark) in [(message.edited, "edited"), (message.starred, "starred"), (message.waiting, "waiting")]
    {
        marks.extend(is.then_some(mark));
    }
    bubble
        .on_long_click(Action::MessageMenu(message.id))
        .child(View::label("message_text", &message.text).multiline().wide())
        .child(View::label("message_marks", marks.join(" · ")).text_size(TextSize::Small).ink(Color::FAINT))
}

fn composer(chat: &Messenger, page: &ActivityState, body: View<Action>) -> View<Action> {
    let bar = |what: String, description: &str, end: Action| {
        View::row()
            .id("context_bar")
            .high(48)
            .pad_sides(12, 0)
            .background(Color::LINE)
            .child(View::label("context_text", what).share_width().text_size(TextSize::Small))
            .child(View::icon_button("context_close", Icon::Close, description, end))
    };
    let mut body = body;
    let is_edit = edited(chat, page).is_some();
    if is_edit {
        body = body.child(bar("Edit message".to_owned(), "Cancel edit", Action::EndEdit));
    } else if let Some(message) = answered(chat, page) {
        let text = format!("Reply to {}: {}", who(chat, message), message.text);
        body = body.child(bar(text, "Cancel reply", Action::EndReply));
    }
    let mut field = View::field(FIELD, "Message").share_width();
    if chat.enter_sends {
        field = field.on_submit(Action::Send);
    }
    let (icon, name) = if is_edit { (Icon::Check, "Save") } else { (Icon::Next, "Send") };
    let row = View::row().id("composer").high(56).pad_sides(8, 4).background(Color::WHITE);
    body.child(row.child(field).child(View::icon_button("send", icon, name, Action::Send)))
}

/// Who wrote a message.
pub(super) fn who(chat: &Messenger, message: &Message) -> String {
    match message.author {
        Author::Me => "You".to_owned(),
        Author::Contact(id) => chat.store.contact_name(id).to_owned(),
        Author::System => String::new(),
    }
}

pub(super) fn message_menu(chat: &Messenger, id: MessageId, ctx: &mut Ctx<'_, Action>) {
    let Some(message) = chat.store.message(id) else { return };
    let is_blocked = chat.store.chat(message.chat).is_none_or(|one| chat.store.is_blocked(one));
    let mut items = Vec::new();
    if !is_blocked {
        items.push(("Reply".into(), Action::Reply(id)));
    }
    items.push((if message.starred { "Unstar" } else { "Star" }.into(), Action::Star(id)));
    items.push(("Forward".into(), Action::AskForward(id)));
    if message.author == Author::Me && !message.forwarded && !is_blocked {
        items.push(("Edit".into(), Action::Edit(id)));
    }
    items.push(("Delete for me".into(), Action::DeleteMessage(id)));
    ctx.popup(items);
}

/// Asks to whom a message is to go.
pub(super) fn ask_forward(chat: &Messenger, id: MessageId, ctx: &mut Ctx<'_, Action>) {
    let targets = chat.store.chats.iter().filter(|one| !chat.store.is_blocked(one));
    let dialog = targets.fold(Dialog::new("Forward to"), |dialog, one| {
        dialog.choice(chat.store.chat_name(one.id), Action::Forward(id, one.id))
    });
    ctx.show(dialog);
}
