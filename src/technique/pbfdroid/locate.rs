//! How a function's widget is found on a layout.

use super::xpath::Path;
use droidmux_gui::{Bounds, Layout, Widget};
use droidmux_record::{DmfWidget, KeyView};

/// The widgets with all filled-in attributes of `wanted`, in document order; without any, none.
/// `text` is what its text says on this occasion: itself, or what it refers to.
///
/// With an instance number, only the widget with that number among them.
pub fn find<'a>(layout: &'a Layout, wanted: &DmfWidget, text: &str) -> Vec<Widget<'a>> {
    let fitting: Vec<Widget<'a>> =
        candidates(layout, wanted).into_iter().filter(|w| fits(*w, wanted, text)).collect();
    match wanted.instance {
        Some(instance) => fitting.into_iter().skip(instance as usize).take(1).collect(),
        None => fitting,
    }
}

/// Like [`find`], with any text: what is there where the wanted widget should be.
pub fn find_with_any_text<'a>(layout: &'a Layout, wanted: &DmfWidget) -> Vec<Widget<'a>> {
    candidates(layout, wanted).into_iter().filter(|w| fits(*w, wanted, "")).collect()
}

/// Why no widget is found, for a person: the nearest widget and what differs about it.
pub fn why_not(layout: &Layout, wanted: &DmfWidget, text: &str) -> String {
    if !wanted.xpath.is_empty() {
        match Path::parse(&wanted.xpath) {
            Err(error) => return format!("its xpath is {error}"),
            Ok(path) if path.find(layout).is_empty() => return "its xpath leads to no widget".into(),
            Ok(_) => {}
        }
    }
    let found = candidates(layout, wanted);
    let fitting = found.iter().filter(|w| fits(**w, wanted, text)).count();
    if let Some(instance) = wanted.instance.filter(|_| fitting > 0) {
        return format!("instance {instance} is wanted, and {fitting} fit");
    }
    let Some(nearest) = found.into_iter().max_by_key(|w| agreements(*w, wanted, text)) else {
        return "the layout is empty".into();
    };
    if agreements(nearest, wanted, text) == 0 {
        return "no widget has any of its attributes".into();
    }
    let differing: Vec<String> = attributes(nearest, wanted, text)
        .into_iter()
        .filter(|(_, wanted, has)| wanted != has)
        .map(|(name, wanted, has)| format!("its {name} is {has:?}, not {wanted:?}"))
        .collect();
    format!("of the nearest widget {}", differing.join(", "))
}

fn candidates<'a>(layout: &'a Layout, wanted: &DmfWidget) -> Vec<Widget<'a>> {
    match wanted.xpath.as_str() {
        "" => layout.widgets().collect(),
        xpath => Path::parse(xpath).map(|path| path.find(layout)).unwrap_or_default(),
    }
}

fn fits(widget: Widget<'_>, wanted: &DmfWidget, text: &str) -> bool {
    let attributes = attributes(widget, wanted, text);
    (!attributes.is_empty() || !wanted.xpath.is_empty() || wanted.text_source().is_some())
        && attributes.iter().all(|(_, wanted, has)| wanted == has)
}

fn agreements(widget: Widget<'_>, wanted: &DmfWidget, text: &str) -> usize {
    attributes(widget, wanted, text).iter().filter(|(_, wanted, has)| wanted == has).count()
}

/// The filled-in attributes: name, wanted value, the widget's value.
fn attributes<'a>(
    widget: Widget<'a>,
    wanted: &'a DmfWidget,
    text: &'a str,
) -> Vec<(&'static str, &'a str, &'a str)> {
    let all = [
        ("class", wanted.class.as_str(), widget.class()),
        ("resource-id", &wanted.resource_id, widget.resource_id()),
        ("content-desc", &wanted.description, widget.description()),
        ("text", text, widget.text()),
    ];
    all.into_iter().filter(|(_, wanted, _)| !wanted.is_empty()).collect()
}

