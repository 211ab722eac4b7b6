//! What differs between the screens before and after an insertion, and how bad that is.
//!
//! In: two screens that should be equal, what is masked and what was typed. Out: the worst difference, in words.
//!
//! Invariants: masked and ignored widgets, passing windows (snackbars, popups) and values that pass with time are not
//! differences; if there are several, the worst is reported: a lost page before a lost text, and a lost text before the
//! focus.

use std::collections::BTreeSet;

use crate::mask::Masks;
use crate::passing::lasting;
use crate::playback::Shot;
use droidmux_account::look::Window;
use droidmux_account::snackbar::is_in_snackbar;
use droidmux_gui::{Widget, lies_over, likeness};
use droidmux_record::{Harm, IgnoreRule};

use super::pair::Pair;
use super::sentence::title;

/// Looks at screens as the session's rules and masks say.
#[derive(Clone, Copy)]
pub(super) struct Eye<'e> {
    pub ignore: &'e [IgnoreRule],
    pub masks: &'e Masks,
}

/// The worst difference of two screens.
pub(super) struct Difference<'a> {
    pub kind: Kind,
    /// What is different: `the text typed into 'Title' is gone`.
    pub words: String,
    /// The widget or list it is about, by class and id; equal for the same loss with other data.
    pub about: String,
    /// The widgets it is about, before and after.
    pub widgets: (Vec<Widget<'a>>, Vec<Widget<'a>>),
    /// Nothing that was there is gone or doubled: something came, rows stand in another order, or one says something
    /// else.
    pub is_news: bool,
}

/// What a difference is about; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Page,
    Dialog,
    Text,
    Choice,
    Rows,
    Shown,
    Scroll,
    Focus,
}

/// Pages less alike than this are not the same one.
const ONE_PAGE: f64 = 0.5;

impl Kind {
    /// Too slight to be reported by itself.
    pub(super) fn is_slight(self) -> bool {
        matches!(self, Self::Scroll | Self::Focus)
    }

    /// In keys.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Dialog => "dialog",
            Self::Text => "text",
            Self::Choice => "choice",
            Self::Rows => "rows",
            Self::Shown => "shown",
            Self::Scroll => "scroll",
            Self::Focus => "focus",
        }
    }

    /// What is lost, for clusters: see [`lost`](crate::relation::lost).
    pub(super) fn family(self) -> &'static str {
        match self {
            Self::Scroll | Self::Focus => "place",
            kind => kind.name(),
        }
    }

    pub(super) fn harm(self) -> Harm {
        match self {
            Self::Text | Self::Choice | Self::Rows => Harm::LostData,
            Self::Page | Self::Dialog => Harm::LostFunction,
            Self::Shown | Self::Scroll | Self::Focus => Harm::WrongDisplay,
        }
    }
}

/// A popup menu: a window over the page below it with nothing but a list in it. Whatever happens around it closes it.
pub(super) fn is_popup(shot: Shot<'_>, below: Option<Shot<'_>>) -> bool {
    let is_over =
        below.is_some_and(|page| page.page() == shot.page() && lies_over(shot.layout(), page.layout()));
    let window = if is_over { shot.place_above().page.window } else { shot.place().page.window };
    window == Window::Menu
}

impl<'e> Eye<'e> {
    /// The worst difference; `None` when there is none. `typed` are the texts typed before.
    pub(super) fn difference<'a>(
        &self,
        before: Shot<'a>,
        after: Shot<'a>,
        typed: &BTreeSet<&str>,
    ) -> Option<Difference<'a>> {
        if before.hash() == after.hash() && before.page() == after.page() {
            return None;
        }
        if let Some(elsewhere) = elsewhere(before, after) {
            return Some(elsewhere);
        }
        let pair = Pair { eye: self, before, after, typed };
        let mut found = pair.fields();
        found.extend(pair.choices());
        found.extend(pair.rows());
        found.extend(pair.others());
        found.into_iter().rev().min_by_key(|difference| difference.kind)
    }

    pub(super) fn sees(&self, shot: Shot<'_>, widget: Widget<'_>) -> bool {
        let activity = shot.activity();
        !is_passing_window(widget)
            && !self.ignore.iter().any(|rule| rule.matches(activity, widget))
            && !self.masks.masks(activity, widget)
    }
}

/// Another page, or one dialog more or fewer.
pub(super) fn elsewhere<'a>(before: Shot<'a>, after: Shot<'a>) -> Option<Difference<'a>> {
    let (one, other) = (before.layout(), after.layout());
    let difference = |kind, words, about: String| {
        Some(Difference { kind, words, about, widgets: (Vec::new(), Vec::new()), is_news: false })
    };
    let named = |shot: Shot<'_>| title(shot.layout());
    if before.page() != after.page() {
        let words = match (named(before), named(after)) {
            (Some(lost), Some(shown)) if lost != shown => {
                format!("the page {lost} is gone and {shown} is shown")
            }
            _ => "another page is shown".to_owned(),
        };
        return difference(Kind::Page, words, after.activity().to_owned());
    }
    match (before.place().page.is_window(), after.place().page.is_window()) {
        (true, false) => {
            let words = match named(before) {
                Some(dialog) => format!("the dialog {dialog} is gone"),
                None => "the dialog is gone".to_owned(),
            };
            return difference(Kind::Dialog, words, identity_of_dialog(before));
        }
        (false, true) => {
            let words = match named(after) {
                Some(dialog) => format!("the dialog {dialog} has come up"),
                None => "a dialog has come up".to_owned(),
            };
            return difference(Kind::Dialog, words, identity_of_dialog(after));
        }
        _ => {}
    }
    if !before.is_comparable(after) && likeness(one, other) < ONE_PAGE {
        let words = match (named(before), named(after)) {
            (Some(lost), Some(shown)) if lost != shown => format!("{shown} is shown in the place of {lost}"),
            _ => "another page is shown".to_owned(),
        };
        return difference(Kind::Page, words, String::new());
    }
    None
}

/// A dialog by its title, without what passes.
fn identity_of_dialog(shot: Shot<'_>) -> String {
    title(shot.layout()).map(|title| lasting(&title)).unwrap_or_default()
}

/// Snackbars and toasts go away by themselves.
fn is_passing_window(widget: Widget<'_>) -> bool {
    let is_toast = |widget: Widget<'_>| {
        [widget.short_id(), widget.short_class()]
            .iter()
            .any(|name| name.to_ascii_lowercase().contains("toast"))
    };
    is_in_snackbar(widget) || is_toast(widget) || widget.ancestors().any(is_toast)
}
