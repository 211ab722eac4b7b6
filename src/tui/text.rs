//! Text from outside, made fit for cells: no control characters, known width.

use std::borrow::Cow;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

use droidmux_words::printable;

/// Longest byte length of one user-perceived character; more is a pile of combining marks.
const MAX_GRAPHEME: usize = 32;

/// The text without anything that a terminal would obey or that reorders what stands around it.
pub fn safe(text: &str) -> Cow<'_, str> {
    printable(text)
}

/// How many cells the text takes, once it is [`safe`].
pub fn width(text: &str) -> usize {
    safe(text).graphemes(true).map(cells).sum()
}

/// The safe text cut to at most `width` cells; `ellipsis` (one cell) stands for what is missing.
pub fn fit(text: &str, width: usize, ellipsis: &str) -> String {
    if width == 0 {
        return String::new();
    }
    // A text of megabytes costs no more than the cells it may fill.
    let cap = width.saturating_mul(MAX_GRAPHEME).saturating_add(MAX_GRAPHEME);
    let (head, cut) = match text.char_indices().nth(cap) {
        Some((byte, _)) => (text.get(..byte).unwrap_or(""), true),
        None => (text, false),
    };
    let head = safe(head);
    let mut fitted = String::new();
    let mut used = 0;
    let mut last_fit = 0;
    for grapheme in head.graphemes(true) {
        let grapheme = tame(grapheme);
        let cells = cells(grapheme);
        if used + cells > width {
            fitted.truncate(last_fit);
            fitted.push_str(ellipsis);
            return fitted;
        }
        fitted.push_str(grapheme);
        used += cells;
        if used < width {
            last_fit = fitted.len();
        }
    }
    if cut {
        fitted.truncate(last_fit);
        fitted.push_str(ellipsis);
    }
    fitted
}

/// The end of the safe text, at most `width` cells of it; `ellipsis` (one cell) stands for what is missing before.
pub fn fit_end(text: &str, width: usize, ellipsis: &str) -> String {
    // Of a text of megabytes only its end is looked at.
    let cap = width.saturating_mul(MAX_GRAPHEME).saturating_add(MAX_GRAPHEME);
    let from = text.char_indices().rev().nth(cap).map_or(0, |(byte, _)| byte);
    let end = safe(text.get(from..).unwrap_or(""));
    if from == 0 && self::width(&end) <= width {
        return end.into_owned();
    }
    let (mut kept, mut used) = (Vec::new(), 1);
    for grapheme in end.graphemes(true).rev().map(tame) {
        used += cells(grapheme);
        if used > width {
            break;
        }
        kept.push(grapheme);
    }
    let kept: String = kept.into_iter().rev().collect();
    if width == 0 { String::new() } else { format!("{ellipsis}{kept}") }
}

/// Breaks the safe text into lines of at most `width` cells, at spaces if there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let text = safe(text);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let needed: usize = word.trim_end().graphemes(true).map(cells).sum();
        if used + needed <= width {
            line.push_str(word);
            used += word.graphemes(true).map(cells).sum::<usize>();
            continue;
        }
        if word.trim().is_empty() {
            continue;
        }
        if used > 0 {
            lines.push(std::mem::take(&mut line).trim_end().to_string());
            used = 0;
        }
        for grapheme in word.graphemes(true) {
            let grapheme = tame(grapheme);
            let cells = cells(grapheme);
            if used + cells > width && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push_str(grapheme);
            used += cells;
        }
    }
    let rest = line.trim_end();
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest.to_string());
    }
    lines
}

/// Breaks safe pieces of text, each with a role, into lines of at most `width` cells, wherever a line is full.
pub fn wrap_pieces<R: Copy>(pieces: &[(String, R)], width: usize) -> Vec<Vec<(String, R)>> {
    let width = width.max(1);
    let (mut lines, mut line, mut used) = (Vec::new(), Vec::new(), 0);
    for (text, role) in pieces {
        let mut piece = String::new();
        for grapheme in safe(text).graphemes(true) {
            let grapheme = tame(grapheme);
            let cells = cells(grapheme);
            if used + cells > width && used > 0 {
                line.push((std::mem::take(&mut piece), *role));
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            piece.push_str(grapheme);
            used += cells;
        }
        line.push((piece, *role));
    }
    lines.push(line);
    for line in &mut lines {
        line.retain(|(text, _)| !text.is_empty());
    }
    lines
}

/// As many parts from the end of a dotted name as fit into `width` cells, at least one.
pub fn tail(name: &str, width: usize) -> &str {
    if self::width(name) <= width {
        return name;
    }
    let starts = name.match_indices('.').filter_map(|(dot, _)| name.get(dot + 1..));
    starts.into_iter().find(|rest| self::width(rest) <= width).unwrap_or_else(|| last_part(name))
}

/// How many parts at the beginning all of these dotted names have in common; the last part is never among them.
pub fn shared_parts<'n>(names: impl IntoIterator<Item = &'n str>) -> usize {
    let mut names = names.into_iter();
    let Some(first) = names.next() else { return 0 };
    let parts: Vec<&str> = first.split('.').collect();
    names.fold(parts.len().saturating_sub(1), |shared, name| {
        let own: Vec<&str> = name.split('.').collect();
        let alike = parts.iter().zip(&own).take_while(|(a, b)| a == b).count();
        shared.min(alike).min(own.len().saturating_sub(1))
    })
}

