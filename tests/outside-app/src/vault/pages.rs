//! Groups, log, settings, and what is shown while the vault is locked.

use droidmux::sim::toolkit::{Color, Ctx, Dialog, Gravity, Icon, Screen, TextSize, View};

use super::safe::{Group, GroupId};
use super::{Action, Vault};

/// The field of a dialog that asks for a name.
pub(super) const NAME: &str = "name_field";

pub(super) fn locked() -> Screen<Action> {
    let inner = View::column()
        .at(Gravity::Center)
        .child(View::label("locked", "The vault is locked").text_size(TextSize::Title))
        .child(View::button("unlock", "Unlock", Action::Unlock));
    Screen::bare(View::frame().fill().background(Color::PAPER).child(inner))
}

pub(super) fn groups(vault: &Vault) -> Screen<Action> {
    let row = |group: &Group| {
        let size = match vault.safe.size(group.id) {
            1 => "1 entry".to_owned(),
            size => format!("{size} entries"),
        };
        View::column()
            .id("group_row")
            .high(60)
            .pad_sides(16, 8)
            .on_click(Action::GroupMenu(group.id))
            .child(View::label("group_name", &group.name))
            .child(View::label("group_size", size).text_size(TextSize::Small).ink(Color::FAINT))
    };
    let list = if vault.safe.groups().is_empty() {
        View::empty("no_groups", "No groups")
    } else {
        View::recycler("groups").children(vault.safe.groups().iter().map(row))
    };
    Screen::new("Groups", list).color(Color::TEAL).up().action(
        "add_group",
        Icon::Add,
        "Add group",
        Action::AskGroupName(None),
    )
}

pub(super) fn group_menu(id: GroupId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Rename".into(), Action::AskGroupName(Some(id))),
        ("Delete".into(), Action::AskDeleteGroup(id)),
    ]);
}

pub(super) fn ask_group_name(vault: &Vault, id: Option<GroupId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.and_then(|id| vault.safe.group(id)).map_or("", |group| group.name.as_str());
    let dialog = Dialog::new(if id.is_some() { "Rename group" } else { "New group" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::GroupName(id));
    ctx.show(dialog);
}

pub(super) fn ask_delete_group(vault: &Vault, id: GroupId, ctx: &mut Ctx<'_, Action>) {
    let name = vault.safe.group_name(Some(id));
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message("Its entries stay and belong to no group.")
        .negative("Cancel")
        .positive("Delete", Action::DeleteGroup(id));
    ctx.show(dialog);
}

pub(super) fn log(vault: &Vault) -> Screen<Action> {
    let row = |(what, when): &(String, String)| {
        View::row()
            .id("log_row")
            .high(48)
            .pad_sides(16, 4)
            .child(View::label("log_what", what).share_width())
            .child(View::label("log_when", when).text_size(TextSize::Small).ink(Color::FAINT))
    };
    let log = vault.safe.log();
    let list = if log.is_empty() {
        View::empty("no_log", "Nothing was done yet")
    } else {
        View::recycler("log").children(log.iter().map(row))
    };
    let screen = Screen::new("Log", list).color(Color::TEAL).up();
    if log.is_empty() { screen } else { screen.menu("Clear log", Action::ClearLog) }
}

pub(super) fn settings(vault: &Vault) -> Screen<Action> {
    let list = View::recycler("settings")
        .child(View::setting("Tap to reveal", "Codes are hidden at first", vault.hides, Action::ToggleHides))
        .child(View::setting("Lock", "When the app is left", vault.locks, Action::ToggleLocks))
        .child(View::setting(
            "Accounts",
            "Below the issuers in the list",
            vault.accounts,
            Action::ToggleAccounts,
        ));
    Screen::new("Settings", list).color(Color::TEAL).up()
}
