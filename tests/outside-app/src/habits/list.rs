//! The tab with the habits of today, and the archive.

use droidmux::sim::toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Gravity, Icon, Screen, TextSize, View,
};

use super::action::Tab;
use super::book::{Category, CategoryId, Habit, HabitId, Order};
use super::declared::{COUNT_DELETED, MENU_SHIFTED, STREAK_KEPT};
use super::{Action, Tracker};

/// The search of the toolbar.
const QUERY: &str = "habit_search";
/// The field of a dialog that asks for a name.
pub(super) const NAME: &str = "name_field";

pub(super) fn view(tracker: &Tracker, page: &ActivityState, env: &Env) -> Screen<Action> {
    let today = env.now().day();
    let query = page.query(QUERY);
    let habits = shown(tracker, page, env, tracker.hides_done);
    let rows: Vec<View<Action>> =
        habits.iter().enumerate().map(|(n, habit)| row(tracker, habit, n, today)).collect();
    let mut body = View::column().fill();
    if query.is_none() {
        body = body.child(chips(tracker, page));
    }
    let list = if rows.is_empty() {
        let text = match query {
            Some(_) => "Nothing found",
            None if tracker.hides_done => "Nothing left to do",
            None => "No habits here",
        };
        View::empty("empty", text)
    } else {
        View::recycler("habits").children(rows)
    };
    let new =
        View::fab("fab", Icon::Add, "New habit", Action::New).at(Gravity::BottomEnd).margin(0, 0, 16, 72);
    let body = body.child(list.share_height()).child(tracker.bar(Tab::Habits));
    let mut screen = Screen::new("Habits", body)
        .color(tracker.color(env))
        .search(QUERY, "Search all habits")
        .action("sort", Icon::Sort, "Sort", Action::AskOrder)
        .menu_check("Hide done", tracker.hides_done, Action::ToggleHidden)
        .menu("Archive", Action::Archive)
        .menu("Settings", Action::Settings)
        .over(new);
    if query.is_none() {
        screen = screen.subtitle(progress(tracker, today));
    }
    tracker.offer(screen)
}

/// How much of today's is done.
fn progress(tracker: &Tracker, today: u64) -> String {
    let due = |habit: &&Habit| !habit.archived && habit.text.frequency.is_due(today);
    let all = tracker.book.habits.iter().filter(due).count();
    let done = tracker.book.habits.iter().filter(due).filter(|habit| habit.done.contains(&today)).count();
    // The wrong count goes up and down with the check boxes, and a deletion touches none.
    let done = tracker.defects.either(&COUNT_DELETED, done, || {
        done + tracker.deleted_done.iter().filter(|(_, day)| *day == today).count()
    });
    format!("{done} of {all} done today")
}

/// The category that is chosen.
pub(super) fn category(tracker: &Tracker, page: &ActivityState) -> Option<CategoryId> {
    let chosen = CategoryId(page.number("category"));
    tracker.book.categories.iter().any(|category| category.id == chosen).then_some(chosen)
}

fn chips(tracker: &Tracker, page: &ActivityState) -> View<Action> {
    let chosen = category(tracker, page);
    let chip = |id: &'static str, name: &str, is_chosen: bool, action: Action| {
        View::chip(id, name)
            .pad_sides(12, 8)
            .margin(8, 4, 0, 4)
            .background(if is_chosen { Color::AMBER } else { Color::LINE })
            .selected(is_chosen)
            .on_click(action)
    };
    let one = |category: &Category| {
        let action = Action::Category(Some(category.id));
        chip("category_chip", &category.name, chosen == Some(category.id), action)
            .on_long_click(Action::CategoryMenu(category.id))
    };
    View::flow("categories")
        .high(44)
        .child(chip("category_all", "All", chosen.is_none(), Action::Category(None)))
        .children(tracker.book.categories.iter().map(one))
        .child(chip("add_category", "+", false, Action::AskCategoryName(None)).describe("New category"))
}

/// The habits that the list shows: of the category that is chosen, or found by a search through all.
fn shown<'a>(tracker: &'a Tracker, page: &ActivityState, env: &Env, hides_done: bool) -> Vec<&'a Habit> {
    let today = env.now().day();
    let chosen = category(tracker, page);
    let passes = |habit: &&Habit| match page.query(QUERY) {
        Some(query) => {
            let query = query.to_lowercase();
            let says = |text: &str| text.to_lowercase().contains(&query);
            says(&habit.text.name) || says(&habit.text.note)
        }
        None => {
            (chosen.is_none() || habit.text.category == chosen)
                && !(hides_done && habit.done.contains(&today))
        }
    };
    let active = tracker.book.habits.iter().filter(|habit| !habit.archived);
    let mut list: Vec<&Habit> = active.filter(passes).collect();
    match tracker.order {
        Order::Made => {}
        Order::Name => list.sort_by_key(|habit| habit.text.name.to_lowercase()),
        Order::Streak => list.sort_by_key(|habit| std::cmp::Reverse(told_streak(tracker, habit, today))),
    }
    list
}

