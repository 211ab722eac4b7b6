//! The pages of contacts and of a new group.

use droidmux::sim::toolkit::{ActivityState, Color, Ctx, Dialog, Icon, Screen, TextSize, View};

use super::store::{Contact, ContactId};
use super::{Action, Messenger};
use crate::selection;

/// The search of the contacts.
pub(super) const QUERY: &str = "contact_search";
/// The field of a dialog that asks for a name.
pub(super) const NAME: &str = "name_field";
/// The name of a new group.
pub(super) const GROUP: &str = "group_name";

/// All contacts by their names.
fn sorted(chat: &Messenger) -> Vec<&Contact> {
    let mut contacts: Vec<&Contact> = chat.store.contacts.iter().collect();
    contacts.sort_by_key(|contact| contact.name.to_lowercase());
    contacts
}

fn initial(contact: &Contact) -> String {
    contact.name.chars().next().map_or_else(String::new, |first| first.to_uppercase().collect())
}

pub(super) fn contacts(chat: &Messenger, page: &ActivityState) -> Screen<Action> {
    let query = page.query(QUERY).unwrap_or("").to_lowercase();
    let found: Vec<&Contact> =
        sorted(chat).into_iter().filter(|contact| contact.name.to_lowercase().contains(&query)).collect();
    let list = if found.is_empty() {
        View::empty("empty", "No contacts found")
    } else {
        let mut list = View::recycler("contacts");
        let mut letter = String::new();
        for contact in found {
            let first = initial(contact);
            // Letters stand above the whole list only.
            if query.is_empty() && first != letter {
                list = list.child(View::heading("letter", &first));
                letter = first;
            }
            list = list.child(row(contact));
        }
        list
    };
    Screen::new("Contacts", list)
        .color(Color::TEAL)
        .up()
        .search(QUERY, "Search contacts")
        .action("add_contact", Icon::Add, "New contact", Action::AskContact(None))
        .menu("New group", Action::NewGroup)
}

fn row(contact: &Contact) -> View<Action> {
    let mut row = View::row()
        .id("contact_row")
        .high(48)
        .pad_sides(16, 4)
        .on_click(Action::Write(contact.id))
        .on_long_click(Action::ContactMenu(contact.id))
        .child(View::label("contact_name", &contact.name).share_width());
    if contact.blocked {
        row = row.child(View::chip("blocked_mark", "Blocked"));
    }
    row
}

pub(super) fn menu(chat: &Messenger, id: ContactId, ctx: &mut Ctx<'_, Action>) {
    let blocked = chat.store.contact(id).is_some_and(|contact| contact.blocked);
    ctx.popup(vec![
        ("Rename".into(), Action::AskContact(Some(id))),
        (if blocked { "Unblock" } else { "Block" }.into(), Action::Block(id, !blocked)),
    ]);
}

pub(super) fn ask_contact(chat: &Messenger, id: Option<ContactId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.and_then(|id| chat.store.contact(id)).map_or("", |contact| contact.name.as_str());
    let dialog = Dialog::new(if id.is_some() { "Rename contact" } else { "New contact" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::NameContact(id));
    ctx.show(dialog);
}

/// Those chosen for a new group.
pub(super) fn chosen(chat: &Messenger, page: &ActivityState) -> Vec<ContactId> {
    let chosen = selection::selected(page).into_iter().map(ContactId);
    chosen.filter(|id| chat.store.contact(*id).is_some()).collect()
}

pub(super) fn new_group(chat: &Messenger, page: &ActivityState) -> Screen<Action> {
    let chosen = chosen(chat, page);
    let box_of = |contact: &Contact| {
        let is_chosen = chosen.contains(&contact.id);
        View::check_box("member_box", &contact.name, is_chosen, Action::ToggleMember(contact.id)).wide()
    };
    let can_join = sorted(chat).into_iter().filter(|contact| !contact.blocked);
    let count = match chosen.len() {
        0 => "Choose members".to_owned(),
        count => format!("{count} chosen"),
    };
    let body = View::column()
        .fill()
        .child(View::field(GROUP, "Name of the group").margin(8, 4, 8, 0))
        .child(
            View::label("chosen_count", count).pad_sides(16, 6).text_size(TextSize::Small).ink(Color::FAINT),
        )
        .child(View::recycler("candidates").share_height().children(can_join.map(box_of)));
    Screen::new("New group", body).color(Color::TEAL).up().action(
        "create",
        Icon::Check,
        "Create",
        Action::CreateGroup,
    )
}
