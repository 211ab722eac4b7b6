//! Search: the label of a row that is shown, typed into the search of its page, finds the row.
//!
//! That a search looks at the labels of a page's rows is a claim about the field and this kind of row: headings, links
//! and suggestions stand in lists, too, and no search finds them. It is silent until the search has done something (the
//! rows differ from those before, or it was started by a button or the enter key), while the page loads, when the
//! results are longer than the screen, when anything but opening the search came between, and when the field took a
//! different text than was typed.
//!
//! ```text
//! milk                              [ milk ]
//! bread   ──search for 'milk'──▶    Nothing found      The search for 'milk' does not find 'milk'.
//! ```

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::LOOSE;
use droidmux_gui::{Event, EventKind};
use droidmux_record::{Claim, Harm, Held};
use droidmux_words::folded;

pub static SEARCH: Relation = Relation {
    name: "search",
    assumes: "where a search found other rows of this kind, it finds each of them",
    silent_when: "it hardly ever found rows of this kind; something else was done between; the search was not started, \
                  or its results go on below the screen",
    judge,
};

/// The shortest label that is looked for, in letters.
const FEWEST: usize = 2;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let edits = trail.steps().filter(|(_, _, event, _)| event.kind == EventKind::Edit);
    let asked = edits.filter_map(|(number, _, event, after)| Asked::of(trail, number, event, after));
    asked.filter_map(|asked| asked.says()).collect()
}

/// A label that was typed into the search of its page.
struct Asked<'t, 'a> {
    trail: &'t Trail<'a>,
    /// The shot that shows the row, and the first with the text in the field.
    numbers: (usize, usize),
    /// The list with the row and the row's number.
    list: &'t str,
    row: (usize, usize),
    label: &'t str,
    /// The key of the field, and what it holds.
    field: &'t str,
    text: &'t str,
}

