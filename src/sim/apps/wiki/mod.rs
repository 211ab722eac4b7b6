//! An encyclopedia to read, with lists of favourites.
//!
//! Modelled on Wikipedia ("Property-Based Fuzzing").

use library::{Library, ListId};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod library;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.wiki",
    label: "Wiki",
    version_name: "2.7.50",
    version_code: 50_394,
    activities: &[MAIN, ARTICLE, LIST, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "main.MainActivity";
const ARTICLE: &str = "page.PageActivity";
const LIST: &str = "readinglist.ReadingListActivity";
const SETTINGS: &str = "settings.SettingsActivity";
const ABOUT: &str = "settings.AboutActivity";

const FAVOURITE_NEW_NAME: Defect = Defect {
    id: "wiki.favourite-new-name",
    kind: DefectKind::UpdateDelay,
    what: "a renamed list of favourites is not found by its new name until the app starts again",
    seed: "Property-Based Fuzzing: Wikipedia, favourites cannot be searched by the new name after renaming",
};
const REMOVED_OPENS: Defect = Defect {
    id: "wiki.removed-opens",
    kind: DefectKind::WrongBehaviour,
    what: "after an item of the history is removed, the item below it opens the removed one",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, wrong behaviour: a page that was already deleted is opened",
};
const LANGUAGE_UNSAVES: Defect = Defect {
    id: "wiki.language-unsaves",
    kind: DefectKind::InconsistentState,
    what: "a saved article shows as not saved once the language was changed, though its list has it",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, inconsistent GUI state",
};
const OFFLINE_QUERY: Defect = Defect {
    id: "wiki.offline-query",
    kind: DefectKind::DataLoss,
    what: "the text of the search is gone when the network goes and comes back",
    seed: "Understanding and Finding System Setting-Related Defects in Android Apps: what was typed is lost when the network is switched off",
};
const DEFECTS: &[Defect] = &[FAVOURITE_NEW_NAME, REMOVED_OPENS, LANGUAGE_UNSAVES, OFFLINE_QUERY];

const TRAPS: &[Trap] = &[
    Trap { id: "wiki.random-article", what: "a refresh replaces the random article" },
    Trap {
        id: "wiki.recent-searches",
        what: "three searches are remembered: a fourth pushes the oldest out",
    },
    Trap { id: "wiki.menu-turn", what: "the menu of a list closes when the screen is turned, as popups do" },
];

/// The encyclopedia, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Wiki::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Wiki {
    library: Library,
    german: bool,
    keeps_history: bool,
    /// How often the start page was refreshed.
    refreshes: usize,
    /// The history as its rows were last bound; only the wrong app opens from it.
    bound: Vec<usize>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Tab(u64),
    Refresh,
    Open(usize),
    OpenList(ListId),
    ListMenu(ListId),
    AskNew,
    NewList,
    AskRename(ListId),
    Rename(ListId),
    DeleteList(ListId),
    AskSave(usize),
    Save {
        article: usize,
        list: ListId,
    },
    Unsave(usize),
    Search,
    SearchAgain(usize),
    /// A place in the history.
    OpenRead(usize),
    RemoveRead(usize),
    ClearHistory,
    AskLanguage,
    Language {
        german: bool,
    },
    ToggleHistory,
    Settings,
    About,
}

impl Wiki {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            library: Library::new(),
            german: false,
            keeps_history: true,
            refreshes: 0,
            bound: Vec::new(),
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    /// Whether the page of an article shows it as saved.
    fn shows_saved(&self, article: usize) -> bool {
        let by_title = || self.library.is_saved_as(library::title(article, self.german));
        self.defects.either(&LANGUAGE_UNSAVES, self.library.is_saved(article), by_title)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Tab(tab) => {
                ctx.save("tab", tab);
                ctx.hide_keyboard();
                self.bound.clone_from(&self.library.read);
            }
            Action::Refresh => self.refreshes = (self.refreshes + 1) % library::ARTICLES.len(),
            Action::Open(article) => self.open(article, ctx),
            Action::OpenList(list) => ctx.start(LIST, list.0),
            Action::ListMenu(list) => pages::list_menu(list, ctx),
            Action::AskNew => pages::ask_name("New list", "", Action::NewList, ctx),
            Action::NewList => {
                if let Some(name) = name(ctx) {
                    self.library.add(&name);
                }
            }
            Action::AskRename(list) => {
                let name = self.library.get(list).map_or("", |list| &list.name);
                pages::ask_name("Rename list", name, Action::Rename(list), ctx);
            }
            Action::Rename(list) => self.rename(list, ctx),
            Action::DeleteList(list) => self.library.delete(list),
            Action::AskSave(article) => pages::ask_save(self, article, ctx),
            Action::Save { article, list } => {
                self.library.save(list, article, library::title(article, self.german));
            }
            Action::Unsave(article) => self.library.unsave(article),
            Action::Search => {
                let query = ctx.field(pages::QUERY).trim().to_owned();
                if !query.is_empty() {
                    self.library.note_search(&query);
                }
            }
            Action::SearchAgain(at) => {
                let query = self.library.recent.get(at).cloned().unwrap_or_default();
                ctx.set_field(pages::QUERY, query);
            }
            Action::OpenRead(at) => {
                let right = self.library.read.get(at).copied();
                let opened = self.defects.either(&REMOVED_OPENS, right, || self.bound.get(at).copied());
                if let Some(article) = opened {
                    self.open(article, ctx);
                }
            }
            Action::RemoveRead(at) => {
                if at < self.library.read.len() {
                    self.library.read.remove(at);
                }
            }
            Action::ClearHistory => self.library.read.clear(),
            Action::AskLanguage => pages::ask_language(ctx),
            Action::Language { german } => self.german = german,
            Action::ToggleHistory => self.keeps_history = !self.keeps_history,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn open(&mut self, article: usize, ctx: &mut Ctx<'_, Action>) {
        if self.keeps_history {
            self.library.note_read(article);
        }
        ctx.start(ARTICLE, article);
    }

    fn rename(&mut self, list: ListId, ctx: &mut Ctx<'_, Action>) {
        let Some(name) = name(ctx) else { return };
        self.library.rename(list, &name);
        if !self.errs(&FAVOURITE_NEW_NAME, self.library.is_index_stale()) {
            self.library.build_index();
        }
    }
}

/// The name given in a dialog.
fn name(ctx: &mut Ctx<'_, Action>) -> Option<String> {
    let name = ctx.field(pages::NAME).trim().to_owned();
    if name.is_empty() {
        ctx.toast("A list needs a name");
        return None;
    }
    Some(name)
}

impl App for Wiki {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            ARTICLE => pages::article(self, page),
            LIST => pages::list(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::main(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Network
                if !ctx.env().is_online()
                    && self.errs(&OFFLINE_QUERY, !ctx.page().field(pages::QUERY).is_empty()) =>
            {
                // The page that says so takes the place of the field.
                ctx.set_field(pages::QUERY, "");
            }
            Input::Returned => self.bound.clone_from(&self.library.read),
            _ => {}
        }
    }

    fn process_died(&mut self) {
        self.library.build_index();
    }
}
