//! Response: what can be pressed does something.
//!
//! A press does nothing where the screen after it is the screen before it, to the letter, with the same picture
//! where there are pictures, and no toast spoke. A press in a menu, in a drawer or in a dialog that closes it does
//! nothing where the page is then what it was before the window came; in a dialog that counts only if something was
//! entered or chosen there, or if it is the positive button beside a negative one. A press that leaves a form, a
//! page with fields in which something was entered, does nothing where the page before it is what it was. A row
//! that can be held is pressed by holding it, too; and the back key is a control of each page, which leaves it,
//! closes what lies on it, or leaves the app.
//!
//! Assumes that an app offers no control that never has anything to do. That is a claim, for which the whole
//! session counts: it speaks where the control did nothing on three different screens, or with three different
//! entries, and never did anything. A page without rows, fields and switches, which always looks the same, has no
//! three screens: there two will do, with the phone turned, where two other controls of the page do something, and no
//! other page has this one. What responds once refutes the claim: then it has nothing to do at times. Once among very
//! many cases that it did not may be chance, which leaves a doubt, and so does a menu's entry or an action of a bar that
//! responds on another page. What is chosen in a row's menu responds, too, where the row comes to a page that did not have
//! it, or where the menu no longer offers it. Where nothing but numbers changed, it may have been
//! a clock, unless the number that was pressed came; a snackbar goes by itself; and where one stands, another one that says
//! the same cannot be told from it: that is neither.
//!
//! Silent about what leaves a dialog or a form by its words (`words.txt`), about what is on the page below a form as
//! well, about what is chosen already (a tab, a radio button), about fields, about a snackbar but for its action, about
//! the negative and the neutral button of a dialog, about what else the platform's own pickers have to touch, and where
//! either screen was not at rest, unless the one after it alone moves, and not only by numbers. What leaves the app does
//! something.
//!
//! Slight of what can also be held, since that may be all that it is there for; of what is neither a button, nor an
//! action of a bar, nor an icon (one before a field names it), nor a row, nor lies in a menu or a dialog, such as a bar that
//! leads home from elsewhere; of what lies in a drawer, which offers the page that is open as well; of what lies beside keys
//! for digits, since a calculator's '+' may show nothing before the next key; of what closes a dialog or leaves
//! a form, since what was entered there may be kept where the page below does not show it; of what is chosen in a row's
//! menu that nobody opened again, for the same reason; of what reads anew by its words ('Refresh'), since nothing may be
//! new; and of the back key on the page that the test began with, where an app may want to be kept. Slight of everything
//! where toasts cannot be known of: a button that saves may do no more than say so.
//!
//! ```text
//! ┌ Notes    ⌕ ┐   'Search'   ┌ Notes    ⌕ ┐
//! │ milk       │ ───────────▶ │ milk       │   … and so on three different screens.
//! └────────────┘              └────────────┘
//! Pressing 'Search' did nothing.
//! ```

mod elsewhere;
mod outcome;
mod press;
mod window;

use std::collections::{BTreeMap, BTreeSet};

use super::trail::{Shot, Trail};
use super::{Break, Cause, Relation, Said, fingerprint};
use crate::claims::{ALIVE, NEVER, on_page};
use droidmux_gui::{EventKind, Widget};
use droidmux_record::{Claim, Harm, Held, Threshold, WidgetNote};
use elsewhere::{is_unseen, shows_elsewhere};
pub use outcome::Outcome;
pub use press::Press;

pub static RESPONSE: Relation = Relation {
    name: "response",
    assumes: "What can be pressed, the back key included, has something to do at least now and then.",
    silent_when: "The control is chosen already, is a field, or leaves a dialog or a form without its result; \
                  nothing was entered there; it did something elsewhere; a screen was not at rest; the back key \
                  was pressed in a dialog or a menu.",
    judge,
};

/// Controls of one trace that are looked at.
const MOST: usize = 500;

/// Other controls of a page that have to do something before one of them is told of after two screens.
const NEIGHBOURS: usize = 2;

