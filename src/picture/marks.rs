//! Marks on a screen: boxes in the colour of the interaction, and tags with numbers.

use super::SMALLEST;
use super::busyness::Busyness;
use super::placement::{Wanted, places};
use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color, Type, text_width};
use droidmux_record::Mark;
use droidmux_words::number::pixel;

/// The most marks on one screen: further ones are left out.
const MOST: usize = 1_000;

/// The most characters of a label.
const LABEL: usize = 8;

/// Pixels after scaling: the digits of a number, a box's line, and the light line along it.
const DIGIT: i32 = SMALLEST + 2;
const LINE: f64 = 2.5;
const HALO: f64 = 1.0;

/// Draws marks so large that they have the right size after scaling by `scale` (at most 1).
pub(super) fn draw(canvas: &mut Canvas, marks: &[Mark], scale: f64) {
    let pen = Pen::at(scale);
    let screen = canvas.bounds();
    let marks: Vec<(&Mark, Bounds)> = marks
        .iter()
        .map(|mark| (mark, mark.bounds.intersection(screen)))
        .filter(|(_, bounds)| !bounds.is_empty())
        .take(MOST)
        .collect();
    // Before boxes are drawn: tags need not avoid those.
    let labelled: Vec<(&Mark, Bounds, String)> = marks
        .iter()
        .map(|(mark, bounds)| (*mark, *bounds, mark.label.chars().take(LABEL).collect::<String>()))
        .filter(|(_, _, label)| !label.is_empty())
        .collect();
    let places = if labelled.is_empty() {
        Vec::new()
    } else {
        let wanted =
            labelled.iter().map(|(_, bounds, label)| Wanted { bounds: *bounds, size: pen.tag(label) });
        places(&wanted.collect::<Vec<_>>(), screen, &Busyness::of(canvas.image()))
    };
    for (n, (mark, bounds)) in marks.iter().enumerate() {
        let twins = marks.iter().take(n).filter(|(_, other)| other == bounds).count();
        pen.frame(canvas, *bounds, i32::try_from(twins).unwrap_or(0), color(mark));
    }
    for ((mark, _, label), place) in labelled.iter().zip(places) {
        pen.label(canvas, place, label, color(mark));
    }
}

fn color(mark: &Mark) -> Color {
    Color::from(mark.interaction.color().rgb)
}

/// Sizes on the screen that scaling turns into the wanted ones.
struct Pen {
    kind: Type,
    line: i32,
    halo: i32,
}

impl Pen {
    fn at(scale: f64) -> Self {
        let grown = |length: f64| pixel((length / scale.max(0.01)).ceil()).max(1);
        Self { kind: Type::of_digits(grown(f64::from(DIGIT)), true), line: grown(LINE), halo: grown(HALO) }
    }

    /// Width and height of a tag.
    fn tag(&self, label: &str) -> (i32, i32) {
        let pad = self.line + self.halo;
        (text_width(label, self.kind) + 3 * pad, self.kind.cap_height() + 3 * pad)
    }

    /// A box along the inside of the bounds; if several have the same bounds, each lies within the previous one. A light
    /// line runs along either side of it: a red one could not be seen on a red bar.
    fn frame(&self, canvas: &mut Canvas, bounds: Bounds, within: i32, color: Color) {
        let step = (self.line + self.halo) * within;
        let inner = bounds.grown(-step.min(bounds.width() / 3).min(bounds.height() / 3));
        canvas.outline(inner, self.line + 2 * self.halo, Color::WHITE);
        canvas.outline(inner.grown(-self.halo), self.line, color);
    }

    fn label(&self, canvas: &mut Canvas, place: Bounds, label: &str, color: Color) {
        canvas.rounded(place, self.line, Color::WHITE);
        canvas.rounded(place.grown(-self.halo), self.line, color);
        canvas.centered(place, label, self.kind, color.contrast());
    }
}
