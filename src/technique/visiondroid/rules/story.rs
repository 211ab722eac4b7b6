//! Things that no function of any app does.
//!
//! Each rule needs the whole story in the steps of the function. What the rules cannot see: anything that shows only in
//! pixels, in a meaning, in an order, in a wrong number, or in what is missing from the screen.

use super::deed::{Deed, Deeds, holders, list, switches, without};
use super::opinion::Bug;
use crate::visiondroid::phrase;
use droidmux_account::look::shows_hint;
use droidmux_account::quote::quoted;
use droidmux_account::row::Row;
use droidmux_gui::{Flags, Widget};

/// The rules that compare rows: none of them holds where something was scrolled.
pub(super) fn by_rows(deeds: &Deeds<'_>) -> Option<Bug> {
    let rules: [fn(&Deeds<'_>) -> Option<Bug>; 7] = [
        rows_gone,
        wrong_row_changed,
        not_listed,
        listed_twice,
        not_changed,
        lost_by_looking,
        switched_by_itself,
    ];
    rules.iter().find_map(|rule| rule(deeds))
}

/// An action on a row that goes only through dialogs and ends on the row's page again: the step on the row, and the
/// step that ended it.
fn through_dialogs<'a>(deeds: &'a Deeds<'a>) -> impl Iterator<Item = (Deed<'a>, Deed<'a>)> {
    deeds.all().filter_map(|on_row| {
        on_row.on_row().filter(|_| on_row.opens_window() && !on_row.types())?;
        let mut end = deeds.deed(on_row.number + 1)?;
        while end.opens_window() && end.clicks() {
            end = deeds.deed(end.number + 1)?;
        }
        // A menu may do anything: move, sort, open.
        let ends = end.confirms() && end.to() == on_row.step.page && end.returns_to_before(&on_row);
        ends.then_some((on_row, end))
    })
}

/// The row deleted is the row chosen, and no other is; or the part of it that was chosen.
fn rows_gone(deeds: &Deeds<'_>) -> Option<Bug> {
    through_dialogs(deeds).find_map(|(on_row, end)| {
        let row = on_row.on_row()?;
        let before = holders(on_row.before, row.list, row.on);
        let after = holders(end.after, row.list, row.on);
        if before.iter().filter(|label| **label == row.label).count() != 1 || after.is_empty() {
            return None;
        }
        let (gone, came) = (without(&before, &after), without(&after, &before));
        let others: Vec<String> =
            gone.iter().filter(|label| **label != row.label).map(|label| quoted(label)).collect();
        let other = others.first().filter(|_| came.is_empty())?;
        let words = on_row.on_words();
        let (expected, actual) = if gone.contains(&row.label) {
            let more = format!("{} went, among them that of {other}", gone.len());
            (format!("only {words} goes, on which the action was"), more)
        } else if gone.len() == 1 {
            (format!("{words} goes, on which the action was"), format!("that of {other} went instead"))
        } else {
            return None;
        };
        Some(Bug { shows: end.number, trigger: end.number, widget: words, expected, actual })
    })
}

/// A form: texts typed on one page, and the click on what confirms them, which leaves it for a page that was seen
/// before. The typing steps, the last one first, and the click.
fn forms<'a>(deeds: &'a Deeds<'a>) -> impl Iterator<Item = (Vec<Deed<'a>>, Deed<'a>)> {
    deeds.all().filter_map(|end| {
        let before = (deeds.first..end.number).rev().map_while(|number| deeds.deed(number));
        let typed: Vec<Deed<'a>> = before.take_while(Deed::types).collect();
        let text = |deed: &Deed<'_>| !text(deed).is_empty() && deed.step.page == end.step.page;
        let saved = end.confirms() && end.seen_after().is_some() && !end.step.stayed && !end.opens_window();
        (!typed.is_empty() && typed.iter().all(text) && saved).then_some((typed, end))
    })
}

/// What was typed.
fn text<'a>(deed: &Deed<'a>) -> &'a str {
    deed.step.event.data.as_deref().unwrap_or_default().trim()
}

