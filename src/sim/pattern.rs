//! File name patterns of the shell.

/// Whether a name fits a pattern. A star gives back one character at a time, and only the last
/// star has to be remembered.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&c) = name.get(n) {
        let step = match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some('?') if c != '/' => Some(1),
            Some('\\') if pattern.get(p + 1) == Some(&c) => Some(2),
            Some(&same) if same == c => Some(1),
            _ => None,
        };
        match (step, star) {
            (Some(step), _) => (p, n) = (p + step, n + 1),
            (None, Some((at, from))) if name.get(from) != Some(&'/') => {
                star = Some((at, from + 1));
                (p, n) = (at + 1, from + 1);
            }
            (None, _) => return false,
        }
    }
    pattern.iter().skip(p).all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_within_a_directory() {
        for (pattern, name, expected) in [
            ("*", "a.txt", true),
            ("*.txt", "a.txt", true),
            ("*.txt", "a.xml", false),
            ("a?c*", "abcd", true),
            ("*", "d/a", false),
            ("*/a", "d/a", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a*b*c", "aXbbYc", true),
            ("", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
