//! Matching of the trees of two lists of siblings.
//!
//! In: two lists of sibling trees of two [`Shape`]s. Out: pairs of them, in order on both sides,
//! that have the most in common.
//!
//! Up to [`MOST_PAIRS`] possible pairs are weighed against each other in one table, so that no alignment is better.
//! Longer lists are first cut at trees that both sides have, and pieces that are still too long are then cut evenly:
//! time and memory grow in proportion to the siblings, and the result is still in order, though a better one may exist.

use std::collections::HashMap;

use super::edit::Shape;
use droidmux_words::number::count;

/// Possible pairs weighed in one table: a thousand siblings on both sides. Tables of this size take
/// 8 MB and some hundredths of a second.
pub(super) const MOST_PAIRS: usize = 1_000_000;
/// The number of pieces, each as long as the sides of one table, into which a list of that length would be cut.
const PIECES: usize = 4;
/// How often a list is cut at equal trees before it is cut into pieces.
const MOST_CUTS: u32 = 16;

/// Pairs two lists of sibling trees in order.
pub(super) struct Alignment<'s> {
    pub(super) a: &'s Shape,
    pub(super) b: &'s Shape,
    /// The most possible pairs in one table.
    pub(super) most_pairs: usize,
}

/// Two lists still to be paired, and how often they may be cut at equal trees.
type Open<'l> = (&'l [u32], &'l [u32], u32);

impl Alignment<'_> {
    /// The pairs of trees, by their roots, in order.
    pub(super) fn pairs(&self, left: &[u32], right: &[u32]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut open: Vec<Open<'_>> = vec![(left, right, MOST_CUTS)];
        while let Some((left, right, cuts)) = open.pop() {
            if left.len().saturating_mul(right.len()) <= self.most_pairs {
                pairs.extend(self.best(left, right));
                continue;
            }
            let anchors = if cuts > 0 { self.anchors(left, right) } else { Vec::new() };
            if anchors.is_empty() {
                open.extend(self.pieces(left, right));
                continue;
            }
            pairs.extend(anchors.iter().map(|&(n, m)| (left[n], right[m])));
            let (mut n, mut m) = (0, 0);
            for (next_n, next_m) in anchors.into_iter().chain([(left.len(), right.len())]) {
                open.push((&left[n..next_n], &right[m..next_m], cuts - 1));
                (n, m) = (next_n + 1, next_m + 1);
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// The pairs whose gains add up to the most.
    fn best(&self, left: &[u32], right: &[u32]) -> Vec<(u32, u32)> {
        let gains = self.gains(left, right);
        let gain = |n: usize, m: usize| gains[n * right.len() + m];
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

    /// The most operations that pairing two trees can save, plus a little more when their roots are alike; row by row
    /// for the trees of `left`.
    fn gains(&self, left: &[u32], right: &[u32]) -> Vec<u32> {
        let traits = |shape: &Shape, node: u32| {
            (count(shape.subtree(node).len()), shape.label(node), shape.hash_of(node))
        };
        let others: Vec<_> = right.iter().map(|&y| traits(self.b, y)).collect();
        let mut gains = self.common(left, right);
        // With nothing on the right, there is no row.
        for (row, &x) in gains.chunks_mut(right.len().max(1)).zip(left) {
            let (size, label, hash) = traits(self.a, x);
            for (gain, &(other_size, other_label, other_hash)) in row.iter_mut().zip(&others) {
                let alike = u32::from(label == other_label) + u32::from(hash == other_hash);
                // What is not common can be renamed.
                *gain = 4 * (*gain + size.min(other_size)) + alike;
            }
        }
        gains
    }

    /// How many labels each two trees share, counted with repetition.
    fn common(&self, left: &[u32], right: &[u32]) -> Vec<u32> {
        let mut holders: HashMap<u64, Vec<(usize, u32)>> = HashMap::new();
        for (n, &x) in left.iter().enumerate() {
            for (label, count) in counts(&self.a.sorted_labels(&[x])) {
                holders.entry(label).or_default().push((n, count));
            }
        }
        let mut common = vec![0; left.len() * right.len()];
        for (m, &y) in right.iter().enumerate() {
            for (label, count) in counts(&self.b.sorted_labels(&[y])) {
                for &(n, held) in holders.get(&label).into_iter().flatten() {
                    common[n * right.len() + m] += held.min(count);
                }
            }
        }
        common
    }

    /// Places of equal trees, rising on both sides: of those that occur once on either side or, failing these, of the
    /// first with the first of a kind, the second with the second and so on.
    fn anchors(&self, left: &[u32], right: &[u32]) -> Vec<(usize, usize)> {
        let (here, there) = (places(self.a, left), places(self.b, right));
        let candidates = |once: bool| -> Vec<(usize, usize)> {
            let counterpart = |n: usize, x: u32| {
                let (here, there) = (here.get(&self.a.hash_of(x))?, there.get(&self.a.hash_of(x))?);
                let fits = !once || (here.len() == 1 && there.len() == 1);
                there.get(here.binary_search(&n).ok().filter(|_| fits)?).copied()
            };
            let trees = left.iter().enumerate();
            trees.filter_map(|(n, &x)| Some((n, counterpart(n, x)?))).collect()
        };
        let anchors = longest_rising(&candidates(true));
        if anchors.is_empty() { longest_rising(&candidates(false)) } else { anchors }
    }

    /// Both lists cut into the same number of even pieces, small enough that all their tables together
    /// take little more than one of the largest.
    fn pieces<'l>(&self, left: &'l [u32], right: &'l [u32]) -> impl Iterator<Item = Open<'l>> + use<'l> {
        let longest = (self.most_pairs.isqrt() / PIECES).max(1);
        let count = left.len().max(right.len()).div_ceil(longest);
        let piece =
            move |list: &'l [u32], n: usize| &list[list.len() * n / count..list.len() * (n + 1) / count];
        (0..count).map(move |n| (piece(left, n), piece(right, n), 0))
    }
}

/// Where each tree stands in a list, by its hash, ascending.
fn places(shape: &Shape, list: &[u32]) -> HashMap<u64, Vec<usize>> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (n, &node) in list.iter().enumerate() {
        places.entry(shape.hash_of(node)).or_default().push(n);
    }
    places
}

/// The longest choice of these pairs that rises on both sides; they rise on the left already.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair with the lowest end, and for each pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, m)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < m);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut rising: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&at| before[at]).map(|at| pairs[at]).collect();
    rising.reverse();
    rising
}

