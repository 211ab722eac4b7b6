//! Odin's clustering of 1,000, 10,000 and 100,000 behaviours: layouts of about 60 widgets, nearly
//! all of them distinct, 1 to 20 changed widgets a pair.
//!
//! `cargo bench --bench odin` prints the times for the worst case, in which no anomaly ends the
//! work before every abstraction has been tried, and the time that mining the model of 10,000
//! layouts takes. The time must grow in proportion to the pairs; 100,000 should take about 10 s on
//! two processors.

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::gui::{Bounds, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, StateId};
use droidmux::model::{EventHash, EventLabel, LayoutStep, StateModel};
use droidmux::record::{FrontLayout, Layouts};
use droidmux::technique::OdinSettings;
use droidmux::technique::odin::cluster::{Pair, Scales};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The factor in time that ten times the pairs may cost.
const LIMIT: f64 = 15.0;

/// Rows of a page; with what surrounds them some 60 widgets.
const ROWS: usize = 18;

fn main() {
    let settings = OdinSettings::default();
    println!(
        "{:>7} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}",
        "pairs", "layouts", "widgets", "clusters", "rules", "time", "a pair"
    );
    let (mut last, mut slow): (Option<Duration>, bool) = (None, false);
    for count in [1_000, 10_000, 100_000] {
        let (pairs, album) = behaviours(count);
        let scales = Scales { settings: &settings, ignored: &[], layouts: &album };
        let rounds = if count > 10_000 { 1 } else { 3 };
        let mut best = Duration::MAX;
        let mut found = None;
        for _ in 0..rounds {
            let start = Instant::now();
            found = Some(black_box(scales.cluster(&pairs)));
            best = best.min(start.elapsed());
        }
        let found = found.expect("a clustering");
        let widgets: usize = album.0.values().map(|layout| layout.len()).sum();
        println!(
            "{count:>7} {:>9} {:>9.1} {:>9} {:>9} {best:>11.2?} {:>11.2?}",
            album.0.len(),
            widgets as f64 / album.0.len() as f64,
            found.clusters.len(),
            found.rules.len(),
            best / count as u32
        );
        if let Some(last) = last {
            slow |= best.as_secs_f64() > LIMIT * last.as_secs_f64();
        }
        last = Some(best);
    }
    mining();
    if slow {
        eprintln!("ten times the pairs take more than {LIMIT} times as long");
        std::process::exit(1);
    }
}

struct Album(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Album {
    fn add(&mut self, layout: Layout) -> FrontLayout {
        let hash = layout.hash();
        self.0.insert(hash, Arc::new(layout));
        FrontLayout { layout: hash, activity: "a.Main".into(), in_app: true }
    }
}

/// Pages of a list before and after an event that changes 1 to 20 widgets of them.
fn behaviours(count: usize) -> (Vec<Pair>, Album) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut album = Album(BTreeMap::new());
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        let before: Vec<Row> = (0..ROWS).map(|_| Row::any(&mut rng)).collect();
        let mut after = before.clone();
        let mut left = rng.random_range(1..=20);
        while left > 0 {
            let at = rng.random_range(0..after.len().max(1));
            left -= match rng.random_range(0..6) {
                0 if left >= 3 && after.len() > 2 => {
                    after.remove(at);
                    3
                }
                1 if left >= 3 => {
                    after.insert(at, Row::any(&mut rng));
                    3
                }
                2 => {
                    after[at].checked ^= true;
                    1
                }
                _ => {
                    after[at].text = rng.random_range(0..100_000);
                    1
                }
            };
        }
        pairs.push(Pair { before: album.add(page(&before)), after: album.add(page(&after)) });
    }
    (pairs, album)
}

#[derive(Clone)]
struct Row {
    text: u32,
    checked: bool,
}

impl Row {
    fn any(rng: &mut ChaCha8Rng) -> Self {
        Self { text: rng.random_range(0..100_000), checked: rng.random_bool(0.3) }
    }
}

fn page(rows: &[Row]) -> Layout {
    let mut builder = LayoutBuilder::new();
    let plain = NewWidget { class: "android.widget.FrameLayout", ..NewWidget::default() };
    builder.open(plain);
    builder.open(NewWidget { class: "android.view.ViewGroup", resource_id: "a:id/toolbar", ..plain });
    for (n, id) in (0..).zip(["a:id/up", "a:id/search", "a:id/add"]) {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
        let bounds = Bounds::new(n * 10, 0, n * 10 + 10, 10);
        builder.open(NewWidget {
            class: "android.widget.ImageButton",
            resource_id: id,
            flags,
            bounds,
            ..NewWidget::default()
        });
        builder.close();
    }
    builder.close();
    builder.open(NewWidget {
        class: "androidx.recyclerview.widget.RecyclerView",
        resource_id: "a:id/list",
        ..plain
    });
    for (n, row) in (1..).zip(rows) {
        let bounds = Bounds::new(0, n * 10, 100, n * 10 + 10);
        let clickable = Flags::ENABLED.with(Flags::CLICKABLE, true);
        let class = "android.widget.LinearLayout";
        builder.open(NewWidget { class, resource_id: "a:id/row", flags: clickable, bounds, ..plain });
        let text = format!("entry number {}", row.text);
        let class = "android.widget.TextView";
        builder.open(NewWidget { class, resource_id: "a:id/title", text: &text, bounds, ..plain });
        builder.close();
        let flags = clickable.with(Flags::CHECKABLE, true).with(Flags::CHECKED, row.checked);
        let class = "android.widget.CheckBox";
        builder.open(NewWidget { class, resource_id: "a:id/done", flags, bounds, ..plain });
        builder.close();
        builder.close();
    }
    builder.finish()
}

/// A model of 10,000 layouts that handle 100 different sets of events, 50,000 steps.
fn mining() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let layout = |n: u32| {
        let mut hash = [0; 16];
        hash[..4].copy_from_slice(&n.wrapping_mul(0x9e37_79b9).to_be_bytes());
        hash[4..8].copy_from_slice(&n.to_be_bytes());
        LayoutHash(hash)
    };
    let layouts: Vec<(LayoutHash, StateId)> =
        (0..10_000).map(|n| (layout(n), StateId(u64::from(n % 100) + 1))).collect();
    let steps: BTreeSet<LayoutStep> = (0..50_000)
        .map(|_| {
            let from = rng.random_range(0..10_000);
            let label = rng.random_range(0..12_u32);
            // Mostly to where the label leads from all layouts of the kind, sometimes elsewhere.
            let usual = (from % 100 + label * 7) % 100 + rng.random_range(0..100) * 100;
            let to = if rng.random_bool(0.001) { rng.random_range(0..10_000) } else { usual };
            let label = EventLabel(label.into());
            LayoutStep { from: layout(from), label, to: layout(to), event: EventHash(0) }
        })
        .collect();
    let start = Instant::now();
    let model = black_box(StateModel::mine(layouts, steps));
    println!("mining 10,000 layouts: {:.2?}, {} states", start.elapsed(), model.len());
}
