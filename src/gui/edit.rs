//! Tree edit distance with mapping between two layouts.
//!
//! Unit costs, labels [class, resource-id, content-desc, text]. The mapping is one of least cost
//! (Zhang and Shasha, SIAM J. Comput. 18(6), 1989), found in three stages, each of which keeps it
//! least:
//!
//! 1. Equal subtrees at the left and right end of two forests match each other, and equal roots
//!    of two trees match each other: what remains is the part that changed.
//! 2. A greedy alignment of that part is taken when it costs no more than the labels alone
//!    demand: no mapping is cheaper than max(n, m) − common labels.
//! 3. Only otherwise does the part go through Zhang–Shasha ([`super::zhang_shasha`]).
//!
//! Parts beyond the [`Limits`] keep the greedy alignment, and their long lists of siblings are not
//! weighed pair by pair (see [`super::alignment`]): a huge screen costs time and memory in
//! proportion to its size, and the mapping may then cost more than the least.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::alignment::{Alignment, MOST_PAIRS};
use super::zhang_shasha::{Forest, distance_mapping};
use super::{Layout, WidgetId};
use droidmux_words::number::count;

/// How much work a mapping may take.
#[derive(Clone, Copy)]
struct Limits {
    /// Table cells that Zhang–Shasha may fill, counted as often as they are filled.
    cells: u64,
    /// Table cells that Zhang–Shasha may hold in memory.
    table: u64,
    /// Possible pairs of siblings weighed in one table.
    pairs: usize,
}

/// A few tenths of a second and a few dozen megabytes.
const LIMITS: Limits = Limits { cells: 100_000_000, table: 4_000_000, pairs: MOST_PAIRS };

/// A layout prepared for comparison: a hash for each label and each subtree.
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    layout: &'a Layout,
    shape: Shape,
}

/// A forest of labels in pre-order, with a hash for each subtree.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    labels: Vec<u64>,
    subtrees: Vec<u64>,
    ends: Vec<u32>,
}

impl<'a> Outline<'a> {
    /// Hashes the labels and subtrees of a layout: takes time in proportion to its size.
    pub fn of(layout: &'a Layout) -> Self {
        let widgets = layout.widgets();
        let labels: Vec<u64> =
            widgets.map(|w| hash(&[w.class(), w.resource_id(), w.description(), w.text()])).collect();
        let ends: Vec<u32> = layout.widgets().map(|w| w.id().0 + count(w.subtree().len())).collect();
        Self { layout, shape: Shape::new(labels, ends) }
    }

    /// The layout that was prepared.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The hash of a widget's label: equal for equal labels.
    pub fn label(&self, widget: WidgetId) -> u64 {
        self.shape.labels.get(widget.0 as usize).copied().unwrap_or(0)
    }
}

impl Shape {
    /// A forest of as many nodes as there are labels. `ends` gives for each node the number after
    /// the last one of its subtree; it must nest, as that of a layout does.
    pub fn new(labels: Vec<u64>, ends: Vec<u32>) -> Self {
        let mut subtrees = vec![0; labels.len()];
        for n in (0..labels.len()).rev() {
            let mut hasher = DefaultHasher::new();
            labels[n].hash(&mut hasher);
            siblings(&ends, count(n + 1), ends[n])
                .for_each(|child| subtrees[child as usize].hash(&mut hasher));
            subtrees[n] = hasher.finish();
        }
        Self { labels, subtrees, ends }
    }

    pub(super) fn roots(&self) -> Vec<u32> {
        siblings(&self.ends, 0, count(self.ends.len())).collect()
    }

    fn children(&self, node: u32) -> Vec<u32> {
        siblings(&self.ends, node + 1, self.ends[node as usize]).collect()
    }

    pub(super) fn subtree(&self, node: u32) -> std::ops::Range<u32> {
        node..self.ends[node as usize]
    }

    pub(super) fn label(&self, node: u32) -> u64 {
        self.labels[node as usize]
    }

