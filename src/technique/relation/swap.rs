//! Swap: what names one row does not strike another.
//!
//! Broken when an event acts on a row, or a dialog names it, and then exactly one other row is gone, ticked or renamed
//! in its place while the named one stays as it is. If the app itself asks about the row by its label, or a box of the
//! row is ticked, that is enough; if the row was only touched, the same choice must have struck its own row before. It
//! is silent when a window on the way shows the label of the other row, when rows came as well as went, about rows that
//! share their label, and when the page is in another mode.
//!
//! ```text
//! milk                                               milk
//! bread   ──touch 'Delete' of milk──▶ Delete milk? ──▶         'Delete' on 'milk' removed 'bread' instead.
//! ```

use super::locality::{Acted, changed};
use super::row::Row;
use super::trail::Trail;
use super::{Break, Cause, Relation, Said, fingerprint, quoted};
use crate::claims::{AIMED, PROMISE};
use droidmux_account::apart;
use droidmux_record::{Claim, Harm, Held};

pub static SWAP: Relation = Relation {
    name: "swap",
    assumes: "a dialog that names a row, and a choice that struck its own row before, strike the row they name",
    silent_when: "a window on the way shows the other row's label, or rows came as well as went",
    judge,
};

fn judge(trail: &Trail<'_>) -> Vec<Said> {
    let acted = trail.deeds().iter().filter_map(|deed| Acted::of(trail, deed));
    acted.filter_map(|acted| says(&acted)).collect()
}

fn says(acted: &Acted<'_, '_>) -> Option<Said> {
    let own = |row: &Row| row.label == acted.row.label;
    let struck_own = acted.change.gone.iter().any(|row| own(row))
        || acted.change.changed.iter().any(|(row, _, _)| own(row));
    if struck_own {
        let object = fingerprint(&[&acted.row.label]);
        return Some(Said::Held(Held::new(SWAP.name, about(acted), object)));
    }
    let (other, what) = struck(acted)?;
    let shown = acted.deed.windows(acted.trail).iter().any(|window| window.shows(&other.label));
    if shown || acted.deed.names_all(acted.trail) || acted.lists.1.only(&acted.row.label).is_none() {
        return None;
    }
    let asked = acted.deed.windows(acted.trail).iter().any(|window| {
        let look = window.look();
        look.message.contains(&acted.row.label)
            || look.fields.iter().any(|field| field.text == acted.row.label)
    });
    let ticked = is_tick(acted);
    // What names the row, or is its box, says what it means.
    let threshold = if asked || ticked { PROMISE } else { AIMED };
    let claim = Some(Claim::new(SWAP.name, about(acted), threshold));
    let sentence = if ticked {
        format!("Touching the box of {} {what} instead.", quoted(&acted.row.label))
    } else {
        format!("{} {what} instead.", acted.doing())
    };
    Some(Said::Broken(Box::new(Break {
        cause: Cause::WrongRow,
        page: acted.trail.page_name(acted.deed.from),
        list: acted.lists.0.id.clone(),
        event: acted.deed.kind(acted.trail),
        what: if ticked { "box".into() } else { "row".into() },
        expected: format!(
            "what is done to {} strikes {}",
            quoted(&acted.row.label),
            quoted(&acted.row.label)
        ),
        found: sentence.clone(),
        sentence,
        shots: (acted.deed.from, acted.deed.to),
        widgets: (other.note(acted.before.layout()), acted.row.note(acted.after.layout())),
        claim,
        harm: Harm::WrongObject,
        slight: false,
    })))
}

/// Whether a box of the row itself was touched.
fn is_tick(acted: &Acted<'_, '_>) -> bool {
    let receiver = acted.trail.shot(acted.deed.from + 1).and_then(|shot| shot.receiver);
    let boxes = acted.row.cells.iter().filter(|cell| cell.checked.is_some());
    boxes.into_iter().any(|cell| Some(cell.widget) == receiver && cell.widget != acted.row.node)
}

/// Equal for the same touch on rows of the same list with the same effect: what plays a row may well remove another.
fn about(acted: &Acted<'_, '_>) -> u64 {
    let effect = match (acted.change.gone.is_empty(), acted.change.added.is_empty()) {
        (false, true) => "removes",
        (false, false) => "renames",
        (true, _) => "changes",
    };
    fingerprint(&[&acted.about().to_string(), effect])
}

/// The one other row that was struck, and what happened to it.
fn struck<'t>(acted: &Acted<'t, '_>) -> Option<(&'t Row, String)> {
    let change = &acted.change;
    let typed = || acted.deed.events(acted.trail).filter_map(|(_, event, _)| event.data.as_deref()).last();
    match (change.gone.as_slice(), change.added.as_slice(), change.changed.as_slice()) {
        ([gone], [], []) => Some((gone, format!("removed {}", quoted(&gone.label)))),
        ([gone], [added], []) if typed().is_some_and(|typed| added.label == typed.trim()) => {
            let (was, is) = apart(&gone.label, &added.label);
            Some((gone, format!("renamed {was} to {is}")))
        }
        ([], [], [(row, was, is)]) if was.checked != is.checked && is_tick(acted) => {
            Some((row, changed(row, was, is)))
        }
        // A part of the other row, such as its picture.
        ([], [], [(row, was, is)]) if is.is_nothing() => Some((row, changed(row, was, is))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "swap_tests.rs"]
mod tests;
