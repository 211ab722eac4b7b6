//! Selectors: how a widget of one layout is found again on another.

use serde::{Deserialize, Serialize};

use super::ratio::ratio;
use super::{Layout, Widget, WidgetId, short_class, short_id, surroundings};
use droidmux_words::number;

/// A widget described by its own properties, its children and its context.
///
/// Made by [`Layout::selector`], resolved by [`Layout::resolve`] in the order of the Genie tool: an
/// exact match including children wins, then equal properties ranked by how alike the context is,
/// ties by the position among siblings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Selector {
    /// Full class name.
    pub class: String,
    /// As in the dump, with its package; empty when it has none.
    pub resource_id: String,
    /// The content description; empty when it has none.
    pub description: String,
    /// Empty for password fields.
    pub text: String,
    /// What is below, as a count and a hash; empty for a leaf.
    pub children: String,
    /// The surroundings in canonical form: path of ancestors and the texts near by.
    pub context: String,
    /// Position among the twins, from 0: the widgets that nothing above tells apart (siblings most
    /// often, or the same place of several rows), in document order.
    pub position: u16,
}

impl Selector {
    /// For a person: the class with the label, else with the id, else on its own.
    pub fn words(&self) -> String {
        let (class, id) = (short_class(&self.class), short_id(&self.resource_id));
        match (self.text.as_str(), self.description.as_str(), id) {
            ("", "", "") => class.to_owned(),
            ("", "", id) => format!("{class} {id}"),
            ("", label, _) | (label, _, _) => format!("{class} {label:?}"),
        }
    }
}

/// How a selector was found on a layout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// One widget has the same properties, children and surroundings.
    Exact(WidgetId),
    /// Equal properties, the context alike by this Levenshtein ratio, 0.0 to 1.0.
    Similar(WidgetId, f32),
    /// No widget has the same properties.
    NotFound,
}

impl Resolution {
    /// The widget that was found, however similar it is.
    pub fn widget(self) -> Option<WidgetId> {
        match self {
            Self::Exact(widget) | Self::Similar(widget, _) => Some(widget),
            Self::NotFound => None,
        }
    }

    /// 1.0 for exact, the ratio for similar, 0.0 for not found.
    pub fn ratio(self) -> f32 {
        match self {
            Self::Exact(_) => 1.0,
            Self::Similar(_, ratio) => ratio,
            Self::NotFound => 0.0,
        }
    }
}

impl Layout {
    /// The selector of a widget of this layout; of an unknown number an empty one, which resolves
    /// to nothing. Holds no text of a password field.
    pub fn selector(&self, widget: WidgetId) -> Selector {
        let Some(widget) = self.get(widget) else { return Selector::nothing() };
        let mut selector = Selector {
            class: widget.class().to_owned(),
            resource_id: widget.resource_id().to_owned(),
            description: widget.description().to_owned(),
            text: surroundings::open_text(widget).to_owned(),
            children: surroundings::children(widget),
            context: surroundings::context(widget),
            position: 0,
        };
        let earlier = self.widgets().take_while(|other| other.id() < widget.id());
        let twins = earlier.filter(|other| selector.is_twin(*other)).count();
        selector.position = u16::try_from(twins).unwrap_or(u16::MAX);
        selector
    }

    /// Finds the widget a selector means.
    ///
    /// Among the widgets of equal class, resource-id and description, one whose text and children
    /// are equal too is exact; where several are, the one with the likest context is taken, exact
    /// when the context is equal. Without any such, the one with the likest context is similar.
    /// Of several equally like the one at the selector's position is taken, else the first.
    pub fn resolve(&self, selector: &Selector) -> Resolution {
        let alike: Vec<Widget<'_>> = self.widgets().filter(|w| selector.has_properties_of(*w)).collect();
        let exact: Vec<Widget<'_>> = alike.iter().copied().filter(|w| selector.has_content_of(*w)).collect();
        match exact.as_slice() {
            [] => match likest(&alike, selector) {
                Some((widget, ratio)) => Resolution::Similar(widget.id(), number::short(ratio)),
                None => Resolution::NotFound,
            },
            [widget] => Resolution::Exact(widget.id()),
            several => match likest(several, selector) {
                Some((widget, 1.0)) => Resolution::Exact(widget.id()),
                Some((widget, ratio)) => Resolution::Similar(widget.id(), number::short(ratio)),
                None => Resolution::NotFound,
            },
        }
    }
}

impl Selector {
    fn nothing() -> Self {
        Self {
            class: String::new(),
            resource_id: String::new(),
            description: String::new(),
            text: String::new(),
            children: String::new(),
            context: String::new(),
            position: 0,
        }
    }

    /// Equal class, resource-id and description: the properties every match must have.
    fn has_properties_of(&self, widget: Widget<'_>) -> bool {
        !self.class.is_empty()
            && widget.resource_id() == self.resource_id
            && widget.class() == self.class
            && widget.description() == self.description
    }

