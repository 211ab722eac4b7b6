//! Breadth-first search for traces that lead from a pivot back to it.

use std::collections::BTreeSet;

use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::mutants::First;
use super::ways::Ways;
use crate::gui::LayoutHash;
use crate::record::GenieSettings;

/// An accepted trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The number of its first edge among the `firsts`.
    pub first: usize,
    /// All its edges, the first included.
    pub edges: Vec<u32>,
}

/// Traces of one length that are followed further, at most; more are sampled. This keeps the
/// search breadth-first on models where the traces of eight events are millions.
const BREADTH: usize = 4_000;

/// Accepted traces of one length kept, at most; more are sampled.
const ACCEPTED: usize = 2_000;

/// A trace under construction: its last edge and the trace before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    edge: u32,
    /// In the arena; `u32::MAX` for a first edge.
    before: u32,
    first: u32,
    /// Self-loops at the end, in a row.
    loops: u32,
}

/// Finds traces of at most `insert_events` edges that begin with one of `firsts` and end in one of
/// `goals` on a layout among `ends`. An accepted trace is not extended. Traces that cannot come
/// back in time, go round one cycle more than `cycle_repeats` times or repeat self-loops more than
/// `self_loops` times in a row are cut.
pub(super) fn search(
    ways: &Ways,
    goals: &[u32],
    firsts: &[First],
    ends: &BTreeSet<LayoutHash>,
    settings: &GenieSettings,
    rng: &mut ChaCha8Rng,
) -> Vec<Found> {
    let longest = settings.insert_events;
    let distances = ways.distances(goals);
    let in_time = |state: u32, length: u32| {
        distances.get(state as usize).is_some_and(|&d| d <= longest.saturating_sub(length))
    };
    let mut arena: Vec<Node> = Vec::new();
    let mut level: Vec<Node> = firsts
        .iter()
        .zip(0..)
        .filter_map(|(first, number)| {
            let edge = ways.edge(first.edge)?;
            let loops = u32::from(edge.from == edge.to);
            in_time(edge.to, 1).then_some(Node { edge: first.edge, before: u32::MAX, first: number, loops })
        })
        .collect();
    let mut found = Vec::new();
    for length in 1..=longest {
        thin(&mut level, BREADTH, rng);
        let mut accepted = Vec::new();
        let mut next = Vec::new();
        for node in level {
            let Some(edge) = ways.edge(node.edge) else { continue };
            if goals.contains(&edge.to) && ends.contains(&edge.after) {
                accepted.push(node);
                continue;
            }
            if length == longest {
                continue;
            }
            let before = u32::try_from(arena.len()).unwrap_or(u32::MAX);
            arena.push(node);
            for &number in ways.walkable(edge.to) {
                let Some(step) = ways.edge(number) else { continue };
                let loops = if step.from == step.to { node.loops + 1 } else { 0 };
                let longer = Node { edge: number, before, first: node.first, loops };
                if loops <= settings.self_loops
                    && in_time(step.to, length + 1)
                    && cycles_within(&path(&longer, &arena), ways, settings.cycle_repeats as usize)
                {
                    next.push(longer);
                }
            }
        }
        thin(&mut accepted, ACCEPTED, rng);
        found.extend(
            accepted.iter().map(|node| Found { first: node.first as usize, edges: path(node, &arena) }),
        );
        level = next;
    }
    found
}

/// Keeps at most `most` nodes, drawn at random, in their order.
fn thin(nodes: &mut Vec<Node>, most: usize, rng: &mut ChaCha8Rng) {
    if nodes.len() > most {
        let mut kept = index::sample(rng, nodes.len(), most).into_vec();
        kept.sort_unstable();
        *nodes = kept.into_iter().filter_map(|n| nodes.get(n).copied()).collect();
    }
}

fn path(node: &Node, arena: &[Node]) -> Vec<u32> {
    let mut edges = vec![node.edge];
    let mut before = node.before;
    while let Some(node) = arena.get(before as usize) {
        edges.push(node.edge);
        before = node.before;
    }
    edges.reverse();
    edges
}

/// True when no cycle occurs more than `repeats` times. Walking the trace, a cycle closes whenever
/// a state on the way is met again; it is taken out and the walk goes on without it.
fn cycles_within(edges: &[u32], ways: &Ways, repeats: usize) -> bool {
    let mut way: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
    let mut cycles: Vec<Vec<u32>> = Vec::new();
    for &number in edges {
        let Some(edge) = ways.edge(number) else { return false };
        way.push((edge.from, number));
        if let Some(start) = way.iter().position(|&(state, _)| state == edge.to) {
            let mut cycle: Vec<u32> = way.drain(start..).map(|(_, number)| number).collect();
            // The same cycle may be entered anywhere.
            let lowest = cycle.iter().enumerate().min_by_key(|(_, n)| **n).map_or(0, |(at, _)| at);
            cycle.rotate_left(lowest);
            if cycles.iter().filter(|c| **c == cycle).count() >= repeats {
                return false;
            }
            cycles.push(cycle);
        }
    }
    true
}
