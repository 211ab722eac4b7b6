//! The list of entries, and the page of one.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Gravity, Icon, Screen, TextSize, View,
};

use super::declared::SHOWN_ANYHOW;
use super::safe::{Entry, EntryId, Filter, GroupId, Order};
use super::{Action, Vault};

/// The search of the toolbar.
const QUERY: &str = "entry_search";
/// What stands for a code that is hidden.
const DOTS: &str = "••• •••";

pub(super) fn view(vault: &Vault, page: &ActivityState, env: &Env) -> Screen<Action> {
    let query = page.query(QUERY);
    let list = match query {
        Some(query) => vault.safe.sorted(vault.order, |entry| entry.matches(query)),
        None => listed(vault, page),
    };
    let mut body = View::column().fill();
    body = match query {
        Some(_) => body.child(View::heading("found", format!("{} found in all groups", list.len()))),
        None => body.child(View::spinner(
            "group_spinner",
            filter_name(vault, filter(vault, page)),
            Action::AskFilter,
        )),
    };
    let left = 30 - env.now().0 / 1_000 % 30;
    let timer = View::label("timer", format!("New codes in {left} s")).wide().pad_sides(16, 4);
    let revealed = page.number("revealed");
    let rows: Vec<View<Action>> =
        list.iter().enumerate().map(|(n, entry)| row(vault, entry, n, revealed, env)).collect();
    let list = if rows.is_empty() {
        View::empty("no_entries", if query.is_some() { "Nothing found" } else { "No entries here" })
    } else {
        View::recycler("entries").children(rows)
    };
    let add =
        View::fab("fab", Icon::Add, "New entry", Action::New).at(Gravity::BottomEnd).margin(0, 0, 16, 16);
    let body = body.child(timer.text_size(TextSize::Small).ink(Color::FAINT)).child(list.share_height());
    let screen = Screen::new("Vault", body)
        .color(Color::TEAL)
        .search(QUERY, "Issuer or account")
        .action("sort", Icon::Sort, "Sort", Action::AskOrder)
        .menu("Groups", Action::Groups)
        .menu("Log", Action::Log)
        .menu("Settings", Action::Settings)
        .over(add);
    match vault.undo.item() {
        Some(entry) => screen.snackbar(format!("{} deleted", entry.text.issuer), "Undo", Action::Undo),
        None => screen,
    }
}

fn row(vault: &Vault, entry: &Entry, place: usize, revealed: u64, env: &Env) -> View<Action> {
    let shown = !vault.hides || revealed == entry.id.0;
    let code = if shown { entry.code(env.now().0) } else { DOTS.to_owned() };
    let mut texts = View::column().share_width().child(View::label("issuer", &entry.text.issuer));
    if vault.accounts && !entry.text.account.is_empty() {
        let account = View::label("account", &entry.text.account);
        texts = texts.child(account.text_size(TextSize::Small).ink(Color::FAINT));
    }
    let row = View::new("android.view.ViewGroup", Arrange::Row)
        .id("entry_row")
        .high(64)
        .pad_sides(16, 4)
        .on_click(Action::Use(entry.id, place))
        .on_long_click(Action::Menu(entry.id))
        .child(texts)
        .child(View::label("code", code).text_size(TextSize::Title));
    if !entry.favourite {
        return row;
    }
    row.child(
        View::image("favourite_mark", Icon::Star).describe(format!("{} is a favourite", entry.text.issuer)),
    )
}

/// What the list shows when nothing is searched for.
pub(super) fn listed<'a>(vault: &'a Vault, page: &ActivityState) -> Vec<&'a Entry> {
    let filter = filter(vault, page);
    vault.safe.sorted(vault.order, |entry| match filter {
        Filter::All => true,
        Filter::Group(group) => entry.text.group == Some(group),
        Filter::NoGroup => entry.text.group.is_none(),
    })
}

/// What is chosen; all, where the group was deleted.
fn filter(vault: &Vault, page: &ActivityState) -> Filter {
    match page.variable("filter") {
        "none" => Filter::NoGroup,
        other => {
            let group = other.parse().ok().map(GroupId).filter(|id| vault.safe.group(*id).is_some());
            group.map_or(Filter::All, Filter::Group)
        }
    }
}