fn says_the_same(a: &Row, b: &Row) -> bool {
    let told = |row: &Row| -> Vec<(String, String)> {
        row.cells.iter().map(|cell| (cell.text.clone(), cell.description.clone())).collect()
    };
    told(a) == told(b)
}

/// What was opened from a row and changed is changed in that row.
fn wrong_row_changed(deeds: &Deeds<'_>) -> Option<Bug> {
    forms(deeds).find_map(|(typed, end)| {
        let opened = deeds.all().rev().find(|deed| deed.number < end.number && deed.step.page == end.to())?;
        let row = opened.on_row().filter(|_| end.returns_to_before(&opened))?;
        let (old, new) = (list(opened.before, row.list)?, list(end.after, row.list)?);
        let pairs = || old.rows.iter().zip(&new.rows).enumerate();
        let mut changed = pairs().filter(|(_, (old, new))| !says_the_same(old, new));
        let (at, (was, is)) = changed.next()?;
        let text = text(typed.first()?);
        // In a list that is re-sorted, other rows change, too.
        let lone = changed.next().is_none() && old.rows.len() == new.rows.len();
        (lone && at != row.rank && is.shows(text) && !was.shows(text)).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: words_of(&end, is),
            expected: format!("the row of {} shows the text typed for it", quoted(row.label)),
            actual: format!("the row of {} changed", quoted(&was.label)),
        })
    })
}

fn words_of(deed: &Deed<'_>, row: &Row) -> String {
    deed.after.layout().get(row.node).map(|node| deed.called(node)).unwrap_or_default()
}

/// The rows that a list has more than when its page was last seen, for each list.
fn grown<'a>(end: &Deed<'a>) -> Vec<(usize, Vec<&'a Row>)> {
    let Some(before) = end.page_before() else { return Vec::new() };
    let lists = end.after.lists().iter().filter_map(|now| {
        let old = list(before, &now.id)?;
        let more = now.rows.len().checked_sub(old.rows.len()).filter(|more| *more > 0)?;
        let mut known = old.labels();
        let fresh = now.rows.iter().filter(|row| {
            let at = known.iter().position(|label| *label == row.label);
            at.map(|at| known.swap_remove(at)).is_none()
        });
        Some((more, fresh.collect()))
    });
    lists.collect()
}

/// What was typed and saved appears in the row that it created.
fn not_listed(deeds: &Deeds<'_>) -> Option<Bug> {
    forms(deeds).find_map(|(typed, end)| {
        let fresh = grown(&end).into_iter().find(|(more, fresh)| *more == 1 && fresh.len() == 1)?.1;
        let row = *fresh.first()?;
        let shown = typed.iter().any(|deed| end.shows(text(deed)));
        (!shown).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: words_of(&end, row),
            expected: format!("the new row shows {}", quoted(typed.first().map(text).unwrap_or_default())),
            actual: format!("it shows {}", quoted(&row.label)),
        })
    })
}

/// What was saved once appears once.
fn listed_twice(deeds: &Deeds<'_>) -> Option<Bug> {
    forms(deeds).find_map(|(typed, end)| {
        let fresh = grown(&end).into_iter().find(|(more, fresh)| *more == 2 && fresh.len() == 2)?.1;
        let [one, other] = fresh.as_slice() else { return None };
        let twins = typed.iter().map(text).any(|text| one.shows(text) && other.shows(text));
        (twins && one.kind == other.kind).then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: words_of(&end, one),
            expected: "one new row".into(),
            actual: format!("two with {}", quoted(&one.label)),
        })
    })
}

/// A text that was replaced and saved is no longer shown.
fn not_changed(deeds: &Deeds<'_>) -> Option<Bug> {
    forms(deeds).find_map(|(typed, end)| {
        let held = |deed: &Deed<'_>| {
            let field = deed.on().filter(|field| !field.has(Flags::PASSWORD) && !shows_hint(*field));
            field.map(Widget::text).map(str::trim).filter(|held| !held.is_empty()).map(str::to_owned)
        };
        let (deed, held) = typed.iter().find_map(|deed| {
            let held = held(deed)?;
            let stays = held != text(deed) && end.shows(&held) && !end.shows(text(deed));
            stays.then_some((deed, held))
        })?;
        end.step.did_nothing().then(|| Bug {
            shows: end.number,
            trigger: end.number,
            widget: quoted(&held),
            expected: format!("{} is shown, which was typed and saved", quoted(text(deed))),
            actual: format!("{} is still shown", quoted(&held)),
        })
    })
}

