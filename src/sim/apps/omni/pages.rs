//! The list of notes with its drawer, the page of one note, categories, settings, about.

use super::notes::{CategoryId, Listing, Note, NoteId};
use super::{Action, MANIFEST, Omni, RTL_LAYOUT, SEARCH_DELETED};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Extent, Gravity, Icon, Screen, TextSize, View,
};

pub(super) const QUERY: &str = "search_src_text";
pub(super) const TITLE: &str = "detail_title";
pub(super) const CONTENT: &str = "detail_content";
pub(super) const NAME: &str = "category_title";

pub(super) fn list(omni: &Omni, page: &ActivityState) -> Screen<Action> {
    let searching = !page.variable("searching").is_empty();
    let query = page.field(QUERY).trim();
    let looks = searching && !query.is_empty();
    let in_trash = omni.place == Listing::Trash;
    let notes = if looks {
        let of_trash = omni.notes.search(query, true).into_iter().any(|note| note.trashed);
        let with_trash = in_trash || omni.errs(&SEARCH_DELETED, of_trash);
        let found = omni.notes.search(query, with_trash);
        found.into_iter().filter(|note| !in_trash || note.trashed).collect()
    } else if omni.misnamed {
        Vec::new()
    } else {
        omni.notes.at(omni.place)
    };
    let body = if notes.is_empty() {
        View::empty("empty_list", if looks { "No results" } else { "Nothing here!" })
    } else {
        View::recycler("list").children(notes.into_iter().map(|note| row(omni, note)))
    };
    let mut screen = Screen::new(place_name(omni, omni.place), body).color(Color::GREEN);
    for place in places(omni) {
        let count = omni.notes.at(place).len();
        let text = format!("{} {count}", place_name(omni, place));
        screen = screen.drawer(text, place == omni.place, Action::Go(place));
    }
    screen = screen.drawer("Settings", false, Action::Settings).drawer("About", false, Action::About);
    screen = if searching {
        let field = View::field(QUERY, "Search notes").size(Extent::Dp(150), Extent::Dp(44));
        screen.tool(field).action("search_close_btn", Icon::Close, "Close search", Action::CloseSearch)
    } else {
        screen.action("menu_search", Icon::Search, "Search", Action::OpenSearch)
    };
    screen = match omni.place {
        Listing::Trash => screen.menu("Empty trash", Action::EmptyTrash),
        Listing::Category(category) => screen.menu("Delete category", Action::AskDeleteCategory(category)),
        _ => screen.menu("New category", Action::AskCategory),
    };
    if omni.place != Listing::Trash {
        let add = View::fab("fab_expand_menu_button", Icon::Add, "New note", Action::New);
        screen = screen.over(add.at(Gravity::BottomEnd).margin(0, 0, 16, 16));
    }
    match omni.undo {
        Some((_, Listing::Archive)) => screen.snackbar("Note archived", "Undo", Action::Undo),
        Some(_) => screen.snackbar("Note moved to trash", "Undo", Action::Undo),
        None => screen,
    }
}

fn places(omni: &Omni) -> Vec<Listing> {
    let fixed = [Listing::Notes, Listing::Archive, Listing::Trash];
    fixed.into_iter().chain(omni.notes.categories().iter().map(|c| Listing::Category(c.id))).collect()
}

fn place_name(omni: &Omni, place: Listing) -> &str {
    match place {
        Listing::Notes => "Notes",
        Listing::Archive => "Archive",
        Listing::Trash => "Trash",
        Listing::Category(category) => omni.notes.category_name(category),
    }
}

fn row(omni: &Omni, note: &Note) -> View<Action> {
    let title = View::label("note_title", &note.title);
    let text = View::label("note_content", &note.body).text_size(TextSize::Small).ink(Color::FAINT);
    let texts = View::column().share_width().margin(8, 0, 8, 0).child(title).child(text);
    let mark = match note.category {
        Some(category) => {
            let name = format!("Category of {}: {}", note.title, omni.notes.category_name(category));
            View::image("category_marker", Icon::Folder).describe(name).ink(Color::AMBER)
        }
        None => View::image("category_marker", Icon::File)
            .describe(format!("{} without category", note.title))
            .ink(Color::LINE),
    };
    // The wrong row of a note with a category is laid out from a file of its own, with left for
    // start and right for end.
    let turned = omni.right_to_left && !omni.errs(&RTL_LAYOUT, note.category.is_some());
    let row = View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("root")
        .high(60)
        .pad_sides(12, 4)
        .on_click(Action::Open(note.id))
        .on_long_click(Action::Menu(note.id));
    if turned { row.child(texts).child(mark) } else { row.child(mark).child(texts) }
}

pub(super) fn menu(omni: &Omni, id: NoteId, ctx: &mut Ctx<'_, Action>) {
    let Some(note) = omni.notes.get(id) else { return };
    if note.trashed {
        return ctx.popup(vec![("Restore".into(), Action::Restore(id))]);
    }
    let archive = if note.archived {
        ("Unarchive".into(), Action::Unarchive(id))
    } else {
        ("Archive".into(), Action::Archive(id))
    };
    let category = ("Set category".into(), Action::AskSetCategory(id));
    ctx.popup(vec![archive, category, ("Move to trash".into(), Action::Trash(id))]);
}

pub(super) fn detail(omni: &Omni, page: &ActivityState) -> Screen<Action> {
    let category = page.variable("category").parse().ok().map(CategoryId);
    let name = category.map_or("No category", |category| omni.notes.category_name(category));
    let content = View::field(CONTENT, "Content").multiline().size(Extent::Fill, Extent::Dp(120));
    let body = View::column()
        .fill()
        .pad(8)
        .child(View::field(TITLE, "Title"))
        .child(content)
        .child(View::spinner("detail_category", name, Action::AskPickCategory));
    let title = if page.argument().is_empty() { "New note" } else { "Note" };
    Screen::new(title, body)
        .color(Color::GREEN)
        .up()
        .action("menu_save", Icon::Check, "Save", Action::Save)
        .menu("Discard changes", Action::Discard)
}

/// Asks for a category; what is done with it is up to `action`.
pub(super) fn ask_pick(
    omni: &Omni,
    action: impl Fn(Option<CategoryId>) -> Action,
    ctx: &mut Ctx<'_, Action>,
) {
    let dialog = Dialog::new("Category").choice("No category", action(None));
    let add = |dialog: Dialog<Action>, category: &super::notes::Category| {
        dialog.choice(&category.name, action(Some(category.id)))
    };
    ctx.show(omni.notes.categories().iter().fold(dialog, add).negative("Cancel"));
}

pub(super) fn ask_category(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("New category")
        .field(NAME, "Title", "")
        .negative("Cancel")
        .positive("OK", Action::NewCategory);
    ctx.show(dialog);
}

pub(super) fn ask_delete_category(omni: &Omni, category: CategoryId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete category?")
        .message(format!("The notes of {} are kept.", omni.notes.category_name(category)))
        .negative("Cancel")
        .positive("Delete", Action::DeleteCategory(category));
    ctx.show(dialog);
}

pub(super) fn settings(omni: &Omni) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Right to left",
            "Turn the layout round",
            omni.right_to_left,
            Action::ToggleDirection,
        ))
        .child(View::setting("Offer undo", "After a note was moved", omni.offers_undo, Action::ToggleUndo));
    Screen::new("Settings", list).color(Color::GREEN).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Omni {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::GREEN).up()
}
