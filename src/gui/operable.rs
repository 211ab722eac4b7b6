//! The widgets of a layout that can be operated, numbered as they are presented to people and models.

use serde::{Deserialize, Serialize};

use super::{EventKind, Flags, Layout, Widget, WidgetId};

/// What can be done to a widget; each has a colour of its own in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interaction {
    /// A tap does something, or is declared to.
    Click,
    /// A long press does something of its own.
    LongClick,
    /// It can be switched on and off.
    Check,
    /// It scrolls.
    Swipe,
    /// Text can be typed into it.
    Type,
}

/// A widget that can be operated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operable {
    /// From 1, in document order: its number in lists and pictures of this layout.
    pub number: u32,
    /// Which widget of the layout it is.
    pub widget: WidgetId,
    /// Never empty; the first one determines the colour.
    pub interactions: Vec<Interaction>,
}

/// A colour as prompts name it, and as pictures show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkColor {
    /// In English, lower case: `green`.
    pub name: &'static str,
    /// Red, green, blue.
    pub rgb: [u8; 3],
}

/// Ancestors in which a touch is looked for.
const NEAR: usize = 3;

impl Layout {
    /// The widgets that take an event of their own or scroll, and that a finger reaches: none behind an open drawer.
    /// What can be checked but takes no touch is a part of what is touched for it, such as the text of an item in a
    /// drawer.
    pub fn operable(&self) -> Vec<Operable> {
        let takes = |widget: Widget<'_>| widget.has(Flags::CLICKABLE) && widget.is_touchable();
        let is_part = |widget: &Widget<'_>| {
            let passive =
                widget.has(Flags::CHECKABLE) && !widget.has(Flags::CLICKABLE) && !widget.is_editable();
            passive && widget.ancestors().take(NEAR).any(takes)
        };
        let whole = self.reachable().filter(|widget| !is_part(widget));
        let operable = whole.map(|widget| (widget.id(), widget.interactions()));
        let operable = operable.filter(|(_, interactions)| !interactions.is_empty());
        (1..)
            .zip(operable)
            .map(|(number, (widget, interactions))| Operable { number, widget, interactions })
            .collect()
    }
}

impl Widget<'_> {
    /// What its flags and class say can be done to it, the most telling first: typing before
    /// checking before clicking. Checking is the click on what can be checked; a long click on a text
    /// field is the keyboard's business and is left out.
    pub fn interactions(self) -> Vec<Interaction> {
        let editable = self.is_editable();
        let checkable = self.has(Flags::CHECKABLE);
        let can = [
            (Interaction::Type, editable),
            (Interaction::Check, checkable),
            (Interaction::Click, self.has(Flags::CLICKABLE) && !checkable),
            (Interaction::LongClick, self.has(Flags::LONG_CLICKABLE) && !editable),
            (Interaction::Swipe, self.has(Flags::SCROLLABLE)),
        ];
        can.into_iter().filter(|(_, can)| *can).map(|(interaction, _)| interaction).collect()
    }

    /// The event that does this to the widget; a swipe brings what comes next into view.
    pub fn event_of(self, interaction: Interaction) -> EventKind {
        match interaction {
            Interaction::Click | Interaction::Check => EventKind::Click,
            Interaction::LongClick => EventKind::LongClick,
            Interaction::Type => EventKind::Edit,
            Interaction::Swipe => EventKind::Scroll(self.directions()[0]),
        }
    }
}

impl Interaction {
    /// Each of them once, to find one by its name.
    const ALL: [Self; 5] = [Self::Click, Self::LongClick, Self::Check, Self::Swipe, Self::Type];

