//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

const READ: &str = "Read ten pages";

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "habits.streak-kept",
        package: APP,
        functions: &["take back a past day"],
        trigger: |probe| {
            probe.tap(READ).tap("Thu, 5 Mar").key("BACK");
        },
        is_right: |probe| first_streak(probe) == "0 days",
    },
    Case {
        id: "habits.count-deleted",
        package: APP,
        functions: &["delete a habit that is done"],
        trigger: |probe| {
            probe.hold("Stretch").tap("Delete").tap("button1");
        },
        is_right: |probe| probe.shows("0 of 4 done today"),
    },
    Case {
        id: "habits.menu-shifted",
        package: APP,
        functions: &["hide done habits", "edit one from its menu"],
        trigger: |probe| {
            menu(probe, "Hide done");
            probe.hold("Learn words").tap("Edit");
        },
        is_right: |probe| probe.text_of("habit_name_field") == "Learn words",
    },
    Case {
        id: "habits.undo-cleared",
        package: APP,
        functions: &["clear done tasks", "undo that"],
        trigger: |probe| {
            probe.tap("tab_tasks");
            menu(probe, "Clear done");
            probe.tap("Undo");
        },
        is_right: |probe| probe.shows("Done (1)"),
    },
    Case {
        id: "habits.new-reminder",
        package: APP,
        functions: &["open the form of a habit with a reminder", "make a new habit"],
        trigger: |probe| {
            probe.hold("Run").tap("Edit").key("BACK").tap("New habit");
        },
        is_right: |probe| probe.shows("None") && !probe.shows("07:00"),
    },
    Case {
        id: "habits.restore-reminder",
        package: APP,
        functions: &["archive a habit with a reminder", "restore it"],
        trigger: |probe| {
            probe.hold("Run").tap("Archive");
            menu(probe, "Archive");
            probe.tap("Run").tap("Restore").key("BACK").tap("Run");
        },
        is_right: |probe| probe.shows("Reminder at 07:00"),
    },
    Case {
        id: "habits.category-first",
        package: APP,
        functions: &["move a habit to another category", "see the statistics"],
        trigger: |probe| {
            probe.hold("Stretch").tap("Edit").tap("category_field").tap("Home").tap("Save");
            probe.tap("tab_statistics");
        },
        is_right: |probe| probe.text_of("Home count") == "2" && probe.text_of("Health count") == "0",
    },
    Case {
        id: "habits.turn-month",
        package: APP,
        functions: &["go to an earlier month", "turn the screen"],
        trigger: |probe| {
            probe.tap(READ).tap("Previous month").turn().turn();
        },
        is_right: |probe| probe.shows("February 2026"),
    },
    Case {
        id: "habits.killed-pause",
        package: APP,
        functions: &["start the timer", "pause it", "be ended in the background"],
        trigger: |probe| {
            probe.tap("tab_focus").tap("Start").tap("Pause").key("HOME").kill(APP).launch(APP);
        },
        is_right: |probe| probe.shows("Resume"),
    },
    Case {
        id: "habits.session-again",
        package: APP,
        functions: &["start the timer", "finish the session", "leave the app and come back"],
        trigger: |probe| {
            probe.tap("tab_focus").tap("Start").tap("Finish").key("HOME").launch(APP);
        },
        is_right: |probe| probe.shows("1 session today, 25 min"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "habits.done-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Hide done");
            let before = probe.shows("Run");
            before && !probe.tap("Check off Run").shows("Run")
        },
    },
    TrapCase {
        id: "habits.done-sinks",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("tab_tasks").is_above("Buy a new mat", "Done (1)");
            before && probe.tap("Buy a new mat").is_above("Done (2)", "Buy a new mat")
        },
    },
    TrapCase {
        id: "habits.timer-runs",
        package: APP,
        steady: false,
        show: |probe| {
            let before = probe.tap("tab_focus").tap("50 min").tap("Start").text_of("time_left");
            let after = probe.key("HOME").launch(APP).text_of("time_left");
            before != after || probe.shows("1 session today, 50 min")
        },
    },
    TrapCase {
        id: "habits.timer-locks",
        package: APP,
        steady: true,
        show: |probe| {
            let chosen = probe.tap("tab_focus").tap("15 min").text_of("time_left") == "15:00";
            chosen && probe.tap("Start").tap("50 min").text_of("time_left") == "15:00"
        },
    },
    TrapCase {
        id: "habits.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Run").tap("Archive").shows("Undo");
            before && !probe.tap("tab_tasks").shows("Undo")
        },
    },
    TrapCase {
        id: "habits.skip-keeps",
        package: APP,
        steady: true,
        show: |probe| {
            let before = first_streak(probe) == "5 days";
            before && probe.hold(READ).tap("Skip today").shows("Skipped") && first_streak(probe) == "5 days"
        },
    },
    TrapCase {
        id: "habits.frequency-streak",
        package: APP,
        steady: true,
        show: |probe| {
            let before = first_streak(probe) == "5 days";
            probe.hold(READ).tap("Edit").tap("Once a week").tap("Save");
            before && first_streak(probe) == "2 weeks"
        },
    },
    TrapCase {
        id: "habits.past-breaks",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap(READ).text_of("streak_now") == "5 days";
            before && probe.tap("Wed, 4 Mar").text_of("streak_now") == "1 day"
        },
    },
    TrapCase {
        id: "habits.future-days",
        package: APP,
        steady: true,
        show: |probe| {
            let same = probe.tap(READ).tap("Sat, 7 Mar").text_of("total") == "5";
            same && probe.tap("Fri, 6 Mar").text_of("total") == "6"
        },
    },
    TrapCase {
        id: "habits.import-replaces",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Settings");
            probe.tap("Export").tap("button1").key("BACK");
            probe.tap("New habit").enter("habit_name_field", "Swim").tap("Save");
            let made = probe.shows("Swim");
            menu(probe, "Settings");
            probe.tap("Import").tap("habits").tap("button1").key("BACK");
            made && probe.shows("Run") && !probe.shows("Swim")
        },
    },
    TrapCase {
        id: "habits.backup-cap",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Settings");
            for name in ["one", "two", "three", "four"] {
                probe.tap("Export").enter("name_field", name).tap("button1");
            }
            probe.tap("Import").texts_of("text1") == ["four", "three", "two"]
        },
    },
    TrapCase {
        id: "habits.week-start",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap(READ).is_left_of("Thu, 5 Mar", "Sun, 1 Mar");
            probe.key("BACK");
            menu(probe, "Settings");
            probe.tap("Week starts on Sunday").key("BACK").tap(READ);
            before && probe.is_left_of("Sun, 1 Mar", "Thu, 5 Mar")
        },
    },
    TrapCase {
        id: "habits.back-tab",
        package: APP,
        steady: true,
        show: |probe| {
            let elsewhere = !probe.tap("tab_tasks").shows("Run");
            elsewhere && probe.key("BACK").shows("Run")
        },
    },
    TrapCase {
        id: "habits.category-deleted",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("No category");
            probe.hold("Home").tap("Delete").tap("button1");
            !before && probe.shows("Water plants") && probe.shows("No category")
        },
    },
    TrapCase {
        id: "habits.task-twice",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("tab_tasks");
            for _ in 0..2 {
                probe.enter("task_field", "Call").tap("Add").key("BACK");
            }
            probe.count("Call") == 2
        },
    },
    TrapCase {
        id: "habits.archived-counted",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("1 of 5 done today");
            let after = probe.hold("Stretch").tap("Archive").shows("0 of 4 done today");
            before && after && probe.tap("tab_statistics").text_of("Health count") == "2"
        },
    },
    TrapCase {
        id: "habits.streak-order",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Sort").tap("Longest streak first").is_above("Stretch", "Water plants");
            probe.tap("Check off Stretch").tap("Check off Water plants");
            before && probe.is_above("Water plants", "Stretch")
        },
    },
    TrapCase {
        id: "habits.edit-discarded",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Run").tap("Edit").enter("habit_name_field", "Swim").key("BACK").key("BACK");
            probe.tap("Discard").shows("Run") && !probe.shows("Swim")
        },
    },
    TrapCase {
        id: "habits.streaks-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("streak");
            menu(probe, "Settings");
            before && !probe.tap("Streaks").key("BACK").shows("streak")
        },
    },
    TrapCase {
        id: "habits.month-visit",
        package: APP,
        steady: true,
        show: |probe| {
            let earlier = probe.tap(READ).tap("Previous month").shows("February 2026");
            earlier && probe.key("BACK").tap(READ).shows("March 2026")
        },
    },
    TrapCase {
        id: "habits.search-all",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Health").shows("Learn words");
            probe.tap("Search").enter("habit_search", "learn").key("BACK");
            !before && probe.shows("Learn words")
        },
    },
    TrapCase {
        id: "habits.session-name",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("tab_focus").tap("focus_on").tap("Run").tap("Start").tap("Finish").key("BACK");
            probe.hold("Run").tap("Edit").enter("habit_name_field", "Jog").tap("Save").tap("tab_focus");
            probe.shows("Jog") && probe.texts_of("session_name") == ["Run"]
        },
    },
];

fn menu(probe: &mut Probe, item: &str) {
    probe.tap("More options").tap(item);
}

/// The streak of the first habit in the list.
fn first_streak(probe: &Probe) -> String {
    probe.texts_of("streak").into_iter().next().unwrap_or_default()
}