/// A dotted name without this many parts at its beginning.
pub fn after_parts(name: &str, parts: usize) -> &str {
    match parts.checked_sub(1) {
        Some(dot) => {
            name.match_indices('.').nth(dot).map_or(name, |(at, _)| name.get(at + 1..).unwrap_or(name))
        }
        None => name,
    }
}

/// The last part of a dotted name: `DiaryActivity` of `org.diary.DiaryActivity`.
pub fn last_part(name: &str) -> &str {
    name.rsplit(['.', '/']).next().filter(|part| !part.is_empty()).unwrap_or(name)
}

fn cells(grapheme: &str) -> usize {
    usize::from(tame(grapheme).cell_width())
}

/// A grapheme cut to a sane number of combining marks.
fn tame(grapheme: &str) -> &str {
    let mut end = grapheme.len().min(MAX_GRAPHEME);
    while !grapheme.is_char_boundary(end) {
        end -= 1;
    }
    grapheme.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_is_kept() {
        let cases = [
            ("emulator-5554", 20, "emulator-5554"),
            ("emulator-5554", 13, "emulator-5554"),
            ("emulator-5554", 8, "…or-5554"),
            ("日本語", 5, "…本語"),
            ("日本語", 4, "…語"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ];
        for (text, width, expected) in cases {
            assert_eq!(fit_end(text, width, "…"), expected, "{text} in {width}");
        }
        assert_eq!(fit_end(&"x".repeat(5_000_000), 4, "…"), "…xxx");
    }

    #[test]
    fn what_all_names_share_is_left_out() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["org.sim.files", "org.sim.notes"], &["files", "notes"]),
            (&["org.sim.files", "net.files"], &["org.sim.files", "net.files"]),
            (&["org.sim", "org.sim.notes"], &["sim", "sim.notes"]),
            (&["org.sim.files"], &["files"]),
            (&["files"], &["files"]),
            (&["", "a.b"], &["", "a.b"]),
        ];
        for (names, expected) in cases {
            let shared = shared_parts(names.iter().copied());
            let short: Vec<&str> = names.iter().map(|name| after_parts(name, shared)).collect();
            assert_eq!(short, expected, "{names:?}");
        }
    }

    #[test]
    fn texts_fit_their_cells() {
        let cases = [
            ("plain", 10, "plain"),
            ("exactly", 7, "exactly"),
            ("too long for it", 8, "too lon…"),
            ("日本語の名前", 7, "日本語…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("e\u{301}te\u{301}", 3, "e\u{301}te\u{301}"),
            ("a\u{1b}[31mred", 20, "a␛[31mred"),
            ("two\nlines", 20, "two␊lines"),
            ("\u{202e}evil\u{2066}", 20, "\u{fffd}evil\u{fffd}"),
            ("anything", 0, ""),
        ];
        for (text, cells, expected) in cases {
            let fitted = fit(text, cells, "…");
            assert_eq!(fitted, expected, "{text:?} in {cells}");
            assert!(width(&fitted) <= cells, "{text:?} in {cells}");
        }
    }

    #[test]
    fn piles_of_marks_and_megabytes_are_cut() {
        let pile = format!("x{}", "\u{301}".repeat(10_000));
        assert!(fit(&pile, 5, "…").len() <= MAX_GRAPHEME + "…".len());
        let long = "y".repeat(5_000_000);
        assert_eq!(width(&fit(&long, 40, "…")), 40);
    }

    #[test]
    fn lines_break_at_spaces() {
        let cases: [(&str, usize, &[&str]); 5] = [
            ("one two three", 7, &["one two", "three"]),
            ("averylongword", 5, &["avery", "longw", "ord"]),
            ("", 5, &[""]),
            ("a  b", 1, &["a", "b"]),
            ("日本語", 4, &["日本", "語"]),
        ];
        for (text, width, expected) in cases {
            assert_eq!(wrap(text, width), expected, "{text:?} in {width}");
        }
    }

    #[test]
    fn pieces_break_where_a_line_is_full() {
        let cases: [(&[(&str, u8)], usize, &[&[(&str, u8)]]); 5] = [
            (&[("  let ", 1), ("a", 2)], 4, &[&[("  le", 1)], &[("t ", 1), ("a", 2)]]),
            (&[("ab", 1), ("cd", 2)], 2, &[&[("ab", 1)], &[("cd", 2)]]),
            (&[("日本", 1)], 3, &[&[("日", 1)], &[("本", 1)]]),
            (&[("a\u{1b}b", 1)], 9, &[&[("a␛b", 1)]]),
            (&[], 5, &[&[]]),
        ];
        for (pieces, width, expected) in cases {
            let owned = |line: &[(&str, u8)]| -> Vec<(String, u8)> {
                line.iter().map(|(text, role)| ((*text).to_owned(), *role)).collect()
            };
            let expected: Vec<_> = expected.iter().map(|line| owned(line)).collect();
            assert_eq!(wrap_pieces(&owned(pieces), width), expected, "{pieces:?} in {width}");
        }
    }

    #[test]
    fn packages_keep_their_ends() {
        let cases = [
            ("org.diary", 18, "org.diary"),
            ("org.droidmux.files", 16, "droidmux.files"),
            ("com.example.averyveryverylongname", 8, "averyveryverylongname"),
            ("", 5, ""),
        ];
        for (name, width, expected) in cases {
            assert_eq!(tail(name, width), expected, "{name} in {width}");
        }
    }
}
