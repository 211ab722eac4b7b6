//! Reading a model's reply: the JSON object in it, whatever stands around it.
//!
//! In: the text of a reply, hostile and at most [`droidmux_record::Reply::MOST_BYTES`] long. Out: an
//! object, or nothing. What its members mean is for the driver that asked.

use std::str::Chars;

use serde_json::{Map, Value};

/// The most openings that are tried, so that a reply full of braces takes no time.
const MOST_OPENINGS: usize = 100;

const THOUGHT: (&str, &str) = ("<think>", "</think>");

/// The JSON object in a reply: alone, in a code fence, or with prose before and after it; if there
/// are several, the longest. Thoughts between `<think>` and `</think>` do not count.
///
/// What models get wrong is read as they meant it: commas before a closing bracket, line feeds and
/// tabs inside strings, escapes that JSON does not know (`\d`, `\'`), halves of surrogate pairs (as
/// `U+FFFD`).
pub(crate) fn object(text: &str) -> Option<Map<String, Value>> {
    if let Ok(Value::Object(object)) = serde_json::from_str(text.trim()) {
        return Some(object);
    }
    let spoken = without_thoughts(text);
    let mut rest = spoken.as_str();
    let mut best: Option<(usize, Map<String, Value>)> = None;
    for _ in 0..MOST_OPENINGS {
        let Some(opening) = rest.find('{') else { break };
        rest = rest.get(opening..).unwrap_or_default();
        match read(rest) {
            Some((object, length)) => {
                if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
                    best = Some((length, object));
                }
                rest = rest.get(length..).unwrap_or_default();
            }
            None => rest = rest.get(1..).unwrap_or_default(),
        }
    }
    best.map(|(_, object)| object)
}

/// The text without thoughts. Some servers swallow the opening mark: then all before the closing
/// one was thought. A thought without end is kept: it may be all there is.
fn without_thoughts(text: &str) -> String {
    let mut spoken = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(THOUGHT.1) {
        if let Some((said, _)) = before.split_once(THOUGHT.0) {
            spoken.push_str(said);
        }
        rest = after;
    }
    spoken.push_str(rest);
    spoken
}

/// The object that begins with the text, and how many bytes of the text it takes.
fn read(text: &str) -> Option<(Map<String, Value>, usize)> {
    let (tidied, length) = tidy(text)?;
    match serde_json::from_str(&tidied) {
        Ok(Value::Object(object)) => Some((object, length)),
        _ => None,
    }
}

/// What stands from the bracket that the text begins with to the one that closes it, put right,
/// and its length in the text. `None` when nothing closes it.
fn tidy(text: &str) -> Option<(String, usize)> {
    let mut tidied = String::new();
    let mut depth = 0_usize;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                tidied.push('"');
                tidy_string(&mut characters, &mut tidied)?;
                tidied.push('"');
            }
            '{' | '[' => {
                depth += 1;
                tidied.push(character);
            }
            '}' | ']' => {
                let kept = tidied.trim_end();
                tidied.truncate(kept.strip_suffix(',').unwrap_or(kept).len());
                tidied.push(character);
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((tidied, text.len() - characters.as_str().len()));
                }
            }
            _ => tidied.push(character),
        }
    }
    None
}

/// Copies the inside of a string and leaves the characters after its closing quote.
fn tidy_string(characters: &mut Chars<'_>, tidied: &mut String) -> Option<()> {
    loop {
        match characters.next()? {
            '"' => return Some(()),
            '\\' => tidy_escape(characters, tidied)?,
            '\n' => tidied.push_str("\\n"),
            '\r' => tidied.push_str("\\r"),
            '\t' => tidied.push_str("\\t"),
            character if character < ' ' => {}
            character => tidied.push(character),
        }
    }
}

/// Copies what follows a backslash, with a backslash if JSON knows the escape.
fn tidy_escape(characters: &mut Chars<'_>, tidied: &mut String) -> Option<()> {
    match characters.next()? {
        known @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => tidied.extend(['\\', known]),
        '\'' => tidied.push('\''),
        '\n' => {}
        'u' => match utf16_unit(characters) {
            Some(unit @ 0xd800..=0xdbff) => tidied.push_str(&pair(unit, characters)),
            Some(0xdc00..=0xdfff) => tidied.push_str("\\ufffd"),
            Some(unit) => tidied.push_str(&format!("\\u{unit:04x}")),
            None => tidied.push_str("\\\\u"),
        },
        unknown => {
            tidied.push_str("\\\\");
            tidied.push(unknown);
        }
    }
    Some(())
}

