//! The Detector by rules: some things that no function of any app does, inferred from the account alone.
//!
//! Each rule needs the whole story in the steps it is shown, and stays silent when the account was cut, or the screen
//! was scrolled or turned. What the rules cannot see: anything that shows only in pixels, in a meaning, in an order, in
//! a wrong number, or in what is missing from the screen.

use serde_json::json;

use super::account::{self, After, Step};
use super::line::{Named, unquoted};
use super::section;

/// What a rule objects to.
struct Bug {
    /// Numbers of the step after which it shows, and of the step that triggers it.
    shows: usize,
    trigger: usize,
    widget: Named,
    expected: String,
    actual: String,
}

/// A text that was typed on a page that was then left without saving.
struct Dropped {
    text: String,
    page: usize,
}

pub fn answer(text: &str) -> String {
    let steps = account::read(section(text, "Steps"));
    let dropped = dropped(section(text, "Texts typed and dropped"));
    let moved = steps.iter().any(|step| step.action.starts_with("scroll") || step.action == "rotate");
    let rules: [fn(&[Step]) -> Option<Bug>; 8] = [
        wrong_row_gone,
        several_rows_gone,
        wrong_row_changed,
        not_listed,
        listed_twice,
        not_changed,
        lost_by_looking,
        switched_by_itself,
    ];
    let by_steps = || rules.iter().find_map(|rule| rule(&steps));
    let found = if moved { None } else { by_steps() };
    let found = found.or_else(|| dead_switch(&steps)).or_else(|| came_up(&steps, &dropped));
    reply(section(text, "Function\n").lines().next().unwrap_or_default(), &steps, found)
}

fn reply(function: &str, steps: &[Step], bug: Option<Bug>) -> String {
    let told = |step: &Step| format!("{} {}", step.action, step.on.words()).trim_end().to_owned();
    let mut expected: Vec<String> = steps.iter().map(told).collect();
    let mut actual = expected.clone();
    let mut shows = None;
    let mut trigger = None;
    let mut widget = None;
    let mut reasoning = "nothing in the steps contradicts another".to_owned();
    if let Some(bug) = &bug {
        expected.push(bug.expected.clone());
        actual.push(bug.actual.clone());
        (shows, trigger, widget) = (Some(bug.shows), Some(bug.trigger), Some(bug.widget.words()));
        reasoning = format!("{}, but {}", bug.expected, bug.actual);
    }
    let wrong: Vec<_> = steps
        .iter()
        .filter(|step| step.after.failed)
        .map(|step| json!({"step": step.number, "why": "it could not be done; choose what is on the screen"}))
        .collect();
    json!({
        "function": function,
        "expected": expected,
        "actual": actual,
        "meets_expectations": bug.is_none(),
        "shows_after_step": shows,
        "widget": widget,
        "trigger_step": trigger,
        "reasoning": reasoning,
        "wrong_operations": wrong,
    })
    .to_string()
}

/// `"Amber11" at step 4 on page 2`
fn dropped(text: &str) -> Vec<Dropped> {
    let line = |line: &str| {
        let (text, rest) = line.rsplit_once(" at step ")?;
        let (_, page) = rest.rsplit_once(" on page ")?;
        Some(Dropped { text: unquoted(text), page: page.trim().parse().ok()? })
    };
    text.lines().filter_map(line).collect()
}

/// An action on a row that goes only through dialogs and ends on the row's page again: the step on the row, and the
/// step that ended it.
fn through_dialogs(steps: &[Step]) -> impl Iterator<Item = (&Step, &Step)> {
    steps.iter().enumerate().filter_map(|(at, on_row)| {
        on_row.on.row.as_ref().filter(|_| on_row.after.dialog && on_row.action != "type")?;
        let rest = steps.get(at + 1..)?;
        let inside = rest.iter().take_while(|step| step.after.dialog).count();
        let end = rest.get(inside).filter(|end| end.action == "click" && end.after.page == on_row.page)?;
        let clicks = rest.iter().take(inside).all(|step| step.action == "click");
        // A menu may do anything: move, sort, open.
        let confirmed = end.on.is_last_button();
        (clicks && confirmed && !end.after.cut && since(end, on_row)).then_some((on_row, end))
    })
}

/// Whether it is the Up button: it saves nothing.
fn leads_up(on: &Named) -> bool {
    on.has("top left")
}

/// Whether the changes after a step are relative to the moment right before an earlier one.
fn since(step: &Step, earlier: &Step) -> bool {
    step.after.seen_after.is_some_and(|seen| seen + 1 >= earlier.number)
}

