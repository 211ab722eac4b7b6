//! The log as viewers read it: lines that say the same as one not long before are folded into its row.
//!
//! Invariants: rows keep their numbers for good, including those among the rows of one level and source, so what a
//! viewer holds stays right while the log grows; only the last [`LogRow::STILL_FOLDED`] rows still change.

use std::collections::{BTreeMap, VecDeque};

use droidmux_proto::{LogLens, LogLevel, LogRow, LogView};

/// Rows kept.
const KEPT: usize = 5_000;
/// Levels, lowest first.
const LEVELS: [LogLevel; 3] = [LogLevel::Info, LogLevel::Warn, LogLevel::Error];

/// How many rows there are of each level and above.
type Counts = [u64; LEVELS.len()];

/// Rows of the log with their numbers.
#[derive(Debug, Default)]
pub(super) struct LogRows {
    rows: VecDeque<Numbered>,
    all: Counts,
    by_source: BTreeMap<String, Counts>,
}

#[derive(Debug)]
struct Numbered {
    row: LogRow,
    /// Its numbers among all rows, by level.
    among_all: Counts,
    /// Among those of its source.
    among_own: Counts,
}

impl LogRows {
    pub(super) fn write(&mut self, line: LogView) {
        let reach = usize::try_from(LogRow::STILL_FOLDED).unwrap_or(0);
        let same = |known: &LogView| {
            known.level == line.level && known.source == line.source && known.text == line.text
        };
        if let Some(known) = self.rows.iter_mut().rev().take(reach).find(|known| same(&known.row.line)) {
            known.row.times += 1;
            known.row.last_ms = line.at_ms;
            return;
        }
        if self.rows.len() == KEPT {
            self.rows.pop_front();
        }
        let own = self.by_source.entry(line.source.clone()).or_default();
        let (among_all, among_own) = (self.all, *own);
        for counts in [&mut self.all, own] {
            for (count, least) in counts.iter_mut().zip(LEVELS) {
                *count += u64::from(line.level >= least);
            }
        }
        self.rows.push_back(Numbered { row: LogRow::of(line), among_all, among_own });
    }

    /// How many rows there were through this lens.
    pub(super) fn len(&self, lens: &LogLens) -> u64 {
        let counts = match &lens.source {
            None => Some(&self.all),
            Some(source) => self.by_source.get(source),
        };
        counts.map_or(0, |counts| of(counts, lens.least))
    }

    /// Rows from number `from` on, at most `limit`; those no longer kept are left out.
    pub(super) fn page(&self, lens: &LogLens, from: u64, limit: u32) -> Vec<(u64, LogRow)> {
        let rows = self.through(lens).filter(|(number, _)| *number >= from);
        rows.take(limit as usize).map(|(number, row)| (number, row.clone())).collect()
    }

    /// The nearest row that contains this text, ignoring case: from row `from` on, or backwards from it.
    pub(super) fn seek(&self, lens: &LogLens, from: u64, backwards: bool, text: &str) -> Option<u64> {
        let wanted = text.to_lowercase();
        let holds = |row: &LogRow| {
            let line = &row.line;
            line.text.to_lowercase().contains(&wanted) || line.source.to_lowercase().contains(&wanted)
        };
        let mut found = self.through(lens).filter(|(_, row)| holds(row)).map(|(number, _)| number);
        match backwards {
            false => found.find(|number| *number >= from),
            true => found.take_while(|number| *number <= from).last(),
        }
    }

    fn through<'a>(&'a self, lens: &'a LogLens) -> impl Iterator<Item = (u64, &'a LogRow)> {
        let fits = |line: &LogView| {
            line.level >= lens.least && lens.source.as_ref().is_none_or(|source| *source == line.source)
        };
        self.rows.iter().filter(move |known| fits(&known.row.line)).map(|known| {
            let counts = if lens.source.is_none() { &known.among_all } else { &known.among_own };
            (of(counts, lens.least), &known.row)
        })
    }
}

