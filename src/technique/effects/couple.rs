//! Pairs of layouts that are compared: two of the seed's and the two of the mutant that answer them.

use crate::playback::{Insert, Playback, Shot};

/// A pair of the seed's layouts and the mutant's pair that answers it.
#[derive(Clone, Copy)]
pub(super) struct Couple<'a> {
    /// The seed's layouts: i, j.
    pub(super) seed: (usize, usize),
    pub(super) shots: (Shot<'a>, Shot<'a>),
    /// The mutant's: i′, j′.
    pub(super) mutant: (usize, usize),
    pub(super) mutant_shots: (Shot<'a>, Shot<'a>),
}

/// The comparable pairs i < j of the seed with j behind the pivot, as far as both tests have them.
pub(super) fn couples<'a>(
    seed: &Playback<'a>,
    mutant: &Playback<'a>,
    insert: Insert,
) -> impl Iterator<Item = Couple<'a>> {
    let pairs = (insert.pivot + 1..=seed.len()).flat_map(|j| (1..j).map(move |i| (i, j)));
    pairs.filter_map(move |(i, j)| {
        let mutants = (insert.counterpart(i), insert.counterpart(j));
        let (shots, mutant_shots) = (pair(seed, (i, j))?, pair(mutant, mutants)?);
        let couple = Couple { seed: (i, j), shots, mutant: mutants, mutant_shots };
        shots.0.is_comparable(shots.1).then_some(couple)
    })
}

/// Two layouts of one test, as far as it has both.
pub(super) fn pair<'a>(playback: &Playback<'a>, (i, j): (usize, usize)) -> Option<(Shot<'a>, Shot<'a>)> {
    playback.shot(i).zip(playback.shot(j))
}
