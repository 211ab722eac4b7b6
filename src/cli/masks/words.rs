//! Masks in words.

use super::again::{Again, Case};
use super::catalogue::{Catalogue, Entry, State};
use droidmux_record::Slot;
use droidmux_words::printable;

pub(super) fn of(catalogue: &Catalogue, again: Option<&Again>) -> String {
    let masks = catalogue.masks();
    let mut lines: Vec<String> = masks.iter().flat_map(|entry| entry_lines(entry)).collect();
    if masks.is_empty() {
        lines.push(format!("no masks in {}", catalogue.session));
    }
    lines.extend(again.into_iter().flat_map(again_lines));
    lines.iter().map(|line| printable(line).into_owned() + "\n").collect()
}

fn entry_lines(entry: &Entry) -> [String; 2] {
    let state = match (entry.state, entry.jobs) {
        (State::Found, 1) => "found in 1 job".to_owned(),
        (State::Found, jobs) => format!("found in {jobs} jobs"),
        (State::Added, _) => "added by hand".to_owned(),
        (State::Removed, _) => "taken away by hand".to_owned(),
    };
    let mask = &entry.mask;
    let fields = [
        ("activity", &mask.activity),
        ("class", &mask.class),
        ("resource-id", &mask.resource_id),
        ("description", &mask.description),
        ("path", &mask.path),
    ];
    let told = fields.into_iter().filter(|(_, value)| !value.is_empty());
    let told: Vec<String> = told.map(|(field, value)| format!("{field}={value}")).collect();
    let shown = match (mask.example.0.as_str(), mask.example.1.as_str()) {
        ("", "") => String::new(),
        (text, "") => format!("  {text:?}"),
        (one, other) => format!("  {one:?} then {other:?}"),
    };
    [format!("{}  {state}{shown}", entry.id), format!("  {}", told.join(" "))]
}

fn again_lines(again: &Again) -> Vec<String> {
    let mut lines =
        vec![format!("judged again: {} violations, {} with these masks", again.violations, again.now)];
    let case =
        |word: &str, case: &Case| format!("  {word}  {} test {}: {}", Slot(case.job), case.test, case.title);
    lines.extend(again.gone.iter().map(|gone| case("gone", gone)));
    lines.extend(again.come.iter().map(|come| case("new ", come)));
    lines
}
