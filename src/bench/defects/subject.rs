//! An app of a bench, with the defects that can be switched on in it, and where it runs.
//!
//! In: a simulated app, or a real one with the mutants that were chosen for it. Out: its name, its defects, and in which
//! sessions they are on together.

use std::sync::Arc;

use droidmux_sim::{FrameworkOptions, SimApp};

/// An app of a bench.
#[derive(Clone, Debug)]
pub struct Subject {
    package: String,
    name: String,
    defects: Arc<[Planted]>,
    /// Defects that are on together at most.
    at_once: usize,
    place: Place,
}

/// A defect that can be switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planted {
    /// `app.what`, e.g. `diary.wrong-picture`, `markor.lost-write-17`.
    pub id: String,
    /// What kind of defect it is.
    pub kind: String,
}

/// Where an app runs.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// On simulated phones, a fresh one for each setting of the switches.
    Simulated(SimApp),
    /// In a host of the framework lab, which can be another app's with each setting. Without options its APK is not at
    /// hand: what is recorded of it can be told.
    Translated(Option<FrameworkOptions>),
}

impl Subject {
    /// A simulated app, all whose defects are on together.
    pub fn simulated(app: SimApp) -> Self {
        let name = app.package().rsplit('.').next().unwrap_or_default().to_owned();
        let planted = |defect: &droidmux_sim::Defect| Planted {
            id: defect.id.to_owned(),
            kind: defect.kind.name().to_owned(),
        };
        Self {
            package: app.package().to_owned(),
            name,
            defects: app.defects().iter().map(planted).collect(),
            at_once: usize::MAX,
            place: Place::Simulated(app),
        }
    }

    /// A real app of this package in the framework lab, called so in lists, with these of its mutants, of which so many are
    /// on together at most.
    pub fn translated(
        (package, name): (&str, &str),
        defects: Vec<Planted>,
        at_once: usize,
        options: Option<FrameworkOptions>,
    ) -> Self {
        let place = Place::Translated(options);
        Self { package: package.to_owned(), name: name.to_owned(), defects: defects.into(), at_once, place }
    }

    /// Its application id.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Its name in lists and in names of files.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The defects that can be switched on in it.
    pub fn defects(&self) -> &[Planted] {
        &self.defects
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// Whether nobody here wrote it: what shows with all defects off may be a bug of its own.
    pub fn is_real(&self) -> bool {
        matches!(self.place, Place::Translated(_))
    }

    /// The defects of each session with defects on: dealt in turn, so that those of a kind, which are listed together, are
    /// apart. One without any for an app without defects.
    pub(super) fn batches(&self) -> Vec<Vec<String>> {
        let count = self.defects.len().div_ceil(self.at_once.max(1)).max(1);
        let mut batches = vec![Vec::new(); count];
        let places = (0..count).cycle();
        for (defect, place) in self.defects.iter().zip(places) {
            if let Some(batch) = batches.get_mut(place) {
                batch.push(defect.id.clone());
            }
        }
        batches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_are_dealt_in_turn() {
        let cases: [(usize, usize, &str); 5] =
            [(0, 3, ""), (3, 3, "abc"), (4, 3, "ac bd"), (7, 3, "adg be cf"), (2, usize::MAX, "ab")];
        for (defects, at_once, expected) in cases {
            let planted = ('a'..).take(defects).map(|id| Planted { id: id.to_string(), kind: "k".into() });
            let subject = Subject::translated(("a.b", "b"), planted.collect(), at_once, None);
            let told: Vec<String> = subject.batches().iter().map(|batch| batch.concat()).collect();
            assert_eq!(told.join(" "), expected);
        }
    }
}
