//! Response: what can be pressed does something.
//!
//! A press does nothing where the screen after it is the screen before it, to the letter, with the same picture where
//! there are pictures, and no toast spoke. A press in a menu, in a drawer or in a dialog that closes it does nothing where
//! the page is then what it was before the window came; in a dialog that counts only if something was entered or chosen
//! there, or if it is the positive button beside a negative one. A row that can be held is pressed by holding it, too; and the
//! back key is a control of each page, which leaves it, closes what lies on it, or leaves the app.
//!
//! Assumes that an app offers no control that never has anything to do. That is a claim, for which the whole session
//! counts: it speaks where the control did nothing on three different screens and never did anything. What responds once
//! refutes it: then it has nothing to do at times. Once among very many cases that it did not may be chance, which leaves a
//! doubt. Where nothing but numbers changed, it may have been a clock, and a snackbar goes by itself: that is neither.
//!
//! Silent about what is chosen already (a tab, a radio button), about fields, about a snackbar but for its action, about the
//! negative and the neutral button of a dialog, and where either screen was not at rest. What leaves the app does something.
//!
//! Slight of what can also be held, since that may be all that it is there for; of what is neither a button, nor an action of a bar,
//! nor a row, nor lies in a menu or a dialog, such as a bar that leads home from elsewhere; of what lies in a drawer, which offers the page
//! that is open as well; of what closes a dialog, since what was entered there may be kept where the page below does not show
//! it; and of the back key on the page that the test began with, where an app may want to be kept. Slight
//! of everything where toasts cannot be known of: a button that saves may do no more than say so.
//!
//! ```text
//! ┌ Notes    ⌕ ┐   'Search'   ┌ Notes    ⌕ ┐
//! │ milk       │ ───────────▶ │ milk       │   … and so on three different screens.
//! └────────────┘              └────────────┘
//! Pressing 'Search' did nothing.
//! ```

use std::collections::BTreeMap;

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, differ_in_words, fingerprint, quoted};
use crate::claims::NEVER;
use droidmux_account::look::{Window, is_in_bar};
use droidmux_account::snackbar::{is_action, is_in_snackbar};
use droidmux_gui::{EventKind, Flags, Layout, Widget, WidgetId};
use droidmux_record::{Claim, Harm, Held, WidgetNote};

pub static RESPONSE: Relation = Relation {
    name: "response",
    assumes: "What can be pressed, the back key included, has something to do at least now and then.",
    silent_when: "The control is chosen already, is a field, or leaves a dialog without its result; nothing was \
                  entered in the dialog; it did something elsewhere; a screen was not at rest; the back key was \
                  pressed in a dialog or a menu.",
    judge,
};

/// Controls of one trace that are looked at.
const MOST: usize = 500;
/// The buttons of a platform dialog: the one that agrees, and those that leave it without its result.
const AGREEING: &str = "button1";
const LEAVING: [&str; 2] = ["button2", "button3"];

/// What was pressed.
struct Press {
    /// The control by a name that is the same in every trace.
    control: String,
    kind: EventKind,
    /// `None` for a key.
    widget: Option<WidgetId>,
    /// The shot that would be there again if nothing was done.
    origin: usize,
    /// It closes the window that it lies in.
    closes: bool,
}

/// What came of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Nothing,
    Something,
    /// Numbers changed, and clocks do that as well; or the screen did not come to rest.
    Unclear,
}

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    // The first press of each that did nothing, until one did something.
    let mut idle: BTreeMap<u64, Option<Break>> = BTreeMap::new();
    let mut held = Vec::new();
    for (number, _, _, after) in trail.steps() {
        let Some(press) = press(trail, number) else { continue };
        let about = about(&press);
        if idle.len() >= MOST && !idle.contains_key(&about) {
            continue;
        }
        match outcome(trail, &press, after) {
            Outcome::Unclear => {}
            Outcome::Nothing => {
                idle.entry(about).or_insert_with(|| Some(broken(trail, number, &press)));
            }
            Outcome::Something => {
                idle.insert(about, None);
                held.push(Said::Held(Held::new(RESPONSE.name, about, press.situation(trail))));
            }
        }
    }
    let broken = idle.into_values().flatten().map(|broken| Said::Broken(Box::new(broken)));
    held.into_iter().chain(broken).collect()
}

/// Equal for all presses of one control.
fn about(press: &Press) -> u64 {
    fingerprint(&[RESPONSE.name, press.kind.name(), &press.control])
}

