//! Mail: folders, a list with search and selection, messages, drafts.
//!
//! Modelled on K-9 Mail, which became Thunderbird for Android, and FairEmail.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use crate::selection;
use action::{Action, Moved, Place};
use declared::{DEFECTS, DRAFT_DOUBLED, TRAPS, TURN_SELECTION, UNDO_INBOX};
use mailbox::{DRAFTS, FolderId, INBOX, Letter, Mailbox, MessageId, Order, SENT, TRASH};

mod action;
#[cfg(test)]
pub(crate) mod cases;
mod compose;
mod declared;
mod folders;
mod list;
mod mailbox;
mod reading;

const MANIFEST: Manifest = Manifest {
    package: "com.example.mail",
    label: "Mail",
    version_name: "6.1",
    version_code: 601,
    activities: &[MAIN, MESSAGE, COMPOSE, FOLDERS, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "MessageListActivity";
const MESSAGE: &str = "MessageActivity";
const COMPOSE: &str = "ComposeActivity";
const FOLDERS: &str = "FoldersActivity";
const SETTINGS: &str = "SettingsActivity";

/// The mail client, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Mail::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Mail {
    mailbox: Mailbox,
    order: Order,
    preview: bool,
    confirms: bool,
    /// The name that new messages are sent under.
    name: String,
    /// What was searched for, the last first.
    searches: Vec<String>,
    /// What was moved last, while it can be taken back.
    undo: Option<Moved>,
    defects: DefectSwitches,
}

impl Mail {
    /// How many searches it remembers.
    const SEARCHES: usize = 3;

    fn new(defects: &DefectSwitches) -> Self {
        Self {
            mailbox: Mailbox::new(),
            order: Order::default(),
            preview: true,
            confirms: false,
            name: "Kim Lake".to_owned(),
            searches: Vec::new(),
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Go(place) => list::go(place, ctx),
            Action::Refresh => self.refresh(ctx),
            Action::Open(message) => self.open(message, ctx),
            Action::Star(id) => self.mailbox.change(id, |message| message.starred = !message.starred),
            Action::Select(id) => selection::toggle(id.0, ctx),
            Action::SelectAll => list::select_all(self, ctx),
            Action::EndSelection => drop(selection::clear(ctx)),
            Action::MarkSelected { read } => {
                for id in self.chosen(None, ctx.page()) {
                    self.mailbox.change(id, |message| message.read = read);
                }
                selection::clear(ctx);
            }
            Action::AskOrder => list::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::ToggleUnread => list::toggle_unread(ctx),
            Action::AskMove(one) => folders::ask_move(self, one, ctx),
            Action::Move(one, to) => self.move_to(one, to, ctx),
            Action::Delete(one) => self.delete(one, ctx),
            Action::DeleteNow(one) => self.move_to(one, TRASH, ctx),
            Action::Destroy(one) => {
                for id in self.chosen(one, ctx.page()) {
                    self.mailbox.destroy(id);
                }
                leave(one, ctx);
            }
            Action::AskEmptyTrash => list::ask_empty_trash(ctx),
            Action::EmptyTrash => {
                for id in self.in_trash() {
                    self.mailbox.destroy(id);
                }
                selection::clear(ctx);
            }
            Action::Undo => self.take_back(undo),
            Action::Unread(id) => {
                self.mailbox.change(id, |message| message.read = false);
                ctx.finish();
            }
            Action::Reply(id) => ctx.start(COMPOSE, format!("reply {}", id.0)),
            Action::New => ctx.start(COMPOSE, ""),
            Action::Send => self.send(ctx),
            Action::SaveDraft => self.save_draft(ctx),
            Action::Discard => ctx.finish(),
            Action::Recent(at) => {
                if let Some(query) = self.searches.get(at) {
                    ctx.set_field(list::QUERY, query);
                    ctx.hide_keyboard();
                }
            }
            Action::Folders => ctx.start(FOLDERS, ""),
            Action::FolderMenu(id) => folders::menu(id, ctx),
            Action::AskFolder(id) => folders::ask_name(self, id, ctx),
            Action::NameFolder(id) => self.name_folder(id, ctx),
            Action::AskDeleteFolder(id) => folders::ask_delete(self, id, ctx),
            Action::DeleteFolder(id) => self.mailbox.delete_folder(id),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::TogglePreview => self.preview = !self.preview,
            Action::ToggleConfirm => self.confirms = !self.confirms,
            Action::AskName => folders::ask_own_name(self, ctx),
            Action::Name => match ctx.field(folders::NAME).trim() {
                "" => ctx.toast("Messages need a sender"),
                name => name.clone_into(&mut self.name),
            },
            Action::ClearSearches => self.searches.clear(),
        }
    }

    /// The message that is meant, or those that are selected.
    fn chosen(&self, one: Option<MessageId>, page: &ActivityState) -> Vec<MessageId> {
        let selected = selection::selected(page).into_iter().map(MessageId);
        let chosen: Vec<MessageId> = one.map_or_else(|| selected.collect(), |id| vec![id]);
        chosen.into_iter().filter(|id| self.mailbox.get(*id).is_some()).collect()
    }

    fn in_trash(&self) -> Vec<MessageId> {
        let trashed = self.mailbox.sorted(Order::Newest, |message| message.folder == TRASH);
        trashed.into_iter().map(|message| message.id).collect()
    }

    fn refresh(&mut self, ctx: &mut Ctx<'_, Action>) {
        if !ctx.env().is_online() {
            ctx.toast("No connection");
        } else if !self.mailbox.fetch() {
            ctx.toast("No new messages");
        }
    }

    fn open(&mut self, id: MessageId, ctx: &mut Ctx<'_, Action>) {
        if let Some(query) = ctx.page().query(list::QUERY).filter(|query| !query.is_empty()) {
            let query = query.to_owned();
            self.searches.retain(|known| *known != query);
            self.searches.insert(0, query);
            self.searches.truncate(Self::SEARCHES);
        }
        match self.mailbox.get(id) {
            Some(message) if message.folder == DRAFTS => {
                self.mailbox.change(id, |draft| draft.read = true);
                ctx.start(COMPOSE, format!("draft {}", id.0));
            }
            Some(_) => ctx.start(MESSAGE, id.0),
            None => {}
        }
    }

    /// To the trash; from there, and where the settings say so, only after a question.
    fn delete(&mut self, one: Option<MessageId>, ctx: &mut Ctx<'_, Action>) {
        let chosen = self.chosen(one, ctx.page());
        let in_trash = |id: &MessageId| self.mailbox.get(*id).is_some_and(|message| message.folder == TRASH);
        if chosen.iter().any(in_trash) {
            list::ask_destroy(one, chosen.len(), ctx);
        } else if self.confirms {
            list::ask_delete(one, chosen.len(), ctx);
        } else {
            self.move_to(one, TRASH, ctx);
        }
    }

    fn move_to(&mut self, one: Option<MessageId>, to: FolderId, ctx: &mut Ctx<'_, Action>) {
        let mut messages = Vec::new();
        for id in self.chosen(one, ctx.page()) {
            self.mailbox.change(id, |message| {
                if message.folder != to {
                    messages.push((id, message.folder));
                    message.folder = to;
                }
            });
        }
        if !messages.is_empty() {
            self.undo = Some(Moved { messages, to });
        }
        leave(one, ctx);
    }

    fn take_back(&mut self, undo: Option<Moved>) {
        let Some(Moved { messages, to }) = undo else { return };
        for (id, from) in messages {
            // The wrong undo of a deletion knows no folder but the inbox.
            let wrong = self.defects.strikes(&UNDO_INBOX, to == TRASH && from != INBOX);
            self.mailbox.change(id, |message| message.folder = if wrong { INBOX } else { from });
        }
    }

    fn send(&mut self, ctx: &mut Ctx<'_, Action>) {
        let letter = compose::letter(ctx);
        if letter.to.is_empty() {
            return ctx.toast("Enter who shall get it");
        }
        if !ctx.env().is_online() {
            return ctx.toast("No connection");
        }
        if let Some(draft) = compose::draft(ctx.page()) {
            self.mailbox.destroy(draft);
        }
        let name = self.name.clone();
        self.mailbox.file(&letter, &name, SENT);
        ctx.finish();
    }

    fn save_draft(&mut self, ctx: &mut Ctx<'_, Action>) {
        let letter = compose::letter(ctx);
        let known = compose::draft(ctx.page()).filter(|id| self.mailbox.get(*id).is_some());
        match known {
            // The wrong client files every draft as a new one.
            Some(id) if !self.defects.strikes(&DRAFT_DOUBLED, true) => {
                let Letter { to, subject, body } = letter;
                self.mailbox.change(id, |draft| (draft.to, draft.subject, draft.body) = (to, subject, body));
            }
            _ => {
                let name = self.name.clone();
                self.mailbox.file(&letter, &name, DRAFTS);
            }
        }
        ctx.finish();
    }

    fn name_folder(&mut self, id: Option<FolderId>, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field(folders::NAME).trim().to_owned();
        if name.is_empty() {
            return ctx.toast("A folder needs a name");
        }
        let done = match id {
            Some(id) => self.mailbox.rename_folder(id, &name),
            None => self.mailbox.add_folder(&name),
        };
        if !done {
            ctx.toast("There is a folder of this name");
        }
    }
}

/// Leaves the page of the message that something was done to, or the selection mode.
fn leave(one: Option<MessageId>, ctx: &mut Ctx<'_, Action>) {
    if one.is_some() && ctx.page().activity() == MESSAGE {
        ctx.finish();
    } else {
        selection::clear(ctx);
    }
}

impl App for Mail {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            MESSAGE => reading::message(self, page),
            COMPOSE => compose::view(page, env),
            FOLDERS => folders::view(self),
            SETTINGS => reading::settings(self),
            _ => list::view(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } if ctx.page().activity() == MESSAGE => {
                if let Some(id) = ctx.page().argument_number().map(MessageId) {
                    self.mailbox.change(id, |message| message.read = true);
                }
            }
            Input::Opened { again: false } if ctx.page().activity() == COMPOSE => compose::fill(self, ctx),
            Input::Opened { again: true } if ctx.page().activity() == MAIN => {
                let any = !selection::selected(ctx.page()).is_empty();
                if self.defects.strikes(&TURN_SELECTION, any) {
                    selection::clear(ctx);
                }
            }
            // Whoever comes back looks for new mail.
            Input::Shown if ctx.env().is_online() => drop(self.mailbox.fetch()),
            Input::Hidden => self.undo = None,
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = None;
        match ctx.page().activity() {
            MAIN => {
                if selection::clear(ctx) {
                    return true;
                }
                let elsewhere = list::place(self, ctx.page()) != Place::Folder(INBOX);
                if elsewhere {
                    list::go(Place::Folder(INBOX), ctx);
                }
                elsewhere
            }
            COMPOSE => compose::ask_draft(ctx),
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
    }
}
