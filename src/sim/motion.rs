//! How a screen moves from one state to the next: when it reacts, what is to be seen in between, and for how long.
//!
//! In: a drawn number, the windows before and after, and where a finger touched. Out: stages, each with its time. The
//! times are those of a mid-range phone, or have the same ratio to each other.
//!
//! Invariants: pure; the same draw and windows give the same stages; a page that loads does so each time.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use droidmux_gui::{Bounds, Point};
use droidmux_sim_toolkit::platform::{Node, Scene, scramble};
use droidmux_words::number;

/// The longest reaction of a mid-range phone, in milliseconds; all times here are relative to it.
const LONGEST_REACTION: f64 = 250.0;
const SHORTEST_REACTION: f64 = 30.0;
/// How long the layouts between two pages are to be seen, taken together.
const PASSING: (f64, f64) = (100.0, 300.0);
/// How long a page that loads shows its progress bar.
const LOADING: (f64, f64) = (300.0, 2_000.0);
/// One page of so many loads.
const LOADS: u64 = 3;
/// How far a window that comes in is from its place, in pixels.
const SHIFT: (f64, f64) = (24.0, 240.0);
/// Half the side of a progress bar, in pixels.
const BAR: i32 = 72;

/// How a phone's times relate to those of a mid-range one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale(f64);

impl Scale {
    /// That of a phone which takes up to this long to react.
    pub(super) fn new(reaction: Duration) -> Self {
        Scale(reaction.as_secs_f64() * 1_000.0 / LONGEST_REACTION)
    }

    /// Whether anything takes time.
    pub(super) fn moves(self) -> bool {
        self.0 > 0.0
    }

    fn ms(self, ms: f64) -> Duration {
        Duration::from_millis(1).mul_f64(ms * self.0)
    }
}

/// One change of the screen.
#[derive(Debug)]
pub(super) struct Movement {
    draws: Draws,
    scale: Scale,
    /// How long the screen stays as it was.
    pub(super) reaction: Duration,
}

impl Movement {
    pub(super) fn new(draw: u64, scale: Scale) -> Self {
        let mut draws = Draws(draw);
        // Most reactions are short.
        let reaction = scale.ms(between(SHORTEST_REACTION, LONGEST_REACTION, draws.share().powi(3)));
        Movement { draws, scale, reaction }
    }

    /// What is to be seen, each for its time, before the windows `to` are.
    pub(super) fn stages(
        mut self,
        phone: u64,
        from: &[Scene],
        to: &[Scene],
        touched: Option<Point>,
    ) -> Vec<(Duration, Vec<Scene>)> {
        let mut stages = vec![(self.reaction, from.to_vec())];
        let time = between(PASSING.0, PASSING.1, self.draws.share());
        let two = self.draws.share() < 0.5;
        let first = if two { between(0.3, 0.7, self.draws.share()) } else { 1.0 };
        let pressed = if self.draws.share() < 0.5 { touched.and_then(|at| pressed(from, at)) } else { None };
        let windows = pressed.unwrap_or_else(|| self.coming(to));
        stages.push((self.scale.ms(time * first), windows));
        if two {
            let windows = self.coming(to);
            stages.push((self.scale.ms(time * (1.0 - first)), windows));
        }
        let page = skeleton(to);
        if page != skeleton(from) && scramble(phone ^ page).is_multiple_of(LOADS) {
            let time = between(LOADING.0, LOADING.1, self.draws.share().powi(4));
            stages.push((self.scale.ms(time), of_active(to, loading)));
        }
        stages
    }

    /// The windows as they come in: half filled, or not yet at their place.
    fn coming(&mut self, to: &[Scene]) -> Vec<Scene> {
        if self.draws.share() < 0.5 {
            return of_active(to, half);
        }
        let by = number::pixel(between(SHIFT.0, SHIFT.1, self.draws.share()));
        let by = if self.draws.share() < 0.5 { Point { x: by, y: 0 } } else { Point { x: 0, y: by } };
        of_active(to, |scene| shift(scene, by))
    }
}

/// Numbers that follow from the first.
#[derive(Debug)]
struct Draws(u64);

impl Draws {
    /// A share of 1, never 1 itself.
    fn share(&mut self) -> f64 {
        self.0 = scramble(self.0);
        // 53 bits fill the mantissa, so the conversion is exact.
        number::share(self.0 >> 11, 1_u64 << 53)
    }
}

fn between(least: f64, most: f64, share: f64) -> f64 {
    least + (most - least) * share
}

/// The windows with the active one changed.
fn of_active(windows: &[Scene], change: impl FnOnce(&mut Scene)) -> Vec<Scene> {
    let mut windows = windows.to_vec();
    if let Some(active) = windows.first_mut() {
        change(active);
    }
    windows
}

/// The old page, the widget under the finger pressed; `None` when there is none.
fn pressed(windows: &[Scene], at: Point) -> Option<Vec<Scene>> {
    let takes = |node: &Node| node.bounds.contains(at) && node.flags.enabled && node.is_clickable();
    let place = windows.first()?.nodes.iter().rposition(takes)?;
    Some(of_active(windows, |scene| {
        if let Some(node) = scene.nodes.get_mut(place) {
            node.flags.selected = !node.flags.selected;
        }
    }))
}

/// The first half of the widgets: each comes after its container.
fn half(scene: &mut Scene) {
    scene.nodes.truncate(scene.nodes.len().div_ceil(2));
}

/// All widgets but the window itself away from their place, as far as they are within it.
fn shift(scene: &mut Scene, by: Point) {
    let window = scene.window;
    for node in scene.nodes.iter_mut().skip(1) {
        for bounds in [&mut node.bounds, &mut node.rect, &mut node.inner] {
            let moved =
                Bounds::new(bounds.left + by.x, bounds.top + by.y, bounds.right + by.x, bounds.bottom + by.y);
            *bounds = moved;
        }
        let seen = node.bounds;
        let (left, top) = (seen.left.min(window.right), seen.top.min(window.bottom));
        node.bounds = Bounds::new(left, top, seen.right.min(window.right), seen.bottom.min(window.bottom));
    }
}

/// The top of the page, and a bar that says that the rest will come.
fn loading(scene: &mut Scene) {
    scene.nodes.truncate(scene.nodes.len().div_ceil(3));
    let Some(style) = scene.nodes.first().map(|node| node.style) else { return };
    let index = scene.nodes.iter().filter(|node| node.parent == Some(0)).count();
    let middle = scene.window.center();
    let place = Bounds::new(middle.x - BAR, middle.y - BAR, middle.x + BAR, middle.y + BAR);
    let mut bar = Node::of_a_stranger(Some(0));
    bar.index = index;
    bar.class = Cow::Borrowed("android.widget.ProgressBar");
    bar.id = format!("{}:id/progress", scene.package);
    (bar.bounds, bar.rect, bar.inner) = (place, place, place);
    bar.flags.enabled = true;
    bar.style = style;
    bar.said = None;
    scene.nodes.push(bar);
}

/// What tells pages apart: the app and the names of its widgets.
fn skeleton(windows: &[Scene]) -> u64 {
    let names = |scene: &Scene| scene.nodes.iter().map(|node| node.id.clone()).collect::<BTreeSet<_>>();
    let words = windows.iter().flat_map(|scene| [scene.package.clone()].into_iter().chain(names(scene)));
    words.fold(0, |hash, word| {
        word.bytes().fold(scramble(hash), |hash, byte| scramble(hash ^ u64::from(byte)))
    })
}
