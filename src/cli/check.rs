//! `droidmux check DIR`: an oracle on traces recorded elsewhere, without a device.

mod checked;
mod dates;
mod effects;
mod json;
mod screens;
mod text;

#[cfg(test)]
pub(crate) use json::CheckedJson;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use thiserror::Error;

use super::exit::FOUND;
use super::fields::{FieldError, read_fields};
use super::output::{json_block, print};
use super::recording::FormatName;
use super::relations::{Relations, relations};
use checked::{Checked, Settings};
use droidmux_gui::EffectForm;
use droidmux_record::IgnoreRule;

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The folder the tool wrote its recording to
    dir: PathBuf,
    /// Which tool made the recording
    #[arg(long, value_enum)]
    format: FormatName,
    /// Leave out widgets that show a date, a time or a duration
    #[arg(long)]
    mask_dates: bool,
    /// Leave out matching widgets, e.g. `resource-id=*_label,activity=*Main*`; fields: activity,
    /// class, resource-id, description, text; `*` is any run of characters; may be repeated
    #[arg(long, value_name = "RULE", value_parser = rule)]
    ignore: Vec<IgnoreRule>,
    /// How effects are taken: by tree edit distance, or as sets of widgets
    #[arg(long, value_enum, default_value = "tree")]
    effects: EffectFormName,
    /// Relations between the screens of a trace that are judged, too: names with commas between them, all, or none
    #[arg(long, value_name = "NAMES", value_parser = relations, default_value = "all")]
    relations: Relations,
    /// JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EffectFormName {
    Tree,
    Sets,
}

/// Reads the recording, judges every mutant in it and the screens of every trace, mines the model, and reports the
/// results. Exit code 1 when an oracle found something.
///
/// # Errors
///
/// When the recording cannot be read, or standard output cannot be written.
pub fn run(args: CheckArgs) -> color_eyre::Result<ExitCode> {
    let recording = args.format.read(&args.dir)?;
    let effects = match args.effects {
        EffectFormName::Tree => EffectForm::Tree,
        EffectFormName::Sets => EffectForm::Sets,
    };
    let settings =
        Settings { mask_dates: args.mask_dates, ignore: args.ignore, effects, relations: args.relations };
    let checked = Checked::new(recording, settings);
    print(&if args.json { json_block(&json::of(&checked)) } else { text::of(&checked) })?;
    Ok(if checked.found_something() { ExitCode::from(FOUND) } else { ExitCode::SUCCESS })
}

/// Why a rule cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum RuleError {
    #[error("the rule would match everything")]
    Everything,
    #[error(transparent)]
    Fields(#[from] FieldError),
}

/// Reads `field=pattern,field=pattern`.
fn rule(text: &str) -> Result<IgnoreRule, RuleError> {
    let mut rule = IgnoreRule::default();
    let fields = &mut [
        ("activity", &mut rule.activity),
        ("class", &mut rule.class),
        ("resource-id", &mut rule.resource_id),
        ("description", &mut rule.description),
        ("text", &mut rule.text),
    ];
    read_fields(text, fields)?;
    if rule.is_empty() { Err(RuleError::Everything) } else { Ok(rule) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let read = rule("resource-id=*_label,text=a=b").expect("rule");
        assert_eq!((read.resource_id.as_str(), read.text.as_str()), ("*_label", "a=b"));
        let cases = [
            ("label", "`label` is not of the form field=value"),
            ("id=x", "`id` is no field; there are activity, class, resource-id, description and text"),
            ("text=", "the rule would match everything"),
        ];
        for (text, expected) in cases {
            assert_eq!(rule(text).expect_err(text).to_string(), expected);
        }
    }
}
