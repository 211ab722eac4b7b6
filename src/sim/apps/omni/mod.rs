//! Notes with categories, an archive and a trash.
//!
//! Modelled on Omni Notes, the layout from right to left on Notepad (both in "Property-Based Fuzzing").

use notes::{CategoryId, Listing, Note, NoteId, Notes};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod notes;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.omni",
    label: "Omni",
    version_name: "6.2.8",
    version_code: 298,
    activities: &[MAIN, DETAIL, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const DETAIL: &str = "DetailActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const SEARCH_DELETED: Defect = Defect {
    id: "omni.search-deleted",
    kind: DefectKind::WrongBehaviour,
    what: "the search still finds notes that were moved to the trash",
    seed: "Property-Based Fuzzing: Omni Notes, deleted items can still be searched",
};
const RTL_LAYOUT: Defect = Defect {
    id: "omni.rtl-layout",
    kind: DefectKind::WrongDisplay,
    what: "with the layout from right to left, rows of notes with a category stay left to right",
    seed: "Property-Based Fuzzing: Notepad, the layout is inconsistent with the right to left setting",
};
const RESTORE_ARCHIVED: Defect = Defect {
    id: "omni.restore-archived",
    kind: DefectKind::FunctionLost,
    what: "restoring from the trash does nothing to a note that was archived before it was deleted",
    seed: "Property-Based Fuzzing: ActivityDiary, a deleted activity is not recovered correctly",
};
const CATEGORY_CASCADE: Defect = Defect {
    id: "omni.category-cascade",
    kind: DefectKind::DataLoss,
    what: "deleting a category deletes the notes in it",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, data loss; Property-Based Fuzzing: AnyMemo, an option deletes the added cards",
};
const UNDO_CATEGORY: Defect = Defect {
    id: "omni.undo-category",
    kind: DefectKind::DataLoss,
    what: "undoing a move to the trash after another category was set brings the old category back",
    seed: "Property-Based Fuzzing: ActivityDiary, a deleted activity is not recovered correctly",
};
const LANGUAGE_LISTING: Defect = Defect {
    id: "omni.language-listing",
    kind: DefectKind::WrongDisplay,
    what: "after a change of the language the list is empty until another one is chosen",
    seed: "Understanding and Finding System Setting-Related Defects in Android Apps: a list is empty after a change of the language",
};
const DEFECTS: &[Defect] =
    &[SEARCH_DELETED, RTL_LAYOUT, RESTORE_ARCHIVED, CATEGORY_CASCADE, UNDO_CATEGORY, LANGUAGE_LISTING];

const TRAPS: &[Trap] = &[
    Trap {
        id: "omni.counts",
        what: "the numbers in the drawer follow every note that is archived or deleted",
    },
    Trap { id: "omni.last-changed", what: "saving a note moves it to the top of the list" },
    Trap { id: "omni.undo-turn", what: "the offer to take an archiving back goes when the screen is turned" },
];

/// The notes, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Omni::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Omni {
    notes: Notes,
    place: Listing,
    right_to_left: bool,
    offers_undo: bool,
    /// What was moved last and where to, archive or trash, while it can be taken back.
    undo: Option<(NoteId, Listing)>,
    /// The notes as they were when they were last opened or listed; only the wrong undo asks here.
    cached: Vec<Note>,
    /// The language the lists were named in last; the wrong app finds them by their names.
    language: String,
    /// The list has a name of another language.
    misnamed: bool,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Go(Listing),
    OpenSearch,
    CloseSearch,
    New,
    Open(NoteId),
    Menu(NoteId),
    Archive(NoteId),
    Unarchive(NoteId),
    Trash(NoteId),
    Restore(NoteId),
    Undo,
    EmptyTrash,
    AskSetCategory(NoteId),
    SetCategory(NoteId, Option<CategoryId>),
    AskPickCategory,
    PickCategory(Option<CategoryId>),
    AskCategory,
    NewCategory,
    AskDeleteCategory(CategoryId),
    DeleteCategory(CategoryId),
    Save,
    Discard,
    ToggleDirection,
    ToggleUndo,
    Settings,
    About,
}

