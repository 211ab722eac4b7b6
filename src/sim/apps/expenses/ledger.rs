//! Accounts, expenses and templates. Amounts are in cents.

#[derive(Clone, Debug)]
pub(super) struct Ledger {
    accounts: Vec<Account>,
    /// Newest first.
    expenses: Vec<Expense>,
    pub templates: Vec<Template>,
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpenseId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Account {
    pub name: String,
    pub balance: i64,
}

#[derive(Clone, Debug)]
pub(super) struct Expense {
    pub id: ExpenseId,
    pub payee: String,
    pub cents: i64,
    /// A place among the accounts.
    pub account: usize,
    /// A place in [`CATEGORIES`].
    pub category: usize,
    /// The account it was recorded in first; only the wrong ledger asks.
    pub first_account: usize,
}

/// An expense to be recorded again and again.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub payee: String,
    pub cents: i64,
    pub category: usize,
    pub account: usize,
    /// The account's name when the template was made.
    pub account_name: String,
}

pub(super) const CATEGORIES: [&str; 4] = ["Food", "Travel", "Home", "Leisure"];

/// Payee, cents, account, category; the newest last.
const FIRST: [(&str, i64, usize, usize); 3] =
    [("Baker", 480, 0, 0), ("Railway", 2350, 1, 1), ("Hardware shop", 1899, 0, 2)];

/// The most that may be spent in the month.
pub(super) const BUDGET: i64 = 10_000;

/// `23.50`
pub(super) fn amount_text(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// Cents of `23`, `23.5` or `23,50`; `None` when it is no amount above nothing and below a million.
pub(super) fn parse_amount(text: &str) -> Option<i64> {
    let text = text.trim().replace(',', ".");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || whole.len() > 6 || part.len() > 2 || !digits(whole) || !digits(part) {
        return None;
    }
    let cents: i64 = format!("{part:0<2}").parse().ok()?;
    Some(whole.parse::<i64>().ok()? * 100 + cents).filter(|amount| *amount > 0)
}

impl Ledger {
    pub(super) fn new() -> Self {
        let account = |(name, balance): (&str, i64)| Account { name: name.into(), balance };
        let accounts = [("Cash", 20_000), ("Bank", 150_000)].map(account).into();
        let mut ledger = Self { accounts, expenses: Vec::new(), templates: Vec::new(), next: 1 };
        for (payee, cents, account, category) in FIRST {
            ledger.record(payee, cents, account, category);
        }
        ledger
    }

    pub(super) fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    pub(super) fn account_name(&self, account: usize) -> &str {
        self.accounts.get(account).map_or("", |account| &account.name)
    }

    pub(super) fn rename_account(&mut self, account: usize, name: &str) {
        if let Some(account) = self.accounts.get_mut(account) {
            name.clone_into(&mut account.name);
        }
    }

    /// The account with this name.
    pub(super) fn account_named(&self, name: &str) -> Option<usize> {
        self.accounts.iter().position(|account| account.name == name)
    }

    pub(super) fn expenses(&self) -> &[Expense] {
        &self.expenses
    }

    pub(super) fn get(&self, id: ExpenseId) -> Option<&Expense> {
        self.expenses.iter().find(|expense| expense.id == id)
    }

    pub(super) fn record(&mut self, payee: &str, cents: i64, account: usize, category: usize) {
        let id = ExpenseId(self.next);
        self.next += 1;
        self.book(account, -cents);
        let payee = payee.into();
        self.expenses.insert(0, Expense { id, payee, cents, account, category, first_account: account });
    }

    /// Changes an expense, and the balances of its accounts with it.
    pub(super) fn edit(&mut self, id: ExpenseId, payee: &str, cents: i64, account: usize, category: usize) {
        let Some(at) = self.expenses.iter().position(|expense| expense.id == id) else { return };
        let old = self.expenses.get(at).map_or((0, 0), |expense| (expense.account, expense.cents));
        self.book(old.0, old.1);
        self.book(account, -cents);
        if let Some(expense) = self.expenses.get_mut(at) {
            payee.clone_into(&mut expense.payee);
            (expense.cents, expense.account, expense.category) = (cents, account, category);
        }
    }

    /// Deletes an expense and gives its amount back, on request to the account it was first
    /// recorded in. Returns where it was, for [`Ledger::restore`].
    pub(super) fn delete(&mut self, id: ExpenseId, to_first: bool) -> Option<(usize, Expense)> {
        let at = self.expenses.iter().position(|expense| expense.id == id)?;
        let expense = self.expenses.remove(at);
        self.book(if to_first { expense.first_account } else { expense.account }, expense.cents);
        Some((at, expense))
    }

    pub(super) fn restore(&mut self, at: usize, expense: Expense) {
        self.book(expense.account, -expense.cents);
        self.expenses.insert(at.min(self.expenses.len()), expense);
    }

    /// What was spent in all, or in one category.
    pub(super) fn spent(&self, category: Option<usize>) -> i64 {
        let counts = |expense: &&Expense| category.is_none_or(|category| expense.category == category);
        self.expenses.iter().filter(counts).map(|expense| expense.cents).sum()
    }

    fn book(&mut self, account: usize, cents: i64) {
        if let Some(account) = self.accounts.get_mut(account) {
            account.balance += cents;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_amounts() {
        let cases = [
            ("23", Some(2300)),
            ("23.5", Some(2350)),
            (" 0,07 ", Some(7)),
            ("0", None),
            ("", None),
            ("-3", None),
            ("1.234", None),
            ("1234567", None),
            ("ten", None),
        ];
        for (text, cents) in cases {
            assert_eq!(parse_amount(text), cents, "{text:?}");
        }
        assert_eq!((amount_text(7), amount_text(-2350)), ("0.07".into(), "-23.50".into()));
    }

    #[test]
    fn balances_follow_every_change() {
        let mut ledger = Ledger::new();
        let balances = |ledger: &Ledger| [ledger.accounts[0].balance, ledger.accounts[1].balance];
        let before = balances(&ledger);
        ledger.record("Kiosk", 300, 0, 0);
        let id = ledger.expenses()[0].id;
        ledger.edit(id, "Kiosk", 500, 1, 0);
        assert_eq!(balances(&ledger), [before[0], before[1] - 500]);
        let (at, expense) = ledger.delete(id, false).expect("it is there");
        assert_eq!(balances(&ledger), before);
        ledger.restore(at, expense);
        assert_eq!(balances(&ledger), [before[0], before[1] - 500]);
    }
}
