//! A dictionary reader: looking words up, bookmarks, history, dictionaries to turn on and off.
//!
//! Modelled on Aard 2, the text size on Materialistic (both in "Property-Based Fuzzing").

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
    Throwable, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod lexicon;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.reader",
    label: "Dictionary",
    version_name: "0.54",
    version_code: 54,
    activities: &[MAIN, ARTICLE, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "MainActivity";
const ARTICLE: &str = "ArticleCollectionActivity";
const SETTINGS: &str = "SettingsActivity";
const ABOUT: &str = "AboutActivity";

const SYMBOLS: Defect = Defect {
    id: "reader.symbols",
    kind: DefectKind::WrongBehaviour,
    what: "symbols in what is looked up are ignored, so that C# finds C and C++ too",
    seed: "Property-Based Fuzzing: Aard 2, symbols in search text are ignored when searching",
};
const ROTATE_ZOOM: Defect = Defect {
    id: "reader.rotate-zoom",
    kind: DefectKind::Crash,
    what: "choosing a text size in a dialog that was open while the screen turned crashes the app",
    seed: "Property-Based Fuzzing: Materialistic, rotating the screen before selecting zoom in or zoom out causes a crash",
};
const BOOKMARK_SHIFTS: Defect = Defect {
    id: "reader.bookmark-shifts",
    kind: DefectKind::WrongBehaviour,
    what: "a bookmark opens another word once a dictionary was turned off",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, wrong behaviour: the wrong page is opened",
};
const UNDO_FILTERED: Defect = Defect {
    id: "reader.undo-filtered",
    kind: DefectKind::FunctionLost,
    what: "a bookmark removed from the filtered list and brought back does not open any more",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, a function is not executed any more",
};
const DEFECTS: &[Defect] = &[SYMBOLS, ROTATE_ZOOM, BOOKMARK_SHIFTS, UNDO_FILTERED];

const TRAPS: &[Trap] = &[
    Trap { id: "reader.random", what: "the same button opens another word each time" },
    Trap { id: "reader.history-order", what: "looking a word up again moves it to the top of the history" },
    Trap { id: "reader.dictionary-off", what: "a dictionary that is off takes its words out of the look-up" },
];

/// The dictionary reader, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Reader::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Reader {
    enabled: [bool; 2],
    bookmarks: Vec<Bookmark>,
    /// Words looked up, newest first.
    history: Vec<usize>,
    keeps_history: bool,
    /// Size of the text, 0 to 3.
    zoom: usize,
    /// How often a random word was asked for.
    draws: u64,
    /// What was removed last and its place, while it can be brought back.
    undo: Option<(usize, Bookmark)>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
struct Bookmark {
    word: usize,
    /// Where the word stood among those of the dictionaries that were on; only the wrong app asks.
    place: usize,
    /// Cleared by an undo that knows only what the list showed.
    linked: bool,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Tab(u64),
    Random,
    Open(usize),
    /// A place among the bookmarks.
    OpenBookmark(usize),
    Mark(usize),
    Unmark(usize),
    Undo,
    ToggleDictionary(usize),
    AskZoom,
    /// True for larger.
    Zoom(bool),
    ToggleHistory,
    ClearHistory,
    Settings,
    About,
}

impl Reader {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            enabled: [true, true],
            bookmarks: Vec::new(),
            history: Vec::new(),
            keeps_history: true,
            zoom: 1,
            draws: 0,
            undo: None,
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
            Action::Tab(tab) => {
                ctx.save("tab", tab);
                ctx.hide_keyboard();
            }
            Action::Random => self.random(ctx),
            Action::Open(word) => self.open(word, ctx),
            Action::OpenBookmark(at) => self.open_bookmark(at, ctx),
            Action::Mark(word) => {
                let place = lexicon::words(self.enabled).iter().position(|known| *known == word).unwrap_or(0);
                self.bookmarks.push(Bookmark { word, place, linked: true });
            }
            Action::Unmark(word) => self.unmark(word, ctx),
            Action::Undo => {
                if let Some((at, bookmark)) = undo {
                    self.bookmarks.insert(at.min(self.bookmarks.len()), bookmark);
                }
            }
            Action::ToggleDictionary(dictionary) => {
                if let Some(on) = self.enabled.get_mut(dictionary) {
                    *on = !*on;
                }
            }
            Action::AskZoom => {
                ctx.set("detached", "");
                ctx.save("zooming", 1);
                pages::ask_zoom(ctx);
            }
            Action::Zoom(larger) => {
                if self.errs(&ROTATE_ZOOM, !ctx.page().variable("detached").is_empty()) {
                    return ctx.crash(detached());
                }
                ctx.save("zooming", "");
                self.zoom = if larger { (self.zoom + 1).min(3) } else { self.zoom.saturating_sub(1) };
            }
            Action::ToggleHistory => self.keeps_history = !self.keeps_history,
            Action::ClearHistory => self.history.clear(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn open(&mut self, word: usize, ctx: &mut Ctx<'_, Action>) {
        if self.keeps_history {
            self.history.retain(|known| *known != word);
            self.history.insert(0, word);
        }
        ctx.start(ARTICLE, word);
    }

    fn open_bookmark(&mut self, at: usize, ctx: &mut Ctx<'_, Action>) {
        let Some(bookmark) = self.bookmarks.get(at).copied().filter(|bookmark| bookmark.linked) else {
            return;
        };
        let by_place = || {
            let words = lexicon::words(self.enabled);
            words.get(bookmark.place).or(words.last()).copied().unwrap_or(bookmark.word)
        };
        let word = self.defects.either(&BOOKMARK_SHIFTS, bookmark.word, by_place);
        self.open(word, ctx);
    }

    fn unmark(&mut self, word: usize, ctx: &Ctx<'_, Action>) {
        let Some(at) = self.bookmarks.iter().position(|bookmark| bookmark.word == word) else { return };
        let mut bookmark = self.bookmarks.remove(at);
        if ctx.page().activity() == MAIN {
            // The wrong undo keeps the row of the filtered list, which has no link to the word.
            let filtered = !ctx.page().field(pages::FILTER).trim().is_empty();
            bookmark.linked &= !self.errs(&UNDO_FILTERED, filtered && bookmark.linked);
            self.undo = Some((at, bookmark));
        }
    }

    /// A different word each time, chosen by the phone's chance or, on a steady one, in turn.
    fn random(&mut self, ctx: &mut Ctx<'_, Action>) {
        let words = lexicon::words(self.enabled);
        self.draws += 1;
        let drawn = ctx.env().volatile(0x77).unwrap_or(0) % 12 + self.draws * 5;
        let at = usize::try_from(drawn).unwrap_or(0) % words.len().max(1);
        match words.get(at) {
            Some(word) => self.open(*word, ctx),
            None => ctx.toast("Turn a dictionary on first"),
        }
    }
}

fn detached() -> Throwable {
    Throwable {
        class: "java.lang.IllegalStateException",
        message: "Fragment PopupSettingsFragment not attached to Activity".into(),
        frames: vec![
            "org.droidmux.reader.PopupSettingsFragment.onZoom(PopupSettingsFragment.java:84)",
            "org.droidmux.reader.ArticleCollectionActivity.onZoom(ArticleCollectionActivity.java:203)",
        ],
    }
}

impl App for Reader {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            ARTICLE => pages::article(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::main(self, page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: true } if !ctx.page().variable("zooming").is_empty() => {
                ctx.set("detached", 1);
            }
            _ => {}
        }
    }

    fn on_back(&mut self, _ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        false
    }

    fn process_died(&mut self) {
        self.undo = None;
    }
}
