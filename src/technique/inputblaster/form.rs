//! Forms: pages with text fields and something to submit them with.

use droidmux_gui::{Event, EventKind, Flags, Layout, Selector, StateId, Widget, WidgetId};
use droidmux_record::Screen;

/// A form as it is on one layout.
#[derive(Clone, Debug)]
pub(super) struct Form<'a> {
    pub layout: &'a Layout,
    pub activity: &'a str,
    /// The text fields that can be touched, in document order; at least one.
    pub fields: Vec<WidgetId>,
}

/// The most fields in one form: pages with more are tables.
const MOST_FIELDS: usize = 20;

/// The most ways of submitting a form that are tried.
const MOST_SUBMITS: usize = 6;

/// A widget at most this many times the height of the form's lowest field is a button; higher ones
/// are lists and cards.
const HIGHEST: i32 = 4;

impl<'a> Form<'a> {
    /// The form that a screen of the app shows, if it shows one.
    pub fn of(screen: &'a Screen, layout: &'a Layout) -> Option<Self> {
        if !screen.in_app {
            return None;
        }
        let fields = layout.widgets().filter(|w| w.is_editable() && w.is_touchable());
        let fields: Vec<WidgetId> = fields.map(Widget::id).take(MOST_FIELDS).collect();
        (!fields.is_empty()).then_some(Self { layout, activity: &screen.activity, fields })
    }

    /// What tells it from other forms: activity, and the classes, ids and hints of the fields.
    pub fn id(&self) -> StateId {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &str| {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        };
        add(self.activity);
        for field in self.widgets() {
            add(field.class());
            add(field.resource_id());
            add(field.description());
            add(field.hint());
        }
        let mut short = [0; 8];
        hasher.finalize_xof().fill(&mut short);
        StateId(u64::from_le_bytes(short))
    }

    pub fn widgets(&self) -> impl Iterator<Item = Widget<'a>> {
        let layout = self.layout;
        self.fields.iter().filter_map(move |&id| layout.get(id))
    }

    /// A field by its number, from 0.
    pub fn field(&self, number: usize) -> Option<Widget<'a>> {
        self.fields.get(number).and_then(|&id| self.layout.get(id))
    }

    /// The number of the field that a selector means here.
    pub fn number_of(&self, selector: &Selector) -> Option<usize> {
        let widget = self.layout.resolve(selector).widget()?;
        self.fields.iter().position(|field| *field == widget)
    }

    /// Clicks that tick every box that is not ticked.
    pub fn ticks(&self) -> Vec<Event> {
        let open = |w: &Widget<'_>| {
            w.has(Flags::CHECKABLE) && !w.has(Flags::CHECKED) && w.is_touchable() && !w.is_editable()
        };
        let boxes = self.layout.widgets().filter(open);
        boxes.map(|w| Event::on(EventKind::Click, self.layout.selector(w.id()))).collect()
    }

    /// What may submit the form, likeliest first, the enter key last: by structure (a button, near
    /// and below the fields, not in the bar above them), and by the affirmative words of the
    /// settings.
    pub fn submits(&self, affirmative: &[String]) -> Vec<Event> {
        let mut ranked: Vec<(Rank, WidgetId)> = self
            .layout
            .widgets()
            .filter(|w| self.may_submit(*w))
            .map(|w| (self.rank(w, affirmative), w.id()))
            .collect();
        ranked.sort_unstable();
        let clicks = ranked.into_iter().take(MOST_SUBMITS);
        let clicks = clicks.map(|(_, id)| Event::on(EventKind::Click, self.layout.selector(id)));
        clicks.chain([Event::global(EventKind::Enter)]).collect()
    }

    fn may_submit(&self, widget: Widget<'_>) -> bool {
        let highest = self.widgets().map(|w| w.bounds().height()).max().unwrap_or(0);
        let holds_field = |id: &WidgetId| self.layout.get(*id).is_some_and(|f| f.is_inside(widget.id()));
        widget.has(Flags::CLICKABLE)
            && widget.is_touchable()
            && !widget.has(Flags::CHECKABLE)
            && !widget.is_editable()
            && !self.fields.iter().any(holds_field)
            && (widget.is_button() || widget.bounds().height() <= highest.saturating_mul(HIGHEST))
    }

    fn rank(&self, widget: Widget<'_>, affirmative: &[String]) -> Rank {
        let bounds = widget.bounds();
        let top = self.widgets().map(|w| w.bounds().top).min().unwrap_or(0);
        let bottom = self.widgets().map(|w| w.bounds().bottom).max().unwrap_or(0);
        let label = widget.subtree().take(8).find_map(label).unwrap_or_default();
        let below = bounds.center().y >= bottom;
        let agrees = label
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| affirmative.iter().any(|known| known.eq_ignore_ascii_case(word)));
        Rank {
            not_affirmative: !agrees,
            not_below: !below,
            not_a_button: !widget.is_button(),
            above: bounds.center().y < top,
            distance: (bounds.center().y - bottom).abs(),
        }
    }
}

