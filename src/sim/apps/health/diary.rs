//! Readings and weights, and how the forms are read.

use super::{COMMENT_MARKS, FOREIGN_DIGITS, Health, LEADING_ZERO, NOTE_FORMAT, NOTE_LINES, PULSE};
use crate::form::{Failure, Refusal, at_most, is_mark, read_decimal, read_whole, refusal, thrown};
use droidmux_sim_toolkit::ActivityState;

pub(super) const SYSTOLIC: &str = "systolic";
pub(super) const DIASTOLIC: &str = "diastolic";
pub(super) const PULSE_FIELD: &str = "pulse";
pub(super) const NOTE: &str = "note";
pub(super) const WEIGHT: &str = "weight";
pub(super) const COMMENT: &str = "comment";

/// More combining marks on one letter than any language uses.
const MANY_MARKS: usize = 9;

#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub id: u64,
    /// mmHg, 60 to 260.
    pub systolic: u64,
    /// mmHg, 30 to 160, below the systolic pressure.
    pub diastolic: u64,
    /// Per minute, 30 to 220.
    pub pulse: u64,
    pub note: String,
}

#[derive(Clone, Debug)]
pub(super) struct Weight {
    /// 20 to 400.
    pub kilograms: f64,
    pub comment: String,
}

/// The form of a reading.
pub(super) fn read(app: &Health, page: &ActivityState, id: u64) -> Result<Reading, Failure> {
    let text = page.field(SYSTOLIC);
    // The wrong form guesses the base from how the number begins.
    let decimal = read_whole(text);
    let octal = || u64::from_str_radix(text, 8).ok().filter(|_| text.starts_with('0')).or(decimal);
    let systolic = app.defects.either(&LEADING_ZERO, decimal, octal);
    let systolic = within(SYSTOLIC, "Systolic pressure", systolic, 60, 260)?;
    let diastolic = within(DIASTOLIC, "Diastolic pressure", read_whole(page.field(DIASTOLIC)), 30, 160)?;
    if diastolic >= systolic {
        return Err(refusal(DIASTOLIC, "The diastolic pressure is below the systolic one").into());
    }
    let pulse = pulse(app, page.field(PULSE_FIELD))?;
    let note = page.field(NOTE);
    at_most(NOTE, note, 300)?;
    if app.errs(&NOTE_FORMAT, is_broken_format(note)) {
        return Err(thrown(
            "java.util.UnknownFormatConversionException",
            "Conversion = '%'",
            &[
                "org.droidmux.health.pressure.ReadingFormatter.summary(ReadingFormatter.java:66)",
                "org.droidmux.health.pressure.AddReadingActivity.onSave(AddReadingActivity.java:102)",
            ],
        ));
    }
    let kept = app.defects.either(&NOTE_LINES, note, || note.lines().next().unwrap_or_default());
    Ok(Reading { id, systolic, diastolic, pulse, note: kept.to_owned() })
}

fn within(
    field: &'static str,
    name: &str,
    number: Option<u64>,
    least: u64,
    most: u64,
) -> Result<u64, Refusal> {
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| refusal(field, format!("{name}: {least} to {most}")))
}

fn pulse(app: &Health, text: &str) -> Result<u64, Failure> {
    if app.errs(&PULSE, !text.is_empty() && text.parse::<i32>().is_err()) {
        return Err(thrown(
            "java.lang.NumberFormatException",
            format!("For input string: \"{text}\""),
            &["org.droidmux.health.pressure.AddReadingActivity.pulse(AddReadingActivity.java:93)"],
        ));
    }
    Ok(within(PULSE_FIELD, "Pulse", read_whole(text), 30, 220)?)
}

/// Whether `String.format` without arguments throws at a text: only `%%` and `%n` need none.
fn is_broken_format(text: &str) -> bool {
    text.replace("%%", "").replace("%n", "").contains('%')
}

/// The form of a weight.
pub(super) fn read_weight(app: &Health, page: &ActivityState) -> Result<Weight, Failure> {
    let text = page.field(WEIGHT);
    let number = read_decimal(text).ok_or_else(|| refusal(WEIGHT, "Write the weight as 72.5"))?;
    if !(20.0..=400.0).contains(&number) {
        return Err(refusal(WEIGHT, "Weight: 20 to 400 kg").into());
    }
    let comment = page.field(COMMENT);
    at_most(COMMENT, comment, 300)?;
    if app.errs(&COMMENT_MARKS, has_many_marks(comment)) {
        return Err(Failure::Hang("Input dispatching timed out (StaticLayout.generate)"));
    }
    // The wrong form reads once more when it saves, and knows fewer digits then.
    let kilograms = app.defects.either(&FOREIGN_DIGITS, number, || text.trim().parse().unwrap_or(0.0));
    Ok(Weight { kilograms, comment: comment.to_owned() })
}

fn has_many_marks(text: &str) -> bool {
    let mut run = 0;
    text.chars().any(|char| {
        run = if is_mark(char) { run + 1 } else { 0 };
        run >= MANY_MARKS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (text, broken) in
            [("", false), ("100 %", true), ("%s", true), ("100 %%", false), ("%%%", true), ("a%nb", false)]
        {
            assert_eq!(is_broken_format(text), broken, "{text:?}");
        }
    }

    #[test]
    fn marks() {
        assert!(has_many_marks(&format!("a{}", "\u{301}".repeat(9))));
        assert!(!has_many_marks(&"a\u{301}\u{302}".repeat(9)));
    }
}