/// The press that led to a shot, if it is one that could be expected to do something.
fn press(trail: &Trail<'_>, number: usize) -> Option<Press> {
    let (before, after) = (trail.shot(number.checked_sub(1)?)?, trail.shot(number)?);
    if after.kind() == EventKind::Back {
        return going_back(trail, number);
    }
    let widget = before.layout().get(after.receiver?)?;
    let meant = match after.kind() {
        EventKind::Click => widget.has(Flags::CLICKABLE) && takes_touch(before, widget),
        // What a bar or a field does when it is held is the platform's.
        EventKind::LongClick => {
            widget.has(Flags::LONG_CLICKABLE)
                && !before.is_covered()
                && before.row_with(widget.id()).is_some()
        }
        _ => false,
    };
    let fits =
        meant && before.is_sound() && !is_chosen(widget) && !widget.is_editable() && !is_message(widget);
    let origin = opener(trail, number - 1);
    let closes = before.is_covered() && !after.is_covered();
    if !fits || (closes && !has_result(trail, number - 1, widget)) {
        return None;
    }
    let origin = if closes { origin } else { number - 1 };
    Some(Press {
        control: control(trail, number - 1, widget)?,
        kind: after.kind(),
        widget: Some(widget.id()),
        origin,
        closes,
    })
}

/// A press of the back key on a page; what lies above one may not let itself be closed.
fn going_back(trail: &Trail<'_>, number: usize) -> Option<Press> {
    let origin = number.checked_sub(1)?;
    let before = trail.shot(origin)?;
    let fits = before.is_sound() && !before.is_covered();
    fits.then(|| Press {
        control: trail.page_name(origin),
        kind: EventKind::Back,
        widget: None,
        origin,
        closes: false,
    })
}

impl Press {
    /// Whether the keyboard was closed by what came before the press: a window came up over the page, or the lab closed it.
    fn has_closed_keyboard(&self, after: &Shot<'_>) -> bool {
        self.closes || !after.seen.dialogs.is_empty()
    }

    /// Hashed: what the screen showed, and what was pressed there.
    fn situation(&self, trail: &Trail<'_>) -> u64 {
        let layout = trail.shot(self.origin).map(|shot| shot.seen.screen.layout.to_string());
        let widget = self.widget.map(|widget| widget.0.to_string());
        fingerprint(&[&layout.unwrap_or_default(), &widget.unwrap_or_default()])
    }
}

/// Whether the screen is the one before, and nothing was said.
fn outcome(trail: &Trail<'_>, press: &Press, after: &Shot<'_>) -> Outcome {
    let Some(origin) = trail.shot(press.origin) else { return Outcome::Unclear };
    let (is, was) = (&after.seen.screen, &origin.seen.screen);
    if !is.in_app || after.look().loading {
        return Outcome::Something;
    }
    // A phone that was turned with a window open shows the page in another way.
    let turned = is.rotation != was.rotation && press.closes;
    if !after.is_sound() || turned {
        return Outcome::Unclear;
    }
    let said = after.seen.toast.is_some() || !after.seen.signals.is_empty() || after.seen.was_disturbed();
    let same_picture = match (after.seen.screenshot, origin.seen.screenshot) {
        (Some(is), Some(was)) => is == was,
        _ => true,
    };
    let same_frame = (&is.activity, is.rotation) == (&was.activity, was.rotation);
    let keyboard_moved = is.keyboard != was.keyboard && (is.keyboard || !press.has_closed_keyboard(after));
    if said || !same_picture || !same_frame || keyboard_moved {
        return Outcome::Something;
    }
    match is.layout == was.layout {
        true => Outcome::Nothing,
        false if differ_in_numbers(origin.layout(), after.layout()) => Outcome::Unclear,
        false if snackbar_went(origin.layout(), after.layout()) => Outcome::Unclear,
        false => Outcome::Something,
    }
}

/// The same widgets with the same words; only numbers in them are others.
fn differ_in_numbers(one: &Layout, other: &Layout) -> bool {
    are_alike(one.widgets(), other.widgets(), |a, b| !differ_in_words(a, b))
}

/// A snackbar is over, and nothing else happened: they go by themselves.
fn snackbar_went(one: &Layout, other: &Layout) -> bool {
    let outside = |widget: &Widget<'_>| !is_in_snackbar(*widget);
    !other.widgets().any(is_in_snackbar)
        && are_alike(one.widgets().filter(outside), other.widgets(), |a, b| a == b)
}

