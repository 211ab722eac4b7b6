//! The lists, one list, the import, tags, settings, about.

use super::shelf::{self, ItemList};
use super::{ABOUT, Action, Lists, MANIFEST, SETTINGS, TAGS, reading};
use droidmux_sim_toolkit::{ActivityState, Color, Gravity, Icon, Screen, TextSize, View};

const COLOR: Color = Color::BROWN;

pub(super) fn lists(app: &Lists) -> Screen<Action> {
    let rows: Vec<View<Action>> = shelf::shown(app).map(|list| row(app, list)).collect();
    let body = if rows.is_empty() {
        View::empty("empty_view", "No lists")
    } else {
        View::recycler("lists").children(rows)
    };
    let add = View::fab("import_list", Icon::Add, "Import a list", Action::New);
    let screen = Screen::new("Lists", body)
        .color(COLOR)
        .over(add.at(Gravity::BottomEnd).margin(0, 0, 16, 16))
        .drawer("Lists", true, Action::Stay)
        .drawer("Tags", false, Action::GoTo(TAGS))
        .drawer("Settings", false, Action::GoTo(SETTINGS))
        .drawer("About", false, Action::GoTo(ABOUT));
    match &app.undo {
        Some((_, list)) => screen.snackbar(format!("{} deleted", list.name), "Undo", Action::Undo),
        None => screen,
    }
}

fn chips(app: &Lists, list: &ItemList) -> View<Action> {
    let chips = list.tags.iter().map(|tag| View::chip("tag", shelf::tag(app, tag)));
    View::row().id("chip_group").wide().children(chips)
}

fn row(app: &Lists, list: &ItemList) -> View<Action> {
    View::column()
        .id("list_row")
        .wide()
        .pad_sides(16, 6)
        .on_click(Action::Open(list.id))
        .child(View::label("list_title", shelf::title(app, list)))
        .child(
            View::label("list_size", format!("{} rows", list.rows.len()))
                .text_size(TextSize::Small)
                .ink(Color::FAINT),
        )
        .child(chips(app, list))
}

/// The form; what is wrong with it stands at the foot of the screen.
pub(super) fn import(wrong: &str) -> Screen<Action> {
    let form = View::scroll("import_form").pad(12).child(
        View::column()
            .wide()
            .child(View::field(reading::NAME, "Name of the list"))
            .child(View::field(reading::SOURCE, "Path or address"))
            .child(View::field(reading::ROWS, "Rows, cells with commas between").multiline().high(72))
            .child(View::field(reading::TAGS, "Tags, with commas between (optional)"))
            .child(View::button("import_button", "Import", Action::Import).wide()),
    );
    let screen = Screen::new("Import a list", form).color(COLOR).up();
    if wrong.is_empty() { screen } else { screen.snackbar(wrong, "Dismiss", Action::Dismiss) }
}

pub(super) fn progress() -> Screen<Action> {
    Screen::new("Import a list", View::loading("Reading rows")).color(COLOR).up()
}

pub(super) fn list(app: &Lists, page: &ActivityState) -> Screen<Action> {
    let id = page.argument_number().unwrap_or(0);
    let Some(list) = app.lists.iter().find(|list| list.id == id) else {
        return Screen::new("List", View::empty("empty_view", "Deleted")).color(COLOR).up();
    };
    let row = |cells: &Vec<String>| {
        let cells = cells.iter().map(|cell| View::label("cell", cell).share_width());
        View::row().id("item").wide().pad_sides(16, 6).children(cells)
    };
    let head = View::column()
        .wide()
        .pad(12)
        .child(View::label("source_text", &list.source).text_size(TextSize::Small).ink(Color::FAINT))
        .child(chips(app, list));
    let items = View::recycler("items").share_height().children(list.rows.iter().map(row));
    Screen::new(shelf::title(app, list), View::column().fill().child(head).child(items))
        .color(COLOR)
        .up()
        .action("delete_list", Icon::Delete, "Delete list", Action::Delete(list.id))
}

pub(super) fn tags(app: &Lists) -> Screen<Action> {
    let mut tags: Vec<&str> = app.lists.iter().flat_map(|list| &list.tags).map(String::as_str).collect();
    tags.sort_unstable();
    tags.dedup();
    let body = if tags.is_empty() {
        View::empty("empty_view", "No tags")
    } else {
        let rows =
            tags.iter().map(|tag| View::label("tag_name", shelf::tag(app, tag)).wide().pad_sides(16, 8));
        View::recycler("tags_list").children(rows)
    };
    Screen::new("Tags", body).color(COLOR).up()
}

pub(super) fn settings(app: &Lists) -> Screen<Action> {
    let list = View::recycler("recycler_view").child(View::setting(
        "Skip the first row",
        "When it says what the columns are",
        app.skips_first_row,
        Action::ToggleFirstRow,
    ));
    Screen::new("Settings", list).color(COLOR).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Lists {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(COLOR).up()
}