/// The first half of a surrogate pair with the second, if that follows.
fn pair(first: u16, characters: &mut Chars<'_>) -> String {
    let mut ahead = characters.clone();
    if ahead.next() == Some('\\')
        && ahead.next() == Some('u')
        && let Some(second @ 0xdc00..=0xdfff) = utf16_unit(&mut ahead)
    {
        *characters = ahead;
        return format!("\\u{first:04x}\\u{second:04x}");
    }
    "\\ufffd".into()
}

/// The number that four hex digits make; takes nothing when there are no four.
fn utf16_unit(characters: &mut Chars<'_>) -> Option<u16> {
    let digits = characters.as_str().get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let unit = u16::from_str_radix(digits, 16).ok()?;
    *characters = characters.as_str().get(4..)?.chars();
    Some(unit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_the_object_whatever_stands_around_it() {
        let one = Some(json!({"a": 1}));
        let cases = [
            (r#"{"a": 1}"#, one.clone()),
            ("\n {\"a\": 1}\n\n", one.clone()),
            ("```json\n{\"a\": 1}\n```", one.clone()),
            ("Here it is:\n```\n{\"a\": 1}\n```\nAnything else?", one.clone()),
            ("As {you} asked (in {braces}): {\"a\": 1}, done.", one.clone()),
            ("First {} then {\"a\": 1}", one.clone()),
            ("<think>{\"a\": 2, \"b\": 3}</think>{\"a\": 1}", one.clone()),
            ("{\"a\": 2, \"b\": 3}</think>\n{\"a\": 1}", one.clone()),
            ("<think>half a thought {\"a\": 1}", one.clone()),
            ("{\"a\": 1,}", one.clone()),
            ("{\"a\": 1 ,\n}", one.clone()),
            ("[{\"a\": 1}]", one),
            ("{\"a\": [1, 2, ], }", Some(json!({"a": [1, 2]}))),
            ("{\"a\": \"<think>kept</think>\"}", Some(json!({"a": "<think>kept</think>"}))),
            ("so: {\"a\": \"x, }\"}", Some(json!({"a": "x, }"}))),
            (
                "{\"code\": \"function* () {\n\tyield 1;\n}\"}",
                Some(json!({"code": "function* () {\n\tyield 1;\n}"})),
            ),
            (r#"{"a": "\d \' \\ \" \u0041"}"#, Some(json!({"a": r#"\d ' \ " A"#}))),
            (
                r#"{"a": "\ud83d\ude00 \ud83d \ude00 \uD83Dx \uzz"}"#,
                Some(json!({"a": "😀 \u{fffd} \u{fffd} \u{fffd}x \\uzz"})),
            ),
            (r#"{"a": {"b": 1}, "c": 2"#, Some(json!({"b": 1}))),
            ("{\"a\": 1", None),
            ("{a: 1}", None),
            ("[1, 2]", None),
            ("{\"{", None),
            ("", None),
            ("I cannot help with that.", None),
        ];
        for (text, expected) in cases {
            assert_eq!(object(text).map(Value::Object), expected, "{text}");
        }
    }

    #[test]
    fn takes_no_time_over_nonsense() {
        let most = droidmux_record::Reply::MOST_BYTES;
        for nonsense in ["{", "{\"", "{\"a\":", "{}", "[{", "<think>", "</think>", "\\", "{\\u"] {
            // Anything that took time quadratic in the length would not end.
            object(&nonsense.repeat(most / nonsense.len()));
        }
    }

    /// Texts made of the pieces that make replies go wrong.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "{", "}", "[", "]", "\"", "\\", "\\u", "d83d", ",", ":", "a", "1", " ", "\n", "<think>",
            "</think>", "```", "é", "😀", "\u{0}",
        ]);
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn never_panics(text in pieces(), any in any::<String>()) {
            object(&text);
            object(&any);
        }

        #[test]
        fn what_was_written_is_read_again(key in any::<String>(), value in any::<String>()) {
            let written = json!({ key: value, "list": [1, { "b": [] }] });
            let text = format!("<think>hm {{</think>Sure:\n```json\n{written:#}\n```\n");
            prop_assert_eq!(object(&text).map(Value::Object), Some(written));
        }
    }
}