/// The row deleted is the row chosen.
fn wrong_row_gone(steps: &[Step]) -> Option<Bug> {
    through_dialogs(steps).find_map(|(on_row, end)| {
        let (row, _, list) = on_row.on.row.as_ref()?;
        let gone = end.after.gone_rows(list);
        let other = end.after.gone.iter().find(|named| {
            let elsewhere = named.row.as_ref().is_some_and(|(number, _, of)| of == list && number != row);
            elsewhere && named.kind() == on_row.on.kind() && named.label != on_row.on.label
        })?;
        // Rows that moved up may be reported as changed, and another one as gone.
        let moved = |old: &String| !old.is_empty() && on_row.on.label.contains(old.as_str());
        let told_apart = !end.after.changed.iter().any(|(_, old, _)| moved(old));
        (told_apart && !gone.contains(row) && gone.len() == 1).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: on_row.on.clone(),
            expected: format!("{} goes, on which the action was", on_row.on.words()),
            actual: format!("{} went instead", other.words()),
        })
    })
}

/// One row chosen, one row deleted.
fn several_rows_gone(steps: &[Step]) -> Option<Bug> {
    through_dialogs(steps).find_map(|(on_row, end)| {
        let (row, _, list) = on_row.on.row.as_ref()?;
        let gone = end.after.gone_rows(list);
        let left =
            end.after.rows.iter().find(|(of, _, _)| of == list).map(|(_, before, after)| (*before, *after));
        let (before, after) = left?;
        let other = end
            .after
            .gone
            .iter()
            .find(|named| named.row.as_ref().is_some_and(|(n, _, of)| of == list && n != row))?;
        (gone.contains(row) && after > 0 && before >= after + 2).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: on_row.on.clone(),
            expected: format!("only {} goes, on which the action was", on_row.on.words()),
            actual: format!("{} rows went, among them {}", before - after, other.words()),
        })
    })
}

/// A form: texts typed on one page, and the click on a last button that leaves it for a page that was seen before.
/// Returns the typing steps and the click.
fn forms(steps: &[Step]) -> impl Iterator<Item = (Vec<&Step>, &Step)> {
    steps.iter().enumerate().filter_map(|(at, end)| {
        let typed: Vec<&Step> =
            steps.get(..at)?.iter().rev().take_while(|step| step.action == "type").collect();
        let all_told = typed.iter().all(|step| !step.text.trim().is_empty() && step.page == end.page);
        let saved = end.action == "click" && end.on.is_last_button() && !leads_up(&end.on);
        let back = end.after.seen_after.is_some() && !end.after.stayed && !end.after.dialog && !end.after.cut;
        (!typed.is_empty() && all_told && saved && back).then_some((typed, end))
    })
}

/// What was opened from a row and changed is changed in that row.
fn wrong_row_changed(steps: &[Step]) -> Option<Bug> {
    forms(steps).find_map(|(typed, end)| {
        let opened =
            steps.iter().rev().find(|step| step.number < end.number && step.page == end.after.page)?;
        let (row, _, list) = opened.on.row.as_ref()?;
        let text = &typed.first()?.text;
        let (widget, old, _) = end.after.changed.iter().find(|(widget, _, new)| {
            new == text && widget.row.as_ref().is_some_and(|(number, _, of)| of == list && number != row)
        })?;
        // In a list that is re-sorted, other rows change, too.
        (since(end, opened) && end.after.changes_in(list) == 1).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: Named { label: text.clone(), ..widget.clone() },
            expected: format!("row {row} shows the text typed for it"),
            actual: format!("the row of {} changed", super::line::quoted(old)),
        })
    })
}

/// What was typed and saved appears in the row that it created.
fn not_listed(steps: &[Step]) -> Option<Bug> {
    forms(steps).find_map(|(typed, end)| {
        let (list, _, _) = end.after.rows.iter().find(|(_, before, after)| *after == before + 1)?;
        let shown = typed.iter().any(|step| end.after.shows(&step.text));
        let row = end.after.new.iter().find(|named| named.row.as_ref().is_some_and(|(_, _, of)| of == list));
        let labelled = row.filter(|row| !row.label.is_empty())?;
        (!shown).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: labelled.clone(),
            expected: format!(
                "the new row shows {}",
                super::line::quoted(typed.first().map_or("", |s| &s.text))
            ),
            actual: format!("it shows {}", labelled.words()),
        })
    })
}

