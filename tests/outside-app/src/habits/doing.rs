//! What is done with habits, tasks and the timer.

use droidmux::sim::toolkit::Ctx;

use super::action::Undo;
use super::book::{HabitId, Session};
use super::declared::UNDO_CLEARED;
use super::focus::Timer;
use super::{Action, HABIT, Tracker, editor, focus, list, statistics, tasks};

impl Tracker {
    /// What is done on the tabs of tasks, focus and statistics.
    pub(super) fn act_on_tab(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let now = ctx.env().now();
        match action {
            Action::AddTask => {
                let text = ctx.field(tasks::FIELD).trim().to_owned();
                if !text.is_empty() {
                    self.book.add_task(&text);
                    ctx.set_field(tasks::FIELD, "");
                }
            }
            Action::Tick(id) => self.book.change_task(id, |task| task.done = !task.done),
            Action::Important(id) => self.book.change_task(id, |task| task.important = !task.important),
            Action::TaskMenu(id) => tasks::menu(id, ctx),
            Action::AskTask(id) => tasks::ask_name(self, id, ctx),
            Action::NameTask(id) => match ctx.field(list::NAME).trim() {
                "" => ctx.toast("A task needs a name"),
                name => self.book.change_task(id, |task| name.clone_into(&mut task.text)),
            },
            Action::DeleteTask(id) => {
                self.undo = Some(Undo::Task(self.book.take_tasks(|task| task.id == id)));
            }
            Action::ClearDone => self.undo = Some(Undo::Cleared(self.book.take_tasks(|task| task.done))),
            Action::Minutes(minutes) => ctx.save("minutes", minutes),
            Action::AskFocus => focus::ask_habit(self, ctx),
            Action::FocusOn(habit) => {
                ctx.save("focus", habit.map_or_else(String::new, |id| id.0.to_string()));
            }
            Action::Start => {
                let habit = focus::habit(self, ctx.page());
                let minutes = focus::minutes(ctx.page());
                self.timer = Some(Timer { habit, minutes, since: Some(now), ran_ms: 0 });
            }
            Action::Pause => {
                if let Some(timer) = &mut self.timer {
                    timer.pause(now);
                }
            }
            Action::Finish => self.finish_session(now.day()),
            Action::Stop => self.timer = None,
            Action::Range(range) => ctx.save("range", statistics::range_text(range)),
            _ => {}
        }
    }

    /// Checks a day of a habit off or skips it, or takes that back.
    pub(super) fn change_day(&mut self, id: HabitId, day: u64, skips: bool, today: u64) {
        if let Some(habit) = self.book.get_mut(id) {
            if skips { habit.skip(day) } else { habit.toggle(day) }
        }
        if day == today {
            self.book.keep_streak(id, today);
        }
    }

    pub(super) fn delete(&mut self, id: HabitId, today: u64, ctx: &mut Ctx<'_, Action>) {
        if let Some(habit) = self.book.take(id) {
            let counted = !habit.archived && habit.text.frequency.is_due(today);
            if counted && habit.done.contains(&today) {
                self.deleted_done.push((id, today));
            }
            self.undo = Some(Undo::Deleted(habit));
        }
        leave(ctx);
    }

    pub(super) fn take_back(&mut self, undo: Option<Undo>) {
        match undo {
            Some(Undo::Deleted(habit)) => {
                self.deleted_done.retain(|(id, _)| *id != habit.id);
                self.book.restore(habit);
            }
            Some(Undo::Archived(id)) => {
                if let Some(habit) = self.book.get_mut(id) {
                    habit.archived = false;
                }
            }
            Some(Undo::Task(tasks)) => self.book.restore_tasks(tasks),
            Some(Undo::Cleared(mut tasks)) => {
                // The wrong undo adds them anew.
                if self.defects.strikes(&UNDO_CLEARED, !tasks.is_empty()) {
                    tasks.iter_mut().for_each(|task| task.done = false);
                }
                self.book.restore_tasks(tasks);
            }
            None => {}
        }
    }

    pub(super) fn save(&mut self, today: u64, ctx: &mut Ctx<'_, Action>) {
        let text = editor::written(ctx.page());
        if text.name.is_empty() {
            return ctx.toast("A habit needs a name");
        }
        let id = match editor::edited(ctx.page()) {
            Some(id) => {
                if let Some(habit) = self.book.get_mut(id) {
                    habit.text = text;
                }
                id
            }
            None => self.book.add(text),
        };
        self.book.keep_streak(id, today);
        ctx.finish();
    }

    pub(super) fn finish_session(&mut self, day: u64) {
        if let Some(timer) = self.timer.take() {
            let session = Session { name: focus::name(self, timer.habit), minutes: timer.minutes, day };
            self.finished = Some(session.clone());
            self.book.sessions.push(session);
        }
    }
}

/// Leaves the page of a habit that is not among the others any more.
pub(super) fn leave(ctx: &mut Ctx<'_, Action>) {
    if ctx.page().activity() == HABIT {
        ctx.finish();
    }
}
