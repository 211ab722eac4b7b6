//! Merging and walks on made-up models.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::merger::Merger;
use super::*;

fn layout(name: u8) -> LayoutHash {
    LayoutHash([name; 16])
}

fn step(from: u8, label: u64, to: u8) -> LayoutStep {
    LayoutStep { from: layout(from), label: EventLabel(label), to: layout(to), event: EventHash(label) }
}

/// Layouts `a` to `z`, each with a letter for what it handles, and steps such as `a1b`: label 1
/// leads from a to b. The states, as `ab c`.
fn mined(layouts: &str, steps: &str) -> String {
    let model = model(layouts, steps);
    let name = |hash: &LayoutHash| char::from(hash.0[0]);
    let states = model.states().map(|state| model.layouts(state).iter().map(name).collect::<String>());
    states.collect::<Vec<_>>().join(" ")
}

fn model(layouts: &str, steps: &str) -> StateModel {
    let layouts = layouts.split_whitespace().map(|word| {
        let bytes = word.as_bytes();
        (layout(bytes[0]), StateId(bytes[1].into()))
    });
    let steps = steps.split_whitespace().map(|word| {
        let bytes = word.as_bytes();
        step(bytes[0], (bytes[1] - b'0').into(), bytes[2])
    });
    StateModel::mine(layouts, steps)
}

#[test]
fn merging_by_hand() {
    for (name, layouts, steps, states) in [
        ("similar ones are one state", "aX bX cY", "", "ab c"),
        ("targets follow", "aX bX cY dY", "a1c b1d", "ab cd"),
        ("targets that are not similar veto", "aX bX cY dZ", "a1c b1d", "a b c d"),
        ("a veto down the line undoes all before it", "aX bX cY dY eZ fW", "a1c b1d c1e d1f", "a b c d e f"),
        ("other events do not matter", "aX bX cY dZ", "a1c b2d", "ab c d"),
        ("a loop", "aX bX", "a1b b1a", "ab"),
        ("a cycle of two kinds", "aX bY cX dY", "a1b b1c c1d d1a", "ac bd"),
        ("ambiguity from before is no veto", "aX bX cY dZ", "a1c a1d b1c", "ab c d"),
        ("ambiguity from before on both sides", "aX bX cY dZ", "a1c a1d b1c b1d", "ab c d"),
        ("the ambiguous one has a partner", "aX bX cY dZ eY", "a1c a1d b1e", "ab ce d"),
        ("new ambiguity vetoes though each had some", "aX bX cY dZ eY fW", "a1c a1d b1e b1f", "a b ce d f"),
        ("targets of targets follow", "aX bX cY dY eZ fZ", "a1c b1d c2e d2f", "ab cd ef"),
    ] {
        assert_eq!(mined(layouts, steps), states, "{name}");
    }
}

#[test]
fn passages_join_and_keep_their_first_event() {
    let model = model("aX bX cY", "a1c b1c b2a");
    let state = |name| model.state_of(layout(name)).expect("state");
    assert_eq!(state(b'a'), state(b'b'));
    let passages: Vec<(u64, StateNo)> =
        model.passages(state(b'a')).iter().map(|p| (p.label.0, p.to)).collect();
    assert_eq!(passages, [(1, state(b'c')), (2, state(b'a'))]);
    assert_eq!((model.len(), model.transition_count()), (2, 2));
}

#[test]
fn the_label_knows_the_place_among_siblings() {
    use droidmux_gui::{LayoutBuilder, NewWidget};
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { class: "List", ..NewWidget::default() });
    let rows: Vec<WidgetId> = ["one", "two"]
        .iter()
        .map(|text| {
            let row = builder.open(NewWidget { class: "Row", text, ..NewWidget::default() });
            builder.open(NewWidget { class: "Button", ..NewWidget::default() });
            builder.close();
            builder.close();
            row
        })
        .collect();
    let layout = builder.finish();
    let of = |kind, widget: u32| EventLabel::of(kind, &layout, Some(WidgetId(widget)));
    let click = EventKind::Click;
    assert_ne!(of(click, rows[0].0), of(click, rows[1].0), "rows stand at different places");
    assert_eq!(of(click, rows[0].0 + 1), of(click, rows[1].0 + 1), "their buttons are both first");
    assert_ne!(of(click, rows[0].0), of(EventKind::LongClick, rows[0].0));
    assert_eq!(
        EventLabel::of(EventKind::Back, &layout, None),
        EventLabel::of(EventKind::Back, &layout, None)
    );
}

