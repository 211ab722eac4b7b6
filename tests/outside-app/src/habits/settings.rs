//! The settings, with export and import.

use droidmux::sim::toolkit::{Ctx, Dialog, Env, Screen, View};

use super::action::Theme;
use super::list::NAME;
use super::{Action, Tracker};

pub(super) fn view(tracker: &Tracker, env: &Env) -> Screen<Action> {
    let exports = match tracker.book.backups.len() {
        0 => "Nothing was exported yet".to_owned(),
        1 => "1 export".to_owned(),
        count => format!("{count} exports"),
    };
    let list = View::recycler("settings")
        .child(View::preference("Theme", theme_name(tracker.theme), Action::AskTheme))
        .child(View::setting(
            "Week starts on Sunday",
            "In the calendar of a habit",
            tracker.from_sunday,
            Action::ToggleSunday,
        ))
        .child(View::setting(
            "Streaks",
            "In the list of habits",
            tracker.shows_streaks,
            Action::ToggleStreaks,
        ))
        .child(View::setting(
            "Confirm deletion",
            "Ask before a habit is deleted",
            tracker.confirms,
            Action::ToggleConfirm,
        ))
        .child(View::preference("Export", "Habits, tasks and categories", Action::AskExport))
        .child(View::preference("Import", &exports, Action::AskImport));
    Screen::new("Settings", list).color(tracker.color(env)).up()
}

fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "As the system",
        Theme::Light => "Light",
        Theme::Dark => "Dark",
    }
}

pub(super) fn ask_theme(ctx: &mut Ctx<'_, Action>) {
    let themes = [Theme::System, Theme::Light, Theme::Dark];
    let dialog = themes
        .into_iter()
        .fold(Dialog::new("Theme"), |dialog, theme| dialog.choice(theme_name(theme), Action::Theme(theme)));
    ctx.show(dialog);
}

pub(super) fn ask_export(tracker: &Tracker, ctx: &mut Ctx<'_, Action>) {
    let book = &tracker.book;
    let dialog = Dialog::new("Export")
        .message(format!("{} habits and {} tasks", book.habits.len(), book.tasks.len()))
        .field(NAME, "Name of the file", "habits")
        .negative("Cancel")
        .positive("Export", Action::Export);
    ctx.show(dialog);
}

pub(super) fn ask_import(tracker: &Tracker, ctx: &mut Ctx<'_, Action>) {
    let backups = &tracker.book.backups;
    if backups.is_empty() {
        return ctx.toast("There is nothing to import");
    }
    let all = backups.iter().enumerate().rev();
    let dialog = all.fold(Dialog::new("Import"), |dialog, (n, backup)| {
        dialog.choice(&backup.name, Action::AskReplace(n))
    });
    ctx.show(dialog);
}

pub(super) fn ask_replace(at: usize, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Replace everything?")
        .message("Habits, tasks and categories are those of the export then.")
        .negative("Cancel")
        .positive("Replace", Action::Import(at));
    ctx.show(dialog);
}
