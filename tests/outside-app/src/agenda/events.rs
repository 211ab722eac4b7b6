//! Events, the days they fall on, and the calendars they belong to.

use droidmux::sim::toolkit::{Color, Moment};

use super::when::{DAY, NINE};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CalendarId(pub u64);

pub(super) const PERSONAL: CalendarId = CalendarId(1);
const WORK: CalendarId = CalendarId(2);
const FAMILY: CalendarId = CalendarId(3);
/// Its events come from elsewhere: they are neither changed nor deleted.
pub(super) const HOLIDAYS: CalendarId = CalendarId(4);

#[derive(Clone, Debug)]
pub(super) struct Calendar {
    pub id: CalendarId,
    pub name: String,
    pub color: Color,
    pub shown: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Repeat {
    #[default]
    Never,
    Daily,
    Weekly,
    Monthly,
}

/// When an event is, and when it is reminded of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    /// Since 1970; of a series the first.
    pub day: u64,
    /// Minutes after midnight. Kept while the event takes all day.
    pub start: u64,
    pub length: u64,
    pub all_day: bool,
    pub repeat: Repeat,
    /// Minutes before the start.
    pub reminder: Option<u64>,
}

/// What is written in the form of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub title: String,
    pub place: String,
    pub notes: String,
    pub calendar: CalendarId,
    pub timing: Timing,
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub id: EventId,
    pub text: Draft,
    /// The last day that a series may fall on.
    pub until: Option<u64>,
    /// The days that were taken out of a series.
    pub skipped: Vec<u64>,
    /// The timing that it was made with.
    pub scheduled: Timing,
}

impl Repeat {
    pub(super) const ALL: [Repeat; 4] = [Repeat::Never, Repeat::Daily, Repeat::Weekly, Repeat::Monthly];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Never => "Does not repeat",
            Self::Daily => "Every day",
            Self::Weekly => "Every week",
            Self::Monthly => "Every month",
        }
    }

    pub(super) fn number(self) -> usize {
        Self::ALL.iter().position(|repeat| *repeat == self).unwrap_or(0)
    }

    pub(super) fn of_number(number: u64) -> Self {
        let at = usize::try_from(number).unwrap_or(0);
        Self::ALL.get(at).copied().unwrap_or_default()
    }
}

impl Timing {
    pub(super) fn repeats(&self) -> bool {
        self.repeat != Repeat::Never
    }

    fn falls_on(&self, day: u64) -> bool {
        let of_month = |day| Moment(0).plus_days(day).date().2;
        match self.repeat {
            Repeat::Never => day == self.day,
            _ if day < self.day => false,
            Repeat::Daily => true,
            Repeat::Weekly => (day - self.day).is_multiple_of(7),
            Repeat::Monthly => of_month(day) == of_month(self.day),
        }
    }

    /// When it is over on a day, in minutes since 1970.
    pub(super) fn end(&self, day: u64) -> u64 {
        day * DAY + if self.all_day { DAY } else { self.start + self.length }
    }

    /// When its reminder for a day is due, in minutes since 1970.
    pub(super) fn reminds_at(&self, day: u64) -> Option<u64> {
        let start = day * DAY + if self.all_day { NINE } else { self.start };
        self.reminder.map(|before| start.saturating_sub(before))
    }
}

impl Event {
    pub(super) fn timing(&self) -> Timing {
        self.text.timing
    }

    /// Whether it falls on a day.
    pub(super) fn is_on(&self, day: u64) -> bool {
        self.would_be_on(&self.text.timing, day)
    }

    /// Whether it would fall on a day if this were its timing.
    pub(super) fn would_be_on(&self, timing: &Timing, day: u64) -> bool {
        timing.falls_on(day) && self.until.is_none_or(|last| day <= last) && !self.skipped.contains(&day)
    }

    /// Its next day from this one on, else its last one before.
    pub(super) fn nearest(&self, day: u64) -> Option<u64> {
        /// More than a year: a series of months may leave some out.
        const FAR: u64 = 500;
        let first = self.text.timing.day;
        let from = first.max(day);
        let next = (from..from + FAR).find(|day| self.is_on(*day));
        next.or_else(|| (first.max(day.saturating_sub(FAR))..day).rev().find(|day| self.is_on(*day)))
            .or_else(|| self.is_on(first).then_some(first))
    }

    pub(super) fn matches(&self, query: &str) -> bool {
        let query = query.to_lowercase();
        let texts = [&self.text.title, &self.text.place, &self.text.notes];
        texts.iter().any(|text| text.to_lowercase().contains(&query))
    }
}

/// All events, in the order in which they were made, and all calendars.
#[derive(Clone, Debug)]
pub(super) struct Book {
    pub calendars: Vec<Calendar>,
    events: Vec<Event>,
    next: u64,
}

impl Book {
    pub(super) fn new() -> Self {
        let calendar = |(id, name, color): (CalendarId, &str, Color)| Calendar {
            id,
            name: name.to_owned(),
            color,
            shown: true,
        };
        let calendars = [
            (PERSONAL, "Personal", Color::BLUE),
            (WORK, "Work", Color::RED),
            (FAMILY, "Family", Color::GREEN),
            (HOLIDAYS, "Holidays", Color::PURPLE),
        ];
        Self { calendars: calendars.map(calendar).into(), events: Vec::new(), next: 100 }
    }

