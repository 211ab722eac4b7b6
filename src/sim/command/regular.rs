//! POSIX regular expressions, as `grep` and `sed` take them: basic ones and extended ones.
//!
//! They are rewritten for the crate regex, whose time is linear in the text. Where that crate would take
//! the first of several ways to match, POSIX takes the longest, which an automaton then finds.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use lru::LruCache;
use regex::{Regex, RegexBuilder};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

/// Longest expression, and the memory one may take.
const MAX_LENGTH: usize = 4_000;
const MAX_SIZE: usize = 1 << 20;

/// Expressions used recently, on any device: scripts that run after every event compile theirs once.
static LATELY: LazyLock<Mutex<LruCache<(String, Dialect), Arc<Regular>>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(const { NonZeroUsize::new(256).unwrap() })));

/// How an expression is written and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Dialect {
    /// `(a|b)+` instead of `\(a\|b\)\+`.
    pub(super) extended: bool,
    /// No character means anything.
    pub(super) fixed: bool,
    pub(super) ignore_case: bool,
}

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Regular {
    regex: Regex,
    longest: Option<Longest>,
}

/// Finds where the longest of several matches from one place ends, and its groups.
#[derive(Debug)]
struct Longest {
    dfa: DFA,
    cache: Mutex<Cache>,
    whole: Regex,
}

/// Where a match is: all of it, then its groups.
pub(super) type Spans = Vec<Option<(usize, usize)>>;

impl Regular {
    /// The expression, compiled now or kept from an earlier use.
    ///
    /// # Errors
    /// As [`Regular::new`].
    pub(super) fn kept(pattern: &str, dialect: Dialect) -> Result<Arc<Regular>, String> {
        let key = (pattern.to_owned(), dialect);
        let kept = || LATELY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(regular) = kept().get(&key) {
            return Ok(Arc::clone(regular));
        }
        let regular = Arc::new(Regular::new(pattern, dialect)?);
        kept().put(key, Arc::clone(&regular));
        Ok(regular)
    }

    /// # Errors
    /// It is not an expression, or uses something not known here.
    pub(super) fn new(pattern: &str, dialect: Dialect) -> Result<Regular, String> {
        if pattern.len() > MAX_LENGTH {
            return Err("expression too long".to_owned());
        }
        let text = if dialect.fixed { regex::escape(pattern) } else { rewrite(pattern, dialect.extended)? };
        let build = |text: &str| {
            let mut builder = RegexBuilder::new(text);
            builder.case_insensitive(dialect.ignore_case).size_limit(MAX_SIZE).dfa_size_limit(MAX_SIZE);
            builder.dot_matches_new_line(true).build().map_err(|_| format!("bad regex '{pattern}'"))
        };
        let regex = build(&text)?;
        // Without alternatives there is only one way to match.
        let one_way = dialect.fixed || !text.contains(['|', '?', '(', '{']);
        let longest = if one_way {
            None
        } else {
            let options =
                syntax::Config::new().case_insensitive(dialect.ignore_case).dot_matches_new_line(true);
            let dfa = DFA::builder()
                .configure(DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true))
                .syntax(options)
                .thompson(regex_automata::nfa::thompson::Config::new().nfa_size_limit(Some(MAX_SIZE)))
                .build(&text)
                .map_err(|_| format!("bad regex '{pattern}'"))?;
            let cache = Mutex::new(Cache::new(&dfa));
            Some(Longest { dfa, cache, whole: build(&format!(r"\A(?:{text})\z"))? })
        };
        Ok(Regular { regex, longest })
    }

    /// The first match from this place on.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let found = self.regex.find_at(text, from)?;
        let end = self.longest.as_ref().and_then(|longest| longest.end(text, found.start()));
        Some((found.start(), end.unwrap_or(found.end())))
    }

    /// The first match from this place on, with its groups.
    pub(super) fn spans(&self, text: &str, from: usize) -> Option<Spans> {
        let (start, end) = self.find(text, from)?;
        let spans = |captures: regex::Captures<'_>, offset: usize| -> Spans {
            captures.iter().map(|group| group.map(|g| (g.start() + offset, g.end() + offset))).collect()
        };
        let captures = self.regex.captures_at(text, start)?;
        if captures.get(0).is_some_and(|all| all.end() == end) {
            return Some(spans(captures, 0));
        }
        let whole = &self.longest.as_ref()?.whole;
        whole.captures(text.get(start..end)?).map(|captures| spans(captures, start))
    }
}

