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
//! 3. Only else the part goes through Zhang–Shasha ([`super::zhang_shasha`]).
//!
//! Parts beyond [`MOST_CELLS`] table cells keep the greedy alignment, so that a huge screen costs
//! time in proportion to its size.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::zhang_shasha::{Forest, distance_mapping};
use super::{Layout, WidgetId};

/// Table cells Zhang–Shasha may fill for one pair of layouts: some tenths of a second.
const MOST_CELLS: u64 = 100_000_000;

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
    pub fn of(layout: &'a Layout) -> Self {
        let widgets = layout.widgets();
        let labels: Vec<u64> =
            widgets.map(|w| hash(&[w.class(), w.resource_id(), w.description(), w.text()])).collect();
        let ends: Vec<u32> = layout.widgets().map(|w| w.id().0 + w.subtree().len() as u32).collect();
        Self { layout, shape: Shape::new(labels, ends) }
    }

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
            siblings(&ends, n as u32 + 1, ends[n])
                .for_each(|child| subtrees[child as usize].hash(&mut hasher));
            subtrees[n] = hasher.finish();
        }
        Self { labels, subtrees, ends }
    }

    fn roots(&self) -> Vec<u32> {
        siblings(&self.ends, 0, self.ends.len() as u32).collect()
    }

    fn children(&self, node: u32) -> Vec<u32> {
        siblings(&self.ends, node + 1, self.ends[node as usize]).collect()
    }

    fn subtree(&self, node: u32) -> std::ops::Range<u32> {
        node..self.ends[node as usize]
    }

    fn hash_of(&self, node: u32) -> u64 {
        self.subtrees[node as usize]
    }

    /// The labels below these roots, sorted.
    fn sorted_labels(&self, roots: &[u32]) -> Vec<u64> {
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

/// [`edit_mapping`] on outlines made before.
pub fn edit_mapping_of(a: &Outline<'_>, b: &Outline<'_>) -> Vec<(Option<WidgetId>, Option<WidgetId>)> {
    let pairs = shape_mapping(&a.shape, &b.shape).into_iter();
    pairs.map(|(x, y)| (x.map(WidgetId), y.map(WidgetId))).collect()
}

/// [`edit_mapping`] on forests of labels, by the nodes' numbers.
pub fn shape_mapping(a: &Shape, b: &Shape) -> Vec<(Option<u32>, Option<u32>)> {
    let mut mapping = Mapping { a, b, partner: vec![None; a.labels.len()] };
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
    mapping.finish()
}

struct Mapping<'s> {
    a: &'s Shape,
    b: &'s Shape,
    /// For every node of `a` its partner in `b`.
    partner: Vec<Option<u32>>,
}

impl Mapping<'_> {
    fn pair(&mut self, x: u32, y: u32) {
        self.partner[x as usize] = Some(y);
    }

    fn pair_equal(&mut self, x: u32, y: u32) {
        self.a.subtree(x).zip(self.b.subtree(y)).for_each(|(x, y)| self.pair(x, y));
    }

    /// Matches equal subtrees at both ends; `None` when a side is used up, whose rest is then
    /// deleted or added.
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
        if forest_a.weight().saturating_mul(forest_b.weight()) > MOST_CELLS {
            return;
        }
        for node in left.iter().flat_map(|&root| self.a.subtree(root)) {
            self.partner[node as usize] = None;
        }
        for (x, y) in distance_mapping(&forest_a, &forest_b) {
            self.pair(x, y);
        }
    }

    /// What the mapping below these roots of `a` costs against `size` widgets of `b`.
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

    /// Pairs trees of two forests in order so that what they have in common is greatest, then
    /// goes on below each pair.
    fn align(&mut self, left: &[u32], right: &[u32]) {
        let mut open = vec![(left.to_vec(), right.to_vec())];
        while let Some((left, right)) = open.pop() {
            let Some((left, right)) = self.trim(left, right) else { continue };
            for (x, y) in self.best_pairs(&left, &right) {
                if self.a.hash_of(x) == self.b.hash_of(y) {
                    self.pair_equal(x, y);
                } else {
                    self.pair(x, y);
                    open.push((self.a.children(x), self.b.children(y)));
                }
            }
        }
    }

    fn best_pairs(&self, left: &[u32], right: &[u32]) -> Vec<(u32, u32)> {
        let labels_a: Vec<Vec<u64>> = left.iter().map(|&x| self.a.sorted_labels(&[x])).collect();
        let labels_b: Vec<Vec<u64>> = right.iter().map(|&y| self.b.sorted_labels(&[y])).collect();
        let gain = |n: usize, m: usize| self.gain((left[n], &labels_a[n]), (right[m], &labels_b[m]));
        let width = right.len() + 1;
        let mut best = vec![0; (left.len() + 1) * width];
        for n in (0..left.len()).rev() {
            for m in (0..right.len()).rev() {
                let skip = best[(n + 1) * width + m].max(best[n * width + m + 1]);
                best[n * width + m] = skip.max(best[(n + 1) * width + m + 1] + gain(n, m));
            }
        }
        let (mut n, mut m, mut pairs) = (0, 0, Vec::new());
        while n < left.len() && m < right.len() {
            let here = best[n * width + m];
            if here == best[(n + 1) * width + m + 1] + gain(n, m) {
                pairs.push((left[n], right[m]));
                (n, m) = (n + 1, m + 1);
            } else if here == best[(n + 1) * width + m] {
                n += 1;
            } else {
                m += 1;
            }
        }
        pairs
    }

    /// The most operations that pairing two trees can save, and a little more when their roots
    /// are alike.
    fn gain(&self, (x, labels_a): (u32, &[u64]), (y, labels_b): (u32, &[u64])) -> usize {
        let common = common(labels_a, labels_b);
        let renamed = labels_a.len().min(labels_b.len()) - common;
        let alike = usize::from(self.a.labels[x as usize] == self.b.labels[y as usize])
            + usize::from(self.a.hash_of(x) == self.b.hash_of(y));
        4 * (2 * common + renamed) + alike
    }

    fn finish(self) -> Vec<(Option<u32>, Option<u32>)> {
        let mut added = vec![true; self.b.labels.len()];
        let mut pairs = Vec::with_capacity(added.len().max(self.partner.len()));
        for (x, partner) in self.partner.iter().enumerate() {
            if let Some(y) = *partner {
                added[y as usize] = false;
            }
            pairs.push((Some(x as u32), *partner));
        }
        let added = added.into_iter().enumerate().filter(|(_, added)| *added);
        pairs.extend(added.map(|(y, _)| (None, Some(y as u32))));
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
