//! A messenger: conversations with drafts, replies and stars, contacts, groups, an archive.
//!
//! Modelled on WhatsApp, Signal and Telegram.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen};
use droidmux::sim::{DefectSwitches, SimApp};

use crate::selection;
use action::{Action, Filter, Undo};
use declared::{DEFECTS, KILLED_PINS, TRAPS};
use store::{ChatId, Store};

mod action;
#[cfg(test)]
pub(crate) mod cases;
mod declared;
mod list;
mod managing;
mod pages;
mod people;
mod seed;
mod store;
mod talk;
mod writing;

const MANIFEST: Manifest = Manifest {
    package: "com.example.chat",
    label: "Chat",
    version_name: "5.20",
    version_code: 520,
    activities: &[MAIN, CHAT, INFO, CONTACTS, GROUP, STARRED, ARCHIVE, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "ConversationListActivity";
const CHAT: &str = "ConversationActivity";
const INFO: &str = "ConversationInfoActivity";
const CONTACTS: &str = "ContactsActivity";
const GROUP: &str = "NewGroupActivity";
const STARRED: &str = "StarredActivity";
const ARCHIVE: &str = "ArchiveActivity";
const SETTINGS: &str = "SettingsActivity";

/// The messenger, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Messenger::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Messenger {
    store: Store,
    /// One's own name.
    name: String,
    previews: bool,
    keeps_archived: bool,
    enter_sends: bool,
    /// What was done last, while it can be taken back.
    undo: Option<Undo>,
    defects: DefectSwitches,
}

impl Messenger {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            store: Store::new(),
            name: "Kim Lake".to_owned(),
            previews: true,
            keeps_archived: false,
            enter_sends: false,
            undo: None,
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = self.undo.take();
        match action {
            Action::Filter(filter) => list::choose_filter(filter, ctx),
            Action::Open(id) => ctx.start(CHAT, id.0),
            Action::OpenFound(id) => {
                if let Some(message) = self.store.message(id) {
                    ctx.start(CHAT, format!("{} at {}", message.chat.0, id.0));
                }
            }
            Action::OpenStarred(id) => self.open_starred(id, ctx),
            Action::Write(contact) => {
                let known = self.store.direct(contact);
                let id = known.unwrap_or_else(|| self.store.add_chat(Some(contact), "", Vec::new()));
                if ctx.page().activity() == CONTACTS {
                    ctx.finish();
                }
                ctx.start(CHAT, id.0);
            }
            Action::Select(id) => selection::toggle(id.0, ctx),
            Action::EndSelection => drop(selection::clear(ctx)),
            Action::Pin(pin) => self.pin(pin, ctx),
            Action::Mute(mute) => self.with_selected(|one| one.muted = mute, ctx),
            Action::MarkSelected { read } => {
                if read {
                    for id in list::selected(self, ctx.page()) {
                        self.store.mark_read(id);
                    }
                }
                self.with_selected(|one| one.marked = !read, ctx);
            }
            Action::ArchiveSelected => self.archive(ctx),
            Action::AskDeleteSelected => {
                let what = match list::selected(self, ctx.page()).as_slice() {
                    [one] => self.store.chat_name(*one).to_owned(),
                    several => format!("{} conversations", several.len()),
                };
                list::ask_delete(what, Action::DeleteSelected, ctx);
            }
            Action::DeleteSelected => {
                let ids = list::selected(self, ctx.page());
                self.delete(&ids);
                selection::clear(ctx);
            }
            Action::MarkAllRead => {
                let ids: Vec<ChatId> = self.store.chats.iter().map(|one| one.id).collect();
                ids.into_iter().for_each(|id| self.store.mark_read(id));
            }
            Action::Archive => ctx.start(ARCHIVE, ""),
            Action::ArchivedMenu(id) => list::archived_menu(id, ctx),
            Action::Unarchive(id) => self.store.change_chat(id, |one| one.archived = false),
            Action::AskDelete(id) => {
                let what = self.store.chat_name(id).to_owned();
                list::ask_delete(what, Action::Delete(id), ctx);
            }
            Action::Delete(id) => self.delete(&[id]),
            Action::Undo => self.take_back(undo),
            Action::Contacts => ctx.start(CONTACTS, ""),
            Action::ContactMenu(id) => people::menu(self, id, ctx),
            Action::AskContact(id) => people::ask_contact(self, id, ctx),
            Action::NameContact(id) => match ctx.field(people::NAME).trim() {
                "" => ctx.toast("A contact needs a name"),
                name if self.store.name_contact(id, name) => {}
                _ => ctx.toast("There is a contact of this name"),
            },
            Action::Block(id, block) => {
                if let Some(contact) = self.store.contacts.iter_mut().find(|one| one.id == id) {
                    contact.blocked = block;
                }
            }
            Action::NewGroup => ctx.start(GROUP, ""),
            Action::ToggleMember(id) => selection::toggle(id.0, ctx),
            Action::CreateGroup => self.create_group(ctx),
            Action::Starred(of) => {
                ctx.start(STARRED, of.map_or_else(String::new, |id| id.0.to_string()));
            }
            Action::AskUnstarAll => pages::ask_unstar_all(ctx),
            Action::UnstarAll => self.store.change_messages(|message| message.starred = false),
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::TogglePreviews => self.previews = !self.previews,
            Action::ToggleKeepArchived => self.keeps_archived = !self.keeps_archived,
            Action::ToggleEnter => self.enter_sends = !self.enter_sends,
            Action::AskName => pages::ask_name(self, ctx),
            Action::Name => match ctx.field(people::NAME).trim() {
                "" => ctx.toast("Enter a name"),
                name => name.clone_into(&mut self.name),
            },
            other => self.act_in_chat(other, ctx),
        }
    }

    /// Adds the offer to take back what was done last.
    fn offer(&self, screen: Screen<Action>) -> Screen<Action> {
        let text = match &self.undo {
            Some(Undo::Messages(_)) => "Message deleted".to_owned(),
            Some(Undo::Archived(chats)) => format!("{} archived", chats.len()),
            Some(Undo::Deleted(chats)) => format!("{} deleted", chats.len()),
            None => return screen,
        };
        screen.snackbar(text, "Undo", Action::Undo)
    }
}

