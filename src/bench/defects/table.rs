//! Tables in plain text that are also Markdown.

use std::fmt::Write;

/// The most characters of a line, if the first column leaves room for a second one.
pub const WIDTH: usize = 100;

/// A table: the first column is aligned left, all others right.
#[derive(Clone, Debug, Default)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines of the table. A table that is too wide is split into several between its columns, each repeating the
    /// first column.
    pub fn text(&self) -> String {
        let widths: Vec<usize> = (0..self.head.len()).map(|column| self.width(column)).collect();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let first = widths.first().map_or(0, |width| width + 4);
        let mut room = 0;
        for (column, width) in widths.iter().enumerate().skip(1) {
            match parts.last_mut() {
                Some(part) if width + 3 <= room => part.push(column),
                _ => {
                    parts.push(vec![0, column]);
                    room = WIDTH.saturating_sub(first);
                }
            }
            room = room.saturating_sub(width + 3);
        }
        let parts: Vec<String> = parts.iter().map(|columns| self.part(columns, &widths)).collect();
        parts.join("\n")
    }

    fn part(&self, columns: &[usize], widths: &[usize]) -> String {
        let mut text = String::new();
        let width = |column: &usize| widths.get(*column).copied().unwrap_or(0);
        self.line(&mut text, &self.head, columns, widths);
        for column in columns {
            let dashes = "-".repeat(width(column) + 1);
            let _ = if *column == 0 { write!(text, "|{dashes}-") } else { write!(text, "|{dashes}:") };
        }
        text.push_str("|\n");
        for row in &self.rows {
            self.line(&mut text, row, columns, widths);
        }
        text
    }

    fn line(&self, text: &mut String, cells: &[String], columns: &[usize], widths: &[usize]) {
        for column in columns {
            let cell = cells.get(*column).map_or("", String::as_str);
            let width = widths.get(*column).copied().unwrap_or(0);
            let _ = if *column == 0 {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
    }

    fn width(&self, column: usize) -> usize {
        let rows = std::iter::once(&self.head).chain(&self.rows);
        rows.filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_and_wide_tables_are_cut() {
        let mut table = Table::new(["what", "figure"]);
        table.row(["first", "1"]);
        table.row(["second"]);
        let expected = "| what   | figure |\n|--------|-------:|\n| first  |      1 |\n| second |        |\n";
        assert_eq!(table.text(), expected);

        let mut wide = Table::new((0..12).map(|n| format!("column {n}")));
        wide.row((0..12).map(|n| "x".repeat(n)));
        let text = wide.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.split("\n\n").count(), 2, "{text}");
        for n in 1..12 {
            assert_eq!(text.matches(&format!("column {n} ")).count(), 1, "{text}");
        }
        assert_eq!(text.matches("column 0").count(), 2);
    }
}
