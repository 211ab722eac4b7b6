//! Zhang and Shasha's tree edit distance with its mapping, on forests of hashed labels.
//!
//! Unit costs. Source: K. Zhang, D. Shasha, "Simple fast algorithms for the editing distance
//! between trees and related problems", SIAM J. Comput. 18(6), 1989, algorithms for `treedist`
//! and the forest distances of two keyroots. A forest gets a common root of its own, which maps
//! to the other forest's at no cost.

use droidmux_words::number::count;

/// A forest in post-order, positions from 1; the common root is the last one.
pub(super) struct Forest {
    labels: Vec<u64>,
    /// The position of the leftmost leaf below each position.
    leftmost: Vec<usize>,
    keyroots: Vec<usize>,
    /// The widget at each position; the common root has none.
    nodes: Vec<Option<u32>>,
}

/// The common root's label on both sides.
const COMMON_ROOT: u64 = u64::MAX;

impl Forest {
    /// The subtrees of `roots` (siblings in order) in an arena in pre-order with subtree ends.
    pub(super) fn new(roots: &[u32], ends: &[u32], labels: &[u64]) -> Self {
        let mut forest = Self { labels: vec![0], leftmost: vec![0], keyroots: Vec::new(), nodes: vec![None] };
        for &root in roots {
            forest.push_tree(root, ends, labels);
        }
        forest.push(None, COMMON_ROOT, 1);
        forest.keyroots = forest.find_keyroots();
        forest
    }

    /// The work this side contributes: cells are the product of both sides' weights.
    pub(super) fn weight(&self) -> u64 {
        self.keyroots.iter().map(|&root| (root - self.leftmost[root] + 2) as u64).sum()
    }

    /// The cells of each of the two tables for both sides.
    pub(super) fn table(&self, other: &Forest) -> u64 {
        (self.labels.len() as u64).saturating_mul(other.labels.len() as u64)
    }

    fn len(&self) -> usize {
        self.labels.len() - 1
    }

    fn push(&mut self, node: Option<u32>, label: u64, leftmost: usize) {
        self.nodes.push(node);
        self.labels.push(label);
        self.leftmost.push(leftmost);
    }

    /// Adds a subtree in post-order without recursion: a node is closed when the next one in
    /// pre-order lies outside of it.
    fn push_tree(&mut self, root: u32, ends: &[u32], labels: &[u64]) {
        let end = ends[root as usize];
        let mut open: Vec<(u32, usize)> = Vec::new();
        for node in root..end {
            open.push((node, self.labels.len()));
            while let Some(&(last, leftmost)) =
                open.last().filter(|(last, _)| ends[*last as usize] <= node + 1)
            {
                self.push(Some(last), labels[last as usize], leftmost);
                open.pop();
            }
        }
    }

    /// The highest position of each leftmost leaf, ascending.
    fn find_keyroots(&self) -> Vec<usize> {
        let mut seen = vec![false; self.leftmost.len()];
        let mut keyroots: Vec<usize> = (1..=self.len())
            .rev()
            .filter(|&n| !std::mem::replace(&mut seen[self.leftmost[n]], true))
            .collect();
        keyroots.reverse();
        keyroots
    }
}

/// A mapping of least cost, as pairs of widgets of both forests.
pub(super) fn distance_mapping(a: &Forest, b: &Forest) -> Vec<(u32, u32)> {
    let mut tables = Tables::new(a, b);
    for &x in &a.keyroots {
        for &y in &b.keyroots {
            tables.fill(x, y);
        }
    }
    tables.trace()
}

struct Tables<'f> {
    a: &'f Forest,
    b: &'f Forest,
    width: usize,
    tree: Vec<u32>,
    forest: Vec<u32>,
}

impl<'f> Tables<'f> {
    fn new(a: &'f Forest, b: &'f Forest) -> Self {
        let cells = (a.len() + 1) * (b.len() + 1);
        Self { a, b, width: b.len() + 1, tree: vec![0; cells], forest: vec![0; cells] }
    }

    /// Fills the forest distances of two subtrees. Row `i`, column `j` holds the distance of the
    /// nodes up to positions i and j; the row and column before the leftmost leaves stand for
    /// nothing.
    fn fill(&mut self, x: usize, y: usize) {
        let (first_x, first_y) = (self.a.leftmost[x], self.b.leftmost[y]);
        let width = self.width;
        self.forest[(first_x - 1) * width + first_y - 1] = 0;
        for j in first_y..=y {
            self.forest[(first_x - 1) * width + j] = count(j + 1 - first_y);
        }
        for i in first_x..=x {
            self.forest[i * width + first_y - 1] = count(i + 1 - first_x);
            let left_i = self.a.leftmost[i];
            for j in first_y..=y {
                let left_j = self.b.leftmost[j];
                let delete = self.forest[(i - 1) * width + j] + 1;
                let insert = self.forest[i * width + j - 1] + 1;
                let best = delete.min(insert);
                self.forest[i * width + j] = if left_i == first_x && left_j == first_y {
                    let rename = u32::from(self.a.labels[i] != self.b.labels[j]);
                    let best = best.min(self.forest[(i - 1) * width + j - 1] + rename);
                    self.tree[i * width + j] = best;
                    best
                } else {
                    let before = self.forest[(left_i - 1) * width + left_j - 1];
                    best.min(before + self.tree[i * width + j])
                };
            }
        }
    }

    /// Walks back from the common roots, refilling the forest distances of each pair of subtrees
    /// met on the way.
    fn trace(&mut self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut open = vec![(self.a.len(), self.b.len())];
        while let Some((x, y)) = open.pop() {
            self.fill(x, y);
            let (first_x, first_y) = (self.a.leftmost[x], self.b.leftmost[y]);
            let (mut i, mut j) = (x, y);
            while i >= first_x && j >= first_y {
                let here = self.forest[i * self.width + j];
                let whole = self.a.leftmost[i] == first_x && self.b.leftmost[j] == first_y;
                let rename = u32::from(self.a.labels[i] != self.b.labels[j]);
                if whole && here == self.forest[(i - 1) * self.width + j - 1] + rename {
                    pairs.extend(self.a.nodes[i].zip(self.b.nodes[j]));
                    (i, j) = (i - 1, j - 1);
                } else if here == self.forest[(i - 1) * self.width + j] + 1 {
                    i -= 1;
                } else if here == self.forest[i * self.width + j - 1] + 1 {
                    j -= 1;
                } else {
                    open.push((i, j));
                    (i, j) = (self.a.leftmost[i] - 1, self.b.leftmost[j] - 1);
                }
            }
        }
        pairs
    }
}
