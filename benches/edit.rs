//! Edit mappings and Genie's oracle on the largest screens that the dump reader takes, 20,000 widgets.
//!
//! `cargo bench --bench edit` prints for each kind of change the times for 5,000 and 20,000 widgets and
//! their ratio, in one run: four times the widgets must take less than eight times as long.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::gui::{
    Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, edit_mapping,
};
use droidmux::record::*;

/// The most widgets of a dump.
const MOST: usize = 20_000;
/// The factor in time that four times the widgets may cost.
const LIMIT: f64 = 8.0;

type Page = fn(&[String]) -> Layout;

fn main() {
    let kinds: [(&str, Page, fn(usize) -> Vec<String>); 6] = [
        ("flat, all changed", flat, all_changed),
        ("flat, some gone", flat, some_gone),
        ("flat, in another order", flat, reversed),
        ("flat, few texts", flat, few_texts),
        ("rows of four, all changed", rows, all_changed),
        ("chains of 200, all changed", chains, all_changed),
    ];
    println!(
        "{:<28} {:>10} {:>10} {:>7} {:>10} {:>10} {:>7}",
        "", "mapping", "4 times", "", "oracle", "4 times", ""
    );
    let mut slow = false;
    for (name, page, change) in kinds {
        let times = [MOST / 4, MOST].map(|widgets| {
            let before: Vec<String> = (0..texts_of(page, widgets)).map(|n| format!("text {n}")).collect();
            let (a, b) = (page(&before), page(&change(before.len())));
            let mapping = fastest(|| _ = black_box(edit_mapping(&a, &b)));
            let (run, album) = mutant(&a, &b);
            let definition: SessionDefinition =
                toml::from_str("technique = \"genie\"\napp = \"a.b\"").expect("a session file");
            let judge = || _ = black_box(droidmux::technique::judge(&run, &definition, &[], &album));
            (mapping, fastest(judge))
        });
        let [small, large] = times;
        let ratio = |a: Duration, b: Duration| b.as_secs_f64() / a.as_secs_f64();
        let ratios = (ratio(small.0, large.0), ratio(small.1, large.1));
        println!(
            "{name:<28} {:>10.1?} {:>10.1?} {:>7.1} {:>10.1?} {:>10.1?} {:>7.1}",
            small.0, large.0, ratios.0, small.1, large.1, ratios.1
        );
        slow |= ratios.0 > LIMIT || ratios.1 > LIMIT;
    }
    if slow {
        eprintln!("four times the widgets take more than {LIMIT} times as long");
        std::process::exit(1);
    }
}

/// The shortest of at least three runs within two seconds.
fn fastest(mut work: impl FnMut()) -> Duration {
    let (start, mut best, mut runs) = (Instant::now(), Duration::MAX, 0);
    while runs < 3 || start.elapsed() < Duration::from_secs(2) {
        let began = Instant::now();
        work();
        best = best.min(began.elapsed());
        runs += 1;
    }
    best
}

fn all_changed(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("other {n}")).collect()
}

fn some_gone(count: usize) -> Vec<String> {
    (0..count).filter(|n| n % 37 != 5).map(|n| format!("text {n}")).collect()
}

fn reversed(count: usize) -> Vec<String> {
    (0..count).rev().map(|n| format!("text {n}")).collect()
}

fn few_texts(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("text {}", n * n % 7)).collect()
}

/// How many texts a page of this many widgets shows.
fn texts_of(page: Page, widgets: usize) -> usize {
    let sample: Vec<String> = vec![String::new(); 4_000];
    let shown = page(&sample).len();
    (widgets - 1) * sample.len() / shown
}

fn widget<'a>(class: &'a str, text: &'a str) -> NewWidget<'a> {
    let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
    NewWidget { class, text, flags, bounds: Bounds::new(0, 0, 9, 9), ..NewWidget::default() }
}

fn flat(texts: &[String]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(widget("android.widget.FrameLayout", ""));
    for text in texts {
        builder.open(widget("android.widget.TextView", text));
        builder.close();
    }
    builder.finish()
}

fn rows(texts: &[String]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(widget("android.widget.ListView", ""));
    for row in texts.chunks(4) {
        builder.open(widget("android.widget.LinearLayout", ""));
        for text in row {
            builder.open(widget("android.widget.TextView", text));
            builder.close();
        }
        builder.close();
    }
    builder.finish()
}

fn chains(texts: &[String]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(widget("android.widget.FrameLayout", ""));
    for chain in texts.chunks(200) {
        chain.iter().for_each(|text| _ = builder.open(widget("android.widget.TextView", text)));
        chain.iter().for_each(|_| builder.close());
    }
    builder.finish()
}

struct Album(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

/// A seed whose event changes the page, and a mutant in which nothing changes.
fn mutant(a: &Layout, b: &Layout) -> (JobRun, Album) {
    let (a, b) = (Arc::new(a.clone()), Arc::new(b.clone()));
    let shown = [vec![&a, &b], vec![&a, &a, &a]];
    let roles = [Role::Seed, Role::Mutant(Insertion { pivot: 1, length: 1 })];
    let events = |count: usize| vec![Event::global(EventKind::Back); count];
    let tests =
        roles.into_iter().zip(&shown).map(|(role, pages)| Test { role, events: events(pages.len() - 1) });
    let batch = Batch { purpose: Purpose::Mutants { seed: 0 }, tests: tests.collect() };
    let turns = shown.iter().flat_map(|pages| pages.iter().enumerate().map(|(n, page)| turn(n, page)));
    let run = JobRun {
        job: Job { slot: Slot(0), rng: 0, work: Work::Batch(batch) },
        attempt: 1,
        device: DeviceInfo::default(),
        app: AppBuild::default(),
        turns: turns.collect(),
    };
    (run, Album([a, b].into_iter().map(|page| (page.hash(), page)).collect()))
}

fn turn(number: usize, page: &Layout) -> Turn {
    let screen = Screen {
        layout: page.hash(),
        package: "a.b".into(),
        activity: "a.b.Main".into(),
        in_app: true,
        rotation: 0,
        keyboard: false,
    };
    let seen = Seen {
        screen,
        settling: droidmux::record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution: None,
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    };
    Turn {
        act: if number == 0 { Act::Reset } else { Act::Perform(Event::global(EventKind::Back)) },
        observation: Observation::Seen(Box::new(seen)),
        at_ms: 0,
        took_ms: 0,
    }
}
