//! Removal: a choice that says it deletes a row takes it away.
//!
//! The choice is made on the row (its menu, a button in it) and confirmed in a dialog, or on the page that the row opened,
//! which it leaves. So is agreeing to a dialog that asks whether to delete, whatever its buttons say. It need take a single row away to be kept, for it may have nothing to delete at times; it is broken where
//! it was made on several rows and took none away. What a menu does without a question is left to *response*, which sees
//! that nothing happened. It is silent where a dialog was left by a word for *cancel* or *no*, or had one button only;
//! where something was entered on the way, which may be the row's new name; and about rows that share their label.
//!
//! ```text
//! milk                                                      milk
//! bread   ──▶ [milk] ──'Delete'──▶ Delete it? ──'OK'──▶     bread      'Delete' on 'milk' leaves 'milk' in its list.
//! ```

use super::deed::{Deed, object};
use super::leaving::{AGREEING, LEAVING, leaves};
use super::row::{List, Row};
use super::trail::{Shot, Trail};
use super::words::{Meaning, says};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::NEVER;
use droidmux_gui::{EventKind, Flags, WidgetId};
use droidmux_record::{Claim, Harm, Held};

pub static REMOVAL: Relation = Relation {
    name: "removal",
    assumes: "a choice that says it deletes takes a row away sometimes",
    silent_when: "it took one away, or was made on fewer than three rows or screens; it was taken back, or refused in so many words",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    trail.deeds().iter().filter_map(|deed| Removal::of(trail, deed)).map(|removal| removal.says()).collect()
}

/// A row that something was to delete, and its list then.
struct Removal<'t, 'a> {
    trail: &'t Trail<'a>,
    deed: &'t Deed,
    /// The shot on which the deleting control is, and the control.
    control: (&'t Shot<'a>, WidgetId),
    /// The shot that showed the row in its list last, by its number, and the one after the deed.
    from: usize,
    listed: &'t Shot<'a>,
    after: &'t Shot<'a>,
    list: &'t List,
    row: &'t Row,
    later: &'t List,
}

impl<'t, 'a> Removal<'t, 'a> {
    fn of(trail: &'t Trail<'a>, deed: &'t Deed) -> Option<Self> {
        let (pressed, control) = deleting(trail, deed)?;
        if !is_carried_out(trail, deed, pressed) || deed.names_all(trail) {
            return None;
        }
        let (before, after) = (trail.shot(deed.from)?, trail.shot(deed.to)?);
        let on_its_row = before.is_same_page(after);
        let asked = pressed + 1 < deed.to || asks(trail.shot(pressed)?);
        let touch = if on_its_row { asked.then_some(deed.from)? } else { opening(trail, deed)? };
        let listed = trail.shot(touch)?;
        let (list, row) = object(trail, touch)?.on(listed)?;
        let later = after.list(&list.id)?;
        let is_told = listed.shows_page() && after.shows_page() && list.only(&row.label).is_some();
        let control = (trail.shot(pressed)?, control);
        is_told.then_some(Self { trail, deed, control, from: touch, listed, after, list, row, later })
    }

    fn says(&self) -> Said {
        let Some((_, stays)) = self.later.labelled(&self.row.label).next() else {
            let object = fingerprint(&[&self.row.label]);
            return Said::Held(Held::new(REMOVAL.name, self.about(), object));
        };
        let (word, label) = (self.control.0.quoted_word(self.control.1), quoted(&self.row.label));
        let sentence = format!("{word} on {label} leaves {label} in its list.");
        Said::Broken(Box::new(Break {
            cause: Cause::Own,
            page: self.trail.page_name(self.from),
            list: self.list.id.clone(),
            event: self.deed.kind(self.trail),
            what: "stays".into(),
            expected: format!("{word} takes {label} away"),
            found: sentence.clone(),
            sentence,
            shots: (self.from, self.deed.to),
            widgets: (self.row.note(self.listed.layout()), stays.note(self.after.layout())),
            claim: Some(Claim::new(REMOVAL.name, self.about(), NEVER)),
            harm: Harm::LostFunction,
            slight: false,
        }))
    }

    /// Equal for the same control where rows of the same list are deleted.
    fn about(&self) -> u64 {
        let (shot, control) = self.control;
        let known = shot.layout().get(control).map(|widget| widget.short_id()).unwrap_or_default();
        fingerprint(&[
            &self.listed.seen.screen.activity,
            &self.list.id,
            &self.row.kind,
            &shot.seen.screen.activity,
            known,
        ])
    }
}

/// The shot on which a deed pressed what says that it deletes, by its number, and that control.
fn deleting(trail: &Trail<'_>, deed: &Deed) -> Option<(usize, WidgetId)> {
    (deed.from..deed.to).find_map(|number| {
        let (before, after) = (trail.shot(number)?, trail.shot(number + 1)?);
        let control = after.receiver.filter(|_| after.kind() == EventKind::Click)?;
        let agrees = || before.layout().get(control).is_some_and(|widget| widget.short_id() == AGREEING);
        let deletes = says(&before.word(control), Meaning::Remove) || (asks(before) && agrees());
        deletes.then_some((number, control))
    })
}

/// Whether a dialog does nothing but ask whether to delete.
fn asks(window: &Shot<'_>) -> bool {
    let look = window.look();
    let can_be_refused = window.layout().widgets().any(|widget| widget.short_id() == LEAVING[0]);
    let only_asks = look.fields.is_empty() && look.toggles.is_empty() && window.lists().is_empty();
    can_be_refused && only_asks && says(&look.message, Meaning::Remove)
}

/// Whether what was pressed on this shot was gone through with: each dialog after it let one choose, and nothing that
/// takes it back was chosen.
fn is_carried_out(trail: &Trail<'_>, deed: &Deed, pressed: usize) -> bool {
    (pressed + 1..deed.to).all(|number| {
        let (Some(window), Some(after)) = (trail.shot(number), trail.shot(number + 1)) else { return false };
        let chosen = after.receiver.filter(|_| after.kind() == EventKind::Click);
        let chosen = chosen.and_then(|chosen| window.layout().get(chosen));
        buttons(window) > 1 && chosen.is_some_and(|chosen| !leaves(window, chosen))
    })
}

/// How many things in a window can be pressed.
fn buttons(window: &Shot<'_>) -> usize {
    window
        .layout()
        .widgets()
        .filter(|widget| widget.has(Flags::CLICKABLE) && widget.has(Flags::ENABLED))
        .count()
}

/// The shot on which the row was touched whose page a deed begins on, where nothing was entered since, and the deed ends
/// on the page of that shot.
fn opening(trail: &Trail<'_>, deed: &Deed) -> Option<usize> {
    let (page, list) = (trail.shot(deed.from)?, trail.shot(deed.to)?);
    let touch = (0..deed.from).rev().find(|number| {
        trail.shot(*number).is_some_and(|shot| shot.is_same_page(list) || !shot.seen.screen.in_app)
    })?;
    let untouched = (touch + 1..=deed.to).all(|number| {
        trail.shot(number).and_then(|shot| shot.event).is_some_and(|event| event.data.is_none())
    });
    let (_, row) = object(trail, touch)?.on(trail.shot(touch)?)?;
    let names_it = (touch + 1..=deed.from).any(|number| {
        trail.shot(number).is_some_and(|shot| shot.is_same_page(page) && shot.shows(&row.label))
    });
    (untouched && names_it).then_some(touch)
}

#[cfg(test)]
#[path = "removal_tests.rs"]
mod tests;
