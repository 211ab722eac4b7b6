//! The findings of one tier as rows: those that stand for themselves; explained ones folded by what
//! explains them.

use super::App;
use super::findings::FindingsScreen;
use crate::proto::{FindingView, Request};
use crate::record::{FindingId, SessionId, Tier, TierCounts, TurnPlace};
use crate::tui::app::{Effect, Screen};
use crate::tui::list::List;
use crate::tui::pane::Pane;
use crate::tui::theme::Role;
use crate::tui::{filter, words};

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// The finding of this number.
    Finding(usize),
    /// All that one explanation explains.
    Explanation {
        words: String,
        /// How many findings it explains.
        count: u64,
        /// They are shown below it.
        open: bool,
    },
}

impl FindingsScreen {
    /// How many findings there are to read in each tier.
    pub fn counts(&self) -> TierCounts {
        let mut counts = TierCounts::default();
        for row in self.rows.iter().filter(|row| stands(row)) {
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

    /// The rows to show, in their order; with a filter without folds.
    fn lines(&self) -> Vec<Row> {
        let passing = filter::matching(&self.filter, &self.rows, words::finding_row);
        let view = |number: &usize| self.rows.get(*number);
        let own = |number: &usize| view(number).is_some_and(|row| row.tier == self.tier && stands(row));
        let passing: Vec<usize> = passing.into_iter().filter(own).collect();
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

/// True for what is a row of its own.
fn stands(row: &FindingView) -> bool {
    row.cluster == row.id
}

impl App {
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

    fn show_tier(&mut self, tier: Tier) {
        self.findings.tier = tier;
        self.findings.table = List::default();
        self.filter_findings();
    }

    /// Puts the cursor on a finding, or on the one that stands for it, in whatever tier it is.
    pub(super) fn reveal_finding(&mut self, id: &FindingId) -> bool {
        self.findings.filter.clear();
        let find = |id: &FindingId| self.findings.rows.iter().find(|row| row.id == *id);
        let Some(row) = find(id).and_then(|row| find(&row.cluster)) else { return false };
        let (tier, id, explanation) = (row.tier, row.id.clone(), row.explanation.clone());
        if tier == Tier::Explained {
            self.findings.unfolded_explanations.insert(explanation);
        }
        self.show_tier(tier);
        self.findings.select(&id)
    }

    /// Shows or folds away what the explanation under the cursor explains; false where there is none.
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

    /// Asks where in its session's log the next turn is that the finding's evidence names.
    pub fn go_to_evidence(&mut self) {
        let Some(detail) = self.findings.detail() else {
            return self.say("no finding is selected", Role::Warn);
        };
        let session = detail.finding.id.session;
        let places = detail.finding.verdict.places();
        if places.is_empty() {
            return self.say("its evidence names no step", Role::Dim);
        }
        if !self.view.sessions.iter().any(|known| known.id == session) {
            return self.say(format!("{session} is not shown in this lab"), Role::Warn);
        }
        let at = self.findings.place % places.len();
        let Some(place) = places.get(at).copied() else { return };
        self.findings.place = at + 1;
        let request = Request::FindStep { session, place };
        if self.asked.may_send(&request) {
            self.effect(Effect::Send(request));
        }
    }

    /// The answer: the step is shown.
    pub(super) fn take_found_step(&mut self, session: SessionId, place: TurnPlace, row: Option<u64>) {
        let Some(row) = row else {
            let TurnPlace { slot, turn } = place;
            return self
                .say(format!("{session} has no step at turn {turn} of {slot} or after it"), Role::Warn);
        };
        self.open_session(Some(session));
        self.show(Screen::Session);
        self.session.follows = false;
        self.session.trace.cursor = row;
        self.set_focus(Pane::Trace);
    }
}
