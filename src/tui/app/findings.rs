//! The state of the Findings screen.

use std::collections::BTreeSet;
use std::sync::Arc;

use lru::LruCache;

use super::cache::recent;
use super::groups::{Groups, replayed};
use super::sort::Sort;
use super::tiers::Row;
use super::{App, Effect};
use crate::alignment::{self, Aligned, AlignedRow, LayoutPair, Shown};
use crate::columns::Widths;
use crate::list::List;
use crate::theme::Role;
use crate::{why, words};
use droidmux_gui::{LayoutHash, WidgetId};
use droidmux_proto::{FindingDetail, FindingMark, FindingView, Request};
use droidmux_record::{Deviation, Evidence, FindingId, Tier, UnmatchedEffect, told};

/// Width from which two comparisons stand side by side.
pub const WIDE: u16 = 150;

pub struct FindingsScreen {
    /// By tier and rank.
    pub rows: Vec<FindingView>,
    /// The tier that is shown.
    pub tier: Tier,
    /// The explanations whose findings are shown.
    pub unfolded_explanations: BTreeSet<String>,
    pub loaded: bool,
    /// The `findings_version` that was last asked for.
    pub asked_version: Option<u64>,
    pub filter: String,
    pub sort: Sort,
    /// Which of `rows` are one finding.
    pub groups: Groups,
    /// What the next mark is for, if anything is picked.
    pub picked: BTreeSet<FindingId>,
    /// What findings were before they were marked, the last ones at the end.
    pub undo: Vec<Vec<FindingMark>>,
    /// The rows of the tier that pass the filter, in the order shown.
    pub shown: Vec<Row>,
    pub table: List,
    /// The detail fills the screen where there is no room for table and detail.
    pub opened: bool,
    pub details: LruCache<FindingId, Arc<FindingDetail>>,
    /// Details that changed in the lab since they were fetched.
    pub stale: Vec<FindingId>,
    pub why: List,
    pub why_lines: Vec<Vec<(String, Role)>>,
    /// What `why_lines` were made of: the detail's address and the width.
    why_of: Option<WhyOf>,
    pub compare: List,
    pub compare_len: usize,
    /// Rows there is room for: what fits is not folded.
    pub compare_room: usize,
    pub comparison: Comparison,
    /// Equal widgets are shown too.
    pub unfolded: bool,
    /// Which of the unmatched effects is looked at.
    pub effect: usize,
    /// Which of the turns named by the evidence comes next.
    pub place: usize,
    /// Findings reported while another screen was shown.
    pub unseen: u64,
    /// Scroll the comparison to the effect once it is aligned.
    pub seek: bool,
    /// The columns whose width a person chose.
    pub widths: Widths,
    /// The column that is made wider or narrower, by its title.
    pub column: Option<&'static str>,
}

/// A detail by its finding and its address, the width it is told in, and what else is known of the finding.
type WhyOf = (FindingId, usize, u16, Vec<String>);

/// Two of the four layouts of an unmatched effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comparison {
    /// The seed's layouts i and j: the effect is there.
    #[default]
    SeedEffect,
    /// The mutant's i′ and j′: it is missing.
    MutantEffect,
    /// The earlier layouts: seed's i and mutant's i′.
    Before,
    /// The later layouts: seed's j and mutant's j′.
    After,
}

/// A comparison as it is shown.
pub struct Half {
    /// Which layouts these are.
    pub titles: [String; 2],
    /// What is to be seen between them.
    pub told: &'static str,
    pub hashes: LayoutPair,
    pub aligned: Option<Arc<Aligned>>,
    pub shown: Vec<Shown>,
    /// Widgets of unmatched effects on each side, with whether it is the effect looked at.
    pub marks: [Vec<(WidgetId, bool)>; 2],
}

impl Default for FindingsScreen {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            tier: Tier::Reported,
            unfolded_explanations: BTreeSet::new(),
            loaded: false,
            asked_version: None,
            filter: String::new(),
            sort: Sort::default(),
            groups: Groups::default(),
            picked: BTreeSet::new(),
            undo: Vec::new(),
            shown: Vec::new(),
            table: List::default(),
            opened: false,
            details: recent(24),
            stale: Vec::new(),
            why: List::default(),
            why_lines: Vec::new(),
            why_of: None,
            compare: List::default(),
            compare_len: 0,
            compare_room: 0,
            comparison: Comparison::default(),
            unfolded: false,
            effect: 0,
            place: 0,
            unseen: 0,
            seek: true,
            widths: Widths::default(),
            column: None,
        }
    }
}

