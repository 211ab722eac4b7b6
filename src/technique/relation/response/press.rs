//! A press that could be expected to do something: of which control, and on which screen.

use super::super::fingerprint;
use super::super::leaving::{AGREEING, LEAVING, leaves};
use super::super::trail::{Shot, Trail};
use super::super::words::{Meaning, says};
use super::window::{is_of_drop_down, opening, shown_again, shows_chosen};
use droidmux_account::look::{Look, Window, is_in_bar};
use droidmux_account::snackbar::{is_action, is_in_snackbar};
use droidmux_gui::{EventKind, Flags, Widget, WidgetId};

/// How many of the largest icons have room beside each other: one of 56 dp, the largest that Material has, is a seventh of
/// the smallest phones.
const ICONS_ABREAST: i32 = 6;

/// Keys for digits that make a keypad.
const DIGITS: usize = 2;

/// What was pressed.
#[derive(Clone)]
pub struct Press {
    /// The control by a name that is the same in every trace.
    pub control: String,
    /// The same without its page, of what an app commonly offers on several: an entry of a menu, an action of a bar.
    pub shared: Option<String>,
    /// What it says; empty for a key.
    pub word: String,
    pub kind: EventKind,
    /// `None` for a key.
    pub widget: Option<WidgetId>,
    /// The shot that would be there again if nothing was done.
    pub origin: usize,
    /// It closes the window, or leaves the form, that it lies in.
    pub closes: bool,
    /// It does so with something that was entered there. A form that refuses this, and says so, has done something,
    /// but nothing with what was entered.
    pub submits: bool,
}

impl Press {
    /// The press that led to a shot, if it is one that could be expected to do something.
    pub fn at(trail: &Trail<'_>, number: usize) -> Option<Self> {
        let (before, after) = (trail.shot(number.checked_sub(1)?)?, trail.shot(number)?);
        if after.kind() == EventKind::Back {
            return Self::going_back(trail, number);
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
        let silent = is_chosen(widget)
            || shows_chosen(trail, number - 1, &before.word(widget.id()))
            || widget.is_editable()
            || is_message(widget)
            || is_of_platforms_picker(before, widget);
        let fits = meant && before.is_sound() && !silent;
        let below = shown_again(trail, number);
        if !fits || (below.is_some() && !has_result(trail, number - 1, widget)) {
            return None;
        }
        let left = below.or_else(|| form_left(trail, number, widget));
        let origin = left.unwrap_or(number - 1);
        let closes = left.is_some();
        Some(Self {
            control: control(trail, number - 1, widget)?,
            shared: shared(trail, number - 1, widget),
            word: before.word(widget.id()),
            kind: after.kind(),
            widget: Some(widget.id()),
            origin,
            closes,
            submits: closes && !before.look().fields.is_empty(),
        })
    }

    /// A press of the back key on a page; what lies above one may not let itself be closed.
    fn going_back(trail: &Trail<'_>, number: usize) -> Option<Self> {
        let origin = number.checked_sub(1)?;
        let before = trail.shot(origin)?;
        let fits = before.is_sound() && !before.is_covered();
        fits.then(|| Self {
            control: trail.page_name(origin),
            shared: None,
            word: String::new(),
            kind: EventKind::Back,
            widget: None,
            origin,
            closes: false,
            submits: false,
        })
    }

    /// It is there to be pressed in this way, whatever it leads to.
    pub fn is_meant(&self, shot: &Shot<'_>, widget: Widget<'_>) -> bool {
        let is_in_row = || shot.row_with(widget.id()).is_some();
        let is_row = || is_in_row() && !widget.has(Flags::LONG_CLICKABLE);
        match self.kind {
            EventKind::LongClick => true,
            // What it would read anew may be what is shown. A row may have any name.
            _ if says(&self.word, Meaning::Renew) && (shot.is_covered() || !is_in_row()) => false,
            _ if shot.look().drawer_open || is_keypad(shot) => false,
            // What was entered may be kept where the page below does not show it.
            _ if self.closes && shot.look().window != Window::Menu => false,
            _ => shot.is_covered() || self.is_button(widget) || is_row(),
        }
    }

    /// It is a click on a button, on an action of a bar, or on an icon that is one.
    pub fn is_button(&self, widget: Widget<'_>) -> bool {
        self.kind == EventKind::Click && (widget.is_button() || is_bar_action(widget) || is_icon(widget))
    }

    /// It is a button of a page that always looks the same, with nothing on it that could be other the next time: there are
    /// no three screens of it. What other pages have as well, a tab perhaps, leads to this one, and has nothing to do here.
    pub fn is_of_plain_page(&self, trail: &Trail<'_>) -> bool {
        let Some(shot) = trail.shot(self.origin).filter(|shot| !self.closes && shot.shows_page()) else {
            return false;
        };
        let Some(widget) = self.widget.and_then(|widget| shot.layout().get(widget)) else { return false };
        let look = shot.look();
        let is_plain = shot.lists().is_empty() && look.fields.is_empty() && look.toggles.is_empty();
        let speaks_against = |other: &Shot<'_>| {
            let (is, was) = (&other.seen.screen, &shot.seen.screen);
            match other.is_same_page(shot) {
                true => is.rotation == was.rotation && is.layout != was.layout,
                false => other.has_same(widget),
            }
        };
        let mut pages = trail.shots().iter().filter(|other| other.shows_page());
        is_plain && self.is_button(widget) && !pages.any(speaks_against)
    }

