//! Notes: a list of them, and a page to write one.
//!
//! Modelled on Markor as "Fully Automated Functional Fuzzing" and "Property-Based Fuzzing" show it. A
//! correct version keeps two notes of the same title apart; the defects are those of an app that uses the
//! title as the name of a file.

use shelf::{NoteId, Shelf};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Dialog, Env, Input, Manifest, Screen,
    SimApp, Throwable, Trap,
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
    seed: "Fully Automated Functional Fuzzing: Markor, a new note of the same title overwrites the old one's content",
};
const CASE_TWIN: Defect = Defect {
    id: "notes.case-twin",
    kind: DefectKind::DataLoss,
    what: "renaming a note to the name of another in other case loses the other",
    seed: "Property-Based Fuzzing: Markor, renaming overwrites a file whose name differs only in case",
};
const ROTATE_EDIT: Defect = Defect {
    id: "notes.rotate-edit",
    kind: DefectKind::Crash,
    what: "turning the screen with unsaved text on the page crashes the app",
    seed: "Property-Based Fuzzing: Markor, rotating the screen while editing causes a crash",
};
const QUESTION_MARK: Defect = Defect {
    id: "notes.question-mark",
    kind: DefectKind::FunctionLost,
    what: "renaming a note to a name with a question mark leaves the old name",
    seed: "Property-Based Fuzzing: Markor, renaming fails if the new name contains ?",
};
const ROTATE_SEARCH: Defect = Defect {
    id: "notes.rotate-search",
    kind: DefectKind::Crash,
    what: "turning the screen after a search crashes the app",
    seed: "Property-Based Fuzzing: Markor, rotating the screen after searching causes a crash",
};
const KILLED_DRAFT: Defect = Defect {
    id: "notes.killed-draft",
    kind: DefectKind::DataLoss,
    what: "a half-written note is gone when the system ended the app in the background meanwhile",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: data that was not saved is gone when the process was killed",
};
const DEFECTS: &[Defect] = &[SAME_TITLE, CASE_TWIN, ROTATE_EDIT, QUESTION_MARK, ROTATE_SEARCH, KILLED_DRAFT];

const TRAPS: &[Trap] = &[
    Trap { id: "notes.tip", what: "the tip above the list is another after every launch" },
    Trap { id: "notes.menu-turn", what: "the menu of a note closes when the screen is turned, as popups do" },
];

/// The notes app, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Notes::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Notes {
    shelf: Shelf,
    defects: DefectSwitches,
    wrap: bool,
    highlight: bool,
    /// The process was killed, and no page has opened since; only the wrong app asks.
    killed: bool,
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
    OpenSearch,
    CloseSearch,
    Settings,
    About,
    ToggleWrap,
    ToggleHighlight,
}

impl Notes {
    fn new(defects: &DefectSwitches) -> Self {
        Self { shelf: Shelf::new(), defects: defects.clone(), wrap: true, highlight: false, killed: false }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
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
            Action::OpenSearch => {
                ctx.save("searching", 1);
                ctx.focus(pages::QUERY);
            }
            Action::CloseSearch => pages::close_search(ctx),
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
        let renamed = self.shelf.get(note).is_some_and(|note| note.title != title);
        if self.errs(&QUESTION_MARK, renamed && title.contains('?')) {
            return; // Not a name the file system of the card takes, and nobody looks at its answer.
        }
        if self.errs(&CASE_TWIN, self.shelf.has_twins(note, &title)) {
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
        let same = self.shelf.titled(&title).filter(|_| self.errs(&SAME_TITLE, edited.is_none()));
        match edited.or(same) {
            Some(note) => self.shelf.write(note, &title, &body),
            None => self.shelf.add(&title, &body),
        }
        ctx.finish();
    }

    /// Whether the page holds text that is not saved.
    fn is_unsaved(&self, page: &ActivityState) -> bool {
        let note = pages::edited(page).and_then(|id| self.shelf.get(id));
        let (title, body) = note.map_or(("", ""), |note| (&note.title, &note.body));
        page.field("note__title") != title || page.field("document__edit") != body
    }

    fn opened(&mut self, again: bool, ctx: &mut Ctx<'_, Action>) {
        let killed = std::mem::take(&mut self.killed);
        let searched = !ctx.page().field(pages::QUERY).is_empty();
        if self.errs(&ROTATE_SEARCH, again && searched) {
            return ctx.crash(search_not_restored());
        }
        if ctx.page().activity() != EDIT {
            return;
        }
        if again {
            if self.errs(&ROTATE_EDIT, self.is_unsaved(ctx.page())) {
                return ctx.crash(text_not_restored());
            }
            if killed && self.errs(&KILLED_DRAFT, self.is_unsaved(ctx.page())) {
                // The text was kept in memory, and what the fields saved is replaced by what is stored.
                self.fill(ctx);
            }
            return;
        }
        if pages::edited(ctx.page()).is_some() {
            self.fill(ctx);
        }
    }

    /// Fills the fields with what is stored.
    fn fill(&self, ctx: &mut Ctx<'_, Action>) {
        let note = pages::edited(ctx.page()).and_then(|id| self.shelf.get(id));
        let (title, body) = note.map_or(("", ""), |note| (&note.title, &note.body));
        ctx.set_field("note__title", title);
        ctx.set_field("document__edit", body);
    }
}

fn text_not_restored() -> Throwable {
    Throwable {
        class: "java.lang.IllegalStateException",
        message: "Can not perform this action after onSaveInstanceState".into(),
        frames: vec![
            "org.droidmux.notes.activity.DocumentEditFragment.restoreText(DocumentEditFragment.java:214)",
            "org.droidmux.notes.activity.DocumentEditFragment.onViewCreated(DocumentEditFragment.java:131)",
        ],
    }
}

fn search_not_restored() -> Throwable {
    Throwable {
        class: "java.lang.NullPointerException",
        message: "Attempt to invoke virtual method 'void SearchView.setQuery' on a null object reference"
            .into(),
        frames: vec![
            "org.droidmux.notes.activity.FilesystemFragment.restoreSearch(FilesystemFragment.java:402)",
            "org.droidmux.notes.activity.FilesystemFragment.onViewStateRestored(FilesystemFragment.java:377)",
        ],
    }
}

impl App for Notes {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            EDIT => pages::document(page),
            SETTINGS => pages::settings(self.wrap, self.highlight),
            ABOUT => pages::about(),
            _ => pages::list(&self.shelf, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again } => self.opened(again, ctx),
            _ => {}
        }
    }

    fn process_died(&mut self) {
        self.killed = true;
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        if ctx.page().activity() == MAIN && !ctx.page().variable("searching").is_empty() {
            pages::close_search(ctx);
            return true;
        }
        let unsaved = ctx.page().activity() == EDIT && self.is_unsaved(ctx.page());
        if unsaved {
            let dialog =
                Dialog::new("Discard changes?").negative("Keep editing").positive("Discard", Action::Discard);
            ctx.show(dialog);
        }
        unsaved
    }
}
