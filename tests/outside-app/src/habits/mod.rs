//! A habit and task tracker: streaks, a calendar of days, a focus timer, statistics.
//!
//! Modelled on Loop Habit Tracker, Tasks.org and Goodtime.

use droidmux::sim::toolkit::{ActivityState, App, Color, Ctx, Env, Icon, Input, Manifest, Screen, View};
use droidmux::sim::{DefectSwitches, SimApp};

use action::{Action, Tab, Theme, Undo};
use book::{Book, HabitId, Order, Session};
use declared::{DEFECTS, KILLED_PAUSE, RESTORE_REMINDER, SESSION_AGAIN, TRAPS, TURN_MONTH};
use doing::leave;
use focus::Timer;

mod action;
mod book;
#[cfg(test)]
pub(crate) mod cases;
mod days;
mod declared;
mod details;
mod doing;
mod editor;
mod focus;
mod list;
mod settings;
mod statistics;
mod tasks;

const MANIFEST: Manifest = Manifest {
    package: "com.example.habits",
    label: "Habits",
    version_name: "1.9.2",
    version_code: 192,
    activities: &[MAIN, HABIT, EDIT, ARCHIVE, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const HABIT: &str = "HabitActivity";
const EDIT: &str = "EditHabitActivity";
const ARCHIVE: &str = "ArchiveActivity";
const SETTINGS: &str = "SettingsActivity";

/// The habit tracker, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Tracker::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Tracker {
    book: Book,
    /// The day that it was used on last; `None` before the first.
    day: Option<u64>,
    order: Order,
    hides_done: bool,
    theme: Theme,
    from_sunday: bool,
    shows_streaks: bool,
    confirms: bool,
    timer: Option<Timer>,
    /// The last session that this process logged; forgotten at the next return.
    finished: Option<Session>,
    /// Habits that were done on the day on which they were deleted.
    deleted_done: Vec<(HabitId, u64)>,
    /// The reminder of the habit that was edited last.
    last_reminder: Option<String>,
    undo: Option<Undo>,
    defects: DefectSwitches,
}

impl Tracker {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            book: Book::default(),
            day: None,
            order: Order::default(),
            hides_done: false,
            theme: Theme::System,
            from_sunday: false,
            shows_streaks: true,
            confirms: true,
            timer: None,
            finished: None,
            deleted_done: Vec::new(),
            last_reminder: None,
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        let today = ctx.env().now().day();
        match action {
            Action::Tab(tab) => ctx.save("tab", tab.variable()),
            Action::Category(category) => {
                ctx.save("category", category.map_or_else(String::new, |id| id.0.to_string()));
                ctx.scroll_to_top("habits");
            }
            Action::CategoryMenu(id) => list::category_menu(id, ctx),
            Action::AskCategoryName(id) => list::ask_category_name(self, id, ctx),
            Action::CategoryName(id) => {
                let name = ctx.field(list::NAME).trim().to_owned();
                let known = self.book.categories.iter().any(|one| one.name == name && Some(one.id) != id);
                match id {
                    _ if name.is_empty() => ctx.toast("A category needs a name"),
                    _ if known => ctx.toast("There is a category of this name"),
                    None => self.book.add_category(&name),
                    Some(id) => {
                        if let Some(category) = self.book.categories.iter_mut().find(|one| one.id == id) {
                            category.name = name;
                        }
                    }
                }
            }
            Action::AskDeleteCategory(id) => list::ask_delete_category(self, id, ctx),
            Action::DeleteCategory(id) => self.book.delete_category(id),
            Action::AskOrder => list::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::ToggleHidden => self.hides_done = !self.hides_done,
            Action::Check(id) => self.change_day(id, today, false, today),
            Action::Day(id, day) => self.change_day(id, day, false, today),
            Action::Skip(id) => self.change_day(id, today, true, today),
            Action::Open(id) => ctx.start(HABIT, id.0),
            Action::Menu(id, place) => list::menu(self, id, place, ctx),
            Action::Edit(id) => ctx.start(EDIT, id.0),
            Action::New => {
                let category = list::category(self, ctx.page());
                ctx.start(EDIT, category.map_or_else(String::new, |id| format!("in {}", id.0)));
            }
            Action::PutAway(id) => {
                if let Some(habit) = self.book.get_mut(id) {
                    habit.archived = true;
                    self.undo = Some(Undo::Archived(id));
                }
                leave(ctx);
            }
            Action::AskDelete(id) if self.confirms => list::ask_delete(self, id, ctx),
            Action::AskDelete(id) | Action::Delete(id) => self.delete(id, today, ctx),
            Action::Undo => self.take_back(undo),
            Action::Month(back) => ctx.save("month", back),
            Action::AskCategory => editor::ask_category(self, ctx),
            Action::ChooseCategory(category) => editor::save_category(category, ctx),
            Action::Frequency(frequency) => ctx.save("frequency", frequency.number()),
            Action::AskReminder => editor::ask_reminder(ctx),
            Action::Reminder(on) => editor::set_reminder(on, ctx),
            Action::Save => self.save(today, ctx),
            Action::Discard => ctx.finish(),
            Action::Archive => ctx.start(ARCHIVE, ""),
            Action::ArchivedMenu(id) => list::archived_menu(id, ctx),
            Action::Restore(id) => {
                if let Some(habit) = self.book.get_mut(id) {
                    habit.archived = false;
                    // The wrong app sets no alarm for what comes back.
                    if self.defects.strikes(&RESTORE_REMINDER, habit.text.reminder.is_some()) {
                        habit.text.reminder = None;
                    }
                }
            }
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::AskTheme => settings::ask_theme(ctx),
            Action::Theme(theme) => self.theme = theme,
            Action::ToggleSunday => self.from_sunday = !self.from_sunday,
            Action::ToggleStreaks => self.shows_streaks = !self.shows_streaks,
            Action::ToggleConfirm => self.confirms = !self.confirms,
            Action::AskExport => settings::ask_export(self, ctx),
            Action::Export => match ctx.field(list::NAME).trim() {
                "" => ctx.toast("The file needs a name"),
                name => self.book.export(name),
            },
            Action::AskImport => settings::ask_import(self, ctx),
            Action::AskReplace(at) => settings::ask_replace(at, ctx),
            Action::Import(at) => {
                self.book.import(at);
                self.keep_streaks(today);
                self.deleted_done.clear();
            }
            other => self.act_on_tab(other, ctx),
        }
    }

    fn keep_streaks(&mut self, today: u64) {
        let ids: Vec<HabitId> = self.book.habits.iter().map(|habit| habit.id).collect();
        ids.into_iter().for_each(|id| self.book.keep_streak(id, today));
    }

    /// Adds the offer to take back what was done last.
    fn offer(&self, screen: Screen<Action>) -> Screen<Action> {
        let text = match &self.undo {
            Some(Undo::Deleted(habit)) => format!("{} deleted", habit.text.name),
            Some(Undo::Archived(_)) => "Habit archived".to_owned(),
            Some(Undo::Task(_)) => "Task deleted".to_owned(),
            Some(Undo::Cleared(tasks)) => format!("{} cleared", tasks.len()),
            None => return screen,
        };
        screen.snackbar(text, "Undo", Action::Undo)
    }

    /// Time went on: a timer may have run down, and on the first day there are the first habits.
    fn catch_up(&mut self, env: &Env) {
        let now = env.now();
        match self.day.replace(now.day()) {
            None => self.book.begin(now.day()),
            Some(day) if day != now.day() => self.keep_streaks(now.day()),
            Some(_) => {}
        }
        if self.timer.is_some_and(|timer| timer.left_ms(now) == 0) {
            self.finish_session(now.day());
        }
    }

    /// The colour of the theme.
    fn color(&self, env: &Env) -> Color {
        match self.theme {
            Theme::Dark => Color::INK,
            Theme::System if env.is_night() => Color::INK,
            _ => Color::PURPLE,
        }
    }

    /// The bar of the tabs.
    fn bar(&self, tab: Tab) -> View<Action> {
        let items = [
            ("tab_habits", "Habits", Icon::Check, Tab::Habits),
            ("tab_tasks", "Tasks", Icon::File, Tab::Tasks),
            ("tab_focus", "Focus", Icon::Play, Tab::Focus),
            ("tab_statistics", "Statistics", Icon::Sort, Tab::Statistics),
        ];
        let chosen = items.iter().position(|(.., one)| *one == tab).unwrap_or(0);
        View::bottom_bar(chosen, items.map(|(id, name, icon, tab)| (id, name, icon, Action::Tab(tab))))
    }
}

