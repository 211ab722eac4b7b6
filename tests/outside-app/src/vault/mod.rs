//! A vault of one-time codes: groups, search, a log, a lock.
//!
//! Modelled on Aegis, andOTP and 2FAS.

use droidmux::sim::toolkit::{ActivityState, App, Ctx, Env, Input, Manifest, Screen, Undo};
use droidmux::sim::{DefectSwitches, SimApp};

use declared::{DEFECTS, EDIT_FORGETS, FOUND_OTHER, GROUP_EMPTIED, ORDER_RESET, RETURN_FORM, TRAPS};
use safe::{Entry, EntryId, Filter, GroupId, Order, Safe};

#[cfg(test)]
pub(crate) mod cases;
mod declared;
mod editor;
mod entries;
mod pages;
mod safe;

const MANIFEST: Manifest = Manifest {
    package: "com.example.vault",
    label: "Vault",
    version_name: "3.1",
    version_code: 31,
    activities: &[MAIN, ENTRY, EDIT, GROUPS, LOG, SETTINGS],
    permissions: &[],
};

const MAIN: &str = "EntriesActivity";
const ENTRY: &str = "EntryActivity";
const EDIT: &str = "EditEntryActivity";
const GROUPS: &str = "GroupsActivity";
const LOG: &str = "LogActivity";
const SETTINGS: &str = "SettingsActivity";

/// The vault, to be installed.
pub fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Vault::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Vault {
    safe: Safe,
    order: Order,
    /// Codes are shown by a touch only.
    hides: bool,
    /// Leaving the app locks it.
    locks: bool,
    accounts: bool,
    locked: bool,
    undo: Undo<Entry>,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Unlock,
    AskFilter,
    Filter(Filter),
    AskOrder,
    Order(Order),
    /// An entry, and its place in the list.
    Use(EntryId, usize),
    Menu(EntryId),
    Details(EntryId),
    Reveal,
    Copy(EntryId),
    Favour(EntryId),
    Duplicate(EntryId),
    AskDelete(EntryId),
    Delete(EntryId),
    Undo,
    New,
    Edit(EntryId),
    AskGroup,
    ChooseGroup(Option<GroupId>),
    Save,
    Discard,
    Groups,
    GroupMenu(GroupId),
    AskGroupName(Option<GroupId>),
    GroupName(Option<GroupId>),
    AskDeleteGroup(GroupId),
    DeleteGroup(GroupId),
    Log,
    ClearLog,
    Settings,
    ToggleHides,
    ToggleLocks,
    ToggleAccounts,
}

