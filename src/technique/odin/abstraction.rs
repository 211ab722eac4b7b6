//! Layouts with less in them (Odin).

use std::collections::BTreeSet;

use droidmux_gui::{Flags, Layout, Shape, Widget, WidgetId};
use droidmux_model::Fnv;
use droidmux_record::{Abstraction, IgnoreRule};
use droidmux_words::number::count;

/// A layout under some abstractions: a forest of labels.
#[derive(Clone, Debug, Default)]
pub struct Abstract {
    /// The widget that each node stands for, in document order.
    widgets: Vec<WidgetId>,
    labels: Vec<u64>,
    /// The label of each node's parent; 0 for a root.
    parents: Vec<u64>,
    shape: Shape,
}

/// What leads from a layout to its [`Abstract`].
#[derive(Clone, Copy, Debug)]
pub struct Lens<'a> {
    /// The abstractions, as [`Abstraction::bit`]s.
    pub rules: u8,
    /// Widgets never looked at, with all below them.
    pub ignored: &'a [IgnoreRule],
}

/// A node in the making: its widget, its parent's place among the nodes, its label.
struct Node {
    widget: WidgetId,
    parent: Option<usize>,
    label: u64,
}

impl Lens<'_> {
    /// Looks at a layout seen on this activity.
    ///
    /// The abstractions accumulate and always work in the same order, whichever was chosen first:
    /// values are dropped, widgets without events (by the flags of the layout itself) are removed,
    /// then one of any siblings that are now equal is kept.
    pub fn look(&self, layout: &Layout, activity: &str) -> Abstract {
        let nodes = self.nodes(layout, activity);
        if self.has(Abstraction::Duplicates) {
            Abstract::of(&without_twins(nodes))
        } else {
            Abstract::of(&nodes)
        }
    }

    fn has(&self, rule: Abstraction) -> bool {
        self.rules & rule.bit() != 0
    }

    fn nodes(&self, layout: &Layout, activity: &str) -> Vec<Node> {
        let taking = self.has(Abstraction::Eventless).then(|| {
            let mut taking = vec![false; layout.len()];
            for (_, id) in layout.events() {
                taking[id.0 as usize] = true;
            }
            taking
        });
        let mut nodes: Vec<Node> = Vec::with_capacity(layout.len());
        // The nodes above the widget at hand, each with the end of its widget's subtree.
        let mut above: Vec<(usize, u32)> = Vec::new();
        let mut hidden_to = 0;
        for widget in layout.widgets() {
            let id = widget.id();
            if id.0 < hidden_to {
                continue;
            }
            let end = id.0 + count(widget.subtree().len());
            if self.ignored.iter().any(|rule| rule.matches(activity, widget)) {
                hidden_to = end;
                continue;
            }
            while above.last().is_some_and(|&(_, end)| end <= id.0) {
                above.pop();
            }
            if taking.as_ref().is_some_and(|taking| !taking[id.0 as usize]) {
                continue;
            }
            let parent = above.last().map(|&(node, _)| node);
            above.push((nodes.len(), end));
            nodes.push(Node { widget: id, parent, label: self.label(widget) });
        }
        nodes
    }

    /// A hash of what the abstractions leave of a widget itself: the same on every machine.
    fn label(&self, widget: Widget<'_>) -> u64 {
        let name = Fnv::new().text(widget.class());
        if self.has(Abstraction::Values) {
            return name.done();
        }
        let shown = [Flags::CHECKED, Flags::SELECTED, Flags::ENABLED];
        let flags = shown.iter().fold(0, |bits, &flag| bits << 1 | u64::from(widget.has(flag)));
        name.text(widget.resource_id())
            .text(widget.description())
            .text(widget.text())
            .text(widget.hint())
            .number(flags)
            .done()
    }
}

impl Abstract {
    fn of(nodes: &[Node]) -> Self {
        let mut sizes = vec![1_u32; nodes.len()];
        for (n, node) in nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                sizes[parent] += sizes[n];
            }
        }
        let ends = sizes.iter().zip(0..).map(|(size, n)| n + size).collect();
        let labels: Vec<u64> = nodes.iter().map(|node| node.label).collect();
        let parents = nodes.iter().map(|node| node.parent.map_or(0, |parent| labels[parent])).collect();
        let shape = Shape::new(labels.clone(), ends);
        Self { widgets: nodes.iter().map(|node| node.widget).collect(), labels, parents, shape }
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The widget a node stands for, its label and its parent's.
    pub fn node(&self, node: u32) -> Option<(WidgetId, u64, u64)> {
        let n = node as usize;
        Some((*self.widgets.get(n)?, *self.labels.get(n)?, *self.parents.get(n)?))
    }
}

/// Leaves out every subtree that is equal to one before it among its siblings.
fn without_twins(nodes: Vec<Node>) -> Vec<Node> {
    // From the end, so that children come before their parents; this reverses the lists of
    // children.
    let mut children: Vec<Vec<usize>> = (0..nodes.len()).map(|_| Vec::new()).collect();
    let mut hashes = vec![0_u64; nodes.len()];
    let mut dropped = vec![false; nodes.len()];
    let mut roots = Vec::new();
    for (n, node) in nodes.iter().enumerate().rev() {
        let own = std::mem::take(&mut children[n]);
        let mut hash = Fnv::new().number(node.label);
        for child in first_of_each(own, &hashes, &mut dropped) {
            hash = hash.number(hashes[child]);
        }
        hashes[n] = hash.done();
        match node.parent {
            Some(parent) => children[parent].push(n),
            None => roots.push(n),
        }
    }
    first_of_each(roots, &hashes, &mut dropped);
    let mut place: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    let mut kept: Vec<Node> = Vec::new();
    for (n, node) in nodes.into_iter().enumerate() {
        let parent = node.parent.map(|parent| place[parent]);
        if dropped[n] || parent == Some(None) {
            place.push(None);
            continue;
        }
        place.push(Some(kept.len()));
        kept.push(Node { parent: parent.flatten(), ..node });
    }
    kept
}