/// Why a widget submits a form rather than another one: the smallest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    not_affirmative: bool,
    not_below: bool,
    not_a_button: bool,
    above: bool,
    distance: i32,
}

fn label(widget: Widget<'_>) -> Option<&str> {
    [widget.text(), widget.description()].into_iter().find(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};

    /// Class, id, text, top; every widget is clickable.
    fn layout(widgets: &[(&str, &str, &str, i32)]) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget {
            class: "Frame",
            bounds: Bounds::new(0, 0, 100, 900),
            ..NewWidget::default()
        });
        for &(class, resource_id, text, top) in widgets {
            let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
            let flags = flags.with(Flags::CHECKABLE, class == "CheckBox");
            let bounds = Bounds::new(0, top, 100, top + 40);
            builder.open(NewWidget { class, resource_id, text, bounds, flags, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    fn screen(activity: &str, layout: &Layout) -> Screen {
        let (layout, activity) = (layout.hash(), activity.to_owned());
        Screen { layout, package: "a".into(), activity, in_app: true, rotation: 0, keyboard: false }
    }

    #[test]
    fn submits_by_structure_and_by_affirmative_words() {
        let ok = vec!["ok".to_owned()];
        let cases: [(&[(&str, &str, &str, i32)], &str); 3] = [
            (
                &[
                    ("ImageButton", "up", "", 0),
                    ("EditText", "name", "", 100),
                    ("CheckBox", "agree", "", 150),
                    ("TextView", "help", "?", 300),
                    ("Button", "go", "Zug", 200),
                ],
                "go help up",
            ),
            (&[("EditText", "q", "", 0), ("Button", "no", "x", 50), ("Button", "yes", "OK", 90)], "yes no"),
            (&[("EditText", "q", "", 0)], ""),
        ];
        for (widgets, expected) in cases {
            let layout = layout(widgets);
            let screen = screen("a.A", &layout);
            let form = Form::of(&screen, &layout).expect("a form");
            let submits = form.submits(&ok);
            let ids: Vec<&str> =
                submits.iter().filter_map(|e| e.receiver.as_ref()).map(|r| r.resource_id.as_str()).collect();
            assert_eq!(ids.join(" "), expected);
            assert_eq!(submits.last().map(|e| e.kind), Some(EventKind::Enter));
        }
    }

    #[test]
    fn forms_are_told_by_activity_and_fields() {
        let base = layout(&[("EditText", "a", "", 0), ("Button", "b", "x", 50)]);
        let id = |activity: &str, layout: &Layout| {
            Form::of(&screen(activity, layout), layout).map(|form| form.id())
        };
        let typed =
            layout(&[("EditText", "a", "text", 0), ("Button", "c", "y", 50), ("TextView", "", "!", 90)]);
        assert_eq!(id("a.A", &base), id("a.A", &typed), "texts, buttons and messages do not count");
        assert_ne!(id("a.A", &base), id("a.B", &base));
        let more = layout(&[("EditText", "a", "", 0), ("EditText", "b", "", 50)]);
        assert_ne!(id("a.A", &base), id("a.A", &more));
        assert_eq!(id("a.A", &layout(&[("Button", "b", "x", 50)])), None);
    }
}