impl Longest {
    fn end(&self, text: &str, start: usize) -> Option<usize> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        self.dfa.try_search_fwd(&mut cache, &input).ok().flatten().map(|end| end.offset())
    }
}

/// The same expression as the crate regex writes it.
fn rewrite(pattern: &str, extended: bool) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = pattern;
    // Whether nothing stands before this that could be repeated.
    let mut begins = true;
    let mut open = 0_u32;
    while let Some(c) = rest.chars().next() {
        let before = rest;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let escaped = c == '\\';
        let c = if escaped {
            let next = rest.chars().next().ok_or("trailing backslash")?;
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
            next
        } else {
            c
        };
        // What is an operator with a backslash in one dialect is one without in the other.
        let operator = matches!(c, '(' | ')' | '{' | '|' | '+' | '?') && escaped != extended;
        match c {
            '(' if operator => {
                out.push('(');
                (begins, open) = (true, open + 1);
                continue;
            }
            ')' if operator => {
                open = open.checked_sub(1).ok_or("unmatched )")?;
                out.push(')');
            }
            '|' if operator => {
                out.push('|');
                begins = true;
                continue;
            }
            '+' | '?' if operator && !begins => out.push(c),
            '{' if operator && !begins => {
                let end = if extended { "}" } else { "\\}" };
                let (count, after) = rest.split_once(end).ok_or("unmatched {")?;
                if count.is_empty() || !count.chars().all(|c| c.is_ascii_digit() || c == ',') {
                    return Err("bad repetition count".to_owned());
                }
                let count = if count.starts_with(',') { format!("0{count}") } else { count.to_owned() };
                out += &format!("{{{count}}}");
                rest = after;
            }
            '*' if !escaped && !begins => {
                // A star of a star is that star.
                if !out.ends_with('*') || out.ends_with("\\*") {
                    out.push('*');
                }
            }
            '^' if !escaped && (extended || begins) => {
                out.push('^');
                continue;
            }
            '$' if !escaped && (extended || ends(rest)) => out.push('$'),
            '.' if !escaped => out.push('.'),
            '[' if !escaped => {
                let (class, after) = class(before)?;
                out += &class;
                rest = after;
            }
            'n' if escaped => out.push('\n'),
            't' if escaped => out.push('\t'),
            // Words are ASCII only.
            '<' if escaped => out += r"(?-u:\b{start})",
            '>' if escaped => out += r"(?-u:\b{end})",
            'w' if escaped => out += "[0-9A-Za-z_]",
            'W' if escaped => out += "[^0-9A-Za-z_]",
            's' if escaped => out += r"[\t-\r ]",
            'S' if escaped => out += r"[^\t-\r ]",
            'b' | 'B' if escaped => out += &format!(r"(?-u:\{c})"),
            '1'..='9' if escaped => return Err("back-references are not supported".to_owned()),
            c if escaped && c.is_ascii_alphanumeric() => return Err(format!("\\{c} is not supported")),
            c => out += &regex::escape(c.encode_utf8(&mut [0; 4])),
        }
        begins = false;
    }
    if open > 0 { Err("unmatched (".to_owned()) } else { Ok(out) }
}

/// Whether a `$` before this ends a basic expression or one of its alternatives.
fn ends(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with("\\)") || rest.starts_with("\\|")
}

