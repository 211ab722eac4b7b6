//! The list of expenses, accounts, templates, settings, about.

use super::ledger::{BUDGET, CATEGORIES, Expense, amount_text};
use super::{Action, Expenses, MANIFEST, TOTAL_UNFILTERED};
use droidmux_sim_toolkit::{Arrange, Color, Ctx, Dialog, Gravity, Icon, Screen, TextSize, View};

/// The field of the dialog that renames an account.
pub(super) const NAME: &str = "label";

pub(super) fn list(app: &Expenses) -> Screen<Action> {
    let shown = app.ledger.expenses().iter().filter(|e| app.filter.is_none_or(|filter| e.category == filter));
    let rows: Vec<View<Action>> = shown.map(|expense| row(app, expense)).collect();
    let body =
        if rows.is_empty() { View::empty("empty", "No expenses") } else { View::list("list").children(rows) };
    let mut column = View::column().fill();
    if app.ledger.spent(None) > BUDGET {
        let text = format!("The budget of {} is used up", amount_text(BUDGET));
        column = column.child(View::heading("budget_warning", text).background(Color::AMBER).ink(Color::INK));
    }
    let chosen = app.selected.len();
    let mut screen = if chosen > 0 {
        Screen::new(format!("{chosen} selected"), column.child(body.share_height()))
            .color(Color::FAINT)
            .action("DELETE_COMMAND", Icon::Delete, "Delete selected", Action::DeleteSelected)
            .action("CLEAR_COMMAND", Icon::Close, "Clear selection", Action::ClearSelection)
    } else {
        let add = View::fab("CREATE_COMMAND", Icon::Add, "New expense", Action::New);
        Screen::new("Expenses", column.child(totals(app)).child(body.share_height()))
            .color(Color::TEAL)
            .over(add.at(Gravity::BottomEnd).margin(0, 0, 16, 16))
            .drawer("Expenses", true, Action::Stay)
            .drawer("Accounts", false, Action::Accounts)
            .drawer("Templates", false, Action::Templates)
            .drawer("Settings", false, Action::Settings)
            .drawer("About", false, Action::About)
            .menu("Filter", Action::AskFilter)
    };
    if !app.undo.is_empty() {
        let text = format!("{} deleted", app.deleted);
        screen = screen.snackbar(text, "Undo", Action::Undo);
    }
    screen
}

/// Balances, what is filtered, and what was spent.
fn totals(app: &Expenses) -> View<Action> {
    let balance = |(n, account): (usize, &super::ledger::Account)| {
        let text = format!("{} {}", account.name, amount_text(account.balance));
        View::label("account_balance", text).share_width().on_click(Action::AskRename(n))
    };
    let right = app.ledger.spent(app.filter);
    let kept = app.filter.map_or(right, |_| app.filter_total);
    let spent = app.defects.either(&TOTAL_UNFILTERED, right, || kept);
    let filter = app.filter.and_then(|n| CATEGORIES.get(n)).copied().unwrap_or("All");
    let line = View::row()
        .wide()
        .child(View::label("filter_state", filter).share_width().ink(Color::FAINT))
        .child(View::label("sum", format!("Spent {}", amount_text(spent))));
    View::column()
        .wide()
        .pad(12)
        .background(Color::LINE)
        .child(View::row().wide().children(app.ledger.accounts().iter().enumerate().map(balance)))
        .child(line)
}

fn row(app: &Expenses, expense: &Expense) -> View<Action> {
    let category = CATEGORIES.get(expense.category).copied().unwrap_or_default();
    let about = format!("{category} · {}", app.ledger.account_name(expense.account));
    let selected = app.selected.contains(&expense.id);
    let texts = View::column()
        .share_width()
        .child(View::label("payee", &expense.payee))
        .child(View::label("category", about).text_size(TextSize::Small).ink(Color::FAINT));
    let tap = if app.selected.is_empty() { Action::Edit(expense.id) } else { Action::Select(expense.id) };
    let row = View::new("android.widget.LinearLayout", Arrange::Row)
        .id("expense_row")
        .high(60)
        .pad_sides(16, 4)
        .selected(selected)
        .on_click(tap)
        .on_long_click(Action::Select(expense.id))
        .child(texts)
        .child(View::label("amount", amount_text(expense.cents)).ink(Color::RED));
    if selected { row.background(Color::LINE) } else { row }
}

pub(super) fn ask_filter(ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Filter by category").choice("All", Action::Filter(None));
    let add =
        |dialog: Dialog<Action>, (n, name): (usize, &&str)| dialog.choice(*name, Action::Filter(Some(n)));
    ctx.show(CATEGORIES.iter().enumerate().fold(dialog, add));
}

pub(super) fn ask_rename(app: &Expenses, account: usize, ctx: &mut Ctx<'_, Action>) {
    let dialog = Dialog::new("Rename account")
        .field(NAME, "Name", app.ledger.account_name(account))
        .negative("Cancel")
        .positive("OK", Action::Rename(account));
    ctx.show(dialog);
}

pub(super) fn accounts(app: &Expenses) -> Screen<Action> {
    let row = |(n, account): (usize, &super::ledger::Account)| {
        View::row()
            .id("account_card")
            .high(60)
            .pad_sides(16, 4)
            .on_click(Action::AskRename(n))
            .child(View::label("account_label", &account.name).share_width())
            .child(View::label("current_balance", amount_text(account.balance)))
    };
    let list = View::recycler("accounts").children(app.ledger.accounts().iter().enumerate().map(row));
    Screen::new("Accounts", list).color(Color::TEAL).up()
}

pub(super) fn templates(app: &Expenses) -> Screen<Action> {
    let row = |(n, template): (usize, &super::ledger::Template)| {
        let about = format!("{} from {}", amount_text(template.cents), app.template_account(template).1);
        let texts = View::column()
            .share_width()
            .child(View::label("title", &template.payee))
            .child(View::label("template_about", about).text_size(TextSize::Small).ink(Color::FAINT));
        View::row()
            .id("template_row")
            .high(60)
            .pad_sides(16, 4)
            .child(texts)
            .child(View::button("command_new_instance", "Apply", Action::Apply(n)))
            .child(View::icon_button(
                "delete_template",
                Icon::Delete,
                "Delete template",
                Action::DropTemplate(n),
            ))
    };
    let body = if app.ledger.templates.is_empty() {
        View::empty("empty", "No templates; save one from an expense")
    } else {
        View::list("list").children(app.ledger.templates.iter().enumerate().map(row))
    };
    Screen::new("Templates", body).color(Color::TEAL).up()
}

pub(super) fn settings(app: &Expenses) -> Screen<Action> {
    let list = View::recycler("recycler_view")
        .child(View::setting(
            "Offer undo",
            "After expenses were deleted",
            app.offers_undo,
            Action::ToggleUndo,
        ))
        .child(View::preference("Delete all templates", "Expenses stay", Action::DropTemplates));
    Screen::new("Settings", list).color(Color::TEAL).up()
}

pub(super) fn about() -> Screen<Action> {
    let version = View::label("version", format!("Expenses {}", MANIFEST.version_name)).at(Gravity::Center);
    Screen::new("About", View::frame().fill().child(version)).color(Color::TEAL).up()
}
