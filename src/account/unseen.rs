//! What only screenshots show: colours, replaced pictures, and messages in front of a page.
//!
//! In: two screenshots of screens that say the same. Out: a line that says where they differ, if they do. What the veil
//! covers may differ.

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
    (facts, activity): (&Facts, &str),
    veil: &Veil,
    pixels: &dyn Pixels,
) -> Option<String> {
    let (earlier, later) = shots.filter(|(earlier, later)| earlier != later)?;
    let changed = pixels.changed(earlier, later)?;
    let screen = facts.layout().roots().map(Widget::bounds).max_by_key(|root| root.height());
    let screen = screen.unwrap_or_default();
    let bar = screen.top + screen.height() / BAR;
    let (mut places, mut passing): (Vec<String>, Option<&str>) = (Vec::new(), None);
    let covered: Vec<Widget<'_>> =
        facts.layout().widgets().filter(|widget| veil.covers(activity, *widget)).collect();
    let is_covered = |area: &Bounds| covered.iter().any(|widget| holds(*widget, *area));
    for area in changed.iter().filter(|area| area.bottom > bar && !is_covered(area)) {
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

/// Whether something lies in a widget.
fn holds(widget: Widget<'_>, area: Bounds) -> bool {
    !widget.has(Flags::INVISIBLE) && widget.bounds().grown(SLACK).intersection(area) == area
}

/// The smallest widget that something lies in.
fn smallest(facts: &Facts, area: Bounds) -> Option<Widget<'_>> {
    let size = |widget: &Widget<'_>| i64::from(widget.bounds().width()) * i64::from(widget.bounds().height());
    facts.layout().widgets().filter(|widget| holds(*widget, area)).min_by_key(size)
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
    use droidmux_record::{IgnoreRule, Layouts};
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
            let said = unseen(shots, (&facts, "toy.Main"), &Veil::default(), &Differing(areas));
            assert_eq!(said.as_deref(), told);
        }
    }

    #[test]
    fn what_is_not_compared_may_look_as_it_likes() {
        let script = Script::read("@ Main Notes\nlist items\n- milk | (Delete)\n(save=Save)\n(add=Add)");
        let screen = &script.run.turns[0].observation.seen().unwrap().screen;
        let facts = Facts::alone(script.layouts.layout(screen.layout).unwrap());
        let bounds = |text: &str| facts.layout().widgets().find(|w| w.text() == text).unwrap().bounds();
        let rule = |activity: &str, id: &str| IgnoreRule {
            activity: activity.into(),
            resource_id: id.into(),
            ..IgnoreRule::default()
        };
        let shots = Some((BlobHash([1; 32]), BlobHash([2; 32])));
        for (rule, areas, told) in [
            (rule("", "save"), vec!["Save"], None),
            (rule("", "save"), vec!["Save", "Add"], Some("the picture changed at \"Add\"")),
            (rule("*.Other", "save"), vec!["Save"], Some("the picture changed at \"Save\"")),
            (rule("", "items"), vec!["milk"], None),
        ] {
            let veil = Veil { ignored: vec![rule], ..Veil::default() };
            let differing = Differing(areas.iter().map(|text| bounds(text)).collect());
            let said = unseen(shots, (&facts, "toy.Main"), &veil, &differing);
            let told = told.map(|told| format!("nothing in the text; {told}"));
            assert_eq!(said, told, "{areas:?}");
        }
    }
}
