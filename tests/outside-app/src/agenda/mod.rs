//! A calendar: days, an agenda, series of events, reminders, several calendars.
//!
//! Modelled on Etar, Simple Calendar and Google Calendar.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Moment, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use action::{Action, Occurrence, Scope, Tab};
use declared::{DEFECTS, SKIP_RETURNS, SNOOZE_ALL, TRAPS, TURN_DAY, UNDO_REMINDER};
use editor::Target;
use events::{Book, CalendarId, Draft, Event, PERSONAL, Repeat, Timing};
use reminders::Alarms;

mod action;
#[cfg(test)]
pub(crate) mod cases;
mod declared;
mod editor;
mod event;
mod events;
mod list;
mod pages;
mod reminders;
mod when;

const MANIFEST: Manifest = Manifest {
    package: "com.example.agenda",
    label: "Agenda",
    version_name: "4.2",
    version_code: 420,
    activities: &[MAIN, EVENT, EDIT, REMINDERS, CALENDARS, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "AgendaActivity";
const EVENT: &str = "EventActivity";
const EDIT: &str = "EditEventActivity";
const REMINDERS: &str = "RemindersActivity";
const CALENDARS: &str = "CalendarsActivity";
const SETTINGS: &str = "SettingsActivity";

/// The calendar, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Agenda::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Agenda {
    book: Book,
    alarms: Alarms,
    start: Tab,
    /// Times are written with AM and PM.
    twelve: bool,
    /// The agenda has what is over today.
    past: bool,
    /// How many days the agenda has.
    range: u64,
    confirms: bool,
    /// Of new events.
    reminder: Option<u64>,
    /// The calendar that was written into last.
    last: CalendarId,
    /// What was deleted last, as it was, while it can be brought back.
    undo: Option<Event>,
    /// The first events were made.
    filled: bool,
    defects: DefectSwitches,
}

/// Now, in minutes since 1970.
fn minute(env: &Env) -> u64 {
    env.now().0 / 60_000
}

impl Agenda {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            book: Book::new(),
            alarms: Alarms::default(),
            start: Tab::default(),
            twelve: false,
            past: true,
            range: 7,
            confirms: false,
            reminder: None,
            last: PERSONAL,
            undo: None,
            filled: false,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Tab(tab) => ctx.save("tab", tab.name()),
            Action::PreviousDay => {
                let day = list::shown_day(ctx.page(), ctx.env());
                list::go(day.saturating_sub(1), ctx);
            }
            Action::NextDay => {
                let day = list::shown_day(ctx.page(), ctx.env());
                list::go(day + 1, ctx);
            }
            Action::Today => ctx.save("day", ""),
            Action::AskDay => list::ask_day(ctx),
            Action::Day => {
                if let Some(picked) = Moment::of_day_text(&ctx.field(list::PICKED)) {
                    list::go(picked.day(), ctx);
                }
            }
            Action::Open((id, day)) => ctx.start(EVENT, format!("{} {day}", id.0)),
            Action::Menu(at) => list::menu(at, ctx),
            Action::New => {
                let today = ctx.env().now().day();
                let in_day = Tab::of(ctx.page()) == Tab::Day;
                let day = if in_day { list::shown_day(ctx.page(), ctx.env()) } else { today };
                ctx.start(EDIT, Target::New(day).argument());
            }
            Action::Edit(at) => ctx.start(EDIT, Target::Edit(at).argument()),
            Action::Duplicate(at) => ctx.start(EDIT, Target::Copy(at).argument()),
            Action::AskDelete(at) => {
                if !event::ask_delete(self, at, ctx) {
                    self.delete(at, Scope::All, ctx);
                }
            }
            Action::Delete(at, scope) => self.delete(at, scope, ctx),
            Action::Undo => self.take_back(undo),
            Action::AskCalendar => editor::ask_calendar(self, ctx),
            Action::ChooseCalendar(id) => ctx.save("calendar", id.0),
            Action::ToggleAllDay => editor::toggle_all_day(self, ctx),
            Action::AskDate => editor::ask_date(ctx),
            Action::Date => {
                if let Some(picked) = Moment::of_day_text(&ctx.field(editor::DATE)) {
                    ctx.save("date", picked.day());
                }
            }
            Action::AskTime => editor::ask_time(ctx),
            Action::Time => {
                if let Some(start) = editor::picked_time(&ctx.field(editor::TIME)) {
                    ctx.save("start", start);
                }
            }
            Action::AskLength => editor::ask_length(ctx),
            Action::Length(minutes) => ctx.save("length", minutes),
            Action::AskRepeat => editor::ask_repeat(ctx),
            Action::Repeat(number) => ctx.save("repeat", number),
            Action::AskReminder => editor::ask_reminder(Action::Reminder, ctx),
            Action::Reminder(reminder) => editor::put_reminder(reminder, ctx),
            Action::Save(scope) => self.save(scope, ctx),
            Action::Discard => ctx.finish(),
            Action::Reminders => ctx.start(REMINDERS, ""),
            Action::AskSnooze(at) => reminders::ask_snooze(at, ctx),
            Action::Snooze(at, minutes) => self.snooze(at, minutes, ctx.env()),
            Action::Dismiss(at) => self.alarms.dismiss(at),
            Action::DismissAll => {
                for at in reminders::due(self, ctx.env()) {
                    self.alarms.dismiss(at);
                }
            }
            Action::Calendars => ctx.start(CALENDARS, ""),
            Action::ToggleCalendar(id) => self.book.toggle_calendar(id),
            Action::CalendarMenu(id) => pages::calendar_menu(id, ctx),
            Action::AskCalendarName(id) => pages::ask_calendar_name(self, id, ctx),
            Action::CalendarName(id) => match ctx.field(pages::NAME).trim() {
                "" => ctx.toast("A calendar needs a name"),
                name if self.book.name_calendar(id, name) => {}
                _ => ctx.toast("There is a calendar of this name"),
            },
            Action::AskDeleteCalendar(id) => pages::ask_delete_calendar(self, id, ctx),
            Action::DeleteCalendar(id) => self.book.delete_calendar(id),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::AskStart => pages::ask_start(ctx),
            Action::Start(tab) => self.start = tab,
            Action::ToggleTwelve => self.twelve = !self.twelve,
            Action::TogglePast => self.past = !self.past,
            Action::AskRange => pages::ask_range(ctx),
            Action::Range(days) => self.range = days,
            Action::ToggleConfirm => self.confirms = !self.confirms,
            Action::AskDefaultReminder => editor::ask_reminder(Action::DefaultReminder, ctx),
            Action::DefaultReminder(reminder) => self.reminder = reminder,
        }
    }

    fn delete(&mut self, (id, day): Occurrence, scope: Scope, ctx: &mut Ctx<'_, Action>) {
        let Some(event) = self.book.get(id).cloned() else { return };
        match scope {
            Scope::One => self.book.change(id, |event| event.skipped.push(day)),
            Scope::Following if day > event.timing().day => {
                self.book.change(id, |event| event.until = Some(day - 1));
            }
            Scope::Following | Scope::All => self.book.remove(id),
        }
        self.undo = Some(event);
        if ctx.page().activity() == EVENT {
            ctx.finish();
        }
    }

    fn take_back(&mut self, undo: Option<Event>) {
        let Some(mut event) = undo else { return };
        let forgets = self.book.get(event.id).is_none() && event.timing().reminder.is_some();
        // The wrong undo makes the event anew, without what belongs to it.
        if self.defects.strikes(&UNDO_REMINDER, forgets) {
            event.text.timing.reminder = None;
        }
        self.book.restore(event);
    }

    fn save(&mut self, scope: Option<Scope>, ctx: &mut Ctx<'_, Action>) {
        let draft = editor::written(ctx.page());
        if draft.title.is_empty() {
            return ctx.toast("An event needs a title");
        }
        self.last = draft.calendar;
        match Target::of(ctx.page()) {
            Target::Edit((id, day)) => {
                let repeats = self.book.get(id).is_some_and(|event| event.timing().repeats());
                match scope {
                    None if repeats => return editor::ask_scope(self, id, ctx),
                    Some(Scope::One) => self.change_one((id, day), draft),
                    _ => self.change_all((id, day), draft),
                }
            }
            Target::New(_) | Target::Copy(_) => self.book.add(draft),
        }
        ctx.finish();
    }

    /// Takes an event out of its series and makes it one of its own.
    fn change_one(&mut self, (id, day): Occurrence, mut draft: Draft) {
        self.book.change(id, |event| event.skipped.push(day));
        draft.timing.repeat = Repeat::Never;
        self.book.add(draft);
    }

    /// Changes an event, or a series as one of its events was changed.
    fn change_all(&mut self, (id, day): Occurrence, draft: Draft) {
        let Some(before) = self.book.get(id).map(Event::timing) else { return };
        let same = draft.timing.repeat == before.repeat;
        let moved = |known: u64| (known + draft.timing.day).saturating_sub(day);
        let first = if draft.timing.repeats() { moved(before.day) } else { draft.timing.day };
        let timing = Timing { day: first, ..draft.timing };
        if timing != before {
            self.alarms.forget(id);
        }
        let defects = self.defects.clone();
        self.book.change(id, |event| {
            event.text = Draft { timing, ..draft.clone() };
            event.until = event.until.filter(|_| same).map(moved);
            // The wrong series is written anew, and what was taken out of it is back.
            if !same || defects.strikes(&SKIP_RETURNS, !event.skipped.is_empty()) {
                event.skipped.clear();
            }
            event.skipped.iter_mut().for_each(|skipped| *skipped = moved(*skipped));
        });
    }

    fn snooze(&mut self, at: Occurrence, minutes: u64, env: &Env) {
        let until = minute(env) + minutes;
        let others: Vec<Occurrence> =
            reminders::due(self, env).into_iter().filter(|other| *other != at).collect();
        self.alarms.snooze(at, until);
        // The wrong app has but one alarm to put off.
        if self.defects.strikes(&SNOOZE_ALL, !others.is_empty()) {
            for other in others {
                self.alarms.snooze(other, until);
            }
        }
    }
}