/// The streak that the list tells. The wrong one is kept with the habit.
fn told_streak(tracker: &Tracker, habit: &Habit, today: u64) -> u64 {
    tracker.defects.either(&STREAK_KEPT, habit.streak(today), || habit.kept_streak)
}

fn row(tracker: &Tracker, habit: &Habit, place: usize, today: u64) -> View<Action> {
    let id = habit.id;
    let done = habit.done.contains(&today);
    let mut about = View::row()
        .wide()
        .child(View::chip("habit_category", tracker.book.category_name(habit.text.category)));
    if tracker.shows_streaks {
        let streak = habit.text.frequency.told(told_streak(tracker, habit, today));
        about = about.child(View::label("streak", streak).text_size(TextSize::Small).margin(8, 0, 0, 0));
    }
    if habit.skipped.contains(&today) {
        about = about.child(View::label("skipped", "Skipped").text_size(TextSize::Small).margin(8, 0, 0, 0));
    }
    let texts = View::column().share_width().child(View::label("habit_name", &habit.text.name)).child(about);
    let check = View::check_box("check", "", done, Action::Check(id));
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("habit_row")
        .high(60)
        .pad_sides(16, 4)
        .on_click(Action::Open(id))
        .on_long_click(Action::Menu(id, place))
        .child(texts)
        .child(check.describe(format!("Check off {}", habit.text.name)))
}

pub(super) fn menu(tracker: &Tracker, id: HabitId, place: usize, ctx: &mut Ctx<'_, Action>) {
    // The wrong list looks up the place among all it could show.
    let id = tracker.defects.either(&MENU_SHIFTED, id, || {
        let all = shown(tracker, ctx.page(), ctx.env(), false);
        all.get(place).map_or(id, |habit| habit.id)
    });
    let today = ctx.env().now().day();
    let skipped = tracker.book.get(id).is_some_and(|habit| habit.skipped.contains(&today));
    ctx.popup(vec![
        ("Edit".into(), Action::Edit(id)),
        (if skipped { "Do not skip" } else { "Skip today" }.into(), Action::Skip(id)),
        ("Archive".into(), Action::PutAway(id)),
        ("Delete".into(), Action::AskDelete(id)),
    ]);
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("Oldest first", Action::Order(Order::Made))
        .choice("Name", Action::Order(Order::Name))
        .choice("Longest streak first", Action::Order(Order::Streak));
    ctx.show(dialog);
}

pub(super) fn ask_delete(tracker: &Tracker, id: HabitId, ctx: &mut Ctx<'_, Action>) {
    let name = tracker.book.get(id).map_or("", |habit| habit.text.name.as_str());
    let dialog = Dialog::new(format!("Delete {name}?"))
        .message("Its days are deleted with it.")
        .negative("Cancel")
        .positive("Delete", Action::Delete(id));
    ctx.show(dialog);
}

pub(super) fn category_menu(id: CategoryId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Rename".into(), Action::AskCategoryName(Some(id))),
        ("Delete".into(), Action::AskDeleteCategory(id)),
    ]);
}

pub(super) fn ask_category_name(tracker: &Tracker, id: Option<CategoryId>, ctx: &mut Ctx<'_, Action>) {
    let known = id.map_or("", |id| tracker.book.category_name(Some(id)));
    let dialog = Dialog::new(if id.is_some() { "Rename category" } else { "New category" })
        .field(NAME, "Name", known)
        .negative("Cancel")
        .positive("OK", Action::CategoryName(id));
    ctx.show(dialog);
}

pub(super) fn ask_delete_category(tracker: &Tracker, id: CategoryId, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new(format!("Delete {}?", tracker.book.category_name(Some(id))))
        .message("Its habits stay and belong to no category.")
        .negative("Cancel")
        .positive("Delete", Action::DeleteCategory(id));
    ctx.show(dialog);
}

pub(super) fn archive(tracker: &Tracker, env: &Env) -> Screen<Action> {
    let archived: Vec<&Habit> = tracker.book.habits.iter().filter(|habit| habit.archived).collect();
    let row = |habit: &&Habit| {
        let days = match habit.done.len() {
            1 => "1 check-off".to_owned(),
            days => format!("{days} check-offs"),
        };
        View::column()
            .id("archived_row")
            .high(60)
            .pad_sides(16, 8)
            .on_click(Action::ArchivedMenu(habit.id))
            .child(View::label("habit_name", &habit.text.name))
            .child(View::label("habit_days", days).text_size(TextSize::Small).ink(Color::FAINT))
    };
    let list = if archived.is_empty() {
        View::empty("empty", "The archive is empty")
    } else {
        View::recycler("archive").children(archived.iter().map(row))
    };
    tracker.offer(Screen::new("Archive", list).color(tracker.color(env)).up())
}

pub(super) fn archived_menu(id: HabitId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Restore".into(), Action::Restore(id)),
        ("Details".into(), Action::Open(id)),
        ("Delete".into(), Action::AskDelete(id)),
    ]);
}
