//! The Monitor by rules: a function begins with the first step after one that ended, and ends when
//! the test is back where the function began, or after so many steps.

use serde_json::{Value, json};

use crate::visiondroid::chronicle::Chronicle;
use crate::visiondroid::step::Step;
use droidmux_gui::{EventKind, short_class, short_id};

/// Steps after which a function counts as over, wherever it is.
const MOST_STEPS: usize = 8;

/// Steps on one page that make a function.
const ENOUGH_STEPS: usize = 3;

/// What is said of the steps that the Monitor has not spoken of.
pub(super) fn remark(chronicle: &Chronicle) -> Value {
    let untold = *chronicle.untold().start();
    let first = chronicle.open().map_or(untold, |open| open.first);
    let steps = chronicle.steps.get(first.saturating_sub(1)..).unwrap_or_default();
    let last = chronicle.steps.get(untold.saturating_sub(1)..).unwrap_or_default();
    let name = match (chronicle.open(), steps.first()) {
        (Some(open), _) => open.name.clone(),
        (None, Some(first)) => name(first),
        (None, None) => "nothing".to_owned(),
    };
    let page = chronicle.here().map_or(0, |here| here.page);
    json!({
        "page": format!("page {}", page + 1),
        "function": name,
        "new_function": chronicle.open().is_none(),
        "finished": is_finished(steps, page),
        "informative": last.iter().any(|step| !step.failed() && !step.did_nothing()),
    })
}

/// `click Save`, after its introduction.
fn name(first: &Step) -> String {
    let on = first.event.receiver.as_ref().map(|on| {
        let said = [on.text.as_str(), &on.description, short_id(&on.resource_id)];
        said.into_iter().find(|said| !said.is_empty()).unwrap_or(short_class(&on.class))
    });
    format!("{} {}", first.kind.name(), on.unwrap_or_default()).trim_end().to_owned()
}

fn is_finished(steps: &[Step], page: usize) -> bool {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return false };
    let types = last.kind == EventKind::Edit;
    let back = page == first.page && !last.stayed;
    let enough = page == first.page && steps.len() >= ENOUGH_STEPS && !types;
    back || enough || steps.len() >= MOST_STEPS && !types
}
