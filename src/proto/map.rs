//! What a session has mined of an app, as people look at it: its states, the transitions between them, and how both
//! grew.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use droidmux_gui::{LayoutHash, StateId, short_class};
use droidmux_words::printable;

/// The map of an app. The numbers of states and events are indices into its lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MapView {
    /// States in the order of their first visit, at most [`MapView::STATES`].
    pub states: Vec<StateView>,
    /// The number of further states.
    pub more_states: u64,
    /// Between the states that are listed, in the order they were learned.
    pub transitions: Vec<TransitionView>,
    /// The events of transitions and ways in words: `click Button "Save"`.
    pub events: Vec<String>,
    /// From the first job to the last, at most [`MapView::MOMENTS`].
    pub growth: Vec<Growth>,
}

/// All layouts that the session's abstraction regards as the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateView {
    /// The hash of what its layouts have in common.
    pub id: StateId,
    /// The activity it was first seen in; empty for the outside of the app.
    pub activity: String,
    /// The first layout seen in it.
    pub layout: LayoutHash,
    /// How often it was arrived at.
    pub visits: u64,
    /// Events that it was seen to offer.
    pub offers: u32,
    /// The number of these that were never executed.
    pub untried: u32,
    /// The shortest recorded way here from a reset, as numbers of events; `None` if none was kept.
    pub way: Option<Vec<u32>>,
}

/// An event that led from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransitionView {
    /// The state it leaves.
    pub from: u32,
    /// The state it leads to.
    pub to: u32,
    /// What was done.
    pub event: u32,
    /// How often.
    pub count: u64,
}

/// How much was known after a number of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// Steps of finished jobs.
    pub steps: u64,
    /// States of the app.
    pub states: u64,
    /// Transitions, including those from and to the outside.
    pub transitions: u64,
    /// Activities of the app.
    pub activities: u64,
    /// Distinct layouts.
    pub layouts: u64,
}

impl MapView {
    /// The most states listed.
    pub const STATES: usize = 2_000;
    /// The most moments of growth.
    pub const MOMENTS: usize = 240;

    /// A state by its number.
    pub fn state(&self, number: u32) -> Option<&StateView> {
        self.states.get(usize::try_from(number).ok()?)
    }

    /// An event in words, by its number.
    pub fn event(&self, number: u32) -> &str {
        usize::try_from(number).ok().and_then(|n| self.events.get(n)).map_or("", String::as_str)
    }

    /// The transitions from a state, most frequent first.
    pub fn leaving(&self, number: u32) -> Vec<TransitionView> {
        let mut leaving: Vec<TransitionView> =
            self.transitions.iter().filter(|transition| transition.from == number).copied().collect();
        leaving.sort_by_key(|transition| std::cmp::Reverse(transition.count));
        leaving
    }

    /// The map as a graph for Graphviz: a node for each state, an edge for each transition.
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph app {\n  node [shape=box];\n");
        for (number, state) in self.states.iter().enumerate() {
            let label = format!("{}\n{} visits", state.name(), state.visits);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  s{number} [label={}];", quoted(&label));
        }
        for TransitionView { from, to, event, count } in &self.transitions {
            let label = format!("{} ({count})", self.event(*event));
            let _ = writeln!(text, "  s{from} -> s{to} [label={}];", quoted(&label));
        }
        text + "}\n"
    }
}

impl StateView {
    /// Its activity without the package, and the beginning of its hash.
    pub fn name(&self) -> String {
        let activity = match short_class(&self.activity) {
            "" => "outside",
            activity => activity,
        };
        format!("{activity} {:04x}", self.id.0 >> 48)
    }
}

/// A string of the DOT language; names come from apps.
fn quoted(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| printable(line).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(activity: &str, id: u64) -> StateView {
        let (layout, activity) = (LayoutHash([0; 16]), activity.to_owned());
        StateView { id: StateId(id << 48), activity, layout, visits: 3, offers: 2, untried: 1, way: None }
    }

    #[test]
    fn a_map_is_a_graph_whatever_apps_call_their_parts() {
        let map = MapView {
            states: vec![state("org.a.Main", 1), state("", 2), state("org.a.\"]\n; x", 3)],
            transitions: vec![
                TransitionView { from: 0, to: 1, event: 0, count: 2 },
                TransitionView { from: 0, to: 2, event: 1, count: 5 },
            ],
            events: vec!["back".into(), "click Button \"a\\\u{1b}b\"".into()],
            ..MapView::default()
        };
        let expected = concat!(
            "digraph app {\n  node [shape=box];\n",
            "  s0 [label=\"Main 0001\\n3 visits\"];\n",
            "  s1 [label=\"outside 0002\\n3 visits\"];\n",
            "  s2 [label=\"\\\"]\\n; x 0003\\n3 visits\"];\n",
            "  s0 -> s1 [label=\"back (2)\"];\n",
            "  s0 -> s2 [label=\"click Button \\\"a\\\\␛b\\\" (5)\"];\n",
            "}\n",
        );
        assert_eq!(map.dot(), expected);
        assert_eq!(map.leaving(0).iter().map(|t| t.count).collect::<Vec<_>>(), [5, 2]);
        assert_eq!((map.event(7), map.state(3)), ("", None));
    }
}
