//! Notes: a list of them, and a page to write one.
//!
//! Modelled on Markor as seeds 002 and 004 show it. A correct version keeps two notes of the same
//! title apart; the defects are those of an app that uses the title as the name of a file.

use shelf::{NoteId, Shelf};

use super::super::toolkit::{
    App, Ctx, Defect, DefectKind, DefectSwitches, Dialog, Env, Input, Manifest, Page, Screen, SimApp,
    Throwable,
};

mod pages;
mod shelf;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.notes",
    label: "Notes",
    version_name: "2.8.0",
    version_code: 127,
    activities: &[MAIN, EDIT, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "activity.MainActivity";
const EDIT: &str = "activity.DocumentActivity";
const SETTINGS: &str = "activity.SettingsActivity";
const ABOUT: &str = "activity.AboutActivity";

const SAME_TITLE: Defect = Defect {
    id: "notes.same-title",
    kind: DefectKind::DataLoss,
    what: "a new note with the title of an existing one overwrites it",
    seed: "002: Markor, a new note of the same title overwrites the old one's content",
};
const CASE_TWIN: Defect = Defect {
    id: "notes.case-twin",
    kind: DefectKind::DataLoss,
    what: "renaming a note to the name of another in other case loses the other",
    seed: "004: Markor, renaming overwrites a file whose name differs only in case",
};
const ROTATE_EDIT: Defect = Defect {
    id: "notes.rotate-edit",
    kind: DefectKind::Crash,
    what: "turning the screen with unsaved text on the page crashes the app",
    seed: "004: Markor, rotating the screen while editing causes a crash",
};
const DEFECTS: &[Defect] = &[SAME_TITLE, CASE_TWIN, ROTATE_EDIT];

/// The notes app, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Notes::new)
}

struct Notes {
    shelf: Shelf,
    overwrites: bool,
    loses_twin: bool,
    crashes_turned: bool,
    wrap: bool,
    highlight: bool,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    New,
    Open(NoteId),
    Menu(NoteId),
    Star(NoteId),
    AskRename(NoteId),
    Rename(NoteId),
    AskDelete(NoteId),
    Delete(NoteId),
    Save,
    Discard,
    Settings,
    About,
    ToggleWrap,
    ToggleHighlight,
}

impl Notes {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            shelf: Shelf::new(),
            overwrites: defects.is_on(SAME_TITLE.id),
            loses_twin: defects.is_on(CASE_TWIN.id),
            crashes_turned: defects.is_on(ROTATE_EDIT.id),
            wrap: true,
            highlight: false,
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::New => ctx.start(EDIT, ""),
            Action::Open(note) => ctx.start(EDIT, note.0),
            Action::Menu(note) => ctx.popup(vec![
                ("Rename".into(), Action::AskRename(note)),
                ("Delete".into(), Action::AskDelete(note)),
            ]),
            Action::Star(note) => self.shelf.toggle_star(note),
            Action::AskRename(note) => pages::ask_rename(&self.shelf, note, ctx),
            Action::Rename(note) => self.rename(note, ctx),
            Action::AskDelete(note) => pages::ask_delete(&self.shelf, note, ctx),
            Action::Delete(note) => self.shelf.delete(note),
            Action::Save => self.save(ctx),
            Action::Discard => ctx.finish(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
            Action::ToggleWrap => self.wrap = !self.wrap,
            Action::ToggleHighlight => self.highlight = !self.highlight,
        }
    }

    fn rename(&mut self, note: NoteId, ctx: &mut Ctx<'_, Action>) {
        let title = ctx.field(pages::NEW_NAME).trim().to_owned();
        if title.is_empty() {
            return ctx.toast("A note needs a title");
        }
        if self.loses_twin {
            self.shelf.delete_twins(note, &title);
        }
        self.shelf.rename(note, &title);
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let title = ctx.field("note__title").trim().to_owned();
        let body = ctx.field("document__edit");
        if title.is_empty() {
            return ctx.toast("A note needs a title");
        }
        let edited = pages::edited(ctx.page());
        let same = self.shelf.titled(&title).filter(|_| self.overwrites && edited.is_none());
        match edited.or(same) {
            Some(note) => self.shelf.write(note, &title, &body),
            None => self.shelf.add(&title, &body),
        }
        ctx.finish();
    }

    /// Whether the page holds text that is not saved.
    fn is_unsaved(&self, page: &Page) -> bool {
        let note = pages::edited(page).and_then(|id| self.shelf.get(id));
        let (title, body) = note.map_or(("", ""), |note| (&note.title, &note.body));
        page.field("note__title") != title || page.field("document__edit") != body
    }

    fn opened(&mut self, again: bool, ctx: &mut Ctx<'_, Action>) {
        if ctx.page().activity() != EDIT {
            return;
        }
        if again {
            if self.crashes_turned && self.is_unsaved(ctx.page()) {
                ctx.crash(Throwable {
                    class: "java.lang.IllegalStateException",
                    message: "Can not perform this action after onSaveInstanceState".into(),
                    frames: vec![
                        "org.droidmux.notes.activity.DocumentEditFragment.restoreText(DocumentEditFragment.java:214)",
                        "org.droidmux.notes.activity.DocumentEditFragment.onViewCreated(DocumentEditFragment.java:131)",
                    ],
                });
            }
            return;
        }
        if let Some(note) = pages::edited(ctx.page()).and_then(|id| self.shelf.get(id)) {
            ctx.set_field("note__title", &note.title);
            ctx.set_field("document__edit", &note.body);
        }
    }
}

impl App for Notes {
    type Action = Action;

    fn view(&self, page: &Page, env: &Env) -> Screen<Action> {
        match page.activity() {
            EDIT => pages::document(page),
            SETTINGS => pages::settings(self.wrap, self.highlight),
            ABOUT => pages::about(),
            _ => pages::list(&self.shelf, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again } => self.opened(again, ctx),
            Input::Returned | Input::Typed(_) | Input::Answered { .. } => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        let unsaved = ctx.page().activity() == EDIT && self.is_unsaved(ctx.page());
        if unsaved {
            let dialog =
                Dialog::new("Discard changes?").negative("Keep editing").positive("Discard", Action::Discard);
            ctx.show(dialog);
        }
        unsaved
    }
}