/// How a page keeps what is chosen.
pub(super) fn filter_text(filter: Filter) -> String {
    match filter {
        Filter::All => String::new(),
        Filter::Group(GroupId(id)) => id.to_string(),
        Filter::NoGroup => "none".to_owned(),
    }
}

fn filter_name(vault: &Vault, filter: Filter) -> String {
    match filter {
        Filter::All => "All groups".to_owned(),
        Filter::Group(id) => vault.safe.group_name(Some(id)).to_owned(),
        Filter::NoGroup => vault.safe.group_name(None).to_owned(),
    }
}

pub(super) fn ask_filter(vault: &Vault, ctx: &mut Ctx<'_, Action>) {
    let groups = vault.safe.groups().iter().map(|group| Filter::Group(group.id));
    let filters = std::iter::once(Filter::All).chain(groups).chain([Filter::NoGroup]);
    ctx.popup(filters.map(|filter| (filter_name(vault, filter), Action::Filter(filter))).collect());
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("As added", Action::Order(Order::Added))
        .choice("Issuer", Action::Order(Order::Name))
        .choice("Most used first", Action::Order(Order::MostUsed))
        .choice("Last used first", Action::Order(Order::LastUsed));
    ctx.show(dialog);
}

pub(super) fn menu(vault: &Vault, id: EntryId, ctx: &mut Ctx<'_, Action>) {
    let Some(entry) = vault.safe.get(id) else { return };
    let favour = if entry.favourite { "No favourite" } else { "Favourite" };
    ctx.popup(vec![
        ("Details".into(), Action::Details(id)),
        ("Edit".into(), Action::Edit(id)),
        (favour.into(), Action::Favour(id)),
        ("Duplicate".into(), Action::Duplicate(id)),
        ("Delete".into(), Action::AskDelete(id)),
    ]);
}

pub(super) fn ask_delete(vault: &Vault, id: EntryId, ctx: &mut Ctx<'_, Action>) {
    let issuer = vault.safe.get(id).map_or("", |entry| entry.text.issuer.as_str());
    let dialog = Dialog::new(format!("Delete {issuer}?"))
        .message("Switch its second factor off first.")
        .negative("Cancel")
        .positive("Delete", Action::Delete(id));
    ctx.show(dialog);
}

pub(super) fn details(vault: &Vault, page: &ActivityState, env: &Env) -> Screen<Action> {
    let Some(entry) = page.argument_number().and_then(|id| vault.safe.get(EntryId(id))) else {
        return Screen::new("Entry", View::empty("gone", "This entry was deleted")).color(Color::TEAL).up();
    };
    let id = entry.id;
    let hidden = vault.hides && page.number("revealed") == 0;
    // The wrong page does not know the setting.
    let shown = !hidden || vault.defects.strikes(&SHOWN_ANYHOW, hidden);
    let code = if shown { entry.code(env.now().0) } else { DOTS.to_owned() };
    let used = match entry.uses {
        0 => "Not used yet".to_owned(),
        1 => "Used once".to_owned(),
        times => format!("Used {times} times"),
    };
    let mut body = View::scroll("entry")
        .pad(16)
        .child(View::label("entry_issuer", &entry.text.issuer).text_size(TextSize::Large))
        .child(View::label("entry_account", &entry.text.account))
        .child(View::chip("entry_group", vault.safe.group_name(entry.text.group)))
        .child(View::label("entry_code", code).text_size(TextSize::Large).margin(0, 12, 0, 12));
    if vault.hides {
        let name = if hidden { "Reveal" } else { "Hide" };
        body = body.child(View::button("reveal", name, Action::Reveal));
    }
    let body = body
        .child(View::button("copy", "Copy", Action::Copy(id)))
        .child(View::label("entry_used", used).ink(Color::FAINT))
        .child(View::label("entry_note", &entry.text.note).multiline().wide());
    Screen::new("Entry", body)
        .color(Color::TEAL)
        .up()
        .action("edit", Icon::Pencil, "Edit", Action::Edit(id))
        .menu("Delete", Action::AskDelete(id))
}
