//! Lint: what is wrong or doubtful in a specification, for the person who writes it.
//!
//! In: functions and key views as read, and optionally the layout that a device shows now. Out: remarks, in the order
//! of the file; what each widget and condition finds on the layout.
//!
//! Invariants: a fault is certain: the function can never be carried out, or never be checked, as it
//! is written. Everything else is a note. A remark never changes what is checked.

mod conditions;
mod events;
mod key_views;
mod presence;
#[cfg(test)]
mod tests;
mod widgets;

use droidmux_gui::LayoutHash;
use droidmux_record::{Dmf, DmfEvent, DmfWidget, Impact, KeyView, Operator, Specification};
use droidmux_words::printable;

use super::format::{Unread, key_view_fault};
use super::passage::Passage;
pub use presence::{Presence, presence};

/// Something worth saying about a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The function's number from 0; `None` for what is about key views.
    pub function: Option<usize>,
    /// Whether the function can be used all the same.
    pub weight: Weight,
    /// The part, e.g. `post-condition 1`; empty for the function as a whole.
    pub about: String,
    /// What is wrong or doubtful, for a person.
    pub what: String,
}

/// How much a remark weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The function cannot be used.
    Fault,
    /// The function is carried out as written; that may not be what is meant.
    Note,
}

impl From<Unread> for Remark {
    fn from(unread: Unread) -> Self {
        let what = format!("the field {} is ignored, as PBFDroid does", unread.field);
        Self { function: unread.function, weight: Weight::Note, about: unread.about, what }
    }
}

/// Everything that can be said without a device.
pub fn lint(specification: &Specification) -> Vec<Remark> {
    let usable = settled(specification.dmfs.clone());
    let mut remarks = of_functions(&specification.dmfs, &usable);
    key_views::lint(&specification.key_views, &mut remarks);
    remarks
}

/// Functions and key views as a session uses them: what lint finds at fault is marked so, and left
/// out.
pub fn specification(dmfs: Vec<Dmf>, key_views: Vec<KeyView>) -> Specification {
    Specification { dmfs: settled(dmfs), key_views }
}

/// Which parts of a specification a session cannot use and why, one line each, in the order of the file.
pub fn unusable(specification: &Specification) -> Vec<String> {
    let functions = specification.dmfs.iter().filter_map(|dmf| {
        let fault = dmf.fault.as_ref()?;
        Some(format!("function `{}` cannot be used: {fault}", dmf.name))
    });
    let key_views = specification.key_views.iter().enumerate().filter_map(|(number, view)| {
        Some(format!("key view {} is left out: {}", number + 1, key_view_fault(view)?))
    });
    functions.chain(key_views).map(|line| printable(&line).into_owned()).collect()
}

/// The functions with every fault in them: one that cannot be used adds no objects, which may leave
/// others without any.
fn settled(mut dmfs: Vec<Dmf>) -> Vec<Dmf> {
    loop {
        let remarks = of_functions(&dmfs, &dmfs);
        let mut is_settled = true;
        for remark in remarks.into_iter().filter(|remark| remark.weight == Weight::Fault) {
            let Some(dmf) = remark.function.and_then(|number| dmfs.get_mut(number)) else { continue };
            if dmf.fault.is_none() {
                dmf.fault = Some(format!("{}: {}", remark.about, remark.what));
                is_settled = false;
            }
        }
        if is_settled {
            return dmfs;
        }
    }
}

/// `all` are the same functions with what is known of their faults.
fn of_functions(dmfs: &[Dmf], all: &[Dmf]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (number, dmf) in dmfs.iter().enumerate() {
        let mut lint = Lint { dmf, all, number, remarks: &mut remarks };
        lint.function();
        lint.events();
        lint.conditions();
        lint.widgets();
    }
    remarks
}

/// One function, and the remarks on it.
struct Lint<'a> {
    dmf: &'a Dmf,
    /// All functions of the file.
    all: &'a [Dmf],
    number: usize,
    remarks: &'a mut Vec<Remark>,
}

impl<'a> Lint<'a> {
    fn function(&mut self) {
        let dmf = self.dmf;
        if let Some(fault) = &dmf.fault {
            self.fault("", fault.clone());
        }
        if dmf.proportion == 0 {
            self.note("", "its proportion is 0, so it is never chosen".into());
        }
        if let Some(twin) = self.all[..self.number].iter().position(|other| other.name == dmf.name) {
            self.note(
                "",
                format!(
                    "function {} has the same name; `functions` in a session file chooses both",
                    twin + 1
                ),
            );
        }
        if dmf.preconditions.is_empty() {
            self.note("", "it has no precondition, so it is tried on every layout".into());
        }
        if dmf.postconditions.is_empty() {
            self.note("", "it has no post-condition: it is carried out and nothing is checked".into());
        }
    }

    fn fault(&mut self, about: &str, what: String) {
        self.remark(Weight::Fault, about, what);
    }

    fn note(&mut self, about: &str, what: String) {
        self.remark(Weight::Note, about, what);
    }

    fn remark(&mut self, weight: Weight, about: &str, what: String) {
        self.remarks.push(Remark { function: Some(self.number), weight, about: about.to_owned(), what });
    }

    /// The impacts that add objects.
    fn additions(&self) -> impl Iterator<Item = &'a Impact> + use<'a> {
        self.dmf.impacts.iter().filter(|impact| adds(impact.operator))
    }

    /// The impacts that take objects away.
    fn removals(&self) -> impl Iterator<Item = &'a Impact> + use<'a> {
        let takes_away = |operator| matches!(operator, Operator::Delete | Operator::Clear);
        self.dmf.impacts.iter().filter(move |impact| takes_away(impact.operator))
    }

    /// Some function of the file that can be used adds objects of this type.
    fn grows(&self, datatype: &str) -> bool {
        let adds_any = |dmf: &Dmf| dmf.impacts.iter().any(|impact| adds(impact.operator));
        let grows = |dmf: &Dmf| dmf.fault.is_none() && dmf.datatype == datatype && adds_any(dmf);
        self.all.iter().any(grows)
    }

    /// Which of the layouts l₀ … lₙ a number means when all events are performed.
    fn position(&self, number: Option<u32>) -> usize {
        let hash = |n: usize| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&(n as u64).to_be_bytes());
            LayoutHash(bytes)
        };
        let mut passage = Passage::from(hash(0));
        for event in 0..self.dmf.events.len() {
            passage.step(u16::try_from(event).unwrap_or(u16::MAX), hash(event + 1));
        }
        let meant = passage.layout(self.dmf, number);
        passage.layouts.iter().position(|layout| Some(*layout) == meant).unwrap_or(0)
    }
}

fn adds(operator: Operator) -> bool {
    matches!(operator, Operator::Add | Operator::AddConflict | Operator::AddNoDuplicate)
}

/// `event 2 (click)`
fn event_name(number: usize, event: &DmfEvent) -> String {
    format!("event {} ({})", number + 1, event.action.name())
}

/// Nothing is filled in that tells widgets apart.
fn is_blank(widget: &DmfWidget) -> bool {
    [&widget.class, &widget.description, &widget.resource_id, &widget.text, &widget.xpath]
        .iter()
        .all(|attribute| attribute.is_empty())
}
