//! The list of tasks, with search, filter and order.

use super::book::{Filter, Order, TAGS, Task, TaskId};
use super::{Action, DATE_FILTER, SEARCH_AGAIN, TAGS_DOUBLED, Todo};
use droidmux_sim_toolkit::{
    ActivityState, Arrange, Color, Ctx, Dialog, Env, Extent, Gravity, Icon, Moment, Screen, TextSize, View,
};

/// The search field of the toolbar.
pub(super) const QUERY: &str = "search_src_text";

pub(super) fn view(todo: &Todo, page: &ActivityState, env: &Env) -> Screen<Action> {
    let tasks = shown(todo, page, env.now());
    let body = if tasks.is_empty() {
        let text = if page.variable("results").is_empty() { "Nothing to do here" } else { "Nothing found" };
        View::empty("empty_view", text)
    } else {
        View::recycler("recycler_view").children(tasks.into_iter().map(|task| row(todo, task, env.now())))
    };
    let add = View::fab("fab", Icon::Add, "Create new task", Action::New)
        .at(Gravity::BottomEnd)
        .margin(0, 0, 16, 16);
    let mut screen = Screen::new(todo.filter.name(), body)
        .color(Color::BLUE)
        .drawer("My tasks", todo.filter == Filter::All, Action::Filter(Filter::All))
        .drawer("Due today", todo.filter == Filter::Today, Action::Filter(Filter::Today));
    for (n, tag) in TAGS.iter().enumerate() {
        screen = screen.drawer(*tag, todo.filter == Filter::Tag(n), Action::Filter(Filter::Tag(n)));
    }
    screen = screen.drawer("Settings", false, Action::Settings).drawer("About", false, Action::About);
    screen = if page.variable("searching").is_empty() {
        screen
            .action("menu_search", Icon::Search, "Search", Action::OpenSearch)
            .action("menu_sort", Icon::Sort, "Sort", Action::AskOrder)
            .menu("Filter", Action::AskFilter)
            .menu(if todo.hide_done { "Show completed" } else { "Hide completed" }, Action::ToggleDone)
            .menu("Clear completed", Action::ClearDone)
    } else {
        let field = View::field(QUERY, "Search tasks").size(Extent::Dp(150), Extent::Dp(44));
        screen.tool(field.on_submit(Action::Search)).action(
            "search_close_btn",
            Icon::Close,
            "Cancel search",
            Action::CancelSearch,
        )
    };
    match &todo.undo {
        Some((_, task)) => screen.over(add).snackbar(format!("{} deleted", task.title), "Undo", Action::Undo),
        None => screen.over(add),
    }
}

/// The tasks the list shows now.
fn shown<'a>(todo: &'a Todo, page: &ActivityState, now: Moment) -> Vec<&'a Task> {
    let mut tasks = todo.book.sorted(todo.order);
    let results = page.variable("results");
    if !results.is_empty() {
        let ids = numbers(results);
        tasks.retain(|task| ids.contains(&task.id.0));
        return tasks;
    }
    tasks.retain(|task| !(task.done && todo.hide_done) && passes(todo, task, now));
    tasks
}

fn passes(todo: &Todo, task: &Task, now: Moment) -> bool {
    match todo.filter {
        Filter::All => true,
        Filter::Undated => task.due.is_none(),
        Filter::Tag(tag) => task.tags.contains(&tag),
        // The wrong filter compares moments; a date that was picked has the time of its picking.
        Filter::Today => {
            let right = task.due.is_some_and(|due| due.day() == now.day());
            todo.defects.either(&DATE_FILTER, right, || task.due == Some(Moment(0).plus_days(now.day())))
        }
    }
}

