//! The diary: choose what you are doing, attach notes and pictures, look back.
//!
//! Modelled on ActivityDiary as "Fully Automated Functional Fuzzing" shows it: a main page with the running
//! activities and a grid to choose from, the diary with its pictures, and pages to manage the activities.
//! Several activities can run side by side, so that choosing one takes nothing away from others.

use book::{Book, EntryId};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Dialog, Env, Input, Manifest, Screen, SimApp,
};

mod book;
mod editor;
mod history;
mod main_page;
mod settings;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.diary",
    label: "Activity Diary",
    version_name: "1.4.2",
    version_code: 142,
    activities: &[MAIN, HISTORY, DETAIL, ADD, EDIT, MANAGE, SETTINGS, ABOUT],
    permissions: &[CAMERA],
};

const MAIN: &str = "ui.main.MainActivity";
const HISTORY: &str = "ui.history.HistoryActivity";
const DETAIL: &str = "ui.history.HistoryDetailActivity";
const ADD: &str = "ui.generic.AddActivity";
const EDIT: &str = "ui.generic.EditActivity";
const MANAGE: &str = "ui.generic.ManageActivity";
const SETTINGS: &str = "ui.settings.SettingsActivity";
const ABOUT: &str = "ui.generic.AboutActivity";
const CAMERA: &str = "android.permission.CAMERA";

const WRONG_PICTURE: Defect = Defect {
    id: "diary.wrong-picture",
    kind: DefectKind::WrongBehaviour,
    what: "deleting a picture in the diary deletes the newest picture instead of the chosen one",
    seed: "Fully Automated Functional Fuzzing: ActivityDiary, deleting the picture of Cinema deletes that of Cleaning",
};
const UNSAVED_NAME: Defect = Defect {
    id: "diary.unsaved-name",
    kind: DefectKind::WrongBehaviour,
    what: "opening a renamed activity shows the name last typed for a new one that was not saved",
    seed: "Fully Automated Functional Fuzzing: ActivityDiary, opening Shopping shows Gardening",
};
const TURN_DIALOG: Defect = Defect {
    id: "diary.turn-dialog",
    kind: DefectKind::FunctionLost,
    what: "the choice of a color is gone when the screen is turned",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: a dialog is gone when the screen is turned",
};
const DEFECTS: &[Defect] = &[WRONG_PICTURE, UNSAVED_NAME, TURN_DIALOG];

/// The diary, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Diary::new)
}

#[derive(Clone)]
struct Diary {
    book: Book,
    options: Options,
    defects: DefectSwitches,
    /// Only with [`UNSAVED_NAME`]: the name typed for a new activity that was not saved.
    draft: Option<String>,
}

/// What the settings page switches.
#[derive(Clone, Copy, Debug, Default)]
struct Options {
    select_new: bool,
    notification: bool,
    silent: bool,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Choose(usize),
    Attach,
    WriteNote,
    OpenMain,
    OpenDiary,
    OpenEntry(EntryId),
    AskDelete(EntryId),
    DeletePicture(EntryId),
    SaveNote,
    NewActivity,
    EditActivity(usize),
    SaveActivity,
    AskDeleteActivity,
    DeleteActivity,
    PickColor,
    Color(usize),
    Manage,
    Settings,
    Toggle(Switch),
    About,
}

#[derive(Clone, Copy, Debug)]
enum Switch {
    SelectNew,
    Notification,
    Silent,
}

