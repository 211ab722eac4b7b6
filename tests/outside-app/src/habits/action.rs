//! What touching the widgets of the habit tracker can mean.

use droidmux::sim::toolkit::ActivityState;

use super::book::{CategoryId, Habit, HabitId, Order, Task, TaskId};
use super::days::Frequency;

/// The tabs of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    Habits,
    Tasks,
    Focus,
    Statistics,
}

impl Tab {
    pub(super) fn of(page: &ActivityState) -> Self {
        match page.variable("tab") {
            "tasks" => Self::Tasks,
            "focus" => Self::Focus,
            "statistics" => Self::Statistics,
            _ => Self::Habits,
        }
    }

    pub(super) fn variable(self) -> &'static str {
        match self {
            Self::Habits => "",
            Self::Tasks => "tasks",
            Self::Focus => "focus",
            Self::Statistics => "statistics",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    System,
    Light,
    Dark,
}

/// The time that statistics are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Week,
    Month,
    All,
}

/// What was done last, while it can be taken back.
#[derive(Clone)]
pub(super) enum Undo {
    Deleted(Habit),
    Archived(HabitId),
    Task(Vec<Task>),
    Cleared(Vec<Task>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Tab(Tab),
    Category(Option<CategoryId>),
    CategoryMenu(CategoryId),
    AskCategoryName(Option<CategoryId>),
    CategoryName(Option<CategoryId>),
    AskDeleteCategory(CategoryId),
    DeleteCategory(CategoryId),
    AskOrder,
    Order(Order),
    ToggleHidden,
    Check(HabitId),
    Open(HabitId),
    /// A habit, and its place in the list.
    Menu(HabitId, usize),
    Skip(HabitId),
    Edit(HabitId),
    New,
    PutAway(HabitId),
    AskDelete(HabitId),
    Delete(HabitId),
    Undo,
    Month(u64),
    Day(HabitId, u64),
    AskCategory,
    ChooseCategory(Option<CategoryId>),
    Frequency(Frequency),
    AskReminder,
    Reminder(bool),
    Save,
    Discard,
    Archive,
    ArchivedMenu(HabitId),
    Restore(HabitId),
    AddTask,
    Tick(TaskId),
    Important(TaskId),
    TaskMenu(TaskId),
    AskTask(TaskId),
    NameTask(TaskId),
    DeleteTask(TaskId),
    ClearDone,
    Minutes(u64),
    AskFocus,
    FocusOn(Option<HabitId>),
    Start,
    Pause,
    Finish,
    Stop,
    Range(Range),
    Settings,
    AskTheme,
    Theme(Theme),
    ToggleSunday,
    ToggleStreaks,
    ToggleConfirm,
    AskExport,
    Export,
    AskImport,
    AskReplace(usize),
    Import(usize),
}
