//! Detours: traces that lead from a pivot back to it, found breadth-first.

use std::collections::BTreeSet;

use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::mutants::First;
use super::ways::{Edge, Ways};
use crate::GenieSettings;
use droidmux_gui::LayoutHash;

/// An accepted trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detour {
    /// The number of its first edge among the `firsts`.
    pub first: usize,
    /// All its edges, the first included.
    pub edges: Vec<u32>,
}

/// Traces of one length that are followed further, at most; more are sampled. This keeps the
/// search breadth-first on models where the traces of eight events are millions.
const BREADTH: usize = 2_000;

/// Accepted traces of one length kept, at most; more are sampled.
const ACCEPTED: usize = 500;

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
pub(super) fn detours(
    ways: &Ways,
    goals: &[u32],
    firsts: &[First],
    ends: &BTreeSet<LayoutHash>,
    settings: &GenieSettings,
    rng: &mut ChaCha8Rng,
) -> Vec<Detour> {
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
    let (mut unrolled, mut trace) = (Unrolled::default(), Vec::new());
    let repeats = settings.cycle_repeats as usize;
    for length in 1..=longest {
        thin(&mut level, BREADTH, rng);
        let mut accepted = Vec::new();
        let mut next = Vec::new();
        for node in level {
            let Some(edge) = ways.edge(node.edge) else { continue };
            walk_back(&node, &arena, &mut trace);
            // The cycle that an edge closes has this edge in it, each time it occurs.
            let again = trace.iter().filter(|&&edge| edge == node.edge).count();
            if again > repeats && !unrolled.walk(&trace, ways, repeats) {
                continue;
            }
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
                let Some(to) = ways.edge(number).map(|step| step.to) else { continue };
                let loops = if to == edge.to { node.loops + 1 } else { 0 };
                if loops <= settings.self_loops && in_time(to, length + 1) {
                    next.push(Node { edge: number, before, first: node.first, loops });
                }
            }
        }
        thin(&mut accepted, ACCEPTED, rng);
        found.extend(
            accepted.iter().map(|node| Detour { first: node.first as usize, edges: path(node, &arena) }),
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
    let mut edges = Vec::new();
    walk_back(node, arena, &mut edges);
    edges
}

/// All edges of a trace, from the first.
fn walk_back(node: &Node, arena: &[Node], edges: &mut Vec<u32>) {
    edges.clear();
    edges.push(node.edge);
    let mut before = node.before;
    while let Some(node) = arena.get(before as usize) {
        edges.push(node.edge);
        before = node.before;
    }
    edges.reverse();
}

/// A trace with its cycles taken out. Walking the trace, a cycle closes whenever a state on the way
/// is met again; it is taken out and the walk goes on without it.
///
/// One is used for all traces of a search: there are hundreds of thousands.
#[derive(Debug, Default)]
struct Unrolled {
    /// Edges with the states they leave, no state twice.
    way: Vec<(u32, u32)>,
    /// The cycles one after the other, and where each ends.
    cycles: Vec<u32>,
    ends: Vec<usize>,
    /// A cycle about to close.
    closing: Vec<u32>,
}

impl Unrolled {
    /// Walks a trace from its first edge; false when a cycle occurs more than `repeats` times.
    fn walk(&mut self, edges: &[u32], ways: &Ways, repeats: usize) -> bool {
        self.way.clear();
        self.cycles.clear();
        self.ends.clear();
        edges.iter().all(|&number| ways.edge(number).is_some_and(|edge| self.step(number, edge, repeats)))
    }

    fn step(&mut self, number: u32, edge: &Edge, repeats: usize) -> bool {
        match self.closes(number, edge) {
            None => self.way.push((edge.from, number)),
            Some(_) if self.occurrences() >= repeats => return false,
            Some(start) => {
                self.way.truncate(start);
                self.cycles.extend_from_slice(&self.closing);
                self.ends.push(self.cycles.len());
            }
        }
        true
    }

    /// Where on the way the cycle begins that this edge closes, if it closes one: `closing` is then
    /// that cycle, starting at its lowest edge, since it may be entered anywhere.
    fn closes(&mut self, number: u32, edge: &Edge) -> Option<usize> {
        let met = self.way.iter().position(|&(state, _)| state == edge.to);
        let start = met.or((edge.from == edge.to).then_some(self.way.len()))?;
        self.closing.clear();
        self.closing.extend(self.way.iter().skip(start).map(|&(_, number)| number));
        self.closing.push(number);
        let lowest = self.closing.iter().enumerate().min_by_key(|(_, n)| **n).map_or(0, |(at, _)| at);
        self.closing.rotate_left(lowest);
        Some(start)
    }

    /// How often the cycle about to close was met.
    fn occurrences(&self) -> usize {
        let mut start = 0;
        let same = |&&end: &&usize| {
            let cycle = self.cycles.get(start..end);
            start = end;
            cycle == Some(self.closing.as_slice())
        };
        self.ends.iter().filter(same).count()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use rand::SeedableRng;

    use super::*;
    use droidmux_gui::{Event, EventKind, Level};
    use droidmux_model::{Action, Arrival, EventKey, EventShape, GuiModel, Sighting};
    use droidmux_record::Screen;

    /// A model of states named by letters; an edge `AxB` is the event x from A to B. Gives the
    /// numbers of the states.
    fn ways(edges: &str) -> (Ways, BTreeMap<char, u32>) {
        let mut model = GuiModel::new(Level::Widgets, 100.0);
        let mut arrivals: BTreeMap<char, Arrival> = BTreeMap::new();
        for edge in edges.split_whitespace() {
            let letters: Vec<char> = edge.chars().collect();
            let [from, event, to] = letters[..] else { panic!("an edge is three letters: {edge}") };
            let from = *arrivals.entry(from).or_insert_with(|| arrive(&mut model, from));
            let to = *arrivals.entry(to).or_insert_with(|| arrive(&mut model, to));
            // Capital events are rows of one list: one shape.
            let shape = if event.is_uppercase() { 0 } else { event as u64 };
            let action = Action { key: EventKey(event as u64), shape: EventShape(shape) };
            let event = Arc::new(edit_of(event));
            model.traverse(from.state, from.layout, action, &event, &to);
        }
        let ways = Ways::of(&model, &GenieSettings::default());
        let numbers = arrivals.iter().filter_map(|(&name, a)| Some((name, ways.number(a.state)?)));
        (ways.clone(), numbers.collect())
    }

    fn edit_of(letter: char) -> Event {
        Event { kind: EventKind::Edit, receiver: None, data: Some(letter.into()) }
    }

    fn arrive(model: &mut GuiModel, name: char) -> Arrival {
        let mut builder = droidmux_gui::LayoutBuilder::new();
        let class = name.to_string();
        builder.open(droidmux_gui::NewWidget { class: &class, ..Default::default() });
        let layout = builder.finish();
        let screen = Screen {
            layout: layout.hash(),
            package: "a".into(),
            activity: "a.A".into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        model.arrive(Sighting { screen: &screen, layout: &layout })
    }

    /// All traces from A back to A, as their events, sorted by length and name.
    fn found(edges: &str, change: impl Fn(&mut GenieSettings)) -> String {
        let (ways, numbers) = ways(edges);
        let mut settings = GenieSettings { insert_events: 4, ..GenieSettings::default() };
        change(&mut settings);
        let goals = [numbers[&'A']];
        let firsts: Vec<First> = ways
            .leaving(goals[0])
            .iter()
            .filter_map(|&edge| Some(First { edge, event: ways.edge(edge)?.event.clone() }))
            .collect();
        let ends = ways.into_any(&goals).map(|edge| edge.after).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let found = detours(&ways, &goals, &firsts, &ends, &settings, &mut rng);
        let name = |found: &Detour| -> String {
            found.edges.iter().filter_map(|&e| ways.edge(e)?.event.data.clone()).collect()
        };
        let mut names: Vec<String> = found.iter().map(name).collect();
        names.sort_by_key(|name| (name.len(), name.clone()));
        names.join(" ")
    }

    #[test]
    fn traces_lead_back_and_are_not_extended() {
        for (edges, expected) in [
            ("AaA", "a"),
            ("AaB BbA", "ab"),
            ("AaB BbA AcA", "c ab"),
            ("AaB BbC", ""),
            ("AaB BbC CcD DdA", "abcd"),
            ("AaB BbC CcD DdE EeA", ""),
            ("AaB BbB BcA", "ac abc abbc"),
        ] {
            assert_eq!(found(edges, |_| ()), expected, "{edges}");
        }
    }

    #[test]
    fn prunings() {
        let loops = "AaB BbB BcB BdA";
        let three: String = found(loops, |s| (s.self_loops, s.insert_events) = (1, 4));
        assert_eq!(three, "ad abd acd", "one self-loop in a row");
        let cycle = "AaB BbC CcB BdA";
        for (repeats, expected) in [(1, "ad abcd"), (2, "ad abcd abcbcd")] {
            let all = found(cycle, |s| (s.cycle_repeats, s.insert_events) = (repeats, 10));
            assert_eq!(all, expected, "a cycle at most {repeats} times");
        }
        let rows = "AaB BXC BYC BzC CcA";
        assert_eq!(found(rows, |_| ()), "aXc azc", "one row stands for all");
        let first_rows = "AXB AYB BbA";
        assert_eq!(found(first_rows, |_| ()), "Xb Yb", "as first events all rows count");
    }

    #[test]
    fn huge_models_are_sampled() {
        let letters: Vec<char> = ('A'..='Z').collect();
        let mut edges = String::new();
        for (n, from) in letters.iter().enumerate() {
            for (to, event) in letters.iter().zip('a'..='z').filter(|(to, _)| *to != from) {
                edges.push_str(&format!("{from}{event}{to} "));
            }
            assert!(n < 26);
        }
        let all = found(&edges, |s| s.insert_events = 8);
        let lengths: BTreeSet<usize> = all.split(' ').map(str::len).collect();
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
        assert!(all.split(' ').count() <= 7 * ACCEPTED);
    }
}
