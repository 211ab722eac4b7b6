//! Was the event done on another page, or on the same page in another mode?

use super::case::Case;
use super::story::Sight;
use crate::sentence;
use droidmux_account::apart;
use droidmux_account::look::Look;
use droidmux_account::place::Place;
use droidmux_account::row::lists;
use droidmux_gui::{Event, Layout, Widget};
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// A difference of page or mode explains it: the app was asked for something else.
pub(super) fn explain(case: &Case<'_>) -> Option<Experiment> {
    let (usual, deviant) = case.before()?;
    let left_out = |widget: Widget<'_>| case.is_left_out(usual, widget) || case.is_left_out(deviant, widget);
    let (at, deviant_at) = case.before_at()?;
    let found = (usual.layout != deviant.layout)
        .then(|| without(&usual.layout, left_out).difference(&without(&deviant.layout, left_out)))
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
    let page = without(pivot, passes).difference(&without(end, passes));
    page.or_else(|| {
        let receiver = next?.receiver.as_ref()?;
        let row = |layout: &Layout| sentence::row_label(layout.get(layout.resolve(receiver).widget()?)?);
        rows(row(pivot), row(end))
    })
}

/// The same activity and the same page of it, whatever is typed or ticked there.
pub(super) fn is_same_page(a: &Sight<'_>, b: &Sight<'_>) -> bool {
    let (one, other) = (a.screen, b.screen);
    let at_once = one.layout == other.layout && one.activity == other.activity;
    at_once
        || one.package == other.package && one.activity == other.activity && a.place().is_page_of(b.place())
}

/// What page a layout shows, and in which mode.
pub(super) fn place(layout: &Layout) -> Place {
    without(layout, |_| false)
}

/// The same without what is left out.
fn without(layout: &Layout, left_out: impl Fn(Widget<'_>) -> bool) -> Place {
    let lists = lists(layout);
    Place::seen(layout, &Look::of(layout, &lists), &lists, left_out)
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

/// True for a text with a time of day in it, which passes by itself.
fn is_clock(text: &str) -> bool {
    text.as_bytes()
        .windows(4)
        .any(|w| w[0].is_ascii_digit() && w[1] == b':' && w[2].is_ascii_digit() && w[3].is_ascii_digit())
}
