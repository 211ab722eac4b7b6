//! Response: what can be pressed does something.
//!
//! A press does nothing where the screen after it is the screen before it, to the letter, and no toast spoke. A press in
//! a menu, in a drawer or in a dialog that closes it does nothing where the page is then what it was before the window came;
//! in a dialog that counts only if something was entered or chosen there, or if it is the positive button beside a negative
//! one. A control is broken that was pressed in three
//! different situations of a trace without ever doing anything.
//!
//! Assumes that an app offers no control that never has anything to do. What responds anywhere else in a session
//! refutes the claim: then it has nothing to do at times.
//!
//! Silent about what is chosen already (a tab, a radio button), about fields, about the negative and the neutral button
//! of a dialog, and where either screen was not at rest. Slight of what is neither a button nor
//! lies in a menu or a dialog: a row may take touches because it can be held, a bar because it leads home from elsewhere.
//! Slight of everything, too, in a trace in which no toast was seen: not every device tells them, and a button that saves
//! may do no more than say so.
//!
//! ```text
//! ┌ Notes    ⌕ ┐   'Search'   ┌ Notes    ⌕ ┐
//! │ milk       │ ───────────▶ │ milk       │   … and so with three different screens.
//! └────────────┘              └────────────┘
//! 'Search' did nothing, on 3 different screens.
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::NEVER;
use droidmux_account::look::Window;
use droidmux_gui::{EventKind, Flags, Widget, WidgetId};
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static RESPONSE: Relation = Relation {
    name: "response",
    assumes: "What can be pressed has something to do at least now and then.",
    silent_when: "The control is chosen already, is a field, or leaves a dialog without its result; nothing was \
                  entered in the dialog; it did something elsewhere; a screen was not at rest.",
    judge,
};

/// Different situations in which a control must have done nothing.
const SITUATIONS: usize = 3;
/// Controls of one trace that are looked at.
const MOST: usize = 500;
/// The buttons of a platform dialog: the one that agrees, and those that leave it without its result.
const AGREEING: &str = "button1";
const LEAVING: [&str; 2] = ["button2", "button3"];

/// What was pressed.
struct Press {
    /// The control by a name that is the same in every trace.
    control: String,
    widget: WidgetId,
    /// Hashed: what the screen showed, and which row was pressed.
    situation: u64,
    /// The shot that would be there again if nothing was done.
    origin: usize,
}

/// The presses of a control.
#[derive(Default)]
struct Record {
    idle: BTreeSet<u64>,
    responded: bool,
}

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut records: BTreeMap<String, Record> = BTreeMap::new();
    for (number, _, _, after) in trail.steps() {
        let Some(press) = press(trail, number) else { continue };
        if records.len() >= MOST && !records.contains_key(&press.control) {
            continue;
        }
        let about = fingerprint(&[RESPONSE.name, &press.control]);
        let record = records.entry(press.control.clone()).or_default();
        if !is_idle(trail, &press, after) {
            if !std::mem::replace(&mut record.responded, true) {
                said.push(Said::Held(Held::new(RESPONSE.name, about, press.situation)));
            }
        } else if record.idle.insert(press.situation) && record.idle.len() == SITUATIONS && !record.responded
        {
            said.push(Said::Broken(Box::new(broken(trail, number, &press))));
        }
    }
    said
}

/// The press that led to a shot, if it is one that could be expected to do something.
fn press(trail: &Trail<'_>, number: usize) -> Option<Press> {
    let (before, after) = (trail.shot(number.checked_sub(1)?)?, trail.shot(number)?);
    let widget = before.layout().get(after.receiver?)?;
    let fits = after.kind() == EventKind::Click
        && before.is_sound()
        && after.is_sound()
        && widget.has(Flags::CLICKABLE)
        && takes_touch(before, widget)
        && !is_chosen(widget)
        && !widget.is_editable();
    let origin = opener(trail, number - 1);
    let closes = before.is_covered() && !after.is_covered();
    if !fits || (closes && !has_result(trail, origin, before, widget)) {
        return None;
    }
    let look = before.seen.screen.layout.to_string();
    let origin = if closes { origin } else { number - 1 };
    let below = trail.shot(origin)?.seen.screen.layout.to_string();
    Some(Press {
        control: control(trail, number - 1, widget)?,
        widget: widget.id(),
        situation: fingerprint(&[&look, &widget.id().0.to_string(), &below]),
        origin,
    })
}

/// The screen is the one before, and nothing was said.
fn is_idle(trail: &Trail<'_>, press: &Press, after: &Shot<'_>) -> bool {
    let Some(origin) = trail.shot(press.origin) else { return false };
    let (is, was) = (&after.seen.screen, &origin.seen.screen);
    let said = after.seen.toast.is_some() || !after.seen.signals.is_empty() || !after.seen.dialogs.is_empty();
    let same_picture = match (after.seen.screenshot, origin.seen.screenshot) {
        (Some(is), Some(was)) => is == was,
        _ => true,
    };
    !said
        && same_picture
        && (is.layout, &is.activity, is.keyboard, is.rotation)
            == (was.layout, &was.activity, was.keyboard, was.rotation)
}

