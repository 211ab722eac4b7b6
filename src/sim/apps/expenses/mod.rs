//! Expenses: accounts with balances, categories, templates.
//!
//! Modelled on MyExpenses, an app subject of "Property-Based Fuzzing" without a bug in its table, so its
//! defects are of the kinds the tables have.

use ledger::{Expense, ExpenseId, Ledger, Template};

use droidmux_sim_toolkit::{
    ActivityState, App, Ctx, Defect, DefectKind, DefectSwitches, Env, Input, Manifest, Screen, SimApp, Trap,
};

#[cfg(test)]
pub(super) mod cases;
mod editor;
mod ledger;
mod pages;

const MANIFEST: Manifest = Manifest {
    package: "org.droidmux.expenses",
    label: "Expenses",
    version_name: "3.4.5",
    version_code: 570,
    activities: &[MAIN, EDIT, ACCOUNTS, TEMPLATES, SETTINGS, ABOUT],
    permissions: &[],
};

const MAIN: &str = "activity.MyExpenses";
const EDIT: &str = "activity.ExpenseEdit";
const ACCOUNTS: &str = "activity.ManageAccounts";
const TEMPLATES: &str = "activity.ManageTemplates";
const SETTINGS: &str = "activity.PreferenceActivity";
const ABOUT: &str = "activity.AboutActivity";

const MOVED_BALANCE: Defect = Defect {
    id: "expenses.moved-balance",
    kind: DefectKind::InconsistentState,
    what: "deleting an expense that was moved to another account pays it back to the first account",
    seed: "Property-Based Fuzzing: subject MyExpenses; Fully Automated Functional Fuzzing: kinds of bugs, inconsistent GUI state",
};
const UNDO_SELECTION: Defect = Defect {
    id: "expenses.undo-selection",
    kind: DefectKind::DataLoss,
    what: "undoing the deletion of several expenses brings only the last of them back",
    seed: "Property-Based Fuzzing: subject MyExpenses; ActivityDiary, a deleted activity is not recovered correctly",
};
const TOTAL_UNFILTERED: Defect = Defect {
    id: "expenses.total-unfiltered",
    kind: DefectKind::WrongDisplay,
    what: "with a filter on, what was spent counts new expenses of every category",
    seed: "Property-Based Fuzzing: subject MyExpenses; Fully Automated Functional Fuzzing: kinds of bugs, wrong display",
};
const TEMPLATE_ACCOUNT: Defect = Defect {
    id: "expenses.template-account",
    kind: DefectKind::WrongBehaviour,
    what: "a template books to the first account once its own account was renamed",
    seed: "Property-Based Fuzzing: subject MyExpenses; Feishu, a folder is not found by its new name after renaming",
};
const DARK_FILTER: Defect = Defect {
    id: "expenses.dark-filter",
    kind: DefectKind::WrongBehaviour,
    what: "switching between dark and light takes the filter away",
    seed: "Understanding and Finding System Setting-Related Defects in Android Apps: the dark theme resets what was chosen",
};
const DEFECTS: &[Defect] = &[MOVED_BALANCE, UNDO_SELECTION, TOTAL_UNFILTERED, TEMPLATE_ACCOUNT, DARK_FILTER];

const TRAPS: &[Trap] = &[
    Trap {
        id: "expenses.balances",
        what: "recording an expense changes the balance of its account above the list",
    },
    Trap { id: "expenses.filter", what: "a filter by category hides expenses and changes the sum" },
    Trap { id: "expenses.budget", what: "a warning comes above the list once the budget is used up" },
    Trap { id: "expenses.undo-turn", what: "the offer to undo a deletion goes when the screen is turned" },
];

/// The expenses, to be installed.
pub(super) fn app() -> SimApp {
    SimApp::new(MANIFEST, DEFECTS, Expenses::new).with_traps(TRAPS)
}

#[derive(Clone)]
struct Expenses {
    ledger: Ledger,
    filter: Option<usize>,
    /// What was spent when the filter was set, and since; only the wrong app shows it.
    filter_total: i64,
    selected: Vec<ExpenseId>,
    offers_undo: bool,
    /// What was deleted last and the places, while it can be brought back.
    undo: Vec<(usize, Expense)>,
    /// How many were deleted last.
    deleted: usize,
    /// Whether the page was dark when it was last created.
    night: bool,
    defects: DefectSwitches,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Stay,
    New,
    Edit(ExpenseId),
    Select(ExpenseId),
    ClearSelection,
    DeleteSelected,
    Undo,
    AskFilter,
    Filter(Option<usize>),
    AskAccount,
    Account(usize),
    AskCategory,
    Category(usize),
    Save,
    SaveTemplate,
    Discard,
    Accounts,
    AskRename(usize),
    Rename(usize),
    Templates,
    Apply(usize),
    DropTemplate(usize),
    DropTemplates,
    ToggleUndo,
    Settings,
    About,
}

impl Expenses {
    fn new(defects: &DefectSwitches) -> Self {
        Self {
            ledger: Ledger::new(),
            filter: None,
            filter_total: 0,
            selected: Vec::new(),
            offers_undo: true,
            undo: Vec::new(),
            deleted: 0,
            night: false,
            defects: defects.clone(),
        }
    }

    /// Whether the app errs here: the defect is on, and the outcome `differs`.
    fn errs(&self, defect: &Defect, differs: bool) -> bool {
        self.defects.strikes(defect, differs)
    }

    /// The account a template books to, and its name.
    fn template_account(&self, template: &Template) -> (usize, &str) {
        let by_name = || self.ledger.account_named(&template.account_name).unwrap_or(0);
        let account = self.defects.either(&TEMPLATE_ACCOUNT, template.account, by_name);
        (account, self.ledger.account_name(account))
    }