/// What was saved once appears once.
fn listed_twice(steps: &[Step]) -> Option<Bug> {
    forms(steps).find_map(|(typed, end)| {
        let (list, _, _) = end.after.rows.iter().find(|(_, before, after)| *after == before + 2)?;
        let with_text = |text: &str| -> Vec<&Named> {
            let in_list = |named: &&Named| named.row.as_ref().is_some_and(|(_, _, of)| of == list);
            end.after.new.iter().filter(in_list).filter(|named| named.label == text).collect()
        };
        let twins = typed.iter().map(|step| with_text(&step.text)).find(|twins| twins.len() == 2)?;
        let one = twins.first().filter(|one| twins.iter().all(|other| other.kind() == one.kind()))?;
        Some(Bug {
            shows: end.number,
            trigger: end.number,
            widget: (*one).clone(),
            expected: "one new row".into(),
            actual: format!("two with {}", one.words()),
        })
    })
}

/// A text that was replaced and saved is no longer shown.
fn not_changed(steps: &[Step]) -> Option<Bug> {
    forms(steps).find_map(|(typed, end)| {
        let step = typed.iter().find(|step| {
            let held = step.on.value("held").unwrap_or_default();
            !held.is_empty() && held != step.text && end.after.shows(&held) && !end.after.shows(&step.text)
        })?;
        let held = step.on.value("held")?;
        end.after.nothing.then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: Named { label: held.clone(), ..Named::default() },
            expected: format!("{} is shown, which was typed and saved", super::line::quoted(&step.text)),
            actual: format!("{} is still shown", super::line::quoted(&held)),
        })
    })
}

/// A page that was left for a look at another one and returned to: the step that left, and the one back.
fn looks(steps: &[Step]) -> impl Iterator<Item = (&Step, &After, usize)> {
    steps.windows(2).filter_map(|pair| {
        let [away, back] = pair else { return None };
        let left = away.action == "click" && !away.after.stayed && !away.after.dialog && away.after.page != 0;
        let returned = (back.action == "back" || leads_up(&back.on))
            && back.after.page == away.page
            && !back.after.stayed;
        (left && returned && since(back, away)).then_some((away, &back.after, back.number))
    })
}

/// Looking at something removes nothing; it may add something to what was looked at last.
fn lost_by_looking(steps: &[Step]) -> Option<Bug> {
    looks(steps).find_map(|(away, after, number)| {
        let (list, before, now) = after.rows.iter().find(|(_, before, now)| now < before)?;
        let row = |named: &&Named| named.row.as_ref().is_some_and(|(_, _, of)| of == list);
        let widget = after.gone.iter().chain(&after.new).find(row).cloned().unwrap_or_default();
        Some(Bug {
            shows: number,
            trigger: away.number,
            widget,
            expected: format!("{list} has {before} rows as before, since nothing was done but looking"),
            actual: format!("it has {now}"),
        })
    })
}

/// A switched setting stays so while one looks elsewhere.
fn switched_by_itself(steps: &[Step]) -> Option<Bug> {
    looks(steps).find_map(|(away, after, number)| {
        let widget = after.switched.iter().find(|named| !named.class.contains("Radio"))?;
        Some(Bug {
            shows: number,
            trigger: away.number,
            widget: widget.clone(),
            expected: format!("{} is as it was, since nobody touched it", widget.words()),
            actual: "it is switched over".into(),
        })
    })
}

/// A switch switches.
fn dead_switch(steps: &[Step]) -> Option<Bug> {
    let is_switch = |named: &Named| {
        ["Switch", "CheckBox", "ToggleButton"].iter().any(|class| named.class.ends_with(class))
    };
    let dead = |step: &&Step| {
        step.action == "click" && is_switch(&step.on) && step.after.stayed && step.after.nothing
    };
    steps.iter().find(dead).map(|step| Bug {
        shows: step.number,
        trigger: step.number,
        widget: step.on.clone(),
        expected: format!("{} is switched over", step.on.words()),
        actual: "nothing changed".into(),
    })
}