impl FindingsScreen {
    /// The screen at first, with columns as wide as a person left them.
    pub fn arranged(widths: Widths) -> Self {
        Self { widths, ..Self::default() }
    }

    /// The detail of the finding under the cursor, once fetched.
    pub fn detail(&self) -> Option<&Arc<FindingDetail>> {
        self.details.peek(&self.selected()?.id)
    }

    /// What other sessions say of the finding under the cursor: that they found it, too, or that they ran it again.
    fn elsewhere(&self) -> Vec<String> {
        let (Some(Row::Finding(number)), Some(lead)) = (self.row(), self.selected()) else {
            return Vec::new();
        };
        let others = || self.groups.others(*number).iter().filter_map(|n| self.rows.get(*n));
        let runs = replayed(&lead.id, others()).into_iter();
        let runs =
            runs.map(|(id, shown, of)| format!("run again in {}: {shown} of {of} showed it", id.session));
        let found = others().filter(|row| row.replays.is_none());
        let found = found.map(|row| format!("found in {}, too: {}", row.id.session, row.id));
        runs.chain(found).collect()
    }

    /// The unmatched effects of the finding under the cursor.
    pub fn effects(&self) -> &[UnmatchedEffect] {
        self.detail().map_or(&[], |detail| detail.finding.verdict.evidence.effects())
    }

    /// The effect looked at.
    pub fn current_effect(&self) -> Option<&UnmatchedEffect> {
        self.effects().get(self.effect)
    }

    /// The deviation that is the finding under the cursor.
    pub fn deviation(&self) -> Option<&Deviation> {
        match &self.detail()?.finding.verdict.evidence {
            Evidence::Deviation(deviation) => Some(deviation),
            _ => None,
        }
    }

    /// The layouts before and after the step at which the app crashed or hung, or the function whose property does not
    /// hold; for an unusual text, the pages reached with the valid text and with it. Each with what it is.
    fn signal_pair(&self) -> Option<(LayoutPair, [String; 2])> {
        let detail = self.detail()?;
        let around = |turn| [format!("Before turn {turn}"), format!("After turn {turn}")];
        let turn = match &detail.finding.verdict.evidence {
            Evidence::Signal { turn, .. } => *turn,
            Evidence::Breach(breach) => return Some((breach.layouts, around(breach.turn))),
            Evidence::Mistreated(mistreated) => {
                let titles =
                    [&mistreated.valid, &mistreated.unusual].map(|text| format!("With {}", told(text)));
                return Some((mistreated.layouts, titles));
            }
            Evidence::Mismatch(mismatch) => return Some((mismatch.layouts, around(mismatch.turn))),
            Evidence::Broken(broken) => {
                let (earlier, later) = broken.turns;
                return Some((broken.layouts, [earlier, later].map(|turn| format!("After turn {turn}"))));
            }
            Evidence::None | Evidence::Effects(_) | Evidence::Deviation(_) => return None,
        };
        let turns = &detail.run.as_ref()?.turns;
        let layout =
            |n: u32| turns.get(usize::try_from(n).ok()?)?.observation.seen().map(|seen| seen.screen.layout);
        Some(((layout(turn.checked_sub(1)?)?, layout(turn)?), around(turn)))
    }

    /// Whether the comparison is the one that a finding opens with.
    pub fn compares_first(&self) -> bool {
        self.comparison == Comparison::default()
    }

    /// What the comparison is meant to show, in a sentence.
    pub fn subject(&self) -> Option<String> {
        match (&self.detail()?.finding.verdict.evidence, self.current_effect()) {
            (Evidence::Deviation(deviation), Some(effect)) => {
                let whose = if deviation.is_surplus(self.effect) { "only here" } else { "only usually" };
                Some(format!("{whose}: {}", words::effect(effect)))
            }
            (_, Some(effect)) => Some(format!("missing in the mutant: {}", words::effect(effect))),
            (Evidence::Signal { signal, .. }, None) => Some(signal.headline.clone()),
            (Evidence::Breach(breach), None) => Some(breach.found.clone()),
            (Evidence::Mistreated(mistreated), None) => Some(mistreated.how.words().to_owned()),
            (Evidence::Mismatch(mismatch), None) => Some(mismatch.reasoning.clone()),
            (Evidence::Broken(broken), None) => Some(broken.found.clone()),
            (Evidence::Effects(_) | Evidence::Deviation(_) | Evidence::None, None) => None,
        }
    }
}