/// Layouts with what they handle, and steps.
fn graphs() -> impl Strategy<Value = (Vec<(u8, u8)>, Vec<(u8, u8, u8)>)> {
    let layouts = prop::collection::vec(0u8..4, 1..14);
    let steps = prop::collection::vec((0u8..14, 0u8..3, 0u8..14), 0..30);
    (layouts, steps).prop_map(|(kinds, steps)| {
        let count = kinds.len() as u8;
        let steps = steps.into_iter().map(|(from, label, to)| (from % count, label, to % count)).collect();
        ((0..).zip(kinds).collect(), steps)
    })
}

fn mine(layouts: &[(u8, u8)], steps: &[(u8, u8, u8)]) -> StateModel {
    StateModel::mine(
        layouts.iter().map(|&(name, kind)| (layout(name), StateId(kind.into()))),
        steps.iter().map(|&(from, label, to)| step(from, label.into(), to)),
    )
}

/// The states that each label leads to from each layout's state.
fn targets(model: &StateModel, state: StateNo) -> BTreeMap<EventLabel, BTreeSet<StateNo>> {
    let mut all: BTreeMap<EventLabel, BTreeSet<StateNo>> = BTreeMap::new();
    for passage in model.passages(state) {
        all.entry(passage.label).or_default().insert(passage.to);
    }
    all
}

proptest! {
    #[test]
    fn the_order_of_the_traces_changes_nothing(
        (layouts, steps) in graphs(), seed in any::<u64>(),
    ) {
        use rand::seq::SliceRandom;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let first = mine(&layouts, &steps);
        let (mut layouts, mut steps) = (layouts, steps);
        layouts.shuffle(&mut rng);
        steps.shuffle(&mut rng);
        steps.extend(steps.first().copied());
        prop_assert_eq!(first, mine(&layouts, &steps));
    }

    #[test]
    fn a_state_handles_one_set_of_events_and_merging_adds_no_ambiguity(
        (layouts, steps) in graphs(),
    ) {
        let model = mine(&layouts, &steps);
        let kinds: BTreeMap<LayoutHash, u8> = layouts.iter().map(|&(n, kind)| (layout(n), kind)).collect();
        let mut raw: BTreeMap<(u8, u8), BTreeSet<StateNo>> = BTreeMap::new();
        for &(from, label, to) in &steps {
            raw.entry((from, label)).or_default().extend(model.state_of(layout(to)));
        }
        for state in model.states() {
            let of_state: BTreeSet<u8> = model.layouts(state).iter().map(|l| kinds[l]).collect();
            prop_assert_eq!(of_state.len(), 1);
            for (label, reached) in targets(&model, state) {
                // Any two targets of an event were reached together from one layout, or each was
                // with a third: no merge put two together that nothing had put together before.
                let most = layouts
                    .iter()
                    .filter(|(n, _)| model.state_of(layout(*n)) == Some(state))
                    .filter_map(|&(n, _)| raw.get(&(n, label.0 as u8)))
                    .map(BTreeSet::len)
                    .max();
                prop_assert!(reached.len() == 1 || most.is_some_and(|most| most > 1), "{:?}", reached);
            }
        }
    }

    #[test]
    fn a_merge_that_fails_leaves_nothing_behind((layouts, steps) in graphs(), pairs in prop::collection::vec((0u32..14, 0u32..14), 1..20)) {
        let handled: Vec<StateId> = layouts.iter().map(|&(_, kind)| StateId(kind.into())).collect();
        let edges = steps.iter().map(|&(from, label, to)| (from.into(), EventLabel(label.into()), to.into()));
        let mut merger = Merger::new(&handled, edges);
        let count = handled.len() as u32;
        for (a, b) in pairs {
            let before = merger.clone();
            if !merger.merge(a % count, b % count) {
                merger.failed.clone_from(&before.failed);
                prop_assert_eq!(&before, &merger);
            }
        }
    }

    #[test]
    fn nothing_is_left_to_merge((layouts, steps) in graphs()) {
        let handled: Vec<StateId> = layouts.iter().map(|&(_, kind)| StateId(kind.into())).collect();
        let edges: BTreeSet<(u32, EventLabel, u32)> =
            steps.iter().map(|&(from, label, to)| (from.into(), EventLabel(label.into()), to.into())).collect();
        let mut merger = Merger::new(&handled, edges.iter().copied());
        let roots: BTreeSet<u32> = merger.merge_all().into_iter().collect();
        for &a in &roots {
            for &b in roots.range(a + 1..) {
                prop_assert!(!merger.merge(a, b), "{} and {}", a, b);
            }
        }
    }
}

