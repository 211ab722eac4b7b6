//! The form of an entry.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, View};

use super::safe::{EntryId, EntryText, GroupId};
use super::{Action, Vault};

const ISSUER: &str = "issuer_field";
const ACCOUNT: &str = "account_field";
const NOTE: &str = "note_field";

pub(super) fn view(vault: &Vault, page: &ActivityState) -> Screen<Action> {
    let group = vault.safe.group_name(group(page));
    let body = View::scroll("form")
        .pad(8)
        .child(View::field(ISSUER, "Issuer"))
        .child(View::field(ACCOUNT, "Account"))
        .child(View::spinner("group_field", group, Action::AskGroup))
        .child(View::field(NOTE, "Note").multiline().high(120));
    let title = if edited(page).is_some() { "Edit entry" } else { "New entry" };
    Screen::new(title, body).color(Color::TEAL).up().action("save", Icon::Check, "Save", Action::Save)
}

/// The entry that is edited; `None` for a new one.
pub(super) fn edited(page: &ActivityState) -> Option<EntryId> {
    page.argument_number().map(EntryId)
}

fn group(page: &ActivityState) -> Option<GroupId> {
    page.variable("group").parse().ok().map(GroupId)
}

/// How the form keeps the group that is chosen.
pub(super) fn group_text(group: Option<GroupId>) -> String {
    group.map_or_else(String::new, |group| group.0.to_string())
}

/// What the form holds.
pub(super) fn written(page: &ActivityState) -> EntryText {
    let text = |id| page.field(id).trim().to_owned();
    EntryText { issuer: text(ISSUER), account: text(ACCOUNT), note: text(NOTE), group: group(page) }
}

/// What the form begins with.
fn first(vault: &Vault, page: &ActivityState) -> EntryText {
    let known = edited(page).and_then(|id| vault.safe.get(id));
    known.map(|entry| entry.text.clone()).unwrap_or_default()
}

pub(super) fn fill(vault: &Vault, ctx: &mut Ctx<'_, Action>) {
    let text = first(vault, ctx.page());
    ctx.save("group", group_text(text.group));
    ctx.set_field(ISSUER, text.issuer);
    ctx.set_field(ACCOUNT, text.account);
    ctx.set_field(NOTE, text.note);
}

/// Whether the form holds anything else than what it began with.
pub(super) fn is_changed(vault: &Vault, page: &ActivityState) -> bool {
    written(page) != first(vault, page)
}

/// Asks before what was typed is lost; false when nothing was.
pub(super) fn ask_discard(vault: &Vault, ctx: &mut Ctx<'_, Action>) -> bool {
    let changed = is_changed(vault, ctx.page());
    if changed {
        let dialog = Dialog::new("Discard changes?")
            .message("The entry was not saved.")
            .negative("Keep editing")
            .positive("Discard", Action::Discard);
        ctx.show(dialog);
    }
    changed
}

pub(super) fn ask_group(vault: &Vault, ctx: &mut Ctx<'_, Action>) {
    let groups = vault.safe.groups().iter().map(|group| Some(group.id));
    let choices = std::iter::once(None).chain(groups);
    let item = |group: Option<GroupId>| (vault.safe.group_name(group).to_owned(), Action::ChooseGroup(group));
    ctx.popup(choices.map(item).collect());
}
