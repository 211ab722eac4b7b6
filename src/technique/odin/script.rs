//! What happens between two layouts, as an edit script in canonical form.

use super::abstraction::{Abstract, Lens};
use droidmux_gui::{Layout, WidgetId, shape_mapping};
use droidmux_record::{EffectKind, Fingerprint, FrontLayout};

/// One operation of an edit script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    pub kind: EffectKind,
    /// The widget on the earlier layout, unless it was added.
    pub before: Option<WidgetId>,
    /// The widget on the later layout, unless it was deleted.
    pub after: Option<WidgetId>,
    pub code: Code,
}

/// What identifies an operation: its kind, the labels before and after, the parent's label.
/// Positions are left out, so that the same change at another place in a list is the same
/// operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    kind: EffectKind,
    before: u64,
    after: u64,
    parent: u64,
}

/// A layout with where it was seen.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    pub layout: &'a Layout,
    pub view: &'a FrontLayout,
}

/// The edit script from one sight to the next; `None` when the app was left, which is one
/// operation of its own, whatever is shown then.
pub fn script(before: Sight<'_>, after: Sight<'_>, lens: Lens<'_>) -> Option<Vec<Operation>> {
    if !after.view.in_app {
        return None;
    }
    // Most events change nothing or little: the same layout needs no look at all.
    if before.view == after.view {
        return Some(Vec::new());
    }
    let look = |sight: Sight<'_>| lens.look(sight.layout, &sight.view.activity);
    Some(operations(&look(before), &look(after)))
}

/// The hash of a script: equal for equal multisets of operations.
pub fn fingerprint(script: Option<&[Operation]>) -> Fingerprint {
    let mut codes: Vec<Code> = script.into_iter().flatten().map(|operation| operation.code).collect();
    codes.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(script.is_none())]);
    for code in codes {
        hasher.update(&[code.kind as u8]);
        [code.before, code.after, code.parent].iter().for_each(|n| _ = hasher.update(&n.to_le_bytes()));
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    Fingerprint(short)
}

fn operations(before: &Abstract, after: &Abstract) -> Vec<Operation> {
    let pairs = shape_mapping(before.shape(), after.shape()).into_iter();
    pairs
        .filter_map(|(x, y)| {
            let old = x.and_then(|x| before.node(x));
            let new = y.and_then(|y| after.node(y));
            let (kind, parent) = match (old, new) {
                (Some((_, a, _)), Some((_, b, _))) if a == b => return None,
                (Some((.., parent)), Some(_)) => (EffectKind::Changed, parent),
                (Some((.., parent)), None) => (EffectKind::Deleted, parent),
                (None, Some((.., parent))) => (EffectKind::Added, parent),
                (None, None) => return None,
            };
            let label = |node: Option<(WidgetId, u64, u64)>| node.map_or(0, |(_, label, _)| label);
            let code = Code { kind, before: label(old), after: label(new), parent };
            Some(Operation { kind, before: old.map(|n| n.0), after: new.map(|n| n.0), code })
        })
        .collect()
}
