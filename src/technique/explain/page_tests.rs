//! Which pages count as the same, and which as equal in content.

use super::stage::{event_of, page};
use super::{Done, came_to_another_page, content_difference};
use droidmux_gui::{Event, EventKind, Layout, Widget};

#[test]
fn an_insertion_must_come_back_to_the_same_page() {
    // pivot, end, the row of the next event, and why it does not count as the same.
    for (pivot, end, next, why) in [
        ("bar A; row milk", "bar A; row milk; row tea", "milk", ""),
        ("bar A (1); row milk", "bar A (2); row milk; row tea", "milk", ""),
        ("bar A; text now=12:04", "bar A; text now=12:05", "", ""),
        ("bar 12:04", "bar 12:05", "", ""),
        ("bar A; row milk", "bar B; row milk", "", "the page 'B' instead of 'A'"),
        ("bar A; tab One", "bar A; tab Two", "", "'Two' was chosen"),
        ("bar A; field q=", "bar A; field q=x", "", "stood in a field"),
        ("bar A; field q=x", "bar A", "", "the field with 'x' was not there"),
        ("bar A", "bar A; field q=", "", "a field with nothing was open"),
        ("bar A; switch B=on", "bar A; switch B=off", "", "off instead of on"),
        ("bar A", "dialog Really?", "", "the dialog 'Really?' was open"),
        ("dialog Really?", "dialog Sure?", "", "'Sure?' instead of 'Really?'"),
        ("bar A; row milk; row tea", "bar A; row tea", "milk", "the row 'tea' instead of 'milk'"),
    ] {
        let (pivot, end) = (page(pivot).1, page(end).1);
        let tick = |layout: &Layout| {
            let is_its = |w: &Widget<'_>| {
                w.short_id() == "tick" && crate::sentence::row_label(*w).as_deref() == Some(next)
            };
            layout.widgets().find(is_its).map(|w| Event::on(EventKind::Click, layout.selector(w.id())))
        };
        let said = came_to_another_page(&pivot, &end, tick(&pivot).as_ref());
        assert_eq!(said.is_some(), !why.is_empty(), "{why}: {said:?}");
        assert!(said.clone().unwrap_or_default().contains(why), "{why}: {said:?}");
    }
}

#[test]
fn a_usual_page_has_equal_content_outside_of_rows() {
    // The usual page and the deviant one, what is done on either, and why the two are not of equal content.
    for (usual, deviant, events, why) in [
        ("bar A; button Go", "bar A; button Go", ("click Go", "click Go"), ""),
        ("bar A; button Go; row milk", "bar A; button Go; row tea; row jam", ("click Go", "click Go"), ""),
        ("bar A; row milk", "bar A; row tea", ("click tick of milk", "click tick of tea"), ""),
        (
            "bar A; text n=1; button Go",
            "bar A; text n=2; button Go",
            ("click Go", "click Go"),
            "'2' instead of '1'",
        ),
        ("bar A; text n=1; button Go", "bar A; button Go", ("click Go", "click Go"), "'1' was not there"),
        ("bar A; button Go", "bar A; text n=1; button Go", ("click Go", "click Go"), "'1' was there"),
        ("bar A; button Go", "bar B; button Go", ("click Go", "click Go"), "the page 'B' instead of 'A'"),
        (
            "bar A; field q=; button Go",
            "bar A; field q=x; button Go",
            ("click Go", "click Go"),
            "stood in a field",
        ),
        (
            "bar A; switch B=on; button Go",
            "bar A; switch B=off; button Go",
            ("click Go", "click Go"),
            "off instead",
        ),
        (
            "bar A; item One; item Two",
            "bar A; item One; item Two",
            ("click One", "click Two"),
            "on 'Two' instead of 'One'",
        ),
    ] {
        let (usual, deviant) = (page(usual).1, page(deviant).1);
        let (one, other) = (event_of(events.0, &usual), event_of(events.1, &deviant));
        let said = content_difference(
            Done { layout: &usual, event: &one },
            Done { layout: &deviant, event: &other },
        );
        assert_eq!(said.is_some(), !why.is_empty(), "{why}: {said:?}");
        assert!(said.clone().unwrap_or_default().contains(why), "{why}: {said:?}");
    }
}
