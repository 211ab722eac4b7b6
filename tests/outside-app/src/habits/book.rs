//! Habits, tasks, focus sessions, and copies of them.

use std::collections::BTreeSet;

use super::days::{Frequency, streaks};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HabitId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CategoryId(pub u64);

/// What a person writes of a habit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HabitText {
    pub name: String,
    pub category: Option<CategoryId>,
    pub frequency: Frequency,
    /// A time of day.
    pub reminder: Option<String>,
    pub note: String,
}

#[derive(Clone, Debug)]
pub(super) struct Habit {
    pub id: HabitId,
    pub text: HabitText,
    /// The category that it was made in.
    pub first_category: Option<CategoryId>,
    /// Days since 1970.
    pub done: BTreeSet<u64>,
    pub skipped: BTreeSet<u64>,
    pub archived: bool,
    /// The streak as it was when today was checked off or the habit was edited.
    pub kept_streak: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    pub id: TaskId,
    pub text: String,
    pub important: bool,
    pub done: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Category {
    pub id: CategoryId,
    pub name: String,
}

/// A time of focus; the name is what its habit was called then.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub name: String,
    pub minutes: u64,
    pub day: u64,
}

/// How habits are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// As they were made.
    #[default]
    Made,
    Name,
    Streak,
}

/// What an export holds.
#[derive(Clone, Debug)]
pub(super) struct Backup {
    pub name: String,
    habits: Vec<Habit>,
    tasks: Vec<Task>,
    categories: Vec<Category>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    pub habits: Vec<Habit>,
    pub tasks: Vec<Task>,
    pub categories: Vec<Category>,
    pub sessions: Vec<Session>,
    /// The latest last.
    pub backups: Vec<Backup>,
    next: u64,
}

/// Name, place of the category, frequency, reminder, and the days ago on which it was done, first and last.
type First = (&'static str, usize, Frequency, Option<&'static str>, Option<(u64, u64)>);

const CATEGORIES: [&str; 3] = ["Health", "Mind", "Home"];
const HABITS: [First; 6] = [
    ("Read ten pages", 1, Frequency::Daily, Some("21:00"), Some((5, 1))),
    ("Stretch", 0, Frequency::Daily, None, Some((1, 0))),
    ("Learn words", 1, Frequency::Weekdays, None, Some((10, 1))),
    ("Water plants", 2, Frequency::Weekly, None, Some((9, 8))),
    ("Run", 0, Frequency::Daily, Some("07:00"), None),
    ("No sugar", 0, Frequency::Daily, Some("08:00"), Some((20, 11))),
];

impl Book {
    /// How many exports are kept.
    const BACKUPS: usize = 3;

