//! The main page: the running activities with their notes and pictures, and the grid to choose
//! from.

use super::Action;
use super::book::{Activity, Book, Entry};
use droidmux_sim_toolkit::{Arrange, Color, Env, Extent, Gravity, Icon, Screen, TextSize, View};

pub(super) fn view(book: &Book, env: &Env) -> Screen<Action> {
    let body = View::column().fill().child(header(book, env)).child(grid(book));
    let main = View::new("android.view.ViewGroup", Arrange::Frame).id("main_layout").fill().child(body);
    Screen::new("Activity Diary", main)
        .subtitle("What are you doing?")
        .drawer("Select Activity", true, Action::OpenMain)
        .drawer("Diary", false, Action::OpenDiary)
        .drawer("Edit Activities", false, Action::Manage)
        .drawer("Settings", false, Action::Settings)
        .drawer("About", false, Action::About)
        .action("action_diary", Icon::Book, "Diary", Action::OpenDiary)
        .action("action_add_activity", Icon::Add, "Add Activity", Action::NewActivity)
}

/// What runs, and the buttons to add a picture or a note to the activity chosen last.
fn header(book: &Book, env: &Env) -> View<Action> {
    let running = View::flow("running_recycler")
        .size(Extent::Share, Extent::Fill)
        .pad(4)
        .children(book.entries().rev().map(|entry| running_card(book, entry, env)));
    let has_picture = book.current().is_some_and(|entry| entry.picture.is_some());
    let attach = if has_picture { "Replace picture" } else { "Attach picture" };
    let buttons = View::column()
        .pad_sides(8, 8)
        .child(View::fab("fab_attach_picture", Icon::Camera, attach, Action::Attach))
        .child(View::fab("fab_edit_note", Icon::Pencil, "Edit note", Action::WriteNote).margin(0, 12, 0, 0));
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("header_area")
        .high(232)
        .background(Color::LINE)
        .child(running)
        .child(buttons)
}

/// A running activity; the one notes and pictures go to stands out.
fn running_card(book: &Book, entry: &Entry, env: &Env) -> View<Action> {
    let current = book.current().is_some_and(|current| current.id == entry.id);
    let color = Color::nth(book.color_of(entry));
    let color = if current { color } else { color.mixed(Color::LINE, 40) };
    let line = |id: &'static str, text: String| View::label(id, text).ink(Color::WHITE);
    let since = format!("Since {}", env.now().since_text(entry.start));
    let mut texts = View::column()
        .share_width()
        .child(line("activity_name", book.name_of(entry).to_owned()))
        .child(line("duration_label", since).text_size(TextSize::Small));
    if !entry.note.is_empty() {
        texts = texts.child(line("note", entry.note.clone()).text_size(TextSize::Small));
    }
    let mut card = background(color, Arrange::Row).fill().pad_sides(8, 4).child(texts);
    if let Some(number) = entry.picture {
        let picture = View::picture("picture", number, "Picture").size(Extent::Dp(28), Extent::Dp(28));
        card = card.child(picture);
    }
    View::frame()
        .id("card")
        .size(Extent::Dp(138), Extent::Dp(74))
        .pad(3)
        .selected(current)
        .on_click(Action::OpenEntry(entry.id))
        .child(card)
}

fn background(color: Color, arrange: Arrange) -> View<Action> {
    View::new("android.widget.RelativeLayout", arrange).id("activity_background").background(color).rounded(6)
}

fn grid(book: &Book) -> View<Action> {
    View::flow("select_recycler")
        .share_height()
        .pad(4)
        .children(book.activities().map(|(number, activity)| card(number, activity)))
}

fn card(number: usize, activity: &Activity) -> View<Action> {
    let name = View::label("activity_name", &activity.name)
        .at(Gravity::CenterStart)
        .ink(Color::WHITE)
        .text_size(TextSize::Title);
    let background = background(Color::nth(activity.color), Arrange::Frame).size(Extent::Wrap, Extent::Fill);
    View::frame()
        .id("select_card_view")
        .size(Extent::Wrap, Extent::Dp(56))
        .pad(4)
        .on_click(Action::Choose(number))
        .on_long_click(Action::EditActivity(number))
        .child(background.pad_sides(10, 8).child(name))
}
