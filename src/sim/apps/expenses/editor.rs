//! The page of one expense.
//!
//! What is chosen and not saved yet lives in the page's variables: `account` and `category` as
//! places in their tables.

use super::ledger::{CATEGORIES, ExpenseId, Template, amount_text, parse_amount};
use super::{Action, Expenses};
use droidmux_sim_toolkit::{ActivityState, Color, Ctx, Icon, Screen, View};

pub(super) const PAYEE: &str = "Payee";
pub(super) const AMOUNT: &str = "AmountEditText";

/// What is on the page: payee, cents, account, category.
pub(super) type Entry = (String, i64, usize, usize);

pub(super) fn view(app: &Expenses, page: &ActivityState) -> Screen<Action> {
    let category = CATEGORIES.get(place(page, "category")).copied().unwrap_or_default();
    let body = View::column()
        .fill()
        .pad(8)
        .child(View::field(AMOUNT, "Amount"))
        .child(View::field(PAYEE, "Payee"))
        .child(
            View::spinner("Account", app.ledger.account_name(place(page, "account")), Action::AskAccount)
                .margin(0, 4, 0, 4),
        )
        .child(View::spinner("Category", category, Action::AskCategory));
    let title = if page.argument().is_empty() { "New expense" } else { "Edit expense" };
    Screen::new(title, body)
        .color(Color::TEAL)
        .up()
        .action("SAVE_COMMAND", Icon::Check, "Save", Action::Save)
        .menu("Save as template", Action::SaveTemplate)
        .menu("Discard", Action::Discard)
}

fn place(page: &ActivityState, name: &str) -> usize {
    page.variable(name).parse().unwrap_or(0)
}

/// Puts what is stored of the expense on the page.
pub(super) fn fill(app: &Expenses, ctx: &mut Ctx<'_, Action>) {
    let id = ctx.page().argument_number().map(ExpenseId);
    let Some(expense) = id.and_then(|id| app.ledger.get(id)) else { return };
    ctx.set_field(PAYEE, &expense.payee);
    ctx.set_field(AMOUNT, amount_text(expense.cents));
    ctx.save("account", expense.account);
    ctx.save("category", expense.category);
}

/// What is on the page, unless the amount is not one.
pub(super) fn entry(ctx: &mut Ctx<'_, Action>) -> Option<Entry> {
    let page = ctx.page();
    let payee = page.field(PAYEE).trim();
    let payee = if payee.is_empty() { "Somebody" } else { payee }.to_owned();
    let entry = parse_amount(page.field(AMOUNT))
        .map(|cents| (payee, cents, place(page, "account"), place(page, "category")));
    if entry.is_none() {
        ctx.toast("Enter an amount");
    }
    entry
}

pub(super) fn template(app: &Expenses, (payee, cents, account, category): Entry) -> Template {
    let account_name = app.ledger.account_name(account).to_owned();
    Template { payee, cents, category, account, account_name }
}

pub(super) fn ask_account(app: &Expenses, ctx: &mut Ctx<'_, Action>) {
    let accounts = app.ledger.accounts().iter().enumerate();
    ctx.popup(accounts.map(|(n, account)| (account.name.clone(), Action::Account(n))).collect());
}

pub(super) fn ask_category(ctx: &mut Ctx<'_, Action>) {
    ctx.popup((0..).zip(CATEGORIES).map(|(n, name)| (name.to_owned(), Action::Category(n))).collect());
}
