//! What only screenshots show: colours, replaced pictures, and messages in front of a page.
//!
//! In: two screenshots of screens that say the same. Out: a line that says where they differ, if they do.

use super::facts::Facts;
use super::target::target;
use super::telling::Pixels;
use super::veil::Veil;
use droidmux_gui::{Bounds, Flags, Widget};
use droidmux_record::BlobHash;

/// One part in so many of a screen, from the top, is the bar of the system, which is never still.
const BAR: i32 = 24;

/// Pixels by which an area that differs may reach beyond a widget: it is made of squares.
const SLACK: i32 = 16;

/// Places told of one step.
const MOST: usize = 3;

/// What changed where no text did; `None` where nothing did, or nobody can tell.
pub(super) fn unseen(
    shots: Option<(BlobHash, BlobHash)>,
    facts: &Facts,
    veil: &Veil,
    pixels: &dyn Pixels,
) -> Option<String> {
    let (earlier, later) = shots.filter(|(earlier, later)| earlier != later)?;
    let changed = pixels.changed(earlier, later)?;
    let screen = facts.layout().roots().map(Widget::bounds).max_by_key(|root| root.height());
    let screen = screen.unwrap_or_default();
    let bar = screen.top + screen.height() / BAR;
    let (mut places, mut passing): (Vec<String>, Option<&str>) = (Vec::new(), None);
    for area in changed.iter().filter(|area| area.bottom > bar) {
        match smallest(facts, *area).filter(|widget| widget.is_leaf() || widget.is_actionable()) {
            Some(widget) => {
                let place = target(facts, widget, veil);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            None => passing = Some(part(screen, *area)),
        }
    }
    places.truncate(MOST);
    let mut told = Vec::new();
    if !places.is_empty() {
        told.push(format!("the picture changed at {}", places.join(", ")));
    }
    if let Some(part) = passing {
        told.push(format!("something that no widget shows came or went in the {part} part (a toast?)"));
    }
    (!told.is_empty()).then(|| format!("nothing in the text; {}", told.join("; ")))
}

/// The smallest widget that something lies in.
fn smallest(facts: &Facts, area: Bounds) -> Option<Widget<'_>> {
    let holds = |widget: &Widget<'_>| {
        !widget.has(Flags::INVISIBLE) && widget.bounds().grown(SLACK).intersection(area) == area
    };
    let size = |widget: &Widget<'_>| i64::from(widget.bounds().width()) * i64::from(widget.bounds().height());
    facts.layout().widgets().filter(holds).min_by_key(size)
}

/// The third of the screen that something lies in.
fn part(screen: Bounds, area: Bounds) -> &'static str {
    match (area.center().y - screen.top).max(0) * 3 / screen.height().max(1) {
        0 => "upper",
        1 => "middle",
        _ => "lower",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Layouts;
    use droidmux_testutils::script::Script;

    /// Screenshots that differ there.
    struct Differing(Vec<Bounds>);

    impl Pixels for Differing {
        fn changed(&self, _: BlobHash, _: BlobHash) -> Option<Vec<Bounds>> {
            Some(self.0.clone())
        }
    }

    #[test]
    fn pictures_that_changed_are_told_with_the_widget_that_shows_them() {
        let script = Script::read("@ Main Notes\nlist items\n- milk | (Delete)\n(save=Save)");
        let screen = &script.run.turns[0].observation.seen().unwrap().screen;
        let facts = Facts::alone(script.layouts.layout(screen.layout).unwrap());
        let root = facts.layout().roots().next().unwrap().bounds();
        let save = facts.layout().widgets().find(|w| w.text() == "Save").unwrap().bounds();
        let clock = Bounds::new(root.right - 40, root.top, root.right - 8, root.top + 16);
        let toast = Bounds::new(root.left, root.bottom - 40, root.right, root.bottom - 8);
        let shots = |later: u8| Some((BlobHash([1; 32]), BlobHash([later; 32])));
        for (shots, areas, told) in [
            (shots(2), vec![clock], None),
            (shots(1), vec![save], None),
            (None, vec![save], None),
            (
                shots(2),
                vec![clock, save.grown(8)],
                Some("nothing in the text; the picture changed at \"Save\""),
            ),
            (
                shots(2),
                vec![toast],
                Some(
                    "nothing in the text; something that no widget shows came or went in the lower part (a toast?)",
                ),
            ),
        ] {
            let said = unseen(shots, &facts, &Veil::default(), &Differing(areas));
            assert_eq!(said.as_deref(), told);
        }
    }
}
