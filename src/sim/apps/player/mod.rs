//! Podcasts: a queue, an inbox, downloads, a player.
//!
//! Modelled on AntennaPod, an app subject of "Fully Automated Functional Fuzzing" and "Property-Based
//! Fuzzing" without a bug in their tables, so its defects are of the kinds those tables have.

use podcasts::{Podcasts, Queued};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Dialog, Env, Input, Manifest, Screen,
    SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod pages;
mod podcasts;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.player",
    label: "Podcasts",
    version_name: "2.7.1",
    version_code: 2_070_195,
    activities: &[MAIN, AUDIO, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "activity.MainActivity";
const AUDIO: &str = "activity.AudioPlayerActivity";
const SETTINGS: &str = "activity.PreferenceActivity";
const ABOUT: &str = "activity.AboutActivity";

const UNDO_PLACE: Defect = Defect {
    id: "player.undo-place",
    kind: DefectKind::WrongBehaviour,
    what: "undoing a removal from a sorted queue puts the episode where it was before the sorting",
    seed: "Property-Based Fuzzing: subject AntennaPod; ActivityDiary, a deleted activity is not recovered correctly",
};
const SKIP_DELETED: Defect = Defect {
    id: "player.skip-deleted",
    kind: DefectKind::EndlessLoading,
    what: "skipping to an episode whose download was deleted prepares it for ever",
    seed: "Property-Based Fuzzing: subject AntennaPod; SkyTube, refreshing after blocking causes infinite loading",
};
const SPEED_OTHER: Defect = Defect {
    id: "player.speed-other",
    kind: DefectKind::InconsistentState,
    what: "the player shows the speed set last for another episode, not the one of this episode",
    seed: "Property-Based Fuzzing: subject AntennaPod; Fully Automated Functional Fuzzing: kinds of bugs, inconsistent GUI state",
};
const INBOX_LEFT: Defect = Defect {
    id: "player.inbox-left",
    kind: DefectKind::InconsistentState,
    what: "a new episode that is queued and played from the queue stays new in the inbox",
    seed: "Property-Based Fuzzing: subject AntennaPod; Fully Automated Functional Fuzzing: kinds of bugs, inconsistent GUI state",
};
const DEFECTS: &[Defect] = &[UNDO_PLACE, SKIP_DELETED, SPEED_OTHER, INBOX_LEFT];

const TRAPS: &[Trap] = &[
    Trap { id: "player.leaves-queue", what: "marking an episode as played takes it out of the queue" },
    Trap { id: "player.inbox-badge", what: "the number of new episodes goes down when one is played" },
    Trap {
        id: "player.hide-played",
        what: "with played episodes hidden, one marked as played leaves the list",
    },
    Trap {
        id: "player.menu-turn",
        what: "the menu of an episode closes when the screen is turned, as popups do",
    },
];

/// The podcast player, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Player::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Player {
    podcasts: Podcasts,
    /// What the player plays, also while paused.
    now: Option<usize>,
    loading: bool,
    hide_played: bool,
    leaves_queue: bool,
    /// What was removed from the queue last and its place, while it can be brought back.
    undo: Option<(usize, Queued)>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Section(usize),
    Play(usize),
    PlayPause,
    Skip,
    AskSpeed,
    /// A place in the table of speeds.
    Speed(usize),
    Menu {
        episode: usize,
        section: usize,
    },
    Enqueue(usize),
    Dequeue(usize),
    Undo,
    AskSort,
    Sort {
        by_length: bool,
    },
    Download(usize),
    DeleteDownload(usize),
    MarkPlayed(usize),
    LeaveInbox(usize),
    ToggleHide,
    ToggleLeave,
    Settings,
    About,
}

impl Player {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            podcasts: Podcasts::new(),
            now: None,
            loading: false,
            hide_played: false,
            leaves_queue: true,
            undo: None,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    /// Which picture the playing feed has.
    fn cover(&self) -> u8 {
        let feed = self.now.and_then(|episode| podcasts::EPISODES.get(episode)).map_or(0, |e| e.1);
        u8::from(feed > 0)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Section(section) => {
                ctx.save("section", section);
                ctx.scroll_to_top("recyclerView");
            }
            Action::Play(episode) => {
                self.play(episode);
                ctx.start(AUDIO, "");
            }
            Action::PlayPause => {
                let paused = ctx.page().variable("paused").is_empty();
                ctx.save("paused", if paused { "1" } else { "" });
            }
            Action::Skip => self.skip(ctx),
            Action::AskSpeed => pages::ask_speed(ctx),
            Action::Speed(speed) => {
                if let Some(episode) = self.now {
                    self.podcasts.set_speed(episode, speed);
                }
            }
            Action::Menu { episode, section } => pages::menu(self, episode, section, ctx),
            Action::Enqueue(episode) => self.podcasts.enqueue(episode),
            Action::Dequeue(episode) => self.undo = self.podcasts.dequeue(episode),
            Action::Undo => match undo {
                Some((at, queued)) if self.errs(&UNDO_PLACE, self.podcasts.moves_by_row(at, &queued)) => {
                    self.podcasts.requeue_by_row(queued);
                }
                Some((at, queued)) => self.podcasts.requeue(at, queued),
                None => {}
            },
            Action::AskSort => {
                let dialog = Dialog::new("Sort the queue")
                    .choice("Title", Action::Sort { by_length: false })
                    .choice("Length", Action::Sort { by_length: true });
                ctx.show(dialog.negative("Cancel"));
            }
            Action::Sort { by_length } => self.podcasts.sort_queue(by_length),
            Action::Download(episode) => {
                self.podcasts.downloaded.insert(episode);
            }
            Action::DeleteDownload(episode) => {
                self.podcasts.downloaded.remove(&episode);
            }
            Action::MarkPlayed(episode) => self.mark_played(episode),
            Action::LeaveInbox(episode) => {
                self.podcasts.inbox.remove(&episode);
            }
            Action::ToggleHide => self.hide_played = !self.hide_played,
            Action::ToggleLeave => self.leaves_queue = !self.leaves_queue,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn play(&mut self, episode: usize) {
        self.now = Some(episode);
        self.loading = false;
        // The wrong app takes an episode out of the inbox only when it was played from there.
        let left = self.podcasts.is_queued(episode) && self.podcasts.inbox.contains(&episode);
        if !self.errs(&INBOX_LEFT, left) {
            self.podcasts.inbox.remove(&episode);
        }
    }

    fn skip(&mut self, ctx: &mut Ctx<'_, Action>) {
        let Some(next) = self.now.and_then(|episode| self.podcasts.after(episode)) else {
            return ctx.toast("Nothing follows in the queue");
        };
        self.play(next);
        ctx.save("paused", "");
        // The wrong player waits for the file; only the lists know that it can be streamed.
        self.loading = self.errs(&SKIP_DELETED, !self.podcasts.downloaded.contains(&next));
    }

    fn mark_played(&mut self, episode: usize) {
        self.podcasts.played.insert(episode);
        self.podcasts.inbox.remove(&episode);
        if self.leaves_queue {
            self.podcasts.dequeue(episode);
        }
    }
}

impl App for Player {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            AUDIO => pages::audio(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::main(self, page),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        if let Input::Act(action) = input {
            self.act(action, ctx);
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        let elsewhere = ctx.page().activity() == MAIN && ctx.page().number("section") != 0;
        if elsewhere {
            ctx.save("section", 0);
        }
        elsewhere
    }

    fn process_died(&mut self) {
        // What was played last is kept.
        (self.loading, self.undo) = (false, None);
    }
}
