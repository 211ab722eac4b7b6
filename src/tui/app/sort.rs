//! In which order the findings stand.

use std::cmp::Ordering;

use super::App;
use crate::theme::Role;
use droidmux_proto::FindingView;
use droidmux_record::FindingState;

/// What the table is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The order in which they are worth reading.
    #[default]
    Rank,
    State,
    Replays,
    Seen,
    Technique,
    App,
    Harm,
    Words,
}

/// The order of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    pub by: SortBy,
    pub reversed: bool,
}

impl SortBy {
    const ALL: [SortBy; 8] = [
        SortBy::Rank,
        SortBy::State,
        SortBy::Replays,
        SortBy::Seen,
        SortBy::Technique,
        SortBy::App,
        SortBy::Harm,
        SortBy::Words,
    ];

    /// The title of the column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::State => "state",
            Self::Replays => "replays",
            Self::Seen => "seen",
            Self::Technique => "technique",
            Self::App => "app",
            Self::Harm => "harm",
            Self::Words => "what is wrong",
        }
    }
}

impl Sort {
    /// Whether it is the order in which findings are worth reading.
    pub fn is_usual(self) -> bool {
        self == Self::default()
    }

    /// Which of two rows comes first; equal ones stay in the order of their ranks, which their numbers are.
    pub fn compare(self, (n, a): (usize, &FindingView), (m, b): (usize, &FindingView)) -> Ordering {
        let order = match self.by {
            SortBy::Rank => n.cmp(&m),
            SortBy::State => place(a.state).cmp(&place(b.state)),
            // Findings that the most replays showed come first, then those seen most often.
            SortBy::Replays => shown(b).cmp(&shown(a)),
            SortBy::Seen => b.occurrences.cmp(&a.occurrences),
            SortBy::Technique => a.technique.cmp(&b.technique).then_with(|| a.oracle.cmp(&b.oracle)),
            SortBy::App => a.app.cmp(&b.app),
            SortBy::Harm => a.harm.cmp(&b.harm),
            SortBy::Words => a.title.cmp(&b.title),
        };
        if self.reversed { order.reverse() } else { order }
    }
}

/// What nobody has looked at comes first.
fn place(state: FindingState) -> u8 {
    match state {
        FindingState::New => 0,
        FindingState::True => 1,
        FindingState::Promoted => 2,
        FindingState::Demoted => 3,
        FindingState::Duplicate => 4,
        FindingState::FalseAlarm => 5,
    }
}

fn shown(row: &FindingView) -> (bool, u32) {
    (row.confirmation.is_confirmed(), row.confirmation.shown)
}

impl App {
    /// Sorts the findings by the next column.
    pub fn next_sort(&mut self) {
        let at = SortBy::ALL.iter().position(|by| *by == self.findings.sort.by).unwrap_or(0);
        let by = SortBy::ALL.iter().cycle().nth(at + 1).copied().unwrap_or_default();
        self.findings.sort = Sort { by, reversed: false };
        self.filter_findings();
        self.say(format!("sorted by {}", by.column()), Role::Dim);
    }

    /// Reverses the order of the findings.
    pub fn reverse_sort(&mut self) {
        self.findings.sort.reversed = !self.findings.sort.reversed;
        self.filter_findings();
    }
}
