//! Random events between functions.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::locate;
use crate::PbfdroidSettings;
use crate::text::{self, Demands};
use droidmux_gui::{Event, EventKind, Layout, WidgetId};
use droidmux_record::KeyView;

/// What a random event is chosen from and kept from.
pub struct Choices<'a> {
    pub layout: &'a Layout,
    pub app: &'a str,
    pub settings: &'a PbfdroidSettings,
    pub key_views: &'a [&'a KeyView],
    /// The first events of the functions that are enabled: not to be performed by chance.
    pub first: &'a [(EventKind, WidgetId)],
    /// Only text that every device can type.
    pub ascii: bool,
}

/// A kind of event by its weight, then any widget of the app that takes it. A kind that no widget
/// takes leaves its weight to the others.
pub fn random_event(choices: &Choices<'_>, rng: &mut ChaCha8Rng) -> Event {
    let settings = choices.settings;
    let on_widgets = choices.on_widgets();
    let of = |wanted: fn(EventKind) -> bool| -> Vec<(EventKind, WidgetId)> {
        on_widgets.iter().filter(|(kind, _)| wanted(*kind)).copied().collect()
    };
    let groups = [
        (settings.random_click, of(|kind| kind == EventKind::Click)),
        (settings.random_long_click, of(|kind| kind == EventKind::LongClick)),
        (settings.random_scroll, of(|kind| matches!(kind, EventKind::Scroll(_)))),
        (settings.random_edit, of(|kind| kind == EventKind::Edit)),
    ];
    let global = [
        (settings.random_back, EventKind::Back),
        (settings.random_home, EventKind::Home),
        (settings.random_rotate, EventKind::Rotate),
    ];
    let of_widgets: u32 = groups.iter().filter(|(_, all)| !all.is_empty()).map(|(weight, _)| weight).sum();
    let total = of_widgets + global.iter().map(|(weight, _)| weight).sum::<u32>();
    if total == 0 {
        return Event::global(EventKind::Back);
    }
    let mut roll = rng.random_range(0..total);
    for (weight, all) in groups.iter().filter(|(_, all)| !all.is_empty()) {
        if roll < *weight {
            let at = rng.random_range(0..all.len());
            return all
                .get(at)
                .map_or(Event::global(EventKind::Back), |(kind, id)| choices.event(*kind, *id, rng));
        }
        roll -= weight;
    }
    for (weight, kind) in global {
        if roll < weight {
            return Event::global(kind);
        }
        roll -= weight;
    }
    Event::global(EventKind::Back)
}

impl Choices<'_> {
    fn on_widgets(&self) -> Vec<(EventKind, WidgetId)> {
        let is_free = |(kind, id): &(EventKind, WidgetId)| {
            let Some(widget) = self.layout.get(*id) else { return false };
            (widget.package().is_empty() || widget.package() == self.app)
                && !self.first.contains(&(*kind, *id))
                && !self.key_views.iter().any(|view| locate::is_key_view(widget, view))
        };
        self.layout.events().into_iter().filter(is_free).collect()
    }

    fn event(&self, kind: EventKind, widget: WidgetId, rng: &mut ChaCha8Rng) -> Event {
        let mut event = Event::on(kind, self.layout.selector(widget));
        if kind == EventKind::Edit {
            let demands = Demands { known: &[], conflict: true, ascii: self.ascii };
            event.data = Some(text::random_text(demands, rng));
        }
        event
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};
    use rand::SeedableRng;

    /// A list with a button, a key button, a field and a button of another app.
    fn layout() -> Layout {
        let on = Flags::ENABLED;
        let mut builder = LayoutBuilder::new();
        let scrolls = on.with(Flags::SCROLLABLE, true);
        let bounds = Bounds::new(0, 0, 100, 100);
        let list =
            NewWidget { class: "List", package: "a.b", flags: scrolls, bounds, ..NewWidget::default() };
        builder.open(list);
        for (class, text, package) in [
            ("Button", "one", "a.b"),
            ("Button", "key", "a.b"),
            ("EditText", "field", "a.b"),
            ("Button", "other", "c.d"),
        ] {
            let flags = on.with(Flags::CLICKABLE, class == "Button");
            builder.open(NewWidget { class, text, package, flags, bounds, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn weights_key_views_and_first_events() {
        let layout = layout();
        let key = KeyView { text: Some("key".into()), ..KeyView::default() };
        let settings = PbfdroidSettings::default();
        let seen = |first: &[(EventKind, WidgetId)], settings: &PbfdroidSettings| {
            let choices =
                Choices { layout: &layout, app: "a.b", settings, key_views: &[&key], first, ascii: true };
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let mut counts = BTreeMap::new();
            for _ in 0..1_000 {
                let event = random_event(&choices, &mut rng);
                let on = event.receiver.map(|receiver| format!(" {}", receiver.text)).unwrap_or_default();
                *counts.entry(format!("{}{on}", event.kind.name())).or_insert(0) += 1;
            }
            counts
        };
        let counts = seen(&[], &settings);
        let names: Vec<&str> = counts.keys().map(|name| name.trim()).collect();
        assert_eq!(names, ["back", "click one", "edit field", "home", "scroll-down", "scroll-up"]);
        let clicks = counts["click one"];
        assert!((300..400).contains(&clicks), "40 of 116: {clicks}");
        let without = seen(&[(EventKind::Click, WidgetId(1))], &settings);
        assert!(!without.contains_key("click one") && without["edit field"] > 350, "{without:?}");
        let turned = PbfdroidSettings { random_rotate: 100, ..settings };
        assert!(seen(&[], &turned)["rotate"] > 300);
    }
}
