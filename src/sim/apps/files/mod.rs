//! A file manager: folders, files, search.
//!
//! Modelled on Amaze as "Property-Based Fuzzing" shows it: entries are renamed and deleted from a menu, in
//! their folder and on the page of search results alike.

use tree::{EntryId, Tree};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Dialog, Env, Input, Manifest, Screen,
    SimApp, Trap,
};

mod browser;
mod pages;
mod tree;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.files",
    label: "Files",
    version_name: "3.4.1",
    version_code: 64,
    activities: &[MAIN, READER, SETTINGS, ABOUT],
    permissions: &["android.permission.READ_EXTERNAL_STORAGE"],
};

const MAIN: &str = "ui.MainActivity";
const READER: &str = "ui.TextReaderActivity";
const SETTINGS: &str = "ui.PreferencesActivity";
const ABOUT: &str = "ui.AboutActivity";

const SEARCH_RENAME: Defect = Defect {
    id: "files.search-rename",
    kind: DefectKind::WrongBehaviour,
    what: "renaming on the search results page leaves the old name, and the folder is empty then",
    seed: "Property-Based Fuzzing: Amaze, renaming a folder fails on the search results page",
};
const HIDDEN_SEARCH: Defect = Defect {
    id: "files.hidden-search",
    kind: DefectKind::EndlessLoading,
    what: "a search that finds a hidden folder while hidden ones are shown never ends",
    seed: "Property-Based Fuzzing: Amaze, searching for hidden folders causes crashes or infinite loading",
};
const UNSORTED_RESULTS: Defect = Defect {
    id: "files.unsorted-results",
    kind: DefectKind::WrongDisplay,
    what: "search results come in the order of the folders, not by how well they match",
    seed: "Property-Based Fuzzing: Amaze, search results are not sorted by relevance",
};
const NEW_NAME: Defect = Defect {
    id: "files.new-name",
    kind: DefectKind::UpdateDelay,
    what: "a renamed folder is found by its old name only, until the app starts again",
    seed: "Property-Based Fuzzing: Feishu, a folder cannot be searched by its new name after renaming",
};
const ROOT_SEARCH: Defect = Defect {
    id: "files.root-search",
    kind: DefectKind::WrongBehaviour,
    what: "a search from the root does not find the files that lie in the root itself",
    seed: "Property-Based Fuzzing: Markor, no files can be searched in the root directory",
};
const TURN_FOLDER: Defect = Defect {
    id: "files.turn-folder",
    kind: DefectKind::WrongDisplay,
    what: "turning the screen leads from an open folder back to the root",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: the place on a page is lost when the screen is turned",
};
const DEFECTS: &[Defect] =
    &[SEARCH_RENAME, HIDDEN_SEARCH, UNSORTED_RESULTS, NEW_NAME, ROOT_SEARCH, TURN_FOLDER];

const TRAPS: &[Trap] = &[
    Trap {
        id: "files.hidden",
        what: "an entry whose name begins with a dot is not in its folder until hidden ones are shown",
    },
    Trap { id: "files.sorted", what: "a new entry stands where its name belongs, which moves the others" },
    Trap {
        id: "files.menu-turn",
        what: "the menu of an entry closes when the screen is turned, as popups do",
    },
];

/// The file manager, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, |defects| Files {
        tree: Tree::new(),
        show_hidden: false,
        confirm_delete: true,
        defects: defects.clone(),
    })
    .with_traps(TRAPS)
}

#[derive(Clone)]
struct Files {
    tree: Tree,
    show_hidden: bool,
    confirm_delete: bool,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Open(EntryId),
    Menu(EntryId),
    AskRename(EntryId),
    Rename(EntryId),
    AskDelete(EntryId),
    Delete(EntryId),
    AskCreate,
    AskName { folder: bool },
    Create { folder: bool },
    OpenSearch,
    CloseSearch,
    Search,
    Home,
    Downloads,
    Settings,
    About,
    ToggleHidden,
    ToggleConfirm,
}