    /// One word for prompts and recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::LongClick => "long-click",
            Self::Check => "check",
            Self::Swipe => "swipe",
            Self::Type => "type",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interaction| interaction.name() == name)
    }

    /// Far from each other in hue and lightness, so that they survive scaling and compression.
    pub fn color(self) -> MarkColor {
        let (name, rgb) = match self {
            Self::Click => ("red", [214, 20, 40]),
            Self::LongClick => ("purple", [130, 30, 180]),
            Self::Check => ("green", [0, 135, 60]),
            Self::Swipe => ("orange", [240, 130, 0]),
            Self::Type => ("blue", [0, 90, 230]),
        };
        MarkColor { name, rgb }
    }

    /// What the marks in pictures mean, in words that go with the pictures.
    pub fn legend() -> String {
        let colors =
            Self::ALL.map(|interaction| format!("{} = {}", interaction.color().name, interaction.name()));
        format!(
            "Each widget that can be operated has a box around it and a filled tag with its number, the \
             same number as in the list of widgets. The colour of box and tag tells the main way to operate \
             the widget: {}. In history pictures the box shows the widget that was acted on, and what is \
             written under a screen belongs to the screen above. A hatched grey area hides a password.",
            colors.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, LayoutBuilder, NewWidget};

    #[test]
    fn numbered_in_document_order_with_the_most_telling_interaction_first() {
        let on = Flags::ENABLED;
        let click = on.with(Flags::CLICKABLE, true);
        let both = click.with(Flags::LONG_CLICKABLE, true);
        let shown = Bounds::new(0, 0, 10, 10);
        let widgets = [
            ("android.widget.FrameLayout", on, shown, ""),
            ("android.widget.Button", click, shown, "1 click"),
            ("android.widget.Button", click.with(Flags::ENABLED, false), shown, ""),
            ("a.b.Row", both, shown, "2 click long-click"),
            ("android.widget.CheckBox", click.with(Flags::CHECKABLE, true), shown, "3 check"),
            ("android.widget.EditText", both, shown, "4 type click"),
            ("a.b.RecyclerView", on.with(Flags::SCROLLABLE, true), shown, "5 swipe"),
            ("android.widget.Button", click, Bounds::new(5, 5, 5, 5), ""),
            (
                "android.widget.ListView",
                both.with(Flags::SCROLLABLE, true),
                shown,
                "6 click long-click swipe",
            ),
        ];
        let mut builder = LayoutBuilder::new();
        for (class, flags, bounds, _) in widgets {
            builder.open(NewWidget { class, flags, bounds, ..NewWidget::default() });
            builder.close();
        }
        let layout = builder.finish();
        let told = |operable: &Operable| {
            let names: Vec<&str> = operable.interactions.iter().map(|i| i.name()).collect();
            format!("{} {}", operable.number, names.join(" "))
        };
        let found = layout.operable();
        for (n, (class, flags, _, expected)) in (0..).zip(widgets) {
            let here =
                found.iter().find(|operable| operable.widget == WidgetId(n)).map_or(String::new(), told);
            assert_eq!(here, expected, "{class} {flags:?}");
        }
    }

    #[test]
    fn an_item_of_a_drawer_is_operated_once() {
        let on = Flags::ENABLED;
        let bounds = Bounds::new(0, 0, 260, 48);
        let mut builder = LayoutBuilder::new();
        let flags = on.with(Flags::CLICKABLE, true);
        builder.open(NewWidget { class: "a.LinearLayoutCompat", flags, bounds, ..NewWidget::default() });
        let flags = on.with(Flags::CHECKABLE, true);
        builder.open(NewWidget {
            class: "a.CheckedTextView",
            text: "Inbox",
            flags,
            bounds,
            ..NewWidget::default()
        });
        builder.close();
        builder.close();
        // Alone, it is all there is.
        builder.open(NewWidget { class: "a.CheckedTextView", flags, bounds, ..NewWidget::default() });
        let operable = builder.finish().operable();
        let found: Vec<_> = operable.iter().map(|found| (found.widget, found.interactions[0])).collect();
        assert_eq!(found, [(WidgetId(0), Interaction::Click), (WidgetId(2), Interaction::Check)]);
    }

    #[test]
    fn what_an_open_drawer_covers_is_not_operated() {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
        let bounds = Bounds::new(0, 0, 260, 480);
        for (drawer, operated) in [(false, vec![2]), (true, vec![4])] {
            let mut builder = LayoutBuilder::new();
            builder.open(NewWidget { class: "a.DrawerLayout", bounds, ..NewWidget::default() });
            for part in ["Page", "Drawer"].into_iter().take(1 + usize::from(drawer)) {
                builder.open(NewWidget { class: "a.LinearLayout", bounds, ..NewWidget::default() });
                builder.open(NewWidget {
                    class: "a.Button",
                    text: part,
                    flags,
                    bounds,
                    ..NewWidget::default()
                });
                builder.close();
                builder.close();
            }
            let layout = builder.finish();
            let found: Vec<u32> = layout.operable().iter().map(|operable| operable.widget.0).collect();
            assert_eq!(found, operated);
            let clicked: Vec<u32> = layout.events().iter().map(|(_, widget)| widget.0).collect();
            assert_eq!(clicked, operated);
        }
    }

    #[test]
    fn the_legend_names_every_colour_once() {
        let legend = Interaction::legend();
        for interaction in Interaction::ALL {
            let part = format!("{} = {}", interaction.color().name, interaction.name());
            assert_eq!(legend.matches(&part).count(), 1, "{part}");
            assert_eq!(Interaction::named(interaction.name()), Some(interaction));
        }
    }
}
