//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "agenda.skip-returns",
        package: APP,
        functions: &["delete an event of a series", "edit the series"],
        trigger: |probe| {
            probe.tap("Next day");
            delete(probe, "Guitar lesson", "Only this event");
            for _ in 0..7 {
                probe.tap("Next day");
            }
            probe.hold("Guitar lesson").tap("Edit").enter("title_field", "Lute lesson").tap("Save");
            probe.tap("All events").key("BACK").tap("Next day");
        },
        is_right: |probe| probe.shows("Market") && !probe.shows("Lute lesson"),
    },
    Case {
        id: "agenda.alarm-stale",
        package: APP,
        functions: &["move an event to another day"],
        trigger: |probe| {
            probe.hold("Team meeting").tap("Edit");
            pick(probe, "Date", "20 March 2026");
            probe.tap("Save");
        },
        is_right: |probe| probe.shows("2 reminders"),
    },
    Case {
        id: "agenda.search-series",
        package: APP,
        functions: &["search"],
        trigger: |probe| {
            search(probe, "guitar");
        },
        is_right: |probe| probe.shows("Guitar lesson"),
    },
    Case {
        id: "agenda.hidden-count",
        package: APP,
        functions: &["hide a calendar"],
        trigger: |probe| hide(probe, "Work"),
        is_right: |probe| probe.shows("3 events"),
    },
    Case {
        id: "agenda.undo-reminder",
        package: APP,
        functions: &["delete an event with a reminder", "undo the deletion"],
        trigger: |probe| {
            probe.hold("Team meeting").tap("Delete").tap("Undo").tap("Team meeting");
        },
        is_right: |probe| probe.shows("30 minutes before"),
    },
    Case {
        id: "agenda.series-date",
        package: APP,
        functions: &["open an event of a series"],
        trigger: |probe| {
            probe.tap("Stand-up");
        },
        is_right: |probe| probe.shows("Fri, 6 Mar, 09:00 - 09:15"),
    },
    Case {
        id: "agenda.all-day-time",
        package: APP,
        functions: &["switch all day on", "switch it off"],
        trigger: |probe| {
            probe.hold("Team meeting").tap("Edit").tap("All day").tap("All day");
        },
        is_right: |probe| probe.shows("10:30"),
    },
    Case {
        id: "agenda.snooze-all",
        package: APP,
        functions: &["snooze a reminder"],
        trigger: |probe| {
            probe.tap("reminder_bar").tap("Snooze Team meeting").tap("15 minutes");
        },
        is_right: |probe| probe.shows("Snooze Call the plumber"),
    },
    Case {
        id: "agenda.turn-day",
        package: APP,
        functions: &["show another day", "turn the screen"],
        trigger: |probe| {
            probe.tap("Next day").turn();
        },
        is_right: |probe| probe.shows("Tomorrow, Sat, 7 Mar"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "agenda.back-today",
        package: APP,
        steady: true,
        show: |probe| {
            let there = probe.tap("Next day").shows("Market");
            there && probe.key("BACK").shows("Today, Fri, 6 Mar")
        },
    },
    TrapCase {
        id: "agenda.new-day",
        package: APP,
        steady: true,
        show: |probe| probe.tap("Next day").tap("New event").shows("Sat, 7 Mar") && probe.shows("09:00"),
    },
    TrapCase {
        id: "agenda.last-calendar",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("New event").shows("Personal");
            probe.tap("calendar_spinner").tap("Family").enter("title_field", "Picnic").tap("Save");
            before && probe.tap("New event").shows("Family") && !probe.shows("Personal")
        },
    },
    TrapCase {
        id: "agenda.hidden-gone",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Team meeting") && probe.shows("3 reminders");
            hide(probe, "Work");
            before && !probe.shows("Team meeting") && probe.shows("2 reminders")
        },
    },
    TrapCase {
        id: "agenda.search-past",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Agenda").shows("Swimming");
            search(probe, "swim");
            !before && probe.shows("Swimming") && probe.shows("Past")
        },
    },
    TrapCase {
        id: "agenda.moved-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Team meeting").tap("Edit");
            pick(probe, "Date", "07 March 2026");
            let left = !probe.tap("Save").shows("Team meeting");
            left && probe.tap("Next day").shows("Team meeting")
        },
    },
    TrapCase {
        id: "agenda.series-one",
        package: APP,
        steady: true,
        show: |probe| {
            delete(probe, "Stand-up", "Only this event");
            let left = !probe.shows("Stand-up");
            for _ in 0..7 {
                probe.tap("Next day");
            }
            left && probe.shows("Stand-up")
        },
    },
    TrapCase {
        id: "agenda.single-apart",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Stand-up").tap("Edit").enter("title_field", "Long stand-up").tap("Save");
            probe.tap("Only this event");
            for _ in 0..7 {
                probe.tap("Next day");
            }
            probe.hold("Stand-up").tap("Edit").enter("title_field", "Sit-down").tap("Save").tap("All events");
            probe.shows("Sit-down") && probe.key("BACK").shows("Long stand-up")
        },
    },
    TrapCase {
        id: "agenda.same-twice",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Call the plumber").tap("Duplicate").tap("Save").count("Call the plumber") == 2
        },
    },
    TrapCase {
        id: "agenda.read-only",
        package: APP,
        steady: true,
        show: |probe| {
            for _ in 0..6 {
                probe.tap("Next day");
            }
            probe.tap("Spring Day").shows("Holidays") && !probe.shows("Edit") && !probe.shows("Delete")
        },
    },
    TrapCase {
        id: "agenda.clock-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("11:00 - 11:15");
            go(probe, "Settings");
            probe.tap("12-hour clock").key("BACK");
            before && probe.shows("11:00 AM - 11:15 AM") && !probe.shows("11:00 - 11:15")
        },
    },
    TrapCase {
        id: "agenda.past-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Agenda").shows("Stand-up");
            go(probe, "Settings");
            probe.tap("Past events").key("BACK");
            before && !probe.shows("Stand-up") && probe.shows("Team meeting")
        },
    },
    TrapCase {
        id: "agenda.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Team meeting").tap("Delete").shows("Undo");
            before && !probe.tap("Next day").shows("Undo")
        },
    },
    TrapCase {
        id: "agenda.calendar-deleted",
        package: APP,
        steady: true,
        show: |probe| {
            go(probe, "Calendars");
            probe.tap("Options of Work").tap("Delete").tap("button1").key("BACK");
            !probe.shows("Team meeting") && probe.shows("3 events")
        },
    },
    TrapCase {
        id: "agenda.snoozed-moves",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("reminder_bar").is_above("Team meeting", "Call the plumber");
            probe.tap("Snooze Team meeting").tap("5 minutes");
            before && probe.is_above("Snoozed", "Team meeting") && probe.shows("Again at 10:11")
        },
    },
    TrapCase {
        id: "agenda.snooze-ends",
        package: APP,
        steady: false,
        show: |probe| {
            probe.tap("reminder_bar").tap("Snooze Water the plants").tap("5 minutes");
            let before = probe.shows("Snoozed") && !probe.shows("Snooze Water the plants");
            before && probe.key("HOME").launch(APP).shows("Snooze Water the plants")
        },
    },
    TrapCase {
        id: "agenda.dismissed-event",
        package: APP,
        steady: true,
        show: |probe| {
            let gone = !probe.tap("reminder_bar").tap("Dismiss Team meeting").shows("Team meeting");
            gone && probe.key("BACK").shows("Team meeting")
        },
    },
    TrapCase {
        id: "agenda.edit-reminds",
        package: APP,
        steady: true,
        show: |probe| {
            let before =
                probe.tap("reminder_bar").tap("Dismiss Team meeting").key("BACK").shows("2 reminders");
            probe.hold("Team meeting").tap("Edit").tap("Starts").tap("Fewer minutes").tap("OK").tap("Save");
            before && probe.shows("3 reminders")
        },
    },
    TrapCase {
        id: "agenda.edit-discarded",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Team meeting").tap("Edit").enter("title_field", "Party").key("BACK").key("BACK");
            probe.tap("Discard").shows("Team meeting")
        },
    },
];

fn go(probe: &mut Probe, place: &str) {
    probe.tap("Open navigation").tap(place);
}

fn hide(probe: &mut Probe, calendar: &str) {
    go(probe, "Calendars");
    probe.tap(calendar).key("BACK");
}

fn search(probe: &mut Probe, query: &str) {
    probe.tap("Search").enter("event_search", query).key("BACK");
}

/// Deletes as much of a series as is said.
fn delete(probe: &mut Probe, event: &str, scope: &str) {
    probe.hold(event).tap("Delete").tap(scope);
}

/// Picks a day in the form.
fn pick(probe: &mut Probe, preference: &str, day: &str) {
    probe.tap(preference).tap(day).tap("OK");
}