    pub(super) fn hash_of(&self, node: u32) -> u64 {
        self.subtrees[node as usize]
    }

    /// The labels below these roots, sorted.
    pub(super) fn sorted_labels(&self, roots: &[u32]) -> Vec<u64> {
        let nodes = roots.iter().flat_map(|&root| self.subtree(root));
        let mut labels: Vec<u64> = nodes.map(|node| self.labels[node as usize]).collect();
        labels.sort_unstable();
        labels
    }
}

/// Which widget of `a` became which widget of `b`, at least cost: every widget of both layouts
/// appears once, deleted ones without a partner, then added ones.
pub fn edit_mapping(a: &Layout, b: &Layout) -> Vec<(Option<WidgetId>, Option<WidgetId>)> {
    edit_mapping_of(&Outline::of(a), &Outline::of(b))
}

/// [`edit_mapping`] on outlines prepared before.
pub fn edit_mapping_of(a: &Outline<'_>, b: &Outline<'_>) -> Vec<(Option<WidgetId>, Option<WidgetId>)> {
    let pairs = shape_mapping(&a.shape, &b.shape).into_iter();
    pairs.map(|(x, y)| (x.map(WidgetId), y.map(WidgetId))).collect()
}

/// True when no mapping is known to cost less than [`edit_mapping_of`]: the layouts do not differ in more
/// than the limits allow.
pub fn is_least_mapping(a: &Outline<'_>, b: &Outline<'_>) -> bool {
    mapped(LIMITS, &a.shape, &b.shape).is_least
}

/// [`edit_mapping`] on forests of labels, by the nodes' numbers.
pub fn shape_mapping(a: &Shape, b: &Shape) -> Vec<(Option<u32>, Option<u32>)> {
    mapped(LIMITS, a, b).finish()
}

fn mapped<'s>(limits: Limits, a: &'s Shape, b: &'s Shape) -> Mapping<'s> {
    let mut mapping = Mapping { limits, a, b, partner: vec![None; a.labels.len()], is_least: true };
    let mut open = vec![(a.roots(), b.roots())];
    while let Some((left, right)) = open.pop() {
        let Some((left, right)) = mapping.trim(left, right) else { continue };
        match (&left[..], &right[..]) {
            (&[x], &[y]) if a.labels[x as usize] == b.labels[y as usize] => {
                mapping.pair(x, y);
                open.push((a.children(x), b.children(y)));
            }
            _ => mapping.solve(&left, &right),
        }
    }
    mapping
}

struct Mapping<'s> {
    limits: Limits,
    a: &'s Shape,
    b: &'s Shape,
    /// For every node of `a` its partner in `b`.
    partner: Vec<Option<u32>>,
    /// No part was left to the greedy alignment because of its size.
    is_least: bool,
}

