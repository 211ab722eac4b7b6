//! Was the event done on another page, or on the same page in another mode?

use super::case::Case;
use super::story::Sight;
use crate::sentence::{self, quoted};
use droidmux_account::look::{Look, Window};
use droidmux_account::row::{lists, name};
use droidmux_account::{apart, differences};
use droidmux_gui::{Event, Flags, Layout, Widget, WidgetId};
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// A difference of page or mode explains it: the app was asked for something else.
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
pub(super) fn is_same_page(a: &Sight<'_>, b: &Sight<'_>) -> bool {
    let (one, other) = (a.screen, b.screen);
    let at_once = one.layout == other.layout && one.activity == other.activity;
    at_once || (one.package == other.package && one.activity == other.activity && a.page() == b.page())
}

/// What identifies a page: see [`Look`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageName {
    window: Window,
    title: String,
    tab: String,
    dialog: String,
}

impl PageName {
    pub(super) fn of(layout: &Layout) -> Self {
        let Look { window, title, tab, dialog, .. } = Look::of(layout, &lists(layout));
        Self { window, title: without_count(&title), tab, dialog }
    }

    /// `the dialog 'Delete milk?'`, `the tab 'Done'`, `the page 'Notes'`; `None` where nothing is written on it.
    pub(super) fn words(&self) -> Option<String> {
        let (what, text) = match (self.dialog.is_empty(), self.tab.is_empty()) {
            (false, _) => ("dialog", &self.dialog),
            (true, false) => ("tab", &self.tab),
            (true, true) => ("page", &self.title),
        };
        (!text.is_empty()).then(|| format!("the {what} {}", quoted(text)))
    }
}

/// What a person goes by to tell where they are, and in which mode, without what is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    /// `None` where it is left out.
    title: Option<String>,
    tab: String,
    /// Title and message of a dialog; `None` without one.
    dialog: Option<String>,
    /// Fields with their texts, in document order.
    fields: Vec<(String, String)>,
    /// Switches outside of rows, with what they are set to.
    toggles: Vec<(String, String)>,
}

impl Identity {
    fn of(layout: &Layout, left_out: impl Fn(Widget<'_>) -> bool) -> Self {
        let look = Look::of(layout, &lists(layout));
        let hidden: Vec<Widget<'_>> = layout.widgets().filter(|widget| left_out(*widget)).collect();
        let is_hidden_text = |text: &str| hidden.iter().any(|widget| widget.text().trim() == text);
        let is_hidden = |id: WidgetId| hidden.iter().any(|widget| widget.id() == id);
        let is_hidden_toggle =
            |key: &str| hidden.iter().any(|w| w.has(Flags::CHECKABLE) && key.starts_with(&name(*w)));
        let title = (!is_hidden_text(&look.title)).then(|| without_count(&look.title));
        let fields = look.fields.into_iter().filter(|field| !is_hidden(field.widget));
        Self {
            title,
            tab: look.tab,
            dialog: (look.window == Window::Dialog).then_some(look.message),
            fields: fields.map(|field| (field.key, field.text)).collect(),
            toggles: look.toggles.into_iter().filter(|(key, _)| !is_hidden_toggle(key)).collect(),
        }
    }
}

/// The first way in which a page differs from the usual one, in words.
fn difference(usual: &Identity, deviant: &Identity) -> Option<String> {
    if let (Some(own), Some(other)) = (&usual.title, &deviant.title)
        && own != other
        && usual.dialog.is_some() == deviant.dialog.is_some()
    {
        let (is, was) = differences(other, own);
        return Some(format!("the page {}{is} instead of {}{was}", titled(other), titled(own)));
    }
    match (&usual.dialog, &deviant.dialog) {
        (None, None) => {}
        (Some(_), None) => return Some("no dialog was open".into()),
        (None, Some(dialog)) => return Some(format!("the dialog {} was open", quoted(dialog))),
        (Some(usual), Some(dialog)) if usual != dialog => {
            let (is, was) = apart(dialog, usual);
            return Some(format!("the dialog {is} instead of {was}"));
        }
        (Some(_), Some(_)) => {}
    }
    if usual.tab != deviant.tab {
        let chosen = |tab: &str| if tab.is_empty() { "nothing".to_owned() } else { quoted(tab) };
        return Some(format!("{} was chosen instead of {}", chosen(&deviant.tab), chosen(&usual.tab)));
    }
    for (key, text) in &usual.fields {
        let other = deviant.fields.iter().find(|(other, _)| other == key).map(|(_, text)| text);
        match other {
            None => return Some(format!("the field with {} was not there", quoted(text))),
            Some(other) if other != text => {
                let (is, was) = differences(other, text);
                return Some(format!("{}{is} stood in a field instead of {}{was}", told(other), told(text)));
            }
            Some(_) => {}
        }
    }
    if let Some((_, text)) =
        deviant.fields.iter().find(|(key, _)| usual.fields.iter().all(|(other, _)| other != key))
    {
        return Some(format!("a field with {} was open", told(text)));
    }
    let differs =
        |(key, state): &&(String, String)| deviant.toggles.iter().any(|(k, s)| k == key && s != state);
    let (key, state) = usual.toggles.iter().find(differs)?;
    let other = deviant.toggles.iter().find(|(other, _)| other == key).map_or("", |(_, state)| state);
    Some(format!("a switch was {} instead of {}", told_state(other), told_state(state)))
}

fn told_state(state: &str) -> String {
    if matches!(state, "on" | "off") { state.to_owned() } else { told(state) }
}

/// Two events on rows of different names.
fn rows(usual: Option<String>, deviant: Option<String>) -> Option<String> {
    match (usual, deviant) {
        (Some(usual), Some(deviant)) if usual != deviant && !is_clock(&usual) => {
            let (is, was) = apart(&deviant, &usual);
            Some(format!("the row {is} instead of {was}"))
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

/// Without a number in brackets, with which a title shows how much the page holds.
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
