//! A list of tasks with dates, tags and attachments.
//!
//! Modelled on Tasks ("Fully Automated Functional Fuzzing" and "Property-Based Fuzzing") and Simpletask
//! ("Property-Based Fuzzing"). Deleting offers an undo, which lasts until the next action.

use book::{Book, Filter, Order, Task, TaskId};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

mod book;
#[cfg(test)]
pub(super) mod cases;
mod editor;
mod list;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.todo",
    label: "Tasks",
    version_name: "11.2",
    version_code: 110_201,
    activities: &[MAIN, EDIT, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "activities.MainActivity";
const EDIT: &str = "activities.TaskEditActivity";
const SETTINGS: &str = "preferences.MainPreferences";
const ABOUT: &str = "preferences.AboutActivity";

const TAGS_DOUBLED: Defect = Defect {
    id: "todo.tags-doubled",
    kind: DefectKind::WrongDisplay,
    what: "the list shows the tags of a task with two attachments twice",
    seed: "Fully Automated Functional Fuzzing: Tasks, a new task's tag is shown twice after two attachments",
};
const DATE_FILTER: Defect = Defect {
    id: "todo.date-filter",
    kind: DefectKind::WrongBehaviour,
    what: "the filter by date finds no task whose date was picked",
    seed: "Property-Based Fuzzing: Tasks, tasks can be filtered by other criteria but not by date",
};
const SEARCH_AGAIN: Defect = Defect {
    id: "todo.search-again",
    kind: DefectKind::FunctionLost,
    what: "a search after a cancelled one finds nothing the cancelled one did not find",
    seed: "Property-Based Fuzzing: Simpletask, searching again after cancelling a search does not work",
};
const UNDO_ATTACHMENTS: Defect = Defect {
    id: "todo.undo-attachments",
    kind: DefectKind::DataLoss,
    what: "undoing the deletion of a task brings it back without its attachments",
    seed: "Property-Based Fuzzing: ActivityDiary, a deleted activity is not recovered correctly",
};
const TURN_TAGS: Defect = Defect {
    id: "todo.turn-tags",
    kind: DefectKind::DataLoss,
    what: "tags chosen for a task are gone when the screen is turned before it is saved",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: what was selected is lost when the screen is turned",
};
const DEFECTS: &[Defect] = &[TAGS_DOUBLED, DATE_FILTER, SEARCH_AGAIN, UNDO_ATTACHMENTS, TURN_TAGS];

const TRAPS: &[Trap] = &[
    Trap { id: "todo.undo-expires", what: "the undo of a deletion is offered only until the next action" },
    Trap { id: "todo.sort-reorders", what: "another order moves the rows of all tasks" },
    Trap {
        id: "todo.hide-completed",
        what: "with completed tasks hidden, ticking a task takes it off the list",
    },
    Trap { id: "todo.undo-turn", what: "the offer to undo a deletion goes when the screen is turned" },
];

/// The task list, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Todo::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Todo {
    book: Book,
    order: Order,
    filter: Filter,
    hide_done: bool,
    /// What was deleted last and its place, while it can be brought back.
    undo: Option<(usize, Task)>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    New,
    Open(TaskId),
    Menu(TaskId),
    Copy(TaskId),
    Delete(TaskId),
    Undo,
    Toggle(TaskId),
    OpenSearch,
    CancelSearch,
    Search,
    AskOrder,
    Order(Order),
    AskFilter,
    Filter(Filter),
    ToggleDone,
    ClearDone,
    AskDue,
    /// In how many days.
    Due(Option<u64>),
    AskTags,
    Tag(usize),
    Attach,
    Detach(usize),
    Save,
    Discard,
    Settings,
    About,
}

impl Todo {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            book: Book::new(),
            order: Order::default(),
            filter: Filter::default(),
            hide_done: false,
            undo: None,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::New => ctx.start(EDIT, ""),
            Action::Open(task) => ctx.start(EDIT, task.0),
            Action::Menu(task) => list::menu(task, ctx),
            Action::Copy(task) => self.copy(task),
            Action::Delete(task) => self.undo = self.book.remove(task),
            Action::Undo => self.bring_back(undo),
            Action::Toggle(task) => self.book.toggle(task),
            Action::OpenSearch => {
                ctx.save("searching", 1);
                ctx.focus(list::QUERY);
            }
            Action::CancelSearch => list::cancel_search(ctx),
            Action::Search => list::search(self, ctx),
            Action::AskOrder => list::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::AskFilter => list::ask_filter(ctx),
            Action::Filter(filter) => {
                self.filter = filter;
                list::cancel_search(ctx);
            }
            Action::ToggleDone => self.hide_done = !self.hide_done,
            Action::ClearDone => self.book.clear_done(),
            Action::AskDue => editor::ask_due(ctx),
            Action::Due(days) => editor::set_due(days, ctx),
            Action::AskTags => editor::ask_tags(ctx),
            Action::Tag(tag) => editor::toggle_tag(tag, ctx),
            Action::Attach => editor::attach(ctx),
            Action::Detach(at) => editor::detach(at, ctx),
            Action::Save => self.save(ctx),
            Action::Discard => ctx.finish(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn copy(&mut self, task: TaskId) {
        if let Some(task) = self.book.get(task).cloned() {
            let id = self.book.new_id();
            self.book.put(Task { id, ..task });
        }
    }

    fn bring_back(&mut self, undo: Option<(usize, Task)>) {
        let Some((at, mut task)) = undo else { return };
        if self.errs(&UNDO_ATTACHMENTS, !task.attachments.is_empty()) {
            // Only the row of the task was kept; what refers to it went with the deletion.
            task.attachments.clear();
        }
        self.book.restore(at, task);
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let known = ctx.page().argument_number().map(TaskId).and_then(|id| self.book.get(id));
        let (id, done) = match known {
            Some(task) => (task.id, task.done),
            None => (self.book.new_id(), false),
        };
        match editor::task(id, done, ctx.page()) {
            Some(task) => {
                self.book.put(task);
                ctx.finish();
            }
            None => ctx.toast("A task needs a name"),
        }
    }
}

impl App for Todo {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            EDIT => editor::view(page, env),
            SETTINGS => editor::settings(self),
            ABOUT => editor::about(),
            _ => list::view(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: true } => {
                self.undo = None;
                if ctx.page().activity() == EDIT
                    && self.errs(&TURN_TAGS, editor::tags_changed(self, ctx.page()))
                {
                    editor::fill_tags(self, ctx);
                }
            }
            Input::Opened { again: false } => {
                self.book.date_from(ctx.env().now());
                if ctx.page().activity() == EDIT {
                    editor::fill(self, ctx);
                }
            }
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        let searching = ctx.page().activity() == MAIN && !ctx.page().variable("searching").is_empty();
        if searching {
            list::cancel_search(ctx);
        }
        searching
    }

    fn process_died(&mut self) {
        self.undo = None;
    }
}
