//! Keys, and what keeps them out of everything that is shown or stored.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::LlmError;
use super::disguise::Disguises;
use super::outcome::Outcome;
use droidmux_record::Exchange;

/// What replaces a key.
const IN_ITS_PLACE: &str = "[key]";

/// Shorter keys are words that mean "none" (`none`, `ollama`), and are not searched for.
const SHORTEST_KEY: usize = 8;

/// The words that a token follows, in headers and in messages about them.
const BEFORE_TOKENS: [&str; 4] = ["bearer", "api-key", "api_key", "apikey"];

/// Anything shorter after them is an ordinary word.
const SHORTEST_TOKEN: usize = 16;

/// An endpoint's key. It is never printed.
#[derive(Clone)]
pub struct Secret(Arc<str>);

/// Takes keys out of texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Scrub {
    key: Option<Arc<Disguises>>,
}

impl Secret {
    /// The key as it is sent, without `Bearer `.
    pub fn new(key: &str) -> Self {
        Self(key.into())
    }

    /// The key in the environment variable with this name; `None` when no variable is named.
    ///
    /// # Errors
    ///
    /// When the variable is not set or empty.
    pub fn from_env(name: &str) -> Result<Option<Self>, LlmError> {
        if name.is_empty() {
            return Ok(None);
        }
        let wrong = |why| LlmError::Key { name: name.into(), why };
        let value = std::env::var_os(name).ok_or_else(|| wrong("is not set"))?;
        let text = value.to_str().ok_or_else(|| wrong("holds no text"))?.trim();
        if text.is_empty() { Err(wrong("is empty")) } else { Ok(Some(Self::new(text))) }
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(IN_ITS_PLACE)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(IN_ITS_PLACE)
    }
}

impl Scrub {
    pub(super) fn new(key: Option<Secret>) -> Self {
        let key = key.filter(|key| key.expose().len() >= SHORTEST_KEY);
        Self { key: key.map(|key| Arc::new(Disguises::of(key.expose()))) }
    }

    /// The text without the key in any form, and without whatever looks like one.
    pub(super) fn clean(&self, text: &str) -> String {
        let without_key = match &self.key {
            Some(key) => without(text, &key.places(text)),
            None => text.to_owned(),
        };
        BEFORE_TOKENS.iter().fold(without_key, |text, mark| without_tokens(text, mark))
    }

    /// The text so far of a reply that is still coming: the beginning of a key at its end is held
    /// back, too.
    pub(super) fn clean_partial(&self, text: &str) -> String {
        let mut clean = self.clean(text);
        if let Some(begun) = self.key.as_ref().and_then(|key| key.begun(&clean)) {
            clean.truncate(begun);
        }
        clean
    }

    pub(super) fn outcome(&self, Outcome { said, exchange }: Outcome) -> Outcome {
        let said = match said {
            Ok(text) => Ok(self.clean(&text)),
            Err((why, detail)) => Err((why, self.clean(&detail))),
        };
        Outcome { said, exchange: self.exchange(exchange) }
    }

    fn exchange(&self, exchange: Exchange) -> Exchange {
        Exchange {
            answered_by: self.clean(&exchange.answered_by),
            tries: exchange.tries.iter().map(|why| self.clean(why)).collect(),
            differs: self.clean(&exchange.differs),
            ..exchange
        }
    }
}

/// The text with a replacement in these places.
fn without(text: &str, places: &[Range<usize>]) -> String {
    let (mut clean, mut kept) = (String::new(), 0);
    for place in places {
        clean.push_str(text.get(kept..place.start).unwrap_or_default());
        clean.push_str(IN_ITS_PLACE);
        kept = place.end;
    }
    clean.push_str(text.get(kept..).unwrap_or_default());
    clean
}