fn of(counts: &Counts, least: LogLevel) -> u64 {
    let [info, warn, error] = *counts;
    match least {
        LogLevel::Info => info,
        LogLevel::Warn => warn,
        LogLevel::Error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `level source text`, levels by their first letters.
    fn written(lines: &[&str]) -> LogRows {
        let mut rows = LogRows::default();
        for (seq, line) in (0..).zip(lines) {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().expect("three words").to_owned();
            let level = match word().as_str() {
                "e" => LogLevel::Error,
                "w" => LogLevel::Warn,
                _ => LogLevel::Info,
            };
            rows.write(LogView { seq, at_ms: seq * 1_000, level, source: word(), text: word() });
        }
        rows
    }

    fn lens(least: LogLevel, source: Option<&str>) -> LogLens {
        LogLens { least, source: source.map(str::to_owned) }
    }

    const LINES: [&str; 8] = [
        "i sim-1 found",
        "w sim-1 hot",
        "w sim-1 hot",
        "w sim-2 hot",
        "w sim-1 hot",
        "e s1 failed: Disk full",
        "i sim-1 found",
        "e sim-2 gone",
    ];

    #[test]
    fn what_repeats_is_folded_and_numbered_by_lens() {
        use LogLevel::{Error, Info, Warn};
        let rows = written(&LINES);
        let cases = [
            (lens(Info, None), vec!["0 found 2", "1 hot 3", "2 hot 1", "3 failed: Disk full 1", "4 gone 1"]),
            (lens(Warn, None), vec!["0 hot 3", "1 hot 1", "2 failed: Disk full 1", "3 gone 1"]),
            (lens(Error, None), vec!["0 failed: Disk full 1", "1 gone 1"]),
            (lens(Info, Some("sim-1")), vec!["0 found 2", "1 hot 3"]),
            (lens(Warn, Some("sim-2")), vec!["0 hot 1", "1 gone 1"]),
            (lens(Error, Some("sim-2")), vec!["0 gone 1"]),
            (lens(Info, Some("nobody")), vec![]),
        ];
        for (lens, expected) in cases {
            let told: Vec<String> = rows
                .page(&lens, 0, 100)
                .into_iter()
                .map(|(number, row)| format!("{number} {} {}", row.line.text, row.times))
                .collect();
            assert_eq!(told, expected, "{lens:?}");
            assert_eq!(rows.len(&lens), expected.len() as u64, "{lens:?}");
            let last = rows.page(&lens, rows.len(&lens).saturating_sub(1), 5);
            assert_eq!(last.len(), expected.len().min(1), "{lens:?}");
        }
    }

    #[test]
    fn searching_goes_both_ways() {
        let rows = written(&LINES);
        let whole = LogLens::default();
        // (from, backwards, text) and the row.
        let cases = [
            (0, false, "HOT", Some(1)),
            (2, false, "hot", Some(2)),
            (3, false, "hot", None),
            (9, true, "hot", Some(2)),
            (1, true, "hot", Some(1)),
            (0, true, "hot", None),
            (0, false, "sim-2", Some(2)),
            (0, false, "disk full", Some(3)),
        ];
        for (from, backwards, text, expected) in cases {
            assert_eq!(rows.seek(&whole, from, backwards, text), expected, "{from} {backwards} {text}");
        }
    }

    #[test]
    fn what_came_long_ago_is_not_folded_and_old_rows_leave() {
        let reach = LogRow::STILL_FOLDED;
        let others: Vec<String> = (0..reach).map(|n| format!("i x line {n}")).collect();
        let mut lines = vec!["w sim-1 hot"];
        lines.extend(others.iter().map(String::as_str));
        lines.push("w sim-1 hot");
        assert_eq!(written(&lines).len(&lens(LogLevel::Warn, None)), 2);
        let many: Vec<String> = (0..6_000).map(|n| format!("i x line {n}")).collect();
        let rows = written(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let page = rows.page(&LogLens::default(), 0, 2);
        assert_eq!(page.first().map(|(number, _)| *number), Some(1_000));
        assert_eq!(rows.len(&LogLens::default()), 6_000);
    }
}