/// A bracket expression, in which a backslash is a character like others, and what follows it.
fn class(text: &str) -> Result<(String, &str), String> {
    let unmatched = || "unmatched [".to_owned();
    let mut rest = text.get(1..).unwrap_or_default();
    let mut out = String::from("[");
    if let Some(after) = rest.strip_prefix('^') {
        out.push('^');
        rest = after;
    }
    let mut first = true;
    // Whether a character stands before this that a range could begin with.
    let mut single = false;
    loop {
        if let Some(after) = rest.strip_prefix("[:") {
            let (name, after) = after.split_once(":]").ok_or_else(unmatched)?;
            if !CLASSES.contains(&name) {
                return Err("bad character class".to_owned());
            }
            out += &format!("[:{name}:]");
            (rest, first, single) = (after, false, false);
            continue;
        }
        if rest.starts_with("[=") || rest.starts_with("[.") {
            return Err("collating elements are not supported".to_owned());
        }
        let c = rest.chars().next().ok_or_else(unmatched)?;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if c == ']' && !first {
            out.push(']');
            return Ok((out, rest));
        }
        first = false;
        // `\n` and `\t` are what sed makes of them also here.
        if c == '\\' && rest.starts_with(['n', 't']) {
            out += if rest.starts_with('n') { "\\n" } else { "\\t" };
            rest = rest.get(1..).unwrap_or_default();
            single = true;
        } else if c == '-' && single && !rest.starts_with(']') {
            out.push('-');
            single = false;
        } else {
            if matches!(c, '\\' | '[' | ']' | '^' | '-' | '&' | '~' | '|') {
                out.push('\\');
            }
            out.push(c);
            // The end of one range cannot begin another.
            single =
                !out.strip_suffix(c).is_some_and(|before| before.ends_with('-') && !before.ends_with("\\-"));
        }
    }
}

const CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
    "xdigit",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_the_leftmost_and_longest() {
        for (pattern, extended, text, expected) in [
            ("abc", false, "xxabcx", Some("abc")),
            ("^abc", false, "xabc", None),
            ("c$", false, "abc", Some("c")),
            ("a.*c", false, "xabbcbcx", Some("abbcbc")),
            (r"a\.c", false, "abc", None),
            (r"mCurrentFocus=.*}", false, "  mCurrentFocus=Window{a b}", Some("mCurrentFocus=Window{a b}")),
            ("", false, "abc", Some("")),
            ("x*", false, "abc", Some("")),
            ("*a", false, "b*a", Some("*a")),
            ("a^b$c", false, "a^b$c", Some("a^b$c")),
            ("a+", false, "aa+", Some("a+")),
            ("a+", true, "aa+", Some("aa")),
            (r"a\+", false, "aa+", Some("aa")),
            (r"\(a\|ab\)\(c\|bcd\)", false, "abcd", Some("abcd")),
            ("a|ab|abc", true, "abcd", Some("abc")),
            ("(a?)(ab)?", true, "ab", Some("ab")),
            ("a{2,3}", true, "aaaa", Some("aaa")),
            (r"a\{2\}", false, "aaaa", Some("aa")),
            ("a{2}", false, "a{2}", Some("a{2}")),
            ("[0-9]+", true, "ab12c", Some("12")),
            ("[^]a]", false, "a]b", Some("b")),
            (r"[\.]x", false, r"\x", Some(r"\x")),
            ("[[:digit:]x-]*", false, "1-x9y", Some("1-x9")),
            (r"\bfoo\b", false, "a foo b", Some("foo")),
            (r"\<b\>", false, "ab b", Some("b")),
            (r"\w\W\s*", false, "é a- x", Some("a- ")),
            ("bounds=\"\\[[0-9]*,", false, "bounds=\"[12,3]", Some("bounds=\"[12,")),
        ] {
            let dialect = Dialect { extended, ..Dialect::default() };
            let regular = Regular::new(pattern, dialect).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            let found = regular.find(text, 0).and_then(|(from, to)| text.get(from..to));
            assert_eq!(found, expected, "{pattern} in {text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for (pattern, extended) in [
            ("[a", false),
            ("[[:nonsense:]]", false),
            (r"\(a", false),
            ("a)", true),
            (r"\(a\)\1", false),
            (r"a\", false),
            (r"\d", false),
            ("a{1001}{1001}", true),
            ("[[=a=]]", true),
        ] {
            let dialect = Dialect { extended, ..Dialect::default() };
            assert!(Regular::new(pattern, dialect).is_err(), "{pattern}");
        }
    }

    #[test]
    fn groups_are_those_of_the_longest_match() {
        let dialect = Dialect { extended: true, ..Dialect::default() };
        let regular = Regular::new("(a|ab)(c|bcd)(d*)", dialect).expect("an expression");
        let text = "xabcdd";
        let spans = regular.spans(text, 0).unwrap_or_default();
        let groups: Vec<&str> =
            spans.iter().flatten().filter_map(|(from, to)| text.get(*from..*to)).collect();
        assert_eq!(groups.first(), Some(&"abcdd"));
    }
}