impl Diary {
    fn new(defects: &DefectSwitches) -> Self {
        Self { book: Book::new(), options: Options::default(), defects: defects.clone(), draft: None }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Choose(activity) => self.book.choose(activity, ctx.env().now()),
            Action::Attach => self.attach(ctx),
            Action::WriteNote => match self.book.current() {
                Some(entry) => ctx.start(DETAIL, entry.id.0),
                None => ctx.toast("Choose an activity first"),
            },
            Action::OpenMain => {}
            Action::OpenDiary => ctx.start(HISTORY, ""),
            Action::OpenEntry(entry) => ctx.start(DETAIL, entry.0),
            Action::AskDelete(entry) => self.ask_delete(entry, ctx),
            Action::DeletePicture(entry) => {
                let newest = || self.book.newest_picture().unwrap_or(entry);
                let deleted = self.defects.either(&WRONG_PICTURE, entry, newest);
                self.book.delete_picture(deleted);
            }
            Action::SaveNote => self.save_note(ctx),
            Action::NewActivity => ctx.start(ADD, ""),
            Action::EditActivity(activity) => ctx.start(EDIT, activity),
            Action::SaveActivity => self.save_activity(ctx),
            Action::AskDeleteActivity => editor::ask_delete(ctx),
            Action::DeleteActivity => {
                if let Some(activity) = editor::edited(ctx.page()) {
                    self.book.delete_activity(activity);
                }
                ctx.finish();
            }
            Action::PickColor => editor::pick_color(self.defects.strikes(&TURN_DIALOG, true), ctx),
            Action::Color(color) => ctx.save("color", color),
            Action::Manage => ctx.start(MANAGE, ""),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::Toggle(switch) => self.options.toggle(switch),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    /// The camera button: the phone's camera returns a picture at once.
    fn attach(&mut self, ctx: &mut Ctx<'_, Action>) {
        if self.book.current().is_none() {
            ctx.toast("Choose an activity first");
        } else if !ctx.env().is_granted(CAMERA) {
            ctx.ask(CAMERA);
        } else {
            self.book.attach_picture();
        }
    }

    fn ask_delete(&self, entry: EntryId, ctx: &mut Ctx<'_, Action>) {
        let Some(name) = self.book.entry(entry).map(|entry| self.book.name_of(entry)) else { return };
        let dialog = Dialog::new("Delete picture?")
            .message(format!("The picture of {name} will be removed from the diary."))
            .negative("Cancel")
            .positive_described("Delete", format!("Delete picture of {name}"), Action::DeletePicture(entry));
        ctx.show(dialog);
    }

    fn save_note(&mut self, ctx: &mut Ctx<'_, Action>) {
        if let Some(entry) = ctx.page().argument_number() {
            let note = ctx.field("edit_activity_note");
            self.book.set_note(EntryId(entry), note.trim());
        }
        ctx.finish();
    }

    fn save_activity(&mut self, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field("edit_activity_name").trim().to_owned();
        if name.is_empty() {
            return ctx.save("error", "Activity name must not be empty");
        }
        let color = editor::color(ctx.page(), &self.book);
        match editor::edited(ctx.page()) {
            Some(activity) => self.book.change(activity, &name, color),
            None => {
                let activity = self.book.add(&name, color);
                if self.options.select_new {
                    self.book.choose(activity, ctx.env().now());
                }
            }
        }
        ctx.finish();
    }

    /// Fills the fields of a page that opens.
    fn opened(&mut self, ctx: &mut Ctx<'_, Action>) {
        match ctx.page().activity() {
            EDIT => {
                let edited = editor::edited(ctx.page()).and_then(|n| self.book.activity(n));
                let Some(activity) = edited else { return };
                let draft = self.draft.clone().filter(|_| activity.renamed);
                let right = activity.name.clone();
                let name = self.defects.either(&UNSAVED_NAME, right.clone(), || draft.unwrap_or(right));
                ctx.save("title", &name);
                ctx.set_field("edit_activity_name", name);
            }
            DETAIL => {
                let entry = ctx.page().argument_number().and_then(|n| self.book.entry(EntryId(n)));
                let note = entry.map(|entry| entry.note.clone()).unwrap_or_default();
                ctx.set_field("edit_activity_note", note);
            }
            _ => {}
        }
    }
}

impl App for Diary {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            HISTORY => history::list(&self.book),
            DETAIL => history::detail(&self.book, page),
            ADD | EDIT => editor::view(&self.book, page),
            MANAGE => editor::manage(&self.book),
            SETTINGS => settings::view(self.options),
            ABOUT => settings::about(env),
            _ => main_page::view(&self.book, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => self.opened(ctx),
            Input::Answered { granted: true, .. } => self.attach(ctx),
            Input::Answered { granted: false, .. } => ctx.toast("No pictures without the camera"),
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        let name = ctx.field("edit_activity_name");
        if ctx.page().activity() == ADD {
            self.draft = Some(name).filter(|name| !name.trim().is_empty());
        }
        false
    }

    fn process_died(&mut self) {
        self.draft = None;
        self.book.forget_renames();
    }
}
