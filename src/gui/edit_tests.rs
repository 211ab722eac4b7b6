//! Edit mappings against a plain recursive distance, and the properties of a metric.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::{LayoutBuilder, NewWidget};

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
    is_sound_mapping(a, b, &edit_mapping(a, b))
}

fn is_sound_mapping(a: &Layout, b: &Layout, mapping: &[(Option<WidgetId>, Option<WidgetId>)]) -> bool {
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

/// Limits that nearly every tree exceeds.
const TIGHT: Limits = Limits { cells: 0, table: 0, pairs: 4 };

fn cost_within(limits: Limits, a: &Layout, b: &Layout) -> usize {
    let (a, b) = (Outline::of(a).shape, Outline::of(b).shape);
    let differs = |&(x, y): &(Option<u32>, Option<u32>)| match (x, y) {
        (Some(x), Some(y)) => a.label(x) != b.label(y),
        _ => true,
    };
    mapped(limits, &a, &b).finish().iter().filter(|pair| differs(pair)).count()
}

/// A page of rows, each with a label and a value.
fn page(rows: &[(u32, u32)]) -> Layout {
    let mut builder = LayoutBuilder::new();
    builder.open(NewWidget { class: "List", ..NewWidget::default() });
    for (label, value) in rows {
        builder.open(NewWidget { class: "Row", ..NewWidget::default() });
        for text in [format!("row {label}"), format!("value {value}")] {
            builder.open(NewWidget { class: "Text", text: &text, ..NewWidget::default() });
            builder.close();
        }
        builder.close();
    }
    builder.finish()
}

proptest! {
    /// Rows that are removed, added or changed in place: the limits that bound the work on huge screens cost nothing
    /// then.
    #[test]
    fn tight_limits_find_the_same_on_pages(
        rows in prop::collection::btree_map(0u32..500, (0u32..4, any::<bool>()), 0..30),
        fate in 0..3,
    ) {
        let all: Vec<(u32, u32)> = rows.iter().map(|(label, (value, _))| (*label, *value)).collect();
        let fewer = rows.iter().filter(|(_, (_, fated))| !fated);
        let fewer: Vec<(u32, u32)> = fewer.map(|(label, (value, _))| (*label, *value)).collect();
        let changed = rows.iter().map(|(label, (value, fated))| (*label, value + 10 * u32::from(*fated)));
        let (before, after) = match fate {
            0 => (all, fewer),
            1 => (fewer, all),
            _ => (all, changed.collect()),
        };
        let (a, b) = (page(&before), page(&after));
        prop_assert_eq!(cost_within(TIGHT, &a, &b), cost(&a, &b));
    }

    #[test]
    fn tight_limits_give_a_sound_mapping(a in forests(), b in forests()) {
        let (left, right) = (Outline::of(&a).shape, Outline::of(&b).shape);
        let mapping = mapped(TIGHT, &left, &right).finish();
        let mapping: Vec<_> = mapping.into_iter().map(|(x, y)| (x.map(WidgetId), y.map(WidgetId))).collect();
        prop_assert!(is_sound_mapping(&a, &b, &mapping));
        let (tight, least) = (cost_within(TIGHT, &a, &b), cost(&a, &b));
        prop_assert!(tight >= least);
        // What claims to be least is.
        prop_assert!(tight == least || !mapped(TIGHT, &left, &right).is_least);
        prop_assert!(mapped(LIMITS, &left, &right).is_least);
    }
}

#[test]
fn the_largest_screens_are_mapped() {
    // Labels of 19,999 leaves below a root, before and after, and the cost.
    let many = count(crate::dump::MAX_WIDGETS) - 1;
    let shape = |label: fn(u32) -> u64, count: u32| {
        let labels = std::iter::once(0).chain((0..count).map(|n| 1 + label(n))).collect();
        Shape::new(labels, std::iter::once(count + 1).chain(2..count + 2).collect())
    };
    type Case = (&'static str, fn(u32) -> u64, fn(u32) -> u64, u32, usize);
    let cases: [Case; 4] = [
        ("all changed", |n| n.into(), |n| 50_000 + u64::from(n), many, 19_999),
        ("ten gone at the start", |n| n.into(), |n| u64::from(n) + 10, many - 10, 10),
        ("every hundredth changed", |n| n.into(), |n| if n % 100 == 50 { 0 } else { n.into() }, many, 200),
        ("two values, turned round", |n| (n % 2).into(), |n| ((n + 1) % 2).into(), many, 2),
    ];
    for (what, before, after, count, expected) in cases {
        let (a, b) = (shape(before, many), shape(after, count));
        let differs = |&(x, y): &(Option<u32>, Option<u32>)| match (x, y) {
            (Some(x), Some(y)) => a.label(x) != b.label(y),
            _ => true,
        };
        let cost = shape_mapping(&a, &b).iter().filter(|pair| differs(pair)).count();
        assert_eq!(cost, expected, "{what}");
    }
}

#[test]
fn it_is_known_where_a_mapping_may_not_be_least() {
    let leaves = |count: u64, label: fn(u64) -> u64| {
        Shape::new((0..count).map(label).collect(), (1..).zip(0..count).map(|(end, _)| end).collect())
    };
    // How many leaves of few kinds are in another order, and whether the mapping is known to be least.
    for (count, expected) in [(0, true), (3, true), (300, true), (2_500, false)] {
        let (a, b) = (leaves(count, |n| n * n % 7), leaves(count, |n| n * n * n % 5));
        assert_eq!(mapped(LIMITS, &a, &b).is_least, expected, "{count}");
        assert!(mapped(LIMITS, &a, &a).is_least, "{count}");
    }
}
