//! What touching the widgets of the calendar can mean.

use droidmux::sim::toolkit::ActivityState;

use super::events::{CalendarId, EventId};

/// The views of the first page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    #[default]
    Day,
    Agenda,
}

/// How much of a series something is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    One,
    Following,
    All,
}

/// An event on one of its days.
pub(super) type Occurrence = (EventId, u64);

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    Tab(Tab),
    PreviousDay,
    NextDay,
    Today,
    AskDay,
    Day,
    Open(Occurrence),
    Menu(Occurrence),
    New,
    Edit(Occurrence),
    Duplicate(Occurrence),
    AskDelete(Occurrence),
    Delete(Occurrence, Scope),
    Undo,
    AskCalendar,
    ChooseCalendar(CalendarId),
    ToggleAllDay,
    AskDate,
    Date,
    AskTime,
    Time,
    AskLength,
    Length(u64),
    AskRepeat,
    Repeat(u64),
    AskReminder,
    Reminder(Option<u64>),
    /// Of an event of a series: how much of it changes, once that was asked for.
    Save(Option<Scope>),
    Discard,
    Reminders,
    AskSnooze(Occurrence),
    Snooze(Occurrence, u64),
    Dismiss(Occurrence),
    DismissAll,
    Calendars,
    ToggleCalendar(CalendarId),
    CalendarMenu(CalendarId),
    AskCalendarName(Option<CalendarId>),
    CalendarName(Option<CalendarId>),
    AskDeleteCalendar(CalendarId),
    DeleteCalendar(CalendarId),
    Settings,
    AskStart,
    Start(Tab),
    ToggleTwelve,
    TogglePast,
    AskRange,
    Range(u64),
    ToggleConfirm,
    AskDefaultReminder,
    DefaultReminder(Option<u64>),
}

impl Tab {
    pub(super) const ALL: [Tab; 2] = [Tab::Day, Tab::Agenda];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Day => "Day",
            Self::Agenda => "Agenda",
        }
    }

    /// The one a page shows.
    pub(super) fn of(page: &ActivityState) -> Self {
        if page.variable("tab") == Self::Agenda.name() { Self::Agenda } else { Self::Day }
    }
}