impl App for Agenda {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            EVENT => event::view(self, page),
            EDIT => editor::view(self, page),
            REMINDERS => reminders::view(self, env),
            CALENDARS => pages::calendars(self),
            SETTINGS => pages::settings(self),
            _ => list::view(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        // Once the day is known.
        if !std::mem::replace(&mut self.filled, true) {
            self.book.fill(ctx.env().now().day());
        }
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => match ctx.page().activity() {
                MAIN => ctx.save("tab", self.start.name()),
                EDIT => editor::fill(self, ctx),
                _ => {}
            },
            Input::Opened { again: true } if ctx.page().activity() == MAIN => {
                let elsewhere = list::shown_day(ctx.page(), ctx.env()) != ctx.env().now().day();
                if self.defects.strikes(&TURN_DAY, elsewhere) {
                    ctx.save("day", "");
                }
            }
            Input::Returned if ctx.page().activity() == EVENT && event::is_gone(self, ctx.page()) => {
                ctx.finish();
            }
            Input::Hidden => self.undo = None,
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        match ctx.page().activity() {
            MAIN => {
                let today = ctx.env().now().day();
                let elsewhere =
                    Tab::of(ctx.page()) == Tab::Day && list::shown_day(ctx.page(), ctx.env()) != today;
                if elsewhere {
                    list::go(today, ctx);
                }
                elsewhere
            }
            EDIT => editor::ask_discard(ctx),
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
    }
}
