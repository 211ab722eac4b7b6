//! Edit mappings against a plain recursive distance, and the properties of a metric.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::gui::{LayoutBuilder, NewWidget};

/// A tree as (depth, label) in pre-order; depths are made sound by the builder.
fn layout_of(nodes: &[(u8, u8)]) -> Layout {
    let mut builder = LayoutBuilder::new();
    for &(depth, label) in nodes {
        while builder.depth() > usize::from(depth) {
            builder.close();
        }
        builder.open(NewWidget { class: ["A", "B", "C"][usize::from(label % 3)], ..NewWidget::default() });
    }
    builder.finish()
}

fn forests() -> impl Strategy<Value = Layout> {
    prop::collection::vec((0u8..5, 0u8..3), 0..11).prop_map(|nodes| layout_of(&nodes))
}

type Nodes = Vec<u32>;

/// The distance as its recursive definition says, on lists of sibling subtrees.
fn plain(a: &Shape, b: &Shape, x: &[u32], y: &[u32], seen: &mut HashMap<(Nodes, Nodes), usize>) -> usize {
    let key = (x.to_vec(), y.to_vec());
    if let Some(&known) = seen.get(&key) {
        return known;
    }
    let size = |shape: &Shape, roots: &[u32]| roots.iter().map(|&r| shape.subtree(r).len()).sum();
    let distance = match (x.split_last(), y.split_last()) {
        (None, _) => size(b, y),
        (_, None) => size(a, x),
        (Some((&last_x, rest_x)), Some((&last_y, rest_y))) => {
            let (below_x, below_y) = (a.children(last_x), b.children(last_y));
            let delete = 1 + plain(a, b, &[rest_x, &below_x].concat(), y, seen);
            let insert = 1 + plain(a, b, x, &[rest_y, &below_y].concat(), seen);
            let rename = usize::from(a.labels[last_x as usize] != b.labels[last_y as usize]);
            let both = plain(a, b, rest_x, rest_y, seen) + plain(a, b, &below_x, &below_y, seen) + rename;
            delete.min(insert).min(both)
        }
    };
    seen.insert(key, distance);
    distance
}

fn cost(a: &Layout, b: &Layout) -> usize {
    let (a, b) = (Outline::of(a), Outline::of(b));
    let differs = |pair: &(Option<WidgetId>, Option<WidgetId>)| match *pair {
        (Some(x), Some(y)) => a.label(x) != b.label(y),
        _ => true,
    };
    edit_mapping_of(&a, &b).iter().filter(|pair| differs(pair)).count()
}

/// Ancestors and left-to-right order are kept, and every widget appears once.
fn is_sound(a: &Layout, b: &Layout) -> bool {
    let mapping = edit_mapping(a, b);
    let mut left: Vec<_> = mapping.iter().filter_map(|pair| pair.0).collect();
    let mut right: Vec<_> = mapping.iter().filter_map(|pair| pair.1).collect();
    left.sort_unstable();
    right.sort_unstable();
    let all = |layout: &Layout, ids: &[WidgetId]| layout.widgets().map(|w| w.id()).eq(ids.iter().copied());
    let pairs: Vec<_> = mapping.iter().filter_map(|&(x, y)| Some((a.get(x?)?, b.get(y?)?))).collect();
    let ordered = pairs.iter().all(|(x1, y1)| {
        pairs.iter().all(|(x2, y2)| {
            (x1.id() < x2.id()) == (y1.id() < y2.id()) && x2.is_inside(x1.id()) == y2.is_inside(y1.id())
        })
    });
    all(a, &left) && all(b, &right) && ordered
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn costs_what_the_definition_says(a in forests(), b in forests()) {
        let (left, right) = (Outline::of(&a).shape, Outline::of(&b).shape);
        let expected = plain(&left, &right, &left.roots(), &right.roots(), &mut HashMap::new());
        prop_assert_eq!(cost(&a, &b), expected);
        prop_assert!(is_sound(&a, &b));
    }

    #[test]
    fn is_a_metric(a in forests(), b in forests(), c in forests()) {
        prop_assert_eq!(cost(&a, &a), 0);
        prop_assert_eq!(cost(&a, &b), cost(&b, &a));
        prop_assert!(cost(&a, &c) <= cost(&a, &b) + cost(&b, &c));
        prop_assert!(cost(&a, &b) > 0 || a == b);
    }
}

#[test]
fn zhang_shasha_finds_wrapped_and_unwrapped_subtrees() {
    // expected cost, then two trees as (depth, label)
    let cases: [(usize, &[(u8, u8)], &[(u8, u8)]); 4] = [
        (1, &[(0, 0), (1, 1), (1, 2)], &[(0, 0), (1, 0), (2, 1), (2, 2)]),
        (1, &[(0, 0), (1, 0), (2, 1), (2, 2)], &[(0, 0), (1, 1), (1, 2)]),
        (2, &[(0, 0), (1, 1), (1, 2), (1, 1)], &[(0, 0), (1, 2), (1, 1), (1, 2)]),
        (3, &[], &[(0, 0), (0, 1), (1, 2)]),
    ];
    for (expected, a, b) in cases {
        assert_eq!(cost(&layout_of(a), &layout_of(b)), expected, "{a:?} {b:?}");
    }
}

#[test]
fn a_screen_of_thousands_of_widgets_takes_no_forever() {
    let many = |turn: u8| -> Vec<(u8, u8)> {
        std::iter::once((0, 0))
            .chain((0..3_000u32).map(|n| (1 + (n % 7) as u8 % 4, ((n * 7 + 3) % 5) as u8 + turn)))
            .collect()
    };
    let (a, b) = (layout_of(&many(0)), layout_of(&many(1)));
    let start = std::time::Instant::now();
    assert!(is_sound(&layout_of(&many(0)[..200]), &layout_of(&many(1)[..200])));
    assert!(cost(&a, &b) > 0);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}