    fn has_content_of(&self, widget: Widget<'_>) -> bool {
        surroundings::open_text(widget) == self.text && surroundings::has_children(widget, &self.children)
    }

    fn is_twin(&self, widget: Widget<'_>) -> bool {
        self.has_properties_of(widget)
            && self.has_content_of(widget)
            && surroundings::has_context(widget, &self.context)
    }
}

/// The candidate with the likest context, and the ratio; see [`Selector::position`] for ties.
fn likest<'a>(candidates: &[Widget<'a>], selector: &Selector) -> Option<(Widget<'a>, f64)> {
    let equal: Vec<Widget<'a>> =
        candidates.iter().copied().filter(|w| surroundings::has_context(*w, &selector.context)).collect();
    if let Some(widget) = at_position(&equal, selector) {
        return Some((widget, 1.0));
    }
    let ratios: Vec<f64> =
        candidates.iter().map(|w| ratio(&surroundings::context(*w), &selector.context)).collect();
    let best = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let ties = candidates.iter().zip(&ratios).filter(|&(_, &ratio)| ratio == best);
    let ties: Vec<Widget<'a>> = ties.map(|(widget, _)| *widget).collect();
    Some((at_position(&ties, selector)?, best))
}

fn at_position<'a>(ties: &[Widget<'a>], selector: &Selector) -> Option<Widget<'a>> {
    ties.get(usize::from(selector.position)).or(ties.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flags, LayoutBuilder, NewWidget};

    /// A list of rows, each with a picture, a label and a menu button.
    fn rows(labels: &[&str]) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "android.widget.FrameLayout", ..NewWidget::default() });
        builder.open(NewWidget { class: "a.RecyclerView", resource_id: "p:id/list", ..NewWidget::default() });
        for label in labels {
            builder.open(NewWidget { class: "android.widget.LinearLayout", ..NewWidget::default() });
            for (class, id, text) in [
                ("android.widget.ImageView", "p:id/picture", ""),
                ("android.widget.TextView", "p:id/label", *label),
                ("android.widget.Button", "p:id/more", "More"),
            ] {
                builder.open(NewWidget { class, resource_id: id, text, ..NewWidget::default() });
                builder.close();
            }
            builder.close();
        }
        builder.finish()
    }

    fn picture_of(layout: &Layout, label: &str) -> WidgetId {
        let text = layout.widgets().find(|w| w.text() == label).expect("label");
        text.parent().and_then(|row| row.children().next()).expect("picture").id()
    }

    #[test]
    fn a_picture_is_told_by_its_row() {
        let before = rows(&["Cinema", "Cleaning", "Cooking"]);
        let after = rows(&["Gardening", "Cleaning", "Officework", "Cinema"]);
        for label in ["Cinema", "Cleaning"] {
            let selector = before.selector(picture_of(&before, label));
            assert_eq!(after.resolve(&selector), Resolution::Exact(picture_of(&after, label)), "{label}");
        }
        let lost = before.selector(picture_of(&before, "Cooking"));
        let Resolution::Similar(_, ratio) = after.resolve(&lost) else { panic!("not similar") };
        assert!(ratio > 0.5 && ratio < 1.0, "{ratio}");
    }

    #[test]
    fn rows_with_equal_labels_are_told_by_position() {
        let layout = rows(&["Tea", "Tea", "Tea"]);
        for widget in layout.widgets() {
            assert_eq!(layout.resolve(&layout.selector(widget.id())), Resolution::Exact(widget.id()));
        }
    }

    #[test]
    fn the_order_of_resolution() {
        let layout = rows(&["Cinema", "Cleaning"]);
        let label = layout.widgets().find(|w| w.text() == "Cinema").expect("label").id();
        let mut selector = layout.selector(label);
        selector.text = "Cinemas".into();
        let Resolution::Similar(found, ratio) = layout.resolve(&selector) else { panic!("not similar") };
        assert_eq!((found, ratio), (label, 1.0), "equal properties and context, other text");
        selector.resource_id = "p:id/other".into();
        assert_eq!(layout.resolve(&selector), Resolution::NotFound);
        assert_eq!(layout.resolve(&layout.selector(WidgetId(999))), Resolution::NotFound);
    }

    #[test]
    fn no_password_in_selectors() {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "Form", ..NewWidget::default() });
        let field = NewWidget { class: "EditText", text: "hunter2", ..NewWidget::default() };
        builder.open(NewWidget { flags: Flags::PASSWORD, ..field });
        builder.close();
        builder.open(NewWidget { class: "Button", text: "Log in", ..NewWidget::default() });
        let layout = builder.finish();
        for widget in layout.widgets() {
            let selector = layout.selector(widget.id());
            assert!(!format!("{selector:?}").contains("hunter2"), "{selector:?}");
            assert_eq!(layout.resolve(&selector), Resolution::Exact(widget.id()));
        }
    }
}