/// Fields of a form that are told.
const MOST_FIELDS: usize = 5;

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    // The first press of each that did nothing, until one did something.
    let mut idle: BTreeMap<u64, Option<Idle>> = BTreeMap::new();
    let mut held = Vec::new();
    let mut lively: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for (number, _, _, after) in trail.steps() {
        let Some(press) = Press::at(trail, number) else { continue };
        let about = about(&press);
        if idle.len() >= MOST && !idle.contains_key(&about) {
            continue;
        }
        let outcome = match Outcome::of(trail, &press, after) {
            Outcome::Nothing if shows_elsewhere(trail, &press, number) => Outcome::Something,
            outcome => outcome,
        };
        match outcome {
            Outcome::Unclear => {}
            Outcome::Nothing => {
                let unseen = is_unseen(trail, &press, number);
                let known =
                    idle.entry(about).or_insert_with(|| Some(Idle { number, press: press.clone(), unseen }));
                if let Some(first) = known.as_mut().filter(|first| first.unseen && !unseen) {
                    *first = Idle { number, press, unseen };
                }
            }
            Outcome::Something => {
                idle.insert(about, None);
                if press.kind == EventKind::Click && !press.closes {
                    lively.entry(trail.page_name(press.origin)).or_default().insert(about);
                }
                held.push(Said::Held(Held::new(RESPONSE.name, about, press.situation(trail))));
            }
        }
    }
    let broken = idle.into_values().flatten().map(|idle| {
        let others = lively.get(&trail.page_name(idle.press.origin)).map_or(0, BTreeSet::len);
        let threshold =
            if others >= NEIGHBOURS && idle.press.is_of_plain_page(trail) { ALIVE } else { NEVER };
        Said::Broken(Box::new(broken(trail, &idle, threshold)))
    });
    held.into_iter().chain(broken).collect()
}

/// A press that did nothing on its page.
struct Idle {
    /// Of the shot that it led to.
    number: usize,
    press: Press,
    /// Nobody looked where it may have done something else.
    unseen: bool,
}

/// Equal for all presses of one control, those that submit something apart from those that do not.
fn about(press: &Press) -> u64 {
    let own = [RESPONSE.name, press.kind.name(), &press.control, with_words(press)];
    match &press.shared {
        Some(shared) => on_page(&[RESPONSE.name, press.kind.name(), shared], &own),
        None => fingerprint(&own),
    }
}

/// What the press does something with, where that is to be told.
fn with_words(press: &Press) -> &'static str {
    if press.submits { " with what was entered" } else { "" }
}

/// `Pressing 'Add'`, `Holding 'milk'`, `Going back`.
fn pressed_words(kind: EventKind, word: &str) -> String {
    match kind {
        EventKind::Back => "Going back".into(),
        EventKind::LongClick => format!("Holding {word}"),
        _ => format!("Pressing {word}"),
    }
}

fn broken(trail: &Trail<'_>, idle: &Idle, threshold: Threshold) -> Break {
    let Idle { number, ref press, unseen } = *idle;
    let before = trail.shot(number - 1);
    let pressed = before.and_then(|shot| Some((shot, shot.layout().get(press.widget?)?)));
    let notes = pressed.map(|(shot, widget)| notes(press, shot, widget)).unwrap_or_default();
    let meant = match pressed {
        Some((shot, widget)) => press.is_meant(shot, widget),
        // An app may want to be kept where it begins.
        None => trail.page_name(press.origin) != trail.page_name(0),
    };
    let hears = trail.shot(number).is_some_and(|shot| shot.seen.hears_toasts);
    let word = pressed.map(|(shot, widget)| shot.quoted_word(widget.id())).unwrap_or_default();
    let with = with_words(press);
    Break {
        cause: Cause::Idle,
        page: trail.page_name(press.origin),
        list: String::new(),
        event: press.kind,
        what: format!("idle {}{with}{}", press.control, if unseen { ", as far as was seen" } else { "" }),
        sentence: format!("{} did nothing{with}.", pressed_words(press.kind, &word)),
        expected: format!(
            "{} does something{with}, at least now and then.",
            pressed_words(press.kind, &word)
        ),
        found: "The screen is what it was before.".into(),
        shots: (press.origin, number),
        widgets: (notes, Vec::new()),
        claim: Some(Claim::new(RESPONSE.name, about(press), threshold)),
        harm: Harm::LostFunction,
        slight: !hears || !meant || unseen,
    }
}

/// What was pressed, and what was entered beside it where that is left with the press: another entry is another case.
fn notes(press: &Press, shot: &Shot<'_>, widget: Widget<'_>) -> Vec<WidgetNote> {
    let fields = shot.look().fields.iter().filter(|_| press.submits).take(MOST_FIELDS);
    let entered = fields.filter_map(|field| shot.layout().get(field.widget));
    std::iter::once(widget).chain(entered).map(WidgetNote::of).collect()
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
