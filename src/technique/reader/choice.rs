//! What is read: the stretches that show most for what they cost.
//!
//! In: all stretches of a session, and a budget of tokens. Out: the numbers of those that are read.
//!
//! Invariants: the same stretches and budget give the same choice; what is chosen stays within the budget.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::behaviour::Behaviour;
use super::stretch::Stretch;

/// The stretches to be read, in their own order.
///
/// Greedy: the next one is that whose behaviours add most for a token, given what was chosen before it. What a stretch
/// adds only shrinks as others are chosen, so one whose worth is up to date and still the largest is the next.
pub fn choose(stretches: &[Stretch], budget: usize) -> Vec<usize> {
    choose_more(stretches, budget, &mut Read::new())
}

/// How often each behaviour was read.
pub type Read = HashMap<Behaviour, usize>;

/// The same after others were read; what is chosen is added to `read`.
pub fn choose_more(stretches: &[Stretch], budget: usize, read: &mut Read) -> Vec<usize> {
    let mut waiting: BinaryHeap<(u64, Reverse<usize>)> =
        stretches.iter().enumerate().map(|(at, stretch)| (worth(stretch, read), Reverse(at))).collect();
    let (mut chosen, mut left) = (Vec::new(), budget);
    while let Some((known, Reverse(at))) = waiting.pop() {
        let Some(stretch) = stretches.get(at).filter(|stretch| stretch.tokens <= left) else { continue };
        let now = worth(stretch, read);
        if now == 0 {
            continue;
        }
        if now < known {
            waiting.push((now, Reverse(at)));
            continue;
        }
        for behaviour in &stretch.behaviours {
            *read.entry(behaviour.clone()).or_default() += 1;
        }
        left -= stretch.tokens;
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen
}

/// What a stretch adds for each thousand tokens.
pub fn worth(stretch: &Stretch, read: &Read) -> u64 {
    let mut here: HashMap<&Behaviour, usize> = HashMap::new();
    let mut sum = 0_u64;
    for behaviour in &stretch.behaviours {
        let own = here.entry(behaviour).or_default();
        let times = read.get(behaviour).copied().unwrap_or_default() + *own;
        *own += 1;
        sum += u64::from(behaviour.worth(times));
    }
    sum * 1_000 / u64::try_from(stretch.tokens.max(1)).unwrap_or(u64::MAX)
}

/// Chosen stretches in questions of at most this many tokens each; one that is longer has a question of its own.
pub fn questions(stretches: &[Stretch], chosen: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut questions: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for at in chosen {
        let Some(stretch) = stretches.get(*at) else { continue };
        match questions.last_mut() {
            Some(question) if stretch.tokens <= room => question.push(*at),
            _ => {
                questions.push(vec![*at]);
                room = most;
            }
        }
        room = room.saturating_sub(stretch.tokens);
    }
    questions
}
