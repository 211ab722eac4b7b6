//! Patterns of the shell: of file names, of `case`, of `${name%pattern}`.
//!
//! `*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]`; a backslash takes the next character as it is.

/// A pattern, parsed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    atoms: Vec<Atom>,
    /// No wildcard takes a slash, nor a dot at the start of a name.
    path: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    Star,
    Any,
    One(char),
    Set { negated: bool, ranges: Vec<(char, char)> },
}

impl Pattern {
    /// A pattern of any text.
    pub(super) fn new(pattern: &str) -> Self {
        Pattern { atoms: atoms(pattern), path: false }
    }

    /// A pattern of names in one directory.
    pub(super) fn of_paths(pattern: &str) -> Self {
        Pattern { atoms: atoms(pattern), path: true }
    }

    /// The text that it stands for, if it has no wildcard.
    pub(super) fn plain(&self) -> Option<String> {
        self.atoms.iter().map(|atom| if let Atom::One(c) = atom { Some(*c) } else { None }).collect()
    }

    /// Whether a whole text matches. A star gives back one character at a time, and only the last
    /// star has to be remembered.
    pub(super) fn fits(&self, text: &[char]) -> bool {
        let (mut p, mut n) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while let Some(&c) = text.get(n) {
            let hidden = self.path && c == '.' && (n == 0 || text.get(n - 1) == Some(&'/'));
            let atom = self.atoms.get(p);
            if atom == Some(&Atom::Star) && !hidden {
                star = Some((p, n));
                p += 1;
                continue;
            }
            if atom.is_some_and(|atom| self.takes(atom, c, hidden)) {
                (p, n) = (p + 1, n + 1);
                continue;
            }
            match star {
                Some((at, from)) if !self.path || text.get(from) != Some(&'/') => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                _ => return false,
            }
        }
        self.atoms.iter().skip(p).all(|atom| *atom == Atom::Star)
    }

    fn takes(&self, atom: &Atom, c: char, hidden: bool) -> bool {
        let wild = !(hidden || self.path && c == '/');
        match atom {
            Atom::One(same) => *same == c,
            Atom::Any => wild,
            Atom::Set { negated, ranges } => {
                wild && ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
            }
            Atom::Star => false,
        }
    }
}

fn atoms(pattern: &str) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let atom = match c {
            '*' if atoms.last() == Some(&Atom::Star) => continue,
            '*' => Atom::Star,
            '?' => Atom::Any,
            '[' => match set(rest) {
                Some((atom, after)) => {
                    rest = after;
                    atom
                }
                None => Atom::One('['),
            },
            '\\' => match rest.chars().next() {
                Some(escaped) => {
                    rest = rest.get(escaped.len_utf8()..).unwrap_or_default();
                    Atom::One(escaped)
                }
                None => Atom::One('\\'),
            },
            c => Atom::One(c),
        };
        atoms.push(atom);
    }
    atoms
}

/// `[…]` after its bracket, and what follows it; `None` when it is not closed.
fn set(text: &str) -> Option<(Atom, &str)> {
    let mut rest = text;
    let negated = rest.starts_with(['!', '^']);
    rest = rest.get(usize::from(negated)..)?;
    let mut ranges = Vec::new();
    let mut first = true;
    loop {
        if let Some(inside) = rest.strip_prefix("[:")
            && let Some((class, after)) = inside.split_once(":]")
        {
            ranges.extend_from_slice(class_of(class)?);
            (rest, first) = (after, false);
            continue;
        }
        let c = one(&mut rest)?;
        if c == (']', false) && !first {
            return Some((Atom::Set { negated, ranges }, rest));
        }
        first = false;
        let mut to = c.0;
        if rest.starts_with('-') && !rest.starts_with("-]") {
            rest = rest.get(1..)?;
            to = one(&mut rest)?.0;
        }
        ranges.push((c.0, to));
    }
}

/// The next character of a set, and whether it was escaped.
fn one(rest: &mut &str) -> Option<(char, bool)> {
    let mut chars = rest.chars();
    let mut c = chars.next()?;
    let escaped = c == '\\';
    if escaped {
        c = chars.next()?;
    }
    *rest = chars.as_str();
    Some((c, escaped))
}

fn class_of(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "graph" => &[('!', '~')],
        "print" => &[(' ', '~')],
        _ => return None,
    })
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
            ("*", ".hidden", false),
            (".*", ".hidden", true),
            ("d/*", "d/.hidden", false),
            ("[a-c]*", "bx", true),
            ("[!a-c]*", "bx", false),
            ("[", "[", true),
        ] {
            let name: Vec<char> = name.chars().collect();
            assert_eq!(Pattern::of_paths(pattern).fits(&name), expected, "{pattern} {name:?}");
        }
    }

    #[test]
    fn patterns_of_texts_take_anything() {
        for (pattern, text, expected) in [
            ("*", "a/b", true),
            ("?", "/", true),
            ("*b", ".a/b", true),
            ("[]]", "]", true),
            ("[a-]", "-", true),
            ("[\\]]x", "]x", true),
            ("[[:digit:]x]", "7", true),
            ("[[:digit:]x]", "y", false),
            ("[^a]", "b", true),
            ("[a", "[a", true),
            ("é?", "éü", true),
        ] {
            let chars: Vec<char> = text.chars().collect();
            assert_eq!(Pattern::new(pattern).fits(&chars), expected, "{pattern} {text}");
        }
        assert_eq!(Pattern::new("a\\*b").plain().as_deref(), Some("a*b"));
        assert_eq!(Pattern::new("a*").plain(), None);
    }
}