/// Draws as Odin describes it: randomly, step by step, repeated until one ends right.
fn draw_naively(model: &StateModel, target: StateNo, longest: usize, rng: &mut ChaCha8Rng) -> Option<String> {
    use rand::RngExt;
    let (mut here, mut walk) = (StateNo(0), String::new());
    for _ in 0..longest {
        let next: BTreeSet<StateNo> = model.passages(here).iter().map(|p| p.to).collect();
        let next: Vec<StateNo> = next.into_iter().collect();
        let roll = rng.random_range(0..next.len() + usize::from(here == target));
        let Some(&to) = next.get(roll) else { return Some(walk) };
        let parallel: Vec<&Passage> = model.passages(here).iter().filter(|p| p.to == to).collect();
        let passage = parallel[rng.random_range(0..parallel.len())];
        walk.push_str(&passage.label.0.to_string());
        here = to;
    }
    (here == target).then_some(walk)
}

#[test]
fn walks_have_the_probabilities_of_drawing_until_one_is_right() {
    // a goes to b (two ways) and c; b to c and back; c to all three.
    let model = model("aX bY cZ", "a1b a2b a3c b4c b5a c6a c7b c8c");
    let target = StateNo(1);
    let walks = Walks::to(&model, target, 4, |_| false);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut ours, mut theirs): (BTreeMap<String, f64>, BTreeMap<String, f64>) = Default::default();
    let draws = 40_000;
    for _ in 0..draws {
        let walk = walks.draw(StateNo(0), &mut rng).expect("a walk");
        let walk: String = walk.iter().map(|p| p.label.0.to_string()).collect();
        *ours.entry(walk).or_default() += 1.0 / f64::from(draws);
        let walk = std::iter::repeat_with(|| draw_naively(&model, target, 4, &mut rng)).flatten().next();
        *theirs.entry(walk.expect("endless")).or_default() += 1.0 / f64::from(draws);
    }
    for walk in ours.keys().chain(theirs.keys()) {
        let (a, b) = (ours.get(walk).unwrap_or(&0.0), theirs.get(walk).unwrap_or(&0.0));
        assert!((a - b).abs() < 0.012, "{walk}: {a} against {b}");
    }
}

#[test]
fn walks_end_where_they_should() {
    let model = model("aX bY cZ dW", "a1b b2c c3d b4a");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (target, longest, avoid, reachable) in
        [(3, 3, None, true), (3, 2, None, false), (3, 9, Some(2), false), (0, 0, None, true)]
    {
        let walks = Walks::to(&model, StateNo(target), longest, |s| avoid == Some(s.0));
        assert_eq!(walks.chance(StateNo(0)) > 0.0, reachable, "{target} {longest} {avoid:?}");
        for _ in 0..50 {
            let walk = walks.draw(StateNo(0), &mut rng);
            assert_eq!(walk.is_some(), reachable);
            let Some(walk) = walk else { continue };
            assert!(walk.len() <= longest);
            assert_eq!(walk.last().map_or(StateNo(0), |passage| passage.to), StateNo(target));
        }
    }
}

/// Cascades that fail at their end must not be repeated again and again: if they are, this takes minutes.
#[test]
fn many_vetoes_cost_little() {
    let name = |n: u32| {
        let mut hash = [0; 16];
        hash[..4].copy_from_slice(&n.wrapping_mul(0x9e37_79b9).to_be_bytes());
        hash[4..8].copy_from_slice(&n.to_be_bytes());
        LayoutHash(hash)
    };
    const LAYOUTS: u32 = 1_000;
    const KINDS: u32 = 50;
    let layouts = (0..LAYOUTS).map(|n| (name(n), StateId(u64::from(n % KINDS) + 1)));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let steps: Vec<LayoutStep> = (0..LAYOUTS * 5)
        .map(|_| {
            use rand::RngExt;
            let (from, label) = (rng.random_range(0..LAYOUTS), rng.random_range(0..12_u32));
            let usual = (from % KINDS + label * 7) % KINDS + rng.random_range(0..LAYOUTS / KINDS) * KINDS;
            let to = if rng.random_bool(0.005) { rng.random_range(0..LAYOUTS) } else { usual };
            let label = EventLabel(label.into());
            LayoutStep { from: name(from), label, to: name(to), event: EventHash(0) }
        })
        .collect();
    let model = StateModel::mine(layouts, steps);
    assert!((KINDS as usize..LAYOUTS as usize).contains(&model.len()), "{}", model.len());
}
