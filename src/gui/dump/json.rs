//! JSON, token by token.
//!
//! In: a text. Out: its braces, strings and bare values, each with the place where it begins. Nothing here calls itself, so
//! that no nesting is too deep for it: the reader of trees keeps the stack, and its cap.

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `{`
    OpenObject,
    /// `}`
    CloseObject,
    /// `[`
    OpenArray,
    /// `]`
    CloseArray,
    /// `:` or `,`
    Between,
    /// With its escapes replaced.
    Text(String),
    /// A number, `true`, `false` or `null`.
    Bare(&'a str),
}

/// Why there is no next token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ends, perhaps inside a string.
    End,
    /// What begins here is no JSON.
    Nonsense(usize),
}

/// The tokens of a text from a place on.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// The first byte that was not read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The next token and where it begins.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'a>), Stop> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.at += blank;
        let start = self.at;
        let first = *self.text.as_bytes().get(start).ok_or(Stop::End)?;
        let token = match first {
            b'{' => Token::OpenObject,
            b'}' => Token::CloseObject,
            b'[' => Token::OpenArray,
            b']' => Token::CloseArray,
            b':' | b',' => Token::Between,
            b'"' => return self.string(start),
            _ => return self.bare(start),
        };
        self.at += 1;
        Ok((start, token))
    }

    fn string(&mut self, start: usize) -> Result<(usize, Token<'a>), Stop> {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end).ok_or(Stop::End)? {
                b'\\' => end += 2,
                b'"' => break,
                _ => end += 1,
            }
        }
        let quoted = self.text.get(start..=end).ok_or(Stop::Nonsense(start))?;
        self.at = end + 1;
        Ok((start, Token::Text(unescaped(quoted))))
    }

    fn bare(&mut self, start: usize) -> Result<(usize, Token<'a>), Stop> {
        let rest = self.text.get(start..).unwrap_or("");
        let of_value = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = rest.find(|c| !of_value(c)).unwrap_or(rest.len());
        let value = rest.get(..length).filter(|value| !value.is_empty()).ok_or(Stop::Nonsense(start))?;
        let known = matches!(value, "true" | "false" | "null") || value.parse::<f64>().is_ok();
        if !known {
            return Err(Stop::Nonsense(start));
        }
        self.at = start + length;
        Ok((start, Token::Bare(value)))
    }
}

/// The text of a string in its quotes. One that JSON does not allow (a raw line break, half a surrogate) is kept as it is
/// written: what an app shows is no reason to lose its screen.
fn unescaped(quoted: &str) -> String {
    serde_json::from_str(quoted)
        .unwrap_or_else(|_| quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> (String, Stop) {
        let mut tokens = Tokens::new(text, 0);
        let mut out = Vec::new();
        loop {
            match tokens.next() {
                Ok((_, Token::Text(text))) => out.push(format!("<{text}>")),
                Ok((_, Token::Bare(value))) => out.push(value.to_owned()),
                Ok((at, Token::Between)) => out.push(text[at..=at].to_owned()),
                Ok((at, _)) => out.push(text[at..=at].to_owned()),
                Err(stop) => return (out.join(" "), stop),
            }
        }
    }

    #[test]
    fn tokens() {
        let cases = [
            ("{\"a\": [1, true]}", "{ <a> : [ 1 , true ] }", Stop::End),
            ("\"q\\\"u\\u00e9 \\ud83d\\ude00\"", "<q\"u\u{e9} \u{1f600}>", Stop::End),
            ("\"half \\ud83d\"", "<half \\ud83d>", Stop::End),
            ("\"two\nlines\"", "<two\nlines>", Stop::End),
            ("{\"cut", "{", Stop::End),
            ("{\"cut\\", "{", Stop::End),
            ("[nonsense]", "[", Stop::Nonsense(1)),
            ("  ", "", Stop::End),
            ("[é]", "[", Stop::Nonsense(1)),
        ];
        for (text, expected, stop) in cases {
            assert_eq!(all(text), (expected.to_owned(), stop), "{text}");
        }
    }
}
