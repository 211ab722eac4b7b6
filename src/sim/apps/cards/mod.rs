//! Flash cards in decks: write them, study them.
//!
//! Modelled on AnyMemo and AnkiDroid ("Property-Based Fuzzing").

use deck::{Card, CardId};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp,
    Throwable, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod deck;
mod editor;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.cards",
    label: "Cards",
    version_name: "2.15.6",
    version_code: 21_506_300,
    activities: &[DECKS, BROWSER, EDITOR, REVIEWER, SETTINGS, ABOUT],
    permissions: &[],
};

const DECKS: &str = "DeckPicker";
const BROWSER: &str = "CardBrowser";
const EDITOR: &str = "NoteEditor";
const REVIEWER: &str = "Reviewer";
const SETTINGS: &str = "Preferences";
const ABOUT: &str = "Info";

const RESET_DELETES: Defect = Defect {
    id: "cards.reset-deletes",
    kind: DefectKind::DataLoss,
    what: "resetting all preferences deletes the cards the user added",
    seed: "Property-Based Fuzzing: AnyMemo, the reset all preferences option deletes the added cards",
};
const STALE_LIST: Defect = Defect {
    id: "cards.stale-list",
    kind: DefectKind::UpdateDelay,
    what: "the list of cards shows an edited card as it was until the list is opened anew",
    seed: "Property-Based Fuzzing: AnyMemo, the card list is not updated in time after editing any card",
};
const CLOZE_EDIT: Defect = Defect {
    id: "cards.cloze-edit",
    kind: DefectKind::FunctionLost,
    what: "a card whose type was changed to cloze has no fields to edit any more",
    seed: "Property-Based Fuzzing: AnkiDroid, cards cannot be edited when their type is changed to cloze",
};
const EMPTY_TEMPLATE: Defect = Defect {
    id: "cards.empty-template",
    kind: DefectKind::WrongDisplay,
    what: "a card of type cloze without a gap is empty when it is studied",
    seed: "Property-Based Fuzzing: AnkiDroid, cards that use the wrong card template show up empty",
};
const EMPTY_VIDEO: Defect = Defect {
    id: "cards.empty-video",
    kind: DefectKind::Crash,
    what: "saving a card with a video that was not recorded crashes the app",
    seed: "Property-Based Fuzzing: AnkiDroid, saving an empty video in a card causes a crash",
};
const TURN_FIELDS: Defect = Defect {
    id: "cards.turn-fields",
    kind: DefectKind::DataLoss,
    what: "what was typed into a card is gone when the screen is turned before it is saved",
    seed: "Systematic Execution of Android Test Suites in Adverse Conditions: text typed is lost when the screen is turned",
};
const DEFECTS: &[Defect] = &[RESET_DELETES, STALE_LIST, CLOZE_EDIT, EMPTY_TEMPLATE, EMPTY_VIDEO, TURN_FIELDS];

const TRAPS: &[Trap] = &[
    Trap { id: "cards.due-badge", what: "the number beside a deck goes down with every good answer" },
    Trap { id: "cards.shuffle", what: "with shuffling on, a deck is asked in another order every time" },
    Trap {
        id: "cards.menu-turn",
        what: "a list to choose from closes when the screen is turned, as popups do",
    },
];

/// The flash cards, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Cards::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Cards {
    cards: deck::Cards,
    /// What is still to be asked of the deck being studied.
    queue: Vec<CardId>,
    /// The cards as they were when the browser was opened; only the wrong app shows them.
    listed: Vec<Card>,
    shuffle: bool,
    remaining: bool,
    /// How often a deck was studied.
    rounds: u64,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Stay,
    Study(usize),
    Answer,
    Again,
    Good,
    Browse,
    New,
    Edit(CardId),
    AskKind,
    Kind(usize),
    AskDeck,
    Deck(usize),
    AddVideo,
    Record,
    RemoveVideo,
    Save,
    AskDelete(CardId),
    Delete(CardId),
    ToggleShuffle,
    ToggleRemaining,
    AskReset,
    Reset,
    Settings,
    About,
}

