//! The example made from a finding of the store.

use crate::Usage;
use droidmux_record::{Example, Finding};
use droidmux_store::Store;
use droidmux_technique::lesson;

/// The lesson of a confirmed finding.
///
/// # Errors
/// `Usage` when nobody confirmed the finding, or when its test is not stored or typed no open text.
pub(super) fn example(store: &Store, finding: &Finding) -> color_eyre::Result<Example> {
    let id = &finding.id;
    if !finding.is_believed() {
        let why = format!("{id} is not confirmed; if it is a bug: `droidmux findings {id} --mark true`");
        return Err(Usage::new(why).into());
    }
    let unstored = || Usage::new(format!("the test that found {id} is not stored")).hint("give its fields");
    let run = store.run(id.session, finding.verdict.slot)?.ok_or_else(unstored)?;
    let typed_none = || Usage::new(format!("the test that found {id} typed no open text"));
    Ok(lesson(finding, &run, store).ok_or_else(typed_none)?)
}
