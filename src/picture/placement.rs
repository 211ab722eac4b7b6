//! Where the tags of marks go.

use super::busyness::Busyness;
use droidmux_gui::Bounds;
use droidmux_words::number::{self, real};

/// How bad it is when all of a tag covers another tag, content of the screen, or another box whose tag it could be
/// mistaken for.
const OVER_TAG: f64 = 100.0;
const OVER_CONTENT: f64 = 6.0;
const OVER_OTHER: f64 = 3.0;

/// The cost of each place further down the list of candidates.
const LATER: f64 = 0.05;

/// The number of positions along an edge for a tag.
const STEPS: i32 = 4;

/// A box that wants a tag of this size, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub bounds: Bounds,
    pub size: (i32, i32),
}

/// A place for each tag: on the edge of its box, within `screen`, covering little of the screen's content and of other
/// tags. Small boxes choose first, since they have the fewest options.
pub(super) fn places(wanted: &[Wanted], screen: Bounds, busy: &Busyness) -> Vec<Bounds> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|n| wanted.get(*n).map_or(0, |tag| tag.bounds.area()));
    let mut places = vec![Bounds::default(); wanted.len()];
    let mut taken: Vec<Bounds> = Vec::new();
    for n in order {
        let Some(tag) = wanted.get(n) else { continue };
        let others = || wanted.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, other)| other.bounds);
        let cost = |(rank, place): &(usize, Bounds)| {
            let share = |other: Bounds| share(*place, other);
            // The tag cannot be mistaken for that of a box around this one.
            let foreign = others().filter(|other| !covers(*other, tag.bounds)).map(share);
            taken.iter().copied().map(share).sum::<f64>() * OVER_TAG
                + busy.share(*place) * OVER_CONTENT
                + foreign.fold(0.0, f64::max) * OVER_OTHER
                + real(*rank) * LATER
        };
        let best = candidates(*tag, screen).into_iter().enumerate();
        let best = best.map(|candidate| (cost(&candidate), candidate.1)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some((_, best)), Some(place)) = (best, places.get_mut(n)) {
            *place = best;
            taken.push(best);
        }
    }
    places
}

/// Along the edges of the box, inside, across and outside it: starting at the top left corner.
fn candidates(tag: Wanted, screen: Bounds) -> Vec<Bounds> {
    let (Wanted { bounds, size: (wide, high) }, mut places) = (tag, Vec::new());
    let along = |from: i32, to: i32, step: i32| from + (to - from) * step / STEPS;
    let across = |edge: i32, length: i32| [edge, edge - length / 2, edge - length];
    let mut put = |x: i32, y: i32| {
        // Inside the screen, wherever the box is.
        let x = x.min(screen.right - wide).max(screen.left);
        let y = y.min(screen.bottom - high).max(screen.top);
        let place = Bounds::new(x, y, x + wide, y + high);
        if !places.contains(&place) {
            places.push(place);
        }
    };
    for step in 0..=STEPS {
        let x = along(bounds.left, bounds.right - wide, step);
        across(bounds.top, high).into_iter().for_each(|y| put(x, y));
        let y = along(bounds.top, bounds.bottom - high, step);
        across(bounds.left, wide).into_iter().for_each(|x| put(x, y));
        across(bounds.right, wide).into_iter().rev().for_each(|x| put(x, y));
        let x = along(bounds.left, bounds.right - wide, step);
        across(bounds.bottom, high).into_iter().rev().for_each(|y| put(x, y));
    }
    places
}

/// How much of `place` the other covers, 0 to 1.
fn share(place: Bounds, other: Bounds) -> f64 {
    number::share(place.intersection(other).area(), place.area())
}

fn covers(outer: Bounds, inner: Bounds) -> bool {
    outer.intersection(inner) == inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_paint::{Canvas, Color};

    #[test]
    fn tags_keep_off_each_other_and_off_what_is_shown() {
        let screen = Bounds::new(0, 0, 600, 600);
        let mut canvas = Canvas::new(600, 600, Color::WHITE);
        // A grid of adjoining boxes; the left half of each has content.
        let mut wanted = vec![Wanted { bounds: screen, size: (40, 30) }];
        for (row, column) in (0..6).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let bounds = Bounds::new(column * 150, row * 100, column * 150 + 150, row * 100 + 100);
            for x in (bounds.left..bounds.left + 75).step_by(8) {
                canvas.fill(Bounds::new(x, bounds.top + 10, x + 4, bounds.bottom - 10), Color::INK);
            }
            wanted.push(Wanted { bounds, size: (40, 30) });
        }
        let busy = Busyness::of(canvas.image());
        let places = places(&wanted, screen, &busy);
        for (n, place) in places.iter().enumerate() {
            assert!(covers(screen, *place), "{place} of {n}");
            assert!(share(*place, wanted[n].bounds) > 0.0, "{place} of {n} has lost its box");
            assert_eq!(busy.share(*place), 0.0, "{place} of {n} covers what is shown");
            for other in &places[..n] {
                assert_eq!(share(*place, *other), 0.0, "{place} on {other}");
            }
        }
    }
}
