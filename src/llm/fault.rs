//! Why a try failed, and whether another is worth it.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use serde_json::Value;

use droidmux_words::printable;

/// The longest wait requested by an endpoint that is respected.
const MOST_WAIT: Duration = Duration::from_secs(120);

/// The most characters shown of an endpoint's message.
const MOST_TOLD: usize = 300;

/// The most characters of an error's body that are searched for names of members.
const MOST_READ: usize = 4_000;

/// A try that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub remedy: Remedy,
    /// For people.
    pub why: String,
    /// The endpoint's message: it may name what it refuses. Empty if there was none.
    pub said: String,
}

/// What helps against a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Another try may succeed, after the wait that the endpoint asks for, if any.
    Again { wait: Option<Duration> },
    /// The request itself was refused: a different one may be accepted.
    Otherwise,
    /// No further try will succeed.
    None,
}

impl Fault {
    pub(super) fn passing(why: impl Into<String>) -> Self {
        Self { remedy: Remedy::Again { wait: None }, why: why.into(), said: String::new() }
    }

    pub(super) fn lasting(why: impl Into<String>) -> Self {
        Self { remedy: Remedy::None, why: why.into(), said: String::new() }
    }

    /// An error in the body of an answer whose status says that all is well.
    pub(super) fn of_body(body: &str) -> Self {
        let why = format!("it answered an error: {}", message(body));
        Self { said: beginning(body), ..Self::passing(why) }
    }
}

/// What an unsuccessful status means.
pub(super) fn of_status(status: u16, retry_after: Option<&str>, body: &str, now: Timestamp) -> Fault {
    let said = message(body);
    let why = format!("it answered {status}{}{said}", if said.is_empty() { "" } else { ": " });
    let (remedy, advice) = match status {
        // From OpenAI: the account has nothing left, however long one waits.
        429 if body.contains("insufficient_quota") => {
            (Remedy::None, "; the account behind the key has nothing left")
        }
        408 | 409 | 425 | 429 | 500.. => {
            (Remedy::Again { wait: retry_after.and_then(|text| wait(text, now)) }, "")
        }
        401 | 403 => (Remedy::None, "; check the key in the variable that `[llm] key-env` names"),
        404 => (Remedy::None, "; check `[llm] base-url` and `model`"),
        300..400 => (Remedy::None, "; redirections are not followed: check `[llm] base-url`"),
        400 | 422 => (Remedy::Otherwise, "; check `[llm] model` and `options`"),
        _ => (Remedy::None, ""),
    };
    Fault { remedy, why: format!("{why}{advice}"), said: beginning(body) }
}

/// The body of an error, as far as it is read.
fn beginning(body: &str) -> String {
    body.chars().take(MOST_READ).collect()
}

/// What an endpoint says in the body of an error, on one line and not too long.
pub(super) fn message(body: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let told = json.as_ref().and_then(|json| {
        let places = ["/error/message", "/error", "/message", "/detail"];
        places.iter().find_map(|place| json.pointer(place).and_then(Value::as_str))
    });
    told_short(told.unwrap_or(body))
}

/// Text from outside on one line and not too long.
pub(super) fn told_short(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = words.chars().take(MOST_TOLD).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    printable(&short).into_owned()
}

/// What a `Retry-After` asks for: seconds, or the date at which to come back.
fn wait(retry_after: &str, now: Timestamp) -> Option<Duration> {
    let text = retry_after.trim();
    let wait = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => {
            let then = rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
            Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO)
        }
    };
    Some(wait.min(MOST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2015-10-21T07:27:00Z".parse().expect("a time")
    }

    #[test]
    fn waits_that_endpoints_ask_for() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let cases = [
            ("7", seconds(7)),
            (" 0 ", seconds(0)),
            ("1.5", Some(Duration::from_millis(1_500))),
            ("86400", seconds(120)),
            ("Wed, 21 Oct 2015 07:28:00 GMT", seconds(60)),
            ("Wed, 21 Oct 2015 07:26:00 GMT", seconds(0)),
            ("Sun, 21 Oct 2035 07:28:00 GMT", seconds(120)),
            ("-1", None),
            ("1e300", None),
            ("NaN", None),
            ("soon", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(wait(text, now()), expected, "{text}");
        }
    }

    #[test]
    fn statuses_say_whether_to_try_again() {
        let cases = [
            (429, "{}", "passing"),
            (500, "oops", "passing"),
            (503, "", "passing"),
            (408, "", "passing"),
            (409, "", "passing"),
            (400, r#"{"error": {"message": "no"}}"#, "refused"),
            (422, "", "refused"),
            (401, "", "lasting"),
            (403, "", "lasting"),
            (404, "", "lasting"),
            (302, "", "lasting"),
            (429, r#"{"error": {"code": "insufficient_quota"}}"#, "lasting"),
        ];
        for (status, body, expected) in cases {
            let kind = match of_status(status, None, body, now()).remedy {
                Remedy::Again { .. } => "passing",
                Remedy::Otherwise => "refused",
                Remedy::None => "lasting",
            };
            assert_eq!(kind, expected, "{status} {body}");
        }
    }

    #[test]
    fn messages_are_found_and_made_safe() {
        let long = "x".repeat(10_000);
        let cases = [
            (r#"{"error": {"message": "Model not found"}}"#, "Model not found"),
            (r#"{"error": "model 'x' not found"}"#, "model 'x' not found"),
            (r#"{"detail": "Not Found"}"#, "Not Found"),
            ("<html>\n<b>Bad Gateway</b>\n</html>", "<html> <b>Bad Gateway</b> </html>"),
            ("\u{1b}[31mred", "␛[31mred"),
            ("", ""),
        ];
        for (body, expected) in cases {
            assert_eq!(message(body), expected, "{body}");
        }
        assert_eq!(message(&long).chars().count(), MOST_TOLD + 1);
    }
}