    /// What there is on the first day.
    pub(super) fn begin(&mut self, today: u64) {
        for name in CATEGORIES {
            self.add_category(name);
        }
        for (name, category, frequency, reminder, done) in HABITS {
            let text = HabitText {
                name: name.to_owned(),
                category: self.categories.get(category).map(|category| category.id),
                frequency,
                reminder: reminder.map(str::to_owned),
                note: String::new(),
            };
            let id = self.add(text);
            if let (Some(habit), Some((from, to))) = (self.get_mut(id), done) {
                let days = today.saturating_sub(from)..=today.saturating_sub(to);
                habit.done.extend(days.filter(|day| frequency.is_due(*day)));
                habit.archived = name == "No sugar";
            }
            self.keep_streak(id, today);
        }
        for task in ["Buy a new mat", "Book a dentist", "Return the atlas"] {
            self.add_task(task);
        }
        if let Some(last) = self.tasks.last_mut() {
            last.done = true;
        }
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn add(&mut self, text: HabitText) -> HabitId {
        let id = HabitId(self.new_id());
        self.habits.push(Habit {
            id,
            first_category: text.category,
            text,
            done: BTreeSet::new(),
            skipped: BTreeSet::new(),
            archived: false,
            kept_streak: 0,
        });
        id
    }

    pub(super) fn get(&self, id: HabitId) -> Option<&Habit> {
        self.habits.iter().find(|habit| habit.id == id)
    }

    pub(super) fn get_mut(&mut self, id: HabitId) -> Option<&mut Habit> {
        self.habits.iter_mut().find(|habit| habit.id == id)
    }

    /// Counts the streak that is kept with a habit.
    pub(super) fn keep_streak(&mut self, id: HabitId, today: u64) {
        if let Some(habit) = self.get_mut(id) {
            habit.kept_streak = habit.streak(today);
        }
    }

    pub(super) fn take(&mut self, id: HabitId) -> Option<Habit> {
        let at = self.habits.iter().position(|habit| habit.id == id)?;
        Some(self.habits.remove(at))
    }

    /// Brings a habit back to its place.
    pub(super) fn restore(&mut self, habit: Habit) {
        self.habits.push(habit);
        self.habits.sort_by_key(|habit| habit.id.0);
    }

    pub(super) fn category_name(&self, id: Option<CategoryId>) -> &str {
        let known = id.and_then(|id| self.categories.iter().find(|category| category.id == id));
        known.map_or("No category", |category| &category.name)
    }

    pub(super) fn add_category(&mut self, name: &str) {
        let id = CategoryId(self.new_id());
        self.categories.push(Category { id, name: name.to_owned() });
    }

    /// Deletes a category; its habits stay and belong to none.
    pub(super) fn delete_category(&mut self, id: CategoryId) {
        self.categories.retain(|category| category.id != id);
        for habit in &mut self.habits {
            for category in [&mut habit.text.category, &mut habit.first_category] {
                if *category == Some(id) {
                    *category = None;
                }
            }
        }
    }

    pub(super) fn add_task(&mut self, text: &str) {
        let id = TaskId(self.new_id());
        self.tasks.push(Task { id, text: text.to_owned(), important: false, done: false });
    }

    pub(super) fn change_task(&mut self, id: TaskId, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            change(task);
        }
    }

    /// Takes tasks out and gives them.
    pub(super) fn take_tasks(&mut self, is_it: impl Fn(&Task) -> bool) -> Vec<Task> {
        let (taken, left) = std::mem::take(&mut self.tasks).into_iter().partition(is_it);
        self.tasks = left;
        taken
    }

    /// Brings tasks back to their places.
    pub(super) fn restore_tasks(&mut self, tasks: Vec<Task>) {
        self.tasks.extend(tasks);
        self.tasks.sort_by_key(|task| task.id.0);
    }

    pub(super) fn export(&mut self, name: &str) {
        self.backups.push(Backup {
            name: name.to_owned(),
            habits: self.habits.clone(),
            tasks: self.tasks.clone(),
            categories: self.categories.clone(),
        });
        if self.backups.len() > Self::BACKUPS {
            self.backups.remove(0);
        }
    }

    /// Puts what was exported in the place of what there is.
    pub(super) fn import(&mut self, at: usize) {
        if let Some(backup) = self.backups.get(at).cloned() {
            (self.habits, self.tasks, self.categories) = (backup.habits, backup.tasks, backup.categories);
        }
    }
}

impl Habit {
    pub(super) fn streak(&self, today: u64) -> u64 {
        streaks(self.text.frequency, &self.done, &self.skipped, today).0
    }

    pub(super) fn best(&self, today: u64) -> u64 {
        streaks(self.text.frequency, &self.done, &self.skipped, today).1
    }

    /// Checks a day off, or takes that back.
    pub(super) fn toggle(&mut self, day: u64) {
        if !self.done.remove(&day) {
            self.done.insert(day);
            self.skipped.remove(&day);
        }
    }

    pub(super) fn skip(&mut self, day: u64) {
        if !self.skipped.remove(&day) {
            self.skipped.insert(day);
            self.done.remove(&day);
        }
    }
}
