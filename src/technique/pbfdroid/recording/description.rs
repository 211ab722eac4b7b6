//! How a widget is to be found again: the fewest attributes that single it out.

use crate::pbfdroid::locate;
use droidmux_gui::{Layout, Widget};
use droidmux_record::DmfWidget;

/// What a widget is described for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// To be touched; what it shows may stand for it, also on a widget inside it.
    Touch,
    /// To be touched, where what is shown is data.
    Row,
    /// To be there or not.
    Sign,
    /// To be typed into, scrolled, or read: what it shows changes.
    Content,
}

/// Longer texts are no labels.
const LONGEST_LABEL: usize = 40;
/// From this length on a text that holds an object counts as dynamic.
const TELLING: usize = 3;

/// How good a description is: lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Id,
    Description,
    Label,
    /// The n-th of those with the id.
    NthOfId,
    Class,
    Nth,
}

/// Describes a widget of a layout; `objects` are texts that are data. Name and layout stay empty.
pub(super) fn describe(layout: &Layout, widget: Widget<'_>, wanted: Wanted, objects: &[&str]) -> DmfWidget {
    // Of a row that shows data, nothing that it shows stands for it.
    let is_data = widget.subtree().any(|w| objects.contains(&w.text()));
    let wanted = if is_data && wanted == Wanted::Touch { Wanted::Row } else { wanted };
    let touched = matches!(wanted, Wanted::Touch | Wanted::Row);
    let inside = widget.subtree().filter(|w| touched && is_part_of(*w, widget));
    let graded = std::iter::once(widget).chain(inside).map(|w| graded(layout, w, wanted, objects));
    graded.min_by_key(|(grade, _)| *grade).map(|(_, description)| description).unwrap_or_default()
}

/// A touch on it is a touch on the other: it is below it, and takes no touches itself.
fn is_part_of(inner: Widget<'_>, outer: Widget<'_>) -> bool {
    let actor = std::iter::once(inner).chain(inner.ancestors()).find(|w| w.is_actionable());
    inner.id() != outer.id()
        && !inner.bounds().is_empty()
        && actor.is_none_or(|actor| actor.id() == outer.id() || outer.is_inside(actor.id()))
}

fn graded(layout: &Layout, widget: Widget<'_>, wanted: Wanted, objects: &[&str]) -> (Grade, DmfWidget) {
    let label = |text: &str| is_label(text, objects).then(|| text.to_owned());
    let id = widget.resource_id().to_owned();
    let description = label(widget.description()).filter(|_| wanted != Wanted::Row);
    let shows = matches!(wanted, Wanted::Touch | Wanted::Sign) && !widget.is_editable();
    let text = label(widget.text()).filter(|_| shows);
    let class = widget.class().to_owned();
    let base = DmfWidget { resource_id: id.clone(), ..DmfWidget::default() };
    let mut tries = Vec::new();
    if !id.is_empty() {
        tries.push((Grade::Id, base.clone()));
    }
    if let Some(description) = description {
        tries.push((Grade::Description, DmfWidget { description, ..base.clone() }));
    }
    if let Some(text) = text {
        tries.push((Grade::Label, DmfWidget { text, ..base.clone() }));
    }
    tries.push((
        if id.is_empty() { Grade::Class } else { Grade::Label },
        DmfWidget { class: class.clone(), ..base },
    ));
    let singles_out = |wanted: &DmfWidget| {
        let found = locate::find(layout, wanted, &wanted.text);
        found.len() == 1 && found.first().is_some_and(|found| found.id() == widget.id())
    };
    if let Some(single) = tries.iter().find(|(_, description)| singles_out(description)) {
        return single.clone();
    }
    // Without an id the most that is known, and its number among those.
    let (grade, mut nth) = match id.is_empty() {
        false => (Grade::NthOfId, DmfWidget { resource_id: id, ..DmfWidget::default() }),
        true => (Grade::Nth, DmfWidget { class, ..DmfWidget::default() }),
    };
    let found = locate::find(layout, &nth, &nth.text);
    let at = found.iter().position(|found| found.id() == widget.id());
    // The first is found without a number.
    nth.instance = at.filter(|at| *at > 0).and_then(|at| u32::try_from(at).ok());
    (grade, nth)
}

/// A text that stays: short, without digits, and no object.
fn is_label(text: &str, objects: &[&str]) -> bool {
    let holds =
        |object: &&str| text == *object || (object.chars().count() >= TELLING && text.contains(*object));
    !text.trim().is_empty()
        && text.chars().count() <= LONGEST_LABEL
        && !text.chars().any(|c| c.is_ascii_digit() || c.is_control())
        // It would be read as a reference.
        && !text.ends_with(".text")
        && !objects.iter().any(holds)
}
