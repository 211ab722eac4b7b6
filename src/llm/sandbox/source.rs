//! The code as models write it: with fences, exports and names of their choice.

/// The most names that are tried.
const MOST_NAMES: usize = 200;

/// The code without the Markdown fence around it and without `export`.
pub(super) fn program(code: &str) -> String {
    let lines = unfenced(code).lines().map(|line| {
        let body = line.trim_start();
        match body.strip_prefix("export default ").or_else(|| body.strip_prefix("export ")) {
            // `export { generate };`
            Some(list) if list.trim_start().starts_with('{') => "",
            Some(declaration) => declaration,
            None => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first fenced block, or the whole text when there is none.
fn unfenced(code: &str) -> &str {
    let Some((_, after)) = code.split_once("```") else { return code };
    // The rest of the line names the language.
    let Some((_, block)) = after.split_once('\n') else { return code };
    block.split_once("```").map_or(block, |(block, _)| block)
}

/// The names that the program declares anywhere, the last first: functions, generators, variables. It may list too
/// many: text in comments and strings is not told apart.
pub(super) fn names(program: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = program;
    while let Some(start) = rest.find(is_name_char) {
        let word = leading_name(&rest[start..]);
        rest = &rest[start + word.len()..];
        let declared = match word {
            "function" => rest.trim_start().trim_start_matches('*').trim_start(),
            "const" | "let" | "var" => rest.trim_start(),
            _ => continue,
        };
        let name = leading_name(declared);
        if !name.is_empty() && !name.starts_with(|char: char| char.is_ascii_digit()) {
            names.push(name);
        }
    }
    names.reverse();
    names.truncate(MOST_NAMES);
    names
}

fn leading_name(text: &str) -> &str {
    text.find(|char| !is_name_char(char)).map_or(text, |end| &text[..end])
}

fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_exports_go() {
        let cases = [
            ("function* g() {}", "function* g() {}"),
            ("```js\nfunction* g() {}\n```", "function* g() {}"),
            ("Here it is:\n```javascript\nlet a = 1;\nlet b;\n```\nIt yields.", "let a = 1;\nlet b;"),
            ("```\nx", "x"),
            ("```", "```"),
            ("export default function* () {}", "function* () {}"),
            ("  export const g = function*() {};\nexport { g };", "const g = function*() {};\n"),
            ("", ""),
        ];
        for (code, expected) in cases {
            assert_eq!(program(code), expected, "{code}");
        }
    }

    #[test]
    fn declared_names_are_found() {
        let cases: [(&str, &[&str]); 7] = [
            ("function* g() {}", &["g"]),
            ("function *a(){} function*b(){} function  c () {}", &["c", "b", "a"]),
            ("const gen = function* () {};", &["gen"]),
            ("let größe=1;var $x", &["$x", "größe"]),
            ("(function* () { yield 1 })", &[]),
            ("functional constant 9let 😀", &[]),
            ("const [a, b] = f", &[]),
        ];
        for (program, expected) in cases {
            assert_eq!(names(program), expected, "{program}");
        }
    }
}
