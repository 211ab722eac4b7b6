//! Random walks that end in a given state.

use rand::RngExt;

use super::{Passage, StateModel, StateNo};
use droidmux_words::number::real;

/// Walks to one state σ, drawn with the probabilities of Odin's calibration.
///
/// Off σ, each of the m successor states is next with probability 1/m; at σ, each with 1/(m + 1), and the walk ends
/// with 1/(m + 1). A walk that reaches the length limit ends in σ or is drawn again. Instead of drawing until one is
/// right, every choice is weighted by the chance of ending right after it, which gives the same walks with the same
/// probabilities.
#[derive(Clone, Debug)]
pub struct Walks<'m> {
    model: &'m StateModel,
    target: StateNo,
    longest: usize,
    /// By state: its successors.
    next: Vec<Vec<StateNo>>,
    /// By the number of events left, then by state: the chance of ending right.
    chance: Vec<Vec<f64>>,
}

impl<'m> Walks<'m> {
    /// Walks to `target` of at most `longest` events, never through a state that `avoid` names.
    pub fn to(
        model: &'m StateModel,
        target: StateNo,
        longest: usize,
        avoid: impl Fn(StateNo) -> bool,
    ) -> Self {
        let next: Vec<Vec<StateNo>> = model
            .states()
            .map(|state| {
                let mut next: Vec<StateNo> = model.passages(state).iter().map(|p| p.to).collect();
                next.sort_unstable();
                next.dedup();
                next.retain(|&to| !avoid(to));
                next
            })
            .collect();
        let mut walks = Self { model, target, longest, next, chance: Vec::new() };
        let arrived: Vec<f64> = model.states().map(|state| f64::from(u8::from(state == target))).collect();
        walks.chance.push(arrived);
        for left in 1..=longest {
            let chances = model.states().map(|state| walks.chance_of(state, left)).collect();
            walks.chance.push(chances);
        }
        walks
    }

    /// The chance that a walk from this state ends in σ within the limit.
    pub fn chance(&self, from: StateNo) -> f64 {
        self.chance_at(self.longest, from)
    }

    /// A walk from a state, as the transitions taken, parallel ones drawn uniformly; `None` when
    /// none can end in σ.
    pub fn draw(&self, from: StateNo, rng: &mut impl RngExt) -> Option<Vec<Passage>> {
        if self.chance(from) <= 0.0 {
            return None;
        }
        let (mut here, mut walk) = (from, Vec::new());
        for left in (1..=self.longest).rev() {
            let next = self.next.get(here.0 as usize)?;
            let end = f64::from(u8::from(here == self.target));
            let mut roll = rng.random::<f64>() * (end + self.onward(here, left));
            if roll < end {
                return Some(walk);
            }
            roll -= end;
            let possible = || next.iter().copied().filter(|&to| self.chance_at(left - 1, to) > 0.0);
            let mut chosen = possible().next_back();
            for to in possible() {
                let chance = self.chance_at(left - 1, to);
                if roll < chance {
                    chosen = Some(to);
                    break;
                }
                roll -= chance;
            }
            let Some(to) = chosen else { return (here == self.target).then_some(walk) };
            let parallel: Vec<&Passage> = self.model.passages(here).iter().filter(|p| p.to == to).collect();
            walk.push(**parallel.get(rng.random_range(0..parallel.len().max(1)))?);
            here = to;
        }
        (here == self.target).then_some(walk)
    }

    fn chance_of(&self, state: StateNo, left: usize) -> f64 {
        let successors = self.next.get(state.0 as usize).map_or(0, Vec::len);
        let end = f64::from(u8::from(state == self.target));
        let ways = real(successors) + end;
        if ways == 0.0 { 0.0 } else { (end + self.onward(state, left)) / ways }
    }

    /// The sum of the chances of a state's successors.
    fn onward(&self, state: StateNo, left: usize) -> f64 {
        let next = self.next.get(state.0 as usize).map_or(&[][..], Vec::as_slice);
        next.iter().map(|&to| self.chance_at(left.saturating_sub(1), to)).sum()
    }

    fn chance_at(&self, left: usize, state: StateNo) -> f64 {
        self.chance.get(left).and_then(|chances| chances.get(state.0 as usize)).copied().unwrap_or(0.0)
    }
}