/// Marks all but the first of equal siblings as dropped and returns the others in document order.
/// The siblings are given last one first.
fn first_of_each(siblings: Vec<usize>, hashes: &[u64], dropped: &mut [bool]) -> Vec<usize> {
    if siblings.len() < 2 {
        return siblings;
    }
    let mut seen = BTreeSet::new();
    let mut kept = Vec::with_capacity(siblings.len());
    for sibling in siblings.into_iter().rev() {
        if seen.insert(hashes[sibling]) {
            kept.push(sibling);
        } else {
            dropped[sibling] = true;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};

    /// A forest such as `A(b C(d))`: upper-case classes take clicks. A digit after a class is the
    /// widget's text.
    fn layout(text: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '(' | ' ' => {}
                ')' => builder.close(),
                _ => {
                    let text = chars.next_if(char::is_ascii_digit).map_or(String::new(), String::from);
                    let flags = Flags::ENABLED.with(Flags::CLICKABLE, c.is_ascii_uppercase());
                    let (class, bounds) = (c.to_string(), Bounds::new(0, 0, 9, 9));
                    builder.open(NewWidget {
                        class: &class,
                        text: &text,
                        flags,
                        bounds,
                        ..NewWidget::default()
                    });
                    if chars.peek() != Some(&'(') {
                        builder.close();
                    }
                }
            }
        }
        builder.finish()
    }

    /// What is left of a layout, in the same writing without texts.
    fn seen(layout: &Layout, rules: &[Abstraction], ignored: &[IgnoreRule]) -> String {
        let rules = rules.iter().fold(0, |bits, rule| bits | rule.bit());
        let lens = Lens { rules, ignored };
        let nodes = lens.nodes(layout, "a.Main");
        let nodes = if lens.has(Abstraction::Duplicates) { without_twins(nodes) } else { nodes };
        let mut said = String::new();
        write(&nodes, layout, None, &mut said);
        said
    }

    fn write(nodes: &[Node], layout: &Layout, parent: Option<usize>, said: &mut String) {
        let children: Vec<usize> = (0..nodes.len()).filter(|&n| nodes[n].parent == parent).collect();
        for (place, &n) in children.iter().enumerate() {
            let glue = if place > 0 { " " } else { "" };
            said.push_str(glue);
            said.push_str(layout.get(nodes[n].widget).expect("widget").class());
            if nodes.iter().any(|node| node.parent == Some(n)) {
                said.push('(');
                write(nodes, layout, Some(n), said);
                said.push(')');
            }
        }
    }

    #[test]
    fn what_each_abstraction_leaves() {
        use Abstraction::{Duplicates, Eventless, Values};
        let list = "a(L(R(t1 c) R(t2 c) R(t1 c)) B)";
        for (text, rules, left) in [
            (list, &[][..], "a(L(R(t c) R(t c) R(t c)) B)"),
            (list, &[Values], "a(L(R(t c) R(t c) R(t c)) B)"),
            (list, &[Duplicates], "a(L(R(t c) R(t c)) B)"),
            (list, &[Values, Duplicates], "a(L(R(t c)) B)"),
            (list, &[Eventless], "L(R R R) B"),
            (list, &[Eventless, Duplicates], "L(R) B"),
            ("a(b(C D) e)", &[Eventless], "C D"),
            ("a(B(c(D)) c(B(c(D))))", &[Eventless], "B(D) B(D)"),
            ("a(B(c(D)) c(B(c(D))))", &[Eventless, Duplicates], "B(D)"),
            // Equal only below, by what is dropped there itself.
            ("a(b(c c) b(c))", &[Duplicates], "a(b(c))"),
            ("a a b", &[Duplicates], "a b"),
            ("a(b c b)", &[Duplicates], "a(b c)"),
            ("", &[Values, Eventless, Duplicates], ""),
        ] {
            assert_eq!(seen(&layout(text), rules, &[]), left, "{text} {rules:?}");
        }
    }

    #[test]
    fn ignored_widgets_go_with_all_below() {
        let rule = |class: &str, activity: &str| IgnoreRule {
            class: class.into(),
            activity: activity.into(),
            ..IgnoreRule::default()
        };
        let layout = layout("a(b(C) d b)");
        for (rules, left) in [
            (vec![rule("b", "")], "a(d)"),
            (vec![rule("b", "a.Other")], "a(b(C) d b)"),
            (vec![rule("C", ""), rule("d", "a.*")], "a(b b)"),
            (vec![rule("", "a.Main")], ""),
        ] {
            assert_eq!(seen(&layout, &[], &rules), left);
        }
    }

    #[test]
    fn values_are_dropped_and_nothing_else() {
        let label = |text: &str, rules| {
            let layout = layout(text);
            Lens { rules, ignored: &[] }.label(layout.get(WidgetId(0)).expect("widget"))
        };
        let values = Abstraction::Values.bit();
        assert_ne!(label("a1", 0), label("a2", 0));
        assert_eq!(label("a1", values), label("a2", values));
        assert_ne!(label("a1", values), label("b1", values));
    }
}