/// A page that was left for a look at another one and returned to: the step that left, and the one back.
fn looks<'a>(deeds: &'a Deeds<'a>) -> impl Iterator<Item = (Deed<'a>, Deed<'a>)> {
    deeds.all().filter_map(|away| {
        let back = deeds.deed(away.number + 1)?;
        let left = away.clicks() && !away.step.stayed && !away.opens_window();
        let returned = back.goes_back() && back.to() == away.step.page && !back.step.stayed;
        let same = back.returns_to_before(&away) && back.same_state_as_before(&away);
        (left && returned && same).then_some((away, back))
    })
}

/// Looking at something removes nothing; it may add something to what was looked at last.
fn lost_by_looking(deeds: &Deeds<'_>) -> Option<Bug> {
    looks(deeds).find_map(|(away, back)| {
        let rows = |name: &str| list(back.after, name).map_or(0, |list| list.rows.len());
        let old = away.before.lists().iter().find(|list| rows(&list.id) < list.rows.len())?;
        let labels = list(back.after, &old.id).map(droidmux_account::row::List::labels);
        let gone = without(&old.labels(), &labels.unwrap_or_default()).first().map(|label| quoted(label));
        Some(Bug {
            shows: back.number,
            trigger: away.number,
            widget: gone.unwrap_or_default(),
            expected: format!(
                "there are {} rows as before, since nothing was done but looking",
                old.rows.len()
            ),
            actual: format!("there are {}", rows(&old.id)),
        })
    })
}

/// A switched setting stays so while one looks elsewhere.
fn switched_by_itself(deeds: &Deeds<'_>) -> Option<Bug> {
    looks(deeds).find_map(|(away, back)| {
        let before = switches(away.before);
        let differs =
            |(key, (on, _)): &(String, (bool, Widget<'_>))| before.get(key).is_some_and(|(was, _)| was != on);
        let (_, (_, widget)) = switches(back.after).into_iter().find(differs)?;
        let words = back.called(widget);
        Some(Bug {
            shows: back.number,
            trigger: away.number,
            expected: format!("{words} is as it was, since nobody touched it"),
            widget: words,
            actual: "it is switched over".into(),
        })
    })
}

/// A switch switches.
pub(super) fn dead_switch(deeds: &Deeds<'_>) -> Option<Bug> {
    let is_switch = |on: Widget<'_>| {
        ["Switch", "CheckBox", "ToggleButton"].iter().any(|class| on.short_class().ends_with(class))
    };
    let is_dead = |deed: &Deed<'_>| {
        deed.clicks() && deed.step.stayed && deed.step.did_nothing() && deed.on().is_some_and(is_switch)
    };
    deeds.all().find(is_dead).map(|deed| Bug {
        shows: deed.number,
        trigger: deed.number,
        widget: deed.on_words(),
        expected: format!("{} is switched over", deed.on_words()),
        actual: "nothing changed".into(),
    })
}

/// A text that was typed and not saved is gone.
pub(super) fn came_up(deeds: &Deeds<'_>) -> Option<Bug> {
    let typed_again = |text: &str| deeds.all().any(|deed| deed.step.event.data.as_deref() == Some(text));
    deeds.all().find_map(|deed| {
        let mut dropped = deeds.chronicle.dropped_before(deeds.first);
        let up = dropped.find(|dropped| {
            let elsewhere = deed.to() != dropped.page && !deed.opens_window();
            elsewhere
                && !typed_again(&dropped.text)
                && phrase::times_shown(deed.after.layout(), &dropped.text) > 0
        })?;
        Some(Bug {
            shows: deed.number,
            trigger: deed.number,
            widget: quoted(&up.text),
            expected: format!("{} is nowhere, since it was typed and never saved", quoted(&up.text)),
            actual: "it is shown here".into(),
        })
    })
}
