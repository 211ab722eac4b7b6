//! Was the event done on another page, or on the same page in another mode?

use super::case::Case;
use super::story::Sight;
use crate::gui::{Event, Flags, Layout, Widget, is_dialog, row_of};
use crate::record::{Bearing, Experiment, ExperimentKind};
use crate::technique::sentence::{self, quoted};

/// Texts of one dialog that are compared, and characters of each.
const MOST_WORDS: usize = 20;

/// A difference of page or mode explains: the app was asked something else.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let (usual, deviant) = case.before()?;
    let left_out = |widget: Widget<'_>| case.is_left_out(usual, widget) || case.is_left_out(deviant, widget);
    let (at, deviant_at) = case.before_at()?;
    let found = (usual.layout != deviant.layout)
        .then(|| difference(&Identity::of(&usual.layout, left_out), &Identity::of(&deviant.layout, left_out)))
        .flatten()
        .or_else(|| rows(case.usual.row_named(at), case.deviant.row_named(deviant_at)))?;
    let deed = case.usual.deed(at)?;
    let words = format!("{deed} met something else than usual: {found}");
    Some(case.experiment(ExperimentKind::PageIdentity, Bearing::Excuses, &words, (&[at], &[deviant_at])))
}

/// Why what follows an inserted trace would no longer happen where it happened: the page that it ended on differs
/// from the pivot's, or the next event acts on another row. What looks like a time may differ.
pub(crate) fn came_to_another_page(pivot: &Layout, end: &Layout, next: Option<&Event>) -> Option<String> {
    let passes = |widget: Widget<'_>| is_clock(widget.text());
    let page = difference(&Identity::of(pivot, passes), &Identity::of(end, passes));
    page.or_else(|| {
        let receiver = next?.receiver.as_ref()?;
        let row = |layout: &Layout| sentence::row_label(layout.get(layout.resolve(receiver).widget()?)?);
        rows(row(pivot), row(end))
    })
}

/// The same activity, title, tab and dialog, whatever is typed or ticked there.
pub(crate) fn is_same_page(a: &Sight<'_>, b: &Sight<'_>) -> bool {
    if a.screen.layout == b.screen.layout && a.screen.activity == b.screen.activity {
        return true;
    }
    let page = |sight: &Sight<'_>| {
        let Identity { title, tabs, dialog, .. } = Identity::of(&sight.layout, |_| false);
        (title, tabs, dialog.into_iter().next())
    };
    a.screen.package == b.screen.package && a.screen.activity == b.screen.activity && page(a) == page(b)
}

/// What a person goes by to tell where they are, and in which mode.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    title: String,
    /// The chosen tabs and entries.
    tabs: Vec<String>,
    /// Title and message of a dialog; `None` without one.
    dialog: Option<String>,
    /// Fields with their texts, in document order.
    fields: Vec<(String, String)>,
    /// Switches outside of rows, with whether they are on.
    toggles: Vec<(String, bool)>,
}

