//! Generating 200 mutants at one position, on made-up models of growing size.
//!
//! `cargo bench --bench mutants` prints the time to prepare the model (once a seed) and the time
//! for one position (some fifteen times a seed). At 500 states a position should take about 100 ms.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, Level, NewWidget};
use droidmux::model::{Action, Arrival, GuiModel, Sighting, offers};
use droidmux::record::{Layouts, Screen, Texts};
use droidmux::technique::GenieSettings;
use droidmux::technique::genie::Ways;
use droidmux::technique::genie::active::ActiveViews;
use droidmux::technique::genie::mutants::{Pivot, SeedEvents, insertions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Milliseconds a position may take at 500 states.
const LIMIT: f64 = 100.0;
const ROUNDS: u32 = 5;

/// Buttons of a page, each an event.
const BUTTONS: usize = 12;

fn main() {
    let settings = GenieSettings::default();
    println!(
        "{:>6} {:>11} {:>12} {:>14} {:>8}",
        "states", "transitions", "made ready", "one position", "mutants"
    );
    let mut slow = false;
    for states in [100, 500, 2_000] {
        let (model, layouts, arrivals) = synthetic(states);
        let (ready, ways) = best_of(|| Ways::of(&model, &settings));
        let pivot_at = &arrivals[states / 2];
        let layout = layouts.layout(pivot_at.layout).expect("layout");
        let next = aimed(&layout, 0);
        let active = ActiveViews::default();
        let seed = SeedEvents { events: vec![Arc::new(next)], actions: Vec::new(), typing: Texts::Colliding };
        let pivot =
            Pivot { state: pivot_at.state, layout: &layout, active: &active, position: 0, seed: &seed };
        let (time, found) = best_of(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            insertions(&pivot, &model, &ways, &layouts, &settings, &mut rng)
        });
        let (states, transitions) = (model.state_count(), model.transition_count());
        println!("{states:>6} {transitions:>11} {ready:>12.2?} {time:>14.2?} {:>8}", found.len());
        slow |= states == 500 && time.as_secs_f64() * 1_000.0 > LIMIT;
    }
    if slow {
        eprintln!("a position of a 500-state model takes more than {LIMIT} ms");
        std::process::exit(1);
    }
}

fn best_of<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut best = Duration::MAX;
    let mut result = black_box(work());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        result = black_box(work());
        best = best.min(start.elapsed());
    }
    (best, result)
}

struct Pages(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Pages {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

/// Pages in activities of ten, each with a list of rows and a bar of buttons, half of the events
/// leading to pages nearby, some far away, some back to the page itself.
fn synthetic(states: usize) -> (GuiModel, Pages, Vec<Arrival>) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut model = GuiModel::new(Level::Widgets, 100.0);
    let mut pages = Pages(BTreeMap::new());
    let mut arrivals = Vec::new();
    for number in 0..states {
        let layout = Arc::new(page(number));
        let screen = Screen {
            layout: layout.hash(),
            package: "a".into(),
            activity: format!("a.Activity{}", number / 10),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        arrivals.push(model.arrive(Sighting { screen: &screen, layout: &layout }));
        pages.0.insert(layout.hash(), layout);
    }
    for number in 0..states {
        let layout = pages.layout(arrivals[number].layout).expect("layout");
        for offer in offers(&layout).iter().filter(|o| o.kind == EventKind::Click) {
            let to = match rng.random_range(0..10) {
                0..3 => number,
                3..8 => (number + states + rng.random_range(0..11) - 5) % states,
                _ => rng.random_range(0..states),
            };
            let receiver = layout.selector(offer.widget.expect("widget"));
            let event = Arc::new(Event::on(EventKind::Click, receiver));
            let action: Action = offer.action;
            let from = arrivals[number];
            model.traverse(from.state, from.layout, action, &event, &arrivals[to]);
        }
    }
    (model, pages, arrivals)
}

/// A page of about forty widgets.
fn page(number: usize) -> Layout {
    let mut builder = LayoutBuilder::new();
    let mut top = 0;
    let mut open = |builder: &mut LayoutBuilder, class: &str, id: &str, text: &str, clickable: bool| {
        top += 10;
        let bounds = Bounds::new(0, top, 100, top + 10);
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable);
        builder.open(NewWidget { class, resource_id: id, text, bounds, flags, ..NewWidget::default() });
    };
    open(&mut builder, "android.widget.FrameLayout", &format!("a:id/page{number}"), "", false);
    open(&mut builder, "android.widget.ListView", "a:id/list", "", false);
    for row in 0..BUTTONS / 2 {
        open(&mut builder, "android.widget.LinearLayout", "a:id/row", "", true);
        open(&mut builder, "android.widget.TextView", "a:id/title", &format!("Row {row} of {number}"), false);
        builder.close();
        open(&mut builder, "android.widget.TextView", "a:id/detail", "A line of detail", false);
        builder.close();
        builder.close();
    }
    builder.close();
    open(&mut builder, "android.widget.LinearLayout", "a:id/bar", "", false);
    for button in 0..BUTTONS / 2 {
        open(&mut builder, "android.widget.Button", &format!("a:id/button{button}"), "Button", true);
        builder.close();
    }
    builder.finish()
}

/// A click on the n-th clickable widget of a page.
fn aimed(layout: &Layout, n: usize) -> Event {
    let clicks: Vec<_> = layout.events();
    Event::on(EventKind::Click, layout.selector(clicks[n].1))
}
