//! What is wrong with the habit tracker when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const STREAK_KEPT: Defect = Defect {
    id: "habits.streak-kept",
    kind: DefectKind::UpdateDelay,
    what: "the list keeps the streak of a habit when one of its past days is checked off or taken back",
    seed: "reports on Loop Habit Tracker: the score in the list is old after a change in the calendar",
};
pub(super) const COUNT_DELETED: Defect = Defect {
    id: "habits.count-deleted",
    kind: DefectKind::InconsistentState,
    what: "a habit that was done today is still counted as done at the top of the list once it is deleted",
    seed: "reports on habit trackers: the progress of the day counts habits that are gone",
};
pub(super) const MENU_SHIFTED: Defect = Defect {
    id: "habits.menu-shifted",
    kind: DefectKind::WrongBehaviour,
    what: "while done habits are hidden, the menu of a habit is that of the one at its place in the whole list",
    seed: "reports on list apps: positions in a filtered list are taken for positions in the whole one",
};
pub(super) const UNDO_CLEARED: Defect = Defect {
    id: "habits.undo-cleared",
    kind: DefectKind::WrongBehaviour,
    what: "undoing the clearing of done tasks brings them back as open ones",
    seed: "reports on Tasks.org: completed tasks that are restored are not completed any more",
};
pub(super) const NEW_REMINDER: Defect = Defect {
    id: "habits.new-reminder",
    kind: DefectKind::WrongBehaviour,
    what: "the form of a new habit begins with the reminder of the habit that was edited before",
    seed: "reports on form apps: what a form held before is there when it is opened for something else",
};
pub(super) const RESTORE_REMINDER: Defect = Defect {
    id: "habits.restore-reminder",
    kind: DefectKind::DataLoss,
    what: "a habit that is restored from the archive has no reminder any more",
    seed: "reports on Loop Habit Tracker: reminders of unarchived habits do not come",
};
pub(super) const CATEGORY_FIRST: Defect = Defect {
    id: "habits.category-first",
    kind: DefectKind::InconsistentState,
    what: "statistics count a habit that was moved to another category in the one it was made in",
    seed: "reports on expense and habit trackers: totals by category are not updated after an edit",
};
pub(super) const TURN_MONTH: Defect = Defect {
    id: "habits.turn-month",
    kind: DefectKind::WrongDisplay,
    what: "turning the screen leads from an earlier month of a habit back to the present one",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: a page goes back to its beginning when the screen is turned",
};
pub(super) const KILLED_PAUSE: Defect = Defect {
    id: "habits.killed-pause",
    kind: DefectKind::DataLoss,
    what: "a paused focus timer is gone after the app was ended in the background",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: state that only the process holds is lost",
};
pub(super) const SESSION_AGAIN: Defect = Defect {
    id: "habits.session-again",
    kind: DefectKind::InconsistentState,
    what: "a focus session that was finished is listed a second time after the next return to the app",
    seed: "reports on Pomodoro timers: a session is logged by the service and again when the app resumes",
};
pub(super) const DEFECTS: &[Defect] = &[
    STREAK_KEPT,
    COUNT_DELETED,
    MENU_SHIFTED,
    UNDO_CLEARED,
    NEW_REMINDER,
    RESTORE_REMINDER,
    CATEGORY_FIRST,
    TURN_MONTH,
    KILLED_PAUSE,
    SESSION_AGAIN,
];

pub(super) const TRAPS: &[Trap] = &[
    Trap {
        id: "habits.done-leaves",
        what: "a habit that is checked off leaves the list while done ones are hidden",
    },
    Trap { id: "habits.done-sinks", what: "a task that is ticked moves under another heading" },
    Trap { id: "habits.timer-runs", what: "the focus timer runs on by itself while the app is left" },
    Trap { id: "habits.timer-locks", what: "the length of a session cannot be changed while the timer runs" },
    Trap { id: "habits.undo-expires", what: "an undo is offered only until the next action" },
    Trap { id: "habits.skip-keeps", what: "a day that is skipped neither lengthens nor breaks a streak" },
    Trap {
        id: "habits.frequency-streak",
        what: "another frequency changes a streak though nothing was checked off",
    },
    Trap { id: "habits.past-breaks", what: "taking back a past day shortens the streak that runs over it" },
    Trap { id: "habits.future-days", what: "days to come cannot be checked off" },
    Trap {
        id: "habits.import-replaces",
        what: "an import replaces everything: what was made since the export is gone",
    },
    Trap { id: "habits.backup-cap", what: "three exports are kept: a fourth pushes the oldest out" },
    Trap { id: "habits.week-start", what: "a setting moves the days of the calendar to other columns" },
    Trap { id: "habits.back-tab", what: "BACK on another tab leads to the habits, not out of the app" },
    Trap { id: "habits.category-deleted", what: "the habits of a category that is deleted belong to none" },
    Trap { id: "habits.task-twice", what: "a task can be there twice" },
    Trap {
        id: "habits.archived-counted",
        what: "an archived habit is no longer counted for today, and statistics keep its check-offs",
    },
    Trap {
        id: "habits.streak-order",
        what: "checking off a habit moves it where the longest streaks come first",
    },
    Trap { id: "habits.edit-discarded", what: "what was changed in a habit is gone when it is discarded" },
    Trap { id: "habits.streaks-setting", what: "a setting takes the streaks off the list" },
    Trap {
        id: "habits.month-visit",
        what: "a month is chosen for one visit: the next begins with the present one",
    },
    Trap { id: "habits.search-all", what: "a search looks through all categories though one is chosen" },
    Trap { id: "habits.session-name", what: "a focus session keeps the name that its habit had then" },
];
