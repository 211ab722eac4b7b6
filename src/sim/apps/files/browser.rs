//! The main page: the entries of a folder, or what a search found.

use super::Action;
use super::tree::{Entry, EntryId, Tree};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Extent, Gravity, Icon, Screen, TextSize, View,
};

/// The field of the dialogs that ask for a name.
pub(super) const NAME: &str = "singleedittext_input";

/// The folder the page shows, or was in before the search; the root when it is gone.
pub(super) fn folder(tree: &Tree, page: &ActivityState) -> EntryId {
    let folder = page.variable("folder").parse().map(EntryId).ok();
    folder.filter(|id| tree.get(*id).is_some()).unwrap_or(tree.root())
}

/// Whether the page shows what a search found.
pub(super) fn shows_results(page: &ActivityState) -> bool {
    !page.variable("results").is_empty()
}

pub(super) fn view(tree: &Tree, page: &ActivityState, hidden: bool) -> Screen<Action> {
    let folder = folder(tree, page);
    let results = shows_results(page);
    let entries = if results { found(tree, page) } else { tree.children(folder) };
    let shown = entries.into_iter().filter(|(_, entry)| hidden || !entry.name.starts_with('.'));
    let rows: Vec<View<Action>> = shown.map(|(id, entry)| row(tree, id, entry, results)).collect();
    let body = if !page.variable("loading").is_empty() {
        View::loading("Searching…")
    } else if rows.is_empty() {
        let text = if results { "Nothing found" } else { "This folder is empty" };
        View::frame().fill().child(View::label("nofilestext", text).at(Gravity::Center))
    } else {
        View::recycler("listView").children(rows)
    };
    let (title, path) =
        if results { ("Search results", String::new()) } else { ("Files", tree.path(folder)) };
    let crumbs = View::label("fullpath", path)
        .high(32)
        .pad_sides(12, 4)
        .text_size(TextSize::Small)
        .background(Color::INDIGO)
        .ink(Color::WHITE);
    let add = View::fab("sd_main_fab", Icon::Add, "New", Action::AskCreate)
        .at(Gravity::BottomEnd)
        .margin(0, 0, 16, 16);
    let mut screen = Screen::new(title, View::column().fill().child(crumbs).child(body.share_height()))
        .color(Color::INDIGO)
        .drawer("Internal storage", true, Action::Home)
        .drawer("Download", false, Action::Downloads)
        .drawer("Settings", false, Action::Settings)
        .drawer("About", false, Action::About);
    screen = if page.variable("searching").is_empty() {
        screen.action("search", Icon::Search, "Search", Action::OpenSearch)
    } else {
        search_bar(screen)
    };
    if results { screen } else { screen.action("home", Icon::Home, "Home", Action::Home).over(add) }
}

fn search_bar(screen: Screen<Action>) -> Screen<Action> {
    let field = View::field("search_edit_text", "Search…")
        .size(Extent::Dp(130), Extent::Dp(44))
        .on_submit(Action::Search);
    screen.tool(field).action("search_go_btn", Icon::Check, "Start search", Action::Search).action(
        "search_close_btn",
        Icon::Close,
        "Close search",
        Action::CloseSearch,
    )
}

fn found<'a>(tree: &'a Tree, page: &ActivityState) -> Vec<(EntryId, &'a Entry)> {
    let numbers = page.variable("results").trim_start_matches('=').split(',');
    let ids = numbers.filter_map(|number| number.parse().map(EntryId).ok());
    ids.filter_map(|id| Some((id, tree.get(id)?))).collect()
}

fn row(tree: &Tree, id: EntryId, entry: &Entry, with_path: bool) -> View<Action> {
    let icon = if entry.is_folder { Icon::Folder } else { Icon::File };
    let mut texts =
        View::column().share_width().margin(12, 0, 8, 0).child(View::label("firstline", &entry.name));
    if let (true, Some(parent)) = (with_path, entry.parent) {
        let path = View::label("secondLine", tree.path(parent)).text_size(TextSize::Small);
        texts = texts.child(path.ink(Color::FAINT));
    }
    let more = View::icon_button("properties", Icon::More, "", Action::Menu(id)).ink(Color::FAINT);
    View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("second")
        .high(56)
        .pad_sides(12, 4)
        .on_click(Action::Open(id))
        .on_long_click(Action::Menu(id))
        .child(View::image("generic_icon", icon).ink(Color::INDIGO))
        .child(texts)
        .child(more)
}

/// Shows a folder.
pub(super) fn go_to(folder: EntryId, ctx: &mut Ctx<'_, Action>) {
    leave_search(ctx);
    ctx.save("folder", folder.0);
    ctx.scroll_to_top("listView");
}

pub(super) fn leave_search(ctx: &mut Ctx<'_, Action>) {
    ctx.save("searching", "");
    ctx.save("results", "");
    ctx.save("loading", "");
    ctx.set_field("search_edit_text", "");
    ctx.hide_keyboard();
}

/// BACK leaves the search, else goes up a folder; false at the root.
pub(super) fn back(tree: &Tree, ctx: &mut Ctx<'_, Action>) -> bool {
    if shows_results(ctx.page()) || !ctx.page().variable("searching").is_empty() {
        leave_search(ctx);
        return true;
    }
    match tree.get(folder(tree, ctx.page())).and_then(|entry| entry.parent) {
        Some(parent) => {
            go_to(parent, ctx);
            true
        }
        None => false,
    }
}

pub(super) fn ask_rename(tree: &Tree, entry: EntryId, ctx: &mut Ctx<'_, Action>) {
    let Some(found) = tree.get(entry) else { return };
    let dialog = Dialog::new("Rename")
        .field(NAME, "Enter name", &found.name)
        .negative("Cancel")
        .positive("Save", Action::Rename(entry));
    ctx.show(dialog);
}

pub(super) fn ask_delete(tree: &Tree, entry: EntryId, ctx: &mut Ctx<'_, Action>) {
    let Some(found) = tree.get(entry) else { return };
    let dialog = Dialog::new("Delete?")
        .message(format!("{} will be deleted for good.", found.name))
        .negative("Cancel")
        .positive("Delete", Action::Delete(entry));
    ctx.show(dialog);
}

pub(super) fn ask_name(folder: bool, ctx: &mut Ctx<'_, Action>) {
    let (title, text) = if folder { ("New folder", "") } else { ("New file", ".txt") };
    let dialog = Dialog::new(title)
        .field(NAME, "Enter name", text)
        .negative("Cancel")
        .positive("Create", Action::Create { folder });
    ctx.show(dialog);
}
