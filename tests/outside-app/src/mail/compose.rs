//! The page on which messages are written.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Env, Icon, Screen, View};

use super::mailbox::{Letter, MessageId};
use super::{Action, Mail};

const TO: &str = "to";
const SUBJECT: &str = "subject_field";
const BODY: &str = "body_field";

pub(super) fn view(page: &ActivityState, env: &Env) -> Screen<Action> {
    let mut body = View::column().fill().pad(8);
    if !env.is_online() {
        body = body.child(View::label("offline", "You are offline").wide().background(Color::AMBER));
    }
    body = body
        .child(View::field(TO, "To"))
        .child(View::field(SUBJECT, "Subject"))
        .child(View::field(BODY, "Message").multiline().high(160));
    let title = match page.argument().split_once(' ') {
        Some(("reply", _)) => "Reply",
        Some(_) => "Edit draft",
        None => "New message",
    };
    Screen::new(title, body).color(Color::INDIGO).up().action("send", Icon::Next, "Send", Action::Send)
}

/// The draft that is edited.
pub(super) fn draft(page: &ActivityState) -> Option<MessageId> {
    page.argument().strip_prefix("draft ")?.parse().ok().map(MessageId)
}

/// What is written now.
pub(super) fn letter(ctx: &Ctx<'_, Action>) -> Letter {
    written(ctx.page())
}

fn written(page: &ActivityState) -> Letter {
    let text = |id| page.field(id).trim().to_owned();
    Letter { to: text(TO), subject: text(SUBJECT), body: text(BODY) }
}

/// Fills the form with a draft, or with the beginnings of a reply.
pub(super) fn fill(mail: &Mail, ctx: &mut Ctx<'_, Action>) {
    let letter = first(mail, ctx.page());
    ctx.save("to", &letter.to);
    ctx.save("subject", &letter.subject);
    ctx.save("body", &letter.body);
    ctx.set_field(TO, letter.to);
    ctx.set_field(SUBJECT, letter.subject);
    ctx.set_field(BODY, letter.body);
}

fn first(mail: &Mail, page: &ActivityState) -> Letter {
    let message = |id: &str| mail.mailbox.get(MessageId(id.parse().ok()?));
    match page.argument().split_once(' ') {
        Some(("draft", id)) => message(id).map(|draft| Letter {
            to: draft.to.clone(),
            subject: draft.subject.clone(),
            body: draft.body.clone(),
        }),
        Some(("reply", id)) => message(id).map(|message| Letter {
            to: message.from.clone(),
            subject: format!("Re: {}", message.subject).trim_end().to_owned(),
            body: String::new(),
        }),
        _ => None,
    }
    .unwrap_or_default()
}

/// Asks what is to become of what was written; false when nothing was.
pub(super) fn ask_draft(ctx: &mut Ctx<'_, Action>) -> bool {
    let page = ctx.page();
    let text = |name| page.variable(name).to_owned();
    let before = Letter { to: text("to"), subject: text("subject"), body: text("body") };
    if written(page) == before {
        return false;
    }
    let dialog = Dialog::new("Save as a draft?")
        .message("What you wrote was not sent.")
        .neutral("Discard", Action::Discard)
        .negative("Keep writing")
        .positive("Save", Action::SaveDraft);
    ctx.show(dialog);
    true
}