impl Files {
    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Open(entry) => self.open(entry, ctx),
            Action::Menu(entry) => ctx.popup(vec![
                ("Open".into(), Action::Open(entry)),
                ("Rename".into(), Action::AskRename(entry)),
                ("Delete".into(), Action::AskDelete(entry)),
            ]),
            Action::AskRename(entry) => browser::ask_rename(&self.tree, entry, ctx),
            Action::Rename(entry) => self.rename(entry, ctx),
            Action::AskDelete(entry) if self.confirm_delete => browser::ask_delete(&self.tree, entry, ctx),
            Action::AskDelete(entry) | Action::Delete(entry) => self.tree.delete(entry),
            Action::AskCreate => {
                let dialog = Dialog::new("New")
                    .choice("Folder", Action::AskName { folder: true })
                    .choice("File", Action::AskName { folder: false });
                ctx.show(dialog);
            }
            Action::AskName { folder } => browser::ask_name(folder, ctx),
            Action::Create { folder } => self.create(folder, ctx),
            Action::OpenSearch => {
                ctx.save("searching", 1);
                ctx.focus("search_edit_text");
            }
            Action::CloseSearch => browser::leave_search(ctx),
            Action::Search => self.search(ctx),
            Action::Home => browser::go_to(self.tree.root(), ctx),
            Action::Downloads => browser::go_to(self.tree.downloads(), ctx),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
            Action::ToggleHidden => self.show_hidden = !self.show_hidden,
            Action::ToggleConfirm => self.confirm_delete = !self.confirm_delete,
        }
    }

    fn open(&self, entry: EntryId, ctx: &mut Ctx<'_, Action>) {
        match self.tree.get(entry) {
            Some(found) if found.is_folder => browser::go_to(entry, ctx),
            Some(_) => ctx.start(READER, entry.0),
            None => {}
        }
    }

    fn rename(&mut self, entry: EntryId, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field(browser::NAME).trim().to_owned();
        if let Err(why) = self.tree.check_name(&name, entry) {
            return ctx.toast(why);
        }
        let renamed = self.tree.get(entry).is_some_and(|entry| entry.name != name);
        let touched = renamed || !self.tree.children(entry).is_empty();
        if self.errs(&SEARCH_RENAME, touched && browser::shows_results(ctx.page())) {
            self.tree.lose_content(entry);
            return;
        }
        self.tree.rename(entry, &name);
        if !self.errs(&NEW_NAME, self.tree.is_index_stale()) {
            self.tree.build_index();
        }
    }

    fn create(&mut self, folder: bool, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field(browser::NAME).trim().to_owned();
        let parent = browser::folder(&self.tree, ctx.page());
        if let Err(why) = self.tree.check_new(&name, parent) {
            return ctx.toast(why);
        }
        self.tree.create(parent, &name, folder);
    }

    fn search(&self, ctx: &mut Ctx<'_, Action>) {
        let query = ctx.page().field("search_edit_text").trim().to_owned();
        if query.is_empty() {
            return ctx.toast("Enter what to search for");
        }
        let folder = browser::folder(&self.tree, ctx.page());
        let by_relevance = self.tree.search_by_relevance(&query, folder);
        let mut found =
            self.defects.either(&UNSORTED_RESULTS, by_relevance, || self.tree.search(&query, folder));
        // Paths are compared with the root's and a slash, which an entry of the root has twice.
        let is_lost = |id: &EntryId| {
            self.tree.get(*id).is_some_and(|e| !e.is_folder && e.parent == Some(self.tree.root()))
        };
        if self.errs(&ROOT_SEARCH, found.iter().any(is_lost)) {
            found.retain(|id| !is_lost(id));
        }
        let is_hidden =
            |id: &EntryId| self.tree.get(*id).is_some_and(|e| e.is_folder && e.name.starts_with('.'));
        // The wrong search goes into such a folder again each time it comes back to its parent.
        let endless = self.errs(&HIDDEN_SEARCH, self.show_hidden && found.iter().any(is_hidden));
        ctx.save("loading", if endless { "1" } else { "" });
        let numbers: Vec<String> = found.iter().map(|entry| entry.0.to_string()).collect();
        ctx.save("results", format!("={}", numbers.join(",")));
        ctx.hide_keyboard();
        ctx.scroll_to_top("listView");
    }
}

impl App for Files {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            READER => pages::reader(&self.tree, page),
            SETTINGS => pages::settings(self.show_hidden, self.confirm_delete),
            ABOUT => pages::about(),
            _ => browser::view(&self.tree, page, self.show_hidden),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            // The wrong page opens as it did first, whatever it had saved.
            Input::Opened { again: true }
                if ctx.page().activity() == MAIN
                    && self.errs(&TURN_FOLDER, !ctx.page().variable("folder").is_empty()) =>
            {
                ctx.save("folder", "");
            }
            _ => {}
        }
    }

    fn process_died(&mut self) {
        self.tree.build_index();
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        ctx.page().activity() == MAIN && browser::back(&self.tree, ctx)
    }
}