fn row(todo: &Todo, task: &Task, now: Moment) -> View<Action> {
    let due = task.due.map_or_else(String::new, |due| due_text(due, now));
    // The wrong list shows what a join of tasks, tags and attachments gives: a row for each pair.
    let pairs = task.attachments.len();
    let copies = if todo.errs(&TAGS_DOUBLED, pairs > 1 && !task.tags.is_empty()) { pairs } else { 1 };
    let tags = (0..copies).flat_map(|_| &task.tags).filter_map(|tag| TAGS.get(*tag));
    let mut marks = View::row().id("chip_group").wide().children(tags.map(|tag| View::chip("chip", *tag)));
    if !task.attachments.is_empty() {
        let count = format!("{} attached", task.attachments.len());
        marks =
            marks.child(View::label("attachment_count", count).text_size(TextSize::Small).ink(Color::FAINT));
    }
    let texts = View::column()
        .share_width()
        .child(View::label("title", &task.title).ink(if task.done { Color::FAINT } else { Color::INK }))
        .child(marks);
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("rowBody")
        .high(64)
        .pad_sides(8, 4)
        .on_click(Action::Open(task.id))
        .on_long_click(Action::Menu(task.id))
        .child(View::check_box("completeBox", "", task.done, Action::Toggle(task.id)).describe("Complete"))
        .child(texts)
        .child(View::label("due_date", due).text_size(TextSize::Small).ink(Color::BLUE))
}

/// `Today`, `Tomorrow` or the date.
pub(super) fn due_text(due: Moment, now: Moment) -> String {
    match due.day().checked_sub(now.day()) {
        Some(0) => "Today".into(),
        Some(1) => "Tomorrow".into(),
        _ => due.day_text(),
    }
}

/// Shows what the search finds. The wrong search looks only through what the last one found, even
/// when that was cancelled.
pub(super) fn search(todo: &Todo, ctx: &mut Ctx<'_, Action>) {
    let query = ctx.page().field(QUERY).trim().to_lowercase();
    if query.is_empty() {
        return ctx.toast("Enter what to search for");
    }
    let within = ctx.page().variable("within").to_owned();
    let tasks = todo.book.sorted(Order::Own);
    let found = tasks.iter().filter(|task| task.title.to_lowercase().contains(&query)).map(|task| task.id.0);
    let found: Vec<u64> = found.collect();
    // The wrong search looks among what the last one found.
    let again = || {
        let is_within = |id: &&u64| within.is_empty() || numbers(&within).contains(*id);
        found.iter().filter(is_within).copied().collect()
    };
    let found = todo.defects.either(&SEARCH_AGAIN, found.clone(), again);
    let list: Vec<String> = found.iter().map(u64::to_string).collect();
    let list = format!("={}", list.join(","));
    ctx.save("within", &list);
    ctx.save("results", list);
    ctx.hide_keyboard();
}

fn numbers(list: &str) -> Vec<u64> {
    list.trim_start_matches('=').split(',').filter_map(|number| number.parse().ok()).collect()
}

pub(super) fn cancel_search(ctx: &mut Ctx<'_, Action>) {
    ctx.save("searching", "");
    ctx.save("results", "");
    ctx.set_field(QUERY, "");
    ctx.hide_keyboard();
}

pub(super) fn ask_order(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Sort by")
        .choice("My order", Action::Order(Order::Own))
        .choice("Title", Action::Order(Order::Title))
        .choice("Due date", Action::Order(Order::Due));
    ctx.show(dialog);
}

pub(super) fn ask_filter(ctx: &mut Ctx<'_, Action>) {
    let filters = [Filter::All, Filter::Today, Filter::Undated];
    let filters = filters.into_iter().chain((0..TAGS.len()).map(Filter::Tag));
    let dialog = filters.fold(Dialog::new("Filter"), |d, f| d.choice(f.name(), Action::Filter(f)));
    ctx.show(dialog);
}

pub(super) fn menu(task: TaskId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![
        ("Edit".into(), Action::Open(task)),
        ("Copy".into(), Action::Copy(task)),
        ("Delete".into(), Action::Delete(task)),
    ]);
}
