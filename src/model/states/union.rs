//! Union-find that can undo its unions.

/// Sets of numbers 0 … n − 1. Without path compression, so that a union is one change to undo;
/// the smaller set goes below the larger, so that a look-up takes O(log n).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The lowest number in the set of each root.
    lowest: Vec<u32>,
    /// The roots that were put below others, oldest first, with the lowest number that the other
    /// set had before.
    done: Vec<(u32, u32)>,
}

/// A point to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(usize);

impl UnionFind {
    pub(super) fn new(n: u32) -> Self {
        Self {
            parent: (0..n).collect(),
            size: vec![1; n as usize],
            lowest: (0..n).collect(),
            done: Vec::new(),
        }
    }

    /// The root of the set a number is in.
    pub(super) fn find(&self, mut n: u32) -> u32 {
        while self.parent[n as usize] != n {
            n = self.parent[n as usize];
        }
        n
    }

    /// The lowest number in the set of a root: its name, in whatever order the unions were made.
    pub(super) fn lowest(&self, root: u32) -> u32 {
        self.lowest[root as usize]
    }

    /// Joins two different roots; returns the one that stays and the one that was put below it.
    pub(super) fn union(&mut self, a: u32, b: u32) -> (u32, u32) {
        let larger = |n: u32| (self.size[n as usize], std::cmp::Reverse(self.lowest(n)));
        let (stays, goes) = if larger(a) >= larger(b) { (a, b) } else { (b, a) };
        self.done.push((goes, self.lowest(stays)));
        self.parent[goes as usize] = stays;
        self.size[stays as usize] += self.size[goes as usize];
        self.lowest[stays as usize] = self.lowest(stays).min(self.lowest(goes));
        (stays, goes)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.done.len())
    }

    /// Undoes every union since the mark.
    pub(super) fn undo_to(&mut self, mark: Mark) {
        while self.done.len() > mark.0 {
            let Some((goes, lowest)) = self.done.pop() else { return };
            let stays = self.parent[goes as usize];
            self.parent[goes as usize] = goes;
            self.size[stays as usize] -= self.size[goes as usize];
            self.lowest[stays as usize] = lowest;
        }
    }
}
