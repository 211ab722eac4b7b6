//! Which layouts differ from a photographed one by a few texts alone: their pictures would tell next to nothing new.
//!
//! In: layouts that a session photographed. Out: whether one that it has not is like one of them. Invariant: a bounded
//! number of them is known; what is forgotten is photographed again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;

use lru::LruCache;

use super::screenshots::Looks;
use droidmux_gui::{Layout, Widget};
use droidmux_record::{Screen, SessionId};

/// How many widgets may say something else: a field and what counts its letters, a title and its line below.
const FEW: usize = 3;
/// The most shapes that are known.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();
/// The most layouts of a shape.
const OF_A_SHAPE: usize = 8;

/// A screen, with its texts apart from everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    shape: u64,
    /// Of each widget, in document order.
    texts: Vec<u64>,
}

impl Outline {
    pub(crate) fn of(screen: &Screen, layout: &Layout) -> Self {
        let mut shape = DefaultHasher::new();
        (&screen.activity, screen.keyboard, layout.rotation()).hash(&mut shape);
        for widget in layout.widgets() {
            (widget.class(), widget.resource_id(), widget.description(), widget.hint()).hash(&mut shape);
            (widget.depth(), widget.flags()).hash(&mut shape);
            // What wraps its text ends where the text ends.
            let bounds = widget.bounds();
            (bounds.left, bounds.top).hash(&mut shape);
            if !wraps(widget) {
                (bounds.right, bounds.bottom).hash(&mut shape);
            }
        }
        let text = |widget: Widget<'_>| {
            let mut hasher = DefaultHasher::new();
            widget.text().hash(&mut hasher);
            hasher.finish()
        };
        Self { shape: shape.finish(), texts: layout.widgets().map(text).collect() }
    }

    /// Whether nothing but a few texts is different.
    fn is_like(&self, other: &Self) -> bool {
        let different = self.texts.iter().zip(&other.texts).filter(|(a, b)| a != b).count();
        self.shape == other.shape && self.texts.len() == other.texts.len() && different <= FEW
    }
}

/// Whether its text gives the widget its size.
fn wraps(widget: Widget<'_>) -> bool {
    widget.is_leaf() && !widget.text().is_empty() && !widget.is_editable()
}

/// The outlines of what sessions photographed lately.
#[derive(Debug)]
pub(super) struct Outlines(LruCache<(SessionId, Looks, u64), Vec<Outline>>);

impl Default for Outlines {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

impl Outlines {
    pub(super) fn put(&mut self, session: SessionId, looks: Looks, outline: Outline) {
        let alike = self.0.get_or_insert_mut((session, looks, outline.shape), Vec::new);
        if alike.contains(&outline) {
            return;
        }
        if alike.len() == OF_A_SHAPE {
            alike.remove(0);
        }
        alike.push(outline);
    }

    pub(super) fn has_like(&mut self, session: SessionId, looks: Looks, outline: &Outline) -> bool {
        let alike = self.0.get(&(session, looks, outline.shape));
        alike.is_some_and(|alike| alike.iter().any(|known| known.is_like(outline)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};
    use droidmux_record::{AppBuild, DeviceInfo};

    /// A page of rows, each a text and a box that is ticked or not.
    fn page(rows: &[(&str, bool)]) -> Outline {
        let mut builder = LayoutBuilder::new();
        let whole = Bounds::new(0, 0, 1080, 1920);
        builder.open(NewWidget { class: "android.widget.ListView", bounds: whole, ..NewWidget::default() });
        for (top, (text, ticked)) in (0..).step_by(100).zip(rows) {
            let length = i32::try_from(text.len()).unwrap();
            let bounds = Bounds::new(0, top, 20 * length, top + 90);
            let flags = if *ticked { Flags::CHECKED } else { Flags::default() };
            let class = "android.widget.CheckedTextView";
            builder.open(NewWidget { class, text, bounds, flags, ..NewWidget::default() });
            builder.close();
        }
        builder.close();
        let layout = builder.finish();
        let screen = Screen {
            layout: layout.hash(),
            package: "org.example".into(),
            activity: "org.example.Main".into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        Outline::of(&screen, &layout)
    }

    #[test]
    fn a_few_other_texts_make_no_other_picture() {
        let looks = Looks::of(&DeviceInfo::default(), &AppBuild::default());
        let known = page(&[("milk", false), ("bread", false), ("eggs", false), ("tea", false)]);
        for (what, screen, is_known) in [
            ("the same", known.clone(), true),
            (
                "one text, longer",
                page(&[("oat milk", false), ("bread", false), ("eggs", false), ("tea", false)]),
                true,
            ),
            ("all texts", page(&[("a", false), ("b", false), ("c", false), ("d", false)]), false),
            ("a row less", page(&[("milk", false), ("bread", false), ("eggs", false)]), false),
            (
                "a row ticked",
                page(&[("milk", true), ("bread", false), ("eggs", false), ("tea", false)]),
                false,
            ),
        ] {
            let mut outlines = Outlines::default();
            outlines.put(SessionId(1), looks, known.clone());
            assert_eq!(outlines.has_like(SessionId(1), looks, &screen), is_known, "{what}");
            assert!(!outlines.has_like(SessionId(2), looks, &screen), "{what}: each session has its own");
        }
    }

    #[test]
    fn what_is_known_is_bounded() {
        let looks = Looks::of(&DeviceInfo::default(), &AppBuild::default());
        let mut outlines = Outlines::default();
        for number in 0..2_000 {
            let rows: Vec<String> = (0..4).map(|row| format!("{number} {row}")).collect();
            let rows: Vec<_> = rows.iter().map(|text| (text.as_str(), false)).collect();
            outlines.put(SessionId(number % 1_500), looks, page(&rows));
        }
        assert!(outlines.0.len() <= MOST.get());
        assert!(outlines.0.iter().all(|(_, alike)| alike.len() <= OF_A_SHAPE));
    }
}