impl<'t, 'a> Asked<'t, 'a> {
    fn of(trail: &'t Trail<'a>, number: usize, event: &Event, after: &'t Shot<'a>) -> Option<Self> {
        let text = event.data.as_deref()?.trim();
        let before = trail.shot(number - 1)?;
        let field = before.look().fields.iter().find(|field| Some(field.widget) == after.receiver)?;
        let took = after.look().fields.iter().find(|other| other.key == field.key)?;
        if !field.is_search
            || took.text != text
            || text.chars().filter(|c| c.is_alphanumeric()).count() < FEWEST
        {
            return None;
        }
        // Back over the opening of the search, to the page as it was.
        let mut shown = number - 1;
        let shows = |shot: &Shot<'_>| {
            shot.shows_page() && shot.look().search().is_none_or(|field| field.text.is_empty())
        };
        while !shows(trail.shot(shown)?) || find(trail.shot(shown)?, text).is_none() {
            let step = trail.shot(shown)?;
            // Other rows in between are those of another page.
            if !step.lists().is_empty() && find(step, text).is_none() {
                return None;
            }
            if !opens_search(trail, shown) || step.seen.screen.activity != before.seen.screen.activity {
                return None;
            }
            shown = shown.checked_sub(1)?;
        }
        let page = trail.shot(shown)?;
        let is_page = page.seen.screen.activity == after.seen.screen.activity && after.shows_page();
        let row = find(page, text)?;
        let list = page.lists().get(row.0)?;
        let label = &page.row(row.0, row.1)?.label;
        is_page.then_some(Self {
            trail,
            numbers: (shown, number),
            list: &list.id,
            row,
            label,
            field: &took.key,
            text: &took.text,
        })
    }

    fn says(&self) -> Option<Said> {
        let (shown, _) = self.numbers;
        let page = self.trail.shot(shown)?;
        let (number, result) = self.result()?;
        let row = page.row(self.row.0, self.row.1)?;
        // Headings and links differ from rows of data by their class or id.
        let about = fingerprint(&[SEARCH.name, &page.seen.screen.activity, self.list, &row.kind, self.field]);
        let finds = result.lists().iter().any(|list| {
            list.rows.iter().any(|row| {
                is(&row.label, self.label) || row.cells.iter().any(|cell| is(&cell.text, self.label))
            })
        });
        if finds {
            let object = fingerprint(&[self.label]);
            return Some(Said::Held(Held::new(SEARCH.name, about, object)));
        }
        if !result.lists().iter().all(|list| list.complete) {
            return None;
        }
        let label = quoted(self.label);
        let sentence = format!("The search for {label} does not find {label}, which the page shows.");
        let claim = Claim::new(SEARCH.name, about, LOOSE);
        Some(Said::Broken(Box::new(Break {
            cause: Cause::Own,
            page: self.trail.page_name(shown),
            list: self.list.to_owned(),
            event: self.trail.shot(number).map_or(EventKind::Edit, Shot::kind),
            what: "not found".into(),
            expected: format!("the search of the page finds {label}, which it shows"),
            found: sentence.clone(),
            sentence,
            shots: (shown, number),
            widgets: (row.note(page.layout()), Vec::new()),
            claim: Some(claim),
            harm: Harm::LostFunction,
            slight: false,
        })))
    }

    /// The first shot on which the search has done something, with its number.
    fn result(&self) -> Option<(usize, &'t Shot<'a>)> {
        let (_, asked) = self.numbers;
        let before = self.trail.shot(asked - 1)?;
        for (number, shot) in self.trail.shots().iter().enumerate().skip(asked) {
            let fields = &shot.look().fields;
            let keeps = fields.iter().all(|field| field.key != self.field || field.text == self.text);
            let is_there = !shot.lists().is_empty() || fields.iter().any(|field| field.key == self.field);
            let started = number > asked && self.starts(number);
            let waits = matches!(shot.kind(), EventKind::Wait | EventKind::Rotate);
            if !keeps || !is_there || (number > asked && !started && !waits) {
                return None;
            }
            let rows = |shot: &Shot<'_>| {
                shot.lists().iter().map(|list| list.labels().join("\n")).collect::<Vec<_>>()
            };
            let reacted = !rows(before).is_empty() && rows(shot) != rows(before);
            if shot.shows_page() && (reacted || started) {
                return Some((number, shot));
            }
            if started && !shot.look().loading {
                return None;
            }
        }
        None
    }

    /// The enter key, or a button beside the field: no row, and nothing that empties the field.
    fn starts(&self, number: usize) -> bool {
        let Some(shot) = self.trail.shot(number) else { return false };
        match (shot.kind(), shot.receiver.zip(self.trail.shot(number - 1))) {
            (EventKind::Enter, _) => true,
            (EventKind::Click, Some((receiver, before))) => {
                let is_search = super::words::says(&before.word(receiver), super::words::Meaning::Search);
                before.row_with(receiver).is_none() && is_search
            }
            _ => false,
        }
    }
}

/// Whether the event that led to a shot does no more than open a search or move about: a touch on no row and in no
/// window.
fn opens_search(trail: &Trail<'_>, number: usize) -> bool {
    let (Some(shot), Some(before)) =
        (trail.shot(number), number.checked_sub(1).and_then(|before| trail.shot(before)))
    else {
        return false;
    };
    match shot.kind() {
        EventKind::Click => {
            let outside = |receiver| before.row_with(receiver).is_none();
            shot.receiver.is_some_and(outside)
                && !before.is_covered()
                && before.look().toggles == shot.look().toggles
        }
        EventKind::Wait | EventKind::Rotate | EventKind::Scroll(_) => true,
        _ => false,
    }
}

/// The row of this label.
fn find(shot: &Shot<'_>, label: &str) -> Option<(usize, usize)> {
    let mut lists = shot.lists().iter().enumerate();
    lists.find_map(|(number, list)| Some((number, list.rows.iter().position(|row| is(&row.label, label))?)))
}

/// The same label, whatever its case.
fn is(a: &str, b: &str) -> bool {
    folded(a.trim()) == folded(b.trim())
}

#[cfg(test)]
#[path = "search_field_tests.rs"]
mod tests;
