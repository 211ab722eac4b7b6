//! Sums and shared bills, and how the forms are read.

use super::expression::{NoValue, evaluate, number_text};
use super::{BRACKETS, Calc, DECIMALS, EXPONENT, LABEL_MARKS, NO_PEOPLE, POWER, SMALL_NEGATIVE};
use crate::form::{Failure, at_most, is_mark, read_decimal, read_whole, refusal, thrown};
use droidmux_sim_toolkit::ActivityState;

pub(super) const EXPRESSION: &str = "expression";
pub(super) const LABEL: &str = "sum_name";
pub(super) const AMOUNT: &str = "amount";
pub(super) const PERCENT: &str = "tip_percent";
pub(super) const PEOPLE: &str = "people";

/// Decimals that the scale of the wrong amount holds.
const SCALE: usize = 15;

/// A sum as the history shows it.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub expression: String,
    pub result: String,
    /// Empty when it was given none.
    pub label: String,
}

/// What each person pays of a bill.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub total: f64,
    pub each: f64,
    pub people: u64,
}

/// The expression and the name of its sum.
pub(super) fn read(app: &Calc, page: &ActivityState) -> Result<Sum, Failure> {
    let (expression, label) = (page.field(EXPRESSION).trim(), page.field(LABEL).trim());
    at_most(LABEL, label, 60)?;
    let value = app.defects.either(&EXPONENT, evaluate(expression, false), || evaluate(expression, true));
    let value = value.map_err(|why| no_value(app, why))?;
    let mut result = number_text(value);
    // The wrong result is put together from whole part and fraction, and -0 has no sign.
    if app.errs(&SMALL_NEGATIVE, value > -1.0 && result.starts_with('-')) {
        result = result.trim_start_matches('-').to_owned();
    }
    let drops = app.errs(&LABEL_MARKS, label.chars().any(is_mark));
    let label = label.chars().filter(|char| !(drops && is_mark(*char))).collect();
    Ok(Sum { expression: expression.to_owned(), result, label })
}

fn no_value(app: &Calc, why: NoValue) -> Failure {
    let sentence = match why {
        NoValue::Deep if app.errs(&BRACKETS, true) => {
            return thrown(
                "java.lang.StackOverflowError",
                "stack size 8192KB",
                &[
                    "org.droidmux.calc.Parser.operand(Parser.java:77)",
                    "org.droidmux.calc.Parser.sum(Parser.java:41)",
                ],
            );
        }
        NoValue::Large { power: true } if app.errs(&POWER, true) => {
            return Failure::Hang("Input dispatching timed out (java.math.BigDecimal.pow)");
        }
        NoValue::Malformed => "That is no sum; write for example 2*(3+4)",
        NoValue::Deep => "Too many brackets",
        NoValue::Zero => "Nothing is divided by zero",
        NoValue::Large { .. } => "Too large a number",
    };
    refusal(EXPRESSION, sentence).into()
}

/// A bill, to be shared.
pub(super) fn read_bill(app: &Calc, page: &ActivityState) -> Result<Share, Failure> {
    let text = page.field(AMOUNT);
    let amount = read_decimal(text).filter(|amount| *amount > 0.0 && *amount <= 1e6);
    let amount = amount.ok_or_else(|| refusal(AMOUNT, "An amount above 0, at most 1000000"))?;
    let percent = read_decimal(page.field(PERCENT)).filter(|percent| (0.0..=100.0).contains(percent));
    let percent = percent.ok_or_else(|| refusal(PERCENT, "A tip of 0 to 100 percent"))?;
    let people = read_whole(page.field(PEOPLE)).filter(|people| *people <= 100);
    let people = people.ok_or_else(|| refusal(PEOPLE, "1 to 100 people"))?;
    if people == 0 {
        return Err(if app.errs(&NO_PEOPLE, true) {
            arithmetic("divide by zero", "org.droidmux.calc.tip.Bill.share(Bill.java:38)")
        } else {
            refusal(PEOPLE, "1 to 100 people").into()
        });
    }
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if app.errs(&DECIMALS, decimals > SCALE) {
        return Err(arithmetic("Rounding necessary", "org.droidmux.calc.tip.Bill.scaled(Bill.java:52)"));
    }
    let total = amount * (1.0 + percent / 100.0);
    // At most 100, which every float holds.
    let each = total / f64::from(u32::try_from(people).unwrap_or(1));
    Ok(Share { total, each, people })
}

fn arithmetic(message: &str, frame: &'static str) -> Failure {
    let frames = [frame, "org.droidmux.calc.tip.BillActivity.onSplit(BillActivity.java:71)"];
    thrown("java.lang.ArithmeticException", message, &frames)
}
