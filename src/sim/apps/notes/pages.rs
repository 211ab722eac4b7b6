//! The list of notes, the page of one, settings and about.

use super::shelf::{Note, NoteId, Shelf};
use super::{Action, MANIFEST};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Extent, Gravity, Icon, Screen, TextSize, View,
};

/// The field of the rename dialog.
pub(super) const NEW_NAME: &str = "new_name";

/// The search field of the toolbar.
pub(super) const QUERY: &str = "search_src_text";

const TIPS: [&str; 5] = [
    "Tip: a star marks what matters",
    "Tip: a long touch shows more",
    "Tip: titles can be changed later",
    "Tip: write first, sort later",
    "Tip: one note a day",
];

/// The note being edited; `None` on the page of a new one.
pub(super) fn edited(page: &ActivityState) -> Option<NoteId> {
    page.argument_number().map(NoteId)
}

pub(super) fn list(shelf: &Shelf, page: &ActivityState, env: &Env) -> Screen<Action> {
    let searching = !page.variable("searching").is_empty();
    let query = page.field(QUERY).trim().to_lowercase();
    let drawn = env.volatile(2).and_then(|n| usize::try_from(n % 5).ok()).unwrap_or(0);
    let tip = View::label("tip_banner", TIPS.get(drawn).copied().unwrap_or_default())
        .high(32)
        .pad_sides(16, 4)
        .text_size(TextSize::Small)
        .background(Color::LINE);
    let has = |text: &str| text.to_lowercase().contains(&query);
    let shown = shelf.notes().iter().filter(|note| !searching || has(&note.title) || has(&note.body));
    let rows: Vec<View<Action>> = shown.map(row).collect();
    let notes = if rows.is_empty() {
        let hint = if searching { "No note found" } else { "No notes yet" };
        View::frame().share_height().child(View::label("empty_hint", hint).at(Gravity::Center))
    } else {
        View::recycler("ui__filesystem_list").share_height().children(rows)
    };
    let add = View::fab("fab_add_new_item", Icon::Add, "New note", Action::New)
        .at(Gravity::BottomEnd)
        .margin(0, 0, 16, 16);
    let mut screen = Screen::new("Notes", View::column().fill().child(tip).child(notes)).color(Color::RED);
    screen = if searching {
        let field = View::field(QUERY, "Search").size(Extent::Dp(150), Extent::Dp(44));
        screen.tool(field).action("search_close_btn", Icon::Close, "Close search", Action::CloseSearch)
    } else {
        screen.action("action_search", Icon::Search, "Search notes", Action::OpenSearch)
    };
    screen.over(add).menu("Settings", Action::Settings).menu("About", Action::About)
}

fn row(note: &Note) -> View<Action> {
    let first_line = note.body.lines().next().unwrap_or_default();
    let texts = View::column()
        .share_width()
        .margin(12, 0, 8, 0)
        .child(View::label("note_title", &note.title))
        .child(View::label("note_preview", first_line).text_size(TextSize::Small).ink(Color::FAINT));
    let star = View::check_box("note_star", "", note.starred, Action::Star(note.id));
    View::new("android.widget.RelativeLayout", Arrange::Row)
        .id("note_row")
        .high(60)
        .pad_sides(8, 4)
        .on_click(Action::Open(note.id))
        .on_long_click(Action::Menu(note.id))
        .child(View::image("note_icon", Icon::File).ink(Color::RED))
        .child(texts)
        .child(star)
}

pub(super) fn close_search(ctx: &mut Ctx<'_, Action>) {
    ctx.save("searching", "");
    ctx.set_field(QUERY, "");
    ctx.hide_keyboard();
}

/// Writing a note.
pub(super) fn document(page: &ActivityState) -> Screen<Action> {
    let title = if edited(page).is_some() { "Edit note" } else { "New note" };
    let body =
        View::column().fill().pad(8).child(View::field("note__title", "Title")).child(
            View::field("document__edit", "Write here").multiline().size(Extent::Fill, Extent::Dp(140)),
        );
    Screen::new(title, body).color(Color::RED).up().action("action_save", Icon::Check, "Save", Action::Save)
}

pub(super) fn ask_rename(shelf: &Shelf, note: NoteId, ctx: &mut Ctx<'_, Action>) {
    let Some(found) = shelf.get(note) else { return };
    let dialog = Dialog::new("Rename")
        .field(NEW_NAME, "Title", &found.title)
        .negative("Cancel")
        .positive("Rename", Action::Rename(note));
    ctx.show(dialog);
}

pub(super) fn ask_delete(shelf: &Shelf, note: NoteId, ctx: &mut Ctx<'_, Action>) {
    let Some(found) = shelf.get(note) else { return };
    let dialog = Dialog::new("Delete note?")
        .message(format!("{} will be deleted for good.", found.title))
        .negative("Cancel")
        .positive("Delete", Action::Delete(note));
    ctx.show(dialog);
}

pub(super) fn settings(wrap: bool, highlight: bool) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting("Wrap lines", "In the editor", wrap, Action::ToggleWrap))
        .child(View::setting("Highlight", "Colour headings", highlight, Action::ToggleHighlight));
    Screen::new("Settings", list).color(Color::RED).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Notes {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(Color::RED).up()
}
