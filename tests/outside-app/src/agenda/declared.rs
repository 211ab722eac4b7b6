//! What is wrong with the calendar when its defects are on, and what only looks wrong.

use droidmux::sim::toolkit::DefectKind;
use droidmux::sim::{Defect, Trap};

pub(super) const SKIP_RETURNS: Defect = Defect {
    id: "agenda.skip-returns",
    kind: DefectKind::WrongBehaviour,
    what: "an event that was deleted out of a series is back once the series is edited",
    seed: "reports on Etar and AOSP Calendar: exceptions of a recurring event are lost when the series is saved",
};
pub(super) const ALARM_STALE: Defect = Defect {
    id: "agenda.alarm-stale",
    kind: DefectKind::UpdateDelay,
    what: "the reminder of an event that was edited keeps the time that the event was made with",
    seed: "reports on Simple Calendar: a reminder goes off for the old time after an event was moved",
};
pub(super) const SEARCH_SERIES: Defect = Defect {
    id: "agenda.search-series",
    kind: DefectKind::WrongDisplay,
    what: "a search misses series that began before today",
    seed: "reports on Simple Calendar and Etar: recurring events are not found by the search",
};
pub(super) const HIDDEN_COUNT: Defect = Defect {
    id: "agenda.hidden-count",
    kind: DefectKind::InconsistentState,
    what: "the number of events above a day counts those of hidden calendars",
    seed: "reports on calendar apps: the number of events of a day ignores which calendars are shown",
};
pub(super) const UNDO_REMINDER: Defect = Defect {
    id: "agenda.undo-reminder",
    kind: DefectKind::DataLoss,
    what: "undoing a deletion brings an event back without its reminder",
    seed: "reports on calendar apps: an event that is restored reminds of nothing",
};
pub(super) const SERIES_DATE: Defect = Defect {
    id: "agenda.series-date",
    kind: DefectKind::WrongDisplay,
    what: "the page of an event of a series shows the day that the series began on",
    seed: "reports on Etar: the details of a recurring event show the date of the first one",
};
pub(super) const ALL_DAY_TIME: Defect = Defect {
    id: "agenda.all-day-time",
    kind: DefectKind::DataLoss,
    what: "an event that takes all day no longer has midnight for its time",
    seed: "reports on Simple Calendar: start and end are reset when all-day is switched on and off",
};
pub(super) const SNOOZE_ALL: Defect = Defect {
    id: "agenda.snooze-all",
    kind: DefectKind::WrongBehaviour,
    what: "snoozing one reminder snoozes all that are due",
    seed: "reports on Etar: snoozing a notification puts off the others as well",
};
pub(super) const TURN_DAY: Defect = Defect {
    id: "agenda.turn-day",
    kind: DefectKind::WrongDisplay,
    what: "turning the screen leads from the day that is shown back to today",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: a page goes back to its beginning when the screen is turned",
};
pub(super) const DEFECTS: &[Defect] = &[
    SKIP_RETURNS,
    ALARM_STALE,
    SEARCH_SERIES,
    HIDDEN_COUNT,
    UNDO_REMINDER,
    SERIES_DATE,
    ALL_DAY_TIME,
    SNOOZE_ALL,
    TURN_DAY,
];

pub(super) const TRAPS: &[Trap] = &[
    Trap { id: "agenda.back-today", what: "BACK on another day leads to today, not out of the app" },
    Trap { id: "agenda.new-day", what: "a new event begins on the day that is shown" },
    Trap {
        id: "agenda.last-calendar",
        what: "a new event goes into the calendar that was written into last",
    },
    Trap {
        id: "agenda.hidden-gone",
        what: "events of a calendar that is hidden are on no list and remind of nothing",
    },
    Trap { id: "agenda.search-past", what: "a search finds past events, which the agenda does not have" },
    Trap { id: "agenda.moved-leaves", what: "an event that is moved to another day leaves the day shown" },
    Trap { id: "agenda.series-one", what: "deleting one event of a series leaves the others" },
    Trap {
        id: "agenda.single-apart",
        what: "one event of a series that was edited keeps its old text when the series gets another",
    },
    Trap { id: "agenda.same-twice", what: "the same event can be there twice" },
    Trap { id: "agenda.read-only", what: "events of the holidays can be neither edited nor deleted" },
    Trap { id: "agenda.clock-setting", what: "a setting writes times with AM and PM on all pages" },
    Trap { id: "agenda.past-setting", what: "a setting takes events that are over off the agenda" },
    Trap { id: "agenda.undo-expires", what: "the undo of a deletion is offered only until the next action" },
    Trap { id: "agenda.calendar-deleted", what: "a calendar is deleted together with its events" },
    Trap { id: "agenda.snoozed-moves", what: "a reminder that is snoozed moves under another heading" },
    Trap {
        id: "agenda.snooze-ends",
        what: "a reminder that was snoozed is due again when the time has come",
    },
    Trap { id: "agenda.dismissed-event", what: "the event stays when its reminder is dismissed" },
    Trap { id: "agenda.edit-reminds", what: "a dismissed reminder is back when its event gets another time" },
    Trap { id: "agenda.edit-discarded", what: "what was typed into the form is gone when it is discarded" },
];