impl Comparison {
    /// The layouts compared, as places in [`UnmatchedEffect::layouts`].
    fn sides(self) -> (usize, usize) {
        match self {
            Self::SeedEffect => (0, 1),
            Self::MutantEffect => (2, 3),
            Self::Before => (0, 2),
            Self::After => (1, 3),
        }
    }

    fn hashes(self, effect: &UnmatchedEffect) -> LayoutPair {
        let (a, b) = self.sides();
        (effect.layouts[a], effect.layouts[b])
    }

    /// What stands beside it if there is room for two.
    fn companion(self) -> [Comparison; 2] {
        match self {
            Self::SeedEffect | Self::MutantEffect => [Self::SeedEffect, Self::MutantEffect],
            Self::Before | Self::After => [Self::Before, Self::After],
        }
    }
}

impl App {
    /// The comparisons on screen: two if there is room, else one.
    pub fn comparisons(&self) -> Vec<Comparison> {
        match self.area.width >= WIDE {
            true => self.findings.comparison.companion().to_vec(),
            false => vec![self.findings.comparison],
        }
    }

    /// The comparisons with what is to be shown of them. Equal widgets are folded away unless all
    /// rows of all comparisons fit.
    pub fn halves(&self) -> Vec<Half> {
        let Some(effect) = self.findings.current_effect() else {
            return self.findings.signal_pair().map(|pair| self.signal_half(pair)).into_iter().collect();
        };
        let comparisons = self.comparisons();
        let rows = |comparison: &Comparison| {
            let aligned = self.cache.alignments.peek(&comparison.hashes(effect));
            aligned.map_or(0, |aligned| aligned.rows.len())
        };
        let fits = comparisons.iter().map(rows).all(|rows| rows <= self.findings.compare_room);
        let all = fits || self.findings.unfolded;
        comparisons.into_iter().map(|comparison| self.half(effect, comparison, all)).collect()
    }

    fn half(&self, effect: &UnmatchedEffect, comparison: Comparison, all: bool) -> Half {
        let (a, b) = comparison.sides();
        let hashes = comparison.hashes(effect);
        let aligned = self.cache.alignments.peek(&hashes).cloned();
        let marks = [self.marks(effect, a), self.marks(effect, b)];
        let marked = |row: &AlignedRow| {
            let on = |side: Option<WidgetId>, marks: &[(WidgetId, bool)]| {
                side.is_some_and(|id| marks.iter().any(|(marked, _)| *marked == id))
            };
            on(row.left, &marks[0]) || on(row.right, &marks[1])
        };
        let shown = aligned.as_ref().map(|aligned| aligned.shown(all, marked)).unwrap_or_default();
        let titles = [a, b].map(|n| match self.findings.deviation() {
            Some(deviation) => {
                words::layout_of_deviation(deviation.is_surplus(self.findings.effect), n).to_owned()
            }
            None => words::layout_of_effect(effect, n),
        });
        let told = match comparison {
            Comparison::SeedEffect => "the effect is there",
            Comparison::MutantEffect => "the effect is missing",
            Comparison::Before | Comparison::After => "",
        };
        Half { titles, told, hashes, aligned, shown, marks }
    }

    fn signal_half(&self, (hashes, titles): (LayoutPair, [String; 2])) -> Half {
        let aligned = self.cache.alignments.peek(&hashes).cloned();
        let fits = aligned.as_ref().is_some_and(|aligned| aligned.rows.len() <= self.findings.compare_room);
        let all = fits || self.findings.unfolded;
        let shown = aligned.as_ref().map(|aligned| aligned.shown(all, |_| false)).unwrap_or_default();
        Half { titles, told: "", hashes, aligned, shown, marks: [Vec::new(), Vec::new()] }
    }

    /// The widgets of unmatched effects on one of the four layouts: on the seed's, those the effects name; on the
    /// mutant's, their counterparts.
    fn marks(&self, current: &UnmatchedEffect, side: usize) -> Vec<(WidgetId, bool)> {
        let seed_side = side % 2;
        let seed_hash = current.layouts[seed_side];
        let Some(seed) = self.cache.layout(seed_hash) else { return Vec::new() };
        let twin = self.cache.alignments.peek(&(seed_hash, current.layouts[side]));
        let alike = self.findings.effects().iter().filter(|effect| effect.layouts == current.layouts);
        let marks = alike.filter_map(|effect| {
            let note = if seed_side == 0 { effect.before.as_ref() } else { effect.after.as_ref() }?;
            let widget = alignment::find(seed, note)?;
            let widget = if side < 2 { widget } else { twin?.right_of(widget)? };
            Some((widget, effect == current))
        });
        marks.collect()
    }