    fn act(&mut self, action: Action, ctx: &mut Ctx<'_, Action>) {
        let undo = std::mem::take(&mut self.undo);
        match action {
            Action::Stay => {}
            Action::New => ctx.start(EDIT, ""),
            Action::Edit(expense) => ctx.start(EDIT, expense.0),
            Action::Select(expense) => self.select(expense),
            Action::ClearSelection => self.selected.clear(),
            Action::DeleteSelected => self.delete_selected(),
            Action::Undo => {
                for (at, expense) in undo.into_iter().rev() {
                    self.ledger.restore(at, expense);
                }
                self.filter_total = self.ledger.spent(self.filter);
            }
            Action::AskFilter => pages::ask_filter(ctx),
            Action::Filter(filter) => {
                self.filter = filter;
                self.filter_total = self.ledger.spent(filter);
            }
            Action::AskAccount => editor::ask_account(self, ctx),
            Action::Account(account) => ctx.save("account", account),
            Action::AskCategory => editor::ask_category(ctx),
            Action::Category(category) => ctx.save("category", category),
            Action::Save => self.save(ctx),
            Action::SaveTemplate => {
                if let Some(entry) = editor::entry(ctx) {
                    let template = editor::template(self, entry);
                    self.ledger.templates.push(template);
                }
            }
            Action::Discard => ctx.finish(),
            Action::Accounts => ctx.start(ACCOUNTS, ""),
            Action::AskRename(account) => pages::ask_rename(self, account, ctx),
            Action::Rename(account) => match ctx.field(pages::NAME).trim() {
                "" => ctx.toast("An account needs a name"),
                name => self.ledger.rename_account(account, name),
            },
            Action::Templates => ctx.start(TEMPLATES, ""),
            Action::Apply(template) => self.apply(template),
            Action::DropTemplate(template) => {
                if template < self.ledger.templates.len() {
                    self.ledger.templates.remove(template);
                }
            }
            Action::DropTemplates => self.ledger.templates.clear(),
            Action::ToggleUndo => self.offers_undo = !self.offers_undo,
            Action::Settings => ctx.start(SETTINGS, ""),
            Action::About => ctx.start(ABOUT, ""),
        }
    }

    fn opened(&mut self, again: bool, ctx: &mut Ctx<'_, Action>) {
        let night = ctx.env().is_night();
        let changed = std::mem::replace(&mut self.night, night) != night;
        match ctx.page().activity() {
            _ if again => {
                self.undo.clear();
                if changed && self.errs(&DARK_FILTER, self.filter.is_some()) {
                    self.filter = None;
                }
            }
            // A selection is part of the list's saved state.
            MAIN => self.selected.clear(),
            EDIT => editor::fill(self, ctx),
            _ => {}
        }
    }

    /// Selects an expense, or takes it out of the selection.
    fn select(&mut self, expense: ExpenseId) {
        match self.selected.iter().position(|selected| *selected == expense) {
            Some(at) => {
                self.selected.remove(at);
            }
            None => self.selected.push(expense),
        }
    }

    fn delete_selected(&mut self) {
        let mut chosen = self.selected.iter().filter_map(|id| self.ledger.get(*id));
        let to_first =
            self.errs(&MOVED_BALANCE, chosen.any(|expense| expense.first_account != expense.account));
        let selected = std::mem::take(&mut self.selected);
        let deleted: Vec<(usize, Expense)> =
            selected.into_iter().filter_map(|id| self.ledger.delete(id, to_first)).collect();
        self.deleted = deleted.len();
        self.filter_total = self.ledger.spent(self.filter);
        if self.offers_undo {
            self.undo = deleted;
        }
        if self.errs(&UNDO_SELECTION, self.undo.len() > 1) {
            // One place to keep what was deleted, which each deletion overwrites.
            self.undo = self.undo.pop().into_iter().collect();
        }
    }

    fn save(&mut self, ctx: &mut Ctx<'_, Action>) {
        let Some((payee, cents, account, category)) = editor::entry(ctx) else { return };
        match ctx.page().argument_number().map(ExpenseId) {
            Some(id) => {
                self.ledger.edit(id, &payee, cents, account, category);
                self.filter_total = self.ledger.spent(self.filter);
            }
            None => self.record(&payee, cents, account, category),
        }
        ctx.finish();
    }

    fn record(&mut self, payee: &str, cents: i64, account: usize, category: usize) {
        self.ledger.record(payee, cents, account, category);
        self.filter_total += cents;
    }

    fn apply(&mut self, template: usize) {
        let Some(template) = self.ledger.templates.get(template).cloned() else { return };
        let account = self.template_account(&template).0;
        self.record(&template.payee, template.cents, account, template.category);
    }
}

impl App for Expenses {
    type Action = Action;

    fn view(&self, page: &ActivityState, _env: &Env) -> Screen<Action> {
        match page.activity() {
            EDIT => editor::view(self, page),
            ACCOUNTS => pages::accounts(self),
            TEMPLATES => pages::templates(self),
            SETTINGS => pages::settings(self),
            ABOUT => pages::about(),
            _ => pages::list(self),
        }
    }

    fn on(&mut self, input: Input<Action>, ctx: &mut Ctx<'_, Action>) {
        match input {
            Input::Act(action) => self.act(action, ctx),
            Input::Opened { again } => self.opened(again, ctx),
            _ => {}
        }
    }

    fn on_back(&mut self, ctx: &mut Ctx<'_, Action>) -> bool {
        self.undo.clear();
        let selecting = ctx.page().activity() == MAIN && !self.selected.is_empty();
        self.selected.clear();
        selecting
    }

    fn process_died(&mut self) {
        self.undo.clear();
    }
}
