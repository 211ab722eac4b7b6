//! The findings of one tier as rows: those that stand for themselves, and the explained ones, folded by what explains
//! them.

use super::App;
use super::findings::FindingsScreen;
use crate::list::List;
use crate::pane::Pane;
use crate::query;
use droidmux_proto::FindingView;
use droidmux_record::{FindingId, Tier, TierCounts};

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// The finding of this number.
    Finding(usize),
    /// All findings that share one explanation.
    Explanation {
        words: String,
        /// How many findings it explains.
        count: u64,
        /// The findings are shown below the explanation.
        open: bool,
    },
}

impl FindingsScreen {
    /// How many findings there are to read in each tier.
    pub fn counts(&self) -> TierCounts {
        let mut counts = TierCounts::default();
        let standing = self.rows.iter().enumerate().filter(|(number, _)| self.stands(*number));
        for (_, row) in standing {
            match row.tier {
                Tier::Reported => counts.reported += 1,
                Tier::Suspicious => counts.suspicious += 1,
                Tier::Explained => counts.explained += 1,
            }
        }
        counts
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<&Row> {
        self.shown.get(usize::try_from(self.table.cursor).ok()?)
    }

    /// The finding under the cursor.
    pub fn selected(&self) -> Option<&FindingView> {
        self.finding_at(self.row()?)
    }

    pub fn finding_at(&self, row: &Row) -> Option<&FindingView> {
        match row {
            Row::Finding(number) => self.rows.get(*number),
            Row::Explanation { .. } => None,
        }
    }

    /// The rows to show, in order; with a filter, nothing is folded.
    fn lines(&self) -> Vec<Row> {
        let view = |number: &usize| self.rows.get(*number);
        let own =
            |number: &usize| view(number).is_some_and(|row| row.tier == self.tier) && self.stands(*number);
        let mut passing: Vec<usize> =
            query::passing(&self.filter, &self.rows).into_iter().filter(own).collect();
        if !self.sort.is_usual() {
            passing.sort_unstable();
            passing.sort_by(|a, b| match (view(a), view(b)) {
                (Some(a_row), Some(b_row)) => self.sort.compare((*a, a_row), (*b, b_row)),
                _ => a.cmp(b),
            });
        }
        if self.tier != Tier::Explained || !self.filter.trim().is_empty() {
            return passing.into_iter().map(Row::Finding).collect();
        }
        let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
        for number in passing {
            let explanation = view(&number).map_or("", |row| row.explanation.as_str());
            match groups.iter_mut().find(|(words, _)| *words == explanation) {
                Some((_, numbers)) => numbers.push(number),
                None => groups.push((explanation, vec![number])),
            }
        }
        let mut lines = Vec::new();
        for (words, numbers) in groups {
            let open = self.unfolded_explanations.contains(words);
            lines.push(Row::Explanation { words: words.to_owned(), count: numbers.len() as u64, open });
            if open {
                lines.extend(numbers.into_iter().map(Row::Finding));
            }
        }
        lines
    }

    /// True for what is a row of its own.
    fn stands(&self, number: usize) -> bool {
        self.groups.is_lead(number) && self.rows.get(number).is_some_and(|row| row.cluster == row.id)
    }

    /// Puts the cursor on a finding of the tier shown.
    pub(super) fn select(&mut self, id: &FindingId) -> bool {
        let is_it = |row: &Row| self.finding_at(row).is_some_and(|finding| finding.id == *id);
        let row = self.shown.iter().position(is_it);
        if let Some(row) = row {
            self.table.cursor = row as u64;
        }
        row.is_some()
    }
}

impl App {
    /// What there is to read: the same findings that the list has.
    pub fn finding_counts(&self) -> TierCounts {
        if self.findings.loaded { self.findings.counts() } else { self.view.findings }
    }

    pub(super) fn filter_findings(&mut self) {
        let selected = self.findings.selected().map(|row| row.id.clone());
        let table = self.findings.table;
        self.findings.shown = self.findings.lines();
        self.findings.table = match selected {
            Some(id) if self.findings.select(&id) => self.findings.table,
            _ if self.findings.row().is_some_and(|row| matches!(row, Row::Explanation { .. })) => table,
            _ => List::default(),
        };
    }

    /// Shows the next tier's findings.
    pub fn next_tier(&mut self, delta: usize) {
        let at = Tier::ALL.iter().position(|tier| *tier == self.findings.tier).unwrap_or(0);
        let next = Tier::ALL.iter().cycle().nth(at + delta);
        self.show_tier(next.copied().unwrap_or(Tier::Reported));
        self.findings.opened = false;
        self.set_focus(Pane::Table);
    }

    pub(super) fn show_tier(&mut self, tier: Tier) {
        self.findings.tier = tier;
        self.findings.table = List::default();
        self.filter_findings();
    }

    /// Puts the cursor on a finding, or on the one that stands for it, whatever tier it is in.
    pub(super) fn reveal_finding(&mut self, id: &FindingId) -> bool {
        self.findings.filter.clear();
        let screen = &self.findings;
        let lead = |id: &FindingId| {
            let number = screen.rows.iter().position(|row| row.id == *id)?;
            screen.rows.get(screen.groups.lead(number))
        };
        let Some(row) = lead(id).and_then(|row| lead(&row.cluster)) else { return false };
        let (tier, id, explanation) = (row.tier, row.id.clone(), row.explanation.clone());
        if tier == Tier::Explained {
            self.findings.unfolded_explanations.insert(explanation);
        }
        self.show_tier(tier);
        self.findings.select(&id)
    }

    /// Shows or folds away what the explanation under the cursor explains; false if there is none.
    pub(super) fn toggle_explanation(&mut self) -> bool {
        let Some(Row::Explanation { words, open, .. }) = self.findings.row().cloned() else { return false };
        if open {
            self.findings.unfolded_explanations.remove(&words);
        } else {
            self.findings.unfolded_explanations.insert(words);
        }
        self.filter_findings();
        true
    }
}