    /// The layouts the Findings screen needs, and the pairs of them to be aligned.
    pub(super) fn wanted_alignments(&self) -> (Vec<LayoutHash>, Vec<LayoutPair>) {
        let Some(effect) = self.findings.current_effect() else {
            let pair = self.findings.signal_pair().map(|(pair, _)| pair);
            return (pair.into_iter().flat_map(|(a, b)| [a, b]).collect(), pair.into_iter().collect());
        };
        let l = effect.layouts;
        (l.to_vec(), vec![(l[0], l[1]), (l[2], l[3]), (l[0], l[2]), (l[1], l[3])])
    }

    /// Brings what is shown of the selected finding up to date with what was fetched.
    pub(super) fn settle_finding(&mut self, why_width: u16, compare_room: u16) {
        self.findings.compare_room = compare_room.into();
        let of = self
            .findings
            .detail()
            .map(|detail| (detail.finding.id.clone(), Arc::as_ptr(detail) as usize, why_width))
            .map(|(id, address, width)| (id, address, width, self.findings.elsewhere()));
        if of != self.findings.why_of {
            let same = |of: &Option<WhyOf>| of.as_ref().map(|of| of.0.clone());
            if same(&of) != same(&self.findings.why_of) {
                self.findings.why = List::default();
                self.findings.compare = List::default();
                self.findings.effect = 0;
                self.findings.place = 0;
                self.findings.seek = true;
            }
            let elsewhere = of.as_ref().map_or(&[][..], |of| &of.3);
            let (width, home) = (usize::from(why_width), &self.options.home);
            let detail = self.findings.detail();
            let lines = detail.map(|detail| why::lines(detail, elsewhere, width, home));
            self.findings.why_lines = lines.unwrap_or_default();
            self.findings.why_of = of;
        }
        let halves = self.halves();
        self.findings.compare_len = halves.iter().map(|half| half.shown.len()).max().unwrap_or(0);
        let ready = !halves.is_empty() && halves.iter().all(|half| half.aligned.is_some());
        if self.findings.seek && ready {
            self.findings.seek = false;
            let row = halves.iter().filter_map(Half::row_of_current).min().unwrap_or(0);
            self.findings.compare.offset = row.saturating_sub(3) as u64;
            self.findings.compare.cursor = self.findings.compare.offset;
        }
    }

    /// Has the lab run all oracles on what the session of the finding under the cursor recorded.
    pub fn recheck_finding(&mut self) {
        let Some(id) = self.findings.selected().map(|row| row.id.clone()) else {
            return self.say("no finding is selected", Role::Warn);
        };
        self.say(format!("{} is rechecked; the result comes to {id}", id.session), Role::Good);
        self.effect(Effect::Send(Request::Recheck(id)));
    }

    pub fn next_effect(&mut self, delta: isize) {
        let len = self.findings.effects().len();
        if len == 0 {
            return self.say("there are no effects to go through", Role::Dim);
        }
        let now = self.findings.effect.min(len - 1);
        self.findings.effect = now.checked_add_signed(delta).unwrap_or(len - 1) % len;
        self.findings.seek = true;
    }

    pub fn next_comparison(&mut self) {
        use Comparison::{After, Before, MutantEffect, SeedEffect};
        let wide = self.area.width >= WIDE;
        self.findings.comparison = match (self.findings.comparison, wide) {
            (SeedEffect, false) => MutantEffect,
            (MutantEffect, false) | (SeedEffect | MutantEffect, true) => Before,
            (Before, false) => After,
            (After, _) | (Before, true) => SeedEffect,
        };
        self.findings.seek = true;
    }
}

impl Half {
    /// The line on which the effect looked at is marked.
    fn row_of_current(&self) -> Option<usize> {
        let aligned = self.aligned.as_ref()?;
        let is_current = |side: Option<WidgetId>, marks: &[(WidgetId, bool)]| {
            side.is_some_and(|id| marks.contains(&(id, true)))
        };
        self.shown.iter().position(|shown| match shown {
            Shown::Row(n) => aligned.rows.get(*n).is_some_and(|row| {
                is_current(row.left, &self.marks[0]) || is_current(row.right, &self.marks[1])
            }),
            Shown::Folded(_) => false,
        })
    }
}
