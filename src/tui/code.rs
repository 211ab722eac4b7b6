//! Source text in the colours of its parts.
//!
//! In: code that a model wrote, in JavaScript or something similar. Out: for each line, its pieces with their roles.
//! Invariant: the pieces of a line, one after the other, are the line; any text has some.
//!
//! Four kinds of parts are told apart, which is all that a narrow pane needs; a library for it brings the grammars of
//! forty languages.

use super::paint::Words;
use super::theme::Role;

/// Words that belong to the language.
const WORDS: [&str; 38] = [
    "async", "await", "break", "case", "catch", "class", "const", "continue", "def", "default", "delete",
    "do", "else", "export", "false", "finally", "for", "from", "function", "if", "import", "in", "let",
    "new", "null", "of", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof",
    "var", "while", "yield",
];

/// What is open at the end of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// A comment that began with `/*`.
    Comment,
    /// A template, the only string that may span lines.
    Template,
}

/// The code line by line.
pub fn lines(code: &str) -> Vec<Words> {
    let mut open = Open::Nothing;
    code.lines().map(|line| pieces(line, &mut open)).collect()
}

/// Whether a text is code rather than prose.
pub fn is_code(text: &str) -> bool {
    ["function", "=>", "yield", "return "].iter().any(|word| text.contains(word)) && text.contains(['{', ';'])
}

fn pieces(line: &str, open: &mut Open) -> Words {
    let mut pieces = Words::new();
    let mut rest = line;
    while !rest.is_empty() {
        let (length, role) = part(rest, open);
        let (part, after) = rest.split_at(length);
        match pieces.last_mut() {
            Some((text, last)) if *last == role => text.push_str(part),
            _ => pieces.push((part.to_owned(), role)),
        }
        rest = after;
    }
    pieces
}

/// How many bytes the first part of the text has, and what it is.
fn part(text: &str, open: &mut Open) -> (usize, Role) {
    let first = text.chars().next().unwrap_or_default();
    match *open {
        Open::Comment => return until_closed(text, 0, "*/", open, Role::Dim),
        Open::Template => return until_closed(text, 0, "`", open, Role::Good),
        Open::Nothing => {}
    }
    let while_true = |holds: fn(char) -> bool| text.find(|c| !holds(c)).unwrap_or(text.len());
    match first {
        _ if text.starts_with("//") => (text.len(), Role::Dim),
        _ if text.starts_with("/*") => {
            *open = Open::Comment;
            until_closed(text, 2, "*/", open, Role::Dim)
        }
        '`' => {
            *open = Open::Template;
            until_closed(text, 1, "`", open, Role::Good)
        }
        '"' | '\'' => (string(text, first), Role::Good),
        '0'..='9' => (while_true(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_'), Role::Warn),
        _ if is_of_word(first) => {
            let length = while_true(is_of_word);
            let is_known = text.get(..length).is_some_and(|word| WORDS.contains(&word));
            (length, if is_known { Role::Accent } else { Role::Text })
        }
        _ => (first.len_utf8(), Role::Text),
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The bytes to the end of what is open, or of the line, which leaves it open.
fn until_closed(text: &str, from: usize, close: &str, open: &mut Open, role: Role) -> (usize, Role) {
    match text.get(from..).and_then(|inside| inside.find(close)) {
        Some(at) => {
            *open = Open::Nothing;
            (from + at + close.len(), role)
        }
        None => (text.len(), role),
    }
}

/// The bytes of a string in these quotes; one that is not closed goes to the end of the line.
fn string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each piece in brackets with the first letter of its role; plain text without.
    fn marked(code: &str) -> Vec<String> {
        let mark = |(text, role): &(String, Role)| match role {
            Role::Text => text.clone(),
            role => format!("[{}:{text}]", format!("{role:?}").chars().next().unwrap_or('?')),
        };
        lines(code).iter().map(|pieces| pieces.iter().map(mark).collect()).collect()
    }

    #[test]
    fn parts_have_their_roles() {
        for (code, expected) in [
            ("const a = 12.5;", &["[A:const] a = [W:12.5];"][..]),
            ("let s = 'it\\'s' + \"x\"; // done", &["[A:let] s = [G:'it\\'s'] + [G:\"x\"]; [D:// done]"]),
            ("a /* one\ntwo */ b", &["a [D:/* one]", "[D:two */] b"]),
            ("yield `one\n${two}`;", &["[A:yield] [G:`one]", "[G:${two}`];"]),
            ("'open", &["[G:'open]"]),
            ("newer $if 名前", &["newer $if 名前"]),
            ("", &[]),
        ] {
            assert_eq!(marked(code), expected, "{code}");
        }
    }

    #[test]
    fn code_is_told_from_prose() {
        for (text, expected) in [
            ("function* generate() { yield 'a'; }", true),
            ("const f = x => x;", true),
            ("The function returns early.", false),
            ("{\"a\": 1}", false),
            ("", false),
        ] {
            assert_eq!(is_code(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_added(code in "(?s).{0,60}|[/*`'\"\\\\a1 \n]{0,40}") {
            let told: Vec<String> =
                lines(&code).iter().map(|pieces| pieces.iter().map(|(text, _)| text.as_str()).collect()).collect();
            let expected: Vec<&str> = code.lines().collect();
            prop_assert_eq!(told, expected);
        }
    }
}