/// The text without the tokens that stand behind a mark.
fn without_tokens(text: String, mark: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut clean = String::new();
    let mut kept = 0;
    for (start, _) in lower.match_indices(mark) {
        let behind = start + mark.len();
        if behind < kept {
            continue;
        }
        let rest = text.get(behind..).unwrap_or_default();
        let token = rest.trim_start_matches([' ', '\t', ':', '=', '"', '\'', '\\']);
        let begin = behind + (rest.len() - token.len());
        if begin == behind {
            continue;
        }
        let length = token.bytes().take_while(|byte| is_of_token(*byte)).count();
        if length >= SHORTEST_TOKEN {
            clean.push_str(text.get(kept..begin).unwrap_or_default());
            clean.push_str(IN_ITS_PLACE);
            kept = begin + length;
        }
    }
    if kept == 0 {
        return text;
    }
    clean.push_str(text.get(kept..).unwrap_or_default());
    clean
}

fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Reply;

    #[test]
    fn keys_and_tokens_are_taken_out() {
        let scrub = Scrub::new(Some(Secret::new("sk-0123456789abcdef")));
        let cases = [
            ("all is well", "all is well"),
            ("wrong key sk-0123456789abcdef!", "wrong key [key]!"),
            ("sk-0123456789abcdefsk-0123456789abcdef", "[key][key]"),
            ("Authorization: Bearer sk-0123456789abcdef", "Authorization: Bearer [key]"),
            ("authorization: bearer another0123456789", "authorization: bearer [key]"),
            (r#"{"api-key": "another0123456789", "x": 1}"#, r#"{"api-key": "[key]", "x": 1}"#),
            ("API_KEY=another0123456789 é", "API_KEY=[key] é"),
            ("the bearer of this ring, bearers of bad news", "the bearer of this ring, bearers of bad news"),
            ("Bearer Bearer another0123456789", "Bearer Bearer [key]"),
            ("key=sk%2D0123456789abcdef&x=1", "key=[key]&x=1"),
            (r"{'key': '\u0073k-0123456789abcdef'}", "{'key': '[key]'}"),
            ("Basic c2stMDEyMzQ1Njc4OWFiY2RlZg== said", "Basic [key] said"),
            ("Basic dXNlcjpzay0wMTIzNDU2Nzg5YWJjZGVm said", "Basic [key] said"),
            ("736b2d30313233343536373839616263646566", "[key]"),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub.clean(text), expected, "{text}");
        }
    }

    #[test]
    fn a_key_that_is_still_coming_is_held_back() {
        let scrub = Scrub::new(Some(Secret::new("sk-0123456789abcdef")));
        let cases = [
            ("so: sk-01234", "so: "),
            ("so: sk-0123456789abcdef", "so: [key]"),
            ("so: sky", "so: sky"),
            ("ask", "a"),
            (r"so: \u0073k-012", "so: "),
        ];
        for (text, expected) in cases {
            assert_eq!(scrub.clean_partial(text), expected, "{text}");
        }
    }

    #[test]
    fn words_in_place_of_a_key_are_left_alone() {
        let scrub = Scrub::new(Some(Secret::new("none")));
        assert_eq!(scrub.clean("none of these"), "none of these");
    }

    #[test]
    fn nothing_prints_a_secret() {
        let secret = Secret::new("sk-0123456789abcdef");
        let printed =
            format!("{secret} {secret:?} {:#?} {:?}", Some(&secret), Scrub::new(Some(secret.clone())));
        assert!(!printed.contains("0123"), "{printed}");
    }

    #[test]
    fn scrubbing_takes_no_time_over_nonsense() {
        let scrub = Scrub::new(Some(Secret::new("aaaaaaaaaaaaaaaaaaaaaaaab")));
        for nonsense in ["bearer", "bearer ", "api-key=", "api-key: \\", "a", "%61", "\\", "&#97;", "%25"] {
            // Anything that took quadratic time would not finish.
            scrub.clean(&nonsense.repeat(Reply::MOST_BYTES / nonsense.len()));
        }
    }
}
