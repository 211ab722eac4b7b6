//! How a script finds a widget: by id, else by text, else by description, else by class and position.

use droidmux_gui::{Bounds, Flags, Layout, Widget, WidgetId};

/// What a script searches for. Empty attributes are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locator {
    /// With its package, as in dumps.
    pub resource_id: String,
    /// The whole text.
    pub text: String,
    /// The whole content description.
    pub description: String,
    /// Full class name; only if nothing else identifies the widget.
    pub class: String,
    /// Package of the window; only if there is no id, since ids name it.
    pub package: String,
    /// Which of the matching widgets, from 0, in document order.
    pub index: usize,
    /// Where it was when it was recorded, in pixels.
    pub bounds: Bounds,
}

impl Locator {
    /// Distinguishes a widget of a layout from all others.
    pub(super) fn of(layout: &Layout, id: WidgetId) -> Option<Self> {
        let widget = layout.get(id)?;
        let own = Self::own(layout, widget);
        if own.is_named() {
            return Some(own);
        }
        // A row often consists only of its content: a tap on that is a tap on the row.
        let within = layout.widgets().filter(|other| {
            other.interactions().is_empty() && other.ancestors().any(|ancestor| ancestor.id() == id)
        });
        let parts = within.map(|part| Self::own(layout, part)).find(Self::is_named);
        Some(parts.unwrap_or(own))
    }

    fn own(layout: &Layout, widget: Widget<'_>) -> Self {
        // What is typed into a field changes, and what a password field shows is left out.
        let text = match widget.has(Flags::PASSWORD)
            || widget.interactions().contains(&droidmux_gui::Interaction::Type)
        {
            true => "",
            false => widget.text(),
        };
        let (id, description) = (widget.resource_id(), widget.description());
        let candidates = [
            (id, "", ""),
            (id, text, ""),
            ("", text, ""),
            (id, "", description),
            ("", "", description),
            (id, text, description),
        ];
        let of = |(id, text, description): (&str, &str, &str)| Self {
            resource_id: id.to_owned(),
            text: text.to_owned(),
            description: description.to_owned(),
            package: if id.is_empty() { widget.package().to_owned() } else { String::new() },
            bounds: widget.bounds(),
            ..Self::default()
        };
        let told = candidates.into_iter().filter(|(a, b, c)| !(a.is_empty() && b.is_empty() && c.is_empty()));
        let told: Vec<Self> = told.map(of).collect();
        if let Some(unique) = told.iter().find(|locator| locator.hits(layout).len() == 1) {
            return unique.clone();
        }
        // Of several identical ones, the one at its position.
        let mut best = told
            .into_iter()
            .next_back()
            .unwrap_or_else(|| Self { class: widget.class().to_owned(), ..of(("", "", "")) });
        best.index = best.hits(layout).iter().position(|hit| *hit == widget.id()).unwrap_or(0);
        best
    }

    /// It needs no position among others.
    fn is_named(&self) -> bool {
        self.class.is_empty() && self.index == 0
    }

    /// The matching widgets of a layout, in document order.
    pub(super) fn hits(&self, layout: &Layout) -> Vec<WidgetId> {
        let fits = |wanted: &str, is: &str| wanted.is_empty() || wanted == is;
        let hits = layout.widgets().filter(|widget| {
            fits(&self.resource_id, widget.resource_id())
                && fits(&self.text, widget.text())
                && fits(&self.description, widget.description())
                && fits(&self.class, widget.class())
                && fits(&self.package, widget.package())
        });
        hits.map(|widget| widget.id()).collect()
    }

    /// How often it occurs in a layout.
    pub(super) fn count(&self, layout: &Layout) -> usize {
        self.hits(layout).len()
    }

    /// Nothing to search for.
    pub(super) fn is_empty(&self) -> bool {
        self.resource_id.is_empty() && self.text.is_empty() && self.description.is_empty()
    }

    /// For a person.
    pub fn words(&self) -> String {
        let named = [("id", &self.resource_id), ("text", &self.text), ("description", &self.description)];
        let mut words: Vec<String> = named
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name} {value:?}"))
            .collect();
        if !self.class.is_empty() {
            words.push(format!("class {}", self.class));
        }
        if self.index > 0 {
            words.push(format!("number {}", self.index + 1));
        }
        words.join(", ")
    }
}
