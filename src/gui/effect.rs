//! GUI effects: what differs between two layouts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::edit::{Outline, edit_mapping_of};
use super::group::is_collection_class;
use super::{Layout, Widget, WidgetId};

/// How effects are computed (Genie).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectForm {
    /// The edit mapping of the trees over [class, resource-id, content-desc, text].
    #[default]
    Tree,
    /// The symmetric difference of the sets of such tuples: duplicates count once, a change is
    /// one deletion and one addition.
    Sets,
}

/// One difference between an earlier and a later layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Of the earlier layout, without a counterpart in the later one.
    Deleted(WidgetId),
    /// Of the later layout, without a counterpart in the earlier one.
    Added(WidgetId),
    /// Of the earlier and of the later layout: the same widget under another label.
    Changed(WidgetId, WidgetId),
}

/// What differs between an earlier and a later layout, in document order of the earlier one with
/// the additions last.
pub fn effects(form: EffectForm, earlier: &Layout, later: &Layout) -> Vec<Effect> {
    effects_of(form, &Outline::of(earlier), &Outline::of(later))
}

/// [`effects`] on outlines prepared before: many pairs share a layout.
pub fn effects_of(form: EffectForm, earlier: &Outline<'_>, later: &Outline<'_>) -> Vec<Effect> {
    let mut effects = match form {
        EffectForm::Tree => tree_effects(earlier, later),
        EffectForm::Sets => set_effects(earlier.layout(), later.layout()),
    };
    effects.sort_by_key(|effect| match *effect {
        Effect::Deleted(a) | Effect::Changed(a, _) => (0, a),
        Effect::Added(b) => (1, b),
    });
    effects
}

/// A widget's context: its [`context_node`], and, inside a row of a list, the text by which a
/// person tells this row from the others.
pub fn context(widget: Widget<'_>) -> String {
    context_where(widget, |_| true)
}

/// [`context`], with rows told apart by no other texts than those of `stable` widgets.
pub fn context_where<'a>(widget: Widget<'a>, stable: impl Fn(Widget<'a>) -> bool) -> String {
    context_named(widget, |row| row_name(row, stable))
}

/// [`context`], with rows told apart by the widgets that `row_name` finds in them.
pub fn context_named<'a>(
    widget: Widget<'a>,
    row_name: impl FnOnce(Widget<'a>) -> Option<Widget<'a>>,
) -> String {
    let row = row_of(widget);
    let mut context = context_node_in(row, widget).map(name).unwrap_or_default();
    let anchor = row.and_then(row_name).filter(|anchor| anchor.id() != widget.id());
    if let Some(anchor) = anchor {
        context.push_str(" in ");
        context.push_str(label_text(anchor));
    }
    context
}

/// The nearest ancestor with more than one child; inside a row it is the list, so that a context does not change with
/// what else the row or the list holds.
pub fn context_node(widget: Widget<'_>) -> Option<Widget<'_>> {
    context_node_in(row_of(widget), widget)
}

fn context_node_in<'a>(row: Option<Widget<'a>>, widget: Widget<'a>) -> Option<Widget<'a>> {
    let list = row.and_then(Widget::parent);
    list.or_else(|| widget.ancestors().find(|w| w.children().nth(1).is_some()))
}

/// `class#resource-id`.
fn name(widget: Widget<'_>) -> String {
    match widget.resource_id() {
        "" => widget.class().to_owned(),
        id => format!("{}#{id}", widget.class()),
    }
}

/// What a person reads on the widget.
pub(super) fn label_text(widget: Widget<'_>) -> &str {
    if widget.text().is_empty() { widget.description() } else { widget.text() }
}

/// The widget's row: its ancestor (or itself) directly below a list, grid or recycler.
pub fn row_of(widget: Widget<'_>) -> Option<Widget<'_>> {
    let mut row = widget;
    for ancestor in widget.ancestors() {
        if is_collection_class(ancestor.short_class()) {
            return Some(row);
        }
        row = ancestor;
    }
    None
}

/// The widget that names a row: the first `stable` one with a text, one without digits if there is
/// any (dates and counts come and go).
pub fn row_name<'a>(row: Widget<'a>, stable: impl Fn(Widget<'a>) -> bool) -> Option<Widget<'a>> {
    let has_digit = |w: &Widget<'_>| label_text(*w).contains(|c: char| c.is_ascii_digit());
    let named = || row.subtree().filter(|w| !label_text(*w).is_empty() && stable(*w));
    named().find(|w| !has_digit(w)).or_else(|| named().next())
}

fn tree_effects(earlier: &Outline<'_>, later: &Outline<'_>) -> Vec<Effect> {
    let changed = |a: WidgetId, b: WidgetId| earlier.label(a) != later.label(b);
    edit_mapping_of(earlier, later)
        .into_iter()
        .filter_map(|pair| match pair {
            (Some(a), Some(b)) => changed(a, b).then_some(Effect::Changed(a, b)),
            (Some(a), None) => Some(Effect::Deleted(a)),
            (None, Some(b)) => Some(Effect::Added(b)),
            (None, None) => None,
        })
        .collect()
}

fn set_effects(earlier: &Layout, later: &Layout) -> Vec<Effect> {
    let (old, new) = (first_of_each(earlier), first_of_each(later));
    let deleted =
        old.iter().filter(|(label, _)| !new.contains_key(*label)).map(|(_, id)| Effect::Deleted(*id));
    let added = new.iter().filter(|(label, _)| !old.contains_key(*label)).map(|(_, id)| Effect::Added(*id));
    deleted.chain(added).collect()
}

/// The first widget of each label.
fn first_of_each(layout: &Layout) -> BTreeMap<[&str; 4], WidgetId> {
    let mut first = BTreeMap::new();
    for w in layout.widgets() {
        first.entry([w.class(), w.resource_id(), w.description(), w.text()]).or_insert(w.id());
    }
    first
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
