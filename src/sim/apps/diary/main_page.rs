//! The main page: what runs, tabs about it, and the grid to choose from.

use super::Action;
use super::book::{Activity, Book, Entry};
use crate::sim::toolkit::{Arrange, Color, Env, Extent, Gravity, Icon, Page, Screen, TextSize, View};

/// Number of the tab with the pictures.
pub(super) const PICTURES: usize = 2;
const TABS: [&str; 3] = ["Statistics", "Note", "Pictures"];

pub(super) fn view(book: &Book, page: &Page, env: &Env) -> Screen<Action> {
    let tab = usize::try_from(page.number("tab")).unwrap_or(0).min(PICTURES);
    let body = View::column().fill().child(header(book, tab, env)).child(grid(book));
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

fn header(book: &Book, tab: usize, env: &Env) -> View<Action> {
    let running = View::flow("running_recycler")
        .size(Extent::Fill, Extent::Wrap)
        .pad(4)
        .children(book.entries().rev().map(|entry| running_card(book, entry)));
    let tabs = View::tabs("tablayout", tab, (0..).map(Action::Tab).zip(TABS).map(|(a, name)| (name, a)));
    let (next, previous) = (Action::Tab((tab + 1).min(PICTURES)), Action::Tab(tab.saturating_sub(1)));
    let pager = View::new("androidx.viewpager.widget.ViewPager", Arrange::Frame)
        .id("viewpager")
        .share_width()
        .on_swipe(next, previous)
        .child(match tab {
            0 => statistics(book, env),
            1 => notes(book),
            _ => pictures(book),
        });
    let buttons = View::row()
        .child(View::fab("fab_attach_picture", Icon::Camera, "Attach picture", Action::Attach))
        .child(View::fab("fab_edit_note", Icon::Pencil, "Edit note", Action::WriteNote).margin(12, 0, 12, 0));
    let details = View::row().high(84).child(pager.size(Extent::Share, Extent::Fill)).child(buttons);
    View::new("android.view.ViewGroup", Arrange::Column)
        .id("header_area")
        .wide()
        .background(Color::LINE)
        .child(running)
        .child(tabs)
        .child(details)
}

/// A running activity; the one notes and pictures go to stands out.
fn running_card(book: &Book, entry: &Entry) -> View<Action> {
    let current = book.current().is_some_and(|current| current.id == entry.id);
    let color = Color::nth(book.color_of(entry));
    let color = if current { color } else { color.mixed(Color::LINE, 50) };
    let name = View::label("activity_name", book.name_of(entry)).ink(Color::WHITE);
    View::frame()
        .id("card")
        .pad(3)
        .selected(current)
        .on_click(Action::OpenEntry(entry.id))
        .child(background(color).pad_sides(10, 7).child(name))
}

fn background(color: Color) -> View<Action> {
    View::new("android.widget.RelativeLayout", Arrange::Frame)
        .id("activity_background")
        .background(color)
        .rounded(6)
}

fn statistics(book: &Book, env: &Env) -> View<Action> {
    let current = book.current();
    let since = current.map_or("-".to_owned(), |e| format!("Since {}", env.now().since_text(e.start)));
    let start = current.map_or("-".to_owned(), |e| format!("Started {}", e.start.clock_text()));
    let line = |id: &'static str, text: String| View::label(id, text).text_size(TextSize::Small);
    let lines = View::column()
        .id("detail_content")
        .wide()
        .child(line("duration_label", since))
        .child(line("start_label", start))
        .child(line("today_label", format!("Today is {}", env.now().day_text())));
    View::scroll("nested_scrollview").pad_sides(8, 4).child(lines)
}

/// Today's notes, one line each.
fn notes(book: &Book) -> View<Action> {
    let written = book.entries().filter(|entry| !entry.note.is_empty());
    let line = |entry: &Entry| View::label("note", &entry.note).text_size(TextSize::Small);
    View::recycler("note_recycler").pad_sides(8, 4).children(written.map(line))
}

/// Today's pictures.
fn pictures(book: &Book) -> View<Action> {
    let picture = |number: u64| {
        View::picture("picture", number, "Picture").size(Extent::Dp(36), Extent::Dp(36)).margin(2, 2, 2, 2)
    };
    View::flow("picture_recycler").pad(4).children(book.entries().filter_map(|e| e.picture).map(picture))
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
    let background = background(Color::nth(activity.color)).size(Extent::Wrap, Extent::Fill);
    View::frame()
        .id("select_card_view")
        .size(Extent::Wrap, Extent::Dp(60))
        .pad(4)
        .on_click(Action::Choose(number))
        .on_long_click(Action::EditActivity(number))
        .child(background.pad_sides(10, 8).child(name))
}