impl Cards {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            cards: deck::Cards::new(),
            queue: Vec::new(),
            listed: Vec::new(),
            shuffle: false,
            remaining: true,
            rounds: 0,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        match action {
            Action::Stay => {}
            Action::Study(deck) => self.study(deck, ctx),
            Action::Answer => ctx.save("answered", 1),
            Action::Again => self.answered(false, ctx),
            Action::Good => self.answered(true, ctx),
            Action::Browse => ctx.start(BROWSER, ""),
            Action::New => ctx.start(EDITOR, ""),
            Action::Edit(card) => ctx.start(EDITOR, card.0),
            Action::AskKind => editor::ask_kind(ctx),
            Action::Kind(kind) => ctx.save("kind", kind),
            Action::AskDeck => editor::ask_deck(ctx),
            Action::Deck(deck) => ctx.save("deck", deck),
            Action::AddVideo => ctx.save("video", "empty"),
            Action::Record => ctx.save("video", 4),
            Action::RemoveVideo => ctx.save("video", "none"),
            Action::Save => self.save(ctx),
            Action::AskDelete(card) => pages::ask_delete(card, ctx),
            Action::Delete(card) => {
                self.cards.delete(card);
                self.queue.retain(|queued| *queued != card);
                if ctx.page().activity() == EDITOR {
                    ctx.finish();
                }
            }
            Action::ToggleShuffle => self.shuffle = !self.shuffle,
            Action::ToggleRemaining => self.remaining = !self.remaining,
            Action::AskReset => pages::ask_reset(ctx),
            Action::Reset => self.reset(),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn study(&mut self, deck: usize, ctx: &mut Ctx<'_, Action>) {
        self.queue = self.cards.due(deck);
        if self.shuffle && !self.queue.is_empty() {
            self.rounds += 1;
            let drawn = ctx.env().volatile(self.rounds).unwrap_or(self.rounds);
            let turn = usize::try_from(drawn % 64).unwrap_or(0) % self.queue.len();
            self.queue.rotate_left(turn);
        }
        ctx.start(REVIEWER, deck);
    }

    fn answered(&mut self, well: bool, ctx: &mut Ctx<'_, Action>) {
        ctx.save("answered", "");
        if self.queue.is_empty() {
            return;
        }
        let card = self.queue.remove(0);
        if well {
            self.cards.answer_well(card);
        } else {
            self.queue.push(card);
        }
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let known = ctx.page().argument_number().map(CardId).filter(|id| self.cards.get(*id).is_some());
        if self.errs(&EMPTY_VIDEO, editor::has_empty_video(ctx.page())) {
            return ctx.crash(no_video());
        }
        let id = known.unwrap_or_else(|| self.cards.new_id());
        match editor::read(self, id, ctx.page()) {
            Some(card) => {
                self.cards.put(card);
                ctx.finish();
            }
            None => ctx.toast("The front is empty"),
        }
    }

    fn reset(&mut self) {
        self.shuffle = false;
        self.remaining = true;
        if self.errs(&RESET_DELETES, self.cards.all().iter().any(|card| !card.shipped)) {
            // Preferences and own cards share a database, which is recreated.
            self.cards.keep_shipped();
        }
    }
}

fn no_video() -> Throwable {
    Throwable {
        class: "java.lang.NullPointerException",
        message: "Attempt to invoke virtual method 'java.lang.String java.io.File.getName()' on a null object reference".into(),
        frames: vec![
            "org.droidmux.cards.multimedia.VideoField.getFormattedValue(VideoField.java:58)",
            "org.droidmux.cards.NoteEditor.saveNote(NoteEditor.java:921)",
        ],
    }
}

impl App for Cards {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            BROWSER => pages::browser(self, page),
            EDITOR => editor::view(self, page),
            REVIEWER => pages::study(self, page),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::decks(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: true }
                if ctx.page().activity() == EDITOR
                    && self.errs(&TURN_FIELDS, editor::is_changed(self, ctx.page())) =>
            {
                editor::fill_anew(self, ctx);
            }
            Input::Opened { again: false } => match ctx.page().activity() {
                EDITOR => editor::fill(self, ctx),
                BROWSER => self.listed = self.cards.all().to_vec(),
                _ => {}
            },
            _ => {}
        }
    }
}