impl App for Tracker {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            HABIT => details::view(self, page, env),
            EDIT => editor::view(self, page, env),
            ARCHIVE => list::archive(self, env),
            SETTINGS => settings::view(self, env),
            _ => match Tab::of(page) {
                Tab::Habits => list::view(self, page, env),
                Tab::Tasks => tasks::view(self, env),
                Tab::Focus => focus::view(self, page, env),
                Tab::Statistics => statistics::view(self, page, env),
            },
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        self.catch_up(ctx.env());
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } if ctx.page().activity() == EDIT => editor::fill(self, ctx),
            Input::Opened { again: true }
                if ctx.page().activity() == HABIT
                    && self.defects.strikes(&TURN_MONTH, details::back(ctx.page()) > 0) =>
            {
                ctx.save("month", 0);
            }
            Input::Shown => {
                // The wrong app logs once more what its service told of.
                if let Some(session) = self.finished.take()
                    && self.defects.strikes(&SESSION_AGAIN, true)
                {
                    self.book.sessions.push(session);
                }
            }
            Input::Hidden => self.undo = None,
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        match ctx.page().activity() {
            MAIN if Tab::of(ctx.page()) != Tab::Habits => {
                ctx.save("tab", Tab::Habits.variable());
                true
            }
            EDIT => editor::ask_discard(self, ctx),
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.finished = None;
        self.last_reminder = None;
        let paused = self.timer.is_some_and(|timer| timer.since.is_none());
        if self.defects.strikes(&KILLED_PAUSE, paused) {
            self.timer = None;
        }
    }

    /// A timer that runs is a service in the foreground.
    fn keeps_running(&self) -> bool {
        self.timer.is_some_and(|timer| timer.since.is_some())
    }
}
