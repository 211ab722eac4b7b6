//! Delta debugging on numbers: which of them can be left out together.

/// A set of units that are kept, in the order the search was given them.
pub(super) type Kept = Vec<usize>;

/// The search for a set from which no unit can be taken away alone.
///
/// The kept units lie in chunks. A candidate leaves one chunk out; when it shows, the chunk is gone
/// for good, and the search goes on with the chunk after it. When a whole turn over all chunks was
/// in vain, the chunks are halved; when they hold one unit each, the search is over. The complements
/// of Zeller's ddmin; his tests of single chunks are left out, because what is left of a trace
/// without most of it hardly ever shows anything. On n units that is at most n² + 3n candidates, the
/// bound of ddmin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ddmin {
    chunks: Vec<Vec<usize>>,
    /// The chunk whose absence is tried next.
    at: usize,
    /// Chunks in a row that could not be left out.
    needed: usize,
    minimal: bool,
}

impl Ddmin {
    /// A search that keeps these units at first, and tries to leave out the first ones first.
    pub(super) fn new(units: Kept) -> Self {
        let minimal = units.is_empty();
        let mut search = Self { chunks: vec![units], at: 0, needed: 0, minimal };
        search.refine();
        search
    }

    /// What is kept so far.
    pub(super) fn kept(&self) -> Kept {
        self.chunks.concat()
    }

    /// The next set to be tried; `None` when no unit can be taken away any more.
    pub(super) fn candidate(&self) -> Option<Kept> {
        let others = self.chunks.iter().enumerate().filter(|(n, _)| *n != self.at);
        (!self.minimal).then(|| others.flat_map(|(_, chunk)| chunk.iter().copied()).collect())
    }

    /// The candidate shows what it should: it is kept from now on.
    pub(super) fn shown(&mut self) {
        if self.minimal || self.at >= self.chunks.len() {
            return;
        }
        self.chunks.remove(self.at);
        self.needed = 0;
        if self.at >= self.chunks.len() {
            self.at = 0;
        }
        self.minimal = self.chunks.is_empty();
        if self.chunks.len() == 1 {
            self.refine();
        }
    }

    /// The candidate does not show it.
    pub(super) fn absent(&mut self) {
        if self.minimal {
            return;
        }
        self.needed += 1;
        self.at = (self.at + 1) % self.chunks.len().max(1);
        if self.needed < self.chunks.len() {
            return;
        }
        if self.chunks.iter().all(|chunk| chunk.len() == 1) {
            self.minimal = true;
        } else {
            self.refine();
        }
    }

    /// Halves every chunk that holds more than one unit.
    fn refine(&mut self) {
        let halves = |chunk: Vec<usize>| {
            let (front, back) = chunk.split_at(chunk.len() / 2);
            [front.to_vec(), back.to_vec()]
        };
        let chunks = std::mem::take(&mut self.chunks).into_iter().flat_map(halves);
        self.chunks = chunks.filter(|chunk| !chunk.is_empty()).collect();
        (self.at, self.needed) = (0, 0);
    }
}
