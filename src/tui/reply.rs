//! A model's reply as a person reads it.
//!
//! In: the text as it came. Out: its lines in pieces, not wrapped. JSON has a line for each value, and a text of
//! several lines in it stands unescaped below its name; code, there or between fences, has colours. Anything else is
//! shown as it is.

use serde_json::Value;

use super::code;
use super::paint::Words;
use super::theme::Role;

/// How many columns further right nested parts stand.
const STEP: usize = 2;

/// The lines of a reply in this role.
pub fn lines(reply: &str, role: Role) -> Vec<Words> {
    let whole: Result<Value, _> = serde_json::from_str(reply);
    if let Ok(value @ (Value::Object(_) | Value::Array(_))) = whole {
        return Printer { lines: Vec::new(), role }.print(&value);
    }
    if code::is_code(reply) && !reply.contains("```") {
        return code::lines(reply);
    }
    fenced(reply, role)
}

/// Prose with code between fences.
fn fenced(reply: &str, role: Role) -> Vec<Words> {
    let (mut lines, mut block): (Vec<Words>, Option<String>) = (Vec::new(), None);
    for line in reply.lines() {
        let is_fence = line.trim_start().starts_with("```");
        match &mut block {
            Some(code) if is_fence => {
                lines.extend(lines_of_block(code, role));
                block = None;
                lines.push(vec![(line.to_owned(), Role::Dim)]);
            }
            Some(code) => {
                code.push_str(line);
                code.push('\n');
            }
            None if is_fence => {
                block = Some(String::new());
                lines.push(vec![(line.to_owned(), Role::Dim)]);
            }
            None => lines.push(vec![(line.to_owned(), role)]),
        }
    }
    // A reply that was cut off may not close its last fence.
    lines.extend(block.iter().flat_map(|code| lines_of_block(code, role)));
    lines
}

/// JSON between fences is read like a reply that is JSON alone.
fn lines_of_block(block: &str, role: Role) -> Vec<Words> {
    match serde_json::from_str(block) {
        Ok(value) => Printer { lines: Vec::new(), role }.print(&value),
        Err(_) => code::lines(block),
    }
}

/// Prints a value with its parts below each other. The depth of values is bounded by their parser.
struct Printer {
    lines: Vec<Words>,
    role: Role,
}

impl Printer {
    fn print(mut self, value: &Value) -> Vec<Words> {
        self.value(0, Words::new(), value, "");
        self.lines
    }

    /// A value after what stands before it in its line, and with what follows.
    fn value(&mut self, indent: usize, mut before: Words, value: &Value, after: &str) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                before.push(("{".into(), Role::Dim));
                self.line(indent, before);
                let last = members.len() - 1;
                for (n, (name, member)) in members.iter().enumerate() {
                    let comma = if n < last { "," } else { "" };
                    let name = vec![(format!("{}: ", Value::from(name.as_str())), Role::Accent)];
                    self.value(indent + STEP, name, member, comma);
                }
                self.line(indent, vec![(format!("}}{after}"), Role::Dim)]);
            }
            Value::Array(items) if !items.is_empty() => {
                before.push(("[".into(), Role::Dim));
                self.line(indent, before);
                let last = items.len() - 1;
                for (n, item) in items.iter().enumerate() {
                    self.value(indent + STEP, Words::new(), item, if n < last { "," } else { "" });
                }
                self.line(indent, vec![(format!("]{after}"), Role::Dim)]);
            }
            Value::String(text) if text.contains('\n') || code::is_code(text) => {
                self.line(indent, before);
                let block = if code::is_code(text) {
                    code::lines(text)
                } else {
                    text.lines().map(|line| vec![(line.to_owned(), self.role)]).collect()
                };
                for line in block {
                    self.line(indent + STEP, line);
                }
            }
            plain => {
                before.push((plain.to_string(), self.role));
                before.push((after.into(), Role::Dim));
                self.line(indent, before);
            }
        }
    }

    fn line(&mut self, indent: usize, mut pieces: Words) {
        pieces.retain(|(text, _)| !text.is_empty());
        if indent > 0 {
            pieces.insert(0, (" ".repeat(indent), Role::Text));
        }
        self.lines.push(pieces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(reply: &str) -> Vec<String> {
        let lines = lines(reply, Role::Text);
        lines.iter().map(|pieces| pieces.iter().map(|(text, _)| text.as_str()).collect()).collect()
    }

    #[test]
    fn replies_read_well() {
        for (reply, expected) in [
            (
                r#"{"rule":"longer","generator":"function* g() {\n  yield \"a\";\n}","n":[1,true]}"#,
                &[
                    "{",
                    "  \"rule\": \"longer\",",
                    "  \"generator\": ",
                    "    function* g() {",
                    "      yield \"a\";",
                    "    }",
                    "  \"n\": [",
                    "    1,",
                    "    true",
                    "  ]",
                    "}",
                ][..],
            ),
            ("Rule: longer\n```js\nyield 1;\n```", &["Rule: longer", "```js", "yield 1;", "```"]),
            ("```json\n{\"a\":1}\n```", &["```json", "{", "  \"a\": 1", "}", "```"]),
            ("```js\ncut of", &["```js", "cut of"]),
            ("Just words.\n\nMore.", &["Just words.", "", "More."]),
            ("{}", &["{}"]),
            ("{broken", &["{broken"]),
            ("", &[]),
        ] {
            assert_eq!(plain(reply), expected, "{reply}");
        }
    }

    #[test]
    fn a_text_in_several_lines_keeps_its_role_and_code_has_its_own() {
        let lines = lines(r#"{"why":"one\ntwo","code":"return f(`x`);"}"#, Role::Bad);
        let role_of = |wanted: &str| {
            lines.iter().flatten().find(|(text, _)| text.contains(wanted)).map(|(_, role)| *role)
        };
        let told = ["two", "`x`", "return"].map(role_of);
        assert_eq!(told, [Some(Role::Bad), Some(Role::Good), Some(Role::Accent)]);
    }
}
