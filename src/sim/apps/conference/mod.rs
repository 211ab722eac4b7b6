//! The schedule of a conference, with bookmarks.
//!
//! Modelled on Fosdem ("Fully Automated Functional Fuzzing").

use std::collections::BTreeMap;

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod pages;
mod programme;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.conference",
    label: "Schedule",
    version_name: "1.6.2",
    version_code: 1_600_162,
    activities: &[MAIN, EVENT, BOOKMARKS, LIVE, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "activities.MainActivity";
const EVENT: &str = "activities.EventDetailsActivity";
const BOOKMARKS: &str = "activities.BookmarksActivity";
const LIVE: &str = "activities.LiveActivity";
const SETTINGS: &str = "activities.SettingsActivity";
const ABOUT: &str = "activities.AboutActivity";

const DRAWER_LOST: Defect = Defect {
    id: "conference.drawer-lost",
    kind: DefectKind::WrongDisplay,
    what: "the button of the drawer is gone after two taps on search",
    seed: "Fully Automated Functional Fuzzing: Fosdem, the button at the left of the menu vanishes after two taps on search events",
};
const SEARCH_BOOKMARK: Defect = Defect {
    id: "conference.search-bookmark",
    kind: DefectKind::WrongBehaviour,
    what: "the star of a search result bookmarks the event at that place of the whole schedule",
    seed: "Fully Automated Functional Fuzzing: kinds of bugs, wrong behaviour, as ActivityDiary deletes another picture than the chosen one",
};
const ZONE_STALE: Defect = Defect {
    id: "conference.zone-stale",
    kind: DefectKind::UpdateDelay,
    what: "the page of an event that was seen before keeps its times after another time zone was set",
    seed: "Property-Based Fuzzing: AnyMemo, what was changed is not updated in time",
};
const UNDO_OTHER: Defect = Defect {
    id: "conference.undo-other",
    kind: DefectKind::WrongBehaviour,
    what: "undo brings the bookmark back that was removed first, not the one removed last",
    seed: "Property-Based Fuzzing: ActivityDiary, a deleted activity is not recovered correctly",
};
const RETURN_DOUBLES: Defect = Defect {
    id: "conference.return-doubles",
    kind: DefectKind::InconsistentState,
    what: "the last bookmark is there twice after the app was left and opened again",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: an item is doubled after a return to the app",
};
const DEFECTS: &[Defect] = &[DRAWER_LOST, SEARCH_BOOKMARK, ZONE_STALE, UNDO_OTHER, RETURN_DOUBLES];

const TRAPS: &[Trap] = &[
    Trap { id: "conference.sponsor", what: "the banner names another sponsor after every launch" },
    Trap { id: "conference.live", what: "the time and the minutes until an event move on by themselves" },
    Trap {
        id: "conference.undo-left",
        what: "the offer to undo a removal goes when the app leaves the screen",
    },
];

/// The schedule, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Conference::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Conference {
    /// Events in the order they were marked.
    bookmarks: Vec<usize>,
    local: bool,
    notify: bool,
    /// Place and event of the bookmark that can be brought back.
    undo: Option<(usize, usize)>,
    /// The bookmark removed first since the page was opened; only the wrong app asks for it.
    removed_first: Option<(usize, usize)>,
    /// Times of the events whose pages were open; only the wrong app asks for them.
    seen: BTreeMap<usize, String>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Schedule,
    Day(usize),
    Search,
    Open(usize),
    /// Marks an event or takes the mark away; `at` is its place in the list.
    Mark {
        event: usize,
        at: usize,
    },
    Undo,
    RemoveAll,
    Bookmarks,
    Live,
    ToggleLocal,
    ToggleNotify,
    Settings,
    About,
}

impl Conference {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            bookmarks: Vec::new(),
            local: false,
            notify: true,
            undo: None,
            removed_first: None,
            seen: BTreeMap::new(),
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    /// The times on the page of an event.
    fn details(&self, event: usize) -> String {
        let right = programme::time_text(event, self.local);
        let seen = self.seen.get(&event).filter(|seen| self.errs(&ZONE_STALE, **seen != right));
        seen.cloned().unwrap_or(right)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Schedule => {}
            Action::Day(day) => {
                ctx.save("day", day);
                ctx.scroll_to_top("recycler_view");
            }
            Action::Search => self.search(ctx),
            Action::Open(event) => {
                self.seen.entry(event).or_insert_with(|| programme::time_text(event, self.local));
                ctx.start(EVENT, event);
            }
            Action::Mark { event, at } => {
                let searching = !ctx.page().variable("searching").is_empty();
                let by_place = self.errs(&SEARCH_BOOKMARK, searching && at != event);
                self.mark(if by_place { at } else { event }, ctx);
            }
            Action::Undo => self.bring_back(undo),
            Action::RemoveAll => self.bookmarks.clear(),
            Action::Bookmarks => ctx.start(BOOKMARKS, ""),
            Action::Live => ctx.start(LIVE, ""),
            Action::ToggleLocal => self.local = !self.local,
            Action::ToggleNotify => self.notify = !self.notify,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    /// Opens the search field, or closes it.
    fn search(&self, ctx: &mut Ctx<'_, Action>) {
        if ctx.page().variable("searching").is_empty() {
            ctx.save("searching", 1);
            ctx.focus(pages::QUERY);
            return;
        }
        close_search(ctx);
        if self.errs(&DRAWER_LOST, ctx.page().variable("bare").is_empty()) {
            // The field took the drawer's button away and nothing but BACK gives it back.
            ctx.save("bare", 1);
        }
    }

    fn mark(&mut self, event: usize, ctx: &Ctx<'_, Action>) {
        match self.bookmarks.iter().position(|marked| *marked == event) {
            Some(at) => {
                self.bookmarks.remove(at);
                if ctx.page().activity() == BOOKMARKS {
                    self.undo = Some((at, event));
                    self.removed_first.get_or_insert((at, event));
                }
            }
            None => self.bookmarks.push(event),
        }
    }

    fn bring_back(&mut self, undo: Option<(usize, usize)>) {
        let wrong = self.removed_first.filter(|first| self.errs(&UNDO_OTHER, Some(*first) != undo));
        if let Some((at, event)) = wrong.or(undo)
            && !self.bookmarks.contains(&event)
        {
            self.bookmarks.insert(at.min(self.bookmarks.len()), event);
        }
    }
}

fn close_search(ctx: &mut Ctx<'_, Action>) {
    ctx.save("searching", "");
    ctx.set_field(pages::QUERY, "");
    ctx.hide_keyboard();
}

impl App for Conference {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            EVENT => pages::event(self, page),
            BOOKMARKS => pages::bookmarks(self),
            LIVE => pages::live(self, env.now()),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::schedule(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Hidden => self.undo = None,
            Input::Shown
                if ctx.page().activity() == BOOKMARKS
                    && self.errs(&RETURN_DOUBLES, !self.bookmarks.is_empty()) =>
            {
                // What came last is asked for again and added to what is there.
                self.bookmarks.extend(self.bookmarks.last().copied());
            }
            Input::Opened { again: false } if ctx.page().activity() == BOOKMARKS => self.removed_first = None,
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        let searching = ctx.page().activity() == MAIN && !ctx.page().variable("searching").is_empty();
        if searching {
            close_search(ctx);
            ctx.save("bare", "");
        }
        searching
    }

    fn process_died(&mut self) {
        self.undo = None;
        self.seen.clear();
    }
}
