//! Genie's oracle on the published ActivityDiary mutant, against a plain Zhang–Shasha on every
//! pair of layouts.
//!
//! Reads `genie-activitydiary` below `../shared/data` or `DROIDMUX_CORPUS`; says so and ends when
//! it is absent.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::gui::{
    Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, Page, Widget, comparable,
};
use droidmux::record::*;
use serde_json::Value;

fn main() {
    let corpus = std::env::var_os("DROIDMUX_CORPUS").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let folder = corpus.join("genie-activitydiary/seed-tests/seed-test-7/mutant-659");
    if !folder.exists() {
        println!("skipped: no corpus at {}", corpus.display());
        return;
    }
    let mutant = Mutant::read(&folder);
    let run = mutant.run();
    let definition = definition();
    let judge = || droidmux::technique::judge(&run, &definition, &[], &mutant.album);
    let verdicts = judge().verdicts;
    println!("{} effects missing: {}", effects(&verdicts), verdicts[0].title);

    let oracle = fastest(Duration::from_secs(2), || _ = black_box(judge()));
    let all = mutant.pairs(|_, _| true);
    let compared = mutant.pairs(|a, b| a.is_comparable(b));
    let plain =
        fastest(Duration::from_secs(2), || all.iter().for_each(|(a, b)| _ = black_box(plain_distance(a, b))));
    let plain_compared = fastest(Duration::from_secs(2), || {
        compared.iter().for_each(|(a, b)| _ = black_box(plain_distance(a, b)))
    });
    println!("oracle, all pairs, tree form: {oracle:?}");
    for (name, pairs, time) in
        [("every pair", &all, plain), ("the comparable pairs", &compared, plain_compared)]
    {
        let ratio = time.as_secs_f64() / oracle.as_secs_f64();
        println!("plain Zhang–Shasha on {name} ({}): {time:?}, {ratio:.0} times the oracle", pairs.len());
    }
}

fn effects(verdicts: &[Verdict]) -> usize {
    match &verdicts[0].evidence {
        Evidence::Effects(effects) => effects.len(),
        _ => 0,
    }
}

fn definition() -> SessionDefinition {
    toml::from_str("technique = \"genie\"\napp = \"de.rampro.activitydiary.debug\"").expect("a session file")
}

/// The shortest of many runs within this time.
fn fastest(budget: Duration, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    let mut best = Duration::MAX;
    while start.elapsed() < budget || best == Duration::MAX {
        let began = Instant::now();
        work();
        best = best.min(began.elapsed());
    }
    best
}

/// The published mutant with its seed.
struct Mutant {
    seed: Vec<View>,
    mutant: Vec<View>,
    insertion: Insertion,
    album: Album,
}

#[derive(Clone)]
struct View {
    activity: String,
    layout: Arc<Layout>,
}

struct Album(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl View {
    fn is_comparable(&self, other: &View) -> bool {
        fn page(view: &View) -> Page<'_> {
            Page { package: "", activity: &view.activity }
        }
        comparable((page(self), &self.layout), (page(other), &other.layout))
    }
}

impl Mutant {
    fn read(folder: &Path) -> Self {
        let graph: Value = serde_json::from_slice(&std::fs::read(folder.join("utg.json")).unwrap()).unwrap();
        let number = |key: &str| graph[key].as_u64().unwrap() as u16;
        let (seed, mutant) = (views(folder, &graph, "[s]"), views(folder, &graph, "[d]"));
        let album = seed.iter().chain(&mutant).map(|v| (v.layout.hash(), v.layout.clone())).collect();
        let insertion =
            Insertion { pivot: number("insert_start_position") + 1, length: number("independent_trace_len") };
        Self { seed, mutant, insertion, album: Album(album) }
    }

    /// A job with the seed and the mutant.
    fn run(&self) -> JobRun {
        let tests = [(Role::Seed, &self.seed), (Role::Mutant(self.insertion), &self.mutant)];
        let events = |views: &[View]| vec![Event::global(EventKind::Click); views.len() - 1];
        let batch = Batch {
            purpose: Purpose::Mutants { seed: 7 },
            tests: tests
                .iter()
                .map(|(role, views)| Test { role: role.clone(), events: events(views) })
                .collect(),
        };
        JobRun {
            job: Job { slot: Slot(0), rng: 0, work: Work::Batch(batch) },
            attempt: 1,
            device: DeviceInfo::default(),
            app: AppBuild::default(),
            turns: tests.iter().flat_map(|(_, views)| turns(views)).collect(),
        }
    }

    /// The pairs (i, j) of the seed and those of the mutant that answer them, as far as the
    /// seed's satisfy the condition.
    fn pairs(&self, condition: impl Fn(&View, &View) -> bool) -> Vec<(Arc<Layout>, Arc<Layout>)> {
        let (pivot, length) = (usize::from(self.insertion.pivot), usize::from(self.insertion.length));
        let counterpart = |n: usize| if n <= pivot { n } else { n + length };
        let mut pairs = Vec::new();
        for j in pivot + 1..=self.seed.len() {
            for i in (1..j).filter(|&i| condition(&self.seed[i - 1], &self.seed[j - 1])) {
                for (views, i, j) in [(&self.seed, i, j), (&self.mutant, counterpart(i), counterpart(j))] {
                    pairs.push((views[i - 1].layout.clone(), views[j - 1].layout.clone()));
                }
            }
        }
        pairs
    }
}