/// Each label of a sorted list with its number of occurrences.
fn counts(labels: &[u64]) -> impl Iterator<Item = (u64, u32)> + '_ {
    labels.chunk_by(|a, b| a == b).filter_map(|run| Some((*run.first()?, count(run.len()))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Siblings in a row: a label for each tree's root and labels for the leaves below it.
    fn shape(trees: &[(u64, Vec<u64>)]) -> Shape {
        let (mut labels, mut ends) = (Vec::new(), Vec::new());
        for (root, leaves) in trees {
            labels.push(*root);
            ends.push(count(labels.len() + leaves.len()));
            for leaf in leaves {
                labels.push(*leaf);
                ends.push(count(labels.len()));
            }
        }
        Shape::new(labels, ends)
    }

    fn trees(labels: u64) -> impl Strategy<Value = Vec<(u64, Vec<u64>)>> {
        prop::collection::vec((0..labels, prop::collection::vec(0..labels, 0..4)), 0..40)
    }

    fn aligned(a: &Shape, b: &Shape, most_pairs: usize) -> Vec<(u32, u32)> {
        Alignment { a, b, most_pairs }.pairs(&a.roots(), &b.roots())
    }

    /// The table filled by comparing the labels of every two trees one by one.
    fn plain(a: &Shape, b: &Shape) -> Vec<(u32, u32)> {
        let (left, right) = (a.roots(), b.roots());
        let gain = |n: usize, m: usize| {
            let (x, y) = (left[n], right[m]);
            let (ours, mut theirs) = (a.sorted_labels(&[x]), b.sorted_labels(&[y]));
            let size = ours.len().min(theirs.len());
            let is_common = |label: &&u64| {
                theirs.iter().position(|other| other == *label).map(|at| theirs.remove(at)).is_some()
            };
            let common = ours.iter().filter(is_common).count();
            4 * (common + size)
                + usize::from(a.label(x) == b.label(y))
                + usize::from(a.hash_of(x) == b.hash_of(y))
        };
        let mut best = vec![vec![0; right.len() + 1]; left.len() + 1];
        for n in (0..left.len()).rev() {
            for m in (0..right.len()).rev() {
                best[n][m] = best[n + 1][m].max(best[n][m + 1]).max(best[n + 1][m + 1] + gain(n, m));
            }
        }
        let (mut n, mut m, mut pairs) = (0, 0, Vec::new());
        while n < left.len() && m < right.len() {
            if best[n][m] == best[n + 1][m + 1] + gain(n, m) {
                pairs.push((left[n], right[m]));
                (n, m) = (n + 1, m + 1);
            } else if best[n][m] == best[n + 1][m] {
                n += 1;
            } else {
                m += 1;
            }
        }
        pairs
    }

    proptest! {
        #[test]
        fn the_table_is_that_of_the_definition(a in trees(4), b in trees(4)) {
            let (a, b) = (shape(&a), shape(&b));
            prop_assert_eq!(aligned(&a, &b, MOST_PAIRS), plain(&a, &b));
        }

        #[test]
        fn pairs_rise_on_both_sides_however_small_the_tables(a in trees(4), b in trees(4), most in 1_usize..60) {
            let (a, b) = (shape(&a), shape(&b));
            let pairs = aligned(&a, &b, most);
            prop_assert!(pairs.is_sorted_by(|x, y| x.0 < y.0 && x.1 < y.1), "{:?}", pairs);
            let (left, right) = (a.roots(), b.roots());
            prop_assert!(pairs.iter().all(|(x, y)| left.contains(x) && right.contains(y)));
        }
    }

    #[test]
    fn trees_that_stand_several_times_are_anchors_where_none_stands_once() {
        // Labels of leaves, and how many of the pairs are equal.
        let cases: [(&[u64], &[u64], usize); 4] = [
            (&[1, 2, 1, 2, 1, 2], &[2, 1, 2, 1, 2, 1], 5),
            (&[1, 2, 3, 4, 5, 6], &[6, 5, 4, 3, 2, 1], 1),
            (&[1, 1, 9, 2, 2, 8], &[7, 1, 1, 2, 2], 4),
            (&[1, 2, 3], &[4, 5, 6], 0),
        ];
        for (left, right, expected) in cases {
            let leaves =
                |labels: &[u64]| shape(&labels.iter().map(|&label| (label, Vec::new())).collect::<Vec<_>>());
            let (a, b) = (leaves(left), leaves(right));
            let pairs = aligned(&a, &b, 4);
            let equal = pairs.iter().filter(|(x, y)| a.label(*x) == b.label(*y)).count();
            assert_eq!(equal, expected, "{left:?} {right:?}: {pairs:?}");
        }
    }
}