/// True when this widget must not be touched at random.
pub fn is_key_view(widget: Widget<'_>, view: &KeyView) -> bool {
    let is = |wanted: &Option<String>, has: &str| wanted.as_ref().is_none_or(|wanted| wanted == has);
    is(&view.text, widget.text())
        && is(&view.resource_id, widget.resource_id())
        && is(&view.class, widget.class())
        && is(&view.package, widget.package())
        && is(&view.description, widget.description())
        && view.bounds().is_none_or(|bounds| Bounds::parse(bounds) == Some(widget.bounds()))
        && view.flags.iter().all(|(name, on)| widget.flags().by_attribute(name).is_none_or(|has| has == *on))
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

    fn layout() -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "List", resource_id: "a.b:id/list", ..NewWidget::default() });
        for text in ["tea", "milk", "tea"] {
            builder.open(NewWidget {
                class: "Text",
                resource_id: "a.b:id/name",
                text,
                bounds: Bounds::new(0, 0, 9, 9),
                ..NewWidget::default()
            });
            builder.close();
        }
        builder.open(NewWidget { class: "Button", description: "Add", ..NewWidget::default() });
        builder.finish()
    }

    fn wanted(parts: &str) -> DmfWidget {
        let mut widget = DmfWidget::default();
        for part in parts.split(' ').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').expect("name=value");
            match name {
                "class" => widget.class = value.into(),
                "id" => widget.resource_id = format!("a.b:id/{value}"),
                "desc" => widget.description = value.into(),
                "text" => widget.text = value.into(),
                "nth" => widget.instance = value.parse().ok(),
                "xpath" => widget.xpath = value.into(),
                other => panic!("{other}"),
            }
        }
        widget
    }

    #[test]
    fn all_filled_in_attributes_count() {
        let layout = layout();
        for (parts, text, found, why) in [
            ("id=name", "", "1 2 3", ""),
            ("id=name", "tea", "1 3", ""),
            ("id=name nth=1", "tea", "3", ""),
            ("id=name nth=2", "tea", "", "instance 2 is wanted, and 2 fit"),
            ("id=name", "beer", "", "its text is \"tea\", not \"beer\""),
            ("desc=Add class=Button", "", "4", ""),
            ("desc=Add class=Text", "", "", "its class is \"Button\", not \"Text\""),
            ("xpath=//List/Text[2]", "", "2", ""),
            ("xpath=//List/Text[9]", "", "", "its xpath leads to no widget"),
            ("xpath=Text", "", "", "no path that droidmux can follow"),
            ("id=none", "", "", "no widget has any of its attributes"),
            ("", "", "", "no widget has any of its attributes"),
        ] {
            let wanted = wanted(parts);
            let ids: Vec<String> =
                find(&layout, &wanted, text).iter().map(|w| w.id().0.to_string()).collect();
            assert_eq!(ids.join(" "), found, "{parts} {text}");
            if found.is_empty() {
                let said = why_not(&layout, &wanted, text);
                assert!(said.contains(why), "{parts} {text}: {said}");
            }
        }
        let texts = find_with_any_text(&layout, &wanted("id=name text=x.text")).len();
        assert_eq!(texts, 3);
    }

    #[test]
    fn key_views_fit_by_what_they_name() {
        let layout = layout();
        let text = |text: &str| KeyView { text: Some(text.into()), ..KeyView::default() };
        let named = KeyView { resource_id: Some("a.b:id/list".into()), ..KeyView::default() };
        let at = |bounds: &str| KeyView {
            others: vec![("bounds".into(), bounds.into()), ("index".into(), "7".into())],
            ..KeyView::default()
        };
        for (view, fitting) in [
            (text("tea"), 2),
            (named, 1),
            (KeyView::default(), 5),
            (at("[0,0][9,9]"), 3),
            (at("[0,0][9,8]"), 0),
            (at("everywhere"), 0),
            (at("#any#"), 5),
            (KeyView { text: Some("tea".into()), ..at("[0,0][9,9]") }, 2),
        ] {
            let found = layout.widgets().filter(|w| is_key_view(*w, &view)).count();
            assert_eq!(found, fitting, "{view:?}");
        }
    }
}
