//! Innocent explanations of a violation, looked for before anyone reads it.
//!
//! In: a usual trace, one that did something in addition, the pair of screens at which they diverge, and what is
//! missing there. Out: [`Experiment`]s in words, with the turns to look at. The first explanation that holds is the
//! last one tried.
//!
//! Invariants: pure over what the oracle has; what the comparison leaves out is left out here, too; rows that were
//! added or changed beside the affected one explain nothing, since an independent insertion may do just that.

mod case;
mod occupant;
mod out_of_view;
mod own_object;
mod page_identity;
#[cfg(test)]
mod page_tests;
mod placeholder;
mod remote_switch;
mod stack;
#[cfg(test)]
pub(crate) mod stage;
mod story;
mod swap;
#[cfg(test)]
mod tests;
mod undone;
mod usual_page;

pub(crate) use case::{Case, Difference};
pub(crate) use page_identity::came_to_another_page;
pub(crate) use story::Story;
pub(crate) use swap::{Struck, struck};
pub(crate) use usual_page::{Done, content_difference};

use droidmux_record::{Bearing, Experiment};

/// Something that may explain a violation, or speak for a defect; `None` if it does not apply.
type Explanation = fn(&Case<'_>) -> Option<Experiment>;

/// In the order in which they are tried. An undo that undoes nothing needs no comparison, and makes whatever else
/// differs its consequence. A swap comes before the explanations that look at the object alone, and after those that
/// ask whether the two events were the same at all.
const EXPLANATIONS: [Explanation; 9] = [
    undone::accuse,
    page_identity::explain,
    swap::accuse,
    occupant::explain,
    own_object::explain,
    placeholder::explain,
    stack::explain,
    remote_switch::doubt,
    out_of_view::doubt,
];

/// What was found to explain a case, or to speak for a defect.
pub(crate) fn experiments(case: &Case<'_>) -> Vec<Experiment> {
    let mut found = Vec::new();
    for explain in EXPLANATIONS {
        let Some(experiment) = explain(case) else { continue };
        let decides = matches!(experiment.bearing, Bearing::Excuses | Bearing::Accuses);
        found.push(experiment);
        if decides {
            break;
        }
    }
    found
}
