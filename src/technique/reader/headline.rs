//! What a reply of reader or reviewer says, in a line.

use super::{review, suspicion::reading};
use droidmux_record::{Agent, Bearing};
use droidmux_words::figure::count;

/// A line for lists of exchanges; `None` for what cannot be read, and for the replies of others.
pub fn headline(agent: Agent, reply: &str) -> Option<String> {
    match agent {
        Agent::Reader => {
            let said = reading(reply)?;
            let told =
                |at: usize| said.suspicions.get(at).map(|one| format!(": {}: {}", one.done, one.shown));
            let unusable = match said.unusable.len() {
                0 => String::new(),
                several => format!(", {several} of no use"),
            };
            Some(format!(
                "{}{unusable}, {}, {}{}",
                count(said.suspicions.len(), "suspicion"),
                count(said.notebook.len(), "note"),
                count(said.wanted.len(), "experiment"),
                told(0).unwrap_or_default()
            ))
        }
        Agent::Reviewer => {
            let opinion = review::opinion(reply).ok()?;
            let word = match opinion.bearing {
                Bearing::Accuses => "bug",
                Bearing::Excuses => "design",
                Bearing::Doubts | Bearing::Silent => "cannot tell",
            };
            Some(format!("{word}: {}", opinion.reason))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_fits_a_line() {
        let read = r#"{"suspicions": [{"done": "deleted tea", "shown": "tea", "expected": "no tea", "steps": ["1.2"],
            "check": {"kind": "present", "lines": ["tea"]}}, {}], "notebook": ["a", "b"], "wanted": []}"#;
        for (agent, reply, line) in [
            (Agent::Reader, read, Some("1 suspicion, 1 of no use, 2 notes, 0 experiments: deleted tea: tea")),
            (Agent::Reviewer, r#"{"opinion": "bug", "reason": "it is there"}"#, Some("bug: it is there")),
            (Agent::Reader, "no", None),
            (Agent::Reviewer, "{}", None),
            (Agent::Monitor, read, None),
        ] {
            assert_eq!(headline(agent, reply).as_deref(), line, "{reply}");
        }
    }
}