fn turns(views: &[View]) -> Vec<Turn> {
    let turn = |(n, view): (usize, &View)| Turn {
        act: if n == 0 { Act::Reset } else { Act::Perform(Event::global(EventKind::Click)) },
        observation: Observation::Seen(Box::new(Seen {
            screen: Screen {
                layout: view.layout.hash(),
                package: String::new(),
                activity: view.activity.clone(),
                in_app: true,
                rotation: 0,
                keyboard: false,
            },
            settling: droidmux::record::Settling::Strict,
            dumps: 2,
            toast: None,
            hears_toasts: false,
            resolution: None,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        })),
        at_ms: 0,
        took_ms: 0,
    };
    views.iter().enumerate().map(turn).collect()
}

/// The layouts of one of the three tests in the graph, in the order of its events.
fn views(folder: &Path, graph: &Value, tag: &str) -> Vec<View> {
    let mut steps: Vec<(u64, &str, &str)> = Vec::new();
    for edge in graph["edges"].as_array().unwrap() {
        let (from, to) = (edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap());
        let events = edge["events"].as_array().unwrap().iter().filter(|_| from.ends_with(tag));
        steps.extend(events.map(|event| (event["event_id"].as_u64().unwrap(), from, to)));
    }
    steps.sort_unstable();
    let states = steps.first().map(|step| step.1).into_iter().chain(steps.iter().map(|step| step.2));
    states.map(|state| view(folder, graph, state)).collect()
}

fn view(folder: &Path, graph: &Value, state: &str) -> View {
    let nodes = graph["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|node| node["id"] == state).unwrap();
    let file = folder.join(node["state_json_file_path"].as_str().unwrap());
    let state: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let mut builder = LayoutBuilder::new();
    add(&mut builder, state["views"].as_array().unwrap(), 0);
    View {
        activity: state["foreground_activity"].as_str().unwrap().into(),
        layout: Arc::new(builder.finish()),
    }
}

fn add(builder: &mut LayoutBuilder, views: &[Value], number: usize) {
    let view = &views[number];
    let text = |key: &str| view[key].as_str().filter(|text| *text != "None").unwrap_or_default();
    let flags = [
        ("clickable", Flags::CLICKABLE),
        ("long_clickable", Flags::LONG_CLICKABLE),
        ("checkable", Flags::CHECKABLE),
        ("scrollable", Flags::SCROLLABLE),
        ("enabled", Flags::ENABLED),
    ];
    let on = |flags: Flags, (key, flag)| flags.with(flag, view[key] == Value::Bool(true));
    let flags = flags.into_iter().fold(Flags::default(), on);
    let edge = |n: usize, m: usize| view["bounds"][n][m].as_i64().unwrap() as i32;
    builder.open(NewWidget {
        class: text("class"),
        resource_id: text("resource_id"),
        text: text("text"),
        description: text("content_description"),
        bounds: Bounds::new(edge(0, 0), edge(0, 1), edge(1, 0), edge(1, 1)),
        flags: flags.with(Flags::INVISIBLE, view["visible"] == Value::Bool(false)),
        ..NewWidget::default()
    });
    for child in view["children"].as_array().unwrap() {
        add(builder, views, child.as_u64().unwrap() as usize);
    }
    builder.close();
}

/// Zhang and Shasha's distance as in the paper, on trees of whole labels: post-order, leftmost
/// leaves, keyroots, one table of forest distances for each pair of keyroots.
fn plain_distance(a: &Layout, b: &Layout) -> usize {
    let (a, b) = (Tree::of(a), Tree::of(b));
    let mut tree = vec![vec![0; b.labels.len()]; a.labels.len()];
    for &x in &a.keyroots {
        for &y in &b.keyroots {
            let (first_x, first_y) = (a.leftmost[x], b.leftmost[y]);
            let (rows, columns) = (x - first_x + 2, y - first_y + 2);
            let mut forest = vec![vec![0; columns]; rows];
            (1..rows).for_each(|i| forest[i][0] = i);
            (1..columns).for_each(|j| forest[0][j] = j);
            for i in 1..rows {
                for j in 1..columns {
                    let (m, n) = (first_x + i - 1, first_y + j - 1);
                    let least = (forest[i - 1][j] + 1).min(forest[i][j - 1] + 1);
                    forest[i][j] = if a.leftmost[m] == first_x && b.leftmost[n] == first_y {
                        let rename = usize::from(a.labels[m] != b.labels[n]);
                        tree[m][n] = least.min(forest[i - 1][j - 1] + rename);
                        tree[m][n]
                    } else {
                        let before = forest[a.leftmost[m] - first_x][b.leftmost[n] - first_y];
                        least.min(before + tree[m][n])
                    };
                }
            }
        }
    }
    tree[a.labels.len() - 1][b.labels.len() - 1]
}

struct Tree<'a> {
    labels: Vec<[&'a str; 4]>,
    leftmost: Vec<usize>,
    keyroots: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn of(layout: &'a Layout) -> Self {
        let mut tree = Self { labels: Vec::new(), leftmost: Vec::new(), keyroots: Vec::new() };
        layout.roots().for_each(|root| tree.push(root));
        let last = |leaf: usize| tree.leftmost.iter().rposition(|&l| l == leaf);
        let mut keyroots: Vec<usize> = tree.leftmost.iter().filter_map(|&leaf| last(leaf)).collect();
        keyroots.sort_unstable();
        keyroots.dedup();
        tree.keyroots = keyroots;
        tree
    }

    fn push(&mut self, widget: Widget<'a>) {
        let leftmost = self.labels.len();
        widget.children().for_each(|child| self.push(child));
        self.labels.push([widget.class(), widget.resource_id(), widget.description(), widget.text()]);
        self.leftmost.push(leftmost);
    }
}