/// A text that was typed and not saved is gone.
fn came_up(steps: &[Step], dropped: &[Dropped]) -> Option<Bug> {
    steps.iter().find_map(|step| {
        let up = dropped.iter().find(|dropped| {
            let elsewhere = step.after.page != dropped.page && !step.after.dialog;
            let typed_again = steps.iter().any(|other| other.text == dropped.text);
            elsewhere && !typed_again && step.after.shows(&dropped.text)
        })?;
        Some(Bug {
            shows: step.number,
            trigger: step.number,
            widget: Named { label: up.text.clone(), ..Named::default() },
            expected: format!(
                "{} is nowhere, since it was typed and never saved",
                super::line::quoted(&up.text)
            ),
            actual: "it is shown here".into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Opens a form from page 1, types into it, and saves; `after` is what is shown then.
    fn saved(after: &str) -> String {
        format!(
            "step 1: click Button \"Add\" #add | button 1 of 1 on page 1\n  came to page 2, a new page of \"A\"\n\
             step 2: type \"Amber1\" into EditText #name | held \"Tea\" on page 2\n  stayed on page 2\n\
             step 3: click Button \"Save\" #save | button 2 of 2 on page 2\n  \
             came to page 1, a page of \"A\" seen after step 0\n{after}"
        )
    }

    /// Deletes the second of three rows through a dialog.
    fn deleted(after: &str) -> String {
        format!(
            "step 4: long-click LinearLayout \"Milk\" #row | row 2 of 3 in #list on page 1\n  \
             came to page 3, a new dialog of \"A\"\n\
             step 5: click Button \"Yes\" #button1 | button 2 of 2 on page 3\n  \
             came to page 1, a page of \"A\" seen after step 3\n{after}"
        )
    }

    /// Goes to another page and back.
    fn looked(after: &str) -> String {
        format!(
            "step 7: click Button #open | button 1 of 1 on page 1\n  came to page 4, a new page of \"B\"\n\
             step 8: back on page 4\n  came to page 1, a page of \"A\" seen after step 6\n{after}"
        )
    }

    #[test]
    fn what_no_app_should_do_and_what_any_may() {
        let cases = [
            ("a row without the text", saved("  rows: #list 2 -> 3\n  new: TextView \"\" #x\n  new: TextView \"Cup\" #title | row 3 of 3 in #list"), true),
            ("a row with it", saved("  rows: #list 2 -> 3\n  new: TextView \"Amber1\" #title | row 3 of 3 in #list\n  typed text \"Amber1\" is shown 1 times"), false),
            ("no list at all", saved("  nothing changed"), false),
            ("still the old text", saved("  nothing changed\n  typed text \"Tea\" is shown 1 times"), true),
            ("twice", saved("  rows: #list 2 -> 4\n  new: TextView \"Amber1\" #title | row 3 of 4 in #list\n  new: TextView \"Amber1\" #title | row 4 of 4 in #list\n  typed text \"Amber1\" is shown 2 times"), true),
            ("an account that was cut", saved("  rows: #list 2 -> 3\n  new: TextView \"Cup\" #title | row 3 of 3 in #list\n  and 4 more"), false),
            ("the row itself", deleted("  rows: #list 3 -> 2\n  gone: LinearLayout \"Milk\" #row | row 2 of 3 in #list"), false),
            ("another row", deleted("  rows: #list 3 -> 2\n  gone: LinearLayout \"Tea\" #row | row 1 of 3 in #list"), true),
            ("rows that moved up", deleted("  rows: #list 3 -> 2\n  changed: TextView #title \"Milk\" -> \"Rye\" | row 2 of 2 in #list\n  gone: LinearLayout \"Rye\" #row | row 3 of 3 in #list"), false),
            ("more rows", deleted("  rows: #list 3 -> 1\n  gone: LinearLayout \"Milk\" #row | row 2 of 3 in #list\n  gone: LinearLayout \"Rye\" #row | row 3 of 3 in #list"), true),
            ("all rows", deleted("  rows: #list 3 -> 0\n  gone: LinearLayout \"Milk\" #row | row 2 of 3 in #list"), false),
            ("nothing by looking", looked("  nothing changed"), false),
            ("a row by looking", looked("  rows: #list 3 -> 2\n  gone: TextView \"Milk\" #title | row 2 of 3 in #list"), true),
            ("a switch by looking", looked("  unchecked: Switch \"Wifi\" #wifi"), true),
            ("a dead switch", "step 1: click Switch \"Wifi\" #wifi on page 1\n  stayed on page 1\n  nothing changed".into(), true),
            ("a live switch", "step 1: click Switch \"Wifi\" #wifi on page 1\n  stayed on page 1\n  checked: Switch \"Wifi\" #wifi".into(), false),
            ("nothing", String::new(), false),
        ];
        for (what, steps, bug) in cases {
            let text = format!("## Function\nadd\n\n## Steps\n{steps}\n\n## Other\nx");
            let reply: Value = serde_json::from_str(&answer(&text)).expect("JSON");
            assert_eq!(reply["meets_expectations"], Value::Bool(!bug), "{what}: {reply:#}");
        }
        let came_up = "## Texts typed and dropped before: the page was left without saving\n\"Dune9\" at step 3 on page 2\n\n\
                       ## Steps\nstep 9: click Button #open on page 1\n  came to page 5, a new page of \"C\"\n  \
                       typed text \"Dune9\" is shown 1 times";
        assert!(answer(came_up).contains("\"meets_expectations\":false"));
    }
}
