//! Delta debugging on numbers: which of them can be left out together.

/// A set of units that are kept, in the order the search was given them.
pub(super) type Kept = Vec<usize>;

/// The search for a set from which no unit can be taken away alone, nor any two neighbours.
///
/// The kept units lie in chunks. A candidate leaves one chunk out; when it shows, the chunk is gone
/// for good, and the search goes on with the chunk after it. When a whole turn over all chunks was
/// in vain, the chunks are halved. These are the complements of Zeller's ddmin; his tests of single
/// chunks are left out, because what is left of a trace without most of it hardly ever shows
/// anything. When the chunks hold one unit each and none can go, neighbours are tried in pairs: what
/// turns the screen and turns it back, or opens a page and leaves it, goes together or not at all.
///
/// On n units these are at most n² + 3n candidates, the bound of ddmin, and n more for the pairs;
/// where pairs do go, at most n² more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ddmin {
    chunks: Vec<Vec<usize>>,
    /// The first chunk of those whose absence is tried next.
    at: usize,
    /// Turns in a row that were in vain.
    in_vain: usize,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Chunks,
    /// The chunks hold one unit each, and no one can go alone.
    Pairs,
    Minimal,
}

impl Ddmin {
    /// A search that keeps these chunks of units at first, and tries to leave out the first ones
    /// first. A single chunk is halved before anything is left out.
    pub(super) fn new(mut chunks: Vec<Kept>) -> Self {
        chunks.retain(|chunk| !chunk.is_empty());
        let stage = if chunks.is_empty() { Stage::Minimal } else { Stage::Chunks };
        let mut search = Self { chunks, at: 0, in_vain: 0, stage };
        if search.chunks.len() == 1 {
            search.refine();
        }
        search
    }

    /// What is kept so far.
    pub(super) fn kept(&self) -> Kept {
        self.chunks.concat()
    }

    /// The next set to be tried; `None` when there is nothing left to try.
    pub(super) fn candidate(&self) -> Option<Kept> {
        let left_out = self.at..self.at + self.together();
        let others = self.chunks.iter().enumerate().filter(|(n, _)| !left_out.contains(n));
        (self.stage != Stage::Minimal).then(|| others.flat_map(|(_, chunk)| chunk.iter().copied()).collect())
    }

    /// The candidate shows what it should: it is kept from now on.
    pub(super) fn shown(&mut self) {
        if self.stage == Stage::Minimal {
            return;
        }
        let end = (self.at + self.together()).min(self.chunks.len());
        self.chunks.drain(self.at.min(end)..end);
        (self.stage, self.in_vain) = (Stage::Chunks, 0);
        if self.at >= self.chunks.len() {
            self.at = 0;
        }
        match self.chunks.len() {
            0 => self.stage = Stage::Minimal,
            1 => self.refine(),
            _ => {}
        }
    }

    /// The candidate does not show it.
    pub(super) fn absent(&mut self) {
        self.in_vain += 1;
        self.at += 1;
        match self.stage {
            Stage::Chunks if self.in_vain < self.chunks.len() => self.at %= self.chunks.len(),
            Stage::Chunks if self.chunks.iter().any(|chunk| chunk.len() > 1) => self.refine(),
            // The last two are all there is: without them nothing would be left.
            Stage::Chunks if self.chunks.len() > 2 => {
                (self.stage, self.at, self.in_vain) = (Stage::Pairs, 0, 0);
            }
            Stage::Pairs if self.at + 1 < self.chunks.len() => {}
            Stage::Chunks | Stage::Pairs | Stage::Minimal => self.stage = Stage::Minimal,
        }
    }

    /// How many chunks a candidate leaves out.
    fn together(&self) -> usize {
        if self.stage == Stage::Pairs { 2 } else { 1 }
    }

    /// Halves every chunk that holds more than one unit.
    fn refine(&mut self) {
        let halves = |chunk: Vec<usize>| {
            let (front, back) = chunk.split_at(chunk.len() / 2);
            [front.to_vec(), back.to_vec()]
        };
        let chunks = std::mem::take(&mut self.chunks).into_iter().flat_map(halves);
        self.chunks = chunks.filter(|chunk| !chunk.is_empty()).collect();
        (self.at, self.in_vain) = (0, 0);
    }
}
