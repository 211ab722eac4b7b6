//! Managing activities: the list of them, and the page to add or change one.

use super::Action;
use super::book::Book;
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Extent, Gravity, Icon, Screen, TextSize, View,
};

const COLORS: [&str; 7] = ["Green", "Teal", "Brown", "Purple", "Blue", "Red", "Indigo"];

/// The number of the activity being changed; `None` on the page of a new one.
pub(super) fn edited(page: &ActivityState) -> Option<usize> {
    page.argument().parse().ok()
}

/// The colour chosen on the page, else the activity's own.
pub(super) fn color(page: &ActivityState, book: &Book) -> usize {
    let chosen = page.variable("color").parse().ok();
    let own = || edited(page).and_then(|n| book.activity(n)).map_or(0, |activity| activity.color);
    chosen.unwrap_or_else(own)
}

/// A new activity, or one to change.
pub(super) fn view(book: &Book, page: &ActivityState) -> Screen<Action> {
    let title = if edited(page).is_some() { page.variable("title") } else { "New activity" };
    let error = page.variable("error");
    let mut name = View::column()
        .id("edit_activity_name_til")
        .wide()
        .child(View::field("edit_activity_name", "Activity title").on_submit(Action::SaveActivity));
    if !error.is_empty() && page.field("edit_activity_name").trim().is_empty() {
        let error = View::label("textinput_error", error).ink(Color::RED).text_size(TextSize::Small);
        name = name.child(error);
    }
    let swatch = View::new("android.widget.ImageView", Arrange::Leaf)
        .id("edit_activity_color")
        .describe("Pick a color")
        .high(48)
        .margin(8, 8, 8, 8)
        .background(Color::nth(color(page, book)))
        .on_click(Action::PickColor);
    let body = View::column()
        .fill()
        .pad(8)
        .child(name)
        .child(View::label("edit_activity_color_label", "Activity color").ink(Color::FAINT))
        .child(swatch);
    let mut screen = Screen::new(title, body).up();
    if edited(page).is_some() {
        screen =
            screen.action("action_edit_delete", Icon::Delete, "Delete activity", Action::AskDeleteActivity);
    }
    screen.action("action_edit_done", Icon::Check, "Save", Action::SaveActivity)
}

/// Asks for a colour; `alone` shows the dialog without a fragment that would bring it back.
pub(super) fn pick_color(alone: bool, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Pick a color");
    let with_choices =
        (0..).zip(COLORS).fold(dialog, |dialog, (n, name)| dialog.choice(name, Action::Color(n)));
    let dialog = with_choices.negative("Cancel");
    ctx.show(if alone { dialog.alone() } else { dialog });
}

pub(super) fn ask_delete(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Delete activity?")
        .message("Its diary entries are kept.")
        .negative("Cancel")
        .positive("Delete", Action::DeleteActivity);
    ctx.show(dialog);
}

/// All activities, to change one.
pub(super) fn manage(book: &Book) -> Screen<Action> {
    let row = |(number, activity): (usize, &super::book::Activity)| {
        View::new("android.widget.RelativeLayout", Arrange::Frame)
            .id("activity_background")
            .size(Extent::Fill, Extent::Dp(52))
            .pad_sides(12, 8)
            .background(Color::nth(activity.color))
            .on_click(Action::EditActivity(number))
            .child(View::label("activity_name", &activity.name).ink(Color::WHITE).at(Gravity::CenterStart))
    };
    let list = View::list("manage_activity_list").children(book.activities().map(row));
    Screen::new("Manage activities", list).up().action(
        "action_add_activity",
        Icon::Add,
        "Add Activity",
        Action::NewActivity,
    )
}
