//! `grep`: patterns with `.`, `*`, `^`, `$`, `\|` and `|`, enough for what scripts ask.

use super::text::content;
use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("grep", grep), light("egrep", grep), light("fgrep", grep)];

/// Longest pattern and longest line looked at.
const MAX_PATTERN: usize = 1_000;
const MAX_LINE: usize = 100_000;

struct Options {
    ignore_case: bool,
    invert: bool,
    count: bool,
    quiet: bool,
    only: bool,
    fixed: bool,
}

fn grep(call: &mut Call) -> i32 {
    let mut letters = String::new();
    let mut patterns = Vec::new();
    let mut files = Vec::new();
    let mut most = usize::MAX;
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" => patterns.extend(words.next().cloned()),
            "-m" => most = words.next().and_then(|n| n.parse().ok()).unwrap_or(most),
            option if option.len() > 1 && option.starts_with('-') => {
                letters.push_str(option.trim_start_matches('-'))
            }
            operand if patterns.is_empty() => patterns.push(operand.to_owned()),
            file => files.push(file.to_owned()),
        }
    }
    let has = |letter: char| letters.contains(letter);
    let options = Options {
        ignore_case: has('i'),
        invert: has('v'),
        count: has('c'),
        quiet: has('q'),
        only: has('o'),
        fixed: has('F') || call.arg(0) == "fgrep",
    };
    if patterns.is_empty() || patterns.iter().any(|pattern| pattern.len() > MAX_PATTERN) {
        call.complain("grep: no pattern");
        return 2;
    }
    let all = match content(call, "grep", &files) {
        Ok(all) => all,
        Err(_) => return 2,
    };
    select(call, &all, &patterns, &options, most)
}

fn select(call: &mut Call, all: &[u8], patterns: &[String], options: &Options, most: usize) -> i32 {
    let alternatives: Vec<Vec<Atom>> = patterns
        .iter()
        .flat_map(|pattern| if options.fixed { vec![pattern.as_str()] } else { split(pattern) })
        .map(|pattern| compile(pattern, options))
        .collect();
    let text = String::from_utf8_lossy(all);
    let mut count = 0;
    let mut chars: Vec<char> = Vec::new();
    for line in text.lines() {
        if count >= most {
            break;
        }
        chars.clear();
        match options.ignore_case {
            true => chars.extend(line.to_lowercase().chars().take(MAX_LINE)),
            false => chars.extend(line.chars().take(MAX_LINE)),
        }
        let found = alternatives.iter().find_map(|atoms| search(atoms, &chars));
        if found.is_some() == options.invert {
            continue;
        }
        count += 1;
        if options.quiet || options.count {
            continue;
        }
        match found {
            Some((from, to)) if options.only => {
                let piece: String = line.chars().skip(from).take(to - from).collect();
                call.line(&piece);
            }
            _ => call.line(line),
        }
    }
    if options.count {
        call.line(&count.to_string());
    }
    i32::from(count == 0)
}

/// At `|` or `\|`.
fn split(pattern: &str) -> Vec<&str> {
    pattern.split('|').map(|piece| piece.strip_suffix('\\').unwrap_or(piece)).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum One {
    Any,
    Char(char),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    Start,
    End,
    Once(One),
    Many(One),
}

fn compile(pattern: &str, options: &Options) -> Vec<Atom> {
    let pattern = if options.ignore_case { pattern.to_lowercase() } else { pattern.to_owned() };
    if options.fixed {
        return pattern.chars().map(|c| Atom::Once(One::Char(c))).collect();
    }
    let mut atoms: Vec<Atom> = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let atom = match c {
            '^' if atoms.is_empty() => Atom::Start,
            '$' if chars.peek().is_none() => Atom::End,
            '.' => Atom::Once(One::Any),
            '\\' => Atom::Once(One::Char(chars.next().unwrap_or('\\'))),
            '*' | '+' => match atoms.pop() {
                Some(Atom::Once(one)) => {
                    if c == '+' {
                        atoms.push(Atom::Once(one.clone()));
                    }
                    Atom::Many(one)
                }
                other => {
                    atoms.extend(other);
                    Atom::Once(One::Char(c))
                }
            },
            c => Atom::Once(One::Char(c)),
        };
        atoms.push(atom);
    }
    atoms
}

/// The first match, as a range of characters. All positions an automaton can be in are followed at
/// once, so the time is at most pattern times line times start positions; a pattern that begins with
/// a character is tried only where that stands.
fn search(atoms: &[Atom], text: &[char]) -> Option<(usize, usize)> {
    let first = match atoms.first() {
        Some(Atom::Once(One::Char(first))) => Some(first),
        _ => None,
    };
    let may_begin = |from: &usize| first.is_none_or(|first| text.get(*from) == Some(first));
    (0..=text.len()).filter(may_begin).find_map(|from| longest(atoms, text, from).map(|to| (from, to)))
}

fn longest(atoms: &[Atom], text: &[char], from: usize) -> Option<usize> {
    let mut at = close(vec![0], atoms, from, text.len());
    let mut best = at.contains(&atoms.len()).then_some(from);
    for (n, c) in text.iter().enumerate().skip(from) {
        let mut next = Vec::new();
        for &state in &at {
            let takes = |one: &One| matches!(one, One::Any) || *one == One::Char(*c);
            match atoms.get(state) {
                Some(Atom::Once(one)) if takes(one) => next.push(state + 1),
                Some(Atom::Many(one)) if takes(one) => next.push(state),
                _ => {}
            }
        }
        if next.is_empty() {
            break;
        }
        at = close(next, atoms, n + 1, text.len());
        if at.contains(&atoms.len()) {
            best = Some(n + 1);
        }
    }
    best
}

/// Adds the states reached without taking a character.
fn close(mut states: Vec<usize>, atoms: &[Atom], position: usize, end: usize) -> Vec<usize> {
    let mut n = 0;
    while let Some(&state) = states.get(n) {
        let free = match atoms.get(state) {
            Some(Atom::Many(_)) => true,
            Some(Atom::Start) => position == 0,
            Some(Atom::End) => position == end,
            _ => false,
        };
        if free && !states.contains(&(state + 1)) {
            states.push(state + 1);
        }
        n += 1;
    }
    states.sort_unstable();
    states.dedup();
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_where_they_should() {
        let options = Options {
            ignore_case: false,
            invert: false,
            count: false,
            quiet: false,
            only: false,
            fixed: false,
        };
        for (pattern, line, expected) in [
            ("abc", "xxabcx", Some((2, 5))),
            ("^abc", "xabc", None),
            ("c$", "abc", Some((2, 3))),
            ("a.*c", "xabbcbcx", Some((1, 7))),
            ("a.c", "abd", None),
            (r"a\.c", "abc", None),
            (r"mCurrentFocus=.*}", "  mCurrentFocus=Window{a b}", Some((2, 27))),
            ("", "abc", Some((0, 0))),
            ("x*", "abc", Some((0, 0))),
            ("b+", "abbc", Some((1, 3))),
        ] {
            let text: Vec<char> = line.chars().collect();
            assert_eq!(search(&compile(pattern, &options), &text), expected, "{pattern} in {line}");
        }
    }
}
