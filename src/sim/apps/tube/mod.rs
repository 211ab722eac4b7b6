//! Videos: featured ones, bookmarks, channels that can be blocked.
//!
//! Modelled on SkyTube ("Fully Automated Functional Fuzzing" and "Property-Based Fuzzing"), the blocking
//! also on TikTok ("Property-Based Fuzzing").

use catalogue::{Catalogue, VIDEOS};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod catalogue;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.tube",
    label: "Tube",
    version_name: "2.984",
    version_code: 44,
    activities: &[MAIN, PLAYER, BROWSER, CHANNEL, BLOCKED, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "gui.activities.MainActivity";
const PLAYER: &str = "gui.activities.VideoPlayerActivity";
const BROWSER: &str = "gui.activities.BrowserActivity";
const CHANNEL: &str = "gui.activities.ChannelActivity";
const BLOCKED: &str = "gui.activities.BlockedChannelsActivity";
const SETTINGS: &str = "gui.activities.PreferencesActivity";
const ABOUT: &str = "gui.activities.AboutActivity";

const PLAY_AFTER_BROWSER: Defect = Defect {
    id: "tube.play-after-browser",
    kind: DefectKind::FunctionLost,
    what: "the play button does nothing once the video was viewed in the browser",
    seed: "Fully Automated Functional Fuzzing: SkyTube, playing and pausing is impossible after returning from the browser",
};
const BLOCK_REFRESH: Defect = Defect {
    id: "tube.block-refresh",
    kind: DefectKind::EndlessLoading,
    what: "refreshing the list while a channel is blocked never ends",
    seed: "Property-Based Fuzzing: SkyTube, refreshing the video list after blocking a channel loads without end",
};
const CLEAR_BLOCKED: Defect = Defect {
    id: "tube.clear-blocked",
    kind: DefectKind::WrongBehaviour,
    what: "clearing the list of blocked channels leaves every other one",
    seed: "Property-Based Fuzzing: SkyTube, clearing the blocked channel list is unreliable",
};
const BLOCKED_RECOMMENDED: Defect = Defect {
    id: "tube.blocked-recommended",
    kind: DefectKind::WrongBehaviour,
    what: "videos of blocked channels are still recommended below another video",
    seed: "Property-Based Fuzzing: TikTok, videos of blocked users are still on the recommendation page",
};
const UNBLOCK_STALE: Defect = Defect {
    id: "tube.unblock-stale",
    kind: DefectKind::UpdateDelay,
    what: "a channel unblocked in the list is still blocked on its own page",
    seed: "Property-Based Fuzzing: TikTok, the status is not updated in time after unblocking the user",
};
const DEFECTS: &[Defect] =
    &[PLAY_AFTER_BROWSER, BLOCK_REFRESH, CLEAR_BLOCKED, BLOCKED_RECOMMENDED, UNBLOCK_STALE];

const TRAPS: &[Trap] = &[
    Trap { id: "tube.views", what: "the numbers of views are others after every launch" },
    Trap { id: "tube.refresh", what: "a refresh puts another video on top of the featured ones" },
    Trap { id: "tube.block-hides", what: "blocking a channel takes its videos off the list" },
    Trap { id: "tube.tabs", what: "featured videos and bookmarks are different lists on one activity" },
];

/// The video app, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Tube::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Tube {
    catalogue: Catalogue,
    autoplay: bool,
    loading: bool,
    /// How often the list was refreshed.
    refreshes: usize,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Tab(&'static str),
    Refresh,
    Open(usize),
    Menu(usize),
    Bookmark(usize),
    PlayPause,
    Browse(usize),
    Channel(usize),
    Block(usize),
    Unblock(usize),
    Blocked,
    ClearBlocked,
    ToggleAutoplay,
    Settings,
    About,
}

impl Tube {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            catalogue: Catalogue::default(),
            autoplay: true,
            loading: false,
            refreshes: 0,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    /// What the list shows: a different video first after every refresh and, unless all is steady,
    /// every launch.
    fn featured(&self, env: &Env) -> Vec<usize> {
        let drawn = usize::try_from(env.volatile(1).unwrap_or(0) % 8).unwrap_or(0);
        let start = drawn + self.refreshes * 3;
        self.catalogue.visible((0..VIDEOS.len()).map(|n| (start + n) % VIDEOS.len()))
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Tab(tab) => {
                ctx.save("tab", tab);
                ctx.scroll_to_top("gridView");
            }
            Action::Refresh => self.refresh(ctx),
            Action::Open(video) => ctx.start(PLAYER, video),
            Action::Menu(video) => pages::menu(self, video, ctx),
            Action::Bookmark(video) => self.catalogue.toggle_bookmark(video),
            Action::PlayPause => self.play_pause(ctx),
            Action::Browse(video) => {
                ctx.save("playing", "");
                ctx.save("browsed", 1);
                ctx.start(BROWSER, video);
            }
            Action::Channel(channel) => ctx.start(CHANNEL, channel),
            Action::Block(channel) => {
                self.catalogue.block(channel);
                if ctx.page().activity() == CHANNEL {
                    self.catalogue.tell(channel);
                }
            }
            Action::Unblock(channel) => {
                self.catalogue.unblock(channel);
                if ctx.page().activity() == CHANNEL {
                    self.catalogue.tell(channel);
                }
            }
            Action::Blocked => ctx.start(BLOCKED, ""),
            Action::ClearBlocked if self.errs(&CLEAR_BLOCKED, self.catalogue.blocked().len() > 1) => {
                self.catalogue.clear_counting_up();
            }
            Action::ClearBlocked => self.catalogue.clear_blocked(),
            Action::ToggleAutoplay => self.autoplay = !self.autoplay,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn refresh(&mut self, ctx: &mut Ctx<'_, Action>) {
        self.refreshes = (self.refreshes + 1) % VIDEOS.len();
        let page_is_full = self.catalogue.visible(0..VIDEOS.len()).len() == VIDEOS.len();
        // The wrong loader asks for more until a page is full, which blocking keeps from coming.
        self.loading = self.errs(&BLOCK_REFRESH, !page_is_full);
        ctx.scroll_to_top("gridView");
    }

    fn play_pause(&self, ctx: &mut Ctx<'_, Action>) {
        if self.errs(&PLAY_AFTER_BROWSER, !ctx.page().variable("browsed").is_empty()) {
            return; // The player that listens was released when the browser came up.
        }
        let playing = !ctx.page().variable("playing").is_empty();
        ctx.save("playing", if playing { "" } else { "1" });
    }
}

impl App for Tube {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            PLAYER => pages::player(self, page, env),
            BROWSER => pages::browser(page),
            CHANNEL => pages::channel(self, page, env),
            BLOCKED => pages::blocked(self),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::main(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } if ctx.page().activity() == PLAYER && self.autoplay => {
                ctx.save("playing", 1);
            }
            _ => {}
        }
    }

    fn process_died(&mut self) {
        self.loading = false;
        self.catalogue.forget_told();
    }
}