    /// Makes the first events, around a day.
    pub(super) fn fill(&mut self, today: u64) {
        let at = |day, start, length| Timing {
            day,
            start,
            length,
            all_day: false,
            repeat: Repeat::Never,
            reminder: None,
        };
        let whole = |day| Timing { all_day: true, ..at(day, NINE, 60) };
        let weekly = |timing| Timing { repeat: Repeat::Weekly, ..timing };
        let remind = |timing, before| Timing { reminder: Some(before), ..timing };
        let events = [
            (PERSONAL, "Swimming", "Town pool", at(today - 1, 1080, 60)),
            (PERSONAL, "Water the plants", "", remind(whole(today), 0)),
            (WORK, "Stand-up", "", remind(weekly(at(today - 7, 540, 15)), 10)),
            (WORK, "Team meeting", "Room 4", remind(at(today, 630, 60), 30)),
            (PERSONAL, "Call the plumber", "", remind(at(today, 660, 15), 60)),
            (FAMILY, "Choir", "Old chapel", remind(weekly(at(today - 14, 1140, 90)), 60)),
            (PERSONAL, "Market", "Harbour square", at(today + 1, 495, 90)),
            (FAMILY, "Guitar lesson", "Mill Street 3", weekly(at(today - 6, 960, 45))),
            (PERSONAL, "Rent", "", Timing { repeat: Repeat::Monthly, ..whole(today + 2) }),
            (WORK, "Budget review", "Room 2", remind(at(today + 3, 840, 60), 10)),
            (FAMILY, "Birthday of Ada", "", whole(today + 3)),
            (FAMILY, "School play", "Town hall", remind(at(today + 4, 1020, 120), 1440)),
            (HOLIDAYS, "Spring Day", "", whole(today + 6)),
            (PERSONAL, "Dentist", "Mill Street 9", remind(at(today + 9, 570, 30), 60)),
        ];
        for (calendar, title, place, timing) in events {
            let (title, place) = (title.to_owned(), place.to_owned());
            self.add(Draft { title, place, notes: String::new(), calendar, timing });
        }
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn add(&mut self, text: Draft) {
        let id = EventId(self.new_id());
        let scheduled = text.timing;
        self.events.push(Event { id, text, until: None, skipped: Vec::new(), scheduled });
    }

    pub(super) fn get(&self, id: EventId) -> Option<&Event> {
        self.events.iter().find(|event| event.id == id)
    }

    pub(super) fn change(&mut self, id: EventId, change: impl FnOnce(&mut Event)) {
        if let Some(event) = self.events.iter_mut().find(|event| event.id == id) {
            change(event);
        }
    }

    pub(super) fn remove(&mut self, id: EventId) {
        self.events.retain(|event| event.id != id);
    }

    /// Puts an event back in its place, or as it was.
    pub(super) fn restore(&mut self, event: Event) {
        self.remove(event.id);
        self.events.push(event);
        self.events.sort_by_key(|event| event.id.0);
    }

    /// Those of the calendars that are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| self.calendar(event.text.calendar).is_some_and(|c| c.shown))
    }

    /// The events of a day, those that take all of it first; those of hidden calendars only where that is said.
    pub(super) fn on_day(&self, day: u64, with_hidden: bool) -> Vec<&Event> {
        let all: Vec<&Event> =
            if with_hidden { self.events.iter().collect() } else { self.shown().collect() };
        let mut events: Vec<&Event> = all.into_iter().filter(|event| event.is_on(day)).collect();
        events.sort_by_key(|event| (!event.timing().all_day, event.timing().start));
        events
    }

    pub(super) fn calendar(&self, id: CalendarId) -> Option<&Calendar> {
        self.calendars.iter().find(|calendar| calendar.id == id)
    }

    /// How many events a calendar has, a series counted once.
    pub(super) fn size(&self, id: CalendarId) -> usize {
        self.events.iter().filter(|event| event.text.calendar == id).count()
    }

    /// The calendars that a user writes into.
    pub(super) fn own(&self) -> impl Iterator<Item = &Calendar> {
        self.calendars.iter().filter(|calendar| calendar.id != HOLIDAYS)
    }

    pub(super) fn toggle_calendar(&mut self, id: CalendarId) {
        if let Some(calendar) = self.calendars.iter_mut().find(|calendar| calendar.id == id) {
            calendar.shown = !calendar.shown;
        }
    }

    /// Adds a calendar or renames one; false when another one has the name.
    pub(super) fn name_calendar(&mut self, id: Option<CalendarId>, name: &str) -> bool {
        if self.calendars.iter().any(|calendar| calendar.name == name && Some(calendar.id) != id) {
            return false;
        }
        match id {
            Some(id) => {
                if let Some(calendar) = self.calendars.iter_mut().find(|calendar| calendar.id == id) {
                    name.clone_into(&mut calendar.name);
                }
            }
            None => {
                let id = CalendarId(self.new_id());
                let at = self.calendars.iter().position(|calendar| calendar.id == HOLIDAYS).unwrap_or(0);
                let calendar = Calendar { id, name: name.to_owned(), color: Color::TEAL, shown: true };
                self.calendars.insert(at, calendar);
            }
        }
        true
    }

    /// Deletes a calendar with its events.
    pub(super) fn delete_calendar(&mut self, id: CalendarId) {
        self.calendars.retain(|calendar| calendar.id != id);
        self.events.retain(|event| event.text.calendar != id);
    }
}