    /// Whether the keyboard was closed by what came before the press: a window came up over the page, or the lab closed it.
    pub fn has_closed_keyboard(&self, after: &Shot<'_>) -> bool {
        self.closes || !after.seen.dialogs.is_empty()
    }

    /// Hashed: what the screen showed, and what was pressed there.
    pub fn situation(&self, trail: &Trail<'_>) -> u64 {
        let layout = trail.shot(self.origin).map(|shot| shot.seen.screen.layout.to_string());
        let widget = self.widget.map(|widget| widget.0.to_string());
        fingerprint(&[&layout.unwrap_or_default(), &widget.unwrap_or_default()])
    }
}

/// Whether the press takes something out of the window that it closes.
fn has_result(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> bool {
    let opened = opening(trail, number).and_then(|opening| trail.shot(opening));
    let (Some(before), Some(opened)) = (trail.shot(number), opened) else { return false };
    if before.look().window != Window::Dialog {
        return true;
    }
    let chosen = before.row_with(widget.id()).is_some();
    let entered = differ_in_entries(before.look(), opened.look());
    // A dialog with one button only tells something.
    let agrees = widget.short_id() == AGREEING
        && before.layout().widgets().any(|other| other.short_id() == LEAVING[0]);
    let asks = before.look().fields.is_empty() && before.look().toggles.is_empty();
    chosen || (entered && !leaves(before, widget)) || (agrees && asks)
}

/// The page that was there before a form which the press to a shot leaves with something entered, where it comes back
/// to that page. What both pages have, a tab perhaps, leads from one to the other, whatever was entered.
fn form_left(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> Option<usize> {
    let (form, after) = (trail.shot(number.checked_sub(1)?)?, trail.shot(number)?);
    let is_left = !form.is_covered() && after.shows_page() && !form.is_same_page(after);
    if !is_left || form.look().fields.is_empty() || leaves(form, widget) {
        return None;
    }
    let earlier = trail.shots().get(..number)?;
    let elsewhere = |shot: &Shot<'_>| !shot.is_covered() && !shot.is_same_page(form);
    let below = earlier.iter().rposition(elsewhere)?;
    let came = earlier.get(below + 1..)?.iter().find(|shot| shot.shows_page())?.look();
    let page = trail.shot(below).filter(|page| page.seen.screen.in_app && page.is_same_page(after))?;
    let entered = differ_in_entries(form.look(), came);
    (entered && !page.has_same(widget)).then_some(below)
}

/// Whether something was entered or toggled between two looks at one window or page.
fn differ_in_entries(one: &Look, other: &Look) -> bool {
    (&one.fields, &one.toggles) != (&other.fields, &other.toggles)
}

/// A touch in the middle of the widget is its own: nothing that can be touched lies there above it or in it.
fn takes_touch(shot: &Shot<'_>, widget: Widget<'_>) -> bool {
    let middle = widget.bounds().center();
    let there = |other: &Widget<'_>| other.is_actionable() && other.bounds().contains(middle);
    shot.layout().reachable().filter(there).last().is_some_and(|last| last.id() == widget.id())
}

/// What an entry of a menu or an action of a bar says, and its id. A bar's own buttons have none: each page has its way up.
fn shared(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> Option<String> {
    let shot = trail.shot(number)?;
    let is_entry = shot.look().window == Window::Menu && !is_of_drop_down(trail, number);
    let is_action = is_bar_action(widget) && !widget.short_id().is_empty();
    (is_entry || is_action).then(|| format!("{} {}", widget.short_id(), shot.word(widget.id())))
}

/// One of the words or pictures in a bar: some libraries draw them as texts, and a bar itself may lead home.
fn is_bar_action(widget: Widget<'_>) -> bool {
    let says = !widget.text().is_empty() || !widget.description().is_empty();
    says && widget.children().next().is_none() && is_in_bar(&widget)
}

/// A picture by its class. The platform lets none be touched: this one is touched because the app wants it to be. A large
/// one opens what it shows, and may have nothing to show as yet; one before a field says what the field is for.
fn is_icon(widget: Widget<'_>) -> bool {
    let shorter_side = |widget: Widget<'_>| widget.bounds().width().min(widget.bounds().height());
    let window = widget.ancestors().last().unwrap_or(widget);
    let is_small = shorter_side(widget) <= shorter_side(window) / ICONS_ABREAST;
    widget.short_class().ends_with("ImageView") && widget.is_leaf() && is_small && !names_field(widget)
}

/// It has no words of its own, and a field stands to its right in the same row.
fn names_field(widget: Widget<'_>) -> bool {
    let mut beside = widget.parent().into_iter().flat_map(Widget::children);
    let is_before = |other: Widget<'_>| other.is_editable() && widget.bounds().right <= other.bounds().left;
    widget.description().is_empty() && beside.any(is_before)
}

/// A snackbar takes touches only so that nothing below it does.
fn is_message(widget: Widget<'_>) -> bool {
    is_in_snackbar(widget) && !is_action(widget)
}

/// A control of the platform's own in a dialog, such as the date above a calendar, which leads from the years back to it: the
/// app asks for what its buttons give.
fn is_of_platforms_picker(shot: &Shot<'_>, widget: Widget<'_>) -> bool {
    let is_platforms = widget.resource_id().starts_with("android:id/");
    let is_button = widget.short_id() == AGREEING || LEAVING.contains(&widget.short_id());
    shot.is_covered() && is_platforms && !is_button && shot.row_with(widget.id()).is_none()
}

/// A page with keys for single digits. What the others do may show only once the next is pressed: the keys of a calculator.
fn is_keypad(shot: &Shot<'_>) -> bool {
    let is_digit = |widget: &Widget<'_>| {
        let mut says = widget.text().trim().chars();
        widget.has(Flags::CLICKABLE) && says.next().is_some_and(char::is_numeric) && says.next().is_none()
    };
    shot.layout().reachable().filter(is_digit).count() >= DIGITS
}

/// What is chosen already has nothing more to do.
fn is_chosen(widget: Widget<'_>) -> bool {
    let chosen = |widget: Widget<'_>| widget.has(Flags::SELECTED) || widget.has(Flags::CHECKED);
    widget.subtree().any(chosen)
}

/// The name of a control: its page, and what tells it from others there. In a list all rows of a kind are one control,
/// for they share a listener; in a menu each row is one, and what a dialog or a drop-down list offers to choose from is one
/// together.
fn control(trail: &Trail<'_>, number: usize, widget: Widget<'_>) -> Option<String> {
    let shot = trail.shot(number)?;
    let page = trail.page_name(number);
    let window = &shot.look().dialog;
    let word = shot.word(widget.id());
    let own = trail.is_own(&word, number);
    let window = if trail.is_data(window, number) { "" } else { window.as_str() };
    let row = shot.row_with(widget.id());
    // Of what a dialog offers to choose from, one is chosen already, and seldom is that marked.
    let chooses = row.is_some() && (shot.look().window == Window::Dialog || is_of_drop_down(trail, number));
    let named = match (widget.short_id(), row) {
        (_, _) if shot.is_covered() && own && !chooses => word,
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
