//! The tools, one entry each.
//!
//! In: checked arguments. Out: command lines.

use rmcp::model::ToolAnnotations;
use serde_json::{Map, Value};

use super::arguments::{Argument, Checked, Takes, schema};

/// Lines of an account at most.
const MOST_LINES: u64 = 2_000;

/// A tool.
pub(super) struct ToolEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    /// It changes nothing and touches no device.
    pub reads: bool,
    /// It has devices do something.
    pub devices: bool,
    pub run: Run,
}

/// How a call becomes command lines.
pub(super) enum Run {
    /// One command whose output is the result.
    Plain(fn(&Checked) -> Vec<String>),
    /// The same, with a folder that the command writes pictures into.
    Pictured(fn(&Checked, &str) -> Vec<String>),
    /// Chosen lines of a command's output.
    Lines(fn(&Checked) -> Vec<String>),
    /// One command that reads the argument of this name.
    Fed(fn(&Checked) -> Vec<String>, &'static str),
}

const SESSION: Argument =
    Argument { name: "session", what: "a session, such as \"s3\"", takes: Takes::Session, required: true };
const OF_SESSION: Argument =
    Argument { name: "session", what: "only those of this session", takes: Takes::Session, required: false };
const FINDING: Argument = Argument {
    name: "finding",
    what: "a finding, such as \"s3-1a2b3c4d\"",
    takes: Takes::Finding,
    required: true,
};
const QUESTION: Argument = Argument {
    name: "question",
    what: "the question's number",
    takes: Takes::Number(1, u64::MAX),
    required: true,
};

pub(super) const TOOLS: &[ToolEntry] = &[
    ToolEntry {
        name: "list_sessions",
        title: "List sessions",
        description: "The sessions of the store as JSON: technique, app, how far each got, how many findings it has, how \
                      it ended. Reads only.",
        arguments: &[],
        reads: true,
        devices: false,
        run: Run::Plain(|_| words(&["store", "stats", "--json"])),
    },
    ToolEntry {
        name: "list_findings",
        title: "List findings",
        description: "Findings as JSON Lines: the reported ones, or those of another tier. A finding's name for the other \
                      tools is its session, a dash, and its member `finding`. Reads only.",
        arguments: &[
            OF_SESSION,
            Argument {
                name: "tier",
                what: "instead of the reported ones",
                takes: Takes::Word(&["reported", "suspicious", "explained"]),
                required: false,
            },
        ],
        reads: true,
        devices: false,
        run: Run::Plain(|given| {
            let mut line = words(&["findings"]);
            line.extend(option("--session", given.get("session")));
            line.extend(option("--tier", given.get("tier")));
            line
        }),
    },
    ToolEntry {
        name: "see_finding",
        title: "See a finding",
        description: "One finding: why it is suspected, what was tried to explain it, the account of its test step by \
                      step, and the pictures of the test's last screens. Reads only.",
        arguments: &[FINDING],
        reads: true,
        devices: false,
        run: Run::Pictured(|given, folder| {
            let mut line = words(&["findings"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(words(&["--account", "--pictures", folder]));
            line
        }),
    },
    ToolEntry {
        name: "read_account",
        title: "Read what a session did",
        description: "A stretch of the account of a session: each event, and what it did to the screen, in words. Steps \
                      are named JOB.TURN. Says where to go on. Reads only.",
        arguments: &[
            SESSION,
            Argument {
                name: "from",
                what: "lines to leave out, 0 at first",
                takes: Takes::Number(0, 1_000_000_000),
                required: false,
            },
            Argument {
                name: "lines",
                what: "how many lines; 400 when not given",
                takes: Takes::Number(1, MOST_LINES),
                required: false,
            },
        ],
        reads: true,
        devices: false,
        run: Run::Lines(|given| {
            let mut line = words(&["read"]);
            line.extend(given.get("session").map(str::to_owned));
            line.push("--print".into());
            line
        }),
    },
    ToolEntry {
        name: "list_questions",
        title: "List waiting questions",
        description: "What sessions ask of people in place of a language model, as JSON Lines, the oldest first. Reads only.",
        arguments: &[OF_SESSION],
        reads: true,
        devices: false,
        run: Run::Plain(|given| {
            let mut line = words(&["questions", "--json"]);
            line.extend(given.get("session").map(str::to_owned));
            line
        }),
    },
    ToolEntry {
        name: "see_question",
        title: "See a waiting question",
        description: "One waiting question in full, with its pictures, the JSON schema of the reply and a reply to fill \
                      in. Answer it from what it says alone. Reads only.",
        arguments: &[QUESTION],
        reads: true,
        devices: false,
        run: Run::Pictured(|given, folder| {
            let mut line = words(&["questions", "show"]);
            line.extend(given.get("question").map(str::to_owned));
            line.extend(words(&["--pictures", folder]));
            line
        }),
    },
    ToolEntry {
        name: "answer_question",
        title: "Answer a question",
        description: "Gives a waiting question its reply: JSON by the question's schema. A reply that does not fit is \
                      refused with what is wrong, and the question waits on. The session then goes on with its test.",
        arguments: &[
            QUESTION,
            Argument {
                name: "reply",
                what: "JSON by the question's schema",
                takes: Takes::Json,
                required: true,
            },
        ],
        reads: false,
        devices: false,
        run: Run::Fed(
            |given| {
                let mut line = words(&["questions", "answer"]);
                line.extend(given.get("question").map(str::to_owned));
                line
            },
            "reply",
        ),
    },
    ToolEntry {
        name: "replay_finding",
        title: "Run a finding's tests again on a device",
        description: "TOUCHES A DEVICE: clears the app's data and performs the finding's events on a device of the lab, \
                      in a session of its own, and says how often the finding showed. Takes minutes.",
        arguments: &[
            FINDING,
            Argument {
                name: "times",
                what: "how often; once when not given",
                takes: Takes::Number(1, 20),
                required: false,
            },
        ],
        reads: false,
        devices: true,
        run: Run::Plain(|given| {
            let mut line = words(&["replay"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(words(&["--times", given.get("times").unwrap_or("1")]));
            line
        }),
    },
    ToolEntry {
        name: "step_finding",
        title: "Lead a finding's test over a device",
        description: "TOUCHES A DEVICE: clears the app's data and leads the finding's test over a device of the lab by \
                      these orders, from its beginning in each call, in a session of its own. Orders: next, skip, \
                      insert KIND [WIDGET] [TEXT], back, to N, violation, end, look (lists the widgets), lanes (lists \
                      the events of both tests), help. Takes minutes.",
        arguments: &[
            FINDING,
            Argument {
                name: "orders",
                what: "what to do, in this order, such as [\"lanes\", \"violation\", \"look\"]",
                takes: Takes::Orders(100),
                required: true,
            },
        ],
        reads: false,
        devices: true,
        run: Run::Plain(|given| {
            let mut line = words(&["step"]);
            line.extend(given.get("finding").map(str::to_owned));
            line.extend(option("--orders", given.get("orders")));
            line
        }),
    },
];

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// An option with its value in one word, which nothing else can take it for.
fn option(name: &str, value: Option<&str>) -> Option<String> {
    value.map(|value| format!("{name}={value}"))
}

impl ToolEntry {
    /// What its arguments may be.
    pub fn schema(&self) -> Map<String, Value> {
        schema(self.arguments)
    }

    /// What a client may rely on when it decides whether to ask its user.
    pub fn annotations(&self) -> ToolAnnotations {
        let hints = ToolAnnotations::with_title(self.title).read_only(self.reads);
        // A device's app loses its data.
        hints.destructive(self.devices).idempotent(self.reads).open_world(self.devices)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arguments::check;
    use super::*;
    use crate::Cli;
    use clap::Parser;
    use serde_json::json;

    /// Words for each argument.
    fn sample(takes: Takes) -> Value {
        match takes {
            Takes::Session => json!("s3"),
            Takes::Finding => json!("s3-1a2b3c4d"),
            Takes::Number(least, _) => json!(least),
            Takes::Word(words) => json!(words[0]),
            Takes::Orders(_) => json!(["insert click \"--help\"", "next"]),
            Takes::Json => json!({}),
        }
    }

    #[test]
    fn every_tool_is_a_command_of_this_program() {
        for tool in TOOLS {
            for all in [true, false] {
                let arguments = tool.arguments.iter().filter(|argument| all || argument.required);
                let sent =
                    arguments.map(|argument| (argument.name.to_owned(), sample(argument.takes))).collect();
                let given = check(tool.arguments, &sent).expect(tool.name);
                let line = match &tool.run {
                    Run::Plain(line) | Run::Lines(line) | Run::Fed(line, _) => line(&given),
                    Run::Pictured(line) => line(&given, "/tmp/x"),
                };
                let line = [words(&["droidmux"]), line, words(&["--store", "/x"])].concat();
                let parsed = Cli::try_parse_from(&line);
                assert!(
                    parsed.is_ok(),
                    "{line:?}: {}",
                    parsed.err().map(|error| error.to_string()).unwrap_or_default()
                );
            }
        }
    }

    #[test]
    fn what_touches_a_device_says_so_and_what_reads_is_marked() {
        for tool in TOOLS {
            assert!(!(tool.reads && tool.devices), "{}", tool.name);
            assert_eq!(tool.description.contains("TOUCHES A DEVICE"), tool.devices, "{}", tool.name);
            assert_eq!(tool.description.contains("Reads only."), tool.reads, "{}", tool.name);
            assert_eq!(tool.annotations().read_only_hint, Some(tool.reads), "{}", tool.name);
        }
    }
}
