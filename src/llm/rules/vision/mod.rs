//! Rules that stand in for VisionDroid's three agents. They cannot see pictures: they read the account of the steps
//! that goes with them.
//!
//! Invariant: what an app calls its widgets, and what they say, decides nothing; texts are only compared with each
//! other. So an app in which all words are replaced gets the same replies, except for the words in them.

mod account;
mod detector;
mod explorer;
mod line;
mod monitor;

use droidmux_record::{Agent, Question};

/// The reply to a question of one of the three agents; an empty object to any other.
pub fn answer(question: &Question) -> String {
    let text = question.text();
    match question.agent {
        // Both agents' question.
        Agent::Explorer if text.contains("\"new_function\": ") => {
            joined(&monitor::answer(&text), &explorer::answer(&text))
        }
        Agent::Explorer => explorer::answer(&text),
        Agent::Monitor => monitor::answer(&text),
        Agent::Detector => detector::answer(&text),
        Agent::ValidInput | Agent::TestGenerator | Agent::Reader | Agent::Reviewer => "{}".to_owned(),
    }
}

/// The members of two replies in one.
fn joined(one: &str, other: &str) -> String {
    let members = |reply: &str| serde_json::from_str::<serde_json::Map<_, _>>(reply).unwrap_or_default();
    let mut all = members(one);
    all.extend(members(other));
    serde_json::Value::Object(all).to_string()
}

/// The text under the first heading that begins like this; empty without one.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let start = format!("## {heading}");
    let is_it = |at: &usize| *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with('\n'));
    let Some(at) = text.match_indices(&start).map(|(at, _)| at).find(is_it) else { return "" };
    let rest = text.get(at..).unwrap_or_default();
    let body = rest.split_once('\n').map_or("", |(_, body)| body);
    body.find("\n## ").and_then(|end| body.get(..end)).unwrap_or(body)
}

/// The first number in a text.
fn first_number(text: &str) -> Option<usize> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