impl App for Messenger {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        match page.activity() {
            CHAT => talk::view(self, page, env),
            INFO => pages::info(self, page),
            CONTACTS => people::contacts(self, page),
            GROUP => people::new_group(self, page),
            STARRED => pages::starred(self, page),
            ARCHIVE => list::archive(self),
            SETTINGS => pages::settings(self),
            _ => list::view(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        self.flush(ctx.env());
        let is_chat = ctx.page().activity() == CHAT;
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again } if is_chat => self.enter_chat(again, ctx),
            Input::Returned => match ctx.page().activity() {
                CHAT => self.return_to_chat(ctx),
                MAIN => ctx.save("returned", "1"),
                _ => {}
            },
            Input::Typed(field) if is_chat && field == talk::FIELD => self.keep_draft(ctx),
            // Whoever comes back gets what was sent meanwhile.
            Input::Shown if ctx.env().is_online() => {
                let when = ctx.env().now().clock_text();
                self.store.fetch(self.keeps_archived, &when);
                if let (true, Some((id, _))) = (is_chat, talk::opened(ctx.page())) {
                    self.store.mark_read(id);
                }
            }
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
                let filtered = list::filter(ctx.page()) != Filter::All;
                if filtered {
                    list::choose_filter(Filter::All, ctx);
                }
                filtered
            }
            CHAT => {
                let edits = talk::edited(self, ctx.page()).is_some();
                if edits {
                    self.end_edit(ctx);
                }
                edits
            }
            _ => false,
        }
    }

    fn process_died(&mut self) {
        self.undo = None;
        for one in &mut self.store.chats {
            let lost = one.pinned && !one.pin_stored;
            if self.defects.strikes(&KILLED_PINS, lost) {
                one.pinned = false;
            }
        }
    }
}
