//! The diary page and the page of one entry.

use super::Action;
use super::book::{Book, Entry, EntryId};
use droidmux_sim_toolkit::{ActivityState, Arrange, Color, Extent, Icon, Screen, TextSize, View};

/// All entries, the newest first.
pub(super) fn list(book: &Book) -> Screen<Action> {
    let rows: Vec<View<Action>> = book.entries().rev().map(|entry| row(book, entry)).collect();
    let body = if rows.is_empty() {
        View::frame().fill().pad(24).child(View::label("history_empty", "Nothing in your diary yet"))
    } else {
        View::recycler("history_list").children(rows)
    };
    Screen::new("Diary", body).up()
}

fn row(book: &Book, entry: &Entry) -> View<Action> {
    let name = book.name_of(entry);
    let mut texts = View::new("android.widget.RelativeLayout", Arrange::Column)
        .id("activity_background")
        .fill()
        .pad_sides(10, 3)
        .background(Color::nth(book.color_of(entry)))
        .rounded(6)
        .child(View::label("activity_name", name).ink(Color::WHITE))
        .child(
            View::label("start_label", entry.start.clock_text()).text_size(TextSize::Small).ink(Color::WHITE),
        );
    if !entry.note.is_empty() {
        texts = texts.child(View::label("note", &entry.note).text_size(TextSize::Small).ink(Color::WHITE));
    }
    let card = View::frame()
        .id("activity_card")
        .size(Extent::Share, Extent::Dp(56))
        .on_click(Action::OpenEntry(entry.id))
        .child(texts);
    let mut row = View::row().id("history_row").high(60).pad_sides(8, 2).child(card);
    if let Some(number) = entry.picture {
        let picture = View::picture("picture", number, format!("Picture of {name}"))
            .size(Extent::Dp(52), Extent::Dp(52))
            .margin(8, 0, 0, 0)
            .on_click(Action::AskDelete(entry.id));
        row = row.child(picture);
    }
    row
}

/// One entry, with its note to edit.
pub(super) fn detail(book: &Book, page: &ActivityState) -> Screen<Action> {
    let entry = page.argument_number().and_then(|number| book.entry(EntryId(number)));
    let Some(entry) = entry else {
        return Screen::new("Diary entry", View::text("This entry is gone").pad(24)).up();
    };
    let card = View::frame().id("activity_card").high(56).pad(6).child(
        View::new("android.widget.RelativeLayout", Arrange::Frame)
            .id("activity_background")
            .fill()
            .pad_sides(10, 8)
            .background(Color::nth(book.color_of(entry)))
            .rounded(6)
            .child(View::label("activity_name", book.name_of(entry)).ink(Color::WHITE)),
    );
    let time = View::row()
        .wide()
        .pad_sides(10, 6)
        .child(View::label("date_start", entry.start.day_text()).describe("Start date").share_width())
        .child(View::label("time_start", entry.start.clock_text()).describe("Start time").share_width());
    let note = View::field("edit_activity_note", "Note").size(Extent::Fill, Extent::Dp(96)).multiline();
    let body = View::column()
        .fill()
        .pad(8)
        .child(card)
        .child(View::label("start_header", "Start").ink(Color::FAINT).margin(10, 8, 0, 0))
        .child(time)
        .child(View::column().id("edit_activity_note_til").wide().child(note));
    Screen::new("Diary entry", body).up().action("action_edit_done", Icon::Check, "Save", Action::SaveNote)
}