impl Mapping<'_> {
    fn pair(&mut self, x: u32, y: u32) {
        self.partner[x as usize] = Some(y);
    }

    fn pair_equal(&mut self, x: u32, y: u32) {
        self.a.subtree(x).zip(self.b.subtree(y)).for_each(|(x, y)| self.pair(x, y));
    }

    /// Matches equal subtrees at both ends; `None` when one side is used up: the rest of the other is then deleted or
    /// added.
    fn trim(&mut self, left: Vec<u32>, right: Vec<u32>) -> Option<(Vec<u32>, Vec<u32>)> {
        let same = |(x, y): &(&u32, &u32)| self.a.hash_of(**x) == self.b.hash_of(**y);
        let prefix = left.iter().zip(&right).take_while(same).count();
        let (left_rest, right_rest) = (&left[prefix..], &right[prefix..]);
        let suffix = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(same).count();
        for n in 0..prefix {
            self.pair_equal(left[n], right[n]);
        }
        for n in 1..=suffix {
            self.pair_equal(left[left.len() - n], right[right.len() - n]);
        }
        let left = left[prefix..left.len() - suffix].to_vec();
        let right = right[prefix..right.len() - suffix].to_vec();
        (!left.is_empty() && !right.is_empty()).then_some((left, right))
    }

    /// Maps two forests whose ends differ.
    fn solve(&mut self, left: &[u32], right: &[u32]) {
        let (labels_a, labels_b) = (self.a.sorted_labels(left), self.b.sorted_labels(right));
        let least = labels_a.len().max(labels_b.len()) - common(&labels_a, &labels_b);
        self.align(left, right);
        if self.cost(left, labels_b.len()) <= least {
            return;
        }
        let forest_a = Forest::new(left, &self.a.ends, &self.a.labels);
        let forest_b = Forest::new(right, &self.b.ends, &self.b.labels);
        let cells = forest_a.weight().saturating_mul(forest_b.weight());
        if cells > self.limits.cells || forest_a.table(&forest_b) > self.limits.table {
            self.is_least = false;
            return;
        }
        for node in left.iter().flat_map(|&root| self.a.subtree(root)) {
            self.partner[node as usize] = None;
        }
        for (x, y) in distance_mapping(&forest_a, &forest_b) {
            self.pair(x, y);
        }
    }

    /// The cost of the mapping below these roots of `a` against `size` widgets of `b`.
    fn cost(&self, left: &[u32], size: usize) -> usize {
        let (mut paired, mut cost) = (0, 0);
        for node in left.iter().flat_map(|&root| self.a.subtree(root)) {
            match self.partner[node as usize] {
                Some(y) => {
                    paired += 1;
                    cost += usize::from(self.a.labels[node as usize] != self.b.labels[y as usize]);
                }
                None => cost += 1,
            }
        }
        cost + size - paired
    }

    /// Pairs trees of two forests in order so that they have as much as possible in common, then continues below each
    /// pair.
    fn align(&mut self, left: &[u32], right: &[u32]) {
        let mut open = vec![(left.to_vec(), right.to_vec())];
        while let Some((left, right)) = open.pop() {
            let Some((left, right)) = self.trim(left, right) else { continue };
            let alignment = Alignment { a: self.a, b: self.b, most_pairs: self.limits.pairs };
            for (x, y) in alignment.pairs(&left, &right) {
                if self.a.hash_of(x) == self.b.hash_of(y) {
                    self.pair_equal(x, y);
                } else {
                    self.pair(x, y);
                    open.push((self.a.children(x), self.b.children(y)));
                }
            }
        }
    }

    fn finish(self) -> Vec<(Option<u32>, Option<u32>)> {
        let mut added = vec![true; self.b.labels.len()];
        let mut pairs = Vec::with_capacity(added.len().max(self.partner.len()));
        for (x, partner) in self.partner.iter().enumerate() {
            if let Some(y) = *partner {
                added[y as usize] = false;
            }
            pairs.push((Some(count(x)), *partner));
        }
        let added = added.into_iter().enumerate().filter(|(_, added)| *added);
        pairs.extend(added.map(|(y, _)| (None, Some(count(y)))));
        pairs
    }
}

/// How many labels two sorted lists share, counted with repetition.
fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut n, mut m, mut common) = (0, 0, 0);
    while n < a.len() && m < b.len() {
        match a[n].cmp(&b[m]) {
            std::cmp::Ordering::Less => n += 1,
            std::cmp::Ordering::Greater => m += 1,
            std::cmp::Ordering::Equal => (n, m, common) = (n + 1, m + 1, common + 1),
        }
    }
    common
}

/// From `first` on, each node that follows the subtree of the one before, up to `end`.
fn siblings(ends: &[u32], first: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
    let next = move |&node: &u32| ends.get(node as usize).copied();
    std::iter::successors(Some(first), next).take_while(move |&node| node < end)
}

fn hash(label: &[&str; 4]) -> u64 {
    let mut hasher = DefaultHasher::new();
    label.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
