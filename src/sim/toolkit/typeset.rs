//! How much room text takes: the arithmetic of the bitmap font.

/// Font dots a character takes, and a line.
pub const CELL: (i32, i32) = (6, 11);

/// Side of a dot of the bitmap font in pixels.
pub fn dot_pixels(dot: i32, density: u32) -> i32 {
    (dot.saturating_mul(i32::try_from(density).unwrap_or(480)) / 480).max(1)
}

/// Columns a text takes in the bitmap font: two for wide characters.
pub fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A text broken into lines of at most this many columns, at spaces where there are some.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_inclusive(' ') {
            if !line.is_empty() && columns(&line) + columns(word.trim_end()) > width {
                lines.push(std::mem::take(&mut line));
            }
            for char in word.chars() {
                if columns(&line) >= width {
                    // A space that no longer fits ends the line unseen.
                    if char == ' ' {
                        continue;
                    }
                    lines.push(std::mem::take(&mut line));
                }
                line.push(char);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_spaces_and_inside_long_words() {
        let cases: &[(&str, usize, &[&str])] = &[
            ("", 5, &[""]),
            ("one two", 10, &["one two"]),
            ("one two", 5, &["one ", "two"]),
            ("onetwothree", 4, &["onet", "woth", "ree"]),
            ("a\nb", 4, &["a", "b"]),
            ("abcd ef", 4, &["abcd", "ef"]),
            ("日本語", 4, &["日本", "語"]),
        ];
        for (text, width, lines) in cases {
            assert_eq!(wrapped(text, *width), *lines, "{text:?}");
        }
    }
}
