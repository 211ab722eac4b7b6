//! The tests of a batch as they ran, with their layouts at hand.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fidelity::{Shortfall, fidelity, shortfall};
use droidmux_account::look::Look;
use droidmux_account::place::Place;
use droidmux_account::row::lists;
use droidmux_gui::{Arrangement, Layout, LayoutHash, Outline, Page};
use droidmux_record::{Fidelity, Insertion, JobRun, Layouts, Seen, Test, Trace};

/// The layouts of one job, each once.
pub struct Gallery(BTreeMap<LayoutHash, Arc<Layout>>);

impl Gallery {
    /// Looks up every layout a job saw; unknown ones are left out.
    pub fn of(run: &JobRun, layouts: &dyn Layouts) -> Self {
        let mut gallery = BTreeMap::new();
        for seen in run.turns.iter().filter_map(|turn| turn.observation.seen()) {
            let hash = seen.screen.layout;
            if !gallery.contains_key(&hash) {
                gallery.extend(layouts.layout(hash).map(|layout| (hash, layout)));
            }
        }
        Self(gallery)
    }

    pub(super) fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }

    /// Every layout prepared for comparison.
    pub fn stills(&self) -> Stills<'_> {
        let mut stills = BTreeMap::new();
        for (number, (&hash, layout)) in self.0.iter().enumerate() {
            let (outline, arrangement) = (Outline::of(layout), Arrangement::of(layout));
            stills.insert(hash, Still { number, outline, arrangement, place: OnceCell::new() });
        }
        stills
    }
}

/// The layouts of a job prepared for comparison.
pub type Stills<'g> = BTreeMap<LayoutHash, Still<'g>>;

/// A layout prepared for comparison.
pub struct Still<'g> {
    /// Its number among the layouts of the job.
    pub number: usize,
    pub outline: Outline<'g>,
    arrangement: Arrangement<'g>,
    place: OnceCell<Place>,
}

/// One layout of a test with where it was seen.
#[derive(Clone, Copy)]
pub struct Shot<'a> {
    pub seen: &'a Seen,
    pub still: &'a Still<'a>,
}

impl<'a> Shot<'a> {
    pub fn hash(self) -> LayoutHash {
        self.seen.screen.layout
    }

    pub fn layout(self) -> &'a Layout {
        self.still.outline.layout()
    }

    pub fn activity(self) -> &'a str {
        &self.seen.screen.activity
    }

    pub fn page(self) -> Page<'a> {
        Page { package: &self.seen.screen.package, activity: &self.seen.screen.activity }
    }

    /// What page it shows, and in which mode, as its layout tells by itself.
    pub fn place(self) -> &'a Place {
        self.still.place.get_or_init(|| {
            let lists = lists(self.layout());
            Place::of(self.layout(), &Look::of(self.layout(), &lists), &lists)
        })
    }

    /// The same of a window that came up over a page.
    pub fn place_above(self) -> Place {
        let lists = lists(self.layout());
        Place::of(self.layout(), &Look::of_window(self.layout(), &lists), &lists)
    }

    /// Genie's rule, with l = ⊥ comparable to nothing.
    pub fn is_comparable(self, other: Shot<'_>) -> bool {
        let in_app = self.seen.screen.in_app && other.seen.screen.in_app;
        in_app && self.page() == other.page() && self.still.arrangement == other.still.arrangement
    }
}

/// Why a test cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unplayable {
    #[error("it did not run")]
    NotRun,
    #[error(transparent)]
    Short(#[from] Shortfall),
    #[error("layout {0} is missing in the store")]
    Missing(LayoutHash),
}

/// Why no run of a seed stands for it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SeedFault {
    #[error("the seed was not replayable: {0}")]
    Unplayable(Unplayable),
    #[error("the job holds no run of the seed")]
    NoRun,
}

/// A test that ran through.
pub struct Playback<'a> {
    pub trace: &'a Trace<'a>,
    /// l₁ … lₙ₊₁.
    shots: Vec<Shot<'a>>,
    pub fidelity: Fidelity,
}

impl<'a> Playback<'a> {
    /// Puts a trace and its layouts together, or says why the test cannot be judged.
    pub fn of(test: &Test, trace: &'a Trace<'a>, stills: &'a Stills<'a>) -> Result<Self, Unplayable> {
        if let Some(shortfall) = shortfall(trace, test.events.len()) {
            return Err(shortfall.into());
        }
        let seen = trace.start.into_iter().chain(trace.steps.iter().filter_map(|step| step.after.ok()));
        let shots: Result<Vec<_>, _> = seen
            .map(|seen| match stills.get(&seen.screen.layout) {
                Some(still) => Ok(Shot { seen, still }),
                None => Err(Unplayable::Missing(seen.screen.layout)),
            })
            .collect();
        Ok(Self { trace, shots: shots?, fidelity: fidelity(trace) })
    }

    /// Puts a trace together as far as it went without a gap; `None` when not even its start was seen.
    pub fn so_far(trace: &'a Trace<'a>, stills: &'a Stills<'a>) -> Option<Self> {
        let steps = trace.steps.iter().map_while(|step| step.after.ok());
        let shots: Vec<Shot<'a>> = std::iter::once(trace.start?)
            .chain(steps)
            .map_while(|seen| stills.get(&seen.screen.layout).map(|still| Shot { seen, still }))
            .collect();
        (!shots.is_empty()).then(|| Self { trace, shots, fidelity: fidelity(trace) })
    }

    /// How many layouts there are: n + 1.
    pub fn len(&self) -> usize {
        self.shots.len()
    }

    /// Layout number `n`, counted from 1.
    pub fn shot(&self, n: usize) -> Option<Shot<'a>> {
        self.shots.get(n.checked_sub(1)?).copied()
    }

    pub fn shots(&self) -> &[Shot<'a>] {
        &self.shots
    }
}

/// Where the inserted trace stands, with the correspondence of layouts (Genie).
#[derive(Clone, Copy)]
pub struct Insert {
    /// The pivot's number k, from 1.
    pub pivot: usize,
    /// The inserted trace's length m.
    pub length: usize,
}

impl Insert {
    /// The mutant's layout for layout i of the seed: i up to the pivot, i + m behind it.
    pub fn counterpart(self, i: usize) -> usize {
        if i <= self.pivot { i } else { i + self.length }
    }

    /// The number of the layout that the inserted trace ends on.
    pub fn end(self) -> usize {
        self.pivot + self.length
    }
}

impl From<Insertion> for Insert {
    fn from(insertion: Insertion) -> Self {
        Self { pivot: insertion.pivot.into(), length: insertion.length.into() }
    }
}

/// The insertion of a mutant, `None` for a seed.
pub fn insertion(test: &Test) -> Option<Insert> {
    test.role.insertion().map(Insert::from)
}