impl Omni {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            notes: Notes::new(),
            place: Listing::default(),
            right_to_left: false,
            offers_undo: true,
            undo: None,
            cached: Vec::new(),
            language: String::new(),
            misnamed: false,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Go(place) => {
                self.place = place;
                self.misnamed = false;
                ctx.scroll_to_top("list");
            }
            Action::OpenSearch => {
                ctx.save("searching", 1);
                ctx.focus(pages::QUERY);
            }
            Action::CloseSearch => close_search(ctx),
            Action::New => ctx.start(DETAIL, ""),
            Action::Open(note) => ctx.start(DETAIL, note.0),
            Action::Menu(note) => {
                self.cache(note);
                pages::menu(self, note, ctx);
            }
            Action::Archive(note) => {
                self.notes.change(note, |note| note.archived = true);
                self.offer(note, Listing::Archive);
            }
            Action::Unarchive(note) => self.notes.change(note, |note| note.archived = false),
            Action::Trash(note) => {
                self.notes.change(note, |note| note.trashed = true);
                self.offer(note, Listing::Trash);
            }
            Action::Restore(note) => self.restore(note),
            Action::Undo => self.take_back(undo),
            Action::EmptyTrash => self.notes.empty_trash(),
            Action::AskSetCategory(note) => pages::ask_pick(self, |c| Action::SetCategory(note, c), ctx),
            Action::SetCategory(note, category) => self.notes.change(note, |note| note.category = category),
            Action::AskPickCategory => pages::ask_pick(self, Action::PickCategory, ctx),
            Action::PickCategory(category) => {
                ctx.save("category", category.map_or_else(String::new, |category| category.0.to_string()));
            }
            Action::AskCategory => pages::ask_category(ctx),
            Action::NewCategory => match ctx.field(pages::NAME).trim() {
                "" => ctx.toast("A category needs a title"),
                name => self.notes.add_category(name),
            },
            Action::AskDeleteCategory(category) => pages::ask_delete_category(self, category, ctx),
            Action::DeleteCategory(category) => {
                self.place = Listing::Notes;
                if self.errs(&CATEGORY_CASCADE, self.notes.is_in_use(category)) {
                    self.notes.cascade_category(category);
                } else {
                    self.notes.delete_category(category);
                }
            }
            Action::Save => self.save(ctx),
            Action::Discard => ctx.finish(),
            Action::ToggleDirection => self.right_to_left = !self.right_to_left,
            Action::ToggleUndo => self.offers_undo = !self.offers_undo,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn created_again(&mut self, ctx: &Ctx<'_, Action>) {
        self.undo = None;
        let language = ctx.env().language();
        if self.language != language {
            self.misnamed |= self.errs(&LANGUAGE_LISTING, !self.misnamed);
            language.clone_into(&mut self.language);
        }
    }

    fn offer(&mut self, note: NoteId, moved_to: Listing) {
        self.undo = self.offers_undo.then_some((note, moved_to));
    }

    /// Remembers a note the first time it is touched.
    fn cache(&mut self, id: NoteId) {
        if self.cached.iter().all(|note| note.id != id) {
            self.cached.extend(self.notes.get(id).cloned());
        }
    }

    fn restore(&mut self, note: NoteId) {
        let is_archived = self.notes.get(note).is_some_and(|note| note.archived && note.trashed);
        if self.errs(&RESTORE_ARCHIVED, is_archived) {
            return; // The update of the table names only notes that are not archived.
        }
        self.notes.change(note, |note| note.trashed = false);
    }

    fn take_back(&mut self, undo: Option<(NoteId, Listing)>) {
        let Some((id, moved_to)) = undo else { return };
        let category = self.notes.get(id).map(|note| note.category);
        let cached = self.cached.iter().find(|note| note.id == id).map(|note| note.category);
        let cached = cached.filter(|cached| self.errs(&UNDO_CATEGORY, Some(*cached) != category));
        self.notes.change(id, |note| {
            if moved_to == Listing::Archive {
                note.archived = false;
            } else {
                note.trashed = false;
            }
            note.category = cached.unwrap_or(note.category);
        });
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let (title, body) = (ctx.field(pages::TITLE), ctx.field(pages::CONTENT));
        if title.trim().is_empty() && body.trim().is_empty() {
            return ctx.toast("An empty note is not saved");
        }
        let known = ctx.page().argument_number().map(NoteId).filter(|id| self.notes.get(*id).is_some());
        let id = known.unwrap_or_else(|| self.notes.new_note());
        let category = ctx.page().variable("category").parse().ok().map(CategoryId);
        self.notes.write(id, title.trim(), &body, category);
        ctx.finish();
    }
}

fn close_search(ctx: &mut Ctx<'_, Action>) {
    ctx.save("searching", "");
    ctx.set_field(pages::QUERY, "");
    ctx.hide_keyboard();
}

impl App for Omni {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            DETAIL => pages::detail(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::list(self, page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if self.language.is_empty() {
            ctx.env().language().clone_into(&mut self.language);
        }
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: true } => self.created_again(ctx),
            Input::Opened { again: false } if ctx.page().activity() == DETAIL => {
                let id = ctx.page().argument_number().map(NoteId);
                if let Some(note) = id.and_then(|id| self.notes.get(id)) {
                    ctx.set_field(pages::TITLE, &note.title);
                    ctx.set_field(pages::CONTENT, &note.body);
                    ctx.save("category", note.category.map_or_else(String::new, |c| c.0.to_string()));
                } else if let Listing::Category(category) = self.place {
                    ctx.save("category", category.0);
                }
            }
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        if ctx.page().activity() != MAIN {
            return false;
        }
        if !ctx.page().variable("searching").is_empty() {
            close_search(ctx);
            return true;
        }
        let elsewhere = self.place != Listing::Notes;
        self.place = Listing::Notes;
        elsewhere
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.cached.clear();
    }
}
