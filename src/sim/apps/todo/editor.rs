//! The page of one task, settings, about.
//!
//! What is on the page and not saved yet lives in the page's variables: `due` in milliseconds,
//! `tags` as numbers and `attachments` as names, with commas between.

use super::book::{TAGS, Task, TaskId};
use super::list::due_text;
use super::{Action, MANIFEST, Todo};
use droidmux_sim_toolkit::{ActivityState, Color, Ctx, Dialog, Env, Icon, Moment, Screen, View};

pub(super) const TITLE: &str = "title_edit";

pub(super) fn view(page: &ActivityState, env: &Env) -> Screen<Action> {
    let due = page.variable("due").parse().ok().map(Moment);
    let due = due.map_or_else(|| "No due date".into(), |due| due_text(due, env.now()));
    let tags: Vec<&str> = tags(page).iter().filter_map(|tag| TAGS.get(*tag).copied()).collect();
    let tags = if tags.is_empty() { "Add tags".into() } else { tags.join(", ") };
    let attachment = |(n, name): (usize, String)| {
        View::row()
            .id("attachment_row")
            .high(48)
            .pad_sides(16, 0)
            .child(View::label("attachment_name", name).share_width())
            .child(View::icon_button("clear", Icon::Close, "Remove attachment", Action::Detach(n)))
    };
    let body = View::column()
        .fill()
        .pad(8)
        .child(View::field(TITLE, "Task name"))
        .child(control("due_row", "Due date", &due, Action::AskDue))
        .child(control("tags_row", "Tags", &tags, Action::AskTags))
        .child(control("attachments_row", "Attachments", "Add attachment", Action::Attach))
        .children(attachments(page).into_iter().enumerate().map(attachment));
    let title = if page.argument().is_empty() { "New task" } else { "Edit task" };
    Screen::new(title, body)
        .color(Color::BLUE)
        .up()
        .action("menu_save", Icon::Check, "Save", Action::Save)
        .menu("Discard", Action::Discard)
}

fn control(id: &'static str, name: &str, text: &str, action: Action) -> View<Action> {
    View::row()
        .id(id)
        .high(48)
        .pad_sides(8, 0)
        .on_click(action)
        .child(View::label("control_name", name).share_width())
        .child(View::label("control_text", text).ink(Color::FAINT))
}

fn tags(page: &ActivityState) -> Vec<usize> {
    page.variable("tags").split(',').filter_map(|tag| tag.parse().ok()).collect()
}

fn attachments(page: &ActivityState) -> Vec<String> {
    page.variable("attachments").split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Puts what is stored of the task on the page.
pub(super) fn fill(todo: &Todo, ctx: &mut Ctx<'_, Action>) {
    let Some(task) = ctx.page().argument_number().and_then(|id| todo.book.get(TaskId(id))) else { return };
    ctx.set_field(TITLE, &task.title);
    ctx.save("due", task.due.map_or_else(String::new, |due| due.0.to_string()));
    save_tags(&task.tags, ctx);
    ctx.save("attachments", task.attachments.join(","));
}

/// Sets the tags as for a page that opens, whatever was chosen.
pub(super) fn fill_tags(todo: &Todo, ctx: &mut Ctx<'_, Action>) {
    save_tags(stored_tags(todo, ctx.page()), ctx);
}

/// Whether other tags are chosen than those of the task.
pub(super) fn tags_changed(todo: &Todo, page: &ActivityState) -> bool {
    tags(page) != stored_tags(todo, page)
}

fn stored_tags<'a>(todo: &'a Todo, page: &ActivityState) -> &'a [usize] {
    let task = page.argument_number().and_then(|id| todo.book.get(TaskId(id)));
    task.map_or(&[], |task| &task.tags)
}

/// The task as it is on the page; `None` without a title.
pub(super) fn task(id: TaskId, done: bool, page: &ActivityState) -> Option<Task> {
    let title = page.field(TITLE).trim().to_owned();
    let due = page.variable("due").parse().ok().map(Moment);
    let (tags, attachments) = (tags(page), attachments(page));
    (!title.is_empty()).then_some(Task { id, title, due, tags, attachments, done })
}

pub(super) fn ask_due(ctx: &mut Ctx<'_, Action>) {
    let choices = [("No due date", None), ("Today", Some(0)), ("Tomorrow", Some(1)), ("In a week", Some(7))];
    ctx.popup(choices.map(|(text, days)| (text.to_owned(), Action::Due(days))).into());
}

pub(super) fn set_due(days: Option<u64>, ctx: &mut Ctx<'_, Action>) {
    let due = days.map(|days| ctx.env().now().plus_days(days).0.to_string());
    ctx.save("due", due.unwrap_or_default());
}

pub(super) fn ask_tags(ctx: &mut Ctx<'_, Action>) {
    let given = tags(ctx.page());
    let choice = |dialog: Dialog<Action>, (n, tag): (usize, &&str)| {
        let text = if given.contains(&n) { format!("{tag} (on)") } else { (*tag).to_owned() };
        dialog.choice(text, Action::Tag(n))
    };
    let dialog = TAGS.iter().enumerate().fold(Dialog::new("Tags"), choice).negative("Cancel");
    ctx.show(dialog);
}

/// Gives a tag, or takes it away.
pub(super) fn toggle_tag(tag: usize, ctx: &mut Ctx<'_, Action>) {
    let mut tags = tags(ctx.page());
    match tags.iter().position(|given| *given == tag) {
        Some(at) => {
            tags.remove(at);
        }
        None => tags.push(tag),
    }
    save_tags(&tags, ctx);
}

fn save_tags(tags: &[usize], ctx: &mut Ctx<'_, Action>) {
    let tags: Vec<String> = tags.iter().map(usize::to_string).collect();
    ctx.save("tags", tags.join(","));
}

pub(super) fn attach(ctx: &mut Ctx<'_, Action>) {
    let mut names = attachments(ctx.page());
    let taken = |n: &usize| names.contains(&format!("Picture {n}"));
    let free = (1..).find(|n| !taken(n)).unwrap_or_default();
    names.push(format!("Picture {free}"));
    ctx.save("attachments", names.join(","));
}

pub(super) fn detach(at: usize, ctx: &mut Ctx<'_, Action>) {
    let mut names = attachments(ctx.page());
    if at < names.len() {
        names.remove(at);
    }
    ctx.save("attachments", names.join(","));
}

pub(super) fn settings(todo: &Todo) -> Screen<Action> {
    let list = View::recycler("recycler_view").child(View::setting(
        "Hide completed",
        "Tasks that are ticked leave the list",
        todo.hide_done,
        Action::ToggleDone,
    ));
    let list = list.child(View::preference("Clear completed", "Deletes them for good", Action::ClearDone));
    Screen::new("Settings", list).color(Color::BLUE).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Tasks {}", MANIFEST.version_name));
    Screen::new("About", View::column().fill().pad(16).child(version)).color(Color::BLUE).up()
}
