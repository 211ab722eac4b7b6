//! The tab with the tasks.

use droidmux::sim::toolkit::{Arrange, Color, Ctx, Dialog, Env, Icon, Screen, View};

use super::action::Tab;
use super::book::{Task, TaskId};
use super::list::NAME;
use super::{Action, Tracker};

/// The field for a new task.
pub(super) const FIELD: &str = "task_field";

pub(super) fn view(tracker: &Tracker, env: &Env) -> Screen<Action> {
    let (done, mut open): (Vec<&Task>, Vec<&Task>) = tracker.book.tasks.iter().partition(|task| task.done);
    open.sort_by_key(|task| !task.important);
    let add = View::row()
        .high(56)
        .pad_sides(12, 4)
        .child(View::field(FIELD, "Add a task").share_width().on_submit(Action::AddTask))
        .child(View::icon_button("add_task", Icon::Add, "Add", Action::AddTask));
    let group = |name: String, tasks: &[&Task]| {
        let heading = (!tasks.is_empty()).then(|| View::heading("heading", name));
        let rows: Vec<View<Action>> = tasks.iter().map(|task| row(task)).collect();
        heading.into_iter().chain(rows)
    };
    let list = if tracker.book.tasks.is_empty() {
        View::empty("empty", "No tasks")
    } else {
        View::recycler("tasks")
            .children(group(format!("Open ({})", open.len()), &open))
            .children(group(format!("Done ({})", done.len()), &done))
    };
    let body = View::column().fill().child(add).child(list.share_height()).child(tracker.bar(Tab::Tasks));
    let mut screen = Screen::new("Tasks", body).color(tracker.color(env));
    if !done.is_empty() {
        screen = screen.menu("Clear done", Action::ClearDone);
    }
    tracker.offer(screen.menu("Settings", Action::Settings))
}

fn row(task: &Task) -> View<Action> {
    let (icon, name) =
        if task.important { (Icon::Star, "Important") } else { (Icon::NoStar, "Not important") };
    let text = View::label("task_text", &task.text).share_width();
    View::new("android.view.ViewGroup", Arrange::Row)
        .id("task_row")
        .high(48)
        .pad_sides(8, 0)
        .on_click(Action::Tick(task.id))
        .on_long_click(Action::TaskMenu(task.id))
        .child(View::check_box("task_check", "", task.done, Action::Tick(task.id)))
        .child(if task.done { text.ink(Color::FAINT) } else { text })
        .child(View::icon_button("important", icon, name, Action::Important(task.id)))
}

pub(super) fn menu(id: TaskId, ctx: &mut Ctx<'_, Action>) {
    ctx.popup(vec![("Rename".into(), Action::AskTask(id)), ("Delete".into(), Action::DeleteTask(id))]);
}

pub(super) fn ask_name(tracker: &Tracker, id: TaskId, ctx: &mut Ctx<'_, Action>) {
    let known = tracker.book.tasks.iter().find(|task| task.id == id);
    let dialog = Dialog::new("Rename task")
        .field(NAME, "Task", known.map_or("", |task| &task.text))
        .negative("Cancel")
        .positive("OK", Action::NameTask(id));
    ctx.show(dialog);
}
