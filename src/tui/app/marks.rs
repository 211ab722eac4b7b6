//! What a person says of findings: of one, or of several picked; and taking it back.
//!
//! In: a state, a note. Out: requests, with the cursor moved to the next row. The earlier marks are kept, so that they
//! can be put back.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{App, Dialog, Effect, Row};
use crate::theme::Role;
use droidmux_proto::{FindingMark, FindingView, Request};
use droidmux_record::{FindingId, FindingState};
use droidmux_words::figure;

/// Marks that can be taken back.
const MOST: usize = 64;

impl App {
    /// Asks for a note before the picked findings, or the one under the cursor, are marked.
    pub fn ask_mark(&mut self, state: FindingState) {
        let findings = self.meant_findings();
        let note = match (findings.as_slice(), state) {
            ([], _) => return self.say("no finding is selected", Role::Warn),
            ([one], state) if state != FindingState::Duplicate => self.note_of(one),
            _ => String::new(),
        };
        self.dialog = Some(Dialog::Note { findings, state, input: note.into() });
    }

    /// The findings that a mark is for: those picked, else the one under the cursor.
    fn meant_findings(&self) -> Vec<FindingId> {
        let screen = &self.findings;
        let meant: BTreeSet<&FindingId> = match screen.picked.is_empty() {
            false => screen.picked.iter().collect(),
            true => screen.selected().map(|row| &row.id).into_iter().collect(),
        };
        let numbers = screen.rows.iter().enumerate().filter(|(_, row)| meant.contains(&row.id));
        // What other sessions found of the same key is the same finding.
        let groups =
            numbers.flat_map(|(n, _)| std::iter::once(n).chain(screen.groups.others(n).iter().copied()));
        let rows = groups.filter_map(|n| screen.rows.get(n)).filter(|row| row.replays.is_none());
        rows.map(|row| row.id.clone()).collect()
    }

    /// Marks findings, and goes on to the next row. Returns a complaint if what was typed will not do.
    pub(super) fn mark(
        &mut self,
        findings: &[FindingId],
        state: FindingState,
        typed: &str,
    ) -> Result<(), NotMarked> {
        let note = match state {
            FindingState::Duplicate => self.checked_target(findings, typed)?,
            _ => typed.trim().to_owned(),
        };
        let rows = findings.iter().filter_map(|id| self.findings.rows.iter().find(|row| row.id == *id));
        let before: Vec<FindingMark> = rows.map(mark_of).collect();
        let marks: Vec<FindingMark> = findings
            .iter()
            .map(|id| FindingMark { finding: id.clone(), state, note: note.clone() })
            .collect();
        if self.findings.undo.len() == MOST {
            self.findings.undo.remove(0);
        }
        self.findings.undo.push(before);
        self.send_marks(marks);
        self.findings.picked.clear();
        if findings.len() > 1 {
            let told = figure::count(findings.len(), "finding");
            self.say(format!("{told} marked; U takes it back"), Role::Good);
        }
        self.next_finding();
        Ok(())
    }

    /// Takes the last marks back.
    pub fn undo_marks(&mut self) {
        let Some(before) = self.findings.undo.pop() else {
            return self.say("nothing was marked that could be taken back", Role::Dim);
        };
        let told = figure::count(before.len(), "mark");
        self.send_marks(before);
        self.say(format!("{told} taken back"), Role::Good);
    }

    fn send_marks(&mut self, marks: Vec<FindingMark>) {
        let request = match <[FindingMark; 1]>::try_from(marks) {
            Ok([FindingMark { finding, state, note }]) => Request::Mark { finding, state, note },
            Err(marks) => Request::Marks(marks),
        };
        self.effect(Effect::Send(request));
    }

    /// Picks the finding under the cursor, or lets it go, and moves on.
    pub fn pick_finding(&mut self) {
        let Some(id) = self.findings.selected().map(|row| row.id.clone()) else { return };
        if !self.findings.picked.remove(&id) {
            self.findings.picked.insert(id);
        }
        let len = self.findings.shown.len() as u64;
        self.findings.table.move_by(1, len);
    }

    /// Picks all findings shown, or lets go of all.
    pub fn pick_all(&mut self) {
        let shown = self.findings.shown.iter().filter_map(|row| self.findings.finding_at(row));
        let all: BTreeSet<FindingId> = shown.map(|row| row.id.clone()).collect();
        let whole = all.iter().all(|id| self.findings.picked.contains(id));
        self.findings.picked = if whole { BTreeSet::new() } else { all };
    }

    /// Puts the cursor on the next finding, so that the next one can be marked.
    fn next_finding(&mut self) {
        let from = usize::try_from(self.findings.table.cursor).unwrap_or(usize::MAX);
        let is_finding = |row: &Row| matches!(row, Row::Finding(_));
        let rows = self.findings.shown.iter().enumerate();
        let next = rows.skip(from.saturating_add(1)).find(|(_, row)| is_finding(row)).map(|(at, _)| at);
        if let Some(next) = next {
            self.findings.table.cursor = next as u64;
        }
    }

    /// The note of a duplicate: it names the finding that stands for it, which must exist, must not be one of those
    /// being marked, and must not be a duplicate itself. A number is the rank of a finding in this list.
    fn checked_target(&self, findings: &[FindingId], typed: &str) -> Result<String, NotMarked> {
        let typed = typed.trim();
        let words = || typed.split([' ', ',', ';']).filter(|word| !word.is_empty() && *word != "of");
        let first = words().next().ok_or(NotMarked::NoTarget)?;
        let named = words().find_map(|word| word.parse::<FindingId>().ok());
        let target = match (named, first.trim_start_matches('#').parse::<u64>()) {
            (Some(id), _) => self.findings.rows.iter().find(|row| row.id == id),
            (None, Ok(rank)) => self.finding_of_rank(rank),
            (None, Err(_)) => None,
        };
        let Some(target) = target else { return Err(NotMarked::Unknown(first.to_owned())) };
        let id = &target.id;
        if findings.contains(id) {
            return Err(NotMarked::Itself(id.clone()));
        }
        if target.state == FindingState::Duplicate {
            return Err(NotMarked::Duplicate { finding: id.clone(), note: target.note.clone() });
        }
        let is_target = |word: &&str| word.parse::<FindingId>().is_ok() || (*word == first);
        let rest: Vec<&str> =
            typed.split_whitespace().filter(|word| *word != "of" && !is_target(word)).collect();
        Ok(format!("of {id} {}", rest.join(" ")).trim_end().to_owned())
    }

    fn finding_of_rank(&self, rank: u64) -> Option<&FindingView> {
        let rows = self.findings.rows.iter().enumerate();
        rows.filter(|(n, _)| self.findings.groups.rank(*n) == Some(rank)).map(|(_, row)| row).next()
    }

    fn note_of(&self, id: &FindingId) -> String {
        self.findings.rows.iter().find(|row| row.id == *id).map(|row| row.note.clone()).unwrap_or_default()
    }
}

/// Why findings are not marked as duplicates of what was typed.
#[derive(Debug, Error)]
pub(super) enum NotMarked {
    #[error("say of which finding: an id, or its rank in this list")]
    NoTarget,
    #[error("`{0}` is no finding of this lab")]
    Unknown(String),
    #[error("{0} cannot be a duplicate of itself")]
    Itself(FindingId),
    #[error("{finding} is a duplicate itself: {note}")]
    Duplicate { finding: FindingId, note: String },
}

fn mark_of(row: &FindingView) -> FindingMark {
    FindingMark { finding: row.id.clone(), state: row.state, note: row.note.clone() }
}