impl Vault {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            safe: Safe::new(),
            order: Order::default(),
            hides: true,
            locks: false,
            accounts: true,
            locked: false,
            undo: Undo::default(),
            defects: defects.clone(),
        }
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = std::mem::take(&mut self.undo);
        match action {
            Action::Unlock => self.locked = false,
            Action::AskFilter => entries::ask_filter(self, ctx),
            Action::Filter(filter) => {
                ctx.save("filter", entries::filter_text(filter));
                ctx.scroll_to_top("entries");
            }
            Action::AskOrder => entries::ask_order(ctx),
            Action::Order(order) => self.order = order,
            Action::Use(id, place) => {
                // The wrong list looks up the place among what it shows without a search.
                let id = self.defects.either(&FOUND_OTHER, id, || {
                    entries::listed(self, ctx.page()).get(place).map_or(id, |entry| entry.id)
                });
                ctx.save("revealed", id.0);
                self.use_entry(id, ctx);
            }
            Action::Menu(id) => entries::menu(self, id, ctx),
            Action::Details(id) => open(ENTRY, id.0, ctx),
            Action::Reveal => {
                let revealed = ctx.page().number("revealed") > 0;
                ctx.save("revealed", u64::from(!revealed));
            }
            Action::Copy(id) => self.use_entry(id, ctx),
            Action::Favour(id) => self.safe.change(id, |entry| entry.favourite = !entry.favourite),
            Action::Duplicate(id) => self.safe.copy(id),
            Action::AskDelete(id) => entries::ask_delete(self, id, ctx),
            Action::Delete(id) => {
                self.note("Deleted", id, ctx.env());
                self.undo = Undo::delete(&mut self.safe.entries, |entry| entry.id == id);
                if ctx.page().activity() == ENTRY {
                    ctx.finish();
                }
            }
            Action::Undo => undo.bring_back(&mut self.safe.entries),
            Action::New => open(EDIT, "", ctx),
            Action::Edit(id) => open(EDIT, id.0, ctx),
            Action::AskGroup => editor::ask_group(self, ctx),
            Action::ChooseGroup(group) => ctx.save("group", editor::group_text(group)),
            Action::Save => self.save(ctx),
            Action::Discard => ctx.finish(),
            Action::Groups => open(GROUPS, "", ctx),
            Action::GroupMenu(id) => pages::group_menu(id, ctx),
            Action::AskGroupName(id) => pages::ask_group_name(self, id, ctx),
            Action::GroupName(id) => self.name_group(id, ctx),
            Action::AskDeleteGroup(id) => pages::ask_delete_group(self, id, ctx),
            Action::DeleteGroup(id) => self.safe.delete_group(id),
            Action::Log => open(LOG, "", ctx),
            Action::ClearLog => self.safe.clear_log(),
            Action::Settings => open(SETTINGS, "", ctx),
            Action::ToggleHides => self.hides = !self.hides,
            Action::ToggleLocks => self.locks = !self.locks,
            Action::ToggleAccounts => self.accounts = !self.accounts,
        }
    }

    fn use_entry(&mut self, id: EntryId, ctx: &mut Ctx<'_, Action>) {
        self.safe.use_entry(id);
        self.note("Copied", id, ctx.env());
        ctx.toast("Copied");
    }

    /// Writes into the log what was done with an entry.
    fn note(&mut self, what: &str, id: EntryId, env: &Env) {
        if let Some(issuer) = self.safe.get(id).map(|entry| entry.text.issuer.clone()) {
            self.safe.note(format!("{what} {issuer}"), env.now().clock_text());
        }
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let text = editor::written(ctx.page());
        if text.issuer.is_empty() {
            return ctx.toast("An entry needs an issuer");
        }
        match editor::edited(ctx.page()) {
            Some(id) => {
                // The wrong form makes the entry anew.
                let used = self.safe.get(id).is_some_and(|entry| entry.uses > 0);
                let forgets = self.defects.strikes(&EDIT_FORGETS, used);
                self.safe.change(id, |entry| {
                    entry.text = text;
                    if forgets {
                        (entry.uses, entry.used) = (0, 0);
                    }
                });
                self.note("Edited", id, ctx.env());
            }
            None => {
                let issuer = text.issuer.clone();
                self.safe.add(text);
                self.safe.note(format!("Added {issuer}"), ctx.env().now().clock_text());
                // The wrong list is put together anew and knows no order.
                if self.defects.strikes(&ORDER_RESET, self.order != Order::default()) {
                    self.order = Order::default();
                }
            }
        }
        ctx.finish();
    }

    fn name_group(&mut self, id: Option<GroupId>, ctx: &mut Ctx<'_, Action>) {
        let name = ctx.field(pages::NAME).trim().to_owned();
        if name.is_empty() {
            return ctx.toast("A group needs a name");
        }
        let same = id.and_then(|id| self.safe.group(id)).is_some_and(|group| group.name == name);
        let done = match id {
            Some(id) => self.safe.rename_group(id, &name),
            None => self.safe.add_group(&name),
        };
        if !done {
            return ctx.toast("There is a group of this name");
        }
        // Wrong entries still belong to a group of the old name.
        if let Some(id) = id
            && self.defects.strikes(&GROUP_EMPTIED, !same && self.safe.size(id) > 0)
        {
            self.safe.empty_group(id);
        }
    }

    /// The app leaves the screen.
    fn leave(&mut self, ctx: &mut Ctx<'_, Action>) {
        self.undo = Undo::default();
        ctx.save("revealed", "");
        if self.locks {
            self.locked = true;
            // A dialog would stand above the lock.
            ctx.dismiss();
        }
    }
}

/// Leads to another page; what was revealed on this one is hidden.
fn open(activity: &'static str, argument: impl ToString, ctx: &mut Ctx<'_, Action>) {
    ctx.save("revealed", "");
    ctx.start(activity, argument);
}

impl App for Vault {
    type Action = Action;

    fn view(&self, page: &ActivityState, env: &Env) -> Screen<Action> {
        if self.locked {
            return pages::locked();
        }
        match page.activity() {
            ENTRY => entries::details(self, page, env),
            EDIT => editor::view(self, page),
            GROUPS => pages::groups(self),
            LOG => pages::log(self),
            SETTINGS => pages::settings(self),
            _ => entries::view(self, page, env),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again: false } => match ctx.page().activity() {
                MAIN => self.locked = self.locks,
                EDIT => editor::fill(self, ctx),
                _ => {}
            },
            Input::Hidden => self.leave(ctx),
            // The wrong form is filled whenever its page comes to the front.
            Input::Shown
                if ctx.page().activity() == EDIT
                    && self.defects.strikes(&RETURN_FORM, editor::is_changed(self, ctx.page())) =>
            {
                editor::fill(self, ctx);
            }
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo = Undo::default();
        if self.locked {
            // The lock is left only with the app.
            return ctx.page().activity() != MAIN;
        }
        ctx.page().activity() == EDIT && editor::ask_discard(self, ctx)
    }

    fn process_died(&mut self) {
        self.undo = Undo::default();
        self.locked = self.locks;
    }
}
