//! The tasks that are kept.

use droidmux_sim_toolkit::Moment;

#[derive(Clone, Debug)]
pub(super) struct Book {
    /// In the user's own order.
    tasks: Vec<Task>,
    next: u64,
    /// False until the phone's date is known, from which the first tasks' dates are counted.
    dated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Task {
    pub id: TaskId,
    pub title: String,
    pub due: Option<Moment>,
    /// Places in [`TAGS`], in the order they were given.
    pub tags: Vec<usize>,
    pub attachments: Vec<String>,
    pub done: bool,
}

/// In what order the list shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Own,
    Title,
    Due,
}

/// Which of them the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Filter {
    #[default]
    All,
    Today,
    Undated,
    Tag(usize),
}

pub(super) const TAGS: [&str; 3] = ["Home", "Work", "Errands"];

/// Title, in how many days it is due, whether done.
const FIRST: [(&str, Option<u64>, bool); 4] = [
    ("Buy stamps", Some(0), false),
    ("Call the plumber", Some(1), false),
    ("Write the report", None, false),
    ("Sort the photos", None, true),
];

impl Book {
    pub(super) fn new() -> Self {
        let task = |(n, (title, due, done)): (u64, (&str, Option<u64>, bool))| Task {
            id: TaskId(n),
            title: title.into(),
            due: due.map(|days| Moment(0).plus_days(days)),
            tags: Vec::new(),
            attachments: Vec::new(),
            done,
        };
        let tasks: Vec<Task> = (1..).zip(FIRST).map(task).collect();
        let next = u64::try_from(tasks.len()).map_or(1, |n| n + 1);
        Self { tasks, next, dated: false }
    }

    /// Counts the dates of the first tasks from this day on, once.
    pub(super) fn date_from(&mut self, now: Moment) {
        if !std::mem::replace(&mut self.dated, true) {
            for due in self.tasks.iter_mut().filter_map(|task| task.due.as_mut()) {
                *due = due.plus_days(now.day());
            }
        }
    }

    pub(super) fn get(&self, id: TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// In this order.
    pub(super) fn sorted(&self, order: Order) -> Vec<&Task> {
        let mut tasks: Vec<&Task> = self.tasks.iter().collect();
        match order {
            Order::Own => {}
            Order::Title => tasks.sort_by_key(|task| task.title.to_lowercase()),
            Order::Due => tasks.sort_by_key(|task| task.due.map_or(u64::MAX, |due| due.0)),
        }
        tasks
    }

    /// Adds a task, or replaces the one with the same number.
    pub(super) fn put(&mut self, task: Task) {
        match self.tasks.iter_mut().find(|known| known.id == task.id) {
            Some(known) => *known = task,
            None => self.tasks.push(task),
        }
    }

    pub(super) fn new_id(&mut self) -> TaskId {
        self.next += 1;
        TaskId(self.next - 1)
    }

    pub(super) fn toggle(&mut self, id: TaskId) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.done = !task.done;
        }
    }

    /// Takes a task out; returns where it was, for [`Book::restore`].
    pub(super) fn remove(&mut self, id: TaskId) -> Option<(usize, Task)> {
        let at = self.tasks.iter().position(|task| task.id == id)?;
        Some((at, self.tasks.remove(at)))
    }

    pub(super) fn restore(&mut self, at: usize, task: Task) {
        self.tasks.insert(at.min(self.tasks.len()), task);
    }

    pub(super) fn clear_done(&mut self) {
        self.tasks.retain(|task| !task.done);
    }
}

impl Filter {
    /// `Due today`
    pub(super) fn name(self) -> String {
        match self {
            Self::All => "My tasks".into(),
            Self::Today => "Due today".into(),
            Self::Undated => "No due date".into(),
            Self::Tag(tag) => format!("Tag: {}", TAGS.get(tag).unwrap_or(&"")),
        }
    }
}