/// The same widgets one by one, wherever they stand, with texts that are the same in this sense.
fn are_alike<'w>(
    ones: impl Iterator<Item = Widget<'w>>,
    mut others: impl Iterator<Item = Widget<'w>>,
    same: impl Fn(&str, &str) -> bool,
) -> bool {
    let alike = ones.map(|widget| (widget, others.next())).all(|(widget, other)| {
        other.is_some_and(|other| {
            (widget.class(), widget.resource_id(), widget.flags())
                == (other.class(), other.resource_id(), other.flags())
                && same(widget.text(), other.text())
                && same(widget.description(), other.description())
        })
    });
    alike && others.next().is_none()
}

/// The last shot of the app's page that lies below the windows of a shot; the shot itself where it has none.
fn opener(trail: &Trail<'_>, number: usize) -> usize {
    let pages = trail.shots().get(..=number).unwrap_or_default();
    pages.iter().rposition(|shot| shot.seen.screen.in_app && !shot.is_covered()).unwrap_or(number)
}

/// The window of a shot as it came: one window may have opened another, and the app may have been left meanwhile.
fn opened<'t, 'a>(trail: &'t Trail<'a>, number: usize) -> Option<&'t Shot<'a>> {
    let window = &trail.shot(number)?.look().dialog;
    let same = |shot: &&Shot<'_>| shot.is_covered() && shot.look().dialog == *window;
    let shots = trail.shots().get(..=number)?.iter().rev();
    shots.filter(|shot| shot.seen.screen.in_app).take_while(same).last()
}

/// Whether the press takes something out of the window that it closes.
fn has_result(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> bool {
    let (Some(before), Some(opened)) = (trail.shot(number), opened(trail, number)) else { return false };
    if before.look().window != Window::Dialog {
        return true;
    }
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

/// It is there to be pressed in this way, whatever it leads to.
fn is_meant(shot: &Shot<'_>, press: &Press, widget: Widget<'_>) -> bool {
    let is_row = || shot.row_with(widget.id()).is_some() && !widget.has(Flags::LONG_CLICKABLE);
    match press.kind {
        EventKind::LongClick => true,
        _ if shot.look().drawer_open => false,
        // What was entered may be kept where the page below does not show it.
        _ if press.closes && shot.look().window == Window::Dialog => false,
        _ => shot.is_covered() || widget.is_button() || is_bar_action(widget) || is_row(),
    }
}

/// One of the words or pictures in a bar: some libraries draw them as texts, and a bar itself may lead home.
fn is_bar_action(widget: Widget<'_>) -> bool {
    let says = !widget.text().is_empty() || !widget.description().is_empty();
    says && widget.children().next().is_none() && is_in_bar(&widget)
}

/// A snackbar takes touches only so that nothing below it does.
fn is_message(widget: Widget<'_>) -> bool {
    is_in_snackbar(widget) && !is_action(widget)
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

/// `Pressing 'Add'`, `Holding 'milk'`, `Going back`.
fn pressed_words(kind: EventKind, word: &str) -> String {
    match kind {
        EventKind::Back => "Going back".into(),
        EventKind::LongClick => format!("Holding {word}"),
        _ => format!("Pressing {word}"),
    }
}

fn broken(trail: &Trail<'_>, number: usize, press: &Press) -> Break {
    let before = trail.shot(number - 1);
    let pressed = before.and_then(|shot| Some((shot, shot.layout().get(press.widget?)?)));
    let note = pressed.map(|(_, widget)| WidgetNote::of(widget));
    let word = pressed.map(|(shot, widget)| shot.word(widget.id())).filter(|word| !word.is_empty());
    let meant = match pressed {
        Some((shot, widget)) => is_meant(shot, press, widget),
        // An app may want to be kept where it begins.
        None => trail.page_name(press.origin) != trail.page_name(0),
    };
    let hears = trail.shot(number).is_some_and(|shot| shot.seen.hears_toasts);
    let word = word.map_or_else(|| "the control".to_owned(), |word| quoted(&word));
    Break {
        cause: Cause::Own,
        page: trail.page_name(press.origin),
        list: String::new(),
        event: press.kind,
        what: format!("idle {}", press.control),
        sentence: format!("{} did nothing.", pressed_words(press.kind, &word)),
        expected: format!("{} does something, at least now and then.", pressed_words(press.kind, &word)),
        found: "The screen is what it was before.".into(),
        shots: (press.origin, number),
        widgets: (note.into_iter().collect(), Vec::new()),
        claim: Some(Claim::new(RESPONSE.name, about(press), NEVER)),
        harm: Harm::LostFunction,
        slight: !hears || !meant,
    }
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
