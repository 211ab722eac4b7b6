//! The Monitor by rules: a function begins with the first step after one that ended, and ends when
//! the test is back where the function began, or after so many steps.

use serde_json::json;

use super::account::{self, Step};
use super::section;

/// Steps after which a function counts as over, wherever it is.
const MOST_STEPS: usize = 8;

/// Steps on one page that make a function.
const ENOUGH_STEPS: usize = 3;

pub fn answer(text: &str) -> String {
    let under_way = section(text, "Function under way");
    let last = account::read(section(text, "Last steps"));
    let mut steps = account::read(under_way);
    let runs = !steps.is_empty();
    steps.extend(last.iter().cloned());
    let name = match (runs, steps.first()) {
        (true, _) => under_way.lines().next().unwrap_or_default().to_owned(),
        (false, Some(first)) => name(first),
        (false, None) => "nothing".to_owned(),
    };
    let informative = last.iter().any(|step| !step.after.nothing && !step.after.failed);
    let page = steps.last().map_or(0, |step| step.after.page);
    json!({
        "page": format!("page {page}"),
        "function": name,
        "new_function": !runs,
        "finished": is_finished(&steps),
        "informative": informative,
    })
    .to_string()
}

/// `click "Save"`, after its introduction.
fn name(first: &Step) -> String {
    let on = match (&first.on.label, &first.on.id) {
        (label, _) if !label.is_empty() => label.clone(),
        (_, id) if !id.is_empty() => id.clone(),
        _ => first.on.class.clone(),
    };
    format!("{} {on}", first.action).trim_end().to_owned()
}

fn is_finished(steps: &[Step]) -> bool {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return false };
    let back = last.after.page == first.page && !last.after.stayed;
    let enough = last.after.page == first.page && steps.len() >= ENOUGH_STEPS && last.action != "type";
    back || enough || steps.len() >= MOST_STEPS && last.action != "type"
}