impl Identity {
    fn of(layout: &Layout, left_out: impl Fn(Widget<'_>) -> bool) -> Self {
        let shown = || layout.widgets().filter(|widget| !left_out(*widget));
        let outside = || shown().filter(|widget| row_of(*widget).is_none());
        let plain = |widget: &Widget<'_>| !widget.is_actionable() && !widget.text().is_empty();
        let is_title = |widget: &Widget<'_>| widget.ancestors().any(is_toolbar);
        let title = outside().filter(plain).find(is_title).map_or("", Widget::text);
        let tabs = outside().filter(|widget| widget.has(Flags::SELECTED));
        let fields = outside().filter(|widget| widget.is_editable() && !widget.has(Flags::PASSWORD));
        let toggles = outside().filter(|widget| widget.has(Flags::CHECKABLE));
        let words: Vec<&str> = outside().filter(plain).map(Widget::text).take(MOST_WORDS).collect();
        Self {
            title: without_count(title),
            tabs: tabs.map(sentence::widget).collect(),
            dialog: is_dialog(layout).then(|| words.join(" ")),
            fields: fields.map(|field| (key(field), field.text().to_owned())).collect(),
            toggles: toggles.map(|toggle| (key(toggle), toggle.has(Flags::CHECKED))).collect(),
        }
    }
}

/// The first way in which a page differs from the usual one, in words.
fn difference(usual: &Identity, deviant: &Identity) -> Option<String> {
    if usual.title != deviant.title {
        return Some(format!("the page {} instead of {}", titled(&deviant.title), titled(&usual.title)));
    }
    match (&usual.dialog, &deviant.dialog) {
        (None, None) => {}
        (Some(_), None) => return Some("no dialog was open".into()),
        (None, Some(dialog)) => return Some(format!("the dialog {} was open", quoted(dialog))),
        (Some(usual), Some(dialog)) if usual != dialog => {
            return Some(format!("the dialog {} instead of {}", quoted(dialog), quoted(usual)));
        }
        (Some(_), Some(_)) => {}
    }
    if usual.tabs != deviant.tabs {
        let chosen = |tabs: &[String]| if tabs.is_empty() { "nothing".to_owned() } else { tabs.join(", ") };
        return Some(format!("{} was chosen instead of {}", chosen(&deviant.tabs), chosen(&usual.tabs)));
    }
    for (key, text) in &usual.fields {
        let other = deviant.fields.iter().find(|(other, _)| other == key).map(|(_, text)| text);
        match other {
            None => return Some(format!("the field with {} was not there", quoted(text))),
            Some(other) if other != text => {
                return Some(format!("{} stood in a field instead of {}", told(other), told(text)));
            }
            Some(_) => {}
        }
    }
    if let Some((_, text)) =
        deviant.fields.iter().find(|(key, _)| usual.fields.iter().all(|(other, _)| other != key))
    {
        return Some(format!("a field with {} was open", told(text)));
    }
    let changed =
        usual.toggles.iter().find(|(key, on)| deviant.toggles.iter().any(|(k, o)| k == key && o != on));
    changed.map(|(_, on)| {
        format!("a switch was {}", if *on { "off instead of on" } else { "on instead of off" })
    })
}

/// Two events on rows of different names.
fn rows(usual: Option<String>, deviant: Option<String>) -> Option<String> {
    match (usual, deviant) {
        (Some(usual), Some(deviant)) if usual != deviant && !is_clock(&usual) => {
            Some(format!("the row {} instead of {}", quoted(&deviant), quoted(&usual)))
        }
        _ => None,
    }
}

fn titled(title: &str) -> String {
    if title.is_empty() { "without a title".into() } else { quoted(title) }
}

fn told(text: &str) -> String {
    if text.is_empty() { "nothing".into() } else { quoted(text) }
}

/// What tells a field or switch from the others of its page.
fn key(widget: Widget<'_>) -> String {
    let label = if widget.is_editable() { widget.description() } else { widget.text() };
    format!("{}#{}@{}:{label}", widget.class(), widget.resource_id(), widget.position())
}

/// A bar at the top of a page, with its title; not the window's decoration, which holds the whole page.
fn is_toolbar(widget: Widget<'_>) -> bool {
    let id = widget.short_id().to_ascii_lowercase();
    let class = widget.short_class();
    id == "action_bar" || id.contains("toolbar") || class.contains("Toolbar") || class == "ActionBarContainer"
}

/// Without a number in brackets, as a title shows how much the page holds.
fn without_count(title: &str) -> String {
    match title.rsplit_once('(') {
        Some((head, tail)) if tail.trim_end_matches(')').chars().all(|c| c.is_ascii_digit()) => {
            head.trim_end().to_owned()
        }
        _ => title.to_owned(),
    }
}

/// True for a text with a time of day in it, which passes by itself.
fn is_clock(text: &str) -> bool {
    text.as_bytes()
        .windows(4)
        .any(|w| w[0].is_ascii_digit() && w[1] == b':' && w[2].is_ascii_digit() && w[3].is_ascii_digit())
}