/// The last shot of the page that lies below the windows of a shot; the shot itself where it has none.
fn opener(trail: &Trail<'_>, number: usize) -> usize {
    let pages = trail.shots().get(..=number).unwrap_or_default();
    pages.iter().rposition(|shot| !shot.is_covered()).unwrap_or(number)
}

/// Whether the press takes something out of the window that it closes.
fn has_result(trail: &Trail<'_>, origin: usize, before: &Shot<'_>, widget: Widget<'_>) -> bool {
    if before.look().window != Window::Dialog {
        return true;
    }
    let Some(opened) = trail.shot(origin + 1) else { return false };
    let entered =
        (&before.look().fields, &before.look().toggles) != (&opened.look().fields, &opened.look().toggles);
    let id = widget.short_id();
    // A dialog with one button only tells something.
    let agrees = id == AGREEING && before.layout().widgets().any(|other| other.short_id() == LEAVING[0]);
    let asks = before.look().fields.is_empty() && before.look().toggles.is_empty();
    (entered && !LEAVING.contains(&id)) || (agrees && asks)
}

/// A touch in the middle of the widget is its own: nothing that can be touched lies there above it or in it.
fn takes_touch(shot: &Shot<'_>, widget: Widget<'_>) -> bool {
    let middle = widget.bounds().center();
    let there = |other: &Widget<'_>| other.is_actionable() && other.bounds().contains(middle);
    shot.layout().reachable().filter(there).last().is_some_and(|last| last.id() == widget.id())
}

/// Whether toasts are told on this device: one is in the trace.
fn hears_toasts(trail: &Trail<'_>) -> bool {
    trail.shots().iter().any(|shot| shot.seen.toast.is_some())
}

/// It is there to be pressed, whatever it leads to.
fn is_pressable(shot: &Shot<'_>, widget: Widget<'_>) -> bool {
    shot.is_covered() || widget.is_button()
}

/// What is chosen already has nothing more to do.
fn is_chosen(widget: Widget<'_>) -> bool {
    let chosen = |widget: Widget<'_>| widget.has(Flags::SELECTED) || widget.has(Flags::CHECKED);
    widget.subtree().any(chosen)
}

/// The name of a control: its page, and what tells it from others there. In a list all rows of a kind are one control,
/// for they share a listener; in a menu each row is one.
fn control(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> Option<String> {
    let shot = trail.shot(number)?;
    let page = trail.page_name(number);
    let window = &shot.look().dialog;
    let word = shot.word(widget.id());
    let own = trail.is_own(&word, number);
    let window = if trail.is_data(window, number) { "" } else { window.as_str() };
    let named = match (widget.short_id(), shot.row_with(widget.id())) {
        (_, _) if shot.is_covered() && own => word,
        ("", Some((list, row))) => {
            format!("{} {}", shot.lists().get(list)?.id, shot.row(list, row)?.kind)
        }
        (id, Some((list, _))) => format!("{} {id}", shot.lists().get(list)?.id),
        ("", None) if own => format!("{} {word}", widget.short_class()),
        ("", None) => return None,
        (id, None) => id.to_owned(),
    };
    Some(format!("{page}/{window}/{named}"))
}

fn broken(trail: &Trail<'_>, number: usize, press: &Press) -> Break {
    let before = trail.shot(number - 1);
    let pressed = before.and_then(|shot| Some((shot, shot.layout().get(press.widget)?)));
    let note = pressed.map(|(_, widget)| WidgetNote::of(widget));
    let word = before.map(|shot| shot.word(press.widget)).filter(|word| !word.is_empty());
    let word = word.map_or_else(|| "The control".to_owned(), |word| quoted(&word));
    Break {
        cause: Cause::Own,
        page: trail.page_name(press.origin),
        list: String::new(),
        event: EventKind::Click,
        what: format!("idle {}", press.control),
        sentence: format!("{word} did nothing, on {SITUATIONS} different screens."),
        expected: format!("{word} does something, at least on one of {SITUATIONS} different screens."),
        found: "The screen is what it was before, each time.".into(),
        shots: (press.origin, number),
        widgets: (note.into_iter().collect(), Vec::new()),
        claim: Some(Claim::new(RESPONSE.name, fingerprint(&[RESPONSE.name, &press.control]), NEVER)),
        harm: Harm::LostFunction,
        slight: !hears_toasts(trail) || !pressed.is_some_and(|(shot, widget)| is_pressable(shot, widget)),
    }
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
